"""Oracles that ask a model: the evidence that they select, the request that they make, and what they say of it."""

import enum
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from gate.derived import derived
from gate.errors import CannotJudge
from gate.grading.behaviour import Behaviour
from gate.grading.opinion import Criterion, Given, Request, Score, Scoring, answer
from gate.oracle import Need, Oracle, Trial
from gate.report import Finding
from gate.transcript import Transcript
from gate.tree import MemoryTree, Overlay, Placed, Tree

Part = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""A part of 1."""

GOLDEN_FILE = "evidence/golden-patch.patch"
REPO_FOLDER = "repo"
_LARGEST = 16 * 1024 * 1024
_OVERALL = "How well does the run do what the task asks for?"


class Exhibit(enum.StrEnum):
    """What a model may look at."""

    TRAJECTORY = "trajectory"
    DIFF = "diff"
    GOLDEN_PATCH = "golden_patch"
    REPO = "repo"


def _needs(oracle: "Consultation") -> frozenset[Need]:
    recorded = {Need.RECORDING} if Exhibit.TRAJECTORY in oracle.evidence else set()
    return frozenset({Need.COMMANDS, *recorded})


class Consultation(Behaviour, frozen=True, kw_only=True):
    """An oracle that has a model score the run against criteria."""

    needs: ClassVar[frozenset[Need]] = derived(frozenset({Need.COMMANDS, Need.RECORDING}), _needs)
    reads_tree: ClassVar[bool] = derived(
        False, lambda oracle: not {Exhibit.DIFF, Exhibit.REPO}.isdisjoint(oracle.evidence)
    )
    deterministic: ClassVar[bool] = False

    prompt: str = ""
    rubric: tuple[str, ...] = ()
    scoring: Scoring = Scoring.SCALE_1_5
    threshold: Part = 0.5
    evidence: tuple[Exhibit, ...] = (Exhibit.TRAJECTORY,)
    reasoning_effort: str | None = None
    output_delivery: Literal["workspace"] | None = None

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        super().__post_init__()
        if not self.evidence:
            raise ValueError("Expected `evidence` with at least one part")
        if not all(map(str.strip, self.rubric)):
            raise ValueError("Expected criteria in `rubric` that are not empty")
        if self.reasoning_effort is not None and not self.reasoning_effort.strip():
            raise ValueError("Expected `reasoning_effort` that is not empty")
        if self.turn is not None and Exhibit.TRAJECTORY not in self.evidence:
            raise ValueError("Expected `trajectory` among the `evidence` beside `turn`")

    @property
    def from_rubric(self) -> tuple[Criterion, ...]:
        """The criteria of the rubric; one for the whole where there is none."""
        if not self.rubric:
            return (Criterion(name="overall", description=_OVERALL),)
        return tuple(Criterion(name=str(number), description=text) for number, text in enumerate(self.rubric, 1))


def shows_patch(oracle: Oracle) -> bool:
    """Whether it asks a model, which can look at a golden patch in the place of what an agent would have said."""
    return isinstance(oracle, Consultation)


def blind(oracle: Oracle) -> bool:
    """Whether it asks a model that sees neither the diff nor the files."""
    return isinstance(oracle, Consultation) and {Exhibit.DIFF, Exhibit.REPO}.isdisjoint(oracle.evidence)


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence of one trial, ready to be shown; `missing` says what was selected and is not there, and why."""

    given: Given
    files: dict[str, bytes]
    repo: Tree | None = None
    missing: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing of the run is left. A golden patch is no part of the run."""
        given = self.given
        return given.trajectory is None and given.diff is None and given.repo is None


def case(oracle: Consultation, trial: Trial) -> Case:
    """The selected evidence of a trial."""
    missing: list[str] = []
    trajectory = diff = golden = repo = None
    if Exhibit.TRAJECTORY in oracle.evidence:
        seen = oracle.seen(trial)
        trajectory = None if seen.empty else shown(seen)
        missing += ["trajectory: nothing is recorded"] if trajectory is None else []
    if Exhibit.DIFF in oracle.evidence:
        diff = trial.diff.decode("utf-8", "replace") or None
        missing += ["diff: nothing is changed"] if diff is None else []
    if Exhibit.GOLDEN_PATCH in oracle.evidence:
        golden = trial.golden_patch
        if golden is None:
            missing.append("golden_patch: the task has none")
        elif trial.circular or same_change(golden, trial.diff):
            missing.append("golden_patch: it is the output itself, which proves nothing")
            golden = None
    if Exhibit.REPO in oracle.evidence:
        from gate.command import without_old_links  # only a model that looks at the files needs them

        repo = without_old_links(trial.after, trial.before)
    return Case(
        given=Given(
            trajectory=trajectory,
            diff=diff,
            golden_patch=None if golden is None else GOLDEN_FILE,
            repo=None if repo is None else REPO_FOLDER,
        ),
        files={} if golden is None else {GOLDEN_FILE: golden},
        repo=repo,
        missing=tuple(missing),
    )


def nothing_left(found: Case) -> Finding:
    """The finding that there is nothing of the run to judge by."""
    why = "; ".join(found.missing)
    return Finding(message=f"Nothing of the run is left to judge by: {why}", kind="no_evidence")


def shown(seen: Transcript) -> dict[str, Any]:
    """A transcript as a model reads it: prompts, answers with their calls and results, and the output."""
    return {
        "prompts": [{"turn": prompt.turn, "text": prompt.text} for prompt in seen.prompts],
        "answers": [
            {
                "step": answer.number,
                "turn": answer.turn,
                "agent": answer.agent,
                "texts": list(answer.texts),
                "calls": [
                    {
                        "tool": call.tool,
                        "arguments": dict(call.arguments),
                        "result": call.result if call.answered else None,
                        "ok": call.ok.value,
                    }
                    for call in answer.calls
                ],
            }
            for answer in seen.answers
        ],
        "output": seen.output,
        "not_counted": list(seen.strays),
        "not_read": list(seen.gaps),
    }


def same_change(one: bytes, other: bytes) -> bool:
    """Whether two unified diffs make the same change: the same lines go and come in the same files."""
    return _lines(one) == _lines(other)


def _lines(patch: bytes) -> list[bytes]:
    found = []
    for line in patch.split(b"\n"):
        if line.startswith((b"--- ", b"+++ ")):
            found.append(line.partition(b"\t")[0].rstrip(b"\r"))
        elif line.startswith((b"+", b"-")):
            found.append(line.rstrip(b"\r"))
    return found


def consult(
    oracle: Consultation, trial: Trial, found: Case, *, model: str | None, criteria: Sequence[Criterion]
) -> dict[str, Score]:
    """The scores of one model. CannotJudge where there is nobody to ask, or no answer that can be read."""
    consultant = trial.consultant
    if consultant is None:
        raise CannotJudge(
            "nobody can be asked: name the command that asks a model in the manifest, `judge: {command: [...]}`",
            kind="no_judge",
        )
    least, most = oracle.scoring.ends
    request = Request(
        task=trial.prompt,
        prompt=oracle.prompt,
        criteria=tuple(criteria),
        scoring=oracle.scoring,
        least=least,
        most=most,
        model=model or consultant.model,
        reasoning_effort=oracle.reasoning_effort or consultant.reasoning_effort,
        evidence=found.given,
    )
    data = msgspec.json.encode(request, enc_hook=str)
    if len(data) > _LARGEST:
        reason = f"the evidence has {len(data)} bytes, at most {_LARGEST} are shown to a model; select less of it"
        raise CannotJudge(reason, kind="judge_evidence")
    return answer(consultant.ask(data, _folder(found)), request)


def _folder(found: Case) -> Tree:
    return MemoryTree(found.files) if found.repo is None else Overlay(Placed(found.repo, REPO_FOLDER), found.files)
