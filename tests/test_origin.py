"""Where recordings come from."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.entry import Origin
from gate.errors import TaskError
from gate.origin import Found, Recordings
from gate.review import Review
from gate.source import LIMIT
from gate.task import Folder, Inline, Revision, State, Task
from tests.conftest import Git as Run

NOTES = "refs/notes/agent"
BRANCH = "entire/checkpoints/v1"
GIT = Revision("base")


def recording(text: str = "new") -> str:
    return json.dumps({"steps": [{"tool": "write_file", "args": {"path": "a", "content": text}}]})


def task(workspace: Any = GIT, state: State = State.HEAD, finished: str | None = None) -> Task:
    return Task(id="t", workspace=workspace, oracles=(), state=state, finished=finished, path="gate.yaml", line=3)


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    """`main` with one commit, and the branch `work` with two more."""
    git("init", "-q")
    root = tmp_path / "repo"
    write(root, {"a": "old", "recordings/before.json": recording("before")})
    git("add", "-A")
    git("commit", "-qm", "first")
    git("checkout", "-q", "-b", "work")
    for number in (1, 2):
        write(root, {"a": f"new {number}", f"recordings/{number}.json": recording(f"new {number}")})
        git("add", "-A")
        git("commit", "-qm", f"change {number}")
    return root


@contextmanager
def opened(folder: Path, *given: str, **request: Any) -> Iterator[Recordings]:
    request = request or {"base": "main"}
    with Review(Asked(change=diff.Request(**request), recordings=given), folder) as review:
        yield Recordings(review)


def found(
    folder: Path, named: str | Origin | None, of: Task | None = None, *given: str, below: str = "", **request: Any
) -> Found:
    with opened(folder, *given, **request) as recordings:
        return recordings.of(named, of or task(), below)


def shown(result: Found) -> list[tuple[str, str]]:
    """Each recording's name with what it writes, or with its problem."""
    return [
        (one.path, one.problem if one.trajectory is None else next(iter(one.trajectory.steps)).arguments["content"])
        for one in result.recordings
    ]


def refused(folder: Path, named: str | Origin | None, of: Task) -> str:
    with pytest.raises(TaskError) as caught:
        found(folder, named, of)
    assert caught.value.kind == "no_recording"
    return caught.value.message


class TestHead:
    """Paths and patterns in the repository."""

    @pytest.mark.parametrize(
        ("pattern", "names"),
        [
            ("recordings/*.json", ["1", "2"]),
            ("recordings/2.json", ["2"]),
            ("recordings/", ["1", "2"]),
            ("recordings/before.json", []),
            ("other/*", []),
        ],
    )
    def test_those_that_the_change_brings(self, repo: Path, pattern: str, names: list[str]) -> None:
        result = found(repo, pattern)
        assert shown(result) == [(f"recordings/{name}.json", f"new {name}") for name in names]
        assert result.silence == ("" if names else f"this change adds or modifies no recording at {pattern}")

    def test_patterns_start_from_the_manifest_s_folder(self, repo: Path) -> None:
        assert len(found(repo, "*.json", below="recordings").recordings) == 2
        assert len(found(repo, "../recordings/*.json", below="sub").recordings) == 2

    def test_for_a_fixture_all_that_match(self, repo: Path) -> None:
        result = found(repo, "recordings/*.json", task(Inline({}), State.REPLAY))
        assert [name for name, _ in shown(result)] == [f"recordings/{name}.json" for name in ("1", "2", "before")]

    @pytest.mark.parametrize("workspace", [Inline({}), Folder("a")])
    def test_a_fixture_without_a_recording_is_an_error(self, repo: Path, git: Run, workspace: Any) -> None:
        head = git("rev-parse", "--short=12", "HEAD")
        assert refused(repo, "no/*.json", task(workspace, State.REPLAY)) == (
            f"gate.yaml:3: `trajectory`: no/*.json matches no file in head {head}, so there is nothing to judge"
        )

    def test_a_finished_folder_can_be_judged_without(self, repo: Path) -> None:
        result = found(repo, "no.json", task(Inline({}), finished="out"))
        assert (result.recordings, result.silence[:22]) == ((), "no.json matches no fil")

    def test_a_replay_of_nothing_is_an_error(self, repo: Path) -> None:
        assert refused(repo, None, task(GIT, State.REPLAY)) == (
            "gate.yaml:3: a task with `state: replay` needs a `trajectory`; name its recording"
        )
        assert found(repo, None) == Found(silence="the task names no recording (`trajectory`)")

    def test_one_that_cannot_be_read_is_its_own_problem(self, repo: Path, git: Run) -> None:
        write(repo, {"recordings/3.json": "{"})
        git("add", "-A")
        git("commit", "-qm", "broken")
        (broken,) = [one for one in found(repo, "recordings/*.json").recordings if one.problem]
        assert broken.path == "recordings/3.json"

    def test_one_larger_than_other_files_is_read(self, repo: Path, git: Run) -> None:
        write(repo, {"recordings/3.json": recording("large") + " " * LIMIT})
        git("add", "-A")
        git("commit", "-qm", "large")
        assert shown(found(repo, "recordings/3.json")) == [("recordings/3.json", "large")]

    def test_it_is_read_once_for_all_tasks(self, repo: Path) -> None:
        with opened(repo) as recordings:
            one, other = (recordings.of("recordings/1.json", task(), "").recordings[0] for _ in range(2))
        assert one is other


