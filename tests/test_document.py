"""Strict YAML and JSON."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.document import DocumentError, dotted, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: no", {"a": "no"}, id="no is a word"),
        pytest.param("a: 1:30", {"a": "1:30"}, id="a time is text"),
        pytest.param("a: 010", {"a": 10}, id="a leading zero is decimal"),
        pytest.param("a: 2027-01-31", {"a": "2027-01-31"}, id="a day is text"),
        pytest.param("a: .nan.", {"a": ".nan."}, id="text with dots"),
        pytest.param("a: 1.10", {"a": 1.1}, id="a number"),
        pytest.param("a: 0x1f", {"a": 31}, id="hexadecimal"),
        pytest.param("a: 0o17", {"a": 15}, id="octal as YAML 1.2 writes it"),
        pytest.param("a: -3", {"a": -3}, id="below zero"),
        pytest.param("a: 1e3", {"a": 1000.0}, id="an exponent"),
        pytest.param("a: '5'", {"a": "5"}, id="quoted is text"),
        pytest.param("a: |\n  x\n", {"a": "x\n"}, id="a block is text"),
        pytest.param("a: ~\nb:\nc: null", {"a": None, "b": None, "c": None}, id="nothing"),
        pytest.param("a: True\nb: false", {"a": True, "b": False}, id="truth"),
        pytest.param("on: 1", {"on": 1}, id="a key is text"),
        pytest.param("5: x", {"5": "x"}, id="a number as a key is text"),
        pytest.param("", None, id="empty"),
        pytest.param("\ufeffa: 1", {"a": 1}, id="a byte order mark"),
        pytest.param('{"a": "\\ud83d\\ude00", "b": [1, null]}', {"a": "😀", "b": [1, None]}, id="JSON"),
        pytest.param("{a: b}", {"a": "b"}, id="flow style that is no JSON"),
    ],
)
def test_reads(text: str, value: object) -> None:
    assert parse(text.encode()).value == value


@pytest.mark.parametrize(
    ("text", "message", "kind"),
    [
        pytest.param(
            "a: 1\nb: 2\na: 3", "the key `a` stands twice, on line 1 and on line 3", "duplicate_key", id="key"
        ),
        pytest.param('{"a": 1, "a": 2}', "the key `a` stands twice in one object", "duplicate_key", id="JSON key"),
        pytest.param("a: &x 1\nb: *x", "anchors and aliases are not read; write it out", "yaml_alias", id="alias"),
        pytest.param(
            "a: &a\n  b: *a", "anchors and aliases are not read; write it out", "yaml_alias", id="cyclic alias"
        ),
        pytest.param(
            "a: !!python/object/apply:os.system x",
            "the tag 'tag:yaml.org,2002:python/object/apply:os.system' is not read",
            "yaml_tag",
            id="tag",
        ),
        pytest.param("[" * 1000, "nested deeper than 64 levels", "json_depth", id="deep"),
        pytest.param("a: " + "[" * 1000, "nested deeper than 64 levels", "yaml_depth", id="deep below a key"),
        pytest.param("a: 0x" + "f" * 99_998, "a number of 100000 characters is too long", "number", id="long number"),
        pytest.param("a: .inf", ".inf is no number that can be used here", "number", id="infinite"),
        pytest.param("a: 1e999", "the number 1e999 is too large", "number", id="too large"),
        pytest.param('{"a": NaN}', "NaN is no number that can be used here", "json_number", id="NaN"),
        pytest.param('{"a": 1e999}', "the number 1e999 is too large", "json_number", id="JSON too large"),
        pytest.param("a: 1\n---\nb: 2", "a second document starts here; one is read", "syntax", id="documents"),
        pytest.param("? [a]\n: b", "a key must be plain text", "type", id="key that is a list"),
        pytest.param("a: [", "not valid YAML: did not find expected node content", "syntax", id="syntax"),
    ],
)
def test_refuses(text: str, message: str, kind: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(text.encode())
    assert (caught.value.message, caught.value.kind) == (message, kind)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        pytest.param(
            "t.json",
            '{"id": "pages",\n',
            "t.json:1: not valid JSON at column 16: expecting property name enclosed in double quotes",
            id="breaks off, which is on its last line",
        ),
        pytest.param(
            "t.json", '{"id": 1\n "b": 2}', "t.json:2: not valid JSON at column 2: expecting ',' delimiter", id="comma"
        ),
        pytest.param("t.json", '{"a": *b}', "t.json:1: not valid JSON at column 7: expecting value", id="no alias"),
        pytest.param("t.json", "a: [", "t.json:1: not valid JSON at column 1: expecting value", id="YAML by no name"),
        pytest.param(
            "manifest",
            '{"a": [1}',
            "manifest:1: not valid JSON at column 9: expecting ',' delimiter",
            id="as it begins",
        ),
        pytest.param(
            "t.yaml",
            '{"id": 1\n "b": 2}',
            "t.yaml:2: not valid YAML: did not find expected ',' or '}'",
            id="YAML's name",
        ),
        pytest.param(
            "t.yml", "a: [\n", "t.yml:1: not valid YAML: did not find expected node content", id="YAML breaks off"
        ),
        pytest.param(
            "t.yaml",
            "a: {b: 1\n\n\n",
            "t.yaml:1: not valid YAML: did not find expected ',' or '}'",
            id="YAML breaks off before blank lines",
        ),
    ],
)
def test_a_broken_text_is_called_what_it_was_meant_to_be(name: str, text: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(text.encode(), name=name)
    assert (caught.value.at(name), caught.value.kind) == (message, "syntax")


@pytest.mark.parametrize("text", ["{a: 1}", '{"a": 1,}', "a: 1\n"])
def test_what_can_be_read_as_yaml_is_read_whatever_its_name(text: str) -> None:
    assert parse(text.encode(), name="t.json").value == {"a": 1}


def test_refuses_what_is_not_utf8() -> None:
    with pytest.raises(DocumentError, match="the text is not UTF-8: byte 0 is not valid"):
        parse("a: 1".encode("utf-16"))


def test_refuses_what_is_too_large() -> None:
    with pytest.raises(DocumentError, match="5000000 bytes are more than the 4194304 that are read"):
        parse(b" " * 5_000_000)


def test_an_alias_bomb_ends_at_its_first_anchor() -> None:
    levels = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    with pytest.raises(DocumentError) as caught:
        parse("\n".join(levels).encode())
    assert caught.value.line == 1


def test_lines_of_values() -> None:
    document = parse(b"version: 1\ntasks:\n  - id: a\n  - id: b\n    oracles: [{type: x}]\n")
    assert document.line(("tasks",)) == 2
    assert document.line(("tasks", 1)) == 4
    assert document.line(("tasks", 1, "oracles", 0, "type")) == 5
    assert document.line(("tasks", 1, "unknown")) == 4


def test_lines_of_json() -> None:
    assert parse(b'{\n "a": [\n  1,\n  2\n ]\n}').line(("a", 1)) == 4


@pytest.mark.parametrize(
    ("path", "text"), [(("tasks", 1, "oracles", 0, "path"), "tasks[1].oracles[0].path"), (("a",), "a"), ((), "")]
)
def test_dotted(path: tuple[str | int, ...], text: str) -> None:
    assert dotted(path) == text


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=8), _PLAIN, max_size=5))
def test_json_is_read_as_json(value: dict[str, object]) -> None:
    assert parse(json.dumps(value).encode()).value == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    with contextlib.suppress(DocumentError):
        parse(data)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: &x {y: 1}\nb: *x", {"a": {"y": 1}, "b": {"y": 1}}, id="a mapping"),
        pytest.param("a: &x 3\nb: [*x, *x]", {"a": 3, "b": [3, 3]}, id="a number"),
        pytest.param("a: &x [&y 1, *y]\nb: *x", {"a": [1, 1], "b": [1, 1]}, id="one in another"),
        pytest.param("a: &x 1\nb: &x 2\nc: *x", {"a": 1, "b": 2, "c": 2}, id="an anchor again"),
        pytest.param("&k a: 1", {"a": 1}, id="an anchored key"),
    ],
)
def test_aliases_where_they_are_asked_for(text: str, value: object) -> None:
    assert parse(text.encode(), aliases=True).value == value


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        pytest.param("a: 1\nb: *x", 2, "there is no &x above", id="no anchor"),
        pytest.param("a: &x\n  - *x", 2, "the alias *x stands in what it stands for", id="in itself"),
        pytest.param(
            "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
            + "".join(
                f"{key}: &{key} [{', '.join([f'*{last}'] * 10)}]\n"
                for last, key in zip("abcdef", "bcdefg", strict=True)
            ),
            6,
            "its aliases written out are more than 200000 parts",
            id="too many",
        ),
        pytest.param(
            "a: &a [1]\n" + "".join(f"a{n}: &a [*a]\n" for n in range(70)),
            1,
            "nested deeper than 64 levels",
            id="too deep",
        ),
        pytest.param("a: &x {y: 1}\n*x : 2", 1, "a key must be plain text", id="a key"),
    ],
)
def test_aliases_that_are_not_read(text: str, line: int, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(text.encode(), aliases=True)
    assert (caught.value.message, caught.value.line) == (message, line)
