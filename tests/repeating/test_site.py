"""The workspace on disk in which formatters run: what reaches it, what comes back, and what never does."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.editing.edit import Replace, Write
from gate.trajectory import Ok, Step
from gate.tree import EXECUTABLE, SYMLINK, MemoryTree
from tests.repeated import Programs, command, programs, ruff, run

__all__ = ["programs", "ruff"]

UGLY, NEAT = b"x = {  'a':1 }\n", b'x = {"a": 1}\n'


@pytest.mark.usefixtures("ruff")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ruff format", id="everything"),
        pytest.param("ruff format src/a.py", id="a file"),
        pytest.param("ruff format /w/src", id="a folder"),
        pytest.param("cd src && ruff format a.py && git diff --stat", id="in a folder"),
        pytest.param("cd /w/src && ruff format ../src/*.py | tail -3", id="a pattern and a pipe"),
        pytest.param("(cd src; uv run ruff format .) && pytest", id="by uv"),
        pytest.param("python -m ruff format src", id="by python -m"),
        pytest.param("uvx ruff@0.9 format src >/dev/null 2>&1", id="by uvx"),
        pytest.param("timeout 60 .venv/bin/ruff format src", id="by its path"),
        pytest.param("CI=1 ruff format src; echo done", id="a harmless variable"),
        pytest.param("bash -lc 'ruff format src'", id="by bash -c"),
    ],
)
def test_a_real_formatter(text: str) -> None:
    ran = run(text, start={"src/a.py": UGLY, "src/b.txt": UGLY}, interest=["src/a.py"])
    assert ran.files == {"src/a.py": NEAT, "src/b.txt": UGLY}


@pytest.mark.usefixtures("ruff")
def test_the_project_s_configuration_counts() -> None:
    start = {"a.py": UGLY, "ruff.toml": b'format.quote-style = "single"\n'}
    assert run("ruff format", start=start, interest=["a.py"]).files["a.py"] == b"x = {'a': 1}\n"


@pytest.mark.usefixtures("ruff")
def test_a_formatter_that_leaves_complaints_has_written_all_the_same() -> None:
    start = {"a.py": b"import os\nimport sys\nprint(undefined)\n"}
    ran = run(command("ruff check --fix a.py", exit_code=1), start=start, interest=["a.py"])
    assert ran.said == ["step 1: repeated: ruff check --fix a.py"]
    assert ran.files == {"a.py": b"print(undefined)\n"}


@pytest.mark.usefixtures("ruff")
def test_a_formatter_that_only_fails() -> None:
    (said,) = run("ruff format a.py", start={"a.py": b"x = (\n"}, interest=["a.py"]).said
    assert said.startswith("step 1: not repeated: it fails here: error: Failed to parse a.py:")


@pytest.mark.usefixtures("ruff")
def test_edits_and_commands_take_turns() -> None:
    write = Step(number=1, tool="write", ok=Ok.YES, edits=(Write(path="n.py", content=UGLY),))
    change = Step(number=3, tool="edit", ok=Ok.YES, edits=(Replace(path="n.py", old=b'"a": 1', new=b"'b':2"),))
    ran = run(write, "ruff format", change, "mv n.py m.py; ruff format; echo '#' >> m.py", "ruff format --quiet m.py")
    assert ran.files == {"m.py": b'x = {"b": 2}\n#\n'}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pretty --write .", None),
        ("prettier --write .", "prettier is not on the gate's PATH"),
        ("gofmt -w a.go", "gofmt is not on the gate's PATH"),
        ("NODE_OPTIONS=--require=./x.js prettier --write .", "it sets NODE_OPTIONS"),
        ("env PATH=. prettier --write .", "it sets PATH"),
        ("find . -name '*.ts' -exec prettier --write {} +", "find gives it its files"),
        ("git ls-files | xargs prettier --write", "xargs gives it its files"),
        ("cd /tmp && prettier --write .", "the folder that it ran in is not one of the workspace"),
        ("cd $X && prettier --write .", "the folder that it ran in is not one of the workspace"),
        ("cd nowhere && prettier --write .", "there is no folder nowhere"),
        ("prettier --write $(git diff --name-only)", "only a shell would tell what $(git diff --name-only) stands for"),
        ("rustfmt src/lib.rs", "no file that matters here is one that rustfmt writes"),
    ],
)
def test_is_not_repeated(text: str, reason: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for name in ("prettier", "gofmt"):
        if Path(f"/usr/bin/{name}").exists():
            pytest.skip(f"{name} is installed here")
    ran = run(text, start={"a.ts": b"1", "a.go": b"1"}, interest=["a.ts", "a.go"])
    assert ran.said == ([f"step 1: not repeated: {reason}"] if reason else [])


def test_a_program_of_the_workspace_itself_is_never_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "node_modules/.bin:.:/usr/bin:/bin")
    bad = b"#!/bin/sh\necho bad > a.lua\n"
    start = MemoryTree(
        {"a.lua": b"1", "stylua": bad, "node_modules/.bin/stylua": bad},
        modes=dict.fromkeys(("stylua", "node_modules/.bin/stylua"), EXECUTABLE),
    )
    ran = run("./node_modules/.bin/stylua a.lua", "./stylua a.lua", start=start, interest=["a.lua"])
    assert ran.files["a.lua"] == b"1"
    assert ran.said == [f"step {step}: not repeated: stylua is not on the gate's PATH" for step in (1, 2)]


class TestAHostileFormatter:
    """Configuration in the workspace may run code in a formatter: what it leaves there is no way out."""

    @pytest.fixture
    def secret(self, tmp_path: Path) -> Iterator[Path]:
        path = tmp_path / "secret"
        path.write_text("secret")
        yield path
        assert path.read_text() == "secret"

    def test_no_link_is_read_or_written_through(self, programs: Programs, secret: Path) -> None:
        programs.add("prettier", f"rm -rf a.ts d; ln -s {secret} a.ts; ln -s {secret.parent} d")
        start = {"a.ts": b"1", "d/secret": b"2"}
        assert run("prettier --write .", start=start, interest=start).files == {"a.ts": b"1"}
        ran = run(
            "prettier --write .", "echo 3 > a.ts; echo 4 > d/secret; prettier --write a.ts", start=start, interest=start
        )
        assert b"secret" not in b"".join(ran.files.values())

    def test_a_folder_in_the_place_of_a_file(self, programs: Programs) -> None:
        programs.add("prettier", "rm -rf a.ts; mkdir a.ts")
        ran = run("prettier --write .", "echo 2 > a.ts; prettier --write .", start={"a.ts": b"1"}, interest=["a.ts"])
        assert ran.said == [
            "step 1: repeated: prettier --write .",
            "step 2: repeated: echo 2 > a.ts",
            "step 2: not repeated: there is no workspace on disk: 'a.ts' cannot be written to the workspace: Is a directory",
        ]

    def test_no_pipe_is_waited_for(self, programs: Programs) -> None:
        programs.add("prettier", "rm a.ts; mkfifo a.ts")
        assert run("prettier --write .", start={"a.ts": b"1"}, interest=["a.ts"]).files == {}

    def test_time_is_bounded(self, programs: Programs) -> None:
        programs.add("prettier", "echo 2 > a.ts; sleep 60")
        programs.add("eslint", "echo 3 >> a.ts")
        ran = run("prettier --write .; eslint --fix .", start={"a.ts": b"1"}, interest=["a.ts"], seconds=0.5)
        assert ran.said == [
            "step 1: not repeated: prettier did not end within 0.5 s",
            "step 1: repeated: eslint --fix .",
        ]
        assert ran.files == {"a.ts": b"13\n"}

    def test_all_time_together_is_bounded(self, programs: Programs) -> None:
        programs.add("prettier", "sleep 60")
        ran = run(*["prettier --write ."] * 15, start={"a.ts": b"1"}, interest=["a.ts"], seconds=0.05)
        assert ran.said[-1] == "step 15: not repeated: repeating has taken 0.5 s already"

    def test_no_secret_is_in_its_environment(self, programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GITHUB_TOKEN", "hunter2")
        programs.add("prettier", "env > a.ts; pwd >> a.ts")
        seen = run("prettier --write .", start={"a.ts": b"1"}, interest=["a.ts"]).files["a.ts"]
        assert b"hunter2" not in seen
        assert str(Path.cwd()).encode() not in seen.split(b"\n")


def test_only_what_matters_is_read_back(programs: Programs) -> None:
    programs.add("prettier", 'for f in a.ts b.ts c.ts n.ts; do echo "x" >> $f; done')
    start = {"a.ts": b"1", "b.ts": b"1", "c.ts": b"1"}
    edit = Step(number=1, tool="edit", ok=Ok.YES, edits=(Write(path="c.ts", content=b"2"),))
    ran = run(edit, "prettier --write b.ts .", start=start, interest=["a.ts", "n.ts"])
    assert ran.files == {"a.ts": b"1x\n", "b.ts": b"1x\n", "c.ts": b"2x\n", "n.ts": b"x\n"}
    assert run("prettier --write .", start=start, interest=["a.ts"]).files == {**start, "a.ts": b"1x\n"}


def test_the_disk_keeps_step(programs: Programs) -> None:
    programs.add(
        "prettier", "cat a.ts d/b.ts > all.ts 2>/dev/null; ls -d */ >> all.ts; test -x r.ts && echo x >> all.ts"
    )
    start = MemoryTree({"a.ts": b"1\n", "d/b.ts": b"2\n", "r.ts": b"", "l": b"a.ts"}, modes={"l": SYMLINK})
    ran = run(
        "prettier --write .",
        "rm d/b.ts; echo 3 > a.ts; mkdir -p e/f; chmod +x r.ts; prettier --write .",
        "rm -r d; mv a.ts d.ts; mkdir d; mv d.ts d/b.ts; prettier --write .",
        start=start,
        interest=["all.ts"],
    )
    assert ran.said[0] == "step 1: repeated: prettier --write ."
    assert ran.files["all.ts"] == b"3\nd/\ne/\nx\n"


def test_a_tree_that_cannot_be_on_disk(programs: Programs) -> None:
    programs.add("prettier", "exit 0")
    start = MemoryTree({"a.ts": b"1", "l": b"/etc"}, modes={"l": SYMLINK})
    assert run("prettier --write .", start=start, interest=["a.ts"]).said == [
        "step 1: not repeated: there is no workspace on disk: the link 'l' leads out of the workspace, to '/etc'"
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="what is left in /dev/shm and /tmp is looked at")
def test_nothing_is_left_behind(programs: Programs) -> None:
    programs.add("prettier", "echo 2 > a.ts")
    places = [Path("/dev/shm"), Path("/tmp")]
    before = {path for place in places for path in place.glob("gate-*")}
    run("prettier --write .; sed -i s/2/3/ a.ts", start={"a.ts": b"1"}, interest=["a.ts"])
    after = {path for place in places for path in place.glob("gate-*")}
    assert not [path for path in after - before if (path / "a.ts").exists()]
