"""What a command prints: read to its end while it runs, its head and its tail kept; and what it is given to read."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO


class Stream:
    """A pipe that a thread of its own reads.

    Of everything that comes `keep` bytes are kept, half of them from the start and half from the end. When more than
    `limit` bytes have come, `flooded` is called once and reading ends.
    """

    def __init__(self, pipe: IO[bytes], *, keep: int, limit: int, flooded: Callable[[], None]) -> None:
        self._pipe = pipe
        self._head, self._tail = bytearray(), bytearray()
        self._head_size = keep // 2
        self._tail_size = keep - keep // 2
        self._limit = limit
        self._on_flood = flooded
        self._count = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def flooded(self) -> bool:
        """Whether more came than the limit allows."""
        return self._count > self._limit

    @property
    def dropped(self) -> int:
        """How many of the bytes that came are not kept."""
        return max(0, self._count - self._head_size - self._tail_size)

    @property
    def content(self) -> bytes:
        """What is kept, with a line between head and tail that says how much is left out there."""
        if not self.dropped:
            return bytes(self._head + self._tail)
        tail = bytes(self._tail[-self._tail_size :]) if self._tail_size else b""
        return b"%b\n[%d bytes left out]\n%b" % (bytes(self._head), self.dropped, tail)

    def close(self, patience: float) -> None:
        """Wait for the end of the pipe, `patience` seconds at most: somebody out of reach may hold its other end."""
        self._thread.join(patience)
        if not self._thread.is_alive():
            self._pipe.close()

    def _read(self) -> None:
        descriptor = self._pipe.fileno()
        while chunk := os.read(descriptor, 65536):
            self._count += len(chunk)
            self._keep(chunk)
            if self.flooded:
                self._on_flood()
                return

    def _keep(self, chunk: bytes) -> None:
        room = self._head_size - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        if len(self._tail) > 2 * self._tail_size + 65536:
            del self._tail[: len(self._tail) - self._tail_size]


@contextmanager
def fed(data: bytes) -> Iterator[int | None]:
    """The end to read from of a pipe that holds `data`, or None where there is none.

    A thread of its own fills it, for as long as somebody may read. Whoever does not read to the end loses the rest.
    """
    if not data:
        yield None
        return
    reading, writing = os.pipe()
    thread = threading.Thread(target=_fill, args=(writing, data), daemon=True)
    thread.start()
    try:
        yield reading
    finally:
        os.close(reading)  # what is still being written fails now
        thread.join()


def _fill(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    with contextlib.suppress(OSError):
        while view:
            view = view[os.write(descriptor, view[:65536]) :]
    os.close(descriptor)
