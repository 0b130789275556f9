"""Python of a workspace: what an interpreter would import from the checkout is imported from the workspace instead.

A package that is installed for development (`pip install -e .`) is read where it was written: in the checkout. Commands
would test that, whatever was judged. The commit that is judged may be another, and so is what is put back in it.
"""

import os
from pathlib import Path

NAME = "sitecustomize.py"
"""What Python imports by this name before anything else, from the first folder of `PYTHONPATH`."""

_MODULE = '''"""Written by trajectory-gate for one command; gone with it."""

import os
import sys

_OLD, _NEW = {old!r}, {new!r}
_OWN = os.path.dirname(os.path.abspath(__file__))


def _below(place, folder):
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)


def _moved(place):
    if not isinstance(place, str):
        return place
    for whole in (os.path.abspath(place), os.path.realpath(place)):
        if _below(whole, _NEW):
            return place
        if any(_below(whole, os.path.realpath(own)) or _below(whole, own) for own in (sys.prefix, sys.base_prefix)):
            return place
        for old in _OLD:
            if place and _below(whole, old):
                return _NEW + whole[len(old):]
    return place


def _relocate():
    sys.path[:] = [_moved(place) for place in sys.path if os.path.abspath(place) != _OWN]
    for finder in sys.meta_path:
        home = sys.modules.get(getattr(finder, "__module__", None) or "")
        for name in ("MAPPING", "NAMESPACES"):  # of setuptools' finders
            found = getattr(home, name, None)
            if isinstance(found, dict) and getattr(home, "__name__", "").startswith("__editable__"):
                for key, value in found.items():
                    found[key] = list(map(_moved, value)) if isinstance(value, list) else _moved(value)


_relocate()
_self = sys.modules.pop(__name__, None)
try:
    import sitecustomize  # the machine's own, if there is one
except ImportError:
    pass
finally:
    sys.modules.setdefault(__name__, _self)
'''


COPIES = """\
import importlib.metadata, json, os, sys
from urllib.parse import unquote, urlsplit
tops = {os.path.abspath(sys.argv[1]), os.path.realpath(sys.argv[1])}
for found in importlib.metadata.distributions():
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    place = unquote(urlsplit(origin.get("url", "")).path)
    editable = origin.get("dir_info", {}).get("editable", False)
    if origin.get("url", "").startswith("file:") and not editable and any(
        place == top or place.startswith(top + os.sep) for top in tops
    ):
        print(found.metadata["Name"])
"""
"""Prints the names of what an interpreter has installed from a folder, its first argument, as a copy (PEP 610)."""


def module(checkout: Path, workspace: Path) -> bytes:
    """The module that makes every Python of a command import from `workspace` what it would from `checkout`.

    What lies in the interpreter's own environment stays, though that may lie in the checkout, too.
    """
    old = list(dict.fromkeys([os.path.abspath(checkout), os.path.realpath(checkout)]))
    return _MODULE.format(old=old, new=str(workspace)).encode("utf-8", "surrogateescape")
