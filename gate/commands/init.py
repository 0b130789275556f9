"""Write a commented manifest, the hook's entry and the workflow for this repository; never overwrite a file."""

import argparse
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gate import __version__
from gate.errors import GateError, UsageError
from gate.git import Git
from gate.manifest import NAME

_HOOKS = ".pre-commit-config.yaml"
_WORKFLOW = ".github/workflows/gate.yml"
_PYTEST = "python -m pytest -q"
_ENVIRONMENT = ".venv"
_HOOKED = re.compile(r"""^[^#\n]*\bid:[ \t]*["']?gate["']?[ \t]*(?:[,}#]|$)""", re.MULTILINE)
_GROUPS = ("test", "tests", "testing", "dev")
_CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("--minimal", action="store_true", help="one task, the hook and the workflow (the set there is)")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - every verb is called alike
    """Write what is missing and say what was written, what was left, and what comes next."""
    if not arguments.minimal:
        raise UsageError("say which set of files to write: `gate init --minimal`", kind="usage")
    with _repository() as git:
        top, begun, ignored = git.top, git.resolve("HEAD") is not None, _ignores(git, _ENVIRONMENT)
    found = look(top)
    if not begun:  # before the first commit no test has run that a report could be held against
        found = msgspec.structs.replace(found, report="")
    for name, text in ((NAME, manifest(found)), (_HOOKS, hooks()), (_WORKFLOW, workflow(found))):
        place = top / name
        if place.exists() or place.is_symlink():
            print(f"left    {name}: it exists already{_hint(place)}")
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        print(f"written {name}")
    if found.install and not (top / _ENVIRONMENT).exists():
        print(f"next    make the environment of the tests: {_made(found)}")
    if found.install and not ignored:
        print(f"next    keep it out of git, for a tracked one is refused: echo {_ENVIRONMENT}/ >> .gitignore")
    print(f"next    read {NAME}, then judge all there is: git add {NAME} && gate run --diff all")
    return 0


def _repository() -> Git:
    git = Git.discover(Path.cwd())
    if git is None:
        raise UsageError(f"{Path.cwd()} is in no git repository; run `git init` first", kind="no_repository")
    return git


def _ignores(git: Git, folder: str) -> bool:
    try:
        return bool(git.run("check-ignore", f"{folder}/pyvenv.cfg"))
    except GateError:  # exit code 1: it does not
        return False


def _hint(place: Path) -> str:
    if place.name == _HOOKS:
        if _HOOKED.search(place.read_text(encoding="utf-8", errors="replace") if place.is_file() else ""):
            return ", and has the hook"
        return "; add this under `repos:`\n" + "".join(f"        {line}\n" for line in _hook_entry().splitlines())[:-1]
    return ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What the repository looks like: its test command, and patterns of its tests and sources.

    `report` is the test runner where the command is known to start one whose own report can be read. `install` is what
    pip is told to install for tests of Python, and `guessed` that it may not be all of it.
    """

    command: str
    report: str = ""
    tests: str
    scope: tuple[str, ...]
    install: str = ""
    guessed: bool = False


_KINDS = (
    (
        "pyproject.toml",
        Found(command=_PYTEST, report="pytest", tests="tests/**", scope=("**/*.py", "pyproject.toml")),
    ),
    ("setup.py", Found(command=_PYTEST, report="pytest", tests="tests/**", scope=("**/*.py",))),
    ("package.json", Found(command="npm test", tests="test/**", scope=("**/*.js", "**/*.ts", "package.json"))),
    ("go.mod", Found(command="go test ./...", report="go", tests="**/*_test.go", scope=("**/*.go", "go.mod"))),
    ("Cargo.toml", Found(command="cargo test", report="cargo", tests="tests/**", scope=("**/*.rs", "Cargo.toml"))),
    ("pom.xml", Found(command="mvn -q test", tests="src/test/**", scope=("src/**", "pom.xml"))),
)


def look(top: Path) -> Found:
    """What a repository is built with, by the files at its top."""
    found = next((found for name, found in _KINDS if (top / name).is_file()), None)
    if found is None and not (top / "Makefile").is_file() and next(top.glob("**/*.py"), None):
        found = _KINDS[1][1]
    if found is None:
        return Found(command="make test", tests="tests/**", scope=("**",))
    if found.command == _PYTEST:
        found = _with_packages(found, top)
    folders = [name for name in ("tests", "test", "spec", "__tests__") if (top / name).is_dir()]
    if folders and found.tests.split("/")[0] in ("tests", "test"):
        return msgspec.structs.replace(found, tests=f"{folders[0]}/**")
    return found


def _with_packages(found: Found, top: Path) -> Found:
    """The same, with what pip is to install: files of requirements, the project with its extra or group, and pytest."""
    names = sorted(
        path.relative_to(top).as_posix()
        for pattern in ("*requirements*.txt", "requirements/*.txt")
        for path in top.glob(pattern)
        if path.is_file() and (path.name == "requirements.txt" or re.search(r"dev|test", path.name))
    )
    words = [f"-r {name}" for name in names if re.fullmatch(r"[\w./-]+", name)]
    told = "".join((top / name).read_text(encoding="utf-8", errors="replace") for name in names)
    project = _project(top)
    if "project" in project or "build-system" in project or (top / "setup.py").is_file():
        extras = _table(_table(project, "project"), "optional-dependencies")
        extra = next((name for name in _GROUPS if name in extras), None)
        words.append(f"-e '.[{extra}]'" if extra else "-e .")
        told += str(extras[extra]) if extra else ""
    groups = _table(project, "dependency-groups")
    group = next((name for name in _GROUPS if name in groups), None)
    if group:
        words.append(f"--group {group}")
        told += str(groups[group])
    known = "pytest" in told
    return msgspec.structs.replace(
        found, install=" ".join([*words, *(() if known else ("pytest",))]), guessed=not known
    )


def _project(top: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _table(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = holder.get(name)
    return found if isinstance(found, Mapping) else {}


def _made(found: Found) -> str:
    """The command that makes the environment of the tests; pip before 25.1 knows no `--group`."""
    pip = f"{_ENVIRONMENT}/bin/pip install -q"
    newer = f"{pip} --upgrade pip && " if "--group" in found.install else ""
    return f"python3 -m venv {_ENVIRONMENT} && {newer}{pip} {found.install}"


def manifest(found: Found) -> str:
    """A first manifest: one task that runs the tests of the repository."""
    scope = ", ".join(f'"{pattern}"' for pattern in found.scope)
    witnesses = f", report: {found.report}, canary: true" if found.report else ""
    return f"""\
