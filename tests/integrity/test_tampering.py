"""What a change does to the judge that judges it, in real repositories."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.intake import Intake
from gate.plan import Plan
from gate.policy import Judge
from gate.report import Finding, Severity
from gate.review import Review
from tests.bundles.folder import bundle, seal
from tests.commands.repository import write
from tests.conftest import Git

MANIFEST = """\
version: 1
policy: {fail_level: warning, on_empty: fail}
tasks:
  - id: pages
    scope: ["src/**", "docs/**"]
    trajectory: recordings/*.json
    oracles:
      - {type: file_not_modified, path: "tests/**"}
      - {type: test_must_pass, command: python -m pytest, timeout: 60}
  - task: tasks/add.json
"""
TASK = {
    "id": "add",
    "name": "Add",
    "description": "",
    "prompt": "",
    "workspace": {"a.py": "a"},
    "oracles": [{"type": "assertion_exists", "path": "a.py", "pattern": "a"}, {"type": "no_network"}],
}
PLUGIN = """
from gate.oracle import Oracle
raise SystemExit("the head's code was loaded")
"""
HARMLESS = """
from gate.oracle import Oracle


class Mine(Oracle, frozen=True, kw_only=True):
    def judge(self, trial):
        yield from ()
"""
FILES: Mapping[str, object] = {
    "gate.yaml": MANIFEST,
    "tasks/add.json": TASK,
    "recordings/one.json": {"steps": []},
    "src/a.py": "a",
    "docs/a.md": "a",
    "docs/b.md": "b",
}

Judged = Callable[..., list[tuple[str, str, str | None, str]]]


@pytest.fixture
def changed(tmp_path: Path, git: Git) -> Judged:
    """What is told of a change of these files, where None deletes one: kind, severity, path and message."""

    def judged(files: Mapping[str, object], judge: Judge | None = None) -> list[tuple[str, str, str | None, str]]:
        root = tmp_path / "repo"
        git("init", "-q")
        write(root, FILES)
        git("add", "-A")
        git("commit", "-qm", "base")
        base = git("rev-parse", "HEAD")
        write(root, {name: content for name, content in files.items() if content is not None})
        for name in (name for name, content in files.items() if content is None):
            (root / name).unlink()
        git("add", "-A")
        git("commit", "-qm", "head", "--allow-empty")
        asked = Asked(change=diff.Request(base=base, ci=True), judge=judge)
        with Review(asked, root) as review:
            notices = [told(notice) for notice in planned(review).notices if notice.kind.startswith("judge_")]
            return [notice for notice in notices if notice[0] != "judge_together"]

    return judged


def committed(git: Git) -> str:
    git("add", "-A")
    git("commit", "-qm", "more")
    return git("rev-parse", "HEAD")


def planned(review: Review) -> Plan:
    return Intake(review).plan()


def told(notice: Finding) -> tuple[str, str, str | None, str]:
    place = f"{notice.path}:{notice.line}" if notice.line else notice.path
    return notice.kind, notice.severity.value, place, notice.message


def edited(old: str, new: str) -> dict[str, object]:
    assert old in MANIFEST
    return {"gate.yaml": MANIFEST.replace(old, new)}


WARNING, NOTICE = Severity.WARNING.value, Severity.NOTICE.value


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            edited('      - {type: file_not_modified, path: "tests/**"}\n', ""),
            [
                (
                    "judge_removed",
                    WARNING,
                    "gate.yaml:4",
                    "This change takes the oracle file_not_modified out of the task 'pages'.",
                )
            ],
            id="oracle removed",
        ),
        pytest.param(
            edited("timeout: 60", "timeout: 600"),
            [
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:9",
                    "This change has test_must_pass of the task 'pages' ask otherwise: `timeout` goes from 60 s to 600 s.",
                )
            ],
            id="oracle weakened",
        ),
        pytest.param(
            edited("timeout: 60", "timeout: 6"),
            [
                (
                    "judge_altered",
                    NOTICE,
                    "gate.yaml:9",
                    "This change has test_must_pass of the task 'pages' ask otherwise: `timeout` goes from 60 s to 6 s.",
                )
            ],
            id="oracle made stricter",
        ),
        pytest.param(
            edited("python -m pytest", "make test"),
            [
                (
                    "judge_altered",
                    WARNING,
                    "gate.yaml:9",
                    "This change has test_must_pass of the task 'pages' ask otherwise: "
                    "`command` goes from 'python -m pytest' to 'make test'.",
                )
            ],
            id="oracle altered",
        ),
        pytest.param(
            {"tasks/add.json": TASK | {"oracles": [*TASK["oracles"], {"type": "max_repeat", "max": 3}]}},
            [
                (
                    "judge_added",
                    NOTICE,
                    "tasks/add.json:1",
                    "This change brings the oracle max_repeat into the task 'add'; it judges from the merge on.",
                )
            ],
            id="oracle added, in a document",
        ),
        pytest.param(
            edited("  - task: tasks/add.json\n", ""),
            [
                (
                    "judge_removed",
                    WARNING,
                    "gate.yaml",
                    "This change takes the task 'add' away. Once merged, nobody judges it.",
                )
            ],
            id="task removed",
        ),
        pytest.param(
            edited("- id: pages", "- id: sites"),
            [
                (
                    "judge_moved",
                    NOTICE,
                    "gate.yaml:4",
                    "This change calls the task 'pages' 'sites'; nothing else of it differs.",
                )
            ],
            id="task moved",
        ),
        pytest.param(
            edited(
                "  - task: tasks/add.json\n", "  - task: tasks/add.json\n  - {id: new, oracles: [{type: no_network}]}\n"
            ),
            [
                (
                    "judge_added",
                    NOTICE,
                    "gate.yaml:11",
                    "This change brings the task 'new', which judges from the merge on.",
                )
            ],
            id="task added",
        ),
        pytest.param(
            edited('"src/**", "docs/**"', '"src/**"'),
            [
                (
                    "judge_narrowed",
                    WARNING,
                    "gate.yaml:5",
                    "This change narrows the scope of the task 'pages': docs/a.md and 1 more would be out of it.",
                )
            ],
            id="scope narrowed",
        ),
        pytest.param(
            edited('"src/**", "docs/**"', '"src/**", "docs/**", "recordings/**"'),
            [("judge_altered", NOTICE, "gate.yaml:5", "This change alters the task 'pages': its scope is wider now.")],
            id="scope widened",
        ),
        pytest.param(
            edited('"src/**", "docs/**"', '"src/*.py", "docs/**"'),
            [
                (
                    "judge_altered",
                    WARNING,
                    "gate.yaml:5",
                    "This change alters the task 'pages': its scope is another, and meets the same files today.",
                )
            ],
            id="scope written otherwise",
        ),
        pytest.param(
            edited('"src/**", "docs/**"', '"docs/**"') | {"src/a.py": "b"},
            [
                (
                    "judge_narrowed",
                    WARNING,
                    "gate.yaml:5",
                    "This change narrows the scope of the task 'pages': src/a.py would be out of it, "
                    "among them src/a.py of this very change.",
                )
            ],
            id="scope narrowed to leave itself out",
        ),
        pytest.param(
            edited("fail_level: warning, on_empty: fail", "fail_level: error, on_empty: fail, enforce: false"),
            [
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:2",
                    "This change sets: `policy.fail_level` goes from 'warning' to 'error'.",
                ),
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:2",
                    "This change sets: `policy.enforce` goes from true to false.",
                ),
            ],
            id="level lowered",
        ),
        pytest.param(
            edited("tasks:\n", "allow: [{oracle: no_network, reason: because}]\ntasks:\n"),
            [("judge_weakened", WARNING, "gate.yaml:3", "This change sets: `allow` waives no_network (because).")],
            id="waiver added",
        ),
        pytest.param(
            edited("    trajectory: recordings/*.json\n", "    explained: off\n"),
            [
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:6",
                    "This change alters the task 'pages': `explained` is off now.",
                ),
                (
                    "judge_weakened",
                    WARNING,
                    "gate.yaml:4",
                    "This change alters the task 'pages': it names no recording now.",
                ),
            ],
            id="recording no longer named",
        ),
        pytest.param(
            {"tasks/add.json": "{"},
            [
                (
                    "judge_broken",
                    WARNING,
                    "gate.yaml:10",
                    "This change leaves the task 'add' unreadable: tasks/add.json:1: not valid JSON at column 2: "
                    "expecting property name enclosed in double quotes. "
                    "Once merged, it is an error.",
                )
            ],
            id="task broken",
        ),
        pytest.param(
            {"gate.yaml": "version: 2\n"},
            [
                (
                    "judge_removed",
                    WARNING,
                    "gate.yaml",
                    "This change leaves gate.yaml broken: gate.yaml:1: `version`: expected 1, the one this gate reads, "
                    "found 2. Once merged, nothing is judged.",
                )
            ],
            id="manifest broken",
        ),
        pytest.param(
            {"gate.yaml": None},
            [
                (
                    "judge_removed",
                    WARNING,
                    "gate.yaml",
                    "This change takes gate.yaml away. Once merged, nothing is judged.",
                )
            ],
            id="manifest removed",
        ),
        pytest.param(
            {
                "gate.yaml": MANIFEST.replace("tasks:\n", "plugins: [o/mine.py]\ntasks:\n", 1),
                "tasks/add.json": TASK | {"oracles": [{"type": "mine"}]},
                "o/mine.py": PLUGIN,
            },
            [
                (
                    "judge_altered",
                    WARNING,
                    "gate.yaml:3",
                    "This change alters: `plugins` names 'o/mine.py' now.",
                ),
                (
                    "judge_altered",
                    NOTICE,
                    "gate.yaml:11",
                    "This change has the task 'add' ask an oracle of o/mine.py, which it brings; it is not loaded here.",
                ),
            ],
            id="plugin brought along",
        ),
        pytest.param(
            edited("tasks:\n", "judge: {command: [./ask], model: tiny}\ntasks:\n"),
            [
                (
                    "judge_altered",
                    WARNING,
                    "gate.yaml:3",
                    "This change alters: `judge.command` goes from nothing to './ask'.",
                ),
                (
                    "judge_altered",
                    WARNING,
                    "gate.yaml:3",
                    "This change alters: `judge.model` goes from nothing to 'tiny'.",
                ),
            ],
            id="who asks a model",
        ),
        pytest.param(
            edited("  - id: pages\n", "  - id: pages\n    prompt: anything\n"),
            [
                ("judge_altered", WARNING, "gate.yaml:5", "This change alters the task 'pages': `prompt`."),
            ],
            id="prompt",
        ),
        pytest.param(
            edited('["src/**", "docs/**"]', '["**/a/**/a/**/b"]'),
            [
                (
                    "judge_altered",
                    WARNING,
                    "gate.yaml:5",
                    "This change alters the task 'pages': its scope is another, and is not compared here.",
                ),
            ],
            id="scope that could take for ever",
        ),
    ],
)
def test_what_a_change_does_to_its_judge(
    changed: Judged, files: Mapping[str, object], expected: list[tuple[str, str, str | None, str]]
) -> None:
    edits = [name for name in files if name in ("gate.yaml", "tasks/add.json")]
    found = changed(files)
    assert [path for kind, _, path, _ in found if kind == "judge_changed"] == edits
    assert [each for each in found if each[0] != "judge_changed"] == expected


