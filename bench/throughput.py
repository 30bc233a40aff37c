"""What the ways in and out, threads and the command line cost: ``python bench/throughput.py``.

Each is compared with solve_many on a uint8 buffer in one thread, in runs in turn. The set can be taken several
times over, so that starting a program does not count for more than it does with large files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import boards
import engines
import measuring

import fastsudoku
from fastsudoku.threads import count_cpus

REFERENCE = "uint8 buffer, one thread"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the ways in and out.")
    parser.add_argument("--set", choices=boards.WHOLE, default="17_clue", help="the boards (default 17_clue)")
    parser.add_argument(
        "--boards", type=int, default=1_000_000, metavar="N", help="how many (default a million)"
    )
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="runs of each (default 7)")
    options = parser.parse_args()
    print(measuring.machine())
    try:
        some = boards.load_whole(options.set, options.boards).texts
    except FileNotFoundError:
        some = boards.load_whole("several", min(options.boards, 100)).texts
        print(f"{options.set} is not in ../shared/data: boards with several solutions instead")
    texts = (some * (options.boards // len(some) + 1))[: options.boards]
    with TemporaryDirectory() as folder:
        measures = {name: measuring.repeated(work) for name, work in ways(texts, Path(folder)).items()}
        runs = measuring.in_turn(measures, options.rounds)
    rates = {name: len(texts) / median(seconds) for name, seconds in runs.items()}
    print(f"{len(texts):,} boards of {options.set}, {engines.fastest()}; medians of runs in turn\n")
    rows = [[name, f"{rate:,.0f}", f"{rate / rates[REFERENCE]:.2f}"] for name, rate in rates.items()]
    measuring.print_table(["way", "boards/s", "of the first"], rows)


def ways(texts: list[str], folder: Path) -> dict[str, Callable[[], object]]:
    """Return what is measured."""
    values = bytes(0 if character == "." else int(character) for text in texts for character in text)
    lines = "".join(f"{text}\n" for text in texts).encode()
    sources = {
        "in.txt": lines,
        "names.txt": "".join(f"{text} name {row}\n" for row, text in enumerate(texts)).encode(),
        "in.csv": ("id,puzzle\n" + "".join(f"{row},{text}\n" for row, text in enumerate(texts))).encode(),
        "in.npy": npy(values),
    }
    for name, text in sources.items():
        (folder / name).write_bytes(text)

    def shell(source: str, target: str) -> None:
        command = [sys.executable, "-m", "fastsudoku", "solve", "--threads", "1", source, "-o", target]
        subprocess.run(command, cwd=folder, check=False, stderr=subprocess.DEVNULL)

    def pipe() -> None:
        command = [sys.executable, "-m", "fastsudoku", "solve", "--threads", "1"]
        with subprocess.Popen(["cat", "in.txt"], cwd=folder, stdout=subprocess.PIPE) as cat:
            subprocess.run(
                command, stdin=cat.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
            )

    def iterate(boards: Iterable[object]) -> int:
        return sum(1 for _ in fastsudoku.solve_iter(boards, threads=1))

    def iterate_over_file() -> int:
        with (folder / "in.txt").open() as file:
            return iterate(file)

    return {
        REFERENCE: lambda: fastsudoku.solve_many(values, threads=1),
        f"the same, {count_cpus()} threads": lambda: fastsudoku.solve_many(values),
        "list of str to list of str": lambda: fastsudoku.solve_many(texts, threads=1).strings(),
        "lines to lines": lambda: fastsudoku.solve_many(lines, threads=1).lines(),
        "solve_iter over a list": lambda: iterate(texts),
        "solve_iter over a file": iterate_over_file,
        "shell, file to file": lambda: shell("in.txt", "out.txt"),
        "shell, lines with names": lambda: shell("names.txt", "out.txt"),
        "shell, CSV": lambda: shell("in.csv", "out.csv"),
        "shell, .npy": lambda: shell("in.npy", "out.npy"),
        "shell, pipe to nowhere": pipe,
    }


def npy(values: bytes) -> bytes:
    """Return what NumPy writes for boards of uint8."""
    header = repr({"descr": "|u1", "fortran_order": False, "shape": (len(values) // 81, 81)}).encode()
    return b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + values


if __name__ == "__main__":
    main()
