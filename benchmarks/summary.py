"""What the step summary of a large run costs: `python benchmarks/summary.py`.

Two shapes of 10,000 findings, hostile text in all of them: one each in 10,000 tasks, and 100 in each of 100 oracles of
one task. The whole process is measured, over bare Python of the same environment. Exit code 1 when it takes more than
100 times the CPU time, or the summary more than the 1 MiB that GitHub takes.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import Command, Ended, compare, machine, show

ROOT = Path(__file__).parent.parent
FINDINGS = 10_000
PROGRAM = """
from gate.report import Finding, Outcome, Report, TaskReport, Verdict
from gate.reporters import summary

def finding(number):
    text = f"step {number} said ::error::`@org/team` <b>#1</b> " + "x " * 40
    return Finding(message=text, path=f"src/{number % 700}.py", line=number, details=text * 3)

def verdict(numbers, name):
    return Verdict(oracle="o", name=name, outcome=Outcome.FAIL, findings=tuple(map(finding, numbers)))

def task(verdicts, name):
    return TaskReport(id=name, in_scope=True, scope="", verdicts=tuple(verdicts), path="gate.yaml", line=1)

wide = Report(tasks=tuple(task([verdict([n], "o")], f"task {n}") for n in range(COUNT)))
deep = Report(tasks=(task([verdict(range(n, n + 100), f"o{n}") for n in range(0, COUNT, 100)], "one"),))
print(len(summary.render(SHAPE).encode()))
"""


def main() -> int:
    """Measure both shapes and print a line each."""
    print(machine())
    results = []
    for shape in ("wide", "deep"):
        program = PROGRAM.replace("COUNT", str(FINDINGS)).replace("SHAPE", shape)
        environ = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        subject = Command([sys.executable, "-I", "-c", program], ROOT, environ, _fits)
        floor = Command([sys.executable, "-I", "-c", "pass"], ROOT, environ)
        results.append(show(f"summary of {FINDINGS} findings, {shape}", compare(subject, [floor], rounds=7), most=100))
    return 0 if all(results) else 1


def _fits(ended: Ended) -> bool:
    return ended.code == 0 and 1_000 < int(ended.output) <= 1024 * 1024


if __name__ == "__main__":
    raise SystemExit(main())
