"""Formatters whose recorded calls can be repeated: how each is called to write files, and which kinds it writes."""

import posixpath
import re

import msgspec

_SCRIPTS = ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro"
_STYLES = ".css .scss .sass .less .pcss"
_DATA = ".json .jsonc .json5 .yaml .yml .md .mdx .markdown .html .htm .hbs .handlebars .graphql .gql .toml"
_PYTHON = ".py .pyi"


class Formatter(msgspec.Struct, frozen=True, kw_only=True):
    """One formatter. Options and verbs are words with spaces between; an option that is not here is not repeated.

    `verbs` are what must stand first, `needs` the options of which one makes it write, `never` those that keep it from
    writing. `flags` stand alone, `valued` take a value. `kinds` are endings of the files that it writes; empty for
    any. `bare` says that without a path it writes all of its folder, which else is no call at all.
    """

    kinds: str
    verbs: str = ""
    needs: str = ""
    never: str = "--check --diff"
    flags: str = ""
    valued: str = ""
    bare: bool = False

    def writes(self, path: str) -> bool:
        """Whether this file is of a kind that it writes; a file without an ending may be of any."""
        ending = posixpath.splitext(path)[1].lower()
        return not self.kinds or not ending or ending in self.kinds.split()


_GO = Formatter(kinds=".go", needs="-w", never="-d", flags="-l -s -e -extra -format-only -v", valued="-local -lang -r")
_PRETTIER = Formatter(
    kinds=f"{_SCRIPTS} {_STYLES} {_DATA}",
    needs="--write -w",
    never="",
    flags="--check -c --list-different -l --ignore-unknown -u --no-config --no-editorconfig --no-semi --semi "
    "--single-quote --jsx-single-quote --no-bracket-spacing --bracket-same-line --use-tabs --color --no-color "
    "--no-error-on-unmatched-pattern --require-pragma --insert-pragma --cache --single-attribute-per-line",
    valued="--config --ignore-path --parser --print-width --tab-width --quote-props --trailing-comma --arrow-parens "
    "--prose-wrap --html-whitespace-sensitivity --end-of-line --embedded-language-formatting --config-precedence "
    "--log-level --loglevel --object-wrap --experimental-operator-position",
)
_ESLINT = Formatter(
    kinds=f"{_SCRIPTS} .json .jsonc .md .yaml .yml .html",
    needs="--fix",
    never="--fix-dry-run --stdin --init --print-config",
    flags="--quiet --no-error-on-unmatched-pattern --cache --no-cache --color --no-color --no-warn-ignored --no-ignore "
    "--no-inline-config --report-unused-disable-directives --pass-on-no-patterns --debug",
    valued="-c --config --ext --max-warnings -f --format --ignore-path --ignore-pattern --fix-type --cache-strategy "
    "--rule --cache-location",
    bare=True,
)
_BIOME = Formatter(
    kinds=f"{_SCRIPTS} {_STYLES} {_DATA}",
    verbs="format check lint",
    needs="--write --fix --apply --apply-unsafe",
    never="",
    flags="--write --fix --apply --apply-unsafe --unsafe --no-errors-on-unmatched --skip-errors --verbose "
    "--error-on-warnings --format-with-errors",
    valued="--colors --max-diagnostics --diagnostic-level --config-path --indent-style --indent-width --line-width "
    "--line-ending --quote-style --semicolons --trailing-commas --arrow-parentheses --only --skip --log-level "
    "--formatter-enabled --linter-enabled --assist-enabled --organize-imports-enabled --files-ignore-unknown",
    bare=True,
)
_RUFF = Formatter(
    kinds=f"{_PYTHON} .ipynb",
    verbs="check format",
    flags="--fix --fix-only --unsafe-fixes --no-unsafe-fixes --show-fixes -q --quiet -s --silent -v --verbose -e "
    "--exit-zero --exit-non-zero-on-fix --preview --no-preview --isolated -n --no-cache --ignore-noqa "
    "--respect-gitignore --no-respect-gitignore --force-exclude",
    valued="--select --ignore --extend-select --extend-ignore --fixable --unfixable --extend-fixable --config "
    "--line-length --target-version --output-format --exclude --extend-exclude --per-file-ignores --range",
    bare=True,
)

FIXES = "--fix --fix-only"
"""What makes `ruff check` write; `ruff format` always does."""

