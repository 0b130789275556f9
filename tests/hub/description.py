"""GitHub's own description of its API as a judge: of what is sent to it, and of what the fake answers."""

import functools
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

_WHOLE = json.loads((Path(__file__).parent / "github.openapi.json").read_text(encoding="utf-8"))


class Operation(NamedTuple):
    """One thing that the API does. `template` and `method` name it in the description."""

    template: str
    method: str
    values: dict[str, str]


@functools.cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    """Templates with fewer parameters come first: `/issues/comments/{id}` before `/issues/{number}/comments`."""
    templates = sorted(_WHOLE["paths"], key=lambda template: (template.count("{"), template))
    return [(re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)), template) for template in templates]


def find(method: str, path: str) -> Operation | None:
    """The operation that a request asks for, None for one that the slice does not hold."""
    for pattern, template in _routes():
        found = pattern.fullmatch(path)
        if found and method.lower() in _WHOLE["paths"][template]:
            return Operation(template, method.lower(), found.groupdict())
    return None


def wrong_request(operation: Operation, query: dict[str, str], body: Any) -> list[str]:
    """What the description has against a request."""
    item = _WHOLE["paths"][operation.template]
    described = item[operation.method]
    parameters = [_resolved(one) for one in [*item.get("parameters", []), *described.get("parameters", [])]]
    names = {one["name"] for one in parameters if one["in"] == "query"}
    wrong = [f"the query has {name}, known are {sorted(names)}" for name in query if name not in names]
    for one in parameters:
        value = (query if one["in"] == "query" else operation.values).get(one["name"])
        if value is not None:
            wrong += [f"{one['name']}: {fault}" for fault in faults(one["schema"], _typed(one["schema"], value))]
    if "requestBody" in described:
        content = described["requestBody"]["content"]["application/json"]["schema"]
        if body is None and described["requestBody"].get("required"):
            return [*wrong, "there is no body"]
        return wrong + (faults(content, body) if body is not None else [])
    return [*wrong, "there is a body"] if body is not None else wrong


def wrong_answer(operation: Operation, status: int, body: Any) -> list[str]:
    """What the description has against an answer."""
    answers = _WHOLE["paths"][operation.template][operation.method]["responses"]
    if str(status) not in answers:
        return [] if status >= 500 else [f"no answer {status} is described"]
    answer = _resolved(answers[str(status)])
    if "content" not in answer:
        return [] if body is None else ["there is a body"]
    return faults(answer["content"]["application/json"]["schema"], body)


def least(name: str) -> Any:
    """The smallest value that satisfies a schema of the description, for what a test does not look at."""
    return _least({**_WHOLE["components"]["schemas"][name], "nullable": False})


def _least(schema: dict[str, Any]) -> Any:
    schema = _resolved(schema)
    if schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("oneOf", "anyOf"):
        if several in schema and "properties" not in schema:
            return _least(schema[several][0])
    if "allOf" in schema and "properties" not in schema:
        parts = [_least(part) for part in schema["allOf"]]
        return {key: value for part in parts for key, value in part.items()}
    kind = schema.get("type", "object")
    if kind == "object":
        return {
            key: _least(schema["properties"][key]) for key in schema.get("required", ()) if key in schema["properties"]
        }
    return {"array": [], "boolean": False, "integer": 1, "number": 1, "string": _text(schema)}[kind]


def _text(schema: dict[str, Any]) -> str:
    texts = {"date-time": "2026-11-29T19:00:00Z", "uri": "https://github.com/octo", "email": "octo@example.org"}
    return texts.get(schema.get("format", ""), "octo")


def _resolved(node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        found: Any = _WHOLE
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    return node


def _typed(schema: dict[str, Any], text: str) -> Any:
    kind = _resolved(schema).get("type")
    if kind in ("integer", "number") and re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text) if kind == "boolean" else text


@functools.cache
def _components() -> dict[str, Any]:
    found: dict[str, Any] = _modern({"schemas": _WHOLE["components"]["schemas"]})
    return found


@functools.lru_cache(maxsize=256)
def _validator(written: str) -> Draft202012Validator:
    checker = Draft202012Validator.FORMAT_CHECKER
    schema = _modern(json.loads(written))
    return Draft202012Validator({"allOf": [schema], "components": _components()}, format_checker=checker)


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    """What a schema of the description has against a value."""
    errors = sorted(_validator(json.dumps(schema)).iter_errors(value), key=lambda error: list(map(str, error.path)))
    return [f"{'.'.join(map(str, error.absolute_path)) or 'the body'}: {error.message[:200]}" for error in errors]


def _modern(node: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema names the type null."""
    if isinstance(node, list):
        return [_modern(one) for one in node]
    if not isinstance(node, dict):
        return node
    plain = {key: _modern(value) for key, value in node.items() if key != "nullable" or value is not True}
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain
