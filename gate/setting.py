"""The environment of an eval spec: what it is written as, how levels of it are merged, and where its paths lead."""

import posixpath
from collections.abc import Mapping
from typing import Any

import msgspec

from gate.document import Document, Path
from gate.shape import shaped, shown
from gate.task import FileFrom, Repository, Setup

_LIMIT = 60.0
"""How long a command may take where nothing is said, in seconds."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One level of an environment, or several merged; None where it says nothing."""

    repository: Repository | None = None
    placed: tuple[FileFrom, ...] | None = None
    commands: tuple[str, ...] | None = None
    limit: float | None = None
    variables: Mapping[str, str] = {}

    @property
    def files(self) -> tuple[FileFrom, ...]:
        """The files that are laid over the repository."""
        return self.placed or ()

    @property
    def setup(self) -> tuple[Setup, ...]:
        """The commands that make it ready, each with its limit."""
        limit = _LIMIT if self.limit is None else self.limit
        return tuple(Setup(command=command, seconds=limit) for command in self.commands or ())


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    dest: str
    src: str | None = None
    content: str | None = None


class _Git(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    type: str
    url: str | None = None
    ref: str | None = None
    shallow: bool | None = None
    sparse: bool | list[str] | None = None


class _Environment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    files: list[_File] | None = None
    git: _Git | None = None
    commands: list[str] | None = None
    commandTimeout: str | int | float | None = None  # noqa: N815 - so it is written
    env: dict[str, str | int | float | bool] = {}
    skills: list[Any] | None = None
    mcpServers: dict[str, Any] | None = None  # noqa: N815 - so it is written


def read_setting(document: Document, value: Any, at: Path, folder: str) -> Setting:
    """One level of an environment; its paths start from `folder`, relative to the checkout."""
    found = shaped(document, _Environment, value, at=at)
    files = None
    if found.files is not None:
        files = tuple(_file(document, file, (*at, "files", n), folder) for n, file in enumerate(found.files))
    limit = found.commandTimeout
    return Setting(
        repository=None if found.git is None else _repository(document, found.git, (*at, "git"), folder),
        placed=files,
        commands=None if found.commands is None else tuple(found.commands),
        limit=None if limit is None else _duration(document, limit, (*at, "commandTimeout")),
        variables={name: _text(item) for name, item in found.env.items()},
    )


def layered(below: Setting, above: Setting) -> Setting:
    """What stands nearer wins: lists are replaced, maps are merged."""

    def nearer(key: str) -> Any:
        return getattr(below, key) if getattr(above, key) is None else getattr(above, key)

    return Setting(
        repository=nearer("repository"),
        placed=nearer("placed"),
        commands=nearer("commands"),
        limit=nearer("limit"),
        variables={**below.variables, **above.variables},
    )


def _file(document: Document, file: _File, at: Path, folder: str) -> FileFrom:
    if (file.src is None) == (file.content is None):
        found = "none" if file.src is None else "both"
        raise document.fault(at, f"expected exactly one of `src` and `content`, found {found}")
    dest = posixpath.normpath(file.dest)
    if file.src is None:
        return FileFrom(at=dest, text=file.content)
    source = posixpath.normpath(posixpath.join(folder, file.src))
    if posixpath.isabs(source) or source.split("/")[0] == "..":
        raise document.fault((*at, "src"), f"{file.src} leads out of the repository", kind="path_escape")
    return FileFrom(at="" if dest == "." else dest, source=source)


def _repository(document: Document, git: _Git, at: Path, folder: str) -> Repository:
    if git.type not in ("worktree", "clone"):
        raise document.fault((*at, "type"), f"expected `worktree` or `clone`, found {shown(git.type)}")
    if (git.type == "clone") != (git.url is not None):
        reason = "a clone needs a `url`" if git.url is None else "a worktree is of this repository and has no `url`"
        raise document.fault(at, reason)
    url = git.url
    if url is not None and "://" not in url and ":" not in url.split("/")[0]:
        url = posixpath.normpath(posixpath.join(folder, url))
    sparse = tuple(git.sparse) if isinstance(git.sparse, list) else ()
    return Repository(url=url, ref=git.ref, sparse=sparse)


def _duration(document: Document, value: str | int | float, at: Path) -> float:
    """Seconds from text with a unit (`300ms`, `90s`, `2m`, `1h`), or from a number of seconds."""
    text = str(value).strip()
    factors = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
    unit = next((unit for unit in factors if text.endswith(unit)), "")
    try:
        seconds = float(text.removesuffix(unit)) * factors.get(unit, 1.0)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e7:
        raise document.fault(at, f"expected a time such as `90s`, `2m` or `500ms`, found {shown(value)}")
    return seconds


def _text(value: str | int | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
