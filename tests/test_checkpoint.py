"""Entire's checkpoints."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from gate.checkpoint import Named, Transcript, named, transcripts
from gate.git import Git
from gate.history import Commit, History
from tests.conftest import Git as Run

BRANCH = "entire/checkpoints/v1"
ULID = "01M1TET4N33VMY0DTHNZKV5HT9"


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    return tmp_path / "repo"


def store(git: Run, files: Mapping[str, object], *, ref: str = f"refs/heads/{BRANCH}", cwd: Path | None = None) -> None:
    """Put a commit with these files at a ref, without touching the checkout."""
    folder = Path(git("rev-parse", "--absolute-git-dir", cwd=cwd)).parent
    tree = folder / "stored"
    for name, content in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    git("--work-tree", str(tree), "add", "-A", ".", cwd=cwd)
    git("update-ref", ref, git("commit-tree", "-m", "Checkpoint", git("write-tree", cwd=cwd), cwd=cwd), cwd=cwd)
    git("reset", "-q", cwd=cwd)


def _named(*names: str) -> tuple[Named, ...]:
    return tuple(Named(name, _commit(f"Entire-Checkpoint: {name}", number)) for number, name in enumerate(names, 1))


def _commit(trailers: str, number: int = 1) -> Commit:
    return Commit(id=f"{number:040x}", parents=(), author="", committer="", message=f"s\n\n{trailers}")


@pytest.fixture
def opened(repo: Path) -> Iterator[Git]:
    found = Git.discover(repo)
    assert found is not None
    with found:
        yield found


@pytest.mark.parametrize(
    ("messages", "names"),
    [
        ([], []),
        (["A: b"], []),
        (["Entire-Checkpoint: a3b2c4d5e6f7"], ["a3b2c4d5e6f7"]),
        (["entire-checkpoint: a", "Entire-Checkpoint: b\n\nprose\n\nEntire-Checkpoint: a"], ["a", "b"]),
    ],
    ids=["no commit", "no trailer", "one", "several in one message, and one twice"],
)
def test_what_commits_name(messages: list[str], names: list[str]) -> None:
    history = History(commits=tuple(_commit(message, number) for number, message in enumerate(messages)))
    assert [one.id for one in named(history)] == names


class TestTranscripts:
    """What lies in a checkpoint."""

    def test_every_session_and_its_sub_agents(self, git: Run, opened: Git) -> None:
        store(
            git,
            {
                "a3/b2c4d5e6f7/metadata.json": {"checkpoint_id": "a3b2c4d5e6f7"},
                "a3/b2c4d5e6f7/0/full.jsonl": "one\n",
                "a3/b2c4d5e6f7/0/metadata.json": {"session_id": "s1"},
                "a3/b2c4d5e6f7/0/prompt.txt": "no transcript",
                "a3/b2c4d5e6f7/0/transcript.jsonl": "nor this: a digest",
                "a3/b2c4d5e6f7/0/tasks/toolu_1/agent-x.jsonl": "sub\n",
                "a3/b2c4d5e6f7/0/tasks/toolu_1/checkpoint.json": "{}",
                "a3/b2c4d5e6f7/1/full.jsonl": "two\n",
                "a3/b2c4d5e6f7/1/metadata.json": {"session_id": "s2"},
                "a3/ffffffffff/0/full.jsonl": "of another checkpoint\n",
            },
        )
        place = f"{BRANCH}:a3/b2c4d5e6f7"
        assert transcripts(_named("a3b2c4d5e6f7"), BRANCH, opened) == (
            Transcript(label=f"{place}/0/full.jsonl", data=b"one\n"),
            Transcript(label=f"{place}/0/tasks/toolu_1/agent-x.jsonl", data=b"sub\n"),
            Transcript(label=f"{place}/1/full.jsonl", data=b"two\n"),
        )

    def test_the_older_layout(self, git: Run, opened: Git) -> None:
        files = {"full.jsonl": "last", "metadata.json": {"session_id": "s2"}, "1/full.log": "before"}
        store(git, {f"a3/b2c4d5e6f7/{name}": content for name, content in files.items()})
        found = transcripts(_named("a3b2c4d5e6f7"), BRANCH, opened)
        assert [part.data for part in found] == [b"before", b"last"]

    def test_a_transcript_in_chunks(self, git: Run, opened: Git) -> None:
        files = {"full.jsonl": "a\nb", "full.jsonl.1000": "e\n", "full.jsonl.001": "c", "full.jsonl.999": "d"}
        store(git, {f"a3/b2c4d5e6f7/0/{name}": content for name, content in files.items()})
        assert [part.data for part in transcripts(_named("a3b2c4d5e6f7"), BRANCH, opened)] == [b"a\nb\nc\nd\ne\n"]

    @pytest.mark.parametrize(
        ("first", "second", "expected"),
        [
            ({"session_id": "s"}, {"session_id": "s"}, [b"2"]),
            ({"session_id": "s"}, {"session_id": "t"}, [b"1", b"2"]),
            ({"session_id": "s", "created_at": "2026-01-02"}, {"session_id": "s", "created_at": "2026-01-01"}, [b"1"]),
            ({}, {}, [b"1", b"2"]),
            ("no JSON", {"session_id": 5}, [b"1", b"2"]),
        ],
        ids=["goes on", "another", "named in the other order", "without an id", "with odd metadata"],
    )
    def test_a_session_that_goes_on_counts_once(
        self, git: Run, opened: Git, first: object, second: object, expected: list[bytes]
    ) -> None:
        store(
            git,
            {
                "11/1111111111/0/full.jsonl": "1",
                "11/1111111111/0/metadata.json": first,
                "22/2222222222/0/full.jsonl": "2",
                "22/2222222222/0/metadata.json": second,
            },
        )
        found = transcripts(_named("111111111111", "222222222222"), BRANCH, opened)
        assert [part.data for part in found] == expected

    def test_a_ref_of_its_own(self, git: Run, opened: Git) -> None:
        store(git, {"0/full.jsonl": "own"}, ref=f"refs/entire/checkpoints/T9/{ULID}")
        assert transcripts(_named(ULID), BRANCH, opened) == (
            Transcript(label=f"refs/entire/checkpoints/T9/{ULID}/0/full.jsonl", data=b"own"),
        )

    def test_the_remote_s_branch_where_ours_is_behind(self, git: Run, opened: Git) -> None:
        store(git, {"11/1111111111/0/full.jsonl": "1"})
        store(git, {"22/2222222222/0/full.jsonl": "2"}, ref=f"refs/remotes/origin/{BRANCH}")
        found = transcripts(_named("111111111111", "222222222222"), BRANCH, opened)
        assert [part.data for part in found] == [b"1", b"2"]


class TestMissing:
    """What is named and not there is a problem, with the words to fix it."""

    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            pytest.param(
                "a3b2c4d5e6f7",
                "the commit 000000000000 names the checkpoint a3b2c4d5e6f7, which is not in "
                f"refs/heads/{BRANCH} of this clone; run `git fetch origin refs/heads/{BRANCH}:refs/heads/{BRANCH}` "
                "first",
                id="no branch",
            ),
            pytest.param(
                ULID,
                f"the commit 000000000000 names the checkpoint {ULID}, which is not in "
                f"refs/entire/checkpoints/T9/{ULID} of this clone; run `git fetch origin "
                f"refs/entire/checkpoints/T9/{ULID}:refs/entire/checkpoints/T9/{ULID}` first",
                id="no ref",
            ),
            pytest.param(
                "../../etc",
                "the commit 000000000000 names the checkpoint '../../etc'; expected 12 hexadecimal digits or a ULID",
                id="no id",
            ),
        ],
    )
    def test_a_checkpoint(self, opened: Git, name: str, problem: str) -> None:
        (found,) = transcripts(_named(name), BRANCH, opened)
        assert (found.label, found.problem, found.data) == (f"Entire-Checkpoint: {name}", problem, b"")

    def test_in_a_shallow_clone_the_fetch_is_shallow_too(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", "--depth=1", f"file://{repo}", "../shallow")
        found = Git.discover(tmp_path / "shallow")
        assert found is not None
        with found:
            (missing,) = transcripts(_named("a3b2c4d5e6f7"), BRANCH, found)
        assert "run `git fetch --depth=1 origin " in missing.problem

    def test_a_checkpoint_beside_others(self, git: Run, opened: Git) -> None:
        store(git, {"11/1111111111/0/full.jsonl": "1"})
        found = transcripts(_named("111111111111", "222222222222"), BRANCH, opened)
        assert [(part.data, part.kind) for part in found] == [(b"1", ""), (b"", "checkpoint_missing")]

    def test_a_checkpoint_without_a_transcript(self, git: Run, opened: Git) -> None:
        store(git, {"11/1111111111/0/metadata.json": "{}"})
        (found,) = transcripts(_named("111111111111"), BRANCH, opened)
        assert found.problem == (
            f"the checkpoint 111111111111 in {BRANCH}:11/1111111111 holds no transcript (full.jsonl)"
        )

    def test_a_transcript_that_is_a_link(self, repo: Path, git: Run, opened: Git) -> None:
        folder = repo / "stored" / "11" / "1111111111" / "0"
        folder.mkdir(parents=True)
        (folder / "full.jsonl").symlink_to("/etc/passwd")
        store(git, {})
        (found,) = transcripts(_named("111111111111"), BRANCH, opened)
        assert (found.kind, found.data) == ("is_link", b"")
