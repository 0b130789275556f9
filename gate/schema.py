"""The manifest's JSON Schema, made from the same structs that decode it."""

from typing import Any

import msgspec

from gate import registry
from gate.catalogue import Catalogue
from gate.combination import Inner
from gate.entry import DOCUMENTS, INLINE, SEVERAL, Entry
from gate.manifest import Root
from gate.oracle import Oracle, Pattern, Seconds
from gate.patterns.jsregex import JsPattern
from gate.task import Folder, Inline, Revision

_ID = "https://github.com/trajectory-gate/trajectory-gate/raw/main/gate/schemas/manifest.v1.json"


def _hook(kind: type) -> dict[str, Any]:
    if kind is Inner:
        return {"$ref": "#/$defs/AnyOracle"}
    if kind is Seconds:
        return {
            "description": "seconds, also as text with a unit",
            "anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string", "pattern": r"^[0-9.]+[smh]?$"}],
        }
    if kind is Pattern:
        return {"type": "string", "format": "regex"}
    if kind is JsPattern:
        return {"type": "string", "description": "a regular expression of JavaScript, with its flags as in `(?i)`"}
    raise NotImplementedError(kind)


def manifest() -> dict[str, Any]:
    """The schema of `gate.yaml`, version 1. Plugins' oracles are accepted by any name that is not built in."""
    types = {name: kind for name in registry.builtin("gate.oracles") if (kind := Catalogue().find(name)) is not None}
    places = (Inline, Folder, Revision)
    (root, entry, *rest), definitions = msgspec.json.schema_components(
        [Root, Entry, *places, *types.values()], schema_hook=_hook, ref_template="#/$defs/{name}"
    )
    starts, oracles = rest[: len(places)], rest[len(places) :]
    for start in starts:
        definitions[start["$ref"].rpartition("/")[2]]["additionalProperties"] = False
    for (name, kind), reference in zip(types.items(), oracles, strict=True):
        _typed(definitions[reference["$ref"].rpartition("/")[2]], name, kind)
    definitions["Plugin"] = {
        "description": "An oracle of a plugin.",
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "not": {"enum": _spellings(*types)}}},
    }
    definitions["AnyOracle"] = {"anyOf": [*oracles, {"$ref": "#/$defs/Plugin"}]}
    for name in ("AllOf", "AnyOf"):
        definitions[name]["properties"]["oracles"]["minItems"] = 1
    body = definitions["Root"]
    body["properties"]["version"] = {"const": 1}
    body["properties"]["tasks"] = {"type": "array", "minItems": 1, "items": entry}
    _narrow(definitions)
    _entry(definitions["Entry"], starts)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": _ID,
        "title": "trajectory-gate manifest",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def _narrow(definitions: dict[str, Any]) -> None:
    """What the structs do not say: that one of several must be there."""
    definitions["Origin"]["oneOf"] = [{"required": ["notes"]}, {"required": ["entire"]}]
    for name in ("Text", "Value"):
        definitions[name]["oneOf"] = [{"required": ["path"]}, {"required": ["inline"]}]
    definitions["References"]["minProperties"] = 1
    definitions["Whose"]["minProperties"] = 1
    for key in ("authors", "trailers", "labels"):
        definitions["Whose"]["properties"][key]["items"] = {"type": "string", "pattern": r"\S"}


def _entry(entry: dict[str, Any], starts: list[Any]) -> None:
    """An entry of `tasks`: which keys go together depends on where its tasks are written."""
    entry["properties"]["workspace"] = {"oneOf": [*starts]}
    entry["properties"]["oracles"] = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/AnyOracle"}}
    entry["properties"]["scope"] = {"type": "array", "minItems": 1, "items": {"type": "string"}}
    told = {key: entry["properties"].pop(key) for key in ("scope", "trajectory")}
    entry["properties"] |= {key: {} for key in told}
    entry["oneOf"] = [_one_of(key, told) for key in (*DOCUMENTS, "id")]


def _one_of(key: str, told: dict[str, Any]) -> dict[str, Any]:
    """An entry that names its tasks by `key`, and says nothing that those say of themselves.

    Where there may be several, what is `told` of recordings and scope may be a mapping by their names.
    """
    others = [other for other in (*DOCUMENTS, "id") if other != key]
    foreign = [] if key == "id" else [*INLINE, *(("golden",) if key in SEVERAL else ())]
    here = {"required": [key, *(("oracles",) if key == "id" else ())]}
    properties = {name: _by_name(value) for name, value in told.items()} if key in SEVERAL else told
    return {**here, "properties": properties, "not": {"anyOf": [{"required": [name]} for name in (*others, *foreign)]}}


def _by_name(told: dict[str, Any]) -> dict[str, Any]:
    names = {"not": {"enum": ["notes", "entire"]}}
    named = {"type": "object", "minProperties": 1, "propertyNames": names, "additionalProperties": told}
    return {"anyOf": [*told.get("anyOf", [told]), named]}


def _typed(definition: dict[str, Any], name: str, kind: type[Oracle]) -> None:
    definition["properties"] = {"type": {"enum": _spellings(name)}, **definition["properties"]}
    definition["required"] = ["type", *definition.get("required", [])]
    definition["description"] = (kind.__doc__ or "").strip().split("\n", 1)[0]


def _spellings(*names: str) -> list[str]:
    return sorted({spelling for name in names for spelling in (name, name.replace("_", "-"))})
