"""Edits of files, each as the tool that made it understood it: how a recorded edit becomes content."""

from io import BytesIO
from typing import AnyStr

import msgspec

from gate.editing.likeness import closest
from gate.editing.text import Text
from gate.errors import CannotApply

BLACKED_OUT = "REDACTED"
"""What stands for something secret-looking, as Entire's checkpoints and most log scrubbers write it."""
_MARK = BLACKED_OUT.encode()

_MOST_LINES = 20_000  # of a file, in a search for the nearest one

MOST_REPEATED = 2 * 1024 * 1024
"""Bytes that the edits of a recording may make by repeating text: a few lines of it can ask for any number."""


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded change of one file, as the tool that made it understood it.

    `path` is as recorded (bytes that are not UTF-8 as surrogate escapes). `before` and `after` are whole contents
    where the recording holds them: replay trusts `after` first, then `before` with `apply`, then its own state with
    `apply`. A recording whose tool behaves differently subclasses an edit and overrides `apply`; one whose contents
    are not the file's bytes (line ends, encoding) overrides `start` and `outcome` too.
    """

    path: str
    before: bytes | None = None
    after: bytes | None = None

    @property
    def written(self) -> bytes:
        """The text that this edit puts into the file, as recorded."""
        return self.after or b""

    def start(self, content: bytes | None) -> bytes | None:
        """What this edit begins from when the replay has `content`: the recorded content before it, if there is one.

        A recorded content that the recorder has blacked out in places is no evidence against what the replay has.
        """
        if self.before is None or (content is not None and _blacked_out(self.before, content)):
            return content
        return self.before

    def outcome(self, content: bytes | None) -> bytes | None:
        """The file's content after this edit, by order of trust. CannotApply where the edit does not fit."""
        return self.after if self.after is not None else self.apply(self.start(content))

    def apply(self, content: bytes | None) -> bytes | None:
        """The file's content after this edit; None is no file, before and after. CannotApply where it does not fit."""
        raise NotImplementedError


class Write(Edit, frozen=True, kw_only=True):
    """The whole file is written."""

    content: bytes

    @property
    def written(self) -> bytes:
        """The whole content."""
        return self.content

    def apply(self, content: bytes | None) -> bytes | None:  # noqa: ARG002 - a write does not look at what was there
        """The written content, whatever was there."""
        return self.content


class Replace(Edit, frozen=True, kw_only=True):
    """Exactly one place, or with `all` every place, is replaced."""

    old: bytes
    new: bytes
    all: bool = False

    @property
    def written(self) -> bytes:
        """The new text."""
        return self.new

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with `old` replaced by `new`; an empty `old` makes a file that is not there or empty."""
        if not self.old:
            if content:
                raise CannotApply("the old text is empty, but the file is not", kind="replay_mismatch")
            return self.new
        if content is None:
            raise no_file()
        count = content.count(self.old)
        if count == 0:
            raise CannotApply(f"the old text is not in the file; {nearest(content, self.old)}", kind="replay_mismatch")
        if count > 1 and not self.all:
            raise not_once(count)
        return everywhere(content, self.old, self.new)


class TextReplace(Replace, frozen=True, kw_only=True):
    """A replacement by a tool that works on text with LF ends and puts the file's own line ends and encoding back.

    `old`, `new`, `before` and `after` are such text, as UTF-8.
    """

    def start(self, content: bytes | None) -> bytes | None:
        """The file itself where the recording saw the same text, else the recorded text in the file's own ways."""
        if content is None or self.before is None or content == self.before or _blacked_out(self.before, content):
            return super().start(content)
        text = self.seen(content)
        return content if text.body == self.seen(self.before).body else text.put(self.before)

    def outcome(self, content: bytes | None) -> bytes | None:
        """The recorded text after the edit in the file's own ways, else what applying gives."""
        if self.after is not None and content is not None:
            return self.seen(content).put(self.after)
        return super().outcome(content)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with `old` replaced by `new` in its text."""
        if content is None:
            return super().apply(None)
        text = self.seen(content)
        return text.put(self.replaced(text.body))

    def seen(self, content: bytes) -> Text:
        """The file as the tool reads it; tools that tell line ends in another way override this."""
        return Text.of(content)

    def replaced(self, body: bytes) -> bytes:
        """The text with `old` replaced by `new`; tools that do more than that override this."""
        return super().apply(body) or b""


class Insert(Edit, frozen=True, kw_only=True):
    """Text is put after line `line` (0: before the first)."""

    line: int
    text: bytes

    @property
    def written(self) -> bytes:
        """The inserted text."""
        return self.text

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the text inserted between two lines."""
        if content is None:
            raise no_file()
        lines = BytesIO(content).readlines()  # at LF only, where splitlines would also end a line at a lone CR
        if not 0 <= self.line <= len(lines):
            raise no_line(self.line, of=len(lines))
        return b"".join(lines[: self.line]) + self.text + b"".join(lines[self.line :])