class TestGiven:
    """Files that the caller names, from anywhere on the machine."""

    @pytest.mark.parametrize("named", [None, "recordings/*.json", Origin(notes="agent")])
    def test_they_go_before_whatever_the_task_names(
        self, repo: Path, tmp_path: Path, named: str | Origin | None
    ) -> None:
        write(tmp_path, {"artifact.json": recording("given")})
        result = found(repo, named, None, str(tmp_path / "artifact.json"), "../artifact.json")
        assert shown(result) == [(str(tmp_path / "artifact.json"), "given"), ("../artifact.json", "given")]
        assert all(one.elsewhere for one in result.recordings)

    def test_a_fixture_replays_them_too(self, repo: Path, tmp_path: Path) -> None:
        write(tmp_path, {"artifact.json": recording("given")})
        of = task(Inline({}), State.REPLAY)
        assert shown(found(repo, None, of, "../artifact.json")) == [("../artifact.json", "given")]

    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            ("none.json", "there is no such file"),
            ("recordings", "is a folder; expected a regular file"),
            ("link", "is a symbolic link, and links are not followed; expected the file itself"),
            ("pipe", "is a named pipe; expected a regular file"),
        ],
    )
    def test_one_that_is_no_file_is_a_problem(self, repo: Path, name: str, problem: str) -> None:
        (repo / "link").symlink_to("a")
        os.mkfifo(repo / "pipe")
        ((_, said),) = shown(found(repo, None, None, name))
        assert said == f"{repo / name}{':' if name == 'none.json' else ''} {problem}"

    def test_one_that_no_reader_knows_is_a_problem(self, repo: Path) -> None:
        ((name, said),) = shown(found(repo, None, None, "a"))
        assert (name, said.startswith("a: no reader knows this format")) == ("a", True)


