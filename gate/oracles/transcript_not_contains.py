"""`transcript_not_contains`: none of the agent's messages holds a text."""

from collections.abc import Iterator
from typing import ClassVar

from gate.grading.behaviour import Words, in_transcript
from gate.oracle import Trial
from gate.report import Evidence, Finding


class TranscriptNotContains(Words, frozen=True):
    """None of the agent's messages holds a text.

    `substring` (or `value`, which is the same) is looked for as it is written, whatever its case; `case_sensitive`
    minds it.

    The messages are those of the agent that a person spoke with, without its thoughts, its calls and its
    sub-agents. Each is searched alone, and then all in a row.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since`
    at the turns up to it or from it on. A turn that the recording does not have is *error*.

    It holds where nothing was said at all, so a baseline says nothing about it. Where a part of the recording could
    not be read it is *error*.
    """

    asserts_absence: ClassVar[bool] = True

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Search every message."""
        yield from in_transcript(self.seen(trial), self.finder(), self.verbs, absent=True)
