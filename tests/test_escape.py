import html
import json
import re
import sys
import unicodedata
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import example, given
from lxml import etree
from markdown_it import MarkdownIt

from gate import escape
from tests import runner
from tests.hostile import TEXT


@example("%0A%250A\r\n::x")
@given(TEXT)
def test_the_runner_reads_back_what_command_data_wrote(text: str) -> None:
    written = escape.command_data(text)
    assert runner.parse(f"::error::{written}") == ("error", {}, text)
    assert not re.search(r"[\r\n]", written)


@example("a,title=b::c%2C\r\n", ",file=x:")
@given(TEXT, TEXT)
def test_the_runner_reads_back_what_command_property_wrote(file: str, title: str) -> None:
    line = f"::error file={escape.command_property(file)},title={escape.command_property(title)}.::x"
    assert runner.parse(line) == ("error", {"file": file, "title": f"{title}."}, "x")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("src/é.py 数 🙂 ❤️ ~ 'x' \\d\t.", "src/é.py 数 🙂 ❤️ ~ 'x' \\d\t.", id="what people write stays"),
        pytest.param("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m", id="colour"),
        pytest.param(
            "\x1b]0;title\x07\x1b]52;c;eA==\x07", "\\x1b]0;title\\x07\\x1b]52;c;eA==\\x07", id="title, clipboard"
        ),
        pytest.param("FAIL\rPASS", "FAIL\\rPASS", id="overwriting a line"),
        pytest.param("if a\u202e\u2066 b", "if a\\u{202e}\\u{2066} b", id="bidi"),
        pytest.param("ad\u200bmin\ufeff\xad", "ad\\u{200b}min\\u{feff}\\xad", id="drawn as nothing"),
        pytest.param("hi\U000e0041\U000e0100", "hi\\u{e0041}\\u{e0100}", id="hidden by tags and variations"),
        pytest.param("caf\udce9.py \ud800", "caf\\xe9.py \\u{d800}", id="a name that is not UTF-8"),
        pytest.param("a\x85b\u2028c\x7f", "a\\x85b\\u{2028}c\\x7f", id="other ends of lines"),
        pytest.param("a\nb", "a\\nb", id="a new line"),
    ],
)
def test_plain(text: str, shown: str) -> None:
    assert escape.plain(text) == shown


def test_plain_keeps_new_lines_when_asked() -> None:
    assert escape.plain("a\r\nb\n\rc", newlines=True) == "a\nb\n\\rc"


def test_plain_leaves_no_character_that_is_control_format_or_surrogate() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    left = {unicodedata.category(character) for character in escape.plain(everything)}
    assert left.isdisjoint({"Cf", "Cs", "Zl", "Zp"})
    assert [c for c in escape.plain(everything) if unicodedata.category(c) == "Cc"] == ["\t"]


@pytest.mark.parametrize(
    "benign",
    ["a::b", "std::vector<int>", "## heading", "##", "x ## [link]", "| ::", "# [1] #", "f(x)[::2]", "'::error::'"],
)
def test_log_safe_leaves_prose_and_code_as_they_are(benign: str) -> None:
    assert escape.log_safe(benign) == benign


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error file=a.py::pwn", "\\::error file=a.py::pwn"),
        ("  \xa0::add-mask::1", "  \xa0\\::add-mask::1"),
        ("\u3000::error::x", "\u3000\\::error::x"),
        ("\x0b::error::x", "\\x0b::error::x"),
        ("ok ##[error]pwn", "ok ##\\[error]pwn"),
        ("##vso[task.complete]", "##\\vso[task.complete]"),
        ("##teamcity[x]", "##\\teamcity[x]"),
        ("10%\r::add-mask::1", "10%\\r::add-mask::1"),
        ("a\n\n ::stop-commands::x\nb", "a\n\n \\::stop-commands::x\nb"),
    ],
)
def test_log_safe(text: str, shown: str) -> None:
    assert escape.log_safe(text) == shown
    assert escape.log_safe(shown) == shown


@given(TEXT)
def test_no_line_of_log_safe_is_a_command(text: str) -> None:
    assert runner.commands(escape.log_safe(text)) == []
    assert all(runner.parse(line, frozenset({"token", ""})) is None for line in runner.lines(escape.log_safe(text)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m \x9b2K\x1b(Bend", "red end"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"),
        ("\x1b]0;never ended", "\\x1b]0;never ended"),
        ("nul\0 vt\x0b \ufffe \udcff \ud83d", "nul\\x00 vt\\x0b \\u{fffe} \\xff \\u{d83d}"),
        ("a\r\nb\rc\td", "a\nb\\rc\td"),
        ("é 数 🙂 <&>", "é 数 🙂 <&>"),
    ],
)
def test_xml(text: str, shown: str) -> None:
    assert escape.xml(text) == shown


@given(TEXT)
def test_xml_holds_only_what_a_document_can_hold(text: str) -> None:
    assert re.fullmatch("[\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*", escape.xml(text))


