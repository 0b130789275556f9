"""What `gate oracle` is asked to prove: tasks of an eval spec, a manifest, a folder or a bundle, without recordings."""

import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gate import registry, suite
from gate.asked import Asked
from gate.catalogue import GROUP, packaged
from gate.document import Document
from gate.entry import Several
from gate.errors import ManifestError, PluginError, SourceError, UsageError
from gate.intake import Intake
from gate.manifest import Manifest, read
from gate.oracle import Oracle
from gate.path import printable
from gate.plan import Plan
from gate.review import Review
from gate.source import open_file


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """Where the tasks are written, as typed: at most one of `spec`, `tasks` and `bundle`; the manifest without any.

    With `tasks` the manifest is AgentBench's, else `gate.yaml`; beside a spec or a bundle it says who is asked for a
    model's opinion, which Python is meant and which plugins there are.
    """

    spec: str | None = None
    tasks: str | None = None
    bundle: str | None = None
    manifest: str | None = None


@contextmanager
def planned(call: Call, asked: Asked, folder: Path, plugins: Sequence[str] = ()) -> Iterator[Plan]:
    """The plan, while everything that it needs is open. `folder` is where paths start.

    GateError where nothing can be read; a broken task is its own problem.
    """
    kinds = [plugin(name, folder) for name in plugins]
    if call.tasks is not None:
        place = suite.Call(tasks=call.tasks, trajectory=None, manifest=call.manifest)
        yield suite.plan(place, asked, folder, None, kinds)
        return
    named = call.spec or call.bundle
    root = _root(named or call.manifest, folder)
    asked = msgspec.structs.replace(asked, manifest=_from(root, call.manifest, folder))
    with Review.of_working_tree(asked, root, base="HEAD") as review:
        manifest = None if named is None else _written(review, call, _from(root, named, folder) or "")
        yield Intake(review, manifest, plugins=kinds).plan()


def _root(named: str | None, folder: Path) -> Path:
    """The folder whose repository holds what is named: the one where we are, or that of a file elsewhere."""
    if named is None:
        return folder
    place = (folder / named).resolve()
    if not place.exists():
        raise UsageError(f"{printable(named)}: there is no such file or folder", kind="not_found")
    return folder if place.is_relative_to(folder.resolve()) else place.parent


def _from(root: Path, named: str | None, folder: Path) -> str | None:
    """The path as it is seen from the folder of the review."""
    return None if named is None else posixpath.relpath((folder / named).resolve(), root.resolve())


def _written(review: Review, call: Call, named: str) -> Manifest:
    """A manifest with one entry, for the spec or the bundle; with what the project's own says beside its tasks."""
    project = _project(review)
    place = posixpath.relpath(review.place(named), project.folder or ".")
    entry = Several(spec=place) if call.spec is not None else Several(bundle=place)
    return msgspec.structs.replace(project, entries=(entry,))


def _project(review: Review) -> Manifest:
    try:
        path = review.manifest_path()
    except ManifestError:
        return Manifest(path="", document=Document({}, ""), entries=())
    try:
        return read(review.head.read(path), path)
    except SourceError as error:
        raise ManifestError(f"the manifest cannot be read: {error.message}", kind=error.kind) from None


def plugin(name: str, folder: Path) -> type[Oracle]:
    """The oracle type of a Python file, or of an installed package's entry point. PluginError where it is neither."""
    place = folder / name
    if name.endswith(".py") or place.is_file():
        try:
            code = open_file(place)
        except SourceError as error:
            raise PluginError(f"a plugin cannot be read: {error.message}", kind=error.kind) from None
        return registry.plugin(code, Oracle, label=name)  # type: ignore[type-abstract]
    kind = packaged(name)
    if kind is None:
        have = ", ".join(sorted(registry.foreign(GROUP))) or "none"
        raise PluginError(
            f"there is no grader plugin {name!r}: packages of npm are not loaded, since graders are written in Python "
            f"here; name a Python file, or an entry point of the group `{GROUP}` (installed: {have})",
            kind="no_plugin",
        )
    return kind
