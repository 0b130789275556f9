"""Branches of a conversation: which turns were taken back when a person went back to an earlier prompt."""

from collections.abc import Iterable, Iterator

import msgspec

from gate.agents.bookmarks import BITS, digest


class _Prompt(msgspec.Struct, gc=False):
    """A prompt: where it stands, what it follows, and the last line that belongs to its turn."""

    line: int
    before: int | None
    anchor: int
    last: int


class _Place(msgspec.Struct, gc=False):
    """What is kept of a line: the prompt of its turn, and the last work (answer or tool result) at or above it."""

    turn: int | None
    anchor: int


class Branches:
    """The lines of a recording whose lines name their parent, read one after the other.

    Parallel tool calls, their results and progress lines fork too, so a fork alone means nothing. What a rewind
    leaves behind is two *prompts* that follow the same work, the later one alive, and nothing of the earlier one's
    branch after it. Only that counts.
    """

    def __init__(self) -> None:
        self._places: dict[int, _Place | None] = {}
        self._prompts: list[_Prompt] = []
        self._live: int | None = None

    def new(self, key: str) -> int | None:
        """What stands for a key in `add`; None where a line before had this key already."""
        mark = hash(key) & BITS  # `digest`, without a call for each line
        if mark in self._places:
            return None
        self._places[mark] = None
        return mark

    def add(self, mark: int, parent: str | None, *, line: int, session: object, prompt: bool, work: bool) -> None:
        """One line. `prompt`: a person speaks; `work`: an answer or a tool's result; others only connect."""
        above = self._places.get(hash(parent) & BITS) if parent is not None else None
        if above is None:  # a root, or a parent that this file does not hold: nothing else follows the same work
            turn = self._live if work else None  # work without a parent sums up what was live: a compaction
            above = _Place(turn, digest(f"\0{session}" if parent is None else parent))
        turn = above.turn
        if prompt:
            self._prompts.append(_Prompt(line, turn, above.anchor, line))
            turn = len(self._prompts) - 1
            above = _Place(turn, above.anchor)
        elif turn is not None:
            self._prompts[turn].last = line
        self._places[mark] = _Place(turn, mark) if work else above  # which the lines in between share
        if prompt or work:
            self._live = turn

    def rewound(self) -> tuple[range, ...]:
        """The lines taken back, as ranges of line numbers in the order of the file."""
        return tuple(sorted(self._ranges(), key=lambda span: span.start))

    def _ranges(self) -> Iterator[range]:
        alive = set(self._up(self._live))
        last_line = self._last_lines()  # an earlier prompt that is alive too has lines after the later one
        by_anchor: dict[int, list[int]] = {}
        for number, prompt in enumerate(self._prompts):
            by_anchor.setdefault(prompt.anchor, []).append(number)
        for rivals in by_anchor.values():
            kept = [number for number in rivals if number in alive]
            for number in rivals:
                line = self._prompts[number].line
                after = next((self._prompts[other].line for other in kept if self._prompts[other].line > line), None)
                if after is not None and last_line[number] < after:
                    yield range(line, after)

    def _up(self, number: int | None) -> Iterable[int]:
        while number is not None:
            yield number
            number = self._prompts[number].before

    def _last_lines(self) -> list[int]:
        """The last line of each prompt's whole branch; a prompt stands after the one that it follows."""
        last = [prompt.last for prompt in self._prompts]
        for number in range(len(last) - 1, -1, -1):
            before = self._prompts[number].before
            if before is not None:
                last[before] = max(last[before], last[number])
        return last
