"""What the oracle `expected_files` lets pass, and what it finds."""

from collections.abc import Mapping

import pytest

from gate.errors import CannotJudge
from gate.oracles.expected_files import ExpectedFiles
from gate.tree import EXECUTABLE, SYMLINK
from tests.oracles.trials import evidence, findings, trial

START = {"src/a.py": b"1\n", "old.txt": b"x" * 100}


@pytest.mark.parametrize(
    ("oracle", "changes", "modes"),
    [
        pytest.param({"must_exist": ("src/a.py",)}, {}, {}, id="there from the start"),
        pytest.param({"must_exist": ("out.txt",)}, {"out.txt": b""}, {}, id="created, even empty"),
        pytest.param({"must_exist": ("run.sh",)}, {"run.sh": b"#!"}, {"run.sh": EXECUTABLE}, id="an executable file"),
        pytest.param({"must_not_exist": ("src/b.py", "src/a")}, {}, {}, id="a name that only begins like one there"),
        pytest.param({"must_not_exist": ("old.txt",)}, {"old.txt": None}, {}, id="taken away"),
        pytest.param(
            {"max_bytes_per_file": 10}, {"new": b"0123456789"}, {}, id="as large as allowed; an old file counts not"
        ),
        pytest.param({"max_bytes_per_file": 99}, {"old.txt": None}, {}, id="a large file taken away"),
        pytest.param({"max_bytes_per_file": 0}, {"l": b"src/a.py"}, {"l": SYMLINK}, id="a link has no size"),
    ],
)
def test_passes(oracle: Mapping[str, object], changes: Mapping[str, bytes | None], modes: Mapping[str, int]) -> None:
    assert evidence(ExpectedFiles(**oracle), trial(START, changes, modes=modes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("oracle", "changes", "modes", "expected"),
    [
        pytest.param(
            {"must_exist": ("out.txt", "src/a.py")},
            {},
            {},
            [("File is missing: out.txt: there is nothing of that name", "file_missing")],
            id="missing",
        ),
        pytest.param(
            {"must_exist": ("src",)},
            {},
            {},
            [("File is missing: src: it is a folder, and no file", "file_missing")],
            id="a folder is no file",
        ),
        pytest.param(
            {"must_exist": ("l",)},
            {"l": b"src/a.py"},
            {"l": SYMLINK},
            [("File is missing: l: it is a symbolic link, and no file", "file_missing")],
            id="a link is no file",
        ),
        pytest.param(
            {"must_not_exist": ("old.txt",)}, {}, {}, [("File must not be there: old.txt", "file_forbidden")], id="file"
        ),
        pytest.param(
            {"must_not_exist": ("src",)}, {}, {}, [("Folder must not be there: src", "file_forbidden")], id="folder"
        ),
        pytest.param(
            {"must_not_exist": ("l",)},
            {"l": b"/nowhere"},
            {"l": SYMLINK},
            [("Link must not be there: l", "file_forbidden")],
            id="a link that leads nowhere",
        ),
        pytest.param(
            {"must_exist": ("old.txt",), "max_bytes_per_file": 99},
            {},
            {},
            [("File is too large: old.txt has more than 99 bytes", "file_too_large")],
            id="a required file",
        ),
        pytest.param(
            {"max_bytes_per_file": 3},
            {"new.bin": b"1234", "src/a.py": b"12345"},
            {},
            [
                ("File is too large: new.bin has more than 3 bytes", "file_too_large"),
                ("File is too large: src/a.py has more than 3 bytes", "file_too_large"),
            ],
            id="created and changed files that nobody requires",
        ),
        pytest.param(
            {"must_exist": ("a",), "must_not_exist": ("old.txt",), "max_bytes_per_file": 1},
            {"b": b"12"},
            {},
            [
                ("File is missing: a: there is nothing of that name", "file_missing"),
                ("File must not be there: old.txt", "file_forbidden"),
                ("File is too large: b has more than 1 bytes", "file_too_large"),
            ],
            id="each is a check of its own",
        ),
    ],
)
def test_fails(
    oracle: Mapping[str, object],
    changes: Mapping[str, bytes | None],
    modes: Mapping[str, int],
    expected: list[tuple[str, str]],
) -> None:
    found = findings(ExpectedFiles(**oracle), trial(START, changes, modes=modes))  # type: ignore[arg-type]
    assert [(one.message, one.kind) for one in found] == expected


def test_a_path_that_leads_out_is_no_question() -> None:
    with pytest.raises(CannotJudge) as caught:
        list(ExpectedFiles(must_exist=("../x",)).judge(trial(START)))
    assert caught.value.message == "'../x' leads out of the workspace"


def test_what_a_baseline_says() -> None:
    assert ExpectedFiles(must_not_exist=("x",)).holds_untouched
    assert not ExpectedFiles(must_exist=("x",)).holds_untouched
