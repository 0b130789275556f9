"""The runner that the action's tests trust must fail where GitHub's does."""

import os
import textwrap
from pathlib import Path

import pytest

from tests.composite import Composite, Done, Step

_HEAD = """\
inputs:
  word: {default: plain}
  token: {default: "${{ github.token }}"}
outputs:
  said: {value: "${{ steps.one.outputs.said || 'nothing' }}"}
runs:
  using: composite
  steps:
"""


def _run(tmp_path: Path, steps: str, inputs: dict[str, str] | None = None, **given: dict[str, str]) -> Done:
    for folder in ("action", "workspace", "temp"):
        (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / "action" / "action.yml").write_text(_HEAD + textwrap.indent(textwrap.dedent(steps), "    "))
    job = Composite(
        tmp_path / "action",
        workspace=tmp_path / "workspace",
        temp=tmp_path / "temp",
        environ={"PATH": os.environ["PATH"]},
        token="ghs_0",
    )
    return job.run(inputs or {}, given)


def test_hands_outputs_environment_and_path_to_later_steps(tmp_path: Path) -> None:
    done = _run(
        tmp_path,
        """
        - id: one
          shell: bash
          env: {WORD: "${{ inputs.word }}", TOKEN: "${{ inputs.token }}"}
          run: |
            printf 'said<<E\\n%s\\n%s\\nE\\n' "$WORD" "$TOKEN" >> "$GITHUB_OUTPUT"
            echo A=1 >> "$GITHUB_ENV"
            echo /somewhere >> "$GITHUB_PATH"
            echo '# summary' >> "$GITHUB_STEP_SUMMARY"
        - shell: sh
          run: echo "$A ${PATH%%:*}"
        """,
    )
    assert (done.conclusion, done.exit_code) == ("success", 0)
    assert done.outputs == {"said": "plain\nghs_0"}
    assert done.log == "1 /somewhere\n"
    assert (done.environment, done.path, done.summaries) == ({"A": "1"}, ["/somewhere"], ["# summary\n"])


def test_skips_what_follows_a_failure_but_not_what_always_runs(tmp_path: Path) -> None:
    done = _run(
        tmp_path,
        """
        - {id: may, shell: bash, run: exit 9, continue-on-error: true}
        - {id: one, shell: bash, run: 'echo said=before >> "$GITHUB_OUTPUT"; false; echo not here'}
        - {id: two, shell: bash, run: echo not here}
        - {id: three, shell: bash, if: failure(), run: echo after the failure}
        - {id: four, shell: bash, if: always(), run: exit 5}
        """,
    )
    assert (done.conclusion, done.exit_code, done.log) == ("failure", 5, "after the failure\n")
    assert done.outputs == {"said": "before"}
    assert [step.outcome for step in done.steps.values()] == ["failure", "failure", "skipped", "success", "failure"]
    assert done.steps["may"].conclusion == "success"


def test_takes_a_given_step_as_done(tmp_path: Path) -> None:
    done = _run(tmp_path, "- {id: one, shell: bash, run: exit 1}", one={"said": "given"})
    assert (done.outputs, done.steps) == ({"said": "given"}, {"one": Step("success", "success", {"said": "given"})})


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        pytest.param("bash", "false | true", id="pipefail"),
        pytest.param("sh", "false; true", id="errexit"),
        pytest.param("bash", 'printf "said<<E\\nno end\\n" >> "$GITHUB_OUTPUT"', id="an output that does not end"),
        pytest.param("bash", 'echo "NODE_OPTIONS=-r x" >> "$GITHUB_ENV"', id="a blocked variable"),
    ],
)
def test_fails_a_step(tmp_path: Path, shell: str, words: str) -> None:
    done = _run(tmp_path, f"- id: one\n  shell: {shell}\n  run: |\n    {words}\n")
    assert (done.conclusion, done.exit_code, done.outputs) == ("failure", 1, {"said": "nothing"})


def test_leaves_out_a_summary_of_more_than_one_mebibyte(tmp_path: Path) -> None:
    done = _run(tmp_path, "- {id: one, shell: bash, run: 'head -c 1048577 /dev/zero > \"$GITHUB_STEP_SUMMARY\"'}")
    assert (done.conclusion, done.summaries) == ("success", [])
    assert [note.level for note in done.annotations] == ["error"]


def test_puts_an_expression_into_a_script_as_text(tmp_path: Path) -> None:
    hostile = f"$(touch {tmp_path}/touched)"
    _run(tmp_path, "- {id: one, shell: bash, run: 'echo ${{ inputs.word }}'}", {"word": hostile})
    assert (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    "step",
    [
        "{uses: actions/checkout@v1}",
        "{run: echo}",
        "{shell: bash, run: echo, timeout-minutes: 3}",
        "{shell: bash, run: 'echo ${{ inputs.wrod }}'}",
        "{shell: bash, run: 'echo ${{ steps.other.outputs.x }}'}",
        "{shell: bash, run: \"echo ${{ format('{0}', inputs.word) }}\"}",
        "{shell: bash, run: echo, if: inputs.word == 'plain'}",
    ],
)
def test_refuses_what_it_does_not_know(tmp_path: Path, step: str) -> None:
    with pytest.raises(ValueError, match=r"not known here"):
        _run(tmp_path, f"- {step}")


def test_refuses_an_input_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"unexpected inputs"):
        _run(tmp_path, "- {shell: bash, run: echo}", {"wrod": "x"})
