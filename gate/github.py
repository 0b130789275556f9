"""GitHub as the gate meets it: the event that a workflow runs for."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gate.errors import ChangeError, SourceError
from gate.source import open_file
from gate.tree import is_object_id

_OFF = ("", "0", "false", "no", "off")
_OF_PULL_REQUESTS = ("pull_request", "pull_request_target")


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What made the workflow run.

    `sha` is the commit that GitHub calls `GITHUB_SHA`, for a pull request the merge of its head into its base.
    `base_sha`, `head_sha` and `number` are the pull request's, None for other events; `fork` says that its head is
    in another repository, or in one that was deleted.
    """

    name: str
    payload: dict[str, Any]
    sha: str | None = None
    base_sha: str | None = None
    head_sha: str | None = None
    number: int | None = None
    fork: bool = False


def in_ci(environ: Mapping[str, str] | None = None) -> bool:
    """Whether a CI service runs us, as nearly all of them say by `CI`."""
    environ = os.environ if environ is None else environ
    return any(environ.get(name, "").lower() not in _OFF for name in ("CI", "GITHUB_ACTIONS"))


def credentials(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment in which git shows the action's token to this GitHub and to nobody else; empty without one.

    What the repository says of credentials for this GitHub is set aside, since two headers are refused.
    """
    environ = os.environ if environ is None else environ
    token, server = environ.get("GATE_TOKEN"), environ.get("GITHUB_SERVER_URL")
    if not token or not server:
        return {}
    import base64  # only a base that has to be fetched needs it

    name = f"http.{server.rstrip('/')}/.extraheader"
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    count = environ.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdecimal() else 0
    settings = [(name, ""), (name, f"AUTHORIZATION: basic {basic}")]
    found = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (key, value) in enumerate(settings, first):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def event(environ: Mapping[str, str] | None = None) -> Event | None:
    """The event that the environment tells of, None where it tells of none. ChangeError where it cannot be read."""
    environ = os.environ if environ is None else environ
    name = environ.get("GITHUB_EVENT_NAME")
    if not name:
        return None
    payload = _payload(environ.get("GITHUB_EVENT_PATH", ""), name)
    sha = environ.get("GITHUB_SHA") or None
    if name not in _OF_PULL_REQUESTS:
        return Event(name=name, payload=payload, sha=sha)
    try:
        found = msgspec.convert(payload, _Payload)
    except msgspec.ValidationError as error:
        raise _unusable(name, f"its payload is not that of a pull request: {error}") from None
    request = found.pull_request
    for side, commit in (("base", request.base.sha), ("head", request.head.sha)):
        if not is_object_id(commit):
            raise _unusable(name, f"`pull_request.{side}.sha` is {commit!r}, which is no commit id")
    return Event(
        name=name,
        payload=payload,
        sha=sha,
        base_sha=request.base.sha,
        head_sha=request.head.sha,
        number=found.number or request.number,
        fork=request.head.repo is None or request.head.repo != request.base.repo,
    )


class _Repository(msgspec.Struct, frozen=True):
    full_name: str


class _Side(msgspec.Struct, frozen=True):
    sha: str
    repo: _Repository | None = None


class _Request(msgspec.Struct, frozen=True):
    base: _Side
    head: _Side
    number: int | None = None


class _Payload(msgspec.Struct, frozen=True):
    pull_request: _Request
    number: int | None = None


def _payload(path: str, name: str) -> dict[str, Any]:
    if not path:
        raise _unusable(name, "`GITHUB_EVENT_PATH` names no file")
    try:
        payload = msgspec.json.decode(open_file(Path(path)))
    except SourceError as error:
        raise _unusable(name, f"its payload cannot be read: {error.message}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unusable(name, f"its payload in {path} is no JSON: {error}") from None
    if not isinstance(payload, dict):
        raise _unusable(name, f"its payload in {path} is {type(payload).__name__}, expected a mapping")
    return payload


def _unusable(name: str, why: str) -> ChangeError:
    return ChangeError(
        f"the event {name!r} (`GITHUB_EVENT_NAME`) cannot be used: {why}; outside of GitHub Actions unset it, or name "
        "the change with `--base REF`",
        kind="event",
    )
