"""`gate bundle`, as a person calls it: what it prints, writes, and exits with."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from gate.digest import sha256
from tests.bundles.folder import SOLVED, bundle, write
from tests.bundles.interpreters import other_python
from tests.commands.repository import gate
from tests.conftest import Git

EXPECTED = '{"must_exist": ["src/a.py"], "must_not_exist": ["FORBIDDEN"], "max_bytes_per_file": 1}'
WHEN = {"SOURCE_DATE_EPOCH": "1700000000"}


def hashes(folder: Path) -> tuple[str, str]:
    return sha256((folder / "manifest.json").read_bytes()), sha256((folder / "env_pin.json").read_bytes())


def test_what_git_s_own_name_hides_is_no_part_of_a_bundle(tmp_path: Path, git: Git) -> None:
    folder = bundle(tmp_path / "bench")
    git("init", "-q", cwd=folder)
    assert gate(tmp_path, "bundle", "verify", "bench").returncode == 0
    write(folder, {"tasks/sum-01/oracle/.git/hidden.py": ""})
    for act in ("verify", "pin"):
        done = gate(tmp_path, "bundle", act, "bench")
        assert (done.returncode, done.stdout) == (
            2,
            "bench: tasks/sum-01/oracle/.git is git's own, which is neither read nor hashed; expected one at the top alone\n",
        )


def test_pin_and_verify(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", pin=False, more={"requirements.lock": "msgspec==0.20\n"})
    done = gate(tmp_path, "bundle", "pin", "bench/", **WHEN)
    whole, pin = hashes(folder)
    about = f"(Python {platform.python_version()} on {platform.platform()}, requirements.lock)"
    assert done.stdout == (
        f"pinned bench: 12 files, 2 tasks\n  bundle sha256:{whole}\n  pin    sha256:{pin} {about}\n"
        "note   there is no scan.json: `gate bundle scan` looks for its prompts in a corpus\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((folder / "manifest.json").read_text())["created_unix"] == 1_700_000_000
    assert json.loads((folder / "env_pin.json").read_text()) == {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "lock": "requirements.lock",
        "lock_sha256": sha256(b"msgspec==0.20\n"),
        "tools": {},
    }
    done = gate(tmp_path, "bundle", "verify", "bench")
    assert done.stdout == (
        f"bench: 12 files are what manifest.json says, 2 tasks\n  bundle sha256:{whole}\n  pin    sha256:{pin} {about}\n"
        "this machine is the pinned one, in every field of the pin\n"
    )
    assert done.returncode == 0


def test_verify_names_each_file(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench")
    (folder / "tasks/sum-01/prompt.md").unlink()
    write(folder, {"tasks/sum-02/prompt.md": "Another.\n", "tasks/sum-02/fixtures/manifest.json": "{}"})
    done = gate(tmp_path, "bundle", "verify", "bench")
    assert done.stdout == (
        "missing tasks/sum-01/prompt.md\nadded   tasks/sum-02/fixtures/manifest.json\nchanged tasks/sum-02/prompt.md\n"
        "bench is not what its manifest.json says: 1 missing, 1 added, 1 changed\n"
    )
    assert done.returncode == 2


def test_a_pin_is_the_same_wherever_and_whenever_it_is_made(tmp_path: Path, git: Git) -> None:
    for place in ("one", "two"):
        bundle(tmp_path / place / "bench", pin=False)
    assert gate(tmp_path / "one", "bundle", "pin", "bench", "--no-lock", **WHEN).returncode == 0
    assert gate(tmp_path / "two", "bundle", "pin", "bench", "--no-lock", **WHEN).returncode == 0
    assert hashes(tmp_path / "one/bench") == hashes(tmp_path / "two/bench")
    before = hashes(tmp_path / "one/bench")
    assert gate(tmp_path / "one", "bundle", "pin", "bench").returncode == 0, "what is pinned stays what it is"
    assert hashes(tmp_path / "one/bench") == before


def test_the_time_is_the_commit_s(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-q")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1600000000 +0000")
    git("commit", "-qm", "base", "--allow-empty")
    folder = bundle(tmp_path / "repo/bench", pin=False)
    assert gate(tmp_path / "repo", "bundle", "pin", "bench").returncode == 0
    assert json.loads((folder / "manifest.json").read_text())["created_unix"] == 1_600_000_000


@pytest.mark.parametrize(
    ("arguments", "environ", "message"),
    [
        (
            ("pin", "bench"),
            {},
            "bench: nothing says when it was made: outside of git, or before the first commit, set SOURCE_DATE_EPOCH to a "
            "time in seconds",
        ),
        (("pin", "bench"), {"SOURCE_DATE_EPOCH": "now"}, "SOURCE_DATE_EPOCH: expected a time in seconds, found 'now'"),
        (("pin", "none"), WHEN, "none: there is no such folder; expected a bundle's"),
        (("pin", "bench", "--lock", "x.lock"), WHEN, "x.lock: there is no such lock file"),
        (
            ("pin", "bench", "--lock", "x\\y.lock"),
            WHEN,
            "--lock: expected a name that every system can read, found ../x\\y.lock",
        ),
        (
            ("pin", "bench", "--lock", "\udcff.lock"),
            WHEN,
            "--lock: expected a name that every system can read, found ../\\xff.lock",
        ),
        (("pin", "bench", "--tool", "../x"), WHEN, "--tool: expected the name of a program, found '../x'"),
        (
            ("pin", "bench", "--tool", "git", "--tool", "no-such-program"),
            WHEN,
            "--tool: no-such-program is not on the PATH, or `no-such-program --version` says nothing: there is no version "
            "to pin",
        ),
        (
            ("pin", "bench", "--tool", "false"),
            WHEN,
            "--tool: false is not on the PATH, or `false --version` says nothing: there is no version to pin",
        ),
        (("pin", "bench", "--lock", "x", "--no-lock"), WHEN, "--lock and --no-lock do not go together"),
        (
            ("verify", "bench"),
            {},
            "bench: there is no manifest.json, so nothing says what the bundle held; write one with `gate bundle pin "
            "bench`",
        ),
        (
            ("pin", "bench", "--python", "/bin/false"),
            WHEN,
            "the interpreter /bin/false does not say its version (exit 1); name another with `--python`, or with "
            "`defaults.python` of the manifest",
        ),
    ],
)
def test_faults(tmp_path: Path, arguments: tuple[str, ...], environ: dict[str, str], message: str) -> None:
    bundle(tmp_path / "bench", pin=False)
    done = gate(tmp_path, "bundle", *arguments, **environ)
    assert (done.stdout, done.stderr, done.returncode) == (f"{message}\n", "", 2)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(
            {"tasks/sum-01/oracle/expected_files.json": '{"must_exist": [], "must_not_exist": []}'},
            "bench/tasks/sum-01/oracle/expected_files.json:1: `max_bytes_per_file` is missing",
            id="missing key",
        ),
        pytest.param(
            {
                "tasks/sum-01/oracle/expected_files.json": '{"must_exist": ["../x"], "must_not_exist": [], "max_bytes_per_file": 1}'
            },
            "bench/tasks/sum-01/oracle/expected_files.json:1: `must_exist[0]`: '../x' leads out of the workspace",
            id="..",
        ),
        pytest.param(
            {"tasks/sum-03/fixtures/a": "x"},
            "bench/tasks/sum-03: there is no prompt.md, so nothing says what was asked",
            id="no prompt",
        ),
        pytest.param(
            {"tasks/sum-01/prompt.md": b"\xff"},
            "bench/tasks/sum-01/prompt.md: the text is not UTF-8: byte 0 is not valid",
            id="no text",
        ),
        pytest.param(
            {"tasks/sum-01/fixtures/inner/manifest.json": '{"schema": "oracle-bundle/v1"}'},
            "bench: tasks/sum-01/fixtures/inner/manifest.json is the manifest of another bundle; a bundle holds none, so "
            "keep them side by side",
            id="a bundle in a bundle",
        ),
        pytest.param(
            {"metrics.json": '{"budget": {"tokens": 0}}'},
            "bench/metrics.json: `budget.tokens`: expected a number above 0, found 0",
            id="metrics",
        ),
        pytest.param(
            {"metrics.json": '{"budget": {" ": 5}}'},
            "bench/metrics.json: `budget`: expected the name of a unit, found ' '",
            id="a budget of nothing",
        ),
        pytest.param(
            {"tasks/sum-01/oracle/expected_files.json": EXPECTED.replace("FORBIDDEN", "src/a.py")},
            "bench/tasks/sum-01/oracle/expected_files.json:1: `must_exist` holds 'src/a.py', and `must_not_exist` "
            "'src/a.py': no workspace can have both",
            id="required and forbidden",
        ),
        pytest.param(
            {"tasks/sum-01/oracle/expected_files.json": EXPECTED.replace("FORBIDDEN", "src")},
            "bench/tasks/sum-01/oracle/expected_files.json:1: `must_exist` holds 'src/a.py', and `must_not_exist` 'src': no "
            "workspace can have both",
            id="required in a folder that is forbidden",
        ),
        pytest.param(
            {"tasks/SUM-01/prompt.md": "x"},
            "bench: tasks/SUM-01 and tasks/sum-01 are one name on some systems; rename one",
            id="tasks that differ by case",
        ),
        pytest.param(
            {"tasks/sum-01/fixtures/\u00e9.py": "", "tasks/sum-01/fixtures/e\u0301.py": ""},
            "bench: tasks/sum-01/fixtures/e\u0301.py and tasks/sum-01/fixtures/\u00e9.py are one name on some systems; rename "
            "one",
            id="names that differ by composition",
        ),
        pytest.param(
            {"metrics.json": '{"budgt": {},\n"ngram_width": "x"}'},
            "bench/metrics.json:1: `budgt`: unknown key; did you mean `budget`?\n"
            "bench/metrics.json:2: `ngram_width`: expected a whole number, found 'x'",
            id="two faults",
        ),
        pytest.param(
            {"metrics.json": '{"tools": ["no-such-program"]}'},
            "bench/metrics.json: `tools`: no-such-program is not on the PATH, or `no-such-program --version` says "
            "nothing: there is no version to pin",
            id="no such tool",
        ),
    ],
)
def test_what_cannot_be_pinned(tmp_path: Path, files: dict[str, str | bytes], message: str) -> None:
    folder = bundle(tmp_path / "bench", pin=False, more=files)
    done = gate(tmp_path, "bundle", "pin", "bench", **WHEN)
    assert (done.stdout, done.returncode) == (f"{message}\n", 2)
    assert not (folder / "manifest.json").exists()


def test_a_link_cannot_be_pinned(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", pin=False)
    (folder / "manifest.json").symlink_to(tmp_path / "elsewhere")
    done = gate(tmp_path, "bundle", "pin", "bench", **WHEN)
    assert (done.stdout, done.returncode) == (
        "bench: manifest.json is a symbolic link; expected a plain file\n",
        2,
    )
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("name", ["manifest.json", "env_pin.json"])
def test_what_cannot_be_written(tmp_path: Path, name: str) -> None:
    folder = bundle(tmp_path / "bench", pin=False)
    (folder / name).mkdir()
    done = gate(tmp_path, "bundle", "pin", "bench", **WHEN)
    assert (done.stdout, done.stderr, done.returncode) == (
        f"bench/{name} cannot be written: Is a directory\n",
        "",
        2,
    )


def test_a_manifest_that_is_a_link(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench")
    (folder / "manifest.json").rename(tmp_path / "elsewhere")
    (folder / "manifest.json").symlink_to("../elsewhere")
    done = gate(tmp_path, "bundle", "verify", "bench")
    assert (done.stdout, done.returncode) == ("bench: manifest.json is a symbolic link; expected a plain file\n", 2)


def test_a_budget_that_nobody_measures_is_a_note(tmp_path: Path) -> None:
    bundle(tmp_path / "bench", pin=False, more={"metrics.json": '{"budget": {"token": 5, "tokens": 5}}'})
    done = gate(tmp_path, "bundle", "pin", "bench", "--no-lock", **WHEN)
    assert (
        "note   metrics.json: `budget.token` is measured nowhere, so nothing is ever over it; wall_clock_seconds and tokens "
        "are"
    ) in done.stdout.splitlines()


def test_what_is_worth_a_note(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", pin=False)
    for name in ("metrics.json", "tasks/sum-01/LICENSE.md", "tasks/sum-02/oracle/tests.py"):
        (folder / name).unlink()
    done = gate(tmp_path, "bundle", "pin", "bench", **WHEN)
    assert [line for line in done.stdout.splitlines() if line.startswith("note")] == [
        "note   the environment pin holds no lock file, so nothing says which packages were installed",
        "note   there is no metrics.json, so no budget is declared before the run, and no rate of this bundle is "
        "publishable",
        "note   there is no scan.json: `gate bundle scan` looks for its prompts in a corpus",
        "note   sum-01: the task has no note on its licence: add tasks/sum-01/LICENSE.md",
        "note   sum-02: there is no oracle/tests.py, so the task can never pass",
    ]


def test_verify_reports_a_task_without_a_licence_note(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", tasks=3, pin=False, more={"tasks/sum-02/LICENSE.md": ""})
    (folder / "tasks/sum-01/LICENSE.md").unlink()
    assert gate(tmp_path, "bundle", "pin", "bench", "--no-lock", **WHEN).returncode == 0
    done = gate(tmp_path, "bundle", "verify", "bench")
    assert done.stdout.splitlines()[3:] == [
        "note   sum-01: the task has no note on its licence: add tasks/sum-01/LICENSE.md",
        "note   sum-02: the task has no note on its licence: add tasks/sum-02/LICENSE.md",
        "this machine is the pinned one, in every field of the pin",
    ]
    assert done.returncode == 0


def test_nothing_that_is_named_is_a_command_in_a_log(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "::add-mask::x", tasks=1)
    write(folder, {"tasks/sum-01/fixtures/##[error]x": ""})
    done = gate(tmp_path, "bundle", "verify", "::add-mask::x")
    assert done.stdout == (
        "added   tasks/sum-01/fixtures/##\\[error]x\n\\::add-mask::x is not what its manifest.json says: 1 added\n"
    )
    write(folder, {"tasks/sum-01/fixtures/a\n::stop-commands::x": ""})
    done = gate(tmp_path, "bundle", "verify", "::add-mask::x")
    assert done.stdout == (
        "\\::add-mask::x: a bundle cannot hold this file: 'a\\n::stop-commands::x' is not a file name on every system\n"
    )


def test_drift_is_shown_and_refused(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench")
    here = f"Python {platform.python_version()}"
    write(
        folder,
        {
            "env_pin.json": json.dumps(
                {
                    "python": "3.2.1",
                    "platform": platform.platform(),
                    "lock_sha256": "a",
                    "tools": {"git": "git version 1"},
                }
            )
        },
    )
    done = gate(tmp_path, "bundle", "verify", "bench")
    lines = done.stdout.splitlines()[3:]
    assert lines[0] == f"refused python: pinned 3.2.1, here {here.removeprefix('Python ')}"
    assert lines[1] == "refused lock requirements.lock: pinned a, here no such file"
    assert lines[2].startswith("refused tool git: pinned git version 1, here git version ")
    assert lines[3:] == [
        "this machine is too far from the pinned one for `--require compatible`",
        "with `--require none` differences are shown and not refused; `gate bundle pin bench` pins the bundle for this "
        "machine",
    ]
    assert done.returncode == 2
    done = gate(tmp_path, "bundle", "verify", "bench", "--require", "none")
    assert [line[:7] for line in done.stdout.splitlines()[3:]] == ["drift  "] * 3
    assert done.returncode == 0


def test_pinned_on_one_python_and_verified_on_another(tmp_path: Path) -> None:
    other = other_python()
    folder = bundle(tmp_path / "bench", tasks=10, pin=False)
    assert gate(tmp_path, "bundle", "pin", "bench", "--python", sys.executable, **WHEN).returncode == 0
    one = hashes(folder)
    done = gate(tmp_path, "bundle", "verify", "bench", "--python", other)
    assert done.stdout.splitlines()[0] == "bench: 51 files are what manifest.json says, 10 tasks"
    assert done.stdout.splitlines()[3].startswith(f"refused python: pinned {platform.python_version()}, here ")
    assert done.returncode == 2
    assert gate(tmp_path, "bundle", "verify", "bench", "--python", other, "--require", "none").returncode == 0
    assert gate(tmp_path, "bundle", "pin", "bench", "--python", other, **WHEN).returncode == 0
    assert hashes(folder)[0] == one[0], "the manifest does not depend on the interpreter"
    assert hashes(folder)[1] != one[1]


def test_tools_are_pinned(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bench", pin=False, more={"metrics.json": '{"tools": ["git"]}'})
    assert gate(tmp_path, "bundle", "pin", "bench", "--tool", "sh-that-is", **WHEN).returncode == 2
    assert not (folder / "env_pin.json").exists()
    assert gate(tmp_path, "bundle", "pin", "bench", "--tool", "env", **WHEN).returncode == 0
    tools = json.loads((folder / "env_pin.json").read_text())["tools"]
    assert [(name, version.startswith(name)) for name, version in tools.items()] == [("env", True), ("git", True)]


def test_no_act(tmp_path: Path) -> None:
    done = gate(tmp_path, "bundle")
    assert done.returncode == 2
    assert "the following arguments are required: pin|verify" in done.stderr


def test_the_gate_itself_on_another_python(tmp_path: Path) -> None:
    """`.ci/run` installs the gate on a second Python where there is one, and names it in GATE_ELSEWHERE."""
    elsewhere = os.environ.get("GATE_ELSEWHERE")
    if not elsewhere:
        pytest.skip("set GATE_ELSEWHERE to a `gate` that is installed on another Python, as .ci/run does")

    def there(*arguments: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, **WHEN}
        done = subprocess.run(
            [elsewhere, *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        return done

    folder = bundle(tmp_path / "bench", tasks=10, pin=False)
    assert gate(tmp_path, "bundle", "pin", "bench", **WHEN).returncode == 0
    pinned = (folder / "manifest.json").read_bytes()
    done = there("bundle", "verify", "bench", "--require", "none")
    assert done.stdout.startswith("bench: 51 files are what manifest.json says, 10 tasks\n")
    assert f"drift   python: pinned {platform.python_version()}, here " in done.stdout
    assert done.returncode == 0
    for number in range(1, 11):
        write(tmp_path / "out" / f"sum-{number:02}", SOLVED)
    assert there("run", "--bundle", "bench", "--workspaces", "out").returncode == 2, "it is not the pinned Python"
    assert there("run", "--bundle", "bench", "--workspaces", "out", "--require", "none").returncode == 0
    assert there("bundle", "pin", "bench").returncode == 0
    assert (folder / "manifest.json").read_bytes() == pinned
