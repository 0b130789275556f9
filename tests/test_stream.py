"""What is kept of a stream."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stream import Stream, fed


def _through(chunks: list[bytes], keep: int, limit: int) -> tuple[Stream, int]:
    reading, writing = os.pipe()
    floods: list[int] = []
    stream = Stream(open(reading, "rb"), keep=keep, limit=limit, flooded=lambda: floods.append(1))  # noqa: SIM115
    with open(writing, "wb", buffering=0) as pipe:
        try:
            for chunk in chunks:
                pipe.write(chunk)
        except BrokenPipeError:
            pass
    stream.close(10)
    return stream, len(floods)


@given(chunks=st.lists(st.binary(min_size=1, max_size=40)), keep=st.integers(0, 60))
def test_head_and_tail_are_those_of_the_whole(chunks: list[bytes], keep: int) -> None:
    whole = b"".join(chunks)
    stream, floods = _through(chunks, keep, 10_000)
    assert floods == 0
    assert stream.dropped == max(0, len(whole) - keep)
    if stream.dropped:
        head, tail = whole[: keep // 2], whole[len(whole) - (keep - keep // 2) :]
        assert stream.content == head + b"\n[%d bytes left out]\n" % stream.dropped + tail
    else:
        assert stream.content == whole


def test_a_large_stream_is_trimmed_on_the_way() -> None:
    whole = os.urandom(1000) + bytes(3_000_000) + os.urandom(1000)
    stream, _ = _through([whole], 2000, 10_000_000)
    assert stream.content == whole[:1000] + b"\n[3000000 bytes left out]\n" + whole[-1000:]


@pytest.mark.parametrize(
    ("size", "floods"), [pytest.param(100, 0, id="at the limit"), pytest.param(101, 1, id="past it")]
)
def test_more_than_the_limit_is_told_once(size: int, floods: int) -> None:
    stream, told = _through([bytes(size)], 10, 100)
    assert (told, stream.flooded) == (floods, bool(floods))


def test_a_pipe_that_stays_open_is_waited_for_no_longer_than_asked() -> None:
    reading, writing = os.pipe()
    stream = Stream(open(reading, "rb"), keep=10, limit=100, flooded=lambda: None)  # noqa: SIM115
    os.write(writing, b"so far")
    stream.close(0.2)
    assert stream.content == b"so far"
    os.close(writing)
    stream.close(10)


@pytest.mark.parametrize("size", [pytest.param(1, id="short"), pytest.param(3_000_000, id="more than a pipe holds")])
def test_what_is_fed_is_read_to_its_end(size: int) -> None:
    data = os.urandom(size)
    with fed(data) as reading:
        assert reading is not None
        read = b"".join(iter(lambda: os.read(reading, 65536), b""))
    assert read == data


def test_nobody_has_to_read_what_is_fed() -> None:
    with fed(bytes(3_000_000)) as reading:
        assert reading is not None


def test_nothing_needs_no_pipe() -> None:
    with fed(b"") as reading:
        assert reading is None
