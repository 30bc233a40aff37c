"""Sets of boards to measure with: generated from a seed, and public sets where they lie beside the checkout.

Those of `load` are small enough for the pure engine, so that it is measured on the same boards as the others;
those of `load_whole` are large enough for the lane engine, which searches hundreds of boards at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import engines

import fastsudoku
from fastsudoku import Status

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@dataclass(frozen=True)
class BoardSet:
    """Boards of one difficulty, all with the same status."""

    name: str
    texts: list[str]
    status: Status = Status.UNIQUE

    def __len__(self) -> int:
        return len(self.texts)

    def values(self) -> bytes:
        """Return the 81 * N cells of all boards, 0 for a blank."""
        return bytes(map(int, "".join(self.texts).replace(".", "0")))

    def array(self) -> Any:
        """Return the boards as a uint8 array of shape (N, 81), or as a buffer where there is no NumPy."""
        try:
            import numpy
        except ImportError:
            return self.values()
        return numpy.frombuffer(self.values(), dtype="uint8").reshape(-1, 81)

    def rows(self) -> list[list[list[int]]]:
        """Return each board as nine lists of nine integers."""
        values = list(self.values())
        rows = [values[start : start + 9] for start in range(0, len(values), 9)]
        return [rows[start : start + 9] for start in range(0, len(rows), 9)]


# --- generated -------------------------------------------------------------------------------------------


def _easy(size: int) -> list[str]:
    return fastsudoku.generate(size, clues=36, seed=36).puzzles.strings()


def _minimal(size: int, seed: int = 81) -> list[str]:
    return fastsudoku.generate(size, seed=seed).puzzles.strings()


def _hard(size: int) -> list[str]:
    """Return the minimal puzzles with the most guesses out of 20 times as many, in the order they came."""
    made = fastsudoku.generate(20 * size, seed=2025)
    hardest = sorted(range(len(made)), key=lambda row: made.guesses[row], reverse=True)
    return [made.puzzles[row] for row in sorted(hardest[:size])]


def _several(size: int) -> list[str]:
    return _with_fewer_clues(Random(2), _minimal(size, 2))


def _with_fewer_clues(random: Random, puzzles: Iterable[str]) -> list[str]:
    """Return minimal puzzles of which one or two clues were dropped, and so with several solutions."""
    boards = []
    for board in puzzles:
        clues = [cell for cell in range(81) if board[cell] != "."]
        for cell in random.sample(clues, random.randint(1, 2)):
            board = board[:cell] + "." + board[cell + 1 :]
        boards.append(board)
    return boards


_GENERATED = {"easy": _easy, "minimal": _minimal, "hard": _hard, "several": _several}

# --- taken from ../shared/data ---------------------------------------------------------------------------

_PUBLIC = ("17_clue", "top1465", "hardest_11plus")


def _public_file(name: str) -> Path:
    return SHARED / "data" / f"{name}.txt"


def _puzzles(name: str) -> list[str]:
    """Return all puzzles of a file."""
    lines = _public_file(name).read_text().splitlines()
    return [line[:81] for line in lines if line.strip() and not line.startswith("#")]


def _sample(name: str, size: int) -> list[str]:
    """Return some puzzles from all over a file."""
    return Random(size).sample(_puzzles(name), size)


# --- all -------------------------------------------------------------------------------------------------

# Boards in a set; the second number where there is no compiled engine to generate them with.
_SIZES = {"hard": (60, 8), "hardest_11plus": (20, 5)}
_USUAL_SIZE = (100, 20)


def names() -> list[str]:
    """Name the sets that can be had here."""
    return [*_GENERATED, *(name for name in _PUBLIC if _public_file(name).exists())]


@cache
def load(name: str) -> BoardSet:
    """Return a set by its name, the same boards each time."""
    most, fewest = _SIZES.get(name, _USUAL_SIZE)
    size = fewest if engines.why_not_compiled() else most
    if name in _PUBLIC:
        return BoardSet(name, _sample(name, size))
    # Whatever is being measured, the boards are made by the fastest engine there is.
    with engines.using(engines.fastest()):
        texts = _GENERATED[name](size)
    return BoardSet(name, texts, Status.SEVERAL if name == "several" else Status.UNIQUE)


# --- whole sets ------------------------------------------------------------------------------------------

WHOLE = ("17_clue", "easy_34", "minimal_random", "top1465", "hardest_11plus", "several")
_GENERATED_WHOLE = 5000


def load_whole(name: str, most: int | None = None) -> BoardSet:
    """Return the first boards of a set, by default all; raise FileNotFoundError if its file is not there."""
    if name != "several":
        return BoardSet(name, _puzzles(name)[:most])
    random = Random(2)
    if _public_file("minimal_random").exists():
        puzzles: Iterable[str] = _puzzles("minimal_random")
    else:
        puzzles = _minimal(_GENERATED_WHOLE, 2)
    with engines.using(engines.fastest()):
        texts = _with_fewer_clues(random, islice(puzzles, most))
    return BoardSet(name, texts, Status.SEVERAL)
