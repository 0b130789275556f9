"""JavaScript's regular expressions: what they match, as Node.js says too, and what is refused in which words."""

import json
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import CannotJudge
from gate.patterns.jsregex import JsPattern

_NODE = """
const found = JSON.parse(require("fs").readFileSync(0)).map(([pattern, texts]) => {
  const leading = /^\\(\\?([a-z]+)\\)/.exec(pattern);
  const rest = leading ? pattern.slice(leading[0].length) : pattern;
  const flags = (leading ? leading[1] : "") + (/\\\\[pu]\\{/.test(rest) ? "u" : "");
  try {
    const compiled = new RegExp(rest, flags);
    return texts.map((text) => {
      const match = compiled.exec(text);
      return match && [Array.from(text.slice(0, match.index)).length, Array.from(match[0]).length];
    });
  } catch { return null; }
});
console.log(JSON.stringify(found));
"""


def _ours(pattern: str, texts: list[str]) -> list[list[int] | None] | None:
    """Where and how long the first match in each text is; None for a pattern that is refused."""
    try:
        found = [JsPattern(pattern).search(text) for text in texts]
    except CannotJudge:
        return None
    return [match and [match.start(), len(match[0])] for match in found]


def _node(asked: list[tuple[str, list[str]]]) -> list[list[list[int] | None] | None]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed, so that nothing says what JavaScript does")
    done = subprocess.run([node, "-e", _NODE], input=json.dumps(asked), capture_output=True, text=True, check=True)
    found: list[list[list[int] | None] | None] = json.loads(done.stdout)
    return found


def _starts(found: list[list[int] | None] | None) -> list[int | None] | None:
    return None if found is None else [None if match is None else match[0] for match in found]


_PATTERNS = r"""
a|b                 (a)?\1b             ^a$                 (?m)^a$             (?s)a.b             a.b
(?i)K               (?i)[a-z]+          \d+                 \w+$                \bfoo\b             \Boo
[]                  [^]                 [\d-x]+             a{,3}               a{2}                x{e}
a**                 a*+                 (?<y>a)\k<y>        \k<y>               (?<=a)b             (?<!a)b
(?=a)*b             (?=ab)a             \x41\u0042          \cA                 [\cA]               \c
[\b]                \8                  \01                 (?:a|b)+?c          (?<n>a)(?<n>b)      (?P<n>a)
(?>a)               (                   )                   [                   a{3,1}              [z-a]
\Z                  \a                  \h                  ]}                  {1}                 \s+
(?i)é               (?:a{2}){2}         \2(a)(b)            (a\1)               [^\d\s]+            (?i)[^a-z]
\/                  a\-b                (?x)a               (?im)^B$            \p{L}               (?i)\p{Lu}
[[a]]               [a&&b]              a++                 a?+                 (?#x)               (?(1)a|b)
.                   (?i)\w              (?i)ſ               (?i)\u212a          $^                  \n$
|                   (?<a>.)(?<b>.)\k<b>\k<a>                (?<=(\d+)(\d+))$    \u{61}              [\w-z]
(?i)[\u00e0-\u00ff] (?!(a))\1b          \0                  [\0]                (?<!^)b             (["'])x\1
(?<$1>a)            (?<1>a)             \k                  (?<a>.)\k           [\W]                \ud83d\ude00
\u{110000}          \                   (?<=a)*             \b+                 ^*
(?:)                [^\]]               [\]-a]              (?i)[A-z]           \xg1                [a-\d]
(?:(["'])x\1|b)*    (?:(a)b)+\1         (a)*\1              (?:(a)?b)\1          (?:a(b){0,1}){1}\1  (?:(a)|(b))(?:\1|\2)
""".split()  # noqa: SIM905 - a table is read more easily than a list of a hundred strings
_TEXTS = [
    *(
        "",
        "a",
        "A",
        "ab",
        "aab",
        "abab",
        "aaaa",
        "bb",
        "a\nb",
        "x\na\ny",
        "K",
        "k",
        "\u212a",
        "ſ",
        "s",
        "12",
        "foo bar",
    ),
    *("boo", "-", "x{e}", "a{,3}", "é", "É", "\u2028", "a\u2028b", "\x01", "\\c", "8", "abba", " \ufeff", "abc", "Z"),
    *("Ab", "aB", "[a]", "&b", '"x"', "'x'", "1234", "u", "á", "b", "z-", "\0", "a-b", "😀", "\r\n", "k<y>", "]"),
]


def test_each_pattern_matches_what_it_does_in_node() -> None:
    theirs = _node([(pattern, _TEXTS) for pattern in _PATTERNS])
    differing = [pattern for pattern, found in zip(_PATTERNS, theirs, strict=True) if _ours(pattern, _TEXTS) != found]
    assert differing == []


