"""A start workspace that is written in its task."""

from gate.errors import PathRefused, TaskError
from gate.path import confined
from gate.task import Inline, Task
from gate.tree import MemoryTree


def tree(start: Inline, task: Task) -> MemoryTree:
    """The files written in a task, as a tree. TaskError for a path that no workspace may hold."""
    try:
        return MemoryTree(
            {confined(name): text.encode("utf-8", "surrogateescape") for name, text in start.files.items()}
        )
    except PathRefused as error:
        raise TaskError(f"{task.place}: `workspace.files`: {error.message}", kind=error.kind) from None
    except UnicodeEncodeError:
        raise TaskError(
            f"{task.place}: `workspace.files`: half of a surrogate pair is no text", kind="json_surrogate"
        ) from None
