"""Oracles for the tests of those that hold others: each says what it is told to say."""

from collections.abc import Iterator
from typing import ClassVar

from gate.errors import CannotJudge
from gate.oracle import Need, Oracle, Trial
from gate.report import Evidence, Finding, Severity
from gate.tree import MemoryTree


class Holds(Oracle, frozen=True):
    """It holds."""

    reads_tree: ClassVar[bool] = False

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        yield Evidence(message="all is well")


class Fails(Oracle, frozen=True):
    """It fails, at a place."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.COMMANDS})
    severity: Severity = Severity.ERROR

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        yield Finding(message="not good", path="a.py", line=3, severity=self.severity)


class Stuck(Oracle, frozen=True):
    """It cannot judge."""

    asserts_absence: ClassVar[bool] = True
    deterministic: ClassVar[bool] = False

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        raise CannotJudge("nobody knows", kind="unknown")
        yield Evidence(message="never")  # type: ignore[unreachable] # it makes this a generator


class Leaves(Oracle, frozen=True):
    """It leaves the program."""

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        raise SystemExit(0)
        yield Evidence(message="never")  # type: ignore[unreachable] # it makes this a generator


def trial(fail_level: Severity = Severity.ERROR) -> Trial:
    """A trial of nothing."""
    tree = MemoryTree({})
    return Trial(before=tree, after=tree, replayed=True, fail_level=fail_level)