class Delete(Edit, frozen=True, kw_only=True):
    """The file is removed."""

    def apply(self, content: bytes | None) -> bytes | None:
        """No file; there must have been one."""
        if content is None:
            raise no_file()
        return None


class Move(Edit, frozen=True, kw_only=True):
    """The file at `path` gets the name `to`; replay moves the content, which `edit` changes on the way."""

    to: str
    edit: Edit | None = None

    @property
    def written(self) -> bytes:
        """The text that is put into the file on the way."""
        return super().written if self.edit is None else self.edit.written

    def apply(self, content: bytes | None) -> bytes | None:
        """The content that arrives at `to`; there must have been a file."""
        if self.edit is not None:
            return self.edit.apply(content)
        if content is None:
            raise no_file()
        return content


def everywhere(text: AnyStr, old: AnyStr, new: AnyStr) -> AnyStr:
    """The text with `new` for every `old`. CannotApply where that repeats it more often than any edit would."""
    if len(text) * len(new) > MOST_REPEATED:  # to count takes as long as to replace
        check_repeated((text.count(old) - 1) * (len(new) - len(old)))
    return text.replace(old, new)


def check_repeated(size: int) -> None:
    """CannotApply where so many bytes that are not in the recording are more than are kept."""
    if size > MOST_REPEATED:
        most = f"more than the {MOST_REPEATED} that are kept"
        raise CannotApply(f"it repeats text to {size} bytes that no recording holds, {most}", kind="expansion")


def no_file() -> CannotApply:
    """The error of an edit whose file is not there."""
    return CannotApply("there is no such file", kind="replay_mismatch")


def no_line(line: int, *, of: int) -> CannotApply:
    """The error of an edit at a line that a file of so many lines does not have."""
    return CannotApply(f"line {line} is not in a file of {of} lines", kind="replay_mismatch")


def not_once(count: int, what: str = "the old text") -> CannotApply:
    """The error of an edit whose place was to be told by a text that is in the file several times."""
    return CannotApply(f"{what} is in the file {count} times, expected once", kind="replay_mismatch")


def _blacked_out(recorded: bytes, content: bytes) -> bool:
    """Whether the recorder has put a mark in place of something secret-looking that `content` still shows."""
    return recorded.count(_MARK) > content.count(_MARK)


def nearest(content: bytes, old: bytes) -> str:
    """Where the first line of `old` that holds something comes closest, for a message."""
    if differing := line_ends(content, old):
        return differing
    wanted = next((line for line in old.decode("utf-8", "replace").split("\n") if line.strip()), "")
    lines = content.decode("utf-8", "replace").split("\n", _MOST_LINES)[:_MOST_LINES]
    same = [line for line in lines if line.strip() == wanted.strip() != ""]
    close = min(same, key=lambda line: abs(len(line) - len(wanted))) if same else closest(wanted, lines, least=0.5)
    if not close:
        return "nothing there is like it"
    return f"nearest is line {lines.index(close) + 1}: {close.strip()[:120]!r}"


def line_ends(content: bytes, old: bytes) -> str:
    """The clause where nothing but line ends keeps `old` from standing in the content from a line's start on."""
    bare = old.replace(b"\r\n", b"\n")
    before, found, _ = (b"\n" + content.replace(b"\r\n", b"\n")).partition(b"\n" + bare)
    if not found or not bare.strip() or old in content:
        return ""
    line = before.count(b"\n") + 1
    told = "LF in the file, CRLF" if b"\r\n" in old else "CRLF in the file, LF"
    return f"only the line ends differ from line {line} on: {told} in what is looked for"
