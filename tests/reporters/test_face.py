import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from gate.report import Report
from gate.reporters import annotations, code_quality, console, face, json_report, junit, sarif, summary
from gate.reporters.face import Targets
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

ROOT = Path(__file__).parent.parent.parent


def publish(report: Report, targets: Targets) -> tuple[str, list[str]]:
    out = io.StringIO()
    refused = face.publish(report, targets, out)
    return out.getvalue(), refused


def child(code: str, stdout: int | None = None) -> "subprocess.Popen[str]":
    """A process that publishes and exits by the verdict."""
    program = (
        f"import sys\nfrom pathlib import Path\nfrom gate.reporters.face import *\nfrom tests import reports\n{code}"
    )
    command = [sys.executable, "-c", program]
    return subprocess.Popen(command, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True, encoding="utf-8")


def test_every_surface_is_written(tmp_path: Path) -> None:
    targets = Targets(
        junit=tmp_path / "out" / "deep" / "junit.xml",
        json=tmp_path / "out" / "report.json",
        summary=tmp_path / "summary.md",
        sarif=tmp_path / "gate.sarif",
        code_quality=tmp_path / "quality.json",
        github_summary=tmp_path / "step",
        github_output=tmp_path / "outputs",
        annotations=True,
    )
    shown, refused = publish(reports.BAD, targets)
    where = f"the step's summary and {targets.junit} and {targets.json} and {targets.summary} have all"
    assert refused == []
    assert shown == annotations.render(reports.BAD, where=where) + console.render(reports.BAD)
    assert (tmp_path / "out" / "deep" / "junit.xml").read_bytes() == junit.render(reports.BAD)
    assert (tmp_path / "out" / "report.json").read_text() == json_report.render(reports.BAD)
    assert (tmp_path / "summary.md").read_text() == (tmp_path / "step").read_text() == summary.render(reports.BAD)
    assert runner.outputs((tmp_path / "outputs").read_text()) == {
        "verdict": "fail",
        "passed": "3",
        "failed": "1",
        "errors": "1",
        "skipped": "2",
        "junit": str(targets.junit),
        "json": str(targets.json),
        "summary": str(targets.summary),
        "sarif": str(targets.sarif),
        "check-run-url": "",
    }
    assert (tmp_path / "gate.sarif").read_text() == sarif.render(reports.BAD)
    assert (tmp_path / "quality.json").read_text() == code_quality.render(reports.BAD)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "gate.sarif",
        "junit.xml",
        "outputs",
        "quality.json",
        "report.json",
        "step",
        "summary.md",
    ]


def test_the_terminal_is_asked_as_the_targets_say(tmp_path: Path) -> None:
    assert publish(reports.BAD, Targets()) == (console.render(reports.BAD), [])
    for quiet, verbose, colour, width in [(True, False, False, 100), (False, True, True, 60)]:
        shown, _ = publish(reports.BAD, Targets(quiet=quiet, verbose=verbose, colour=colour, width=width))
        assert shown == console.render(reports.BAD, quiet=quiet, verbose=verbose, colour=colour, width=width)


def test_the_profile_reaches_the_junit_report(tmp_path: Path) -> None:
    publish(reports.BAD, Targets(junit=tmp_path / "j.xml", junit_profile="strict"))
    assert (tmp_path / "j.xml").read_bytes() == junit.render(reports.BAD, profile=junit.Profile.STRICT)


