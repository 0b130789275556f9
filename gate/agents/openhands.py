"""OpenHands' actions (version 0): what one and what came of it say about files."""

import re
from collections.abc import Mapping
from typing import Any

from gate.agents.conversation import UNKNOWN, About, Call, Deed, Result, cut
from gate.agents.editor import OPENHANDS, OPENHANDS_TABS, Editor, Recorded, edits_of
from gate.agents.given import content, count, member, text, word
from gate.editing.edit import Edit, Write
from gate.editing.text import decoded, encoded, stored
from gate.errors import RecordingError
from gate.trajectory import Command, Lost, Ok

_READS = frozenset(["read", "browse", "browse_interactive", "recall"])
_TALKS = frozenset(["think", "finish", "reject", "delegate", "task_tracking", "add_task", "modify_task", "send"])
_RUNS = frozenset(["condensation", "condensation_request", "start", "pause", "resume", "stop", "loop_recovery"])
_HARMLESS = _READS | _TALKS | _RUNS
_CALL = re.compile(r"file_editor\(\*\*(\{.*\})\)", re.DOTALL)
_NUMBERED = re.compile(r"^ *\d+\t(.*)$", re.MULTILINE)
_NO_TABS_SINCE = "2025-05-01"  # from then on OpenHands has version 0.2.11 of its editor
_LINT = "[Linting failed for edited file"


class LinesWritten(Edit, frozen=True, kw_only=True):
    """`write`: lines are put from line `first` up to line `last` (from 0, -1: the end); each gets a line end."""

    content: bytes
    first: int = 0
    last: int = -1

    @property
    def written(self) -> bytes:
        """The written lines."""
        return self.content

    def apply(self, content: bytes | None) -> bytes | None:
        """The lines before, the written ones, and those after; a file that is not there is made."""
        lines = [line + "\n" for line in self.content.decode().split("\n")]
        if content is None:
            return stored("".join(lines))
        *whole, rest = decoded(content).split("\n")
        old = [line + "\n" for line in whole] + ([rest] if rest else [])
        before = old[: self.first] if self.first else []
        return stored("".join([*before, *lines, *(old[self.last :] if self.last != -1 else [])]))


def outcome(event: Mapping[str, Any], kind: str) -> Ok:
    """Whether an observation says that its action succeeded."""
    said = word(event, "content")
    if kind == "error" and said.lstrip().startswith(_LINT):
        return Ok.UNKNOWN
    if kind in ("error", "user_rejected") or said.startswith("ERROR:"):
        return Ok.NO
    if kind in ("run", "run_ipython"):
        code = _code(event)
        return Ok.UNKNOWN if code in (None, -1) else Ok.YES if code == 0 else Ok.NO
    return Ok.YES


def deed(call: Call, result: Result | None, _: About) -> Deed:
    """What an action did. RecordingError where it does not say."""
    args, tool = call.step.arguments, call.step.tool
    event: Mapping[str, Any] = result.detail if result else {}
    if tool == "edit":
        return _edited(args, member(event, "extras"), event, call.step.time)
    if tool == "write":
        return Deed(edits=(_written(args),))
    if tool == "run":
        return Deed(commands=(_command(text(args, "command"), call, event, args),))
    if tool == "run_ipython":
        code = text(args, "code")
        return Deed(commands=(_command(f"python3 - <<'IPYTHON'\n{code}\nIPYTHON", call, event, args),))
    return Deed() if tool in _HARMLESS else UNKNOWN


def _command(line: str, call: Call, event: Mapping[str, Any], args: Mapping[str, Any]) -> Command:
    directory = word(args, "cwd") or call.step.directory
    return Command(text=line, directory=directory, exit_code=_code(event), output=cut(word(event, "content")))


def _code(event: Mapping[str, Any]) -> int | None:
    extras = member(event, "extras")
    code = count(member(extras, "metadata"), "exit_code")
    return code if code is not None else count(extras, "exit_code")


def _written(args: Mapping[str, Any]) -> Edit:
    first, last = count(args, "start"), count(args, "end")
    return LinesWritten(
        path=text(args, "path"),
        content=encoded(text(args, "content")),
        first=0 if first is None else first,
        last=-1 if last is None else last,
    )


def _edited(args: Mapping[str, Any], extras: Mapping[str, Any], event: Mapping[str, Any], time: str) -> Deed:
    source = word(args, "impl_source") or word(extras, "impl_source")
    if source != "oh_aci" and not word(args, "command"):
        return _drafted(args, extras, event)
    if word(args, "command"):  # what is recorded as contents are the texts of the call
        return Deed(edits=edits_of(args, _version(event, time)))
    before, after = content(extras, "old_content"), content(extras, "new_content")
    inner = _call(word(args, "translated_ipython_code"))
    if after is None:
        return Deed(edits=edits_of(inner, OPENHANDS_TABS))
    path = word(extras, "path") or text(args, "path")
    shown = content(inner, "new_str") if inner.get("new_str") is not None else content(inner, "file_text")
    return Deed(edits=(Whole(path=path, content=after, before=before, after=after, shown=shown or after),))


class Whole(Recorded, Write, frozen=True, kw_only=True):
    """An edit of which the whole content after it is recorded; `shown` is the text that the call gave."""

    shown: bytes

    @property
    def written(self) -> bytes:
        """The text that the call gave."""
        return self.shown


def _drafted(args: Mapping[str, Any], extras: Mapping[str, Any], event: Mapping[str, Any]) -> Deed:
    """An edit that a second model made of a draft. It is written as lines, so that one more line end comes to it."""
    path, after = text(args, "path"), content(extras, "new_content")
    if word(event, "content").lstrip().startswith(_LINT):
        return Deed(lost=Lost(f"the draft for {path} was written, though the linter refused it; what is not recorded"))
    if after is None:
        if outcome(event, word(event, "observation")) is Ok.NO:
            return Deed(edits=(Write(path=path, content=encoded(word(args, "content"))),))
        raise RecordingError("extras.new_content: what a second model made of the draft is not recorded", kind="lost")
    before = content(extras, "old_content") if extras.get("prev_exist") else None
    whole = (after if extras.get("prev_exist") else after.strip()) + b"\n"
    draft = encoded(word(args, "content"))
    return Deed(edits=(Whole(path=path, content=whole, before=before, after=whole, shown=draft),))


def _version(event: Mapping[str, Any], time: str) -> Editor:
    """The editor of that time; one that turned tabs into spaces shows none."""
    tabs = any("\t" in line for line in _NUMBERED.findall(word(event, "content")))
    return OPENHANDS_TABS if time and time < _NO_TABS_SINCE and not tabs else OPENHANDS


def _call(code: str) -> Mapping[str, Any]:
    """The arguments of the call that an edit was translated to, in the versions that ran it in a notebook."""
    import ast  # only recordings of three months need it

    found = _CALL.search(code)
    try:
        value = ast.literal_eval(found[1]) if found else {}
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = {}
    return value if isinstance(value, dict) else {}
