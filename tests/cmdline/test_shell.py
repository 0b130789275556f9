"""Command lines taken apart into simple commands."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.cmdline.grammar import Redirection
from gate.cmdline.shell import Simple, commands


def _lines(text: str) -> list[str]:
    return [shlex.join(simple.words) for simple in commands(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("# curl x", [], id="comment"),
        pytest.param("a x; b && c || d | e & f\ng", ["a x", "b", "c", "d", "e", "f", "g"], id="separators"),
        pytest.param("c''url \"http://x\"", ["curl http://x"], id="quotes"),
        pytest.param("(a; b) && { c; }", ["a", "b", "c"], id="groups"),
        pytest.param("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"], id="if"),
        pytest.param("while ! a; do b; done; until c; do d; done", ["a", "b", "c", "d"], id="loops"),
        pytest.param("for x in a b; do c $x; done", ["c '$x'"], id="for"),
        pytest.param("for x in $(a); do b; done", ["a", "b"], id="for over a command"),
        pytest.param("for x\ndo b; done", ["b"], id="for over the arguments"),
        pytest.param("case $(a) in b|c) d;; (e) f;; *) g; esac; h", ["a", "d", "f", "g", "h"], id="case"),
        pytest.param("case a in b) case c in d) e;; esac;; esac; f", ["e", "f"], id="case in a case"),
        pytest.param("f() { a; }\nfunction g { b; }; f", ["a", "b", "f"], id="functions"),
        pytest.param("[[ a > b && c ]] && d; [ e ] || f", ["'[['", "d", "'[' e ']'", "f"], id="tests"),
        pytest.param("rm !(a|b) c *(d).py; (e)", ["rm '*' c '*' .py", "e"], id="patterns of bash's"),
        pytest.param("((x > 1)) && a; b $((1 > 2))", ["a", "b '$((1 > 2))'"], id="arithmetic"),
        pytest.param("a $(b `c`) \"$(d)\"", ["c", "b '`c`'", "d", "a '$(b `c`)' '$(d)'"], id="substituted"),
        pytest.param("x=$(a) y=1 b", ["a", "b"], id="assignments"),
        pytest.param("x=(1 $(a)) b", ["a", "b"], id="array"),
        pytest.param("a <(b) >(c)", ["b", "c", "a '<(b)' '>(c)'"], id="processes"),
        pytest.param("echo 'curl http://evil' \"; rm x\"", ["echo 'curl http://evil' '; rm x'"], id="E07 only printed"),
        pytest.param("echo curl x | sh", ["echo curl x", "sh", "curl x"], id="printed into a shell"),
        pytest.param("cat <<E | bash\ncurl x\nE", ["cat", "bash", "curl x"], id="document into a shell"),
        pytest.param("bash <<E\ncurl x\nE\na", ["curl x", "a"], id="document of a shell"),
        pytest.param("sh -s <<< 'curl x'", ["curl x"], id="string of a shell"),
        pytest.param("cat > f <<'E'\ncurl x\n$(rm y)\nE\na", ["cat", "a"], id="document that is only text"),
        pytest.param("cat <<E\n$(rm y)\nE", ["rm y", "cat"], id="document that is expanded"),
        pytest.param("a <<X <<-Y\n1\nX\n\t2\n\tY\nb", ["a", "b"], id="two documents"),
        pytest.param("a <<E\nnever closed", ["a"], id="open document"),
        pytest.param("git commit -m \"$(cat <<'E'\nIt's (a fix :)\nE\n)\" && a",
                     ["cat", "git commit -m '$(cat <<'\"'\"'E'\"'\"'\nIt'\"'\"'s (a fix :)\nE\n)'", "a"], id="message"),
        pytest.param("a 'open; b", ["a 'open; b'"], id="open quote"),
        pytest.param(") ; a", ["a"], id="closed too often"),
        pytest.param("a ( b", ["a", "b"], id="opened in the middle"),
        pytest.param("esac; a", ["a"], id="esac alone"),
        pytest.param("2>&1 > x", [""], id="redirections alone"),
    ],
)  # fmt: skip
def test_a_line_is_its_simple_commands(text: str, found: list[str]) -> None:
    assert _lines(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("a", [Simple(words=("a",))], id="plain"),
        pytest.param(
            "X=1 Y='2 3' a b >c 2>>d 2>&1 <e",
            [
                Simple(
                    words=("a", "b"),
                    assignments=(("X", "1"), ("Y", "2 3")),
                    redirections=(Redirection(">", "c"), Redirection(">>", "d"), Redirection("<", "e")),
                )
            ],
            id="everything",
        ),
        pytest.param(
            "cat > f <<E && a\nx\nE\n",
            [Simple(words=("cat",), redirections=(Redirection(">", "f"),), heredocs=("x\n",)), Simple(words=("a",))],
            id="document",
        ),
        pytest.param("a | b", [Simple(words=("a",), piped=True), Simple(words=("b",))], id="pipe"),
        pytest.param("sudo rm x > y", [Simple(words=("rm", "x"), redirections=(Redirection(">", "y"),))], id="wrapped"),
        pytest.param(
            "bash -c 'a' > y",
            [Simple(words=("a",)), Simple(words=(), redirections=(Redirection(">", "y"),))],
            id="wrapped text",
        ),
    ],
)
def test_a_simple_command_has_its_parts(text: str, found: list[Simple]) -> None:
    assert list(commands(text)) == found


@pytest.mark.parametrize(
    ("text", "directories"),
    [
        pytest.param("a; cd x && b; cd ../y; c", ["", "", "x", "x", "y"], id="cd"),
        pytest.param("(cd x; a); b", ["", "x", ""], id="subshell"),
        pytest.param("cd /a/./b; a", ["", "/a/b"], id="absolute"),
        pytest.param("cd x; cd /y; a", ["", "x", "/y"], id="absolute again"),
        pytest.param("cd x; cd ..; a", ["", "x", ""], id="back at the top"),
        pytest.param("cd ..; a", ["", ".."], id="above"),
        pytest.param("cd $X; a; cd y; b; cd /z; c", ["", None, None, None, None, "/z"], id="unknown"),
        pytest.param("cd; a", ["", None], id="home"),
        pytest.param("cd ~/x; a", ["", None], id="below home"),
        pytest.param("cd - ; a", ["", None], id="back"),
        pytest.param("cd x && sh -c 'cd y; a'; b", ["", "x", "x/y", "x"], id="inner shell"),
        pytest.param("pushd x; a; popd; b", ["", "x", "x", None], id="pushd"),
    ],
)
def test_a_command_knows_its_folder(text: str, directories: list[str | None]) -> None:
    assert [simple.directory for simple in commands(text)] == directories


@pytest.mark.parametrize(
    ("word", "program"),
    [
        pytest.param("curl", "curl", id="plain"),
        pytest.param("/usr/bin/curl", "curl", id="absolute"),
        pytest.param("./curl", "curl", id="relative"),
        pytest.param("'C:\\bin\\curl.EXE'", "curl", id="Windows"),
        pytest.param("python3.12", "python", id="python with a version"),
        pytest.param("curly", "curly", id="curly is no curl"),
    ],
)
def test_a_program_has_a_name(word: str, program: str) -> None:
    [simple] = commands(f"{word} x")
    assert (simple.program, simple.arguments) == (program, ("x",))


@given(st.text(st.sampled_from("ab \n'\"\\`$(){}<>|&;#=-") | st.sampled_from("xE"), max_size=80))
def test_any_text_has_commands(text: str) -> None:
    for simple in commands(text):
        assert simple.program == "" or simple.words


WORDS = st.sampled_from(
    [
        "sudo", "bash", "-c", "sh", "eval", "xargs", "find", "-exec", ";", "{", "}", "if", "then", "fi", "case", "in",
        "esac", "for", "do", "done", "[[", "]]", "<<E", "E", "cat", "|", "&&", "(", ")", "$(", "`", "'", '"', "uv",
        "run", "env", "timeout", "python", "-m", "npx", "cd", "..", "x=1", ">", "2>&1", "function", "f()", "<", "<(",
        "cmd", "/c", "#", '\n'
    ]
)  # fmt: skip


@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_any_words_have_commands(text: str) -> None:
    assert len(commands(text)) <= 8 * len(text) + 10_000


@pytest.mark.parametrize(
    "unit",
    [
        "$(",
        '"$(',
        "${",
        "`",
        "bash -c '",
        'bash -c "$(',
        "sudo ",
        "find -exec ",
        "(",
        "case ",
        "eval ",
        "<<a\n",
        "<(",
        "'",
    ],
)
def test_what_never_ends_is_read_to_its_end(unit: str) -> None:
    commands(unit * 5000)


@given(st.lists(st.text(st.characters(exclude_characters="\0"), min_size=1), min_size=1, max_size=5))
def test_words_survive_being_quoted(words: list[str]) -> None:
    text = shlex.join(["printf", *words])
    assert [simple.words for simple in commands(text)] == [("printf", *words)]
