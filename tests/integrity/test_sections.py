"""Settings of test runners inside files that hold other settings, too."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.integrity.sections import holds, restored

PYPROJECT = b"""[project]
name = "a"
dependencies = ["x"]

[tool.pytest.ini_options]
addopts = "-q"

[tool.ruff]
line-length = 100
"""


@pytest.mark.parametrize(
    ("path", "base", "head", "expected"),
    [
        pytest.param(
            "pyproject.toml",
            PYPROJECT,
            PYPROJECT.replace(b'["x"]', b'["x", "y"]').replace(b'"-q"', b'"--co"'),
            PYPROJECT.replace(b'["x"]', b'["x", "y"]'),
            id="a setting of pytest, and a dependency",
        ),
        pytest.param(
            "sub/pyproject.toml",
            PYPROJECT,
            PYPROJECT.replace(b'["x"]', b'["x", "y"]'),
            PYPROJECT.replace(b'["x"]', b'["x", "y"]'),
            id="no setting",
        ),
        pytest.param(
            "pyproject.toml",
            b'[project]\nname = "a"\n',
            b'[project]\nname = "b"\n[ tool . "pytest".ini_options ]\naddopts = "--co"\n',
            b'[project]\nname = "b"\n',
            id="settings brought along",
        ),
        pytest.param(
            "pyproject.toml",
            PYPROJECT,
            b'[tool]\npytest.ini_options.addopts = "--co"\n',
            PYPROJECT,
            id="written in another way",
        ),
        pytest.param(
            "pyproject.toml",
            PYPROJECT,
            b'x = """\n[tool.pytest.ini_options]\n"""\n[tool.pytest.ini_options]\naddopts = "--co"\n',
            PYPROJECT,
            id="what looks like a table",
        ),
        pytest.param("pyproject.toml", PYPROJECT, b"[[[", PYPROJECT, id="no TOML"),
        pytest.param("tox.ini", None, b"[pytest] # ]\naddopts = -p evil\n", None, id="a comment behind a header"),
        pytest.param("tox.ini", None, b"# x\r[pytest]\raddopts = -p evil\r", None, id="carriage returns alone"),
        pytest.param(
            "setup.cfg",
            None,
            "# x\u2028[tool:pytest]\u2028addopts = -p evil\n".encode(),
            None,
            id="separators of lines",
        ),
        pytest.param("setup.cfg", None, b"[a]\r\nb = 1\r\n", b"[a]\r\nb = 1\r\n", id="CRLF"),
        pytest.param(
            "setup.cfg", b"[a]\n", b"[a]\n[DEFAULT]\naddopts = --co\n[tool:pytest]\n", b"[a]\n", id="defaults"
        ),
        pytest.param(
            "pyproject.toml",
            None,
            b"[tool.tox]\nlegacy_tox_ini = 'x'\n[tool.black]\na = 1\n",
            b"[tool.black]\na = 1\n",
            id="tox in pyproject.toml",
        ),
        pytest.param("pyproject.toml", b"a = 1\n", b"a = 2\n" + b"#" * 70_000, b"a = 1\n", id="too large"),
        pytest.param("pyproject.toml", PYPROJECT, None, PYPROJECT, id="deleted"),
        pytest.param(
            "pyproject.toml",
            None,
            PYPROJECT,
            PYPROJECT.replace(b'[tool.pytest.ini_options]\naddopts = "-q"\n\n', b""),
            id="new",
        ),
        pytest.param(
            "tox.ini",
            b"[tox]\nenvlist = a\n[other]\nx = 1\n",
            b"[other]\nx = 2\n[testenv:a]\ncommands = true\n",
            b"[other]\nx = 2\n[tox]\nenvlist = a\n[other]\nx = 1\n".replace(b"[other]\nx = 1\n", b""),
            id="tox",
        ),
        pytest.param(
            "setup.cfg",
            b"[metadata]\nname = a\n",
            b"[metadata]\nname = b\n[tool:pytest]\naddopts = --co\n[coverage:run]\nomit = *\n",
            b"[metadata]\nname = b\n",
            id="setup.cfg",
        ),
        pytest.param(
            "setup.cfg",
            b"[metadata]\nname = a\n[tox:tox]\nenvlist = py\n[testenv]\ncommands = pytest\n",
            b"[metadata]\nname = b\n[testenv]\ncommands = true\n[testenv:py]\ncommands = true\n",
            b"[metadata]\nname = b\n[tox:tox]\nenvlist = py\n[testenv]\ncommands = pytest\n",
            id="tox in setup.cfg",
        ),
        pytest.param(
            "tox.ini",
            b"[testenv]\ncommands = {[run me]c}\n[testenv:x]\nbase = one,\n  two\n"
            b"[run me]\nc = a\n[two]\nc = a\n[flake8]\nc = a\n",
            b"[testenv]\ncommands = {[run me]c}\n[run me]\nc = b\n[two]\nc = b\n[flake8]\nc = b\n",
            b"[testenv]\ncommands = {[run me]c}\n[testenv:x]\nbase = one,\n  two\n"
            b"[run me]\nc = a\n[two]\nc = a\n[flake8]\nc = b\n",
            id="sections that tox is referred to",
        ),
        pytest.param(
            "package.json",
            b'{"name": "a", "scripts": {"test": "jest"}}',
            b'{\n    "name": "b",\n    "scripts": {\n        "test": "true"\n    },\n    "jest": {},\n    "type": "module"\n}\n',
            b'{\n    "name": "b",\n    "scripts": {\n        "test": "jest"\n    },\n    "type": "module"\n}\n',
            id="in its place, and as it is indented",
        ),
    ],
)
def test_the_heads_file_with_the_bases_settings(
    path: str, base: bytes | None, head: bytes | None, expected: bytes | None
) -> None:
    assert holds(path)
    assert restored(path, base, head) == expected


@pytest.mark.parametrize(
    ("path", "section"),
    [
        *(("setup.cfg", name) for name in ("nosetests", "unittest", "coverage", "behave", "tox:tox", "testenv:py")),
        *(
            ("tox.ini", name)
            for name in ("pytest", "tox", "testenv:py", "coverage:run", "behave", "gh-actions", "stestr")
        ),
        *(("pyproject.toml", f"tool.{name}") for name in ("pytest.ini_options", "nose2", "behave", "rye.scripts")),
        *(("Pipfile", "scripts"), ("pixi.toml", "tasks")),
    ],
)
def test_every_section_of_a_runner(path: str, section: str) -> None:
    assert restored(path, b"[a]\nb = 1\n", f"[a]\nb = 2\n[{section}]\nc = 1\n".encode()) == b"[a]\nb = 2\n"
    assert restored(path, None, b"[a.testenv]\nb = 2\n") == b"[a.testenv]\nb = 2\n"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        *(("package.json", key) for key in ("scripts", "jest", "mocha", "ava", "vitest", "nyc", "c8", "wireit", "nx")),
        *(("deno.json", "tasks"), ("composer.json", "scripts")),
    ],
)
def test_every_key_of_a_runner(path: str, key: str) -> None:
    found = restored(path, b'{"a": 1}', json.dumps({"a": 2, key: {"b": 1}}).encode())
    assert json.loads(found or b"") == {"a": 2}


def test_package_json() -> None:
    base = {"name": "a", "scripts": {"test": "jest"}, "jest": {"verbose": True}}
    head = {"name": "a", "type": "module", "scripts": {"test": "true"}, "mocha": {"spec": "none"}}
    found = restored("package.json", json.dumps(base).encode(), json.dumps(head).encode())
    assert json.loads(found or b"") == {
        "name": "a",
        "type": "module",
        "scripts": {"test": "jest"},
        "jest": {"verbose": True},
    }


def test_other_files_are_not_known() -> None:
    assert not holds("src/pyproject.toml.bak")


_VALUE = st.dictionaries(
    st.sampled_from(["project", "tool.pytest", "tool.pytest.ini_options", "tool.ruff", "tool.coverage.run"]),
    st.dictionaries(st.sampled_from("ab"), st.integers(0, 3)),
)


def _written(tables: dict[str, dict[str, int]]) -> bytes:
    return "".join(
        f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in pairs.items()) for name, pairs in tables.items()
    ).encode()


@given(_VALUE, _VALUE)
def test_no_setting_of_the_head_is_left(base: dict[str, dict[str, int]], head: dict[str, dict[str, int]]) -> None:
    found = tomllib.loads((restored("pyproject.toml", _written(base), _written(head)) or b"").decode())
    asked = tomllib.loads(_written(base).decode()).get("tool", {})
    for key in ("pytest", "coverage"):
        assert found.get("tool", {}).get(key) == asked.get(key)
