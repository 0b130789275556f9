"""What the editing tools of Roo Code do to files."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.agents.lookalike import SPACES, any_crlf
from gate.agents.searchblock import RooBlocks, Saved, SavedWrite, closed, is_numbered, roo_blocks, unfenced, unnumbered
from gate.editing import patch
from gate.editing.edit import Edit, nearest, no_file, no_line, not_once
from gate.editing.text import encoded
from gate.errors import CannotApply, RecordingError

_DOLLAR = re.compile(r"\$([$&`'])")
_PIECE = re.compile(f"[{re.escape(SPACES)}]+|[^{re.escape(SPACES)}]+")
_ANY = f"[{re.escape(SPACES)}]+"
_PARTLY = "unable to apply all diff parts"


class _Rewritten(Saved, frozen=True, kw_only=True):
    """An edit that takes the text with LF ends and puts the file's own back."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The file's content with its text rewritten; the editor keeps a last line end that it had."""
        if content is None:
            raise no_file()
        text = any_crlf(content)
        after = encoded(self.rewritten(text.body.decode("utf-8", "replace")))
        return text.put(closed(text.body, after))

    def rewritten(self, body: str) -> str:
        """The text after the edit."""
        raise NotImplementedError


class Literal(_Rewritten, frozen=True, kw_only=True):
    """Text is replaced where it stands once, with `all` wherever it stands.

    With `dollars` the new text is a replacement of JavaScript's, where `$&` is the text found. `first` and `last` are
    the lines, counted from 1, between which it may stand; 0 leaves them open.
    """

    old: str
    new: str
    all: bool = False
    dollars: bool = False
    ignore_case: bool = False
    first: int = 0
    last: int = 0

    @property
    def written(self) -> bytes:
        """The new text."""
        return encoded(self.new)

    def rewritten(self, body: str) -> str:
        """The text with the old one replaced."""
        lines = body.split("\n")
        first, last = max(self.first - 1, 0), min(self.last or len(lines), len(lines))
        part = "\n".join(lines[first:last])
        found = re.compile(re.escape(self.old), re.IGNORECASE if self.ignore_case else 0)
        places = list(found.finditer(part)) if self.old else []
        if not places or (len(places) > 1 and not self.all):
            raise _not_once(len(places), body, self.old)
        result, at = "", 0
        for place in places:
            result += part[at : place.start()] + (_dollars(self.new, part, place) if self.dollars else self.new)
            at = place.end()
        return "\n".join([*lines[:first], result + part[at:], *lines[last:]])


def _dollars(new: str, part: str, place: re.Match[str]) -> str:
    stands = {"$": "$", "&": place[0], "`": part[: place.start()], "'": part[place.end() :]}
    return _DOLLAR.sub(lambda match: stands[match[1]], new)


def _not_once(count: int, body: str, old: str) -> CannotApply:
    if count:
        return not_once(count)
    near = nearest(encoded(body), encoded(old))
    return CannotApply(f"the old text is not in the file; {near}", kind="replay_mismatch")


class Tolerant(_Rewritten, frozen=True, kw_only=True):
    """`edit_file`: text that stands `count` times, else but for its white space, else by its words, is replaced.

    An empty old text makes the file.
    """

    old: str
    new: str
    count: int = 1

    @property
    def written(self) -> bytes:
        """The new text."""
        return encoded(self.new)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with every place replaced."""
        if self.old:
            return super().apply(content)
        if content is not None:
            raise CannotApply("the old text is empty, but there is such a file", kind="replay_mismatch")
        return encoded(self.new)

    def rewritten(self, body: str) -> str:
        """The text with the old one replaced wherever the first way that finds it often enough does."""
        new = self.new.replace("\r\n", "\n")
        most = 0
        for pattern in _ways(self.old.replace("\r\n", "\n")):
            places = len(list(pattern.finditer(body)))
            if places == self.count:
                return pattern.sub(lambda _: new, body)
            most = max(most, places)
        if most and self.count > 1:
            raise CannotApply(f"the old text is not in the file {self.count} times", kind="replay_mismatch")
        raise _not_once(most, body, self.old)


