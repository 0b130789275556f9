"""What `head`, `tail`, `nl` and `wc` print of one file, or of what they read, and `sed -n` of plain ranges of lines."""

import re
from collections.abc import Sequence

from gate.diffs.blame import split
from gate.errors import NotRepeated
from gate.repeating.coreutils import Deed, Doing

_RANGE = re.compile(r"(0*[1-9]\d{0,11})(?:,(\d{1,12}|\$))?p;?")
_TEN = 10


def is_range(arguments: Sequence[str]) -> bool:
    """Whether these are arguments of sed that print a range of lines: `-n 'A,Bp' FILE`, or without the file."""
    return len(arguments) in (2, 3) and arguments[0] == "-n" and bool(_RANGE.fullmatch(arguments[1]))


def lines_of(deed: Deed) -> bytes | None:
    """What `sed -n 'A,Bp' FILE` prints; None where the call is not as plain as that."""
    words = deed.words[1:]
    found = _RANGE.fullmatch(words[1]) if is_range(words) else None
    if found is None:
        return None
    first, last = int(found[1]), found[2]
    lines = split(_read(deed, list(words[2:])))
    end = len(lines) if last == "$" else max(int(last or first), first)
    return b"".join(lines[first - 1 : end])


def _head(deed: Deed) -> bytes:
    count, unit, names = _count(deed, signs="")
    content = _read(deed, names)
    return content[:count] if unit == "c" else b"".join(split(content)[:count])


def _tail(deed: Deed) -> bytes:
    count, unit, names = _count(deed, signs="+")
    content = _read(deed, names)
    lines = split(content)
    first = -count - 1 if count < 0 else max(0, len(content if unit == "c" else lines) - count)
    return content[first:] if unit == "c" else b"".join(lines[first:])


def _count(deed: Deed, *, signs: str) -> tuple[int, str, list[str]]:
    """How many, of lines or bytes (`n`, `c`), and the operands; a count from the start on, `+N`, is given as `-N`."""
    count, unit = str(_TEN), "n"
    names: list[str] = []
    left = iter(deed.words[1:])
    for word in left:
        plain = re.fullmatch(r"-(\d+)", word)
        said = re.fullmatch(r"-([nc])(.*)|--(lines|bytes)=(.*)", word)
        if plain:
            count = plain[1]
        elif said:
            unit = (said[1] or said[3].replace("lines", "n").replace("bytes", "c"))[0]
            count = said[2] or said[4] or next(left, "")
        elif word == "--":
            names.extend(left)
        elif word.startswith("-") and word != "-":
            raise NotRepeated(f"the option {word} of {deed.words[0]} is not one that is repeated", kind="option")
        else:
            names.append(word)
    if not re.fullmatch(rf"[{signs}]?\d{{1,12}}" if signs else r"\d{1,12}", count):
        raise NotRepeated(f"{deed.words[0]} is asked for another count than of the first or last lines", kind="option")
    return (-max(int(count[1:]), 1) if count.startswith("+") else int(count)), unit, names


def _number(deed: Deed) -> bytes:
    words = list(deed.words[1:])
    every = words[:1] == ["-ba"] or words[:2] == ["-b", "a"]
    names = words[1 if words[:1] == ["-ba"] else 2 :] if every else words
    if any(name.startswith("-") and name != "-" for name in names):
        raise NotRepeated("nl has options that are not repeated", kind="option")
    content = _read(deed, names)
    if re.search(rb"^(?:\\:){1,3}$", content, re.M):
        raise NotRepeated("nl would see sections there", kind="option")
    return b"".join(_numbered(content, every=every))


def _numbered(content: bytes, *, every: bool) -> list[bytes]:
    number, found = 0, []
    for line in (line.removesuffix(b"\n") for line in split(content)):
        if every or line:
            number += 1
            found.append(b"%6d\t%s\n" % (number, line))
        else:
            found.append(b"       \n")
    return found


def _words(deed: Deed) -> bytes:
    options, names = deed.split("lc", "--lines --bytes")
    asked = {option.strip("-")[0] for option in options}
    if len(asked) != 1:
        raise NotRepeated("wc is asked for another count than one of lines or bytes", kind="option")
    content = _read(deed, names)
    count = content.count(b"\n") if asked == {"l"} else len(content)
    return " ".join([str(count), *names]).encode("utf-8", "surrogateescape") + b"\n"


def _read(deed: Deed, names: list[str]) -> bytes:
    """What it reads: the one file that it names, else its input. NotRepeated for several, of which it tells names."""
    if len(names) > 1:
        raise NotRepeated(f"{deed.words[0]} of several files is not repeated", kind="option")
    return deed.site.read(deed.place(names[0])) if names not in ([], ["-"]) else deed.given()


VIEWERS: dict[str, Doing] = {"head": _head, "tail": _tail, "nl": _number, "wc": _words}
