"""What child processes are given of this process's environment, and where their programs are looked for.

A folder of `PATH` that is relative or empty counts nowhere: it would lie in what is judged. One inside the checkout
that is judged counts where the change cannot have brought what lies there, and never for git, which says what a change
is.
"""

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gate.errors import GateError
from gate.path import fold

_ALLOWED = frozenset(
    """
    HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA
    LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES USERPROFILE USERNAME
    HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE
    CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME CARGO_HOME
    RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOCACHE GOMODCACHE JAVA_HOME MAVEN_HOME GRADLE_USER_HOME NVM_DIR
    VOLTA_HOME FNM_DIR PNPM_HOME PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION GEM_HOME ASDF_DIR ASDF_DATA_DIR
    MISE_DATA_DIR DOTNET_ROOT ANDROID_HOME ANDROID_SDK_ROOT CONDA_PREFIX
    """.split()  # noqa: SIM905 - sixty names, each on its own line, are no better to read
)


class _Judged:
    """The checkout that is judged, and the paths that are tracked in it."""

    def __init__(self, top: Path, paths: Callable[[], Iterable[str]]) -> None:
        self.top = top
        self._paths = paths
        self._answers: dict[str, bool] = {}

    @functools.cached_property
    def _tracked(self) -> list[str] | None:
        """None where that cannot be told: an index with conflicts."""
        try:
            return [fold(path) for path in self._paths()]
        except GateError:
            return None

    def brings(self, folder: str) -> bool:
        """Whether a folder of `PATH` lies in the checkout and holds, or is reached by, something that is tracked.

        With it goes what its programs load: the environment around a virtual environment's, and `node_modules`.
        """
        if folder not in self._answers:
            inside = [where for where in _below(folder, os.fspath(self.top)) if where is not None]
            self._answers[folder] = any(self._holds(where, os.path.dirname(folder)) for where in inside)
        return self._answers[folder]

    def _holds(self, inside: str, above: str) -> bool:
        place = fold(inside)
        parts = place.split("/")
        ways = {"/".join(parts[: end + 1]) for end in range(len(parts))}
        environment = os.path.basename(above) == "node_modules" or os.path.isfile(os.path.join(above, "pyvenv.cfg"))
        home = "/".join(parts[:-1] if environment else parts)
        within = f"{home}/" if home else ""
        tracked = self._tracked
        return place == "" or tracked is None or any(path in ways or path.startswith(within) for path in tracked)


_judged: _Judged | None = None


def judge(top: Path | None, paths: Callable[[], Iterable[str]] = tuple) -> None:
    """From now on nothing is started from a folder of this checkout that one of these tracked paths lies in.

    `paths` are relative to `top`, and asked for once, where `PATH` leads into the checkout at all. A process judges one
    checkout at a time; None for none.
    """
    global _judged
    _judged = None if top is None else _Judged(top, paths)


def judged() -> Path | None:
    """The top folder of the checkout that is judged; None for none."""
    return None if _judged is None else _judged.top


def environment(
    extra: Mapping[str, str] | None = None, *, first: str | None = None, also: Sequence[str] = ()
) -> dict[str, str]:
    """The environment for an untrusted command: names from a list of harmless ones and `also`, then `extra`.

    `PATH` keeps the folders that count, with `first` before them. Tokens, the CI's own variables and everything that
    makes a program load code (`LD_PRELOAD`, `PYTHONPATH`, `NODE_OPTIONS`, …) are not on the list.
    """
    kept = {key: text for key, text in os.environ.items() if key in _ALLOWED or key in also or key.startswith("LC_")}
    there = [folder for folder in _folders() if _judged is None or not _judged.brings(folder)]
    return {**kept, **_path([first, *there] if first else there), **(extra or {})}


def program(name: str) -> str | None:
    """Where a program lies on the `PATH` of an untrusted command; None for none."""
    return next(_named(name, environment()["PATH"].split(os.pathsep)), None)


def own(name: str, near: Path) -> str:
    """Where a program lies that the gate trusts with the repository: on `PATH`, and not in a checkout around `near`.

    Nor in one around the folder in which the gate was started, nor by a link that leads into one. Where there is none
    the name itself, so that starting it by `repository_environment` fails and says so.
    """
    roots = _checkouts(near)
    found = (place for place in _named(name, _outside(roots)) if not _is_in(os.path.realpath(place), roots))
    return next(found, name)


