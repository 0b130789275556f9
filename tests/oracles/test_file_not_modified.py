"""`file_not_modified`: what is unchanged, what is changed, and what protects nothing or cannot be known."""

from collections.abc import Mapping

import pytest

from gate.editing.edit import Write
from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.file_not_modified import FileNotModified
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import EXECUTABLE, SUBMODULE, SYMLINK, MemoryTree, Overlay
from tests.oracles.trials import evidence, findings, steps_of, trial

BEFORE = {
    "a.py": b"x = 1\ny = 2\nz = 3\n",
    "tests/test_a.py": b"def test(): ...\n",
    "tests/deep/test_b.py": b"",
    "tests/.hidden": b"",
    "app/[id]/page.tsx": b"",
    "logo.png": b"\x89PNG\0\1",
}

Changes = Mapping[str, bytes | None]


@pytest.mark.parametrize(
    ("path", "changes", "message"),
    [
        pytest.param("a.py", {}, "File unchanged: a.py", id="nothing changed"),
        pytest.param("a.py", {"b.py": b"new"}, "File unchanged: a.py", id="another was added"),
        pytest.param("a.py", {"tests/test_a.py": None}, "File unchanged: a.py", id="another was deleted"),
        pytest.param("a.py", {"a.py": BEFORE["a.py"]}, "File unchanged: a.py", id="written as it was"),
        pytest.param("./a.py", {}, "File unchanged: a.py", id="4 dot slash"),
        pytest.param("tests/**", {"a.py": b""}, "3 files unchanged: tests/**", id="glob"),
        pytest.param("tests/", {"tests2/x": b""}, "3 files unchanged: tests/", id="folder"),
        pytest.param("tests/*.py", {"tests/deep/x.py": b"new"}, "File unchanged: tests/test_a.py", id="a star stays"),
        pytest.param("app/[id]/page.tsx", {}, "File unchanged: app/[id]/page.tsx", id="a name that looks like a glob"),
    ],
)
def test_a_file_that_is_unchanged(path: str, changes: Changes, message: str) -> None:
    [shown] = evidence(FileNotModified(path=path), trial(BEFORE, changes))
    assert shown.message == message


@pytest.mark.parametrize(
    ("path", "changes", "found"),
    [
        pytest.param("a.py", {"a.py": b"x = 1\ny = 9\nz = 3\n"}, [("File was modified: a.py", "a.py", 2)], id="4 modified"),
        pytest.param("./a.py", {"a.py": b""}, [("File was modified: a.py", "a.py", 1)], id="4 dot slash"),
        pytest.param("a.py", {"a.py": b"x = 1\ny = 2\nz = 3"}, [("File was modified: a.py", "a.py", 3)], id="last newline"),
        pytest.param("a.py", {"a.py": b"x = 1\r\ny = 2\nz = 3\n"}, [("File was modified: a.py", "a.py", 1)], id="T11 CRLF"),
        pytest.param("a.py", {"a.py": b"x = 1\ny = 2\nz = 4\n"}, [("File was modified: a.py", "a.py", 3)], id="C08 same size"),
        pytest.param("a.py", {"a.py": None}, [("File was deleted: a.py", "a.py", None)], id="A19 deleted"),
        pytest.param("logo.png", {"logo.png": b"\x89PNG\0\2"}, [("File was modified: logo.png", "logo.png", None)], id="binary"),
        pytest.param(
            "tests/**",
            {"tests/test_a.py": b"", "tests/deep/test_b.py": None, "tests/new.py": b"", "a.py": b""},
            [
                ("File was deleted: tests/deep/test_b.py", "tests/deep/test_b.py", None),
                ("File was added: tests/new.py", "tests/new.py", None),
                ("File was modified: tests/test_a.py", "tests/test_a.py", 1),
            ],
            id="glob",
        ),
        pytest.param("tests/", {"tests/.hidden": b"x"}, [("File was modified: tests/.hidden", "tests/.hidden", 1)], id="hidden"),
        pytest.param(
            "tests/**",
            {"tests/test_a.py": None, "t2/test_a.py": BEFORE["tests/test_a.py"]},
            [("File was deleted: tests/test_a.py", "tests/test_a.py", None)],
            id="A19 moved away",
        ),
        pytest.param("**/conftest.py", {"x/conftest.py": b""}, [("File was added: x/conftest.py", "x/conftest.py", None)], id="C06 only added"),
        pytest.param("*\n*", {"odd\n.py": b""}, [("File was added: 'odd\\n.py'", "odd\n.py", None)], id="C09 odd name"),
    ],
)  # fmt: skip
def test_a_file_that_is_changed(path: str, changes: Changes, found: list[tuple[str, str, int | None]]) -> None:
    seen = findings(FileNotModified(path=path), trial(BEFORE, changes))
    assert [(one.message, one.path, one.line) for one in seen] == found
    assert {one.kind for one in seen} == {"protected_changed"}


