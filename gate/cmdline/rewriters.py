"""Programs that rewrite files by themselves: git, formatters, package managers."""

import posixpath
import re
from collections.abc import Callable

import msgspec

from gate.cmdline.arguments import git_verb, has, operands, value
from gate.cmdline.shell import Simple
from gate.cmdline.target import EVERYTHING, How, Target, Targets


def rewritten(simple: Simple) -> Targets:
    """What git, a formatter or a package manager changes; nothing for any other program."""
    name = simple.program
    if name == "git":
        yield from _git(simple)
    elif name in _HISTORIES:
        found = operands(simple.arguments)
        yield from _always(simple) if set(found[:2]) & set(_HISTORIES[name].split()) else ()
    elif name in _FORMATTERS:
        yield from _formatted(simple, _FORMATTERS[name])
    if name in _MANAGERS:
        yield from _managed(simple, *_MANAGERS[name])
    if name in _RUNNERS:
        yield from _scripted(simple)


def patched(simple: Simple) -> Targets:
    """A patch that is written in the command names its files; any other may change everything."""
    if simple.heredocs:
        yield from (Target(text, How.MENTIONS) for text in simple.heredocs)
    else:
        yield EVERYTHING


def _git(simple: Simple) -> Targets:
    """The verb's rule; paths are relative to the folder of `-C`."""
    folder, words = git_verb(simple.arguments)
    if not words or words[0] not in _GIT:
        return
    for target in _GIT[words[0]](msgspec.structs.replace(simple, words=words)):
        if folder and target.path and target.how is not How.MENTIONS:
            yield msgspec.structs.replace(target, path=posixpath.normpath(posixpath.join(folder, target.path)))
        else:
            yield target


def _large(simple: Simple) -> Targets:
    """Files that git keeps elsewhere, put in the place of what stands for them."""
    if operands(simple.arguments)[:1] in (["pull"], ["checkout"], ["fetch"]):
        yield EVERYTHING


def _always(_: Simple) -> Targets:
    yield EVERYTHING


def _below(paths: list[str], how: How = How.WRITES) -> Targets:
    for path in paths:
        yield EVERYTHING if path in (".", ":/", "*") else Target(path, how, below=True)


def _after_dashes(words: tuple[str, ...]) -> list[str] | None:
    return list(words[words.index("--") + 1 :]) if "--" in words else None


def _apply(simple: Simple) -> Targets:
    words = simple.arguments
    if has(words, "", "--apply") or not has(words, "", "--check", "--stat", "--numstat", "--summary", "--cached"):
        yield from patched(simple)


def _checkout(simple: Simple) -> Targets:
    words = simple.arguments
    paths = _after_dashes(words)
    if paths is not None:
        yield from _below(paths)
    elif has(words, "bB", "--orphan"):
        yield from _always(simple) if operands(words, "-b -B --orphan") else ()
    else:
        # One word is a branch or a path; of several the first may be a revision.
        found = operands(words, "--conflict")
        yield from _below(found) if len(found) > 1 else _always(simple)


def _switch(simple: Simple) -> Targets:
    words = simple.arguments
    if not has(words, "cC", "--create", "--force-create", "--orphan") or operands(words, "-c -C --create --orphan"):
        yield EVERYTHING


def _restore(simple: Simple) -> Targets:
    words = simple.arguments
    if not has(words, "S", "--staged") or has(words, "W", "--worktree"):
        yield from _below(operands(words, "-s --source"))


def _removed(simple: Simple) -> Targets:
    if not has(simple.arguments, "n", "--cached", "--dry-run"):
        yield from _below(operands(simple.arguments), How.REMOVES)


def _moved(simple: Simple) -> Targets:
    *sources, to = operands(simple.arguments) or [""]
    for path in sources:
        yield Target(path, How.REMOVES, below=True)
        yield Target(f"{to.rstrip('/')}/{path.rstrip('/').rpartition('/')[2]}", below=True)
    yield Target(to, below=True)


def _stash(simple: Simple) -> Targets:
    verb, *_ = *operands(simple.arguments, "-m --message"), ""
    if verb not in ("list", "show", "drop", "clear", "create", "store"):
        paths = _after_dashes(simple.arguments)
        yield from _below(paths) if paths else _always(simple)


def _reset(simple: Simple) -> Targets:
    if has(simple.arguments, "", "--hard", "--merge", "--keep"):
        yield EVERYTHING


def _clean(simple: Simple) -> Targets:
    if not has(simple.arguments, "n", "--dry-run"):
        paths = operands(simple.arguments, "-e --exclude")
        yield from _below(paths, How.REMOVES) if paths else _always(simple)


