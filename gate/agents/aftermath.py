"""What came of a call of Codex: its answer and the outcomes that events tell of it, as a deed."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.codex import (
    AGENTS,
    HARMLESS,
    SHELLS,
    UPDATED,
    Said,
    arguments_of,
    done_before,
    patched,
    printed,
    shell_patches,
    text_of,
    words_of,
)
from gate.agents.conversation import UNKNOWN, About, Call, Deed, Result, cut
from gate.editing.edit import Edit
from gate.errors import RecordingError
from gate.trajectory import Command, Lost, Ok

UNDO = "undo"
"""The tool of the step in which a person has files put back."""

_TYPED = frozenset(["write_stdin", "js_repl"])
_KNOWN = HARMLESS | {"exec", "js_repl_reset"}
_NOT_BEGUN = "apply_patch verification failed"


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """All that a rollout tells of one call.

    `patch` and `shell` are the outcomes of events, empty where there are none. `keep` is as in Patched. Of the call's
    edits, those from `first` up to `last` are this step's.
    """

    said: Said | None = None
    patch: Mapping[str, Any] = {}
    shell: Mapping[str, Any] = {}
    keep: bool = True
    first: int = 0
    last: int | None = None

    @property
    def text(self) -> str:
        """What the tool said, to the model or to the event."""
        if self.said is not None:
            return self.said.text
        return given.word(self.patch or self.shell, "aggregated_output", "stderr", "stdout")

    @property
    def exit_code(self) -> int | None:
        """How the command ended."""
        code = given.count(self.shell, "exit_code")
        return self.said.exit_code if code is None and self.said else code


def ok_of(call: Call, told: Told) -> Ok:
    """Whether the call succeeded; of a command that patches files, whether its patch did."""
    if type(told.patch.get("success")) is bool:
        return Ok.YES if told.patch["success"] else Ok.NO
    if call.step.tool in SHELLS:
        return _ok_of_command(call, told)
    return told.said.ok if told.said else Ok.UNKNOWN


def _ok_of_command(call: Call, told: Told) -> Ok:
    if told.shell.get("status") == "declined" or (told.said and told.said.ok is Ok.NO and told.exit_code is None):
        return Ok.NO
    if UPDATED in told.text or told.exit_code == 0:
        return Ok.YES
    if told.exit_code is None:
        return Ok.UNKNOWN
    try:
        edits, _ = _in_command(call, told)
    except RecordingError:
        edits = ()
    mixed = edits and not given.word(call.step.arguments, "command").lstrip().startswith("apply_patch")
    return Ok.UNKNOWN if mixed and _NOT_BEGUN not in told.text and "Failed to " not in told.text else Ok.NO


def made(call: Call, told: Told, ok: Ok) -> int:
    """How many edits of a failed patch were made all the same, before the tool came to the one that failed."""
    if ok is not Ok.NO or told.patch.get("status") == "declined" or _NOT_BEGUN in told.text:
        return 0
    try:
        edits = _edits(call, told)
    except RecordingError:
        return 0
    why = given.word(told.patch, "stderr") or told.text
    return done_before(edits, why, directory=call.step.directory) if len(edits) > 1 else 0


def deed(call: Call, result: Result | None, _: About) -> Deed:
    """What the call did. RecordingError where it does not say."""
    tool, arguments = call.step.tool, call.step.arguments
    told = result.detail if result and isinstance(result.detail, Told) else Told()
    if not arguments and isinstance(call.step.raw, dict) and isinstance(call.step.raw.get("arguments"), str):
        arguments_of(call.step.raw["arguments"])  # raises where there is none because it is no JSON
    if tool == UNDO:
        reason = "a person had the files put back to a state that the recording does not hold"
        return Deed(lost=Lost(reason, "undo"))
    if tool == "apply_patch":
        return Deed(edits=_edits(call, told)[told.first : told.last])
    if tool in SHELLS:
        edits, lost = _in_command(call, told)
        commands = (_command(text_of(words_of(arguments)), call, told),) if not told.first else ()
        return Deed(edits=edits[told.first : told.last], commands=commands, lost=lost)
    if tool in _TYPED:
        return Deed(commands=_typed(call, told))
    if tool in AGENTS:
        return _sub_agent(result)
    return Deed() if tool in _KNOWN else UNKNOWN


def _edits(call: Call, told: Told) -> tuple[Edit, ...]:
    """The edits of apply_patch, or of a command that calls it."""
    if call.step.tool in SHELLS:
        return _in_command(call, told)[0]
    arguments, changes = call.step.arguments, told.patch.get("changes")
    text = given.optional(arguments, "input", "patch")
    if text is None and not changes:
        raise RecordingError("the patch is put together by a script, and its outcome is not recorded", kind="script")
    return patched(text, changes, directory=call.step.directory, keep=told.keep)


def _in_command(call: Call, told: Told) -> tuple[tuple[Edit, ...], Lost | None]:
    changes = told.patch.get("changes")
    return shell_patches(words_of(call.step.arguments), changes, directory=call.step.directory, keep=told.keep)


def _typed(call: Call, told: Told) -> tuple[Command, ...]:
    """What was typed into a process that was running already."""
    text = given.word(call.step.arguments, "chars", "input")
    return (_command(text, call, told),) if text.strip() else ()


def _command(text: str, call: Call, told: Told) -> Command:
    return Command(text=text, directory=call.step.directory, exit_code=told.exit_code, output=cut(printed(told.text)))


def _sub_agent(result: Result | None) -> Deed:
    if result and result.ok is Ok.NO:
        return Deed()
    reason = "the recording of its sub-agent is another file, with any edit it made"
    return Deed(lost=Lost(reason, "sub_agent"))
