"""The time limit of a whole run: what it ends, what it leaves alone, and that nothing is judged falsely by it."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gate import deadline, process, surroundings
from gate.git import Git
from gate.objects import GitTree
from tests.bundles.folder import bundle
from tests.commands.repository import gate, write
from tests.conftest import Git as Run

SOON = 0.2
PASSED = "the time limit of 0.2 s for the whole run was over"


@contextmanager
def _ended() -> Iterator[None]:
    with pytest.raises(deadline.TimeUp) as caught:
        yield
    assert str(caught.value) == PASSED


def _spin() -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        pass


class TestLimit:
    """Which blocks it ends."""

    @pytest.mark.parametrize("work", [_spin, lambda: time.sleep(20)], ids=["computing", "waiting"])
    def test_ends_a_block_that_heeds_it(self, work: object) -> None:
        before = signal.getsignal(signal.SIGALRM)
        with deadline.limit(SOON), _ended(), deadline.heeding():
            work()  # type: ignore[operator]
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert not deadline.is_up()

    def test_leaves_every_other_block_alone(self) -> None:
        with deadline.limit(SOON):
            time.sleep(2 * SOON)
            assert deadline.is_up()
            assert deadline.left() == float("inf")
            with _ended(), deadline.heeding():
                raise AssertionError("it began when the time was up")

    def test_lets_a_held_block_come_to_its_end(self) -> None:
        seen = []
        with deadline.limit(SOON), _ended(), deadline.heeding():
            with deadline.held():
                time.sleep(2 * SOON)
                seen.append(deadline.left())
            seen.append(-1)
        assert seen == [0]

    def test_is_none_without_one(self) -> None:
        with deadline.limit(None), deadline.heeding(), deadline.held():
            assert (deadline.left(), deadline.is_up()) == (float("inf"), False)

    def test_outside_the_main_thread_it_counts_without_an_alarm(self) -> None:
        seen: list[object] = []

        def work() -> None:
            try:
                with deadline.limit(SOON), deadline.heeding():
                    process.run("sleep 20", cwd=Path("/"), environment=surroundings.environment(), timeout=30)
            except deadline.TimeUp as up:
                seen.append(str(up))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(15)
        assert seen == [PASSED]


class TestCommands:
    """What runs when the time is up is ended, and has not timed out by its own limit."""

    def test_a_command_and_what_it_started_are_ended(self, tmp_path: Path) -> None:
        command = "echo $$ > pids; sleep 5 & echo $! >> pids; wait; touch late"
        with deadline.limit(1), pytest.raises(deadline.TimeUp), deadline.heeding():
            process.run(command, cwd=tmp_path, environment=surroundings.environment(), timeout=30)
        for pid in (tmp_path / "pids").read_text().split():
            with pytest.raises(ProcessLookupError):
                os.kill(int(pid), 0)
        assert not (tmp_path / "late").exists()

    def test_a_program_of_ours_is_ended(self, tmp_path: Path) -> None:
        with deadline.limit(SOON), _ended(), deadline.heeding():
            process.capture(["sleep", "20"], cwd=tmp_path, environment=surroundings.environment())

    def test_a_command_that_does_not_heed_it_goes_on(self, tmp_path: Path) -> None:
        with deadline.limit(SOON):
            done = process.run("sleep 0.5", cwd=tmp_path, environment=surroundings.environment(), timeout=30)
        assert (done.exit_code, done.timed_out) == (0, False)


def _read_on(tree: GitTree, content: bytes) -> None:
    while True:
        assert tree.read("large") == content


def test_objects_are_read_aright_after_a_read_that_was_torn_apart(tmp_path: Path, git: Run) -> None:
    git("status")
    repo, content = tmp_path / "repo", os.urandom(20_000_000)
    (repo / "large").write_bytes(content)
    (repo / "small").write_bytes(b"small")
    git("add", ".")
    git("commit", "-qm", "one")
    for name in ("large", "small"):
        (repo / name).unlink()
    found = Git.discover(repo)
    assert found is not None
    with found:
        tree = found.tree(git("rev-parse", "HEAD"))
        assert tree.read("large") == content
        for seconds in (0.01, 0.02, 0.03):
            with deadline.limit(seconds), pytest.raises(deadline.TimeUp), deadline.heeding():
                _read_on(tree, content)
            assert tree.read("small") == b"small"


def _late(limit: int) -> tuple[str, str]:
    return "error", f"the time limit of {limit} s for the whole run was over before this was judged"


STUBBORN = '''
import time
from collections.abc import Iterator
from gate.oracle import Oracle, Trial
from gate.report import Finding

class Stubborn(Oracle, frozen=True):
    """Catches all that ends it, and is content."""
    def judge(self, trial: Trial) -> Iterator[Finding]:
        try:
            time.sleep(20)
        except BaseException:
            pass
        yield from ()
'''
FINE = '{type: test_must_pass, command: "true"}'


class TestRun:
    """`gate run --time-limit`: what is not judged in time is an error, and every report is written."""

    def _run(self, repo: Path, git: Run, *oracles: str, limit: int) -> tuple[int, list[tuple[str, str]]]:
        tasks = "".join(
            f"  - {{id: {name}, workspace: {{git: base}}, oracles: [{', '.join(own)}]}}\n"
            for name, own in (("first", oracles), ("second", (FINE,)))
        )
        git("status")
        write(repo, {"gate.yaml": f"version: 1\nplugins: [stubborn.py]\ntasks:\n{tasks}", "stubborn.py": STUBBORN})
        git("add", "-A")
        git("commit", "-qm", "judge")
        places = [f"--{name}={name}.out" for name in ("junit", "json", "summary")]
        done = gate(repo, "run", "--diff", "all", "--time-limit", f"{limit}s", *places)
        assert done.stderr == ""
        for name in ("junit", "summary"):
            assert _late(limit)[1] in (repo / f"{name}.out").read_text()
        report = json.loads((repo / "json.out").read_text())
        assert report["exit_code"] == done.returncode
        return done.returncode, [(v["outcome"], v["reason"]) for task in report["tasks"] for v in task["verdicts"]]

    def test_what_was_judged_stands_and_the_rest_is_an_error(self, tmp_path: Path, git: Run) -> None:
        slow = '{type: test_must_pass, command: "sleep 60"}'
        code, found = self._run(tmp_path / "repo", git, FINE, slow, FINE, limit=5)
        assert (code, found) == (4, [("pass", ""), _late(5), _late(5), _late(5)])

    def test_what_failed_in_time_fails(self, tmp_path: Path, git: Run) -> None:
        failing = '{type: test_must_pass, command: "false"}'
        code, found = self._run(tmp_path / "repo", git, failing, "{type: stubborn}", limit=5)
        assert (code, found) == (1, [("fail", ""), _late(5), _late(5)])

    def test_an_oracle_that_will_not_be_ended_does_not_pass(self, tmp_path: Path, git: Run) -> None:
        assert self._run(tmp_path / "repo", git, "{type: stubborn}", limit=2) == (4, [_late(2), _late(2)])

    def test_time_that_is_up_before_anything_is_judged(self, tmp_path: Path, git: Run) -> None:
        git("status")
        done = gate(tmp_path / "repo", "run", "--diff", "all", "--time-limit", "0.001", "--junit", "junit.xml")
        assert done.returncode == 4
        assert done.stdout == (
            "[ERROR] the time limit of 0.001 s for the whole run was over before anything was judged\n"
            "exit 4: nothing was judged, because the time was up\n"
        )
        assert "the time limit of 0.001 s" in (tmp_path / "repo" / "junit.xml").read_text()

    def test_it_holds_while_a_bundle_is_read(self, tmp_path: Path) -> None:
        folder = bundle(tmp_path / "bench")
        with (folder / "tasks/sum-01/fixtures/huge").open("wb") as huge:
            huge.truncate(64 << 30)  # it takes no room on the disk, and minutes to be hashed
        places = [f"--{name}={name}.out" for name in ("junit", "json", "summary")]
        began = time.monotonic()
        done = gate(tmp_path, "run", "--bundle=bench", "--workspaces=out", "--time-limit=2", *places)
        assert time.monotonic() - began < 20
        said = "the time limit of 2 s for the whole run was over before anything was judged"
        assert (done.returncode, done.stderr) == (4, "")
        assert done.stdout == f"[ERROR] {said}\nexit 4: nothing was judged, because the time was up\n"
        assert all(said in (tmp_path / f"{name}.out").read_text() for name in ("junit", "json", "summary"))

    @pytest.mark.parametrize("text", ["soon", "0", "-1", "10 parsecs"])
    def test_what_is_no_duration_is_refused(self, tmp_path: Path, git: Run, text: str) -> None:
        git("status")
        done = gate(tmp_path / "repo", "run", f"--time-limit={text}")
        assert (done.returncode, done.stdout) == (
            2,
            f"[ERROR] `--time-limit`: Expected a number of seconds above 0 (also `90s`, `2m`, `1h`), got {text!r}\n"
            "exit 2: nothing was judged\n",
        )
