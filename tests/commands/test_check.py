"""`gate check`."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bundles.folder import bundle, seal
from tests.commands.repository import MANIFEST, RECORDING, TASK, gate, write
from tests.conftest import Git
from tests.packages import offering


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


def test_all_faults_of_a_manifest_are_told_at_once(repo: Path) -> None:
    manifest = """\
version: 1
polici: {}
policy: {judge: nobody}
tasks:
  - {id: a, promt: x, stat: head, oracles: [{type: diff_empty}]}
  - {id: b}
  - {id: c, oracles: [{type: diff_empty}]}
  - {id: c, oracles: [{type: diff_empty}]}
"""
    write(repo, {"gate.yaml": manifest})
    done = gate(repo, "check")
    assert (done.returncode, done.stdout.splitlines()) == (
        2,
        [
            "gate.yaml:2: `polici`: unknown key; did you mean `policy`?",
            "gate.yaml:3: `policy.judge`: expected one of `base`, `head`, found 'nobody'",
            "gate.yaml:5: `tasks[0].promt`: unknown key; did you mean `prompt`?",
            "gate.yaml:5: `tasks[0].stat`: unknown key; did you mean `state`?",
            "gate.yaml:6: `tasks[1]`: `oracles` is missing or empty",
            "gate.yaml:8: `tasks[3].id`: a task 'c' stands above",
        ],
    )


def test_so_are_those_of_its_oracles(repo: Path) -> None:
    manifest = """\
version: 1
tasks:
  - {id: a, workspace: {gti: base}, oracles: [{type: diff_emtpy}, {type: diff_empty, a: 1, b: 2}]}
  - {id: b, oracles: [{type: diff_empty, c: 3}]}
"""
    write(repo, {"gate.yaml": manifest})
    done = gate(repo, "check")
    assert (done.returncode, [line.partition(": un")[0] for line in done.stdout.splitlines()]) == (
        2,
        [
            "gate.yaml:3: `tasks[0].workspace`: expected exactly one of `files`, `dir` and `git`, found a mapping with "
            "`gti`; did you mean `git`?",
            "gate.yaml:3: `tasks[0].oracles[0].type`: there is no oracle 'diff_emtpy'; did you mean `diff_empty`?",
            "gate.yaml:3: `tasks[0].oracles[1].a`",
            "gate.yaml:3: `tasks[0].oracles[1].b`",
            "gate.yaml:4: `tasks[1].oracles[0].c`",
        ],
    )


def test_and_those_of_a_task_s_document(repo: Path) -> None:
    graders = [{"type": "diff-empty", "config": {"a": 1}}, {"type": "diff-empty", "colour": 1, "shape": 2}]
    write(
        repo,
        {
            "gate.yaml": "version: 1\ntasks: [{task: tasks/pages.json}, {spec: eval.yaml}]\n",
            "tasks/pages.json": {**TASK, "oracles": [{"type": "diff_empty", "a": 1}, {"type": "diff_empty", "b": 1}]},
            "eval.yaml": {"stimuli": [{"name": "add", "graders": graders}]},
        },
    )
    done = gate(repo, "check")
    assert (done.returncode, [line.partition(": un")[0] for line in done.stdout.splitlines()]) == (
        2,
        [
            "pages: tasks/pages.json:1: `oracles[0].a`",
            "pages: tasks/pages.json:1: `oracles[1].b`",
            "add: eval.yaml:1: `stimuli[0].graders[0].a`",
            "add: eval.yaml:1: `stimuli[0].graders[1].colour`",
            "add: eval.yaml:1: `stimuli[0].graders[1].shape`",
            "gate.yaml: 2 tasks, no oracles, no recordings: 5 faults",
        ],
    )


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
        "a: gate.yaml:4: `tasks[0].oracles[0].pattern`: the pattern '(' is not valid: missing ) at position 1",
        "a: no_network looks at a recording, and the task names no recording (`trajectory`)",
        "gate.yaml:5: `allow[0].oracle`: there is no oracle 'no_netwrk'; did you mean `no_network`?",
        "gate.yaml: 1 task, 2 oracles, no recordings: 3 faults",
    ]


def test_every_pattern_is_tried_wherever_it_stands(tmp_path: Path, git: Git) -> None:
    manifest = """\
