"""Sessions of Claude Code of any size, in the shape of real ones, for benchmarks.

Kinds of lines, their share and their mean length are those of the sessions that public repositories keep of their
commits: half of the bytes are results of tools, and of these two fifths results of edits; one line in thirty is one.
What the lines hold is Python's own library, so that there is about as much to unescape as there is in code.
"""

import json
import random
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HOME = "/home/dev/project"
FILES = 60
_LINES = 260  # of a file that is edited
_NETWORK = re.compile(r"(?i)https?|urllib|socket|fetch\(|requests|webbrowser|wget|curl|pip install")
_USUAL = (
    "git status --short",
    "git diff --stat && git log --oneline -5",
    "python -m pytest -q tests/test_{0}.py 2>&1 | tail -20",
    "sed -n '1,220p' src/{0}.py",
    "rg -n 'def {0}' src tests | head -40",
    "npm run lint -- --fix && npm test",
    "cd src && ls -la && cat {0}.py | head -100",
    'for f in src/*.py; do wc -l "$f"; done',
    "mkdir -p build && cp src/{0}.py build/ && rm -rf build",
    "ruff check src/{0}.py; mypy src/{0}.py",
)
# Of the commands in public recordings one in forty looks as if it might reach for the network, and does not.
_COMMANDS = (*_USUAL * 4, "go mod graph | head -40")


class Made(NamedTuple):
    """What was written: the files before the session, by name, and how many edits there are."""

    start: dict[str, bytes]
    edits: int


class World:
    """The files of a project, and text to fill lines with."""

    def __init__(self) -> None:
        self.random = random.Random(3)  # the same lines in every run
        names = ("argparse", "ast", "difflib", "inspect", "os", "pathlib", "subprocess", "tarfile", "typing", "zipfile")
        library = Path(sysconfig.get_path("stdlib"))
        lines = "\n".join((library / f"{name}.py").read_text() for name in names).split("\n")
        lines = [line for line in lines if not _NETWORK.search(line)]
        self.text = "\n".join(lines)
        self.files = {f"src/part{at}.py": lines[at * 70 : at * 70 + _LINES] for at in range(FILES)}
        self.start = {name: "\n".join(lines).encode() for name, lines in self.files.items()}
        self.edits = 0
        self._count = 0

    def id(self) -> str:
        """A new name for anything."""
        self._count += 1
        return f"{self._count:08x}-{self.random.getrandbits(32):08x}-4bfb-a6c0-0d5bd43a4e24"

    def prose(self, mean: int) -> str:
        """Some text whose length is `mean` on average, and now and then much more."""
        size = int(self.random.expovariate(1 / mean)) + 20
        at = self.random.randrange(max(1, len(self.text) - size))
        return self.text[at : at + size]

    def command(self) -> str:
        """A shell command."""
        return self.random.choice(_COMMANDS).format(f"part{self.random.randrange(FILES)}")

    def edit(self) -> tuple[str, list[str], int, list[str], list[str]]:
        """Change a stretch of a file: name, the lines before, where, and the old and the new lines."""
        name = self.random.choice(list(self.files))
        before = self.files[name]
        at = self.random.randrange(5, len(before) - 15)
        old = before[at : at + self.random.randrange(2, 8)]
        self.edits += 1
        new = [f"    edited_{self.edits} = call({self.random.random()})", *old[1:-1], f"    # part {self.edits} ends"]
        self.files[name] = [*before[:at], *new, *before[at + len(old) :]]
        return name, before, at, old, new


def write(path: Path, size: int, world: World, parts: Iterator[list[dict[str, Any]]]) -> Made:
    """Write parts of a session until there are at least `size` bytes."""
    with path.open("wb") as file:
        while size > 0:
            for line in next(parts):
                size -= file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return Made(world.start, world.edits)