FORMATTERS: dict[str, Formatter] = {
    "autoflake": Formatter(
        kinds=_PYTHON,
        needs="-i --in-place",
        flags="-r --recursive --remove-all-unused-imports --remove-unused-variables --expand-star-imports -v "
        "--remove-duplicate-keys --ignore-init-module-imports --ignore-pass-statements --quiet",
        valued="--imports --exclude -j --jobs",
    ),
    "autopep8": Formatter(
        kinds=_PYTHON,
        needs="-i --in-place",
        never="-d --diff --list-fixes",
        flags="-a -aa -aaa --aggressive -r --recursive -v --verbose --experimental --exit-code",
        valued="--max-line-length --select --ignore --indent-size -j --jobs --exclude -p --pep8-passes",
    ),
    "biome": _BIOME,
    "black": Formatter(
        kinds=f"{_PYTHON} .ipynb",
        flags="-q --quiet -v --verbose -S --skip-string-normalization -C --skip-magic-trailing-comma --preview "
        "--unstable --fast --safe --color --no-color --no-cache",
        valued="-l --line-length -t --target-version --config --include --exclude --extend-exclude --force-exclude "
        "--workers -W --required-version --enable-unstable-feature",
    ),
    "buildifier": Formatter(kinds=".bazel .bzl .BUILD", never="", flags="-r -v", valued="-type --type"),
    "clang-format": Formatter(
        kinds=".c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm .java .js .ts .cs .proto .cu .cuh .json",
        needs="-i --i",
        never="-n --dry-run",
        flags="--verbose -verbose --sort-includes -sort-includes",
        valued="--style -style --fallback-style -fallback-style --assume-filename -assume-filename",
    ),
    "cargo": Formatter(
        kinds=".rs",
        verbs="fmt",
        flags="--all -q --quiet -v --verbose",
        valued="-p --package --manifest-path",
        bare=True,
    ),
    "dart": Formatter(kinds=".dart", verbs="format", never="-o --output", flags="--fix", valued="-l --line-length"),
    "deno": Formatter(
        kinds=f"{_SCRIPTS} {_STYLES} {_DATA}",
        verbs="fmt",
        flags="--use-tabs --no-semicolons --single-quote -q --quiet --no-config",
        valued="--line-width --indent-width --prose-wrap --ext -c --config --ignore",
        bare=True,
    ),
    "eslint": _ESLINT,
    "gofmt": _GO,
    "gofumpt": _GO,
    "goimports": _GO,
    "isort": Formatter(
        kinds=_PYTHON,
        never="-c --check --check-only -d --diff --stdout",
        flags="-q --quiet -v --verbose --atomic --fss --float-to-top --combine-as --ca --sl "
        "--force-single-line-imports --force-sort-within-sections --trailing-comma --tc --use-parentheses --up --ac",
        valued="--profile -l --line-length -w --line-width --settings-path --sp --settings-file --settings -p "
        "--project -m --multi-line --src --src-path --skip -s --skip-glob --sg --py --python-version -a --add-import",
    ),
    "mdformat": Formatter(kinds=".md .markdown", flags="--number", valued="--wrap --end-of-line"),
    "nixfmt": Formatter(kinds=".nix", never="-c --check", flags="-q", valued="-w --width"),
    "oxlint": msgspec.structs.replace(_ESLINT, kinds=_SCRIPTS, flags="--quiet --fix-suggestions", valued="-c --config"),
    "prettier": _PRETTIER,
    "pyupgrade": Formatter(kinds=_PYTHON, flags="--keep-percent-format --keep-mock --keep-runtime-typing"),
    "rubocop": Formatter(
        kinds=".rb .rake .gemspec .ru",
        needs="-a -A --auto-correct --autocorrect --autocorrect-all --fix-layout -x",
        never="",
        flags="--force-exclusion --display-cop-names",
        valued="-c --config --only --except -f --format",
        bare=True,
    ),
    "ruff": _RUFF,
    "rustfmt": Formatter(
        kinds=".rs",
        never="--check --emit",
        flags="-q --quiet -v --verbose -l --files-with-diff --unstable-features",
        valued="--edition --style-edition --config --config-path --color",
    ),
    "shfmt": Formatter(
        kinds=".sh .bash .bats .mksh .ksh .zsh",
        needs="-w --write",
        never="-d --diff",
        flags="-l --list -s --simplify -bn --binary-next-line -ci --case-indent -sr --space-redirects -kp "
        "--keep-padding -fn --func-next-line -mn --minify",
        valued="-i --indent -ln --language-dialect -filename --filename",
    ),
    "standard": Formatter(kinds=_SCRIPTS, needs="--fix", flags="--verbose", bare=True),
    "stylelint": Formatter(
        kinds=f"{_STYLES} .vue .svelte .html",
        needs="--fix",
        flags="--quiet -q --allow-empty-input --color --no-color",
        valued="-c --config --ignore-path --custom-syntax --max-warnings",
    ),
    "stylua": Formatter(
        kinds=".lua .luau",
        never="-c --check --stdin-filepath",
        flags="-s --search-parent-directories -v --verbose --allow-hidden --respect-ignores",
        valued="-f --config-path -g --glob --column-width --indent-type --indent-width --quote-style --line-endings",
    ),
    "swiftformat": Formatter(kinds=".swift", never="--lint --dryrun", flags="--quiet --verbose", valued="--config"),
    "taplo": Formatter(
        kinds=".toml", verbs="fmt format", flags="-f --force", valued="-c --config -o --option", bare=True
    ),
    "terraform": Formatter(
        kinds=".tf .tfvars .hcl",
        verbs="fmt",
        never="-check -diff -write=false",
        flags="-recursive -no-color",
        bare=True,
    ),
    "yapf": Formatter(
        kinds=_PYTHON,
        needs="-i --in-place",
        never="-d --diff -q --quiet",
        flags="-r --recursive -p --parallel -vv --verbose -m --print-modified",
        valued="--style -e --exclude",
    ),
    "zig": Formatter(kinds=".zig .zon", verbs="fmt", never="--check --stdin"),
}


def writes(name: str, words: tuple[str, ...]) -> bool:
    """Whether these words make a formatter write files."""
    known = FORMATTERS[name]
    options = {part for word in words for part in (word, word.partition("=")[0])}
    options |= {f"-{letter}" for word in words if re.fullmatch(r"-[a-zA-Z]{2,4}", word) for letter in word[1:]}
    verb = next((word for word in words if not word.startswith("-")), "") if known.verbs else ""
    needs = FIXES if (name, verb) == ("ruff", "check") else known.needs
    return (
        (not known.verbs or verb in known.verbs.split())
        and (not needs or bool(options & set(needs.split())))
        and not options & set(known.never.split())
    )
