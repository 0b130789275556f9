"""What git's commands do to the files of a work tree, done in memory on the start tree as the last commit."""

from gate.cmdline.arguments import git_verb
from gate.cmdline.wrapper import program
from gate.errors import NotRepeated
from gate.path import printable
from gate.repeating.coreutils import COREUTILS, Deed, Doing
from gate.repeating.site import Site

_STAGE = frozenset("add stage mv rm apply update-index".split())  # noqa: SIM905
_COMMIT = frozenset(
    "commit reset checkout switch merge pull rebase cherry-pick revert am stash read-tree bisect worktree".split()  # noqa: SIM905
)


def note(site: Site, words: tuple[str, ...]) -> None:
    """Remember what a git command that was not repeated may have done to the index and to HEAD."""
    if not words or program(words[0]) != "git":
        return
    verb = next(iter(git_verb(words[1:])[1]), "")
    site.staged = site.staged or verb in _STAGE or verb in _COMMIT
    site.committed = site.committed or verb in _COMMIT


def _move(deed: Deed) -> bytes:
    deed.site.staged = True
    return COREUTILS["mv"](deed)


def _remove(deed: Deed) -> bytes:
    deed.site.staged = True
    options, operands = deed.split("rfq", "--cached --force --quiet --ignore-unmatch")
    if "--cached" not in options:
        COREUTILS["rm"](Deed(site=deed.site, folder=deed.folder, words=("rm", "-rf", "--", *operands)))
    return b""


def _checkout(deed: Deed) -> bytes:
    """`git checkout [HEAD] [--] PATH…`: the files as they were committed."""
    words = list(deed.words[1:])
    if words[:1] == ["-f"]:
        words.pop(0)
    head = words[:1] == ["HEAD"]
    words = words[head:]
    if words[:1] == ["--"]:
        words.pop(0)
    elif not head and not all(_is_there(deed, word) for word in words):
        raise NotRepeated("it may name another branch or commit", kind="revision")
    return _restored(deed, words, head=head)


def _restore(deed: Deed) -> bytes:
    """`git restore PATH…`."""
    head = False
    words = []
    for word in deed.words[1:]:
        if word in ("--source=HEAD", "-sHEAD"):
            head = True
        elif word.startswith("-") and word not in ("--", "-W", "--worktree", "-q", "--quiet"):
            raise NotRepeated(f"the option {word} of git restore is not one that is repeated", kind="option")
        elif not word.startswith("-"):
            words.append(word)
    return _restored(deed, words, head=head)


def _is_there(deed: Deed, word: str) -> bool:
    try:
        return bool(_committed(deed.site, deed.place(word)))
    except NotRepeated:
        return False


def _committed(site: Site, path: str) -> list[str]:
    if path in site.files.start:
        return [path]
    prefix = f"{path}/" if path else ""
    return [name for name in site.files.start.paths() if name.startswith(prefix)]


def _restored(deed: Deed, words: list[str], *, head: bool) -> bytes:
    site = deed.site
    if site.committed or (site.staged and not head):
        raise NotRepeated("git's index may have held something else than the start", kind="index")
    if not words or any(word.startswith("-") for word in words):
        raise NotRepeated("it names no file", kind="no_file")
    for word in words:
        names = _committed(site, deed.place(word))
        if not names:
            raise NotRepeated(f"{printable(word)} is not in the start", kind="no_file")
        for name in names:
            if name in site.files.changes:
                site.write(name, site.files.start.read(name), site.files.start.mode(name))
    return b""


WORKTREE: dict[str, Doing] = {
    "git mv": _move,
    "git rm": _remove,
    "git checkout": _checkout,
    "git restore": _restore,
}