@given(TEXT)
def test_a_printed_xml_document_says_the_same_and_commands_nothing(text: str) -> None:
    written = escape.xml_document(f"<a>{html.escape(escape.xml(text))}</a>")
    assert etree.fromstring(written).text == (escape.xml(text) or None)
    assert runner.commands(written) == []


@given(TEXT)
def test_a_printed_json_document_says_the_same_and_commands_nothing(text: str) -> None:
    encodable = escape.encodable(text)
    written = escape.json_document(msgspec.json.encode(encodable).decode())
    assert msgspec.json.decode(written) == json.loads(written) == encodable
    assert written == escape.plain(written)
    assert runner.commands(written) == []


def test_encodable_shows_bytes_that_are_not_utf_8() -> None:
    assert escape.encodable("caf\udce9 \ud800 \u202e é") == "caf\\xe9 \\u{d800} \u202e é"


def test_json_text_shows_them_wherever_they_are() -> None:
    value = {"caf\udce9": ["\udcff", ("a", {"b": "\ud800"})], "n": 1, "é": None}
    assert json.loads(escape.json_text(value)) == {
        "caf\\xe9": ["\\xff", ["a", {"b": "\\u{d800}"}]],
        "n": 1,
        "é": None,
    }
    assert escape.json_text({"a": ["é"]}) == '{\n  "a": [\n    "é"\n  ]\n}'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[[ATTACHMENT|a.png]]", r"[\[ATTACHMENT|a.png]]"),
        ("[[[ attachment|a]]", r"[[\[ attachment|a]]"),
        ("[[a]] [ATTACHMENT|a]", "[[a]] [ATTACHMENT|a]"),
    ],
)
def test_no_attachment_is_named(text: str, shown: str) -> None:
    assert escape.unattached(text) == escape.unattached(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tests/a.py was changed: 3 lines", "tests/a.py was changed: 3 lines"),
        ("@octocat @org/team", "@\u200boctocat @\u200borg/team"),
        ("fixes #1, owner/repo#2, GH-3, gh-4", "fixes #\u200b1, owner/repo#\u200b2, GH-\u200b3, gh-\u200b4"),
        ("https://x.y www.x.y a@b.c", "https:\u200b//x.y www\u200b.x.y a@\u200bb.c"),
        (":white_check_mark:", "&#58;\u200bwhite_check_mark:"),
        ("0123456789abcdef", "012345\u200b6789ab\u200bcdef"),
        ("<img src=x> </details> <!-- -->", "&#60;img src=x&#62; &#60;/details&#62; &#60;!-- --&#62;"),
        (
            "[x](javascript:1) **b** `c` ~~d~~",
            "&#91;x&#93;(javascript:1) &#42;&#42;b&#42;&#42; &#96;c&#96; &#126;&#126;d&#126;&#126;",
        ),
        ("# no heading", "&#35; no heading"),
        ("1. no list", "&#49;. no list"),
        ("12 tests, no_network, __init__", "12 tests, no_network, &#95;&#95;init&#95;&#95;"),
        ("a | b\n| c", "a &#124; b &#124; c"),
    ],
)
def test_markdown(text: str, shown: str) -> None:
    assert escape.markdown(text) == shown


@given(TEXT)
def test_markdown_shows_the_text_as_one_paragraph_of_plain_text(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(f"{escape.markdown(text)}\n")
    children = tokens[1].children or [] if tokens else []
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {child.type for child in children} <= {"text", "text_special"}
    shown = "".join(child.content for child in children).replace("\u200b", "")
    assert shown == escape.plain(" ".join(text.split("\n"))).strip()


@given(TEXT)
def test_markdown_mentions_and_refers_to_nothing(text: str) -> None:
    seen = html.unescape(escape.markdown(text))
    assert not re.search(r"@\w|#\w|(?i:gh)-\d|[0-9A-Fa-f]{7}|www\.|://|:[\w+-]+:", seen)


@given(TEXT)
def test_a_fence_holds_its_text_and_nothing_escapes_it(text: str) -> None:
    block = escape.fence(text)
    tokens = MarkdownIt("commonmark").parse(f"<details>\n\n{block}\nafter\n")
    assert [token.type for token in tokens] == [*("html_block", "fence", "paragraph_open", "inline", "paragraph_close")]
    assert tokens[1].content.rstrip("\n") == escape.log_safe(text).rstrip("\n").replace("\0", "\ufffd")
    assert runner.commands(block) == []


@pytest.mark.parametrize("length", [3, 4, 20])
def test_a_fence_is_longer_than_what_it_holds(length: int) -> None:
    assert escape.fence("`" * length).startswith("`" * (length + 1) + "text\n")


@pytest.mark.parametrize("function", [escape.log_safe, escape.xml, escape.markdown, escape.fence])
@pytest.mark.parametrize("text", ["\n", " ", "\x9d", "\x1b", "\x1b[", "##", "##a", ":", ":a", "`", "a", "\udcff"])
def test_long_runs_take_no_more_than_linear_time(function: Callable[[str], str], text: str) -> None:
    function(text * 60_000)  # ends at once; with a quadratic expression it would not end for minutes
