"""Several recordings of a task: counts, thresholds, and recordings that are known to be bad."""

import pytest

from gate.report import Finding, Outcome, Severity, Verdict
from gate.series import Count, Threshold, caught, count, notice, settled

PATHS = ("a.json", "b.json", "c.json", "d.json")


def said(name: str, outcome: str, *, deterministic: bool = True) -> Verdict:
    findings = (Finding(message="wrong", kind="x"),) if outcome == "fail" else ()
    oracle = name.partition("[")[0]
    return Verdict(
        oracle=oracle, name=name, outcome=Outcome(outcome), findings=findings, kind="x", deterministic=deterministic
    )


def runs(*outcomes: str, name: str = "tests") -> list[Verdict]:
    return [said(f"{name}[{path}]", outcome) for path, outcome in zip(PATHS, outcomes, strict=False)]


def shown(verdicts: list[Verdict]) -> list[tuple[str, str, str]]:
    return [(verdict.name, verdict.outcome.value, verdict.message) for verdict in verdicts]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        pytest.param(runs("pass", "fail", "pass", "pass"), (3, 1, 0), id="each by its own"),
        pytest.param(
            [said("tests", "fail"), *runs("pass", "pass", "pass", "pass")], (0, 4, 0), id="one on all of them"
        ),
        pytest.param(runs("pass", "error", "skip", "fail"), (1, 1, 2), id="what was not judged is no failure"),
        pytest.param(
            [*runs("fail", "pass", "pass", "pass"), *runs("error", name="more")], (3, 0, 1), id="an error first"
        ),
        pytest.param(
            [said("explained", "fail"), *runs("pass", "pass", "pass", "pass")], (4, 0, 0), id="explained apart"
        ),
    ],
)
def test_a_recording_passes_where_all_that_is_said_of_it_does(
    verdicts: list[Verdict], expected: tuple[int, int, int]
) -> None:
    found = count(verdicts, PATHS)
    assert (found.passed, found.failed, found.open) == expected


def test_the_count_is_told_with_its_interval() -> None:
    found = notice(runs("pass", "fail", "pass", "pass"), PATHS)
    assert found == Finding(
        severity=Severity.NOTICE,
        kind="recordings",
        message="3 of 4 recordings pass (75.0 %, 95 % interval 30.1 % to 95.4 %).",
    )
    assert notice(runs("pass"), PATHS[:1]) is None


def test_pass_at_and_pass_all_are_estimated_without_bias() -> None:
    found = Count(passed=3, failed=2, open=0)
    assert found.at(1) == pytest.approx(0.6)
    assert found.at(2) == pytest.approx(0.9)
    assert found.at(3) == 1
    assert found.all(2) == pytest.approx(0.3)


def test_failures_that_need_not_pass_are_outweighed() -> None:
    found = settled(runs("pass", "fail", "pass", "pass"), PATHS, at=Threshold(k=2, least=0.9), all_of=None)
    told = "3 of 4 recordings pass (75.0 %, 95 % interval 30.1 % to 95.4 %); pass@2 is 1, at least 0.9 expected"
    assert shown(found) == [
        ("tests[a.json]", "pass", ""),
        ("tests[b.json]", "pass", "Outweighed: wrong"),
        ("tests[c.json]", "pass", ""),
        ("tests[d.json]", "pass", ""),
        ("recordings", "pass", told),
    ]


@pytest.mark.parametrize(
    ("verdicts", "outcome", "message"),
    [
        (runs("pass", "fail", "pass", "pass"), "pass", "pass@2 is as expected; pass^1 is as expected"),
        (runs("fail", "fail", "pass", "fail"), "fail", "pass@2 is not as expected; pass^1 is not as expected"),
    ],
    ids=["met", "not met"],
)
def test_of_a_task_of_a_bundle_no_figure_is_told(verdicts: list[Verdict], outcome: str, message: str) -> None:
    at, all_of = Threshold(k=2, least=0.9), Threshold(k=1, least=0.5)
    (*_, told) = shown(settled(verdicts, PATHS, at=at, all_of=all_of, rated=False))
    assert told == ("recordings", outcome, f"{message}; the figures would be a rate of a task of a bundle")


