"""Solve, count, make and rate Sudoku fast: one board or ten million.

>>> import fastsudoku
>>> fastsudoku.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
'534678912672195348198342567859761423426853791713924856961537284287419635345286179'
"""

from fastsudoku._engine import RULES, implementation
from fastsudoku.batch import Batch, Result, Status, count_many, solve_iter, solve_many
from fastsudoku.board_list import BoardList
from fastsudoku.boards import (
    BoardError,
    Conflict,
    ImplementationError,
    SudokuError,
    conflicts,
    format_board,
    verify,
)
from fastsudoku.generator import Generated, Puzzle, generate, random_grids
from fastsudoku.minimal import is_minimal, minimize, minimize_many, redundant_clues
from fastsudoku.rating import Rating, Ratings, Spread, Technique, rate, rate_many
from fastsudoku.solver import classic, count, is_unique, solutions, solve, solve_inplace

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Batch",
    "BoardError",
    "BoardList",
    "Conflict",
    "Generated",
    "ImplementationError",
    "Puzzle",
    "Rating",
    "Ratings",
    "Result",
    "Spread",
    "Status",
    "SudokuError",
    "Technique",
    "classic",
    "conflicts",
    "count",
    "count_many",
    "format_board",
    "generate",
    "implementation",
    "is_minimal",
    "is_unique",
    "minimize",
    "minimize_many",
    "random_grids",
    "rate",
    "rate_many",
    "redundant_clues",
    "solutions",
    "solve",
    "solve_inplace",
    "solve_iter",
    "solve_many",
    "verify",
]
