"""`gate convert`: a recording in, an ATIF document out."""

import json
from pathlib import Path

import atif
import pytest

from gate.cli import main

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
    assert told.err.startswith(f"gate: {path}: no reader knows this format: the file is empty; known are ")
    assert main(["convert", str(tmp_path / "no.json")]) == 2
    assert "no.json" in capsys.readouterr().err
