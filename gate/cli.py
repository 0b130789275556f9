"""Arguments and environment in, exit code out; the one place where an error becomes words."""

import os
import sys
from collections.abc import Sequence

from gate import __version__, interrupt, outlet, registry
from gate.errors import GateError, UsageError, bug
from gate.usage import Parser

_FOLDER = "gate.commands"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Exit codes are listed in `docs/exit-codes.md`; no traceback reaches a user."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        with outlet.patient():
            return _printed(words)
    except GateError as error:
        outlet.tell(error.message)
        return error.exit_code
    except KeyboardInterrupt as interrupt:
        outlet.tell("interrupted")
        return getattr(interrupt, "exit_code", 130)
    except OSError as error:
        outlet.silence(sys.stdout)
        what = "the output cannot be written" if error.filename is None else f"{error.filename!r} cannot be used"
        outlet.tell(f"{what}: {error.strerror or error}")
        return 4
    except Exception as error:
        outlet.tell(bug(error))
        return 4


def _printed(words: list[str]) -> int:
    """The exit code, once all that was printed has gone out."""
    try:
        code = _dispatch(words)
    except SystemExit as done:  # argparse has shown the help
        code = int(done.code or 0)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


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

        raise UsageError(f"there is no verb {verb!r}{nearest_name(verb, list(verbs))}", kind="usage")
    _check_folder()
    with interrupt.waiting():  # a library that is torn apart as it is loaded may take Python with it
        module = registry.load(_FOLDER, verb)
    parser = Parser(prog=f"gate {verb}", description=module.__doc__)
    module.configure(parser)
    try:
        arguments = parser.parse_args(words[1:])
    except UsageError as error:
        reports = getattr(module, "refused", None)  # every report is written, also of a command line that is none
        if reports is None or not reports(error, words[1:], os.environ):
            raise
        return error.exit_code
    code: int = module.run(arguments, os.environ)
    return code


def _check_folder() -> None:
    """UsageError where the folder that this was started in has been taken away."""
    try:
        os.getcwd()
    except OSError as error:
        reason = f"the folder that the gate was started in cannot be used: {error.strerror}; change to another one"
        raise UsageError(reason, kind="folder") from None


def _help(verbs: Sequence[str]) -> str:
    lines = ["usage: gate VERB [options]", "", "A gate for pull requests that coding agents write.", ""]
    for verb in verbs:
        first = (registry.load(_FOLDER, verb).__doc__ or "").strip().splitlines()[0]
        lines.append(f"  {verb:9} {first}")
    return "\n".join([*lines, "", "`gate VERB --help` tells more; `gate --version` tells the version."])
