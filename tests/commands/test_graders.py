"""Oracles on files, the diff, commands and metrics in a whole run, as a manifest writes them."""

import json
from pathlib import Path

import yaml

from tests.commands.repository import gate
from tests.machine import git

_SEES = (
    "import json, os; given = json.load(open(os.environ['EVALUATE_GRADER_INPUT'])); "
    "assert os.getcwd() == os.path.join(os.environ['EVALUATE_WORKSPACE'], 'src'); "
    "assert given['trajectory']['workDir'] == os.environ['EVALUATE_WORKSPACE']; "
    "print(json.dumps({'passed': given['stimulus']['prompt'] == 'Fix add.', 'evidence': os.getcwd()[-4:]}))"
)
_ORACLES: list[dict[str, object]] = [
    {"type": "file-exists", "path": "src/*.py"},
    {"type": "file_not_exists", "path": "**/*.tmp"},
    {"type": "file-contains", "path": "src/calc.py", "value": "a + b"},
    {"type": "file-not-contains", "path": "src/*", "value": "eval("},
    {"type": "file-matches", "path": "src/calc.py", "pattern": r"(?m)^def\s+(?<name>\w+)"},
    {"type": "file-not-matches", "path": "src/calc.py", "pattern": r"(?i)todo"},
    {"type": "diff-contains", "value": "+    return a + b"},
    {"type": "diff-not-contains", "pattern": r"(?m)^\+.*print\("},
    {"type": "run-command", "command": "cat", "args": ["calc.py"], "sub_path": "src", "stdout_contains": "def add"},
    {"type": "run-command", "command": "test $ONE = 1 && exit 7", "expected_exit_code": 7, "env": {"ONE": "1"}},
    {"type": "program", "program": "python", "args": ["-c", _SEES], "sub_path": "src"},
    {"type": "custom-metrics", "path": "out/m.json", "assertions": [{"metric": "failed", "equals": 0}]},
]


def _judged(folder: Path, *oracles: dict[str, object]) -> tuple[int, list[dict[str, str]]]:
    """The exit code and the verdicts of a task whose change mends `add`."""
    (folder / "src").mkdir()
    (folder / "out").mkdir()
    task = {"id": "add", "prompt": "Fix add.", "workspace": {"git": "base"}, "state": "head", "oracles": list(oracles)}
    (folder / "gate.yaml").write_text(yaml.safe_dump({"version": 1, "tasks": [task]}))
    (folder / "src/calc.py").write_text("def add(a, b):\n    return a - b\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Begin")
    (folder / "src/calc.py").write_text("def add(a, b):\n    return a + b\n")
    (folder / "out/m.json").write_text('{"failed": 0}')
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Mend")
    done = gate(folder, "run", "--base", "HEAD~1", "--head", "HEAD", "--json", "report.json")
    report = json.loads((folder / "report.json").read_text())
    return done.returncode, report["tasks"][0]["verdicts"]


def test_a_good_change_passes_them_all(tmp_path: Path) -> None:
    code, verdicts = _judged(tmp_path, *_ORACLES)
    assert [(verdict["name"], verdict["outcome"]) for verdict in verdicts if verdict["outcome"] != "pass"] == []
    assert (code, len(verdicts)) == (0, len(_ORACLES))


def test_what_fails_and_what_is_in_error(tmp_path: Path) -> None:
    code, verdicts = _judged(
        tmp_path,
        {"type": "diff-empty"},
        {"type": "file-matches", "path": "src/calc.py", "pattern": "(?P<name>x)"},
        {"type": "custom-metrics", "assertions": [{"metric": "failed", "equals": 0}]},
        {"type": "run-command", "command": "echo no; exit 2"},
    )
    assert code == 1
    assert [(verdict["oracle"], verdict["outcome"], verdict["message"]) for verdict in verdicts] == [
        ("diff_empty", "fail", "File was added: out/m.json"),
        (
            "file_matches",
            "error",
            "the pattern '(?P<name>x)' is not a valid regular expression of JavaScript: `(?P` begins no group; a named "
            "group is `(?<name>…)` at character 1",
        ),
        ("custom_metrics", "error", "there is no file of metrics custom_metrics.json"),
        ("run_command", "fail", "Command failed (exit 2): echo no; exit 2 — no"),
    ]
