"""`python -m gate`: the same as the command `gate`."""

from gate.cli import program as main

if __name__ == "__main__":
    raise SystemExit(main())
