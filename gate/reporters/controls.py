"""What `gate oracle` says of controls, for a person."""

from collections.abc import Iterator, Sequence

from gate import escape
from gate.golden import Control
from gate.reporters import excerpt
from gate.standing import Controlled, Proof, Standing

_LIMIT = 2_000
_MARK = {
    Standing.HOLDS: "✓",
    Standing.FAILS: "✗",
    Standing.TRIVIAL: "✗",
    Standing.ERROR: "✗",
    Standing.NOT_APPLICABLE: "⊘",
    Standing.LEFT_OUT: "⊘",
}
_TITLE = {Control.GOLDEN: "oracle", Control.BASELINE: "baseline (no golden inputs)"}
_SAID = {
    (Control.GOLDEN, Standing.FAILS): "failed",
    (Control.GOLDEN, Standing.ERROR): "could not judge",
    (Control.GOLDEN, Standing.LEFT_OUT): "not asked",
    (Control.BASELINE, Standing.HOLDS): "failed as expected",
    (Control.BASELINE, Standing.TRIVIAL): "passed without the golden solution (trivially passing)",
    (Control.BASELINE, Standing.ERROR): "could not judge, which is a fault of the grader or its harness",
    (Control.BASELINE, Standing.NOT_APPLICABLE): "N/A — asserts absence, satisfied by the empty baseline",
    (Control.BASELINE, Standing.LEFT_OUT): "not asked",
}


def render(found: Sequence[Controlled], *, verbose: bool = False, quiet: bool = False) -> str:
    """A block for each task, and how many of the controls hold.

    What is wrong is always told with its evidence, everything else where `verbose` asks for it; with `quiet` there is
    no block for a control that holds, or of which nobody was asked.
    """
    shown = [one for one in found if not quiet or (one.asked and not one.ok) or one.problem]
    lines = [line for one in shown for line in _block(one, verbose=verbose)]
    lines.append(f"Oracle summary: {_summary(found)}")
    return escape.log_safe("".join(f"{line}\n" for line in lines))


def _summary(found: Sequence[Controlled]) -> str:
    asked = [one for one in found if one.asked]
    if not asked:
        return "no grader was asked"
    left = f", {len(found) - len(asked)} not asked" if len(found) > len(asked) else ""
    return f"{sum(one.ok for one in asked)}/{len(asked)} controls hold{left}"


def _block(one: Controlled, *, verbose: bool) -> Iterator[str]:
    mark = "⊘" if not one.asked else "✅" if one.ok else "❌"
    yield f"{mark} {_shown(one.id)} [{_TITLE[one.control]}] ({_counts(one)})"
    for warning in one.warnings:
        yield f"  ⚠ {_shown(warning)}"
    for proof in one.proofs:
        yield from _grader(one, proof, verbose=verbose)
    if one.problem:
        yield f"  ✗ {_shown(one.problem)}"
    if one.advice:
        yield f"  ⚠ {one.advice}"
    if verbose and one.printed:
        yield from (f"  | {_shown(line)}" for line in one.printed.decode("utf-8", "replace").splitlines()[-20:])
    if one.graded and one.asked:
        yield f"  Score: {_score(one)}"


def _grader(one: Controlled, proof: Proof, *, verbose: bool) -> Iterator[str]:
    said = _SAID.get((one.control, proof.standing), "")
    tells = verbose or not proof.holds or proof.standing is Standing.LEFT_OUT
    applies = proof.standing is not Standing.NOT_APPLICABLE
    words = [said, _shown(proof.evidence) if tells and applies else ""]
    if one.control is Control.BASELINE or tells:
        yield f"  {_MARK[proof.standing]} [{_shown(proof.name)}] {' — '.join(filter(None, words))}".rstrip()


def _counts(one: Controlled) -> str:
    if one.omitted:
        return f"left out: {_shown(one.omitted)}"
    if not one.graded:
        return "not graded" if not one.problem else "not materialised"
    if one.control is Control.GOLDEN:
        asked = len(one.proofs) - one.count(Standing.LEFT_OUT)
        return f"{one.count(Standing.HOLDS)}/{asked} graders passed"
    named = (
        (Standing.HOLDS, "failed as expected"),
        (Standing.TRIVIAL, "trivially passing"),
        (Standing.ERROR, "in error"),
        (Standing.NOT_APPLICABLE, "n/a"),
    )
    counted = [(one.count(standing), word) for standing, word in named]
    kept = [f"{count} {word}" for count, word in counted if count or word == "failed as expected"]
    return ", ".join(kept)


def _score(one: Controlled) -> str:
    if one.control is Control.BASELINE:
        return f"baseline {'OK' if one.ok else 'PROBLEM'} ({_counts(one)})"
    verdict = "PASSED" if one.ok else "FAILED"
    return f"{(one.score or 0.0) * 100:.1f}% | {verdict}"


def _shown(text: str) -> str:
    return escape.plain(excerpt.clip(" ".join(text.split("\n")), _LIMIT))
