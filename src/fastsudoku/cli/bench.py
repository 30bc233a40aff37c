"""``fastsudoku bench``: how many boards a second this machine solves, by implementation, set and threads."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import platform
from statistics import median
from time import perf_counter

import fastsudoku
from fastsudoku import _engine
from fastsudoku.arguments import check_count
from fastsudoku.batch import count_threads, solve_many
from fastsudoku.boards import SudokuError
from fastsudoku.cli.files import InputFile, OutputError, OutputFile, StandardOutput
from fastsudoku.cli.inputs import read_chunks
from fastsudoku.threads import count_cpus

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

# Seconds that a run should take, about, and the most boards in one.
_SECONDS = 0.1
_MOST_BOARDS = 1_000_000
# Boards that all implementations solve first, to see that they agree.
_COMPARED = 200
_PICTURES = ("png", "svg", "pdf")


def run(options: argparse.Namespace) -> int:
    """Measure, and write a table or JSON, and a picture if asked for."""
    names = _implementations(options)
    runs = _runs(names, _thread_counts(options))
    rounds = check_count("--rounds", options.rounds)
    sets = _shipped_sets(options.set) if options.set or not options.files else {}
    sets |= _file_sets(options.files, options.column)
    output = StandardOutput()
    with _Picture(options.plot) if options.plot else contextlib.nullcontext() as picture:
        table = _Table(output, sets, names, runs, rounds) if not options.json else None
        results = []
        for name, values in sets.items():
            measured = _measure_set(name, values, runs, rounds)
            results += measured
            if table:
                table.add(measured)
        if options.json:
            import json

            _write(output, json.dumps(_as_json(results), indent=2))
        if picture:
            picture.draw(results, names)
    return 0


# --- what to measure -------------------------------------------------------------------------------------


def _implementations(options: argparse.Namespace) -> list[str]:
    reasons = _engine.unavailable()
    if not options.implementation:
        return [name for name in _engine.NAMES if name not in reasons]
    for name in options.implementation:
        if name not in _engine.NAMES:
            raise SudokuError(f"--implementation {name}: unknown; it can be one of {', '.join(_engine.NAMES)}")
        if name in reasons:
            raise SudokuError(f"--implementation {name} cannot be used: {reasons[name]}")
    return list(dict.fromkeys(options.implementation))


def _thread_counts(options: argparse.Namespace) -> list[int]:
    if not options.threads:
        return [1, count_cpus()]
    return [check_count("--threads", number) for number in options.threads]


def _runs(names: list[str], threads: list[int]) -> list[tuple[str, int]]:
    """Return each implementation with each number of threads that it can use."""
    runs = []
    for number in threads:
        for name in names:
            with _engine.using(name):
                runs.append((name, count_threads(number)))
    return sorted(set(runs), key=lambda run: (run[1], names.index(run[0])))


def _shipped_sets(wanted: list[str] | None) -> dict[str, bytes]:
    """Return the values of the boards of each set that comes with the package."""
    sets: dict[str, list[str]] = {}
    with open(os.path.join(os.path.dirname(__file__), "bench_boards.txt"), encoding="ascii") as file:
        for line in file:
            if line.startswith("#"):
                boards = sets.setdefault(line[1:].partition(":")[0].strip(), [])
            else:
                boards.append(line.strip())
    for name in wanted or ():
        if name not in sets:
            raise SudokuError(f"--set {name}: unknown; it can be one of {', '.join(sets)}")
    return {name: _values("".join(sets[name])) for name in wanted or sets}


def _values(text: str) -> bytes:
    return bytes(0 if character == "." else int(character) for character in text)


def _file_sets(files: list[str], column: str | None) -> dict[str, bytes]:
    """Return the values of the boards of each file."""
    sets = {}
    for path in files:
        name = "standard input" if path == "-" else path
        values = bytearray()
        try:
            with InputFile(path) as file:
                for chunk in read_chunks(file, column):
                    for row, message in sorted(chunk.errors.items()):
                        raise SudokuError(f"{name}, {chunk.place} {chunk.number(row)}: not a board: {message}")
                    values += chunk.cells
                    if len(values) > 81 * _MOST_BOARDS:
                        break
        except OSError as error:
            raise SudokuError(f"cannot read {name}: {error.strerror or error}") from None
        if not values:
            raise SudokuError(f"no board in {name}")
        sets[name] = bytes(values[: 81 * _MOST_BOARDS])
    return sets


# --- measuring -------------------------------------------------------------------------------------------


def _measure_set(
    set_name: str, values: bytes, runs: list[tuple[str, int]], rounds: int
) -> list[dict[str, Any]]:
    """Measure a set, all implementations in turn; return a dict for each of them and number of threads."""
    _compare(set_name, _some(values, _COMPARED), list(dict.fromkeys(name for name, _ in runs)))
    boards = {run: _enough(values, *run) for run in runs}
    rates: dict[tuple[str, int], list[float]] = {run: [] for run in runs}
    for _ in range(rounds):
        for run in runs:
            rates[run].append(len(boards[run]) // 81 / _seconds(boards[run], *run))
    return [
        {
            "set": set_name,
            "boards": len(values) // 81,
            "implementation": name,
            "threads": threads,
            "boards_per_run": len(boards[name, threads]) // 81,
            "boards_per_second": round(median(rates[name, threads]), 1),
            "runs": [round(rate, 1) for rate in rates[name, threads]],
        }
        for name, threads in runs
    ]


def _compare(set_name: str, values: bytes, names: list[str]) -> None:
    """Raise SudokuError if two implementations do not agree."""
    expected: Any = None
    for name in names:
        with _engine.using(name):
            batch = solve_many(values)
        answers = batch.status.tobytes(), batch.strings(), batch.guesses.tobytes()
        if expected is not None and answers != expected:
            raise SudokuError(f"{name} and {names[0]} do not agree on {set_name}: please report this")
        expected = answers


def _some(values: bytes, boards: int) -> bytes:
    """Return so many boards of a set: from all over it, or the set several times over."""
    have = len(values) // 81
    if boards >= have:
        return values * (boards // have)
    return b"".join(values[81 * row : 81 * row + 81] for row in range(0, have, -(-have // boards)))


def _enough(values: bytes, name: str, threads: int) -> bytes:
    """Return so many boards of a set that a run takes long enough."""
    boards = min(_COMPARED, len(values) // 81)
    while True:
        some = _some(values, boards)
        seconds = _seconds(some, name, threads)
        if seconds > _SECONDS / 2 or boards >= _MOST_BOARDS:
            break
        boards = min(2 * boards, _MOST_BOARDS)
    wanted = round(len(some) // 81 * _SECONDS / seconds)
    return _some(values, min(max(wanted, 1), _MOST_BOARDS))


def _seconds(values: bytes, name: str, threads: int) -> float:
    with _engine.using(name):
        start = perf_counter()
        solve_many(values, threads=threads)
        return perf_counter() - start


# --- showing ---------------------------------------------------------------------------------------------


def processor() -> str:
    """Name the processor, as far as it can be known."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _machine() -> str:
    cpus = count_cpus()
    return (
        f"{processor()}, {cpus} CPU{'s' * (cpus != 1)}; "
        f"{platform.python_implementation()} {platform.python_version()}; "
        f"fastsudoku {fastsudoku.__version__}, rules {fastsudoku.RULES}"
    )


