"""Text that an agent, a test or a file name may produce to act where it is shown: strategies for property tests."""

from hypothesis import strategies as st

from gate.report import Evidence, Finding, Outcome, Problem, Report, Severity, TaskReport, Verdict, Waived

ANY = st.text(st.characters(exclude_categories=()), max_size=40)
"""Text of any code points, lone surrogates too."""

BLANKS = [" ", "\n", "\r", "\r\n", "\t", "\x0b", "\x0c", "\x1b", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff", "\u200b"]
PARTS = r"""
:: ##[ ##vso[ ] error add-mask stop-commands set-env name=x token %0A %25 , = ` ``` ~~~ @org/team #1 GH-3 o/r#2
0123456789abcdef0123456789abcdef01234567 <b> </details> <!-- ]]> &amp; [x](javascript:1) http://a.b www.a.b | \ * _ $
- 1. --- :tada: \x1b[31m EOF <<
"""
HOSTILE = st.lists(st.sampled_from([*PARTS.split(), *BLANKS, "\udcff", "\0"]) | st.text(max_size=3), max_size=12).map(
    "".join
)
TEXT = HOSTILE | ANY

_line = st.none() | st.integers(1, 9999)
_findings = st.builds(
    Finding,
    message=TEXT,
    severity=st.sampled_from(Severity),
    path=st.none() | TEXT,
    line=_line,
    end_line=_line,
    kind=TEXT,
    details=TEXT,
)
_several = st.lists(_findings, max_size=3).map(tuple)
_verdicts = st.builds(
    Verdict,
    oracle=TEXT,
    name=TEXT,
    outcome=st.sampled_from(Outcome),
    findings=_several,
    evidence=st.lists(st.builds(Evidence, message=TEXT, path=st.none() | TEXT, details=TEXT), max_size=2).map(tuple),
    waived=st.lists(st.builds(Waived, finding=_findings, reason=TEXT, until=TEXT), max_size=1).map(tuple),
    reason=TEXT,
    kind=TEXT,
    seconds=st.floats(),
)
_tasks = st.builds(
    TaskReport,
    id=TEXT,
    in_scope=st.booleans(),
    scope=TEXT,
    verdicts=st.lists(_verdicts, max_size=3).map(tuple),
    notices=_several,
    path=st.none() | TEXT,
    line=_line,
)
REPORTS = st.builds(
    Report,
    tasks=st.lists(_tasks, max_size=3).map(tuple),
    notices=_several,
    problem=st.none() | st.builds(Problem, message=TEXT, exit_code=st.sampled_from([2, 3]), kind=TEXT),
    change=TEXT,
    judge=TEXT,
    enforce=st.booleans(),
    empty_fails=st.booleans(),
    version=TEXT,
    repeat=TEXT,
    started=TEXT,
    seconds=st.floats(),
    left_out=st.integers(0, 3),
)
"""Whole runs in which every text is hostile."""
