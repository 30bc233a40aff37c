"""Compare solve_many, in one thread, with a C program: ``python bench/compare_prototype.py --program PATH``.

The program is called as ``PATH FILE LIMIT REPEATS DEFER`` and prints "N puz/s", as that made from
../shared/prototype/lanes_prototype.c, which says how to build it, does. Without AVX-512, or without a
program, the compiled engine is compared with the pure one.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from math import ceil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import boards
import engines
import measuring
import tasks
from boards import BoardSet

# What the prototype needs.
FLAGS = {"avx512bw", "avx512vl", "avx512_bitalg"}
# How many times as fast as the pure engine the compiled one is meant to be where there is no AVX-512.
TARGET = 40


def main() -> None:
    options = parse()
    engines.need_compiled()
    print(measuring.machine())
    missing = sorted(FLAGS - set(measuring.cpu_info("flags").split()))
    program = None if missing else options.program
    if program is None:
        why = f"this processor lacks {', '.join(missing)}" if missing else "no --program was given"
        print(f"{why}: dfs is compared with pure, target {TARGET} times")
    header = ["boards per second", "boards", "solve_many", "the program" if program else "pure", "ratio"]
    rows = [compare(boards.load(name), program, options.rounds) for name in options.set]
    measuring.print_table(header, rows)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare solve_many with a C program.")
    parser.add_argument("--program", type=Path, metavar="PATH", help="the compiled program")
    parser.add_argument("--set", action="append", choices=boards.names(), help="only this set; can be repeated")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="runs of each (default 15)")
    options = parser.parse_args()
    options.set = options.set or boards.names()
    return options


def compare(board_set: BoardSet, program: Path | None, rounds: int) -> list[str]:
    """Measure the compiled engine and the program, or the pure engine, in turn; return a row of the table."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "boards.txt")
        file.write_text("\n".join(board_set.texts) + "\n")
        dfs = engine_speed(engines.COMPILED, board_set)
        other = program_speed(program.resolve(), file) if program else engine_speed(engines.PURE, board_set)
        runs = measuring.in_turn({"dfs": dfs, "other": other}, rounds)
    speed, other_speed = median(runs["dfs"]), median(runs["other"])
    ratio = f"dfs is {speed / other_speed:.3g} times {'the program' if program else 'pure'}"
    return [board_set.name, str(len(board_set)), f"{speed:,.0f}", f"{other_speed:,.0f}", ratio]


def engine_speed(engine: str, board_set: BoardSet) -> measuring.Measure:
    """Return a measure of the boards that an engine solves in a second; fail if its answers are wrong."""
    with engines.using(engine):
        tasks.check_batch(board_set, tasks.solve_many(board_set.array()))
    seconds = engines.repeated(engine, tasks.solve_many, board_set.array())
    return lambda: len(board_set) / seconds()


def program_speed(program: Path, file: Path) -> measuring.Measure:
    """Return a measure of the boards a second that the program reports."""

    def reported(repeats: int) -> float:
        command = [str(program), str(file), "2", str(repeats), "8"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = re.search(r"([\d.]+) puz/s", output)
        if not found:
            raise SystemExit(f"the program printed no 'N puz/s': {output[:200]!r}")
        return float(found[1])

    # It is quick: it solves the file over and over, until a run takes long enough.
    lines = len(file.read_text().splitlines())
    repeats = ceil(reported(100) * measuring.SECONDS_PER_RUN / lines)
    return lambda: reported(repeats)


if __name__ == "__main__":
    main()
