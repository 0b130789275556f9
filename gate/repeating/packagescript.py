"""The scripts of a `package.json`, which `npm run` and its like hand to a shell."""

import posixpath
import re
import shlex

import msgspec

from gate.cmdline.wrapper import program
from gate.errors import NotRepeated
from gate.repeating.formatters import FORMATTERS
from gate.repeating.site import Site

RUNNERS = frozenset(["npm", "pnpm", "yarn", "bun"])
_QUIET = ("-s", "--silent", "--quiet")
_OWN = {
    "npm": None,
    "bun": "test install i add a remove rm update link unlink pm x build init create upgrade outdated publish audit",
    "pnpm": "install i add remove rm update up exec dlx test link publish audit store why list ls outdated init create",
    "yarn": "install add remove up upgrade exec dlx link publish audit why info init create cache config workspaces",
}
_LARGEST = 1024 * 1024
_ANNOUNCED = re.compile(r"^\$ (\S.*)$|^> \S.*\n> (\S.*)$", re.MULTILINE)


class Script(msgspec.Struct, frozen=True):
    """The text of a script with the arguments it is given, and the folder it runs in."""

    text: str
    folder: str | None


def announced(output: str) -> list[str]:
    """The texts of the scripts that ran, as npm, pnpm, yarn and bun print them before they start."""
    return [(found[1] or found[2]).strip() for found in _ANNOUNCED.finditer(output)]


def script(site: Site, folder: str | None, words: tuple[str, ...], said: list[str]) -> Script | None:
    """The script that these words run: as the workspace has it, else as it was announced; None where they run none.

    The first of `said` is taken off for every script. NotRepeated where neither tells what the script is.
    """
    wanted = _wanted(words)
    if wanted is None:
        return None
    told = said.pop(0) if said else None
    place = folder
    while place is not None:
        path = posixpath.join(place, "package.json")
        if site.files.mode(path) is not None:
            text = _scripts(site.read(path)).get(wanted[0])
            if text:
                return Script(" ".join([text, *map(shlex.quote, _passed(program(words[0]), wanted[1:]))]), place)
            break
        place = posixpath.dirname(place) if place else None
    if told:
        return Script(told, folder)
    raise NotRepeated(f"what the script {wanted[0]} is, no package.json of the workspace tells", kind="script")


def _wanted(words: tuple[str, ...]) -> list[str] | None:
    """The name of the script and what stands behind it; None where these words run no script."""
    own = _OWN[program(words[0])]
    rest = [word for word in words[1:3] if word not in _QUIET] + list(words[3:])
    runs = rest[:1] in (["run"], ["run-script"])
    rest = [word for word in rest[runs : runs + 1] if word not in _QUIET] + rest[runs + 1 :]
    if not rest or rest[0].startswith("-") or program(rest[0]) in FORMATTERS or "/" in rest[0]:
        return None
    return rest if runs or (own is not None and rest[0] not in own.split()) else None


def _passed(name: str, given: list[str]) -> list[str]:
    """What the script is given: npm passes on what stands behind `--`, the others all but that."""
    if name == "npm":
        behind = given.index("--") if "--" in given else len(given)
        if any(word.startswith("-") for word in given[:behind]):
            raise NotRepeated("it has options of npm", kind="option")
        return given[:behind] + given[behind + 1 :]
    return given[1:] if given[:1] == ["--"] else given


def _scripts(data: bytes) -> dict[str, str]:
    try:
        document = msgspec.json.decode(data) if len(data) <= _LARGEST else None
    except msgspec.DecodeError:
        return {}
    found = document.get("scripts") if isinstance(document, dict) else None
    return {str(key): value for key, value in (found or {}).items() if isinstance(value, str)}
