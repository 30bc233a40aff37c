"""Solve Sudoku fast: one board or ten million.

>>> import fastsudoku
>>> fastsudoku.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
'534678912672195348198342567859761423426853791713924856961537284287419635345286179'
"""

from fastsudoku._engine import RULES, implementation
from fastsudoku.batch import Batch, Result, Status, count_many, solve_iter, solve_many
from fastsudoku.boards import (
    BoardError,
    Conflict,
    ImplementationError,
    SudokuError,
    conflicts,
    format_board,
    verify,
)
from fastsudoku.solver import classic, count, is_unique, solutions, solve, solve_inplace

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Batch",
    "BoardError",
    "Conflict",
    "ImplementationError",
    "Result",
    "Status",
    "SudokuError",
    "classic",
    "conflicts",
    "count",
    "count_many",
    "format_board",
    "implementation",
    "is_unique",
    "solutions",
    "solve",
    "solve_inplace",
    "solve_iter",
    "solve_many",
    "verify",
]
