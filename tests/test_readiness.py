"""Nothing is imported once a command ran: what it was made of may be the command's own by then."""

import json
import subprocess
import sys
from pathlib import Path

from tests.commands.repository import write
from tests.conftest import Git
from tests.machine import environment

_LISTENING = """
import json, sys

late, begun = [], False

def hear(event, arguments):
    global begun
    if event == "subprocess.Popen" and "unittest" in str(arguments[1]):
        begun = True
    elif event == "import" and begun:
        late.append(arguments[0])

sys.addaudithook(hear)
from gate.cli import main
code = main(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    json.dump([code, begun, late], file)
"""
_REPORTS = (
    "--junit",
    "j.xml",
    "--json",
    "j.json",
    "--summary",
    "s.md",
    "--sarif",
    "s.sarif",
    "--code-quality",
    "q.json",
)
_OUTSIDE = {
    "GITHUB_REPOSITORY": "a/b",
    "GITHUB_SHA": "1" * 40,
    "GATE_TOKEN": "t" * 20,
    "GITHUB_ACTIONS": "true",
    "GITHUB_STEP_SUMMARY": "step.md",
    "GITHUB_OUTPUT": "output.txt",
}
_MANIFEST = f"""\
version: 1
tasks:
  - id: a
    oracles:
      - {{type: test_must_pass, command: "{sys.executable} -m unittest -q", report: unittest, canary: true}}
      - {{type: run_command, command: "false"}}
      - {{type: diff_not_contains, value: more}}
      - {{type: diff_empty}}
      - {{type: file_matches, path: "*.py", pattern: "(?<=x)y"}}
      - {{type: file_not_modified, path: "*.py"}}
      - {{type: no_network}}
  - id: b
    trajectory: recording.json
    oracles: [{{type: no_network}}, {{type: run_command, command: "true"}}, {{type: tool_calls, required: [{{name: bash}}]}}]
  - id: c
    state: replay
    trajectory: recording.json
    oracles: [{{type: explained}}, {{type: diff_contains, value: more}}, {{type: step_count, max: 0}}]
"""
_RECORDING = {
    "steps": [{"tool": "str_replace", "args": {"path": "a.py", "old_string": "one", "new_string": "one\nmore"}}]
}
_TEST = "import unittest\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(1)\n"


def test_nothing_is_imported_once_a_command_ran(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, {"gate.yaml": _MANIFEST, "test_a.py": _TEST, "a.py": "one\n"})
    git("add", "-A")
    git("commit", "-qm", "Begin")
    base = git("rev-parse", "HEAD")
    write(root, {"a.py": "one\nmore\n", "recording.json": _RECORDING})
    git("add", "-A")
    git("commit", "-qm", "Change")
    heard = tmp_path / "heard.json"
    call = [
        sys.executable,
        "-c",
        _LISTENING,
        str(heard),
        "run",
        "--base",
        base,
        "--verbose",
        "--check-run",
        "--dry-run",
        *_REPORTS,
    ]
    done = subprocess.run(
        call, cwd=root, env=environment(**_OUTSIDE), capture_output=True, text=True, check=False, timeout=120
    )
    code, begun, late = json.loads(heard.read_text())
    assert (code, begun, late) == (1, True, []), done.stdout + done.stderr
    for surface in ("j.xml", "j.json", "s.md", "s.sarif", "q.json", "step.md", "output.txt"):
        assert (root / surface).stat().st_size