version: 1
tasks:
  - id: a
    trajectory: a.json
    oracles:
      - type: all_of
        oracles:
          - {type: assertion_exists, path: x, pattern: "("}
          - type: not
            oracle: {type: file_matches, path: x, pattern: "(?<"}
      - type: tool_calls
        required:
          - "a"
          - "(b"
          - {name: x, args: {key: "["}}
      - {type: run_command, command: x, stdout_matches: "*", stdout_not_matches: ["a", "+"], stdout_contains: "("}
  - task: t.json
    trajectory: a.json
  - spec: eval.yaml
    trajectory: a.json
"""
    grader = {"type": "output-matches", "config": {"pattern": "("}}
    files = {
        "gate.yaml": manifest,
        "t.json": {**TASK, "oracles": [{"type": "diff_contains", "pattern": "a{2,1}"}]},
        "eval.yaml": {"stimuli": [{"name": "add", "environment": {"files": []}, "graders": [grader]}]},
        "a.json": RECORDING,
    }
    write(tmp_path / "repo", files)
    git("init", "-q")
    done = gate(tmp_path / "repo", "check")
    js = "is not a valid regular expression of JavaScript"
    assert done.stdout.splitlines() == [
        "a: gate.yaml:8: `tasks[0].oracles[0].oracles[0].pattern`: the pattern '(' is not valid: missing ) at position 1",
        f"a: gate.yaml:10: `tasks[0].oracles[0].oracles[1].oracle.pattern`: the pattern '(?<' {js}: the name of a group at "
        "character 1",
        f"a: gate.yaml:14: `tasks[0].oracles[1].required[1]`: the pattern '(b' {js}: a `(` without its `)` at character 1",
        f"a: gate.yaml:15: `tasks[0].oracles[1].required[2].args.key`: the pattern '[' {js}: a `[` without its `]` at "
        "character 1",
        f"a: gate.yaml:16: `tasks[0].oracles[2].stdout_matches`: the pattern '*' {js}: nothing to repeat at character 1",
        f"a: gate.yaml:16: `tasks[0].oracles[2].stdout_not_matches[1]`: the pattern '+' {js}: nothing to repeat at "
        "character 1",
        f"pages: t.json:1: `oracles[0].pattern`: the pattern 'a{{2,1}}' {js}: numbers out of order at character 2",
        f"add: eval.yaml:1: `stimuli[0].graders[0].pattern`: the pattern '(' {js}: a `(` without its `)` at character 1",
        "gate.yaml: 3 tasks, 6 oracles, 1 recording: 8 faults",
    ]
    assert done.returncode == 2


def test_a_waiver_may_be_of_an_oracle_that_no_task_uses(tmp_path: Path, repo: Path) -> None:
    waivers = "allow: [{oracle: tidy-up, reason: x}, {oracle: tidy_down, reason: x}, {oracle: no_network, reason: x}]\n"
    write(repo, {"gate.yaml": MANIFEST + waivers})
    done = gate(repo, "check", PYTHONPATH=offering(tmp_path / "site", "tidy_up = acme:Tidy", code="raise SystemExit"))
    assert done.stdout.splitlines()[0].startswith("gate.yaml:19: `allow[1].oracle`: there is no oracle 'tidy_down'; ")
    assert done.stdout.splitlines()[1:] == ["gate.yaml: 3 tasks, 6 oracles, 1 recording: 1 fault"]


@pytest.mark.parametrize(
    "words",
    [("check",), ("explain",), ("explain", "no_network", "--manifest", "gate.yaml"), ("oracle", "--no-golden-input")],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["pull_request_target", "pull_request"])
def test_plugins_that_may_be_a_stranger_s_do_not_run_beside_our_secrets(
    tmp_path: Path, git: Git, name: str, words: tuple[str, ...]
) -> None:
    git("init", "-q")
    root = tmp_path / "repo"
    task = "{id: a, oracles: [{type: no_network}]}"
    plugin = "from pathlib import Path\nPath('ran').touch()\nfrom gate.oracles.no_network import NoNetwork\n"
    write(root, {"gate.yaml": f"version: 1\nplugins: [mine.py]\ntasks: [{task}]\n", "mine.py": plugin})
    sides = {
        side: {"sha": "1" * 40, "repo": {"full_name": whose}} for side, whose in (("base", "o/r"), ("head", "x/r"))
    }
    event = {"repository": {"full_name": "o/r"}, "pull_request": {"number": 7, **sides}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    done = gate(root, *words, GITHUB_EVENT_NAME=name, GITHUB_EVENT_PATH=str(tmp_path / "event.json"))
    refused = name == "pull_request_target"
    assert (root / "ran").exists() is not refused
    if refused:
        assert (done.returncode, done.stdout, done.stderr) == (
            2 if words[0] == "oracle" else 3,
            "",
            "gate: `pull_request_target` for a fork is refused: plugins of the files here would run, and they may be a "
            "stranger's, with this repository's token and secrets at hand; let the workflow run `on: pull_request`\n",
        )


def test_what_is_said_of_a_task_of_a_bundle_is_no_fault(tmp_path: Path) -> None:
    bundle(tmp_path / "bench", tasks=1, pin=False)
    (tmp_path / "bench/tasks/sum-01/LICENSE.md").unlink()
    seal(tmp_path / "bench")
    text = "version: 1\ntasks:\n  - bundle: bench\n    trajectory: r/{name}.json\n"
    write(tmp_path, {"gate.yaml": text, "r/sum-01.json": {"steps": []}})
    done = gate(tmp_path, "check")
    assert (done.returncode, done.stdout) == (
        0,
        "note: sum-01: the task has no note on its licence: add tasks/sum-01/LICENSE.md\n"
        "gate.yaml: 1 task, 2 oracles, 1 recording: no faults\n",
    )


def test_how_much_is_said(repo: Path) -> None:
    assert gate(repo, "check", "--quiet").stdout == ""
    assert gate(repo, "check", "--verbose").stdout.splitlines() == [
        "read pages (tasks/pages.json:1): assertion_exists, recordings/pages.json",
        "read tests-hold (gate.yaml:7): file_not_modified, short, test_must_pass, no_network",
        "read docs (gate.yaml:16): assertion_exists",
        "gate.yaml: 3 tasks, 6 oracles, 1 recording: no faults",
    ]
    write(repo, {"recordings/pages.json": "{"})
    done = gate(repo, "check", "--quiet")
    assert (done.returncode, done.stdout.startswith("pages: recordings/pages.json: ")) == (2, True)
    assert len(done.stdout.splitlines()) == 1


def test_a_setting_that_every_report_tells_of_is_no_fault(repo: Path) -> None:
    manifest = MANIFEST.replace("  - id: tests-hold\n", "  - id: tests-hold\n    explained: off\n")
    write(repo, {"gate.yaml": manifest, "recordings/head/a.json": RECORDING})
    assert gate(repo, "check").returncode == 0


@pytest.mark.parametrize(
    ("make", "what"),
    [
        pytest.param(os.mkfifo, "the working tree: odd is a named pipe; expected a regular file", id="pipe"),
        pytest.param(os.mkdir, "odd in the working tree is a folder; expected a file", id="an empty folder"),
        pytest.param(
            lambda path: os.symlink("nowhere", path),
            "odd in the working tree is a symbolic link, and links are not followed; expected the file itself",
            id="a link to nowhere",
        ),
        pytest.param(lambda path: None, "odd: there is no such file in the working tree", id="nothing"),
    ],
)
def test_what_is_no_file_is_told_and_not_waited_for(
    repo: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[str], object], what: str
) -> None:
    monkeypatch.chdir(repo)
    make("odd")
    done = gate(repo, "check", "--manifest", "odd")
    assert (done.returncode, done.stdout) == (2, f"the manifest cannot be read: {what}\n")
    write(repo, {"gate.yaml": MANIFEST.replace("recordings/pages.json", "odd")})
    done = gate(repo, "check")
    said = "tasks/pages.json:1: `trajectory`: odd matches no file in the working tree, so there is nothing to judge"
    assert done.stdout.splitlines()[0] == f"pages: {said if what.startswith('odd: ') else f'odd: {what}'}"
