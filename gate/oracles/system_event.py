"""`system_event`: what the agent's harness recorded of itself."""

from collections.abc import Iterator

from gate.errors import CannotJudge
from gate.grading.behaviour import Behaviour, quoted, whole
from gate.oracle import Trial
from gate.patterns.jsregex import JsPattern
from gate.report import Evidence, Finding


class SystemEvent(Behaviour, frozen=True):
    """The agent's harness recorded every event in `required` and none in `disallowed`; one of the lists is needed.

    Entries are regular expressions of JavaScript, not anchored, for an event's kind: `compaction`, `pruning` and
    `injection` of the context, `error`, and whatever else a harness calls its own. ATIF has them as steps of the
    source `system` (kind `message` where it has none), Claude Code's sessions tell compactions and errors. A
    recording whose format does not tell them is *error*.

    With `disallowed` alone it holds where nothing was done, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    required: tuple[JsPattern, ...] = ()
    disallowed: tuple[JsPattern, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what asks for nothing."""
        super().__post_init__()
        if not (self.required or self.disallowed):
            raise ValueError("Expected `required` or `disallowed` with at least one event")

    @property
    def holds_untouched(self) -> bool:
        """Whether it asks for an absence alone."""
        return not self.required

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Compare the kinds."""
        for pattern in (*self.required, *self.disallowed):
            pattern.check()
        seen = self.seen(trial)
        if not seen.tells_events and not seen.empty:
            reason = f"recordings of the format {trial.trajectory.format} tell nothing of system events"
            raise CannotJudge(reason, kind="not_recorded")
        kinds = list(dict.fromkeys(event.kind for event in seen.events))
        found = ", ".join(kinds) or "none"
        missing = [wanted for wanted in self.required if not any(map(wanted.search, kinds))]
        wrong = [(wanted, kind) for wanted in self.disallowed for kind in kinds if wanted.search(kind)]
        for wanted in missing:
            yield Finding(message=f"No system event matches {quoted(wanted)}; recorded: {found}", kind="event_missing")
        for wanted, kind in wrong:
            yield Finding(message=f"The system event {kind} matches {quoted(wanted)}", kind="event_disallowed")
        if not (missing or wrong):
            if self.disallowed:
                whole(seen)
            yield Evidence(message=f"System events: {found}")