BLOCKS = """\
version: 1
policy:
  on_empty: fail
  fail_level: warning
tasks:
  - id: pages
    explained: on
    oracles:
      - type: diff_empty
      - type: run_command
        command: "true"
        timeout: 60
  - task: tasks/add.json
    scope: [src/a.py]
    trajectory: recordings/*.json
"""


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        pytest.param("timeout: 60", "timeout: 600", "gate.yaml:12", id="a parameter"),
        pytest.param("        timeout: 60\n", "", "gate.yaml:10", id="one that is gone: its oracle"),
        pytest.param("      - type: diff_empty\n", "", "gate.yaml:6", id="an oracle that is gone: its task"),
        pytest.param("explained: on", "explained: off", "gate.yaml:7", id="a key of a task"),
        pytest.param("scope: [src/a.py]", "scope: [docs/*]", "gate.yaml:14", id="what an entry says of a document"),
        pytest.param("    trajectory: recordings/*.json\n", "", "gate.yaml:13", id="and says no more"),
        pytest.param("fail_level: warning", "fail_level: error", "gate.yaml:4", id="a key of the policy"),
        pytest.param("  on_empty: fail\n", "", "gate.yaml", id="one that is gone: the manifest"),
    ],
)
def test_what_is_told_stands_at_its_key(tmp_path: Path, git: Git, old: str, new: str, place: str) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, {**FILES, "gate.yaml": BLOCKS})
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    assert old in BLOCKS
    write(root, {"gate.yaml": BLOCKS.replace(old, new)})
    git("commit", "-qam", "head")
    with Review(Asked(change=diff.Request(base=base, ci=True)), root) as review:
        found = [told(notice)[2] for notice in planned(review).notices if notice.kind.startswith("judge_")]
    assert found == ["gate.yaml", place], "the file as a whole, and what became of it"


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        pytest.param(
            {"bench/tasks/sum-01/prompt.md": "Easier.\n", "bench/tasks/sum-02/oracle/tests.py": ""},
            "bench/tasks/sum-01/prompt.md",
            "bench is not what its manifest.json says (2 changed): changed tasks/sum-01/prompt.md, changed "
            "tasks/sum-02/oracle/tests.py",
            id="files without a new pin",
        ),
        pytest.param(
            {"bench/tasks/sum-02/prompt.md": None},
            "bench/manifest.json",
            "bench is not what its manifest.json says (1 missing): missing tasks/sum-02/prompt.md",
            id="a file taken away",
        ),
        pytest.param(
            {"bench/manifest.json": None},
            "bench/manifest.json",
            "bench: there is no manifest.json, so nothing says what the bundle held; write one with `gate bundle pin bench`",
            id="no manifest",
        ),
        pytest.param(
            {
                "bench/tasks/sum-01/prompt.md": "x",
                "gate.yaml": "version: 1\ntasks:\n  - bundle: ./bench\n    trajectory: r/{name}.json\n    scope: [x]\n",
            },
            "bench/tasks/sum-01/prompt.md",
            "bench is not what its manifest.json says (1 changed): changed tasks/sum-01/prompt.md",
            id="called otherwise, too",
        ),
    ],
)
def test_a_bundle_that_does_not_verify_at_the_head(
    tmp_path: Path, git: Git, change: dict[str, str | None], path: str, reason: str
) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    bundle(root / "bench")
    write(
        root, {"gate.yaml": "version: 1\ntasks:\n  - bundle: bench/\n    trajectory: r/{name}.json\n    scope: [x]\n"}
    )
    base = committed(git)
    for name, text in change.items():
        (root / name).unlink() if text is None else (root / name).write_text(text)
    committed(git)
    asked = Asked(change=diff.Request(base=base, ci=True), commands=False)
    with Review(asked, root) as review:
        notices = [told(notice) for notice in planned(review).notices if notice.kind.startswith("judge_")]
    found = [notice for notice in notices if notice[0] not in ("judge_changed", "judge_together")]
    assert found == [
        (
            "judge_broken",
            WARNING,
            path,
            f"This change leaves the bundle bench broken: {reason}. Once merged, every run ends with exit 2.",
        )
    ]


