"""All implementations in one process.

The package picks one implementation when it is imported. To compare some in the same minute, the benchmarks
exchange what it picked, so that the public functions run on any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import measuring

from fastsudoku._engine import NAMES, unavailable
from fastsudoku._engine import using as using

# Both search one board after the other; the others are levels of the lane engine, which need the compiled one.
COMPILED, PURE = "dfs", "python"


def available() -> list[str]:
    """Name the implementations that can run here, fastest first."""
    reasons = unavailable()
    return [name for name in NAMES if name not in reasons]


def fastest() -> str:
    """Name the fastest implementation that can run here."""
    return available()[0]


def why_not_compiled() -> str:
    """Return why there is no compiled engine, an empty string if there is one."""
    return unavailable().get(COMPILED, "")


def need_compiled() -> None:
    """End the program if there is no compiled engine to compare."""
    if why_not_compiled():
        sys.exit(f"the compiled engine cannot be used: {why_not_compiled()}")


def repeated(name: str, function: Callable[..., object], *arguments: object) -> measuring.Measure:
    """Return a measure of the seconds that a call takes with one implementation."""
    with using(name):
        measure = measuring.repeated(function, *arguments)

    def measure_with_engine() -> float:
        with using(name):
            return measure()

    return measure_with_engine
