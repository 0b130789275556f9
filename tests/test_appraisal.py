"""Both lanes judged and sealed: `gate bundle report` as a person calls it."""

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gate.bundles.envelope import schema
from tests.bundles.folder import SOLVED, bundle, task, write
from tests.commands.repository import gate
from tests.conftest import Git

FIXTURE = {"calc.py": task(1)["fixtures/calc.py"]}


def recording(files: dict[str, str]) -> str:
    steps = [
        {"tool": "write_file", "args": {"path": name, "content": text}, "tokens_in": 15000, "tokens_out": 6000}
        for name, text in files.items()
    ]
    return json.dumps({"steps": steps})


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """A bundle that was pinned in the first commit; the second brings two lanes, as folders and as recordings."""
    git("init", "-q", cwd=tmp_path)
    bundle(tmp_path / "bench", pin=False, more={"requirements.lock": ""})
    assert gate(tmp_path, "bundle", "pin", "bench", SOURCE_DATE_EPOCH="1").returncode == 0
    git("add", "-A", cwd=tmp_path)
    git("commit", "-qm", "pin", cwd=tmp_path)
    for name, solved in (("sum-01", SOLVED), ("sum-02", FIXTURE)):
        write(tmp_path / "out" / name, SOLVED)
        write(tmp_path / "weak" / name, solved)
        write(tmp_path, {f"r/{name}.json": recording(solved)})
    git("add", "-A", cwd=tmp_path)
    git("commit", "-qm", "run", cwd=tmp_path)
    return tmp_path


def test_a_whole_report(root: Path) -> None:
    arguments = ("--workspaces", "out", "--control-workspaces", "weak", "--json", "e.json", "--statement", "s.json")
    done = gate(root, "bundle", "report", "bench", *arguments, "--rate")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    found = json.loads((root / "e.json").read_text())
    assert found["publishable"] is True
    assert found["candidate"]["rate"] == {"passed": 2, "tasks": 2, "rate": 1.0, "low": 0.3424, "high": 1.0}
    assert [one["passed"] for one in found["control"]["tasks"]] == [True, False]
    assert json.loads((root / "s.json").read_text())["predicate"]["result"] == "PASSED"
    assert len(found["candidate"]["tasks"][0]["subject"]["digest"]["dirHash"]) == 64


def test_recordings_tell_what_was_used(root: Path) -> None:
    done = gate(root, "bundle", "report", "bench", "--recordings", "r/{name}.json", "--json", "e.json")
    assert (done.stdout, done.returncode) == ("not publishable: there is no control lane\n", 0)
    one, two = json.loads((root / "e.json").read_text())["candidate"]["tasks"]
    assert (one["used"]["tokens"], one["over_budget"]) == (42000, ["tokens"])
    assert (two["used"]["tokens"], two["over_budget"], two["failed_checks"]) == (21000, ["tokens"], 2)
    assert len(two["subject"]["digest"]["sha256"]) == 64


@pytest.mark.parametrize("form", ["json", "markdown", "statement"])
def test_names_that_are_not_utf_8_are_shown(root: Path, form: str) -> None:
    write(root / "out\udcff" / "sum-01", SOLVED)
    write(root / "out\udcff" / "sum-02", SOLVED)
    (root / "bench").rename(root / "b\udcfe")
    done = gate(root, "bundle", "report", "b\udcfe", "--workspaces", "out\udcff", f"--{form}", "found")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("not publishable: ")
    shown = {"json": r"out\\xff", "markdown": "out&#92;xff", "statement": r"out\\xff/sum-02"}[form]
    assert shown in (root / "found").read_text()


def test_a_rate_that_is_not_publishable_is_refused(root: Path) -> None:
    (root / "out/sum-01/more").write_text("")
    done = gate(root, "bundle", "report", "bench", "--workspaces", "out", "--control-workspaces", "weak", "--rate")
    assert done.returncode == 1
    assert "- out/sum-01/more is in no commit yet, so nothing shows that the bundle came first\n" in done.stdout
    assert "%" not in done.stdout


def report(root: Path, *more: str) -> tuple[int, str, dict[str, Any], str, dict[str, Any]]:
    """The exit code and what is printed, and the three surfaces, of which an earlier run has left some."""
    write(root, {"e.json": '{"publishable": true}', "e.md": "100 %", "s.json": "{}"})
    lanes = ("--workspaces", "out", "--control-workspaces", "weak")
    forms = ("--json", "e.json", "--markdown", "e.md", "--statement", "s.json")
    done = gate(root, "bundle", "report", "bench", *lanes, *forms, *more)
    assert done.stderr == ""
    document, statement = (json.loads((root / name).read_text()) for name in ("e.json", "s.json"))
    jsonschema.validate(document, schema())
    return done.returncode, done.stdout, document, (root / "e.md").read_text(), statement


