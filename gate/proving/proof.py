"""What controls mean for a run: an oracle whose control does not hold cannot pass anything, and what is new is told."""

from collections.abc import Iterator, Sequence

import msgspec

from gate.golden import Control
from gate.oracle import Oracle, names, type_name
from gate.plan import Fresh, Plan, Planned
from gate.proving import control
from gate.proving.control import Asking
from gate.report import Finding, Outcome, Severity, Verdict
from gate.standing import Controlled, Proof, Standing

_ASKING = Asking(rejects=False)
_FAULTS = {
    (Control.GOLDEN, Standing.FAILS): "it fails the reference solution",
    (Control.GOLDEN, Standing.ERROR): "it cannot judge the reference solution",
    (Control.BASELINE, Standing.TRIVIAL): "it passes where nobody has done anything",
    (Control.BASELINE, Standing.ERROR): "it cannot judge where nobody has done anything",
}


def proved(plan: Plan) -> Plan:
    """The plan with what the controls that are due say of its oracles, and of those that the change brings."""
    due = [task for task in plan.tasks if _is_due(task)]
    found = _controlled(plan, due)
    news = _controlled(plan, [each.planned for each in plan.fresh])
    tasks = []
    for task in plan.tasks:
        told = found.get(id(task))
        tasks.append(_required(plan, task if told is None else _told(task, told)))
    notices = (*plan.notices, *(notice for each in plan.fresh for notice in _of_fresh(each, news[id(each.planned)])))
    return msgspec.structs.replace(plan, tasks=tuple(tasks), notices=notices)


def _is_due(task: Planned) -> bool:
    return bool(task.controls) and task.task is not None and not task.problem


def _controlled(plan: Plan, tasks: Sequence[Planned]) -> dict[int, list[Controlled]]:
    """Every control of every task; the golden one only where there is golden input."""
    found: dict[int, list[Controlled]] = {id(task): [] for task in tasks}
    for which in Control:
        golden = which is Control.GOLDEN
        asked = [
            task
            for task in tasks
            if which in task.controls and not (golden and (task.task is None or task.task.golden is None))
        ]
        for task, one in zip(asked, control.run(plan, asked, which, _ASKING), strict=True):
            found[id(task)].append(one)
    return found


def _required(plan: Plan, task: Planned) -> Planned:
    """The task with an *error* where the policy requires golden input that it does not have."""
    whole = task.task
    if not plan.policy.require_golden or not task.in_scope or task.problem:
        return task
    if whole is None or whole.golden is not None or whole.must_fail:
        return task
    reason = "`require_golden`: the task has no golden input, so nothing proves its oracles; add `golden`"
    verdict = Verdict(oracle="golden", name="golden", outcome=Outcome.ERROR, reason=reason, kind="no_golden")
    return msgspec.structs.replace(task, verdicts=(*task.verdicts, verdict))


def _told(task: Planned, found: Sequence[Controlled]) -> Planned:
    """The task with its unfit oracles, and a notice on what its controls say."""
    unfit: dict[str, str] = {}
    for one in found:
        for name, reason in _unfit(task, one):
            unfit.setdefault(name, reason)
    notices = [_notice(task, "control", message, severity) for message, severity in _sentences(task, found)]
    told = msgspec.structs.replace(task, unfit=unfit, notices=(*task.notices, *notices))
    if task.in_scope or not unfit:
        return told
    # Nothing else is asked of it, but what could not pass anything must not pass unseen.
    verdicts = tuple(_unproved(task, name, reason) for name, reason in unfit.items())
    scope = f"{task.scope}; but the change touches its own files, and a control does not hold"
    return msgspec.structs.replace(told, in_scope=True, scope=scope, task=None, verdicts=verdicts)


def _unproved(task: Planned, name: str, reason: str) -> Verdict:
    kinds = {called: type_name(oracle) for called, oracle in names(task.task.oracles if task.task else ())}
    return Verdict(oracle=kinds.get(name, name), name=name, outcome=Outcome.ERROR, reason=reason, kind="control")


def _unfit(task: Planned, one: Controlled) -> Iterator[tuple[str, str]]:
    if one.problem and task.task is not None:
        for name, oracle in names(task.task.oracles):
            if oracle.control is None and not oracle.joins_recordings:
                yield name, f"its {one.control.value} control cannot be run, so that nothing proves it: {one.problem}"
    for proof in one.proofs:
        if not proof.holds:
            yield proof.name, f"its {one.control.value} control does not hold: {_fault(one.control, proof)}"