def test_the_details_show_the_first_difference() -> None:
    [found] = findings(FileNotModified(path="a.py"), trial(BEFORE, {"a.py": b"x = 1\ny = \xff\n"}))
    assert found.details == "- y = 2\n+ y = \ufffd"


@pytest.mark.parametrize(
    ("mode", "content", "message"),
    [
        pytest.param(EXECUTABLE, BEFORE["a.py"], "Mode was changed: a.py (100644 to 100755)", id="C16 mode"),
        pytest.param(SYMLINK, b"b.py", "File was modified: a.py", id="C16 link"),
        pytest.param(SUBMODULE, b"0" * 40, "File was modified: a.py", id="C15 submodule"),
        pytest.param(SYMLINK, BEFORE["a.py"], "Mode was changed: a.py (100644 to 120000)", id="link of the same bytes"),
    ],
)
def test_a_mode_that_is_changed(mode: int, content: bytes, message: str) -> None:
    [found] = findings(FileNotModified(path="a.py"), trial(BEFORE, {"a.py": content}, modes={"a.py": mode}))
    assert found.message == message


@pytest.mark.parametrize(
    ("path", "changes", "message"),
    [
        pytest.param("gone.py", {}, "File not in initial workspace: gone.py", id="never there"),
        pytest.param("new.py", {"new.py": b""}, "File not in initial workspace: new.py", id="only added"),
        pytest.param("tests", {}, "File not in initial workspace: tests: it is a folder, write tests/**", id="folder"),
        pytest.param("docs/**", {}, "No file in the workspace matches docs/**", id="glob of nothing"),
        pytest.param("../x", {}, "File not in initial workspace: ../x", id="outside"),
        pytest.param("/etc/passwd", {}, "File not in initial workspace: /etc/passwd", id="absolute"),
    ],
)
def test_what_protects_nothing_cannot_be_judged(path: str, changes: Changes, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(FileNotModified(path=path), trial(BEFORE, changes))
    assert (caught.value.message, caught.value.kind) == (message, "not_in_workspace")


@pytest.mark.parametrize(
    ("path", "command", "named"),
    [
        pytest.param("a.py", "rm a.py", "a.py", id="5 rm"),
        pytest.param("a.py", "sed -i s/1/2/ ./a.py", "a.py", id="5 sed -i"),
        pytest.param("a.py", "cd tests && echo x >../a.py", "a.py", id="from a folder"),
        pytest.param("a.py", "cd /home/u/repo && rm a.py", "a.py", id="absolute folder"),
        pytest.param("a.py", "rm /home/u/repo/a.py", "a.py", id="absolute"),
        pytest.param("a.py", "sudo bash -c 'mv b.py a.py'", "a.py", id="wrapped"),
        pytest.param("a.py", "git checkout main", "a.py", id="whole tree"),
        pytest.param("a.py", "git stash", "a.py", id="stash"),
        pytest.param("a.py", "python - <<E\nopen('a.py', 'w')\nE", "a.py", id="script"),
        pytest.param("a.py", "black .", "a.py", id="formatter"),
        pytest.param("tests/**", "rm -rf tests", "tests/.hidden", id="folder of a glob"),
        pytest.param("tests/**", "rm tests/*.py", "tests/test_a.py", id="glob of a glob"),
        pytest.param("tests/**", "echo x > tests/new.py", "tests/new.py", id="added under a glob"),
        pytest.param("tests/**", "cp x tests/conftest.py", "tests/conftest.py", id="copied under a glob"),
        pytest.param("tests/**", "grep -rl x | xargs sed -i s/a/b/", "tests/.hidden", id="xargs"),
    ],
)
def test_a_recorded_command_that_may_have_changed_it_cannot_be_judged(path: str, command: str, named: str) -> None:
    given = trial(BEFORE, steps=steps_of("ls", command), replayed=True, directory="/home/u/repo")
    with pytest.raises(CannotJudge) as caught:
        findings(FileNotModified(path=path), given)
    assert caught.value.kind == "recorded_command"
    assert caught.value.message == (
        f"step 2 ran a command that may have changed {named}, which a replay of edits cannot show: {command!r}"
    )


CODE = "only running its code would tell which files it changes"
GLOB = "import glob\nfor p in glob.glob('*.py'):\n    open(p, 'w')\n"
READS = "from pathlib import Path\nfor p in Path('.').rglob('*.py'):\n    print(p.read_text())\n"
REPORTS = "import glob\nfor p in glob.glob('**'):\n    open('report.txt', 'a').write(p)\nopen('/tmp/x' + p, 'w')\n"
UNTOLD = "only a shell would tell what {} stands for"


@pytest.mark.parametrize(
    ("path", "command", "named", "why"),
    [
        pytest.param("a.py", "rm $(ls)", "a.py", UNTOLD.format("$(ls)"), id="output of a command"),
        pytest.param("a.py", "rm `ls`", "a.py", UNTOLD.format("`ls`"), id="the same, in backticks"),
        pytest.param("a.py", "echo x > $OUT", "a.py", UNTOLD.format("$OUT"), id="variable of the environment"),
        pytest.param("tests/**", "rm -r tests/$X", "tests/.hidden", UNTOLD.format("tests/$X"), id="in a folder"),
        pytest.param("a.py", "rm $X/a.py", "a.py", UNTOLD.format("$X/a.py"), id="name in a folder that is not told"),
        pytest.param("a.py", "git ls-files | while read f; do sed -i s/a/b/ $f; done", "a.py", UNTOLD.format("$f"), id="read"),
        pytest.param("a.py", "for f in $(git ls-files); do echo > $f; done", "a.py", UNTOLD.format("$f"), id="loop"),
        pytest.param("a.py", 'find . -exec sh -c \'rm "$1"\' _ {} +', "a.py", UNTOLD.format("$1"), id="argument"),
        pytest.param("a.py", 'f() { rm "$1"; }; f b.py', "a.py", UNTOLD.format("$1"), id="argument of a function"),
        pytest.param("a.py", "rm $f; f=b.py", "a.py", UNTOLD.format("$f"), id="set behind it"),
        pytest.param("a.py", f"python - <<'E'\n{GLOB}E", "a.py", CODE, id="code that looks for files"),
        pytest.param("a.py", "python -c 'import sys; open(sys.argv[1], \"w\")' $X", "a.py", CODE, id="code with arguments"),
        pytest.param("a.py", "node -e 'fs.readdirSync(\".\").map(f => fs.rmSync(f))'", "a.py", CODE, id="code of another language"),
        pytest.param("tests/**", "ln -s tests t2; rm t2/x.py", "tests/x.py", "t2 is a link to tests", id="link to a folder"),
        pytest.param("a.py", "ln a.py b.py; echo >> b.py", "a.py", "b.py is a link to a.py", id="hard link"),
    ],
)  # fmt: skip
def test_a_command_of_which_it_cannot_be_told(path: str, command: str, named: str, why: str) -> None:
    given = trial(BEFORE, steps=steps_of("ls", command), replayed=True, directory="/home/u/repo")
    with pytest.raises(CannotJudge) as caught:
        findings(FileNotModified(path=path), given)
    assert caught.value.kind == "recorded_command"
    assert caught.value.message == f"it cannot be told whether step 2 changed {named}, since {why}: {command!r}"


ENCODED = "echo cm0gLXJmIHRlc3RzCg== | base64 -d"
DEEP = "commands stand inside one another deeper than is read"


@pytest.mark.parametrize(
    ("command", "kind", "why"),
    [
        pytest.param("eval " * 14 + "rm -rf tests", "unread_command", DEEP, id="eval"),
        pytest.param("sudo " * 20 + "rm -rf tests", "unread_command", DEEP, id="wrappers"),
        pytest.param("$(" * 14 + "rm -rf tests" + ")" * 14, "unread_command", DEEP, id="substitutions"),
        pytest.param(f"cd /tmp && {'eval ' * 14} rm a", "unread_command", DEEP, id="from a folder elsewhere"),
        pytest.param(f"X='{'eval ' * 14}'; $X rm -rf tests", "unread_command", DEEP, id="in a variable"),
        pytest.param(
            f"{ENCODED} | sh",
            "recorded_command",
            "it runs what it decodes by base64 -d",
            id="decoded",
        ),
        pytest.param(
            f"sh -c '{ENCODED} | bash'",
            "recorded_command",
            "it runs what it decodes by base64 -d",
            id="decoded in a shell",
        ),
    ],
)
def test_a_command_that_is_not_read_to_its_end(command: str, kind: str, why: str) -> None:
    given = trial(BEFORE, steps=steps_of("ls", command), replayed=True, directory="/home/u/repo")
    with pytest.raises(CannotJudge) as caught:
        findings(FileNotModified(path="tests/**"), given)
    assert caught.value.kind == kind
    assert caught.value.message == (
        f"it cannot be told whether step 2 changed tests/.hidden, since {why}: {command[:200]!r}"
    )


def test_scripts_are_followed_far_and_one_that_calls_itself_once() -> None:
    chain = {f"s{at}.sh": f"sh s{at + 1}.sh\nsh s{at}.sh\n".encode() for at in range(20)}
    for length, kind in ((6, "recorded_command"), (20, "unread_command")):
        files = {**BEFORE, **chain, f"s{length}.sh": b"rm a.py\n"}
        with pytest.raises(CannotJudge) as caught:
            findings(FileNotModified(path="a.py"), trial(files, steps=steps_of("sh s0.sh"), replayed=True))
        assert caught.value.kind == kind
    loops = {**BEFORE, "s.sh": b"ls\nsh s.sh\nsh s.sh\n", "Makefile": b"all:\n\t$(MAKE) all\n\tls\n"}
    assert evidence(FileNotModified(path="a.py"), trial(loops, steps=steps_of("sh s.sh; make all"), replayed=True))


@pytest.mark.parametrize(
    ("first", "second", "reached"),
    [
        pytest.param("export TMPDIR=tests", "rm $TMPDIR/test_a.py", True, id="where temporary files are put"),
        pytest.param("OUT=tests", "rm -r ${OUT:-build}", True, id="a variable with a default"),
        pytest.param("export OUT=dist", "rm -r ${DIR:-build} $TMPDIR/test_a.py", False, id="another variable"),
        pytest.param("ls", "rm -r ${OUT:-build}", False, id="nothing"),
    ],
)
def test_what_an_earlier_line_set_is_remembered(first: str, second: str, reached: bool) -> None:
    given = trial(BEFORE, steps=steps_of(first, second), replayed=True, directory="/home/u/repo")
    try:
        assert evidence(FileNotModified(path="tests/**"), given)
        judged = True
    except CannotJudge:
        judged = False
    assert judged is not reached


def test_an_edit_through_a_link_cannot_be_judged() -> None:
    steps = [*steps_of("ln -s tests t2"), Step(number=2, edits=(Write(path="t2/test_a.py", content=b"x"),), ok=Ok.YES)]
    with pytest.raises(CannotJudge) as caught:
        findings(FileNotModified(path="tests/**"), trial(BEFORE, steps=steps, replayed=True))
    assert caught.value.message == (
        "it cannot be told whether step 2 changed tests/test_a.py, since t2 is a link to tests: 'edit of t2/test_a.py'"
    )
    assert evidence(FileNotModified(path="a.py"), trial(BEFORE, steps=steps, replayed=True))


def test_a_link_of_the_start_is_known() -> None:
    start = MemoryTree({**BEFORE, "t2": b"tests"}, modes={"t2": SYMLINK})
    given = trial(start, steps=steps_of("rm t2/test_a.py"), replayed=True, directory="/home/u/repo")
    with pytest.raises(CannotJudge, match=r"step 1 changed tests/test_a\.py, since t2 is a link to tests"):
        findings(FileNotModified(path="tests/test_a.py"), given)
    assert evidence(FileNotModified(path="a.py"), given)


@pytest.mark.parametrize(
    ("path", "command"),
    [
        pytest.param("a.py", "for f in *.py; do sed -i s/a/b/ $f; done", id="loop over a pattern"),
        pytest.param("a.py", "for f in b.py a.py; do echo x > $f; done", id="loop over names"),
        pytest.param("a.py", "f=a.py; rm $f", id="variable"),
        pytest.param("a.py", "F=a.py && cat x > ${F}", id="variable with braces"),
        pytest.param("a.py", "export F=a.py; bash -c 'rm \"$F\"'", id="variable of a script"),
        pytest.param("a.py", "files='b.py a.py'; rm $files", id="variable of two words"),
        pytest.param("a.py", "files=(b.py a.py); rm ${files[@]}", id="array"),
        pytest.param("a.py", "D=$PWD; rm $D/a.py", id="this folder"),
        pytest.param("a.py", "rm ~/repo/a.py", id="home folder"),
        pytest.param("a.py", "c='rm a.py'; $c; eval $c", id="program"),
        pytest.param("a.py", "PY=python3; $PY - <<E\nopen('a.py', 'w')\nE", id="interpreter"),
        pytest.param("tests/**", "D=tests; cd $D && rm *.py", id="folder"),
        pytest.param("a.py", "busybox sed -i s/a/b/ a.py", id="busybox"),
        pytest.param("a.py", "sed s/a/b/ a.py | sponge a.py", id="sponge"),
        pytest.param("a.py", "ruby -pi -e 'gsub(/a/, \"b\")' *.py", id="ruby -pi"),
        pytest.param("a.py", "awk '{print > FILENAME}' *.py", id="awk that prints"),
        pytest.param("a.py", "vim -c 'w! a.py' -c q x", id="vim that writes another"),
        pytest.param("a.py", "parallel sed -i s/a/b/ ::: *.py", id="parallel"),
        pytest.param("a.py", "2to3 -w .", id="2to3"),
        pytest.param("a.py", "ruff --version > a.py", id="what a formatter prints"),
        pytest.param("tests/test_a.py", "python - <<'E'\nr = Path('tests')\n(r / 'test_a.py').write_text('')\nE", id="code that joins"),
        pytest.param("a.py", "python -c 'import os; os.system(\"git stash\")'", id="code that starts git"),
        pytest.param("a.py", "printf 'wipe:\\n\\trm a.py' > M; cat > Makefile <<E\nwipe:\n\trm a.py\nE\nmake wipe", id="make"),
    ],
)  # fmt: skip
def test_a_command_that_names_it_by_the_way(path: str, command: str) -> None:
    given = trial(BEFORE, steps=steps_of(command), replayed=True, directory="/home/u/repo")
    with pytest.raises(CannotJudge, match="ran a command that may have changed"):
        findings(FileNotModified(path=path), given)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("for f in tests/*.py; do cat $f; done; git diff $X", id="reads what is not told"),
        pytest.param("F=a.py; cat $F | head; wc -l $F; git add $F", id="reads a variable"),
        pytest.param("rm $TMPDIR/x; rm -rf ${TMPDIR:-/tmp}/y", id="temporary files"),
        pytest.param('rm -rf "$(mktemp -d)"; f=$(mktemp); cat a > $f; rm $f', id="what mktemp made"),
        pytest.param("d=$(mktemp -d) && cd $d && git init && echo > a.py && rm -rf *", id="in a folder that mktemp made"),
        pytest.param("t=$(mktemp -d); trap 'rm -rf \"$t\"' EXIT", id="taken away in the end"),
        pytest.param("echo $x > /tmp/out; cp a.py /tmp/a-$(date +%s).py", id="other folders"),
        pytest.param("OUT=build; mkdir -p $OUT; cp a.py $OUT/; rm -rf build/$x", id="a folder of its own"),
        pytest.param("for f in tests/*.py; do cp $f build/${f%.py}.bak; done", id="copies"),
        pytest.param("rm -rf ~/.cache/x $HOME/.npm", id="home folder"),
        pytest.param("grep -l x * | xargs wc; find . -name '*.py' -exec grep x {} +", id="readers of many files"),
        pytest.param("ln -s tests t2; cat t2/test_a.py; rm t2", id="a link that is only read"),
        pytest.param("ln -s /usr/bin/python3 py; ./py -V", id="a link that leads out"),
        pytest.param("echo x > 'app/$id.tsx'", id="a sign in a name"),
        pytest.param("make test; npm test; npm run build", id="recipes that are not there"),
        pytest.param("find . -name '*.pyc' -delete; find . -name __pycache__ -exec rm -rf {} +", id="files of another name"),
        pytest.param("find . -name __pycache__ -print0 | xargs -0 rm -rf; find . -name '*.orig' | xargs rm", id="by xargs"),
        pytest.param("git commit -m \"$(cat <<'E'\nrm a.py $f\nE\n)\"", id="a message"),
        pytest.param(f"python - <<'E'\n{READS}E", id="code that reads"),
        pytest.param(f"python - <<'E'\n{REPORTS}E", id="code that writes what it names"),
        pytest.param(f"cat > f.py <<'E'\n{GLOB}E\npython -m pytest; cat f.py", id="code that is not run"),
        pytest.param("sed -n \"${n}p\" a.py; awk '{print $1 > \"/dev/stderr\"}' a.py", id="printed"),
        pytest.param("$PYTHON -m pytest a.py; $CC -c a.py", id="a program that is not told"),
        pytest.param("python -c 'print(open(\"a.py\").read(), open(\"tests/test_a.py\"))'", id="code that reads it"),
        pytest.param("node -e 'console.log(require(\"fs\").readFileSync(\"a.py\"))'; perl -ne print a.py", id="other code that reads it"),
    ],
)  # fmt: skip
def test_a_command_with_expansions_that_left_it_alone(command: str) -> None:
    given = trial(BEFORE, steps=steps_of(command), replayed=True, directory="/home/u/repo")
    assert evidence(FileNotModified(path="a.py"), given)
    assert evidence(FileNotModified(path="tests/**"), given)


