"""What a recorded call says that its tool was given: read with words for what is not there."""

from collections.abc import Mapping
from typing import Any

from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.jsontext import shown

_NOTHING = object()
_DEEPEST = 16
_LARGEST = 1e300


def text(arguments: Any, *keys: str) -> str:
    """The text under the first of `keys` that is there. RecordingError where there is none, or no text."""
    value = _first(arguments, keys)
    if not isinstance(value, str):
        found = "nothing" if value is _NOTHING else shown(value)
        raise RecordingError(f"arguments.{keys[0]}: expected text, found {found}", kind="broken_step")
    return value


def named(arguments: Any, *keys: str) -> str:
    """The name of a file under the first of `keys`. RecordingError where there is none, or an empty one."""
    name = text(arguments, *keys)
    if not name:
        raise RecordingError(f"arguments.{keys[0]}: expected a file name, found nothing in it", kind="path_not_normal")
    return name


def optional(arguments: Any, *keys: str) -> str | None:
    """The text under the first of `keys` that is there, or None. RecordingError where it is no text."""
    value = _first(arguments, keys)
    if value is _NOTHING:
        return None
    return text(arguments, *keys)


def number(arguments: Any, *keys: str) -> int | None:
    """The whole number under the first of `keys` that is there, or None; some models write it as text."""
    value = _first(arguments, keys)
    if value is _NOTHING:
        return None
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and len(value) < 20:
        return int(value)
    if type(value) is not int:
        raise RecordingError(f"arguments.{keys[0]}: expected a number, found {shown(value)}", kind="broken_step")
    return value


def parts(arguments: Any, key: str) -> list[Mapping[str, Any]]:
    """The objects of a list. RecordingError where there is none, an empty one, or anything else in it."""
    value = _first(arguments, (key,))
    if not isinstance(value, list) or not value or not all(isinstance(part, dict) for part in value):
        found = "nothing" if value is _NOTHING else shown(value)
        raise RecordingError(f"arguments.{key}: expected a list of objects, found {found}", kind="broken_step")
    return value


def missing(key: str, expected: str) -> RecordingError:
    """The error for something that should lie under `key`."""
    return RecordingError(f"arguments.{key}: expected {expected}, found nothing", kind="broken_step")


def spoken(content: Any, *, depth: int = _DEEPEST) -> str:
    """The text of a message or a result: text itself, or the parts of a list that hold text, line by line.

    What lies more than `depth` lists and objects deep is no message's text; it is left out.
    """
    if isinstance(content, str):
        return content
    if depth and isinstance(content, list):
        said = [spoken(part, depth=depth - 1) for part in content]
        return "\n".join(part for part in said if part)
    if not depth or not isinstance(content, dict):
        return ""
    text = content.get("text")
    return text if isinstance(text, str) else spoken(content.get("content"), depth=depth - 1)


def count(holder: Any, *keys: str) -> int | None:
    """The sum of the whole numbers under the keys, or None where there is none."""
    values = [holder.get(key) for key in keys] if isinstance(holder, dict) else []
    found = [value for value in values if type(value) is int]
    return sum(found) if found else None


def price(holder: Any, key: str) -> float | None:
    """The number under a key as `amount` reads it."""
    return amount(holder.get(key)) if isinstance(holder, dict) else None


def amount(value: Any) -> float | None:
    """A number that can be worked with; None for anything else: true, NaN, and what is far too large."""
    return float(value) if type(value) in (int, float) and abs(value) < _LARGEST else None


def word(holder: Any, *keys: str) -> str:
    """The text under the first of the keys that holds text, or nothing."""
    if isinstance(holder, dict):
        for key in keys:
            value = holder.get(key)
            if isinstance(value, str):
                return value
    return ""


def content(holder: Any, key: str) -> bytes | None:
    """The text under a key as the bytes of a file, or None where there is no text."""
    value = holder.get(key) if isinstance(holder, dict) else None
    return encoded(value) if isinstance(value, str) else None


def member(holder: Any, *keys: str) -> dict[str, Any]:
    """The object that lies at the end of `keys`, or an empty one where anything on the way is missing."""
    for key in keys:
        holder = holder.get(key) if isinstance(holder, dict) else None
    return holder if isinstance(holder, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; what else is in it, and anything that is no list, is left out."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _first(arguments: Any, keys: tuple[str, ...]) -> Any:
    if type(arguments) is not dict and not isinstance(arguments, Mapping):  # the first is quick
        raise RecordingError(f"arguments: expected an object, found {shown(arguments)}", kind="broken_step")
    for key in keys:
        value = arguments.get(key)
        if value is not None:
            return value
    return _NOTHING
