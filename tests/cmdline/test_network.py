"""Command lines and written files that reach for the network, and those that only look so."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.cmdline.clients import may_reach
from gate.cmdline.network import in_command, in_file, reaches


@pytest.mark.parametrize(
    ("text", "pattern", "hosts"),
    [
        pytest.param("curl https://packages.example.org/simple/", "curl", ["packages.example.org"], id="curl"),
        pytest.param("c''u\"r\"l http://a", "curl", ["a"], id="quotes inside"),
        pytest.param("cur\\\nl http://a", "curl", ["a"], id="a continued word"),
        pytest.param("$'\\x63url' http://a", "curl", ["a"], id="escapes"),
        pytest.param("/usr/bin/curl $URL", "curl", ["$url"], id="not known where to"),
        pytest.param("curl", "curl", [], id="nowhere"),
        pytest.param("curl http://localhost http://a", "curl", ["localhost", "a"], id="here and away"),
        pytest.param("curl http://localhost@evil.com", "curl", ["evil.com"], id="only seems here"),
        pytest.param("curl http://169.254.169.254/", "curl", ["169.254.169.254"], id="E06 metadata"),
        pytest.param("ls && (sudo env A=1 timeout 5 wget -q a.b/c) | tee x", "wget", ["a.b"], id="wrapped"),
        pytest.param("bash -c 'x=$(curl a)'", "curl", ["a"], id="substituted"),
        pytest.param("echo curl a | sh", "curl", ["a"], id="printed into a shell"),
        pytest.param("find . -exec curl {} \\;", "curl", ["{}"], id="find"),
        pytest.param("exec 3<>/dev/tcp/a.b/80", "/dev/tcp", ["a.b"], id="bash's own"),
        pytest.param("ssh -i k me@a.b ls", "ssh", ["a.b"], id="13 ssh"),
        pytest.param("scp x me@a.b:y", "scp", ["a.b"], id="scp"),
        pytest.param("rsync -a x/ host:y", "rsync", ["host"], id="rsync"),
        pytest.param("nc a.b 80", "nc", ["a.b"], id="13 nc"),
        pytest.param("telnet a.b; true", "telnet", ["a.b"], id="telnet"),
        pytest.param("ping -c 1 a.b", "ping", ["a.b"], id="ping"),
        pytest.param("dig a.b", "dig", [], id="dig"),
        pytest.param("gh pr view 1", "gh", [], id="gh"),
        pytest.param("aws s3 ls", "aws", [], id="aws"),
        pytest.param("Invoke-WebRequest http://a", "invoke-webrequest", ["a"], id="PowerShell"),
        pytest.param("git clone https://a.b/c.git", "git clone", ["a.b"], id="13 git clone"),
        pytest.param("git clone git@a.b:c.git", "git clone", ["a.b"], id="git clone by ssh"),
        pytest.param("git -C x fetch --all", "git fetch", [], id="git fetch"),
        pytest.param("git push origin main", "git push", [], id="git push"),
        pytest.param("git pull --rebase", "git pull", [], id="git pull"),
        pytest.param("git submodule update --init", "git submodule update", [], id="submodules"),
        pytest.param("apt-get update && apt-get install -y x", "apt-get update", [], id="13 apt-get"),
        pytest.param("pacman -Syu x", "pacman -S", [], id="pacman"),
        pytest.param("pip install x", "pip install", [], id="pip"),
        pytest.param("python3 -m pip install -q x", "pip install", [], id="python -m pip"),
        pytest.param("uv pip install x", "uv pip install", [], id="uv pip"),
        pytest.param("npm --prefix a ci", "npm ci", [], id="npm ci"),
        pytest.param("yarn add x", "yarn add", [], id="yarn"),
        pytest.param("cargo add x", "cargo add", [], id="cargo"),
        pytest.param("go get x", "go get", [], id="go"),
        pytest.param("docker pull x", "docker pull", [], id="docker"),
        pytest.param("hf download x/y", "hf download", [], id="models"),
        pytest.param("dotnet restore", "dotnet restore", [], id="dotnet"),
        pytest.param("mvn -q dependency:resolve", "mvn dependency:resolve", [], id="Maven"),
        pytest.param("dart pub get", "dart pub get", [], id="Dart"),
        pytest.param("psql -h db.example.com -c 'select 1'", "psql", ["db.example.com"], id="a database by an option"),
        pytest.param("mysql -hdb.example.com x", "mysql", ["db.example.com"], id="a database, glued"),
        pytest.param("redis-cli --host=r.example.com get x", "redis-cli", ["r.example.com"], id="a long option"),
        pytest.param("psql postgres://me:pw@db.example.com:5432/x", "psql", ["db.example.com"], id="a database by its URL"),
        pytest.param("psql 'host=db.example.com dbname=x'", "psql", ["db.example.com"], id="a connection string"),
        pytest.param("alembic -x url=postgresql://db.example.com/x upgrade", "postgresql://db.example.com", ["db.example.com"], id="a database of another program"),
        pytest.param("echo Y3VybCBhCg== | base64 -d | sh", "base64 -d into a shell", [], id="decoded into a shell"),
        pytest.param("base64 --decode x | bash -s", "base64 --decode into a shell", [], id="decoded into a shell that reads"),
        pytest.param('sh -c "$(base64 -d x)"', "base64 -d into a shell", [], id="decoded as an argument"),
        pytest.param('eval "$(echo Y3Vy | base64 -D)"', "base64 -D into a shell", [], id="decoded for eval"),
        pytest.param("source <(xxd -r -p x)", "xxd -r into a shell", [], id="decoded as a file"),
        pytest.param("cat x | base64 -di | python3 -", "base64 -di into a shell", [], id="decoded into Python"),
        pytest.param("python sync.py --from https://a.b/c", "https://a.b", ["a.b"], id="a URL for another program"),
        pytest.param("python -c 'import requests; requests.get(\"http://a\")'", "requests.get(", ["a"], id="python -c"),
        pytest.param("python - <<E\nfrom urllib.request import urlopen\nE", "from urllib.request import", [], id="python reads"),
        pytest.param("node -e 'fetch(u)'", "fetch(", [], id="node -e"),
        pytest.param("cat > a.py <<'E'\nrequests.get(u)\nE", "requests.get(", [], id="written by a document"),
        pytest.param("tee a.sh <<'E'\ncurl a\nE", "curl", ["a"], id="a shell script by a document"),
        pytest.param("CURL=curl; $CURL x.y", "curl", ["x.y"], id="a program in a variable"),
        pytest.param("c=cu; ${c}rl x.y", "curl", ["x.y"], id="a part of its name in a variable"),
        pytest.param("sudo -E ${X:-curl} x.y", "curl", ["x.y"], id="a default"),
        pytest.param("$(which curl) x.y; `which wget` x.y", "curl", ["x.y"], id="looked up"),
        pytest.param("$(echo curl) x.y", "curl", ["x.y"], id="printed"),
        pytest.param("cu$@rl x.y", "curl", ["x.y"], id="nothing in its name"),
        pytest.param("cmd='curl x.y'; $cmd; eval $cmd", "curl", ["x.y"], id="a command in a variable"),
        pytest.param("for c in true wget; do $c x.y; done", "wget", ["x.y"], id="a program of a loop"),
        pytest.param("alias g=curl\ng x.y", "curl", ["x.y"], id="another name"),
        pytest.param("$TOOL --fast https://x.y/z", "https://x.y", ["x.y"], id="any program, and a URL"),
        pytest.param("$TOOL 203.0.113.5", "$TOOL", ["203.0.113.5"], id="any program, and an address"),
        pytest.param("\"$TOOL\" me@x.example:a", "$TOOL", ["x.example"], id="any program, and a host"),
        pytest.param("curl --proxy http://evil.example:80 http://localhost/", "curl", ["localhost", "evil.example"], id="a proxy"),
        pytest.param("http_proxy=http://evil.example curl http://localhost", "curl", ["localhost", "evil.example"], id="a proxy in the environment"),
        pytest.param("env -i ALL_PROXY=evil.example bash -c 'curl localhost'", "curl", ["localhost", "evil.example"], id="in that of a shell"),
        pytest.param("export https_proxy=evil.example; python x.py http://localhost", "http://localhost", ["localhost", "evil.example"], id="exported, for any program"),
        pytest.param("git submodule foreach 'curl x.y'; git rebase -x 'curl x.y' a", "curl", ["x.y"], id="run by git"),
        pytest.param("perl -MLWP::Simple -e 'getprint shift' a", "perl -MLWP::Simple", [], id="a library of Perl"),
        pytest.param("ruby -ropen-uri -e 'puts open(\"http://x.y\").read'", "ruby -ropen-uri", ["x.y"], id="a library of Ruby"),
        pytest.param("echo 'curl x.y' >> a.sh; sh a.sh", "curl", ["x.y"], id="a shell script that is printed"),
        pytest.param("python3 -mpip install x", "pip install", [], id="python -m, glued"),
        pytest.param("gawk 'BEGIN { print |& \"/inet/tcp/0/x.y/80\" }'", "/inet/tcp/0", ["x.y"], id="awk's own"),
        pytest.param("Test-NetConnection -ComputerName x.y", "test-netconnection", ["x.y"], id="a test of PowerShell"),
        pytest.param("bash -c 'exec 3<>/dev/tcp/h/80'", "/dev/tcp", ["h"], id="bash's own in a shell"),
    ],
)  # fmt: skip
def test_a_command_that_reaches(text: str, pattern: str, hosts: list[str]) -> None:
    first = in_command(text)[0]
    assert (first.pattern, list(first.hosts)) == (pattern, hosts)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("curly https; ./mycurl x; curl_wrapper", id="13 curly is no curl"),
        pytest.param("echo 'curl http://evil'; printf 'wget http://evil'", id="E07 printed"),
        pytest.param("ls # curl http://evil", id="E07 comment"),
        pytest.param("grep -r http://a src; sed -i s,http://a,http://b, x; rg 'requests.get'", id="searched, replaced"),
        pytest.param("git commit -m 'use curl, see http://a'; git log; git remote add o http://a", id="git at home"),
        pytest.param("git clone ../a b; git clone /srv/a; git clone file:///a; git clone a b; git push ../a main", id="folders"),
        pytest.param("curl http://localhost:8000/x; curl -H 'A: b' -sS 127.0.0.1:80; curl 'http://[::1]/'", id="13 loopback"),
        pytest.param("wget -O x http://0.0.0.0/; nc -z localhost 80; ssh me@localhost; ping 127.0.0.1", id="others' loopback"),
        pytest.param("nc -l 80; nc -lvp 8080", id="listens"),
        pytest.param("psql -c 'select 1'; psql -h localhost x; psql -h /tmp x; mysql -h127.0.0.1 x; redis-cli get host", id="databases here"),
        pytest.param("psql postgres://me@localhost/x; mysqldump -u me x > host.sql; pg_dump -d 'host=::1'", id="their URLs here"),
        pytest.param("base64 -d x > y; base64 x | sh a.sh; base64 -d x | python decode.py; echo 'base64 -d | sh'", id="decoded, not run"),
        pytest.param("dotnet build; mvn -o package; swift build; mix test; dart run", id="builds"),
        pytest.param("scp a b; rsync -a a/ b/", id="copies at home"),
        pytest.param("which curl; command -v wget; type ssh; curl --version; gh --help", id="asks for the program"),
        pytest.param("pip list; pip install --no-index x; npm test; npm run build; npm ci --offline", id="verbs at home"),
        pytest.param("cargo build; go test ./...; docker build .; apt list; brew list; yarn test; uv run x", id="builds"),
        pytest.param("python -c 'print(\"http://a\")'; python x.py; pytest --url http://localhost:1", id="python"),
        pytest.param("export A=http://a; B=http://a ls; test -n http://a", id="variables"),
        pytest.param("cat > a.md <<E\ncurl http://a\nrequests.get(u)\nE", id="prose by a document"),
        pytest.param("cat <<E\ncurl http://a\nE", id="a document that is printed"),
        pytest.param("echo 'curl http://a' >> a.md; echo 'curl http://a' > a.txt; echo 'curl x.y' 2>&1", id="prose that is printed"),
        pytest.param("curl --noproxy '*' http://127.0.0.1:8000; http_proxy= curl localhost", id="no proxy"),
        pytest.param("no_proxy=localhost http_proxy=http://a curl localhost; curl -x localhost:1 localhost", id="spared, and one here"),
        pytest.param("export http_proxy=http://a; export http_proxy; ls", id="a proxy that nothing asks for"),
        pytest.param("E=echo; $E x.y; PY=python3; $PY x.py; $PYTHON manage.py test; $CMD a.py b.io.rs", id="programs in variables"),
        pytest.param("U=http://localhost:1; curl -s $U/x", id="this machine in a variable"),
        pytest.param("curl -so /dev/null -w '%{http_code}' http://localhost:3000", id="options in a cluster"),
        pytest.param("yarn test; yarn run build; yarn --cwd a lint; yarn --version; cat yarn.lock", id="yarn at home"),
        pytest.param("bundle exec rspec; bundle install --local; bundle --version", id="bundle at home"),
        pytest.param("cat mail; grep mail x; make mail; mail; mail root < x; man curl; apropos wget", id="words"),
        pytest.param("git submodule foreach 'git status'; git bisect run pytest; git rebase -x make a", id="run by git"),
        pytest.param("perl -MData::Dumper -e 1; perl -MIO::Socket::UNIX -e 1; ruby -rjson -e 1", id="libraries at home"),
        pytest.param("perl -MIO::Socket -e 'IO::Socket::INET->new(\"localhost:80\")'", id="a library that stays here"),
        pytest.param("", id="empty"),
    ],
)  # fmt: skip
def test_a_command_that_stays(text: str) -> None:
    assert in_command(text) == ()


@pytest.mark.parametrize(
    ("path", "data", "patterns"),
    [
        pytest.param("a.py", b"x = requests.get(u)\ny = httpx.get(u)", ["requests.get(", "httpx.get("], id="code"),
        pytest.param("a.js", b"fetch(u)", ["fetch("], id="JavaScript"),
        pytest.param("a.py", b"fetch(u)", [], id="no function of Python"),
        pytest.param("a.sh", b"curl http://a", ["curl"], id="shell script"),
        pytest.param("a", b"#!/usr/bin/env bash\nwget a", ["wget"], id="shell script by its first line"),
        pytest.param("a", b"#!/usr/bin/python\nrequests.get(u)", ["requests.get("], id="other script"),
        pytest.param("a.py", b"url = 'http://a'  # curl http://a", [], id="a URL alone"),
        pytest.param("a.py", b"requests.get('http://localhost/x')", [], id="13 loopback"),
        pytest.param("README.md", b"requests.get(u) curl http://a", [], id="prose"),
        pytest.param("a.json", b'{"fetch(": "https://a"}', [], id="data"),
        pytest.param("a.py", b"\xff\0requests.get(u)", ["requests.get("], id="bytes"),
        pytest.param("a.py", b"", [], id="empty"),
    ],
)
def test_a_file_that_was_written(path: str, data: bytes, patterns: list[str]) -> None:
    assert [reach.pattern for reach in in_file(path, data)] == patterns


@given(st.text(st.sampled_from("curl wget 'http://a' $(\n);|&\"`\\ -x ")))
def test_any_text_is_looked_at(text: str) -> None:
    for reach in in_command(text):
        assert reach.pattern
        assert not reach.stays_here


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("git submodule foreach " * 3000 + "curl x.y", id="git in git"),
        pytest.param("$A" * 3000 + " curl x.y", id="variables"),
        pytest.param("for a in b c; do " * 300 + "$a$a$a x.y" + "; done" * 300, id="loops"),
        pytest.param("A=$A$A; " * 500 + "$A x.y; curl x.y", id="values of values"),
    ],
)
def test_a_long_line_takes_no_long_time(text: str) -> None:
    started = time.process_time()
    reaches(text)
    assert time.process_time() - started < 2


_WORDS = """curl c url nc ncat git fetch clone remote update stash npm i ci install run pip apt apt-get uvx pacman -Syu
env -S -Scurl bash -c powershell -Command C:\\t\\ .exe @1 ' " $' $" ` $( ) ( { } ; | && \\ / . _ - $X 2>x >y -C /usr/bin/
http://a yarn bundle c=cu ${c}rl $c $@ A=curl $A $(which alias g=curl g x.y `"""
_BETWEEN = (
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\t",
    "\\\n",
    "echo ",
    "| sh",
    "xargs ",
    "find . -exec ",
    "eval ",
    "cat ",
    "> a.sh",
)
_PARTS = st.sampled_from([*_WORDS.split(), *_BETWEEN, "<<E\n", "\nE\n", "\u212a", "\xa0", "é"])