def test_a_formatter_writes_files_of_its_kinds() -> None:
    given = trial(BEFORE, steps=steps_of("black --quiet .; gofmt -w . > /dev/null; stylua ."), replayed=True)
    assert evidence(FileNotModified(path="app/[id]/page.tsx"), given)
    with pytest.raises(CannotJudge):
        findings(FileNotModified(path="a.py"), given)


@pytest.mark.parametrize("command", ["npx prettier --write .", "gofmt -w a.py", "deno eval 'f(\"a.py\")'"])
def test_a_formatter_that_takes_plugins_or_is_given_the_file_may_write_it(command: str) -> None:
    with pytest.raises(CannotJudge):
        findings(FileNotModified(path="a.py"), trial(BEFORE, steps=steps_of(command), replayed=True))


@pytest.mark.parametrize(
    ("command", "code", "counts"),
    [
        pytest.param("rm a.py; pytest", 1, True, id="before the part that failed"),
        pytest.param("pytest; rm a.py", 1, False, id="the part that failed"),
        pytest.param("rm a.py; pytest", None, False, id="never run"),
    ],
)
def test_a_line_that_failed(command: str, code: int | None, counts: bool) -> None:
    step = Step(number=1, ok=Ok.NO, commands=(Command(text=command, exit_code=code),))
    given = trial(BEFORE, steps=[step], replayed=True)
    try:
        assert evidence(FileNotModified(path="a.py"), given)
        judged = True
    except CannotJudge:
        judged = False
    assert judged is not counts


