"""Pages of the manual that say what the code says of itself."""

import inspect

from gate.recording import Reader, readers
from tests.conftest import ROOT

_HEAD = ["| format | what is read |", "|---|---|"]


def _row(reader: Reader) -> str:
    manual = inspect.getdoc(type(reader)) or ""
    first = " ".join(manual.partition("\n\n")[0].split())
    return f"| `{reader.name}` | {first}{' *Unverified.*' if '*Unverified*' in manual else ''} |"


def test_every_format_is_in_the_manual_with_the_words_of_its_reader() -> None:
    page = (ROOT / "docs" / "recordings.md").read_text().splitlines()
    start = page.index(_HEAD[0])
    table = page[start : page.index("", start)]
    expected = [*_HEAD, *map(_row, readers())]
    assert table == expected, "put this table into docs/recordings.md:\n" + "\n".join(expected)
