"""aider's edits as they stand in the text of an answer, and the names of the files that they are for."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gate.agents.chat import HEAD, UPDATED
from gate.agents.hunks import HunkEdit, normal, sides
from gate.agents.searchreplace import SearchReplace
from gate.editing import patch
from gate.editing.edit import Edit, Write
from gate.editing.text import encoded
from gate.errors import RecordingError

_DIVIDER = re.compile(r"={5,9}\s*$")
_SHELLS = ("bash", "sh", "shell", "cmd", "batch", "powershell", "ps1", "zsh", "fish", "ksh", "csh", "tcsh")
_LONGEST_NAME = 250
_WORDS = re.compile(r"`([^`\n]+)`[.:,;!]*(?:\s|$)")


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """One edit as an answer proposes it: the line of the answer, from 0, its kind, and the edit.

    `key` is what aider's complaint about a block repeats of it.
    """

    line: int
    kind: str
    edit: Edit
    key: str = ""


def proposals(answer: str, known: Sequence[str], *, whole: bool = False) -> Iterator[Proposal]:
    """The edits of an answer, in their order. `known` are names that its files can have.

    Blocks of SEARCH and REPLACE and patches are told by their marks, unified diffs by their fence; `whole` says that
    any other fenced text is a whole file. RecordingError where a block is cut off or names no file: aider applies
    none of them then.
    """
    lines = answer.splitlines(keepends=True)
    if any(HEAD.match(line.strip()) for line in lines):
        yield from _blocks(lines, known)
    elif "*** Begin Patch" in answer:
        start = next(number for number, line in enumerate(lines) if "*** Begin Patch" in line)
        text = answer[answer.index("*** Begin Patch") :].partition("*** End Patch")[0] + "*** End Patch"
        for edit in patch.edits_of(text, keep=False):
            yield Proposal(line=start, kind="patch", edit=edit)
    elif any(line.startswith("```diff") for line in lines):
        yield from _diffs(lines)
    elif whole:
        yield from _listings(lines, known)


def _blocks(lines: Sequence[str], known: Sequence[str]) -> Iterator[Proposal]:
    current, at = "", 0
    while at < len(lines):
        if not HEAD.match(lines[at].strip()):
            at = _after_shell(lines, at) if _is_shell(lines, at) else at + 1
            continue
        head = at
        new = at + 1 < len(lines) and _DIVIDER.match(lines[at + 1].strip())
        current = _filename(lines[max(0, at - 3) : at], () if new else known) or current
        if not current:
            raise RecordingError("a SEARCH block has no name of a file before it", kind="broken_step")
        middle = _next(lines, at + 1, _DIVIDER)
        end = _next(lines, middle + 1, UPDATED, _DIVIDER)
        search, replace = "".join(lines[head + 1 : middle]), "".join(lines[middle + 1 : end])
        edit = SearchReplace(path=current, search=search, replace=replace)
        yield Proposal(line=head, kind="search_replace", edit=edit, key=key_of(lines[head + 1 : middle]))
        at = end + 1


def key_of(lines: Iterable[str]) -> str:
    """The searched lines as they can be compared: the chat history takes white space off the ends of lines."""
    return "\n".join(line.strip() for line in lines if line.strip())


def _next(lines: Sequence[str], at: int, *marks: re.Pattern[str]) -> int:
    found = (number for number in range(at, len(lines)) if any(mark.match(lines[number].strip()) for mark in marks))
    number = next(found, None)
    if number is None:
        raise RecordingError("a SEARCH block is cut off", kind="broken_step")
    return number


def _is_shell(lines: Sequence[str], at: int) -> bool:
    opens = any(lines[at].strip().startswith(f"```{shell}") for shell in _SHELLS)
    return opens and not any(HEAD.match(line.strip()) for line in lines[at + 1 : at + 3])


def _after_shell(lines: Sequence[str], at: int) -> int:
    ends = (number for number in range(at + 1, len(lines)) if lines[number].strip().startswith("```"))
    return next(ends, len(lines)) + 1


def _filename(before: Sequence[str], known: Sequence[str]) -> str:
    """The name of the file on the lines before a block, as aider guesses it among the files of the chat."""
    names = []
    for line in reversed(before):
        name = _stripped(line)
        if name:
            names.append(name)
        if not line.startswith("```"):
            break
    exact = [name for name in names if name in known]
    same = [each for name in names for each in known if name == posixpath.basename(each)]
    return next(iter(exact + same + _close(names, known) + [name for name in names if "." in name] + names), "")


def _close(names: Sequence[str], known: Sequence[str]) -> list[str]:
    import difflib  # only a name that no file has needs it

    found = [difflib.get_close_matches(name, known, n=1, cutoff=0.8) for name in names]
    return [close[0] for close in found if close]


def _stripped(line: str) -> str:
    name = line.strip()
    if name == "...":
        return ""
    if name.startswith("```"):
        name = name.removeprefix("```")
        return name if "." in name or "/" in name else ""
    return name.rstrip(":").lstrip("#").strip().strip("`").strip("*")


def _diffs(lines: Sequence[str]) -> Iterator[Proposal]:
    """The hunks of every fenced diff; one that stands twice counts once."""
    seen, path = set(), ""
    for start, block in _fenced(lines, "```diff"):
        for line, name, hunk in _hunks(block):
            path = name or path
            signed = normal(hunk)
            if signed and (path, signed) not in seen:
                if not path:
                    raise RecordingError("a diff has no name of a file before it", kind="broken_step")
                seen.add((path, signed))
                key = key_of(sides(signed)[0].split("\n"))
                yield Proposal(line=start + line, kind="udiff", edit=HunkEdit(path=path, lines=signed), key=key)


def _fenced(lines: Sequence[str], opening: str) -> Iterator[tuple[int, list[str]]]:
    start = None
    for number, line in enumerate(lines):
        if start is None and line.startswith(opening):
            start = number + 1
        elif start is not None and line.startswith("```"):
            yield start, list(lines[start:number])
            start = None
    if start is not None:
        yield start, list(lines[start:-1])


def _hunks(block: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    name, hunk, first = "", list[str](), 0
    for number, line in enumerate([*block, "@@ @@"]):
        if line.startswith("+++ ") and hunk and hunk[-1].startswith("--- "):
            if _changes(hunk[:-1]):
                yield first, name, hunk[:-2] if hunk[-2:-1] == ["\n"] else hunk[:-1]
            name, hunk, first = _target(hunk[-1], line), [], number + 1
        elif line.startswith("@"):
            if _changes(hunk):
                yield first, name, hunk
            hunk, first = [], number + 1
        else:
            hunk.append(line)


def _changes(hunk: Sequence[str]) -> bool:
    return any(line[:1] in ("-", "+") and len(line) > 1 for line in hunk)


def _target(before: str, after: str) -> str:
    old, new = before[len("--- ") :].strip(), after[len("+++ ") :].strip()
    prefixed = (old.startswith("a/") or old == "/dev/null") and new.startswith("b/")
    return new.removeprefix("b/") if prefixed else new


def _listings(lines: Sequence[str], known: Sequence[str]) -> Iterator[Proposal]:
    """Whole files; where several stand for one, that with the best claim to the name counts."""
    found = sorted(_listed(lines, known), key=lambda listing: listing[0])
    seen = set()
    for _, start, name, content in found:
        if name not in seen:
            seen.add(name)
            yield Proposal(line=start, kind="whole", edit=Write(path=name, content=encoded(content)))


def _listed(lines: Sequence[str], known: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    start, name, claim, mentioned = None, "", 0, ""
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            names = [word for word in _WORDS.findall(line) if word in known] if start is None else []
            mentioned = names[-1] if names else mentioned
        elif start is not None:
            yield claim, start, name, "".join(lines[start:number])
            start, mentioned = None, ""
        else:
            start = number + 1
            name, claim = _listing(lines[number - 1] if number else "", mentioned, known)
    if start is not None:
        yield claim, start, name, "".join(lines[start:])


def _listing(before: str, mentioned: str, known: Sequence[str]) -> tuple[str, int]:
    """The name of a listed file, and its claim to it: 0 is the line before it, 1 a name mentioned, 2 the only file."""
    name = before.strip().strip("*").rstrip(":").strip("`").lstrip("#").strip()
    name = name if len(name) <= _LONGEST_NAME else ""
    if name:
        base = posixpath.basename(name)
        return (base if name not in known and base in known else name), 0
    if mentioned:
        return mentioned, 1
    if len(known) == 1:
        return known[0], 2
    raise RecordingError("a listed file has no name before it", kind="broken_step")
