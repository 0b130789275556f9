"""What the gate costs before it judges anything, and per task: `python benchmarks/startup.py [--gate PATH]`.

Without `--gate` it installs this checkout into a throw-away environment first, not editable: the finder of an editable
install would be measured with it. Exit code 1 when a ratio is above its bound.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import ROUNDS, Command, Ended, bare_python, compare, machine, show

ROOT = Path(__file__).parent.parent
ENVIRON = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}


def main() -> int:
    """Measure both and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gate", type=Path, help="the command to measure, from an environment that is not editable")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temp:
        gate = arguments.gate or install(Path(temp))
        print(machine())
        results = [
            show(
                "hook, nothing in scope, 200 tasks",
                compare(*hook(gate, Path(temp)), rounds=arguments.rounds),
                most=12,
            ),
            show(
                "1,000 AgentBench tasks, static, JUnit",
                compare(*suite(gate, Path(temp)), rounds=arguments.rounds),
                most=25,
            ),
        ]
    return 0 if all(results) else 1


def install(folder: Path) -> Path:
    """The command `gate` of this checkout in an environment of its own."""
    subprocess.run([bare_python(), "-m", "venv", folder / "env"], check=True)
    subprocess.run([folder / "env/bin/python", "-m", "pip", "install", "-q", ROOT], check=True)
    return folder / "env/bin/gate"


def nothing(gate: Path, folder: Path) -> Command:
    """Bare Python, the floor of every tool that is written in it: the gate's own, whose `site` has least to do."""
    return Command([gate.parent / "python", "-I", "-c", "pass"], folder, ENVIRON)


def hook(gate: Path, folder: Path) -> tuple[Command, list[Command]]:
    """The hook on a commit that no task is about, over bare Python and the one git call that it cannot do without."""
    repository = folder / "hook"
    repository.mkdir()
    (repository / "gate.yaml").write_text(hook_manifest(200))
    _git(repository, "init", "-q")
    _git(repository, "add", ".")
    _git(repository, "commit", "-q", "-m", "Begin")
    (repository / "unrelated.txt").write_text("Nothing that a task is about.\n")
    _git(repository, "add", ".")
    return (
        Command([gate, "run", "--pre-commit"], repository, ENVIRON | {"PRE_COMMIT": "1"}, right=_out_of_scope),
        [nothing(gate, repository), Command(["git", "diff", "--cached", "--raw", "-z"], repository, ENVIRON)],
    )


def _out_of_scope(ended: Ended) -> bool:
    return ended.code == 0 and "200 tasks out of scope" in ended.output


def hook_manifest(tasks: int) -> str:
    """A manifest of that many tasks, each about a folder of its own."""
    task = """\
  - id: area-{number}
    prompt: Mend what is wrong in area {number}.
    workspace: {{git: base}}
    trajectory: recordings/area-{number}/*.json
    scope: ["area-{number}/**", "!area-{number}/docs/**"]
    oracles:
      - {{type: file_not_modified, path: "area-{number}/tests/**"}}
      - {{type: assertion_exists, path: area-{number}/code.py, pattern: '^def mended'}}
      - {{type: no_network}}
"""
    return "version: 1\ntasks:\n" + "".join(task.format(number=number) for number in range(tasks))


def suite(gate: Path, folder: Path) -> tuple[Command, list[Command]]:
    """A folder of AgentBench's task documents, judged by oracles that start no command, with a JUnit report."""
    tasks, recording = write_suite(folder, tasks=1000)
    report = folder / "junit.xml"

    def right(ended: Ended) -> bool:
        written = report.read_text() if report.exists() else ""
        report.unlink(missing_ok=True)
        return ended.code == 0 and written.count("<testcase") == 3000 and "<failure" not in written

    words: list[str | Path] = [gate, "run", "--tasks", tasks, "--trajectory", recording, "--junit", report, "--quiet"]
    return Command(words, folder, ENVIRON, right=right), [nothing(gate, folder)]


def write_suite(folder: Path, *, tasks: int) -> tuple[Path, Path]:
    """That many task documents and the recording that is replayed for each: their folder, and its file."""
    documents, recording = folder / "tasks", folder / "recording.json"
    documents.mkdir()
    for number in range(tasks):
        (documents / f"{number:04}.json").write_text(json.dumps(_task(number)))
    recording.write_text(json.dumps(_RECORDING))
    return documents, recording


def _task(number: int) -> dict[str, object]:
    return {
        "id": f"task-{number}",
        "name": f"Mend module {number}",
        "description": "The source is wrong, the readme is right.",
        "prompt": f"Mend add() of module {number}.",
        "workspace": {"calc.py": "def add(a, b):\n    return a - b\n", "README.md": f"# Module {number}\n"},
        "oracles": [
            {"type": "assertion_exists", "path": "calc.py", "pattern": r"return a \+ b"},
            {"type": "file_not_modified", "path": "README.md"},
            {"type": "no_network"},
        ],
    }


_RECORDING = {
    "steps": [
        {"type": "tool_call", "tool": "read_file", "args": {"path": "calc.py"}},
        {
            "type": "tool_call",
            "tool": "write_file",
            "args": {"path": "calc.py", "content": "def add(a, b):\n    return a + b\n"},
        },
        {"type": "tool_call", "tool": "run_command", "args": {"command": "python -m pytest -q"}},
    ]
}


def _git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=Bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True)


if __name__ == "__main__":
    raise SystemExit(main())
