"""Commands that a line decodes and runs at once, so that it does not show what they are."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gate.cmdline.shell import Simple
from gate.cmdline.wrapper import SHELLS

_DECODING = re.compile(r"\b(?:base64\s(?:[^|;&)]*\s)?(?:-\w*[dD]\w*|--decode\b)|xxd\s(?:[^|;&)]*\s)?-\w*r)")
_INTERPRETER = re.compile(r"source|\.|python[\d.]*|node|perl|ruby|php|pwsh|powershell|Invoke-Expression")


def decoded(simples: Sequence[Simple]) -> Iterator[str]:
    """How each text is decoded that is run without being shown: `base64 -d`, `xxd -r`."""
    for one, behind in pairwise(simples):
        shown = _decoder(" ".join(one.words))
        if shown and one.piped and _reads_its_input(behind):
            yield shown
    for one in simples:
        first, *rest = one.words or ("",)
        substituted = first if first.startswith(("$(", "`")) else ""
        given = " ".join(word for word in rest if word.startswith("<(")) if _interprets(one) else ""
        shown = _decoder(substituted) or _decoder(given)
        if shown:
            yield shown


def _decoder(text: str) -> str:
    found = _DECODING.search(text)
    return f"{found[0].split()[0]} {found[0].split()[-1]}" if found else ""


def _reads_its_input(simple: Simple) -> bool:
    """Whether it is an interpreter that is given no script by name."""
    operands = [word for word in simple.arguments if word == "-" or not word.startswith("-")]
    has_code = any(word in ("-c", "-e", "-m") for word in simple.arguments)
    return _interprets(simple) and not has_code and operands in ([], ["-"])


def _interprets(simple: Simple) -> bool:
    return simple.program in SHELLS or bool(_INTERPRETER.fullmatch(simple.program))
