"""Called with the finished workspace as the only argument; exit code 0 says that the task is solved."""

import sys

sys.path.insert(0, sys.argv[1])
from stats import median

assert median([3, 1, 2]) == 2
assert median([4, 1, 3, 2]) == 2.5
try:
    median([])
except ValueError:
    pass
else:
    raise SystemExit("an empty list has a median")
