"""Runs the command line for ``python -m fastsudoku``."""

import sys

from fastsudoku.cli import main

if __name__ == "__main__":
    sys.exit(main())
