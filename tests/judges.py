"""Commands that stand for a model in tests: small programs that answer what they are told to."""

import json
import sys
from typing import Any

from gate.consultant import Consultant

_PROGRAM = """
import json, os, sys
request = json.load(sys.stdin)
told = json.loads(sys.argv[1])
scores = told.get(request["model"] or "", told.get("", 0))
if not isinstance(scores, dict):
    scores = {one["name"]: scores for one in request["criteria"]}
print(json.dumps({"scores": {name: {"score": score, "reason": "so"} for name, score in scores.items()}}))
"""


def says(code: str, *words: str, **more: Any) -> Consultant:
    """A judge command that runs this program of Python."""
    return Consultant(command=(sys.executable, "-c", code, *words), **more)


def scoring(told: Any = None, **more: Any) -> Consultant:
    """A judge command that gives this score: by model, "" for any, and by criterion where that is a mapping."""
    return says(_PROGRAM, json.dumps(told if isinstance(told, dict) else {"": told}), **more)
