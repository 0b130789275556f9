"""Plain data into structs."""

import math

import msgspec
import pytest

from gate.document import DocumentError, parse
from gate.oracle import Pattern, Seconds
from gate.report import Severity
from gate.shape import nearest_name, seconds, shaped, shown


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    word: str
    level: Severity = Severity.ERROR


class Outer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: list[Inner]
    limit: Seconds | None = None
    pattern: Pattern | None = None
    count: int = 0


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("items: [{word: a}]\ncount: x", "`count`: expected a whole number, found 'x'", 2),
        ("items:\n - word: 1", "`items[0].word`: expected text, found 1", 2),
        ("items:\n - wrd: a", "`items[0].wrd`: unknown key; did you mean `word`?", 2),
        ("items:\n - {}", "`items[0]`: `word` is missing", 2),
        (
            "items:\n - {word: a, level: bad}",
            "`items[0].level`: expected one of `error`, `warning`, `notice`, found 'bad'",
            2,
        ),
        ("items: 5", "`items`: expected a list, found 5", 1),
        ("items: []\npattern: 5", "`pattern`: expected a regular expression as text, found 5", 2),
        (
            "items: []\nlimit: -1",
            "`limit`: expected a number of seconds above 0 (also `90s`, `2m`, `1h`), found -1",
            2,
        ),
        ("[1]", "expected a mapping, found a list of 1", 1),
    ],
)
def test_a_fault_is_explained(text: str, message: str, line: int) -> None:
    document = parse(text.encode())
    with pytest.raises(DocumentError) as caught:
        shaped(document, Outer, document.value)
    assert (caught.value.message, caught.value.line) == (message, line)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(
            "a: 1\ncount: x\nitems: []\nlimit: -1\nb: 2",
            ["x:1: `a`: ", "x:2: `count`: ", "x:4: `limit`: ", "x:5: `b`: "],
            id="keys of one mapping",
        ),
        pytest.param(
            "items:\n - {word: a, level: bad, x: 1}\n - {word: b, level: 5}\ncount: x",
            ["x:2: `items[0].level`: ", "x:2: `items[0].x`: ", "x:3: `items[1].level`: ", "x:4: `count`: "],
            id="of several",
        ),
        pytest.param(
            "items:\n - {wrd: a, level: bad}\ncount: x",
            ["x:2: `items[0].wrd`: ", "x:2: `items[0].level`: ", "x:3: `count`: "],
            id="what is written otherwise is not missing",
        ),
        pytest.param("items: [{}]\ncount: x", ["x:1: `items[0]`: ", "x:2: `count`: "], id="what is missing"),
        pytest.param("items: [1, 2]\ncount: x", ["x:1: `items[0]`: ", "x:2: `count`: "], id="the first of a list"),
        pytest.param("count: x", ["x:1: `count`: "], id="not what would be missing then"),
        pytest.param(
            "items: []\n" + "".join(f"a{number}: 1\n" for number in range(30)),
            [f"x:{number + 2}: `a{number}`: " for number in range(20)],
            id="twenty of more",
        ),
    ],
)
def test_all_faults_are_told_at_once(text: str, lines: list[str]) -> None:
    document = parse(text.encode())
    before = repr(document.value)
    with pytest.raises(DocumentError) as caught:
        shaped(document, Outer, document.value)
    found = caught.value.at("x").split("\n")
    assert [line[: len(start)] for line, start in zip(found, lines, strict=True)] == lines
    assert repr(document.value) == before


def test_the_place_within_a_document_is_named() -> None:
    document = parse(b"tasks:\n  - items:\n    - {wrd: a}")
    with pytest.raises(DocumentError) as caught:
        shaped(document, Outer, document.value["tasks"][0], at=("tasks", 0))
    assert caught.value.message == "`tasks[0].items[0].wrd`: unknown key; did you mean `word`?"
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5, 5.0), (0.5, 0.5), ("90", 90.0), ("90s", 90.0), ("2m", 120.0), ("1h", 3600.0), (" 1.5 m ", 90.0)],
)
def test_time_limits(value: object, expected: float) -> None:
    assert seconds(value) == expected


@pytest.mark.parametrize("value", [0, -1, True, None, "", "s", "1:30", "x", math.nan, math.inf, "inf", "nan", 1e9, []])
def test_no_time_limits(value: object) -> None:
    with pytest.raises(ValueError, match="seconds above 0"):
        seconds(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        ({"a": 1}, "a mapping with `a`"),
        ({}, "a mapping with no keys"),
        ([1, 2], "a list of 2"),
        ("x" * 200, "'" + "x" * 76 + "…"),
    ],
)
def test_shown(value: object, text: str) -> None:
    assert shown(value) == text


def test_nearest_name() -> None:
    assert nearest_name("orcales", ["oracles", "tasks"]) == "; did you mean `oracles`?"
    assert nearest_name("zzz", ["b", "a"]) == "; known here: `a`, `b`"
    assert nearest_name("zzz", []) == ""