@pytest.mark.parametrize(
    ("link", "path", "leads"),
    [
        pytest.param("../outside", "reports/junit.xml", "outside", id="out of the checkout"),
        pytest.param("../outside", "reports/new/junit.xml", "outside/new", id="and to a folder that is not there"),
        pytest.param(".git/hooks", "reports/junit.xml", "repo/.git/hooks", id="into git's own folder"),
        pytest.param("sub", "reports/junit.xml", None, id="to another folder of the checkout"),
        pytest.param("../outside", "../outside/junit.xml", None, id="a place outside that is named as one"),
    ],
)
def test_a_link_of_the_checkout_leads_no_report_out_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str, path: str, leads: str | None
) -> None:
    root = tmp_path / "repo"
    for folder in (".git/hooks", "sub"):
        (root / folder).mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "junit.xml").write_text("another's")
    (root / "reports").symlink_to(link)
    monkeypatch.chdir(root / "sub")
    _, refused = publish(reports.BAD, Targets(junit=Path("..", path)))
    if leads is None:
        assert (refused, (root / path).read_bytes()[:5]) == ([], b"<?xml")
        return
    assert refused == [
        f"the JUnit report could not be written to ../{path}: a link in the way leads to {tmp_path / leads}, out of the "
        "checkout; name that place itself; the verdict stands without it"
    ]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["junit.xml"]
    assert (tmp_path / "outside" / "junit.xml").read_text() == "another's"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("folder", "Is a directory"),
        ("link-to-folder", "Is a directory"),
        ("file/junit.xml", "Not a directory"),
        ("/proc/nowhere/junit.xml", "No such file or directory"),
        ("/dev/full", "No space left on device"),
        ("nul\0.xml", "ValueError: embedded null byte"),
        ("n" * 300, "File name too long"),
    ],
)
def test_a_file_that_cannot_be_written_is_said_and_stops_nothing(tmp_path: Path, path: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link-to-folder").symlink_to("folder")
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    targets = Targets(junit=tmp_path / path, json=tmp_path / "report.json", github_output=tmp_path / "outputs")
    shown, refused = publish(reports.BAD, targets)
    assert refused == [
        f"the JUnit report could not be written to {tmp_path / path}: {reason}; the verdict stands without it"
    ]
    assert shown == console.render(reports.BAD, refused=refused)
    assert (tmp_path / "report.json").read_text() == json_report.render(reports.BAD)
    outputs = runner.outputs((tmp_path / "outputs").read_text())
    assert (outputs["verdict"], outputs["junit"], outputs["json"]) == ("fail", "", str(targets.json))
    assert sorted(tmp_path.rglob("*")) == sorted([*before, tmp_path / "report.json", tmp_path / "outputs"])


def test_a_report_of_an_earlier_run_does_not_pass_for_this_one(tmp_path: Path) -> None:
    (tmp_path / "j.xml").write_text("<old/>")
    _, refused = publish(reports.BAD, Targets(junit=tmp_path / "j.xml", junit_profile="unknown"))
    assert refused == [
        f"the JUnit report could not be written to {tmp_path / 'j.xml'}: "
        "ValueError: 'unknown' is not a valid Profile; the verdict stands without it"
    ]
    assert not (tmp_path / "j.xml").exists()


def test_a_link_is_replaced_and_never_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("untouched")
    (tmp_path / "j.xml").symlink_to("precious")
    assert publish(reports.GOOD, Targets(junit=tmp_path / "j.xml"))[1] == []
    assert (tmp_path / "precious").read_text() == "untouched"
    assert (tmp_path / "j.xml").read_bytes() == junit.render(reports.GOOD)


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    assert publish(reports.GOOD, Targets(json=tmp_path / "pipe"))[1] == []
    reader.join()
    assert read == [json_report.render(reports.GOOD).encode()]
    assert (tmp_path / "pipe").is_fifo()


def test_a_descriptor_by_its_name_is_written_to(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        assert publish(reports.GOOD, Targets(json=Path(f"/dev/fd/{out.fileno()}")))[1] == []
    assert (tmp_path / "out").read_text() == json_report.render(reports.GOOD)


@pytest.mark.parametrize("ignored", [True, False], ids=["no space", "killed"])
def test_no_half_report_is_left(tmp_path: Path, ignored: bool) -> None:
    """A write beyond the limit fails, as on a full disk; or its signal kills the gate in the middle of it."""
    (tmp_path / "step").write_text("before\n")
    (tmp_path / "j.xml").write_text("<old/>")
    signals = "" if ignored else "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)"
    process = child(
        f"import resource, signal\n{signals}\nresource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        f"folder = Path({str(tmp_path)!r})\nreport = reports.many(1_000)\n"
        "publish(report, Targets(junit=folder / 'j.xml', github_summary=folder / 'step'), open('/dev/null', 'w'))\n"
        "sys.exit(report.exit_code)"
    )
    assert process.communicate()[1] == ""
    assert (tmp_path / "step").read_text() == "before\n"
    if ignored:
        assert process.returncode == 1
        assert [path.name for path in tmp_path.iterdir()] == ["step"]
    else:
        assert process.returncode < 0
        assert (tmp_path / "j.xml").read_text() == "<old/>"


def test_what_a_step_wrote_before_stays(tmp_path: Path) -> None:
    (tmp_path / "step").write_text("# before")
    (tmp_path / "outputs").write_text("a=b\n")
    publish(reports.GOOD, Targets(github_summary=tmp_path / "step", github_output=tmp_path / "outputs"))
    assert (tmp_path / "step").read_text() == "# before\n" + summary.render(reports.GOOD)
    outputs = runner.outputs((tmp_path / "outputs").read_text())
    assert (outputs["a"], outputs["verdict"], outputs["junit"]) == ("b", "pass", "")


def test_a_step_s_summary_keeps_its_size_together_with_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "step").write_bytes(b"x" * 800_000)
    publish(reports.many(2_000, size=1_000), Targets(github_summary=tmp_path / "step"))
    assert 900_000 < (tmp_path / "step").stat().st_size <= summary.LIMIT
    (tmp_path / "step").write_bytes(b"x" * 1_000_000)
    _, refused = publish(reports.many(2_000, size=1_000), Targets(github_summary=tmp_path / "step"))
    assert refused == [
        f"the step's summary could not be written to {tmp_path / 'step'}: 1000000 bytes are in it already, "
        "and GitHub takes 1048576; the verdict stands without it"
    ]
    assert (tmp_path / "step").stat().st_size == 1_000_000


@pytest.mark.parametrize(
    ("targets", "told"),
    [
        (Targets(), "the log has all"),
        (Targets(github_summary=Path("step")), "the step's summary has all"),
        (Targets(github_summary=Path("step"), json=Path("r.json")), "the step's summary and r.json have all"),
        (Targets(json=Path("/proc/nowhere/r.json")), "the log has all"),
    ],
)
def test_annotations_say_where_the_rest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, targets: Targets, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shown, _ = publish(reports.many(12), msgspec.structs.replace(targets, annotations=True))
    found = runner.annotations(shown)
    assert found[-1].message == f"3 more errors: GitHub shows 10 of a level for each step, {told}"


def test_a_terminal_that_knows_few_characters_gets_the_rest_escaped() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="")
    assert face.publish(msgspec.structs.replace(reports.EMPTY, change="é 数"), Targets(), out) == []
    assert b"change: \\xe9 \\u6570\n" in raw.getvalue()


