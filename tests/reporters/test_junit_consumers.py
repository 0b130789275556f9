"""What each consumer of JUnit XML makes of a report, by the rules of its own reader.

A rule reads a document as its consumer does, and asserts what that one would trip over.
"""

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import junitparser
import msgspec
import pytest
from hypothesis import given
from lxml import etree

from gate.report import Evidence, Finding, Outcome, Report, TaskReport, Verdict
from gate.reporters import junit
from gate.reporters.junit import Profile
from tests import reports
from tests.hostile import REPORTS, whole_runs

_RESULTS = ("failure", "error", "skipped")
_MEBIBYTE = 1024 * 1024


def _cases(data: bytes) -> Iterator[tuple[etree._Element, etree._Element]]:
    for suite in etree.fromstring(data).iter("testsuite"):
        for case in suite.findall("testcase"):
            yield suite, case


def jenkins(data: bytes) -> None:
    """Its parser is strict, a suite without a case vanishes, and a time is a number."""
    for suite in etree.fromstring(data).iter("testsuite"):
        assert suite.findall("testcase")
        assert suite.get("name")
        assert float(suite.get("time")) >= 0
    for _, case in _cases(data):
        assert case.get("classname")
        assert case.get("name")


def gitlab(data: bytes) -> None:
    """It keeps the first of two cases alike, shows the text of a result and not its message, and takes 30 MB."""
    assert len(data) < 30 * _MEBIBYTE
    seen = [(case.get("classname"), case.get("name")) for _, case in _cases(data)]
    assert len(set(seen)) == len(seen) <= 500_000
    for _, case in _cases(data):
        assert case.get("time")
        assert all((result.text or "").strip() for result in case.xpath("failure|error|skipped"))
        assert not _attached(case)


def azure(data: bytes) -> None:
    """A name has at most 512 characters, and what failed is told by message and text."""
    for _, case in _cases(data):
        assert len(case.get("name")) <= 512
        for result in case.xpath("failure|error|skipped"):
            assert result.get("message").strip()
            assert result.text.strip()
        assert not _attached(case)


def circleci(data: bytes) -> None:
    """It splits by `file` where there is one, by `classname` otherwise; a file that is named has a name."""
    assert all(case.get("file") or case.get("classname") for _, case in _cases(data))
    assert all(case.get("file") != "" for _, case in _cases(data))


def buildkite(data: bytes) -> None:
    """Both names are mandatory."""
    assert all(case.get("classname") and case.get("name") for _, case in _cases(data))


def enricomi(data: bytes) -> None:
    """It counts what the suites say, reads cases by junitparser, and annotates by file and line."""
    read: Any = junitparser.JUnitXml.fromroot(etree.parse(BytesIO(data)).getroot())
    for suite in read:
        results = [case.result for case in suite]
        assert all(len(found) <= 1 for found in results)
        kinds = [type(found[0]).__name__.lower() if found else "" for found in results]
        counted = (suite.tests, suite.failures, suite.errors, suite.skipped)
        assert counted == (len(kinds), *(kinds.count(kind) for kind in _RESULTS))
        for case in suite:
            assert case.classname or case.name
            assert case.time is not None
            line = case._elem.get("line")
            assert line is None or (int(line) > 0 and case._elem.get("file"))


def dorny(data: bytes) -> None:
    """A missing name ends it, a missing time is no number, and a failure is an element with a message and a text."""
    for suite, case in _cases(data):
        assert suite.get("name")
        assert case.get("name")
        assert float(case.get("time")) >= 0
        assert len(case.findall("failure")) <= 1
        for failure in case.findall("failure"):
            assert failure.get("message")
            assert failure.text
            assert not len(failure)


def mikepenz(data: bytes) -> None:
    """A line without a file points into a file that it guesses from the class."""
    for suite, case in _cases(data):
        assert not case.get("line") or case.get("file")
        assert not suite.get("line")
        assert all(not result.get("line") for result in case.xpath("failure|error|skipped"))


def _attached(case: etree._Element) -> list[str]:
    """The files that Jenkins, GitLab and Azure Pipelines would publish with a case."""
    outputs = [*case.xpath("../system-out|../system-err"), *case.xpath("system-out|system-err|failure|error|skipped")]
    return [path for out in outputs for path in re.findall(r"(?i)\[\[\s*ATTACHMENT\s*\|(.*)", out.text or "")]


RULES = (jenkins, gitlab, azure, circleci, buildkite, enricomi, dorny, mikepenz)


@pytest.mark.parametrize("profile", Profile)
@whole_runs
@given(report=REPORTS)
def test_every_consumer_reads_any_report(report: Report, profile: Profile) -> None:
    data = junit.render(report, profile=profile)
    for rule in RULES:
        rule(data)


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("rule", RULES)
def test_a_consumer_reads_long_reports(rule: Callable[[bytes], None], profile: Profile) -> None:
    rule(junit.render(reports.many(300, size=200_000), profile=profile))


def _mikepenz_place(suite: etree._Element, case: etree._Element) -> tuple[str | None, str | None]:
    """Where it annotates: the place of the case, of its result, of the suite; None where it would guess a file."""
    holders = [case, *case.xpath("failure|error|skipped"), suite]
    return tuple(next((one.get(key) for one in holders if one.get(key)), None) for key in ("file", "line"))  # type: ignore[return-value] # two


def test_what_failed_is_annotated_where_it_stands() -> None:
    data = junit.render(reports.BAD)
    places = [_mikepenz_place(suite, case) for suite, case in _cases(data) if case.xpath("failure|error")]
    assert places == [("tests/test_calc.py", "12"), ("tasks/fix-add.json", None)]


def test_a_stack_text_names_the_place_that_a_consumer_searches_it_for() -> None:
    texts = [case.find("failure").text for _, case in _cases(junit.render(reports.BAD)) if case.xpath("failure")]
    assert [text.partition(": ")[0] for text in texts] == ["tests/test_calc.py:12"]


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize(
    "report", [reports.EMPTY, reports.NONE_IN_SCOPE, reports.EMPTY_FAILS, reports.BROKEN, reports.NO_CHANGE]
)
def test_no_consumer_takes_a_run_without_verdicts_for_one_without_tests(report: Report, profile: Profile) -> None:
    cases = [case for _, case in _cases(junit.render(report, profile=profile))]
    assert len(cases) >= 1  # `fail-on-empty`, `require_tests`, and Jenkins' vanishing suites
    assert all(case.xpath("failure|error|skipped") for case in cases)


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize(
    "text", ["[[ATTACHMENT|/etc/passwd]]", "x [[[attachment|a]]", "[[\nATTACHMENT|a]]", "[[\x1b[0mATTACHMENT|a]]"]
)
@pytest.mark.parametrize("outcome", [Outcome.PASS, Outcome.FAIL, Outcome.ERROR, Outcome.SKIP])
def test_no_text_makes_a_consumer_publish_a_file(outcome: Outcome, text: str, profile: Profile) -> None:
    finding = Finding(message=text, details=text)
    verdict = Verdict(
        oracle="o", name="o", outcome=outcome, findings=(finding,), evidence=(Evidence(message=text),), reason=text
    )
    task = TaskReport(id="t", in_scope=True, scope=text, verdicts=(verdict,), notices=(finding,))
    report = msgspec.structs.replace(reports.EMPTY, tasks=(task,), notices=(finding,))
    data = junit.render(report, profile=profile)
    assert b"ATTACHMENT" in data.upper()
    assert [path for _, case in _cases(data) for path in _attached(case)] == []
