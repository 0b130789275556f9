"""Which files are the judge's: each kind that a task may name, in real repositories, and what is not."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.holdings import Holdings
from gate.intake import Intake
from gate.review import Review
from gate.scope import Patterns
from tests.commands.repository import write
from tests.conftest import Git

MANIFEST = """\
version: 1
plugins: [oracles/mine.py]
judge: {command: [asking/ask.sh]}
tasks:
  - id: folder
    scope: [nothing/**]
    workspace: {dir: fix}
    trajectory: fix/recorded/*.json
    golden:
      patch: right/a.patch
      command: sh right.sh && ./after
      trajectory: {path: right/t.json}
      custom_metrics: right/m.json
    oracles: [{type: not, oracle: {type: mine}}]
  - id: finished
    scope: [nothing/**]
    workspace: {dir: fix2}
    state: {dir: results}
    oracles: [{type: diff_empty}]
  - id: live
    scope: [nothing/**]
    workspace: {dir: app}
    state: head
    oracles: [{type: diff_empty}]
  - id: here
    scope: [nothing/**]
    golden: {command: cd tools && python solve.py x.txt}
    oracles: [{type: diff_empty}]
  - spec: evals/deep/eval.yaml
    scope: [nothing/**]
    trajectory: {one: recorded/one.json}
"""
SPEC = """\
stimuli:
  - name: one
    prompt: p
    environment: plain
    golden_patch: one.patch
    graders: [{type: diff-empty}]
  - name: two
    prompt: p
    environment:
      git: {type: clone, url: ../../vendor/lib}
      files: [{src: data, dest: data}, {src: a.txt, dest: a.txt}]
      commands: [". ./env.sh", make all]
    graders: [{type: diff-empty}]
"""
PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n"
PLUGIN = """
from gate.oracle import Oracle


class Mine(Oracle, frozen=True, kw_only=True):
    def judge(self, trial):
        yield from ()
"""
FILES: Mapping[str, object] = {
    "gate.yaml": MANIFEST,
    "oracles/mine.py": PLUGIN,
    "asking/ask.sh": "#!/bin/sh\n",
    "asking/prompt.txt": "p",
    "fix/a.txt": "a\n",
    "fix/deep/b.txt": "b\n",
    "fix/right.sh": "",
    "fix/recorded/one.json": {"steps": []},
    "fix2/a.txt": "a\n",
    "right/a.patch": PATCH,
    "right/t.json": {
        "schema_version": "ATIF-v1.4",
        "session_id": "s",
        "agent": {"name": "a", "version": "1"},
        "steps": [],
    },
    "right/m.json": {},
    "results/a.txt": "a\n",
    "app/a.txt": "a\n",
    "tools/solve.py": "",
    "tools/x.txt": "",
    ".vally.yaml": "environments: {plain: {files: [{src: shared/c.txt, dest: c.txt}]}}\n",
    "shared/c.txt": "c\n",
    "evals/deep/eval.yaml": SPEC,
    "evals/deep/one.patch": PATCH,
    "evals/deep/data/d.txt": "d\n",
    "evals/deep/a.txt": "a\n",
    "env.sh": "",
    "recorded/one.json": {"steps": []},
    "src/product.py": "a\n",
    "Makefile": "all:\n",
}


def told(root: Path, git: Git, paths: list[str]) -> list[tuple[str, str | None]]:
    """The kinds and paths of what is told of a change that writes these files anew."""
    git("init", "-q")
    write(root, FILES)
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    for path in paths:
        old = (root / path).read_text() if (root / path).is_file() else ""
        write(root, {path: old + "\n" if path.endswith((".patch", ".yaml", ".json", ".py")) else old + "more\n"})
    git("add", "-A")
    git("commit", "-qm", "head")
    with Review(Asked(change=diff.Request(base=base, ci=True)), root) as review:
        return [(note.kind, note.path) for note in Intake(review).plan().notices if note.kind.startswith("judge_")]


@pytest.mark.parametrize(
    ("path", "altered"),
    [
        pytest.param("gate.yaml", False, id="manifest"),
        pytest.param("oracles/mine.py", False, id="plugin, of an oracle within another one"),
        pytest.param("asking/ask.sh", False, id="script of the judge command"),
        pytest.param("asking/prompt.txt", False, id="file beside that script"),
        pytest.param("evals/deep/eval.yaml", False, id="eval spec"),
        pytest.param(".vally.yaml", False, id="project file of eval specs"),
        pytest.param("evals/.vally.yaml", False, id="project file that the change brings nearer to the spec"),
        pytest.param("fix/a.txt", True, id="fixture"),
        pytest.param("fix/new/e.txt", True, id="fixture that the change brings"),
        pytest.param("fix/right.sh", True, id="script of a golden command, in a fixture"),
        pytest.param("fix2/a.txt", True, id="fixture of a finished folder"),
        pytest.param("right/a.patch", True, id="golden patch"),
        pytest.param("right/t.json", True, id="golden trajectory"),
        pytest.param("right/m.json", True, id="golden metrics"),
        pytest.param("tools/solve.py", True, id="script of a golden command, in the repository"),
        pytest.param("evals/deep/one.patch", True, id="golden patch of a stimulus"),
        pytest.param("evals/deep/a.txt", True, id="file of an environment"),
        pytest.param("evals/deep/data/d.txt", True, id="folder of an environment"),
        pytest.param("shared/c.txt", True, id="file of an environment that is named"),
        pytest.param("env.sh", True, id="script of a command that prepares an environment"),
        pytest.param("vendor/lib/x", True, id="repository that an environment clones"),
    ],
)
def test_a_file_of_the_judge_is_told_and_kept_apart_from_the_product(
    tmp_path: Path, git: Git, path: str, altered: bool
) -> None:
    found = told(tmp_path / "repo", git, ["src/product.py", path])
    kinds = ["judge_changed", *(["judge_altered"] if altered else []), "judge_together"]
    assert [kind for kind, place in found if place == path] == kinds


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("app/a.txt", id="folder of which the head is judged"),
        pytest.param("results/a.txt", id="finished folder"),
        pytest.param("recorded/one.json", id="recording, named by its task"),
        pytest.param("fix/recorded/one.json", id="recording in the folder of a fixture"),
        pytest.param("tools/x.txt", id="what a golden command is given"),
        pytest.param("Makefile", id="what makes the product, too"),
        pytest.param("src/other.py", id="product"),
    ],
)
def test_nothing_else_is(tmp_path: Path, git: Git, path: str) -> None:
    assert told(tmp_path / "repo", git, ["src/product.py", path]) == []


def test_a_folder_is_told_once_with_its_files() -> None:
    held = Holdings(["fix", "a"], code=["p.py"], recordings=Patterns(["fix/r/*", "a"]))
    paths = ["a", "b", "fix", "fix/a", "fix/b/c", "fix/r/d", "fixture", "p.py"]
    assert list(held.touched(paths)) == [(False, ["fix", "fix/a", "fix/b/c"]), (False, ["a"]), (True, ["p.py"])]
    assert [path for path in paths if path in held] == ["a", "fix", "fix/a", "fix/b/c", "p.py"]
    assert "anything" in Holdings([""])
    assert "anything" in Holdings(["."])
    assert "anything" not in Holdings()
