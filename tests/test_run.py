"""The loop over trials: whatever an oracle does, the others are judged and nothing raises out of it."""

import sys
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from gate.errors import CannotJudge
from gate.mention import UnknownTool
from gate.oracle import Need, Oracle, Trial
from gate.oracles.all_of import AllOf
from gate.oracles.any_of import AnyOf
from gate.plan import Plan, Planned
from gate.policy import Policy
from gate.recorded import Recorded
from gate.report import Evidence, Finding, Outcome, Severity, Verdict
from gate.run import run
from gate.task import Inline, State, Task
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree


class Leaves(Oracle, frozen=True):
    """Leaves the program."""

    def judge(self, trial: Trial) -> Iterator[Finding]:
        sys.exit(0)
        yield Finding(message="never")  # type: ignore[unreachable] # it makes this a generator


class Breaks(Oracle, frozen=True):
    """Has a bug."""

    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message=str(1 // 0))


class Text(Oracle, frozen=True):
    """Yields what is no finding."""

    def judge(self, trial: Trial) -> Iterator[Any]:
        yield "bad"


class Loud(Oracle, frozen=True):
    """Has a severity that does not exist."""

    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message="x", severity="loud")  # type: ignore[arg-type]


class Warns(Oracle, frozen=True):
    """Writes the severity as text, as plugins do."""

    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message="careful", severity="warning")  # type: ignore[arg-type]


class Reads(Oracle, frozen=True):
    """Reads a file that is not there."""

    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message=trial.after.read("missing.py").decode())


class Forgets(Oracle, frozen=True):
    """Leaves by an error that names nothing."""

    def judge(self, trial: Trial) -> Iterator[Finding]:
        raise KeyError


class Doubts(Oracle, frozen=True):
    """Finds something, then cannot go on."""

    level: Severity = Severity.NOTICE

    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message="seen", severity=self.level)
        raise CannotJudge("too dark")


class Good(Oracle, frozen=True):
    """Passes."""

    def judge(self, trial: Trial) -> Iterator[Evidence]:
        yield Evidence(message="fine")


class Joins(Good, frozen=True):
    """Looks at all recordings as one."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.RECORDING})
    joins_recordings: ClassVar[bool] = True


def _run(*oracles: Oracle, policy: Policy | None = None) -> tuple[Verdict, ...]:
    tree = MemoryTree({"a": b"x"})
    task = Task(id="t", workspace=Inline({"a": "x"}), oracles=oracles, state=State.HEAD, path="t.json")
    planned = Planned(id="t", in_scope=True, scope="", task=task, path="t.json", start=tree, head=tree)
    (report,) = run(Plan(tasks=(planned,), change="", judge="", policy=policy or Policy())).tasks
    return report.verdicts


@pytest.mark.parametrize(
    ("oracle", "reason"),
    [
        (Leaves(), "a bug in the gate or a plugin: SystemExit: 0 at "),
        (Breaks(), "a bug in the gate or a plugin: ZeroDivisionError: integer division or modulo by zero at "),
        (Text(), "the oracle test_run yields 'bad', expected a Finding or Evidence"),
        (Loud(), "the severity 'loud' is none of error, warning, notice"),
        (Reads(), "test_run looks at 'missing.py', and there is no such file"),
        (Forgets(), "a bug in the gate or a plugin: KeyError:  at "),
        (Doubts(), "too dark"),
    ],
)
def test_what_cannot_be_judged_is_an_error_and_the_next_oracle_is_asked(oracle: Oracle, reason: str) -> None:
    first, second = _run(oracle, Good())
    assert first.outcome is Outcome.ERROR
    assert first.reason.startswith(reason)
    assert second.outcome is Outcome.PASS


@pytest.mark.parametrize("oracle", [Text(), Loud(), Forgets(), Leaves()], ids=lambda oracle: type(oracle).__name__)
def test_the_same_inside_a_combination(oracle: Oracle) -> None:
    alone, _ = _run(oracle, Good())
    (verdict,) = _run(AnyOf(oracles=(oracle, Good(name="good"))))  # type: ignore[arg-type] # Inner is any oracle
    assert verdict.outcome is Outcome.PASS
    (verdict,) = _run(AllOf(oracles=(oracle, Good(name="good"))))  # type: ignore[arg-type]
    assert (verdict.outcome, verdict.reason) == (Outcome.ERROR, f"test_run: {alone.reason}")


def test_a_finding_that_counts_goes_before_a_doubt() -> None:
    (verdict,) = _run(Doubts(level=Severity.ERROR))
    assert (verdict.outcome, verdict.message) == (Outcome.FAIL, "seen")


@pytest.mark.parametrize(
    ("level", "outcome"),
    [(Severity.ERROR, Outcome.PASS), (Severity.WARNING, Outcome.FAIL), (Severity.NOTICE, Outcome.FAIL)],
)
def test_the_policy_says_from_which_severity_on_a_finding_fails(level: Severity, outcome: Outcome) -> None:
    (verdict,) = _run(Warns(), policy=Policy(fail_level=level))
    assert verdict.outcome is outcome


@pytest.mark.parametrize("joins", [False, True])
def test_unknown_tools_of_each_recording_are_counted_once(joins: bool) -> None:
    recordings = [
        Recorded(path=name, trajectory=Trajectory(format="x", steps=[Step(number=1, tool=tool, known=False)] * 2))
        for name, tool in (("a", "foo"), ("b", "bar"))
    ]
    tree = MemoryTree({"a": b"x"})
    oracles = (Good(), Joins()) if joins else (Good(),)
    task = Task(id="t", workspace=Inline({"a": "x"}), oracles=oracles, state=State.HEAD, path="t.json")
    planned = Planned(
        id="t", in_scope=True, scope="", task=task, path="t.json", start=tree, head=tree, recordings=tuple(recordings)
    )
    (report,) = run(Plan(tasks=(planned,), change="", judge="", policy=Policy())).tasks
    assert report.unknown_tools == (UnknownTool("bar", 2), UnknownTool("foo", 2))


def test_evidence_never_fails() -> None:
    (verdict,) = _run(Good(), policy=Policy(fail_level=Severity.NOTICE))
    assert verdict.outcome is Outcome.PASS


def test_names_are_unique_within_a_task() -> None:
    names = [verdict.name for verdict in _run(Good(), Good(), Good(name="mine"))]
    assert names == ["test_run", "test_run #2", "mine"]