@pytest.mark.parametrize(
    ("verdicts", "at", "all_of", "expected"),
    [
        pytest.param(
            runs("fail", "fail", "pass", "fail"),
            Threshold(k=2, least=0.9),
            Threshold(k=1, least=0.1),
            (
                "fail",
                "1 of 4 recordings pass (25.0 %, 95 % interval 4.6 % to 69.9 %); pass@2 is 0.5, at least 0.9 expected; "
                "pass^1 is 0.25, at least 0.1 expected",
            ),
            id="below a threshold",
        ),
        pytest.param(
            runs("fail", "fail", "fail", "fail"),
            Threshold(k=1, least=0.0000000001),
            None,
            (
                "fail",
                "No recording passes, so the task fails whatever the thresholds are: 0 of 4 recordings pass (0.0 %, 95 % "
                "interval 0.0 % to 49.0 %); pass@1 is 0, at least 1e-10 expected",
            ),
            id="a task that always fails",
        ),
        pytest.param(
            runs("pass", "pass", "error", "pass"),
            Threshold(k=1, least=0.5),
            None,
            ("error", "1 of 4 recordings could not be judged, so there is no count"),
            id="one that could not be judged",
        ),
        pytest.param(
            runs("pass", "pass", "pass", "pass"),
            None,
            Threshold(k=5, least=0.5),
            ("error", "the thresholds are about 5 recordings, and there are 4; add recordings"),
            id="too few of them",
        ),
    ],
)
def test_where_it_is_not_enough_nothing_is_outweighed(
    verdicts: list[Verdict], at: Threshold | None, all_of: Threshold | None, expected: tuple[str, str]
) -> None:
    found = settled(verdicts, PATHS, at=at, all_of=all_of)
    assert found[:-1] == verdicts
    assert shown(found[-1:]) == [("recordings", *expected)]


def test_what_says_whose_work_a_change_is_is_never_outweighed() -> None:
    found = settled(
        [said("explained", "fail"), *runs("pass", "pass")], PATHS[:2], at=Threshold(k=1, least=1), all_of=None
    )
    assert found[0].outcome == "fail"


@pytest.mark.parametrize(
    ("verdicts", "paths", "expected"),
    [
        pytest.param(
            [said("tests", "fail"), said("no_network", "pass")],
            ("bad.json",),
            [
                ("tests", "pass", "As it must be: wrong"),
                ("no_network", "pass", ""),
                ("must_fail", "pass", "Caught bad.json, which is known to be bad: tests"),
            ],
            id="caught",
        ),
        pytest.param(
            [said("tests", "pass")],
            ("bad.json",),
            [("tests", "pass", ""), ("must_fail", "fail", "No oracle catches bad.json, which is known to be bad")],
            id="not caught",
        ),
        pytest.param(
            runs("fail", "pass"),
            PATHS[:2],
            [
                ("tests[a.json]", "pass", "As it must be: wrong"),
                ("tests[b.json]", "pass", ""),
                ("must_fail[a.json]", "pass", "Caught a.json, which is known to be bad: tests"),
                ("must_fail[b.json]", "fail", "No oracle catches b.json, which is known to be bad"),
            ],
            id="each of several",
        ),
        pytest.param(
            [said("tests", "error")],
            ("bad.json",),
            [
                ("tests", "error", ""),
                (
                    "must_fail",
                    "error",
                    "whether an oracle catches bad.json, which is known to be bad, cannot be told: one could not judge",
                ),
            ],
            id="an error catches nothing",
        ),
        pytest.param(
            [said("explained", "fail"), said("tests", "pass")],
            ("bad.json",),
            [
                ("explained", "fail", "wrong"),
                ("tests", "pass", ""),
                ("must_fail", "fail", "No oracle catches bad.json, which is known to be bad"),
            ],
            id="whose work it is catches nothing",
        ),
        pytest.param(
            [said("tests", "pass")],
            (),
            [("tests", "pass", ""), ("must_fail", "fail", "No oracle catches what is known to be bad")],
            id="a finished folder",
        ),
        pytest.param(
            [said("tests", "skip")],
            ("bad.json",),
            [
                ("tests", "skip", ""),
                ("must_fail", "skip", "nothing was asked of bad.json, which is known to be bad: "),
            ],
            id="nothing asked",
        ),
    ],
)
def test_a_recording_that_is_known_to_be_bad_has_to_be_caught(
    verdicts: list[Verdict], paths: tuple[str, ...], expected: list[tuple[str, str, str]]
) -> None:
    assert shown(caught(verdicts, paths)) == expected


def test_a_bad_recording_that_a_model_alone_catches_is_no_proof() -> None:
    found = caught([said("prompt", "fail", deterministic=False)], ("bad.json",))
    assert not found[-1].deterministic
