"""What models write for Cline and Roo Code: whole files, and SEARCH/REPLACE blocks as these find their places."""

import re
from collections.abc import Iterator

import msgspec

from gate.agents.lookalike import SPACES, any_crlf, indent_of
from gate.editing.edit import Edit, nearest, no_file
from gate.editing.text import LF, encoded
from gate.errors import CannotApply, RecordingError

_SEARCH = re.compile(r"(?:<{3,}|-{3,}) SEARCH>?")
_MIDDLE = re.compile(r"={3,}")
_REPLACE = re.compile(r"(?:>{3,}|\+{3,}) REPLACE>?")
_ROO = re.compile(
    r"(?:^|\n)<<<<<<< SEARCH>?\s*\n(?::start_line:\s*(\d+)\s*\n)?(?::end_line:\s*\d+\s*\n)?(?:-------\s*\n)?"
    r"(.*?)\n?(?<=\n)=======\s*\n(.*?)\n?(?<=\n)>>>>>>> REPLACE(?=\n|$)",
    re.DOTALL,
)
_ESCAPED = re.compile(r"^\\(<<<<<<<|=======|>>>>>>>|-------|:end_line:|:start_line:)", re.MULTILINE)
_NUMBERED = re.compile(r"\s*(\d+)\s+\|(?!\|)\s?(.*)")
_WHITE = re.compile(f"[{re.escape(SPACES)}]+")
_ROO_SAME = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "—": "-", "–": "-"})
_BUFFER = 40
_SHORTEST_ANCHORED = 3


class Block(msgspec.Struct, frozen=True):
    """Text that is searched for and what replaces it; `line` is where it is said to stand, 0 for anywhere."""

    search: str
    replace: str
    line: int = 0


class Saved(Edit, frozen=True, kw_only=True):
    """An edit whose result shows the file as the editor saved it, but for white space at its end."""

    def outcome(self, content: bytes | None) -> bytes | None:
        """The file as it was saved, ending as the edit makes it end."""
        if self.after is None:
            return super().outcome(content)
        try:
            made = (self.apply(content) or b"").decode("utf-8", "replace")
        except CannotApply:
            made = "\n"
        shown = self.after.decode("utf-8", "replace").rstrip(SPACES)
        return any_crlf(content or b"").put(encoded(shown + made[len(made.rstrip(SPACES)) :]))


class SavedWrite(Saved, frozen=True, kw_only=True):
    """The whole file is written in its own line ends; the editor keeps a last line end that it had."""

    content: bytes

    @property
    def written(self) -> bytes:
        """The whole content."""
        return self.content

    def apply(self, content: bytes | None) -> bytes | None:
        """The written content."""
        text = any_crlf(content or b"")
        return text.put(closed(text.body, self.content))


def closed(before: bytes, after: bytes) -> bytes:
    """The new text, with a last line end where the old one had one, as the editor keeps it."""
    return after + LF if before.endswith(LF) and not after.endswith(LF) else after


def unfenced(content: str) -> str:
    """A content without the fence that some models write around it."""
    lines = content.split("\n")
    lines = lines[1:] if content.startswith("```") else lines
    return "\n".join(lines[:-1] if content.endswith("```") else lines)


class Blocks(Saved, frozen=True, kw_only=True):
    """The blocks of one call."""

    blocks: tuple[Block, ...]

    @property
    def written(self) -> bytes:
        """The new texts."""
        return b"\n".join(encoded(block.replace) for block in self.blocks)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with every block replaced, in the file's own line ends."""
        if content is None and any(block.search for block in self.blocks):
            raise no_file()
        text = any_crlf(content or b"")
        after = encoded(self.replaced(text.body.decode("utf-8", "replace")))
        return text.put(closed(text.body, after))

    def replaced(self, body: str) -> str:
        """The text with every block replaced."""
        raise NotImplementedError


class ClineBlocks(Blocks, frozen=True, kw_only=True):
    """Cline's `replace_in_file`: whole lines, found exactly, else but for indentation, else by first and last."""

    def replaced(self, body: str) -> str:
        """The text with every block replaced; blocks may come in any order."""
        places, at = [], 0
        for block in self.blocks:
            start, end = self._place(body, block.search, at)
            places.append((start, end, block.replace))
            at = end if start >= at else at
        result, at = "", 0
        for start, end, new in sorted(places, key=lambda place: place[0]):
            result += body[at:start] + new
            at = end
        return result + body[at:]

    def _place(self, body: str, search: str, at: int) -> tuple[int, int]:
        if not search:
            return 0, len(body)
        start = body.find(search, at)
        found = (start, start + len(search)) if start >= 0 else _by_lines(body, search, at)
        if found is None:
            start = body.find(search)
            if start < 0:
                near = nearest(encoded(body), encoded(search))
                raise CannotApply(f"the searched text is not in the file; {near}", kind="replay_mismatch")
            found = (start, start + len(search))
        return found


def cline_blocks(diff: str) -> tuple[Block, ...]:
    """The blocks of a diff as Cline reads it. RecordingError where there is none."""
    blocks: list[Block] = []
    search: list[str] = []
    replace: list[str] | None = None
    inside = False
    for line in diff.split("\n"):
        if _SEARCH.fullmatch(line):
            inside, search, replace = True, [], None
        elif inside and replace is None and _MIDDLE.fullmatch(line):
            replace = []
        elif inside and replace is not None and _REPLACE.fullmatch(line):
            blocks.append(_joined(search, replace))
            inside = False
        elif inside:
            (search if replace is None else replace).append(line)
    if inside and replace is not None:  # without its last marker it counts too
        blocks.append(_joined(search, replace))
    return _some(blocks)


