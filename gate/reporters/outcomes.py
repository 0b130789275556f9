"""What `gate oracle` says of controls, for programs: a line of JSON for each task, or one ATIF document."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gate.golden import Control
from gate.grading.eventlog import trajectory_document
from gate.standing import Controlled, Proof, Standing
from gate.trajectory import Trajectory
from gate.transcription import transcript

_LABELS = {
    Standing.HOLDS: "failed-as-expected",
    Standing.TRIVIAL: "trivially-passing",
    Standing.NOT_APPLICABLE: "not-applicable",
    Standing.ERROR: "error",
}
_NOTHING = Trajectory(format="atif", steps=())
_VARIANTS = {Control.GOLDEN: "oracle", Control.BASELINE: "baseline"}


def jsonl(found: Sequence[Controlled], *, run: str, time: str) -> str:
    """A line for each task, and one on the run. `run` is its id, `time` when it began, in UTC.

    Where no grader was asked nothing has passed, though nothing is wrong either.
    """
    values = [_outcome(one, run, time) for one in found]
    asked = [one for one in found if _is_run(one)]
    summary = {
        "type": "run-summary",
        "runId": run,
        "passed": bool(asked) and all(one.ok for one in found),
        "stimuliTotal": len(found),
        "stimuliRun": len(asked),
        "stimuliSkipped": len(found) - len(asked),
    }
    return "".join(f"{_line(value)}\n" for value in [*values, summary])


def _is_run(one: Controlled) -> bool:
    """Whether anything was asked, or nothing was to be."""
    return not one.omitted and (one.asked or not one.graded)


def _line(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _outcome(one: Controlled, run: str, time: str) -> dict[str, Any]:
    broken = bool(one.problem) or one.count(Standing.ERROR) > 0
    outcome: dict[str, Any] = {
        "type": "trial-result",
        "runId": run,
        "variant": _VARIANTS[one.control],
        "stimulus": _text(one.id),
        "status": "error" if broken else "success" if _is_run(one) else "skipped",
        "durationMs": round(one.seconds * 1000),
    }
    if one.problem or one.omitted:
        outcome["error" if one.problem else "reason"] = _text(one.problem or one.omitted)
    if one.warnings or one.advice:
        outcome["warnings"] = [_text(text) for text in filter(None, (*one.warnings, one.advice))]
    if one.graded and not one.omitted:
        outcome["gradeResult"] = _graded(one, time)
    if one.control is Control.BASELINE and not one.omitted:
        outcome["oracleBaseline"] = {"mode": "baseline", "ok": one.ok}
    if one.trajectory is not None:
        outcome["trajectory"] = _recorded(one)
    return outcome


def _graded(one: Controlled, time: str) -> dict[str, Any]:
    passed = [proof for proof in one.proofs if _passed(proof)]
    asked = [proof for proof in one.proofs if proof.verdict is not None]
    model = any(proof.verdict and not proof.verdict.deterministic for proof in one.proofs)
    return {
        "name": _text(one.id),
        "kind": "llm" if model else "code",
        "passed": not one.problem and 0 < len(asked) == len(passed),
        "score": one.score or 0.0,
        "evidence": f"{len(passed)}/{len(asked)} graders passed",
        "stimulusName": _text(one.id),
        "trajectoryId": _identity(one),
        "timestamp": time,
        "details": [_detail(one.control, proof) for proof in one.proofs],
    }


def _detail(control: Control, proof: Proof) -> dict[str, Any]:
    passed = _passed(proof)
    detail: dict[str, Any] = {
        "name": _text(proof.name),
        "graderType": proof.oracle.replace("_", "-"),
        "kind": "llm" if proof.verdict and not proof.verdict.deterministic else "code",
        "passed": passed,
        "score": float(passed),
        "evidence": _text(proof.evidence),
    }
    if proof.standing is Standing.LEFT_OUT:
        detail["label"] = "not-asked"
    elif control is Control.BASELINE:
        detail["label"] = _LABELS[proof.standing]
    if proof.standing is Standing.ERROR:
        detail["metadata"] = {"error": _text(proof.evidence)}
    return detail


def _passed(proof: Proof) -> bool:
    return proof.verdict is not None and proof.verdict.outcome == "pass"


def _identity(one: Controlled) -> str:
    return _text(f"{_VARIANTS[one.control]}-{one.id}")


def _recorded(one: Controlled) -> dict[str, Any]:
    """The reference trajectory; where there is none, one without events and with the patch for its output."""
    seen, output = transcript(one.trajectory or _NOTHING), {}
    if one.document is None:
        output, seen = {"output": seen.output}, transcript(_NOTHING)
    document = trajectory_document(seen, diff=one.diff.decode("utf-8", "replace"))
    return {
        **document,
        **output,
        "id": _identity(one),
        "stimulus": {"name": _text(one.id), "prompt": _text(one.prompt)},
    }


def atif(one: Controlled) -> str:
    """One ATIF document: the reference trajectory as it was written, or one step of the agent that holds the patch."""
    if one.document is not None:
        return one.document.decode("utf-8", "surrogateescape")
    said = [step.message for step in one.trajectory.steps] if one.trajectory else []
    value = {
        "schema_version": "ATIF-v1.7",
        "session_id": _identity(one),
        "agent": {"name": "oracle", "version": "1"},
        "steps": [
            {"step_id": 1, "source": "agent", "message": said[0] if said else one.diff.decode("utf-8", "replace")}
        ],
    }
    return msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode() + "\n"


def _text(text: str) -> str:
    """The text without the halves of surrogate pairs that stand for bytes in names."""
    return text.encode("utf-8", "replace").decode()
