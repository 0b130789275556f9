"""SWE-agent's actions: a line of text, and what it and the answer to it say about files."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gate.agents.editor import NAMES, SWE_AGENT, edits_of, outcome
from gate.agents.window import Cursors, LinesEdit, Window, WindowInsert, WindowReplace, cursors_in, shown_in
from gate.editing.edit import Edit, Write
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.trajectory import Lost, Ok

_LINES = re.compile(r"\s*edit +(-?\d+):(-?\d+)[^\n]*\n(.*?)^end_of_edit\s*\Z", re.DOTALL | re.MULTILINE)
_BETWEEN = re.compile(r"\s*edit *\n(.*?)^end_of_edit\s*\Z", re.DOTALL | re.MULTILINE)
_CURSORS = re.compile(r"\s*set_cursors +(\d+) +(\d+)\s*\Z")
_WINDOWS = frozenset(["open", "goto", "scroll_up", "scroll_down", "set_cursors"])
_SEARCHES = frozenset(["search_dir", "search_file", "find_file", "filemap", "view_image"])
_ENDS = frozenset(["submit", "exit", "exit_forfeit", "exit_cost", "exit_context", "exit_format", "skip", "think"])
_PAGES = frozenset(["open_site", "close_site", "screenshot_site", "click_mouse", "double_click_mouse", "move_mouse"])
_PAGES |= frozenset(["drag_mouse", "type_text", "press_keys_on_page", "scroll_on_page", "wait_time"])
_PAGES |= frozenset(["set_browser_window_size", "navigate_back", "navigate_forward", "reload_page"])
_PAGES |= frozenset(["execute_script_on_page", "get_console_output"])
_HARMLESS = _WINDOWS | _SEARCHES | _ENDS | _PAGES
_EDITORS = NAMES | {"create", "edit", "insert"}
_CHANGED = re.compile(r"File updated\. Please|Text replaced\. Please|Replaced \d+ occurrences\.|Edit successful\.")
_FLAGS = ("--file_text", "--view_range", "--old_str", "--new_str", "--insert_line")
_DOLLAR = r"\$(?![\w({#?!*@$'\"-])"  # one that the shell leaves alone
_PIECE = re.compile(
    rf"""(?P<blank>\s+)|'(?P<single>[^']*)'|"(?P<double>(?:[^"\\$`]|\\.|{_DOLLAR}|\$(?=["']))*)"|\\(?P<escaped>.)"""
    rf"""|(?P<plain>(?:[^\s'"\\$`;&|<>()]|{_DOLLAR})+)""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"""\\([$`"\\\n])""")


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """What one action did. `command` is the shell's, where it is no tool of SWE-agent's own."""

    tool: str
    arguments: Mapping[str, Any]
    edits: tuple[Edit, ...] = ()
    command: str | None = None
    ok: Ok = Ok.UNKNOWN
    lost: Lost | None = None


class Session:
    """The state of the window tools while actions are read one after the other.

    `file` is the open one, and `window` what was last shown of it. `bash` says that the tools are shell functions,
    as they were before version 1.0; None is for not known.
    """

    def __init__(self, *, bash: bool | None = None) -> None:
        self.file = ""
        self.window: Window | None = None
        self._cursors = Cursors()
        self._bash = bash

    def act(self, action: str, observation: str) -> Act:
        """Read the next action and what was answered."""
        shown = shown_in(observation)
        act = self._act(action, observation, shown)
        if shown:
            self.window = shown
            if shown.path.startswith("/") or act.tool == "open":
                self.file = shown.path
        self._moved(action, observation, act)
        return act

    def _moved(self, action: str, observation: str, act: Act) -> None:
        """Keep up with the cursors, which only one variant of the tools has."""
        asked = _CURSORS.match(action)
        if asked:
            self._cursors = Cursors(int(asked[1]), int(asked[2]))
        if act.tool == "edit" and act.ok is not Ok.NO and act.edits and isinstance(act.edits[0], LinesEdit):
            first = self._cursors.first
            self._cursors = Cursors(first, first + max(len(act.edits[0].lines) - 1, 0))
        if act.ok is not Ok.NO:
            self._cursors = cursors_in(observation, self._cursors)

    def _act(self, action: str, observation: str, shown: Window | None) -> Act:
        text = action.strip()
        tool = text.split(maxsplit=1)[0] if text else ""
        if tool in _HARMLESS or not tool:
            return Act(tool=tool, arguments={"action": text}, ok=Ok.YES)
        if tool not in _EDITORS:
            hidden = _hidden(text)
            return Act(tool="bash", arguments={"command": text}, command=text, lost=hidden)
        file = shown.path if shown and shown.path.startswith("/") else self.file
        read = _editor if tool in NAMES else self._reader(tool)
        try:
            arguments, edits = read(action, observation, file)
        except RecordingError as error:
            return Act(tool=tool, arguments={"action": text}, ok=_ok(tool, observation), lost=Lost(str(error)))
        return Act(tool=tool, arguments=arguments, edits=edits, ok=_ok(tool, observation))

    def _reader(self, tool: str) -> Callable[[str, str, str], tuple[Mapping[str, Any], tuple[Edit, ...]]]:
        return {"create": _create, "edit": self._edit, "insert": _insert}[tool]

    def _edit(self, action: str, observation: str, file: str) -> tuple[Mapping[str, Any], tuple[Edit, ...]]:
        found = _LINES.match(action)
        if found:
            first, last, lines = int(found[1]), int(found[2]), found[3].split("\n")[:-1]
            bash = self._bash if self._bash is not None else not _CHANGED.match(observation)
            arguments = {"start_line": first, "end_line": last, "replacement_text": found[3]}
            new = tuple(encoded(line) for line in lines)
            return arguments, (LinesEdit(path=_opened(file), first=first, last=last, lines=new, bash=bash),)
        between = _BETWEEN.match(action)
        if between:
            new = tuple(encoded(line) for line in between[1].split("\n")[:-1])
            first, last = max(self._cursors.first, 1), self._cursors.last
            edit = LinesEdit(path=_opened(file), first=first, last=last, lines=new, bash=True)
            return {"replacement_text": between[1]}, (edit,)
        words = _words(action)[1:]
        if len(words) == 1:
            return {"text": words[0]}, (self._rewrite(file, words[0]),)
        if len(words) not in (2, 3):
            raise RecordingError(f"edit: expected an old and a new text, found {len(words)} words", kind="broken_step")
        whole = len(words) == 3 and bool(words[2])  # its parser takes any text for true, "False" too
        replace = WindowReplace(
            path=_opened(file), old=encoded(words[0]), new=encoded(words[1]), all=whole, window=self.window
        )
        return {"search": words[0], "replace": words[1], "replace_all": whole}, (replace,)

    def _rewrite(self, file: str, text: str) -> Edit:
        if self.window is None:
            raise RecordingError("edit: what was shown of the file is not recorded", kind="broken_step")
        lines = tuple(encoded(line) for line in text.split("\n"))
        return LinesEdit(path=_opened(file), first=self.window.first, last=self.window.last, lines=lines)


def _editor(action: str, observation: str, file: str) -> tuple[Mapping[str, Any], tuple[Edit, ...]]:  # noqa: ARG001 - all readers of an action are called alike
    arguments: dict[str, Any] = {}
    free = []
    words = iter(_words(action)[1:])
    for word in words:
        flag, joined, value = word.partition("=")
        if flag not in _FLAGS:
            free.append(word)
        elif flag == "--view_range":
            arguments["view_range"] = [next(words, ""), next(words, "")]
        else:
            arguments[flag[2:]] = value if joined else next(words, "")
    arguments |= dict(zip(("command", "path"), free, strict=False))
    return arguments, edits_of(arguments, SWE_AGENT)


def _create(action: str, observation: str, file: str) -> tuple[Mapping[str, Any], tuple[Edit, ...]]:
    words = _words(action)[1:]
    if not words:
        raise RecordingError("create: expected a file name, found nothing", kind="broken_step")
    content = b"\n" if "(1 lines total)" in observation else b""  # the shell function wrote an empty line
    shown = observation.lstrip().startswith("[File: /")
    return {"filename": words[0]}, (Write(path=file if shown else words[0], content=content),)


def _insert(action: str, observation: str, file: str) -> tuple[Mapping[str, Any], tuple[Edit, ...]]:  # noqa: ARG001
    words = _words(action)[1:]
    if not words:
        raise RecordingError("insert: expected a text, found nothing", kind="broken_step")
    line = int(words[1]) if len(words) > 1 and words[1].removeprefix("-").isdigit() else None
    return {"text": words[0], "line": line}, (WindowInsert(path=_opened(file), text=encoded(words[0]), line=line),)


def _opened(file: str) -> str:
    if not file:
        raise RecordingError("which file was open is not recorded", kind="broken_step")
    return file


def _words(action: str) -> list[str]:
    """The words of a call, as the shell takes it apart; what the shell would expand or redirect is not guessed at."""
    words: list[str] = []
    text, at, between = action.strip(), 0, True
    while at < len(text):
        found = _PIECE.match(text, at)
        if found is None:
            raise RecordingError(f"what the shell made of {text[at : at + 20]!r} is not recorded", kind="broken_step")
        at = found.end()
        if found["blank"]:
            between = True
            continue
        if between:
            words.append("")
        between = False
        words[-1] += _unquoted(found)
    return words


def _unquoted(piece: re.Match[str]) -> str:
    if piece["double"] is not None:
        return _ESCAPED.sub(lambda escaped: escaped[1].removeprefix("\n"), piece["double"])
    if piece["escaped"] is not None:
        return piece["escaped"].removeprefix("\n")
    return piece["single"] if piece["single"] is not None else piece["plain"]


def _hidden(text: str) -> Lost | None:
    """An editor call that stands behind another command of the same line."""
    if not any(f"{name} " in text for name in NAMES):
        return None
    found = re.search(rf"(?:&&|;|\n)\s*(?:{'|'.join(sorted(NAMES))}) +(?:create|str_replace|insert|undo_edit)\b", text)
    return Lost("an edit behind another command is not taken apart") if found else None


def _ok(tool: str, observation: str) -> Ok:
    words = observation.lstrip()
    if tool in NAMES:
        return outcome(observation)
    if not words:
        return Ok.UNKNOWN
    return Ok.YES if _CHANGED.match(words) or words.startswith("[File: ") else Ok.NO
