"""The one error boundary, and which verb is called."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate import __version__
from gate.cli import main
from tests.conftest import ROOT


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"gate {__version__}\n"


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for verb in (ROOT / "gate" / "commands").glob("[a-z]*.py"):
        assert f"\n  {verb.stem:9} " in text


def test_no_verb_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().out.startswith("usage: gate VERB")


def test_an_unknown_verb_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rnu"]) == 2
    assert capsys.readouterr().err == "gate: there is no verb 'rnu'; did you mean `run`?\n"


def test_what_a_user_can_mend_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["plan"]) == 3
    assert capsys.readouterr().err == (
        f"gate: {tmp_path} is in no git repository, so there is no change to judge; "
        "run inside one, or pass `--diff all` to judge every task\n"
    )


_NONE = "version: 1\ntasks:\n" + "".join(f"  - {{id: t{at}, oracles: [{{type: nope}}]}}\n" for at in range(2000))
_TALK = json.dumps({"steps": [{"tool": "read", "args": {"path": "x" * 300_000}}]})


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param("explain --schema", 0, id="much"),
        pytest.param("explain test_must_pass", 0, id="little"),
        pytest.param("--help", 0, id="help"),
        pytest.param("convert talk.json", 0, id="a document"),
        pytest.param("check", 2, id="a verdict"),
    ],
)
def test_a_reader_who_leaves_early_changes_nothing(tmp_path: Path, words: str, code: int) -> None:
    (tmp_path / "gate.yaml").write_text(_NONE)
    (tmp_path / "talk.json").write_text(_TALK)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "gate.yaml"], cwd=tmp_path, check=True)
    read, write = os.pipe()
    os.close(read)  # before a word was written, so that it is the same each time
    command = [sys.executable, "-P", "-m", "gate", *words.split()]
    done = subprocess.run(command, cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (code, "")


def test_a_module_of_the_current_folder_hides_none_of_ours(tmp_path: Path) -> None:
    for name in ("argparse", "json", "yaml", "msgspec", "gc"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit({name!r})")
    done = subprocess.run(
        [sys.executable, "-m", "gate", "explain", "--schema"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_is_130() -> None:
    script = "import gate.registry, sys\ndef no(*_): raise KeyboardInterrupt\ngate.registry.load = no\n"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script + "from gate.cli import main\nsys.exit(main(['run']))"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "gate: interrupted\n")


def test_the_program_ends_as_main_does_and_is_not_looked_through_for_garbage() -> None:
    script = "import gc, sys\nfrom gate.__main__ import main\nsys.argv = ['gate', 'rnu']\ncode = main()\n"
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"{script}print(code, gc.get_freeze_count() > 1000, gc.get_threshold()[0])"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("2 True 200000\n", "gate: there is no verb 'rnu'; did you mean `run`?\n")


@pytest.mark.parametrize("verb", ["run", "plan", "check"])
def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path, verb: str) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {sys.executable} -P -m gate {verb}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = "the folder that the gate was started in cannot be used: No such file or directory; change to another one"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"gate: {said}\n")
