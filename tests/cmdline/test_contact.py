"""What clients contact, by the words after them."""

import pytest

from gate.cmdline.contact import client
from gate.cmdline.shell import commands


def _hosts(text: str) -> list[list[str]]:
    [simple] = commands(text)
    return [list(reach.hosts) for reach in client(simple.program.lower(), simple, text, {})]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("curl --version", id="asked for its version"),
        pytest.param("scp a 'C:\\x'", id="a drive of Windows"),
        pytest.param("scp C:/a D:", id="drives without a backslash"),
        pytest.param("rsync --filter 'P: x' --chown=me:us -aP a/ b/", id="options that look like hosts"),
        pytest.param("nc -lk 80", id="listens"),
        pytest.param("getent passwd me", id="no name of a host"),
        pytest.param("mail -s 'for you@there' root", id="a letter to an account of this machine"),
        pytest.param("mail", id="reads letters"),
        pytest.param("socat TCP-LISTEN:80 EXEC:cat", id="serves"),
        pytest.param("socat - UNIX-CONNECT:/x", id="a socket of this machine"),
        pytest.param("psql -c 'select 1'", id="the database of this machine"),
    ],
)
def test_a_client_that_contacts_nobody(text: str) -> None:
    assert _hosts(text) == []


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        pytest.param("curl -o x http://a http://b", ["a", "b"], id="every address"),
        pytest.param("curl -O http://a localhost", ["a", "localhost"], id="a switch takes no value"),
        pytest.param("wget -x http://a localhost", ["a", "localhost"], id="a switch of wget"),
        pytest.param("http POST :8000/x a=b", ["localhost"], id="httpie's short name of this machine"),
        pytest.param("http a.b/c d==e", ["a.b"], id="httpie without a method"),
        pytest.param("Invoke-WebRequest -OutFile x -Proxy http://p -Uri http://a", ["a", "p"], id="PowerShell"),
        pytest.param("scp a h:", ["h"], id="a host of one letter"),
        pytest.param("rsync . h:/x", ["h"], id="a host of one letter, and a path"),
        pytest.param("rsync a:b c", ["a"], id="from a host of one letter"),
        pytest.param("rsync -P h:x .", ["h"], id="a switch of rsync"),
        pytest.param("scp -J j me@a.b:x .", ["a.b", "j"], id="a jump"),
        pytest.param("getent hosts x.y", ["x.y"], id="E04 a name that is looked up"),
        pytest.param("getent ahostsv4 localhost", ["localhost"], id="this machine is looked up"),
        pytest.param("mail -s hi -c d@e.f a@b.c", ["e.f", "b.c"], id="letters"),
        pytest.param("mutt $ADDRESS", ["$address"], id="to whoever that is"),
        pytest.param("sendmail -t", [], id="to whoever the letter says"),
        pytest.param("socat - TCP4:h:80", ["h"], id="socat"),
        pytest.param("socat - OPENSSL:[2001:db8::1]:443,verify=0", ["2001:db8::1"], id="E05 IPv6"),
        pytest.param("telnet h 80", ["h"], id="telnet"),
        pytest.param("tftp h", ["h"], id="tftp"),
        pytest.param("redis-cli -h r.s get x", ["r.s"], id="a database"),
    ],
)
def test_what_a_client_contacts(text: str, hosts: list[str]) -> None:
    assert _hosts(text) == [hosts]
