"""`env_pin.json` of a bundle: which interpreter, platform, packages and tools it was made for, against those here."""

import posixpath
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gate import process, surroundings
from gate.bundles import reading
from gate.bundles.metrics import is_program
from gate.bundles.seal import PIN
from gate.digest import sha256
from gate.errors import BundleError, SourceError
from gate.escape import encodable
from gate.policy import Require

if TYPE_CHECKING:
    from gate.process import Completed

LOCK = "requirements.lock"
"""The lock file that is pinned where nobody names another."""

_LIMIT = 20.0
_SCRIPT = """\
import platform
kind = platform.python_implementation()
print(platform.python_version() + ("" if kind == "CPython" else " (%s)" % kind))
print(platform.platform())
"""


class Pin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An environment. `lock` is the lock file's path, relative to the bundle; `tools` are versions by program."""

    python: str
    platform: str
    lock: str | None = None
    lock_sha256: str | None = None
    tools: Mapping[str, str] = {}

    @property
    def gaps(self) -> tuple[str, ...]:
        """What the pin does not say, each in a sentence."""
        said = []
        if not self.python or not self.platform:
            field = "python" if not self.python else "platform"
            said.append(f"the environment pin does not name the {field}")
        if self.lock_sha256 is None:
            said.append("the environment pin holds no lock file, so nothing says which packages were installed")
        return tuple(said)


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """One field in which the machine at hand differs from the pin; `compatible` says that it hardly matters."""

    field: str
    pinned: str
    found: str
    compatible: bool

    @property
    def line(self) -> str:
        """The field with both values."""
        return f"{self.field}: pinned {self.pinned}, here {self.found}"


def read(data: bytes, label: str) -> Pin:
    """A pin, checked. BundleError says what is wrong with it."""
    where = f"{label}/{PIN}"
    pin = reading.read(data, Pin, where)
    unsafe = next((name for name in pin.tools if not is_program(name)), None)
    if unsafe is not None:
        raise BundleError(f"{where}: `tools`: expected names of programs, found {unsafe!r}", kind="environment")
    if pin.lock is not None and not is_lock(pin.lock):
        raise BundleError(f"{where}: `lock`: expected a path relative to the bundle, found {pin.lock!r}", kind="lock")
    return pin


def is_lock(path: str) -> bool:
    """Whether a pin can hold this path of a lock file: relative to the bundle, and the same on every system."""
    return not (posixpath.isabs(path) or "\\" in path or "\0" in path) and encodable(path) == path


def render(pin: Pin) -> bytes:
    """The pin as a file."""
    ordered = msgspec.structs.replace(pin, tools=dict(sorted(pin.tools.items())))
    return msgspec.json.format(msgspec.json.encode(ordered), indent=2) + b"\n"


def here(
    *,
    python: str | None,
    tools: Iterable[str] = (),
    lock: str | None = None,
    read_lock: Callable[[str], bytes | None] = lambda _: None,
) -> Pin:
    """The environment of this machine: of the interpreter that runs the tests, the one of the gate where None is given.

    `read_lock` gives the lock file's bytes; None, or a SourceError of kind `not_found`, where there is no such file.
    BundleError where the interpreter does not answer, or the lock file cannot be read.
    """
    executable = python or sys.executable
    done = _asked([executable, "-I", "-c", _SCRIPT])
    said = done.stdout.decode("utf-8", "replace").splitlines()
    if done.exit_code != 0 or len(said) != 2:
        raise BundleError(
            f"the interpreter {executable} does not say its version (exit {done.exit_code}); name another with "
            "`--python`, or with `defaults.python` of the manifest",
            kind="python",
        )
    data = _locked(lock, read_lock) if lock is not None else None
    return Pin(
        python=said[0],
        platform=said[1],
        lock=lock,
        lock_sha256=None if data is None else sha256(data),
        tools={name: _version(name) for name in sorted(set(tools))},
    )


def drift_here(pinned: Pin, *, python: str | None, read_lock: Callable[[str], bytes | None]) -> tuple[Drift, ...]:
    """Every field in which this machine differs from a pin; the rest is as for `here`."""
    lock = pinned.lock or (LOCK if pinned.lock_sha256 else None)
    return drift(pinned, here(python=python, tools=pinned.tools, lock=lock, read_lock=read_lock))


def drift(pinned: Pin, found: Pin) -> tuple[Drift, ...]:
    """Every field in which the two differ, and whether that is compatible."""
    differing = []
    for field, alike in (("python", _same_minor), ("platform", _same_machine)):
        was, now = getattr(pinned, field), getattr(found, field)
        if was != now:
            differing.append(Drift(field=field, pinned=was, found=now, compatible=alike(was, now)))
    if pinned.lock_sha256 is not None and pinned.lock_sha256 != found.lock_sha256:
        name = pinned.lock or LOCK
        now = "no such file" if found.lock_sha256 is None else found.lock_sha256
        differing.append(Drift(field=f"lock {name}", pinned=pinned.lock_sha256, found=now, compatible=False))
    for name, was in pinned.tools.items():
        now = found.tools.get(name, "")
        if was != now:
            differing.append(Drift(field=f"tool {name}", pinned=was or "none", found=now or "none", compatible=False))
    return tuple(differing)


def refused(drifts: Iterable[Drift], require: Require) -> tuple[Drift, ...]:
    """Those differences that the requirement does not allow."""
    if require is Require.NONE:
        return ()
    return tuple(drift for drift in drifts if require is Require.EXACT or not drift.compatible)


def _locked(lock: str, read_lock: Callable[[str], bytes | None]) -> bytes | None:
    try:
        return read_lock(lock)
    except SourceError as error:
        if error.kind == "not_found":
            return None
        raise BundleError(f"the lock file cannot be read: {error.message}", kind=error.kind) from None


def _asked(words: list[str]) -> "Completed":
    return process.capture(words, cwd=Path("/"), environment=surroundings.environment(), timeout=_LIMIT)


def _version(name: str) -> str:
    """The first line that a program prints for `--version`; empty where it is not there or says nothing."""
    place = surroundings.program(name)
    if place is None:
        return ""
    done = _asked([place, "--version"])
    lines = (done.stdout or done.stderr).decode("utf-8", "replace").strip().splitlines()
    return lines[0].strip()[:200] if lines and done.exit_code == 0 else ""


def _same_minor(one: str, other: str) -> bool:
    """Whether two versions are of one interpreter and its minor version: `3.11.2` and `3.11.9`."""

    def parts(version: str) -> tuple[list[str], str]:
        number, _, kind = version.partition(" ")
        return number.split(".")[:2], kind

    return parts(one) == parts(other) and len(parts(one)[0]) == 2


def _same_machine(one: str, other: str) -> bool:
    """Whether two platforms are of one system and processor, whatever their kernels: `Linux-6.1-x86_64`, for one."""
    machines = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}

    def parts(platform: str) -> tuple[str, set[str]]:
        words = platform.lower().split("-")
        return words[0], {machines[word] for word in words if word in machines}

    return parts(one) == parts(other) and bool(parts(one)[1])
