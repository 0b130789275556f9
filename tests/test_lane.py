"""What an agent made of a bundle: finished folders or recordings, judged outside of git and in it."""

import json
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.errors import BundleError, UsageError
from gate.lane import Lane, exam, plan
from gate.policy import Require
from gate.report import Outcome, Report
from gate.review import Review
from gate.run import run
from tests.bundles.folder import SOLVED, bundle, seal, task, write
from tests.bundles.interpreters import other_python
from tests.conftest import Git

ASKED = Asked(change=diff.Request())
FIXTURE = {"calc.py": task(1)["fixtures/calc.py"]}
OUT = Lane(workspaces="out")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    bundle(tmp_path / "bench")
    write(tmp_path / "out" / "sum-01", SOLVED)
    write(tmp_path / "out" / "sum-02", FIXTURE)
    return tmp_path


def judged(root: Path, lane: Lane = OUT, *, require: Require | None = None, python: str | None = None) -> Report:
    return run(plan(exam("bench", root, require=require, python=python), lane, ASKED))


def verdicts(report: Report) -> list[tuple[str, str, Outcome, str]]:
    return [(task.id, verdict.name, verdict.outcome, verdict.message) for task, verdict in report.verdicts()]


def test_finished_folders(root: Path) -> None:
    report = judged(root)
    assert verdicts(report) == [
        ("sum-01", "files", Outcome.PASS, "Files as expected: 2 required, 1 forbidden"),
        ("sum-01", "tests", Outcome.PASS, "tests.py passed"),
        ("sum-02", "files", Outcome.FAIL, "File is missing: result.txt: there is nothing of that name"),
        ("sum-02", "tests", Outcome.FAIL, "tests.py failed (exit 1): AssertionError: 0"),
    ]
    assert (report.exit_code, report.change) == (1, "every task of bench, finished in out")
    assert report.notices[0].message.startswith("The bundle bench with 2 tasks is sha256:")


def test_recordings(root: Path) -> None:
    steps = [{"tool": "write_file", "args": {"path": name, "content": text}} for name, text in SOLVED.items()]
    for name in ("sum-01", "sum-02"):
        write(root, {f"r/{name}.json": json.dumps({"steps": steps})})
    report = judged(root, Lane(recordings="r/{name}.json"))
    assert report.exit_code == 0
    assert report.change == "every task of bench, replaying r/{name}.json"


@pytest.mark.parametrize("form", ["folder", "file", "link"])
def test_what_must_not_be_there_may_be_a_folder_without_files(root: Path, form: str) -> None:
    place = root / "out/sum-01/notes.txt"
    if form == "folder":
        place.mkdir()
    elif form == "file":
        place.touch()
    else:
        place.symlink_to("nowhere")
    found = verdicts(judged(root))[0]
    assert found[2:] == (Outcome.FAIL, f"{form.title()} must not be there: notes.txt")


def test_a_link_that_leads_out_is_not_followed(root: Path) -> None:
    write(root, {"secret": "x"})
    (root / "out/sum-01/result.txt").unlink()
    (root / "out/sum-01/result.txt").symlink_to(root / "secret")
    files, tests = verdicts(judged(root))[:2]
    assert files[2:] == (Outcome.FAIL, "File is missing: result.txt: it is a symbolic link, and no file")
    assert tests[2] is Outcome.ERROR
    assert "leads out of the workspace" in tests[3]


def test_a_workspace_that_is_a_link_or_not_there(root: Path) -> None:
    (root / "out/sum-02/calc.py").unlink()
    (root / "out/sum-02").rmdir()
    (root / "out/sum-01").rename(root / "elsewhere")
    (root / "out/sum-01").symlink_to(root / "elsewhere")
    report = judged(root)
    assert [(one.outcome, one.verdicts[0].reason) for one in report.tasks] == [
        (Outcome.ERROR, "out/sum-01 is a symbolic link, and links are not followed; expected a folder"),
        (Outcome.ERROR, "there is no folder out/sum-02, so the task has no end state to judge"),
    ]
    assert report.exit_code == 4


def test_folders_of_no_task_are_said(root: Path) -> None:
    write(root, {"out/sum-99/x": ""})
    assert judged(root).notices[1].message == "out holds sum-99, which is no task of bench."


def test_a_mismatch_comes_before_anything_is_judged(root: Path) -> None:
    write(root, {"bench/tasks/sum-01/oracle/tests.py": "print('fine')\n"})
    with pytest.raises(BundleError) as caught:
        judged(root)
    assert (caught.value.kind, caught.value.exit_code) == ("mismatch", 2)


def test_faults(root: Path) -> None:
    with pytest.raises(UsageError, match=r"^none: there is no such folder; expected a bundle's$"):
        exam("none", root, require=None, python=None)
    with pytest.raises(UsageError, match=r"^'': there is no such folder; expected a bundle's$"):
        exam("", root, require=None, python=None)
    with pytest.raises(UsageError, match=r"^the place of the results is empty; expected a folder, or the path of"):
        judged(root, Lane(workspaces=""))
    with pytest.raises(
        UsageError, match=r"^r\.json: expected {name} in the path of recordings, for the name of each of the 2"
    ):
        judged(root, Lane(recordings="r.json"))
    with pytest.raises(UsageError, match=r"^none: the workspaces cannot be read: .*No such file or directory"):
        judged(root, Lane(workspaces="none"))


