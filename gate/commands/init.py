"""Write a commented manifest, the hook's entry and the workflow for this repository; never overwrite a file."""

import argparse
from collections.abc import Mapping
from pathlib import Path

import msgspec

from gate import __version__
from gate.errors import UsageError
from gate.git import Git
from gate.manifest import NAME

_HOOKS = ".pre-commit-config.yaml"
_WORKFLOW = ".github/workflows/gate.yml"
_PYTEST = "python -m pytest -q"
_CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("--minimal", action="store_true", help="one task, the hook and the workflow (the set there is)")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - every verb is called alike
    """Write what is missing and say what was written, what was left, and what comes next."""
    if not arguments.minimal:
        raise UsageError("say which set of files to write: `gate init --minimal`", kind="usage")
    with _repository() as git:
        top, begun = git.top, git.resolve("HEAD") is not None
    found = look(top)
    if not begun:  # before the first commit no test has run that a report could be held against
        found = msgspec.structs.replace(found, report="")
    for name, text in ((NAME, manifest(found)), (_HOOKS, hooks()), (_WORKFLOW, workflow())):
        place = top / name
        if place.exists() or place.is_symlink():
            print(f"left    {name}: it exists already{_hint(name)}")
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        print(f"written {name}")
    print(f"next    read {NAME}, then judge all there is: git add {NAME} && gate run --diff all")
    return 0


def _repository() -> Git:
    git = Git.discover(Path.cwd())
    if git is None:
        raise UsageError(f"{Path.cwd()} is in no git repository; run `git init` first", kind="no_repository")
    return git


def _hint(name: str) -> str:
    if name == _HOOKS:
        return "; add this under `repos:`\n" + "".join(f"        {line}\n" for line in _hook_entry().splitlines())[:-1]
    return ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What the repository looks like: its test command, and patterns of its tests and sources.

    `report` is the test runner where the command is known to start one whose own report can be read.
    """

    command: str
    report: str = ""
    tests: str
    scope: tuple[str, ...]


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
    folders = [name for name in ("tests", "test", "spec", "__tests__") if (top / name).is_dir()]
    if folders and found.tests.split("/")[0] in ("tests", "test"):
        return msgspec.structs.replace(found, tests=f"{folders[0]}/**")
    return found


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
      - {{type: no_network}}
      # For tasks in which the tests must stay as they are; a new file there counts as a change too.
      # - {{type: file_not_modified, path: "{found.tests}"}}
# policy:
#   on_empty: pass      # fail: a change that no task covers is red
#   fail_level: error   # warning, notice: stricter
#   enforce: true       # false: report only
# defaults:
#   python: .venv/bin/python   # what `python` means in commands; default: the interpreter that runs the gate
"""


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


def workflow() -> str:
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
      # Pin the commit of the release that you have read.
      - uses: trajectory-gate/trajectory-gate@v{__version__}
"""
