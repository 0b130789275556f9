"""JSON documents of a bundle."""

import pytest

from gate.bundles.overlap import Corpus
from gate.bundles.reading import read
from gate.errors import BundleError


def test_reads() -> None:
    assert read(b'{"name": "c", "texts": 1, "bytes": 2}', Corpus, "b/c.json") == Corpus(name="c", texts=1, bytes=2)


@pytest.mark.parametrize(
    ("text", "message", "kind"),
    [
        pytest.param('{\n "texts": 1, "bytes": 2}', "b/c.json:1: `name` is missing", "missing_key", id="a line"),
        pytest.param(
            '{"name": "c",\n "texts": "x", "bytes": 2}',
            "b/c.json:2: `texts`: expected a whole number, found 'x'",
            "type",
            id="a line further down",
        ),
        pytest.param("\xff", "b/c.json: the text is not UTF-8: byte 0 is not valid", "encoding", id="no line"),
    ],
)
def test_faults(text: str, message: str, kind: str) -> None:
    with pytest.raises(BundleError) as caught:
        read(text.encode("latin-1"), Corpus, "b/c.json")
    assert (caught.value.message, caught.value.kind) == (message, kind)
