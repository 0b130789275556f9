"""Read a recording of any known format and print it in the interchange format ATIF."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from gate import escape, inlet, options, recording
from gate.atif import document
from gate.source import open_file


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("recording", metavar="RECORDING", help="the recording's file; - is standard input")
    parser.add_argument("--to", choices=["atif"], default="atif", help="the format to print: ATIF 1.7")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - every verb is called alike
    """Print the document; 0 where the recording can be read."""
    if arguments.recording == inlet.WORD:
        trajectory = recording.read(inlet.read(options.LARGEST_RECORDING), inlet.NAME)
    else:
        path = Path(arguments.recording)
        trajectory = recording.read(open_file(path, limit=options.LARGEST_RECORDING), str(path))
    print(escape.json_document(escape.json_text(document(trajectory))))
    return 0
