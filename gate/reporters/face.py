"""The one place that writes what the reporters say: to files, to GitHub's files, and to the terminal."""

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import msgspec

from gate import escape, outlet, redaction, surroundings
from gate.extent import Filter
from gate.path import is_git_dir, printable
from gate.report import Report
from gate.reporters import console

if TYPE_CHECKING:
    from gate.reporters.annotations import Annotation

_SUMMARY_LEAST = 64 * 1024


class Targets(msgspec.Struct, frozen=True, kw_only=True):
    """Where a report goes beside the terminal, and how the terminal shows it.

    `github_summary` and `github_output` are the step's own files, which are added to. `filter_mode` says which places
    annotations stand at. `secrets` are shown nowhere.
    """

    junit: Path | None = None
    json: Path | None = None
    summary: Path | None = None
    sarif: Path | None = None
    code_quality: Path | None = None
    github_summary: Path | None = None
    github_output: Path | None = None
    annotations: bool = False
    filter_mode: Filter = Filter.FILE
    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    width: int = 100
    junit_profile: str = "annotated"
    secrets: tuple[str, ...] = ()


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What was shown by requests to GitHub: where, which annotations it carries, and what was refused, in words."""

    url: str = ""
    carried: "tuple[Annotation, ...]" = ()
    told: tuple[str, ...] = ()


Show = Callable[[Report, "list[Annotation]"], Published]
"""Shows a report, and its annotations beside the change, by requests to GitHub; it raises nothing."""


def publish(report: Report, targets: Targets, stdout: TextIO | None, show: Show | None = None) -> list[str]:
    """Write every surface; one that cannot be reached stops no other and changes no verdict.

    Files come first and what is printed last, so that no annotation is printed that `show` brought to GitHub already.
    A sentence for each surface that was refused is printed with the report, and returned; where it is `stdout` itself
    that was refused, only returned.
    """
    refused: list[str] = []
    report = redaction.redacted(report, targets.secrets)
    written = _files(report, targets, refused)
    published = _shown(report, targets, show) if show else Published()
    _attempt(
        "the step's outputs",
        targets.github_output,
        lambda path: _append(path, lambda _: _outputs(report, written, published.url)),
        refused,
    )
    refused += published.told
    text = _annotations(report, written, targets.filter_mode, published) if targets.annotations else ""
    if published.url and not targets.quiet:
        count = len(published.carried)
        text += f"Check run with {count} annotation{'' if count == 1 else 's'}: {escape.log_safe(published.url)}\n"
    text += console.render(
        report,
        verbose=targets.verbose,
        quiet=targets.quiet,
        colour=targets.colour,
        width=targets.width,
        refused=refused,
    )
    return [*refused, *outlet.say(stdout, text)]


def write(what: str, path: Path, data: bytes) -> str:
    """Write a file whole; returned is why that was not possible, empty where it was."""
    refused: list[str] = []
    _attempt(what, path, lambda name: _replace(name, lambda: data), refused)
    return refused[0] if refused else ""


def _files(report: Report, targets: Targets, refused: list[str]) -> dict[str, str]:
    """Where each file was written, by the name of its surface."""
    written: dict[str, str] = {}

    def attempt(surface: str, what: str, path: Path | None, write: Callable[[str], None]) -> None:
        if path is not None and _attempt(what, path, write, refused):
            written[surface] = os.fspath(path)

    attempt("junit", "the JUnit report", targets.junit, lambda path: _replace(path, lambda: _junit(report, targets)))
    attempt("json", "the JSON report", targets.json, lambda path: _replace(path, lambda: _json(report)))
    attempt("summary", "the summary", targets.summary, lambda path: _replace(path, lambda: _summary(report)))
    attempt("sarif", "the SARIF report", targets.sarif, lambda path: _replace(path, lambda: _sarif(report)))
    quality = targets.code_quality
    attempt("quality", "the code quality report", quality, lambda path: _replace(path, lambda: _quality(report)))
    step = targets.github_summary
    attempt("step", "the step's summary", step, lambda path: _append(path, lambda size: _summary(report, size)))
    return written


def _attempt(what: str, path: Path | None, write: Callable[[str], None], refused: list[str]) -> bool:
    """Whether it was written; what it was not for goes to `refused`."""
    if path is None:
        return False
    try:
        write(os.fspath(path))
    except Exception as error:  # a bug in one surface must cost neither the others nor the verdict
        reason = error.strerror or error if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        refused.append(f"{what} could not be written to {path}: {reason}; the verdict stands without it")
        return False
    return True


def _shown(report: Report, targets: Targets, show: Show) -> Published:
    from gate.reporters import annotations

    return show(report, annotations.collect(report, targets.filter_mode))


def _junit(report: Report, targets: Targets) -> bytes:
    from gate.reporters import junit

    return junit.render(report, profile=junit.Profile(targets.junit_profile))


def _json(report: Report) -> bytes:
    from gate.reporters import json_report

    return json_report.render(report).encode()


def _sarif(report: Report) -> bytes:
    from gate.reporters import sarif

    return sarif.render(report).encode()


def _quality(report: Report) -> bytes:
    from gate.reporters import code_quality

    return code_quality.render(report).encode()


def _summary(report: Report, size: int = 0) -> bytes:
    """A summary beside the `size` bytes that are in the file already."""
    from gate.reporters import summary

    room = summary.LIMIT - size
    if room < _SUMMARY_LEAST:
        raise OSError(f"{size} bytes are in it already, and GitHub takes {summary.LIMIT}")
    return summary.render(report, limit=room).encode()


def _outputs(report: Report, written: dict[str, str], url: str) -> bytes:
    from gate.reporters import outputs

    paths = {surface: path for surface, path in written.items() if surface not in ("step", "quality")}
    return outputs.render(outputs.values(report, check_run_url=url, **paths)).encode()


def _annotations(report: Report, written: dict[str, str], mode: Filter, published: Published) -> str:
    from gate.reporters import annotations

    places = [written[surface] for surface in ("junit", "json", "summary") if surface in written]
    if "step" in written:
        places.insert(0, "the step's summary")
    have = "have" if len(places) > 1 else "has"
    where = f"{' and '.join(places) or 'the log'} {have} all"
    return annotations.render(report, where=where, mode=mode, without=frozenset(published.carried))


def _replace(path: str, build: Callable[[], bytes]) -> None:
    """The file is whole or not there: a report of an earlier run must not pass for one of this run."""
    try:
        data = build()
        if _is_stream(path):
            with open(path, "ab") as stream:
                stream.write(data)
            return
        folder = os.path.dirname(path)
        _check_way(folder)
        _check(folder, path)
        os.makedirs(folder or ".", exist_ok=True)
        temporary = os.path.join(folder, f".gate-{os.urandom(8).hex()}.tmp")
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            _forget(temporary)
            raise
    except _LedAstray:
        raise
    except Exception:
        _forget(path)
        raise


class _LedAstray(OSError):
    """A report's folder is reached by a link of the checkout that leads out of it: a change may have brought that."""


