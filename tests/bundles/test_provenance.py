"""Pinned before the run: shown by commits, by the recording's bytes whatever its name, or said not to be."""

import subprocess
from pathlib import Path

import pytest

from gate.bundles.provenance import UNKNOWN, Provenance
from gate.git import Git as Repository
from tests.conftest import Git


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    git("init", "-q")
    git("commit", "-qm", "start", "--allow-empty")
    return tmp_path / "repo"


def commit(git: Git, root: Path, name: str, text: str) -> str:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git("add", "-A")
    git("commit", "-qm", name)
    return git("rev-parse", "HEAD")


def why(root: Path, *paths: str, folders: bool = False, judge: str = "HEAD") -> str:
    repository = Repository.discover(root)
    assert repository is not None
    with repository as found:
        head = found.resolve("HEAD")
        assert head is not None
        asked = Provenance(found, place="bench", judge=found.resolve(judge), head=head)
        starts = {path: f"tasks/{path.rpartition('/')[2]}/fixtures" for path in paths}
        return asked.of_folders(starts) if folders else asked.of_files(paths, found.tree(head))


def moved(git: Git, old: str, new: str) -> None:
    git("mv", old, new)
    git("commit", "-qm", f"{old} is {new}")


def late(path: str, commit: str, pinned: str, old: str = "") -> str:
    name = f" as {old}" if old else ""
    return (
        f"{path} came with the commit {commit[:12]}{name}, which does not come after the bundle's pin ({pinned[:12]})"
    )


def test_the_recording_came_after(root: Path, git: Git) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "r/one.json", "1")
    commit(git, root, "r/one.json", "2")
    commit(git, root, "out/one/a", "1")
    assert why(root, "r/one.json") == ""
    assert why(root, "out/one", folders=True) == ""


def test_it_was_there_before(root: Path, git: Git) -> None:
    early = commit(git, root, "r/one.json", "1")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "r/two.json", "2")
    said = f"came with the commit {early[:12]}, which does not come after the bundle's pin ({pinned[:12]})"
    assert why(root, "r/one.json", "r/two.json") == f"r/one.json {said}"
    assert why(root, "r", folders=True) == f"r/one.json {said}"


def test_it_was_there_before_under_another_name(root: Path, git: Git) -> None:
    early = commit(git, root, "elsewhere.txt", "1")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    git("rm", "-q", "elsewhere.txt")
    commit(git, root, "r/one.json", "1")
    assert why(root, "r/one.json") == late("r/one.json", early, pinned, "elsewhere.txt")
    assert why(root, "r", folders=True) == late("r/one.json", early, pinned, "elsewhere.txt")


def test_a_folder_that_was_there_before_is_renamed(root: Path, git: Git) -> None:
    early = commit(git, root, "old/one/calc.py", "solved")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    moved(git, "old", "out")
    assert why(root, "out/one", folders=True) == late("out/one/calc.py", early, pinned, "old/one/calc.py")


def test_one_file_of_many_is_another(root: Path, git: Git) -> None:
    commit(git, root, "old/one/calc.py", "solved")
    early = commit(git, root, "old/one/more.py", "more")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    moved(git, "old", "out")
    commit(git, root, "out/one/calc.py", "solved\n")
    assert why(root, "out/one", folders=True) == late("out/one/more.py", early, pinned, "old/one/more.py")
    commit(git, root, "out/one/more.py", "more\n")
    assert why(root, "out/one", folders=True) == "", (
        "other bytes are other content: the limit that docs/bundles.md states"
    )


def test_a_copy_of_what_was_there_before_beside_it(root: Path, git: Git) -> None:
    early = commit(git, root, "notes/solution.py", "solved")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "out/one/calc.py", "solved")
    assert why(root, "out/one", folders=True) == late("out/one/calc.py", early, pinned, "notes/solution.py")


def test_a_folder_from_a_branch_that_had_left_before_the_pin_is_renamed_there(root: Path, git: Git) -> None:
    git("switch", "-qc", "other")
    early = commit(git, root, "old/one/calc.py", "solved")
    git("switch", "-q", "main")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    git("switch", "-q", "other")
    moved(git, "old", "out")
    git("switch", "-q", "main")
    git("merge", "-q", "--no-edit", "other")
    assert why(root, "out/one", folders=True) == late("out/one/calc.py", early, pinned, "old/one/calc.py")


def test_what_the_task_began_with_was_there_before_and_may_have_been(root: Path, git: Git) -> None:
    commit(git, root, "src/calc.py", "start")
    commit(git, root, "src/empty.py", "")
    commit(git, root, "older/tasks/one/fixtures/calc.py", "start")
    commit(git, root, "older/tasks/one/oracle/expected.txt", "3")
    moved(git, "older", "bench")
    commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "out/one/calc.py", "start")
    assert why(root, "out/one", folders=True) == "", "nobody has done anything"
    commit(git, root, "out/one/empty.py", "")
    commit(git, root, "out/one/answer.txt", "3")
    assert why(root, "out/one", folders=True) == "", "the bundle itself holds the right answer"


def test_a_folder_of_which_files_were_only_taken_away(root: Path, git: Git) -> None:
    (root / "bench/tasks/one/fixtures").mkdir(parents=True)
    (root / "bench/tasks/one/fixtures/notes.txt").write_text("away with it")
    commit(git, root, "bench/tasks/one/fixtures/calc.py", "start")
    early = commit(git, root, "old/one/calc.py", "start")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    moved(git, "old", "out")
    assert why(root, "out/one", folders=True) == late("out/one", early, pinned, "old/one")
    commit(git, root, "out/one/notes2.txt", "")
    assert why(root, "out/one", folders=True) == ""


