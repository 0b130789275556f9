"""What may still be needed is imported before the first command is started.

Commands run what is judged, as the same user and often with the gate's own interpreter: they can write over modules of
the gate and of its libraries. What is in memory by then they do not reach.
"""

import contextlib
import functools
import importlib
import os
import sys

from gate import deadline, registry

_ALWAYS = ("cmdline", "diffs", "grading", "integrity", "patterns", "reporters", "runners")
_NEVER = ("commands", "formats", "oracles", "recordings")
"""Folders out of which planning has taken all that it needs. Of others the rest is needed where something was."""

_LIBRARIES = (
    *("_strptime", "array", "ast", "base64", "configparser", "datetime", "difflib", "hashlib", "io"),
    *("encodings.idna", "encodings.latin_1", "encodings.utf_16", "encodings.utf_16_be", "encodings.utf_16_le"),
    *("json", "linecache", "shlex", "shutil", "tempfile", "textwrap", "tomllib", "traceback", "uuid"),
    *("ahocorasick_rs", "junit_xml", "regex", "wcmatch.glob", "xml.etree.ElementTree", "xml.parsers.expat"),
)
_OF_A_TERMINAL = ("rich.console", "rich.text")
_OF_REQUESTS = ("github", "requests.exceptions", "urllib3.exceptions")


@functools.cache
def before_commands() -> None:
    """Import it all; once a process, and nothing where no command is started."""
    loaded = tuple(sys.modules)
    publishes = any(name.startswith("gate.") and name.endswith(".publication") for name in loaded)
    entered = {name.rpartition(".")[0] for name in loaded if name.startswith("gate.")}
    rooms = {*entered, *(f"gate.{folder}" for folder in _ALWAYS)} - {f"gate.{folder}" for folder in _NEVER}
    wanted = [*_LIBRARIES, *(_OF_REQUESTS if publishes else ())]
    wanted += _OF_A_TERMINAL if os.isatty(1) else ()
    with deadline.held():
        for room in sorted(rooms):
            for name in registry.builtin(room):
                if not name.startswith("__"):
                    _import(f"{room}.{name}")
        for name in wanted:
            _import(name)


def _import(name: str) -> None:
    with contextlib.suppress(ImportError):  # an extra that is not installed, which nothing can need then
        importlib.import_module(name)
