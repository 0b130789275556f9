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

_ROOMS = ("", ".cmdline", ".diffs", ".grading", ".integrity", ".patterns", ".reporters", ".runners")
_ROOMS_ENTERED = (".agents", ".bundles", ".repeating")
"""Folders of which something is needed later only where something was needed by now."""

_LIBRARIES = (
    *("_strptime", "array", "ast", "base64", "configparser", "datetime", "difflib", "encodings.idna", "hashlib", "io"),
    *("json", "linecache", "shlex", "shutil", "tempfile", "textwrap", "tomllib", "traceback", "uuid"),
    *("ahocorasick_rs", "junit_xml", "regex", "wcmatch.glob", "xml.etree.ElementTree", "xml.parsers.expat"),
)
_OF_A_TERMINAL = ("rich.console", "rich.text")
_OF_REQUESTS = ("github", "requests.exceptions", "urllib3.exceptions")


@functools.cache
def before_commands() -> None:
    """Import it all; once a process, and nothing where no command is started."""
    entered = {name.rpartition(".")[0] for name in tuple(sys.modules)}
    publishes = "gate.publishing.publication" in sys.modules
    rooms = [f"gate{folder}" for folder in _ROOMS]
    rooms += [f"gate{folder}" for folder in _ROOMS_ENTERED if f"gate{folder}" in entered]
    wanted = [*_LIBRARIES, *(_OF_REQUESTS if publishes else ())]
    wanted += _OF_A_TERMINAL if os.isatty(1) else ()
    with deadline.held():
        for room in rooms:
            for name in registry.builtin(room):
                if not name.startswith("__"):
                    _import(f"{room}.{name}")
        for name in wanted:
            _import(name)


def _import(name: str) -> None:
    with contextlib.suppress(ImportError):  # an extra that is not installed, which nothing can need then
        importlib.import_module(name)
