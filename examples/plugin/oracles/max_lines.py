"""`max_lines`: a file stays short."""

from collections.abc import Iterator

from gate.oracle import Oracle, Trial
from gate.report import Evidence, Finding


class MaxLines(Oracle, frozen=True):
    """The file has at most `limit` lines after the agent's edits."""

    path: str
    limit: int

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Count the lines."""
        if self.path not in trial.after:
            yield Finding(message=f"File not found: {self.path}", path=self.path, kind="file_not_found")
            return
        lines = len(trial.after.read(self.path).splitlines())
        message = f"{self.path} has {lines} lines, at most {self.limit} are allowed"
        if lines > self.limit:
            yield Finding(message=message, path=self.path, line=self.limit + 1, kind="too_many_lines")
        else:
            yield Evidence(message=message, path=self.path)
