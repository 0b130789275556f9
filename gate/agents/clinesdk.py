"""Sessions of Cline's SDK and command line: their messages, and its editor."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.agents.conversation import OBSERVED, UNKNOWN, About, Call, Deed, Event, Made, Result, answer, speech
from gate.agents.lookalike import any_crlf
from gate.editing import patch
from gate.editing.edit import Edit, nearest, no_file, no_line
from gate.editing.text import CRLF, LF, encoded
from gate.errors import CannotApply, RecordingError
from gate.jsontext import decode
from gate.trajectory import Command, Lost, Ok, Step

_READS = ("read_files", "search_codebase", "fetch_web_content", "skills", "ask_question", "submit_and_exit")
_AGENTS = ("spawn_agent", "team_spawn_teammate", "team_run_task")
_DIRECTORY = re.compile(r"Working Directory: (.+)")
_EXIT = re.compile(r"\[?Command exited with code (-?\d+)")


class Edited(Edit, frozen=True, kw_only=True):
    """What `editor` does: it replaces `old` where it stands exactly once, inserts before `line`, or makes the file."""

    old: str | None = None
    new: str
    line: int | None = None

    @property
    def written(self) -> bytes:
        """The new text."""
        return encoded(self.new)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content after the edit, in the file's own line ends."""
        new = encoded(self.new)
        if self.line is not None:
            return _inserted(content, new.replace(CRLF, LF), self.line)
        if content is None:
            return new
        if self.old is None:
            raise CannotApply("there is such a file, and no text to replace in it", kind="replay_mismatch")
        text = any_crlf(content)
        body = content if content.isascii() else content.decode("utf-8", "replace").encode()
        old, new = (part.replace(CRLF, LF).replace(LF, text.ends) for part in (encoded(self.old), new))
        count = body.count(old) if old else 0
        if count != 1:
            found = f"is in the file {count} times, expected once" if count else "is not in the file"
            near = "" if count else f"; {nearest(content, old)}"
            raise CannotApply(f"the old text {found}{near}", kind="replay_mismatch")
        return body.replace(old, new)


def _inserted(content: bytes | None, new: bytes, line: int) -> bytes:
    if content is None:
        raise no_file()
    text = any_crlf(content)
    lines = text.body.split(LF)
    if not 1 <= line <= len(lines) + 1:
        raise no_line(line, of=len(lines))
    return text.put(LF.join([*lines[: line - 1], new, *lines[line - 1 :]]))


def is_session(document: Any) -> bool:
    """Whether a JSON value is a session: messages under an id, with the version of the format."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        return False
    return "sessionId" in document and "version" in document and "projectHash" not in document


def sdk_events(document: Mapping[str, Any]) -> Iterator[Event]:
    """What the messages of a session tell; they have no lines."""
    place = _DIRECTORY.search(given.word(document, "system_prompt"))
    yield About(agent="Cline", directory=place[1].strip() if place else None)
    for number, message in enumerate(given.objects(document.get("messages"))):
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else given.objects(content)
        said = given.spoken([block for block in blocks if block.get("type") == "text"])
        time = str(message.get("ts") or "")
        if message.get("role") == "assistant":
            yield from _answer(message, blocks, number, said)
        elif message.get("role") == "user" and said.strip():
            yield speech(0, said, time)
        for block in blocks:
            if block.get("type") == "tool_result":
                yield _result(block)


def _answer(message: Mapping[str, Any], blocks: list[dict[str, Any]], number: int, said: str) -> Iterator[Event]:
    usage = given.member(message, "metrics")
    made = [
        Made(given.word(block, "id") or f"call {number}.{place}", block.get("name"), block.get("input"), block)
        for place, block in enumerate(blocks)
        if block.get("type") == "tool_use"
    ]
    step = Step(
        number=0,
        message=said,
        time=str(message.get("ts") or ""),
        tokens_in=given.count(usage, "inputTokens"),
        tokens_out=given.count(usage, "outputTokens"),
        cost=given.price(usage, "cost"),
    )
    yield About(model=given.word(given.member(message, "modelInfo"), "id"))
    yield from answer(step, made)


def _result(block: Mapping[str, Any]) -> Result:
    content = block.get("content")
    value = _parsed(content) if isinstance(content, str) else content
    told = [value] if isinstance(value, dict) else given.objects(value)
    failed = block.get("is_error") is True or any(one.get("success") is False or one.get("error") for one in told)
    said = [given.word(one, "error", "result") or given.spoken(one) for one in told]
    return Result(
        id=str(block.get("tool_use_id")),
        ok=Ok.NO if failed else Ok.YES,
        text="\n".join(part for part in said if part) or given.spoken(content),
        detail=told,
    )


def _parsed(text: str) -> Any:
    try:
        return decode(encoded(text)) if text[:1] in ("{", "[") else text
    except RecordingError:
        return text


def sdk_deed(call: Call, result: Result | None, about: About) -> Deed:
    """What a call of one of the SDK's tools did."""
    tool, arguments = call.step.tool, call.step.arguments
    if tool == "editor":
        return Deed(edits=(edit_of(arguments),))
    if tool == "apply_patch":
        return Deed(edits=patch.edits_of(given.text(arguments, "input")))
    if tool == "run_commands":
        return Deed(commands=tuple(_commands(arguments, result, about)))
    if tool in _AGENTS:
        return Deed(lost=Lost("the recording of its sub-agent is not here, with any edit it made", "sub_agent"))
    return Deed() if tool in _READS or tool.startswith("team_") else UNKNOWN


def edit_of(arguments: Mapping[str, Any]) -> Edited:
    """The edit of one call of `editor`. RecordingError where it does not say what it did."""
    return Edited(
        path=given.named(arguments, "path"),
        old=given.optional(arguments, "old_text"),
        new=given.text(arguments, "new_text"),
        line=given.number(arguments, "insert_line"),
    )


def _commands(arguments: Mapping[str, Any], result: Result | None, about: About) -> Iterator[Command]:
    listed = next((arguments[key] for key in ("commands", "command", "cmd") if arguments.get(key)), None)
    entries = listed if isinstance(listed, list) else [listed]
    told = result.detail if result and isinstance(result.detail, list) else []
    for place, entry in enumerate(entries):
        text = entry if isinstance(entry, str) else _joined(entry)
        one = told[place] if len(told) == len(entries) else {}
        said = given.word(one, "error", "result") or (result.text if result else "")
        code = _EXIT.search(said)
        succeeded = 0 if isinstance(one, dict) and one.get("success") is True else None
        yield Command(
            text=text,
            directory=about.directory,
            exit_code=int(code[1]) if code else succeeded,
            output=said[:OBSERVED],
        )


def _joined(entry: Any) -> str:
    words = [given.text(entry, "command")]
    words += [word for word in entry.get("args") or () if isinstance(word, str)]
    if len(words) == 1:
        return words[0]
    import shlex  # only a command recorded as a program and its arguments needs it

    return shlex.join(words)