def test_a_missing_pin_is_the_reason_of_a_whole_report(root: Path) -> None:
    (root / "bench/env_pin.json").unlink()
    code, printed, found, page, statement = report(root)
    assert (code, printed) == (0, "not publishable: there is no env_pin.json\n")
    assert (found["publishable"], found["reasons"]) == (False, ["there is no env_pin.json"])
    assert [one["passed"] for one in found["control"]["tasks"]] == [True, False]
    assert (found["candidate"]["rate"], found["environment"]["pin"], found["problem"]) == (None, None, None)
    assert "**Not publishable**, so this page tells no rate:\n\n- there is no env_pin.json\n" in page
    assert (statement["predicate"]["result"], len(statement["predicate"]["configuration"])) == ("WARNED", 1)
    assert report(root, "--rate", "--require", "exact")[0] == 1
    text = json.dumps(found) + page + json.dumps(statement)
    assert "%" not in text
    assert " of 2" not in text


@pytest.mark.parametrize(
    ("change", "more", "message"),
    [
        pytest.param(
            {"bench/tasks/sum-01/prompt.md": ""},
            (),
            "bench is not what its manifest.json says (1 changed): changed tasks/sum-01/prompt.md; nothing of it is judged. "
            "`gate bundle verify bench` names each file",
            id="a file is changed",
        ),
        pytest.param(
            {"bench/manifest.json": None},
            (),
            "bench: there is no manifest.json, so nothing says what the bundle held; write one with `gate bundle pin bench`",
            id="no manifest",
        ),
        pytest.param(
            {"bench/env_pin.json": "{}"},
            (),
            "bench/env_pin.json:1: `python` is missing",
            id="a pin that cannot be read",
        ),
        pytest.param(
            {},
            ("--python", "/bin/false"),
            "the interpreter /bin/false does not say its version (exit 1); name another with `--python`, or with "
            "`defaults.python` of the manifest",
            id="no interpreter",
        ),
    ],
)
def test_where_nothing_is_judged_a_report_holds_one_error(
    root: Path, change: dict[str, str | None], more: tuple[str, ...], message: str
) -> None:
    for name, text in change.items():
        (root / name).unlink() if text is None else (root / name).write_text(text)
    code, printed, found, page, statement = report(root, "--rate", *more)
    assert (code, printed) == (2, f"{message}\n")
    assert (found["publishable"], found["reasons"], found["control"]) == (False, [message], None)
    assert (found["problem"]["message"], found["problem"]["exit_code"]) == (message, 2)
    (case,) = found["candidate"]["tasks"]
    assert (case["id"], case["outcome"], case["checks"][0]["reason"]) == ("bench", "error", message)
    assert page.startswith("# Bundle bench\n\n**Nothing was judged**, so this page tells no rate:\n\n- ")
    assert "%" not in page
    assert statement["predicate"] == {
        "result": "FAILED",
        "configuration": [],
        "passedTests": [],
        "warnedTests": [],
        "failedTests": ["bench"],
    }


def test_a_surface_that_cannot_be_written_is_said(root: Path) -> None:
    lanes = ("--workspaces", "out", "--control-workspaces", "weak")
    done = gate(root, "bundle", "report", "bench", *lanes, "--json", "out", "--markdown", "new/e.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == "the json of the bundle could not be written to out: Is a directory; the verdict stands without it\n"
    )
    assert (root / "new/e.md").read_text().startswith("# Bundle bench\n")


@pytest.mark.parametrize("control", ["out", "copy"])
def test_the_candidate_is_no_control(root: Path, git: Git, control: str) -> None:
    shutil.copytree(root / "out", root / "copy")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "the same again", cwd=root)
    lanes = ("--workspaces", "out", "--control-workspaces", control)
    done = gate(root, "bundle", "report", "bench", *lanes, "--rate", "--json", "e.json")
    assert (done.returncode, done.stdout) == (
        1,
        "not publishable: the control lane holds the same results as the candidate, so nothing shows that another agent was "
        "judged\n",
    )


def test_gate_run_judges_one_lane(root: Path) -> None:
    done = gate(root, "run", "--bundle", "bench", "--workspaces", "weak")
    assert done.returncode == 1
    assert "sum-02" in done.stdout
    assert "File is missing: result.txt: there is nothing of that name" in done.stdout
    assert "Gate summary: fail; tasks of a bundle are not counted, since that would be a rate\n" in done.stdout
    done = gate(root, "run", "--bundle", "bench", "--workspaces", "out")
    assert done.returncode == 0
    done = gate(root, "run", "--bundle", "bench")
    assert "--bundle DIR goes together with --workspaces DIR, or with --trajectory PATH" in done.stdout
    assert done.returncode == 2
