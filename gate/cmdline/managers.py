"""Programs that reach for the network with some of their verbs: managers of packages, of images, of repositories."""

_SYSTEM = (
    *("install", "reinstall", "update", "upgrade", "dist-upgrade", "full-upgrade", "add", "download", "search"),
    *("source", "build-dep", "builddep", "refresh", "makecache", "fetch"),
)
_RED_HAT = (*_SYSTEM, "in", "up", "localinstall", "groupinstall", "group install", "module install", "check-update")
_NODE = ("install", "i", "add", "update", "up", "upgrade", "publish", "audit", "outdated", "login", "create", "search")
_PIP = ("install", "download", "wheel", "index", "search")
_IMAGES = ("pull", "push", "login", "search", "image pull", "image push", "compose pull", "compose push")
# An empty verb is whatever the program does; one that begins with `-` is an option.
VERBS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("apt", "apt-get", "aptitude", "apk", "port", "pkg", "tdnf", "pkgin", "eopkg"), _SYSTEM),
    **dict.fromkeys(("dnf", "dnf5", "yum", "microdnf"), _RED_HAT),
    "zypper": (*_SYSTEM, "in", "ref", "up", "dup", "si", "source-install"),
    "brew": (*_SYSTEM, "tap", "bundle"),
    **dict.fromkeys(
        ("snap", "flatpak", "choco", "winget", "scoop", "conda", "mamba", "micromamba"),
        (*_SYSTEM, "create", "env create", "env update"),
    ),
    **dict.fromkeys(("pacman", "yay", "paru"), ("-S", "--sync")),
    "nix-env": ("-i", "-u", "--install", "--upgrade"),
    "nix-channel": ("--add", "--update"),
    "nix": ("profile install", "profile add", "profile upgrade", "flake update", "flake lock"),
    "guix": ("install", "pull", "upgrade", "package"),
    **dict.fromkeys(("pip", "pip3"), _PIP),
    "pipx": ("install", "run", "upgrade", "inject"),
    "uv": (
        "add",
        "sync",
        "lock",
        "pip install",
        "pip sync",
        "pip compile",
        "tool install",
        "tool run",
        "python install",
    ),
    "uvx": ("",),
    **dict.fromkeys(("poetry", "pdm", "rye", "pixi"), ("add", "install", "sync", "update", "lock", "publish")),
    "pipenv": ("install", "update", "lock", "sync"),
    "npm": (
        *_NODE,
        "ci",
        "in",
        "ins",
        "it",
        "cit",
        "ic",
        "clean-install",
        "install-test",
        "install-ci-test",
        "view",
        "show",
        "info",
    ),
    "pnpm": (*_NODE, "fetch", "import", "self-update"),
    **dict.fromkeys(("yarn", "yarnpkg"), (*_NODE, "npm", "global add", "upgrade-interactive", "info")),
    "bun": (*_NODE, "ci", "a"),
    "deno": ("install", "add", "cache", "upgrade"),
    "cargo": ("add", "install", "binstall", "fetch", "update", "vendor", "search", "info", "login", "publish"),
    "go": ("get", "install", "mod download", "mod tidy", "mod vendor", "work sync"),
    "gem": ("install", "i", "update", "fetch", "push", "outdated", "search"),
    "bundle": ("install", "update", "add", "outdated", "lock"),
    "composer": ("install", "i", "require", "update", "u", "create-project", "outdated", "audit", "self-update"),
    "dotnet": ("restore", "add", "tool install", "tool restore", "nuget push"),
    "nuget": ("install", "restore", "push"),
    "swift": ("package resolve", "package update"),
    "pod": ("install", "update"),
    "mix": ("deps.get", "deps.update", "hex.publish"),
    "dart": ("pub get", "pub add", "pub upgrade", "pub publish"),
    "flutter": ("pub get", "pub add", "pub upgrade"),
    "mvn": ("dependency:get", "dependency:resolve", "dependency:go-offline", "deploy"),
    "opam": ("install", "update", "upgrade"),
    "cabal": ("update", "install", "fetch"),
    "conan": ("install", "download", "upload"),
    "vcpkg": ("install",),
    **dict.fromkeys(("cpanm", "cpan"), ("",)),
    "luarocks": ("install", "download"),
    "ansible-galaxy": ("install", "collection install"),
    "pre-commit": ("install-hooks", "autoupdate"),
    "dvc": ("pull", "push", "fetch"),
    "ollama": ("pull", "push"),
    **dict.fromkeys(("hf", "huggingface-cli"), ("download", "upload", "login", "auth login")),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah"), _IMAGES),
    "docker-compose": ("pull", "push"),
    "skopeo": ("copy", "inspect", "sync", "login"),
    "helm": ("pull", "push", "repo add", "repo update", "install", "upgrade"),
    "terraform": ("init", "apply", "plan"),
    "rustup": ("update", "install", "toolchain install", "component add", "target add"),
    **dict.fromkeys(("pyenv", "rbenv", "nvm", "fnm", "volta", "playwright", "bower", "spack", "elm"), ("install",)),
    **dict.fromkeys(("asdf", "mise"), ("install", "use", "plugin add")),
    **dict.fromkeys(("pecl", "pear", "tlmgr"), ("install", "update", "upgrade", "download")),
    "openssl": ("s_client",),
    "emerge": ("",),
}
"""Programs that reach for the network with some of their verbs."""

