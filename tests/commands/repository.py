"""What the repository of the verbs' tests holds, and how the gate is started in it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

MANIFEST = """\
version: 1
plugins: [oracles/short.py]
tasks:
  - task: tasks/pages.json
    trajectory: recordings/pages.json
    scope: ["src/**"]
  - id: tests-hold
    scope: ["src/**", "tests/**"]
    workspace: {git: base}
    trajectory: recordings/head/*.json
    oracles:
      - {type: file_not_modified, path: "tests/**"}
      - {type: short, limit: 5}
      - {type: test_must_pass, command: python -c "import src.page"}
      - {type: no_network}
  - id: docs
    scope: ["docs/**"]
    oracles: [{type: assertion_exists, path: docs/a.md, pattern: a}]
"""
PLUGIN = '''
from collections.abc import Iterator
from gate.oracle import Oracle, Trial
from gate.report import Finding

class Short(Oracle, frozen=True):
    """src/page.py has at most `limit` lines."""
    limit: int
    def judge(self, trial: Trial) -> Iterator[Finding]:
        lines = trial.after.read("src/page.py").count(b"\\n")
        if lines > self.limit:
            yield Finding(message=f"{lines} lines", path="src/page.py", line=self.limit + 1)
'''
TASK = {
    "id": "pages",
    "name": "Pages",
    "description": "",
    "prompt": "Fix it",
    "workspace": {"page.py": "last = 1\n"},
    "oracles": [{"type": "assertion_exists", "path": "page.py", "pattern": "last = 2"}],
}
RECORDING = {"steps": [{"tool": "str_replace", "args": {"path": "page.py", "old_string": "1", "new_string": "2"}}]}


def write(root: Path, files: Mapping[str, object]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))


def gate(root: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gate", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONSAFEPATH": "1", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def piped(root: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The gate with `text` on its standard input."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "gate", *arguments],
        cwd=root,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
