"""Which cells have clues: by a symmetry, or by a pattern."""

from __future__ import annotations

from collections.abc import Callable

from fastsudoku.arguments import as_integer
from fastsudoku.boards import SudokuError, as_array, at, cell_positions, shown

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

# Where a symmetry moves a cell, given and returned as row and column from 0.
_Move = Callable[[int, int], tuple[int, int]]

_MOVES: dict[str, _Move] = {
    "rot180": lambda row, column: (8 - row, 8 - column),
    "rot90": lambda row, column: (column, 8 - row),
    "horizontal": lambda row, column: (8 - row, column),
    "vertical": lambda row, column: (row, 8 - column),
    "diagonal": lambda row, column: (column, row),
    "antidiagonal": lambda row, column: (8 - column, 8 - row),
}

#: The names of all symmetries. Mirrors are named by their line: "horizontal" exchanges the top and the bottom.
SYMMETRIES = ("none", *_MOVES, "dihedral")


def orbits(symmetry: object) -> tuple[bytes, ...]:
    """Return the sets of cells that a symmetry maps onto each other, in the order of their first cells.

    Raises
    ------
    SudokuError
        If there is no symmetry of this name.
    """
    if not isinstance(symmetry, str) or symmetry not in SYMMETRIES:
        raise SudokuError(f"symmetry is {shown(symmetry)}; it can be {', '.join(SYMMETRIES)}")
    # All symmetries of a square come from a rotation and a mirror.
    names = ("rot90", "diagonal") if symmetry == "dihedral" else (symmetry,) if symmetry != "none" else ()
    return tuple(sorted({_orbit(cell, [_MOVES[name] for name in names]) for cell in range(81)}))


def _orbit(cell: int, moves: list[_Move]) -> bytes:
    cells = {cell}
    news = [cell]
    while news:
        row, column = divmod(news.pop(), 9)
        for move in moves:
            other_row, other_column = move(row, column)
            other = 9 * other_row + other_column
            if other not in cells:
                cells.add(other)
                news.append(other)
    return bytes(sorted(cells))


# --- patterns --------------------------------------------------------------------------------------------

_CLUES, _OTHERS = "123456789#", ".0_-"


def read_pattern(pattern: Any) -> list[bool]:
    """Return which of the 81 cells of a pattern have a clue.

    Raises
    ------
    SudokuError
        If it is not a pattern; the message names the cell.
    """
    cells = _cells(pattern)
    if len(cells) != 81:
        raise SudokuError(f"the pattern has {len(cells)} cell{'s' * (len(cells) != 1)}, expected 81")
    return [_has_clue(cell, value) for cell, value in enumerate(cells)]


def _cells(pattern: Any) -> list[Any]:
    try:
        if isinstance(pattern, (bytes, bytearray, memoryview)):
            values = bytes(pattern)
            pattern = list(values) if max(values, default=0) <= 9 else values.decode("latin-1")
        if isinstance(pattern, str):
            return [pattern[position] for position in cell_positions(pattern)]
        if hasattr(pattern, "__array__"):
            pattern = as_array(pattern).tolist()
        if isinstance(pattern, (set, frozenset)) or hasattr(pattern, "keys"):
            raise TypeError
        cells = list(pattern)
        return [cell for row in cells for cell in row] if len(cells) == 9 else cells
    except TypeError:
        name = type(pattern).__name__
        raise SudokuError(f"pattern is of type {name}; it has to be a text, a sequence or an array") from None


def _has_clue(cell: int, value: Any) -> bool:
    if isinstance(value, str) and len(value) == 1 and value in _CLUES + _OTHERS:
        return value in _CLUES
    if value is None or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    number = as_integer(value)
    if number is None or not 0 <= number <= 9:
        raise SudokuError(
            f"pattern, {at(cell)}: {shown(value)} is none of 1 to 9, # and True for a clue, "
            "and . 0 _ -, False and None for none"
        )
    return number > 0
