"""`completed`: the agent came to an end, without an error, and said something."""

from collections.abc import Iterator

from gate.grading.behaviour import Behaviour, whole
from gate.oracle import Trial
from gate.report import Evidence, Finding


class Completed(Behaviour, frozen=True):
    """The agent came to an end by itself, said something, and its harness met no error.

    It ended by itself where its last answer calls nothing, or calls what hands the work in (`submit`, `finish`,
    `attempt_completion`, `task_complete`, …), and no prompt was left without an answer. Calls of tools that failed are
    no error here: agents try things; `error_count` limits them. Where a part of the recording could not be read it is
    *error*.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Look at the end of the recording."""
        seen = self.seen(trial)
        troubles = [
            *([] if seen.output else [("no_output", "The agent said nothing")]),
            *([] if seen.ended or seen.empty else [("not_ended", "The recording stops before the agent was done")]),
            *(("error", f"The agent's harness met an error: {error[:200]}") for error in seen.harness_errors),
        ]
        yield from (Finding(message=message, kind=kind) for kind, message in troubles)
        if not troubles:
            whole(seen)
            yield Evidence(message="The agent came to an end without an error", details=seen.output[:4000])
