"""Outputs of a step of GitHub Actions, as lines for the file that `GITHUB_OUTPUT` names."""

import os
import re
from collections.abc import Mapping

from gate import escape
from gate.report import Outcome, Report


def values(
    report: Report, *, junit: str = "", json: str = "", summary: str = "", sarif: str = "", check_run_url: str = ""
) -> dict[str, str]:
    """What later steps may ask for; the paths are those of reports that were written, empty where one was not."""
    counts = report.counts
    return {
        "verdict": report.outcome.value,
        "passed": str(counts[Outcome.PASS]),
        "failed": str(counts[Outcome.FAIL]),
        "errors": str(counts[Outcome.ERROR]),
        "skipped": str(counts[Outcome.SKIP] + counts[Outcome.NOT_APPLICABLE]),
        "junit": junit,
        "json": json,
        "summary": summary,
        "sarif": sarif,
        "check-run-url": check_run_url,
    }


def render(values: Mapping[str, str], *, delimiter: str | None = None) -> str:
    """A line for each pair, or several between delimiters that no value can guess. ValueError for one that does."""
    delimiter = delimiter or f"ghadelimiter_{os.urandom(16).hex()}"
    return "".join(_pair(key, escape.plain(value, newlines=True), delimiter) for key, value in values.items())


def _pair(key: str, value: str, delimiter: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][\w-]*", key, re.ASCII):
        raise ValueError(f"{key!r} is no name of an output")
    if delimiter in key or delimiter in value:
        raise ValueError(f"the output {key} holds its own delimiter")
    if "\n" in value:
        return f"{key}<<{delimiter}\n{value}\n{delimiter}\n"
    return f"{key}={value}\n"
