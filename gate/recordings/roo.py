"""Roo Code's conversations."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.cline import EDITORS, TOOLS, events, exit_code, is_family, is_roos, shown
from gate.agents.conversation import OBSERVED, UNKNOWN, About, Call, Conversation, Deed, Event, Result
from gate.agents.roo import edits_of
from gate.agents.searchblock import Saved, is_numbered, unnumbered
from gate.editing.text import encoded
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Lost, Trajectory

_CHANGED = re.compile(r'"user_edits":|<user_edits>')
_MORE = ("read_command_output", "access_mcp_resource")


class Roo(Reader):
    """Roo Code's `api_conversation_history.json`.

    `apply_diff` (SEARCH/REPLACE blocks with `:start_line:`), `write_to_file`, `insert_content`, `search_and_replace`,
    `search_replace`, `edit`, `edit_file` and `apply_patch` are replayed as Roo Code applies them, called by blocks or
    by XML in the text; `execute_command` is a command. Whether an edit succeeded, and which parts of it, stands in the
    words of its result. A sub-task's conversation is another recording: without it `new_task` makes the replay
    incomplete, as do a replacement by regular expression and a text that a person changed before it was saved, unless
    the result shows the file.

    *Unverified*: built from Roo Code's public sources, without a real conversation that edits files.
    """

    def recognises(self, sample: Sample) -> bool:
        """Messages of Cline's family with tools, modes or results that only Roo Code has."""
        return is_family(sample.document) and is_roos(sample.document)

    def read(self, recording: Recording) -> Trajectory:
        """The whole conversation."""
        document = recording.document()
        conversation = Conversation(lambda _: _events(document), _deed)
        return conversation.trajectory(self.name, recording.path, unverified=True)


def _events(document: Any) -> Iterator[Event]:
    yield About(agent="Roo Code")
    yield from events((0, message) for message in given.objects(document))


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    said = str(result.detail) if result else ""
    if tool in EDITORS:
        return _edited(call, result, said)
    if tool == "execute_command":
        command = Command(
            text=given.text(arguments, "command"),
            directory=given.optional(arguments, "cwd") or about.directory,
            exit_code=exit_code(said),
            output=said[:OBSERVED],
        )
        return Deed(commands=(command,))
    if tool == "new_task":
        return Deed(
            lost=Lost("the recording of the task that it began is not here, with any edit it made", "sub_agent")
        )
    return Deed() if tool in (*TOOLS, *_MORE) and tool != "use_mcp_tool" else UNKNOWN


def _edited(call: Call, result: Result | None, said: str) -> Deed:
    edits = edits_of(call.step.tool, call.step.arguments, said, xml="xml" in given.member(call.step.raw))
    saved = shown(result)
    if saved is not None and len(edits) == 1 and isinstance(edits[0], Saved):
        after = encoded(unnumbered(saved) if is_numbered(saved) else saved)
        return Deed(edits=(msgspec.structs.replace(edits[0], after=after),))
    changed = _CHANGED.search(said)
    lost = Lost("a person changed its text before it was saved; what was saved is not in the recording", "person")
    return Deed(edits=edits, lost=lost if changed else None)