@given(st.lists(_PARTS, max_size=9).map("".join))
@example("env '-Scurl a'")
@example('cu$"rl" a')
@example('powershell -Command "C:\\t\\curl.exe a"')
@example("cur\\\nl a")
@example("'C:\\t\\'cu\\rl a")
@example("npm \\\n in\\stall")
@example("bash -c 'ls\\\\\ncurl a'")
@example("ls\ncurl a")
@example("curl")
@example("ls|pacman -Syu")
@example("NPM Install\nnpm\ti")
@example("git -C x fetch; git stash")
@example("git 2>x fetch")
@example("git remote 2>x update")
@example("npm run x; npm --prefix a ci")
@example("c=cu; ${c}rl a")
@example("x=1 env -i A=b timeout -k 5 5 cu$@rl a")
@example("c=cu; sudo -u me ${c}rl a")
@example("c=cu; npm exec ${c}rl a")
@example("c=cu; if ${c}rl a; then ls; fi")
@example("eval curl$c a")
@example("c=rl; sudo cu$c a")
@example("bundle.exe| sh")
@example("python -mpip install a")
@example("yarn\nls")
@example("yarn --frozen-lockfile")
@example("yarn.cmd")
@example("uv pip --quiet install x")
@example("/usr/bin/git.exe fetch")
def test_no_attempt_is_missed_by_the_quick_look(text: str) -> None:
    assert may_reach(text) or not reaches(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("git status --short && git log", id="git at home"),
        pytest.param("rg -n 'sync\\\\(|gith\\\\.' src", id="backslashes"),
        pytest.param("cd src/nc/gogh; cat fetcher.py | head", id="names in other words"),
        pytest.param("npm run lint && npm test", id="verbs at home"),
        pytest.param("git stash push -m wip; git remote -v; npm run install; go test ./...", id="verbs of verbs"),
        pytest.param("pip_install; x.curl; curl-config; my-git clone", id="parts of words"),
        pytest.param("install npm; fetch git", id="a verb before the program"),
        pytest.param('for f in *.py; do wc -l "$f"; done; x=$(date); timeout 5 ls $x; find . -name $x', id="variables"),
        pytest.param("yarn test; yarn run add; bundle exec rspec", id="verbs at home of those that install alone"),
    ],
)
def test_most_commands_need_no_more_than_a_quick_look(text: str) -> None:
    assert not may_reach(text)
