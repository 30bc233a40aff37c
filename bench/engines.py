"""Both implementations in one process.

The package picks one implementation when it is imported. To compare two in the same minute, the benchmarks
exchange what it picked, so that the public functions run on either.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import measuring

import fastsudoku
import fastsudoku._engine

COMPILED, PURE = "dfs", "python"
MODULES = {COMPILED: "fastsudoku._engine_c", PURE: "fastsudoku._engine_py"}

# Type checkers know the engine as one module; here it is exchanged.
_engine: Any = fastsudoku._engine


def why_not_compiled() -> str:
    """Return why there is no compiled engine, an empty string if there is one."""
    return fastsudoku._engine.unavailable().get(COMPILED, "")


def fastest() -> str:
    """Name the fastest implementation that is installed."""
    return PURE if why_not_compiled() else COMPILED


def need_compiled() -> None:
    """End the program if there is nothing to compare the pure engine with."""
    if why_not_compiled():
        sys.exit(f"the compiled engine cannot be used: {why_not_compiled()}")


def module(name: str) -> ModuleType:
    """Return the module of an implementation; raise ImportError if it is not there."""
    return importlib.import_module(MODULES[name])


@contextmanager
def using(name: str) -> Iterator[None]:
    """Make the whole package work with one implementation."""
    before = _engine.engine
    _engine.engine = module(name)
    try:
        assert fastsudoku.implementation() == name
        yield
    finally:
        _engine.engine = before


def repeated(name: str, function: Callable[..., object], *arguments: object) -> measuring.Measure:
    """Return a measure of the seconds that a call takes with one implementation."""
    with using(name):
        measure = measuring.repeated(function, *arguments)

    def measure_with_engine() -> float:
        with using(name):
            return measure()

    return measure_with_engine