def test_a_bundle_that_is_pinned_anew_at_the_head(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    bundle(root / "bench")
    write(root, {"gate.yaml": "version: 1\ntasks:\n  - bundle: bench\n    trajectory: r/{name}.json\n    scope: [x]\n"})
    base = committed(git)
    write(root, {"bench/tasks/sum-01/fixtures/more.py": ""})
    seal(root / "bench")
    committed(git)
    asked = Asked(change=diff.Request(base=base, ci=True), commands=False)
    with Review(asked, root) as review:
        kinds = {notice.kind for notice in planned(review).notices if notice.kind.startswith("judge_")}
    assert kinds.isdisjoint({"judge_broken", "judge_removed", "judge_added"})


def test_a_recording_that_goes_is_told_with_the_judge(changed: Judged) -> None:
    files = edited("timeout: 60", "timeout: 6") | {"recordings/one.json": None}
    lost = [each for each in changed(files) if each[0] == "judge_recording"]
    message = "This change deletes recordings/one.json, a recording of the task 'pages'."
    assert lost == [("judge_recording", WARNING, "recordings/one.json", message)]


def test_nothing_is_told_where_the_judge_stays(changed: Judged) -> None:
    assert changed({"src/a.py": "b"}) == []


def test_a_head_that_judges_itself_is_told_with_what_it_has_changed(changed: Judged) -> None:
    found = changed(edited("timeout: 60", "timeout: 600"), Judge.HEAD)
    assert [(kind, path) for kind, _, path, _ in found] == [("judge_head", None), ("judge_weakened", "gate.yaml:9")]


def test_a_head_that_judges_itself_and_changes_nothing_of_the_judge_is_told_alone(changed: Judged) -> None:
    assert [kind for kind, *_ in changed({"src/a.py": "b"}, Judge.HEAD)] == ["judge_head"]


def test_a_task_document_that_the_change_brings_is_a_file_of_the_judge(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, FILES)
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    more = "  - task: tasks/add.json\n  - task: tasks/sub.json\n"
    write(root, edited("  - task: tasks/add.json\n", more) | {"tasks/sub.json": TASK | {"id": "sub"}})
    git("add", "-A")
    git("commit", "-qm", "head")
    with Review(Asked(change=diff.Request(base=base, ci=True)), root) as review:
        kinds = [notice.kind for notice in planned(review).notices]
    assert kinds == ["judge_changed", "judge_added"]


def test_a_plugin_that_is_changed_is_a_warning_since_nobody_compares_it(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, {**FILES, **edited("tasks:\n", "plugins: [mine.py]\ntasks:\n"), "mine.py": HARMLESS})
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    write(root, {"mine.py": PLUGIN})
    git("add", "-A")
    git("commit", "-qm", "head")
    with Review(Asked(change=diff.Request(base=base, ci=True)), root) as review:
        assert [told(notice) for notice in planned(review).notices] == [
            (
                "judge_changed",
                WARNING,
                "mine.py",
                f"This change edits mine.py, a file of the judge; the version of base {base[:12]} judges it, and what "
                "its code asks now is not compared.",
            )
        ]
