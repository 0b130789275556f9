"""Recorded formats: one file each, found by lying here, recognised by content."""

KEYS: dict[str, tuple[str, ...]] = {
    "agentbench": ("steps",),
    "agentbench_log": ("tool", "name", "tool_name", "function", "tool_call"),
    "aider": (),  # a text that is no JSON
    "atif": ("schema_version", "step_id"),
    "claude_code": ("sessionId", "session_id", "leafUuid"),
    "cline": ("role", "ts", "sessionId"),
    "codex_exec_json": ("type",),
    "codex_rollout": ("payload", "instructions"),
    "copilot_cli": ("parentId",),
    "cursor_stream": ("subtype",),
    "cursor_transcript": ("role",),
    "factory_droid": ("message", "id", "toolName"),
    "gemini_cli": ("projectHash", "content"),
    "goose": ("working_dir", "message", "role"),
    "kiro": ("history",),
    "mini_swe_agent": ("messages", "content"),
    "opencode": ("sessionID", "info"),
    "openhands": ("action", "observation", "history", "trajectory"),
    "openhands_sdk": ("kind", "items", "events"),
    "otel_genai": (
        *("attributes", "trace", "data", "batches", "resourceSpans", "resource_spans", "scopeSpans", "scope_spans"),
        "spans",
    ),
    "pi": ("cwd", "message"),
    "roo": ("role",),
    "swe_agent": ("attempts", "trajectory", "history"),
}
"""Of a format, keys of which every recording has one, where `Sample.keys` looks.

It spares a run the import of two dozen readers to ask one. It need not name a reader: one that is not here is always
asked, and so are all where none of the others knows a recording.
"""

WORDS = {"acp": "jsonrpc"}
"""Of a format, a word that stands in the beginning of every recording, whatever keys lead to it."""