_GIT: dict[str, Callable[[Simple], Targets]] = {
    **dict.fromkeys(("am", "merge", "rebase", "cherry-pick", "revert", "pull", "bisect", "read-tree"), _always),
    **dict.fromkeys(("checkout-index", "filter-branch", "filter-repo", "sparse-checkout", "subtree"), _always),
    "apply": _apply,
    "lfs": _large,
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "rm": _removed,
    "mv": _moved,
    "stash": _stash,
    "reset": _reset,
    "clean": _clean,
}


class _Form(msgspec.Struct, frozen=True):
    """How a formatter is called to write: behind which verb, with one of which options, without which.

    `kinds` are endings of the only files that it writes, where no path is named; empty for any.
    """

    verb: str = ""
    needs: str = ""
    never: str = "--check --diff"
    kinds: str = ""


_WRITE = (_Form(needs="-w"),)
_FIX = (_Form(needs="--fix"),)
_IN_PLACE = (_Form(needs="-i --in-place"),)
# What other programs than git call it to bring in another state of the files.
_HISTORIES = {
    "gh": "checkout co",
    "glab": "checkout",
    "hg": "update up checkout co revert merge import shelve unshelve rebase backout graft",
    "jj": "edit new restore undo abandon squash rebase",
    "svn": "update up revert switch sw merge patch",
}
_RUFF = "--fix --fix-only --unsafe-fixes"
_FORMATTERS: dict[str, tuple[_Form, ...]] = {
    **dict.fromkeys(("2to3", "futurize", "modernize", "lib2to3"), (_Form(needs="-w", kinds=".py"),)),
    **dict.fromkeys(("add-trailing-comma", "reorder-python-imports"), (_Form(kinds=".py"),)),
    **dict.fromkeys(("gradle", "gradlew"), (_Form("spotlessApply", kinds=".java .kt .kts .groovy .scala"),)),
    **dict.fromkeys(("mvn", "mvnw"), (_Form("spotless:apply", kinds=".java .kt .scala"),)),
    **dict.fromkeys(("php-cs-fixer", "ecs"), (_Form("fix", never="--dry-run", kinds=".php"),)),
    **dict.fromkeys(("phpcbf", "pint"), (_Form(never="--test", kinds=".php"),)),
    "ast-grep": (_Form(needs="-U --update-all"),),
    "autoflake": _IN_PLACE,
    "autopep8": _IN_PLACE,
    "biome": tuple(_Form(verb, "--write --fix --apply --apply-unsafe") for verb in ("format", "check", "lint")),
    "black": (_Form(),),
    "buildifier": (_Form(never="-mode=check"),),
    "cargo": (_Form("fmt"), _Form("fix"), _Form("clippy", "--fix")),
    "clang-format": _IN_PLACE,
    "cmake-format": (_Form(needs="-i --in-place", kinds=".cmake CMakeLists.txt"),),
    "codespell": (_Form(needs="-w --write-changes"),),
    "dart": (_Form("format", never="--output=none -o"), _Form("fix", "--apply")),
    "deno": (_Form("fmt"),),
    "djlint": (_Form(needs="--reformat", kinds=".html"),),
    "docformatter": _IN_PLACE,
    "dotnet": (_Form("format", never="--verify-no-changes", kinds=".cs .vb .fs"),),
    "dprint": (_Form("fmt"),),
    "eslint": _FIX,
    "gci": (_Form("write"),),
    "go": (_Form("fmt"), _Form("generate"), _Form("fix")),
    "gofmt": _WRITE,
    "gofumpt": _WRITE,
    "goimports": _WRITE,
    "golangci-lint": (_Form("run", "--fix"), _Form("fmt")),
    "google-java-format": (_Form(needs="-i -r --replace", kinds=".java"),),
    "isort": (_Form(never="-c --check --check-only --diff"),),
    "ktlint": (_Form(needs="-F --format"),),
    "lint-staged": (_Form(),),
    "mdformat": (_Form(never="--check", kinds=".md"),),
    "markdownlint": (_Form(needs="-f --fix"),),
    "mix": (_Form("format", never="--check-formatted"),),
    "oxlint": _FIX,
    "pre-commit": (_Form("run"),),
    "prettier": (_Form(needs="--write -w"),),
    "pyupgrade": (_Form(),),
    "rubocop": (_Form(needs="-a -A --auto-correct --autocorrect --autocorrect-all --fix"),),
    "ruff": (_Form("format"), _Form("check", _RUFF, "--diff"), _Form(needs=_RUFF, never="--diff format check")),
    "rustfmt": (_Form(),),
    "scalafmt": (_Form(never="--check --test --list", kinds=".scala .sbt"),),
    "shfmt": _WRITE,
    "sqlfluff": (_Form("fix", kinds=".sql"), _Form("format", kinds=".sql")),
    "standard": _FIX,
    "standardrb": (_Form(needs="--fix", kinds=".rb"),),
    "stylelint": _FIX,
    "stylua": (_Form(never="--check -c", kinds=".lua"),),
    "swift-format": (_Form(needs="-i --in-place", kinds=".swift"),),
    "swiftformat": (_Form(never="--lint"),),
    "taplo": (_Form("fmt"), _Form("format")),
    "terraform": (_Form("fmt", never="-check"),),
    "tsfmt": (_Form(needs="-r --replace"),),
    "xo": _FIX,
    "zig": (_Form("fmt", never="--check", kinds=".zig"),),
    "yapf": _IN_PLACE,
}
_VALUED = (
    "-c --config -l --line-length -t --target-version --select --ignore --extend-select --config-file --config-path "
    "--settings-path --parser --ext --format --rulesdir --style --profile --resolve-plugins-relative-to -p --package"
)


