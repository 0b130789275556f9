"""What oracles on the diff share: what they look for, and where in the diff it stands."""

import re
from collections.abc import Iterator

import msgspec

from gate.grading.content import Finder, pattern_finder, quoted, text_finder
from gate.oracle import Oracle, Trial
from gate.patterns.jsregex import JsPattern

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a diff: its text, and the file and line of the tree at the end that it is about, where it is one."""

    text: str
    path: str | None = None
    line: int | None = None


class Sought(Oracle, frozen=True, kw_only=True):
    """An oracle that looks for one thing in the diff."""

    pattern: JsPattern | None = None
    value: str | None = None

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        if (self.pattern is None) == (self.value is None):
            raise ValueError("Expected exactly one of `pattern` and `value`")
        if not (self.pattern or self.value):
            raise ValueError("Expected something that is not empty: every diff contains the empty text")

    @property
    def verbs(self) -> tuple[str, str]:
        """That the diff holds it, and that it does not, as a message says it."""
        if self.pattern is not None:
            return f"matches {quoted(self.pattern)}", f"does not match {quoted(self.pattern)}"
        return f"contains {quoted(self.value or '')}", f"does not contain {quoted(self.value or '')}"

    def spot(self, trial: Trial) -> Spot | None:
        """Where in the diff it first stands. CannotJudge where it cannot be looked for."""
        find: Finder = text_finder(self.value or "") if self.pattern is None else pattern_finder(self.pattern)
        text = trial.diff.decode("utf-8", "replace")
        place = find(text)
        return None if place is None else spot_at(text, place)


def spot_at(text: str, place: int) -> Spot:
    """The line of a diff in which the character at `place` stands."""
    last = Spot(text="")
    for spot, end in _spots(text):
        last = spot
        if place < end:
            break
    return last


def _spots(text: str) -> Iterator[tuple[Spot, int]]:
    """Every line of a diff, and where it ends."""
    path: str | None = None
    end = number = olds = news = 0
    for line in _LINES.findall(text):
        end += len(line)
        body = line.rstrip("\n")
        if olds > 0 or news > 0:
            gone = body.startswith("-")
            yield Spot(text=body, path=path, line=number), end
            counted = not body.startswith("\\")
            olds -= counted and not body.startswith("+")
            news -= counted and not gone
            number += counted and not gone
            continue
        head = _HUNK.match(body)
        if head:
            olds, number, news = int(head[1] or 1), int(head[2]), int(head[3] or 1)
        elif body.startswith("diff "):
            path = None
        elif body.startswith(("--- a/", "+++ b/")):
            path = body[6:].rstrip("\t")
        yield Spot(text=body, path=path), end
