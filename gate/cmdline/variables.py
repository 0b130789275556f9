"""What the expansions in a word stand for, as far as the command line itself tells it."""

import math
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from gate.cmdline.lexer import Lexer, Word, closing
from gate.cmdline.target import MADE, UNTOLD

Values = Mapping[str, Iterable[str]]
"""What a line assigns to each of its variables, as written: every value that one may have."""

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=")
_MOST = 200  # values of one word
_LONGEST = 4096  # characters of a path
_DEEPEST = 8  # expansions in one another
_SIGN = re.compile(r"[$`]|[<>]\(")
_SPECIAL = re.compile(r"[@*#?$!\d-]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ENVIRONMENT = re.compile(r"env:(\w+)", re.IGNORECASE)
_DEFAULT = re.compile(r":?[-=]")
_TEMPORARY = "/tmp"  # noqa: S108 - where a recorded command's folder for such files lies, no file of ours
_KNOWN = {
    **dict.fromkeys(("TMPDIR", "TMP", "TEMP", "RUNNER_TEMP"), _TEMPORARY),
    **dict.fromkeys(("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"), f"{_TEMPORARY}/github"),
    "HOME": "~",
    "PWD": ".",
    "XDG_CACHE_HOME": "~/.cache",
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_DATA_HOME": "~/.local/share",
}
_DECLARING = frozenset(["export", "local", "declare", "typeset", "readonly"])
_READING = frozenset(["read", "mapfile", "readarray", "getopts", "printf", "unset"])


def expands(text: str) -> bool:
    """Whether there is anything in a text that a shell would expand."""
    return "$" in text or "`" in text


def assigned(word: str) -> tuple[str, list[str]] | None:
    """The variable that a word such as `x=1` assigns, and its values; None for another word."""
    found = _ASSIGNMENT.match(word)
    if found is None:
        return None
    value = word[found.end() :]
    if found[2]:
        return found[1], [UNTOLD]
    if value.startswith("("):
        return found[1], [word.text for word in Lexer(value[1:].removesuffix(")")) if isinstance(word, Word)]
    return found[1], [value]


def declared(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The variables that a command such as `export x=1` or `read x` sets."""
    if words and words[0] in _DECLARING:
        yield from filter(None, map(assigned, words[1:]))
    elif words and words[0] in _READING and (words[0] != "printf" or "-v" in words):
        yield from ((word, [UNTOLD]) for word in words[1:] if _NAME.fullmatch(word))


def used(text: str) -> Iterator[str]:
    """The names of the variables in a text."""
    return (found[1] for found in re.finditer(r"\$\{?[!#]?([A-Za-z_]\w*)", text))


def spread(text: str, values: Values) -> list[str]:
    """What a word may be, `UNTOLD` for each part that cannot be told; of too many possibilities, that alone."""
    return _Spread(values).word(text, 0)


class _Spread:
    """One call of `spread`; what each variable may be is found once."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._found: dict[str, list[str]] = {}

    def word(self, text: str, depth: int) -> list[str]:
        """What a text may be; `depth` counts the expansions around it."""
        if depth > _DEEPEST:
            return [UNTOLD]
        pieces: list[list[str]] = []
        at = 0
        while at < len(text):
            sign = _SIGN.search(text, at)
            start = sign.start() if sign else len(text)
            pieces.append([text[at:start]])
            if sign:
                start, found = self._expansion(text, start, depth)
                pieces.append(found)
            at = start
        if math.prod(map(len, pieces)) > _MOST:
            return [UNTOLD]
        texts = dict.fromkeys(map("".join, product(*pieces)))
        return [text if len(text) <= _LONGEST else UNTOLD for text in texts]

    def _expansion(self, text: str, at: int, depth: int) -> tuple[int, list[str]]:
        """What stands at `at`: where it ends, and what it may be."""
        if text[at] == "`":
            end = text.find("`", at + 1)
            end = end if end >= 0 else len(text)
            return end + 1, self._substituted(text[at + 1 : end], depth)
        if text[at] in "<>":
            return closing(text, at + 2), ["/dev/fd/63"]
        if text.startswith("$((", at):
            return closing(text, at + 3, "))"), [UNTOLD]
        if text.startswith("$(", at):
            end = closing(text, at + 2)
            return end, self._substituted(text[at + 2 : end].removesuffix(")"), depth)
        if text.startswith("${", at):
            end = closing(text, at + 2, "}")
            return end, self._parameter(text[at + 2 : end].removesuffix("}"), depth)
        environment = _ENVIRONMENT.match(text, at + 1)
        name = environment or _NAME.match(text, at + 1)
        if name:
            return name.end(), self._variable(name[1] if environment else name.group(), depth)
        special = _SPECIAL.match(text, at + 1)
        return (special.end(), [UNTOLD]) if special else (at + 1, ["$"])

    def _variable(self, name: str, depth: int) -> list[str]:
        if name not in self._values:
            return [_KNOWN.get(name, UNTOLD)]
        if name not in self._found:
            self._found[name] = [UNTOLD]  # as long as it is asked for by its own value
            texts = [text for value in self._values[name] for text in self.word(value, depth + 1)]
            found = [piece for text in texts for piece in _split(text)]
            self._found[name] = found if 0 < len(found) <= _MOST else [UNTOLD]
        return self._found[name]

    def _parameter(self, text: str, depth: int) -> list[str]:
        """`${…}` without its braces."""
        found = _NAME.match(text)
        if found is None:
            return [UNTOLD]
        rest = re.sub(r"^\[[^\]]*\]", "", text[found.end() :])
        default = _DEFAULT.match(rest)
        if default:
            is_known = found.group() in self._values or found.group() in _KNOWN
            given = self.word(rest[default.end() :], depth + 1)
            return [*self._variable(found.group(), depth), *given] if is_known else given
        return [_cut(value, rest) for value in self._variable(found.group(), depth)]

    def _substituted(self, text: str, depth: int) -> list[str]:
        """What a substituted command prints, for a few whose output is known."""
        tokens = list(Lexer(text)) if len(text) <= _LONGEST else []
        words = [token.text for token in tokens if isinstance(token, Word)]
        if len(words) < len(tokens) or not words:
            return [UNTOLD]
        name, rest = words[0], [word for word in words[1:] if not word.startswith("-")]
        if name == "mktemp":
            return self._made(words[1:], depth)
        if name == "pwd":
            return ["."]
        if name in ("which", "command", "type") and rest:
            return [rest[-1]]
        if name not in ("basename", "dirname", "echo") or len(rest) != 1:
            return [UNTOLD]
        head = {"basename": posixpath.basename, "dirname": posixpath.dirname}.get(name)
        return [(head(found) if head else found) or "." for found in self.word(rest[0], depth + 1)]

    def _made(self, words: list[str], depth: int) -> list[str]:
        """Where `mktemp` makes its file: among the temporary ones, unless it is told another place."""
        folder, template = _TEMPORARY, ""
        left = iter(words)
        for word in left:
            if word == "-p" or re.fullmatch(r"-[dqu]*p", word):
                folder = next(left, "")
            elif word.startswith("--tmpdir="):
                folder = word.partition("=")[2]
            elif re.fullmatch(r"-[dqu]*t", word):
                next(left, "")
            elif not word.startswith("-"):
                template = word
        places = self.word(posixpath.dirname(template) or ("." if template else folder), depth + 1)
        return [MADE if place == _TEMPORARY else posixpath.join(place or ".", UNTOLD) for place in places]


def _split(text: str) -> list[str]:
    """A value and, where a shell would cut it into words, each of them."""
    words = text.split()
    if len(words) < 2:
        return [text]
    return [UNTOLD] if UNTOLD in text else [text, *words]


def _cut(value: str, how: str) -> str:
    """A value after `%suffix`, `##*/` and their like."""
    if not how or how.startswith((":?", "?")):
        return value
    pattern = how.lstrip("%#")
    is_plain = re.fullmatch(r"[\w.-]+", pattern) is not None
    if how.startswith("##*/"):
        return posixpath.basename(value)
    if how.startswith("%") and is_plain and value.endswith(pattern):
        return value[: -len(pattern)]
    if how.startswith("#") and is_plain and value.startswith(pattern):
        return value[len(pattern) :]
    if how.startswith("%") and "/" not in pattern:
        return posixpath.join(posixpath.dirname(value), UNTOLD)
    return posixpath.dirname(value) if how == "%/*" else UNTOLD
