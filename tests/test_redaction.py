"""Secrets in a report: what is taken out, and what stays."""

import pytest
from hypothesis import given

from gate.redaction import redacted, secrets
from gate.report import Evidence, Finding, Outcome, Problem, Report, TaskReport, Verdict, Waived
from gate.reporters import json_report, junit
from tests import reports
from tests.hostile import REPORTS, whole_runs

LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
JOSE = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{LETTERS}\n{LETTERS}\n-----END RSA PRIVATE KEY-----"


def said(text: str, *known: str) -> str:
    """What becomes of a finding's message."""
    (task,) = redacted(Report(tasks=(_task(text),)), known).tasks
    return task.verdicts[0].findings[0].message


def _task(text: str) -> TaskReport:
    verdict = Verdict(oracle="o", name="o", outcome=Outcome.FAIL, findings=(Finding(message=text, path="a.py"),))
    return TaskReport(id="t", in_scope=True, scope="", verdicts=(verdict,))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(f"git push with ghp_{LETTERS} at hand", "git push with *** at hand", id="GitHub"),
        pytest.param(f"ghs_{LETTERS}", "***", id="a workflow's token"),
        pytest.param(f"x github_pat_11AAAAAA0_{LETTERS}", "x ***", id="GitHub, fine-grained"),
        pytest.param("glpat-aB3dE6gH9jK2mN5pQ8sT", "***", id="GitLab"),
        pytest.param("key=AKIAIOSFODNN7EXAMPLE;", "key=***;", id="AWS"),
        pytest.param(f"AIza{LETTERS[:35]}", "***", id="Google"),
        pytest.param("xoxb-1234567890-abcdefghij", "***", id="Slack"),
        pytest.param(f"sk-ant-api03-{LETTERS}", "***", id="a model's API"),
        pytest.param(f"sk-{LETTERS}", "***", id="another one's"),
        pytest.param(JOSE, "***", id="JSON web token"),
        pytest.param(f"before\n{KEY}\nafter", "before\n***\nafter", id="private key"),
        pytest.param(
            "git clone https://me:hunter22@example.org/x", "git clone https://***@example.org/x", id="address"
        ),
        pytest.param(f"Authorization: Bearer {LETTERS}", "Authorization: Bearer ***", id="header"),
        pytest.param(f"authorization: basic {LETTERS}==", "authorization: basic ***", id="basic"),
    ],
)
def test_what_has_the_shape_of_a_secret_is_taken_out(text: str, shown: str) -> None:
    assert said(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ghp_short", id="too short"),
        pytest.param("scikit-learn-contrib, sk-learn-extra-and-more-of-it", id="a package"),
        pytest.param("https://example.org:8443/a@b", id="a port"),
        pytest.param(f"sha256:{'0' * 64} {'a' * 40}", id="digests"),
        pytest.param("tests/test_calc.py:12: assert add(1, 2) == 3", id="a line"),
        pytest.param("-----BEGIN PUBLIC KEY-----", id="a public key"),
    ],
)
def test_what_has_not_stays(text: str) -> None:
    assert said(text) == text


def test_what_the_environment_holds_is_taken_out_too() -> None:
    environ = {
        "GATE_TOKEN": "correct horse battery",
        "NPM_TOKEN": "correct horse battery staple",
        "DB_PASSWORD": "short",
        "HOME": "/home/runner/work",
        "api_key": "of lower case",
    }
    known = secrets(environ)
    assert known == ("correct horse battery staple", "correct horse battery", "of lower case")
    assert said("a correct horse battery staple, correct horse battery, short", *known) == "a ***, ***, short"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a correct ho\x1b[0mrse battery", "a ***", id="a colour"),
        pytest.param("a correct ho\x9b0mrse battery", "a ***", id="one character for ESC ["),
        pytest.param("a correct ho\x1b]8;;x\x07rse battery", "a ***", id="a link"),
        pytest.param("a correct horse\x1b7 battery", "a ***", id="the cursor"),
        pytest.param("\x1b]8;;correct horse battery\x07a", "\x1b]8;;***\x07a", id="within one"),
        pytest.param(f"\x1b[31mghp_{LETTERS}\x1b[0m", "***", id="around one"),
        pytest.param("\x1b[31mghp_short \x85 hop\x1b[0m", "\x1b[31mghp_short \x85 hop\x1b[0m", id="none, it stays"),
    ],
)
def test_terminal_sequences_hide_none(text: str, shown: str) -> None:
    assert said(text, "correct horse battery") == shown


def test_nor_is_one_whole_where_they_are_left_out() -> None:
    report = Report(tasks=(_task("a correct ho\x1b[0mrse battery"),))
    assert b"correct horse" in junit.render(report)
    assert b"correct horse" not in junit.render(redacted(report, ("correct horse battery",)))


def test_it_is_looked_for_everywhere_but_in_paths() -> None:
    secret = f"ghp_{LETTERS}"
    finding = Finding(message=secret, details=secret, kind=secret, path=f"{secret}.txt")
    evidence = Evidence(message=secret, details=secret, path=f"{secret}.txt")
    verdict = Verdict(
        oracle="o",
        name=secret,
        outcome=Outcome.FAIL,
        findings=(finding,),
        evidence=(evidence,),
        waived=(Waived(finding=finding, reason=secret),),
        reason=secret,
    )
    task = TaskReport(id=secret, in_scope=True, scope=secret, verdicts=(verdict,), notices=(finding,))
    problem = Problem(message=secret, exit_code=2)
    report = Report(tasks=(task,), notices=(finding,), problem=problem, change=secret, judge=secret, repeat=secret)
    written = json_report.render(redacted(report))
    assert written.count(secret) == written.count(f"{secret}.txt") == 5
    assert redacted(report).outcome is report.outcome


@pytest.mark.parametrize("report", [reports.GOOD, reports.BAD, reports.BROKEN, reports.many(20)])
def test_a_report_without_secrets_is_the_same(report: Report) -> None:
    assert redacted(report, ("correct horse battery",)) is report


@whole_runs
@given(REPORTS)
def test_no_verdict_changes_and_once_is_enough(report: Report) -> None:
    once = redacted(report)
    assert (once.outcome, once.exit_code, len(once.tasks)) == (report.outcome, report.exit_code, len(report.tasks))
    assert redacted(once) is once


def test_very_long_texts_take_no_long_time() -> None:
    long = "x_-://" * 500_000 + "-----BEGIN PRIVATE KEY-----" * 1_000
    assert len(said(long)) < len(long)


@pytest.mark.parametrize("before", ["\n", "\t", "(", "\x00", "x "], ids=ascii)
@pytest.mark.parametrize(
    "secret", [f"ghp_{LETTERS}", "AKIAIOSFODNN7EXAMPLE", JOSE, KEY, "https://user:hunter22@example.org"]
)
def test_the_quick_look_at_the_whole_misses_none(before: str, secret: str) -> None:
    assert "***" in said(before + secret)
    assert "***" in said("a task-1 " * 30_000 + before + secret)