_ATOMS = st.sampled_from(
    r"a b é . ^ $ \d \w \s \b \B [a-c] [^b] [\s\w] (?=a) (?!b) (?<=a) (?<!b) - \n K k \u0061 { } ] \x62 [A-z]".split()  # noqa: SIM905 - likewise
)
_QUANTIFIED = st.tuples(_ATOMS, st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}", "*?", "{"])).map("".join)
_GROUPS = st.recursive(
    _QUANTIFIED,
    lambda inner: st.lists(inner, min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from(["({})", "(?:{})", "(?:{}|a)", "({})?", "(?<={})"]).map(
            lambda shape: shape.format("".join(parts))
        )
    ),
    max_leaves=6,
)
_EXPRESSIONS = st.tuples(st.sampled_from(["", "(?i)", "(?m)", "(?s)", "(?is)"]), st.lists(_GROUPS, max_size=4)).map(
    lambda parts: parts[0] + "".join(parts[1])
)
_WORDS = st.text(alphabet="abkKé \n-A{2", max_size=8)


@settings(max_examples=8)
@given(st.lists(st.tuples(_EXPRESSIONS, st.lists(_WORDS, min_size=3, max_size=3)), min_size=30, max_size=60))
def test_any_pattern_matches_where_it_does_in_node(asked: list[tuple[str, list[str]]]) -> None:
    # Not how far: of `(b*?)?` Python's kinds of engine take the empty match, which JavaScript passes over.
    ours, theirs = ([_starts(found) for found in each] for each in ([_ours(*one) for one in asked], _node(asked)))
    assert ours == theirs


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        pytest.param("(?:(?<n>a)|(?<n>b))\\k<n>", "xbb", "bb", id="one name in two alternatives"),
        pytest.param("(?i:a)b", "Ab", "Ab", id="flags of a group"),
        pytest.param("(?i)a(?-i:b)", "Ab", "Ab", id="flags taken back"),
        pytest.param("(?s-m:a.^)|b", "b", "b", id="flags given and taken"),
    ],
)
def test_what_newer_engines_take(pattern: str, text: str, found: str) -> None:
    assert JsPattern(pattern).search(text)[0] == found


@pytest.mark.parametrize(
    ("pattern", "message", "kind"),
    [
        pytest.param(
            "(?P<n>a)",
            "the pattern '(?P<n>a)' is not a valid regular expression of JavaScript: `(?P` begins no group; a named "
            "group is `(?<name>…)` at character 1",
            "regex_syntax",
            id="Python's group",
        ),
        pytest.param(
            "a[b",
            "the pattern 'a[b' is not a valid regular expression of JavaScript: a `[` without its `]` at character 2",
            "regex_syntax",
            id="open class",
        ),
        pytest.param(
            r"\u{110000}",
            r"the pattern '\\u{110000}' is not a valid regular expression of JavaScript: a code point beyond 10FFFF at "
            "character 3",
            "regex_syntax",
            id="no code point",
        ),
        pytest.param(
            r"\p{Nope}",
            r"the pattern '\\p{Nope}' is not a valid regular expression of JavaScript: unknown property",
            "regex_syntax",
            id="no such property",
        ),
        pytest.param(
            r"(?<=\1(a))",
            r"the pattern '(?<=\\1(a))' uses syntax that only JavaScript has, which is not translated: the reference "
            r"`\1` to a group within the same lookbehind",
            "regex_javascript",
            id="reference backwards",
        ),
        pytest.param(
            r"(?:(a)|b)*\1",
            r"the pattern '(?:(a)|b)*\\1' uses syntax that only JavaScript has, which is not translated: the reference "
            r"`\1` to a group that a repetition may leave out",
            "regex_javascript",
            id="reference into a repetition",
        ),
        pytest.param(
            r"\p{RGI_Emoji}",
            r"the pattern '\\p{RGI_Emoji}' uses syntax that only JavaScript has, which is not translated: "
            r"`\p{RGI_Emoji}`, a property of strings",
            "regex_javascript",
            id="property of strings",
        ),
        pytest.param(
            "((((a{99}){99}){99}){99})",
            "the pattern '((((a{99}){99}){99}){99})'… is too large to compile",
            "regex_size",
            id="large when written out",
        ),
        pytest.param(
            "a" * 20_001, "the pattern has 20001 characters, at most 20000 are searched", "regex_size", id="long"
        ),
    ],
)
def test_what_is_refused(pattern: str, message: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        JsPattern(pattern).check()
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_deep_nesting_is_too_large() -> None:
    with pytest.raises(CannotJudge, match="is too large to compile"):
        JsPattern("(" * 5000 + ")" * 5000).check()


def test_a_search_has_a_time_limit() -> None:
    with pytest.raises(CannotJudge) as caught:
        JsPattern("(x+x+)+y").search("x" * 3000, seconds=0.05)
    assert caught.value.message == "the pattern '(x+x+)+y' took longer than 0.05 s on this text"
