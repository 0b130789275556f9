"""What every test may ask for: the folder of real input, and throw-away git repositories."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes is the machine's affair: with its other cores at work it may be any time.
settings.register_profile("gate", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gate")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of real recordings, tasks and schemas; not part of the project."""
    found = Path(os.environ.get("GATE_CASES") or ROOT.parent / "shared" / "cases")
    if not found.is_dir():
        pytest.skip(f"no real input at {found}: set GATE_CASES to the folder that holds it")
    return found


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing of the machine's CI, hook or git configuration reaches a test."""
    for name in list(os.environ):
        if name.startswith(("GITHUB_", "RUNNER_", "ACTIONS_", "GIT_", "PRE_COMMIT")) or name in ("CI", "NO_COLOR"):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "gitconfig"
    if not home.exists():
        home.write_text(
            "[user]\n\tname = Test\n\temail = test@example.org\n[init]\n\tdefaultBranch = main\n"
            '[protocol "file"]\n\tallow = always\n[commit]\n\tgpgsign = false\n'
        )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run git in `tmp_path/repo` (made by the first call) or in the folder given as `cwd`."""

    def run(*arguments: str | bytes, cwd: Path | None = None, check: bool = True) -> str:
        folder = cwd or tmp_path / "repo"
        if not folder.exists():
            folder.mkdir(parents=True)
            subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
        if check and done.returncode:
            raise AssertionError(f"git {arguments!r}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode("utf-8", "surrogateescape").strip("\n")

    return run
