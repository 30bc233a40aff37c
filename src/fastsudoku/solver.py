"""One board: solve it, count and list its solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fastsudoku import _engine, boards
from fastsudoku.arguments import check_count

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, TypeVar

    BoardT = TypeVar("BoardT")


def read(board: Any) -> tuple[bytes, Callable[[bytes], Any]]:
    """Read a board, the common kinds by a shorter way; return its cells, and what writes its kind."""
    kind = type(board)
    if kind is str:
        cells = _engine.engine.read_text(board)
        if cells is not None:
            return cells, boards.to_text
    elif kind is list:
        cells = _engine.engine.read_rows(board)
        if cells is not None:
            return cells, _engine.engine.write_rows
    return boards.read(board)


def solve(board: BoardT) -> BoardT | None:
    """Solve a board.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, row by row. In text, a blank is one of ``. 0 _ * ? x X`` (and ``-`` where that makes 81
        cells), and white space and frames (``| + - =`` and box-drawing characters) between the cells are
        skipped; after 81 adjoining cells, the rest of the line is not read. In sequences, a cell is an
        integer (0 for a blank), a character, or None for a blank. Arrays are anything of shape (9, 9) or
        (81,) and an integer type that NumPy or the buffer protocol can read; 81 `bytes` of values from 0
        to 9 are one too. It is not changed.

    Returns
    -------
    same kind as `board`, or None
        The solution, None if there is none (clues that contradict each other have none). Of several
        solutions it is the lexicographically smallest one: the one that a search cell by cell, digits
        ascending, would meet first. What only NumPy can read, such as a tensor, comes back as an array.

    Raises
    ------
    BoardError
        If it is not a board; the message names the cell.

    See Also
    --------
    solve_inplace, is_unique, count, solutions, solve_many

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    '534678912672195348198342567859761423426853791713924856961537284287419635345286179'
    >>> fastsudoku.solve("11" + "." * 79) is None
    True
    """
    kind = type(board)
    if kind is str or kind is list:
        answer = _engine.engine.solve_text(board) if kind is str else _engine.engine.solve_rows(board)
        if answer is not NotImplemented:
            return answer  # type: ignore[no-any-return]
    cells, write = read(board)
    status, solution = _engine.engine.solve(cells)
    return write(solution) if status else None


def solve_inplace(board: Any) -> bool:
    """Solve a board by filling its blanks.

    Parameters
    ----------
    board : 9x9 list of lists, flat list of 81, bytearray, or writable array
        The board, of any kind that `solve` takes and that can be assigned to. Only blanks are assigned;
        they get integers, or characters where the board has characters.

    Returns
    -------
    bool
        True if the board is solved (the smallest solution, if there are several), False if it has no
        solution and is as it was.

    Raises
    ------
    BoardError
        If it is not a board, or cannot be assigned to; it is then as it was.

    Examples
    --------
    >>> import fastsudoku
    >>> board = [[0] * 9 for _ in range(9)]
    >>> fastsudoku.solve_inplace(board)
    True
    >>> board[0]
    [1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    cells, _ = read(board)
    places = boards.places(board)
    status, solution = _engine.engine.solve(cells)
    if not status:
        return False
    boards.fill(board, cells, solution, places)
    return True


def count(board: Any, limit: int = 2) -> int:
    """Count the solutions of a board, up to a limit.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, of any kind that `solve` takes.
    limit : int, default 2
        Stop at so many. (The empty board has 6,670,903,752,021,072,936,960 solutions.)

    Returns
    -------
    int
        The number of solutions; `limit` means that there are at least so many.

    Raises
    ------
    BoardError
        If it is not a board.
    SudokuError
        If the limit is not an integer of 1 or more.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.count("." * 81, limit=1000)
    1000
    """
    limit = check_count("limit", limit)
    return _engine.engine.count(read(board)[0], limit)


def is_unique(board: Any) -> bool:
    """Tell whether a board has exactly one solution.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, of any kind that `solve` takes.

    Returns
    -------
    bool
        False if it has none, or several.

    Raises
    ------
    BoardError
        If it is not a board.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.is_unique("." * 81)
    False
    """
    return _engine.engine.count(read(board)[0], 2) == 1


def solutions(board: BoardT) -> Iterator[BoardT]:
    """Yield all solutions of a board, in lexicographic order.

    Each is searched for when it is asked for, so that the first of very many come at once.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, of any kind that `solve` takes.

    Yields
    ------
    same kind as `board`
        The next solution.

    Raises
    ------
    BoardError
        If it is not a board; raised by the call, not by the first step.

    Examples
    --------
    >>> import fastsudoku
    >>> from itertools import islice
    >>> [grid[60:] for grid in islice(fastsudoku.solutions("." * 81), 3)]
    ['978642978531978531642', '978648971532972538641', '978672938541948571632']
    """
    cells, write = read(board)
    return map(write, _engine.engine.solutions(cells))


def classic(board: BoardT) -> BoardT | None:
    """Solve a board by the classical search, for teaching and for comparison.

    The first blank in row-major order gets each digit in turn, smallest first, that is not yet in use in
    its row, column and box; no digit left means going back to the blank before. Nothing is inferred. The
    answer is that of `solve`, which is met first in this order, but on some boards with 17 clues this search
    needs more than a billion steps. It can be interrupted with Ctrl-C.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, of any kind that `solve` takes.

    Returns
    -------
    same kind as `board`, or None
        The first solution, None if there is none.

    Raises
    ------
    BoardError
        If it is not a board.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.classic("." * 81) == fastsudoku.solve("." * 81)
    True
    """
    cells, write = read(board)
    solution = _engine.engine.classic(cells)
    return None if solution is None else write(solution)
