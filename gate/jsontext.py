"""JSON as tools write it into recordings: fast where it is plain, exact about what is wrong where it is not."""

from typing import Any

import msgspec

from gate.errors import RecordingError


def decode(data: bytes, *, strict: bool = False) -> Any:
    """The value of a JSON text.

    The fast decoder is stricter than the tools that write recordings; what it refuses, the standard library decides.
    `strict` refuses what two readers may understand differently: a key that stands twice, NaN, infinite numbers.
    RecordingError of kind `json`, `json_depth`, `json_number`, `duplicate_key` or `encoding`.
    """
    try:
        value = msgspec.json.decode(data)
    except RecursionError:
        raise RecordingError("it is nested too deeply", kind="json_depth") from None
    except msgspec.DecodeError:
        return _decode_slowly(data, strict=strict)
    # Dropping a second key of one name is the only way in which what was read differs from what stands there.
    if strict and msgspec.json.encode(value) != msgspec.json.format(data, indent=-1):
        return _decode_slowly(data, strict=True)
    return value


def unmistakable(data: bytes) -> Any:
    """The value of a JSON text that can be read in one way only and is written as usual; None for every other text."""
    try:
        value = msgspec.json.decode(data)
        return value if msgspec.json.encode(value) == msgspec.json.format(data, indent=-1) else None
    except (msgspec.MsgspecError, RecursionError, OverflowError):
        return None


def _decode_slowly(data: bytes, *, strict: bool) -> Any:
    import json  # only what msgspec refuses, or what must be proven free of repeated keys, needs it

    try:
        text = data.decode().rstrip("\r\n")  # so that a fault at the end of a line is on that line
        if not strict:
            return json.loads(text)
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise RecordingError("it is nested too deeply", kind="json_depth") from None
    except UnicodeDecodeError as error:
        raise RecordingError(f"byte {error.start} is not UTF-8", kind="encoding") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise RecordingError(f"it is no JSON at {place} ({error.msg})", kind="json") from None
    except ValueError:  # int() takes at most 4300 digits
        raise RecordingError("a number in it has more digits than are read", kind="json_number") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordingError(f"the key {twice!r} stands twice in one object", kind="duplicate_key")
    return found


def _no_number(name: str) -> Any:
    raise RecordingError(f"{name} is no JSON number", kind="json_number")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise RecordingError(f"the number {text[:20]} is too large", kind="json_number")
    return value


def shown(value: Any) -> str:
    """A decoded JSON value in a message: what kind it is, and the value where it is short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {str(value)[:20]}" if abs(value) < 1e300 else "a number"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "an object"
