"""Suites and cases of junit-xml as text.

Its own writer leaves out a time of 0, writes times and an attribute that no schema has, and takes as long as to judge
what it tells. What stands in a suite is well formed already.
"""

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

_SHORTEST = 0.0005  # seconds that are not written as none
_special = re.compile(r'[&<>"\r\n\t]').search
_ATTRIBUTES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}
)


class _Written(NamedTuple):
    """A suite as text, how many cases it has of each kind, and the seconds that they took."""

    text: str
    tests: int
    failures: int
    errors: int
    skipped: int
    seconds: float


def document(suites: Iterable[Any], *, name: str | None, strict: bool) -> str:
    """The element around each `junit_xml.TestSuite`, with totals where it has a name.

    `strict` writes what the schemas of Jenkins' xUnit plugin and of Ant both take.
    """
    written = [_suite(suite, strict=strict) for suite in suites]
    attributes = {"name": name}
    if name is not None:
        for key in ("tests", "failures", "errors", "skipped"):
            attributes[key] = str(sum([getattr(one, key) for one in written]))
        attributes["time"] = _time(sum([one.seconds for one in written]))
    return _element("testsuites", attributes, "".join([one.text for one in written]))


def _suite(suite: Any, *, strict: bool) -> _Written:
    cases = suite.test_cases
    times = [_time(case.elapsed_sec) for case in cases]
    seconds = _time(sum(map(float, times)))
    failures = sum([1 for case in cases if case.failures])
    errors = sum([1 for case in cases if case.errors])
    skipped = sum([1 for case in cases if case.skipped])
    counted = f'errors="{errors}" failures="{failures}" name="{_quoted(suite.name)}" skipped="{skipped}"'
    host, package = _attribute("hostname", suite.hostname), _attribute("package", suite.package)
    about = f"{host}{_attribute('id', suite.id)}{package}{_attribute('timestamp', suite.timestamp)}"
    start = f'<testsuite {counted} tests="{len(cases)}" time="{seconds}"{about}{_attribute("file", suite.file)}'
    text = f"{start}>{_inside(suite, times, strict=strict)}</testsuite>"
    return _Written(text, len(cases), failures, errors, skipped, float(seconds))


def _inside(suite: Any, times: Sequence[str], *, strict: bool) -> str:
    """The parts of a suite. The schema of Ant asks for all four of them, in an order of its own."""
    cases = [_case(case, time, strict=strict) for case, time in zip(suite.test_cases, times, strict=True)]
    properties = _properties(tuple(suite.properties.items()))
    out = _output(suite)
    if strict:
        return "".join([properties, *cases, out or "<system-out />", "<system-err />"])
    return "".join([properties if suite.properties else "", out, *cases])


def _case(case: Any, time: str, *, strict: bool) -> str:
    """A `junit_xml.TestCase` as text; it holds at most one of the elements that say why it did not pass."""
    inside = _output(case)
    if case.failures or case.errors or case.skipped:
        inside = _reasons(case, strict=strict) + inside
    place = f' file="{_quoted(case.file)}"' if case.file else ""
    line = f' line="{case.line}"' if case.line else ""
    start = f'<testcase name="{_quoted(case.name)}" classname="{_quoted(case.classname)}"{place}{line} time="{time}"'
    return f"{start}>{inside}</testcase>" if inside else f"{start} />"


def _reasons(case: Any, *, strict: bool) -> str:
    written = ""
    for tag, reasons in (("failure", case.failures), ("error", case.errors), ("skipped", case.skipped)):
        for reason in reasons:
            kind = reason.get("type", None if strict else tag)
            written += _element(tag, {"type": kind, "message": reason["message"]}, _text(reason["output"]))
    return written


def _output(holder: Any) -> str:
    """What a suite or a case tells beside its result."""
    return f"<system-out>{_text(holder.stdout)}</system-out>" if holder.stdout else ""


@functools.lru_cache(maxsize=16)  # most suites have the same
def _properties(items: tuple[tuple[str, str], ...]) -> str:
    written = [_element("property", {"name": name, "value": value}) for name, value in items]
    return _element("properties", {}, "".join(written))


def _element(tag: str, attributes: Mapping[str, str | None], inside: str = "") -> str:
    """An element around what is written already, without the attributes that are None."""
    start = f"<{tag}{''.join([_attribute(*item) for item in attributes.items()])}"
    return f"{start}>{inside}</{tag}>" if inside else f"{start} />"


def _attribute(name: str, value: str | None) -> str:
    return "" if value is None else f' {name}="{_quoted(value)}"'


@functools.lru_cache(maxsize=256)  # the names of oracles, and what the cases of one suite share
def _quoted(text: str) -> str:
    return text.translate(_ATTRIBUTES) if _special(text) else text  # to look takes a quarter of that time


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _time(seconds: float) -> str:
    return f"{seconds:.3f}" if _SHORTEST <= seconds < math.inf else "0.000"  # as most are, and what is no time at all
