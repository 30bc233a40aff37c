"""What is measured, each a function of one argument; and the checks that the answers are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from boards import BoardSet

import fastsudoku

SAMPLE = 1000


def solve_many(values: bytes) -> fastsudoku.Batch:
    """Solve all boards of a uint8 buffer, in one thread: what is compared is the engines."""
    return fastsudoku.solve_many(values, threads=1)


def count_many(values: bytes) -> memoryview:
    """Count up to two solutions of all boards of a uint8 buffer."""
    return fastsudoku.count_many(values, limit=2, threads=1)


def each(solve: Callable[[Any], Any], boards: list[Any]) -> list[Any]:
    """Solve boards one at a time by any function."""
    return list(map(solve, boards))


def solve_each(boards: list[Any]) -> list[Any]:
    """Solve boards one at a time."""
    return each(fastsudoku.solve, boards)


def classic_each(boards: list[Any]) -> list[Any]:
    """Solve boards one at a time by the classical search."""
    return each(fastsudoku.classic, boards)


def check_batch(boards: BoardSet, batch: fastsudoku.Batch) -> None:
    """Fail unless each board has the right status and a right solution."""
    assert list(batch.status) == [boards.status] * len(boards)
    check_solutions(boards, batch.strings())


def check_counts(boards: BoardSet, counts: memoryview) -> None:
    """Fail unless each board has one solution, or two and so several."""
    assert list(counts) == [int(boards.status)] * len(boards)


def check_solutions(boards: BoardSet, solutions: Iterable[Any]) -> None:
    """Fail unless each solution solves its board; of many, those of about SAMPLE boards are looked at."""
    pairs = list(zip(boards.texts, solutions, strict=True))
    for board, solution in pairs[:: max(1, len(pairs) // SAMPLE)]:
        assert fastsudoku.verify(board, solution), f"{board}: {solution} is wrong"
