"""Makes the transcript of a trajectory: gathers its steps into answers, and numbers prompts, answers and calls."""

from bisect import bisect
from collections.abc import Iterable, Iterator

import msgspec

from gate.trajectory import Ok, Step, SystemEvent, Trajectory
from gate.transcript import Answer, Call, Prompt, Transcript


def transcript(trajectory: Trajectory) -> Transcript:
    """What graders see of a trajectory; made once, however many of them ask."""
    return trajectory.once(transcript, lambda: _transcript(trajectory))


def _transcript(trajectory: Trajectory) -> Transcript:
    drafts: dict[tuple[int, str, str], _Draft] = {}
    prompts: list[Prompt] = []
    lines: list[int] = []
    for step in trajectory.steps:
        if step.source == "user":
            if _is_prompt(step):
                prompts.append(Prompt(turn=len(prompts) + 1, text=step.message, time=step.time))
                lines.append(step.line)
            continue
        key = (len(prompts), step.agent, _answer(step))
        drafts.setdefault(key, _Draft(len(prompts), step.agent)).steps.append(step)
    kept = [draft for draft in drafts.values() if draft.says_something]
    agents = [draft.agent for draft in kept]
    tokens = trajectory.tokens
    return Transcript(
        answers=tuple(_numbered(kept)),
        prompts=tuple(prompts),
        events=tuple(_placed(event, lines) for event in trajectory.events or ()),
        tells_events=trajectory.events is not None,
        lead="" if "" in agents or not agents else agents[0],
        strays=tuple(part.reason for part in trajectory.dropped if part.kind == "foreign_result"),
        gaps=tuple(_gaps(trajectory, kept)),
        tokens=None if tokens is None else (tokens.read, tokens.written),
    )


def _is_prompt(step: Step) -> bool:
    """Whether a person said something to the agent; a harness's note that it was interrupted is nothing said."""
    said = step.message.strip()
    return bool(said) and not (step.tool or step.agent or said.startswith("[Request interrupted by user"))


def _placed(event: SystemEvent, lines: list[int]) -> SystemEvent:
    """The event in its turn; where its line is known, that is how many prompts stand before it."""
    return msgspec.structs.replace(event, turn=bisect(lines, event.line)) if event.line else event


class _Draft:
    """An answer while its steps are gathered."""

    def __init__(self, turn: int, agent: str) -> None:
        self.turn, self.agent = turn, agent
        self.steps: list[Step] = []

    @property
    def says_something(self) -> bool:
        return any(step.tool or step.message.strip() or step.commands or step.edits for step in self.steps)


def _answer(step: Step) -> str:
    """What tells the answers of one turn apart: the recording's own word for it, its line, or the step itself."""
    return step.answer or (f"line {step.line}" if step.line else f"step {step.number}")


def _numbered(drafts: Iterable[_Draft]) -> Iterator[Answer]:
    calls = 0
    for number, draft in enumerate(drafts, 1):
        made = []
        for step in draft.steps:
            if step.tool or step.commands or step.edits:
                calls += 1
                made.append(_call(step, calls, number, draft.turn))
        yield Answer(
            number=number,
            turn=draft.turn,
            agent=draft.agent,
            texts=tuple(step.message for step in draft.steps if step.message.strip()),
            calls=tuple(made),
            times=tuple(step.time for step in draft.steps if step.time),
            tokens_in=_sum(step.tokens_in for step in draft.steps),
            tokens_out=_sum(step.tokens_out for step in draft.steps),
        )


def _call(step: Step, number: int, answer: int, turn: int) -> Call:
    return Call(
        number=number,
        step=answer,
        turn=turn,
        tool=step.tool or ("command" if step.commands else "edit"),
        agent=step.agent,
        arguments=step.arguments,
        commands=tuple(command.text for command in step.commands),
        paths=tuple(dict.fromkeys(edit.path for edit in step.edits)),
        result=step.observation or next((command.output for command in step.commands if command.output), ""),
        ok=step.ok,
        answered=bool(step.observation) or step.ok is not Ok.UNKNOWN,
        known=step.known,
    )


def _gaps(trajectory: Trajectory, drafts: Iterable[_Draft]) -> Iterator[str]:
    """What may hide a call: parts that were left out, and steps that nobody can read."""
    yield from (part.reason for part in trajectory.dropped if part.grave and part.kind != "foreign_result")
    for draft in drafts:
        for step in draft.steps:
            if step.lost and step.lost.is_shapeless and step.ok is not Ok.NO:
                yield f"step {step.number}: {step.lost.reason}"


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
