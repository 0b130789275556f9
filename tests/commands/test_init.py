"""`gate init --minimal`."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from gate import manifest
from gate.commands.init import look, workflow
from gate.commands.init import manifest as text_of
from tests.commands.repository import gate
from tests.conftest import ROOT, Git

BIN = Path(sys.executable).parent
FILES = ("gate.yaml", ".pre-commit-config.yaml", ".github/workflows/gate.yml")


@pytest.fixture
def tested(tmp_path: Path, git: Git) -> Path:
    """A repository without a commit, of Python, with one test that passes."""
    git("init", "-q")
    root = tmp_path / "repo"
    (root / "pyproject.toml").write_text("")
    (root / ".gitignore").write_text(".venv/\n")
    (root / "tests").mkdir()
    (root / "tests" / "test_a.py").write_text("def test_a():\n    assert True\n")
    return root


def _prepare(root: Path, made: str) -> None:
    """Do what the step says, without the network: pip finds pytest installed already."""
    venv, pip = made.split(" && ")
    assert pip == ".venv/bin/pip install -q pytest"
    subprocess.run([sys.executable, *venv.split()[1:]], cwd=root, check=True)  # the Python that pytest is for
    (site,) = (root / ".venv" / "lib").glob("python*/site-packages")
    (site / "installed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    subprocess.run([*pip.split(), "--no-index"], cwd=root, check=True)


def test_it_writes_what_works(tested: Path, git: Git) -> None:
    done = gate(tested, "init", "--minimal")
    made = "python3 -m venv .venv && .venv/bin/pip install -q pytest"
    assert done.stdout.splitlines() == [
        *(f"written {name}" for name in FILES),
        f"next    make the environment of the tests: {made}",
        "next    read gate.yaml, then judge all there is: git add gate.yaml && gate run --diff all",
    ]
    step = yaml.safe_load((tested / FILES[2]).read_text())["jobs"]["gate"]["steps"][1]
    assert step == {"name": "Install the packages of the tests", "run": made}
    git("add", "-A")
    missing = gate(tested, "run")
    assert (missing.returncode, f"no such program on this machine: {tested}/.venv/bin/python" in missing.stdout) == (
        4,
        True,
    )
    _prepare(tested, made)
    git("add", "-A")
    assert gate(tested, "check").returncode == 0
    judged = gate(tested, "run")
    assert judged.returncode == 0, judged.stdout
    assert "Command passed: python -m pytest -q" in judged.stdout


def test_where_there_is_a_commit_an_exit_code_is_not_enough(tested: Path, git: Git) -> None:
    git("add", "-A")
    git("commit", "-qm", "begin")
    _prepare(tested, gate(tested, "init", "--minimal").stdout.splitlines()[3].partition(": ")[2])
    git("add", "gate.yaml")
    judged = gate(tested, "run", "--diff", "all", "--verbose")
    assert judged.returncode == 0, judged.stdout
    assert "pytest ran 1 tests, and its report agrees" in judged.stdout


def test_it_overwrites_nothing(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    root = tmp_path / "repo"
    (root / ".pre-commit-config.yaml").write_text("repos: []\n")
    (root / "gate.yaml").write_text("mine\n")
    done = gate(root, "init", "--minimal")
    assert (root / "gate.yaml").read_text() == "mine\n"
    assert (root / ".pre-commit-config.yaml").read_text() == "repos: []\n"
    assert "left    gate.yaml: it exists already\n" in done.stdout
    assert "left    .pre-commit-config.yaml: it exists already; add this under `repos:`\n" in done.stdout
    assert "    - id: gate" in done.stdout


@pytest.mark.parametrize(
    ("names", "command", "tests"),
    [
        ([], "make test", "tests/**"),
        (["package.json", "spec/a"], "npm test", "spec/**"),
        (["go.mod"], "go test ./...", "**/*_test.go"),
        (["Cargo.toml"], "cargo test", "tests/**"),
        (["pyproject.toml", "test/a"], "python -m pytest -q", "test/**"),
    ],
)
def test_it_looks_at_the_repository(tmp_path: Path, names: list[str], command: str, tests: str) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = look(tmp_path)
    assert (found.command, found.tests) == (command, tests)
    read = manifest.read(text_of(found).encode(), "gate.yaml")
    oracle = (read.entries[0].oracles or [])[0]
    assert (oracle["command"], oracle.get("report", "")) == (command, found.report)


@pytest.mark.parametrize(
    ("hooks", "has"),
    [
        pytest.param("repos:\n  - repo: x\n    hooks:\n      - id: gate\n", True, id="as it is written"),
        pytest.param("repos:\n- {repo: x, hooks: [{id: 'gate', args: [--commands]}]}\n", True, id="on one line"),
        pytest.param("repos:\n- hooks:\n  - args: [-q]\n    id: gate # ours\n", True, id="behind another key"),
        pytest.param("repos:\n- hooks:\n  - id: gate-keeper\n", False, id="another hook"),
        pytest.param("repos:\n- hooks:\n  # - id: gate\n", False, id="commented out"),
    ],
)
def test_a_hook_that_is_there_is_not_asked_for(tested: Path, hooks: str, has: bool) -> None:
    (tested / FILES[1]).write_text(hooks)
    lines = gate(tested, "init", "--minimal").stdout.splitlines()
    assert (f"left    {FILES[1]}: it exists already, and has the hook" in lines) is has
    assert (f"left    {FILES[1]}: it exists already; add this under `repos:`" in lines) is not has


def test_the_second_time_everything_is_there(tested: Path) -> None:
    gate(tested, "init", "--minimal")
    assert [line for line in gate(tested, "init", "--minimal").stdout.splitlines() if not line.startswith("next")] == [
        f"left    {FILES[0]}: it exists already",
        f"left    {FILES[1]}: it exists already, and has the hook",
        f"left    {FILES[2]}: it exists already",
    ]


_PYPROJECT = """
[project]
name = "x"
[project.optional-dependencies]
dev = ["pytest-cov"]
"""


@pytest.mark.parametrize(
    ("files", "made"),
    [
        pytest.param({"a.py": ""}, "pip install -q pytest", id="nothing is told"),
        pytest.param(
            {
                "a.py": "",
                "requirements.txt": "httpx",
                "requirements-dev.txt": "pytest",
                "requirements-docs.txt": "sphinx",
            },
            "pip install -q -r requirements-dev.txt -r requirements.txt",
            id="files of requirements, those of the tests among them",
        ),
        pytest.param(
            {"a.py": "", "requirements/test.txt": "pytest", "requirements/lint.txt": "ruff"},
            "pip install -q -r requirements/test.txt",
            id="a folder of requirements",
        ),
        pytest.param(
            {"pyproject.toml": "[project]\nname = 'x'\n"}, "pip install -q -e . pytest", id="a project without an extra"
        ),
        pytest.param({"setup.py": ""}, "pip install -q -e . pytest", id="a project of the old form"),
        pytest.param({"pyproject.toml": _PYPROJECT}, "pip install -q -e '.[dev]'", id="a project with an extra"),
        pytest.param({"pyproject.toml": "[tool.ruff]\n"}, "pip install -q pytest", id="settings alone are no project"),
        pytest.param({"pyproject.toml": "[project\n"}, "pip install -q pytest", id="one that cannot be read"),
        pytest.param(
            {"pyproject.toml": "[dependency-groups]\ntest = ['pytest']\n"},
            "pip install -q --upgrade pip && .venv/bin/pip install -q --group test",
            id="a group",
        ),
        pytest.param({"package.json": "{}"}, None, id="no tests of Python"),
        pytest.param({"Makefile": "", "a.py": ""}, None, id="tests that make knows"),
    ],
)
def test_the_workflow_installs_what_the_tests_need(tmp_path: Path, files: dict[str, str], made: str | None) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = look(tmp_path)
    text = workflow(found)
    steps = yaml.safe_load(text)["jobs"]["gate"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == (
        [f"python3 -m venv .venv && .venv/bin/{made}"] if made else []
    )
    assert ("It cannot be told whether that is all" in text) is bool(made and made.endswith(" pytest"))
    assert manifest.read(text_of(found).encode(), "gate.yaml").defaults.python == (".venv/bin/python" if made else None)


@pytest.mark.parametrize("name", ["pyproject.toml", "package.json"])
def test_the_workflow_is_valid_and_safe(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    (tmp_path / "gate.yml").write_text(workflow(look(tmp_path)))
    for words in (
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows"),
        ("zizmor", "--offline", "--quiet", "--no-progress", "--config", ROOT / "tests" / "zizmor.yml"),
    ):
        done = subprocess.run(
            [BIN / words[0], *words[1:], tmp_path / "gate.yml"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_an_environment_that_git_would_track_is_told(tested: Path) -> None:
    (tested / ".gitignore").unlink()
    told = "next    keep it out of git, for a tracked one is refused: echo .venv/ >> .gitignore"
    assert told in gate(tested, "init", "--minimal").stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "gate: say which set of files to write: `gate init --minimal`\n"),
        (["--minimal"], None),
    ],
)
def test_what_it_cannot_do_is_said(tmp_path: Path, arguments: list[str], message: str | None) -> None:
    done = gate(tmp_path, "init", *arguments)
    assert done.returncode == 2
    assert done.stderr == message or f"{tmp_path} is in no git repository; run `git init` first" in done.stderr
