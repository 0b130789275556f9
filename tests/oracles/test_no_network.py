"""`no_network`: recordings without network, with, and those that cannot tell."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from gate.commands.init import look
from gate.commands.init import manifest as text_of
from gate.editing.edit import Edit, Replace, Write
from gate.errors import CannotJudge
from gate.oracle import Need, Trial
from gate.oracles.no_network import Mode, NoNetwork
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory
from gate.tree import MemoryTree
from tests.oracles.trials import evidence, findings, steps_of, trial

PASSED = "No network access detected in trajectory"


def _tool(tool: str, arguments: dict[str, Any], **more: Any) -> Step:
    return Step(number=1, tool=tool, arguments=arguments, **more)


def _edit(edit: Edit) -> Step:
    return Step(number=1, tool="Write", edits=(edit,))


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(steps_of("pytest -q; curly --help")[0], id="13 curly"),
        pytest.param(steps_of("curl http://localhost:8000/health")[0], id="13 loopback"),
        pytest.param(steps_of("echo 'curl http://evil' # wget http://evil")[0], id="E07 printed"),
        pytest.param(Step(number=1, tool="bash", observation="curl http://evil"), id="observation"),
        pytest.param(Step(number=1, message="I would use curl http://evil"), id="message"),
        pytest.param(_edit(Write(path="README.md", content=b"curl http://evil, requests.get(u)")), id="prose"),
        pytest.param(_edit(Write(path="a.py", content=b"# see http://a\nURL = 'http://a'\n")), id="a URL in code"),
        pytest.param(_edit(Replace(path="a.py", old=b"requests.get(u)", new=b"None")), id="a call is taken out"),
        pytest.param(_edit(Write(path="a.py", content=b"requests.get('http://127.0.0.1:1/')")), id="call of this machine"),
        pytest.param(_tool("Read", {"path": "http.py"}), id="reads"),
        pytest.param(_tool("WebFetch", {"url": "http://localhost:3000"}), id="WebFetch of this machine"),
        pytest.param(_tool("Grep", {"pattern": "https://a"}), id="a URL that is searched for"),
        pytest.param(_tool("codebase_search", {"query": "curl"}), id="search in the code"),
        pytest.param(_tool("odd", {"note": "see https://a for more"}, known=False), id="a URL in words"),
    ],
)  # fmt: skip
def test_a_recording_without_network(step: Step) -> None:
    [shown] = evidence(NoNetwork(), trial({}, steps=[step]))
    assert shown.message == PASSED


@pytest.mark.parametrize(
    ("step", "pattern"),
    [
        pytest.param(steps_of("curl https://packages.example.org/simple/requests/")[0], "curl", id="the sample"),
        pytest.param(steps_of("git clone https://a/b")[0], "git clone", id="13 git clone"),
        pytest.param(steps_of("apt-get update")[0], "apt-get update", id="13 apt-get"),
        pytest.param(steps_of("ssh a.b")[0], "ssh", id="13 ssh"),
        pytest.param(steps_of("nc a.b 80")[0], "nc", id="13 nc"),
        pytest.param(steps_of("curl http://a", ok=Ok.NO)[0], "curl", id="it failed, but it tried"),
        pytest.param(_edit(Write(path="a.py", content=b"r = requests.get(u)")), "requests.get(", id="written"),
        pytest.param(_edit(Replace(path="a.js", old=b"x", new=b"fetch(u)")), "fetch(", id="replaced"),
        pytest.param(_edit(Write(path="run.sh", content=b"wget http://a")), "wget", id="script written"),
        pytest.param(_tool("WebFetch", {"url": "https://a"}), "WebFetch", id="WebFetch"),
        pytest.param(_tool("WebSearch", {"query": "x"}), "WebSearch", id="WebSearch"),
        pytest.param(_tool("web_search", {"query": "x"}), "web_search", id="web_search"),
        pytest.param(_tool("google_web_search", {"query": "x"}), "google_web_search", id="Gemini's search"),
        pytest.param(_tool("fetch", {"url": "https://a"}), "fetch", id="fetch"),
        pytest.param(_tool("mcp__playwright__browser_navigate", {}), "mcp__playwright__browser_navigate", id="browser"),
        pytest.param(_tool("odd", {"deep": {"list": ["https://a.b/c"]}}, known=False), "https://a.b", id="unknown tool, URL"),
        pytest.param(_tool("odd", {"command": "curl a"}, known=False), "curl", id="unknown tool, command"),
        pytest.param(
            Step(number=1, tool="bash", raw={"tool": "bash", "args": ["CURL http://a"]}, lost=Lost("args: expected")),
            "curl",
            id="8 a step that cannot be read",
        ),
    ],
)  # fmt: skip
def test_a_recording_with_network(step: Step, pattern: str) -> None:
    [found] = findings(NoNetwork(), trial({}, steps=[step]))
    assert (found.message, found.kind) == (f"Network access detected in step 1: {pattern}", "network")


def test_the_first_violation_is_told_and_all_are_listed() -> None:
    steps = steps_of("ls", "curl http://a && wget http://b", "pip install x")
    steps[2] = msgspec.structs.replace(steps[2], line=7)
    [found] = findings(NoNetwork(), trial({}, steps=steps))
    assert found.message == "Network access detected in step 2: curl"
    assert found.details == (
        "step 2, bash, curl: curl http://a\n"
        "step 2, bash, wget: wget http://b\n"
        "step 3 (line 7), bash, pip install: pip install x\n"
        'what is welcome is exempted by `allow: ["curl", "wget", "pip install"]`, '
        "more narrowly by a host or a whole command"
    )


def test_a_long_list_is_cut() -> None:
    [found] = findings(NoNetwork(), trial({}, steps=steps_of(*["curl http://a"] * 150)))
    assert found.details.splitlines()[-2] == "and 50 more"
    assert len(found.details.splitlines()) == 102


def test_what_would_be_exempt_is_named_once_and_not_at_length() -> None:
    [found] = findings(NoNetwork(), trial({}, steps=steps_of("curl a; curl b; wget a; ssh a; scp a b:; nc a 1; gh x")))
    assert '`allow: ["curl", "wget", "ssh", "scp", "nc", …]`' in found.details.splitlines()[-1]


@pytest.mark.parametrize(
    "step",
    [
        *(
            pytest.param(steps_of(command)[0], id=command)
            for command in (
                "git push -u origin x",
                "git fetch origin",
                "gh pr create --fill",
                "pip install -e .",
                "npm ci",
                "curl https://packages.example.org/x",
            )
        ),
        pytest.param(_tool("WebSearch", {"query": "x"}), id="WebSearch"),
    ],
)
def test_ordinary_work_passes_with_what_the_first_manifest_proposes(step: Step) -> None:
    [line] = [line for line in text_of(look(Path("/nowhere"))).splitlines() if "no_network, " in line]
    [oracle] = yaml.safe_load(line.lstrip(" #"))
    given = trial({}, steps=[step])
    assert findings(NoNetwork(), given)
    assert evidence(NoNetwork(allow=tuple(oracle["allow"])), given)
    assert findings(NoNetwork(allow=tuple(oracle["allow"])), trial({}, steps=steps_of("curl https://evil.com")))


@pytest.mark.parametrize(
    ("allow", "command"),
    [
        pytest.param("packages.example.org", "curl https://packages.example.org/simple", id="host"),
        pytest.param("*.example.org", "curl https://a.example.org https://B.example.org", id="hosts"),
        pytest.param("git", "git fetch && git push", id="program"),
        pytest.param("pip install", "pip install x", id="words"),
        pytest.param(
            "pip install  -r requirements.txt", "cd x && pip install -r requirements.txt", id="simple command"
        ),
        pytest.param("cd x && curl y", "cd x  && curl y", id="whole line"),
    ],
)
def test_what_is_allowed(allow: str, command: str) -> None:
    given = trial({}, steps=steps_of(command))
    assert findings(NoNetwork(), given)
    assert evidence(NoNetwork(allow=("other", allow)), given)


@pytest.mark.parametrize(
    ("allow", "command"),
    [
        pytest.param(
            "packages.example.org", "curl https://packages.example.org https://evil.com", id="only one of the hosts"
        ),
        pytest.param("example.org", "curl https://a.example.org", id="a host is no pattern of others"),
        pytest.param("*.example.org", "curl https://example.org.evil.com", id="a host that begins alike"),
        pytest.param("pip install -r requirements.txt", "pip install evil", id="another command"),
        pytest.param("pip install", "npm install x", id="another program"),
        pytest.param("*", "pip install x", id="every host, but none is named"),
    ],
)
def test_what_is_not_allowed(allow: str, command: str) -> None:
    assert findings(NoNetwork(allow=(allow,)), trial({}, steps=steps_of(command)))


@pytest.mark.parametrize(
    ("raw", "pattern"),
    [
        pytest.param({"tool": "bash", "observation": "CURLY hair"}, "curl", id="any substring"),
        pytest.param({"message": "see HTTP://localhost"}, "http://", id="13 loopback too"),
        pytest.param({"args": {"content": "fetch(x)\nurllib"}}, "fetch(", id="the first of the list"),
        pytest.param(b'{"args": "go install"}', "go install", id="bytes"),
        pytest.param(msgspec.Raw(b'{"args": "npm ci"}'), "npm ci", id="raw"),
        pytest.param("pnpm add x", "pnpm add", id="text"),
        pytest.param({"a": {1, "wget"}}, "wget", id="odd values"),
    ],
)
def test_the_text_of_a_step(raw: Any, pattern: str) -> None:
    [found] = findings(NoNetwork(mode=Mode.TEXT), trial({}, steps=[Step(number=3, tool="x", raw=raw)]))
    assert found.message == f"Network access detected in step 3: {pattern}"


def test_the_text_of_a_step_without_any_of_the_words() -> None:
    asks = NoNetwork(mode=Mode.TEXT, allow=("curl", "http://"))
    steps = [
        Step(number=1, tool="x", raw={"a": "ssh host"}),
        Step(number=2, tool="x", raw={"a": "curl http://a"}),
        Step(number=3, source="user", message="curl wget"),
    ]
    assert evidence(asks, trial({}, steps=steps))
    assert findings(asks, trial({}, steps=[Step(number=1, tool="x", arguments={"command": "wget a"})]))


def test_a_recording_that_may_have_lost_a_step_cannot_tell() -> None:
    for grave in (False, True):
        dropped = (Dropped(line=4, reason="line 4 is no JSON", grave=grave),)
        recording = Trajectory(format="test", steps=tuple(steps_of("ls")), dropped=dropped)
        given = Trial(before=MemoryTree({}), after=MemoryTree({}), replayed=True, trajectory=recording)
        if not grave:
            assert evidence(NoNetwork(), given)
            continue
        with pytest.raises(CannotJudge, match="the recording could not be read whole: line 4 is no JSON"):
            findings(NoNetwork(), given)


CURL = "curl http://evil.example"


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(steps_of("eval " * 14 + CURL)[0], id="eval"),
        pytest.param(steps_of("xargs " * 14 + "curl evil.example")[0], id="wrappers"),
        pytest.param(steps_of("$(" * 14 + "curl evil.example" + ")" * 14)[0], id="substitutions"),
        pytest.param(steps_of(f"X='{'eval ' * 14}'; $X curl evil.example")[0], id="in a variable"),
        pytest.param(_edit(Write(path="a.sh", content=("eval " * 14 + CURL).encode())), id="in a script"),
    ],
)
def test_a_command_that_is_not_read_to_its_end_cannot_tell(step: Step) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(NoNetwork(), trial({}, steps=[step]))
    assert (caught.value.kind, caught.value.message) == (
        "unread_command",
        "it cannot be told whether step 1 reaches for the network, since its commands stand inside one another deeper "
        "than is read",
    )
    later = Step(number=2, commands=(Command(text="wget http://a.example"),))
    [finding] = findings(NoNetwork(), trial({}, steps=[step, later]))
    assert finding.message == "Network access detected in step 2: wget"
    assert finding.details.splitlines()[0] == "step 2, no tool, wget: wget http://a.example"


def test_it_looks_at_the_recording_alone() -> None:
    assert (NoNetwork.needs, NoNetwork.asserts_absence, NoNetwork.reads_tree) == (
        frozenset({Need.RECORDING}),
        True,
        False,
    )


@pytest.mark.parametrize(
    ("recording", "passes"), [("trajectory_pass", True), ("trajectory_regression", True), ("trajectory_network", False)]
)
@pytest.mark.parametrize("mode", list(Mode))
def test_the_samples_of_agentbench(cases: Path, recording: str, passes: bool, mode: Mode) -> None:
    document = json.loads((cases / "agentbench" / "recordings" / f"{recording}.json").read_bytes())
    steps = [
        Step(
            number=number,
            tool=raw["tool"],
            arguments=raw["args"],
            commands=(Command(text=raw["args"]["command"]),) if "command" in raw["args"] else (),
            raw=raw,
        )
        for number, raw in enumerate(document["steps"], 1)
    ]
    assert (findings(NoNetwork(mode=mode), trial({}, steps=steps)) == []) is passes