def _joined(search: list[str], replace: list[str]) -> Block:
    return Block("".join(f"{line}\n" for line in search), "".join(f"{line}\n" for line in replace))


def _some(blocks: list[Block]) -> tuple[Block, ...]:
    if not blocks:
        raise RecordingError("arguments.diff: expected SEARCH/REPLACE blocks, found none", kind="broken_step")
    return tuple(blocks)


def _by_lines(body: str, search: str, at: int) -> tuple[int, int] | None:
    """Where the lines stand but for white space around them, else where the first and the last of them do."""
    lines, wanted = body.split("\n"), [line.strip(SPACES) for line in search.removesuffix("\n").split("\n")]
    bare = [line.strip(SPACES) for line in lines]
    first = body.count("\n", 0, at) + (at > 0 and body[at - 1 : at] != "\n")
    places = range(first, len(lines) - len(wanted) + 1)
    found = next((place for place in places if bare[place : place + len(wanted)] == wanted), None)
    if found is None and search.count("\n") >= _SHORTEST_ANCHORED - 1:
        ends = (wanted[0], wanted[-1])
        found = next((place for place in places if (bare[place], bare[place + len(wanted) - 1]) == ends), None)
    if found is None:
        return None
    start = sum(len(line) + 1 for line in lines[:found])
    return start, start + sum(len(line) + 1 for line in lines[found : found + len(wanted)])


class RooBlocks(Blocks, frozen=True, kw_only=True):
    """Roo Code's `apply_diff`: whole lines near the line that is named, at the indentation found there.

    `partly` says that the tool told of blocks which did not fit; the others count.
    """

    partly: bool = False

    def replaced(self, body: str) -> str:
        """The text with every block replaced, from the first named line to the last."""
        lines, moved, done = body.split("\n"), 0, 0
        for block in sorted(self.blocks, key=lambda block: block.line):
            try:
                at, length, new = _placed(lines, block, moved)
            except CannotApply:
                if not self.partly:
                    raise
                continue
            lines[at : at + length] = new
            moved += len(new) - length
            done += 1
        if not done:
            raise CannotApply("none of the blocks is in the file", kind="replay_mismatch")
        return "\n".join(lines)


def roo_blocks(diff: str) -> tuple[Block, ...]:
    """The blocks of a diff as Roo Code reads it. RecordingError where there is none."""
    blocks = []
    for match in _ROO.finditer(diff):
        search, replace = (_ESCAPED.sub(r"\1", part) for part in match.group(2, 3))
        line = int(match[1] or 0)
        if is_numbered(search) and (is_numbered(replace) or not replace.strip()):
            line = line or int(_NUMBERED.fullmatch(search.split("\n")[0])[1])  # type: ignore[index] # it has just matched
            search, replace = unnumbered(search), unnumbered(replace)
        blocks.append(Block(search, replace, line))
    return _some(blocks)


def is_numbered(text: str) -> bool:
    """Whether every line of a text begins with its number and a bar, as Roo Code shows files."""
    return all(_NUMBERED.fullmatch(line) for line in text.split("\n"))


def unnumbered(text: str) -> str:
    """The text without the numbers before its lines."""
    return "\n".join(match[2] if (match := _NUMBERED.fullmatch(line)) else line for line in text.split("\n"))


def _placed(lines: list[str], block: Block, moved: int) -> tuple[int, int, list[str]]:
    """Where the lines of a block stand, how many they are, and the new ones at the indentation found there."""
    search = block.search.split("\n") if block.search else []
    if not search or block.search == block.replace:
        raise CannotApply("a block searches for nothing, or changes nothing", kind="replay_mismatch")
    wanted, named = _same("\n".join(search)), block.line + moved if block.line else 0
    for at in _candidates(named, len(search), len(lines)):
        found = lines[at : at + len(search)]
        if found and _same("\n".join(found)) == wanted:
            replace = block.replace.split("\n") if block.replace else []
            return at, len(search), [_indented(line, found[0], search[0]) for line in replace]
    near = nearest(encoded("\n".join(lines)), encoded(block.search))
    raise CannotApply(f"the searched text is not in the file; {near}", kind="replay_mismatch")


def _candidates(named: int, length: int, total: int) -> Iterator[int]:
    """The lines in the order in which the tool tries them: the named one, then from the middle outwards."""
    low, high = 0, total
    if named:
        yield max(0, named - 1)
        low, high = max(0, named - _BUFFER - 1), min(total, named + length + _BUFFER)
    left = (low + high) // 2
    right = left + 1
    while left >= low or right <= high - length:
        if left >= low:
            yield left
        if right <= high - length:
            yield right
        left, right = left - 1, right + 1


def _same(text: str) -> str:
    return _WHITE.sub(" ", text.translate(_ROO_SAME)).strip(SPACES)


def _indented(line: str, found: str, searched: str) -> str:
    """A new line moved as far as the found line stands from the searched one."""
    indent, base, there = (indent_of(part) for part in (line, searched, found))
    deeper = len(indent) - len(base)
    kept = there[: max(0, len(there) + deeper)] if deeper < 0 else there + indent[len(base) :]
    return kept + line.strip(SPACES)
