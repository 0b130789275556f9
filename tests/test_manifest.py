"""gate.yaml."""

import json
from pathlib import Path

import jsonschema
import pytest

from gate import schema
from gate.document import parse
from gate.entry import Commands, Entry, Finished, Origin, workspace
from gate.errors import ManifestError
from gate.manifest import read
from gate.policy import Everyone, Judge, OnEmpty, Whose
from gate.report import Severity
from gate.task import Folder, Inline, Revision, State

WHOLE = """\
version: 1
tasks:
  - task: tasks/fix-add.json
    trajectory: recordings/fix-add.jsonl
    scope: ["src/**", "tests/test_calc.py"]
  - id: pagination
    name: Pagination
    description: The last page is missing.
    prompt: Fix it.
    tags: [bug]
    workspace: {git: base}
    state: head
    trajectory: recordings/pagination/*.json
    oracles:
      - {type: test_must_pass, command: python -m pytest -q, timeout: 120}
      - {type: file-not-modified, path: "tests/**"}
policy: {judge: head, on_empty: fail, fail_level: warning, enforce: false}
defaults: {timeout: 2m, python: .venv/bin/python}
allow:
  - {oracle: file_not_modified, path: tests/test_old.py, reason: removed, until: 2027-01-31}
plugins: [oracles/max_lines.py]
"""


def test_a_whole_manifest() -> None:
    manifest = read(WHOLE.encode(), "sub/gate.yaml")
    assert manifest.folder == "sub"
    assert manifest.entries[0] == Entry(
        task="tasks/fix-add.json",
        trajectory="recordings/fix-add.jsonl",
        scope=["src/**", "tests/test_calc.py"],
    )
    assert manifest.entries[1].state is State.HEAD
    assert manifest.policy.judge is Judge.HEAD
    assert manifest.policy.on_empty is OnEmpty.FAIL
    assert manifest.policy.fail_level is Severity.WARNING
    assert manifest.policy.enforce is False
    assert manifest.defaults.seconds == 120.0
    assert manifest.allow[0].until == "2027-01-31"
    assert manifest.plugins == ("oracles/max_lines.py",)
    assert manifest.line(("tasks", 1)) == 6


def test_what_is_left_out_has_a_default() -> None:
    manifest = read(b"version: 1\ntasks: [{task: a.json}]", "gate.yaml")
    assert manifest.policy.judge is Judge.BASE
    assert manifest.policy.enforce
    assert manifest.defaults.seconds == 60.0
    assert manifest.defaults.python is None


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("", Commands.OFF),
        (", replay: {}", Commands.OFF),
        (", replay: {commands: off}", Commands.OFF),
        (", replay: {commands: repeat}", Commands.REPEAT),
    ],
)
def test_what_becomes_of_recorded_commands(text: str, commands: Commands) -> None:
    (entry,) = read(f"version: 1\ntasks: [{{task: a.json{text}}}]".encode(), "gate.yaml").entries
    assert entry.replay.commands is commands


