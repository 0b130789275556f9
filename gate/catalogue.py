"""The oracle types there are: built in, from installed packages, from the repository's own plugins."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from gate import registry
from gate.combination import Combination
from gate.document import Document, Path
from gate.errors import DocumentError, PluginError, together
from gate.oracle import Oracle, rename, type_name
from gate.shape import nearest_name, shaped, shown

GROUP = "gate.oracles"
"""The group of entry points by which installed packages offer oracles."""

_FOLDER = "gate.oracles"


class Noted(NamedTuple):
    """An oracle, and where it is written."""

    oracle: Oracle
    document: Document
    at: Path


class Catalogue:
    """Oracle types by name. A name may be written with `-` or `_`; a built-in one cannot be replaced.

    Where `noted` is set, every oracle that is decoded is noted there, by its identity.
    """

    noted: dict[int, Noted] | None = None

    def __init__(self, plugins: Sequence[type[Oracle]] = ()) -> None:
        self._types: dict[str, type[Oracle]] = {}
        self._decoded: dict[bytes, Oracle] = {}
        for kind in plugins:
            name = type_name(kind)
            if name in registry.builtin(_FOLDER):
                raise PluginError(f"the plugin {name!r} has the name of a built-in oracle; give its file another name")
            self._types[name] = kind

    @property
    def names(self) -> list[str]:
        """Every name that can be used, but for those of other packages."""
        return sorted({*registry.builtin(_FOLDER), *self._types})

    def find(self, name: str) -> type[Oracle] | None:
        """The oracle type of this name, or None."""
        name = name.replace("-", "_")
        if name not in self._types and name in registry.builtin(_FOLDER):
            self._types[name] = registry.defined(registry.load(_FOLDER, name), Oracle)  # type: ignore[type-abstract]
        if name not in self._types and (kind := packaged(name)) is not None:
            self._types[name] = kind
        return self._types.get(name)

    def knows(self, name: str) -> bool:
        """Whether there is an oracle type of this name; none is loaded."""
        name = name.replace("-", "_")
        return name in self.names or name in _offered()

    def decode(self, document: Document, value: Any, at: Path) -> Oracle:
        """One oracle as it is written: its `type` and parameters. Those that are written alike are one."""
        key = _written(value) if self.noted is None else None
        if key is None:
            return self._decode(document, value, at)
        if key not in self._decoded:
            self._decoded[key] = self._decode(document, value, at)
        return self._decoded[key]

    def _decode(self, document: Document, value: Any, at: Path) -> Oracle:
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            reason = f"expected a mapping with a `type`, found {shown(value)}"
            raise document.fault(at, reason, kind="missing_key")
        kind = self.find(value["type"])
        if kind is None:
            near = nearest_name(value["type"].replace("-", "_"), self.names)
            reason = f"there is no oracle {value['type']!r}{near}"
            raise document.fault((*at, "type"), reason, kind="unknown_oracle")
        parameters = {key: item for key, item in value.items() if key != "type"}
        if issubclass(kind, Combination):
            self._decode_inner(document, parameters, at)
        oracle = shaped(document, kind, parameters, at=at)
        if self.noted is not None:
            self.noted[id(oracle)] = Noted(oracle, document, at)
        return oracle

    def _decode_inner(self, document: Document, parameters: dict[str, Any], at: Path) -> None:
        """Decode, in place, the oracles that an oracle holds."""
        if "oracles" in parameters:
            parameters["oracles"] = self.decode_all(document, parameters["oracles"], (*at, "oracles"))
        if "oracle" in parameters:
            parameters["oracle"] = self.decode(document, parameters["oracle"], (*at, "oracle"))

    def decode_all(self, document: Document, values: Any, at: Path) -> tuple[Oracle, ...]:
        """Every oracle of a task, in order. DocumentError holds the mistakes of all of them."""
        if not isinstance(values, list) or not values:
            raise document.fault(at, f"expected a list of oracles, found {shown(values)}", kind="missing_key")
        found: list[Oracle] = []
        mistakes: list[DocumentError] = []
        for number, value in enumerate(values):
            try:
                found.append(self.decode(document, value, (*at, number)))
            except DocumentError as mistake:
                mistakes.append(mistake)
        if mistakes:
            raise together(mistakes)
        return tuple(found)


def _written(value: Any) -> bytes | None:
    """What tells an oracle from others that are written otherwise: tasks of a suite ask much the same."""
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError, OverflowError):
        return None


def packaged(name: str) -> type[Oracle] | None:
    """The oracle type that an installed package offers by this name, or None. PluginError where it is broken."""
    name = name.replace("-", "_")
    point = _offered().get(name)
    if point is None:
        return None
    try:
        kind = point.load()
    except Exception as error:
        raise PluginError(f"the oracle {name!r} cannot be loaded: {type(error).__name__}: {error}") from None
    if not (isinstance(kind, type) and issubclass(kind, Oracle)):
        raise PluginError(f"the oracle {name!r} is none: expected a subclass of Oracle, found {kind!r:.80}")
    rename(kind, name)
    return kind


def _offered() -> dict[str, Any]:
    return {name.replace("-", "_"): point for name, point in registry.foreign(GROUP).items()}
