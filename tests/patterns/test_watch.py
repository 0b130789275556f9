"""Searches in large texts: they find what every search finds, and end in time."""

import subprocess
import sys

import pytest

from gate.patterns.jsregex import JsPattern
from gate.patterns.pattern import Pattern
from gate.patterns.watch import LARGE


@pytest.mark.parametrize("kind", [Pattern, JsPattern])
@pytest.mark.parametrize("size", [LARGE - 2, LARGE + 1])
def test_a_text_of_any_size_is_searched(kind: type[Pattern] | type[JsPattern], size: int) -> None:
    text = "a" * size + "b1"
    assert kind(r"b(\d)").search(text).span(1) == (size + 1, size + 2)
    assert kind(r"c(\d)").search(text) is None


_ENDLESS = """
from gate import deadline
from gate.errors import CannotJudge
from gate.patterns.pattern import Pattern

text = " " * 60_000_000 + "x"
for _ in range(6):
    try:
        Pattern(r"\\s+$").search(text, seconds=0.2)
    except CannotJudge as error:
        print(error.message)
try:
    with deadline.limit(0.2), deadline.heeding():
        Pattern(r"\\s+$").search(text, seconds=3600.0)
except deadline.TimeUp as error:
    print(error)
"""


def test_a_search_that_its_library_would_not_end_ends_in_time_and_holds_up_no_exit() -> None:
    done = subprocess.run([sys.executable, "-c", _ENDLESS], capture_output=True, text=True, check=True, timeout=50)
    assert done.stdout.splitlines() == [
        *[r"the pattern '\\s+$' took longer than 0.2 s on this text"] * 6,
        "the time limit of 0.2 s for the whole run was over",
    ]
    assert done.stderr == ""
