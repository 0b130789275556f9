"""Called with the finished workspace as the only argument; exit code 0 says that the task is solved.

What is tested runs as a process of its own: it cannot end this one, or change what a comparison here means.
"""

import json
import subprocess
import sys

CALL = """\
import json, sys

sys.path.insert(0, sys.argv[1])
from text import slug

print(json.dumps(slug(sys.argv[2])))
"""

for title, wanted in {"Hello, world!": "hello-world", " -a  b- ": "a-b", "": ""}.items():
    command = [sys.executable, "-c", CALL, sys.argv[1], title]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    answer = json.loads(printed or "null")
    assert answer == wanted, f"slug({title!r}) is {answer!r}"
