"""`gate check`."""

from pathlib import Path

from tests.commands.repository import TASK, gate, write


def test_all_can_be_read(repo: Path) -> None:
    done = gate(repo, "check")
    assert (done.returncode, done.stdout) == (0, "gate.yaml: 3 tasks, 6 oracles, 1 recording: no faults\n")


def test_every_fault_of_the_working_tree_is_named(repo: Path) -> None:
    write(
        repo,
        {
            "tasks/pages.json": {**TASK, "oracles": [{"type": "asertion_exists"}]},
            "recordings/head/a.json": "{",
        },
    )
    done = gate(repo, "check")
    assert done.returncode == 2
    first, second, last = done.stdout.splitlines()
    assert first.startswith("pages: tasks/pages.json:")
    assert "there is no oracle 'asertion_exists'; did you mean `assertion_exists`?" in first
    assert second.startswith("tests-hold: recordings/head/a.json: ")
    assert last == "gate.yaml: 3 tasks, 6 oracles, 1 recording: 2 faults"


def test_a_broken_manifest(repo: Path) -> None:
    write(repo, {"gate.yaml": "version: 1\ntasks: [{id: a}]"})
    done = gate(repo, "check")
    assert (done.returncode, done.stdout) == (2, "gate.yaml:2: `tasks[0]`: `oracles` is missing or empty\n")


def test_what_would_only_show_when_it_is_too_late(repo: Path) -> None:
    manifest = """\
version: 1
tasks:
  - id: a
    oracles: [{type: assertion_exists, path: x, pattern: "("}, {type: no_network}]
allow: [{oracle: no_netwrk, reason: x}]
"""
    write(repo, {"gate.yaml": manifest})
    done = gate(repo, "check")
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        "a: assertion_exists: the pattern '(' is not valid: missing ) at position 1",
        "a: no_network looks at a recording, and the task names no recording (`trajectory`)",
        "`allow`: there is no oracle 'no_netwrk'; did you mean `no_network`?",
        "gate.yaml: 1 task, 2 oracles, no recordings: 3 faults",
    ]
