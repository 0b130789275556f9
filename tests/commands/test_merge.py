"""`gate merge` as the last job of a matrix starts it."""

import json
from pathlib import Path

import pytest

from gate.reporters import json_report
from tests import reports
from tests.commands.repository import gate, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    told = {"linux.json": reports.GOOD, "mac.json": reports.BAD}
    write(tmp_path, {name: json_report.render(report) for name, report in told.items()})
    return tmp_path


def test_reports_of_several_jobs_are_one(folder: Path) -> None:
    done = gate(folder, "merge", "linux.json", "macOS 15=mac.json", "--json", "all.json", "--junit", "all.xml")
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads((folder / "all.json").read_text())
    assert [task["id"] for task in document["tasks"]] == [
        "pagination (linux)",
        "docs (linux)",
        "pagination (macOS 15)",
        "fix-add (macOS 15)",
        "docs (macOS 15)",
    ]
    assert "fix-add (macOS 15)" in (folder / "all.xml").read_text()
    again = gate(folder, "merge", "all=all.json")
    assert again.returncode == 1


def test_a_job_that_left_no_report_is_an_error(folder: Path) -> None:
    done = gate(folder, "merge", "linux.json", "windows.json")
    assert done.returncode == 4
    assert "windows.json: there is no such file" in done.stdout


@pytest.mark.parametrize(
    "words",
    [("linux.json", "other/linux.json"), ("a=linux.json", "a=mac.json"), ("=linux.json",), ("a=",)],
    ids=["the same name", "the same key", "no key", "no file"],
)
def test_a_key_stands_once(folder: Path, words: tuple[str, ...]) -> None:
    done = gate(folder, "merge", *words)
    assert done.returncode == 2
    assert f"{words[-1]!r}: expected KEY=REPORT.json, each KEY once" in done.stdout
