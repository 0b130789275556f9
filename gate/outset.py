"""The command `gate` as a process of its own: its memory, its streams and its signals, from the first import on."""

import gc
import os
import sys

_GARBAGE = 200_000
_INTERRUPTED = 130


def program() -> int:
    """`main` of the command line, whatever becomes of the process around it.

    Next to nothing here is cyclic, and Python would look through all of it again and again, and twice as it ends: a
    fifth of the time of a run on many tasks.
    """
    _decode_as_git()
    gc.set_threshold(_GARBAGE)
    try:
        # Here, so that ^C in the middle of an import is no traceback either.
        from gate import interrupt

        interrupt.heard()
        with interrupt.waiting():
            from gate import cli, outlet
        outlet.opened()
        code = cli.main()
        interrupt.deafen()
        outlet.settle()
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        gc.freeze()
    return code


def _decode_as_git() -> None:
    """Start over in Python's UTF-8 mode where the locale says otherwise: names in git and in a manifest are UTF-8.

    Else a scope with an `é` would meet no file. In that mode nothing else differs: children are given the locale.
    """
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - this very program
