"""Attempts that stay on this machine."""

import pytest

from gate.cmdline.reach import Reach


@pytest.mark.parametrize(
    ("hosts", "stays"),
    [
        pytest.param(("localhost", "127.0.0.1"), True, id="this machine"),
        pytest.param(("localhost", "a.b"), False, id="another one too"),
        pytest.param((), False, id="wherever that is"),
    ],
)
def test_what_stays_here(hosts: tuple[str, ...], stays: bool) -> None:
    assert Reach("curl", hosts, "").stays_here is stays
