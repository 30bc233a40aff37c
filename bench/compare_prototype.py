"""Compare with a C program on whole sets: ``python bench/compare_prototype.py --program PATH``.

The program is called as ``PATH FILE LIMIT REPEATS DEFER`` and prints "N puz/s", as that made from
../shared/prototype/lanes_prototype.c, which says how to build it, does. Without AVX-512, or without a
program, the levels of the lane engine are compared with dfs. All of them work in one thread.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import boards
import engines
import measuring
import tasks
from boards import BoardSet

from fastsudoku._engine import NAMES, unavailable

# What the prototype needs.
FLAGS = {"avx512bw", "avx512vl", "avx512_bitalg"}
PROGRAM = "program"

# The function of each, and the check of its result.
TASKS: dict[str, tuple[Callable[[Any], Any], Callable[[BoardSet, Any], None]]] = {
    "solve_many": (tasks.solve_many, tasks.check_batch),
    "count_many": (tasks.count_many, tasks.check_counts),
    "solve(str)": (tasks.solve_each, tasks.check_solutions),
}
# Sets that are also solved one board at a time.
ONE_BY_ONE = ("17_clue", "hardest_11plus")
# Boards of the sets that would take long.
FIRST = {"hardest_11plus": 5000}


def main() -> None:
    options = parse()
    print(measuring.machine())
    missing = sorted(FLAGS - set(measuring.cpu_info("flags").split()))
    program = None if missing else options.program
    names = options.implementation
    if program is None:
        names = [*(name for name in names if name != engines.COMPILED), engines.COMPILED]
        why = f"this processor lacks {', '.join(missing)}" if missing else "no --program was given"
        print(f"{why}: the ratios are to dfs")
    rows, single_rows = [], []
    for board_set in load(options):
        for task in ("solve_many", "count_many") if board_set.name == "several" else ("solve_many",):
            speeds = compare(board_set, task, names, program, options.rounds)
            rows.append(row(f"{board_set.name}, {task}", board_set, speeds))
        if board_set.name in ONE_BY_ONE:
            speeds = compare(board_set, "solve(str)", names[:1], program, options.rounds)
            single_rows.append(single_row(board_set, speeds))
    show("boards per second, one thread; medians of runs in turn", rows)
    show("one board at a time in Python: microseconds for each", single_rows)


def parse() -> argparse.Namespace:
    engines.need_compiled()
    parser = argparse.ArgumentParser(description="Compare with a C program on whole sets.")
    parser.add_argument("--program", type=Path, metavar="PATH", help="the compiled program")
    names = [name for name in NAMES if name != engines.PURE]
    text = "only this one, and what it is compared with; can be repeated"
    parser.add_argument("--implementation", action="append", choices=names, help=text)
    parser.add_argument("--set", action="append", choices=boards.WHOLE, help="only this set; can be repeated")
    parser.add_argument("--boards", type=int, metavar="N", help="only the first N boards of each set")
    sizes = ", ".join(f"the first {size:,} of {name}" for name, size in FIRST.items())
    parser.add_argument("--whole", action="store_true", help=f"all boards, not only {sizes}")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="runs of each (default 15)")
    options = parser.parse_args()
    if options.program and not options.program.is_file():
        parser.error(f"{options.program} is no file")
    for name in options.implementation or []:
        if name not in engines.available():
            parser.error(f"{name}: {unavailable()[name]}")
    asked = options.implementation or names
    options.implementation = [name for name in engines.available() if name in asked]
    options.set = options.set or boards.WHOLE
    return options


def load(options: argparse.Namespace) -> list[BoardSet]:
    """Return the sets that are here; print a line for each that is not."""
    found = []
    for name in options.set:
        most = options.boards or (None if options.whole else FIRST.get(name))
        try:
            found.append(boards.load_whole(name, most))
        except FileNotFoundError:
            print(f"{name}: left out, its file is not in ../shared/data")
    return found


def compare(
    board_set: BoardSet, task: str, names: list[str], program: Path | None, rounds: int
) -> dict[str, float]:
    """Measure implementations, and the program, in turn; return the boards per second of each, in this order.

    All answers have to be those of dfs, which are checked.
    """
    function, check = TASKS[task]
    argument = board_set.texts if task == "solve(str)" else board_set.array()
    with engines.using(engines.COMPILED):
        answer = function(argument)
    check(board_set, answer)
    right = list(answer)
    measures = {}
    for name in names:
        with engines.using(name):
            assert list(function(argument)) == right, f"{name} differs from dfs: {board_set.name}, {task}"
        measures[name] = engines.repeated(name, function, argument)
    with TemporaryDirectory() as folder:
        if program:
            file = Path(folder, "boards.txt")
            file.write_text("\n".join(board_set.texts) + "\n")
            seconds = max(measuring.SECONDS_PER_RUN, measures[names[0]]())
            measures[PROGRAM] = program_seconds(program.resolve(), file, len(board_set), seconds)
        runs = measuring.in_turn(measures, rounds)
    return {name: len(board_set) / median(seconds) for name, seconds in runs.items()}


def program_seconds(program: Path, file: Path, size: int, seconds: float) -> measuring.Measure:
    """Return a measure of the seconds that the program takes for a file, in runs about as long as given."""

    def reported(repeats: int) -> float:
        command = [str(program), str(file), "2", str(repeats), "8"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = re.search(r"([\d.]+) puz/s", output)
        if not found:
            raise SystemExit(f"the program printed no 'N puz/s': {output[:200]!r}")
        return size / float(found[1])

    repeats = 1
    for _ in range(2):  # the first run, which also warms up, tells little of a small file
        repeats = max(1, round(seconds / reported(repeats)))
    return lambda: reported(repeats)


def row(label: str, board_set: BoardSet, speeds: dict[str, float]) -> dict[str, str]:
    """Return the cells of a table by their headings: speeds, and ratios to the last one."""
    *_, reference = speeds
    cells = {"set, task": label, "boards": f"{len(board_set)}"}
    for name, speed in speeds.items():
        cells[name] = f"{speed:,.0f}"
        if name != reference:
            cells[f"{name} is"] = f"{digits(speed / speeds[reference])} times {reference}"
    return cells


def single_row(board_set: BoardSet, speeds: dict[str, float]) -> dict[str, str]:
    name, *_ = speeds
    cells = {"set": board_set.name, "boards": f"{len(board_set)}", "solve(str)": f"{1e6 / speeds[name]:.2f}"}
    if PROGRAM in speeds:
        cells[PROGRAM] = f"{1e6 / speeds[PROGRAM]:.2f}"
        cells["solve(str) takes"] = f"{digits(speeds[PROGRAM] / speeds[name])} times as long"
    return cells


def digits(ratio: float) -> str:
    """Write a ratio with three digits, whether it is 0.05 or 50."""
    return f"{ratio:#.3g}".rstrip(".")


def show(title: str, rows: list[dict[str, str]]) -> None:
    """Print a table, if it has rows."""
    if rows:
        print(f"\n{title}")
        measuring.print_table(list(rows[0]), [list(row.values()) for row in rows])


if __name__ == "__main__":
    main()
