"""Network calls in written code."""

import pytest

from gate.cmdline.netcode import CODE_WORDS, QUOTED_WORDS, Call, calls, hosts_of, loaded


@pytest.mark.parametrize(
    ("text", "pattern", "hosts"),
    [
        pytest.param('r = requests.get("https://a.b/c")', "requests.get(", ("a.b",), id="requests"),
        pytest.param("with requests.Session() as s:", "requests.Session(", (), id="session"),
        pytest.param("from  requests import get", "from requests import", (), id="names of requests"),
        pytest.param("import httpx as h", "import httpx as", (), id="another name"),
        pytest.param("httpx.AsyncClient()", "httpx.AsyncClient(", (), id="httpx"),
        pytest.param("urllib.request.urlopen(u)", "urllib.request.urlopen(", (), id="urllib"),
        pytest.param("from urllib import request", "from urllib import request", (), id="urllib's request"),
        pytest.param("urlopen(u)", "urlopen(", (), id="urlopen"),
        pytest.param("s = socket.socket()", "socket.socket(", (), id="socket"),
        pytest.param("socket.create_connection(('127.0.0.1', 1))", "socket.create_connection(", ("127.0.0.1",), id="socket here"),
        pytest.param("webbrowser.open(u)", "webbrowser.open(", (), id="webbrowser"),
        pytest.param("const r = await fetch(`https://a/${b}`)", "fetch(", ("a",), id="fetch"),
        pytest.param("window.fetch(u)", "window.fetch(", (), id="window.fetch"),
        pytest.param("axios.post('http://a')", "axios.post(", ("a",), id="axios"),
        pytest.param("new WebSocket(u)", "new WebSocket", (), id="WebSocket"),
        pytest.param('resp, err := http.Get("http://a")', "http.Get(", ("a",), id="Go"),
        pytest.param("reqwest::get(u)", "reqwest::get", (), id="Rust"),
        pytest.param("Net::HTTP.get(u)", "Net::HTTP", (), id="Ruby"),
        pytest.param("os.system('cd x && curl http://a')", "os.system('cd x && curl", ("a",), id="system"),
        pytest.param("subprocess.run(['git', 'clone', u])", "subprocess.run(['git', 'clone", (), id="subprocess"),
        pytest.param("execSync(`x`); execSync('npm install')", "execSync('npm install", (), id="execSync"),
        pytest.param("u.urlopen(x)", "urlopen(", (), id="urlopen of a module by another name"),
        pytest.param("asyncio.open_connection('h', 80)", "asyncio.open_connection(", (), id="asyncio"),
        pytest.param("__import__('requests').get(u)", "__import__('requests'", (), id="imported by a call"),
        pytest.param("run([sys.executable, '-m', 'pip', 'install', x])", "sys.executable, '-m', 'pip', 'install", (), id="pip by Python"),
        pytest.param("require('https').get('https://a')", "require('https').get(", ("a",), id="Node's https"),
        pytest.param('require("node:net").connect(80, h)', 'require("node:net").connect(', (), id="Node's net"),
        pytest.param("dns.lookup(h)", "dns.lookup", (), id="Node's dns"),
        pytest.param("require 'open-uri'", "require 'open-uri'", (), id="Ruby's open"),
        pytest.param("TCPSocket.new('127.0.0.1', 80)", "TCPSocket.new", ("127.0.0.1",), id="Ruby's socket here"),
        pytest.param("use LWP::Simple; get('http://a')", "LWP::Simple", ("a",), id="Perl"),
        pytest.param("HTTP::Tiny->new->get('http://a')", "HTTP::Tiny->new", ("a",), id="HTTP::Tiny"),
        pytest.param("IO::Socket::INET->new('localhost:80')", "IO::Socket::INET->new", ("localhost",), id="Perl's socket here"),
        pytest.param("fsockopen('h', 80)", "fsockopen(", (), id="PHP"),
        pytest.param("fopen('http://a', 'r')", "fopen('http:", ("a",), id="PHP's fopen"),
        pytest.param("file_get_contents('http://a')", "file_get_contents('http:", ("a",), id="PHP's contents"),
        pytest.param("s.run(['curl', u])", "run(['curl", (), id="a program of another name of subprocess"),
        pytest.param("passthru('cd x; wget http://a')", "passthru('cd x; wget", ("a",), id="a program of PHP"),
        pytest.param("import('node:https').then(h => h.get('https://a'))", "import('node:https').then(h => h.get(", ("a",), id="imported by a call of Node"),
        pytest.param("download.file('http://a', 'b')", "download.file(", ("a",), id="R"),
    ],
)  # fmt: skip
def test_a_call(text: str, pattern: str, hosts: tuple[str, ...]) -> None:
    assert list(calls(f"\n  {text}\n".encode(), python=False)) == [Call(pattern, hosts, 2, text)]
    lower = text.lower()
    bare = lower.replace("'", "").replace('"', "")
    assert any(word in lower for word in CODE_WORDS) or any(word in bare for word in QUOTED_WORDS)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# requests.get(u)\n// fetch(u)\n * fetch(u)", id="comments"),
        pytest.param("url = 'https://example.org'", id="a URL alone"),
        pytest.param("import requests\nimport socket", id="imports"),
        pytest.param("@patch('requests.get')", id="a name in quotes"),
        pytest.param("self.requests.get(x); my_requests.get(x); db.fetch(x); prefetch(x)", id="others' methods"),
        pytest.param("def fetch(x): ...\nfunction fetch(x) {}", id="definitions"),
        pytest.param("from urllib.parse import urlparse; urllib.parse.quote(x)", id="parsing"),
        pytest.param("socket.AF_INET; socket.gethostname(); socket.on('x')", id="other parts of socket"),
        pytest.param("subprocess.run(['curly', 'x']); os.system('ls')", id="other programs"),
        pytest.param("print('curl http://evil')", id="E07 only printed"),
        pytest.param(
            "run(['curly']); x = 'curl http://a'; print('curl x'); import('node:http').then(h => h.createServer())",
            id="words",
        ),
        pytest.param("IO::Socket::UNIX->new(x); use IO::Socket::INET;", id="Perl at home"),
        pytest.param("require('./net').connect(x); require('fs').readFileSync(x); fopen('a', 'r')", id="files"),
        pytest.param("[sys.executable, '-m', 'pytest']; import_module('json')", id="Python at home"),
    ],
)
def test_no_call(text: str) -> None:
    assert list(calls(text.encode(), python=False)) == []


