"""Pin, verify, scan and report a bundle: tasks, oracles and metrics that one manifest hashes.

`pin` writes its manifest and the environment pin, `verify` compares every file with them, `scan` looks for its
prompts in corpora, `report` judges a candidate and a control lane and seals what they came to. What a bundle is, and
what each of these does, stands in docs/bundles.md.
"""

import argparse
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from gate import escape
from gate.bundles import environment, metrics, overlap, seal
from gate.bundles.contents import Contents, Mismatch, opened
from gate.bundles.pinning import Pinned, pinned
from gate.catalogue import Catalogue
from gate.errors import BundleError, GateError, UsageError
from gate.formats import bundle as format_of
from gate.git import Git
from gate.lane import Lane, lock
from gate.policy import Require
from gate.source import DiskTree
from gate.usage import named_file

_SCAN = "look for prompts and golden input in corpora; 1 when a task is flagged and that is not written down"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="pin|verify|scan|report")
    pin = _act(acts, "pin", "hash every file, and write manifest.json and env_pin.json")
    pin.add_argument("--lock", metavar="FILE", help="the lock file of its packages (default: requirements.lock)")
    pin.add_argument("--no-lock", action="store_true", help="it has none, and the pin says so")
    pin.add_argument("--tool", metavar="NAME", action="append", default=[], help="pin a program's version (repeatable)")
    verify = _act(acts, "verify", "compare every file with the manifest, and this machine with the pin")
    _add_require(verify)
    report = _act(acts, "report", "judge a candidate and a control lane, and seal what they came to")
    _add_require(report, "; a missing pin is told, and refused by none")
    for lane in ("", "control-"):
        group = report.add_mutually_exclusive_group(required=not lane)
        group.add_argument(f"--{lane}workspaces", metavar="DIR", help="DIR/TASK is each task's finished workspace")
        group.add_argument(f"--{lane}recordings", metavar="PATH", help="each task's recording; {name} is its name")
    report.add_argument("--rate", action="store_true", help="tell the rate; 1 where none is publishable")
    for form in ("json", "markdown", "statement"):
        report.add_argument(f"--{form}", metavar="PATH", help=f"write the {form} there instead of printing Markdown")
    look = acts.add_parser("scan", help=_SCAN, description=f"{_SCAN[0].upper()}{_SCAN[1:]}.", allow_abbrev=False)
    look.add_argument("folder", metavar="BUNDLE", help="the bundle's folder")
    look.add_argument("corpora", metavar="CORPUS", nargs="+", help="a file, a folder, or lines of JSON (*.jsonl)")
    look.add_argument(
        "--write", action="store_true", help="write scan.json into the bundle, for every report to disclose"
    )


def _act(acts: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, about: str) -> argparse.ArgumentParser:
    parser = acts.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
    parser.add_argument("folder", metavar="BUNDLE", help="the bundle's folder")
    parser.add_argument("--python", metavar="PATH", help="the interpreter of its tests (default: the gate's own)")
    return parser


