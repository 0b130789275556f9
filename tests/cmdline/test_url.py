"""Hosts named in text, and those that are this machine."""

import pytest

from gate.cmdline.url import Url, hosts_in, is_loopback, named_host


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("see https://Example.org/a, or (http://b:80)", ["https://example.org", "http://b"], id="prose"),
        pytest.param("ftp://a ssh://git@b/c git+https://d ws://e", ["ftp://a", "ssh://b", "git+https://d", "ws://e"], id="schemes"),
        pytest.param("http://me:pw@a.b:8080/x?u=@c", ["http://a.b"], id="user and port"),
        pytest.param("http://localhost@evil.com", ["http://evil.com"], id="a host as user"),
        pytest.param("http://[::1]:80/x", ["http://::1"], id="IPv6"),
        pytest.param('f"http://{host}/" \'http://a\'', ["http://{host", "http://a"], id="in code"),
        pytest.param("svn+ssh://a/b s3://c tcp://d:1", ["svn+ssh://a", "s3://c", "tcp://d"], id="more schemes"),
        pytest.param("http:// x://y file:///etc mailto:a@b", [], id="none"),
    ],
)  # fmt: skip
def test_hosts_of_urls(text: str, found: list[str]) -> None:
    assert [f"{url.scheme}://{url.host}" for url in hosts_in(text)] == found
    assert all(isinstance(url, Url) for url in hosts_in(text))


@pytest.mark.parametrize(
    ("word", "host"),
    [
        pytest.param("http://a.b/c", "a.b", id="URL"),
        pytest.param("LocalHost:3000/x", "localhost", id="host and port"),
        pytest.param("me@a.b", "a.b", id="user"),
        pytest.param("[::1]:22", "::1", id="IPv6"),
        pytest.param("::1", "::1", id="IPv6 alone"),
        pytest.param("$URL", "$url", id="not known"),
        pytest.param("a.b.", "a.b", id="root dot"),
    ],
)
def test_hosts_of_words(word: str, host: str) -> None:
    assert named_host(word) == host


def test_this_machine() -> None:
    here = ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"]
    away = [
        "localhost.evil.com",
        "127.0.0.1.evil.com",
        "128.0.0.1",
        "1127.0.0.1",
        "::2",
        "",
        "$host",
        "169.254.169.254",
    ]
    assert [host for host in here + away if is_loopback(host)] == here
