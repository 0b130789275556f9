"""Where the judge's files come from: the base of the change, unless the caller or the base says otherwise."""

import msgspec

from gate.changes.diff import Change, entries
from gate.errors import ManifestError
from gate.git import Git
from gate.holdings import Holdings
from gate.path import several
from gate.policy import Judge
from gate.report import Finding, Severity
from gate.source import Source


class Bench(msgspec.Struct, frozen=True, kw_only=True):
    """The source from which the judge is read.

    `commit` is None for the index and the head's own files. `from_head` is true when a change to the judge would
    judge itself.
    """

    source: Source
    commit: str | None
    from_head: bool
    notices: tuple[Finding, ...] = ()


def find(*, git: Git, change: Change, head: Source, choice: Judge | None, ci: bool, manifest: str) -> Bench:
    """The bench for this change; ManifestError where the base has no manifest and nobody said that the head's counts.

    On a developer's machine a base that has no manifest yet gives way to the index or head, and says so: whoever can
    commit there can change anything anyway, and the pull request is judged again by its base.
    """
    if choice is Judge.HEAD:
        return _head(head, "the caller asked for it (`judge: head`)", severity=Severity.WARNING)
    commit = change.upstream if change.staged or change.upstream else change.base
    if commit is None:
        if ci:
            raise ManifestError(
                f"there is no base revision to read {manifest} from; pass `--judge head` to judge with the head's own",
                kind="no_manifest",
            )
        return _head(head, "there is no upstream to read it from")
    source = Source(f"base {commit[:12]}", git.tree(commit))
    if source.exists(manifest):
        return Bench(source=source, commit=commit, from_head=False)
    if ci:
        raise ManifestError(
            f"{manifest} does not exist in the base {commit[:12]}, so nothing there says how to judge; "
            "merge a manifest first, or pass `--judge head` to introduce one",
            kind="no_manifest",
        )
    return _head(head, f"{manifest} does not exist in the base {commit[:12]}")


def _head(head: Source, why: str, *, severity: Severity = Severity.NOTICE) -> Bench:
    notice = Finding(
        severity=severity,
        kind="judge_head",
        message=f"The judge is read from {head.label}: {why}. A change to the judge judges itself here.",
    )
    return Bench(source=head, commit=None, from_head=True, notices=(notice,))


def changed(bench: Bench, held: Holdings, *, git: Git, change: Change) -> tuple[Finding, ...]:
    """One finding for each of the judge's files and folders that the change edits and that has no effect yet.

    A notice; a warning for code (a plugin, a script of the judge command), since nobody can tell what it asks now.
    """
    if bench.from_head or bench.commit is None:
        return ()
    touched = set(change.paths)
    if change.everything or change.staged:
        # What was committed since upstream is on its way, too; what the tip of the base got meanwhile is no edit of it.
        since = bench.commit if change.staged else change.base
        touched = {entry.path for entry in entries(git.raw_diff(since, change.head))}
    return tuple(
        Finding(
            severity=Severity.WARNING if code else Severity.NOTICE,
            kind="judge_changed",
            path=paths[0],
            message=f"This change edits {several(paths)}, {'files' if len(paths) > 1 else 'a file'} of the judge; the "
            f"version of {bench.source.label} judges it{', and what its code asks now is not compared' if code else ''}"
            ".",
            details="\n".join(paths) if len(paths) > 1 else "",
        )
        for code, paths in held.touched(sorted(touched))
    )


def moved(bench: Bench, held: Holdings, *, git: Git, change: Change) -> tuple[Finding, ...]:
    """A notice where the judge's files are others at the base's tip than where the change was cut from it."""
    if bench.from_head or bench.commit is None or change.staged or change.base in (None, bench.commit):
        return ()
    there = {entry.path for entry in entries(git.raw_diff(change.base, bench.commit))}
    others = [path for _, paths in held.touched(sorted(there)) for path in paths]
    if not others:
        return ()
    message = (
        f"The judge has moved on since this change was cut from {str(change.base)[:12]}: {several(others)}; "
        f"the version of {bench.source.label} judges it."
    )
    return (Finding(severity=Severity.NOTICE, kind="moved_on", message=message),)
