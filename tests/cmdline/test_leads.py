"""Options and variables that lead a client to another host than its addresses."""

import pytest

from gate.cmdline.clients import CLIENTS
from gate.cmdline.leads import Line, aside, mapped, proxies, routed, taken


@pytest.mark.parametrize(
    ("words", "line"),
    [
        pytest.param("-sSo x http://a", Line(("http://a",), (("-o", "x"),)), id="the last letter of a cluster"),
        pytest.param("-sox http://a", Line(("http://a",), (("-o", "x"),)), id="a value behind its letter"),
        pytest.param("--proxy x --max-time=5 -- -a", Line(("-a",), (("--proxy", "x"), ("--max-time", "5"))), id="long"),
        pytest.param("- -o", Line(("-",), (("-o", ""),)), id="no value"),
    ],
)
def test_arguments_taken_apart(words: str, line: Line) -> None:
    assert taken(words.split(), CLIENTS["curl"].valued) == line


@pytest.mark.parametrize(
    ("name", "words", "hosts"),
    [
        pytest.param("curl", "-x e.f:80 localhost", ["e.f"], id="-x"),
        pytest.param("curl", "-xe.f:80 localhost", ["e.f"], id="glued"),
        pytest.param("curl", "--preproxy socks5://e.f:1 localhost", ["e.f"], id="--preproxy"),
        pytest.param("curl", "--socks5-hostname e.f localhost", ["e.f"], id="--socks5-hostname"),
        pytest.param("curl", "-x e.f --noproxy a localhost", ["e.f"], id="spares another host"),
        pytest.param("curl", "-x e.f --noproxy localhost localhost", [], id="spares this one"),
        pytest.param("wget", "-e https_proxy=http://e.f localhost", ["e.f"], id="-e of wget"),
        pytest.param("wget", "-e robots=off --execute=use_proxy=on localhost", [], id="other settings of wget"),
        pytest.param("http", "--proxy http:http://e.f:1 localhost", ["e.f"], id="httpie"),
        pytest.param("nc", "-x e.f:1 localhost 80", ["e.f"], id="nc"),
    ],
)
def test_proxies_of_options(name: str, words: str, hosts: list[str]) -> None:
    client = CLIENTS[name]
    assert list(proxies(client, taken(words.split(), client.valued), {}, ["localhost"])) == hosts


@pytest.mark.parametrize(
    ("variables", "hosts"),
    [
        pytest.param({"http_proxy": "http://e.f:1", "A": "g"}, ["e.f"], id="lower case"),
        pytest.param({"HTTPS_PROXY": "e.f"}, ["e.f"], id="upper case"),
        pytest.param({"http_proxy": ""}, [], id="empty"),
        pytest.param({"all_proxy": "e.f", "NO_PROXY": "a, localhost"}, [], id="spared"),
        pytest.param({"all_proxy": "e.f", "no_proxy": "*"}, [], id="every host is spared"),
        pytest.param({"all_proxy": "e.f", "no_proxy": "host"}, ["e.f"], id="another host is spared"),
    ],
)
def test_proxies_of_variables(variables: dict[str, str], hosts: list[str]) -> None:
    assert list(routed(variables, "localhost")) == hosts
    assert list(proxies(CLIENTS["curl"], Line(("localhost",), ()), variables, ["localhost"])) == hosts


@pytest.mark.parametrize(
    ("words", "kept", "instead"),
    [
        pytest.param("--resolve a.b:80:203.0.113.5 http://a.b/", [], ["203.0.113.5"], id="another machine"),
        pytest.param("--resolve a.b:80:127.0.0.1 http://a.b/", [], ["127.0.0.1"], id="this machine"),
        pytest.param("--resolve a.b:81:127.0.0.1 http://a.b/", ["http://a.b/"], ["127.0.0.1"], id="another port"),
        pytest.param("--resolve a.b:443:127.0.0.1,e.f https://a.b/", [], ["127.0.0.1", "e.f"], id="one of two"),
        pytest.param("--connect-to ::e.f:80 http://localhost/", [], ["e.f"], id="every host"),
        pytest.param("--connect-to a.b:80:[::1]:80 a.b/c", [], ["::1"], id="this machine by a number"),
        pytest.param("--connect-to a.b:80::81 a.b", ["a.b"], [], id="only another port"),
    ],
)
def test_addresses_that_curl_is_told(words: str, kept: list[str], instead: list[str]) -> None:
    line = taken(words.split(), CLIENTS["curl"].valued)
    assert mapped(line, line.operands) == (kept, instead)


@pytest.mark.parametrize(
    ("name", "words", "hosts"),
    [
        pytest.param("ssh", ["-J", "a,me@b:22", "localhost"], ["a", "b"], id="jumps"),
        pytest.param("ssh", ["-oProxyJump=a", "-o", "HostName b", "localhost"], ["a", "b"], id="options that name hosts"),
        pytest.param("ssh", ["-o", "StrictHostKeyChecking=no", "-o", "ProxyJump=none", "localhost"], [], id="others"),
        pytest.param("ssh", ["-L", "8080:a:80", "-W", "b:22", "localhost"], ["a", "b"], id="forwarded"),
        pytest.param("curl", ["-K", "cfg", "--url", "http://a", "localhost"], ["cfg", "a"], id="a file of options"),
        pytest.param("wget", ["-i", "list", "localhost"], ["list"], id="a file of addresses"),
    ],
)  # fmt: skip
def test_hosts_beside_the_operands(name: str, words: list[str], hosts: list[str]) -> None:
    client = CLIENTS[name]
    assert list(aside(client, taken(words, client.valued))) == hosts
