"""The sealed envelope: every outcome first, and a rate only on request and only when nothing is missing."""

import json
import re
from pathlib import Path

import jsonschema
import msgspec
import pytest

from gate.bundles import page, statement
from gate.bundles.contents import Contents, opened
from gate.bundles.envelope import Envelope, Subject, Used, render, schema
from gate.bundles.environment import Pin
from gate.bundles.overlap import SCHEMA, Corpus, Overlap, Scan
from gate.bundles.sealing import Judged, build
from gate.digest import sha256
from gate.report import Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.source import DiskTree
from tests.bundles.folder import bundle
from tests.conftest import ROOT

PASS = Verdict(oracle="bundle_tests", name="tests", outcome=Outcome.PASS, seconds=0.25)
FAIL = Verdict(
    oracle="expected_files",
    name="files",
    outcome=Outcome.FAIL,
    findings=(
        Finding(message="File is missing: a", kind="file_missing"),
        Finding(message="File must not be there: <b>", kind="file_forbidden"),
        Finding(message="by the way", severity=Severity.NOTICE),
    ),
    seconds=0.5,
)
ERROR = Verdict(oracle="bundle_tests", name="tests", outcome=Outcome.ERROR, reason="no folder")
OPINION = Verdict(
    oracle="prompt",
    name="reviewer",
    outcome=Outcome.FAIL,
    reason="",
    findings=(Finding(message="ugly"),),
    deterministic=False,
)


def lane(*verdicts: tuple[Verdict, ...], provenance: str = "", used: dict[str, Used] | None = None) -> Judged:
    tasks = tuple(
        TaskReport(id=f"sum-0{number}", in_scope=True, scope="", verdicts=found)
        for number, found in enumerate(verdicts, 1)
    )
    return Judged(
        report=Report(tasks=tasks, version="9", started="2026-01-02T03:04:05"),
        results="out",
        provenance=provenance,
        subjects={"sum-01": Subject(name="out/sum-01", digest={"dirHash": "d"})},
        used=used or {},
    )


GOOD = lane((PASS,), (PASS,))
BAD = lane((PASS, FAIL), (FAIL,))


@pytest.fixture
def contents(tmp_path: Path) -> Contents:
    return opened(DiskTree(bundle(tmp_path / "bench")), "bench")


def made(contents: Contents, candidate: Judged = GOOD, control: Judged | None = BAD, **more: object) -> Envelope:
    asked: dict[str, object] = {"drift": (), "gaps": (), "rate": True, **more}
    return build(contents, candidate, control, **asked)  # type: ignore[arg-type]


def test_a_rate_with_its_interval(contents: Contents) -> None:
    found = made(contents)
    assert found.publishable
    assert found.candidate.rate is not None
    assert msgspec.structs.astuple(found.candidate.rate) == (2, 2, 1.0, 0.3424, 1.0)
    assert found.control is not None
    assert found.control.rate is not None
    assert msgspec.structs.astuple(found.control.rate) == (0, 2, 0.0, 0.0, 0.6576)
    assert (
        "Candidate: 2 of 2 tasks, 100.0% (95 % interval 34.2% to 100.0%). Control: 0 of 2 tasks, 0.0%"
        in page.render(found)
    )


def test_what_a_pin_says_is_no_markup(contents: Contents) -> None:
    pin = Pin(python="3<b>", platform="`x`", lock="a|b", lock_sha256="`<img src=x>\n## 100 %", tools={"git": "<i>"})
    text = page.render(made(msgspec.structs.replace(contents, pin=pin)))
    assert "<" not in text.replace("<br>", "")
    assert "\n## 100" not in text
    assert "a|b" not in text


