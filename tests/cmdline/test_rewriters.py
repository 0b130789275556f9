"""What git, formatters and package managers rewrite."""

import pytest

from tests.cmdline.test_effects import _changed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("git apply x.diff", ["*"], id="apply"),
        pytest.param("git apply <<E\n+++ b/a\nE", ["?+++ b/a\n"], id="apply of a text"),
        pytest.param("git checkout -- a b", ["a/", "b/"], id="checkout of paths"),
        pytest.param("git checkout HEAD~1 -- a", ["a/"], id="checkout of a revision's path"),
        pytest.param("git checkout main", ["*"], id="checkout of a branch"),
        pytest.param("git checkout .", ["*"], id="checkout of all"),
        pytest.param("git checkout a b", ["a/", "b/"], id="checkout of two words"),
        pytest.param("git checkout -b x origin/main", ["*"], id="checkout of a new branch elsewhere"),
        pytest.param("git switch main; git switch -c x main", ["*", "*"], id="switch"),
        pytest.param("git restore a; git restore -s HEAD~1 .; git restore -SW b", ["a/", "*", "b/"], id="restore"),
        pytest.param("git rm -r a; git mv b c", ["-a/", "-b/", "c/b/", "c/"], id="rm, mv"),
        pytest.param("git stash; git stash pop; git stash push -m x -- a", ["*", "*", "a/"], id="stash"),
        pytest.param("git reset --hard HEAD; git clean -fd; git clean -f a", ["*", "*", "-a/"], id="reset, clean"),
        pytest.param("git merge x; git rebase x; git pull; git cherry-pick x", ["*"] * 4, id="histories"),
        pytest.param("git -C sub -c a=b checkout -- a", ["sub/a/"], id="in another folder"),
        pytest.param("black .", ["*"], id="black ."),
        pytest.param("black -l 120 src a.py", ["src/", "a.py/"], id="black"),
        pytest.param("prettier --write 'src/**/*.ts'", ["src/**/*.ts/"], id="prettier"),
        pytest.param("npx prettier -w a", ["a/"], id="npx prettier"),
        pytest.param("ruff format; ruff check --fix src; ruff check --select I --fix a", ["*", "src/", "a/"], id="ruff"),
        pytest.param("python -m isort a; gofmt -w b; shfmt -w c", ["a/", "b/", "c/"], id="in place"),
        pytest.param("pnpm prettier --write a; yarn eslint --fix b; bun run biome check --write c", ["a/", "b/", "c/"], id="by a runner"),
        pytest.param("eslint --fix src; npx eslint --fix .", ["src/", "*"], id="eslint"),
        pytest.param("cargo fmt; go fmt ./...; cargo clippy --fix", ["*", "*", "*"], id="whole packages"),
        pytest.param("clang-format -i a; yapf -i b; autopep8 --in-place c", ["a/", "b/", "c/"], id="with -i"),
        pytest.param("2to3 -w a; autopep8 -ir b; codespell -w c; ruff --fix d", ["a/", "b/", "c/", "d/"], id="more"),
        pytest.param("2to3 -w .; stylua .; zig fmt", ["**/*.py", "**/*.lua", "**/*.zig"], id="of one kind"),
        pytest.param("git lfs pull; git lfs ls-files", ["*"], id="large files"),
        pytest.param("gh pr checkout 5; hg update; svn revert a; jj undo", ["*"] * 4, id="other histories"),
        pytest.param("git checkout-index -af; git sparse-checkout set x", ["*", "*"], id="git that checks out"),
        pytest.param("pre-commit run --all-files", ["*"], id="hooks"),
        pytest.param("npm run format; make fmt; yarn lint:fix", ["*", "*", "*"], id="scripts"),
        pytest.param("npm install x", ["package.json", "package-lock.json"], id="npm install"),
        pytest.param("pnpm -C sub add x", ["sub/package.json", "sub/pnpm-lock.yaml"], id="pnpm elsewhere"),
        pytest.param("go mod tidy", ["go.mod", "go.sum"], id="go mod"),
        pytest.param("yarn", ["package.json", "yarn.lock"], id="yarn alone"),
        pytest.param("uv add x; cargo add y", ["pyproject.toml", "uv.lock", "Cargo.toml", "Cargo.lock"], id="uv, cargo"),
    ],
)  # fmt: skip
def test_what_is_rewritten(text: str, found: list[str]) -> None:
    assert _changed(text) == found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("git status; git diff; git log a; git add a; git commit -m x; git push", id="git that reads or commits"),
        pytest.param("git apply --check x; git apply --stat x", id="apply --check"),
        pytest.param("git checkout -b x; git switch -c x", id="new branch here"),
        pytest.param("git restore --staged a; git rm --cached a; git reset a", id="index only"),
        pytest.param("git stash list; git stash show; git clean -n", id="shown only"),
        pytest.param("git", id="git alone"),
        pytest.param("black --check .; ruff format --diff; ruff check src; prettier --check a", id="checked only"),
        pytest.param("eslint src; gofmt -l .; isort -c a; cargo fmt --check", id="listed only"),
        pytest.param("cargo build; go test ./...; go mod graph; npm ci; npm test; npm run format:check", id="built"),
        pytest.param("gh pr view 5; hg log; svn status; jj log", id="other histories that are shown"),
        pytest.param("stylua --check .; dotnet build; gradle test; zig build", id="other kinds, shown or built"),
        pytest.param("2to3 a; codespell a; ruff a; isort -rc --check a", id="shown only, without an option"),
        pytest.param("make; npm; uv pip install x", id="nothing said"),
    ],
)  # fmt: skip
def test_what_is_left_alone(text: str) -> None:
    assert _changed(text) == []
