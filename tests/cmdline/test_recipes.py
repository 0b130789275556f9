"""What `make x` and `npm run tidy` run."""

import json

import pytest

from gate.cmdline.recipes import lines, recipe
from gate.cmdline.shell import commands

MAKEFILE = """\
OUT ?= build
FILES := $(wildcard src/*.py) a.py
FILES += b.py
.PHONY: all
all: clean $(OUT)/x ; echo all
clean:
\t@-rm -rf $(OUT) \\
\t  dist
$(OUT)/%: %.in | $(OUT)
\tcp $< $@
$(OUT):
\tmkdir -p $@
fix: X = 1
fix:
\tsed -i s/a/b/ $(FILES) $(NOT_SET) $$HOME
\t$(RM) $(shell ls $(OUT))
\t$(MAKE) clean
other:: a b
\ttouch $(@D) $^ $*
"""
SCRIPTS = json.dumps({"scripts": {"tidy": "tsc", "pretidy": "rm a", "posttidy": "rm b", "test": "jest", "bad": 1}})


def _lines(text: str, recipe_text: str) -> list[str]:
    [simple] = commands(text)
    return lines(simple, recipe_text) if recipe(simple) else []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "make", ["echo all", "rm -rf build dist", "cp x.in build/x", "mkdir -p build"], id="the first target"
        ),
        pytest.param("make clean OUT=tests", ["rm -rf tests dist"], id="a variable of the call"),
        pytest.param("make -j 4 build", ["mkdir -p build"], id="options"),
        pytest.param(
            "make fix",
            ["sed -i s/a/b/ src/*.py a.py b.py ${NOT_SET} $HOME", "rm -f $(ls build)", "make clean"],
            id="what only a shell would tell",
        ),
        pytest.param("make other", ["touch $(dirname other) a b "], id="variables of a rule"),
        pytest.param("make none", [], id="no such target"),
    ],
)
def test_the_lines_of_a_makefile(text: str, found: list[str]) -> None:
    made = _lines(text, MAKEFILE)
    assert made == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("npm run tidy", ["rm a", "tsc", "rm b"], id="a script and those around it"),
        pytest.param("npm run tidy -- -w 'a b'", ["rm a", "tsc -w 'a b'", "rm b"], id="given something"),
        pytest.param("npm test; yarn tidy", ["jest", "rm a", "tsc", "rm b"], id="without run"),
        pytest.param("pnpm --dir sub tidy", ["rm a", "tsc", "rm b"], id="in another folder"),
        pytest.param("npm run bad; npm run none; npm install x; npm ci; yarn; npm; bun test a", [], id="no script"),
    ],
)
def test_the_scripts_of_a_package(text: str, found: list[str]) -> None:
    calls = [simple for simple in commands(text) if recipe(simple)]
    assert [line for simple in calls for line in lines(simple, SCRIPTS)] == found


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"scripts": []}'])
def test_a_package_that_is_none_has_no_scripts(text: str) -> None:
    assert _lines("npm run tidy", text) == []


def test_where_recipes_lie() -> None:
    found = [recipe(simple) for simple in commands("make -C a; make -f b.mk; npm --prefix c test; ls")]
    assert [one and (one.files, one.folder, one.upwards) for one in found] == [
        (("GNUmakefile", "makefile", "Makefile"), "a", False),
        (("b.mk",), "", False),
        (("package.json",), "c", True),
        None,
    ]
