"""aider's unified diffs: hunks without line numbers, and how their lines are found in a file."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from gate.editing.edit import Edit, everywhere, nearest, no_file
from gate.editing.text import decoded, stored
from gate.errors import CannotApply

_FEWEST_SIGNS = 10
_OUTDENT = "\N{LEFTWARDS ARROW}"


class HunkEdit(Edit, frozen=True, kw_only=True):
    """The lines of one hunk, each with its sign, replace those that are found in the file.

    They are looked for as they stand, without blank lines around them, and at another indentation, everywhere in the
    file; then change by change, with ever less of the lines around. A hunk that only adds is put at the end. aider goes
    further, and completes a hunk with lines of the file that are like it: such a hunk is not applied here.
    """

    lines: tuple[str, ...]

    @property
    def written(self) -> bytes:
        """The added lines."""
        return stored("".join(line[1:] for line in self.lines if line.startswith("+")))

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the hunk applied."""
        old, new = sides(self.lines)
        if not old.strip():
            return stored(decoded(content or b"") + new)
        if content is None:
            raise no_file()
        text = decoded(content)
        found = _direct(text, self.lines) or _piecewise(text, self.lines)
        if not found:
            near = nearest(content, stored(old))
            raise CannotApply(f"the lines of the hunk are not in the file; {near}", kind="replay_mismatch")
        return stored(found)


def sides(lines: Sequence[str]) -> tuple[str, str]:
    """The text before and after, of lines with their signs; a line of nothing but its end is one of both."""
    old, new = [], []
    for line in lines:
        sign, rest = (" ", line) if len(line) < len("-\n") else (line[0], line[1:])
        old += [rest] if sign in " -" else []
        new += [rest] if sign in " +" else []
    return "".join(old), "".join(new)


def _direct(text: str, lines: Sequence[str]) -> str:
    old, new = sides(lines)
    signs = "".join(line.strip() for line in old.splitlines())
    if not old or (len(signs) < _FEWEST_SIGNS and text.count(old) > 1):
        return ""
    return next((found for found in _searched(text, old, new) if found), "")


def _searched(text: str, old: str, new: str) -> Iterator[str]:
    bare = [each.strip("\n") + "\n" for each in (old, new, text)]
    yield everywhere(text, old, new) if old in text else ""
    yield everywhere(bare[2], bare[0], bare[1]) if bare[0] in bare[2] else ""
    for part, other, whole in ((old, new, text), (bare[0], bare[1], bare[2])):
        if _OUTDENT not in part + other + whole:
            search, replace, body = _relative(part), _relative(other), _relative(whole)
            yield _absolute(everywhere(body, search, replace)) if search in body else ""


def _relative(text: str) -> str:
    """The text with the indentation of each line apart, as what it has more, or less, than the line before."""
    found, before = [], ""
    for line in text.splitlines(keepends=True):
        whole = line.rstrip("\n\r")
        indent = whole[: len(whole) - len(whole.lstrip())]
        change = len(indent) - len(before)
        more = indent[-change:] if change > 0 else _OUTDENT * -change
        found.append(f"{more}\n{line[len(indent) :]}")
        before = indent
    return "".join(found)


def _absolute(text: str) -> str:
    found, before = [], ""
    lines = text.splitlines(keepends=True)
    for more, line in zip(lines[::2], lines[1::2], strict=False):
        change = more.rstrip("\r\n")
        before = before[: -len(change)] if change.startswith(_OUTDENT) else before + change
        found.append(before + line if line.rstrip("\r\n") else line)
    whole = "".join(found)
    return "" if _OUTDENT in whole else whole


def _piecewise(text: str, lines: Sequence[str]) -> str:
    """Each run of changed lines by itself, with as much of the lines around it as is found."""
    runs = [list(run) for _, run in groupby(lines, key=lambda line: line[:1] in ("-", "+"))]
    if runs and runs[0][0][:1] in ("-", "+"):
        runs.insert(0, [])
    if len(runs) % 2 == 0:
        runs.append([])
    for at in range(1, len(runs), 2):
        text = _partly(text, runs[at - 1], runs[at], runs[at + 1])
        if not text:
            return ""
    return text


def _partly(text: str, before: Sequence[str], changed: Sequence[str], after: Sequence[str]) -> str:
    for used in range(len(before) + len(after), -1, -1):
        for above in range(min(used, len(before)), -1, -1):
            below = used - above
            if below <= len(after):
                found = _direct(text, [*before[len(before) - above :], *changed, *after[:below]])
                if found:
                    return found
    return ""


def normal(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a hunk as aider applies them: the difference of its two sides, with blank lines really blank."""
    import difflib  # only a chat with unified diffs needs it

    old, new = ([_blank(line) for line in side.splitlines(keepends=True)] for side in sides(lines))
    context = max(len(old), len(new))
    return tuple(difflib.unified_diff(old, new, n=context))[3:]


def _blank(line: str) -> str:
    return line if line.strip() else line[len(line.rstrip("\r\n")) :]
