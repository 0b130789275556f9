"""Arguments and environment in, exit code out; the one place where an error becomes words."""

import argparse
import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from functools import partial

from gate import __version__, registry
from gate.errors import GateError, bug

_FOLDER = "gate.commands"
_GARBAGE = 200_000


def program() -> int:
    """The command `gate`: `main`, in a process of its own.

    Next to nothing here is cyclic, and Python would look through all of it again and again, and twice as it ends: a
    fifth of the time of a run on many tasks.
    """
    gc.set_threshold(_GARBAGE)
    try:
        return main()
    finally:
        gc.freeze()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Exit codes are listed in `docs/exit-codes.md`; no traceback reaches a user."""
    words = list(sys.argv[1:] if argv is None else argv)
    _end_on_signals()
    try:
        return _dispatch(words)
    except GateError as error:
        print(f"gate: {error.message}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("gate: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output is gone; Python must not complain about it a second time while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 4
    except OSError as error:
        print(f"gate: {error.strerror or error}: the output cannot be written", file=sys.stderr)
        return 4
    except Exception as error:
        print(f"gate: {bug(error)}", file=sys.stderr)
        return 4


def _end_on_signals() -> None:
    """Let SIGTERM and SIGHUP end a run as ^C does: with its commands, and with its workspaces taken away."""

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), end)


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        print(f"gate {__version__}")
        return 0
    verbs = registry.builtin(_FOLDER)
    if not words or words[0] in ("-h", "--help", "help"):
        print(_help(verbs))
        return 0 if words else 2
    verb = words[0]
    if verb not in verbs:
        from gate.shape import nearest_name  # only a mistake needs it

        print(f"gate: there is no verb {verb!r}{nearest_name(verb, list(verbs))}", file=sys.stderr)
        return 2
    module = registry.load(_FOLDER, verb)
    parser = argparse.ArgumentParser(
        prog=f"gate {verb}",
        description=module.__doc__,
        allow_abbrev=False,
        # Without a width argparse imports shutil, for every verb (6 ms).
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=100),
    )
    module.configure(parser)
    code: int = module.run(parser.parse_args(words[1:]), os.environ)
    return code


def _help(verbs: Sequence[str]) -> str:
    lines = ["usage: gate VERB [options]", "", "A gate for pull requests that coding agents write.", ""]
    for verb in verbs:
        first = (registry.load(_FOLDER, verb).__doc__ or "").strip().splitlines()[0]
        lines.append(f"  {verb:9} {first}")
    return "\n".join([*lines, "", "`gate VERB --help` tells more; `gate --version` tells the version."])
