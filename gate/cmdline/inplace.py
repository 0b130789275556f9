"""Programs that edit files in place: sed, perl, awk, editors and their like."""

import re
from collections.abc import Callable
from itertools import pairwise

from gate.cmdline.arguments import has, operands, value
from gate.cmdline.interpreters import script
from gate.cmdline.shell import Simple
from gate.cmdline.target import UNTOLD, How, Target, Targets

_SED_WRITES = re.compile(r"(?:^|[;}/\dgpI$])\s*[wW]\s+([^\n;}]+)")
_VIM_WRITES = re.compile(r"(?:^|[\s|:])(?:w|wq|write|sav|saveas)!?\s+(?!!)([^\s|]+)")


def _sed(simple: Simple) -> Targets:
    words = simple.arguments
    in_place = any(re.match(r"-[nEruzs]*i|--in-place", word) for word in words)
    yield from (Target(path.strip()) for word in words for path in _SED_WRITES.findall(word))
    if not in_place:
        return
    paths = [path for path in operands(words, "-e -f --expression --file -l") if path]
    given = any(re.match(r"-[nEruzsi]*[ef]|--expression|--file", word) for word in words)
    yield from map(Target, paths if given else paths[1:])


def _perl(simple: Simple) -> Targets:
    words = simple.arguments
    switches = [word for word in words if word.startswith("-") and not word.startswith(("-M", "-m", "-I", "-r", "--"))]
    if any("i" in word for word in switches):
        scripts = any(re.match(r"-[^MmI]*[eE](?!\w)", word) for word in switches)
        paths = _operands_after_scripts(words)
        yield from map(Target, paths if scripts else paths[1:])
    else:
        yield from script(simple)


def _operands_after_scripts(words: tuple[str, ...]) -> list[str]:
    found, skip = [], False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and bool(re.fullmatch(r"-(?![MmIr-])\S*[eE]", word))
        else:
            found.append(word)
    return found


def _awk(simple: Simple) -> Targets:
    """Files that gawk edits in place, and those that the program prints into."""
    words = simple.arguments
    given = operands(words, "-i -v -f -F --include --assign --file --field-separator")
    in_place = any("inplace" in word for word in (value(words, "-i") or "", value(words, "--include") or ""))
    program = "" if has(words, "f", "--file") else next(iter(given), "")
    files = given if has(words, "f", "--file") else given[1:]
    if in_place:
        yield from map(Target, files)
    if re.search(r"\bsystem\s*\(|\|\s*\"", program):
        yield Target(program, How.MENTIONS)
    for to in re.findall(r"\bprintf?\b[^;{}\n>]{0,200}>+\s*(\"[^\"]*\"|[A-Z_a-z]\w*)(?!\s*\()", program):
        if to == "FILENAME":
            yield from map(Target, files)
        elif to.startswith('"'):
            yield Target(to.strip('"'))
        else:
            yield Target(UNTOLD)


def _editor(simple: Simple) -> Targets:
    """An editor of lines or of the screen: the files that it opens, and what its commands name."""
    words = simple.arguments
    yield from (Target(word) for word in operands(words, "-c -u -S --cmd") if not word.startswith("+"))
    given = [word[1:] for word in words if word.startswith("+")]
    given += [after for word, after in pairwise(words) if word in ("-c", "--cmd")]
    yield from (Target(path) for text in given for path in _VIM_WRITES.findall(text))
    yield from (Target(text, How.MENTIONS) for text in simple.heredocs if text)


def _after_program(simple: Simple) -> Targets:
    """The operands behind the first one, which says what is done: `yq -i`, `rename`."""
    yield from map(Target, operands(simple.arguments)[1:])


def _yq(simple: Simple) -> Targets:
    if has(simple.arguments, "i", "--inplace", "--in-place"):
        yield from map(Target, operands(simple.arguments))


def _sd(simple: Simple) -> Targets:
    if not has(simple.arguments, "p", "--preview"):
        yield from map(Target, operands(simple.arguments, "-n -f --max-replacements --flags")[2:])


IN_PLACE: dict[str, Callable[[Simple], Targets]] = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("perl", "ruby"), _perl),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    **dict.fromkeys(("ed", "red", "ex", "vi", "view", "vim", "nvim", "nano", "emacs"), _editor),
    **dict.fromkeys(("rename", "prename", "perl-rename", "file-rename"), _after_program),
    **dict.fromkeys(("yq", "dasel"), _yq),
    "sd": _sd,
}
