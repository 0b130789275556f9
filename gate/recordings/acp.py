"""Logs of the Agent Client Protocol."""

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.agents.acp import TERMINAL, WRITE, Log, Seen, unwrapped
from gate.agents.conversation import OBSERVED, About, Call, Conversation, Deed, Event, Result
from gate.editing import unified
from gate.editing.edit import Delete, Edit, Replace, Write
from gate.editing.text import encoded
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Trajectory

_LOOKS = ("read", "search", "think", "fetch", "switch_mode")
_EDITS = ("edit", "delete", "move")
_METHODS = re.compile(r"(session|fs|terminal)/")
_MARKS = (b"tool_call", b"fs/write", b"terminal/")


class Acp(Reader):
    """The Agent Client Protocol as JSON lines: what agent and client sent, both ways or the agent's side alone.

    A message may be wrapped in a record of the logger. Files that the client writes for the agent
    (`fs/write_text_file`) are written whole. Of the other calls the diffs they show are replayed: a new file where
    there is no old text, else the old text, whole file or part of it, is replaced where it stands exactly once. A diff
    of a file that the client wrote during the call is only for the eye. `status` says whether a call succeeded, for the
    client's own work its response. Terminals, and calls of the kind `execute` with a command, are commands. Calls of
    kinds that read are known; an edit, a deletion or a move that shows no content makes the replay incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """JSON-RPC with the protocol's methods, or an agent that tells what it can do."""
        return any(_is_acps(unwrapped(record) or {}) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass for which calls end, then one for each use of `steps`."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        return conversation.trajectory(self.name, recording.path)


def _is_acps(message: Mapping[str, Any]) -> bool:
    method, result = message.get("method"), given.member(message, "result")
    return bool(isinstance(method, str) and _METHODS.match(method)) or "agentCapabilities" in result


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    log = Log()
    for line, record in recording.records(dropped, harmless=_holds_no_call):
        yield from log.events(line, record, dropped)
    yield from log.rest()


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    seen = result.detail if result and isinstance(result.detail, Seen) else Seen(call.id)
    arguments = seen.arguments if isinstance(seen.arguments, dict) else {}
    if seen.kind == WRITE:
        content = encoded(given.text(arguments, "content"))
        return Deed(edits=(Write(path=given.named(arguments, "path"), content=content),))
    if seen.kind == TERMINAL:
        return Deed(commands=(_terminal(arguments, seen, about),))
    edits = tuple(edit for diff in seen.diffs for edit in _edits(diff, seen))
    paths = [given.word(place, "path") for place in seen.locations]
    if seen.kind == "delete" and not edits and len(paths) == 1 and paths[0]:
        edits = (Delete(path=paths[0]),)
    lost = None
    if seen.kind in _EDITS and not seen.diffs and not edits and not seen.written:
        lost = Lost(f"it shows no content of what it did to {', '.join(filter(None, paths)) or 'files'}", "no_content")
    command = arguments.get("command")
    commands: tuple[Command, ...] = ()
    if seen.kind == "execute" and not seen.terminal and isinstance(command, str | list):
        commands = (_executed(command, arguments, seen, about),)
    known = bool(edits or commands or seen.diffs) or seen.kind in _LOOKS + _EDITS + ("execute",)
    told = arguments or ({"locations": seen.locations} if seen.locations else {})
    return Deed(edits=edits, commands=commands, lost=lost, known=known, arguments=told)


def _edits(diff: Mapping[str, Any], seen: Seen) -> Iterator[Edit]:
    """What a diff shows of files that the client did not write itself."""
    if "changes" in diff:
        yield from _changes(diff, seen)
        return
    path, old = given.named(diff, "path"), given.optional(diff, "oldText")
    if path in seen.written:
        return
    new = encoded(given.text(diff, "newText"))
    yield Write(path=path, content=new) if old is None else Replace(path=path, old=encoded(old), new=new)


def _changes(diff: Mapping[str, Any], seen: Seen) -> Iterator[Edit]:
    """The second version of the protocol: which files change, and a patch of them."""
    patch = given.word(given.member(diff, "patch"), "text")
    shown = {file.after if file.after != "/dev/null" else file.before: file for file in unified.parse(patch)}
    for change in given.parts(diff, "changes"):
        path = given.named(change, "path")
        if path in seen.written:
            continue
        if change.get("operation") == "delete":
            yield Delete(path=path)
        elif path in shown:
            yield unified.Diffed(path=path, hunks=shown[path].hunks)
        else:
            raise given.missing("patch", f"the change of {path}")


def _terminal(arguments: Mapping[str, Any], seen: Seen, about: About) -> Command:
    words = arguments.get("args")
    more = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    text = given.text(arguments, "command")
    return Command(
        text=f"{text} {shlex.join(more)}" if more else text,
        directory=given.optional(arguments, "cwd") or about.directory,
        exit_code=seen.code,
        output=seen.text[:OBSERVED],
    )


def _executed(command: str | list[Any], arguments: Mapping[str, Any], seen: Seen, about: About) -> Command:
    output = given.member(seen.output)
    return Command(
        text=command if isinstance(command, str) else shlex.join(map(str, command)),
        directory=given.word(arguments, "cwd", "workdir") or about.directory,
        exit_code=next((output[key] for key in ("exitCode", "exit_code") if type(output.get(key)) is int), None),
        output=seen.text[:OBSERVED],
    )


def _holds_no_call(line: bytes) -> bool:
    return not any(mark in line for mark in _MARKS)
