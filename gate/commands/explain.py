"""Print an oracle's manual, or list the oracles.

A manual says what the oracle asserts, its parameters, and what it needs.
"""

import argparse
import enum
import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from gate import github, schema
from gate.asked import Asked
from gate.catalogue import Catalogue
from gate.changes import diff, occasion
from gate.errors import GateError, UsageError
from gate.intake import Intake
from gate.oracle import Oracle, type_name
from gate.reporters import json_report
from gate.review import Review
from gate.shape import nearest_name


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("oracle", nargs="?", help="the oracle's type, as in the manifest")
    parser.add_argument("--manifest", metavar="FILE", help="also know this manifest's plugins")
    schemas = parser.add_mutually_exclusive_group()
    schemas.add_argument("--schema", action="store_true", help="print the manifest's JSON Schema instead")
    schemas.add_argument("--report-schema", action="store_true", help="print the JSON report's JSON Schema instead")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Print the manual."""
    if arguments.schema:
        print(json.dumps(schema.manifest(), indent=2))
        return 0
    if arguments.report_schema:
        print(json.dumps(json_report.schema(), indent=2))
        return 0
    occasion.admit_folder(github.event(environ))
    catalogue = _catalogue(arguments.manifest)
    if arguments.oracle is None:
        for name in catalogue.names:
            print(f"{name:20} {_first(catalogue.find(name))}")
        return 0
    kind = catalogue.find(arguments.oracle)
    if kind is None:
        hint = nearest_name(arguments.oracle.replace("-", "_"), catalogue.names)
        raise UsageError(f"there is no oracle {arguments.oracle!r}{hint}")
    print("\n".join(manual(kind)))
    return 0


def _catalogue(manifest: str | None) -> Catalogue:
    """The built-in oracles and the plugins of the manifest at hand, where one can be read."""
    asked = Asked(change=diff.Request(everything=True), manifest=manifest)
    try:
        with Review.of_working_tree(asked, Path.cwd()) as review:
            return Intake(review).catalogue
    except GateError:
        if manifest is not None:
            raise
        return Catalogue()


def _first(kind: type[Oracle] | None) -> str:
    return (inspect.getdoc(kind) or "").split("\n", 1)[0] if kind else ""


def manual(kind: type[Oracle]) -> Iterator[str]:
    """The manual of an oracle type, line by line."""
    yield type_name(kind)
    yield ""
    yield from (f"  {line}".rstrip() for line in (inspect.getdoc(kind) or "").splitlines())
    yield ""
    yield "Parameters"
    fields = msgspec.structs.fields(kind)
    width = max(14, *(len(field.encode_name) for field in fields))
    for field in fields:
        yield f"  {field.encode_name:{width}} {_kind(field.type):24} {_default(field)}"
    yield ""
    yield f"Needs: {', '.join(sorted(need.value for need in kind.needs)) or 'nothing'}"
    if kind.asserts_absence:
        yield "Asserts an absence: it holds on an untouched workspace too."


_NAMES = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false", "NoneType": ""}
_OWN = {"Inner": "oracle", "Pattern": "regular expression", "JsPattern": "JavaScript expression", "Seconds": "seconds"}


def _kind(kind: Any) -> str:
    """What may be written for a type: its name in plain words, the values of an enumeration, the keys of a mapping."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return " | ".join(str(member.value) for member in kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return f"{{{', '.join(field.encode_name for field in msgspec.structs.fields(kind))}}}"
    if hasattr(kind, "__args__"):
        origin = getattr(kind, "__origin__", None)
        if origin is Literal:
            return " | ".join(map(_value, kind.__args__))
        inner = [_kind(argument) for argument in kind.__args__ if argument is not type(None)]
        if origin in (list, tuple):
            return f"list of {inner[0]}"
        if origin in (dict, Mapping):
            return f"mapping of {inner[-1]}"
        return " or ".join(word for word in inner if word)
    name = getattr(kind, "__name__", str(kind))
    return _NAMES.get(name, _OWN.get(name, str(name)))


def _default(field: Any) -> str:
    if field.required:
        return "required"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return "optional" if value in (None, "", (), [], {}) else f"default {_value(value)}"


def _value(value: Any) -> str:
    """A value as one writes it in the manifest."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.startswith("*"):  # or YAML takes it for an alias
        return f'"{value}"'
    return str(value.value if isinstance(value, enum.Enum) else value)
