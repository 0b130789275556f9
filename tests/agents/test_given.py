"""What a recorded call says it was given, and what a message says."""

from collections.abc import Callable
from typing import Any

import pytest

from gate.agents import given
from gate.errors import RecordingError
from gate.recording import read


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        ([{"type": "text", "text": "a"}, "b", {"text": ""}, 7], "a\nb"),
        ({"content": [{"text": "a"}]}, "a"),
        ({"text": 1, "content": "b"}, "b"),
        (None, ""),
    ],
)
def test_a_message_says_the_text_in_it(content: Any, text: str) -> None:
    assert given.spoken(content) == text


@pytest.mark.parametrize("levels", [400, 800])
@pytest.mark.parametrize(
    "inside", ['[{"role":"user","content":[{"type":"tool_result","content":%s}]}]', '{"spans":%s}']
)
def test_what_is_nested_deeply_takes_no_recursion(levels: int, inside: str) -> None:
    deep: Any = "x"
    for _ in range(levels):
        deep = [deep]
    assert given.spoken(deep) == ""
    data = inside.replace("%s", "[" * levels + '"x"' + "]" * levels)
    with pytest.raises(RecordingError, match="no reader knows this format"):
        read(data.encode())


@pytest.mark.parametrize(
    ("look", "reason"),
    [
        (lambda of: given.text(of, "a", "b"), "arguments.a: expected text, found nothing"),
        (lambda of: given.text(of, "number"), "arguments.number: expected text, found the number 7"),
        (lambda of: given.named(of, "empty"), "arguments.empty: expected a file name, found nothing in it"),
        (lambda of: given.number(of, "word"), "arguments.word: expected a number, found the text 'x'"),
        (lambda of: given.parts(of, "empty"), "arguments.empty: expected a list of objects, found the text ''"),
        (lambda of: given.text([], "a"), "arguments: expected an object, found an empty list"),
    ],
)
def test_what_is_not_there_is_told(look: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(RecordingError) as caught:
        look({"number": 7, "word": "x", "empty": ""})
    assert caught.value.message == reason


def test_an_empty_name_of_a_file_is_no_path_in_normal_form() -> None:
    kinds = []
    for arguments in ({"path": ""}, {}):
        with pytest.raises(RecordingError) as caught:
            given.named(arguments, "path")
        kinds.append(caught.value.kind)
    assert kinds == ["path_not_normal", "broken_step"]


def test_what_is_there_is_read() -> None:
    of = {"none": None, "word": "x", "digits": "-12", "number": 3}
    assert (given.text(of, "none", "word"), given.optional(of, "none")) == ("x", None)
    assert (given.number(of, "digits"), given.number(of, "number"), given.number(of, "none")) == (-12, 3, None)
    assert (given.count(of, "number", "word"), given.count(of, "word")) == (3, None)
    assert (given.word(of, "number", "word"), given.member({"a": {"b": of}}, "a", "b")) == ("x", of)
    assert given.objects([of, 1]) == [of]


@pytest.mark.parametrize(
    "value", [True, 10**400, -(10**400), float("inf"), float("nan"), "1", None, [1]], ids=lambda v: repr(v)[:8]
)
def test_what_is_no_price(value: object) -> None:
    assert given.price({"cost": value}, "cost") is None


@pytest.mark.parametrize("value", [0, 1, 0.5, -2.5, 1e200])
def test_what_is_one(value: float) -> None:
    assert given.price({"cost": value}, "cost") == value