@pytest.mark.parametrize(
    ("path", "command"),
    [
        pytest.param("a.py", "python -m pytest tests/test_a.py -q", id="tests"),
        pytest.param("a.py", "cat a.py; grep x a.py; git diff a.py; git add a.py; git commit -m 'rm a.py'", id="reads"),
        pytest.param("a.py", "rm b.py; sed -i s/1/2/ tests/test_a.py", id="others"),
        pytest.param("a.py", "cd tests && rm a.py", id="another of that name"),
        pytest.param("a.py", "rm /tmp/a.py; cd /tmp && git checkout main", id="elsewhere"),
        pytest.param("a.py", "echo 'rm a.py' # rm a.py", id="only printed"),
        pytest.param("a.py", "black --check .; ruff check .", id="checked"),
        pytest.param("a.py", "eval " * 8 + "ls", id="commands in one another"),
        pytest.param("a.py", "echo YQ== | base64 -d | grep x; base64 -d x > y", id="decoded, and not run"),
        pytest.param("tests/**", "rm -rf tests2; echo x > test/new.py", id="names that begin alike"),
    ],
)
def test_a_recorded_command_that_left_it_alone(path: str, command: str) -> None:
    given = trial(BEFORE, steps=steps_of(command), replayed=True, directory="/home/u/repo")
    assert len(evidence(FileNotModified(path=path), given)) == 1