def _fault(which: Control, proof: Proof) -> str:
    return f"{_FAULTS[which, proof.standing]}: {proof.evidence}"


def _sentences(task: Planned, found: Sequence[Controlled]) -> Iterator[tuple[str, Severity]]:
    if Control.GOLDEN in task.controls and task.task is not None and task.task.golden is None:
        yield (
            "Unproved: the task has no golden input, so nothing shows that its oracles pass the right answer.",
            _NOTICE,
        )
    for one in found:
        name = one.control.value
        yield from ((f"The {name} control: {warning}.", Severity.WARNING) for warning in one.warnings)
        if one.omitted:
            yield f"Unproved in this run: the {name} control is left out: {one.omitted}.", _NOTICE
        elif not one.problem:
            yield f"The {name} control {'holds' if one.ok else 'does not hold'}: {_counts(one)}.", _NOTICE
        if one.advice:
            yield f"The {name} control: {one.advice}.", _NOTICE
        for proof in one.proofs:
            if proof.standing is Standing.LEFT_OUT:
                yield f"Unproved by the {name} control: {proof.name}: {proof.reason}.", _NOTICE


_NOTICE = Severity.NOTICE


def _counts(one: Controlled) -> str:
    golden = one.control is Control.GOLDEN
    words = {
        Standing.HOLDS: "pass the reference solution" if golden else "fail where nobody has done anything",
        Standing.FAILS: "fail the reference solution",
        Standing.TRIVIAL: "pass where nobody has done anything",
        Standing.ERROR: "could not judge",
        Standing.NOT_APPLICABLE: "assert an absence",
        Standing.LEFT_OUT: "were not asked",
    }
    counted = [f"{one.count(standing)} {word}" for standing, word in words.items() if one.count(standing)]
    return f"of {len(one.proofs)} oracles {', '.join(counted) or 'none was asked'}"


def _notice(task: Planned, kind: str, message: str, severity: Severity) -> Finding:
    return Finding(severity=severity, kind=kind, message=message, path=task.path, line=task.line)


def _of_fresh(fresh: Fresh, found: Sequence[Controlled]) -> Iterator[Finding]:
    """What is said of each oracle that the change brings: proved, not holding, or unproved."""
    planned = fresh.planned
    if planned.task is None or planned.problem:
        message = f"The task {planned.id!r}, which this change brings, cannot be proved: {planned.problem}."
        yield _notice(planned, "judge_unproved", message, Severity.WARNING)
        return
    for name, oracle in names(planned.task.oracles):
        if oracle in fresh.oracles and not oracle.joins_recordings:
            yield _verdict_on(planned, name, oracle, found)


def _verdict_on(planned: Planned, name: str, oracle: Oracle, found: Sequence[Controlled]) -> Finding:
    kind = type_name(oracle)
    called = name if name.startswith(kind) else f"{kind} ({name})"
    subject = f"The oracle {called} of the task {planned.id!r}, new or changed here,"
    stands = [(one, proof) for one in found for proof in one.proofs if proof.name == name]
    faults = [f"{one.control.value}: {_fault(one.control, proof)}" for one, proof in stands if not proof.holds]
    faults += [f"{one.control.value}: {one.problem}" for one in found if one.problem and oracle.control is None]
    if faults:
        message = f"{subject} does not hold as a control ({'; '.join(faults)}). Once merged, it cannot pass anything."
        return _notice(planned, "judge_unfit", message, Severity.WARNING)
    held = [one.control for one, proof in stands if proof.standing is Standing.HOLDS]
    absent = any(proof.standing is Standing.NOT_APPLICABLE for _, proof in stands)
    if Control.GOLDEN in held and (Control.BASELINE in held or absent):
        fails = "asserts an absence" if absent else "fails where nobody has done anything"
        return _notice(planned, "judge_proved", f"{subject} passes the reference solution and {fails}.", _NOTICE)
    why = next(filter(None, (proof.reason for _, proof in stands)), "") or next(
        filter(None, (one.omitted for one in found)), ""
    )
    if not why:
        why = "only one control was run" if held else "the task has no golden input"
    return _notice(planned, "judge_unproved", f"{subject} is unproved: {why}.", _NOTICE)
