"""What Python code writes and which commands it starts, as far as its text tells: nothing of it is run."""

import ast
import posixpath
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator
from itertools import product

import msgspec

from gate.cmdline.bindings import Bindings, called_name
from gate.cmdline.pathcode import Paths
from gate.cmdline.target import UNTOLD, How, Target

_LONGEST = 200_000
_MOST = 50
_OF_ITSELF = frozenset("write_text write_bytes touch chmod lchmod symlink_to hardlink_to".split())  # noqa: SIM905
_REMOVING = frozenset(["unlink", "rmdir", "remove", "removedirs"])
_COPYING = frozenset(["copy", "copy2", "copyfile", "copytree", "copymode", "copystat"])
_STARTING = frozenset("run call check_call check_output Popen getoutput getstatusoutput system popen".split())  # noqa: SIM905
_LOOKING = (
    "print pprint open read readline readlines read_text read_bytes exists is_file is_dir stat getsize "
    "getmtime split splitlines strip rstrip lstrip join format replace startswith endswith find rfind "
    "index count lower upper title len str int float bool bytes repr list dict set tuple sorted reversed "
    "enumerate range zip map filter any all sum min max abs round isinstance hasattr type Path PurePath "
    "loads load dumps parse dump unparse walk search match fullmatch findall finditer sub group groups "
    "get items keys values encode decode hexdigest digest sha1 sha256 md5 exit append add extend pop "
    "insert sort Counter defaultdict most_common get_docstring iter_child_nodes glob rglob iglob iterdir "
    "listdir splitext basename dirname resolve absolute relative_to as_posix cwd getcwd safe_load reader "
    "DictReader next iter ord chr hex bin divmod pow isdigit isalpha ljust rjust zfill center partition "
    "rpartition "
)
_HANDED = frozenset("rmtree move rename copyfile copytree system popen exec eval".split())  # noqa: SIM905
_CHANGING = _OF_ITSELF | _REMOVING | _HANDED
_FLAGS = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND")
_MODE = re.compile(r"[rwaxbtU+]{1,4}(?:[:|]\w*)?")
REASON = "only running its code would tell which files it changes"


class Written(msgspec.Struct, frozen=True):
    """What code changes, the command lines that it starts, and the modules that it imports.

    `only_looks` says that it calls nothing but what reads.
    """

    targets: tuple[Target, ...] = ()
    commands: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    only_looks: bool = False


def written(code: str, argv: Iterable[str] = (), file: str = "") -> Written | None:
    """What the code changes, given its arguments and where it lies; None for what is no Python, or too much of it."""
    if len(code) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of the code, such as a wrong escape
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    try:
        return _Code(tree, argv, file).written()
    except RecursionError:
        return Written((Target(UNTOLD, below=True, unsure=REASON),))


