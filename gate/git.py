"""Every use of git: the user's own repository, its commits, its index and their files."""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from gate import gitfault, surroundings
from gate.errors import GitError
from gate.objects import GitTree, Listing, Objects, indexed, listed
from gate.path import is_text, printable
from gate.process import Completed, capture
from gate.tree import is_object_id

# No program that a repository's configuration names runs because the gate looks at it.
_SETTINGS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.warnAmbiguousRefs=true"),
    *("-c", "advice.graftFileDeprecated=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
)
_RAW = (
    *("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"),
    "--ignore-submodules=none",
)
# A file that `git add -N` only announces is in no commit, so in no tree either.
_INDEX = ("diff-index", "--cached", "--ita-invisible-in-index", *_RAW)
_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_FETCH_LIMIT = 600.0
_ASK_LIMIT = 60.0
_MOST_COMMITS = 10_000
_ATTEMPTS = 3
_RACED = "shallow file has changed since we read it"


class Git:
    """One repository with a checkout: use it as a context manager, or close it.

    `top` is the checkout, `prefix` the folder in it from which it was found (no slash at the end), `algorithm` that
    of its object ids. Commits are full ids; whatever a person typed goes through `resolve` first.
    """

    def __init__(self, *, top: Path, prefix: str, algorithm: str, common: Path, environment: dict[str, str]) -> None:
        self.top = top
        self.prefix = prefix
        self.algorithm = algorithm
        self._environment = environment
        self._objects = Objects(common, algorithm, environment)
        self._trees: dict[str, GitTree] = {}

    @classmethod
    def discover(cls, folder: Path, trusted: Path | None = None, *, other: bool = False) -> "Git | None":
        """The repository whose checkout holds `folder`; None outside of any. GitError where git refuses it.

        What lies in `trusted` may belong to somebody else, as the workspace does in a container job. `other` says that
        it is none that the environment names, as a hook's does.
        """
        environment = surroundings.repository_environment(folder, other=other)
        asked = ("--show-object-format", "--absolute-git-dir", "--git-common-dir", "--show-toplevel", "--show-prefix")
        done = _call("rev-parse", *asked, cwd=folder, environment=environment)
        foreign = bool(done.exit_code) and gitfault.DUBIOUS in done.stderr
        if foreign and trusted is not None and folder.resolve().is_relative_to(trusted.resolve()):
            done = _call("-c", "safe.directory=*", "rev-parse", *asked, cwd=folder, environment=environment)
        if done.exit_code and b"not a git repository (or any" in done.stderr:
            return None
        if done.exit_code:
            raise gitfault.failure(("rev-parse", *asked), done, cwd=folder)
        lines = os.fsdecode(done.stdout).split("\n")
        if len(lines) != len(asked) + 1:
            raise GitError(
                f"{printable(os.fsdecode(done.stdout))}: a repository whose own folders have a newline in their name "
                "is not supported; rename the folder",
                kind="newline",
            )
        algorithm, private, common, top, prefix, _ = lines
        # What is relative to `folder` would mean something else in the top folder, where all other calls run.
        fixed = {"GIT_DIR": private, "GIT_WORK_TREE": top, "GIT_COMMON_DIR": str(folder / common)}
        # Nor does git ask who owns a folder that it is told by name.
        environment |= {name: value for name, value in fixed.items() if foreign or name in environment}
        return cls(
            top=Path(top),
            prefix=prefix.rstrip("/"),
            algorithm=algorithm,
            common=(folder / common).absolute(),
            environment=environment,
        )

    def __enter__(self) -> "Git":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that read objects; the repository can still be used."""
        self._objects.close()

    def run(self, *arguments: str, timeout: float = 120.0, more: Mapping[str, str] | None = None) -> bytes:
        """What `git ARGUMENTS` prints; the limit is in seconds, `more` is added to the environment.

        GitError when it fails.
        """
        done = self._call(*arguments, timeout=timeout, more=more)
        if done.exit_code:
            raise gitfault.failure(arguments, done, cwd=self.top)
        return done.stdout

    def resolve(self, rev: str) -> str | None:
        """The full id of the commit that `rev` names, or None.

        GitError for the name of several things, of which git would take a tag, that anybody may have set, first.
        """
        if not is_text(rev):
            return None
        done = self._call("rev-parse", "--verify", "--end-of-options", f"{rev}^{{commit}}")
        certain = rev == "HEAD" or rev.startswith("refs/") or is_object_id(rev)
        if b" is ambiguous" in done.stderr and not certain:
            raise gitfault.ambiguous(rev)
        return None if done.exit_code else done.stdout.decode().strip()

    def merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor of two commits; None where the history at hand holds none."""
        arguments = ("merge-base", _full(one), _full(other))
        done = self._call(*arguments)
        if done.exit_code == 1:
            return None
        if done.exit_code:
            raise gitfault.failure(arguments, done, cwd=self.top)
        return done.stdout.decode().strip()

    def left(self, ref: str) -> str | None:
        """Where HEAD left a ref; None where it never did, or there is no such ref."""
        done = self._call("merge-base", "HEAD", ref)
        return None if done.exit_code else done.stdout.decode().strip()

    def tracked(self) -> tuple[str, str] | None:
        """The full names of the branch that is checked out and of its upstream; None where it has none."""
        done = self._call("rev-parse", "--symbolic-full-name", "HEAD", "@{upstream}")
        branch, _, upstream = os.fsdecode(done.stdout).strip().partition("\n")
        return None if done.exit_code else (branch, upstream)

    def remote(self, branch: str) -> str | None:
        """The remote that a branch is configured to follow."""
        done = self._call("config", "--get", f"branch.{branch}.remote")
        return None if done.exit_code else os.fsdecode(done.stdout).strip()

    def full_name(self, ref: str) -> str | None:
        """The full name of the ref that this one stands for; None where there is none."""
        done = self._call("rev-parse", "--verify", "--quiet", "--symbolic-full-name", ref)
        return None if done.exit_code else os.fsdecode(done.stdout).strip()

    def parents(self, commit: str) -> tuple[str, ...]:
        """The parents as the commit itself names them, whether or not a shallow history holds them."""
        header = self.run("cat-file", "commit", _full(commit)).partition(b"\n\n")[0].decode("utf-8", "replace")
        return tuple(line.removeprefix("parent ") for line in header.split("\n") if line.startswith("parent "))

    def commits(self, base: str | None, head: str) -> bytes:
        """The raw commits that `head` reaches and `base` does not, parents first, as `rev-list --header` prints them.

        GitError where there are more than 10,000.
        """
        most = f"--max-count={_MOST_COMMITS + 1}"
        without = () if base is None else (f"^{_full(base)}",)
        arguments = ("rev-list", "--topo-order", "--reverse", "--header", "--encoding=UTF-8", most)
        found = self.run(*arguments, _full(head), *without, "--")
        if found.count(b"\0") > _MOST_COMMITS:
            raise GitError(f"there are more than {_MOST_COMMITS} commits between {base} and {head}", kind="too_many")
        return found

    def on_origin(self, ref: str, credentials: Mapping[str, str] | None = None) -> bool | None:
        """Whether `origin` has this ref, named in full; None where it does not answer, False without any `origin`."""
        if self._call("config", "--get", "remote.origin.url").exit_code == 1:
            return False
        done = self._ask(ref, credentials)
        return None if done is None else done.exit_code == 0

    def at_origin(self, ref: str, credentials: Mapping[str, str] | None = None) -> str | None:
        """The id that `origin` has under this ref, named in full; None where it has none or does not answer."""
        done = self._ask(ref, credentials) if is_text(ref) else None
        lines = os.fsdecode(done.stdout).splitlines() if done is not None else []
        # `ls-remote` takes the name for a pattern, and for the end of one.
        return next((name for name, _, found in (line.partition("\t") for line in lines) if found == ref), None)

    def _ask(self, ref: str, credentials: Mapping[str, str] | None) -> Completed | None:
        """What `git ls-remote` says of a ref: exit code 2 where there is none; None where nobody answers."""
        for more in ({}, credentials) if credentials else ({},):
            try:
                done = self._call("ls-remote", "--exit-code", "--refs", "origin", ref, timeout=_ASK_LIMIT, more=more)
            except GitError:
                return None
            if done.exit_code in (0, 2):
                return done
        return None

    @property
    def is_shallow(self) -> bool:
        """Whether history ends early here (`git clone --depth`, `fetch-depth` of actions/checkout)."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def fetch(self, commit: str, credentials: Mapping[str, str] | None = None) -> None:
        """Fetch one commit from `origin` with the credentials that the repository knows, else with those given.

        Its history is left out in a shallow repository, and kept elsewhere: a whole one must not become shallow.
        """
        self._fetch(("--depth=1",) if self.is_shallow else (), (commit,), credentials)

    def deepen(self, commits: Sequence[str], by: int, credentials: Mapping[str, str] | None = None) -> None:
        """Fetch `by` more commits below where the history of a shallow repository ends, as `fetch` does."""
        self._fetch((f"--deepen={by}",), commits, credentials)

    def _fetch(self, depth: tuple[str, ...], commits: Sequence[str], credentials: Mapping[str, str] | None) -> None:
        options = ("--no-tags", *depth, "--no-recurse-submodules", "--no-write-fetch-head")
        arguments = ("fetch", *options, "origin", *map(_full, commits))
        for attempt in range(_ATTEMPTS):
            try:
                self._fetched(arguments, credentials)
            except GitError as error:
                # Another git wrote `.git/shallow` meanwhile (an earlier step's, still at work); ours reads it anew.
                if _RACED not in error.message or attempt == _ATTEMPTS - 1:
                    raise
            else:
                return

    def _fetched(self, arguments: tuple[str, ...], credentials: Mapping[str, str] | None) -> None:
        try:
            self.run(*arguments, timeout=_FETCH_LIMIT)
        except GitError as error:
            if not credentials or _RACED in error.message:
                raise
            self.run(*arguments, timeout=_FETCH_LIMIT, more=credentials)

    def cut_off(self, base: str | None, *commits: str) -> list[str]:
        """Where history ends early here, between these commits and the history of `base` or the very beginning."""
        without = () if base is None else (f"^{_full(base)}",)
        ends = self.run("rev-list", "--max-parents=0", *map(_full, commits), *without, "--").decode().split()
        return sorted(end for end in ends if self.parents(end))

    def raw_diff(self, old: str | None, new: str | None) -> bytes:
        """Git's raw difference of two trees, `-z`, without renames.

        `old` None is the empty tree, `new` None the index.
        """
        start = _EMPTY_TREE[self.algorithm] if old is None else _full(old)
        if new is None:
            return self.run(*_INDEX, start, "--")
        return self.run("diff-tree", "-r", *_RAW, start, _full(new), "--")

    def tree(self, commit: str) -> GitTree:
        """The files of a commit; one tree for everybody who asks, since listing it takes a process of git."""
        name = _full(commit)
        if name not in self._trees:
            self._trees[name] = GitTree(top=self.top, objects=self._objects, listing=partial(self._listing, name))
        return self._trees[name]

    def index(self) -> GitTree:
        """The files of the index, as a commit would hold them."""
        return GitTree(top=self.top, objects=self._objects, listing=partial(self._listing, None))

    def _listing(self, commit: str | None, path: str | None) -> Listing:
        only = () if path is None else ("--", path)
        if commit is None:
            return indexed(self.run("--literal-pathspecs", *_INDEX, _EMPTY_TREE[self.algorithm], *only))
        deep = ("-r",) if path is None else ()
        return listed(self.run("--literal-pathspecs", "ls-tree", *deep, "-z", "--full-tree", commit, *only))

    def _call(self, *arguments: str, timeout: float = 120.0, more: Mapping[str, str] | None = None) -> Completed:
        return _call(*arguments, cwd=self.top, environment=self._environment | dict(more or {}), timeout=timeout)


def _call(*arguments: str, cwd: Path, environment: dict[str, str], timeout: float = 120.0) -> Completed:
    """How the command ended. GitError when it did not start, or not end in time."""
    words = (surroundings.own("git", cwd), *_SETTINGS, *arguments)
    done = capture(words, cwd=cwd, environment=environment, timeout=timeout)
    if done.timed_out:
        raise GitError(
            f"{gitfault.shown(arguments)} took longer than {timeout:g} s in {cwd} and was ended", kind="timeout"
        )
    if done.exit_code == 127:
        reason = done.stderr.decode(errors="replace")
        advice = "; install git 2.29 or later and put it on the PATH" if reason.endswith("'git'") else ""
        raise GitError(f"git cannot be started in {cwd}: {reason}{advice}", kind="no_git")
    return done


def _full(name: str) -> str:
    if not is_object_id(name):
        raise GitError(f"{name!r} is no full object id", kind="object_id")
    return name
