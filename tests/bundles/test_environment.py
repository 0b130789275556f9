"""The environment pin: asked of the interpreter itself, and every field that differs is shown."""

import platform
import sys

import pytest

from gate.bundles.environment import Drift, Pin, drift, here, read, refused, render
from gate.digest import sha256
from gate.errors import BundleError, SourceError
from gate.policy import Require
from tests.bundles.interpreters import other_python

PIN = Pin(
    python="3.11.2",
    platform="Linux-6.1.0-x86_64-with-glibc2.36",
    lock="requirements.lock",
    lock_sha256=sha256(b"a"),
    tools={"git": "git version 2.39.5"},
)


def test_of_this_interpreter() -> None:
    found = here(python=None)
    assert found == Pin(python=platform.python_version(), platform=platform.platform())
    assert found == here(python=sys.executable)


def test_of_another_interpreter() -> None:
    found = here(python=other_python())
    assert found.python != platform.python_version()


def test_lock_and_tools() -> None:
    found = here(python=None, tools=["git", "no-such-program"], lock="x.lock", read_lock={"x.lock": b"a"}.get)
    assert (found.lock, found.lock_sha256) == ("x.lock", sha256(b"a"))
    assert found.tools["git"].startswith("git version ")
    assert found.tools["no-such-program"] == ""
    assert here(python=None, lock="y.lock", read_lock={"x.lock": b"a"}.get).lock_sha256 is None


def test_a_lock_that_is_not_there_or_cannot_be_read() -> None:
    def missing(name: str) -> bytes:
        raise SourceError(f"{name}: there is no such file", kind="not_found")

    def link(name: str) -> bytes:
        raise SourceError(f"{name} is a symbolic link", kind="is_link")

    assert here(python=None, lock="x.lock", read_lock=missing).lock_sha256 is None
    with pytest.raises(BundleError) as caught:
        here(python=None, lock="x.lock", read_lock=link)
    assert caught.value.message == "the lock file cannot be read: x.lock is a symbolic link"
    assert caught.value.kind == "is_link"


def test_an_interpreter_that_is_none() -> None:
    with pytest.raises(BundleError) as caught:
        here(python="/bin/false")
    assert caught.value.message == (
        "the interpreter /bin/false does not say its version (exit 1); name another with `--python`, or with "
        "`defaults.python` of the manifest"
    )


def test_round_trip() -> None:
    assert read(render(PIN), "b") == PIN


def test_the_seed_s_form_is_read() -> None:
    found = read(b'{"python": "3.11.2", "platform": "Linux-x86_64", "lock_sha256": null}', "b")
    assert found.lock_sha256 is None
    assert found.gaps == ("the environment pin holds no lock file, so nothing says which packages were installed",)
    assert (found.python, found.platform) == ("3.11.2", "Linux-x86_64")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"python": "3"}', "b/env_pin.json:1: `platform` is missing"),
        (
            '{"python": "", "platform": "x", "tools": {"/bin/sh": ""}}',
            "b/env_pin.json: `tools`: expected names of programs, found '/bin/sh'",
        ),
        (
            '{"python": "", "platform": "x", "lock": "/etc/passwd"}',
            "b/env_pin.json: `lock`: expected a path relative to the bundle, found '/etc/passwd'",
        ),
        ("x", "b/env_pin.json: expected a mapping, found 'x'"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(BundleError) as caught:
        read(text.encode(), "b")
    assert caught.value.message.replace("json:1: exp", "json: exp") == message


def test_a_pin_that_names_nothing() -> None:
    pin = Pin(python="", platform="x", lock_sha256="y")
    assert pin.gaps == ("the environment pin does not name the python",)


@pytest.mark.parametrize(
    ("change", "line", "compatible"),
    [
        pytest.param({"python": "3.11.9"}, "python: pinned 3.11.2, here 3.11.9", True, id="a patch of Python"),
        pytest.param({"python": "3.12.2"}, "python: pinned 3.11.2, here 3.12.2", False, id="a minor of Python"),
        pytest.param(
            {"python": "3.11.2 (PyPy)"}, "python: pinned 3.11.2, here 3.11.2 (PyPy)", False, id="another kind of Python"
        ),
        pytest.param(
            {"platform": "Linux-6.8-x86_64"},
            "platform: pinned Linux-6.1.0-x86_64-with-glibc2.36, here Linux-6.8-x86_64",
            True,
            id="another kernel",
        ),
        pytest.param(
            {"platform": "Linux-6.1.0-aarch64-with-glibc2.36"},
            "platform: pinned Linux-6.1.0-x86_64-with-glibc2.36, here Linux-6.1.0-aarch64-with-glibc2.36",
            False,
            id="another processor",
        ),
        pytest.param(
            {"lock_sha256": None},
            f"lock requirements.lock: pinned {sha256(b'a')}, here no such file",
            False,
            id="no lock",
        ),
        pytest.param(
            {"lock_sha256": sha256(b"b")},
            f"lock requirements.lock: pinned {sha256(b'a')}, here {sha256(b'b')}",
            False,
            id="another lock",
        ),
        pytest.param({"tools": {}}, "tool git: pinned git version 2.39.5, here none", False, id="no such tool"),
    ],
)
def test_drift_is_shown_field_by_field(change: dict[str, str], line: str, compatible: bool) -> None:
    fields = {name: getattr(PIN, name) for name in Pin.__struct_fields__}
    found = drift(PIN, Pin(**{**fields, **change}))
    assert [one.line for one in found] == [line]
    assert bool(refused(found, Require.EXACT))
    assert bool(refused(found, Require.COMPATIBLE)) is not compatible
    assert not refused(found, Require.NONE)


def test_none_drifts_from_itself() -> None:
    assert drift(PIN, PIN) == ()
    assert refused([Drift(field="f", pinned="a", found="b", compatible=True)], Require.COMPATIBLE) == ()
