"""Minimal puzzles: those of which no clue can be dropped."""

from __future__ import annotations

from fastsudoku import _engine
from fastsudoku.arguments import (
    LARGEST_SEED,
    check_errors,
    check_integer,
    check_progress,
    check_seed,
    check_threads,
)
from fastsudoku.batch import Status, bad_rows, note_changed, solve_values
from fastsudoku.board_list import BoardList
from fastsudoku.boards import SudokuError, blank_of, with_blanks
from fastsudoku.generator import Generated, carve
from fastsudoku.plans import ANY_GUESSES, Plan
from fastsudoku.reading import read_many
from fastsudoku.solver import read
from fastsudoku.symmetry import orbits

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from fastsudoku.batch import Errors
    from fastsudoku.threads import Progress

    BoardT = TypeVar("BoardT")


def minimize(board: BoardT, *, seed: int | None = None) -> BoardT:
    """Drop clues of a puzzle, in random order, as long as one can be dropped.

    (Of a symmetric puzzle too, so that it is not symmetric any more.)

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        A puzzle with one solution, of any kind that `solve` takes. It is not changed.
    seed : int, optional
        From 0 to 2**64 - 1: the same seed gives the same puzzle, everywhere. Without one each call differs.

    Returns
    -------
    same kind as `board`
        A minimal puzzle with the same solution: none of its clues can be dropped. In text, blanks are what they
        are in the board, or full stops if it has none.

    Raises
    ------
    BoardError
        If it is not a board.
    SudokuError
        If it has no solution or several, or the seed is wrong.

    See Also
    --------
    minimize_many, is_minimal, redundant_clues

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = fastsudoku.minimize(fastsudoku.solve("." * 81), seed=1)
    >>> fastsudoku.is_minimal(puzzle), 81 - puzzle.count(".")
    (True, 25)
    """
    seed = check_seed(seed)
    cells, write = read(board)
    status, _ = _engine.engine.solve(cells)
    if status != Status.UNIQUE:
        raise SudokuError(_not_unique(status))
    made, _ = minimize_values(cells, {}, seed, 0, 1)
    puzzle = write(bytes(made.puzzles.cells.cast("B")))
    return with_blanks(puzzle, blank_of(board))  # type: ignore[no-any-return]


def minimize_many(
    boards: Any,
    *,
    seed: int | None = None,
    start: int = 0,
    threads: int | None = None,
    errors: Errors = "raise",
    progress: Progress | None = None,
) -> Generated:
    """Drop clues of many puzzles, in random order, as long as one can be dropped.

    Parameters
    ----------
    boards : list or tuple of boards, str or bytes, or array of shape (N, 81) or (N, 9, 9)
        Puzzles with one solution each, in any form that `solve_many` takes.
    seed : int, optional
        From 0 to 2**64 - 1. What becomes of puzzle i depends on it, the seed and `start` + i. Without a seed
        each call differs.
    start : int, default 0
        The row of the first puzzle, so that work can be divided, or gone on with.
    threads, progress
        As for `solve_many`.
    errors : {"raise", "mark"}
        What to do where a row is no board, or has no solution or several: raise, or return zeros for it and a
        message in `Generated.errors`.

    Returns
    -------
    Generated
        The minimal puzzles, their solutions, clues and guesses.

    Raises
    ------
    BoardError
        If a row is not a board (with ``errors="raise"``), or the whole is not a batch of boards.
    SudokuError
        If a row has no solution or several (with ``errors="raise"``), or another argument is wrong.

    Examples
    --------
    >>> import fastsudoku
    >>> made = fastsudoku.minimize_many(fastsudoku.random_grids(100, seed=1), seed=1)
    >>> all(made.minimal)
    True
    """
    check_threads(threads)
    check_errors(errors)
    check_progress(progress)
    seed = check_seed(seed)
    start = check_integer("start", start, 0, LARGEST_SEED)
    cells, messages = read_many(boards, errors)
    made, statuses = minimize_values(cells, messages, seed, start, threads, progress)
    note_changed(bad_rows(statuses), messages, errors)
    made.errors |= messages
    if made.errors and errors == "raise":
        _, message = min(made.errors.items())
        raise SudokuError(message)
    return made


def minimize_values(
    cells: bytes | bytearray | memoryview,
    messages: dict[int, str],
    seed: int,
    start: int,
    threads: int | None,
    progress: Progress | None = None,
) -> tuple[Generated, memoryview]:
    """Make puzzles minimal that are read already: those of rows from `start` on, as for `minimize_many`.

    What is returned are the puzzles, of which `errors` says which have no solution or several, and the statuses
    of the boards.
    """
    cells = bytes(cells)  # which nobody else can change meanwhile
    batch = solve_values(cells, messages, threads)
    made = Generated(len(batch), seed, start)
    made.solutions = BoardList(batch._digits)
    statuses = batch.status.tobytes()
    if statuses.count(Status.UNIQUE) < len(batch):
        for row, status in enumerate(statuses):
            if status != Status.UNIQUE:
                # Without a solution, the engine leaves a row alone.
                batch._digits[81 * row : 81 * row + 81] = bytes(81)
                if status != Status.NOT_A_BOARD:
                    made.errors[row] = f"boards[{row}]: {_not_unique(status)}"
    plan = Plan(seed, start, orbits("none"), 0, 81, True, b"", ANY_GUESSES, 1, b"")
    carve(made, plan, cells, threads, progress)
    return made, batch.status


def redundant_clues(board: Any) -> list[tuple[int, int]]:
    """List the clues of a puzzle of which any one could be dropped.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        A puzzle with one solution, of any kind that `solve` takes.

    Returns
    -------
    list of (int, int)
        Row and column, counted from 1, of each clue without which the puzzle still has one solution. (Without
        two of them it may have several.)

    Raises
    ------
    BoardError
        If it is not a board.
    SudokuError
        If it has no solution or several.

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> fastsudoku.redundant_clues(puzzle)[:2]
    [(1, 1), (1, 2)]
    """
    cells, _ = read(board)
    status, _ = _engine.engine.solve(cells)
    if status != Status.UNIQUE:
        raise SudokuError(_not_unique(status))
    return [(cell // 9 + 1, cell % 9 + 1) for cell in _redundant_cells(cells)]


def is_minimal(board: Any) -> bool:
    """Tell whether a board is a minimal puzzle: it has one solution, and several without any of its clues.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, of any kind that `solve` takes.

    Returns
    -------
    bool
        False, too, if it has no solution or several.

    Raises
    ------
    BoardError
        If it is not a board.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.is_minimal(fastsudoku.generate(1, seed=1)[0].puzzle)
    True
    """
    cells, _ = read(board)
    return _engine.engine.count(cells, 2) == 1 and not _redundant_cells(cells)


def _redundant_cells(cells: bytes) -> list[int]:
    """Return the clues of a puzzle with one solution that has one still without that clue."""
    clues = [cell for cell in range(81) if cells[cell]]
    boards = b"".join(cells[:cell] + b"\0" + cells[cell + 1 :] for cell in clues)
    counts = memoryview(bytearray(8 * len(clues))).cast("q")
    _engine.engine.count_range(boards, counts, 2, 0, len(clues))
    return [cell for cell, found in zip(clues, counts, strict=True) if found == 1]


def _not_unique(status: int) -> str:
    number = "several solutions" if status else "no solution"
    return f"the board has {number}; only a puzzle with one can be minimal"