BARE = frozenset(["yarn", "yarnpkg", "bundle"])
"""Programs that install when they are given no verb."""

_LOCAL = frozenset(["--offline", "--no-index", "--help", "-h"])
_LOCAL_TOO = {
    "bundle": frozenset(["--local"]),
    "emerge": frozenset(["-p", "--pretend", "-s", "--search", "--info", "-C", "--unmerge", "-c", "--depclean"]),
}


def stays(name: str, words: tuple[str, ...]) -> bool:
    """Whether an option says that the program stays here, or only tells of itself."""
    told = bool(words) and all(word in ("--version", "-v", "-V") for word in words)
    return told or bool((_LOCAL | _LOCAL_TOO.get(name, _LOCAL)) & set(words))


_PLACES = "-C --prefix --directory --project --manifest-path -n --name -p -t --root --cwd --dir --filter -F"
_VALUED = {
    **dict.fromkeys(("apt", "apt-get", "aptitude"), "-o -c -t --option --config-file --target-release"),
    **dict.fromkeys(("dnf", "dnf5", "yum"), "-c -x --releasever --repo --enablerepo --disablerepo --installroot"),
    "apk": "-p -X --root --repository --arch --keys-dir",
    "zypper": "-R -c --root --installroot --config -p --plus-repo --releasever",
    **dict.fromkeys(("pip", "pip3"), "--proxy --python --cache-dir --log --retries --timeout --cert --trusted-host"),
    **dict.fromkeys(("docker", "podman", "nerdctl"), "-f -H -c -l -p --file --host --context --config --log-level "
                    "--project-name --profile --env-file --project-directory --root"),
    "docker-compose": "-f -p --file --project-name --profile --env-file --project-directory",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "npm": "--prefix -w --workspace --loglevel --registry --cache --userconfig",
}  # fmt: skip


def valued(name: str) -> str:
    """The options of such a program that take the next word as their value, before its verb."""
    return _VALUED.get(name, _PLACES)


_GIT_REMOTES = """clone fetch pull push ls-remote send-email fetch-pack send-pack http-fetch http-push imap-send
 remote+update remote+show remote+prune submodule+update submodule+add lfs+pull lfs+fetch lfs+push svn+clone svn+fetch
 svn+dcommit subtree+pull subtree+push subtree+add"""


def _words(text: str) -> frozenset[str]:
    return frozenset(verb.replace("+", " ") for verb in text.split())


REPOSITORIES: dict[str, frozenset[str]] = {
    "git": _words(_GIT_REMOTES),
    "hg": _words("clone pull push incoming outgoing in out"),
    "svn": _words("checkout co update up commit ci switch sw log list ls export import copy cp lock unlock"),
    "jj": _words("git+clone git+fetch git+push"),
    **dict.fromkeys(("bzr", "brz"), _words("branch checkout pull push update missing send")),
    "darcs": _words("clone get pull push send"),
    "fossil": _words("clone pull push sync"),
    "cvs": _words("checkout co update up commit ci login"),
}
"""Programs of repositories, and their verbs that talk to another one: a folder of this machine, or not."""
