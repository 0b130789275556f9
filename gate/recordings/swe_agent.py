"""SWE-agent's trajectories (`.traj`)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents.conversation import cut
from gate.agents.editor import resolved
from gate.agents.given import member, objects, spoken, word
from gate.agents.sweagent import Session
from gate.errors import RecordingError
from gate.jsontext import decode, shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Step, Trajectory

_STATE = re.compile(r"\r?\n?\(Open file: (.*)\)\r?\n\(Current directory: (.*)\)\r?\nbash-\$\s*\Z")
_COMMIT = re.compile(r"[0-9a-f]{40}")


class SweAgent(Reader):
    """SWE-agent's `.traj` files: a JSON object with `trajectory`, or a demonstration with `history` alone.

    Edits are calls of `str_replace_editor` (create, str_replace, insert, undo_edit) and of the window tools (`create`,
    `edit A:B` up to `end_of_edit`, `edit OLD NEW`, `insert`), taken from the text of the action as the shell takes it
    apart. They are replayed as the tool does them: `str_replace_editor` turns every tab of the file into spaces with a
    replacement or an insertion, and both work on text, so that CRLF ends become LF. Whether an edit succeeded is known
    from the answer's own words alone; one that the linter refused was taken back and is not applied. Every other action
    is a command of the shell, without an exit code. Of a run with several attempts the chosen one is read.

    Paths are those of the container; its first working directory is the workspace.
    """

    def recognises(self, sample: Sample) -> bool:
        """An object whose `trajectory` has actions and observations, or whose `history` has actions."""
        document = sample.document
        if not isinstance(document, dict) or "messages" in document:
            return False
        if "attempts" in document:
            return any(_entries(attempt) for attempt in objects(document["attempts"]))
        return bool(_entries(document)) or (document.get("trajectory") == [] and "history" in document)

    def read(self, recording: Recording) -> Trajectory:
        """Every entry of `trajectory` is one step. RecordingError where an attempt was never chosen."""
        document = recording.document()
        dropped: list[Dropped] = []
        if "trajectory" not in document and "attempts" in document:
            attempts = objects(document["attempts"])
            if len(attempts) > 1:
                raise recording.error(
                    f"{len(attempts)} attempts, and none of them is chosen yet; expected a run that has ended",
                    kind="attempts",
                )
            document = attempts[0]
        entries = _entries(document)
        old = any(isinstance(entry.get("state"), str) for entry in entries)
        steps = resolved(_steps(entries, old=old, dropped=dropped))
        setting = _setting(document)
        return Trajectory(
            format=self.name,
            path=recording.path,
            steps=steps,
            agent=f"SWE-agent {word(member(document, 'info'), 'swe_agent_version')}".strip(),
            model=word(member(setting, "agent", "model"), "name"),
            directory=next((step.directory for step in steps if step.directory), None) or _repository(setting),
            start=_start(setting),
            dropped=tuple(dropped),
        )


def _entries(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was done, in the shape of `trajectory`; a demonstration has it in its history."""
    entries = objects(document.get("trajectory"))
    if entries:
        return entries if "action" in entries[0] and "observation" in entries[0] else []
    history = objects(document.get("history"))
    found = []
    for index, message in enumerate(history):
        action = _action(message)
        if message.get("role") == "assistant" and action and not message.get("is_demo"):
            answer = history[index + 1] if index + 1 < len(history) else {}
            found.append(_entry(message, action, answer))
    return found


def _entry(message: Mapping[str, Any], action: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    content = spoken(answer.get("content")) if answer.get("role") in ("user", "tool") else ""
    ends = _STATE.search(content)
    state = {"open_file": ends[1].strip(), "working_dir": ends[2].strip()} if ends else {}
    observation = content[: ends.start()] if ends else content
    thought = word(message, "thought")
    return {"action": action, "observation": observation, "thought": thought, "state": state}


def _action(message: Mapping[str, Any]) -> str:
    action = message.get("action")
    if isinstance(action, str) and action.strip():
        return action
    for call in objects(message.get("tool_calls")):
        function = member(call, "function")
        arguments = _inner(function.get("arguments"))
        return _written(word(function, "name"), member(arguments))
    return ""


def _written(tool: str, arguments: Mapping[str, Any]) -> str:
    """The action that SWE-agent makes of a function call."""
    import shlex  # only a history without the action's text needs it

    if tool in ("bash", "execute_bash"):
        return word(arguments, "command")
    if tool == "edit" and "end_line" in arguments:
        text = arguments.get("replacement_text")
        return f"edit {arguments.get('start_line')}:{arguments['end_line']}\n{text}\nend_of_edit"
    words = [tool]
    for key, value in arguments.items():
        flag = [f"--{key}"] if key in ("file_text", "old_str", "new_str", "insert_line", "view_range") else []
        values = value if isinstance(value, list) else [value]
        words += [*flag, *(str(part) for part in values if part is not None)]
    return shlex.join(words)


def _steps(entries: list[dict[str, Any]], *, old: bool, dropped: list[Dropped]) -> Iterator[Step]:
    """`old`: the state of an entry is that before its action; since version 1.0 it is that after it."""
    session = Session(bash=old or None)
    before: Mapping[str, Any] = {}
    for number, entry in enumerate(entries, 1):
        action, observation = entry.get("action"), spoken(entry.get("observation"))
        state = _state(entry.get("state"), number, dropped)
        now = state if old or not before else before
        file, directory = word(now, "open_file"), word(now, "working_dir")
        session.file = file if file not in ("", "n/a") else session.file
        before = state or before
        if not isinstance(action, str):
            lost = Lost(f"expected an action, found {shown(action)}")
            yield Step(number=number, turn=number, lost=lost, raw=entry, directory=directory or None)
            continue
        act = session.act(action, observation)
        command = Command(text=act.command or "", directory=directory or None, output=cut(observation))
        yield Step(
            number=number,
            turn=number,
            tool=act.tool,
            arguments=act.arguments,
            observation=cut(observation),
            message=word(entry, "thought").strip(),
            ok=act.ok,
            edits=act.edits,
            commands=(command,) if act.command is not None else (),
            directory=directory or None,
            lost=act.lost,
            raw=entry,
        )


def _state(state: Any, number: int, dropped: list[Dropped]) -> Mapping[str, Any]:
    read = _inner(state)
    if read is None and state:
        dropped.append(Dropped(line=0, reason=f"step {number}: the state is no JSON; which file was open is not known"))
    return member(read)


def _setting(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the run was asked for, where it was recorded: JSON inside JSON."""
    return member(_inner(document.get("replay_config")))


def _inner(value: Any) -> Any:
    """The value of JSON inside JSON; None where it is none. A call with such arguments was not run."""
    try:
        return decode(value.encode()) if isinstance(value, str) else value
    except (RecordingError, UnicodeEncodeError):
        return None


def _repository(setting: Mapping[str, Any]) -> str | None:
    name = word(member(setting, "env", "repo"), "repo_name")
    return f"/{name}" if name else None


def _start(setting: Mapping[str, Any]) -> str | None:
    commit = word(member(setting, "env", "repo"), "base_commit")
    return commit if _COMMIT.fullmatch(commit) else None
