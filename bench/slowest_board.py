"""Which board takes longest: ``python bench/slowest_board.py``.

The boards are those on which other solvers failed, ../shared/cases/boards.tsv, or tests/boards.tsv where that
is not there; `solve` and `count` with a limit of 2 are timed on each.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

import boards
import engines
import measuring

import fastsudoku

FUNCTIONS = {"solve": fastsudoku.solve, "count, limit 2": partial(fastsudoku.count, limit=2)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Find the board that takes longest.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each board (default 5)")
    rounds = parser.parse_args().rounds
    print(measuring.machine())
    shared = boards.SHARED / "cases" / "boards.tsv"
    file = shared if shared.exists() else boards.ROOT / "tests" / "boards.tsv"
    texts = read(file)
    print(f"{len(texts)} boards of {file.parent.name}/{file.name}; milliseconds, medians")
    header = ["engine, function", "slowest", "its board"]
    names = [engines.PURE] if engines.why_not_compiled() else [engines.COMPILED, engines.PURE]
    rows = []
    for name in names:
        for label, function in FUNCTIONS.items():
            with engines.using(name):
                times = {text: median(seconds(function, text) for _ in range(rounds)) for text in texts}
            slowest = max(times, key=times.__getitem__)
            rows.append([f"{name}, {label}", f"{1000 * times[slowest]:.3f}", slowest])
    measuring.print_table(header, rows)


def read(file: Path) -> list[str]:
    """Return the boards in the first column of a table; its heading and comments are none."""
    cells = (line.split("\t")[0] for line in file.read_text().splitlines())
    return [text for text in cells if len(text) == 81]


def seconds(function: Callable[[str], object], text: str) -> float:
    """Return how long a function takes for a board; fail if what it says is wrong."""
    start = perf_counter()
    answer = function(text)
    taken = perf_counter() - start
    right = fastsudoku.verify(text, answer) if isinstance(answer, str) else answer in (None, 0, 1, 2)
    assert right, f"{text}: {answer} is wrong"
    return taken


if __name__ == "__main__":
    main()