def _check_way(folder: str) -> None:
    """_LedAstray where the folder is written as one of the checkout around us, and is none; nor may it be git's own."""
    top = os.fspath(surroundings.checkout(Path.cwd()) or Path.cwd())
    if _seen(os.path.abspath(folder), top) is None:
        return  # it is named as a place outside
    real = os.path.realpath(folder)
    inside = _seen(real, os.path.realpath(top))
    if inside is None or is_git_dir(inside.partition(os.sep)[0]):
        raise _LedAstray(f"a link in the way leads to {printable(real)}, out of the checkout; name that place itself")


def _seen(place: str, top: str) -> str | None:
    """The place as seen from the folder; None where it lies elsewhere."""
    try:
        found = os.path.relpath(place, top)
    except ValueError:  # on another drive
        return None
    return None if found.split(os.sep)[0] == os.pardir else found


def _check(folder: str, path: str) -> None:
    """Refuse what the system would do without a word (replace a link to a folder) or call by a wrong name."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if os.path.isfile(folder):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _is_stream(path: str) -> bool:
    """Whether it is a pipe, a terminal or the like, which must never be replaced by a file."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or path.startswith(("/dev/", "/proc/"))


def _forget(path: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        if os.path.isfile(path) and not _is_stream(path):
            os.unlink(path)


def _append(path: str, build: Callable[[int], bytes]) -> None:
    """What was in the file stays, and nothing half is added to it."""
    with open(path, "a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        data = build(size)
        if size:
            file.seek(-1, os.SEEK_END)
            data = data if file.read(1) == b"\n" else b"\n" + data
        try:
            while data:
                data = data[file.write(data) or 0 :]
        except OSError:
            file.truncate(size)
            raise
