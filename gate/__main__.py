"""`python -m gate`: the same as the command `gate`."""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # the current folder, and what is judged there may hold an `argparse.py`

from gate.outset import program as main

if __name__ == "__main__":
    raise SystemExit(main())
