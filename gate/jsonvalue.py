"""JSON as people write it into documents, read strictly, and what is wrong with it where it is none."""

import functools
from typing import TYPE_CHECKING, Any

from gate.errors import DocumentError
from gate.jsontext import unmistakable

if TYPE_CHECKING:
    from json import JSONDecoder

_LONGEST_NUMBER = 40


def read(text: str, data: bytes) -> Any:
    """The value of a JSON text; None where it is none and may be YAML's flow style.

    DocumentError of kind `json_depth`, `json_number` or `duplicate_key`.
    """
    value = unmistakable(data)
    if value is not None:
        return value
    from json import JSONDecodeError  # only JSON that is written oddly needs it

    try:
        return _decoder().decode(text)
    except RecursionError:
        raise DocumentError("nested deeper than 64 levels", kind="json_depth") from None
    except ValueError as error:
        if isinstance(error, JSONDecodeError):
            return None
        raise DocumentError("a number in it has more digits than are read", kind="json_number") from None


def mistake(text: str, name: str) -> DocumentError | None:
    """Why a text is no JSON, with its line, where it is meant to be: by the `name` of its file, or as it begins."""
    if name.endswith((".yaml", ".yml")) or not (name.endswith(".json") or text.lstrip().startswith(('{"', "[{"))):
        return None
    from json import JSONDecodeError  # as in `read`

    try:
        _decoder().decode(text.rstrip(" \t\r\n"))  # so that a fault at the end is on the last line
    except JSONDecodeError as error:
        reason = f"not valid JSON at column {error.colno}: {error.msg[0].lower()}{error.msg[1:]}"
        return DocumentError(reason, line=error.lineno, kind="syntax")
    except (DocumentError, ValueError, RecursionError):
        pass
    return None


@functools.cache
def _decoder() -> "JSONDecoder":
    from json import JSONDecoder

    return JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse_constant, parse_float=_finite)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DocumentError(f"the key `{twice}` stands twice in one object", kind="duplicate_key")
    return found


def _refuse_constant(name: str) -> Any:
    raise DocumentError(f"{name} is no number that can be used here", kind="json_number")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise DocumentError(f"the number {text[:_LONGEST_NUMBER]} is too large", kind="json_number")
    return value
