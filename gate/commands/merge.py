"""Put the JSON reports of several jobs together, of a matrix for example, and report and exit as if it were one run.

A report that is missing or cannot be read is an error of its own: no job is taken for one that passed.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from gate import gathering, handover, surfaces
from gate.errors import GateError, SourceError, UsageError
from gate.gathering import Part
from gate.report import Report
from gate.usage import keep_apart


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument(
        "reports",
        metavar="[KEY=]REPORT.json",
        nargs="+",
        help="what `gate run --json` has written in one of the jobs; KEY (else the file's name) stands at its tasks",
    )
    surfaces.add_reports(parser)
    surfaces.add_publication(parser)


refused = surfaces.refused


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Read, put together, report; the exit code is that of all of them."""
    try:
        named = _named(arguments.reports)
        keep_apart(arguments, named.values())
        publication = surfaces.publication(arguments, environ)
    except GateError as error:
        surfaces.publish(surfaces.problem(error), arguments, environ)
        return error.exit_code
    with publication or nullcontext():
        report = gathering.gathered([Part(key, _read(path)) for key, path in named.items()])
        refused = surfaces.publish(report, arguments, environ, publication)
    return surfaces.exit_code(report, refused, arguments)


def _named(words: Sequence[str]) -> dict[str, str]:
    """The files by their keys. UsageError for a key that stands twice."""
    found: dict[str, str] = {}
    for word in words:
        key, is_named, path = word.partition("=")
        if not is_named:
            key, path = os.path.splitext(os.path.basename(word))[0], word
        if not key or not path or key in found:
            raise UsageError(f"{word!r}: expected KEY=REPORT.json, each KEY once", kind="usage")
        found[key] = path
    return found


def _read(path: str) -> Report:
    try:
        return handover.load(path)
    except SourceError as error:
        return surfaces.problem(error)
