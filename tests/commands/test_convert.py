"""`gate convert`: a recording in, an ATIF document out."""

import io
import json
import subprocess
import sys
from pathlib import Path

import atif
import pytest

from gate import inlet
from gate.cli import main
from gate.errors import SourceError
from tests.commands.repository import RECORDING, gate, piped, write

TRAJECTORY = {"steps": [{"tool": "write_file", "args": {"path": "a.py", "content": "é\n"}}], "metadata": {"agent": "x"}}


def test_prints_a_valid_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rec.json"
    path.write_text(json.dumps(TRAJECTORY))
    assert main(["convert", str(path), "--to", "atif"]) == 0
    found = json.loads(capsys.readouterr().out)
    atif.Trajectory.model_validate(found)
    assert found["extra"] == {"converter": "trajectory-gate", "format": "agentbench", "recording": str(path)}
    assert found["steps"][0]["tool_calls"][0]["arguments"] == {"path": "a.py", "content": "é\n"}


def test_says_what_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rec.json"
    path.write_text("")
    assert main(["convert", str(path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"gate: {path}: the file is empty; expected a recording\n"
    assert main(["convert", str(tmp_path / "no.json")]) == 2
    assert "no.json" in capsys.readouterr().err


def test_a_recording_on_standard_input(tmp_path: Path) -> None:
    write(tmp_path, {"r.json": RECORDING})
    plain = gate(tmp_path, "convert", "r.json")
    given = piped(tmp_path, (tmp_path / "r.json").read_text(), "convert", "-")
    assert (given.returncode, given.stdout) == (0, plain.stdout.replace('"r.json"', '"standard input"'))


@pytest.mark.parametrize("verb", ["convert", "replay"])
def test_what_cannot_be_read_from_standard_input(tmp_path: Path, verb: str) -> None:
    empty = piped(tmp_path, "", verb, "-")
    assert (empty.returncode, empty.stderr) == (2, "gate: standard input: the file is empty; expected a recording\n")
    command = f"{sys.executable} -P -m gate {verb} - <&-"
    closed = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    sentence = "gate: standard input is closed; expected a recording\n"
    assert (closed.returncode, closed.stderr) == (2, sentence)


def test_no_more_is_read_than_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"12345")))
    with pytest.raises(SourceError) as caught:
        inlet.read(4)
    assert caught.value.message == "standard input has more than 4 bytes, which is the most that is read"
