"""Rollouts of Codex of any size, in the shape of real ones, for benchmarks; see `sessions`."""

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.sessions import HOME, World


class Rollout:
    """A rollout of Codex as it is written, line by line."""

    def __init__(self, world: World) -> None:
        self.world = world

    def parts(self) -> Iterator[list[dict[str, Any]]]:
        """Parts without end, each some lines that belong together: a call and its result."""
        session = {
            "id": self.world.id(),
            "timestamp": "2026-04-10T20:02:04.500Z",
            "cwd": HOME,
            "cli_version": "0.118.0",
        }
        words = {"originator": "codex-tui", "source": "cli", "base_instructions": {"text": self.world.text[:12_000]}}
        yield [self._line("session_meta", session | words | {"git": {"commit_hash": "8a0ac12c5aaf", "branch": "main"}})]
        kinds = ["exec", "told", "patch", "message", "tokens", "said", "reasoning", "turn"]
        shares = [250, 25, 22, 139, 159, 113, 149, 12]
        yield list(self._turn())
        while True:
            for kind in self.world.random.choices(kinds, shares, k=100):
                yield list(getattr(self, f"_{kind}")())

    def _line(self, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-04-10T20:11:51.047Z", "type": kind, "payload": payload}

    def _item(self, kind: str, **more: Any) -> dict[str, Any]:
        return self._line("response_item", {"type": kind, **more})

    def _event(self, kind: str, **more: Any) -> dict[str, Any]:
        return self._line("event_msg", {"type": kind, **more})

    def _exec(self, *, told: bool = False) -> Iterator[dict[str, Any]]:
        key, command, said = f"call_{self.world.id()}", self.world.command(), self.world.prose(3300)
        arguments = json.dumps({"cmd": command, "workdir": HOME, "yield_time_ms": 1000, "max_output_tokens": 12000})
        yield self._item("function_call", name="exec_command", arguments=arguments, call_id=key)
        if told:
            words = {"command": ["/bin/zsh", "-lc", command], "cwd": HOME, "stdout": "", "stderr": "", "exit_code": 0}
            ends = {"aggregated_output": said[:2500], "formatted_output": "", "status": "completed", "source": "agent"}
            yield self._event("exec_command_end", call_id=key, **words, **ends)
        head = "Chunk ID: 6f2d8a\nWall time: 0.0515 seconds\nProcess exited with code 0\nOutput:\n"
        yield self._item("function_call_output", call_id=key, output=head + said)

    def _told(self) -> Iterator[dict[str, Any]]:
        yield from self._exec(told=True)

    def _patch(self) -> Iterator[dict[str, Any]]:
        key = f"call_{self.world.id()}"
        name, before, at, old, new = self.world.edit()
        path, end = f"{HOME}/{name}", at + len(old)
        around = [f" {line}" for line in before[at - 3 : at]], [f" {line}" for line in before[end : end + 3]]
        body = [*around[0], *(f"-{line}" for line in old), *(f"+{line}" for line in new), *around[1]]
        patch = "\n".join(["*** Begin Patch", f"*** Update File: {path}", "@@", *body, "*** End Patch\n"])
        yield self._item("custom_tool_call", status="completed", call_id=key, name="apply_patch", input=patch)
        sizes = len(old) + 3 + len(around[1]), len(new) + 3 + len(around[1])
        diff = "\n".join([f"@@ -{at - 2},{sizes[0]} +{at - 2},{sizes[1]} @@", *body, ""])
        done = f"Success. Updated the following files:\nM {path}\n"
        changes = {path: {"type": "update", "unified_diff": diff, "move_path": None}}
        ends = {"stdout": done, "stderr": "", "success": True, "changes": changes, "status": "completed"}
        yield self._event("patch_apply_end", call_id=key, turn_id=self.world.id(), **ends)
        said = json.dumps({"output": done, "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
        yield self._item("custom_tool_call_output", call_id=key, output=said)

    def _message(self) -> Iterator[dict[str, Any]]:
        role = "assistant" if self.world.random.random() < 0.8 else "developer"
        size = 700 if role == "assistant" else 6000
        yield self._item("message", role=role, content=[{"type": "output_text", "text": self.world.prose(size)}])

    def _tokens(self) -> Iterator[dict[str, Any]]:
        last = {"input_tokens": self.world.random.randrange(9999), "output_tokens": 12, "total_tokens": 5000}
        info = {"total_token_usage": last, "last_token_usage": last, "model_context_window": 258400}
        limits = {"limit_id": "codex", "primary": {"used_percent": 7.0, "window_minutes": 300}, "plan_type": "team"}
        yield self._event("token_count", info=info, rate_limits=limits)

    def _said(self) -> Iterator[dict[str, Any]]:
        yield self._event("agent_message", message=self.world.prose(250), phase="commentary", memory_citation=None)

    def _reasoning(self) -> Iterator[dict[str, Any]]:
        yield self._item("reasoning", summary=[], content=None, encrypted_content=None)

    def _turn(self) -> Iterator[dict[str, Any]]:
        turn = self.world.id()
        yield self._event("task_started", turn_id=turn, model_context_window=258400)
        words = {"user_instructions": self.world.prose(1500), "model": "gpt-5.4", "effort": "high", "summary": "none"}
        yield self._line("turn_context", {"turn_id": turn, "cwd": HOME, "approval_policy": "on-request", **words})
        yield self._event("user_message", message="Please go on with the plan.", images=[], local_images=[])