class Session:
    """A session of Claude Code as it is written, line by line."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._parent: str | None = None
        self._session = world.id()

    def parts(self) -> Iterator[list[dict[str, Any]]]:
        """Parts without end, each some lines that belong together: a call and its result."""
        yield [self._user("Please go on with the plan.")]
        kinds = ["bash", "read", "edit", "grep", "write", "text", "thinking", "hook", "system", "copy", "attach", "say"]
        shares = [155, 43, 42, 30, 5, 123, 60, 166, 55, 67, 97, 8]
        while True:
            for kind in self.world.random.choices(kinds, shares, k=100):
                yield list(getattr(self, f"_{kind}")())

    def _line(self, kind: str, **more: Any) -> dict[str, Any]:
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": HOME,
            "sessionId": self._session,
            "version": "2.1.50",
            "gitBranch": "main",
            "slug": "ancient-herding-wozniak",
        }
        self._parent = self.world.id()
        stamp = {"timestamp": "2026-02-23T15:58:38.502Z", "uuid": self._parent}
        return (
            {**line, **more, "type": kind, **stamp} if kind == "assistant" else {**line, "type": kind, **more, **stamp}
        )

    def _user(self, content: Any, **more: Any) -> dict[str, Any]:
        return self._line("user", message={"role": "user", "content": content}, **more)

    def _answer(self, block: dict[str, Any]) -> dict[str, Any]:
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 15301,
            "cache_read_input_tokens": 19989,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 15301},
            "output_tokens": 9,
            "service_tier": "standard",
            "inference_geo": "not_available",
        }
        message = {"model": "claude-opus-4-6", "id": f"msg_{self.world.id()}", "type": "message", "role": "assistant"}
        end = {"content": [block], "stop_reason": None, "stop_sequence": None, "usage": usage}
        return self._line("assistant", message=message | end, requestId=f"req_{self.world.id()}")

    def _called(self, name: str, given: dict[str, Any], said: str, result: Any) -> Iterator[dict[str, Any]]:
        key = f"toolu_{self.world.id()}"
        call = {"type": "tool_use", "id": key, "name": name, "input": given, "caller": {"type": "direct"}}
        asked = self._answer(call)
        yield asked
        answer = {"tool_use_id": key, "type": "tool_result", "content": said, "is_error": False}
        yield self._user([answer], toolUseResult=result, sourceToolAssistantUUID=asked["uuid"])

    def _bash(self) -> Iterator[dict[str, Any]]:
        said = self.world.prose(1300)
        result = {"stdout": said, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
        yield from self._called("Bash", {"command": self.world.command(), "description": "Look"}, said, result)

    def _read(self) -> Iterator[dict[str, Any]]:
        name = f"{HOME}/src/part{self.world.random.randrange(FILES)}.py"
        text = self.world.prose(3200)
        file = {"filePath": name, "content": text, "numLines": 90, "startLine": 1, "totalLines": 260}
        numbered = "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.split("\n"), 1))
        yield from self._called("Read", {"file_path": name}, numbered, {"type": "text", "file": file})

    def _grep(self) -> Iterator[dict[str, Any]]:
        said = self.world.prose(2000)
        result = {"mode": "content", "numFiles": 0, "filenames": [], "content": said, "numLines": 40}
        yield from self._called("Grep", {"pattern": "def .*", "path": HOME, "output_mode": "content"}, said, result)

    def _edit(self) -> Iterator[dict[str, Any]]:
        name, before, at, old, new = self.world.edit()
        start, end, content = at - 3, at + len(old), "\n".join(before)
        was, becomes = ("\n".join(before[at - 2 : at] + part + before[end : end + 2]) for part in (old, new))
        if content.count(was) > 1:  # the place must be the only one
            was, becomes = content, content.replace("\n".join(old), "\n".join(new), 1)
            self.world.files[name] = becomes.split("\n")
        path = f"{HOME}/{name}"
        given = {"replace_all": False, "file_path": path, "old_string": was, "new_string": becomes}
        shown = [f" {line}" for line in before[start:at]] + [f"-{line}" for line in old] + [f"+{line}" for line in new]
        hunk = {"oldStart": at - 2, "oldLines": len(old) + 3, "newStart": at - 2, "newLines": len(new) + 3}
        result: dict[str, Any] = {"filePath": path, "oldString": was, "newString": becomes, "originalFile": content}
        result |= {"structuredPatch": [hunk | {"lines": shown}], "userModified": False, "replaceAll": False}
        yield from self._called("Edit", given, f"The file {path} has been updated successfully.", result)

    def _write(self) -> Iterator[dict[str, Any]]:
        self.world.edits += 1
        path, text = f"{HOME}/docs/note{self.world.edits % 40}.md", self.world.prose(3000)
        result: dict[str, Any] = {
            "type": "create",
            "filePath": path,
            "content": text,
            "structuredPatch": [],
            "originalFile": None,
        }
        said = f"File created successfully at: {path}"
        yield from self._called("Write", {"file_path": path, "content": text}, said, result)

    def _text(self) -> Iterator[dict[str, Any]]:
        yield self._answer({"type": "text", "text": self.world.prose(350)})

    def _thinking(self) -> Iterator[dict[str, Any]]:
        block = {"type": "thinking", "thinking": self.world.prose(700), "signature": "EuEBCkYICxgCKkDKK1b+" * 40}
        yield self._answer(block)

    def _hook(self) -> Iterator[dict[str, Any]]:
        data = {"type": "hook_progress", "hookEvent": "PostToolUse", "hookName": "PostToolUse:Edit", "command": "lint"}
        ids = {"parentToolUseID": self.world.id(), "toolUseID": self.world.id()}
        yield self._line("progress", data=data | {"output": self.world.prose(250)}, **ids)

    def _system(self) -> Iterator[dict[str, Any]]:
        infos = [{"command": "hooks claude-code stop", "durationMs": 1556}]
        yield self._line("system", subtype="stop_hook_summary", hookCount=1, hookInfos=infos, hookErrors=[])

    def _copy(self) -> Iterator[dict[str, Any]]:
        shot = {"messageId": self.world.id(), "trackedFileBackups": {}, "timestamp": "2026-02-23T15:58:33.606Z"}
        yield {
            "type": "file-history-snapshot",
            "messageId": shot["messageId"],
            "snapshot": shot,
            "isSnapshotUpdate": False,
        }

    def _attach(self) -> Iterator[dict[str, Any]]:
        yield self._line("attachment", attachment={"type": "edited_text_file", "snippet": self.world.prose(3500)})

    def _say(self) -> Iterator[dict[str, Any]]:
        yield self._user(self.world.prose(1200))
