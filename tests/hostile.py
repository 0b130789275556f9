"""Text that an agent, a test or a file name may produce to act where it is shown: strategies for property tests."""

import random

from hypothesis import settings
from hypothesis import strategies as st

from gate.report import Evidence, Finding, Outcome, Problem, Report, Severity, TaskReport, Verdict, Waived

whole_runs = settings(max_examples=50)
"""For properties of whole runs, which take long to draw."""

ANY = st.text(st.characters(exclude_categories=()), max_size=40)
"""Text of any code points, lone surrogates too."""

BLANKS = [" ", "\n", "\r", "\r\n", "\t", "\x0b", "\x0c", "\x1b", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff", "\u200b"]
PARTS = r"""
:: ##[ ##vso[ ] error add-mask stop-commands set-env name=x token %0A %25 , = ` ``` ~~~ @org/team #1 GH-3 o/r#2
0123456789abcdef0123456789abcdef01234567 <b> </details> <!-- ]]> &amp; [x](javascript:1) http://a.b www.a.b | \ * _ $
- 1. --- :tada: \x1b[31m EOF << [[ATTACHMENT|x]]
"""
_ALL = [*PARTS.split(), *BLANKS, "\udcff", "\0"]
HOSTILE = st.lists(st.sampled_from(_ALL) | st.text(max_size=3), max_size=12).map("".join)
TEXT = HOSTILE | ANY

_chance = random.Random(20261129)
_lines = st.sampled_from(["", *("".join(_chance.choices(_ALL, k=_chance.randrange(1, 12))) for _ in range(5_000))])
"""Quicker to draw, for runs that hold many texts."""

_number = st.none() | st.integers(1, 9999)
_findings = st.builds(
    Finding,
    message=_lines,
    severity=st.sampled_from(Severity),
    path=st.none() | _lines,
    line=_number,
    end_line=_number,
    kind=_lines,
    details=_lines,
)
_several = st.lists(_findings, max_size=3).map(tuple)
_verdicts = st.builds(
    Verdict,
    oracle=_lines,
    name=_lines,
    outcome=st.sampled_from(Outcome),
    findings=_several,
    evidence=st.lists(st.builds(Evidence, message=_lines, path=st.none() | _lines, details=_lines), max_size=2).map(
        tuple
    ),
    waived=st.lists(st.builds(Waived, finding=_findings, reason=_lines, until=_lines), max_size=1).map(tuple),
    reason=_lines,
    kind=_lines,
    seconds=st.floats(),
)
_tasks = st.builds(
    TaskReport,
    id=_lines,
    in_scope=st.booleans(),
    scope=_lines,
    verdicts=st.lists(_verdicts, max_size=3).map(tuple),
    notices=_several,
    path=st.none() | _lines,
    line=_number,
)
REPORTS = st.builds(
    Report,
    tasks=st.lists(_tasks, max_size=3).map(tuple),
    notices=_several,
    problem=st.none() | st.builds(Problem, message=_lines, exit_code=st.sampled_from([2, 3]), kind=_lines),
    change=_lines,
    judge=_lines,
    enforce=st.booleans(),
    empty_fails=st.booleans(),
    version=_lines,
    repeat=_lines,
    started=_lines,
    seconds=st.floats(),
    left_out=st.integers(0, 3),
)
"""Whole runs in which every text is hostile."""