def _named(name: str, folders: Iterable[str]) -> Iterator[str]:
    """The programs of this name in the folders. Not `shutil.which`, whose import takes 3 ms on the hook's way."""
    endings = ["", *os.environ.get("PATHEXT", ".EXE").split(os.pathsep)] if sys.platform == "win32" else [""]
    for folder in [""] if os.path.dirname(name) else folders:
        for place in (os.path.join(folder, name + ending) for ending in endings):
            if os.path.isfile(place) and os.access(place, os.X_OK):
                yield place


def _path(folders: Sequence[str]) -> dict[str, str]:
    """`PATH`; never empty, which would mean the current folder."""
    system = [folder for folder in os.defpath.split(os.pathsep) if os.path.isabs(folder)]
    found = {"PATH": os.pathsep.join(folders or system)}
    # Or `cmd.exe` looks into the current folder before any of these.
    return {**found, "NoDefaultCurrentDirectoryInExePath": "1"} if sys.platform == "win32" else found


def _folders() -> list[str]:
    return [part for part in os.environ.get("PATH", os.defpath).split(os.pathsep) if part and os.path.isabs(part)]


def _outside(roots: Sequence[Path]) -> list[str]:
    return [folder for folder in _folders() if not _is_in(folder, roots)]


def _checkouts(near: Path) -> list[Path]:
    """The nearest folder with a `.git` above each of two places, and the checkout that is judged."""
    places = [near]
    with contextlib.suppress(OSError):  # it is gone
        places.append(Path.cwd())
    found = [] if _judged is None else [_judged.top]
    found += [top for top in map(checkout, places) if top is not None]
    return [root for root in found if root != root.parent]  # all of a machine is in none


def checkout(place: Path) -> Path | None:
    """The nearest folder with a `.git`, at or above a place; None for none."""
    whole = place.absolute()
    return next((above for above in (whole, *whole.parents) if os.path.lexists(above / ".git")), None)


def _is_in(place: str, roots: Iterable[Path]) -> bool:
    return any(where is not None for root in roots for where in _below(place, os.fspath(root)))


@functools.lru_cache(maxsize=1024)  # every call of git asks the same
def _below(place: str, root: str) -> tuple[str | None, str | None]:
    """A place as seen from a folder, as it is written and where its links lead; None where it lies elsewhere."""
    written = os.path.normpath(place), os.path.normpath(root)
    real = os.path.realpath(place), os.path.realpath(root)
    return _seen(*written), _seen(*real)


def _seen(place: str, root: str) -> str | None:
    place, root = (text.replace(os.sep, "/").rstrip("/") for text in (place, root))
    if fold(place) == fold(root):
        return ""
    return place[len(root) + 1 :] if fold(place).startswith(f"{fold(root)}/") else None


_OF_ONE_REPOSITORY = frozenset(
    f"GIT_{name}"
    for name in ("DIR", "WORK_TREE", "INDEX_FILE", "COMMON_DIR", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES")
)
_OF_THIS_REPOSITORY = _OF_ONE_REPOSITORY.union(
    f"GIT_{name}"
    for name in (
        "QUARANTINE_PATH",
        "CONFIG_GLOBAL",
        "CONFIG_NOSYSTEM",
        "CONFIG_SYSTEM",
        # what pre-commit keeps (its git.no_git_env): how git reaches a remote, and settings of the caller
        "EXEC_PATH",
        "SSH",
        "SSH_COMMAND",
        "SSL_CAINFO",
        "SSL_NO_VERIFY",
        "CONFIG_COUNT",
        "HTTP_PROXY_AUTHMETHOD",
        "ALLOW_PROTOCOL",
        "ASKPASS",
    )
)


def repository_environment(near: Path, *, other: bool = False) -> dict[str, str]:
    """The environment for git on the user's own repository: the one that the hook's `GIT_DIR` and index name.

    With `other` it is none that they name. Every other `GIT_*` is left out, replaced objects and grafts are not
    honoured, nothing is locked or asked for, and git's messages are in English. What git starts (`ssh`, a credential
    helper) is found where git is: see `own`.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_")
        or (name in _OF_THIS_REPOSITORY and not (other and name in _OF_ONE_REPOSITORY))
        or name.startswith(("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"))
    }
    return {
        **kept,
        **_path(_outside(_checkouts(near))),
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LANGUAGE": "",
        "LC_ALL": "C.UTF-8",
    }


@contextmanager
def named_git(near: Path) -> Iterator[None]:
    """A block in which GitPython may be imported: it starts a git by this process's environment, there and then."""
    name, before = "GIT_PYTHON_GIT_EXECUTABLE", os.environ.get("GIT_PYTHON_GIT_EXECUTABLE")
    found = own("git", near)
    os.environ[name] = found if os.path.isabs(found) else os.devnull
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
