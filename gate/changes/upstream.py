"""What the branch at hand is to be merged into, as far as this clone tells."""

import msgspec

from gate.git import Git
from gate.path import printable

_REMOTES = "refs/remotes/"
_STANDS_IN = f"{_REMOTES}origin/HEAD"


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A ref, with the commit where HEAD left it; `notice` says where it is no more than the branch's own copy.

    `called` are its words for a person, `name` what to type for it.
    """

    ref: str
    start: str
    called: str = "upstream"
    name: str = "upstream"
    notice: str = ""

    @property
    def notices(self) -> tuple[str, ...]:
        """The notice, where there is one."""
        return (self.notice,) if self.notice else ()


def find(git: Git) -> Upstream | None:
    """The branch's upstream, or `origin/HEAD` where none is configured; None without either.

    Where the upstream is the branch's own copy, as `git push -u` sets it, it says nothing of where the branch goes:
    then it is the default branch of that remote, if this clone knows it.
    """
    tracked = git.tracked()
    if tracked is None:
        return _found(git, Upstream(ref=_STANDS_IN, start=""))
    branch, ref = tracked
    short = ref.removeprefix(_REMOTES).removeprefix("refs/heads/")
    configured = Upstream(ref=ref, start="", name=printable(short))
    name = branch.removeprefix("refs/heads/")
    remote = git.remote(name) if ref.startswith(_REMOTES) and ref.endswith(f"/{name}") else None
    if remote is None or ref != f"{_REMOTES}{remote}/{name}":
        return _found(git, configured)
    default = git.full_name(f"{_REMOTES}{remote}/HEAD")
    if default == ref:
        return _found(git, configured)
    if default is None:
        notice = (
            f"the branch {printable(name)} is judged by its own pushed version {printable(short)}, since this clone "
            f"does not know the default branch of {printable(remote)}: run `git remote set-head {printable(remote)} "
            "--auto`, or name `--base`"
        )
        return _found(git, msgspec.structs.replace(configured, notice=notice))
    typed = printable(default.removeprefix(_REMOTES))
    return _found(git, Upstream(ref=default, start="", called=f"the default branch {typed}", name=typed))


def _found(git: Git, upstream: Upstream) -> Upstream | None:
    start = git.left(upstream.ref)
    return None if start is None else msgspec.structs.replace(upstream, start=start)
