"""A solver to test against: brute force, as short as possible, and no code in common with the package."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice


def may_stand(cells: list[int], cell: int, digit: int) -> bool:
    """Tell whether no other cell of the row, column and box has the digit."""
    row, column = cell // 9, cell % 9
    for other in range(81):
        if other == cell or cells[other] != digit:
            continue
        same_box = other // 27 == cell // 27 and other % 9 // 3 == column // 3
        if other // 9 == row or other % 9 == column or same_box:
            return False
    return True


def all_solutions(board: str) -> Iterator[str]:
    """Yield the solutions of a board of 81 characters, in lexicographic order."""
    cells = [int(character) if character in "123456789" else 0 for character in board]
    if any(digit and not may_stand(cells, cell, digit) for cell, digit in enumerate(cells)):
        return
    yield from _fill(cells, 0)


def _fill(cells: list[int], start: int) -> Iterator[str]:
    blank = next((cell for cell in range(start, 81) if not cells[cell]), None)
    if blank is None:
        yield "".join(map(str, cells))
        return
    for digit in range(1, 10):
        if may_stand(cells, blank, digit):
            cells[blank] = digit
            yield from _fill(cells, blank + 1)
            cells[blank] = 0


def first_solutions(board: str, most: int) -> list[str]:
    """Return up to so many solutions, the smallest first."""
    return list(islice(all_solutions(board), most))
