"""Calls of formatters: which are repeated, with which words."""

import posixpath

import pytest

from gate.errors import NotRepeated
from gate.repeating.formatters import FORMATTERS, writes
from gate.repeating.formatting import call


def _mapped(word: str) -> str:
    """Paths beneath `/w` are the workspace's."""
    path = posixpath.normpath(posixpath.join("/w", word))
    if path != "/w" and not path.startswith("/w/"):
        raise NotRepeated(f"{word} lies outside", kind="path_escape")
    return posixpath.relpath(path, "/w") if word.startswith("/") else word


def _words(text: str) -> tuple[str, tuple[str, ...]]:
    name, *words = text.split()
    return name, tuple(words)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("prettier --write .", "."),
        ("prettier -w src/**/*.{ts,tsx} !**/dist", "src/**/*.{ts,tsx} !**/dist"),
        ("prettier --write --print-width=100 --log-level warn /w/src/a.ts", "src/a.ts"),
        ("eslint --fix --ext .ts,.tsx --max-warnings 0", ""),
        ("biome check --write --unsafe src", "src"),
        ("ruff format", ""),
        ("ruff check --fix --select I,F src tests", "src tests"),
        ("ruff check --config pyproject.toml --fix-only .", "."),
        ("black -q -l88 --target-version=py311 a.py", "a.py"),
        ("isort --profile black .", "."),
        ("gofmt -l -w ./x ./y.go", "./x ./y.go"),
        ("gofmt -lw a.go", "a.go"),
        ("rustfmt --edition 2021 src/lib.rs", "src/lib.rs"),
        ("clang-format -i -style=file a.c", "a.c"),
        ("shfmt -w -i 2 -ci -- a.sh", "a.sh"),
        ("pyupgrade --py311-plus a.py", "a.py"),
        ("terraform fmt -recursive", ""),
        ("stylelint --fix a.css", "a.css"),
    ],
)
def test_is_repeated(text: str, found: str) -> None:
    name, words = _words(text)
    assert writes(name, words)
    made = call(name, words, _mapped)
    assert " ".join(made.paths) == found
    assert " ".join(made.words) == text.partition(" ")[2].replace("/w/", "")


@pytest.mark.parametrize(
    "text",
    [
        "prettier --check .",
        "eslint src",
        "biome check src",
        "biome ci --write src",
        "ruff check .",
        "ruff format --check .",
        "ruff check --fix --diff .",
        "ruff rule --fix",
        "black --check .",
        "isort -c .",
        "gofmt -l .",
        "clang-format a.c",
        "cargo fmt --check",
        "terraform plan",
    ],
)
def test_writes_nothing(text: str) -> None:
    name, words = _words(text)
    assert not writes(name, words)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("prettier --write", "prettier is given no file"),
        ("prettier --write --plugin x .", "the option --plugin of prettier is not one that is repeated"),
        ("prettier --write --plugin=./x.js .", "the option --plugin=./x.js of prettier is not one that is repeated"),
        ("prettier --write ../x", "../x lies outside"),
        ("prettier --write /etc/x.json", "/etc/x.json lies outside"),
        ("prettier --write {/etc,src}/*.json", "the pattern '{/etc,src}/*.json' may lead out of the workspace"),
        ("prettier --write src/*/../../../*.json", "the pattern 'src/*/../../../*.json' may lead out of the workspace"),
        ("prettier --write {.,a}./*.json", "the pattern '{.,a}./*.json' may lead out of the workspace"),
        ("prettier --write @(..|a)/x.json", "@(..|a)/x.json names a file with more of its words"),
        ("prettier --write +(.)/x.json", "the pattern '+(.)/x.json' may lead out of the workspace"),
        ("prettier --write !/etc/x.json src", "the pattern '!/etc/x.json' may lead out of the workspace"),
        ("prettier --write --config /etc/p .", "/etc/p lies outside"),
        ("prettier --write --config=../p .", "../p lies outside"),
        ("prettier --write --config", "the value of --config is missing"),
        ("clang-format -i -style=file:/etc/x a.c", "'file:/etc/x' may lead out of the workspace"),
        ("clang-format -i @files", "@files names a file with more of its words"),
        ("ruff check --fix --config extend='/etc/x' .", "\"extend='/etc/x'\" may lead out of the workspace"),
        ("ruff check --fix --cache-dir /tmp/x .", "the option --cache-dir of ruff is not one that is repeated"),
        ("eslint --fix --resolve-plugins-relative-to x .", "the option --resolve-plugins-relative-to of eslint is not one that is repeated"),
        ("eslint --fix -o x .", "the option -o of eslint is not one that is repeated"),
        ("gofmt -w -cpuprofile x a.go", "the option -cpuprofile of gofmt is not one that is repeated"),
        ("black -", "black reads from a pipe"),
        ("cargo fmt -- --config x", "cargo is given options behind `--`"),
    ],
)  # fmt: skip
def test_is_not_repeated(text: str, reason: str) -> None:
    with pytest.raises(NotRepeated) as caught:
        call(*_words(text), _mapped)
    assert caught.value.message == reason


@pytest.mark.parametrize("name", FORMATTERS)
def test_no_option_is_both(name: str) -> None:
    known = FORMATTERS[name]
    assert not set(known.flags.split()) & set(known.valued.split())
    assert not set(known.needs.split()) & set(known.never.split())


@pytest.mark.parametrize(
    ("name", "path", "found"),
    [
        ("gofmt", "a.go", True),
        ("gofmt", "a.ts", False),
        ("prettier", "a.TS", True),
        ("prettier", "a.py", False),
        ("ruff", "x/a.pyi", True),
        ("shfmt", "bin/run", True),
    ],
)
def test_kinds(name: str, path: str, found: bool) -> None:
    assert FORMATTERS[name].writes(path) is found