def _write(output: StandardOutput, *lines: str) -> None:
    output.write("".join(f"{line}\n" for line in lines).encode(errors="backslashreplace"))


class _Table:
    """A table that is written line by line."""

    def __init__(
        self,
        output: StandardOutput,
        sets: dict[str, bytes],
        names: list[str],
        runs: list[tuple[str, int]],
        rounds: int,
    ) -> None:
        self._output = output
        self._width = max(len("minimal"), *map(len, sets))
        self._names = names
        self._threads = sorted({threads for _, threads in runs})
        what = f"medians of {rounds} runs in turn" if rounds > 1 else "one run of each"
        _write(output, _machine(), f"boards per second, uniqueness proved; {what}", "")
        compared = [f"{names[0]}/{names[-1]}"] if len(names) > 1 else []
        self._write_row(["set", "boards", "threads", *names, *compared])

    def _write_row(self, cells: list[str]) -> None:
        """Write a line: the first column to the left, the others to the right."""
        others = "".join(f"  {cell:>11}" for cell in cells[1:])
        _write(self._output, f"{cells[0]:<{self._width}}{others}".rstrip())

    def add(self, results: list[dict[str, Any]]) -> None:
        """Write what was measured of a set; the last column compares with the fewest threads."""
        rates = {
            (result["implementation"], result["threads"]): result["boards_per_second"] for result in results
        }
        last = next(rates[run] for threads in self._threads if (run := (self._names[-1], threads)) in rates)
        for threads in self._threads:
            here = [rates.get((name, threads)) for name in self._names]
            ratio = here[0] / last if here[0] and last else 0
            times = f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}" if ratio else "-"
            cells = ["-" if rate is None else f"{rate:,.0f}" for rate in here]
            first = [results[0]["set"], f"{results[0]['boards']:,}", str(threads)]
            self._write_row([*first, *cells, *([times] if len(here) > 1 else [])])


