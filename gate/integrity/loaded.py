"""What interpreters, test runners, package managers and task runners load by themselves: the tables."""

import sys

OWN = ("pytest", "_pytest", "unittest", "pluggy", "iniconfig")
"""Modules of Python that stand for a test runner wherever a command starts: the base's, or none."""

ANYWHERE = (
    # Python
    *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", ".coveragerc*", "tox.toml"),
    *("unittest.cfg", "nose2.cfg", "nose.cfg", ".noserc", ".green", ".stestr.conf", ".testr.conf", "noxfile.py"),
    *("behave.ini", ".behaverc", "features/environment.py", "hatch.toml", "pdm.toml", "uv.toml", "poe_tasks.*"),
    *("dodo.py", "sitecustomize.py", "sitecustomize/**", "usercustomize.py", "usercustomize/**", "pyvenv.cfg"),
    *("*.pth", "*.egg-info/**", "*.dist-info/**", "*.pyc", "__pycache__/**", "__pypackages__/**", ".eggs/**"),
    *(".venv/**", ".tox/**", ".nox/**"),
    # JavaScript
    *("jest.config.*", "jest.setup.*", "jest-preset.*", "setupTests.*", "vitest.config.*", "vitest.workspace.*"),
    *("vitest.setup.*", ".mocharc*", "mocha.opts", "ava.config.*", ".nycrc*", "nyc.config.*", ".c8rc*", ".taprc"),
    *("karma.conf.*", "jasmine.json", "spec/support/jasmine.*", "spec/support/jasmine-*", "jasmine-browser.*"),
    *("playwright.config.*", "playwright-ct.config.*", "cypress.config.*", "cypress.json", "cypress.env.json"),
    *("cypress/support/**", "cypress/plugins/**", "web-test-runner.config.*", "testem.*", ".testem.*", "wdio.conf.*"),
    *("nightwatch.conf.*", "protractor.conf.*", "codecept.conf.*", ".testcaferc*", ".labrc.*", ".detoxrc*"),
    *("stryker.conf.*", "stryker.config.*", ".babelrc*", "babel.config.*", ".swcrc", "node.config.json"),
    *("bunfig.toml", ".npmrc", ".yarnrc*", ".yarn/**", ".pnpmfile.*", "pnpmfile.*", ".pnp.*", "pnpm-workspace.y*ml"),
    *("turbo.json", "nx.json", "lage.config.*", "node_modules/**"),
    # PHP, Ruby, Rust, Go, Java, .NET and others
    *("phpunit.xml*", "phpunit.dist.xml", "phpspec.y*ml*", ".phpspec.y*ml", "behat.y*ml*", "behat.dist.y*ml"),
    *("codeception.y*ml", "codeception.dist.y*ml", "Pest.php"),
    *(".rspec", ".rspec-local", "spec_helper.rb", "rails_helper.rb", "test_helper.rb", "cucumber.yml", ".simplecov"),
    *("features/support/**", ".bundle/**", "[Rr]akefile", "[Rr]akefile.rb"),
    *(".cargo/**", "rust-toolchain", "rust-toolchain.toml", ".config/nextest.toml", "go.work"),
    *(".mvn/**", "mvnw*", "gradlew*", "gradle/wrapper/**", "junit-platform.properties", "testng.xml"),
    *("*.runsettings", "xunit.runner.json", ".config/dotnet-tools.json", "CTest*.cmake", ".proverc", ".busted"),
    *("test_helper.exs", "dart_test.yaml", "flutter_test_config.dart", ".Rprofile", "setup_suite.bash"),
    *(".mise.toml", "mise.toml", ".tool-versions", ".gitattributes"),
)
"""Loaded wherever it lies, or in a folder that nothing but the file itself tells."""

WHERE_STARTED = (
    *(f"{name}{end}" for name in OWN for end in (".py", ".so", ".*.so", ".pyd", ".*.pyd", "/**")),
    *("Makefile", "makefile", "GNUmakefile", "BSDmakefile", "*.mk", "justfile", "Justfile", ".justfile"),
    *("Taskfile*.y*ml", "taskfile*.y*ml", "Earthfile", "Gruntfile.*", "gulpfile.*", "Jakefile*", "magefile.go"),
    *("magefiles/**", "SConstruct", "build.xml", "cucumber.[cm]js", "cucumber.js*", "cucumber.y*ml"),
    *(".github/**", ".gitlab-ci.yml", ".circleci/**", "azure-pipelines.yml"),
)
"""Loaded where a command starts: at the top of the tree, in the task's folder, and in those that the command names."""

