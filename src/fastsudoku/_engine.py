"""Picks the implementation, once; the only file that knows that there are several.

The rest of the package calls the functions of `engine`, which every implementation has under the same names
(``_engine_py`` documents them), and asks `implementation` and `explain` what was picked and why.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from fastsudoku.boards import ImplementationError

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

#: Levels of the lane engine, which is the compiled one with other functions for many boards.
LEVELS = ("avx512", "avx2", "base")

#: Every name that FASTSUDOKU_IMPLEMENTATION can ask for, fastest first.
NAMES = (*LEVELS, "dfs", "python")

#: Version of the inference rules and the branch choice, which all implementations share. It is raised
#: whenever the number of guesses of a board can change.
RULES = 1

VARIABLE = "FASTSUDOKU_IMPLEMENTATION"


def load(name: str) -> Any:
    """Return an implementation; raise ImportError, with the reason, if it cannot run here."""
    if name == "python":
        # Nothing compiled is even loaded: that may be why it was asked for.
        return import_module("fastsudoku._engine_py")
    try:
        compiled = import_module("fastsudoku._engine_c")
    except ModuleNotFoundError as error:
        if error.name != "fastsudoku._engine_c":
            raise
        raise ImportError("it was not compiled when the package was installed") from None
    return compiled.Engine(name)


def unavailable() -> dict[str, str]:
    """Return the implementations that cannot be used here, fastest first, with the reason."""
    reasons = {}
    for name in NAMES:
        try:
            load(name)
        except ImportError as error:
            reasons[name] = str(error)
    return reasons


def _pick() -> Any:
    """Return the implementation to use; raise ImplementationError if the one asked for cannot run here."""
    asked = os.environ.get(VARIABLE)
    if asked and asked not in NAMES:
        raise ImplementationError(f"{VARIABLE}={asked}: unknown; it can be one of {', '.join(NAMES)}")
    if asked:
        try:
            return load(asked)
        except ImportError as error:
            raise ImplementationError(f"{VARIABLE}={asked} cannot be used: {error}") from None
    for name in NAMES:
        try:
            return load(name)
        except ImportError:
            continue
    raise AssertionError("the pure implementation can always be loaded")


class _Refusing:
    """Stands in for an engine that cannot run, so that the command line can say why without a traceback."""

    def __init__(self, error: ImplementationError) -> None:
        self.error = error

    def __getattr__(self, name: str) -> object:
        raise self.error


def _started_as_command() -> bool:
    """Tell whether ``fastsudoku`` or ``python -m fastsudoku`` is what is running.

    Both import the package before any of our code could say so.
    """
    program = sys.argv[0] if sys.argv else ""
    if program == "-m":
        return "-m" in sys.orig_argv and sys.orig_argv[sys.orig_argv.index("-m") + 1] == "fastsudoku"
    return os.path.basename(program).removesuffix(".exe") == "fastsudoku"


if TYPE_CHECKING:
    # Type checkers read the pure engine, so that no stub can differ from the code.
    from fastsudoku import _engine_py

    engine = _engine_py
else:
    try:
        engine = _pick()
    except ImplementationError as error:
        if not _started_as_command():
            raise
        engine = _Refusing(error)


@contextmanager
def using(name: str) -> Iterator[None]:
    """Have the whole package work with an implementation; raise ImportError if it cannot run.

    For measuring one after the other in one process: other threads get it, too.
    """
    global engine
    before = engine
    engine = load(name)
    try:
        yield
    finally:
        engine = before


def implementation() -> str:
    """Name the implementation in use.

    Returns
    -------
    str
        ``"avx512"``, ``"avx2"`` or ``"base"`` for a level of the lane engine, which searches hundreds of boards
        at once, ``"dfs"`` for the compiled depth-first engine alone, and ``"python"`` for the pure one. The
        fastest that runs on this machine is used. The environment variable ``FASTSUDOKU_IMPLEMENTATION`` asks
        for one of them, and importing the package fails if it cannot run. The answers are the same.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.implementation() in ("avx512", "avx2", "base", "dfs", "python")
    True
    """
    return engine.NAME
