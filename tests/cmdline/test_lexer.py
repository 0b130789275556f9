"""Words and operators, with the quotes taken off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.cmdline.lexer import Lexer, Operator, Word, closing, substituted


def _cut(text: str) -> list[str]:
    """Words in brackets, operators bare."""
    return [f"[{token.text}]" if isinstance(token, Word) else token.text for token in Lexer(text)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", [], id="empty"),
        pytest.param(" \t\r ", [], id="blank"),
        pytest.param("a b\tc", ["[a]", "[b]", "[c]"], id="words"),
        pytest.param("a;b&c&&d||e|f|&g", ["[a]", ";", "[b]", "&", "[c]", "&&", "[d]", "||", "[e]", "|", "[f]", "|&", "[g]"], id="separators"),
        pytest.param("a\nb", ["[a]", "\n", "[b]"], id="newline"),
        pytest.param("a \\\n b", ["[a]", "[b]"], id="continued line"),
        pytest.param("a\\\nb", ["[ab]"], id="continued word"),
        pytest.param("a # b; c\nd", ["[a]", "\n", "[d]"], id="comment"),
        pytest.param("a#b '#c'", ["[a#b]", "[#c]"], id="no comment"),
        pytest.param("c''url 'a b' \"c d\"e", ["[curl]", "[a b]", "[c de]"], id="quotes"),
        pytest.param("\\curl a\\ b", ["[curl]", "[a b]"], id="backslash"),
        pytest.param('"a\\"b\\\\c\\d\\$e"', ['[a"b\\c\\d$e]'], id="backslash in quotes"),
        pytest.param("'a\\'b", ["[a\\b]"], id="no backslash in single quotes"),
        pytest.param("$'a\\n\\x41\\u00e9\\101\\q'", ["[a\nAéAq]"], id="ANSI quotes"),
        pytest.param('$"a $b"', ["[a $b]"], id="translated quotes"),
        pytest.param("'' \"\"", ["[]", "[]"], id="empty words"),
        pytest.param(">a >>b 2>&1 &>c &>>d >|e <f <>g >&h", [">", "[a]", ">>", "[b]", ">&", "[1]", "&>", "[c]", "&>>", "[d]", ">|", "[e]", "<", "[f]", "<>", "[g]", ">&", "[h]"], id="redirections"),
        pytest.param("a2>b 2 >c {fd}>d", ["[a2]", ">", "[b]", "[2]", ">", "[c]", ">", "[d]"], id="descriptors"),
        pytest.param("(a)", ["(", "[a]", ")"], id="parentheses"),
        pytest.param("a;;b;&c;;&", ["[a]", ";;", "[b]", ";&", "[c]", ";;&"], id="ends of a case"),
        pytest.param("$x ${y:-z w} $((1 + 2)) $1$@", ["[$x]", "[${y:-z w}]", "[$((1 + 2))]", "[$1$@]"], id="expansions stay"),
        pytest.param("<(a b) >(c)", ["[<(a b)]", "[>(c)]"], id="process substitution"),
        pytest.param("a=(b 'c d') e", ["[a=(b 'c d')]", "[e]"], id="array"),
        pytest.param("'open", ["[open]"], id="open quote"),
        pytest.param('"open $(x', ["[open $(x]"], id="open double quote"),
        pytest.param("`open", ["[`open]"], id="open backtick"),
        pytest.param("${open", ["[${open]"], id="open brace"),
        pytest.param("a\\", ["[a]"], id="backslash at the end"),
        pytest.param("a\u00a0b \u2028", ["[a\u00a0b]", "[\u2028]"], id="other spaces are no spaces"),
        pytest.param("a\0b", ["[a\0b]"], id="NUL"),
    ],
)  # fmt: skip
def test_text_is_cut_as_a_shell_would(text: str, tokens: list[str]) -> None:
    assert _cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        pytest.param("a$(b c)d`e f`", ["b c", "e f"], id="both ways"),
        pytest.param('"$(a "b c")"', ['a "b c"'], id="in quotes"),
        pytest.param("'$(a)'", [], id="not in single quotes"),
        pytest.param("$(a $(b))", ["a $(b)"], id="nested is left to who reads it"),
        pytest.param("`a \\`b\\``", ["a `b`"], id="nested backticks"),
        pytest.param("${x:-$(a)}", ["a"], id="in an expansion"),
        pytest.param("$((1+$(a)))", ["a"], id="arithmetic"),
        pytest.param("$((a); b)", ["(a); b"], id="a subshell that looks like arithmetic"),
        pytest.param("<(a)", ["a"], id="process"),
        pytest.param("$(a ')' \")\" \\) # )\n)", ["a ')' \")\" \\) # )\n"], id="parentheses that close nothing"),
        pytest.param("\"$(cat <<'E'\nIt's (fine :)\nE\n)\"", ["cat <<'E'\nIt's (fine :)\nE\n"], id="here-document"),
        pytest.param("$(a", ["a"], id="open"),
    ],
)
def test_what_is_substituted_is_kept(text: str, inner: list[str]) -> None:
    [word] = list(Lexer(text))
    assert isinstance(word, Word)
    assert list(word.inner) == inner


def test_a_bare_word_has_no_quotes() -> None:
    assert [token.bare for token in Lexer("if 'if' i\\f $x $(x)") if isinstance(token, Word)] == [
        True,
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        pytest.param("a) b", " b", id="first"),
        pytest.param("a (b) c) d", " d", id="inner"),
        pytest.param("\"(\" '(' \\( ) d", " d", id="quoted"),
        pytest.param("${x} ${y:-)} ) d", " d", id="braces"),
        pytest.param('"$(a ")" b)" ) d', " d", id="quotes in a substitution in quotes"),
        pytest.param("`)` ) d", " d", id="backticks"),
        pytest.param("a", "", id="never"),
    ],
)
def test_what_closes_a_parenthesis(text: str, rest: str) -> None:
    assert text[closing(text, 0) :] == rest


def test_what_a_document_substitutes() -> None:
    assert substituted("a $(b) \\$(c) `d` \\`e\\` $(f `g`)") == ["b", "d", "f `g`"]


@given(st.text(st.sampled_from("ab1 \t\n'\"\\`$(){}<>|&;#=-é"), max_size=60))
def test_garbage_is_cut_to_its_end(text: str) -> None:
    tokens = list(Lexer(text))
    assert len(tokens) <= len(text)
    assert all(isinstance(token, (Word, Operator)) for token in tokens)


@given(st.lists(st.text(min_size=1).filter(lambda word: "\0" not in word), min_size=1))
def test_quoting_is_undone(words: list[str]) -> None:
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    assert [token.text for token in Lexer(quoted)] == words


@pytest.mark.parametrize(
    ("text", "expanded", "pattern"),
    [
        ("plain", False, False),
        ("$x", True, False),
        ("${x}", True, False),
        ("a$(b)c", True, False),
        ("`b`", True, False),
        ("$((1+2))", True, False),
        ('"a $x"', True, False),
        ("'a $x'", False, False),
        ('"a \\$x"', False, False),
        ("\\$x", False, False),
        ("cost$", False, False),
        ('"^a$"', False, False),
        ("$'a\\n'", False, False),
        ("<(a)", True, False),
        ("a=(b $c)", True, False),
        ("*.py", False, True),
        ("a?[bc]", False, True),
        ("~/x", False, True),
        ("a.{b,c}", False, True),
        ("{1..3}", False, True),
        ("{}", False, False),
        ("'*.py'", False, False),
        ("\\*.py", False, False),
        ("'a b'*.py", False, True),
        ('"a"{b,c}', False, True),
    ],
)
def test_what_a_shell_would_expand(text: str, expanded: bool, pattern: bool) -> None:
    (word,) = Lexer(text)
    assert isinstance(word, Word)
    assert (word.expanded, word.pattern) == (expanded, pattern)


def test_the_descriptor_of_a_redirection() -> None:
    found = [token for token in Lexer("a 2>b {fd}>c >d 12") if isinstance(token, Operator)]
    assert found == [Operator(">", "2"), Operator(">", "{fd}"), Operator(">")]