def _formatted(simple: Simple, forms: tuple[_Form, ...]) -> Targets:
    words = simple.arguments
    paths = operands(words, _VALUED)
    options = {word.partition("=")[0] for word in words} | set(words)
    clusters = {f"-{letter}" for word in words if re.fullmatch(r"-[A-Za-z]{2,4}", word) for letter in word[1:]}
    for form in forms:
        if form.verb and paths[:1] != [form.verb]:
            continue
        needs = set(form.needs.split())
        if (needs and not needs & (options | clusters)) or options & set(form.never.split()):
            continue
        found = paths[1:] if form.verb else paths
        by_file = simple.program not in ("cargo", "go", "mix", "pre-commit", "dprint")
        if form.kinds and (found in ([], ["."]) or not by_file):
            yield from (Target(f"**/*{kind}") for kind in form.kinds.split())
        else:
            yield from _below(found) if found and by_file else _always(simple)


_MANAGERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "bun": ("install|i|add|a|remove|rm|update", ("package.json", "bun.lock", "bun.lockb")),
    "bundle": ("install|update|add|remove|lock", ("Gemfile", "Gemfile.lock")),
    "cargo": ("add|remove|rm|update|generate-lockfile", ("Cargo.toml", "Cargo.lock")),
    "composer": ("install|require|remove|update", ("composer.json", "composer.lock")),
    "go": ("get|mod tidy|mod edit|mod vendor|mod init", ("go.mod", "go.sum")),
    "npm": ("install|i|add|uninstall|remove|rm|update|version|pkg", ("package.json", "package-lock.json")),
    "pdm": ("add|remove|update|lock|install", ("pyproject.toml", "pdm.lock")),
    "pipenv": ("install|uninstall|update|lock", ("Pipfile", "Pipfile.lock")),
    "pnpm": ("install|i|add|remove|rm|update", ("package.json", "pnpm-lock.yaml")),
    "poetry": ("add|remove|update|lock|version", ("pyproject.toml", "poetry.lock")),
    "uv": ("add|remove|lock|sync|version", ("pyproject.toml", "uv.lock")),
    "yarn": ("install|add|remove|upgrade|up", ("package.json", "yarn.lock")),
}


def _managed(simple: Simple, verbs: str, files: tuple[str, ...]) -> Targets:
    words = operands(simple.arguments, "-C --dir --prefix --directory --project")
    verb = words[0] if words else "install" if simple.program == "yarn" else ""
    if {verb, " ".join(words[:2])} & set(verbs.split("|")):
        folder = value(simple.arguments, "-C", "--dir", "--prefix", "--directory") or ""
        for name in files:
            yield Target(posixpath.join(folder, name))


_RUNNERS = frozenset(["npm", "pnpm", "yarn", "bun", "make", "just", "task", "tox", "nox", "hatch", "rake", "invoke"])


def _scripted(simple: Simple) -> Targets:
    """A script of the project that is called after formatting or fixing may rewrite everything."""
    names = [word for word in operands(simple.arguments, "-C -f -e -s") if word not in ("run", "run-script")]
    if names and names[0] in _FORMATTERS and simple.program in ("pnpm", "yarn", "bun"):
        words = simple.words[simple.words.index(names[0]) :]
        yield from _formatted(msgspec.structs.replace(simple, words=words), _FORMATTERS[names[0]])
    elif names and re.search(r"fmt|format|fix|prettier|codegen|generate", names[0]) and "check" not in names[0]:
        yield EVERYTHING
