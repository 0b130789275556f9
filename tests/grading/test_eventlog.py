"""A transcript as vally's graders read it."""

from gate.grading.eventlog import trajectory_document
from gate.trajectory import Ok, SystemEvent
from gate.transcript import Answer, Call, Prompt, Transcript

SEEN = Transcript(
    prompts=(Prompt(turn=1, text="Fix it.", time="2026-01-01T00:00:00Z"),),
    answers=(
        Answer(
            number=1,
            turn=1,
            texts=("I look.",),
            times=("2026-01-01T00:00:05Z",),
            tokens_in=10,
            tokens_out=2,
            calls=(
                Call(
                    number=1,
                    step=1,
                    turn=1,
                    tool="bash",
                    arguments={"command": "ls"},
                    result="a",
                    ok=Ok.YES,
                    answered=True,
                ),
                Call(number=2, step=1, turn=1, tool="read", answered=True),
                Call(number=3, step=1, turn=1, tool="edit"),
            ),
        ),
    ),
    events=(SystemEvent(kind="error", turn=1, text="overloaded"),),
)


def test_every_part_of_it() -> None:
    document = trajectory_document(SEEN, workspace="/w", diff="")
    assert [(event["type"], event["data"]) for event in document.pop("events")] == [
        ("turn_start", {"turnId": "turn-1"}),
        ("user_message", {"content": "Fix it."}),
        ("assistant_message", {"content": "I look.", "turnId": "turn-1"}),
        ("token_usage", {"inputTokens": 10, "outputTokens": 2}),
        ("tool_call", {"toolName": "bash", "toolCallId": "call_1", "arguments": {"command": "ls"}, "turnId": "turn-1"}),
        ("tool_result", {"toolName": "bash", "toolCallId": "call_1", "success": True, "result": "a"}),
        ("tool_call", {"toolName": "read", "toolCallId": "call_2", "arguments": {}, "turnId": "turn-1"}),
        ("tool_result", {"toolName": "read", "toolCallId": "call_2", "result": ""}),
        ("tool_call", {"toolName": "edit", "toolCallId": "call_3", "arguments": {}, "turnId": "turn-1"}),
        ("turn_end", {"turnId": "turn-1"}),
        ("error", {"subtype": "error", "message": "overloaded"}),
    ]
    assert document == {
        "id": "",
        "metrics": {
            "wallTimeMs": 5000,
            "turnCount": 1,
            "toolCallCount": 3,
            "errorCount": 1,
            "tokenUsage": {"inputTokens": 10, "outputTokens": 2, "totalTokens": 12},
        },
        "output": "I look.",
        "workDir": "/w",
        "workspaceStatus": "local",
        "diff": "",
    }


def test_nothing_recorded_is_an_empty_one() -> None:
    document = trajectory_document(Transcript())
    assert (document["events"], document["output"]) == ([], "")
    assert document["metrics"] == {
        "wallTimeMs": 0,
        "turnCount": 0,
        "toolCallCount": 0,
        "errorCount": 0,
        "tokenUsage": {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
    }
