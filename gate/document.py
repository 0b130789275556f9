"""YAML and JSON that people write, read strictly: plain data, no surprises, and the line of every value."""

from collections.abc import Iterator
from typing import Any

from gate.errors import GateError

Path = tuple[str | int, ...]

_DEEPEST = 64
_LONGEST_NUMBER = 40
_LARGEST = 4 << 20


class DocumentError(GateError):
    """The text is not the strict YAML or JSON that is read here; `line` is where (1-based)."""

    def __init__(self, message: str, *, line: int | None = None, kind: str = "") -> None:
        super().__init__(message, kind=kind)
        self.line = line


class Document:
    """Plain data, and the line where each value stands."""

    def __init__(self, value: Any, text: str, lines: dict[Path, int] | None = None) -> None:
        self.value = value
        self._text = text
        self._lines = lines

    def line(self, path: Path) -> int | None:
        """The line (from 1) of the value at `path`, or of the nearest one around it."""
        if self._lines is None:
            # JSON keeps no lines; read as YAML, which it nearly always is, it does. Only a message needs them.
            try:
                self._lines = _Builder(self._text).build()[1]
            except DocumentError:
                self._lines = {}
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path)


def dotted(path: Path) -> str:
    """A path as people write it: `tasks[1].oracles[0].path`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def parse(data: bytes) -> Document:
    """Read YAML or JSON into plain data.

    Scalars follow the YAML 1.2 core schema: `no`, `1:30` and dates are text, `010` is ten. Duplicate keys, aliases,
    tags, several documents, and depth or size beyond a limit are a DocumentError.
    """
    if len(data) > _LARGEST:
        raise DocumentError(f"{len(data)} bytes are more than the {_LARGEST} that are read", kind="too_large")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(f"the text is not UTF-8: byte {error.start} is not valid", kind="encoding") from None
    value = _json(text) if text.lstrip()[:1] in ("{", "[") else None
    if value is not None:
        return Document(value, text)
    value, lines = _Builder(text).build()
    return Document(value, text, lines)


def _json(text: str) -> Any:
    """The value of a JSON text; None where it is none and may be YAML's flow style."""
    import json  # only JSON needs it

    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise DocumentError(f"nested deeper than {_DEEPEST} levels", kind="json_depth") from None
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            return None
        raise DocumentError("a number in it has more digits than are read", kind="json_number") from None


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


class _Builder:
    """One pass over YAML's events: iterative, so that depth is a number and not a stack."""

    def __init__(self, text: str) -> None:
        # Deferred: a run on AgentBench's JSON documents never needs it (17 ms).
        import yaml

        self._yaml = yaml
        self._text = text
        self._lines: dict[Path, int] = {}

    def build(self) -> tuple[Any, dict[Path, int]]:
        yaml = self._yaml
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            return self._build(yaml.parse(self._text, Loader=loader)), self._lines
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            if "nesting depth" in str(error.problem):
                raise DocumentError(f"nested deeper than {_DEEPEST} levels", kind="yaml_depth") from None
            raise DocumentError(
                f"not valid YAML: {error.problem or error.context}", line=mark.line + 1 if mark else None, kind="syntax"
            ) from None
        except yaml.YAMLError as error:
            raise DocumentError(f"not valid YAML: {str(error).splitlines()[0]}", kind="syntax") from None
        except RecursionError:
            raise DocumentError(f"nested deeper than {_DEEPEST} levels", kind="yaml_depth") from None

    def _build(self, events: Iterator[Any]) -> Any:
        yaml = self._yaml
        root: list[Any] = []
        stack: list[tuple[Any, Path]] = [(root, ())]
        keys: list[str | None] = [None]
        documents = 0
        for event in events:
            kind = type(event)
            if kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise DocumentError("a second document starts here; one is read", line=_line(event), kind="syntax")
            elif kind in (yaml.SequenceEndEvent, yaml.MappingEndEvent):
                stack.pop()
                keys.pop()
            elif kind in (yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.MappingStartEvent, yaml.AliasEvent):
                self._refuse(event, len(stack))
                holder, path = stack[-1]
                if isinstance(holder, dict) and keys[-1] is None:
                    keys[-1] = self._key(event, holder, path)
                    continue
                value: Any = {} if kind is yaml.MappingStartEvent else []
                if kind is yaml.ScalarEvent:
                    value = scalar(event)
                if isinstance(holder, dict):
                    here = (*path, str(keys[-1]))
                    holder[keys[-1]] = value
                    keys[-1] = None
                else:
                    here = path if holder is root else (*path, len(holder))
                    holder.append(value)
                    self._lines[here] = _line(event)
                if kind is not yaml.ScalarEvent:
                    stack.append((value, here))
                    keys.append(None)
        return root[0] if root else None

    def _refuse(self, event: Any, depth: int) -> None:
        if type(event) is self._yaml.AliasEvent or event.anchor is not None:
            raise DocumentError("anchors and aliases are not read; write it out", line=_line(event), kind="yaml_alias")
        if event.tag is not None and event.tag != "!":
            raise DocumentError(f"the tag {event.tag!r} is not read", line=_line(event), kind="yaml_tag")
        if depth > _DEEPEST:
            raise DocumentError(f"nested deeper than {_DEEPEST} levels", line=_line(event), kind="yaml_depth")

    def _key(self, event: Any, holder: dict[str, Any], path: Path) -> str:
        if type(event) is not self._yaml.ScalarEvent:
            raise DocumentError("a key must be plain text", line=_line(event), kind="type")
        key = str(event.value)
        here = (*path, key)
        if key in holder:
            first = self._lines[here]
            raise DocumentError(
                f"the key `{dotted(here)}` stands twice, on line {first} and on line {_line(event)}",
                line=_line(event),
                kind="duplicate_key",
            )
        self._lines[here] = _line(event)
        return key


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


_WORDS: dict[str, Any] = {
    "": None,
    **dict.fromkeys(("~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def scalar(event: Any) -> Any:
    """The value of a YAML scalar event by the YAML 1.2 core schema (section 10.3.2)."""
    text: str = event.value
    if not event.implicit[0]:  # quoted or block text
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if text.lstrip("+-").lower() in (".inf", ".nan"):
        raise DocumentError(f"{text} is no number that can be used here", line=_line(event), kind="number")
    return _number(text, event)


def _number(text: str, event: Any) -> Any:
    import re  # only a document with a number in it needs it

    if not re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+", text):
        return text
    if len(text) > _LONGEST_NUMBER:
        raise DocumentError(f"a number of {len(text)} characters is too long", line=_line(event), kind="number")
    if text.startswith(("0o", "0x")):
        return int(text, 0)
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise DocumentError(f"the number {text} is too large", line=_line(event), kind="number")
    return value