def test_on_another_python(root: Path) -> None:
    other = other_python()
    with pytest.raises(BundleError, match="this machine is too far from the environment that the bundle was pinned in"):
        judged(root, python=other)
    tests = "import sys\nprint(sys.version)\nassert sys.executable != sys.argv[0]\n"
    write(root, {"bench/tasks/sum-01/oracle/tests.py": tests})
    seal(root / "bench")
    report = judged(root, require=Require.NONE, python=other)
    assert "This machine is not the pinned one: python: pinned " in report.notices[0].message
    assert report.tasks[0].outcome is Outcome.PASS


@pytest.mark.parametrize("require", [None, Require.COMPATIBLE, Require.EXACT])
def test_a_missing_pin_is_refused_by_default(root: Path, require: Require | None) -> None:
    (root / "bench/env_pin.json").unlink()
    with pytest.raises(BundleError, match=r"^bench: there is no env_pin\.json, and `require: (compatible|exact)` asks"):
        judged(root, require=require)
    assert (
        "No rate of it is publishable: there is no env_pin.json; "
        in judged(root, require=Require.NONE).notices[0].message
    )


def committed(root: Path, git: Git) -> Path:
    git("init", "-q", cwd=root)
    git("add", "bench", cwd=root)
    git("commit", "-qm", "pin", cwd=root)
    return root


def gaps(root: Path) -> str:
    return judged(root).notices[0].message.partition("No rate of it is publishable: ")[2].partition("installed")[2]


def test_pinned_before_the_run(root: Path, git: Git) -> None:
    committed(root, git)
    assert gaps(root) == "; out/sum-01/calc.py is in no commit yet, so nothing shows that the bundle came first."
    git("add", "out", cwd=root)
    git("commit", "-qm", "run", cwd=root)
    assert gaps(root) == "."
    write(root, {"out/sum-02/more.txt": ""})
    assert gaps(root) == "; out/sum-02/more.txt is in no commit yet, so nothing shows that the bundle came first."
    write(root, {"out/sum-01/calc.py": "another"})
    assert gaps(root) == "; out/sum-01/calc.py is not as it was committed, so nothing shows that the bundle came first."


def test_pinned_after_the_run(root: Path, git: Git) -> None:
    git("init", "-q", cwd=root)
    git("add", "out", cwd=root)
    git("commit", "-qm", "run", cwd=root)
    git("add", "bench", cwd=root)
    git("commit", "-qm", "pin", cwd=root)
    assert "; out/sum-01/calc.py came with the commit" in gaps(root)
    git("mv", "out", "away", cwd=root)
    git("commit", "-qm", "another name", cwd=root)
    git("mv", "away", "out", cwd=root)
    git("commit", "-qm", "as it was", cwd=root)
    assert "; out/sum-01/calc.py came with the commit" in gaps(root)


def test_pinned_after_the_run_and_the_results_renamed(root: Path, git: Git) -> None:
    git("init", "-q", cwd=root)
    (root / "out").rename(root / "old")
    git("add", "old", cwd=root)
    git("commit", "-qm", "run", cwd=root)
    early = git("rev-parse", "HEAD", cwd=root)
    git("add", "bench", cwd=root)
    git("commit", "-qm", "pin", cwd=root)
    pinned = git("rev-parse", "HEAD", cwd=root)
    git("mv", "old", "out", cwd=root)
    git("commit", "-qm", "another name", cwd=root)
    assert gaps(root) == (
        f"; out/sum-01/calc.py came with the commit {early[:12]} as old/sum-01/calc.py, which does not come after the "
        f"bundle's pin ({pinned[:12]})."
    )


def test_the_pin_is_not_as_it_was_committed(root: Path, git: Git) -> None:
    committed(root, git)
    git("add", "out", cwd=root)
    git("commit", "-qm", "run", cwd=root)
    pin = json.loads((root / "bench/env_pin.json").read_text())
    write(root, {"bench/env_pin.json": json.dumps(pin)})
    assert gaps(root) == "; bench/env_pin.json is not as it was committed."


def test_results_elsewhere(root: Path, git: Git, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("results")
    (root / "out").rename(elsewhere / "out")
    committed(root, git)
    message = judged(root, Lane(workspaces=str(elsewhere / "out"))).notices[0].message
    assert "the bundle and the results do not lie in one repository" in message


def test_in_ci_the_bundle_is_the_base_s(root: Path, git: Git) -> None:
    committed(root, git)
    base = git("rev-parse", "HEAD", cwd=root)
    write(root, {"bench/tasks/sum-02/oracle/tests.py": "print('fine')\n"})
    seal(root / "bench")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "an easier judge, and what it lets pass", cwd=root)
    asked = Asked(change=diff.Request(base=base, ci=True))
    with Review(asked, root) as review:
        found = exam("bench", root, require=None, python=None, review=review)
        report = run(plan(found, OUT, asked))
    assert (report.judge, report.tasks[1].outcome) == (f"base {base[:12]}", Outcome.FAIL)
    assert verdicts(report)[3] == ("sum-02", "tests", Outcome.FAIL, "tests.py failed (exit 1): AssertionError: 0")
    assert report.notices[0].message.endswith("which packages were installed.")
    assert judged(root).judge == "the disk"
