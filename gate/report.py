"""The words of a result: Outcome, Finding, Verdict, Report, and the exit code that follows from them."""

import enum
import functools
from collections import Counter
from collections.abc import Iterator

import msgspec

from gate.extent import Extent
from gate.mention import UnknownTool


class Outcome(enum.StrEnum):
    """What one oracle says of one trial. *fail* is judged and bad; *error* could not be judged; neither passes."""

    PASS = "pass"  # noqa: S105 - the word for a good outcome, no password
    FAIL = "fail"
    ERROR = "error"
    SKIP = "skip"
    NOT_APPLICABLE = "not_applicable"

    __hash__ = str.__hash__  # Enum's own is a function of Python, and outcomes are counted often


# From the worst on: the first of these among the verdicts is that of the task.
_RANKS = {
    outcome: rank
    for rank, outcome in enumerate((Outcome.FAIL, Outcome.ERROR, Outcome.PASS, Outcome.NOT_APPLICABLE, Outcome.SKIP))
}


class Severity(enum.StrEnum):
    """How bad a finding is; `fail_level` of the policy says from where on it fails."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"

    def reaches(self, level: "Severity") -> bool:
        """Whether this severity is at or above `level`."""
        return self.rank <= level.rank

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return tuple(Severity).index(self)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One observation at one place.

    `path` is relative to the checkout, lines start at 1. `kind` is a stable word for tools. `details` may be long:
    whole streams, all violations.
    """

    message: str
    severity: Severity = Severity.ERROR
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    kind: str = ""
    details: str = ""

    @property
    def place(self) -> str:
        """`path:line`, the path alone, or nothing."""
        return _place(self.path, self.line)


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What an oracle saw that speaks for a pass; never a reason to fail, whatever the `fail_level`."""

    message: str
    path: str | None = None
    line: int | None = None
    details: str = ""

    @property
    def place(self) -> str:
        """`path:line`, the path alone, or nothing."""
        return _place(self.path, self.line)


class Waived(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that the manifest's `allow` takes out of the verdict, with the reason written there."""

    finding: Finding
    reason: str
    until: str = ""

    @property
    def message(self) -> str:
        """What is waived, why, and until when."""
        until = f", until {self.until}" if self.until else ""
        return f"waived: {self.finding.message} ({self.reason}{until})"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What one oracle says of one trial.

    `oracle` is the type, `name` unique within the task. `reason` is why it is *error*, *skip* or *not applicable*.
    `deterministic` is false for what a model says: the same input may get another verdict.
    """

    oracle: str
    name: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    waived: tuple[Waived, ...] = ()
    reason: str = ""
    kind: str = ""
    seconds: float = 0.0
    deterministic: bool = True

    @property
    def message(self) -> str:
        """The one line that a person reads first."""
        if self.reason:
            return self.reason
        if self.findings:
            return min(self.findings, key=lambda finding: finding.severity.rank).message
        if self.waived:
            return self.waived[0].message
        return self.evidence[0].message if self.evidence else ""


class TaskReport(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One task: why it is in or out of scope, and its verdicts.

    `path` and `line` are where the task is written, relative to the checkout. `notices` are findings about the task
    or its recording that no oracle made; they never change the verdict. `unread` is that nobody could be asked, since
    the task as it is written cannot be used, `bundled` that it is one of a bundle. `unknown_tools` were called in its
    recordings.
    """

    id: str
    in_scope: bool
    scope: str
    verdicts: tuple[Verdict, ...] = ()
    notices: tuple[Finding, ...] = ()
    path: str | None = None
    line: int | None = None
    unread: bool = False
    bundled: bool = False
    unknown_tools: tuple[UnknownTool, ...] = ()

    @functools.cached_property
    def outcome(self) -> Outcome:
        """The worst of the verdicts; *skip* when the task is out of scope or everything was skipped.

        A task in scope without any verdict was not judged: *error*.
        """
        if self.in_scope and not self.verdicts:
            return Outcome.ERROR
        return min([verdict.outcome for verdict in self.verdicts], key=_RANKS.__getitem__, default=Outcome.SKIP)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why nothing was judged at all: the sentence, and its exit code (2, 3, or 4 for a bug or the time limit)."""

    message: str
    exit_code: int
    kind: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A whole run. Everything a reporter shows is in here; nothing else is.

    `repeat` is the command that judges the same again, `started` the time in UTC as `YYYY-MM-DDThh:mm:ss`.
    """

    tasks: tuple[TaskReport, ...] = ()
    notices: tuple[Finding, ...] = ()
    problem: Problem | None = None
    change: str = ""
    judge: str = ""
    enforce: bool = True
    empty_fails: bool = False
    version: str = ""
    repeat: str = ""
    started: str = ""
    seconds: float = 0.0
    left_out: int = 0
    """Oracles skipped because this run starts no commands (the hook's default)."""
    extent: Extent | None = None
    """Where the change lies, for display alone; None where there is no change to measure."""

    @property
    def tampering(self) -> tuple[Finding, ...]:
        """What the change did to its judge, the worst first: every surface shows it before all else."""
        found = (notice for notice in self.notices if notice.kind.startswith("judge_"))
        return tuple(sorted(found, key=lambda notice: notice.severity.rank))

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The other notices of the run as a whole."""
        return tuple(notice for notice in self.notices if not notice.kind.startswith("judge_"))

    def verdicts(self) -> Iterator[tuple[TaskReport, Verdict]]:
        """Every verdict with its task, in manifest order."""
        for task in self.tasks:
            for verdict in task.verdicts:
                yield task, verdict

    @functools.cached_property
    def counts(self) -> dict[Outcome, int]:
        """How many verdicts have each outcome, with what is said where there is none; every outcome is a key."""
        found = Counter(verdict.outcome for _, verdict in self.verdicts())
        if self.problem or not self.judged_tasks:
            found[self.outcome] += self.outcome is not Outcome.SKIP
        found[Outcome.ERROR] += sum(not task.verdicts for task in self.judged_tasks)
        return {outcome: found[outcome] for outcome in Outcome}

    @property
    def tally(self) -> str:
        """The verdicts counted, in words; empty where there is none."""
        found = Counter(verdict.outcome for _, verdict in self.verdicts())
        return ", ".join(f"{found[outcome]} {_COUNTED[outcome]}" for outcome in Outcome if found[outcome])

    @property
    def omission(self) -> str:
        """How many oracles this run left out, and how to run them; empty where it left out none."""
        if not self.left_out:
            return ""
        run, was, them = ("runs", "was", "it") if self.left_out == 1 else ("run", "were", "them")
        oracles = "1 oracle" if self.left_out == 1 else f"{self.left_out} oracles"
        return f"{oracles} that {run} commands {was} left out; `gate run --commands` runs {them}"

    @functools.cached_property
    def judged_tasks(self) -> tuple[TaskReport, ...]:
        """The tasks in scope."""
        return tuple(task for task in self.tasks if task.in_scope)

    @functools.cached_property
    def outcome(self) -> Outcome:
        """The verdict on the change: *fail* before *error* before *pass*; *skip* when no task was in scope."""
        if self.problem:
            return Outcome.ERROR
        if not self.judged_tasks:
            return Outcome.FAIL if self.empty_fails else Outcome.SKIP
        found = {task.outcome for task in self.judged_tasks}
        for outcome in (Outcome.FAIL, Outcome.ERROR, Outcome.PASS):
            if outcome in found:
                return outcome
        return Outcome.SKIP

    @property
    def enforced_code(self) -> int:
        """The exit code that the verdict has when it is enforced."""
        if self.problem:
            return self.problem.exit_code
        if self.outcome is Outcome.ERROR and all(task.unread for task in self.judged_tasks):
            return 2
        return {Outcome.FAIL: 1, Outcome.ERROR: 4}.get(self.outcome, 0)

    @property
    def exit_code(self) -> int:
        """0 good, 1 an oracle failed, 2 nothing was judged, 3 no change to judge, 4 something could not be judged."""
        return self.enforced_code if self.enforce or self.problem else 0

    @property
    def meaning(self) -> str:
        """What the exit code says, in words."""
        if self.exit_code != self.enforced_code:
            return f"enforce is false, this is a report only: with enforcement the exit code is {self.enforced_code}"
        if self.exit_code == 1 and not self.judged_tasks:
            return "no task is in scope, and on_empty is fail"
        if self.exit_code == 4 and self.problem:
            why = "the time was up" if self.problem.kind == "time_limit" else "of a bug in the gate"
            return f"nothing was judged, because {why}"
        if self.exit_code == 2 and not self.problem:
            return "nothing was judged: no task in scope can be read"
        if self.exit_code == 0 and self.outcome is Outcome.SKIP:
            return "nothing was to be judged" if self.judged_tasks else "no task is in scope of this change"
        return _MEANING.get(self.exit_code, "nothing was judged")


_COUNTED = {
    Outcome.PASS: "passed",
    Outcome.FAIL: "failed",
    Outcome.ERROR: "could not be judged",
    Outcome.SKIP: "skipped",
    Outcome.NOT_APPLICABLE: "not applicable",
}
_MEANING = {
    0: "nothing failed",
    1: "at least one oracle failed",
    2: "nothing was judged",
    3: "the change could not be computed, or must not be judged",
    4: "something could not be judged, and nothing failed",
}


def _place(path: str | None, line: int | None) -> str:
    return f"{path}:{line}" if path and line else path or ""
