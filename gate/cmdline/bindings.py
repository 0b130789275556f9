"""The names of a text of Python code, and what each is given; nothing of it is run."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

_MOST = 100
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_USUAL = frozenset("os shutil glob tempfile io codecs subprocess fileinput gzip bz2 lzma".split())  # noqa: SIM905
_FILLING = frozenset(["append", "add", "appendleft", "extend", "update"])


ARGV = ast.parse("sys.argv", mode="eval").body
_COMMAND = re.compile(r"click|typer|\.(?:command|option|argument)\b")


class Bound(NamedTuple):
    """What a name is given: an expression, or an element of one, and which part of that; None for what is not known."""

    value: ast.expr | None
    part: tuple[int, ...] = ()
    element: bool = False


class Bindings:
    """What every name is given anywhere in the code: scopes and the order of statements are not looked at.

    `defaults` are those of arguments that a parser of the command line knows, `idle` all nodes of functions that
    nothing refers to. An attribute's name begins with a dot.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._names: dict[str, list[Bound]] = {}
        self._modules: set[str] = set()
        self.functions: dict[str, _Function] = {}
        self.defaults: list[ast.expr] = []
        self._classes: dict[str, _Function] = {}
        nodes = list(ast.walk(tree))
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.ClassDef):
                made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
                self._classes.update((node.name, one) for one in made)
            elif isinstance(node, ast.Import):
                self._modules |= {(one.asname or one.name).partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module == "os":
                self._modules |= {one.asname or one.name for one in node.names if one.name == "path"}
        called: set[str] = set()
        for node in nodes:
            self._collect(node, called)
        for name, function in self.functions.items():
            if name not in called or function.decorator_list:
                for parameter in _parameters(function):
                    self._unpassed(parameter, function)
        self.idle = _idle(nodes)

    def _unpassed(self, parameter: str, function: _Function) -> None:
        """What a function is given that the code does not call: by a library that reads the command line, its words."""
        decorated = [one for one in function.decorator_list if _COMMAND.search(ast.unparse(one))]
        self._bind(parameter, Bound(ARGV, element=True) if decorated else Bound(None))
        for one in decorated:
            self.defaults += [word.value for word in getattr(one, "keywords", []) if word.arg == "default"]

    def of(self, name: str) -> list[Bound]:
        """Everything that a name is given; something unknown for one that is given nothing."""
        return self._names.get(name) or [Bound(None)]

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def sequence(self, node: ast.AST | None) -> list[ast.expr] | None:
        """The elements of a list as it is written, in order; None where it is none."""
        if isinstance(node, ast.Name):
            bound = self.of(node.id)
            whole = len(bound) == 1 and not bound[0].element and not bound[0].part
            return self.sequence(bound[0].value) if whole and not isinstance(bound[0].value, ast.Name) else None
        return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else None

    def receiver(self, node: ast.Call) -> ast.expr | None:
        """What a method is called of; None for a function, of a module too."""
        if not isinstance(node.func, ast.Attribute):
            return None
        first = node.func.value
        while isinstance(first, ast.Attribute):
            first = first.value
        is_module = isinstance(first, ast.Name) and (
            first.id in self._modules or (first.id in _USUAL and first.id not in self)
        )
        return None if is_module else node.func.value

    def _collect(self, node: ast.AST, called: set[str]) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, Bound(node.value))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            self._assign(node.target, Bound(node.value))
        elif isinstance(node, ast.AugAssign):
            self._assign(node.target, Bound(None))
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            self._assign(node.target, Bound(node.iter, element=True))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._assign(node.optional_vars, Bound(node.context_expr))
        elif isinstance(node, ast.Call):
            self._called(node, called)

    def _called(self, node: ast.Call, called: set[str]) -> None:
        name, given = called_name(node), [*node.args, *(keyword.value for keyword in node.keywords)]
        function = self._classes.get(name) or self.functions.get(name)
        if function is not None:
            called.add(function.name)
            self._passed(function, node.args, node.keywords)
        elements = Bound(node.args[1], element=True) if name in ("map", "filter") and node.args[1:] else Bound(None)
        for value in given:
            if isinstance(value, ast.Lambda):
                for parameter in _parameters(value):
                    self._bind(parameter, elements)
            elif isinstance(value, ast.Name) and value.id in self.functions:
                called.add(value.id)
                if name == "submit":
                    self._passed(self.functions[value.id], node.args[1:], node.keywords)
                else:
                    self._bind(next(_parameters(self.functions[value.id]), ""), elements)
        if isinstance(node.func, ast.Attribute) and node.args and name in _FILLING:
            one = node.args[0]
            whole = one if name in ("extend", "update") else ast.List(elts=[one], ctx=ast.Load())
            self._assign(node.func.value, Bound(whole))
        elif name == "add_argument":
            self.defaults += [keyword.value for keyword in node.keywords if keyword.arg == "default"]

    def _passed(self, function: _Function, args: list[ast.expr], keywords: list[ast.keyword]) -> None:
        parameters = [one for one in _parameters(function) if one not in ("self", "cls")]
        for parameter, value in zip(parameters, args, strict=False):
            self._bind(parameter, Bound(None if isinstance(value, ast.Starred) else value))
        for keyword in keywords:
            for parameter in [keyword.arg] if keyword.arg else parameters:
                self._bind(parameter, Bound(keyword.value if keyword.arg else None))
        self._defaults_of(function)

    def _defaults_of(self, function: _Function) -> None:
        given = function.args
        names = [argument.arg for argument in (*given.posonlyargs, *given.args)]
        for name, value in zip(reversed(names), reversed(given.defaults), strict=False):
            self._bind(name, Bound(value))
        for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=False):
            if default is not None:
                self._bind(argument.arg, Bound(default))

    def _assign(self, target: ast.AST, bound: Bound) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for at, one in enumerate(target.elts):
                self._assign(one, bound._replace(part=(*bound.part, at)))
        elif isinstance(target, ast.Name):
            self._bind(target.id, bound)
        elif isinstance(target, ast.Attribute):
            self._bind(f".{target.attr}", bound)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            self._bind(target.value.id, Bound(ast.Dict(keys=[target.slice], values=[bound.value or target.slice])))

    def _bind(self, name: str, bound: Bound) -> None:
        known = self._names.setdefault(name, [])
        if bound not in known:
            known.append(bound if len(known) < _MOST else Bound(None))


def _idle(nodes: list[ast.AST]) -> set[ast.AST]:
    """Everything in functions that nothing in the code refers to, which are not run with it."""
    known = {node.id for node in nodes if isinstance(node, ast.Name)}
    known |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    functions = [node for node in nodes if isinstance(node, _Function) and node.name not in known]
    alone = [node for node in functions if not node.decorator_list and not node.name.startswith("__")]
    return {inner for function in alone for inner in ast.walk(function)}


def called_name(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _parameters(function: _Function | ast.Lambda) -> Iterator[str]:
    given = function.args
    return (argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs))
