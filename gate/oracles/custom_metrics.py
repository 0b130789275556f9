"""`custom_metrics`: values that a run left in a file are as expected."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from gate.errors import CannotJudge, PathRefused
from gate.oracle import Oracle, Trial
from gate.path import confined, printable
from gate.report import Evidence, Finding
from gate.shape import shown
from gate.tree import SUBMODULE, follow

_MOST = 16 * 1024 * 1024


class Assertion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one metric must be: equal to a value, within limits, or not there."""

    metric: str
    equals: bool | int | float | str | None = None
    min: float | None = None
    max: float | None = None
    absent: bool = False

    def __post_init__(self) -> None:
        """Refuse what says nothing, or two things at once."""
        limited = self.min is not None or self.max is not None
        if (self.equals is not None) + limited + self.absent != 1:
            raise ValueError("Expected exactly one of `equals`, `min` with or without `max`, and `absent: true`")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("Expected `min` to be at most `max`")

    def wrong(self, values: Mapping[str, Any]) -> str:
        """What is wrong with the metric, in words; empty where nothing is."""
        if self.absent:
            return f"is there: {shown(values[self.metric])}" if self.metric in values else ""
        if self.metric not in values:
            return "is not there"
        value = values[self.metric]
        if self.equals is not None:
            return "" if _same(value, self.equals) else f"is {shown(value)}, expected {shown(self.equals)}"
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"is {shown(value)}, expected a number"
        if self.min is not None and value < self.min:
            return f"is {shown(value)}, expected at least {self.min:.15g}"
        if self.max is not None and value > self.max:
            return f"is {shown(value)}, expected at most {self.max:.15g}"
        return ""


def _same(value: Any, expected: bool | float | str) -> bool:
    """Whether they are equal and of one type: true is not 1, and "1" is not 1, but 1.0 is."""
    kinds = [
        bool if isinstance(one, bool) else float if isinstance(one, int | float) else type(one)
        for one in (value, expected)
    ]
    return kinds[0] is kinds[1] and bool(value == expected)


class CustomMetrics(Oracle, frozen=True, kw_only=True):
    """Values that a run left in a file are as expected.

    `path` is a JSON file of the task's workspace: an object of names and numbers, texts or truth values, or an object
    that holds such a one as `values`, whose other keys are then passed over. Each of the `assertions` names a `metric`
    and says `equals` (of the same type: `true` is not 1), `min` and `max` (one or both, inclusive), or
    `absent: true`. A metric that is not there, or that is no number where a limit is named, is *fail*; a file that is
    not there or is no such object is *error*.

    Where every assertion is `absent: true` it holds where nobody has done anything, so a baseline says nothing about
    it. Golden input may give the metrics: they are laid where `path` says, and are no part of the diff.
    """

    path: str = "custom_metrics.json"
    assertions: Annotated[tuple[Assertion, ...], msgspec.Meta(min_length=1)]

    def __post_init__(self) -> None:
        """Refuse a file outside of the workspace."""
        try:
            confined(self.path)
        except PathRefused as error:
            raise ValueError(f"Expected `path` to stay inside the workspace: {error.message}") from None

    @property
    def holds_untouched(self) -> bool:
        """Whether it asserts absences alone."""
        return all(assertion.absent for assertion in self.assertions)

    @property
    def metrics_paths(self) -> tuple[str, ...]:
        """Where golden metrics are laid."""
        return (confined(self.path),)

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Read the file once; a finding for each assertion that does not hold."""
        path = follow(trial.after, confined(self.path))
        values = self._values(trial, path)
        for assertion in self.assertions:
            name, wrong = printable(assertion.metric), assertion.wrong(values)
            if wrong:
                yield Finding(message=f"The metric {name} {wrong}", kind="metric", path=path)
            elif assertion.absent:
                yield Evidence(message=f"The metric {name} is not there")
            else:
                yield Evidence(message=f"The metric {name} is {shown(values[assertion.metric])}")

    def _values(self, trial: Trial, path: str) -> Mapping[str, Any]:
        name = printable(self.path)
        if trial.after.mode(path) in (None, SUBMODULE):
            raise CannotJudge(f"there is no file of metrics {name}", kind="metrics_missing")
        data = trial.after.read_at_most(path, _MOST)
        if data is None:
            raise CannotJudge(f"the file of metrics {name} has more than {_MOST} bytes", kind="metrics_size")
        try:
            found = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise CannotJudge(f"the file of metrics {name} is no JSON: {error}", kind="metrics") from None
        if isinstance(found, dict) and isinstance(found.get("values"), dict):
            found = found["values"]
        if not isinstance(found, dict):
            raise CannotJudge(f"the file of metrics {name}: expected an object, found {shown(found)}", kind="metrics")
        return found
