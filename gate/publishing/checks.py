"""The check run of this run: made before the first trial, found again by a later attempt, and concluded.

Nothing here raises for what GitHub does. What was refused is told once, in words, and the verdict stands without it.
"""

import contextlib
from collections.abc import Iterator, Sequence

import msgspec

from gate.report import Report
from gate.reporters import check_run
from gate.reporters.annotations import Annotation
from gate.reporters.check_run import Placed, Target
from gate.reporters.face import Published
from gate.request import Kind, Refused, Sender, advice, pages

PERMISSION = "checks: write"
"""What the workflow has to grant."""

_RESERVE = 40.0  # seconds that annotations leave for the conclusion
_OF_THE_END = 80.0  # and the beginning for both
_LAST_WORDS = 5.0  # GitHub ends a cancelled step after ten
_OF_THE_REQUEST = (Kind.PERMISSION, Kind.INVALID)


class CheckRun:
    """One check run. `job` is the number of the job's own one, to be used instead where GitHub lets us."""

    def __init__(self, sender: Sender, target: Target, *, job: str = "", fork: bool = False) -> None:
        self._sender, self._target, self._job, self._fork = sender, target, job, fork
        self._number: int | str | None = None
        self._url = ""
        self._there = 0
        self._concluded = False
        self._told: list[str] = []

    def begin(self) -> None:
        """Make it, or take that of an earlier attempt again; where it is refused, nothing more is sent."""
        if self._job and self._announced():
            return
        try:
            if not self._resumed():
                self._create()
        except Refused as refused:
            self._tell("the check run could not be made", refused)

    def finish(self, report: Report, found: Sequence[Annotation]) -> Published:
        """Add the annotations and conclude."""
        if self._number is None:
            return Published(told=tuple(self._told))
        draft = check_run.draft(found)
        notes = [*draft.dropped]
        if draft.more:
            notes.append(f"{_count(draft.more)} left out: the gate sends no more than {check_run.MOST}")
        carried = self._add(draft.portions, notes)
        concluded = self._conclude(report, notes)
        self._told += draft.dropped[:3]
        if len(draft.dropped) > 3:
            self._told.append(f"{_count(len(draft.dropped) - 3, 'further ')} left out of the check run like these")
        return Published(url=self._url, carried=tuple(carried) if concluded else (), told=tuple(self._told))

    def cancel(self, why: str) -> None:
        """End it without a verdict, unless it has one; a job's own one is ended by GitHub."""
        if self._number is not None and not self._job and not self._concluded:
            with contextlib.suppress(Refused):  # whoever cancelled the run will see that it was
                self._sender.send(check_run.cancel(self._target, self._number, why), within=_LAST_WORDS)

    def _announced(self) -> bool:
        try:
            answer = self._sender.send(check_run.announce(self._target, self._job), reserve=_OF_THE_END)
        except Refused as refused:
            self._tell("the job's own check run could not be used", refused, "so one of the gate's own is made")
            self._job = ""
            return False
        self._take(self._job, answer.get("html_url"))
        self._there = _annotations(answer.body)
        return True

    def _create(self) -> None:
        request = check_run.create(self._target)
        try:
            answer = self._sender.send(request, reserve=_OF_THE_END)
        except Refused as refused:
            if refused.why is not Kind.UNSURE:
                raise
            ours = [run for run in self._runs() if run.external_id == self._target.external_id]
            if ours and self._target.external_id:
                self._take(ours[0].id, ours[0].html_url)
                return
            answer = self._sender.send(request, reserve=_OF_THE_END)
        self._take(answer.get("id"), answer.get("html_url"))

    def _resumed(self) -> bool:
        """Whether the check run of an earlier attempt could be taken again: one without annotations, which would stay.

        An earlier one that cannot be taken, and that nobody concluded, is cancelled.
        """
        if self._target.attempt == 1 or not self._target.mark:
            return False
        for run in self._runs():
            if not self._earlier(run.external_id):
                continue
            try:
                if not run.annotations:
                    answer = self._sender.send(check_run.reopen(self._target, run.id), reserve=_OF_THE_END)
                    self._take(run.id, answer.get("html_url"))
                    return True
                if run.status != "completed":
                    why = f"Attempt {self._target.attempt} of the workflow's run took its place."
                    self._sender.send(check_run.cancel(self._target, run.id, why))
            except Refused as refused:
                if refused.why not in _OF_THE_REQUEST:
                    raise
        return False

    def _earlier(self, external_id: str) -> bool:
        mark = self._target.mark
        attempt = external_id.removeprefix(mark)
        return external_id.startswith(mark) and attempt.isdecimal() and int(attempt) < self._target.attempt

    def _runs(self) -> Iterator["_Run"]:
        for one in pages(self._sender, check_run.find(self._target), key="check_runs"):
            try:
                yield msgspec.convert(one, _Run)
            except msgspec.ValidationError:
                continue  # whatever that is, it is not what we made

    def _take(self, number: object, url: object) -> None:
        if not isinstance(number, int | str):
            raise Refused("GitHub's answer names no check run", kind=Kind.CLIENT)
        self._number, self._url = number, url if isinstance(url, str) else ""

    def _add(self, portions: Sequence[Sequence[Placed]], notes: list[str]) -> list[Annotation]:
        """The annotations that are there now; of the others `notes` say why they are not."""
        carried: list[Annotation] = []
        lost, reason = 0, ""
        for number, portion in enumerate(portions):
            try:
                self._append(portion)
            except Refused as refused:
                reason = reason or refused.message
                # An annotation that GitHub dislikes spoils its own portion; any other refusal, all that follow.
                if refused.why is not Kind.INVALID:
                    lost += sum(map(len, portions[number:]))
                    break
                lost += len(portion)
            else:
                carried += [placed.annotation for placed in portion]
        if lost:
            notes.append(f"{_count(lost)} not taken: {reason}")
            self._told.append(f"the check run has not all annotations: {notes[-1]}; the verdict stands without them")
        return carried

    def _append(self, portion: Sequence[Placed]) -> None:
        """Add a portion. Where the answer got lost, look whether they are there before sending them again."""
        for attempt in (1, 2):
            try:
                self._sender.send(check_run.add(self._target, self._at, portion), reserve=_RESERVE)
            except Refused as refused:
                if refused.why is not Kind.UNSURE:
                    raise
                seen = self._sender.send(check_run.look(self._target, self._at), reserve=_RESERVE)
                if _annotations(seen.body) == self._there and attempt == 1:
                    continue
                if _annotations(seen.body) != self._there + len(portion):
                    raise
            self._there += len(portion)
            return

    def _conclude(self, report: Report, notes: Sequence[str]) -> bool:
        try:
            self._sender.send(check_run.conclude(self._target, self._at, report, notes, own=not self._job))
        except Refused as refused:
            if self._job:
                return self._instead(report, notes, refused)
            self._tell("the check run was made but could not be concluded, so that it shows as in progress", refused)
            return False
        self._concluded = True
        return True

    def _instead(self, report: Report, notes: Sequence[str], refused: Refused) -> bool:
        """The job's own check run took the first words but not the verdict: make another."""
        self._tell("the job's own check run did not take the verdict", refused, "so one of the gate's own is made")
        self._job, self._number, self._url = "", None, ""
        try:
            self._create()
        except Refused as again:
            self._tell("the check run could not be made", again)
            return False
        return self._conclude(report, notes)

    @property
    def _at(self) -> int | str:
        return self._number if self._number is not None else ""

    def _tell(self, what: str, refused: Refused, end: str = "the verdict stands without it") -> None:
        grant = advice(refused, permission=PERMISSION, fork=self._fork)
        self._told.append("; ".join(filter(None, [f"{what}: {refused.message}", grant, end])))


class _Run(msgspec.Struct, frozen=True):
    """A check run as far as it is looked at."""

    id: int
    external_id: str = ""
    status: str = ""
    html_url: str | None = None
    output: dict[str, object] = {}

    @property
    def annotations(self) -> int:
        """How many it has."""
        return _annotations({"output": self.output})


def _annotations(body: object) -> int:
    output = body.get("output") if isinstance(body, dict) else None
    count = output.get("annotations_count") if isinstance(output, dict) else None
    return count if isinstance(count, int) else 0


def _count(number: int, which: str = "") -> str:
    return f"1 {which}annotation was" if number == 1 else f"{number} {which}annotations were"