def _as_json(results: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "fastsudoku": fastsudoku.__version__,
        "rules": fastsudoku.RULES,
        "processor": processor(),
        "cpus": count_cpus(),
        "system": platform.system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "results": results,
    }


class _Picture:
    """A chart in a file."""

    def __init__(self, path: str) -> None:
        self._kind = path.rpartition(".")[2].lower()
        if self._kind not in _PICTURES:
            raise OutputError(f"cannot draw {path}: the name has to end in .{', .'.join(_PICTURES)}")
        try:
            # Not pyplot, which would look for a screen.
            from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            raise OutputError("--plot needs matplotlib (pip install matplotlib)") from None
        self._figure = Figure(figsize=(9, 5), layout="constrained")
        # A name that cannot be written to is found before anything is measured.
        self._file = OutputFile(path)

    def __enter__(self) -> _Picture:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.__exit__()

    def draw(self, results: list[dict[str, Any]], names: list[str]) -> None:
        """Draw a bar for each result, and write the file."""
        sets = list(dict.fromkeys(result["set"] for result in results))
        bars = list(dict.fromkeys((result["implementation"], result["threads"]) for result in results))
        axes = self._figure.add_subplot()
        width = 0.8 / len(bars)
        for position, (name, threads) in enumerate(bars):
            rates = {
                result["set"]: result["boards_per_second"]
                for result in results
                if (result["implementation"], result["threads"]) == (name, threads)
            }
            places = [sets.index(each) + (position - (len(bars) - 1) / 2) * width for each in rates]
            label = f"{name}, {threads} thread{'s' * (threads != 1)}"
            color = f"C{names.index(name)}"
            axes.bar(
                places, list(rates.values()), width, label=label, color=color, alpha=1 if threads == 1 else 0.6
            )
        axes.set_yscale("log")
        slowest = min(result["boards_per_second"] for result in results)
        axes.set_ylim(bottom=10 ** (len(str(int(slowest))) - 1))
        axes.set_ylabel("boards per second (logarithmic)")
        axes.set_xticks(range(len(sets)), sets)
        axes.set_title(_machine(), fontsize="small")
        axes.grid(axis="y", alpha=0.3)
        self._figure.legend(fontsize="small", loc="outside right upper")
        picture = io.BytesIO()
        self._figure.savefig(picture, format=self._kind, dpi=150)
        self._file.write(picture.getvalue())
        self._file.finish()
