"""JSON of recordings: what is read, what is refused, and in which words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import RecordingError
from gate.jsontext import decode, shown, unmistakable

DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("data", "value"),
    [
        pytest.param(b'{"a": 1}\r\n', {"a": 1}, id="plain"),
        pytest.param(b'"\\ud800"', "\ud800", id="half a surrogate pair"),
        pytest.param(b"[1e999]", [float("inf")], id="too large for a number"),
        pytest.param(b"[-Infinity]", [float("-inf")], id="infinity, as python writes it"),
        pytest.param(b"123456789012345678901234567890", 123456789012345678901234567890, id="a large integer"),
        pytest.param(b'{"a": 1, "a": 2}', {"a": 2}, id="a key twice: the last, as everywhere"),
        pytest.param('["a\u2028b"]'.encode(), ["a\u2028b"], id="a line separator"),
    ],
)
def test_decode(data: bytes, value: Any) -> None:
    assert decode(data) == value


@pytest.mark.parametrize(
    ("data", "message", "kind"),
    [
        pytest.param(b"", "it is no JSON at column 1 (Expecting value)", "json", id="empty"),
        pytest.param(b'{"a": ', "it is no JSON at column 7 (Expecting value)", "json", id="broken off"),
        pytest.param(
            b'{\n"a" 1}', "it is no JSON at line 2, column 5 (Expecting ':' delimiter)", "json", id="on another line"
        ),
        pytest.param(b'["\xff"]', "byte 2 is not UTF-8", "encoding", id="not utf-8"),
        pytest.param(b"[" * 100_000, "it is nested too deeply", "json_depth", id="only brackets"),
        pytest.param(DEEP, "it is nested too deeply", "json_depth", id="deep"),
        pytest.param(b"9" * 10_000, "a number in it has more digits than are read", "json_number", id="digits"),
    ],
)
def test_refused(data: bytes, message: str, kind: str) -> None:
    with pytest.raises(RecordingError) as caught:
        decode(data)
    assert (caught.value.message, caught.value.kind) == (message, kind)


@pytest.mark.parametrize(
    ("data", "message", "kind"),
    [
        pytest.param(b'{"a":1,"a":2}', "the key 'a' stands twice in one object", "duplicate_key", id="twice"),
        pytest.param(
            b'[{"b": {"\\u0061": "x", "a": "y"}}]',
            "the key 'a' stands twice in one object",
            "duplicate_key",
            id="inside",
        ),
        pytest.param(b"[NaN]", "NaN is no JSON number", "json_number", id="nan"),
        pytest.param(b"[1e999]", "the number 1e999 is too large", "json_number", id="too large"),
    ],
)
def test_refused_where_it_is_strict(data: bytes, message: str, kind: str) -> None:
    with pytest.raises(RecordingError) as caught:
        decode(data, strict=True)
    assert (caught.value.message, caught.value.kind) == (message, kind)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_what_python_writes_is_read_strictly(value: Any, escaped: bool, indent: int | None) -> None:
    data = json.dumps(value, ensure_ascii=escaped, indent=indent).encode()
    assert decode(data, strict=True) == value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (5, "the number 5"),
        (10**400, "a number"),
        (float("nan"), "a number"),
        ("x" * 50, f"the text {'x' * 40!r}"),
        ([1], "a list"),
        ([], "an empty list"),
        ({}, "an object"),
    ],
)
def test_shown(value: Any, words: str) -> None:
    assert shown(value) == words


@pytest.mark.parametrize(
    ("data", "value"),
    [
        pytest.param(b' {"a": [1, 0.5, null, {}]}\n', {"a": [1, 0.5, None, {}]}, id="plain"),
        pytest.param('["é\u2028"]'.encode(), ["é\u2028"], id="beyond ascii"),
        pytest.param(b'["\\n\\u0000"]', ["\n\0"], id="what must be escaped"),
        pytest.param(b'["\\u00e9"]', None, id="what need not be escaped"),
        pytest.param(b'{"a": 1, "a": 1}', None, id="a key twice"),
        pytest.param(b"[1e999]", None, id="infinite"),
        pytest.param(b"[NaN]", None, id="no number"),
        pytest.param(b"[1.50]", None, id="an unusual number"),
        pytest.param(b'["\xff"]', None, id="no utf-8"),
        pytest.param(b"\xef\xbb\xbf[]", None, id="a byte order mark"),
        pytest.param(b"[1] x", None, id="no json"),
        pytest.param(DEEP, None, id="deep"),
    ],
)
def test_unmistakable(data: bytes, value: Any) -> None:
    assert unmistakable(data) == value


_NUMBERS = st.none() | st.integers() | st.floats(allow_nan=False)
_JSON = st.recursive(_NUMBERS | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(_JSON, st.booleans())
def test_what_is_unmistakable_is_what_everyone_reads(value: Any, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert unmistakable(data) in (None, json.loads(data))