# yaml-language-server: $schema=https://github.com/trajectory-gate/trajectory-gate/raw/main/gate/schemas/manifest.v1.json
# What this repository asks of pull requests that coding agents write. `gate check` reads it, `gate plan` says what
# would be judged. In a pull request this file is read from the base: a change to it counts from the next one on.
version: 1
tasks:
  - id: tests-pass
    prompt: Whatever was asked, the tests pass.
    # In scope when the change touches one of these.
    scope: [{scope}]
    # The tree before is the change's base, the tree after is the pull request's own.
    workspace: {{git: base}}
    # Where the agent leaves its recording. Those that the change adds are its evidence.
    trajectory: recordings/**/*.json*
    oracles:
      # Edit the command if it is not how tests are run here. With `report` (pytest, jest, go, …) the runner's own
      # report must agree and no test be lost; with `canary: true` a planted test must be seen to fail. Each runs the
      # tests once more: `gate explain test_must_pass`.
      - {{type: test_must_pass, command: {found.command}{witnesses}, timeout: 10m}}
      # It is red for ordinary work, too (git push, pip install, a search in the web): `allow` names programs, hosts and
      # whole commands that are welcome.
      # - {{type: no_network, allow: [git, gh, pip, npm, WebSearch, "*.example.org"]}}
      # For tasks in which the tests must stay as they are; a new file there counts as a change too.
      # - {{type: file_not_modified, path: "{found.tests}"}}
# policy:
#   on_empty: pass      # fail: a change that no task covers is red
#   fail_level: error   # warning, notice: stricter
#   enforce: true       # false: report only
{_defaults(found)}"""


def _defaults(found: Found) -> str:
    means = "what `python` means in commands; else the gate's own, which has no pytest"
    if found.install:
        return f"defaults:\n  python: {_ENVIRONMENT}/bin/python   # {means}\n"
    return f"# defaults:\n#   python: {_ENVIRONMENT}/bin/python   # {means}\n"


def _hook_entry() -> str:
    return f"""\
- repo: https://github.com/trajectory-gate/trajectory-gate
  rev: v{__version__}
  hooks:
    - id: gate            # oracles that start no command
      # args: [--commands]  # all of them
"""


def hooks() -> str:
    """A pre-commit configuration with the hook alone."""
    return "repos:\n" + "".join(f"  {line}\n" for line in _hook_entry().splitlines())


def workflow(found: Found) -> str:
    """The workflow: read-only, on every pull request, with no filter that could leave a required check pending."""
    return f"""\
name: gate
on:
  pull_request:
permissions: {{}}
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read # to check out and to fetch the base
    steps:
      - uses: {_CHECKOUT}
        with:
          fetch-depth: 2 # the merge commit and its parents: the base needs no second fetch
          persist-credentials: false
{_preparation(found)}
      # Pin the commit of the release that you have read.
      - uses: trajectory-gate/trajectory-gate@v{__version__}
"""


def _preparation(found: Found) -> str:
    """The step that installs what the tests need, or where to write it."""
    if not found.install:
        return """\
      # Install here what the command in gate.yaml needs on the machine. It runs in a copy of what is committed: what
      # has to lie in its folder it installs itself (`npm ci && npm test`).
      # - run: …"""
    guessed = "\n      # It cannot be told whether that is all: add what else they import." if found.guessed else ""
    return f"""\
      # What the tests need. `defaults.python` in gate.yaml names this environment, which must stay out of git.{guessed}
      - name: Install the packages of the tests
        run: {_made(found)}"""
