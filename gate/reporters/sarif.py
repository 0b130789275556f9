"""The report as SARIF 2.1.0, for code scanning and other programs that show findings of many tools.

Every annotation with a place is a result. What has no place, and what made the run end early, is a notification of
the invocation, since code scanning refuses results that lie nowhere.
"""

import hashlib
import json
import os
from typing import Any
from urllib.parse import quote

from gate import escape
from gate.report import Report, Severity
from gate.reporters import annotations, excerpt
from gate.reporters.annotations import Annotation

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LIMIT = 25_000
"""Results that code scanning takes of one run; it refuses a file with more."""

_HOME = "https://github.com/trajectory-gate/trajectory-gate"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}
_TEXT_LIMIT = 16 * 1024


def render(report: Report, *, limit: int = LIMIT) -> str:
    """The document, indented, with a new line at its end; at most `limit` results, the most severe first."""
    found = annotations.collect(report)
    placed = [one for one in found if one.path]
    told = [one for one in found if not one.path]
    if len(placed) > limit:
        message = f"{len(placed) - limit} more findings are left out here: at most {limit} are taken"
        told.append(Annotation(level=Severity.WARNING, title="gate", message=message))
    placed = placed[:limit]
    rules = sorted({rule_of(one) for one in placed})
    invocation: dict[str, Any] = {
        "executionSuccessful": report.problem is None,
        "exitCode": report.exit_code,
        "exitCodeDescription": report.meaning,
        "toolExecutionNotifications": [_notification(one) for one in told],
    }
    if report.started:
        invocation["startTimeUtc"] = escape.plain(f"{report.started}Z")
    driver = {
        "name": "trajectory-gate",
        "version": escape.plain(report.version) or "unknown",
        "informationUri": _HOME,
        "rules": [_rule(name) for name in rules],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "trajectory-gate/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(one, rules) for one in placed],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return escape.json_document(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _rule(name: str) -> dict[str, Any]:
    """GitHub shows these words beside an alert."""
    return {
        "id": name,
        "shortDescription": {"text": f"trajectory-gate: {name}"},
        "fullDescription": {"text": f"What the gate found by `{name}`."},
        "help": {"text": f"`gate explain {name}` prints the manual where it is an oracle; see {_HOME}."},
        "helpUri": f"{_HOME}/blob/main/docs/oracles.md",
    }


def _result(one: Annotation, rules: list[str]) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": max(1, one.line or 1)}
    if one.end_line and one.end_line > region["startLine"]:
        region["endLine"] = one.end_line
    location = {"artifactLocation": {"uri": uri(one.path or ""), "uriBaseId": "%SRCROOT%"}, "region": region}
    return {
        "ruleId": rule_of(one),
        "ruleIndex": rules.index(rule_of(one)),
        "level": _LEVEL[one.level],
        "message": {"text": _text(one)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"trajectoryGate/v1": fingerprint(one)},
    }


def _notification(one: Annotation) -> dict[str, Any]:
    return {"level": _LEVEL[one.level], "message": {"text": _text(one)}, "descriptor": {"id": rule_of(one)}}


def rule_of(one: Annotation) -> str:
    """The name of what found it, never empty."""
    return escape.plain(one.rule) or "gate"


def _text(one: Annotation) -> str:
    return escape.plain(excerpt.clip(f"{one.title}: {one.message}", _TEXT_LIMIT), newlines=True)


def uri(path: str) -> str:
    """A path of the checkout as a relative reference (RFC 3986); bytes that are no UTF-8 are encoded as they are."""
    return quote(os.fsencode(path), safe="/")


def fingerprint(one: Annotation) -> str:
    """32 hexadecimal digits, the same in every run that finds this at this file, wherever in it the line stands."""
    parts = (one.rule, one.title, one.path or "", one.message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