def _ways(old: str) -> Iterator[re.Pattern[str]]:
    pieces = _PIECE.findall(old)
    yield re.compile(re.escape(old))
    yield re.compile("".join(_blank(piece) if not piece.strip(SPACES) else re.escape(piece) for piece in pieces))
    words = [re.escape(piece) for piece in pieces if piece.strip(SPACES)]
    if words:
        yield re.compile(_ANY.join(words))


def _blank(piece: str) -> str:
    return _ANY if "\n" in piece else r"[\t ]+"


class Inserted(Saved, frozen=True, kw_only=True):
    """`insert_content`: text becomes lines before line `line`, counted from 1; 0 is the end of the file."""

    line: int
    text: str

    @property
    def written(self) -> bytes:
        """The inserted text."""
        return encoded(self.text)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the lines between; a file that is not there is made."""
        text = any_crlf(content or b"")
        lines = text.body.decode("utf-8", "replace").split("\n") if content is not None else []
        at = self.line - 1 if self.line else len(lines)
        if at > len(lines):
            raise no_line(self.line, of=len(lines))
        lines[at:at] = self.text.split("\n")
        return text.put(closed(text.body, encoded("\n".join(lines))))


def edits_of(tool: str, arguments: Mapping[str, Any], said: str, *, xml: bool) -> tuple[Edit, ...]:
    """The edits of one call whose result said this; `xml` is one in a text, whose contents lie on lines of their own.

    RecordingError where the call does not say what it did.
    """
    if tool == "apply_patch":
        return patch.edits_of(given.text(arguments, "patch", "input"))
    path = given.named(arguments, "path", "file_path")
    if tool == "apply_diff":
        blocks = roo_blocks(given.text(arguments, "diff").strip(SPACES))
        return (RooBlocks(path=path, blocks=blocks, partly=_PARTLY in said),)
    if tool == "write_to_file":
        content = unfenced(_content(arguments, xml))
        return (SavedWrite(path=path, content=encoded(unnumbered(content) if is_numbered(content) else content)),)
    if tool == "insert_content":
        line = given.number(arguments, "line")
        if line is None or line < 0:
            raise given.missing("line", "a number")
        return (Inserted(path=path, line=line, text=_content(arguments, xml)),)
    return tuple(_replaced(tool, path, arguments))


def _content(arguments: Mapping[str, Any], xml: bool) -> str:
    content = given.text(arguments, "content")
    return content.removeprefix("\n").removesuffix("\n") if xml else content


def _replaced(tool: str, path: str, arguments: Mapping[str, Any]) -> Iterator[Edit]:
    if tool == "edit_file":
        old, new = given.optional(arguments, "old_string") or "", given.text(arguments, "new_string")
        yield Tolerant(path=path, old=old, new=new, count=max(1, given.number(arguments, "expected_replacements") or 1))
    elif "operations" in arguments:
        for part in given.parts(arguments, "operations"):
            yield Literal(path=path, old=_lf(part, "search"), new=_lf(part, "replace"), dollars=True)
    elif "search" in arguments:
        yield _searched(path, arguments)
    else:
        yield Literal(
            path=path,
            old=_lf(arguments, "old_string"),
            new=_lf(arguments, "new_string"),
            all=_is_true(arguments, "replace_all"),
            dollars=tool == "search_replace",
        )


def _searched(path: str, arguments: Mapping[str, Any]) -> Edit:
    if _is_true(arguments, "use_regex"):
        raise RecordingError("it replaced by a regular expression of JavaScript's, which is not run here", kind="code")
    return Literal(
        path=path,
        old=_lf(arguments, "search"),
        new=_lf(arguments, "replace"),
        all=True,
        dollars=True,
        ignore_case=_is_true(arguments, "ignore_case"),
        first=given.number(arguments, "start_line") or 0,
        last=given.number(arguments, "end_line") or 0,
    )


def _lf(arguments: Mapping[str, Any], key: str) -> str:
    return given.text(arguments, key).replace("\r\n", "\n")


def _is_true(arguments: Mapping[str, Any], key: str) -> bool:
    return arguments.get(key) in (True, "true")
