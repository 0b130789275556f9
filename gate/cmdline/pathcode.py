"""The paths that expressions of Python code may stand for, worked out from its text: nothing of it is run."""

import ast
import math
import posixpath
import re
from collections.abc import Callable, Iterable
from itertools import product

from gate.cmdline.bindings import Bindings, Bound, called_name
from gate.cmdline.target import MADE, UNTOLD
from gate.cmdline.variables import spread

_MOST = 100
_DEEPEST = 25
_LONGEST = 20_000  # expressions that are looked at
_WIDEST = 100_000  # characters of a text
_MARK = "\1"
_PATHS = frozenset(["Path", "PurePath", "PosixPath", "PurePosixPath"])
_SAME = (
    "str fspath abspath realpath normpath expanduser resolve absolute as_posix strip rstrip lstrip decode encode quote"
)
_MAKING = frozenset(["mkdtemp", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile"])
_LISTING = frozenset(
    ["sorted", "list", "set", "tuple", "reversed", "iter", "tqdm", "frozenset", "chain", "filter", "map"]
)


class Paths:
    """The names of one text of code, and what they may be. `argv` are its arguments, `file` is where it lies."""

    def __init__(self, bindings: Bindings, argv: Iterable[str], file: str) -> None:
        self._bindings = bindings
        self._argv = list(argv)
        self._file = file
        self._found: dict[str, list[str]] = {}
        self._open: set[str] = set()
        self._depth = 0
        self._left = _LONGEST

    def of(self, node: ast.AST | None) -> list[str]:
        """Every path or text that an expression may be; `UNTOLD` for each part that only running it would tell."""
        return self._limited(node, lambda: self._of(node) if node is not None else [UNTOLD])

    def elements(self, node: ast.AST | None, part: tuple[int, ...] = ()) -> list[str]:
        """Every element of an iterable, or this part of each."""
        return self._limited(node, lambda: self._elements(node, part) if node is not None else [UNTOLD])

    def _limited(self, node: ast.AST | None, find: Callable[[], list[str]]) -> list[str]:
        self._left -= 1
        if node is None or self._depth > _DEEPEST or self._left < 0:
            return [UNTOLD]
        self._depth += 1
        try:
            found = list(dict.fromkeys(find()))
        finally:
            self._depth -= 1
        return found if len(found) <= _MOST and max(map(len, found), default=0) <= _WIDEST else [UNTOLD]

    def _name(self, name: str) -> list[str]:
        """What a name may be. Asked for by its own value it is a mark, which adds nothing where it stays alone."""
        if name in self._found:
            return self._found[name]
        mark = f"{_MARK}{name}{_MARK}"
        if name in self._open:
            return [mark]
        self._open.add(name)
        texts = [text for one in self._bindings.of(name) for text in self._bound(one)]
        self._open.discard(name)
        found = list(dict.fromkeys(text.replace(mark, UNTOLD) for text in texts if text != mark)) or [UNTOLD]
        if _MARK not in "".join(found):
            self._found[name] = found
        return found

    def _bound(self, bound: Bound) -> list[str]:
        if bound.value is None:
            return [UNTOLD]
        if bound.element:
            return self.elements(bound.value, bound.part)
        if not bound.part:
            return self.of(bound.value)
        if isinstance(bound.value, ast.Call) and called_name(bound.value) in _MAKING:
            return [MADE]
        return self._picked(bound.value, bound.part)

    def _picked(self, node: ast.AST, part: tuple[int, ...]) -> list[str]:
        if not part:
            return self.of(node)
        parts = self._bindings.sequence(node)
        return self._picked(parts[part[0]], part[1:]) if parts is not None and part[0] < len(parts) else [UNTOLD]

    def _of(self, node: ast.AST) -> list[str]:
        if isinstance(node, ast.Constant):
            value = node.value
            return [value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)]
        if isinstance(node, ast.JoinedStr):
            return self._product(node.values, "".join)
        if isinstance(node, ast.FormattedValue | ast.NamedExpr | ast.Await | ast.Starred):
            return self.of(node.value)
        if isinstance(node, ast.Name):
            return [self._file] if node.id == "__file__" else self._name(node.id)
        if isinstance(node, ast.BinOp):
            return self._joined(node)
        if isinstance(node, ast.IfExp | ast.BoolOp):
            ways = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
            return [text for way in ways for text in self.of(way)]
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            of = node.value.attr if isinstance(node.value, ast.Attribute) else ""
            if of == "environ" and isinstance(node.slice, ast.Constant):
                return spread("$" + str(node.slice.value), {})
            return list(self._argv) if of == "argv" else self._values(node.value)
        return self._call(node) if isinstance(node, ast.Call) else [UNTOLD]

    def _product(self, nodes: list[ast.expr], join: Callable[[Iterable[str]], str]) -> list[str]:
        found = [self.of(node) for node in nodes]
        if math.prod(map(len, found)) > _MOST:
            return [UNTOLD]
        return [join(texts) for texts in product(*found)]

    def _joined(self, node: ast.BinOp) -> list[str]:
        if isinstance(node.op, ast.Add):
            return self._product([node.left, node.right], "".join)
        if isinstance(node.op, ast.Div):
            return self._product([node.left, node.right], _path)
        if isinstance(node.op, ast.Mod):
            return [re.sub(r"%[-+# 0-9.]*(?:\(\w+\))?[a-z]", UNTOLD, text) for text in self.of(node.left)]
        return [UNTOLD]

    def _attribute(self, node: ast.Attribute) -> list[str]:
        if f".{node.attr}" in self._bindings:
            return self._name(f".{node.attr}")
        if isinstance(node.value, ast.Name) and self._is_parsed(node.value.id):
            return [*self._argv, *(text for value in self._bindings.defaults for text in self.of(value))]
        if node.attr == "argv":
            return [*self._argv, *(text for value in self._bindings.defaults for text in self.of(value))]
        if node.attr in _PARTS:
            return [_PARTS[node.attr](text) for text in self.of(node.value)]
        return [UNTOLD]

    def _is_parsed(self, name: str) -> bool:
        values = [one.value for one in self._bindings.of(name)]
        return any(isinstance(value, ast.Call) and called_name(value).startswith("parse_") for value in values)

    def _values(self, node: ast.AST) -> list[str]:
        """What stands in a container under any key."""
        if isinstance(node, ast.Dict):
            return [text for value in node.values for text in self.of(value)]
        if isinstance(node, ast.Name) and any(isinstance(one.value, ast.Dict) for one in self._bindings.of(node.id)):
            return [text for one in self._bindings.of(node.id) for text in self._values(one.value or node)]
        return self.elements(node)

    def _call(self, node: ast.Call) -> list[str]:
        name, args = called_name(node), node.args
        receiver = self._bindings.receiver(node)
        around = [receiver, *args] if receiver is not None else list(args)
        if name in _PATHS:
            return self._product(list(args), _path) if args else ["."]
        if name == "join" and receiver is None:
            return self._product(list(args), _path)
        if name == "joinpath" and receiver is not None:
            return self._product(around, _path)
        if name in _MAKING:
            folder = next((keyword.value for keyword in node.keywords if keyword.arg == "dir"), None)
            return [MADE] if folder is None else [_path((text, UNTOLD)) for text in self.of(folder)]
        plain = {"cwd": ".", "getcwd": ".", "home": "~", "gettempdir": "/tmp"}.get(name)  # noqa: S108 - what it stands for
        if plain:
            return [plain]
        if name in ("dirname", "basename") and args:
            return [(_parent if name == "dirname" else posixpath.basename)(text) for text in self.of(args[0])]
        if name in ("with_name", "with_suffix", "with_stem") and receiver is not None:
            return [_path((_parent(text), UNTOLD)) for text in self.of(receiver)]
        if name in ("getenv", "get") and args and isinstance(args[0], ast.Constant) and _is_environment(node):
            return spread("$" + str(args[0].value), {})
        if name == "format" and receiver is not None:
            return [re.sub(r"\{[^{}]*\}", UNTOLD, text) for text in self.of(receiver)]
        if name in self._bindings.functions:
            returned = [one.value for one in ast.walk(self._bindings.functions[name]) if isinstance(one, ast.Return)]
            return [text for value in returned for text in self.of(value)]
        return self.of(around[0]) if name in _SAME.split() and around else [UNTOLD]

    def _elements(self, node: ast.AST, part: tuple[int, ...]) -> list[str]:
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [text for one in node.elts for text in self._element(one, part)]
        if isinstance(node, ast.Dict):
            return [text for key in node.keys for text in self.of(key)]
        if isinstance(node, ast.Name):
            return [text for one in self._bindings.of(node.id) for text in self._within(one, part)]
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return self._picked(node.elt, part)
        if isinstance(node, ast.BinOp | ast.IfExp):
            ways = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.body, node.orelse)
            return [text for way in ways for text in self.elements(way, part)]
        if isinstance(node, ast.Attribute | ast.Subscript):
            return self.of(node)
        return self._listed(node, part) if isinstance(node, ast.Call) else [UNTOLD]

    def _element(self, node: ast.expr, part: tuple[int, ...]) -> list[str]:
        return self.elements(node.value, part) if isinstance(node, ast.Starred) else self._picked(node, part)

    def _within(self, bound: Bound, part: tuple[int, ...]) -> list[str]:
        """The elements of what a name is given."""
        value = bound.value
        if not bound.element and not bound.part:
            return self.elements(value, part)
        if bound.element and isinstance(value, ast.Call) and called_name(value) in ("walk", "fwalk") and bound.part:
            return ["*"]
        lists = self._bindings.sequence(value) if bound.element and not bound.part else None
        return [text for one in lists for text in self.elements(one, part)] if lists is not None else [UNTOLD]

    def _listed(self, node: ast.Call, part: tuple[int, ...]) -> list[str]:
        """What a call lists: files that match, folders that it walks, parts of other iterables."""
        name, args, receiver = called_name(node), node.args, self._bindings.receiver(node)
        where = receiver if receiver is not None else args[0] if args else None
        if name in ("glob", "iglob", "rglob"):
            patterns = self.of(args[0] if args else None)
            starts = self.of(receiver) if receiver is not None else ["."]
            deep = UNTOLD if name == "rglob" else ""
            return [_path((start, deep + _deep(pattern))) for start in starts for pattern in patterns]
        if name in ("iterdir", "scandir"):
            return [_path((start, "*")) for start in (self.of(where) if where is not None else ["."])]
        if name == "listdir":
            return ["*"]
        if name in ("walk", "fwalk"):
            return [UNTOLD if start in (".", "") else start + UNTOLD for start in self.of(where)]
        if name == "enumerate" and args and part[:1] == (1,):
            return self.elements(args[0], part[1:])
        if name == "zip" and part and part[0] < len(args):
            return self.elements(args[part[0]], part[1:])
        if name in ("items", "keys", "values") and receiver is not None:
            return self._values(receiver) if name == "values" or part[:1] == (1,) else self.elements(receiver)
        if name in ("split", "splitlines") and receiver is not None:
            return [piece for text in self.of(receiver) for piece in ([UNTOLD] if UNTOLD in text else text.split())]
        if name in _LISTING and args:
            return self.elements(args[-1 if name in ("filter", "map") else 0], part)
        return self.of(node)


def _is_environment(node: ast.Call) -> bool:
    of = node.func.value if isinstance(node.func, ast.Attribute) else None
    return called_name(node) == "getenv" or getattr(of, "attr", getattr(of, "id", "")) == "environ"


def _path(texts: Iterable[str]) -> str:
    return posixpath.join(*texts)


def _parent(text: str) -> str:
    return UNTOLD if text == UNTOLD else posixpath.dirname(text) or "."


def _stem(text: str) -> str:
    return posixpath.splitext(posixpath.basename(text))[0]


def _deep(pattern: str) -> str:
    return pattern.replace("**/", UNTOLD).replace("**", UNTOLD)


_PARTS: dict[str, Callable[[str], str]] = {
    "parent": _parent,
    "name": posixpath.basename,
    "stem": _stem,
    "path": str,
}