def _add_require(parser: argparse.ArgumentParser, more: str = "") -> None:
    parser.add_argument(
        "--require",
        choices=[word.value for word in Require],
        default=Require.COMPATIBLE.value,
        help=f"how near this machine must be to the pinned one (default: compatible){more}",
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Do one of the acts; 2 where the bundle is not what it should be."""
    acts: dict[str, Callable[[argparse.Namespace, Mapping[str, str]], int]] = {
        "pin": _pin,
        "verify": _verify,
        "scan": _scan,
        "report": _report,
    }
    try:
        return acts[arguments.act](arguments, environ)
    except GateError as error:
        print(escape.log_safe(error.message))  # a document may have several mistakes
        return error.exit_code


def _say(text: str) -> None:
    print(escape.log_line(text))


def _label(folder: str) -> str:
    return folder.rstrip("/") or folder


def _tree(folder: str) -> DiskTree:
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: there is no such folder; expected a bundle's", kind="not_found")
    return DiskTree(Path(folder))


def _measures(tree: DiskTree, label: str) -> metrics.Metrics:
    """What a folder that may not be pinned yet says of measuring, or what holds where it says nothing."""
    return metrics.read(tree.read(metrics.NAME), label) if metrics.NAME in tree else metrics.Metrics()


def _pin(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    tree, label = _tree(arguments.folder), _label(arguments.folder)
    locked = _lock(arguments, tree)
    tools = _tools(arguments, _measures(tree, label), label)
    found = environment.here(python=arguments.python, tools=tools, lock=locked, read_lock=partial(lock, tree.folder))
    for name, version in found.tools.items():
        if not version:
            reason = f"{name} is not on the PATH, or `{name} --version` says nothing: there is no version to pin"
            raise UsageError(f"{tools[name]}: {reason}", kind="tool")
    if locked is not None and found.lock_sha256 is None:
        raise UsageError(f"{arguments.lock}: there is no such lock file", kind="not_found")
    done = pinned(tree, label, pin=found, named=_named(environ), committed=lambda: _committed(tree.folder))
    _check_tasks(done)
    for name, data in ((seal.PIN, done.pin), (seal.MANIFEST, done.manifest)):
        _write(tree, name, data, label)
    _say(f"pinned {label}: {done.contents.seal.file_count} files, {_many(len(done.contents.tasks), 'task')}")
    _tell(done.contents)
    for note in done.notes:
        _say(f"note   {note}")
    return 0


def _verify(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - acts are called alike
    tree, label = _tree(arguments.folder), _label(arguments.folder)
    try:
        contents = opened(tree, label)
    except Mismatch as error:
        for line in error.difference.lines:
            _say(line)
        _say(f"{label} is not what its {seal.MANIFEST} says: {error.difference.counts}")
        return 2
    _say(
        f"{label}: {contents.seal.file_count} files are what {seal.MANIFEST} says, {_many(len(contents.tasks), 'task')}"
    )
    _tell(contents)
    for name, said in contents.said().items():
        for sentence in said:
            _say(f"note   {name}: {sentence}")
    return _compared(contents, tree, arguments)


def _scan(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - acts are called alike
    from gate.bundles import scan  # the one act that reads corpora

    tree, label = _tree(arguments.folder), _label(arguments.folder)
    measured = _measures(tree, label)
    found = scan.scan(tree, label, arguments.corpora, measures=measured, folder=Path())
    for corpus in found.corpora:
        for line in corpus.lines:
            _say(line)
    if not all(corpus.texts for corpus in found.corpora):
        _say("what was not searched says nothing of the prompts: name corpora of text, or take these away")
        return 2
    for task in found.tasks:
        _say(f"{'flagged' if task in found.flagged else 'clean  '} {task.words}")
    constants = f"n-grams of {found.ngram_width} words, threshold {found.overlap_threshold:.2%}"
    _say(f"{len(found.flagged)} of {_many(len(found.tasks), 'task')} flagged ({constants})")
    if arguments.write:
        _write(tree, overlap.NAME, overlap.render(found), label)
        _say(f"written {label}/{overlap.NAME}: pin the bundle again, and every report discloses it")
    return 1 if found.flagged and not arguments.write else 0


def _report(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - acts are called alike
    from gate.appraisal import sealed  # the one act that judges
    from gate.bundles import envelope as document
    from gate.bundles import page, statement
    from gate.reporters import face

    forms = {"json": document.render, "markdown": page.render, "statement": statement.render}
    for form in forms:
        named_file(arguments, form)
    candidate = Lane(workspaces=arguments.workspaces, recordings=arguments.recordings)
    control = Lane(workspaces=arguments.control_workspaces, recordings=arguments.control_recordings)
    envelope = sealed(
        arguments.folder,
        Path.cwd(),
        candidate,
        control if control != Lane() else None,
        require=Require(arguments.require),
        python=arguments.python,
        rate=arguments.rate,
    )
    written = [form for form in forms if getattr(arguments, form)]
    for form in written:
        data = forms[form](envelope).encode()
        refused = face.write(f"the {form} of the bundle", Path(getattr(arguments, form)), data)
        if refused:
            _say(refused)
    if envelope.problem is not None:
        print(escape.log_safe(envelope.problem.message))
        return envelope.problem.exit_code
    if not written:
        print(page.render(envelope), end="")
    if envelope.publishable:
        return 0
    if written:
        _say(f"not publishable: {'; '.join(envelope.reasons)}")
    return 1 if arguments.rate else 0


def _compared(contents: Contents, tree: DiskTree, arguments: argparse.Namespace) -> int:
    """Show this machine against the pin, field by field."""
    pin, require = contents.pin, Require(arguments.require)
    if pin is None:
        _say(f"there is no {seal.PIN}: nothing says which environment the bundle was made for")
        return 0 if require is Require.NONE else 2
    drifts = environment.drift_here(pin, python=arguments.python, read_lock=partial(lock, tree.folder))
    refused = environment.refused(drifts, require)
    for drift in drifts:
        _say(f"{'refused' if drift in refused else 'drift  '} {drift.line}")
    if not drifts:
        _say("this machine is the pinned one, in every field of the pin")
    elif refused:
        _say(f"this machine is too far from the pinned one for `--require {require}`")
        act = f"`gate bundle pin {contents.label}` pins the bundle for this machine"
        _say(f"with `--require none` differences are shown and not refused; {act}")
    return 2 if refused else 0


def _tell(contents: Contents) -> None:
    _say(f"  bundle sha256:{contents.digest}")
    if contents.pin is not None:
        lock = f", {contents.pin.lock or environment.LOCK}" if contents.pin.lock_sha256 else ", no lock file"
        _say(f"  pin    sha256:{contents.pin_digest} (Python {contents.pin.python} on {contents.pin.platform}{lock})")


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _check_tasks(done: Pinned) -> None:
    """BundleError for a task that nobody could be judged on."""
    for name in done.contents.tasks:
        try:
            format_of.read(done.contents, name, Catalogue())
        except GateError as error:
            raise BundleError(error.message, kind=error.kind) from None


def _lock(arguments: argparse.Namespace, tree: DiskTree) -> str | None:
    """The lock file to pin, relative to the bundle; None for none."""
    if arguments.no_lock:
        if arguments.lock:
            raise UsageError("--lock and --no-lock do not go together", kind="usage")
        return None
    if arguments.lock:
        path = Path(os.path.relpath(arguments.lock, tree.folder)).as_posix()
        if not environment.is_lock(path):
            raise UsageError(f"--lock: expected a name that every system can read, found {path}", kind="lock")
        return path
    return environment.LOCK if environment.LOCK in tree else None


def _tools(arguments: argparse.Namespace, measured: metrics.Metrics, label: str) -> dict[str, str]:
    """The programs whose versions are to be pinned, each with where it is named."""
    for name in arguments.tool:
        if not metrics.is_program(name):
            raise UsageError(f"--tool: expected the name of a program, found {name!r}", kind="usage")
    return dict.fromkeys(measured.tools, f"{label}/{metrics.NAME}: `tools`") | dict.fromkeys(arguments.tool, "--tool")


def _write(tree: DiskTree, name: str, data: bytes, label: str) -> None:
    try:
        (tree.folder / name).write_bytes(data)
    except OSError as error:
        raise UsageError(f"{label}/{name} cannot be written: {error.strerror}", kind="unwritable") from None


def _named(environ: Mapping[str, str]) -> int | None:
    """The time that SOURCE_DATE_EPOCH says; None where it is not set."""
    named = environ.get("SOURCE_DATE_EPOCH", "")
    if named and not (named.isascii() and named.isdecimal() and len(named) < 16):
        raise UsageError(f"SOURCE_DATE_EPOCH: expected a time in seconds, found {named!r}", kind="usage")
    return int(named) if named else None


def _committed(folder: Path) -> int | None:
    """The time of the commit at hand; None outside of git, and before the first one."""
    git = Git.discover(folder)
    if git is None:
        return None
    with git:
        return int(git.run("log", "-1", "--no-show-signature", "--format=%ct")) if git.resolve("HEAD") else None