def test_a_reader_that_went_away_changes_nothing() -> None:
    read, write = os.pipe()
    os.close(read)
    process = child(
        "report = reports.many(5_000)\nprint(publish(report, Targets(), sys.stdout))\nsys.exit(1)", stdout=write
    )
    os.close(write)
    assert process.communicate()[1] == ""
    assert process.returncode == 1


def test_a_terminal_that_takes_nothing_changes_nothing() -> None:
    with open("/dev/full", "w") as full:
        process = child(
            "print(publish(reports.BAD, Targets(), sys.stdout), file=sys.stderr)\nsys.exit(1)", stdout=full.fileno()
        )
        sentence = "the report could not be printed: No space left on device"
        assert process.communicate()[1] == f"['{sentence}']\n"
    assert process.returncode == 1


def test_a_quick_run_loads_no_writer() -> None:
    process = child(
        "publish(reports.EMPTY, Targets(), sys.stdout)\n"
        "heavy = 'junit_xml rich json xml tempfile shutil difflib dataclasses asyncio logging'.split()\n"
        "print([name for name in sys.modules if name in heavy or name.startswith('gate.reporters.')], file=sys.stderr)",
        stdout=subprocess.DEVNULL,
    )
    small = ["gate.reporters.excerpt", "gate.reporters.score", "gate.reporters.console", "gate.reporters.face"]
    assert process.communicate()[1] == f"{small}\n"


@whole_runs
@given(REPORTS)
def test_the_runner_sees_no_command_but_ours(report: Report) -> None:
    shown, refused = publish(report, Targets(annotations=True, verbose=True))
    found = runner.commands(shown)
    assert refused == []
    assert found == runner.commands(annotations.render(report, where="the log has all"))
    assert {command.name for command in found} <= {"error", "warning", "notice"}


def test_a_standard_output_that_is_closed_is_said_and_loses_no_file(tmp_path: Path) -> None:
    told = face.publish(reports.BAD, Targets(json=tmp_path / "out.json"), None)
    assert told == ["the report could not be printed: standard output is closed; the verdict stands"]
    assert (tmp_path / "out.json").is_file()
