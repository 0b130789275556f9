"""Searches that end in time however long the text is: the library looks at its clock too seldom in a long one."""

import threading
from typing import Any

LARGE = 256 * 1024
"""Characters up to which the library's own limit holds; in 5 million blanks `\\s+$` took eleven times as long."""

_MOST_AT_WORK = 4  # searches that nobody waits for any more end late, and each keeps its text until then
_turns = threading.BoundedSemaphore(_MOST_AT_WORK)


def search(compiled: Any, text: str, seconds: float) -> Any:
    """The first match in `text`, or None. TimeoutError past the limit.

    A large text is searched beside this thread, which the process does not wait for when it ends.
    """
    if len(text) <= LARGE:
        return compiled.search(text, timeout=seconds)
    if not _turns.acquire(timeout=seconds):
        raise TimeoutError
    done: list[tuple[Any, BaseException | None]] = []

    def work() -> None:
        try:
            done.append((compiled.search(text, timeout=seconds, concurrent=True), None))
        except BaseException as error:  # raised where it is waited for
            done.append((None, error))
        finally:
            _turns.release()

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(seconds)
    if not done:
        raise TimeoutError
    [(match, error)] = done
    if error is not None:
        raise error
    return match