def test_the_environment_was_pinned_anew_after_the_run(root: Path, git: Git) -> None:
    commit(git, root, "bench/env_pin.json", "{}")
    commit(git, root, "bench/manifest.json", "{}")
    run = commit(git, root, "out/one/a", "1")
    assert why(root, "out/one", folders=True) == ""
    pinned = commit(git, root, "bench/env_pin.json", '{"other": 1}')
    assert why(root, "out/one", folders=True) == late("out/one/a", run, pinned)
    assert why(root, "out/one/a") == late("out/one/a", run, pinned)


def test_the_nearest_name_of_the_first_commit_is_told(root: Path, git: Git) -> None:
    (root / "old/two").mkdir(parents=True)
    (root / "old/two/a").write_text("solved")
    early = commit(git, root, "old/one/a", "solved")
    commit(git, root, "older/one/a", "solved")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    moved(git, "old", "out")
    assert why(root, "out/one", folders=True) == late("out/one/a", early, pinned, "old/one/a")
    assert why(root, "out/two", folders=True) == late("out/two/a", early, pinned, "old/two/a")


def test_what_is_configured_changes_nothing_and_starts_nothing(root: Path, git: Git, tmp_path: Path) -> None:
    program = tmp_path / "gpg"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\necho 'commit of nobody' >&2\n")
    program.chmod(0o755)
    for key, value in {"log.showSignature": "true", "gpg.program": str(program), "color.ui": "always"}.items():
        git("config", key, value)
    plain = commit(git, root, "old/one/a", "solved")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    header, _, rest = git("cat-file", "commit", plain).partition("\n\n")
    (tmp_path / "signed").write_text(f"{header}\n{signature}\n\n{rest}\n")
    early = git("hash-object", "-t", "commit", "-w", str(tmp_path / "signed"))
    git("reset", "-q", "--hard", early)
    pinned = commit(git, root, "bench/manifest.json", "{}")
    moved(git, "old", "out")
    assert why(root, "out/one", folders=True) == late("out/one/a", early, pinned, "old/one/a")
    assert not (tmp_path / "started").exists()


def test_names_that_git_would_quote(root: Path, git: Git) -> None:
    early = commit(git, root, 'old/one/a "b"\tä.py', "solved")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    moved(git, "old", "out")
    assert why(root, "out/one", folders=True) == late(
        repr('out/one/a "b"\tä.py'), early, pinned, repr('old/one/a "b"\tä.py')
    )


def test_what_is_too_much_cannot_be_told(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "out/one/a", "1")
    commit(git, root, "out/one/b", "2")
    monkeypatch.setattr("gate.bundles.provenance._MOST", 1)
    assert why(root, "out/one", folders=True) == (
        "the results are 2 files, and the commits of no more than 1 are looked for"
    )
    monkeypatch.undo()
    monkeypatch.setattr("gate.bundles.provenance._BATCH", 1)
    assert why(root, "out/one", folders=True) == ""


def test_it_came_with_the_pin_itself(root: Path, git: Git) -> None:
    (root / "r.json").write_text("1")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    assert why(root, "r.json") == (
        f"r.json came with the commit {pinned[:12]}, which does not come after the bundle's pin ({pinned[:12]})"
    )


def test_the_bundle_was_pinned_anew_after_the_run(root: Path, git: Git) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    run = commit(git, root, "r.json", "1")
    pinned = commit(git, root, "bench/manifest.json", '{"other": 1}')
    assert f"came with the commit {run[:12]}" in why(root, "r.json")
    assert pinned[:12] in why(root, "r.json")
    assert why(root, "r.json", judge="HEAD~1") == "", "the judge's own version was pinned before"


def test_it_came_on_a_branch_that_had_left_before_the_pin(root: Path, git: Git) -> None:
    git("switch", "-qc", "other")
    early = commit(git, root, "r.json", "1")
    git("switch", "-q", "main")
    commit(git, root, "bench/manifest.json", "{}")
    git("merge", "-q", "--no-edit", "other")
    assert f"r.json came with the commit {early[:12]}" in why(root, "r.json")


def test_a_branch_from_after_the_pin_is_merged(root: Path, git: Git) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    git("switch", "-qc", "other")
    commit(git, root, "r.json", "1")
    git("switch", "-q", "main")
    commit(git, root, "x", "1")
    git("merge", "-q", "--no-edit", "other")
    assert why(root, "r.json") == ""


def test_nothing_to_show(root: Path, git: Git, tmp_path: Path) -> None:
    assert Provenance(None, place="bench", judge=None, head=None).of_files([], None) == UNKNOWN  # type: ignore[arg-type]
    commit(git, root, "r.json", "1")
    assert why(root, "r.json") == "bench/manifest.json is in no commit, so nothing shows when it was written"
    commit(git, root, "bench/manifest.json", "{}")
    subprocess.run(["git", "clone", "-q", "--depth=1", root.as_uri(), str(tmp_path / "shallow")], check=True)
    assert why(tmp_path / "shallow", "r.json") == (
        "the history is cut off here (`fetch-depth`), so nothing shows that the bundle was pinned before the run"
    )
    assert why(root, "out", folders=True) == (
        "out is in no commit yet, so nothing shows that the bundle was pinned before it"
    )
    assert why(root, "none.json") == ""
