"""Regular expressions of JavaScript, read by its grammar and searched with the `regex` library and a time limit."""

import functools
from typing import Any

from gate.errors import CannotJudge
from gate.patterns.pattern import LARGEST, refuse_long, shown, too_large, too_slow
from gate.patterns.watch import search


class JsPattern(str):
    """A regular expression of JavaScript, searched anywhere in a text.

    Flags stand at its start: `(?i)`, `(?m)`, `(?s)`, also together. Characters are code points, `\\u{…}` and `\\p{…}`
    mean what they do under JavaScript's flag `u`; everything else is read as without that flag.
    """

    __slots__ = ()

    def check(self) -> None:
        """CannotJudge where the pattern is not valid, too large, or uses what only JavaScript can do."""
        _compiled(str(self))

    def search(self, text: str, *, seconds: float = 1.0) -> Any:
        """The first match in `text`, or None; its groups have no names. CannotJudge as `check`, or past the limit."""
        compiled = _compiled(str(self))
        try:
            return search(compiled, text, seconds)
        except TimeoutError:
            raise too_slow(self, seconds) from None


@functools.lru_cache(maxsize=256)  # a suite asks for the same few patterns in task after task
def _compiled(text: str) -> Any:
    """The pattern ready to search."""
    import regex  # 13 ms, and only an oracle that searches needs it

    from gate.patterns.jsescape import NotTranslated, NotValid
    from gate.patterns.jssyntax import Parser  # for the same reason

    refuse_long(text)
    try:
        parser = Parser(text)
        pattern = parser.translated()
        if parser.size > LARGEST:
            raise OverflowError
        return regex.compile(pattern)
    except (RecursionError, MemoryError, OverflowError):
        raise too_large(text) from None
    except NotTranslated as error:
        raise CannotJudge(
            f"the pattern {shown(text)} uses syntax that only JavaScript has, which is not translated: {error}",
            kind="regex_javascript",
        ) from None
    except (NotValid, regex.error) as error:
        why = error.msg if isinstance(error, regex.error) else error  # its place is that of the translation
        raise CannotJudge(
            f"the pattern {shown(text)} is not a valid regular expression of JavaScript: {why}", kind="regex_syntax"
        ) from None
