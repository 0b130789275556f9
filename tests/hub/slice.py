"""Cuts what the tests need out of GitHub's own description of its API, and makes it as strict as GitHub is.

    npm install @octokit/openapi@23.0.2
    python -m tests.hub.slice node_modules/@octokit/openapi/generated/api.github.com.json > tests/hub/github.openapi.json

The description is under the MIT licence. Prose and examples are left out: the examples do not satisfy their own
schemas. What the description says in prose only (sizes, lines that start at 1, no unknown keys) becomes schema here.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_REPOSITORY = "/repos/{owner}/{repo}"
_WANTED = {
    _REPOSITORY: ("get",),
    f"{_REPOSITORY}/check-runs": ("post",),
    f"{_REPOSITORY}/check-runs/{{check_run_id}}": ("get", "patch"),
    f"{_REPOSITORY}/check-runs/{{check_run_id}}/annotations": ("get",),
    f"{_REPOSITORY}/commits/{{ref}}/check-runs": ("get",),
    f"{_REPOSITORY}/commits/{{ref}}/check-suites": ("get",),
    f"{_REPOSITORY}/commits/{{commit_sha}}/pulls": ("get",),
    f"{_REPOSITORY}/pulls": ("get",),
    f"{_REPOSITORY}/pulls/{{pull_number}}": ("get",),
    f"{_REPOSITORY}/issues/{{issue_number}}/comments": ("get", "post"),
    f"{_REPOSITORY}/issues/comments/{{comment_id}}": ("get", "patch", "delete"),
    f"{_REPOSITORY}/actions/runs/{{run_id}}": ("get",),
    "/rate_limit": ("get",),
    "/user": ("get",),
}
_PROSE = ("description", "example", "examples", "externalDocs", "tags", "x-github", "callbacks")
_REFUSALS = {"401": "basic-error", "403": "basic-error", "404": "basic-error", "429": "basic-error"}
_KIB_64 = 64 * 1024


def cut(whole: dict[str, Any], server: str = "https://api.github.com") -> dict[str, Any]:
    """The wanted operations and everything that they refer to, hardened."""
    paths = {path: _item(whole["paths"][path], methods) for path, methods in _WANTED.items()}
    _refusals(paths)
    _harden(paths)
    components: dict[str, dict[str, Any]] = {"schemas": {}}
    waiting = list(_references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in components.setdefault(kind, {}):
            components[kind][name] = _bare(whole["components"][kind][name])
            waiting += _references(components[kind][name])
    _forks(components["schemas"])
    return {
        "openapi": whole["openapi"],
        "info": {key: whole["info"][key] for key in ("title", "version", "license")},
        "servers": [{"url": server}],
        "paths": paths,
        "components": {kind: dict(sorted(found.items())) for kind, found in sorted(components.items())},
    }


def _item(item: dict[str, Any], methods: tuple[str, ...]) -> dict[str, Any]:
    shared = {"parameters": _bare(item["parameters"])} if "parameters" in item else {}
    return shared | {method: _bare(item[method]) for method in methods}


def _bare(node: Any, *, named: bool = False) -> Any:
    """The node without prose; under `named` its keys are names of properties and the like, which all stay."""
    if isinstance(node, list):
        return [_bare(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _bare(value, named=key in ("properties", "headers", "schemas") and not named)
        for key, value in node.items()
        if named or key not in _PROSE
    }


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _refusals(paths: dict[str, Any]) -> None:
    """Any request may be refused, which the description of most does not say; redirects are not used."""
    for item in paths.values():
        for method, operation in item.items():
            if method == "parameters":
                continue
            answers = operation["responses"]
            for status in [status for status in answers if status.startswith("3")]:
                del answers[status]
            for status, schema in {**_REFUSALS, "422": "validation-error"}.items():
                answers.setdefault(status, _answer(schema))
            for answer in answers.values():
                answer.pop("headers", None)
                answer.setdefault("description", "")


def _answer(schema: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}}


def _harden(paths: dict[str, Any]) -> None:
    create = _body(paths[f"{_REPOSITORY}/check-runs"]["post"])
    update = _body(paths[f"{_REPOSITORY}/check-runs/{{check_run_id}}"]["patch"])
    create["properties"]["head_sha"]["pattern"] = "^[0-9a-f]{40}$"
    create["anyOf"] = update["anyOf"]
    for schema in (create, update):
        output = schema["properties"]["output"]
        annotation = output["properties"]["annotations"]["items"]
        for strict in (schema, output, annotation):
            strict["additionalProperties"] = False
        output["properties"]["title"]["maxLength"] = 255
        texts = annotation["properties"]
        texts["title"]["maxLength"] = 255
        texts["path"]["minLength"] = texts["message"]["minLength"] = 1
        texts["message"]["maxLength"] = texts["raw_details"]["maxLength"] = _KIB_64
        for line in ("start_line", "end_line", "start_column", "end_column"):
            texts[line]["minimum"] = 1


def _forks(schemas: dict[str, Any]) -> None:
    """The head of a pull request has no repository once its fork was deleted, whatever the description says."""
    for name in ("pull-request", "pull-request-simple"):
        head = schemas[name]["properties"]["head"]["properties"]
        head["repo"] = {"allOf": [head["repo"]], "nullable": True}


def _body(operation: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = operation["requestBody"]["content"]["application/json"]["schema"]
    return schema


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        found = cut(json.load(file), *sys.argv[2:])
    json.dump(found, sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")
