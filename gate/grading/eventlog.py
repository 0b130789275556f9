"""A transcript as the events, metrics and output that programs written as graders for vally read."""

from collections.abc import Iterator
from typing import Any

from gate.trajectory import Ok
from gate.transcript import Answer, Call, Transcript


def trajectory_document(seen: Transcript, *, workspace: str = "", diff: str | None = None) -> dict[str, Any]:
    """The recording in vally's trajectory format, as far as it is known; without one it has no events."""
    read, written = seen.used or (0, 0)
    document: dict[str, Any] = {
        "id": "",
        "events": list(_events(seen)),
        "metrics": {
            "wallTimeMs": round((seen.seconds or 0) * 1000),
            "turnCount": seen.turns or int(bool(seen.answers)),
            "toolCallCount": len(seen.calls),
            "errorCount": len(seen.errors),
            "tokenUsage": {"inputTokens": read, "outputTokens": written, "totalTokens": read + written},
        },
        "output": seen.output,
        "workDir": workspace,
        "workspaceStatus": "local",
    }
    return document if diff is None else {**document, "diff": diff}


def _events(seen: Transcript) -> Iterator[dict[str, Any]]:
    turns = sorted({prompt.turn for prompt in seen.prompts} | {answer.turn for answer in seen.answers})
    for turn in turns:
        boundary = {"turnId": f"turn-{turn}"}
        prompts = [prompt for prompt in seen.prompts if prompt.turn == turn]
        answers = [answer for answer in seen.answers if answer.turn == turn]
        times = [prompt.time for prompt in prompts] + [time for answer in answers for time in answer.times]
        yield _event("turn_start", times[0] if times else "", boundary)
        for prompt in prompts:
            yield _event("user_message", prompt.time, {"content": prompt.text})
        for answer in answers:
            yield from _of_answer(answer, boundary)
        yield _event("turn_end", times[-1] if times else "", boundary)
    for event in seen.events:
        kind = "error" if event.kind == "error" else "system"
        yield _event(kind, event.time, {"subtype": event.kind, "message": event.text})


def _of_answer(answer: Answer, boundary: dict[str, str]) -> Iterator[dict[str, Any]]:
    time = answer.times[0] if answer.times else ""
    for text in answer.texts:
        yield _event("assistant_message", time, {"content": text, **boundary})
    if answer.tokens_in is not None or answer.tokens_out is not None:
        usage = {"inputTokens": answer.tokens_in or 0, "outputTokens": answer.tokens_out or 0}
        yield _event("token_usage", time, usage)
    for call in answer.calls:
        named = {"toolName": call.tool, "toolCallId": f"call_{call.number}"}
        yield _event("tool_call", time, {**named, "arguments": dict(call.arguments), **boundary})
        if call.answered:
            yield _event("tool_result", time, {**named, **_outcome(call)})


def _outcome(call: Call) -> dict[str, Any]:
    """The result; `success` only where the recording says it."""
    result: dict[str, Any] = {"result": call.result}
    return result if call.ok is Ok.UNKNOWN else {"success": call.ok is Ok.YES, **result}


def _event(kind: str, time: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "timestamp": time, "data": data}
