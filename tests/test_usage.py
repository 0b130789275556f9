"""How a command line is read: what of it is refused, in which words, and what may be given all the same."""

import json
import os
from pathlib import Path

import junitparser
import pytest

from gate.cli import main
from gate.errors import UsageError
from gate.usage import Parser, keep_apart
from tests import runner

HELP = "`gate x --help` tells what there is"


def parser() -> Parser:
    found = Parser(prog="gate x")
    found.add_argument("recording", nargs="?")
    found.add_argument("--manifest")
    found.add_argument("--key", default="")
    found.add_argument("--task", action="append", default=[])
    found.add_argument("--diff", choices=["all"])
    for name in ("junit", "json", "summary", "sarif", "code-quality"):
        found.add_argument(f"--{name}")
    return found


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["--manifest", "a"], {"manifest": "a"}, id="once"),
        pytest.param(["--task", "a", "--task", "a"], {"task": ["a", "a"]}, id="one that collects"),
        pytest.param(["--key="], {"key": ""}, id="one that a workflow leaves empty"),
        pytest.param([], {"recording": None, "task": []}, id="nothing"),
    ],
)
def test_takes(words: list[str], expected: dict[str, object]) -> None:
    found = vars(parser().parse_args(words))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(
            ["--manifest", "a", "--manifest", "b"], "x: --manifest: it is given twice; expected one value", id="twice"
        ),
        pytest.param(["--json=a", "--json=a"], "x: --json: it is given twice; expected one value", id="the same twice"),
        pytest.param(
            ["--manifest", ""], "x: --manifest: its value is empty; expected one, or no such option", id="empty"
        ),
        pytest.param(
            ["--task="], "x: --task: its value is empty; expected one, or no such option", id="one of several"
        ),
        pytest.param(
            [""], "x: recording: its value is empty; expected one, or no such option", id="an empty file name"
        ),
        pytest.param(["--diff", "some"], "x: --diff: invalid choice: 'some' (choose from 'all')", id="choice"),
        pytest.param(["--manifst", "a"], "x: unrecognized arguments: --manifst", id="unknown"),
        pytest.param(["--mani", "a"], "x: unrecognized arguments: --mani", id="no abbreviation"),
        pytest.param(["--manifest"], "x: --manifest: expected one argument", id="no value"),
    ],
)
def test_refuses(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parser().parse_args(words)
    assert (caught.value.message, caught.value.exit_code) == (f"{message}; {HELP}", 2)


def test_one_sentence_is_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--json", "a", "--json", "b"]) == 2
    sentence = "gate: run: --json: it is given twice; expected one value; `gate run --help` tells what there is\n"
    assert capsys.readouterr() == ("", sentence)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--json", "a", "--junit", "b"], id="a file for each"),
        pytest.param(["--json", "/dev/null", "--junit", "/dev/null"], id="a device takes both"),
        pytest.param(["--json", "gate.yaml.json"], id="a file beside the manifest"),
        pytest.param(["--json", "./-"], id="a file called as standard output is"),
        pytest.param([], id="none"),
    ],
)
def test_reports_that_are_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    keep_apart(parser().parse_args(words), ["gate.yaml"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(
            ["--json", "x", "--junit", "x"], "--junit and --json both name x; expected a file for each", id="one"
        ),
        pytest.param(
            ["--json", "./a/../x", "--junit", "x"],
            "--junit and --json both name ./a/../x; expected a file for each",
            id="written otherwise",
        ),
        pytest.param(
            ["--junit", "x", "--code-quality", "link"],
            "--junit and --code-quality both name link; expected a file for each",
            id="by a link",
        ),
        pytest.param(
            ["--json", "gate.yaml"],
            "--json: gate.yaml is read by this run, and would be overwritten; name another file",
            id="what is read",
        ),
        pytest.param(
            ["--json", "-"],
            "--json: `-` is no file, and standard output has other text; name a file (`./-` is one called `-`)",
            id="standard output",
        ),
    ],
)
def test_reports_in_one_place_are_refused_and_nothing_is_written_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    os.symlink("x", "link")
    arguments = parser().parse_args(words)
    with pytest.raises(UsageError) as caught:
        keep_apart(arguments, [tmp_path / "gate.yaml"])
    assert caught.value.message == message
    assert (arguments.json, arguments.junit, arguments.code_quality) == (None, None, None)


def test_a_refused_command_line_writes_the_reports_that_it_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    reason = "run: --diff: invalid choice: 'some' (choose from 'all'); `gate run --help` tells what there is"
    assert main(["run", "--diff", "some", "--junit", "j.xml", "--json=r.json"]) == 2
    assert capsys.readouterr() == (f"[ERROR] {reason}\nexit 2: nothing was judged\n", "")
    assert junitparser.JUnitXml.fromfile("j.xml").errors == 1
    assert json.loads(Path("r.json").read_text())["problem"]["message"] == reason
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_OUTPUT", "output")
    assert main(["run", "--diff", "some"]) == 2
    said = runner.outputs(Path("output").read_text())
    assert (said["verdict"], said["errors"]) == ("error", "1")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--diff", "some"], id="none is asked for"),
        pytest.param(["--diff", "some", "--json", "gate.yaml"], id="one over the manifest"),
        pytest.param(["--json", "a", "--json", "b"], id="nobody can tell where"),
    ],
)
def test_a_refused_command_line_writes_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", *words]) == 2
    out, said = capsys.readouterr()
    assert (out, said.count("\n")) == ("", 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "option"),
    [
        pytest.param(["oracle", "--diff-output", "-"], "--diff-output", id="a diff"),
        pytest.param(
            ["bundle", "report", "b", "--workspaces", "w", "--statement", "-"], "--statement", id="a statement"
        ),
    ],
)
def test_no_file_is_called_as_standard_output_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    option: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = f"{option}: `-` is no file, and standard output has other text; name a file (`./-` is one called `-`)\n"
    told = "".join(capsys.readouterr()).removeprefix("gate: ")
    assert (told, list(tmp_path.iterdir())) == (said, [])
