"""How fast grids and puzzles are made and rated, against ``solve_many`` on minimal puzzles in the same run.

Run ``python bench/generation.py``. A ratio of 0.01 says that a puzzle is made in the time in which
``solve_many`` solves a hundred; so it means the same on any machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import perf_counter

import boards
import engines
import measuring

import fastsudoku

SEED = 1
# Puzzles of the set that all is compared with.
REFERENCE = 50_000


def generate(n: int, **arguments: object) -> Callable[[], int]:
    """Return work that makes puzzles in one thread, checks that they are as asked for, and returns how many."""

    def work() -> int:
        made = fastsudoku.generate(n, seed=SEED, threads=1, **arguments)  # type: ignore[arg-type]
        assert not made.errors
        return n

    return work


def grids(n: int) -> Callable[[], int]:
    return lambda: len(fastsudoku.random_grids(n, seed=SEED, threads=1))


def solve(values: bytes) -> Callable[[], int]:
    return lambda: len(fastsudoku.solve_many(values, threads=1))


def rate(values: bytes) -> Callable[[], int]:
    return lambda: len(fastsudoku.rate_many(values, threads=1))


def minimize(n: int) -> Callable[[], int]:
    whole = fastsudoku.random_grids(n, seed=SEED)
    return lambda: len(fastsudoku.minimize_many(whole, seed=SEED, threads=1))


def reference(number: int) -> bytes:
    """Return so many random minimal puzzles: those of minimal_random, again and again, or made ones."""
    try:
        values = boards.load_whole("minimal_random").values()
    except FileNotFoundError:
        return bytes(fastsudoku.generate(number, seed=SEED + 1).puzzles.cells)
    return (values * (81 * number // len(values) + 1))[: 81 * number]


def tasks(scale: float) -> dict[str, Callable[[], int]]:
    """Return what is measured; the first one is what all is compared with."""

    def some(n: int) -> int:
        return max(int(n * scale), 10)

    minimal = reference(some(REFERENCE))
    pattern = fastsudoku.generate(1, clues=26, symmetry="rot180", seed=SEED)[0].puzzle
    found = {
        "solve_many, minimal": solve(minimal),
        "random grids": grids(some(200_000)),
        "minimal": generate(some(20_000)),
        "30 clues": generate(some(50_000), clues=30),
        "24 clues": generate(some(10_000), clues=24),
        "24 to 28 clues": generate(some(20_000), clues=(24, 28)),
        "minimal, rot180": generate(some(20_000), symmetry="rot180"),
        "a pattern of 26 clues": generate(some(2_000), pattern=pattern),
        "minimize_many, grids": minimize(some(20_000)),
        "rate_many, minimal": rate(minimal),
    }
    try:
        hardest = boards.load_whole("hardest_11plus", some(5_000)).values()
    except FileNotFoundError:
        return found
    found["solve_many, hardest_11plus"] = solve(hardest)
    found["rate_many, hardest_11plus"] = rate(hardest)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how fast grids and puzzles are made.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each, in turn (default 5)")
    parser.add_argument("--scale", type=float, default=1, metavar="X", help="X times as many puzzles")
    parser.add_argument("--implementation", default=engines.fastest(), metavar="NAME", help="which to measure")
    options = parser.parse_args()
    with engines.using(options.implementation):
        work = tasks(options.scale)
        numbers = {name: task() for name, task in work.items()}

        def rate_of(name: str) -> measuring.Measure:
            def measure() -> float:
                start = perf_counter()
                work[name]()
                return numbers[name] / (perf_counter() - start)

            return measure

        rates = measuring.in_turn({name: rate_of(name) for name in work}, options.rounds)
    print(measuring.machine())
    print(f"{options.implementation}, one thread; medians of runs in turn\n")
    reference = median(next(iter(rates.values())))
    rows = [
        (name, f"{numbers[name]:,}", f"{median(found):,.0f}", f"{median(found) / reference:.4f}")
        for name, found in rates.items()
    ]
    measuring.print_table(("task", "number", "a second", "of solve_many"), rows)


if __name__ == "__main__":
    main()
