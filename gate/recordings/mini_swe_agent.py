"""mini-swe-agent's trajectories (`.traj.json`)."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from gate.agents.conversation import cut
from gate.agents.given import amount, count, member, objects, price, spoken, word
from gate.agents.utterance import block
from gate.jsontext import decode, shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_CODE = re.compile(r"\s*<returncode>(-?\d+)</returncode>\s*(?:<output>\n?(.*?)\n?</output>)?", re.DOTALL)
_JSON_CODE = re.compile(r'\s*\{\s*"returncode":\s*(-?\d+)')
_NOT_RUN = "action was not executed"
_REJECTED = ("The user rejected your", "Commands not executed", "Command not executed")
_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class MiniSweAgent(Reader):
    """mini-swe-agent's `.traj.json`: an object with `messages`, or in its first versions their bare list.

    This agent has no editing tool: everything it does is a command of the shell, with an exit code. The commands are
    those recorded as `actions` (version 2), else the one fenced block of an answer; an answer with none or several was
    not run. Since nothing but commands can be replayed, all that changed is explained by commands at best: judge the
    head's tree, not the replay's. A command typed by a person has the source `user`.
    """

    def recognises(self, sample: Sample) -> bool:
        """An object that names the format or the version, or a list of messages with this agent's fence or answers."""
        document = sample.document
        if isinstance(document, dict):
            info = document.get("info")
            named = str(document.get("trajectory_format")).startswith("mini-swe-agent")
            return "messages" in document and (named or (isinstance(info, dict) and "mini_version" in info))
        return isinstance(document, list) and any(_is_ours(message) for message in document[:8])

    def read(self, recording: Recording) -> Trajectory:
        """One step for each command, and for each message without one."""
        document = recording.document()
        messages = document["messages"] if isinstance(document, dict) else document
        if not isinstance(messages, list):
            raise recording.error(f"`messages`: expected a list, found {shown(messages)}", kind="type")
        info = member(document, "info")
        config = member(info, "config")
        dropped: list[Dropped] = []
        return Trajectory(
            format=self.name,
            path=recording.path,
            steps=tuple(_steps(messages, dropped)),
            agent=f"mini-swe-agent {word(info, 'mini_version')}".strip(),
            model=word(member(config, "model"), "model_name"),
            directory=word(member(config, "environment"), "cwd") or None,
            dropped=tuple(dropped),
        )


def _is_ours(message: Any) -> bool:
    if not isinstance(message, dict) or not isinstance(message.get("content"), str):
        return False
    content, role = message["content"], message.get("role")
    return (role == "assistant" and "```mswea_bash_command" in content) or (
        role == "user" and bool(_CODE.match(content))
    )


class _Answer(msgspec.Struct, frozen=True):
    """What came of a command."""

    output: str = ""
    code: int | None = None
    ok: Ok = Ok.UNKNOWN


def _steps(messages: list[Any], dropped: list[Dropped]) -> Iterator[Step]:
    number = 0
    for turn, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            reason = f"message {turn}: expected an object, found {shown(message)}"
            dropped.append(Dropped(line=0, reason=reason, grave=True))
            continue
        if _is_answer(message):
            continue
        role = word(message, "role") or "assistant"
        if role in ("system", "exit"):
            continue
        person = role == "user"
        actions = _actions(message)
        said = Step(
            number=number + 1,
            turn=turn,
            answer="" if person else str(turn),
            source="user" if person else "agent",
            message=_message(message),
            time=_time(message),
            raw=None if person else message,
            **_usage(message),
        )
        if not actions:
            number += 1
            yield said
        for index, action in enumerate(actions):
            number += 1
            yield _act(msgspec.structs.replace(said, number=number), action, _answer(messages[turn:], action, index))


def _act(step: Step, action: Mapping[str, Any], answer: _Answer) -> Step:
    text = action.get("command")
    broken = None if isinstance(text, str) else Lost(f"expected a command, found {shown(text)}")
    command = Command(text=str(text), exit_code=answer.code, output=cut(answer.output))
    return msgspec.structs.replace(
        step,
        tool="bash",
        arguments={"command": text},
        observation=cut(answer.output),
        ok=answer.ok,
        commands=() if broken else (command,),
        lost=broken,
    )


