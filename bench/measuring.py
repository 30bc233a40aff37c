"""Runs in turn and their medians.

Two figures taken one after the other on a busy machine say more about the minute than about the code. So
whatever is compared here runs in turn, A B A B ..., and the medians of both are compared.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from fastsudoku.cli.bench import processor

#: Takes one run and returns its result, in the same unit each time.
Measure = Callable[[], float]

#: Quick functions are called again and again in one run, to fill this time: long enough for the clock, and
#: short enough that a run and the next are taken under the same conditions.
SECONDS_PER_RUN = 0.03


def in_turn(measures: Mapping[str, Measure], rounds: int) -> dict[str, list[float]]:
    """Take a run of each measure, and so on for some rounds; return the results of each."""
    results: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            results[name].append(measure())
    return results


def repeated(function: Callable[..., object], *arguments: object) -> Measure:
    """Return a measure of the seconds that a call takes, over as many calls as make a run long enough."""
    calls = 1
    # The first calls, which also warm up, are not part of any run.
    while (seconds := _seconds(calls, function, arguments)) < SECONDS_PER_RUN / 4:
        calls *= 2
    calls = max(1, round(calls * SECONDS_PER_RUN / seconds))
    return lambda: _seconds(calls, function, arguments) / calls


def _seconds(calls: int, function: Callable[..., object], arguments: Sequence[object]) -> float:
    start = perf_counter()
    for _ in range(calls):
        function(*arguments)
    return perf_counter() - start


def cpu_info(key: str) -> str:
    """Return what Linux says about the first processor, an empty string where there is nothing."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    found = (line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == key)
    return next(found, "")


def machine() -> str:
    """Describe what the figures depend on, in one line."""
    return f"{processor()}, {platform.python_implementation()} {platform.python_version()}"


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns, the first to the left and the others to the right."""
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip(), flush=True)