def test_fetch_is_no_function_of_python() -> None:
    assert list(calls(b"await fetch(x)")) == []


def test_a_call_that_goes_on_over_lines_and_bytes_of_any_kind() -> None:
    text = "é\nsubprocess.run(\n    ['curl', '-s',\n     u])\n\nrequests.get(u); httpx.get(v)  # \xff\n".encode(
        "latin-1"
    )
    assert [(call.pattern, call.line, call.text) for call in calls(text)] == [
        ("subprocess.run( ['curl", 2, "subprocess.run("),
        ("requests.get(", 6, "requests.get(u); httpx.get(v)  # \ufffd"),
        ("httpx.get(", 6, "requests.get(u); httpx.get(v)  # \ufffd"),
    ]


@pytest.mark.parametrize(
    ("program", "words", "switches"),
    [
        pytest.param("perl", ("-MIO::Socket::INET", "-mLWP::Simple=get", "-e", "1"), 2, id="Perl"),
        pytest.param("perl", ("-MIO::Socket::UNIX", "-MData::Dumper", "-MNetwork"), 0, id="Perl at home"),
        pytest.param("ruby", ("-rnet/http", "-rsocket", "-rjson"), 2, id="Ruby"),
        pytest.param("node", ("-rnet/http",), 0, id="another program"),
    ],
)
def test_libraries_that_switches_load(program: str, words: tuple[str, ...], switches: int) -> None:
    assert len(list(loaded(program, words))) == switches


def test_the_hosts_of_a_passage() -> None:
    assert hosts_of("('http://a/b', 'localhost')") == ("a",)
    assert hosts_of("('localhost:80', '[::1]:80', 'a')") == ("localhost", "::1")
