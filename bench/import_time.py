"""What importing fastsudoku costs: ``python bench/import_time.py``."""

from __future__ import annotations

import argparse
import subprocess
import sys
from statistics import median
from time import perf_counter

import measuring


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how long importing fastsudoku takes.")
    parser.add_argument("--rounds", type=int, default=31, metavar="N", help="runs of each (default 31)")
    rounds = parser.parse_args().rounds
    print(measuring.machine())

    programs = {"pass": lambda: seconds("pass"), "import fastsudoku": lambda: seconds("import fastsudoku")}
    # The first runs fill the caches.
    measuring.in_turn(programs, 2)
    runs = measuring.in_turn(programs, rounds)
    for program, results in runs.items():
        print(f"python -c '{program}': {1000 * median(results):.1f} ms")
    differences = [b - a for a, b in zip(*runs.values(), strict=True)]
    print(f"the import: {1000 * median(differences):.1f} ms (median of the differences by round)")
    print(output("import fastsudoku; print('implementation:', fastsudoku.implementation())"))
    print(output("import fastsudoku, sys; print('NumPy imported:', 'numpy' in sys.modules)"))


def seconds(program: str) -> float:
    """Return how long a fresh Python takes to run a program."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return perf_counter() - start


def output(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
