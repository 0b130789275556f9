"""What lies in a plugin folder, comes from another package, or from a file of the judged repository."""

import importlib
import os
import posixpath
import sys
from types import ModuleType
from typing import Any, TypeVar

from gate.errors import PluginError

T = TypeVar("T")
PLUGIN = "gate_plugin."
"""What the names of modules begin with that are plugins of a repository."""


def builtin(package: str) -> tuple[str, ...]:
    """The names of the modules that lie in a folder of this package, such as `gate.oracles`, sorted."""
    folders = importlib.import_module(package).__path__
    # Not pkgutil.iter_modules, which imports inspect and typing (15 ms).
    found = {name.removesuffix(".py") for folder in folders for name in os.listdir(folder) if name.endswith(".py")}
    return tuple(sorted(found - {"__init__"}))


def load(package: str, name: str) -> ModuleType:
    """The module `name` of a plugin folder."""
    return importlib.import_module(f"{package}.{name}")


def defined(module: ModuleType, kind: type[T]) -> type[T]:
    """The one subclass of `kind` that a module defines; PluginError when it defines none or several."""
    found: list[type[Any]] = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, kind) and value.__module__ == module.__name__
    ]
    public = [value for value in found if not value.__name__.startswith("_")]
    if len(public) != 1:
        names = ", ".join(value.__name__ for value in public) or "none"
        raise PluginError(f"{module.__name__}: expected one public subclass of {kind.__name__}, found {names}")
    return public[0]


def origin(kind: type[Any]) -> str | None:
    """The file of a repository's plugin that a type comes from, relative to the checkout; None for any other type."""
    name = kind.__module__
    return sys.modules[name].__file__ if name.startswith(PLUGIN) and name in sys.modules else None


def foreign(group: str) -> dict[str, Any]:
    """The entry points of installed packages in `group`, by name, not yet loaded."""
    from importlib.metadata import entry_points  # 40 ms, so only when a name is not built in

    return {point.name: point for point in entry_points(group=group)}


def plugin(code: bytes, kind: type[T], *, label: str) -> type[T]:
    """The one subclass of `kind` in a plugin file, whose name it has; `label` is the file's path. See `from_source`."""
    name = posixpath.basename(label).removesuffix(".py").replace("-", "_")
    return defined(from_source(f"{PLUGIN}{name}", code, label=label), kind)


def from_source(name: str, code: bytes, *, label: str) -> ModuleType:
    """A module made of the bytes of a repository's plugin file, which must come from the judge's own revision."""
    module = ModuleType(name)
    module.__file__ = label
    sys.modules[name] = module
    try:
        exec(compile(code, label, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - a trusted revision's code
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PluginError(f"{label}: the plugin cannot be loaded: {type(error).__name__}: {error}") from None
    return module
