"""`exit_success`: the agent said something."""

from collections.abc import Iterator

from gate.grading.behaviour import Behaviour
from gate.oracle import Trial
from gate.report import Evidence, Finding


class ExitSuccess(Behaviour, frozen=True):
    """The output is not empty: the agent said something.

    `completed` asks for more.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Look for an output."""
        output = self.seen(trial).output
        if output:
            yield Evidence(message="The agent said something", details=output[:4000])
        else:
            yield Finding(message="The agent said nothing", kind="no_output")
