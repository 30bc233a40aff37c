"""What puzzles are to be like, as the engines are told. This module imports nothing of the package."""

from __future__ import annotations

from collections import namedtuple

#: In the flags of a puzzle that was made: it is as it was asked for; none of its orbits can be dropped.
IS_MET, IS_MINIMAL = 1, 2
#: The most guesses that are counted, and what there is where they are not known.
MOST_GUESSES, GUESSES_UNKNOWN = (1 << 32) - 2, (1 << 32) - 1
#: Guesses as they come.
ANY_GUESSES = 0, MOST_GUESSES


class Plan(
    namedtuple(
        "Plan",
        ("seed", "start", "orbits", "low", "high", "minimal", "pattern", "guesses", "attempts", "grid"),
    )
):
    """What an engine makes puzzles by.

    Attributes
    ----------
    seed : int
        Below 2**64.
    start : int
        The row of the first puzzle: a puzzle depends on the seed and its row, and on what else is here.
    orbits : tuple of bytes
        Cells that are dropped together, 81 in all at most, in the order of their first cells.
    low, high : int
        The clues that are wanted.
    minimal : bool
        Whether a puzzle is wanted of which no orbit can be dropped.
    pattern : bytes
        The cells that have clues, if these are wanted; orbits are these cells then.
    guesses : (int, int)
        The least and the most guesses that are wanted.
    attempts : int
        How many are made for each puzzle.
    grid : bytes
        The solution of all puzzles, or empty if each has its own.
    """

    __slots__ = ()

    seed: int
    start: int
    orbits: tuple[bytes, ...]
    low: int
    high: int
    minimal: bool
    pattern: bytes
    guesses: tuple[int, int]
    attempts: int
    grid: bytes