HEAD = "version: 1\ntasks:\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "gate.yaml: the manifest is empty; expected `version: 1` and `tasks:`", id="empty"),
        pytest.param(
            "- a", "gate.yaml:1: expected a mapping with `version` and `tasks`, found a list of 1", id="a list"
        ),
        pytest.param(
            "tasks: [{task: a}]",
            "gate.yaml:1: `version`: expected 1, the one this gate reads, found none",
            id="version",
        ),
        pytest.param(
            "version: 2", "gate.yaml:1: `version`: expected 1, the one this gate reads, found 2", id="newer version"
        ),
        pytest.param("version: 1\ntasks: []", "gate.yaml:2: `tasks`: there is no task in the list", id="no task"),
        pytest.param("version: 1", "gate.yaml:1: `tasks` is missing", id="no tasks"),
        pytest.param(
            HEAD + "  - id: a\n    orcales: []",
            "gate.yaml:4: `tasks[0].orcales`: unknown key; did you mean `oracles`?",
            id="a typo",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\nwhatever: 1",
            "gate.yaml:3: `whatever`: unknown key; known here: `allow`, `defaults`, `judge`, `plugins`, `policy`, `tasks`, `version`",
            id="an unknown key",
        ),
        pytest.param(
            HEAD + "  - {id: a, oracles: [{type: x}], isolation: required}",
            "gate.yaml:3: `tasks[0].isolation`: this version does not act on isolation levels; take the key out",
            id="a key of later",
        ),
        pytest.param(
            HEAD + "  - {id: a, oracles: [{type: x}], golden: {patches: a}}",
            "gate.yaml:3: `tasks[0].golden.patches`: unknown key; did you mean `patch`?",
            id="a misspelt part of golden input",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {isolation: required}",
            "gate.yaml:3: `policy.isolation`: this version does not act on isolation levels; take the key out",
            id="a policy of later",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a, control: must_fail, pass_at: {k: 1, least: 1}}]",
            "gate.yaml:2: `tasks[0].control`: recordings that are known to be bad must all be caught; take `pass_at` and "
            "`pass_all` out",
            id="thresholds for what is known to be bad",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a, pass_at: {k: 2, least: 0}}]",
            "gate.yaml:2: `tasks[0].pass_at.least`: expected a number > 0.0, found 0",
            id="a threshold that everything reaches",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {require_recording: everybody}",
            "gate.yaml:3: `policy.require_recording`: expected one of `all`, found 'everybody'",
            id="a recording of somebody unknown",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy:\n  require_recording:",
            "gate.yaml:4: `policy.require_recording`: expected text or a mapping, found nothing",
            id="a recording of nothing",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {require_recording: {}}",
            "gate.yaml:3: `policy.require_recording`: expected `all`, or a mapping with `authors`, `trailers` or "
            "`labels`, found nobody in it",
            id="a recording of nobody",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {require_recording: {authors: [a, ' ']}}",
            "gate.yaml:3: `policy.require_recording`: expected `all`, or a mapping with `authors`, `trailers` or "
            "`labels`, found an empty pattern",
            id="a recording of an empty pattern",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {require_recording: {author: [a]}}",
            "gate.yaml:3: `policy.require_recording.author`: unknown key; did you mean `authors`?",
            id="a misspelt list of authors",
        ),
        pytest.param(
            HEAD + "  - {task: a, replay: {commands: true}}",
            "gate.yaml:3: `tasks[0].replay.commands`: expected text, found true",
            id="commands that are neither repeated nor not",
        ),
        pytest.param(
            HEAD + "  - {task: a, replay: {command: repeat}}",
            "gate.yaml:3: `tasks[0].replay.command`: unknown key; did you mean `commands`?",
            id="a misspelt key of the replay",
        ),
        pytest.param(
            HEAD + "  - {task: a, trajectory: {note: x}}",
            "gate.yaml:3: `tasks[0].trajectory.note`: unknown key; did you mean `notes`?",
            id="a misspelt origin",
        ),
        pytest.param(
            HEAD + "  - {task: a, trajectory: {}}",
            "gate.yaml:3: `tasks[0].trajectory`: expected exactly one of `notes` (a ref) and `entire` (a branch), "
            "found a mapping with no keys",
            id="no origin",
        ),
        pytest.param(
            HEAD + "  - {task: a, trajectory: {notes: x, entire: y}}",
            "gate.yaml:3: `tasks[0].trajectory`: expected exactly one of `notes` (a ref) and `entire` (a branch), "
            "found a mapping with `notes`, `entire`",
            id="two origins",
        ),
        pytest.param(
            HEAD + "  - {task: a, trajectory: [a, b]}",
            "gate.yaml:3: `tasks[0].trajectory`: expected text or a mapping, found a list of 2",
            id="a list of recordings",
        ),
        pytest.param(
            HEAD + "  - {task: a, state: {folder: x}}",
            "gate.yaml:3: `tasks[0].state.folder`: unknown key; known here: `dir`",
            id="a misspelt finished folder",
        ),
        pytest.param(
            HEAD + "  - {task: a, state: {}}",
            "gate.yaml:3: `tasks[0].state`: `dir` is missing",
            id="no finished folder",
        ),
        pytest.param(
            HEAD + "  - {scope: [a]}",
            "gate.yaml:3: `tasks[0]`: expected exactly one of `task`, `spec`, `bundle` (where tasks are written) and `id` (the task itself), found none",
            id="neither document nor task",
        ),
        pytest.param(
            HEAD + "  - {task: a, id: b}",
            "gate.yaml:3: `tasks[0]`: expected exactly one of `task`, `spec`, `bundle` (where tasks are written) and `id` (the task itself), found `task` and `id`",
            id="both document and task",
        ),
        pytest.param(
            HEAD + "  - {task: a.json, prompt: b}",
            "gate.yaml:3: `tasks[0].prompt`: belongs into the task document a.json, not beside it",
            id="beside a document",
        ),
        pytest.param(HEAD + "  - id: a", "gate.yaml:3: `tasks[0]`: `oracles` is missing or empty", id="no oracle"),
        pytest.param(
            HEAD + "  - {task: a, scope: []}",
            "gate.yaml:3: `tasks[0].scope`: an empty list would never be in scope; leave the key out for every change",
            id="an empty scope",
        ),
        pytest.param(
            HEAD + "  - {task: a, scope: src}",
            "gate.yaml:3: `tasks[0].scope`: expected a list, found 'src'",
            id="a scope that is no list",
        ),
        pytest.param(
            HEAD + "  - {task: a, state: hed}",
            "gate.yaml:3: `tasks[0].state`: expected one of `head`, `replay`, found 'hed'",
            id="an unknown word",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {enforce: no}",
            "gate.yaml:3: `policy.enforce`: expected true or false, found 'no'",
            id="no is not false",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\ndefaults: {timeout: 1:30}",
            "gate.yaml:3: `defaults.timeout`: expected a number of seconds above 0 (also `90s`, `2m`, `1h`), found '1:30'",
            id="a time of day is no limit",
        ),
        pytest.param(
            HEAD + "  - {id: a, oracles: [{type: x}]}\n  - {id: a, oracles: [{type: x}]}",
            "gate.yaml:4: `tasks[1].id`: a task 'a' stands above",
            id="the same id twice",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\nallow: [{oracle: x, reason: y, until: soon}]",
            "gate.yaml:3: `allow[0].until`: expected a day such as 2027-01-31, found 'soon'",
            id="no day",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\nallow: [{oracle: x, reason: y, path: '{a,b}/**'}]",
            "gate.yaml:3: `allow[0].path`: '{a,b}/**' has braces, which are no pattern here; write one for each, or `[{]` "
            "for a real brace",
            id="a waiver for no path",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\npolicy: {protect: ['!x', /y]}",
            "gate.yaml:3: `policy.protect[1]`: '/y' is absolute, and no path is here; write `y`",
            id="no path is protected",
        ),
        pytest.param(
            "version: 1\ntasks: [{task: a}]\nallow: [{oracle: x}]",
            "gate.yaml:3: `allow[0]`: `reason` is missing",
            id="a waiver without a reason",
        ),
    ],
)
def test_a_fault_says_where_what_and_how(text: str, message: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read(text.encode(), "gate.yaml")
    assert caught.value.message == message


def test_one_fault_does_not_hide_the_next() -> None:
    with pytest.raises(ManifestError) as caught:
        read((HEAD + "  - {id: a}\n  - {task: b}\n  - {task: c, sope: [x]}\n").encode(), "gate.yaml")
    assert caught.value.message.splitlines() == [
        "gate.yaml:3: `tasks[0]`: `oracles` is missing or empty",
        "gate.yaml:5: `tasks[2].sope`: unknown key; did you mean `scope`?",
    ]


@pytest.mark.parametrize(
    ("text", "origin", "ref", "branch"),
    [
        ("{notes: agent}", Origin(notes="agent"), "refs/notes/agent", "entire/checkpoints/v1"),
        ("{notes: notes/agent}", Origin(notes="notes/agent"), "refs/notes/agent", "entire/checkpoints/v1"),
        ("{notes: refs/x/y}", Origin(notes="refs/x/y"), "refs/x/y", "entire/checkpoints/v1"),
        ("{entire: other/v1}", Origin(entire="other/v1"), "", "other/v1"),
        ("{entire: refs/heads/other}", Origin(entire="refs/heads/other"), "", "other"),
        ("{entire: }", Origin(entire=None), "", "entire/checkpoints/v1"),
        ("{entire}", Origin(entire=None), "", "entire/checkpoints/v1"),
    ],
)
def test_recordings_beside_the_commits(text: str, origin: Origin, ref: str, branch: str) -> None:
    found = read((HEAD + f"  - {{task: a, trajectory: {text}}}").encode(), "gate.yaml").entries[0].trajectory
    assert found == origin
    assert (origin.ref, origin.branch) == (ref, branch)


def test_a_finished_folder() -> None:
    assert read((HEAD + "  - {task: a, state: {dir: out}}").encode(), "gate.yaml").entries[0].state == Finished(
        dir="out"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all", Everyone.ALL),
        (
            "{authors: ['*[bot]'], trailers: [Agent], labels: [ai]}",
            Whose(authors=["*[bot]"], trailers=["Agent"], labels=["ai"]),
        ),
    ],
)
def test_required_recordings(text: str, expected: object) -> None:
    manifest = read(f"version: 1\ntasks: [{{task: a}}]\npolicy: {{require_recording: {text}}}".encode(), "gate.yaml")
    assert manifest.policy.require_recording == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("files: {a.py: x}", Inline({"a.py": "x"})),
        ("dir: fixtures", Folder("fixtures")),
        ("git: base", Revision("base")),
    ],
)
def test_start_workspaces(text: str, expected: object) -> None:
    document = parse(text.encode())
    assert workspace(document, document.value, ()) == expected


