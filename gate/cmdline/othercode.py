"""Code in other languages than Python: whether it writes files that it finds while it runs, as its words suggest."""

import re

_FINDS = re.compile(
    r"readdir|opendir|\bglob|walk|scandir|fast-glob|\bDir\[|Dir\.(?:glob|each|children|entries)|Find\.find|File::Find"
    r"|DirectoryIterator|process\.argv|Deno\.args|@?\bARGV\b|\$argv|git ls-files|git grep|git diff|\bstdin\b|STDIN"
    r"|<>|\bfindSync|listFiles"
)
_WRITES = re.compile(
    r"(?:writeFile|appendFile|writeTextFile|unlink|rename|copyFile|truncate|file_put_contents|createWriteStream|outputFile"
    r"|Bun\.write|File\.write|IO\.write|FileUtils\.\w+|\b(?:fs|Deno)\.rm|cpSync|rmSync)(?:Sync)?\s*\(?\s*(?P<first>[^\s,)]*)"
    r"|(?:File\.open|fopen|\bopen)\s*\(?\s*(?P<opened>[^\s,)]+)\s*,\s*['\"][wa+>]"
)
_TOLD = re.compile(r"['\"][^'\"$#{}]*['\"]|`[^`$]*`")


def writes_what_it_finds(code: str) -> bool:
    """Whether it looks for files, and writes some that it does not name."""
    if not _FINDS.search(code):
        return False
    found = (one["first"] or one["opened"] or "" for one in _WRITES.finditer(code))
    return any(not _TOLD.fullmatch(first) for first in found)


_COMMANDS = re.compile(
    r"(?:\b(?:exec|execSync|execaCommand(?:Sync)?|system|shell_exec|passthru|popen|popen3|os\.execute|qx|spawn)\s*\(?\s*)"
    r"(?P<quote>['\"`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)",
    re.DOTALL,
)
_LOOKS = frozenset(
    "require log readFileSync readFile readdirSync existsSync statSync parse stringify keys values entries map filter "  # noqa: SIM905
    "forEach join split trim match replace slice includes indexOf sort reverse toString String Number parseInt test "
    "startsWith endsWith resolve cwd error exit then catch push concat length if for while print puts function".split()
)
_CHANGES = re.compile(
    r"[>`]|\b(?:open|unlink|rename|system|exec|qx|write|syswrite|File|IO|FileUtils|truncate|link|symlink|mkdir|rmdir"
    r"|chmod|utime|eval|do|require|spawn|import|import\(|rm|cp|mv|remove|delete|copy|move|save|append)\w*"
)


def commands(code: str) -> list[str]:
    """The command lines in the code that it starts, where they are written in one piece."""
    return [found["text"] for found in _COMMANDS.finditer(code)]


def only_looks(code: str, *, javascript: bool) -> bool:
    """Whether nothing in the code can change a file, as far as its words tell."""
    if javascript:
        called = set(re.findall(r"([A-Za-z_$][\w$]*)\s*\(", code))
        return called <= _LOOKS and "`" not in code and set(re.findall(r"require\(\s*(.*?)\s*\)", code)) <= _READERS
    return _CHANGES.search(code) is None


_READERS = frozenset(f"{quote}{name}{quote}" for quote in "'\"" for name in ("fs", "node:fs", "path", "node:path"))
