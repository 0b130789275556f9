"""The report as a code quality report of GitLab, which shows it in the merge request and beside the changed lines."""

import hashlib
import json
import re
from typing import Any

from gate import escape
from gate.manifest import NAME
from gate.report import Report, Severity
from gate.reporters import annotations, excerpt
from gate.reporters.annotations import Annotation
from gate.reporters.sarif import fingerprint, rule_of

_SEVERITY = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.NOTICE: "info"}
_TEXT_LIMIT = 2_000


def render(report: Report) -> str:
    """The document, indented, with a new line at its end. What has no place stands at the manifest's first line."""
    seen: dict[str, int] = {}
    entries = [_entry(one, seen) for one in annotations.collect(report)]
    return escape.json_document(json.dumps(entries, indent=2, ensure_ascii=False)) + "\n"


def _entry(one: Annotation, seen: dict[str, int]) -> dict[str, Any]:
    text = escape.plain(excerpt.clip(f"{one.title}: {one.message}", _TEXT_LIMIT))
    lines: dict[str, int] = {"begin": max(1, one.line or 1)}
    if one.end_line and one.end_line > lines["begin"]:
        lines["end"] = one.end_line
    return {
        "description": text,
        "check_name": rule_of(one),
        "fingerprint": _unique(fingerprint(one), seen),
        "severity": _SEVERITY[one.level],
        "location": {"path": _path(one), "lines": lines},
    }


def _path(one: Annotation) -> str:
    """GitLab takes neither `./a` nor `/a` for the file `a`."""
    return re.sub(r"^(?:\.?/)+", "", escape.plain(one.path or "")) or NAME


def _unique(mark: str, seen: dict[str, int]) -> str:
    """GitLab shows only the first of several entries with one fingerprint."""
    seen[mark] = number = seen.get(mark, 0) + 1
    return mark if number == 1 else hashlib.sha256(f"{mark}\0{number}".encode()).hexdigest()[:32]
