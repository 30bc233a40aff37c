"""How grids and puzzles are distributed: ``python bench/distribution.py``.

Grids are to be uniform. If they are, and a part of each is thrown away and one of its completions is chosen,
each with the same probability, then they are uniform still: no mean of anything may change.

The minimal puzzles of a grid are not uniform. How they would be distributed is estimated by sequential
importance sampling, as Knuth estimates the size of a tree ("Estimating the efficiency of backtrack programs",
1975): of all clues that can go, one is dropped at random, and so on until none can. A minimal puzzle with c
clues is met in (81 - c)! orders, all of which are possible, so that the product of the numbers of clues that
could go, divided by that, is in the mean the number of minimal puzzles. So what is estimated are shares of
all minimal puzzles of all grids, each with the same probability. (The quotient of two estimates has a bias,
which is less than its error.)
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from math import exp, lgamma, log, sqrt
from statistics import fmean, stdev

import measuring

import fastsudoku
from fastsudoku.philox import Stream

SEED = 5
# Random numbers that nothing in the package is made of.
OTHER = 200
# Puzzles that are looked at together: each asks up to 80 questions at a time.
AT_ONCE = 2000


# --- grids -----------------------------------------------------------------------------------------------


def rectangles(grid: str) -> int:
    """Count pairs of digits that could be exchanged in four cells: the smallest unavoidable sets."""
    found = 0
    for first, second in combinations(range(9), 2):
        is_band = first // 3 == second // 3
        for left, right in combinations(range(9), 2):
            if is_band != (left // 3 == right // 3):
                a, b = grid[9 * first + left], grid[9 * first + right]
                found += a == grid[9 * second + right] and b == grid[9 * second + left]
    return found


def cycles(grid: str) -> int:
    """Count the cycles in which the rows of a band can be exchanged, over all bands."""
    found = 0
    for band in range(3):
        for first, second in combinations(range(3 * band, 3 * band + 3), 2):
            below = dict(zip(grid[9 * first : 9 * first + 9], grid[9 * second : 9 * second + 9], strict=True))
            while below:
                _, following = below.popitem()
                while following in below:
                    following = below.pop(following)
                found += 1
    return found


def same_rows(grid: str) -> int:
    """Count the bands in which all boxes have the same sets of digits in their rows."""
    bands = [
        {frozenset(grid[start + 3 * part : start + 3 * part + 3]) for part in range(9)} for start in (0, 27, 54)
    ]
    return sum(len(sets) == 3 for sets in bands)


def resampled(grids: Sequence[str], blank: Sequence[int]) -> list[str]:
    """Return, for each grid, one of those that have the same digits outside of some cells."""
    found = []
    for row, grid in enumerate(grids):
        board = "".join("." if cell in blank else digit for cell, digit in enumerate(grid))
        completions = list(fastsudoku.solutions(board))
        found.append(completions[Stream(SEED, row, 0, OTHER).below(len(completions))])
    return found


def show_grids(number: int) -> None:
    grids = fastsudoku.random_grids(number, seed=SEED).strings()
    # (There are thousands of ways to complete four boxes.)
    few = grids[: number // 20]
    four_boxes = [cell for cell in range(81) if cell // 27 > 0 and cell % 9 > 2]
    changed = {
        "band anew": (grids, resampled(grids, range(27, 54))),
        "four boxes anew": (few, resampled(few, four_boxes)),
    }
    print(f"{number:,} random grids; and how means change if the middle band of each is chosen anew,")
    print(f"or, of {len(few):,} grids, the boxes 5, 6, 8 and 9\n")
    rows = []
    for name, count in (("rectangles", rectangles), ("cycles of rows", cycles), ("bands alike", same_rows)):
        values = [count(grid) for grid in grids]
        fields = [f"{fmean(values):.4f}", f"{stdev(values) / sqrt(number):.4f}"]
        for before, after in changed.values():
            differences = [count(new) - count(old) for new, old in zip(after, before, strict=True)]
            fields += [f"{fmean(differences):+.4f}", f"{stdev(differences) / sqrt(len(before)):.4f}"]
        rows.append((name, *fields))
    measuring.print_table(("mean of", "grids", "+-", *(f for name in changed for f in (name, "+-"))), rows)


# --- puzzles ---------------------------------------------------------------------------------------------


def sampled(number: int, start: int) -> list[tuple[int, float]]:
    """Return the clues of minimal puzzles, and the logarithm of how many others each stands for."""
    grids = [bytes(map(int, grid)) for grid in fastsudoku.random_grids(number, seed=SEED + 1, start=start)]
    puzzles = [bytearray(grid) for grid in grids]
    can_go = [list(range(81)) for _ in grids]
    weights = [0.0] * number
    streams = [Stream(SEED, start + row, 1, OTHER) for row in range(number)]
    open_rows = list(range(number))
    while open_rows:
        questions = bytearray()
        for row in open_rows:
            cells = can_go[row]
            weights[row] += log(len(cells))
            cell = cells.pop(streams[row].below(len(cells)))
            puzzles[row][cell] = 0
            for other in cells:
                board = bytearray(puzzles[row])
                board[other] = 0
                questions += board
        counts = iter(fastsudoku.count_many(bytes(questions)))
        for row in open_rows:
            can_go[row] = [cell for cell in can_go[row] if next(counts) == 1]
        open_rows = [row for row in open_rows if can_go[row]]
    found = []
    for puzzle, weight in zip(puzzles, weights, strict=True):
        clues = 81 - puzzle.count(0)
        found.append((clues, weight - lgamma(82 - clues)))
    return found


def show_puzzles(number: int) -> None:
    samples = []
    for start in range(0, number, AT_ONCE):
        samples += sampled(min(AT_ONCE, number - start), start)
    most = max(weight for _, weight in samples)
    weights: dict[int, list[float]] = {}
    for clues, weight in samples:
        weights.setdefault(clues, []).append(exp(weight - most))
    total = sum(map(sum, weights.values()))
    squares = sum(weight * weight for found in weights.values() for weight in found)
    made = fastsudoku.generate(20 * number, seed=SEED)
    counts = {clues: bytes(made.clues).count(clues) for clues in range(17, 40)}
    print(
        f"\nminimal puzzles by clues: {len(made):,} made; uniform ones, estimated by {number:,} weighted ones"
    )
    print(f"(which are worth {total * total / squares:,.0f} that are not)\n")
    rows = []
    for clues, count in counts.items():
        uniform = sum(weights.get(clues, [])) / total
        if count or uniform:
            # Of a ratio of sums of weights, to the first order.
            inside = sum(weight * weight for weight in weights.get(clues, []))
            error = sqrt((1 - uniform) ** 2 * inside + uniform**2 * (squares - inside)) / total
            rows.append((str(clues), f"{count / len(made):.5f}", f"{uniform:.5f}", f"{error:.5f}"))
    measuring.print_table(("clues", "made", "uniform", "+-"), rows)
    mean = sum(clues * count for clues, count in counts.items()) / len(made)
    uniform_mean = sum(clues * sum(found) for clues, found in weights.items()) / total
    print(f"\nmean: {mean:.3f} made, {uniform_mean:.3f} uniform")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how grids and puzzles are distributed.")
    parser.add_argument("--grids", type=int, default=20_000, metavar="N", help="grids to look at")
    parser.add_argument("--puzzles", type=int, default=2_000, metavar="N", help="puzzles to look at")
    options = parser.parse_args()
    print(f"{measuring.machine()}\n")
    show_grids(options.grids)
    show_puzzles(options.puzzles)


if __name__ == "__main__":
    main()
