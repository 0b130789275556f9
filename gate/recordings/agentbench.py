"""AgentBench's trajectories: one JSON document with a list of steps."""

from typing import Any

from gate.agents.agentbench import step
from gate.agents.given import word
from gate.jsontext import shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Trajectory


class AgentBench(Reader):
    """AgentBench's trajectory: a JSON object whose `steps` are objects with `type`, `tool` and `args`.

    Files are written by `write_file`, `edit_file`, `str_replace`, `Write`, `StrReplace`, `Edit`, `MultiEdit` and by
    steps of type `file_edit`; the file is `path`, `file_path` or `target_file`. A step with an old text (`old_string`,
    `old_str`, `old`) replaces exactly one place, or every place with `replace_all` or `all`; only a step without one
    writes `content` (or `new_string`) as the whole file. `apply_patch` holds a patch in OpenAI's grammar (`input` or
    `patch`). Commands are run by `run_command`, `shell`, `bash`, `Bash`, `execute` and by steps of type `command`; they
    are not run again.

    The format records no result: a step counts as successful unless it says otherwise, in itself or in its `result`
    or `observation`: `ok` or `success` false, `is_error` true, an `error` that is not empty, a `status` such as
    "failed", an `exit_code` or `returncode` other than 0. Such a step is not applied. An absolute path lies under
    `metadata.cwd` (or `working_directory`) or outside the workspace. Any other tool is counted, and one that names
    files makes the replay incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """A JSON object with `steps` that is no ATIF document, which has a version and numbered steps too."""
        document = sample.document
        if not isinstance(document, dict) or "steps" not in document or "schema_version" in document:
            return False
        steps = document["steps"]
        first = steps[0] if isinstance(steps, list) and steps else {}
        return not (isinstance(first, dict) and "step_id" in first and "source" in first)

    def read(self, recording: Recording) -> Trajectory:
        """Every element of `steps` is one step, numbered as it stands there."""
        document = recording.document(strict=True)
        steps = document["steps"]
        if not isinstance(steps, list):
            raise recording.error(f"`steps`: expected a list, found {shown(steps)}", kind="type")
        metadata = document.get("metadata")
        about: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
        return Trajectory(
            format=self.name,
            path=recording.path,
            steps=tuple(step(number, raw) for number, raw in enumerate(steps, 1)),
            agent=word(about, "agent"),
            model=word(about, "model"),
            directory=word(about, "cwd", "working_directory", "directory") or None,
        )
