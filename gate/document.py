"""YAML and JSON that people write, read strictly: plain data, no surprises, and the line of every value."""

from collections.abc import Iterator
from typing import Any

from gate import anchors, jsonvalue
from gate.errors import DocumentError as DocumentError

Path = tuple[str | int, ...]

_DEEPEST = 64
_LONGEST_NUMBER = 40
_LARGEST = 4 << 20


class _Place:
    """Where a value stands (line from 1), and where the values in it do: places of containers, lines of scalars."""

    __slots__ = ("inside", "line")

    def __init__(self, line: int) -> None:
        self.line = line
        self.inside: dict[str | int, _Place | int] = {}


class Document:
    """Plain data, and the line where each value stands."""

    def __init__(self, value: Any, text: str, place: _Place | int | None = None) -> None:
        self.value = value
        self._text = text
        self._place = place

    def line(self, path: Path) -> int | None:
        """The line (from 1) of the value at `path`, or of the nearest one around it."""
        if self._place is None:
            if not path:
                return self._text.count("\n", 0, len(self._text) - len(self._text.lstrip())) + 1
            # JSON keeps no lines; read as YAML, which it nearly always is, it does. Only a message needs them.
            try:
                self._place = _Builder(self._text).build()[1]
            except DocumentError:
                self._place = _Place(0)
        place: _Place | int = self._place
        for part in path:
            if isinstance(place, int) or part not in place.inside:
                break
            place = place.inside[part]
        return (place if isinstance(place, int) else place.line) or None

    def place(self, name: str, at: Path) -> str:
        """Where the value at `at` stands, for messages: `name` for the document, and the line where one is known."""
        line = self.line(at)
        return f"{name}:{line}" if line else name

    def fault(self, at: Path, reason: str, *, kind: str = "type") -> DocumentError:
        """A mistake at a place of the document, with its dotted path and its line."""
        where = f"`{dotted(at)}`: " if at else ""
        return DocumentError(f"{where}{reason}", line=self.line(at), kind=kind)


