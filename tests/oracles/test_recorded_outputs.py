"""The oracle `recorded_outputs`."""

import pytest

from gate.claims.claim import Claims, Contradiction
from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.recorded_outputs import RecordedOutputs
from gate.report import Evidence, Finding
from gate.tree import MemoryTree


def _claim(step: int, *paths: str, recorded: str | None = "x", replayed: str | None = "y") -> Contradiction:
    what = "Read" if len(paths) == 1 else "`cat a b`"
    return Contradiction(
        step=step, source=step * 3, what=what, paths=paths, line=step + 1, recorded=recorded, replayed=replayed
    )


def _judge(
    oracle: RecordedOutputs, *found: Contradiction, agreeing: tuple[tuple[str, ...], ...] = (), folder: str = ""
) -> tuple[list[str], list[Finding]]:
    claims = Claims(agreeing=agreeing, open=4, contradictions=found)
    tree = MemoryTree({"a": b"", "b": b""})
    trial = Trial(before=tree, after=tree, replayed=False, claim=lambda: claims, folder=folder)
    seen = list(oracle.judge(trial))
    evidence = [item.message for item in seen if isinstance(item, Evidence)]
    return evidence, [item for item in seen if isinstance(item, Finding)]


def test_a_finding_for_each_step() -> None:
    evidence, findings = _judge(
        RecordedOutputs(),
        _claim(2, "a"),
        _claim(5, "a", "b", recorded=None),
        _claim(6, "gone", replayed=None, recorded="\t\x1b[31m" + "z" * 200),
        agreeing=(("a",),),
    )
    assert evidence == ["1 recorded outputs are as replayed, 4 could not be compared"]
    assert findings == [
        Finding(
            message="step 2 (line 6): Read shows as line 3 of a 'x', where the replay has 'y'",
            path="a",
            kind="replay_mismatch",
        ),
        Finding(
            message="step 5 (line 15): `cat a b` shows as line 6 no such line, where the replay has 'y'",
            kind="replay_mismatch",
        ),
        Finding(
            message="step 6 (line 18): Read shows as line 7 of gone '\\x1b[31m" + "z" * 95 + "', "
            "where the replay has no such line",
            kind="replay_mismatch",
        ),
    ]


def test_only_files_that_are_asked_for() -> None:
    evidence, findings = _judge(
        RecordedOutputs(paths=("a",)), _claim(1, "b"), _claim(2, "b", "a"), agreeing=(("b",), ("a",))
    )
    assert evidence == ["1 recorded outputs are as replayed, 4 could not be compared"]
    assert [finding.message[:6] for finding in findings] == ["step 2"]


def test_paths_are_those_of_the_task_s_folder() -> None:
    _, findings = _judge(RecordedOutputs(), _claim(1, "sub/a"), _claim(2, "other/a"), folder="sub")
    assert [(finding.path, finding.message) for finding in findings] == [
        ("a", "step 1 (line 3): Read shows as line 2 of a 'x', where the replay has 'y'")
    ]


def test_an_agreement_of_nothing_proves_nothing() -> None:
    with pytest.raises(CannotJudge) as raised:
        _judge(RecordedOutputs(paths=("a",)), _claim(1, "b"), agreeing=(("b",),))
    assert raised.value.message == (
        "0 recorded outputs could be compared with the replay, expected at least 1 (`at_least`); 4 could not"
    )
    assert raised.value.kind == "nothing_compared"
    assert _judge(RecordedOutputs(at_least=0))[1] == []
    with pytest.raises(CannotJudge, match="expected at least 3"):
        _judge(RecordedOutputs(at_least=3), agreeing=(("a",), ("b",)))


def test_without_a_recording_nothing_is_judged() -> None:
    tree = MemoryTree({})
    with pytest.raises(CannotJudge, match="no recording"):
        list(RecordedOutputs().judge(Trial(before=tree, after=tree, replayed=False)))
