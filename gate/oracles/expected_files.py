"""`expected_files`: files that must be there, files that must not, and how large any of them may be."""

from collections.abc import Iterator

from gate.errors import CannotJudge, PathRefused
from gate.oracle import Oracle, Trial
from gate.path import confined, printable
from gate.report import Evidence, Finding
from gate.tree import EXECUTABLE, REGULAR, SYMLINK


class ExpectedFiles(Oracle, frozen=True):
    """The workspace holds the files that it must hold, none that it must not, and none that is too large.

    Paths are files of the task's workspace, without patterns. What is in `must_exist` is a file: a folder or a symbolic
    link of that name is none. What is in `must_not_exist` is not there in any form, neither as a file nor as a folder
    or a link. `max_bytes_per_file` holds for the required files and for every file that was created or changed; with 0
    those must be empty.
    """

    must_exist: tuple[str, ...] = ()
    must_not_exist: tuple[str, ...] = ()
    max_bytes_per_file: int | None = None

    @property
    def holds_untouched(self) -> bool:
        """Without a required file it asserts absences alone."""
        return not self.must_exist

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Look at the tree at the end; a finding for each file."""
        for path in (*self.must_exist, *self.must_not_exist):
            try:
                confined(path)
            except PathRefused as error:
                raise CannotJudge(error.message, kind=error.kind) from None
        findings = [*self._missing(trial), *self._forbidden(trial), *self._oversized(trial)]
        yield from findings
        if not findings:
            there, absent = len(self.must_exist), len(self.must_not_exist)
            yield Evidence(message=f"Files as expected: {there} required, {absent} forbidden")

    def _missing(self, trial: Trial) -> Iterator[Finding]:
        for path in self.must_exist:
            mode = trial.after.mode(path)
            if mode in (REGULAR, EXECUTABLE):
                continue
            found = "there is nothing of that name"
            if mode == SYMLINK:
                found = "it is a symbolic link, and no file"
            elif mode is not None or trial.after.has_folder(path):
                found = "it is a folder, and no file"
            yield Finding(message=f"File is missing: {printable(path)}: {found}", kind="file_missing", path=path)

    def _forbidden(self, trial: Trial) -> Iterator[Finding]:
        for path in self.must_not_exist:
            mode = trial.after.mode(path)
            if mode is not None or trial.after.has_folder(path):
                noun = "Link" if mode == SYMLINK else "File" if mode in (REGULAR, EXECUTABLE) else "Folder"
                yield Finding(message=f"{noun} must not be there: {printable(path)}", kind="file_forbidden", path=path)

    def _oversized(self, trial: Trial) -> Iterator[Finding]:
        limit = self.max_bytes_per_file
        if limit is None:
            return
        required = set(self.must_exist)
        for path in trial.after.paths():
            if trial.after.mode(path) not in (REGULAR, EXECUTABLE):
                continue
            if path not in required and trial.before.same(path, trial.after):
                continue
            if trial.after.read_at_most(path, limit) is None:
                message = f"File is too large: {printable(path)} has more than {limit} bytes"
                yield Finding(message=message, kind="file_too_large", path=path)
