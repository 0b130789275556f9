"""Plain data into frozen structs, with a message that says where, what was expected and what was found."""

import enum
import math
import types
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from gate.document import Document, DocumentError, Path, reach
from gate.errors import together
from gate.oracle import Pattern, Seconds
from gate.patterns.jsregex import JsPattern

T = TypeVar("T")
_MOST = 20
"""Mistakes that are told of one value."""


def shaped(document: Document, kind: type[T], value: Any, *, at: Path = ()) -> T:
    """`value`, which stands at `at` in the document, as `kind`.

    DocumentError with line, dotted path, what was expected and what was found; of everything else that is wrong, too.
    """
    try:
        return msgspec.convert(value, kind, dec_hook=_hook)
    except msgspec.ValidationError as error:
        raise together(_mistakes(str(error), document, kind, at=at, value=value)) from None


def _mistakes(text: str, document: Document, kind: Any, *, at: Path, value: Any) -> Iterator[DocumentError]:
    """What is wrong first, then what is wrong once that is taken out, and so on.

    What a mapping lacks is not told where something was taken out of it: that may be what was meant.
    """
    rest, cut = _copied(value), set[Path]()
    for _ in range(_MOST):
        inner, mistake = _explained(text, document, kind, at=at, value=rest)
        if inner not in cut:
            yield mistake
        while inner and not isinstance(inner[-1], str):
            inner = inner[:-1]
        holder = reach(rest, inner[:-1])
        if not inner or not isinstance(holder, dict) or inner[-1] not in holder:
            return
        del holder[inner[-1]]
        cut.add(inner[:-1])
        try:
            msgspec.convert(rest, kind, dec_hook=_hook)
            return
        except msgspec.ValidationError as error:
            text = str(error)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _hook(kind: type, value: Any) -> Any:
    if kind.__module__ == "gate.combination" and isinstance(value, kind):
        return value  # an oracle in another one, decoded before
    if kind is Pattern or kind is JsPattern:
        if isinstance(value, str):
            return kind(value)
        raise ValueError(f"Expected a regular expression as text, got {shown(value)}")
    if kind is Seconds:
        return seconds(value)
    raise NotImplementedError


def seconds(value: Any) -> Seconds:
    """A time limit from a number of seconds, its text, or text with a unit (`90s`, `2m`, `1h`)."""
    factor = 1.0
    text = str(value).strip() if isinstance(value, str) else ""
    if text[-1:] in ("s", "m", "h"):
        factor = {"s": 1.0, "m": 60.0, "h": 3600.0}[text[-1]]
        text = text[:-1]
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        found = float(text if isinstance(value, str) else value) * factor
    except (ValueError, OverflowError):
        found = math.nan
    if not 0 < found < 1e7:
        raise ValueError(f"Expected a number of seconds above 0 (also `90s`, `2m`, `1h`), got {shown(value)}")
    return Seconds(found)


def shown(value: Any) -> str:
    """A value as a message shows it, cut."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"a mapping with {', '.join(f'`{str(key)[:40]}`' for key in list(value)[:5]) or 'no keys'}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


_NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def _explained(text: str, document: Document, kind: Any, *, at: Path, value: Any) -> tuple[Path, DocumentError]:
    """Where it is in `value`, and the mistake; what is missing is where it should be looked for."""
    sentence, _, place = text.partition(" - at `$")
    inner = _path(place.rstrip("`"))
    path, found = (*at, *inner), reach(value, inner)
    if sentence.startswith("Object contains unknown field"):
        name = sentence.split("`")[1]
        hint = nearest_name(name, field_names(kind, inner))
        return (*inner, name), document.fault((*path, name), f"unknown key{hint}", kind="unknown_key")
    if sentence.startswith("Object missing required field"):
        name = sentence.split("`")[1]
        return inner, document.fault(path, f"`{name}` is missing", kind="missing_key")
    if sentence.startswith("`"):  # what a struct says of its own keys when it is made
        return inner, document.fault(path, sentence)
    if sentence.startswith("Invalid enum value"):
        allowed = ", ".join(f"`{word}`" for word in enum_words(kind, inner))
        sentence = f"Expected {f'one of {allowed}' if allowed else 'another word'}"
    elif sentence.startswith("Expected `"):
        wanted = sentence.split("`")[1].split(" | ")
        words = [_NAMES.get(word, f"`{word}`") for word in wanted if word != "null"]
        rest = sentence.split("`", 2)[2].partition(", got")[0]
        sentence = f"Expected {' or '.join(words)}{rest}"
    sentence = sentence.partition(", got")[0]
    return inner, document.fault(path, f"{sentence[0].lower()}{sentence[1:]}, found {shown(found)}")


def _path(place: str) -> Path:
    """msgspec's `.a[0].b` as a path. `[...]` stands for a mapping's key, which only the value can tell."""
    parts: list[str | int] = []
    for piece in place.replace("[", ".[").split("."):
        if piece.startswith("[") and piece[1:-1].isdigit():
            parts.append(int(piece[1:-1]))
        elif piece.startswith("["):
            break
        elif piece:
            parts.append(piece)
    return tuple(parts)


def _inside(kind: Any, path: Path, wanted: type) -> Any:
    """The type that msgspec was decoding at `path` within `kind`; of several the first that is a `wanted` one."""
    for part in path:
        kind = _held(kind, list if isinstance(part, int) else msgspec.Struct)
        if isinstance(part, int):
            kind = (getattr(kind, "__args__", None) or (None,))[0]
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            kind = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}.get(part)
        else:
            return None
    return _held(kind, wanted)


def _held(kind: Any, wanted: type) -> Any:
    """Of `X | Y | None` the first that is a `wanted` one, else `X`."""
    if not isinstance(kind, types.UnionType):
        return kind
    held = [argument for argument in kind.__args__ if argument is not type(None)]
    return next((one for one in held if isinstance(one, type) and issubclass(one, wanted)), held[0])


def field_names(kind: Any, path: Path) -> list[str]:
    """The keys known at `path` within `kind`."""
    kind = _inside(kind, path, msgspec.Struct)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [field.encode_name for field in msgspec.structs.fields(kind)]
    return []


def enum_words(kind: Any, path: Path) -> list[str]:
    """The words allowed at `path` within `kind`."""
    kind = _inside(kind, path, enum.Enum)
    if not isinstance(kind, enum.EnumMeta):
        return []
    members: list[enum.Enum] = list(kind)
    return [str(member.value) for member in members]


def nearest_name(name: str, known: list[str]) -> str:
    """`; did you mean x?` where a known name is near, else the known ones."""
    import difflib  # only a mistake needs it

    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; known here: {', '.join(f'`{word}`' for word in sorted(known))}" if known else ""
