"""Trees of commits and of the index: their bytes are always those that the object ids promise."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.errors import GitError, SourceError
from gate.git import Git
from gate.objects import GitTree
from gate.source import Source
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree, blob_id

Run = Callable[..., str]
ODD = ["\n", 'quo"te', "a\tb", "\udcff\udcfe", "é", ":(top)x", "--output=pwn", "*", "$(id).py", "\x1b[31m", "a\\b", " "]


@pytest.fixture
def repo(git: Run, tmp_path: Path) -> Path:
    """One commit: plain files in two folders, an executable, a link, a submodule, odd names."""
    git("status")
    root = tmp_path / "repo"
    (root / "sub" / "deep").mkdir(parents=True)
    (root / "a").write_bytes(b"a\n")
    (root / "sub" / "deep" / "b").write_bytes(b"b\r\n\xff")
    (root / "run.sh").write_bytes(b"#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("sub/deep/b")
    (root / ":(top)a").write_bytes(b"magic")
    (root / "odd").mkdir()
    for name in ODD:
        (root / "odd" / name).write_bytes(os.fsencode(name))
    git("add", ".")
    git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},libs/inner")
    git("commit", "-qm", "one")
    return root


@pytest.fixture
def found(repo: Path) -> Iterator[Git]:
    """The repository, closed at the end."""
    discovered = Git.discover(repo)
    assert discovered is not None
    with discovered:
        yield discovered


def _head(found: Git) -> GitTree:
    return found.tree(str(found.resolve("HEAD")))


EXPECTED = {
    ":(top)a": (REGULAR, b"magic"),
    "a": (REGULAR, b"a\n"),
    "libs/inner": (SUBMODULE, b"1" * 40),
    "link": (SYMLINK, b"sub/deep/b"),
    **{f"odd/{name}": (REGULAR, os.fsencode(name)) for name in ODD},
    "run.sh": (EXECUTABLE, b"#!/bin/sh\n"),
    "sub/deep/b": (REGULAR, b"b\r\n\xff"),
}


@pytest.mark.parametrize("which", ["commit", "index"])
@pytest.mark.parametrize("emptied", [False, True], ids=["from-the-checkout", "from-the-objects"])
@pytest.mark.parametrize("listed", [False, True], ids=["one-by-one", "listed-first"])
def test_every_kind_of_entry_has_its_mode_and_bytes(
    found: Git, repo: Path, which: str, emptied: bool, listed: bool
) -> None:
    tree = _head(found) if which == "commit" else found.index()
    if emptied:
        for path in EXPECTED:
            if path != "libs/inner":
                (repo / path).unlink()
    if listed:
        assert list(tree.paths()) == sorted(EXPECTED)
    memory = MemoryTree({path: data for path, (_, data) in EXPECTED.items()})
    for path, (mode, data) in EXPECTED.items():
        assert (tree.mode(path), tree.read(path), tree.blob(path)) == (mode, data, memory.blob(path))
    assert list(tree.paths()) == sorted(EXPECTED)


@pytest.mark.parametrize("listed", [False, True], ids=["one-by-one", "listed-first"])
@pytest.mark.parametrize(
    "path",
    [
        *("none", "sub", "sub/deep", "sub/", "a/", "./a", "sub/../a", "/a", "", "a/x", "link/x", "libs/inner/x"),
        *("A", "od*/é", ":(glob)**", "a\0", "\ud800", "n" * 5000),
    ],
)
def test_nothing_else_is_a_file(found: Git, path: str, listed: bool) -> None:
    for tree in (_head(found), found.index()):
        if listed:
            list(tree.paths())
        assert tree.mode(path) is None
        with pytest.raises(KeyError):
            tree.read(path)
        with pytest.raises(KeyError):
            tree.blob(path)


def _calls(repo: Path, code: str, tmp_path: Path) -> list[str]:
    """The git commands that `code` starts, as git itself tells of them."""
    told, settings = tmp_path / "told", tmp_path / "settings"
    settings.write_text(f"[trace2]\n\teventTarget = {told}\n")
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repo, capture_output=True, text=True, check=True).stdout
    code = (
        f"from pathlib import Path; from gate.git import Git\ngit = Git.discover(Path.cwd())\ntree = git.tree('{head.strip()}')\n"
        f"{code}\ngit.close()\n"
    )
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(settings)}
    subprocess.run([sys.executable, "-c", code], cwd=repo, env=environment, check=True)
    events = [json.loads(line) for line in told.read_text().splitlines()]
    calls = [event["name"] for event in events if event["event"] == "cmd_name"]
    assert calls.pop(0) == "rev-parse", "the discovery"
    return calls


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        pytest.param("git.index()", [], id="nothing-asked"),
        pytest.param("tree.read('a'); tree.mode('a'); tree.blob('a')", ["ls-tree"], id="one-file"),
        pytest.param("tree.mode('a'); tree.mode('none'); tree.mode('none')", ["ls-tree"] * 2, id="two-names"),
        pytest.param("list(tree.paths()); list(tree.paths()); tree.read('a')", ["ls-tree"], id="listed"),
        pytest.param("[tree.mode(str(n)) for n in range(300)]", ["ls-tree"] * 9, id="many-names"),
        pytest.param("index = git.index(); index.read('a'); index.blob('a')", ["diff-index"], id="index"),
    ],
)
def test_git_is_asked_only_once(repo: Path, tmp_path: Path, code: str, calls: list[str]) -> None:
    assert _calls(repo, code, tmp_path) == calls


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda file: file.write_bytes(b"x\n"), id="other-bytes-of-the-same-size"),
        pytest.param(lambda file: file.write_bytes(b"a\r\n"), id="carriage-return"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(b"a\n" * 100_000), id="longer"),
        pytest.param(lambda file: file.unlink(), id="gone"),
        pytest.param(lambda file: (file.unlink(), file.symlink_to("run.sh")), id="a-link"),
        pytest.param(lambda file: (file.unlink(), file.symlink_to(file)), id="a-link-to-itself"),
        pytest.param(lambda file: (file.unlink(), file.mkdir()), id="a-folder"),
        pytest.param(
            lambda file: subprocess.run(["mkfifo", file.rename(f"{file}.old").parent / "a"], check=True), id="a-pipe"
        ),
    ],
)
def test_the_checkout_never_stands_in_for_other_bytes(found: Git, repo: Path, spoil: Callable[[Path], object]) -> None:
    state = (repo / "a").stat()
    spoil(repo / "a")
    if (repo / "a").is_file():
        os.utime(repo / "a", ns=(state.st_atime_ns, state.st_mtime_ns))
    for tree in (_head(found), found.index()):
        assert tree.read("a") == b"a\n"
        assert tree.read_at_most("a", 2) == b"a\n"
        assert tree.read_at_most("a", 1) is None
        assert tree.blob("a") == blob_id(b"a\n")


def test_the_checkout_is_not_read_through_a_link(found: Git, repo: Path, tmp_path: Path) -> None:
    (repo / "sub").rename(tmp_path / "moved")
    (repo / "sub").symlink_to(tmp_path / "moved")
    (tmp_path / "moved" / "deep" / "b").write_bytes(b"other")
    assert _head(found).read("sub/deep/b") == b"b\r\n\xff"


@pytest.mark.parametrize("setting", ["core.autocrlf=true", "core.eol=crlf", "filter.x.smudge=tr a z"])
def test_what_a_checkout_converts_is_read_as_it_is_stored(git: Run, tmp_path: Path, setting: str) -> None:
    git("status")
    root = tmp_path / "repo"
    git("config", *setting.split("=", 1))
    git("config", "filter.x.clean", "cat")
    (root / ".gitattributes").write_text("* text filter=x\n")
    (root / "a").write_bytes(b"a\nb\n")
    git("add", ".")
    git("commit", "-qm", "one")
    (root / "a").unlink()
    git("checkout", "-q", "--", "a")
    assert (root / "a").read_bytes() != b"a\nb\n"
    discovered = Git.discover(root)
    assert discovered is not None
    with discovered:
        assert _head(discovered).read("a") == b"a\nb\n"


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(max_size=8), st.just(b"a\n"), st.just(b"a\r\n")))
def test_whatever_lies_in_the_checkout_the_commit_gives_its_own(found: Git, repo: Path, data: bytes) -> None:
    (repo / "a").write_bytes(data)
    assert _head(found).read("a") == b"a\n"


def test_replaced_objects_are_not_honoured(found: Git, repo: Path, git: Run) -> None:
    (repo / "evil").write_bytes(b"evil")
    evil = git("hash-object", "-w", "evil")
    git("replace", git("rev-parse", "HEAD:a"), evil)
    git("replace", "HEAD:sub", git("write-tree"))
    (repo / "a").unlink()
    assert git("cat-file", "-p", "HEAD:a") == "evil"
    assert _head(found).read("a") == b"a\n"
    assert list(_head(found).paths()) == sorted(EXPECTED)


def test_an_object_that_does_not_hold_what_its_id_says_is_refused(found: Git, repo: Path, git: Run) -> None:
    name, other = git("rev-parse", "HEAD:a"), git("rev-parse", "HEAD:run.sh")
    stored = repo / ".git" / "objects" / name[:2] / name[2:]
    stored.chmod(0o644)
    stored.write_bytes((repo / ".git" / "objects" / other[:2] / other[2:]).read_bytes())
    (repo / "a").unlink()
    with pytest.raises(GitError) as caught:
        _head(found).read("a")
    assert name in caught.value.message
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(
            '[includeIf "gitdir:/w/.git"]\n\tpath = /run/credentials.config\n', id="as actions/checkout writes"
        ),
        pytest.param('[includeIf "gitdir/i:~/w/"]\n\tpath = a\n', id="by any case"),
        pytest.param('[includeIf "onbranch:main"]\n\tpath = a\n', id="by the branch"),
        pytest.param('[includeIf "hasconfig:remote.*.url:x"]\n\tpath = a\n', id="by a remote"),
        pytest.param("[user]\n\tname = \udce4\n", id="a name in Latin-1"),
        pytest.param("[core]\n\tworktree = /nowhere\n\tbare = true\n", id="a checkout elsewhere"),
    ],
)
def test_what_the_configuration_of_the_repository_says_is_no_matter(found: Git, repo: Path, setting: str) -> None:
    (repo / "a").write_bytes(b"not what is committed")
    head = _head(found)
    with (repo / ".git" / "config").open("ab") as file:
        file.write(os.fsencode(setting))
    tree = GitTree(top=repo, objects=found._objects, listing=lambda _: {"a": (REGULAR, head.blob("a"))})
    assert tree.read("a") == b"a\n"


def test_an_object_that_is_missing_is_an_error(found: Git, repo: Path, git: Run) -> None:
    name = git("rev-parse", "HEAD:a")
    (repo / ".git" / "objects" / name[:2] / name[2:]).unlink()
    assert _head(found).read("a") == b"a\n", "the checkout still has it"
    (repo / "a").unlink()
    with pytest.raises(GitError) as caught:
        _head(found).read("a")
    assert caught.value.message.startswith(f"the object {name} cannot be read in {repo}/.git: ")
    assert _head(found).read("sub/deep/b") == b"b\r\n\xff", "the next object is read all the same"


def test_a_large_blob_is_refused_by_its_size(found: Git, repo: Path, git: Run) -> None:
    (repo / "big").write_bytes(b"x" * 3_000_000)
    git("add", "big")
    (repo / "big").unlink()
    with pytest.raises(SourceError) as caught:
        Source("the index", found.index()).read("big", limit=1_000_000)
    assert caught.value.message == "big in the index has more than 1000000 bytes, which is the most that is read"
    assert found.index().read("big") == b"x" * 3_000_000


def test_longer_object_ids_are_read_too(git: Run, tmp_path: Path) -> None:
    root = tmp_path / "long"
    root.mkdir()
    git("init", "-q", "--object-format=sha256", cwd=root)
    (root / "a").write_bytes(b"a\n\n")
    git("add", ".", cwd=root)
    git("commit", "-qm", "one", cwd=root)
    (root / "a").unlink()
    discovered = Git.discover(root)
    assert discovered is not None
    with discovered:
        tree = _head(discovered)
        assert tree.read("a") == b"a\n\n"
        assert tree.blob("a") == blob_id(b"a\n\n", "sha256")
        assert tree.read_at_most("a", 2) is None


def test_a_linked_worktree_reads_the_shared_objects(repo: Path, git: Run, tmp_path: Path) -> None:
    git("worktree", "add", "-q", "../linked")
    (tmp_path / "linked" / "a").unlink()
    discovered = Git.discover(tmp_path / "linked")
    assert discovered is not None
    with discovered:
        assert _head(discovered).read("a") == b"a\n"


def test_threads_do_not_mix_their_answers(found: Git, repo: Path, git: Run) -> None:
    contents = {f"many/{number}": b"%d\n" % number * (number * 50 + 1) for number in range(60)}
    (repo / "many").mkdir()
    for path, data in contents.items():
        (repo / path).write_bytes(data)
    git("add", "many")
    for path in contents:
        (repo / path).unlink()
    tree = found.index()
    wrong: list[str] = []

    def read_all() -> None:
        wrong.extend(path for path, data in contents.items() if tree.read(path) != data)

    threads = [threading.Thread(target=read_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_unmerged_index_is_no_tree(found: Git, repo: Path, git: Run) -> None:
    git("checkout", "-q", "-b", "side")
    (repo / "a").write_bytes(b"side\n")
    git("commit", "-qam", "side")
    git("checkout", "-q", "main")
    (repo / "a").write_bytes(b"main\n")
    git("commit", "-qam", "main")
    git("merge", "side", check=False)
    with pytest.raises(GitError) as caught:
        list(found.index().paths())
    assert caught.value.message == "a is unmerged in the index; finish the merge with `git add`"


def test_nothing_stays_after_close(repo: Path) -> None:
    discovered, before = Git.discover(repo), _children()
    assert discovered is not None
    (repo / "a").unlink()
    for _ in range(2):  # closing is no end: the next read opens again
        assert _head(discovered).read("a") == b"a\n"
        assert _children() - before
        discovered.close()
        assert not _children() - before
    discovered.close()


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
