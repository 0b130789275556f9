"""Called with the finished workspace as the only argument; exit code 0 says that the task is solved."""

import sys

sys.path.insert(0, sys.argv[1])
from text import slug

for title, wanted in {"Hello, world!": "hello-world", " -a  b- ": "a-b", "": ""}.items():
    assert slug(title) == wanted, f"slug({title!r}) is {slug(title)!r}"
