"""Bundles: a folder for each task, all of it hashed by one manifest."""

import posixpath
from collections.abc import Iterator

import msgspec

from gate.bundles.contents import Contents, document, opened
from gate.bundles.reading import fault
from gate.catalogue import Catalogue
from gate.desk import Desk, Drafted, Format
from gate.document import DocumentError
from gate.errors import BundleError, PathRefused, TaskError
from gate.oracle import Oracle, Unproved
from gate.path import confined
from gate.reference import References, Written
from gate.shape import shaped
from gate.task import Folder, Inline, State, Task
from gate.tree import Subtree

EXPECTED = "oracle/expected_files.json"
GOLDEN = "golden.patch"
_LARGEST = 4 << 20


class Expected(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`oracle/expected_files.json` of a task: what its workspace must hold at the end."""

    must_exist: tuple[str, ...]
    must_not_exist: tuple[str, ...]
    max_bytes_per_file: int


class Bundle(Format):
    """A folder with `manifest.json`, `env_pin.json`, perhaps `metrics.json`, and a folder for each task in `tasks/`.

    A task folder holds `prompt.md`, `fixtures/` (the start workspace), `oracle/expected_files.json` and
    `oracle/tests.py`, and perhaps `golden.patch`. Before anything of it is read, every file is hashed and compared with
    the manifest; one that is missing, added or changed ends the run.
    """

    def tasks(self, place: str, desk: Desk) -> Iterator[Drafted]:
        """Every task of the bundle, by name. BundleError where it is not what its manifest says."""
        contents = opened(Subtree(desk.source.tree, place), place)
        desk.bundles[place] = contents
        named = ("manifest.json", "env_pin.json", *contents.seal.digests)
        desk.files += [*(f"{place}/{path}" for path in named), place]  # and whatever else comes to lie there
        said = contents.said()
        for name in contents.tasks:
            folder = f"{place}/tasks/{name}"
            draft = Drafted(name=name, path=f"{folder}/prompt.md", line=1)
            try:
                task = read(contents, name, desk.catalogue)
            except TaskError as error:
                yield msgspec.structs.replace(draft, problem=error.message, kind=error.kind)
                continue
            start: Inline | Folder = Inline({})
            if contents.task(name).has_folder("fixtures"):
                start = Folder(posixpath.relpath(f"{folder}/fixtures", desk.folder or "."))
            task = msgspec.structs.replace(task, workspace=start, path=draft.path, line=1, notices=tuple(said[name]))
            yield msgspec.structs.replace(draft, task=task, golden=_golden(contents, name, folder))


def read(contents: Contents, name: str, catalogue: Catalogue) -> Task:
    """One task, without its start workspace. TaskError says what is wrong with its folder."""
    tree, where = contents.task(name), f"{contents.label}/tasks/{name}"
    if "prompt.md" not in tree:
        raise TaskError(f"{where}: there is no prompt.md, so nothing says what was asked", kind="not_found")
    prompt = tree.read_at_most("prompt.md", _LARGEST)
    if prompt is None:
        raise TaskError(f"{where}/prompt.md has more than {_LARGEST} bytes", kind="too_large")
    try:
        text = prompt.decode()
    except UnicodeDecodeError as error:
        raise TaskError(
            f"{where}/prompt.md: the text is not UTF-8: byte {error.start} is not valid", kind="encoding"
        ) from None
    try:
        oracles = (_files(contents, name, catalogue), _tests(contents, name, catalogue))
    except BundleError as error:
        raise TaskError(error.message, kind=error.kind) from None
    return Task(
        id=name, prompt=text, workspace=Inline({}), oracles=oracles, state=State.REPLAY, path=f"{where}/prompt.md"
    )


def _files(contents: Contents, name: str, catalogue: Catalogue) -> Oracle:
    path = f"tasks/{name}/{EXPECTED}"
    found = document(contents.tree, path, contents.label)
    try:
        expected = shaped(found, Expected, found.value)
        for key in ("must_exist", "must_not_exist"):
            for number, file in enumerate(getattr(expected, key)):
                _check(file, (key, number))
        _check_both(expected)
        if expected.max_bytes_per_file < 0:
            raise DocumentError(f"`max_bytes_per_file`: expected 0 or more, found {expected.max_bytes_per_file}")
    except DocumentError as error:
        line = error.line or found.line(())
        raise fault(DocumentError(error.message, line=line, kind=error.kind), f"{contents.label}/{path}") from None
    fields = {**msgspec.structs.asdict(expected), "name": "files"}
    start = Subtree(contents.task(name), "fixtures")
    if all(file in start for file in expected.must_exist):
        fields["control"] = Unproved.NONE  # it holds before anybody has done anything
    return _oracle(catalogue, "expected_files", fields)


def _check_both(expected: Expected) -> None:
    """DocumentError for a required file that is also forbidden, or lies in a folder that is."""
    for file in expected.must_exist:
        parts = file.split("/")
        above = {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
        barred = next((name for name in expected.must_not_exist if name in above), None)
        if barred is not None:
            raise DocumentError(
                f"`must_exist` holds {file!r}, and `must_not_exist` {barred!r}: no workspace can have both"
            )


def _check(file: str, at: tuple[str, int]) -> None:
    try:
        if confined(file) != file:
            raise PathRefused(f"{file!r} is not a path in normal form", kind="path_not_normal")
    except PathRefused as error:
        raise DocumentError(f"`{at[0]}[{at[1]}]`: {error.message}", kind=error.kind) from None


def _tests(contents: Contents, name: str, catalogue: Catalogue) -> Oracle:
    folder = Subtree(contents.task(name), "oracle")
    files = {path: folder.read(path) for path in folder.paths()}
    limit = contents.measures.tests_timeout
    return _oracle(catalogue, "bundle_tests", {"files": files, "timeout": limit, "name": "tests"})


def _oracle(catalogue: Catalogue, name: str, fields: dict[str, object]) -> Oracle:
    kind = catalogue.find(name)
    if kind is None:
        raise TaskError(f"there is no oracle {name!r}", kind="unknown_oracle")
    return kind(**fields)  # type: ignore[arg-type] # the fields are those of the oracle's own file


def _golden(contents: Contents, name: str, folder: str) -> Written | None:
    if GOLDEN not in contents.task(name):
        return None
    return Written(references=References(patch=GOLDEN), folder=folder, where=f"{folder}/{GOLDEN}", prefix="")
