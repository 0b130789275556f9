"""Text that looks alike: what editing tools take for the same when the exact text is not there."""

from gate.editing.text import CRLF, LF, Text

SPACES = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript trims; Python's own list differs."""

_SAME = (
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
)
_PLAIN = str.maketrans(_SAME)


def any_crlf(content: bytes) -> Text:
    """A file as tools read it that take one CRLF anywhere in it for a file with CRLF ends."""
    body = content if content.isascii() else content.decode("utf-8", "replace").encode()
    return Text(body.replace(CRLF, LF), CRLF if CRLF in body else LF)


def plain(text: str) -> str:
    """The text without white space at the ends of its lines, with plain quotes, dashes and spaces."""
    return "\n".join(line.rstrip(SPACES) for line in text.split("\n")).translate(_PLAIN)


def lf(text: str) -> str:
    """The text with LF ends, also where a CR stands alone."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def indent_of(line: str) -> str:
    """The spaces and tabs that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def lines_of(text: str) -> list[str]:
    """The lines with their ends; a line ends at LF only."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
