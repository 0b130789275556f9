"""What an agent did, in one vocabulary: the only one that replay and oracles see."""

import enum
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from gate.editing.edit import Delete, Edit, Insert, Move, Replace, TextReplace, Write

__all__ = [
    "Choice",
    "Command",
    "Delete",
    "Dropped",
    "Edit",
    "Insert",
    "Lost",
    "Move",
    "Ok",
    "Replace",
    "Step",
    "SystemEvent",
    "TextReplace",
    "Tokens",
    "Trajectory",
    "Write",
    "joined",
]

_T = TypeVar("_T")


class Ok(enum.StrEnum):
    """Whether the recording says that a step succeeded. *unknown* is its own answer, never taken for success."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded command: its text, where it ran, how it ended and what it printed (cut by the reader)."""

    text: str
    directory: str | None = None
    exit_code: int | None = None
    output: str = ""


class Lost(msgspec.Struct, frozen=True):
    """Why a step may have changed files in a way that the recording does not tell; `kind` is a stable word."""

    reason: str
    kind: str = "broken_step"

    @property
    def is_shapeless(self) -> bool:
        """Whether nobody can tell what the step did: it has a shape that its reader does not know."""
        return self.kind in ("broken_step", "path_not_normal")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One action of an agent and what came of it, or one message.

    `number` counts from 1 in the order of the calls, `line` is the source line in the recording (0: not by lines).
    `source` is "agent", or "user" for a prompt; a step without `tool` is a message. `directory` is where the step
    ran, where that is recorded: relative paths of its edits start there. `answer` tells which answer of the model it
    stands in, where that is known: calls of one answer were made together. `names` are files that an unknown tool names
    in its arguments: such a step may have changed them, and `lost` says why else it may have. `undone` says that a
    person went back to before this step, which put the files back. `raw` is the step as recorded, for oracles that
    look at the text itself; it is None for what a person wrote.
    """

    number: int
    line: int = 0
    source: str = "agent"
    agent: str = ""
    turn: int = 0
    answer: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = {}
    observation: str = ""
    message: str = ""
    time: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    ok: Ok = Ok.UNKNOWN
    edits: tuple[Edit, ...] = ()
    commands: tuple[Command, ...] = ()
    directory: str | None = None
    names: tuple[str, ...] = ()
    known: bool = True
    undone: bool = False
    lost: Lost | None = None
    raw: Any = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Which calls that change no file are wanted: those of whose commands, or of whose recorded line, a test says so.

    A command's text is tested as recorded, a line as the bytes that it is.
    """

    command: Callable[[str], bool] | None = None
    line: Callable[[bytes], bool] | None = None


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a recording that the reader had to leave out; `grave` when an edit or a result may be lost.

    `kind` is "foreign_result" for a result that names the call of another step: it is nobody's, and no call is lost.
    """

    line: int
    reason: str
    grave: bool = False
    kind: str = ""


class SystemEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the agent's harness recorded of itself, such as a compaction of the context.

    `turn` counts the person's prompts before it, `kind` is the harness's own word, "error" for an error.
    """

    kind: str
    turn: int = 0
    text: str = ""
    time: str = ""
    line: int = 0


class Tokens(msgspec.Struct, frozen=True):
    """What a whole run read and wrote, where a recording tells that of the run alone and not of its steps."""

    read: int
    written: int


class Trajectory(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A whole recording, read. `steps` can be iterated again and again; for a large recording it reads anew.

    `directory` is the agent's working directory, `roots` are further checkouts of the same repository that it moved
    to (worktrees), `start` is the commit it started from, where recorded. `events` are those of its harness (None:
    the format has none), `tokens` what the run cost where the steps do not say it. `unverified` says that the
    reader was built without a real sample of such edits.
    """

    format: str
    steps: Iterable[Step]
    path: str = ""
    agent: str = ""
    model: str = ""
    directory: str | None = None
    roots: tuple[str, ...] = ()
    start: str | None = None
    dropped: tuple[Dropped, ...] = ()
    events: tuple[SystemEvent, ...] | None = None
    tokens: Tokens | None = None
    unverified: bool = False

    def chosen(self, choice: Choice) -> Iterable[Step]:
        """The steps, some of those that are not wanted left out, and without what they cost and their `answer`.

        Left out is only what is known to change no file: for a large recording that is most, and it is not decoded.
        """
        choose: Callable[[Choice], Iterable[Step]] | None = getattr(self.steps, "chosen", None)
        return choose(choice) if choose else self.steps

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """What `make` gives, called once however many tasks share this recording; kept as long as the recording is."""
        known: dict[Hashable, _T] = self.__dict__.setdefault("known", {})
        if key not in known:
            known[key] = make()
        return known[key]


class _Chain:
    """The steps of several trajectories one after the other, numbered through; each is read anew when asked for."""

    def __init__(self, parts: Sequence[Trajectory]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[Step]:
        number = 0
        for part in self._parts:
            for step in part.steps:
                number += 1
                yield msgspec.structs.replace(step, number=number, directory=step.directory or part.directory)


def joined(parts: Sequence[Trajectory]) -> Trajectory:
    """Several recordings of one change as one, in the order in which their first steps were recorded."""
    if len(parts) == 1:
        return parts[0]
    ordered = sorted(parts, key=lambda part: next((step.time for step in part.steps if step.time), ""))
    places = dict.fromkeys(place for part in ordered for place in (part.directory, *part.roots) if place)
    first = ordered[0]
    return Trajectory(
        format=" and ".join(dict.fromkeys(part.format for part in ordered)),
        steps=_Chain(ordered),
        path=", ".join(part.path for part in ordered),
        agent=first.agent,
        model=first.model,
        directory=next(iter(places), None),
        roots=tuple(places)[1:],
        start=first.start,
        dropped=tuple(lost for part in ordered for lost in part.dropped),
        events=_events(ordered),
        unverified=any(part.unverified for part in ordered),
    )


def _events(parts: Sequence[Trajectory]) -> tuple[SystemEvent, ...] | None:
    """The events of all parts; None where one of them cannot tell."""
    told = [part.events for part in parts if part.events is not None]
    return tuple(event for events in told for event in events) if len(told) == len(parts) else None