class TestNotes:
    """Git notes of the change's commits."""

    @staticmethod
    def note(git: Run, commit: str, text: str, ref: str = NOTES) -> None:
        git("notes", f"--ref={ref}", "add", "-m", recording(text), commit)

    @pytest.mark.parametrize("named", ["agent", "refs/notes/agent"])
    def test_each_commit_s_note_is_one_recording(self, repo: Path, git: Run, named: str) -> None:
        for commit, text in (("HEAD~1", "one"), ("HEAD", "two"), ("main", "not of this change")):
            self.note(git, commit, text)
        result = found(repo, Origin(notes=named))
        one, two = (git("rev-parse", "--short=12", commit) for commit in ("HEAD~1", "HEAD"))
        assert shown(result) == [(f"{NOTES}:{one}", "one"), (f"{NOTES}:{two}", "two")]
        assert result.silence == ""
        assert all(recorded.elsewhere for recorded in result.recordings)

    def test_notes_that_git_keeps_in_folders(self, repo: Path, git: Run) -> None:
        self.note(git, "HEAD", "deep")
        commit, blob = git("rev-parse", "HEAD"), git("notes", f"--ref={NOTES}", "list", "HEAD")
        git("read-tree", "--empty")
        git("update-index", "--add", "--cacheinfo", f"100644,{blob},{commit[:2]}/{commit[2:4]}/{commit[4:]}")
        git("update-ref", NOTES, git("commit-tree", "-m", "fanout", git("write-tree")))
        git("reset", "-q")
        assert [text for _, text in shown(found(repo, Origin(notes="agent")))] == ["deep"]

    def test_a_note_that_is_no_recording_is_a_problem(self, repo: Path, git: Run) -> None:
        git("notes", f"--ref={NOTES}", "add", "-m", "LGTM", "HEAD")
        (only,) = found(repo, Origin(notes="agent")).recordings
        assert only.problem.startswith(f"{only.path}: no reader knows this format")

    def test_no_commit_has_one(self, repo: Path, git: Run) -> None:
        self.note(git, "main", "not of this change")
        assert found(repo, Origin(notes="agent")) == Found(silence=f"no commit of this change has a note in {NOTES}")

    def test_nowhere_is_such_a_ref(self, repo: Path, git: Run, tmp_path: Path) -> None:
        silence = f"no commit of this change has a note in {NOTES}: there is no such ref"
        assert found(repo, Origin(notes="agent")) == Found(silence=silence)
        git("clone", "-q", "--no-local", str(repo), "../clone")
        assert found(tmp_path / "clone", Origin(notes="agent"), base="HEAD~1") == Found(silence=silence)

    @pytest.mark.parametrize("depth", [(), ("--depth=2",)], ids=["whole", "shallow"])
    def test_a_clone_without_them_says_how_to_fetch_them(
        self, repo: Path, git: Run, tmp_path: Path, depth: tuple[str, ...]
    ) -> None:
        self.note(git, "HEAD", "two")
        git("clone", "-q", *depth, f"file://{repo}", "../clone")
        (gap,) = found(tmp_path / "clone", Origin(notes="agent"), base="HEAD~1").recordings
        command = f"git fetch {'--depth=1 ' if depth else ''}origin {NOTES}:{NOTES}"
        assert gap.problem == f"{NOTES} is not in this clone; run `{command}` first"
        git(*command.split()[1:], cwd=tmp_path / "clone")
        assert [text for _, text in shown(found(tmp_path / "clone", Origin(notes="agent"), base="HEAD~1"))] == ["two"]

    def test_an_origin_that_does_not_answer_may_have_them(self, repo: Path, git: Run) -> None:
        git("remote", "add", "origin", "file:///no/such")
        (gap,) = found(repo, Origin(notes="agent")).recordings
        assert gap.kind == "notes_missing"

    def test_commits_that_a_shallow_clone_lacks_may_have_some(self, repo: Path, git: Run, tmp_path: Path) -> None:
        self.note(git, "HEAD", "two")
        git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo}", "../clone")
        git("fetch", "-q", "--depth=1", "origin", f"{NOTES}:{NOTES}", cwd=tmp_path / "clone")
        request: dict[str, Any] = {"from_ref": "origin/main", "to_ref": "HEAD"}
        one, gap = found(tmp_path / "clone", Origin(notes="agent"), **request).recordings
        assert (one.problem, gap.kind, gap.problem[:24]) == ("", "history_missing", "this clone is shallow an")

    def test_the_index_has_none_yet(self, repo: Path, git: Run) -> None:
        self.note(git, "HEAD", "two")
        write(repo, {"a": "staged"})
        git("add", "-A")
        silence = "the change is not committed yet, and git notes belong to commits"
        for of in (task(), task(Inline({}), State.REPLAY)):
            assert found(repo, Origin(notes="agent"), of, hook=True) == Found(silence=silence, pending=True)

    def test_a_fixture_without_one_is_an_error(self, repo: Path) -> None:
        assert refused(repo, Origin(notes="agent"), task(Inline({}), State.REPLAY)) == (
            f"gate.yaml:3: `trajectory`: no commit of this change has a note in {NOTES}: there is no such ref, so "
            "there is nothing to judge"
        )

    def test_outside_of_git_there_are_none(self, tmp_path: Path) -> None:
        result = found(tmp_path, Origin(notes="agent"), everything=True)
        assert result == Found(silence="git notes need a git repository, and here is none")


class TestEntire:
    """Checkpoints that the commits name."""

    def test_those_that_the_commits_name(self, repo: Path, git: Run) -> None:
        git("commit", "-q", "--allow-empty", "-m", "three\n\nEntire-Checkpoint: a3b2c4d5e6f7")
        git("checkout", "-q", "--orphan", BRANCH)
        git("rm", "-rq", "--cached", ".")
        write(repo, {"a3/b2c4d5e6f7/0/full.jsonl": recording("kept")})
        git("add", "a3")
        git("commit", "-qm", "Checkpoint: a3b2c4d5e6f7")
        git("checkout", "-qf", "work")
        result = found(repo, Origin(entire=None))
        assert shown(result) == [(f"{BRANCH}:a3/b2c4d5e6f7/0/full.jsonl", "kept")]
        assert result.silence == ""
        assert all(recorded.elsewhere for recorded in result.recordings)
        ((label, said),) = shown(found(repo, Origin(entire="elsewhere")))
        assert label == "Entire-Checkpoint: a3b2c4d5e6f7"
        assert said.endswith("run `git fetch origin refs/heads/elsewhere:refs/heads/elsewhere` first")

    def test_no_commit_names_one(self, repo: Path) -> None:
        assert found(repo, Origin(entire=None)) == Found(silence="no commit of this change carries `Entire-Checkpoint`")

    def test_a_range_without_commits_names_none(self, repo: Path) -> None:
        silence = "there is no commit under review, and checkpoints belong to commits"
        assert found(repo, Origin(entire=None), base="HEAD") == Found(silence=silence)
