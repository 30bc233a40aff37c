"""Picks the implementation, once; the only file that knows that there are several.

The rest of the package calls the functions of `engine`, which every implementation has under the same names
(``_engine_py`` documents them), and asks `implementation` and `explain` what was picked and why.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from fastsudoku.boards import ImplementationError

TYPE_CHECKING = False  # see boards.py

#: Every name that FASTSUDOKU_IMPLEMENTATION can ask for, fastest first.
NAMES = ("avx512", "avx2", "base", "dfs", "python")

#: Version of the inference rules and the branch choice, which all implementations share. It is raised
#: whenever the number of guesses of a board can change.
RULES = 1

VARIABLE = "FASTSUDOKU_IMPLEMENTATION"


def unavailable() -> dict[str, str]:
    """Return the implementations that cannot be used here, fastest first, with the reason."""
    reasons = dict.fromkeys(("avx512", "avx2", "base"), "this version has no vector engine")
    try:
        import_module("fastsudoku._engine_c")
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "fastsudoku._engine_c"
        reasons["dfs"] = "it was not compiled when the package was installed" if missing else str(error)
    return reasons


def _pick() -> str:
    """Return the name of the implementation to use; raise ImplementationError if it cannot run here."""
    asked = os.environ.get(VARIABLE)
    if asked == "python":
        # Nothing compiled is even loaded: that may be why it was asked for.
        return asked
    if asked and asked not in NAMES:
        raise ImplementationError(f"{VARIABLE}={asked}: unknown; it can be one of {', '.join(NAMES)}")
    reasons = unavailable()
    if not asked:
        return next(name for name in NAMES if name not in reasons)
    if asked in reasons:
        raise ImplementationError(f"{VARIABLE}={asked} cannot be used: {reasons[asked]}")
    return asked


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
        engine = import_module("fastsudoku._engine_py" if _pick() == "python" else "fastsudoku._engine_c")
    except ImplementationError as error:
        if not _started_as_command():
            raise
        engine = _Refusing(error)


def implementation() -> str:
    """Name the implementation in use.

    Returns
    -------
    str
        ``"dfs"`` for the compiled engine, ``"python"`` for the pure one; ``"avx512"``, ``"avx2"`` and
        ``"base"`` are kept for the levels of a vector engine. The environment variable
        ``FASTSUDOKU_IMPLEMENTATION`` asks for one of them, and importing the package fails if it cannot run.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.implementation() in ("dfs", "python")
    True
    """
    return engine.NAME