def test_a_page_is_read_on_a_terminal_too(contents: Contents) -> None:
    pin = Pin(
        python="3.11.7", platform="Linux-6.1-x86_64", lock="uv.lock", lock_sha256="ab12" * 16, tools={"git": "2.4"}
    )
    told = page.render(made(msgspec.structs.replace(contents, pin=pin), gaps=("nobody searched (`gate bundle scan`)",)))
    assert "| environment | Python 3.11.7 on Linux-6.1-x86_64 |" in told
    assert f"| lock file | `sha256:{'ab12' * 16}` (uv.lock) |" in told
    assert "- nobody searched (`gate bundle scan`)\n" in told
    assert not re.search("&#|\u200b", told.partition("## Candidate")[0])


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        pytest.param("`a`", "`a`", id="a command"),
        pytest.param("x ``a`b", "x &#96;`a`b", id="a backtick that has no other"),
        pytest.param("`a|<b>`", "&#96;a&#124;&#60;b&#62;&#96;", id="markup in a span"),
        pytest.param("1. `a`", "&#49;. `a`", id="a number of a list"),
        pytest.param("v 1. a # b", "v 1. a # b", id="no list within a line"),
        pytest.param("# a", "&#35; a", id="a heading"),
        pytest.param("  # a", "&#35; a", id="a heading behind blanks"),
        pytest.param("of " + "0123456789ab" * 3 + ".", "of `" + "0123456789ab" * 3 + "`.", id="a commit"),
        pytest.param("@a #1", "@\u200ba #\u200b1", id="a mention and a reference"),
    ],
)
def test_a_reason_does_nothing_in_markdown(contents: Contents, reason: str, shown: str) -> None:
    assert f"\n- {shown}\n" in page.render(made(contents, gaps=(reason,)))


def test_only_on_request(contents: Contents) -> None:
    found = made(contents, rate=False)
    assert found.publishable
    assert found.candidate.rate is None
    assert "Publishable. No rate was asked for." in page.render(found)
    assert "%" not in page.render(found)


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        pytest.param({"gaps": ("there is no env_pin.json",)}, ["there is no env_pin.json"], id="no pin"),
        pytest.param({"control": None}, ["there is no control lane"], id="no control"),
        pytest.param(
            {"candidate": lane((PASS,), (PASS,), provenance="too early")}, ["too early"], id="not pinned first"
        ),
        pytest.param({"control": lane((PASS,), (PASS,), provenance="too early")}, ["too early"], id="nor the control"),
        pytest.param(
            {"candidate": lane((PASS,), (ERROR,))},
            ["the candidate lane is incomplete: sum-02 could not be judged"],
            id="not judged",
        ),
        pytest.param(
            {"control": lane((ERROR,), ())},
            ["the control lane is incomplete: sum-01 and 1 more could not be judged"],
            id="control not judged",
        ),
    ],
)
def test_no_rate_in_any_surface(contents: Contents, change: dict[str, object], reasons: list[str]) -> None:
    found = made(contents, **change)  # type: ignore[arg-type]
    assert (found.publishable, list(found.reasons)) == (False, reasons)
    text = page.render(found)
    assert (
        "**Not publishable**, so this page tells no rate:\n\n" + "\n".join(f"- {reason}" for reason in reasons) in text
    )
    assert "%" not in text
    assert " of 2" not in text
    document = json.loads(render(found))
    lanes = [document["candidate"], *([document["control"]] if document["control"] else [])]
    assert [one["rate"] for one in lanes] == [None] * len(lanes)
    assert "rate" not in statement.render(found)


