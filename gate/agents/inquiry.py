"""What is asked of a line of a Codex rollout before it is read in full: what it is about, and whether it is wanted."""

from typing import Any

import msgspec

from gate.agents.codex import SHELLS, text_of
from gate.agents.thread import REDACTED
from gate.trajectory import Choice


class _Text(msgspec.Struct, gc=False):
    """A part of a message."""

    text: Any = None


class Asked(msgspec.Struct, gc=False):
    """What is wanted of a payload."""

    type: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | None = None
    call_id: str | None = None
    role: str | None = None
    content: list[_Text] | str | None = None
    id: str | None = None

    @property
    def key(self) -> str:
        """The id of the call that it is about; nothing where it is blacked out."""
        key = self.id if self.call_id is None else self.call_id
        return "" if key is None or key == REDACTED else key


class Line(msgspec.Struct, gc=False):
    """What is wanted of a line."""

    type: str | None = None
    payload: Asked | None = None


class _Shell(msgspec.Struct, gc=False):
    """The arguments of a shell call as far as they hold the command."""

    command: str | list[str] | None = None
    cmd: str | None = None


decode = msgspec.json.Decoder(Line).decode
"""What is wanted of a line. msgspec.DecodeError or RecursionError where it must be read in full."""

_decode_shell = msgspec.json.Decoder(_Shell).decode


def _command(asked: Asked) -> str | None:
    """The command of a shell call; None where it is none, or may be more than a command."""
    if asked.name not in SHELLS or asked.namespace or asked.arguments is None:
        return None
    try:
        shell = _decode_shell(asked.arguments)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    words = shell.cmd if shell.command is None else shell.command
    if not words:
        return None
    return words if type(words) is str else text_of(words)


def is_plain(asked: Asked) -> bool:
    """Whether a call is a command that hands no patch to apply_patch."""
    text = _command(asked)
    return text is not None and "atch" not in text  # `apply_patch`, `applypatch`, `*** Begin Patch`


def wanted(line: bytes, choice: Choice) -> str:
    """The id of a plain call that a choice wants; nothing where it does not."""
    by_line = choice.line is not None and choice.line(line)
    if not by_line and choice.command is None:
        return ""
    asked = decode(line).payload
    if asked is None:
        return ""
    text = _command(asked) if choice.command is not None and not by_line else None
    return asked.key if by_line or (choice.command and text is not None and choice.command(text)) else ""
