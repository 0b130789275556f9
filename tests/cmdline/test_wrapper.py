"""Programs that run another one, taken off."""

import shlex

import pytest

from gate.cmdline.shell import commands
from gate.cmdline.wrapper import program


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("sudo -u root -n rm x", ["rm x"], id="sudo"),
        pytest.param("sudo A=1 rm x", ["rm x"], id="sudo with a variable"),
        pytest.param("env -i -u X A=1 rm x", ["rm x"], id="env"),
        pytest.param("env -S 'rm x' y", ["rm x y"], id="env -S"),
        pytest.param("env", ["env"], id="env alone"),
        pytest.param("time -p rm x", ["rm x"], id="time"),
        pytest.param("nohup rm x &", ["rm x"], id="nohup"),
        pytest.param("timeout -k 5 10s rm x", ["rm x"], id="timeout"),
        pytest.param("nice -n 5 ionice -c2 rm x", ["rm x"], id="nice"),
        pytest.param("stdbuf -oL rm x", ["rm x"], id="stdbuf"),
        pytest.param("exec -a y rm x", ["rm x"], id="exec"),
        pytest.param("command rm x; command -v rm", ["rm x", "command -v rm"], id="command"),
        pytest.param("builtin cd x", ["cd x"], id="builtin"),
        pytest.param("sudo env timeout 5 nice rm x", ["rm x"], id="one in another"),
        pytest.param("bash -c 'rm x; ls' y", ["rm x", "ls"], id="bash -c"),
        pytest.param("/bin/sh -lec 'rm x'", ["rm x"], id="sh -lc"),
        pytest.param("bash -o pipefail -c 'rm x'", ["rm x"], id="options before -c"),
        pytest.param("bash -c", ["bash -c"], id="bash -c alone"),
        pytest.param("bash build.sh", ["bash build.sh"], id="a script"),
        pytest.param("eval 'rm x' y", ["rm x y"], id="eval"),
        pytest.param("su -c 'rm x' me", ["rm x"], id="su"),
        pytest.param("watch -n 5 rm x", ["rm x"], id="watch"),
        pytest.param('cmd /d /c "del a\\b.py"', ["del a/b.py"], id="cmd"),
        pytest.param(
            "powershell.exe -NoProfile -Command Remove-Item 'a\\b.py'", ["Remove-Item a/b.py"], id="PowerShell"
        ),
        pytest.param("ls | xargs rm -f", ["ls", "rm -f '{}'"], id="xargs"),
        pytest.param("xargs -0 -n 1 -I % mv % y", ["mv '{}' y"], id="xargs -I %"),
        pytest.param("xargs -I% mv % y", ["mv '{}' y"], id="xargs -I%"),
        pytest.param("xargs", ["xargs"], id="xargs alone"),
        pytest.param("parallel -j 2 rm ::: a b", ["rm a", "rm b"], id="parallel"),
        pytest.param(
            "ls | parallel 'rm {}; ls'; parallel", ["ls", "rm '{}'", "ls", "parallel"], id="parallel that reads"
        ),
        pytest.param("fd -e py -x rm; fd x", ["fd -e py -x rm", "rm '{}'", "fd x"], id="fd -x"),
        pytest.param("busybox rm x; toybox sh -c 'rm y'", ["rm x", "rm y"], id="busybox, toybox"),
        pytest.param("trap 'rm x' EXIT; trap - EXIT; trap", ["rm x", "trap - EXIT", "trap"], id="trap"),
        pytest.param(
            "find src -name '*.py' -exec rm {} \\; -exec ls {} +",
            ["find src -name '*.py' -exec rm '{}' ';' -exec ls '{}' +", "rm 'src/**/*.py'", "ls 'src/**/*.py'"],
            id="find -exec",
        ),
        pytest.param("find -exec rm {} +", ["find -exec rm '{}' +", "rm '{}'"], id="find here"),
        pytest.param("python3 -m black x", ["black x"], id="python -m"),
        pytest.param("python -I -m pip install x", ["pip install x"], id="python -I -m"),
        pytest.param("python -c 'x' -m y", ["python -c x -m y"], id="python -c"),
        pytest.param("python x.py -m y", ["python x.py -m y"], id="a script of Python"),
        pytest.param("uv run --with x python y.py", ["python y.py"], id="uv run"),
        pytest.param("uv --project a run -- python y.py", ["python y.py"], id="uv run after options"),
        pytest.param("uv pip install x", ["uv pip install x"], id="uv pip"),
        pytest.param("poetry run rm x; bundle exec rm y", ["rm x", "rm y"], id="poetry, bundle"),
        pytest.param("npx --yes prettier --write .", ["prettier --write ."], id="npx"),
        pytest.param("uvx --from x ruff format; pipx run --spec y black .", ["ruff format", "black ."], id="uvx, pipx"),
        pytest.param("npx -c 'rm x'", ["rm x"], id="npx -c"),
        pytest.param("npm exec -- eslint --fix .; pnpm dlx eslint x", ["eslint --fix .", "eslint x"], id="npm exec"),
        pytest.param("npm install x", ["npm install x"], id="npm install"),
        pytest.param("sshpass -p x ssh h", ["ssh h"], id="sshpass"),
    ],
)
def test_a_wrapper_is_taken_off(text: str, found: list[str]) -> None:
    assert [shlex.join(simple.words) for simple in commands(text)] == found


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("prettier@3.0.0", "prettier"),
        ("./node_modules/.bin/prettier", "prettier"),
        ("@biomejs/biome@latest", "biome"),
        ("@biomejs/biome", "biome"),
        ("ruff.exe", "ruff"),
        ("python3.11", "python"),
        ("@x", "@x"),
    ],
)
def test_the_name_of_a_program(word: str, found: str) -> None:
    assert program(word) == found
