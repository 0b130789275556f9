"""Called with the finished workspace as the only argument; exit code 0 says that the task is solved.

What is tested runs as a process of its own: it cannot end this one, or change what a comparison here means.
"""

import json
import subprocess
import sys

CALL = """\
import json, sys

sys.path.insert(0, sys.argv[1])
from stats import median

try:
    answer = median(json.loads(sys.argv[2]))
except ValueError:
    answer = "ValueError"
print(json.dumps(answer))
"""

for values, wanted in (([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([], "ValueError")):
    command = [sys.executable, "-c", CALL, sys.argv[1], json.dumps(values)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    answer = json.loads(printed or "null")
    assert answer == wanted, f"median({values}) is {answer}"