class _Code:
    """One text of code."""

    def __init__(self, tree: ast.Module, argv: Iterable[str], file: str) -> None:
        self._bindings = Bindings(tree)
        nodes = (node for node in ast.walk(tree) if node not in self._bindings.idle)
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._paths = Paths(self._bindings, argv, file)
        self._imports = list(_imports(tree))
        self._names = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)}

    def written(self) -> Written:
        """The targets, below each folder that it changes to as well, and the commands."""
        targets: dict[Target, None] = {}
        commands: dict[str, None] = {}
        moves = [_at(node, 0) for node in self._calls if called_name(node) == "chdir"]
        folders = [text for folder in moves for text in self._paths.of(folder)]
        for node in self._calls:
            for target in self._targets(node):
                for folder in ("", *folders):
                    path = posixpath.join(folder, target.path)
                    unsure = REASON if UNTOLD in path or set("*?[") & set(path) else ""
                    targets[msgspec.structs.replace(target, path=path, unsure=unsure)] = None
            for line in self._started(node):
                for folder in folders or [""]:
                    commands[f"cd {shlex.quote(folder)} && {line}" if folder else line] = None
        only_looks = not targets and not commands and self._only_looks()
        return Written(tuple(targets), tuple(commands), tuple(self._imports), only_looks)

    def _only_looks(self) -> bool:
        """Whether all that it calls only reads, and nothing that changes files is handed on to be called."""
        called = {called_name(node) for node in self._calls} - self._bindings.functions.keys()
        return called <= set(_LOOKING.split()) and not self._names & _CHANGING

    def _targets(self, node: ast.Call) -> Iterator[Target]:
        name, receiver = called_name(node), self._bindings.receiver(node)
        first, second = _at(node, 0), _at(node, 1)
        if name == "open" or name in ("FileInput", "input"):
            yield from self._opened(node, name, receiver)
        elif name in _OF_ITSELF and (receiver is not None or name == "chmod"):
            yield from self._each(receiver if receiver is not None else first)
        elif name in _REMOVING:
            gone = receiver if receiver is not None else first
            yield from self._each(gone, How.REMOVES) if not (receiver is not None and first is not None) else ()
        elif name in ("rename", "replace", "renames", "move", "link", "symlink"):
            yield from self._moved(node, name, receiver)
        elif name in _COPYING and receiver is None and second is not None:
            below = name == "copytree"
            yield from self._each(second, below=below)
            for source, to in product(self._paths.of(first), self._paths.of(second)):
                yield Target(posixpath.join(to, posixpath.basename(source)), below=below)
        elif name == "rmtree":
            yield from self._each(first if first is not None else receiver, How.REMOVES, below=True)
        elif name in ("extractall", "unpack_archive"):
            folder = first if name == "extractall" else second
            yield from self._each(_given(node, "path", _given(node, "extract_dir", folder)), below=True)
        elif name == "truncate" and receiver is None and first is not None:
            yield from self._each(first)
        elif name.startswith("to_") or name in ("save", "savefig"):
            found = self._paths.of(first) if first is not None else []
            yield from (Target(path) for path in found if path != UNTOLD)

    def _opened(self, node: ast.Call, name: str, receiver: ast.expr | None) -> Iterator[Target]:
        """`open` in a mode in which it writes, and a file that is edited in place while it is read."""
        if name != "open":
            if any(keyword.arg == "inplace" for keyword in node.keywords):
                files = _given(node, "files", _at(node, 0))
                found = self._paths.of(files) if self._bindings.sequence(files) is None else self._paths.elements(files)
                yield from map(Target, found)
            return
        place = receiver if receiver is not None else _given(node, "file", _at(node, 0))
        mode = _given(node, "mode", _at(node, 0 if receiver is not None else 1))
        if mode is None:
            return
        flags = {one.attr for one in ast.walk(mode) if isinstance(one, ast.Attribute)}
        modes = self._paths.of(mode)
        if flags & set(_FLAGS) or (not any(flag.startswith("O_") for flag in flags) and any(map(_writes, modes))):
            yield from self._each(place)

    def _moved(self, node: ast.Call, name: str, receiver: ast.expr | None) -> Iterator[Target]:
        first, second = _at(node, 0), _at(node, 1)
        if receiver is not None:
            if second is None and first is not None:  # with two it is text that is replaced
                yield from self._each(receiver, How.REMOVES)
                yield from self._each(first)
        elif second is not None:
            if name not in ("link", "symlink"):
                yield from self._each(first, How.REMOVES, below=True)
            yield from self._each(second, below=True)

    def _each(self, node: ast.expr | None, how: How = How.WRITES, *, below: bool = False) -> Iterator[Target]:
        return (Target(path, how, below=below) for path in (self._paths.of(node) if node is not None else ["."]))

    def _started(self, node: ast.Call) -> Iterator[str]:
        """The command lines that a call starts."""
        if called_name(node) not in _STARTING or not node.args:
            return
        folder = _given(node, "cwd", None)
        before = [f"cd {shlex.quote(path)} && " for path in self._paths.of(folder)] if folder is not None else [""]
        words = self._words(node.args[0])
        if words is None:
            lines = [text for text in self._paths.of(node.args[0]) if text != UNTOLD]
        else:
            ways = list(product(*words))
            lines = [shlex.join(way) for way in ways[:_MOST]]
        yield from (f"{start}{line}" for start in before for line in lines)

    def _words(self, node: ast.expr) -> list[list[str]] | None:
        """The words of a command that is given as a list; None where it is given as text."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._words(node.left), self._words(node.right)
            return None if left is None and right is None else [*(left or [[UNTOLD]]), *(right or [[UNTOLD]])]
        parts = self._bindings.sequence(node)
        if parts is None:
            return [self._paths.elements(node)] if isinstance(node, ast.ListComp) else None
        found: list[list[str]] = []
        for part in parts:
            texts = self._paths.elements(part.value) if isinstance(part, ast.Starred) else self._paths.of(part)
            found.append(texts if len(texts) <= _MOST else [UNTOLD])
        return found


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)


def _at(node: ast.Call, place: int) -> ast.expr | None:
    return node.args[place] if len(node.args) > place else None


def _given(node: ast.Call, name: str, default: ast.expr | None) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), default)


def _writes(mode: str) -> bool:
    return mode == UNTOLD or (_MODE.fullmatch(mode) is not None and bool(set("wax+") & set(mode)))
