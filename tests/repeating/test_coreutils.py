"""File commands done in memory: what they make of a workspace, and what they leave undone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from gate.tree import EXECUTABLE, REGULAR, MemoryTree
from gate.workspace import materialise
from tests.repeated import run

START = {"a": b"1\n", "d/b": b"2\n", "d/e/c": b"3\n"}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        pytest.param("mv a x", {"a": None, "x": b"1\n"}, id="mv"),
        pytest.param("mv a d", {"a": None, "d/a": b"1\n"}, id="mv into a folder"),
        pytest.param("mv -f a d/b", {"a": None, "d/b": b"1\n"}, id="mv over a file"),
        pytest.param("mv d/e d/f", {"d/e/c": None, "d/f/c": b"3\n"}, id="mv of a folder"),
        pytest.param(
            "mkdir n && mv a d/b n/", {"a": None, "d/b": None, "n/a": b"1\n", "n/b": b"2\n"}, id="mv of several"
        ),
        pytest.param("mkdir n; mv a n", {"a": None, "n/a": b"1\n"}, id="mv into a new folder"),
        pytest.param("mkdir n; mv n m; mv a m", {"a": None, "m/a": b"1\n"}, id="mv of an empty folder"),
        pytest.param("mv a A", {"a": None, "A": b"1\n"}, id="mv that changes the case"),
        pytest.param("cp a x", {"x": b"1\n"}, id="cp"),
        pytest.param("cp -p a d/", {"d/a": b"1\n"}, id="cp into a folder"),
        pytest.param("cp -r d x", {"x/b": b"2\n", "x/e/c": b"3\n"}, id="cp -r"),
        pytest.param("cp -a d/e x", {"x/c": b"3\n"}, id="cp -a"),
        pytest.param("rm a", {"a": None}, id="rm"),
        pytest.param("rm -rf d nothing", {"d/b": None, "d/e/c": None}, id="rm -rf"),
        pytest.param("rm -r d/e && rmdir d/e; rm d/b", {"d/e/c": None, "d/b": None}, id="rm -r"),
        pytest.param("unlink a", {"a": None}, id="unlink"),
        pytest.param("touch a n", {"n": b""}, id="touch"),
        pytest.param("echo a 'b  c' > f", {"f": b"a b  c\n"}, id="echo"),
        pytest.param("echo -n x >> a", {"a": b"1\nx"}, id="echo -n, appended"),
        pytest.param("echo -e 'x\\ty\\\\' > f; echo '\\t' >> f", {"f": b"x\ty\\\n\\t\n"}, id="echo -e"),
        pytest.param("printf 'a\\n%s: %d%%\\n' x 3 y 4 > f", {"f": b"a\nx: 3%\na\ny: 4%\n"}, id="printf"),
        pytest.param("printf '%s' \"\" > f; printf -- '-\\x41\\101\\\"' >> f", {"f": b'-AA"'}, id="printf's escapes"),
        pytest.param("printf '%b' 'a\\nb' > f", {"f": b"a\nb"}, id="printf %b"),
        pytest.param("> a", {"a": b""}, id="nothing into a file"),
        pytest.param(": > f", {"f": b""}, id="the colon"),
        pytest.param("cat > n/f <<'E'\n$x `y`\nE", {"n/f": b"$x `y`\n"}, id="a here-document"),
        pytest.param('cat > f <<E\na \\$x \\\\ \\q\\\nb "c"\nE', {"f": b'a $x \\ \\qb "c"\n'}, id="escapes in one"),
        pytest.param("cat <<-'E' >> a\n\tx\n\tE", {"a": b"1\nx\n"}, id="an indented one"),
        pytest.param("cat <<< 'x y' > f", {"f": b"x y\n"}, id="a here-string"),
        pytest.param("cat a d/b > f", {"f": b"1\n2\n"}, id="cat of files"),
        pytest.param("cat - a < d/b > f", {"f": b"2\n1\n"}, id="cat of its input"),
        pytest.param("tee f d/b <<'E'\nx\nE", {"f": b"x\n", "d/b": b"x\n"}, id="tee"),
        pytest.param("cat <<'E' | tee -a a > /dev/null\nx\nE", {"a": b"1\nx\n"}, id="a pipe into tee"),
        pytest.param("echo x | sudo tee f", {"f": b"x\n"}, id="sudo tee"),
        pytest.param("cat a | cat > f", {"f": b"1\n"}, id="a pipe into cat"),
        pytest.param("echo x 2>&1 >f 2>/dev/null", {"f": b"x\n"}, id="the other output"),
        pytest.param("rm a*", {"a": None}, id="a pattern"),
        pytest.param("rm d/[a-c]", {"d/b": None}, id="a pattern in a folder"),
        pytest.param("rm -r */e", {"d/e/c": None}, id="a pattern of folders"),
        pytest.param("touch x.{js,ts}", {"x.js": b"", "x.ts": b""}, id="braces of names"),
        pytest.param("touch '*' \"{p,q}\"", {"*": b"", "{p,q}": b""}, id="quoted signs"),
        pytest.param("touch .h && rm -f ?h", {".h": b""}, id="hidden files need a dot"),
        pytest.param("mv /w/a /w/d/../x", {"a": None, "x": b"1\n"}, id="absolute paths"),
        pytest.param("rm -- a", {"a": None}, id="after the dashes"),
    ],
)
def test_is_done(text: str, changed: dict[str, bytes | None]) -> None:
    ran = run(text, start=START)
    wanted = {path: data for path, data in {**START, **changed}.items() if data is not None}
    assert ran.files == wanted
    assert not [line for line in ran.said if "not repeated" in line and "rmdir" not in text]


_SHELL = [
    "mv a x; cp x y; rm x",
    "mkdir -p p/q; cp -r d p/q; mv p/q/d/b p",
    "printf '%s\\n' one two > l; cat l l >> a; echo -n end >> a",
    "echo -e 'a\\tb\\0101' > f; printf 'x%sy\\n' 1 2 >> f; printf 'no end' >> f",
    "cat <<'E' | tee t >> a\n a b\t\n\nE\ncp a d; rm -r d/e",
    "cat > f <<E\nq \\$ \\\\ \\` \\x \"'\nE\n(cd d; mv b ../bb; touch n); cp bb d/e",
    "touch one two; rm t*; echo x > d/f; mv d dd; cat dd/[bf] > all",
    "echo \"a  b\" c'd' e\\ f > 'g h'; cp 'g h' g; >> new; : > a",
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("text", _SHELL)
def test_does_what_bash_does(text: str, tmp_path: Path) -> None:
    materialise(MemoryTree(START), tmp_path)
    subprocess.run(["bash", "-c", text], cwd=tmp_path, check=True)
    wanted = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(text, start=START).files == wanted


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("rm x", "x is not in the workspace", id="a missing file"),
        pytest.param("rm d", "d is a folder", id="rm of a folder"),
        pytest.param("rm -rf .", "it names the whole workspace", id="rm of everything"),
        pytest.param("rm -rf /w", "it names the whole workspace", id="rm of the root"),
        pytest.param("rm -rf / ", "/ lies outside of the workspace", id="rm of the system"),
        pytest.param("rm ../x", "../x lies outside of the workspace", id="a path above"),
        pytest.param("rm /etc/passwd", "/etc/passwd lies outside of the workspace", id="a path elsewhere"),
        pytest.param("rm /w/../etc/passwd", "/w/../etc/passwd lies outside of the workspace", id="a path around"),
        pytest.param("rm -rf .git", ".git lies outside of the workspace", id="git's folder"),
        pytest.param("rm *", "d is a folder", id="one of several"),
        pytest.param("rm -i a", "the option -i of rm is not one that is repeated", id="an option of rm"),
        pytest.param("mv -n a x", "the option -n of mv is not one that is repeated", id="an option of mv"),
        pytest.param("mv d d/x", "d cannot be moved into itself", id="mv into itself"),
        pytest.param("mv a", "it names no source and target", id="mv of one"),
        pytest.param("mv . x", "it names the whole workspace", id="mv of everything"),
        pytest.param("cp d x", "d is a folder", id="cp of a folder"),
        pytest.param("cp x y", "x is not in the workspace", id="cp of a missing file"),
        pytest.param("echo x > d", "a folder has this name, expected a file", id="a folder as target"),
        pytest.param("echo x > a/b", "a is a file, expected a folder", id="a file as a folder"),
        pytest.param("echo x > D", "the name 'D' is on some systems the same as 'd'", id="a name like another"),
        pytest.param("cat a > a", "what a holds is for a shell to tell", id="read and written"),
        pytest.param("cat -n a > f", "the option -n of cat is not one that is repeated", id="an option of cat"),
        pytest.param("cat > f", "what it reads is not known", id="no input"),
        pytest.param("ls | tee f", "what it reads is not known", id="an unknown output in a pipe"),
        pytest.param("ls > f", "ls is not a command that is repeated", id="an unknown output"),
        pytest.param("echo $HOME > f", "only a shell would tell what $HOME stands for", id="a variable"),
        pytest.param("echo `date` > f", "only a shell would tell what `date` stands for", id="a substitution"),
        pytest.param("rm ~/x", "only a shell would tell what ~/x stands for", id="the home folder"),
        pytest.param("rm 'a'*", "only a shell would tell what a* stands for", id="a pattern beside quotes"),
        pytest.param("cat > f <<E\n$x\nE", "only a shell would tell what $x… in its text stands for", id="a variable in a text"),
        pytest.param("cat > f <<E\n`x`\nE", "only a shell would tell what `… in its text stands for", id="a command in a text"),
        pytest.param("echo -e 'x\\c' > f", "it ends its text with an escape", id="an end in echo"),
        pytest.param("printf '%5s' x > f", "its format is not one that is repeated", id="a format"),
        pytest.param("printf -v x y > f", "it has no format", id="printf -v"),
        pytest.param("printf '%d' x > f", "its format is not one that is repeated", id="no number"),
        pytest.param("printf '\\xff' > f", "its text has escapes of single bytes", id="a byte"),
        pytest.param("chmod u+s a", "the mode u+s is not one that is repeated", id="a mode"),
        pytest.param("touch -d yesterday n", "the option -d of touch is not one that is repeated", id="a time"),
        pytest.param("rm {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} stands for too many names", id="far too many names"),
    ],
)  # fmt: skip
def test_is_not_done(text: str, reason: str) -> None:
    ran = run(text, start=START)
    assert ran.said == [f"step 1: not repeated: {reason}"]
    assert ran.files == START


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("chmod +x a", EXECUTABLE),
        ("chmod 755 a", EXECUTABLE),
        ("chmod 755 a; chmod -x a", REGULAR),
        ("chmod 644 a", REGULAR),
    ],
)
def test_modes(text: str, mode: int) -> None:
    assert run(text, start=START).repeated.replay.tree.mode("a") == mode


def test_a_mode_goes_where_the_file_goes() -> None:
    start = MemoryTree({"a": b"1", "b": b"2"}, modes={"a": EXECUTABLE})
    tree = run("cp a x; mv a b; cp b y", start=start).repeated.replay.tree
    assert {path: tree.mode(path) for path in tree.paths()} == dict.fromkeys("bxy", EXECUTABLE)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("cat a a a a a a a a > b; cat b b b b b b b b > a; " * 40, id="files that double"),
        pytest.param("cp -r d d/x; cp -r d x; cp -r x d/y; " * 9, id="folders that double"),
    ],
)
def test_nothing_grows_without_bound(text: str) -> None:
    ran = run(text, start={"a": b"x" * 1000, "d/f": b"y"})
    assert "step 1: not repeated: repeated commands write more than is kept" in ran.said or any(
        "prints more than is kept" in line for line in ran.said
    )
    assert sum(map(len, ran.files.values())) < 600 * 2**20