SCRIPT = "import re\nfor name in ('tests/test_a.py',): open(name, 'w')\n"


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(
            [
                Step(number=1, edits=(Write(path="/tmp/fix.py", content=SCRIPT.encode()),)),
                *steps_of("python3 -u /tmp/fix.py --all"),
            ],
            id="written by an edit",
        ),
        pytest.param(steps_of(f"cat > /tmp/fix.py <<'E'\n{SCRIPT}E\npython /tmp/fix.py"), id="written by a document"),
        pytest.param(steps_of("cat > fix.sh <<'E'\nrm tests/*.py\nE", "bash fix.sh"), id="run later"),
        pytest.param(steps_of(f"cat > fix <<'E'\n{SCRIPT}E\nchmod +x fix; ./fix"), id="run by its name"),
        pytest.param(steps_of("bash tools/update.sh"), id="shell script of the workspace"),
        pytest.param(steps_of("cd tools && ./update.sh && ls"), id="shell script in a folder"),
    ],
)
def test_a_script_that_was_run_is_read(steps: list[Step]) -> None:
    files = {**BEFORE, "tools/update.sh": b"cat a.py\nsed -i s/1/2/ ../tests/test_a.py tests/test_a.py\n./update.sh\n"}
    given = trial(files, steps=steps, replayed=True, directory="/home/u/repo")
    with pytest.raises(CannotJudge, match=r"may have changed tests/test_a\.py, which a replay of edits cannot show"):
        findings(FileNotModified(path="tests/test_a.py"), given)
    assert evidence(FileNotModified(path="a.py"), given)


