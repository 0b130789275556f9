"""Cline's conversations: those of its extension, and the sessions of its SDK."""

from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.agents.cline import EDITORS, TOOLS, events, exit_code, is_family, is_roos, shown
from gate.agents.clinesdk import is_session, sdk_deed, sdk_events
from gate.agents.conversation import OBSERVED, UNKNOWN, About, Call, Conversation, Deed, Event, Result
from gate.agents.lookalike import SPACES
from gate.agents.searchblock import ClineBlocks, SavedWrite, cline_blocks, unfenced
from gate.editing import patch
from gate.editing.edit import Edit
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Lost, Trajectory

_PATHS = ("path", "absolutePath", "filePath", "file_path")
_AGENTS = ("new_task", "use_subagents")


class Cline(Reader):
    """Cline's `api_conversation_history.json`, and the `session.messages.json` of its SDK and command line.

    Of the extension `write_to_file` and `replace_in_file` (SEARCH/REPLACE blocks, found as Cline finds them) are
    replayed, called by blocks or by XML in the text; where the result shows the file as it was saved, with what the
    person and the editor's formatter changed, that counts. `apply_patch` is read too, `execute_command` is a command.
    Whether an edit succeeded stands in the words of its result.

    Of the SDK `editor` replaces text that stands exactly once, inserts before a line or makes a file, in the file's own
    line ends; `run_commands` are commands; `is_error` or `success` false is failure. What the editor formats after
    saving is not in such a session.

    `ui_messages.json` holds what the person saw, not what was done; it is refused.
    """

    def recognises(self, sample: Sample) -> bool:
        """A session of the SDK, or messages with Cline's tools and surroundings that are not Roo Code's."""
        document = sample.document
        return is_session(document) or _is_shown(document) or (is_family(document) and not is_roos(document))

    def read(self, recording: Recording) -> Trajectory:
        """The whole conversation."""
        document = recording.document()
        if _is_shown(document):
            raise recording.error(
                "this is Cline's ui_messages.json, what the person saw: it does not tell what was done to files; "
                "record api_conversation_history.json from the same folder instead",
                kind="no_content",
            )
        if is_session(document):
            conversation = Conversation(lambda _: sdk_events(document), sdk_deed)
        else:
            conversation = Conversation(lambda _: _events(document), _deed)
        return conversation.trajectory(self.name, recording.path)


def _is_shown(document: Any) -> bool:
    listed = given.objects(document)[:4]
    return bool(listed) and all("ts" in one and one.get("type") in ("ask", "say") for one in listed)


def _events(document: Any) -> Iterator[Event]:
    yield About(agent="Cline")
    yield from events((0, message) for message in given.objects(document))


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    if tool in EDITORS:
        return Deed(edits=_edits(tool, arguments, shown(result)))
    if tool == "execute_command":
        said = result.text if result else ""
        command = Command(
            text=given.text(arguments, "command"),
            directory=about.directory,
            exit_code=exit_code(said),
            output=said[:OBSERVED],
        )
        return Deed(commands=(command,))
    if tool in _AGENTS:
        return Deed(
            lost=Lost("the recording of the task that it began is not here, with any edit it made", "sub_agent")
        )
    return Deed() if tool in TOOLS and tool != "use_mcp_tool" else UNKNOWN


def _edits(tool: str, arguments: Mapping[str, Any], saved: str | None) -> tuple[Edit, ...]:
    after = None if saved is None else encoded(saved)
    if tool == "apply_patch":
        return patch.edits_of(given.text(arguments, "input", "patch"))
    path = given.named(arguments, *_PATHS)
    if tool == "replace_in_file":
        return (ClineBlocks(path=path, blocks=cline_blocks(given.text(arguments, "diff").strip(SPACES)), after=after),)
    if tool in ("write_to_file", "new_rule"):
        content = unfenced(given.text(arguments, "content").strip(SPACES)).rstrip(SPACES)
        return (SavedWrite(path=path, content=encoded(content), after=after),)
    raise RecordingError(f"{tool} is no tool of Cline's to edit with", kind="broken_step")
