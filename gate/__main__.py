"""`python -m gate`: the same as the command `gate`."""

from gate.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