def test_tasks_that_share_a_recording_have_scripts_of_their_own() -> None:
    recorded = trial(BEFORE, steps=steps_of("bash tools/update.sh"), replayed=True).trajectory
    asks = FileNotModified(path="a.py")

    def task(script: bytes) -> Trial:
        tree = MemoryTree({**BEFORE, "tools/update.sh": script})
        return Trial(before=tree, after=tree, replayed=True, trajectory=recorded)

    assert evidence(asks, task(b"cat a.py\n"))
    with pytest.raises(CannotJudge, match=r"may have changed a\.py"):
        findings(asks, task(b"rm a.py\n"))
    assert evidence(asks, task(b"cat a.py\n"))


def test_tasks_that_share_a_recording_share_what_its_commands_change() -> None:
    recorded = trial(BEFORE, steps=steps_of("rm b.py"), replayed=True).trajectory
    tasks = [MemoryTree({**BEFORE, "b.py": content}) for content in (b"1", b"2")]
    for tree in tasks:
        given = Trial(before=tree, after=tree, replayed=True, trajectory=recorded)
        assert evidence(FileNotModified(path="a.py"), given)
        with pytest.raises(CannotJudge, match=r"may have changed b\.py"):
            findings(FileNotModified(path="b.py"), given)


def test_a_script_that_was_only_written_or_only_reads_is_none() -> None:
    steps = steps_of(
        f"cat > /tmp/fix.py <<'E'\n{SCRIPT}E", "python /tmp/other.py; cat /tmp/fix.py", "bash ci.sh; python run.py"
    )
    files = {**BEFORE, "ci.sh": b"pytest tests/test_a.py\n", "run.py": SCRIPT.encode()}
    given = trial(files, steps=steps, replayed=True, directory="/home/u/repo")
    assert evidence(FileNotModified(path="tests/test_a.py"), given)


