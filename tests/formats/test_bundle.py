"""Bundles as a task format, through a manifest: verified first, and judged as every other task."""

import json
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.errors import BundleError
from gate.intake import Intake
from gate.oracles.bundle_tests import BundleTests
from gate.oracles.expected_files import ExpectedFiles
from gate.plan import Plan
from gate.report import Outcome, Report
from gate.reporters import console, score
from gate.review import Review
from gate.run import run
from gate.task import Folder, Inline
from tests.bundles.folder import SOLVED, bundle, seal, write

MANIFEST = """\
version: 1
tasks:
  - bundle: bench/
    trajectory: recordings/{name}.json
"""


def recording(files: dict[str, str]) -> str:
    steps = [{"tool": "write_file", "args": {"path": name, "content": text}} for name, text in files.items()]
    return json.dumps({"steps": steps})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder outside of git: one task is solved, the other is not."""
    bundle(tmp_path / "bench")
    write(
        tmp_path,
        {
            "gate.yaml": MANIFEST,
            "recordings/sum-01.json": recording(SOLVED),
            "recordings/sum-02.json": recording({"result.txt": "4"}),
        },
    )
    return tmp_path


def plan(root: Path) -> Plan:
    with Review(Asked(change=diff.Request(everything=True)), root) as review:
        return Intake(review).plan()


def verdicts(report: Report) -> list[tuple[str, str, Outcome, str]]:
    return [(task.id, verdict.name, verdict.outcome, verdict.message) for task, verdict in report.verdicts()]


def test_every_task_folder_is_a_task(root: Path) -> None:
    one, two = plan(root).tasks
    assert (one.id, one.path, one.line) == ("sum-01", "bench/tasks/sum-01/prompt.md", 1)
    assert two.task is not None
    assert two.task.prompt == "Mend `add` in calc.py: add(2, 2) is 4, and write result.txt with that sum.\n"
    assert two.task.workspace == Folder("bench/tasks/sum-02/fixtures")
    files, tests = two.task.oracles
    assert files == ExpectedFiles(
        name="files", must_exist=("calc.py", "result.txt"), must_not_exist=("notes.txt",), max_bytes_per_file=65536
    )
    assert isinstance(tests, BundleTests)
    assert (tests.name, sorted(tests.files), tests.timeout) == ("tests", ["expected_files.json", "tests.py"], 30.0)


def test_no_rate_of_its_tasks_is_told(root: Path) -> None:
    write(
        root,
        {
            "gate.yaml": MANIFEST.replace("{name}.json", "{name}/*.json") + "    pass_at: {k: 1, least: 0.4}\n",
            **{f"recordings/sum-0{number}/a.json": recording(SOLVED) for number in (1, 2)},
            **{f"recordings/sum-0{number}/b.json": recording({}) for number in (1, 2)},
        },
    )
    report = run(plan(root))
    assert (report.outcome, score.words(report)) == (Outcome.PASS, "")
    assert "pass@1 is as expected; the figures would be a rate of a task of a bundle" in console.render(report)
    assert "%" not in console.render(report)
    write(root, {"gate.yaml": MANIFEST.replace("{name}.json", "{name}/*.json")})
    report = run(plan(root))
    assert (report.outcome, score.words(report)) == (Outcome.FAIL, "")
    assert "%" not in console.render(report)


def test_recordings_are_judged(root: Path) -> None:
    assert verdicts(run(plan(root))) == [
        ("sum-01", "files", Outcome.PASS, "Files as expected: 2 required, 1 forbidden"),
        ("sum-01", "tests", Outcome.PASS, "tests.py passed"),
        ("sum-02", "files", Outcome.PASS, "Files as expected: 2 required, 1 forbidden"),
        ("sum-02", "tests", Outcome.FAIL, "tests.py failed (exit 1): AssertionError: 0"),
    ]


def test_in_a_folder_of_its_own(root: Path) -> None:
    (root / "deep").mkdir()
    for name in ("bench", "gate.yaml", "recordings"):
        (root / name).rename(root / "deep" / name)
    asked = Asked(change=diff.Request(everything=True), manifest="deep/gate.yaml")
    with Review(asked, root) as review:
        found = Intake(review).plan()
    assert [task.problem for task in found.tasks] == ["", ""]
    assert [outcome for _, _, outcome, _ in verdicts(run(found))].count(Outcome.PASS) == 3


def test_a_task_without_fixtures_starts_empty(root: Path) -> None:
    (root / "bench/tasks/sum-01/fixtures/calc.py").unlink()
    seal(root / "bench")
    one, _ = plan(root).tasks
    assert one.task is not None
    assert one.task.workspace == Inline({})
    assert verdicts(run(plan(root)))[1][2] is Outcome.PASS


def test_a_mismatch_ends_it_all(root: Path) -> None:
    write(root, {"bench/tasks/sum-01/oracle/tests.py": ""})
    with pytest.raises(BundleError) as caught:
        plan(root)
    assert caught.value.exit_code == 2
    assert caught.value.message.startswith("bench is not what its manifest.json says (1 changed)")


def test_a_broken_task_is_its_own_error(root: Path) -> None:
    write(root, {"bench/tasks/sum-01/oracle/expected_files.json": "[]"})
    seal(root / "bench")
    one, two = plan(root).tasks
    assert one.problem == "bench/tasks/sum-01/oracle/expected_files.json:1: expected a mapping, found a list of 0"
    assert two.problem == ""


def test_golden_input_is_part_of_a_task(root: Path) -> None:
    patch = "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(one, other):\n-    return one - other\n+    return one + other\n"
    write(root, {"bench/tasks/sum-01/golden.patch": patch})
    seal(root / "bench")
    one, two = plan(root).tasks
    assert one.task is not None
    assert one.task.golden is not None
    assert one.task.golden.patch == patch.encode()
    assert two.task is not None
    assert two.task.golden is None


def test_what_is_to_be_said_of_a_task(root: Path) -> None:
    (root / "bench/tasks/sum-01/LICENSE.md").unlink()
    seal(root / "bench")
    one, two = run(plan(root)).tasks
    assert [notice.message for notice in one.notices] == [
        "the task has no note on its licence: add tasks/sum-01/LICENSE.md"
    ]
    assert two.notices == ()
