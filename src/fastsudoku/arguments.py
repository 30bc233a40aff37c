"""Arguments that many functions have, checked."""

from __future__ import annotations

import os
from operator import index

from fastsudoku.boards import SudokuError, shown

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

#: Seeds and rows have 64 bits.
LARGEST_SEED = (1 << 64) - 1
_MOST_SHUFFLES = 1_000_000


def as_integer(number: Any) -> int | None:
    """Return a number of any integer type as an int, None if it is anything else."""
    try:
        return None if isinstance(number, bool) else index(number)
    except Exception:
        return None


def check_count(name: str, number: Any, other: str = "") -> int:
    """Return an argument that has to be an integer of 1 or more as one; raise SudokuError if it is not."""
    count = as_integer(number)
    if count is None or count < 1:
        raise SudokuError(f"{name} is {shown(number)}; it has to be an integer of 1 or more{other}")
    return count


def check_integer(name: str, number: Any, least: int, most: int, other: str = "") -> int:
    """Return an argument that has to be an integer in a range as one; raise SudokuError if it is not."""
    value = as_integer(number)
    if value is None or not least <= value <= most:
        raise SudokuError(
            f"{name} is {shown(number)}; it has to be an integer from {least} to {_limit(most)}{other}"
        )
    return value


def _limit(most: int) -> str:
    """Show a limit, by its power of two if that is what it is."""
    power = most.bit_length()
    return f"2**{power} - 1" if power >= 31 and most == (1 << power) - 1 else str(most)


def check_limit(limit: Any) -> int:
    """Return the limit for many boards as an integer; raise SudokuError if it is none."""
    most = check_count("limit", limit)
    if most >= 1 << 63:
        raise SudokuError(f"limit is {most}; for many boards it can be 2**63 - 1 at most")
    return most


def check_seed(seed: Any) -> int:
    """Return a seed as an integer, one from the system if none is given; raise SudokuError if it is none."""
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    return check_integer("seed", seed, 0, LARGEST_SEED, " or None")


def check_shuffles(shuffles: Any) -> int:
    """Return a number of equivalent forms as an integer; raise SudokuError if it is none."""
    return check_integer("shuffles", shuffles, 0, _MOST_SHUFFLES)


def check_flag(name: str, flag: Any) -> bool:
    """Return an argument that has to be true or false; raise SudokuError if it is neither."""
    if type(flag).__name__ not in ("bool", "bool_"):
        raise SudokuError(f"{name} is {shown(flag)}; it has to be True or False")
    return bool(flag)


def check_threads(threads: Any) -> None:
    """Raise SudokuError if this is no number of threads."""
    if threads is not None:
        check_count("threads", threads, " or None")


def check_progress(progress: Any) -> None:
    """Raise SudokuError if this cannot be called to tell the progress."""
    if progress is not None and not callable(progress):
        raise SudokuError(f"progress is {shown(progress)}; it has to be a function of two arguments, or None")


def check_errors(errors: Any) -> None:
    """Raise SudokuError if this does not say what to do at an error."""
    if not isinstance(errors, str) or errors not in ("raise", "mark"):
        raise SudokuError(f"errors is {shown(errors)}; it has to be 'raise' or 'mark'")