BY_PROGRAM = dict.fromkeys(("invoke", "inv"), ("tasks.py", "tasks/**", "invoke.*")) | {
    "fab": ("fabfile.py", "fabfile/**", "fabric.*"),
}
"""Names that may be the product's, too: loaded where a command starts this program."""

PACKAGE_RUNNERS = frozenset(
    [
        *("npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "deno", "corepack", "ni", "nr"),
        *("turbo", "nx", "lerna", "moon", "rush", "make", "gmake", "just", "task"),
    ]
)
"""Programs that may start whatever the scripts of a `package.json` name."""

_OF_PYTHON = """
    argparse array ast base64 bdb binascii bisect bz2 calendar cmd code codeop collections concurrent configparser
    contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis doctest email enum fcntl
    fnmatch functools getpass gettext glob grp gzip hashlib heapq hmac html http importlib inspect ipaddress json
    keyword linecache locale logging lzma math msvcrt multiprocessing netrc nt ntpath numbers opcode operator
    optparse pathlib pdb pickle pkgutil platform pprint py_compile pyexpat queue quopri random re readline reprlib
    runpy secrets select selectors shlex shutil signal socket socketserver sqlite3 ssl string struct subprocess
    sysconfig tarfile tempfile textwrap threading token tokenize tomllib traceback types typing unicodedata urllib
    uuid venv warnings weakref winreg xml xmlrpc zipfile zlib
"""
_OF_PYTEST = """
    packaging pygments exceptiongroup tomli colorama typing_extensions platformdirs py attr attrs coverage pytest_cov
    pytest_asyncio pytest_mock pytest_timeout pytest_django pytest_randomly pytest_html pytest_metadata pytest_env
    pytest_rerunfailures pytest_subtests pytest_benchmark pytest_httpx pytest_order pytest_sugar xdist execnet anyio
    hypothesis _hypothesis_pytestplugin _hypothesis_globals sortedcontainers
"""
SHADOWED = {
    "": f"{_OF_PYTHON} {_OF_PYTEST}",
    "coverage": "coverage tomli",
    "tox": """
        tox argcomplete cachetools chardet colorama distlib filelock packaging platformdirs pluggy pyproject_api
        python_discovery tomli typing_extensions virtualenv
    """,
    "nox": """
        nox argcomplete attr attrs colorama colorlog dependency_groups humanize packaging tomli uv virtualenv
    """,
    "nose2": "nose2",
    "nosetests": "nose",
    "nose": "nose",
    "green": "green colorama coverage lxml unidecode",
    "ward": "ward click rich pluggy tomli",
    "behave": "behave parse parse_type cucumber_tag_expressions cucumber_expressions colorama six tomli",
    "robot": "robot",
    "pytest-watch": "pytest_watch docopt watchdog colorama",
    "stestr": "stestr subunit testtools cliff fixtures future voluptuous",
    "trial": "twisted zope constantly incremental hyperlink automat attr attrs",
    "twisted": "twisted zope constantly incremental hyperlink automat attr attrs",
    "doit": "doit cloudpickle",
    "invoke": "invoke",
    "inv": "invoke",
    "hatch": "hatch hatchling click rich",
    "mypy": "mypy mypyc mypy_extensions typing_extensions pathspec librt",
    "xdoctest": "xdoctest",
}
"""What runners of Python import, and a module beside the command would hide, by the program that a command names."""

_PRIVATE = frozenset(name for name in sys.stdlib_module_names if name.startswith("_"))


def shadowed(programs: frozenset[str]) -> frozenset[str]:
    """The modules of which one that a change brings would be loaded in the place of an installed one."""
    names = (name for program in ("", *programs) for name in SHADOWED.get(program, "").split())
    return _PRIVATE.union(names).difference(OWN)
