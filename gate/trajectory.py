"""What an agent did, in one vocabulary: the only one that replay and oracles see."""

import enum
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gate.errors import CannotApply


class Ok(enum.StrEnum):
    """Whether the recording says that a step succeeded. *unknown* is its own answer, never taken for success."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded change of one file, as the tool that made it understood it.

    `path` is as recorded (bytes that are not UTF-8 as surrogate escapes). `before` and `after` are whole contents
    where the recording holds them: replay trusts `after` first, then `before` with `apply`, then its own state with
    `apply`. A recording whose tool behaves differently subclasses an edit and overrides `apply`.
    """

    path: str
    before: bytes | None = None
    after: bytes | None = None

    def apply(self, content: bytes | None) -> bytes | None:
        """The file's content after this edit; None is no file, before and after. CannotApply where it does not fit."""
        raise NotImplementedError


class Write(Edit, frozen=True, kw_only=True):
    """The whole file is written."""

    content: bytes

    def apply(self, content: bytes | None) -> bytes | None:  # noqa: ARG002 - a write does not look at what was there
        """The written content, whatever was there."""
        return self.content


class Replace(Edit, frozen=True, kw_only=True):
    """Exactly one place, or with `all` every place, is replaced."""

    old: bytes
    new: bytes
    all: bool = False

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with `old` replaced by `new`; an empty `old` makes a file that is not there or empty."""
        if not self.old:
            if content:
                raise CannotApply("the old text is empty, but the file is not", kind="replay_mismatch")
            return self.new
        if content is None:
            raise CannotApply("there is no such file", kind="replay_mismatch")
        count = content.count(self.old)
        if count == 0:
            raise CannotApply(f"the old text is not in the file; {nearest(content, self.old)}", kind="replay_mismatch")
        if count > 1 and not self.all:
            raise CannotApply(f"the old text is in the file {count} times, expected once", kind="replay_mismatch")
        return content.replace(self.old, self.new)


class Insert(Edit, frozen=True, kw_only=True):
    """Text is put after line `line` (0: before the first)."""

    line: int
    text: bytes

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the text inserted between two lines."""
        if content is None:
            raise CannotApply("there is no such file", kind="replay_mismatch")
        lines = content.splitlines(keepends=True) if b"\r" in content else content.split(b"\n")
        if b"\r" not in content:
            lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
        if not 0 <= self.line <= len(lines):
            raise CannotApply(f"line {self.line} is not in a file of {len(lines)} lines", kind="replay_mismatch")
        return b"".join(lines[: self.line]) + self.text + b"".join(lines[self.line :])


class Delete(Edit, frozen=True, kw_only=True):
    """The file is removed."""

    def apply(self, content: bytes | None) -> bytes | None:
        """No file; there must have been one."""
        if content is None:
            raise CannotApply("there is no such file", kind="replay_mismatch")
        return None


class Move(Edit, frozen=True, kw_only=True):
    """The file at `path` gets the name `to`; replay moves the content."""

    to: str

    def apply(self, content: bytes | None) -> bytes | None:
        """The content that arrives at `to`; there must have been a file."""
        if content is None:
            raise CannotApply("there is no such file", kind="replay_mismatch")
        return content


def nearest(content: bytes, old: bytes) -> str:
    """Where the first line of `old` that holds something comes closest, for a message."""
    import difflib  # only a failed edit needs it

    wanted = next((line for line in old.decode("utf-8", "replace").split("\n") if line.strip()), "")
    lines = content.decode("utf-8", "replace").split("\n")[:20_000]
    close = difflib.get_close_matches(wanted, lines, n=1, cutoff=0.5)
    if not close:
        return "nothing there is like it"
    return f"nearest is line {lines.index(close[0]) + 1}: {close[0].strip()[:120]!r}"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded command: its text, where it ran, how it ended and what it printed (cut by the reader)."""

    text: str
    directory: str | None = None
    exit_code: int | None = None
    output: str = ""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One action of an agent and what came of it.

    `number` counts from 1 in the order of the calls, `line` is the source line in the recording (0: not by lines).
    `names` are files that an unknown tool names in its arguments: such a step may have changed them. `raw` is the
    step as recorded, for oracles that look at the text itself.
    """

    number: int
    line: int = 0
    agent: str = ""
    turn: int = 0
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
    names: tuple[str, ...] = ()
    known: bool = True
    raw: Any = None


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a recording that the reader had to leave out; `grave` when an edit or a result may be lost."""

    line: int
    reason: str
    grave: bool = False


class Trajectory(msgspec.Struct, frozen=True, kw_only=True):
    """A whole recording, read. `steps` can be iterated again and again; for a large recording it reads anew.

    `directory` is the agent's working directory, `start` the commit it started from, where recorded. `unverified`
    says that the reader was built without a real sample of such edits.
    """

    format: str
    steps: Iterable[Step]
    path: str = ""
    agent: str = ""
    model: str = ""
    directory: str | None = None
    start: str | None = None
    dropped: tuple[Dropped, ...] = ()
    unverified: bool = False