def test_the_schema_that_is_committed_is_the_one_of_the_structs() -> None:
    path = Path(__file__).parent.parent / "gate" / "schemas" / "manifest.v1.json"
    assert json.loads(path.read_text()) == json.loads(json.dumps(schema.manifest())), (
        "run: gate explain --schema > gate/schemas/manifest.v1.json"
    )


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        HEAD + "  - {task: a, trajectory: {notes: x}, state: {dir: y}}\npolicy: {require_recording: all}",
        HEAD + "  - {task: a, trajectory: {entire: }}\npolicy: {require_recording: {labels: [a]}}",
        HEAD + "  - {spec: e, trajectory: {add: r, sub: {notes: x}}, scope: {add: [a]}}",
        HEAD + "  - {spec: e, trajectory: {notes: x}, scope: [a]}",
        HEAD + "  - {task: a, golden: {patch: p, command: c, trajectory: {path: t}, custom_metrics: {inline: {a: 1}}}}",
    ],
)
def test_the_schema_accepts_what_the_gate_accepts(text: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema.manifest())
    jsonschema.validate(parse(text.encode()).value, schema.manifest())
    read(text.encode(), "gate.yaml")


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "  - {task: a, id: b}",
        HEAD + "  - {id: a}",
        HEAD + "  - {task: a, scope: []}",
        HEAD + "  - {id: a, oracles: [{type: file_not_modified}]}",
        HEAD + "  - {id: a, oracles: [{type: no_network, foo: 1}]}",
        HEAD + "  - {id: a, workspace: {git: base, dir: x}, oracles: [{type: no_network}]}",
        HEAD + "  - {task: a, trajectory: {notes: x, entire: y}}",
        HEAD + "  - {task: a, trajectory: {}}",
        HEAD + "  - {task: a, state: {folder: x}}",
        HEAD + "  - {task: a, trajectory: {add: r}}",
        HEAD + "  - {task: a, scope: {add: [r]}}",
        HEAD + "  - {spec: e, golden: {patch: p}}",
        HEAD + "  - {spec: e, oracles: [{type: diff-empty}]}",
        HEAD + "  - {spec: e, trajectory: {}}",
        HEAD + "  - {task: a, golden: {}}",
        "version: 1\ntasks: [{task: a}]\npolicy: {require_recording: {}}",
        "version: 1\ntasks: [{task: a}]\npolicy: {require_recording: {authors: [' ']}}",
        "version: 1\ntasks: [{task: a}]\npolicy:\n  require_recording:",
        "version: 1\ntasks: [{task: a}]\npolicy: {fail_level: bad}",
        "version: 1\ntasks: [{task: a}]\nextra: 1",
    ],
)
def test_the_schema_refuses_what_the_gate_refuses(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(parse(text.encode()).value, schema.manifest())


EVERY_FAULT = """\
version: 1
colour: red
isolation: required
plugins: 3
policy: {isolation: required, on_empty: maybe, require_recording: {}}
allow: [{oracle: x, reason: y, until: soon}]
tasks:
  - {id: a, isolation: x, oracles: [{type: no_network}], scpe: [b]}
"""
LATER = "this version does not act on isolation levels; take the key out"


def test_what_is_wrong_with_a_manifest_is_told_in_one_run() -> None:
    with pytest.raises(ManifestError) as caught:
        read(EVERY_FAULT.encode(), "gate.yaml")
    assert caught.value.message.splitlines() == [
        f"gate.yaml:3: `isolation`: {LATER}",
        f"gate.yaml:5: `policy.isolation`: {LATER}",
        "gate.yaml:2: `colour`: unknown key; known here: `allow`, `defaults`, `judge`, `plugins`, `policy`, `tasks`, "
        "`version`",
        "gate.yaml:4: `plugins`: expected a list, found 3",
        "gate.yaml:5: `policy.on_empty`: expected one of `pass`, `fail`, found 'maybe'",
        f"gate.yaml:8: `tasks[0].isolation`: {LATER}",
        "gate.yaml:8: `tasks[0].scpe`: unknown key; did you mean `scope`?",
        "gate.yaml:6: `allow[0].until`: expected a day such as 2027-01-31, found 'soon'",
    ]
