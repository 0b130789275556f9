"""What editing tools make of a file's bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.editing.text import CRLF, LF, Text, encoded

LONG = b"x" * 4096


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(b"", Text(b""), id="empty"),
        pytest.param(b"a\nb\n", Text(b"a\nb\n", LF), id="lf"),
        pytest.param(b"a\r\nb\r\n", Text(b"a\nb\n", CRLF), id="crlf"),
        pytest.param(b"a\r\nb\nc\n", Text(b"a\nb\nc\n", LF), id="mostly lf"),
        pytest.param(b"a\r\nb\r\nc\n", Text(b"a\nb\nc\n", CRLF), id="mostly crlf"),
        pytest.param(b"a\r\nb\n", Text(b"a\nb\n", LF), id="as many of each is lf"),
        pytest.param(LONG + b"\r\n", Text(LONG + b"\n", LF), id="only the beginning is counted"),
        pytest.param(b"a\rb", Text(b"a\rb", LF), id="a lone cr is text"),
        pytest.param(b"\xef\xbb\xbfa", Text(b"\xef\xbb\xbfa", LF), id="a mark of utf-8 is text"),
        pytest.param("\ufeffä\r\n".encode("utf-16-le"), Text("\ufeffä\n".encode(), CRLF, wide=True), id="utf-16"),
        pytest.param(b"\xffa", Text("\ufffda".encode(), LF), id="not utf-8"),
    ],
)
def test_of(content: bytes, text: Text) -> None:
    assert Text.of(content) == text


@pytest.mark.parametrize(
    ("content", "body", "expected"),
    [
        pytest.param(b"a\r\n", b"a\nb\n", b"a\r\nb\r\n", id="crlf"),
        pytest.param(b"a\r\n", b"a\nb\r\n", b"a\r\nb\r\n", id="crlf once"),
        pytest.param(b"a\n", b"a\r\n", b"a\r\n", id="lf files keep what is written"),
        pytest.param("\ufeffä".encode("utf-16-le"), "\ufeffö".encode(), "\ufeffö".encode("utf-16-le"), id="utf-16"),
    ],
)
def test_put(content: bytes, body: bytes, expected: bytes) -> None:
    assert Text.of(content).put(body) == expected


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))), st.sampled_from([LF, CRLF])
)
def test_text_with_one_kind_of_line_ends_comes_back(lines: list[str], ends: bytes) -> None:
    content = ends.join(line.encode() for line in lines)
    text = Text.of(content)
    if content.count(ends) == content[:4096].count(ends):
        assert text.put(text.body) == content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("aé😀", "aé😀".encode(), id="whole characters"),
        pytest.param("a\ud800b", "a\ufffdb".encode(), id="half a pair"),
        pytest.param("\ud83d\ude00", "😀".encode(), id="two halves"),
    ],
)
def test_encoded(text: str, expected: bytes) -> None:
    assert encoded(text) == expected
