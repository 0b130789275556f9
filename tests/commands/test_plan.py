"""`gate plan`."""

import json
from pathlib import Path

from tests.commands.repository import gate, write
from tests.conftest import Git


def test_it_says_what_is_in_what_is_out_and_why(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    base = git("rev-parse", "--short=12", "HEAD")
    done = gate(repo, "plan")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"change: the staged index against HEAD {base}",
        f"judge:  base {base}",
        "in  pages: the change touches src/page.py",
        "      recording recordings/pages.json",
        "      replay: assertion_exists",
        "in  tests-hold: the change touches src/page.py",
        "      no recording: this change adds or modifies no recording at recordings/head/*.json",
        "      head: file_not_modified, short, test_must_pass, no_network",
        "out docs: none of 1 changed file matches docs/**",
    ]


def test_what_is_told_has_the_word_that_a_run_gives_it(repo: Path, git: Git) -> None:
    write(repo, {".github/workflows/gate.yml": "gate run", ".github/workflows/b.yml": "", "src/page.py": "last = 2\n"})
    write(repo, {"gate.yaml": (repo / "gate.yaml").read_text() + "# more\n"})
    git("add", "-A")
    planned = [line.partition(":") for line in gate(repo, "plan").stdout.splitlines()]
    told = {(word, text.strip()) for word, _, text in planned if word in ("notice", "warning", "note")}
    assert {word for word, _ in told} == {"notice", "warning"}
    run = gate(repo, "run", "--no-commands").stdout.splitlines()
    assert all(any(line.startswith(f"{word}: ") and line.endswith(text) for line in run) for word, text in told), told


def test_as_json(repo: Path, git: Git) -> None:
    write(repo, {"docs/a.md": "a"})
    git("add", "-A")
    done = gate(repo, "plan", "--json")
    tasks = {task["id"]: (task["in_scope"], task["oracles"]) for task in json.loads(done.stdout)["tasks"]}
    assert tasks == {"pages": (False, []), "tests-hold": (False, []), "docs": (True, ["assertion_exists"])}


def test_a_scope_that_meets_no_file_is_told(repo: Path, git: Git) -> None:
    write(repo, {"gate.yaml": (repo / "gate.yaml").read_text().replace("docs/**", "doc/**")})
    git("add", "-A")
    told = "gate.yaml:17: `tasks[2].scope` matches no file of the repository: nothing is judged there until one comes."
    assert f"notice: {told}" in gate(repo, "plan", "--judge", "head").stdout.splitlines()
    assert told in json.loads(gate(repo, "plan", "--judge", "head", "--json").stdout)["notices"]
    assert gate(repo, "check").stdout.splitlines()[0] == f"note: {told}"
    assert gate(repo, "check", "--quiet").stdout == ""
    assert told not in gate(repo, "plan", "--judge", "head", "--task", "pages").stdout
    write(repo, {"doc/new.md": "x"})  # git need not know it yet
    assert told not in gate(repo, "check").stdout


def test_nothing_is_judged(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "raise SystemExit(1)\n", "tests/test_page.py": "changed"})
    git("add", "-A")
    assert gate(repo, "plan").returncode == 0


_TASK = """\
version: 1
policy: {require_recording: all}
tasks:
  - id: page
    state: {dir: src}
    trajectory: {notes: agent}
    workspace: {files: {page.py: "x"}}
    oracles: [{type: assertion_exists, path: page.py, pattern: last}]
"""


def test_a_finished_folder_and_a_required_recording_are_said(repo: Path, git: Git) -> None:
    write(repo, {"gate.yaml": _TASK})
    git("add", "-A")
    done = gate(repo, "plan", "--judge", "head")
    assert done.stdout.splitlines()[-4:] == [
        "in  page: it has no scope, and the change touches gate.yaml",
        "      no recording: the change is not committed yet, and git notes belong to commits",
        "      src: assertion_exists",
        "      recording: skip: the change is not committed yet, and git notes belong to commits",
    ]
    (task,) = json.loads(gate(repo, "plan", "--judge", "head", "--json").stdout)["tasks"]
    assert (task["state"], task["finished"], task["recordings"]) == ("head", "src", [])
    assert task["verdicts"] == [
        {
            "name": "recording",
            "outcome": "skip",
            "message": "the change is not committed yet, and git notes belong to commits",
        }
    ]


def test_how_much_is_said(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    assert gate(repo, "plan", "--quiet").stdout.splitlines() == [
        "in  pages: the change touches src/page.py",
        "      recording recordings/pages.json",
        "      replay: assertion_exists",
        "in  tests-hold: the change touches src/page.py",
        "      no recording: this change adds or modifies no recording at recordings/head/*.json",
        "      head: file_not_modified, short, test_must_pass, no_network",
    ]
    assert gate(repo, "plan", "--verbose", "--task", "pages").stdout.splitlines()[2:] == [
        "in  pages: the change touches src/page.py",
        "      written in tasks/pages.json:1",
        "      changed src/page.py",
        "      recording recordings/pages.json: agentbench, 1 step",
        "      replay: assertion_exists",
    ]


def test_a_head_without_a_base_is_a_mistake_of_the_caller(repo: Path) -> None:
    done = gate(repo, "plan", "--head", "HEAD")
    assert (done.returncode, done.stderr) == (
        2,
        "gate: `--head` needs `--base`: name the commit that the change starts from (`--base REF --head REF`)\n",
    )
