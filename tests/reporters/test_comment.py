"""The comment as a text: what stands in it, its mark, and when it is worth writing."""

import argparse
import re

import msgspec
import pytest
from hypothesis import given

from gate import surfaces
from gate.report import Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import comment, summary
from gate.reporters.comment import LIMIT, Mode, Thread
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs
from tests.reporters.test_summary import tokens

THREAD = Thread(
    repository="octo/repo", number=7, sha="a" * 40, run=77, details="https://github.com/octo/repo/actions/runs/77"
)


def text(report: Report, thread: Thread = THREAD) -> str:
    """The comment without its mark."""
    mark, _, rest = comment.draft(report, thread).body.partition("\n")
    assert re.fullmatch(r"<!-- trajectory-gate:v1 [^\n>]+ -->", mark)
    return rest


def test_it_is_the_summary_and_what_it_is_about() -> None:
    told = text(reports.BAD)
    about = (
        "\n<sub>Commit <code>aaaaaaaaaaaa</code>, judged by [this run](https://github.com/octo/repo/actions/runs/77)"
        "</sub>\n"
    )
    assert told == summary.render(reports.BAD) + about


def test_what_the_change_did_to_the_gate_stands_before_any_verdict() -> None:
    told = text(reports.BAD)
    assert told.index("### What this change did to the gate") < told.index("### Verdicts")


@pytest.mark.parametrize("details", ["", "javascript:alert(1)", "https://h/x](y)", "https://h/x\n"])
def test_no_link_but_to_a_run(details: str) -> None:
    told = text(reports.GOOD, msgspec.structs.replace(THREAD, details=details))
    assert told.endswith("\n<sub>Commit <code>aaaaaaaaaaaa</code></sub>\n")


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        pytest.param("", "## Gate: ", id="none"),
        pytest.param("linux, 3.11", "**trajectory-gate (linux, 3.11)**\n\n## Gate: ", id="of a matrix"),
        pytest.param("a--><b>", "**trajectory-gate (a--&#62;&#60;b&#62;)**\n\n## Gate: ", id="the end of a mark"),
        pytest.param("@org/é", "**trajectory-gate (@\u200borg/é)**\n\n## Gate: ", id="a mention"),
    ],
)
def test_a_key_is_found_again(key: str, shown: str) -> None:
    draft = comment.draft(reports.GOOD, msgspec.structs.replace(THREAD, key=key))
    assert draft.body.partition("\n")[2].startswith(shown)
    assert comment.read(draft.body) == draft.mark
    assert (draft.mark.key, draft.mark.run) == (key, 77)


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        pytest.param("", None, id="nothing"),
        pytest.param("Look: <!-- trajectory-gate:v1 key= -->", None, id="a mark that is quoted"),
        pytest.param("> <!-- trajectory-gate:v1 key= -->", None, id="a mark in an answer"),
        pytest.param("<!-- trajectory-gate:v1 -->", None, id="no key"),
        pytest.param("<!-- trajectory-gate:v1 key=a", None, id="no end"),
        pytest.param("<!-- trajectory-gate:v1 key=a%2Db -->\nx", comment.Mark(key="a-b"), id="no digests"),
        pytest.param("<!-- trajectory-gate:v2 key=a news=1 -->\nx", comment.Mark(key="a"), id="a later version"),
    ],
)
def test_marks(body: str, mark: comment.Mark | None) -> None:
    assert comment.read(body) == mark


def test_says_means_the_text_too() -> None:
    draft = comment.draft(reports.BAD, THREAD)
    assert comment.says(draft.body, draft)
    assert comment.says(draft.body.replace("\n", "\r\n").rstrip(), draft)
    assert not comment.says(draft.body.replace("❌ fail", "✅ pass"), draft)
    assert not comment.says(draft.body, comment.draft(reports.GOOD, THREAD))
    again = comment.draft(reports.BAD, msgspec.structs.replace(THREAD, run=78, details=""))
    assert not comment.says(draft.body, again)


_UNTOLD = msgspec.structs.replace(reports.BAD, notices=())
_TAMPERED = msgspec.structs.replace(reports.GOOD, notices=(reports.JUDGE_CHANGED,))


