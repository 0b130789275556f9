"""What managers of packages and of repositories contact."""

import pytest

from gate.cmdline.managers import REPOSITORIES
from gate.cmdline.remotes import addresses, manager, remote_host, repository
from gate.cmdline.shell import commands


def _found(text: str) -> list[tuple[str, list[str]]]:
    [simple] = commands(text)
    name = simple.program
    found = repository(name, simple, text) if name in REPOSITORIES else manager(name, simple, text, {})
    return [(reach.pattern, list(reach.hosts)) for reach in found]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        pytest.param("yarn", "yarn", id="yarn alone"),
        pytest.param("yarn --frozen-lockfile --cwd web", "yarn", id="yarn with options"),
        pytest.param("yarn --cwd web install", "yarn install", id="a verb behind the value of an option"),
        pytest.param("bundle --jobs=4", "bundle", id="bundle alone"),
        pytest.param("pnpm -r i", "pnpm i", id="pnpm"),
        pytest.param("npm clean-install", "npm clean-install", id="npm ci by its long name"),
        pytest.param("pip --proxy p install x", "pip install", id="pip"),
        pytest.param("cargo +nightly fetch", "cargo fetch", id="a toolchain of cargo"),
        pytest.param("go mod vendor", "go mod vendor", id="Go"),
        pytest.param("composer i", "composer i", id="composer"),
        pytest.param("apt-get -y -o A::B=c install x", "apt-get install", id="apt-get with a setting"),
        pytest.param("zypper -n in x", "zypper in", id="zypper"),
        pytest.param("dnf makecache", "dnf makecache", id="dnf"),
        pytest.param("yum localinstall x", "yum localinstall", id="yum"),
        pytest.param("apk -X u add x", "apk add", id="apk"),
        pytest.param("pacman -Syu x", "pacman -S", id="pacman"),
        pytest.param("brew tap a/b", "brew tap", id="brew"),
        pytest.param("snap refresh", "snap refresh", id="snap"),
        pytest.param("emerge x", "emerge", id="emerge"),
        pytest.param("nix-env -iA nixpkgs.x", "nix-env -i", id="nix-env"),
        pytest.param("nix profile install x", "nix profile install", id="nix profile"),
        pytest.param("docker compose -f a.yml pull", "docker compose pull", id="compose"),
        pytest.param("podman image push x", "podman image push", id="an image"),
    ],
)
def test_a_manager_that_fetches(text: str, pattern: str) -> None:
    assert _found(text) == [(pattern, [])]


@pytest.mark.parametrize(
    ("text", "pattern", "hosts"),
    [
        pytest.param("git clone h:x", "git clone", ["h"], id="a host of one letter"),
        pytest.param("git remote show origin", "git remote show", [], id="remote show"),
        pytest.param("git remote add -f o https://a/b", "git remote add -f", ["a"], id="fetches what it adds"),
        pytest.param("git remote set-head origin --auto", "git remote set-head -a", [], id="asks for the branch"),
        pytest.param("git archive --remote=ssh://a/b HEAD", "git archive --remote", ["a"], id="archive"),
        pytest.param("git subtree pull --prefix x https://a/b main", "git subtree pull", ["a"], id="subtree"),
        pytest.param("hg --cwd x pull", "hg pull", [], id="Mercurial"),
        pytest.param("hg clone https://a/b", "hg clone", ["a"], id="Mercurial by a URL"),
        pytest.param("svn update", "svn update", [], id="Subversion"),
        pytest.param("svn co svn://a/b c", "svn co", ["a"], id="Subversion by a URL"),
        pytest.param("svn diff https://a/b", "https://a", ["a"], id="a URL for another verb"),
        pytest.param("openssl s_client -connect a:443", "openssl s_client", ["a"], id="openssl"),
    ],
)
def test_a_remote(text: str, pattern: str, hosts: list[str]) -> None:
    assert _found(text) == [(pattern, hosts)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("yarn test", id="a script"),
        pytest.param("yarn -v", id="its version"),
        pytest.param("bundle --local", id="without the network"),
        pytest.param("npm --silent test", id="npm test"),
        pytest.param("emerge -p x", id="only shown"),
        pytest.param("pacman -Q", id="what is installed"),
        pytest.param("nix-env -q", id="what nix has installed"),
        pytest.param("docker compose up", id="compose"),
        pytest.param("cargo +nightly build", id="a build"),
        pytest.param("git push ../x main", id="a folder"),
        pytest.param("git remote show -n origin", id="what is known here"),
        pytest.param("git remote add o https://a", id="only noted"),
        pytest.param("git archive HEAD", id="its own archive"),
        pytest.param("hg clone a b", id="a folder of Mercurial"),
        pytest.param("svn checkout file:///a", id="a folder of Subversion"),
        pytest.param("svn status", id="what differs"),
    ],
)
def test_at_home(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(
    ("word", "host"),
    [
        ("h:", "h"),
        ("me@h:x", "h"),
        ("A.b:x", "a.b"),
        ("[::1]:x", "::1"),
        ("ssh://me@a:1/b", "a"),
        ("C:/x", None),
        ("C:x", None),
        ("c:\\x", None),
        ("a/b:c", None),
        ("./a:b", None),
        ("a", None),
    ],
)
def test_the_host_of_a_path(word: str, host: str | None) -> None:
    assert remote_host(word) == host


def test_addresses_of_any_program() -> None:
    assert [reach.hosts for reach in addresses("x http://a http://localhost", {"http_proxy": "p"})] == [
        ("a", "p"),
        ("localhost", "p"),
    ]
