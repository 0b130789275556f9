"""What the controls of 300 stimuli cost, against bare Python: `python -m benchmarks.controls`.

One eval spec with static graders and a patch for each stimulus. Measured are `gate oracle` on golden input and on the
baseline, both together; they have to stay within 80 times the CPU time of `python -I -c pass`.
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
        code = (
            "import sys; from gate.cli import main; "
            "sys.exit(main(['oracle', '-e', 'evals/eval.yaml']) or "
            "main(['oracle', '-e', 'evals/eval.yaml', '--no-golden-input']))"
        )
        wanted = f"Oracle summary: {STIMULI}/{STIMULI} controls hold"
        subject = Command(
            [sys.executable, "-P", "-c", code],
            Path(folder),
            environ,
            right=lambda ended: ended.output.count(wanted) == 2,
        )
        floor = Command([bare_python(), "-I", "-c", "pass"], Path(folder), environ)
        figure = compare(subject, [floor], rounds=5)
    return 0 if show(f"both controls of {STIMULI} stimuli", figure, most=MOST) else 1


if __name__ == "__main__":
    raise SystemExit(main())
