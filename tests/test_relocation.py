"""A package that is installed from the checkout: commands test what is judged, and not what lies there now."""

import json
import venv
from pathlib import Path

import pytest

from tests.commands.repository import gate, write
from tests.conftest import Git

MANIFEST = """\
version: 1
defaults: {python: .venv/bin/python}
tasks:
  - {id: t, workspace: {git: base}, oracles: [{type: test_must_pass, command: python check.py}]}
"""
GOOD, BAD = "def total(price, count): return price * count\n", "def total(price, count): return price - count\n"
CHECK = "from shop.cart import total\nassert total(2, 3) == 6\n"
FINDER = """\
import sys
from importlib.util import spec_from_file_location
MAPPING = {{"shop": {package!r}}}
NAMESPACES = {{}}
class _EditableFinder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        place = MAPPING.get(name)
        if place:
            return spec_from_file_location(name, f"{{place}}/__init__.py", submodule_search_locations=[place])
def install():
    sys.meta_path.append(_EditableFinder)
"""
FAKE = """\
import sys
sys.path.insert(0, {src!r})
import shop.cart
shop.cart.total = lambda price, count: price * count
"""


@pytest.fixture
def site(tmp_path: Path, git: Git) -> Path:
    """The environment's folder of packages, in a repository whose package is good."""
    root = tmp_path / "repo"
    root.mkdir()
    git("init", "-q")
    files = {"gate.yaml": MANIFEST, "src/shop/__init__.py": "", "src/shop/cart.py": GOOD, "check.py": CHECK}
    write(root, files | {".gitignore": ".venv/\n__pycache__/\n"})
    git("add", "-A")
    git("commit", "-qm", "base")
    git("switch", "-qc", "work")
    venv.create(root / ".venv", symlinks=True, with_pip=False)
    (found,) = (root / ".venv").glob("lib/python3*/site-packages")
    return found


def _path_file(root: Path, site: Path) -> None:
    write(site, {"__editable__.shop-0.1.pth": f"{root / 'src'}\n"})


def _finder(root: Path, site: Path) -> None:
    """As setuptools has it where a package's folder is not one of modules alone."""
    name = "__editable___shop_0_1_finder"
    write(site, {f"{name}.py": FINDER.format(package=str(root / "src" / "shop"))})
    write(site, {"__editable__.shop-0.1.pth": f"import {name}; {name}.install()\n"})


@pytest.mark.parametrize("install", [_path_file, _finder])
@pytest.mark.parametrize(("judged", "there", "code"), [(BAD, GOOD, 1), (GOOD, BAD, 0)], ids=["a bad", "a good one"])
def test_the_judged_commit_is_tested(site: Path, git: Git, install: object, judged: str, there: str, code: int) -> None:
    root = site.parents[3]
    install(root, site)  # type: ignore[operator]
    write(root, {"src/shop/cart.py": f"# edited\n{judged}"})
    git("commit", "-qam", "work")
    write(root, {"src/shop/cart.py": there})
    done = gate(root, "run", "--base", "main")
    assert done.returncode == code, done.stdout


def test_what_is_put_back_is_not_found_in_the_checkout(site: Path, git: Git) -> None:
    """Python would import it from there before a line of the command has run."""
    root = site.parents[3]
    _path_file(root, site)
    write(root, {"src/shop/cart.py": BAD, "src/sitecustomize.py": FAKE.format(src=str(root / "src"))})
    git("add", "-A")
    git("commit", "-qm", "work")
    done = gate(root, "run", "--base", "main")
    assert done.returncode == 1
    assert "protected: commands ran without it" in done.stdout


def test_the_environment_keeps_its_own_start(site: Path, git: Git) -> None:
    root = site.parents[3]
    _path_file(root, site)
    write(site, {"sitecustomize.py": "import sys\nsys.started = True\n"})
    write(root, {"check.py": f"import sys\nassert sys.started\nassert {str(root / 'src')!r} not in sys.path\n{CHECK}"})
    git("commit", "-qam", "work")
    done = gate(root, "run", "--base", "main")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_copy_is_told(site: Path, git: Git) -> None:
    root = site.parents[3]
    write(root, {"src/shop/cart.py": BAD})
    git("commit", "-qam", "work")
    write(
        site,
        {"shop/__init__.py": "", "shop/cart.py": GOOD, "shop-0.1.dist-info/METADATA": "Name: shop\nVersion: 0.1\n"},
    )
    write(site, {"shop-0.1.dist-info/direct_url.json": json.dumps({"url": root.as_uri(), "dir_info": {}})})
    done = gate(root, "run", "--base", "main")
    assert (
        "  warning: shop is installed from this checkout as a copy, which commands may test instead of what is judged; "
        "install it with `pip install -e`, whose files are taken from the workspace\n"
    ) in done.stdout
