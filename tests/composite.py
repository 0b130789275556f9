"""GitHub's runner, as far as it runs the steps of a composite action, on this machine and without a container.

Follows actions/runner: `CompositeActionHandler`, `StepsRunner`, `ScriptHandler`, `FileCommandManager` and
`CreateStepSummaryCommand`. What it does not know (a key, an expression, a shell) it refuses.
"""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests import runner

_SHELLS = {
    "bash": ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "{0}"),
    "sh": ("sh", "-e", "{0}"),
    "python": ("python", "{0}"),
}
_STEP_KEYS = {"continue-on-error", "env", "id", "if", "name", "run", "shell", "working-directory"}
_SUMMARY_LIMIT = 1024 * 1024


class Step(NamedTuple):
    outcome: str
    conclusion: str
    outputs: dict[str, str]


class Done(NamedTuple):
    """What is left of a run: `environment` and `path` are what its steps wrote for the steps after the action."""

    conclusion: str
    exit_code: int
    outputs: dict[str, str]
    log: str
    summaries: list[str]
    environment: dict[str, str]
    path: list[str]
    steps: dict[str, Step]

    @property
    def annotations(self) -> list[runner.Annotation]:
        return runner.annotations(self.log)


class Composite:
    """One use of the action in `folder`. `given` holds outputs of steps that are taken as done instead of run."""

    def __init__(self, folder: Path, *, workspace: Path, temp: Path, environ: Mapping[str, str], token: str) -> None:
        self._folder, self._workspace, self._temp = folder, workspace, temp
        self._environ = dict(environ)
        self._contexts: dict[str, Any] = {
            "github": {"token": token, "workspace": str(workspace)},
            "runner": {"temp": str(temp)},
            "inputs": {},
            "steps": {},
        }
        self._failed = False
        self._done = Done("success", 0, {}, "", [], {}, [], {})

    def run(self, inputs: Mapping[str, str], given: Mapping[str, dict[str, str]] | None = None) -> Done:
        action = yaml.safe_load((self._folder / "action.yml").read_text())
        unknown = set(inputs) - set(action["inputs"])
        if unknown or action["runs"]["using"] != "composite":
            raise ValueError(f"unexpected inputs {unknown}, or no composite action")
        for name, facts in action["inputs"].items():
            self._contexts["inputs"][name] = inputs.get(name, self._text(facts.get("default", "")))
        self._ids = {step.get("id") for step in action["runs"]["steps"]}
        for number, step in enumerate(action["runs"]["steps"]):
            self._step(step, step.get("id", f"__{number}"), given or {})
        outputs = {name: self._text(facts["value"]) for name, facts in action["outputs"].items()}
        conclusion = "failure" if self._failed else "success"
        return self._done._replace(conclusion=conclusion, outputs=outputs, steps=self._contexts["steps"])

    def _step(self, step: dict[str, Any], name: str, given: Mapping[str, dict[str, str]]) -> None:
        if set(step) - _STEP_KEYS or not {"run", "shell"} <= set(step):
            raise ValueError(f"a step with the keys {sorted(step)} is not known here")
        if name in given:
            self._contexts["steps"][name] = Step("success", "success", given[name])
            return
        if not self._condition(str(step.get("if", "")).strip()):
            self._contexts["steps"][name] = Step("skipped", "skipped", {})
            return
        code, outputs = self._script(step, name)
        outcome = "failure" if code else "success"
        allowed = bool(step.get("continue-on-error"))
        self._contexts["steps"][name] = Step(outcome, "success" if allowed else outcome, outputs)
        if code and not allowed:
            self._failed = True
            self._done = self._done._replace(exit_code=code)

    def _script(self, step: dict[str, Any], name: str) -> tuple[int, dict[str, str]]:
        files = self._temp / "_runner_file_commands" / name
        files.mkdir(parents=True)
        script = files.with_suffix(".sh")
        script.write_text(self._text(step["run"]))
        commands = {key: files / key for key in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in commands.values():
            file.touch()
        environ = self._environ | {key: self._text(str(value)) for key, value in step.get("env", {}).items()}
        environ |= {key: str(file) for key, file in commands.items()}
        environ |= {"GITHUB_ACTION_PATH": str(self._folder), "RUNNER_TEMP": str(self._temp)}
        ran = subprocess.run(
            [word.replace("{0}", str(script)) for word in _SHELLS[step["shell"]]],
            cwd=self._workspace / step.get("working-directory", ""),
            env=environ | {"GITHUB_WORKSPACE": str(self._workspace)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self._print(ran.stdout.decode("utf-8", "replace"))
        try:
            return ran.returncode, self._file_commands(commands)
        except ValueError as error:
            self._print(f"::error::Unable to process file command: {error}\n")
            return ran.returncode or 1, {}

    def _file_commands(self, files: Mapping[str, Path]) -> dict[str, str]:
        summary = files["GITHUB_STEP_SUMMARY"].read_bytes()
        if len(summary) > _SUMMARY_LIMIT:
            self._print(f"::error::$GITHUB_STEP_SUMMARY upload aborted, content of {len(summary)} bytes is too large\n")
        elif summary:
            self._done.summaries.append(summary.decode("utf-8"))
        variables = runner.outputs(files["GITHUB_ENV"].read_text())
        if "NODE_OPTIONS" in variables:
            raise ValueError("Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.")
        folders = files["GITHUB_PATH"].read_text().split()
        self._done.environment.update(variables)
        self._done.path.extend(folders)
        self._environ |= variables
        self._environ["PATH"] = ":".join([*reversed(folders), self._environ["PATH"]])
        return runner.outputs(files["GITHUB_OUTPUT"].read_text())

    def _print(self, text: str) -> None:
        self._done = self._done._replace(log=self._done.log + text)

    def _condition(self, words: str) -> bool:
        """A step without a word on its status runs only as long as nothing failed."""
        status = {"": not self._failed, "success()": not self._failed, "failure()": self._failed, "always()": True}
        if words not in status:
            raise ValueError(f"the condition {words!r} is not known here")
        return status[words]

    def _text(self, text: str) -> str:
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: self._expression(found[1]), text, flags=re.DOTALL)

    def _expression(self, words: str) -> str:
        """The first of the operands of `||` that is not empty: all that a thin action needs."""
        return next(filter(None, [self._operand(word.strip()) for word in words.split("||")]), "")

    def _operand(self, word: str) -> str:
        if re.fullmatch(r"'[^'|]*'", word):
            return word[1:-1]
        value: Any = self._contexts
        for part in word.split("."):
            value = value._asdict() if isinstance(value, Step) else value
            if not isinstance(value, dict) or part not in value:
                if re.fullmatch(r"steps\.[\w-]+\.outputs\.[\w-]+", word) and word.split(".")[1] in self._ids:
                    return ""
                raise ValueError(f"the expression {word!r} is not known here")
            value = value[part]
        return str(value)