@pytest.mark.parametrize(
    ("report", "modes"),
    [
        pytest.param(reports.GOOD, {Mode.ALWAYS}, id="all is well"),
        pytest.param(reports.NONE_IN_SCOPE, {Mode.ALWAYS}, id="nothing to judge"),
        pytest.param(_TAMPERED, {Mode.ALWAYS, Mode.ON_CHANGE}, id="the judge was changed"),
        pytest.param(_UNTOLD, {Mode.ALWAYS, Mode.ON_CHANGE, Mode.ON_FAILURE}, id="failed"),
        pytest.param(reports.NOT_ENFORCED, {Mode.ALWAYS, Mode.ON_CHANGE, Mode.ON_FAILURE}, id="failed, not enforced"),
        pytest.param(reports.BROKEN, {Mode.ALWAYS, Mode.ON_CHANGE, Mode.ON_FAILURE}, id="could not be judged"),
        pytest.param(reports.EMPTY_FAILS, {Mode.ALWAYS, Mode.ON_CHANGE, Mode.ON_FAILURE}, id="empty fails"),
    ],
)
def test_when_it_is_made(report: Report, modes: set[Mode]) -> None:
    draft = comment.draft(report, THREAD)
    assert {mode for mode in Mode if comment.worth(mode, report, draft, None)} == modes


def test_the_option_takes_every_mode() -> None:
    parser = argparse.ArgumentParser()
    surfaces.add_publication(parser)
    assert [parser.parse_args(["--comment", mode.value]).comment for mode in Mode] == list(Mode)
    assert parser.parse_args([]).comment == Mode.OFF


def test_when_it_is_written_anew() -> None:
    known = comment.draft(reports.BAD, THREAD).mark
    other = msgspec.structs.replace(reports.BAD, change="other commits", seconds=3.0)
    for report, modes in (
        (other, {Mode.ALWAYS, Mode.ON_FAILURE}),
        (reports.GOOD, {Mode.ALWAYS, Mode.ON_FAILURE, Mode.ON_CHANGE}),
        (_UNTOLD, {Mode.ALWAYS, Mode.ON_FAILURE, Mode.ON_CHANGE}),
    ):
        draft = comment.draft(report, THREAD)
        assert {mode for mode in Mode if comment.worth(mode, report, draft, known)} == modes


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(reports.many(10_000), id="10,000 failures"),
        pytest.param(reports.many(3, size=1_000_000), id="3 failures with 1 MB each"),
    ],
)
def test_it_is_cut_and_what_is_left_out_is_counted(report: Report) -> None:
    body = comment.draft(report, msgspec.structs.replace(THREAD, key="k" * 100)).body
    assert LIMIT // 10 < len(body.encode()) <= LIMIT
    left_out = re.search(r"\*\*(\d+) tasks are left out here\*\*", body)
    assert body.count(" | ❌ fail | ") + int(left_out[1] if left_out else 0) == len(report.tasks)
    assert body.endswith("</sub>\n")


def test_the_longest_key_and_run_leave_room_for_the_mark() -> None:
    thread = msgspec.structs.replace(THREAD, key="\U0001f600" * 100, run=10**17)
    finding = Finding(message="\U000e0041" * 5_000, details="`" * 1_000_000, severity=Severity.WARNING)
    verdict = Verdict(oracle="o", name="o", outcome=Outcome.FAIL, findings=(finding,) * 30)
    report = Report(tasks=(TaskReport(id="t", in_scope=True, scope="", verdicts=(verdict,) * 90),), notices=(finding,))
    assert len(comment.draft(report, thread).body.encode()) <= LIMIT


@whole_runs
@given(REPORTS)
def test_nothing_in_it_acts(report: Report) -> None:
    draft = comment.draft(report, msgspec.structs.replace(THREAD, details=""))
    assert comment.says(draft.body, draft)
    assert runner.commands(draft.body) == []
    mark, *found = tokens(draft.body)
    assert (mark.type, mark.content.count("<!--"), mark.content.count("-->")) == ("html_block", 1, 1)
    for token in found:
        if token.type in ("text", "text_special") and token.content != THREAD.sha[:12]:
            assert not re.search(r"@\w|#\d|(?i:gh)-\d|[0-9A-Fa-f]{7}|www\.|://|:[\w+-]+:", token.content)
    assert not {token.type for token in found} & {"image", "link_open", "em_open", "code_inline", "code_block"}
