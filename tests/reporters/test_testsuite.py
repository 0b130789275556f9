"""Suites and cases of junit-xml as text, exactly."""

import math

import pytest
from junit_xml import TestCase as Case
from junit_xml import TestSuite as Suite

from gate.reporters import testsuite as writer


def failed() -> Case:
    case = Case("a", classname="gate.t", elapsed_sec=1.5, file="a.py", line=3, stdout="1 < 2")
    case.add_failure_info('said "no"\n', "a > b & c", "modified")
    return case


def skipped() -> Case:
    case = Case("b", classname="gate.t", elapsed_sec=0)
    case.add_skipped_info("later", "later")
    return case


ANNOTATED = (
    '<testsuites name="all" tests="3" failures="1" errors="0" skipped="1" time="1.500">'
    '<testsuite errors="0" failures="1" name="t" skipped="1" tests="3" time="1.500" file="gate.yaml">'
    '<properties><property name="k" value="&lt;v&gt;" /></properties><system-out>told</system-out>'
    '<testcase name="a" classname="gate.t" file="a.py" line="3" time="1.500">'
    '<failure type="modified" message="said &quot;no&quot;&#10;">a &gt; b &amp; c</failure>'
    "<system-out>1 &lt; 2</system-out></testcase>"
    '<testcase name="b" classname="gate.t" time="0.000"><skipped type="skipped" message="later">later</skipped></testcase>'
    '<testcase name="c" classname="gate.t" time="0.000" /></testsuite></testsuites>'
)


def test_annotated() -> None:
    cases = [failed(), skipped(), Case("c", classname="gate.t", elapsed_sec=math.nan)]
    suite = Suite("t", cases, file="gate.yaml", properties={"k": "<v>"}, stdout="told")
    assert writer.document([suite], name="all", strict=False) == ANNOTATED


@pytest.mark.parametrize(
    ("out", "written"),
    [
        pytest.param("told", "<system-out>told</system-out>", id="with output"),
        pytest.param("", "<system-out />", id="without"),
    ],
)
def test_strict_has_all_parts_in_the_order_of_the_schema(out: str, written: str) -> None:
    suite = Suite("t", [skipped()], hostname="h", id="0", package="p", timestamp="s", properties={}, stdout=out)
    assert writer.document([suite], name=None, strict=True) == (
        '<testsuites><testsuite errors="0" failures="0" name="t" skipped="1" tests="1" time="0.000" hostname="h" id="0" '
        'package="p" timestamp="s"><properties />'
        '<testcase name="b" classname="gate.t" time="0.000"><skipped message="later">later</skipped></testcase>'
        f"{written}<system-err /></testsuite></testsuites>"
    )
