"""Gemini CLI's editing tools: what a call does to a file when its result does not show it."""

import re

from gate.agents.lookalike import SPACES, any_crlf, indent_of, lines_of
from gate.editing.edit import MOST_REPEATED, TextReplace, Write, check_repeated, everywhere, nearest, not_once
from gate.editing.text import CRLF, LF, Text
from gate.errors import CannotApply

_DELIMITERS = re.compile(r"([()\[\]{}:<>=])")


class GeminiReplace(TextReplace, frozen=True, kw_only=True):
    """`replace`: the exact text, else the same lines at another indentation, else the same words.

    The later ways that the tool knows, a text that is nearly the same and one that a model has mended, are not
    repeated: such an edit fits only where the recording shows its outcome.
    """

    def seen(self, content: bytes) -> Text:
        """The file with LF ends; one CRLF anywhere makes it a file with CRLF ends."""
        return any_crlf(content)

    def replaced(self, body: bytes) -> bytes:
        """The text with `old` replaced; the end of the file keeps its line end, or its lack of one."""
        if not self.old:
            return super().replaced(body)
        count = body.count(self.old)
        if count > 1 and not self.all:
            raise not_once(count)
        if count:
            return _ended(body, everywhere(body, self.old, self.new))
        text, old, new = (part.decode("utf-8", "replace") for part in (body, self.old, self.new))
        for attempt in (_by_lines, _by_words):
            found, result = attempt(text, old, new)
            if found > 1 and not self.all:
                raise not_once(found, "text like the old one")
            if found:
                return _ended(body, result.encode())
        raise CannotApply(f"the old text is not in the file; {nearest(body, self.old)}", kind="replay_mismatch")


class GeminiWrite(Write, frozen=True, kw_only=True):
    """`write_file`: a file that had a CRLF gets CRLF ends; `windows` says that a new one has them too."""

    windows: bool = False

    def outcome(self, content: bytes | None) -> bytes | None:
        """What was written, by the result where it is recorded, in the file's own line ends."""
        return self._ended(content, self.content if self.after is None else self.after)

    def apply(self, content: bytes | None) -> bytes | None:
        """The written content in the file's own line ends."""
        return self._ended(content, self.content)

    def _ended(self, content: bytes | None, written: bytes) -> bytes:
        if CRLF in content if content else self.windows:
            return written.replace(CRLF, LF).replace(LF, CRLF)
        return written


def _ended(before: bytes, after: bytes) -> bytes:
    if before.endswith(LF):
        return after if after.endswith(LF) else after + LF
    return after.removesuffix(LF)


def _by_lines(text: str, old: str, new: str) -> tuple[int, str]:
    """How often the lines of `old` are there but for the white space around them, and the text with `new` instead."""
    lines, wanted, found, at = lines_of(text), [line.strip(SPACES) for line in old.split("\n")], 0, 0
    while at <= len(lines) - len(wanted):
        window = lines[at : at + len(wanted)]
        if all(line.strip(SPACES) == like for line, like in zip(window, wanted, strict=True)):
            found += 1
            check_repeated(found * len(new))
            block = "\n".join(_indented(new.split("\n"), indent_of(window[0])))
            if new and window[-1].endswith("\n") and not block.endswith("\n"):
                block += "\n"
            lines[at : at + len(wanted)] = [block]
        at += 1
    return found, "".join(lines)


def _by_words(text: str, old: str, new: str) -> tuple[int, str]:
    """How often the words and signs of `old` are there whatever stands between, and the text with `new` instead."""
    words = _DELIMITERS.sub(r" \1 ", old).split()
    if not words:
        return 0, text
    pattern = re.compile(r"^([ \t]*)" + r"\s*".join(map(re.escape, words)), re.MULTILINE)
    lines = new.split("\n")
    if len(text) * len(new) > MOST_REPEATED:
        check_repeated(sum(len(new) for _ in pattern.finditer(text)))
    result, found = pattern.subn(lambda match: "\n".join(_indented(lines, match[1])), text)
    return found, result


def _indented(lines: list[str], indent: str) -> list[str]:
    """The lines moved so that the first has this indentation; blank ones are empty."""
    first = indent_of(lines[0])
    return [
        ""
        if not line.strip(SPACES)
        else indent + (line[len(first) :] if line.startswith(first) else line.lstrip(SPACES))
        for line in lines
    ]
