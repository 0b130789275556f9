"""The fake as a program of its own, for what is to stand in front of it: `python -m tests.hub PORT PUBLIC_URL`.

The token `ghs_write` may write everything, `ghs_read` nothing. It ends when its input does, and then prints what
GitHub's description has against the requests and answers.
"""

import sys

from tests.hub.fake import Hub, serve

with serve(Hub(), int(sys.argv[1]), sys.argv[2]) as hub:
    hub.token("ghs_write", "checks", "issues", "pull-requests")
    hub.token("ghs_read")
    hub.state.pull(7, "a" * 40)
    print("ready", flush=True)  # noqa: T201
    sys.stdin.read()
print(*hub.violations, sep="\n")  # noqa: T201
sys.exit(bool(hub.violations))
