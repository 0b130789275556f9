"""What differs: git's raw list and what it means."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.changes.diff import Entry, entries
from gate.errors import ChangeError

ZERO, ONE, TWO = "0" * 40, "1" * 40, "2" * 40


def _entry(path: str, status: str, *, modes: tuple[int, int], ids: tuple[str, str] = (ONE, TWO)) -> Entry:
    return Entry(path=path, status=status, old_mode=modes[0], new_mode=modes[1], old_id=ids[0], new_id=ids[1])


class TestEntries:
    """The raw list, `-z`."""

    def test_nothing_is_no_entry(self) -> None:
        assert entries(b"") == ()

    @pytest.mark.parametrize(
        ("raw", "entry"),
        [
            pytest.param(
                f":000000 100644 {ZERO} {ONE} A\0a\nb\0",
                _entry("a\nb", "A", modes=(0, 0o100644), ids=(ZERO, ONE)),
                id="added",
            ),
            pytest.param(
                f":100755 000000 {ONE} {ZERO} D\0:x\0",
                _entry(":x", "D", modes=(0o100755, 0), ids=(ONE, ZERO)),
                id="deleted",
            ),
            pytest.param(
                f":100644 100755 {ONE} {ONE} M\0a\0",
                _entry("a", "M", modes=(0o100644, 0o100755), ids=(ONE, ONE)),
                id="mode",
            ),
            pytest.param(f":100644 120000 {ONE} {TWO} T\0a\0", _entry("a", "T", modes=(0o100644, 0o120000)), id="type"),
            pytest.param(f":160000 160000 {ONE} {TWO} M\0a\0", _entry("a", "M", modes=(0o160000,) * 2), id="submodule"),
        ],
    )
    def test_each_kind(self, raw: str, entry: Entry) -> None:
        assert entries(raw.encode()) == (entry,)

    @given(st.lists(st.tuples(st.binary(min_size=1).filter(lambda path: b"\0" not in path), st.sampled_from("AMDT"))))
    def test_every_path_comes_back_as_the_bytes_it_was(self, files: list[tuple[bytes, str]]) -> None:
        raw = b"".join(f":100644 100644 {ONE} {TWO} {status}\0".encode() + path + b"\0" for path, status in files)
        assert [(os.fsencode(entry.path), entry.status) for entry in entries(raw)] == files

    @pytest.mark.parametrize(
        ("raw", "message"),
        [
            pytest.param(b":100644 1", "git's list of changes is cut off: it ends in b':100644 1'", id="cut"),
            pytest.param(b"a\0", "git's list of changes is cut off: it ends in b'a\\x00'", id="no-path"),
            pytest.param(b"a\0b\0", "git's list of changes is not understood: b'a'", id="no-facts"),
            pytest.param(b":x y 1 2 A\0b\0", "git's list of changes is not understood: b':x y 1 2 A'", id="modes"),
            pytest.param(b"\xff\0b\0", "git's list of changes is not understood: b'\\xff'", id="bytes"),
        ],
    )
    def test_what_is_not_understood_is_no_empty_list(self, raw: bytes, message: str) -> None:
        with pytest.raises(ChangeError) as caught:
            entries(raw)
        assert (caught.value.message, caught.value.exit_code) == (message, 3)