def test_without_budget_and_metrics(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", more={"metrics.json": '{"ngram_width": 5}'})
    assert made(opened(DiskTree(folder), "bench")).reasons == ("no budget was declared before the run",)
    contents = msgspec.structs.replace(opened(DiskTree(folder), "bench"), metrics=None)
    assert made(contents).reasons == (
        "there is no metrics.json, so what is measured was not frozen",
        "no budget was declared before the run",
    )


def test_what_a_scan_has_not_searched_is_said(contents: Contents) -> None:
    corpora = (
        Corpus(name="web", texts=0, bytes=0, skipped=2),
        Corpus(name="more", texts=1, bytes=9, skipped=1, broken_lines=2),
    )
    scan = Scan(schema=SCHEMA, ngram_width=12, overlap_threshold=0.05, corpora=corpora, tasks=())
    found = made(msgspec.structs.replace(contents, scan=scan))
    said = (
        "nothing of the corpus web could be searched",
        "1 file of the corpus more was not searched",
        "2 lines of the corpus more are no JSON, and searched as text",
    )
    assert found.notes == said
    assert (
        f"| contamination | no task flagged in web (0 bytes), more (9 bytes) by n-grams of 12 words; {'; '.join(said)} |"
        in (page.render(found))
    )


def test_failures_keep_their_figures(contents: Contents) -> None:
    used = {"sum-02": Used(wall_clock_seconds=601.0, tokens=100)}
    found = made(contents, lane((PASS, FAIL), (FAIL,), used=used))
    one, two = found.candidate.tasks
    assert (one.passed, one.failed_checks, one.seconds, one.over_budget) == (False, 2, 0.75, ())
    assert one.checks[1].failed == ("File is missing: a", "File must not be there: <b>")
    assert (two.used.wall_clock_seconds, two.over_budget) == (601.0, ("wall_clock_seconds",))
    assert found.budget == {"wall_clock_seconds": 600.0, "tokens": 20000.0}
    assert found.candidate.failed_checks == 4
    text = page.render(found)
    assert "| sum-02 | failed | 2 | 0.50 s | 601.0 s |" in text
    assert "over the budget: wall&#95;clock&#95;seconds" in text or "over the budget: wall_clock_seconds" in text
    assert "<b>" not in text


def test_opinions_stand_apart(contents: Contents) -> None:
    found = made(contents, lane((PASS, OPINION), (PASS,)))
    one = found.candidate.tasks[0]
    assert (one.passed, one.failed_checks, len(one.checks)) == (True, 0, 1)
    assert [note.message for note in one.reviewer_notes] == ["ugly"]
    assert "### Reviewers' notes on the candidate, which count nowhere\n\n- sum-01, reviewer: ugly" in page.render(
        found
    )
    only = made(contents, lane((OPINION,), (PASS,)))
    assert only.candidate.tasks[0].outcome is Outcome.ERROR, "no proof is no pass"


def test_flagged_tasks_are_disclosed(contents: Contents) -> None:
    overlap = Overlap(id="sum-01", prompt=0.5, prompt_sha256=contents.seal.digests["tasks/sum-01/prompt.md"])
    corpora = (Corpus(name="web", texts=1, bytes=9),)
    scan = Scan(schema=SCHEMA, ngram_width=12, overlap_threshold=0.05, corpora=corpora, tasks=(overlap,))
    assert made(contents).notes == ("no corpus was searched for these prompts (`gate bundle scan`)",)
    found = made(msgspec.structs.replace(contents, scan=scan))
    assert (found.publishable, found.notes) == (True, ())
    assert found.contamination is not None
    assert found.contamination.flagged == ("sum-01",)
    assert found.candidate.tasks[0].disclosed[0].startswith("contamination: 50.00%")
    predicate = statement.statement(found)["predicate"]
    assert (predicate["result"], predicate["passedTests"], predicate["warnedTests"]) == (
        "WARNED",
        ["sum-02"],
        ["sum-01"],
    )


@pytest.mark.parametrize(
    ("candidate", "control", "result", "failed"),
    [
        (GOOD, BAD, "PASSED", []),
        (GOOD, None, "WARNED", []),
        (BAD, GOOD, "FAILED", ["sum-01", "sum-02"]),
        (lane((PASS,), (ERROR,)), BAD, "FAILED", ["sum-02"]),
    ],
    ids=["all good", "not publishable", "failed", "not judged"],
)
def test_the_statement(
    contents: Contents, candidate: Judged, control: Judged | None, result: str, failed: list[str]
) -> None:
    found = json.loads(statement.render(made(contents, candidate, control)))
    assert found["_type"] == "https://in-toto.io/Statement/v1"
    assert found["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert found["subject"] == [{"name": "out/sum-01", "digest": {"dirHash": "d"}}]
    predicate = found["predicate"]
    assert predicate["configuration"] == [
        {"name": "bench/manifest.json", "digest": {"sha256": contents.digest}},
        {"name": "bench/env_pin.json", "digest": {"sha256": contents.pin_digest}},
    ]
    assert (predicate["result"], predicate["failedTests"]) == (result, failed)


def test_the_hash_is_that_of_the_manifest(contents: Contents) -> None:
    found = made(contents)
    assert found.bundle.sha256 == sha256(contents.tree.read("manifest.json"))
    assert found.environment.sha256 == sha256(contents.tree.read("env_pin.json"))


def test_the_schema_is_the_published_one_and_holds(contents: Contents) -> None:
    published = json.loads((ROOT / "gate/schemas/bundle-report.v1.json").read_text())
    assert published == json.loads(json.dumps(schema())), "write `json.dumps(schema(), indent=2)` there"
    for control in (BAD, None):
        jsonschema.validate(json.loads(render(made(contents, lane((PASS, OPINION), (ERROR,)), control))), published)
