"""Scripts of a package.json."""

import json

import pytest

from gate.repeating.packagescript import announced
from tests.repeated import Programs, command, programs, run

__all__ = ["programs"]

PACKAGE = json.dumps(
    {"scripts": {"fmt": "prettier --write .", "all": "yarn fmt && biome check --write src", "own": "./x.sh", "n": 3}}
).encode()
START = {
    "package.json": PACKAGE,
    "src/a.ts": b"1",
    "app/b.ts": b"1",
    "app/package.json": b'{"scripts": {"fmt": "eslint --fix"}}',
}


@pytest.fixture(autouse=True)
def _formatters(programs: Programs) -> None:
    for name in ("prettier", "biome", "eslint"):
        programs.add(name, f'echo "{name} $*" >> src/a.ts; echo "{name} $*" >> b.ts')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("npm run fmt", "prettier --write . (by npm run fmt)"),
        (
            "npm -s run fmt -- --no-semi 'a b'",
            "prettier --write . --no-semi a b (by npm -s run fmt -- --no-semi a b)",
        ),
        ("pnpm fmt", "prettier --write . (by pnpm fmt)"),
        ("pnpm run fmt", "prettier --write . (by pnpm run fmt)"),
        ("yarn fmt --no-semi", "prettier --write . --no-semi (by yarn fmt --no-semi)"),
        ("bun run fmt 2>&1 | tail -5", "prettier --write . (by bun run fmt)"),
        ("cd src && bun fmt", "prettier --write . (by bun fmt)"),
        ("cd app && npm run fmt", "eslint --fix (by npm run fmt)"),
        ("pnpm prettier --write src", "pnpm prettier --write src"),
        ("yarn run eslint --fix src", "yarn run eslint --fix src"),
    ],
)
def test_is_done(text: str, said: str) -> None:
    assert run(text, start=START, interest=START).said == [f"step 1: repeated: {said}"]


def test_one_in_another() -> None:
    ran = run("npm run all", start=START, interest=START)
    assert ran.said == [
        "step 1: repeated: prettier --write . (by yarn fmt)",
        "step 1: repeated: biome check --write src (by npm run all)",
    ]
    assert ran.files["src/a.ts"] == b"1prettier --write .\nbiome check --write src\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("npm run own", ["step 1: not repeated: x.sh is not a command that is repeated"]),
        ("npm run fix-it", ["step 1: not repeated: what the script fix-it is, no package.json of the workspace tells"]),
        ("npm run fmt --workspaces", ["step 1: not repeated: it has options of npm"]),
        ("npm test; npm run n; yarn install --frozen; bun test", ["step 1: not repeated: yarn install is not a command that is repeated"]),
    ],
)  # fmt: skip
def test_is_not_done(text: str, said: list[str]) -> None:
    assert run(text, start=START, interest=START).said == said


def test_a_script_that_calls_itself_ends() -> None:
    start = {"package.json": b'{"scripts": {"fmt": "yarn fmt"}}'}
    assert run("yarn fmt", start=start).said == ["step 1: not repeated: it is nested too deeply"]


@pytest.mark.parametrize("data", [b"no json", b"[]", b'{"scripts": []}', b'{"scripts": null}', b"x" * 2_000_000])
def test_a_broken_package_has_no_scripts(data: bytes) -> None:
    ran = run("yarn fmt", start={"package.json": data})
    assert ran.said == ["step 1: not repeated: what the script fmt is, no package.json of the workspace tells"]


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("$ biome check --write\nChecked 3 files", ["biome check --write"]),
        ("yarn run v1.22.19\n$ eslint --fix\nDone in 1s.", ["eslint --fix"]),
        ("\n> app@1.0.0 fmt\n> prettier --write .\n\na.ts 5ms", ["prettier --write ."]),
        ("> app@1.0.0 fmt /home/me/app\n> prettier --write .\n", ["prettier --write ."]),
        ("$ tsc\n$ eslint .", ["tsc", "eslint ."]),
        ("a > b\n  $ no\n> quoted", []),
    ],
)
def test_what_is_announced(output: str, found: list[str]) -> None:
    assert announced(output) == found


def test_what_was_announced_stands_in_for_a_package_that_is_not_there() -> None:
    output = "$ tsc --noEmit\n$ biome check --write\nFixed 1 file."
    ran = run(
        command("bun run types; bun run lint:fix", output=output), start={"src/a.ts": b"1"}, interest=["src/a.ts"]
    )
    assert ran.said == ["step 1: repeated: biome check --write (by bun run lint:fix)"]
    assert ran.files["src/a.ts"] == b"1biome check --write\n"