def test_a_change_that_the_replay_shows_comes_before_a_command_that_it_does_not() -> None:
    given = trial(BEFORE, {"a.py": b""}, steps=steps_of("rm a.py"), replayed=True)
    assert [found.message for found in findings(FileNotModified(path="a.py"), given)] == ["File was modified: a.py"]


def test_a_command_that_failed_or_a_tree_that_is_no_replay_does_not_matter() -> None:
    asks = FileNotModified(path="a.py")
    assert evidence(asks, trial(BEFORE, steps=steps_of("rm a.py", ok=Ok.NO), replayed=True))
    assert evidence(asks, trial(BEFORE, steps=steps_of("rm a.py"), replayed=False))
    assert evidence(asks, trial(BEFORE, replayed=True))
    with pytest.raises(CannotJudge):
        findings(asks, trial(BEFORE, steps=steps_of("rm a.py", ok=Ok.UNKNOWN), replayed=True))


@pytest.mark.parametrize(
    ("command", "reached"),
    [
        pytest.param(Command(text="rm pkg/a.py"), True, id="from the root"),
        pytest.param(Command(text="rm a.py", directory="/home/u/repo/pkg"), True, id="from the folder"),
        pytest.param(Command(text="echo x > pkg/tests/new.py"), False, id="another in the folder"),
        pytest.param(Command(text="rm a.py"), False, id="one above"),
    ],
)
def test_a_task_in_a_folder_of_the_recorded_repository(command: Command, reached: bool) -> None:
    start = MemoryTree(BEFORE)
    recording = Trajectory(format="test", steps=(Step(number=1, commands=(command,)),), directory="/home/u/repo")
    given = Trial(before=start, after=Overlay(start, {}), replayed=True, trajectory=recording, folder="pkg")
    try:
        seen = evidence(FileNotModified(path="a.py"), given)
    except CannotJudge:
        seen = []
    assert bool(seen) is not reached


def test_it_holds_on_an_untouched_workspace() -> None:
    assert (FileNotModified.needs, FileNotModified.asserts_absence, FileNotModified.reads_tree) == (
        frozenset(),
        True,
        True,
    )
