"""What the golden input of 300 stimuli costs, against bare Python: `python -m benchmarks.controls`.

One eval spec with static graders and a patch for each stimulus. Measured is the process that reads it and applies all
patches; the whole control has to stay within 80 times the CPU time of `python -I -c pass`.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Command, bare_python, compare, machine, show

STIMULI = 300
MOST = 80.0

_STIMULUS = """\
  - name: s{number}
    environment: {{files: [{{src: app, dest: .}}]}}
    graders:
      - {{type: file-contains, config: {{path: src/a.py, value: TWO}}}}
      - {{type: file-matches, config: {{path: "src/*.py", pattern: 'T[WX]O'}}}}
      - {{type: diff-contains, config: {{value: TWO}}}}
    golden_patch: {{path: golden/{number}.patch}}
"""
_PATCH = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
_SOLVE = """
from pathlib import Path
from gate import diff
from gate.intake import Intake
from gate.review import Asked, Review
from gate.solution import Work, solve
with Review(Asked(change=diff.Request(everything=True)), Path.cwd()) as review:
    tasks = Intake(review).plan().tasks
    found = solve([Work(start=task.start, golden=task.task.golden) for task in tasks])
print(sum(b"TWO" in each.after.read("src/a.py") for each in found), "solved")
"""


def write(folder: Path, count: int = STIMULI) -> None:
    """An eval spec of so many stimuli, with everything that it names."""
    for place in ("evals/app/src", "evals/golden", "rec"):
        (folder / place).mkdir(parents=True)
    (folder / "gate.yaml").write_text("version: 1\ntasks: [{spec: evals/eval.yaml, trajectory: rec/one.json}]\n")
    stimuli = "".join(_STIMULUS.format(number=number) for number in range(count))
    (folder / "evals" / "eval.yaml").write_text(f"stimuli:\n{stimuli}")
    (folder / "evals" / "app" / "src" / "a.py").write_text("one\ntwo\nthree\n" + "x = 1\n" * 200)
    (folder / "rec" / "one.json").write_text(
        '{"steps": [{"tool": "write_file", "args": {"path": "a", "content": "b"}}]}'
    )
    for number in range(count):
        (folder / "evals" / "golden" / f"{number}.patch").write_text(_PATCH)


def main() -> int:
    """Measure; 1 where it costs more than it may."""
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        environ = {"PATH": "/usr/bin:/bin", "HOME": folder}
        wanted = f"{STIMULI} solved"
        subject = Command(
            [sys.executable, "-P", "-c", _SOLVE], Path(folder), environ, right=lambda ended: wanted in ended.output
        )
        floor = Command([bare_python(), "-I", "-c", "pass"], Path(folder), environ)
        figure = compare(subject, [floor], rounds=5)
    return 0 if show(f"golden input of {STIMULI} stimuli", figure, most=MOST) else 1


if __name__ == "__main__":
    raise SystemExit(main())
