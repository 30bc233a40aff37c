"""What reading a board and writing its solution costs per call: ``python bench/conversions.py``.

That is solve(board) less the engine's own solve(cells). The boards are full grids: their search is as short
as can be, so that the difference is not lost in the noise of it.
"""

from __future__ import annotations

import argparse
from statistics import median

import engines
import measuring
import tasks
from boards import BoardSet

import fastsudoku
from fastsudoku._engine import load

NAMES = {engines.COMPILED: "compiled", engines.PURE: "pure"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what converting boards costs per call.")
    parser.add_argument("--rounds", type=int, default=101, metavar="N", help="runs of each (default 101)")
    rounds = parser.parse_args().rounds
    print(measuring.machine())
    print("microseconds per call; medians of runs in turn, differences by round\n")
    grids = BoardSet("grids", fastsudoku.random_grids(50, seed=1).strings())
    rows = []
    for engine, name in NAMES.items():
        if engine == engines.COMPILED and engines.why_not_compiled():
            print(f"compiled: skipped, {engines.why_not_compiled()}")
            continue
        rows += costs(engine, name, grids, rounds)
    measuring.print_table(["engine, board", "solve(board)", "engine alone", "conversion"], rows)


def costs(engine: str, name: str, grids: BoardSet, rounds: int) -> list[list[str]]:
    """Measure one engine; return a row of the table for each kind of board."""
    cells = [bytes(map(int, grid)) for grid in grids.texts]
    alone = load(engine).solve
    with engines.using(engine):
        tasks.check_solutions(grids, tasks.solve_each(grids.texts))
        tasks.check_solutions(grids, tasks.solve_each(grids.rows()))
    measures = {
        "alone": engines.repeated(engine, tasks.each, alone, cells),
        "str": engines.repeated(engine, tasks.solve_each, grids.texts),
        "list of lists": engines.repeated(engine, tasks.solve_each, grids.rows()),
    }
    runs = measuring.in_turn(measures, rounds)
    rows = []
    for kind in ("str", "list of lists"):
        differences = [b - a for a, b in zip(runs["alone"], runs[kind], strict=True)]
        seconds = [median(runs[kind]), median(runs["alone"]), median(differences)]
        rows.append([f"{name}, {kind}", *(f"{1e6 * figure / len(grids):.2f}" for figure in seconds)])
    return rows


if __name__ == "__main__":
    main()