def dotted(path: Path) -> str:
    """A path as people write it: `tasks[1].oracles[0].path`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def reach(value: Any, path: Path) -> Any:
    """What lies at a path within a value; None where there is nothing."""
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def parse(data: bytes, *, name: str = "", aliases: bool = False) -> Document:
    """Read YAML or JSON into plain data; `name` is the file's, by which a broken text is called one or the other.

    Scalars follow the YAML 1.2 core schema: `no`, `1:30` and dates are text, `010` is ten. Duplicate keys, tags,
    several documents, and depth or size beyond a limit are a DocumentError, and so are aliases unless they are asked
    for.
    """
    if len(data) > _LARGEST:
        raise DocumentError(f"{len(data)} bytes are more than the {_LARGEST} that are read", kind="too_large")
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()  # a quarter of the time of "utf-8-sig"
    except UnicodeDecodeError as error:
        raise DocumentError(f"the text is not UTF-8: byte {error.start} is not valid", kind="encoding") from None
    value = jsonvalue.read(text, data) if text.lstrip()[:1] in ("{", "[") else None
    if value is not None:
        return Document(value, text)
    try:
        value, place = _Builder(text, aliases=aliases).build()
    except DocumentError as error:
        raise jsonvalue.mistake(text, name) or error from None
    return Document(value, text, place)


class _Builder:
    """One pass over YAML's events: iterative, so that depth is a number and not a stack.

    The hook runs it over the whole manifest, so the loop takes the frequent event first and asks each thing once.
    """

    def __init__(self, text: str, *, aliases: bool = False) -> None:
        # Deferred: a run on AgentBench's JSON documents never needs it (17 ms).
        import yaml

        self._yaml = yaml
        self._text = text
        self._aliases = aliases
        self._above: list[tuple[Any, _Place, str | int]] = []

    def build(self) -> tuple[Any, _Place | int]:
        """The value and its place. DocumentError where it is not the strict YAML that is read here."""
        yaml = self._yaml
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            events = yaml.parse(self._text, Loader=loader)
            return self._build(anchors.written_out(events, _alias) if self._aliases else events)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            if "nesting depth" in str(error.problem):
                raise DocumentError(f"nested deeper than {_DEEPEST} levels", kind="yaml_depth") from None
            # What is missing at the end is missed on a line that is not there.
            line = min(mark.line, self._text.rstrip().count("\n")) + 1 if mark else None
            reason = f"not valid YAML: {error.problem or error.context}"
            raise DocumentError(reason, line=line, kind="syntax") from None
        except yaml.YAMLError as error:
            raise DocumentError(f"not valid YAML: {str(error).splitlines()[0]}", kind="syntax") from None
        except RecursionError:
            raise DocumentError(f"nested deeper than {_DEEPEST} levels", kind="yaml_depth") from None

    def _build(self, events: Iterator[Any]) -> tuple[Any, _Place | int]:
        yaml, above = self._yaml, self._above
        scalar_event, mapping, sequence = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent
        ends, documents = (yaml.MappingEndEvent, yaml.SequenceEndEvent), 0
        root: list[Any] = []
        holder: Any = root
        place = _Place(0)
        line = 0
        name: str | int
        key: str | None = None  # of the value that comes next; None where a mapping's next key does
        for event in events:
            kind = type(event)
            if kind is scalar_event:
                value: Any = scalar(event) if event.implicit[0] else event.value
            elif kind is mapping or kind is sequence or kind is yaml.AliasEvent:
                value = {} if kind is mapping else []
            elif kind in ends:
                holder, place, _ = above.pop()
                continue
            else:
                documents += kind is yaml.DocumentStartEvent
                if documents > 1:
                    raise DocumentError("a second document starts here; one is read", line=_line(event), kind="syntax")
                continue
            if event.anchor is not None or event.tag is not None or len(above) >= _DEEPEST:
                self._refuse(event, len(above) + 1)
            if type(holder) is not dict:
                name, line = len(holder), _line(event)
                holder.append(value)
            elif key is None:
                key, line = self._key(event, holder, place), _line(event)
                continue
            else:
                name, key = key, None
                holder[name] = value
            place.inside[name] = line
            if kind is not scalar_event:
                above.append((holder, place, name))
                inner = place.inside[name] = _Place(line)
                holder, place = value, inner
        return root[0] if root else None, place.inside.get(0, place)

    def _key(self, event: Any, holder: dict[str, Any], place: _Place) -> str:
        if type(event) is not self._yaml.ScalarEvent:
            raise DocumentError("a key must be plain text", line=_line(event), kind="type")
        key: str = event.value
        if key in holder:
            here = (*(name for _, _, name in self._above[1:]), key)
            first = place.inside[key]
            first = first if isinstance(first, int) else first.line
            raise DocumentError(
                f"the key `{dotted(here)}` stands twice, on line {first} and on line {_line(event)}",
                line=_line(event),
                kind="duplicate_key",
            )
        return key

    def _refuse(self, event: Any, depth: int) -> None:
        if type(event) is self._yaml.AliasEvent or event.anchor is not None:
            raise DocumentError("anchors and aliases are not read; write it out", line=_line(event), kind="yaml_alias")
        if event.tag is not None and event.tag != "!":
            raise DocumentError(f"the tag {event.tag!r} is not read", line=_line(event), kind="yaml_tag")
        if depth > _DEEPEST:
            raise DocumentError(f"nested deeper than {_DEEPEST} levels", line=_line(event), kind="yaml_depth")


_WORDS: dict[str, Any] = {
    "": None,
    **dict.fromkeys(("~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def _alias(reason: str, event: Any) -> DocumentError:
    return DocumentError(reason, line=_line(event), kind="yaml_alias")


def _line(event: Any) -> int:
    line: int = event.start_mark.line
    return line + 1


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