def _actions(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    recorded = member(message, "extra").get("actions")
    if isinstance(recorded, list):
        return list(objects(recorded))
    calls = objects(message.get("tool_calls"))
    if calls:
        return [_called(member(call, "function"), call.get("id")) for call in calls]
    calls = [item for item in objects(message.get("output")) if item.get("type") == "function_call"]
    if calls or message.get("role") != "assistant":
        return [_called(call, call.get("call_id") or call.get("id")) for call in calls]
    command = block(_message(message))
    return [] if command is None else [{"command": command}]


def _called(function: Mapping[str, Any], key: Any) -> Mapping[str, Any]:
    arguments = function.get("arguments")
    try:
        arguments = decode(arguments.encode()) if isinstance(arguments, str) else arguments
    except Exception:  # what the model wrote was no JSON, and was not run
        arguments = {}
    return {"command": member(arguments).get("command"), "tool_call_id": key}


def _is_answer(message: Mapping[str, Any]) -> bool:
    if message.get("role") == "tool" or message.get("type") == "function_call_output":
        return True
    extra = member(message, "extra")
    if "returncode" in extra or "raw_output" in extra:
        return True
    content = message.get("content")
    return message.get("role") == "user" and isinstance(content, str) and bool(_CODE.match(content))


def _answer(rest: list[Any], action: Mapping[str, Any], index: int) -> _Answer:
    """The answer to the `index`-th command of a message, among the messages after it."""
    key, found = action.get("tool_call_id"), []
    for message in rest:
        if not isinstance(message, dict) or not _is_answer(message):
            break
        found.append(message)
    after = rest[len(found)] if len(found) < len(rest) else None
    submitted = isinstance(after, dict) and member(after, "extra").get("exit_status") == "Submitted"
    matched = [each for each in found if key is not None and key in (each.get("tool_call_id"), each.get("call_id"))]
    message = matched[0] if matched else found[index] if key is None and index < len(found) else None
    if message is not None:
        answer = _read(message)
        # the command that hands in ends the run before its own result is written down
        last = answer.ok is Ok.NO and answer.code == -1 and _SUBMIT in str(action.get("command"))
        return _Answer(code=0, ok=Ok.YES) if last else answer
    if submitted and _SUBMIT in str(action.get("command")):
        return _Answer(code=0, ok=Ok.YES)
    if isinstance(after, dict) and any(words in _message(after)[:200] for words in _REJECTED):
        return _Answer(output=_message(after), ok=Ok.NO)
    return _Answer()


def _read(message: Mapping[str, Any]) -> _Answer:
    extra, content = member(message, "extra"), _message(message)
    plain = _CODE.match(content)
    found = plain or _JSON_CODE.match(content)
    code = count(extra, "returncode")
    if code is None and found:
        code = int(found[1])
    raw = extra.get("raw_output")
    output = raw if isinstance(raw, str) else plain[2] if plain and plain[2] is not None else content
    if extra.get("exception_info") == _NOT_RUN:
        return _Answer(_NOT_RUN, -1, Ok.NO)
    return _Answer(output, code, Ok.UNKNOWN if code is None else Ok.YES if code == 0 else Ok.NO)


def _message(message: Mapping[str, Any]) -> str:
    """What is said, in any of the shapes that the models' interfaces give it."""
    content = message.get("content")
    return spoken(message.get("output") if content is None else content)


def _usage(message: Mapping[str, Any]) -> dict[str, Any]:
    extra = member(message, "extra")
    usage = member(extra, "response", "usage") or member(message, "usage")
    return {
        "tokens_in": count(usage, "prompt_tokens", "input_tokens"),
        "tokens_out": count(usage, "completion_tokens", "output_tokens"),
        "cost": price(extra, "cost"),
    }


def _time(message: Mapping[str, Any]) -> str:
    stamp = amount(member(message, "extra").get("timestamp"))
    try:
        return "" if stamp is None else datetime.fromtimestamp(stamp, UTC).isoformat()
    except (OverflowError, ValueError, OSError):
        return ""
