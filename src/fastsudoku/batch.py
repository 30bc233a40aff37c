"""Many boards: solve or count them together, or one after the other from a stream."""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import islice, repeat
from time import perf_counter

from fastsudoku import _engine
from fastsudoku.arguments import check_errors, check_limit, check_progress, check_threads
from fastsudoku.board_list import as_table
from fastsudoku.boards import BoardError, SudokuError, to_text
from fastsudoku.reading import read_many
from fastsudoku.streams import Stream, open_stream
from fastsudoku.threads import count_cpus, divide

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias, overload

    from fastsudoku.threads import Progress

    Errors: TypeAlias = Literal["raise", "mark"]

# Rows of a batch that are made results of together.
_PART = 1024

# A count of -1.
_NO_COUNT = b"\xff" * 8

# The boards that solve_iter takes from its source before it gives back results, after the first one and at
# most; the seconds for which it solves them, about.
_FIRST_STEP = 512
_LARGEST_STEP = 16384
_LONGEST_STEP = 0.05


class Status(IntEnum):
    """What is known of a board after a search.

    The numbers are those in `Batch.status`.
    """

    NO_SOLUTION = 0
    UNIQUE = 1
    SEVERAL = 2
    NOT_A_BOARD = 255


_STATUSES = {status.value: status for status in Status}


class Result(namedtuple("Result", ("status", "solution", "guesses", "error"), defaults=(None,))):
    """The answer for one board of many.

    Attributes
    ----------
    status : Status
        Whether it has no solution, one or several, or is not a board.
    solution : str or None
        81 digits, the smallest solution if there are several; None if there is none.
    guesses : int
        Branch nodes of the whole search tree, which is a measure of how hard the board is: 0 where inference
        alone decides. Known for the first two statuses, else 0xFFFFFFFF.
    error : str or None
        Why it is not a board, if it is not one.
    """

    __slots__ = ()

    status: Status
    solution: str | None
    guesses: int
    error: str | None


class Batch:
    """The answers for many boards, in their order.

    The three buffers can be used where they are, without a copy, by anything that knows the buffer
    protocol: ``numpy.asarray(batch.solutions)`` has shape (N, 81). As a sequence a batch has one `Result`
    per board.

    Attributes
    ----------
    status : memoryview of uint8, shape (N,)
        A `Status` per board.
    solutions : memoryview of uint8, shape (N, 81)
        The solutions, digits from 1 to 9; zeros where there is none.
    guesses : memoryview of uint32, shape (N,)
        The branch nodes per board; see `Result`.
    errors : dict of int to str
        Why a row is not a board, by its index.

    Examples
    --------
    >>> import fastsudoku
    >>> batch = fastsudoku.solve_many(["." * 81, "11" + "." * 79])
    >>> list(batch.status)
    [2, 0]
    >>> batch[1]
    Result(status=<Status.NO_SOLUTION: 0>, solution=None, guesses=0, error=None)
    """

    def __init__(self, length: int, errors: dict[int, str]) -> None:
        self._digits = _engine.engine.new_buffer(81 * length)
        self.status = memoryview(bytearray(length))
        self.solutions = as_table(self._digits, length)
        self.guesses = memoryview(_engine.engine.new_buffer(4 * length)).cast("I")
        self.errors = errors

    def __len__(self) -> int:
        return len(self.status)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Result: ...

        @overload
        def __getitem__(self, index: slice) -> list[Result]: ...

    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        try:
            row = range(len(self))[index]
        except IndexError:
            raise IndexError(f"row {index} of a batch of {len(self)} boards") from None
        return Result(Status(self.status[row]), self._text(row), self.guesses[row], self.errors.get(row))

    def __iter__(self) -> Iterator[Result]:
        digits = memoryview(self._digits)
        # A part at a time, so that not all texts are in memory.
        for first in range(0, len(self), _PART):
            rows = range(first, min(first + _PART, len(self)))
            statuses = self.status[rows.start : rows.stop]
            texts = _engine.engine.write_texts(digits[81 * rows.start : 81 * rows.stop], statuses)
            guesses = self.guesses[rows.start : rows.stop]
            values = zip(
                map(_STATUSES.__getitem__, statuses), texts, guesses, map(self.errors.get, rows), strict=True
            )
            # As Result(*values) does it, for all of them without a step in Python.
            yield from map(tuple.__new__, repeat(Result), values)

    def __reduce__(self) -> tuple[Any, ...]:
        state = bytes(self.status), bytes(self._digits), self.guesses.tobytes(), self.errors
        return _restored_batch, state

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{bytes(self.status).count(status)} {status.name.lower().replace('_', ' ')}" for status in Status
        )
        return f"<Batch of {len(self)} board{'s' * (len(self) != 1)}: {counts}>"

    def _text(self, row: int) -> str | None:
        digits = self._digits[81 * row : 81 * row + 81]
        return to_text(digits) if digits[0] else None

    def strings(self) -> list[str | None]:
        """Return the solutions as text.

        Returns
        -------
        list of (str or None)
            81 digits for each board, None where there is no solution.
        """
        return _engine.engine.write_texts(self._digits, self.status)

    def lines(self) -> bytes:
        r"""Return the solutions as the lines of a text file.

        Returns
        -------
        bytes
            81 digits and a line feed for each board, only the line feed where there is no solution.

        Examples
        --------
        >>> import fastsudoku
        >>> fastsudoku.solve_many(["11" + "." * 79, "." * 81]).lines()[:10]
        b'\n123456789'
        """
        return _engine.engine.write_text_lines(self._digits, self.status)


def _restored_batch(status: bytes, digits: bytes, guesses: bytes, errors: dict[int, str]) -> Batch:
    """Make a batch of its parts, as for unpickling."""
    batch = Batch(len(status), errors)
    batch.status[:] = status
    batch._digits[:] = digits
    batch.guesses[:] = memoryview(guesses).cast("I")
    return batch


def solve_many(
    boards: Any,
    *,
    threads: int | None = None,
    errors: Errors = "raise",
    progress: Progress | None = None,
) -> Batch:
    """Solve many boards.

    Parameters
    ----------
    boards : list or tuple of boards, str or bytes, or array of shape (N, 81) or (N, 9, 9)
        The boards: each of any kind that `solve` takes; or text with one board a line, or with 81 * N cells;
        or integers, of which uint8 in C order are read in place.
    threads : int, optional
        The most threads to use; by default as many as there are CPUs for this process. The result never
        depends on it. A few hundred easy boards are solved in the calling thread. The pure engine has one
        thread, as long as Python runs one at a time.
    errors : {"raise", "mark"}
        What to do where a row is not a board: raise before anything is solved, or give it the status
        NOT_A_BOARD and a message in `Batch.errors`. (A board of an array that another thread changes
        meanwhile, so that it is none any more, is noticed at the end.)
    progress : callable, optional
        Called now and then with the number of boards done (or begun, by all threads) and of all boards.

    Returns
    -------
    Batch
        The answers by index.

    Raises
    ------
    BoardError
        If a row is not a board (with ``errors="raise"``), or the whole is not a batch of boards.
    SudokuError
        If another argument is wrong.

    Examples
    --------
    >>> import fastsudoku
    >>> batch = fastsudoku.solve_many(["." * 81, "x", "11" + "." * 79], errors="mark")
    >>> [result.status.name for result in batch]
    ['SEVERAL', 'NOT_A_BOARD', 'NO_SOLUTION']
    >>> batch.errors
    {1: 'boards[1]: board has 1 cell, expected 81'}
    """
    check_threads(threads)
    check_errors(errors)
    check_progress(progress)
    cells, messages = read_many(boards, errors)
    batch = solve_values(cells, messages, threads, progress)
    note_changed(bad_rows(batch.status), messages, errors)
    return batch


def bad_rows(status: memoryview) -> Iterable[int]:
    """Return the rows that are not boards."""
    statuses = status.tobytes()
    if Status.NOT_A_BOARD not in statuses:
        return ()
    return [row for row, status in enumerate(statuses) if status == Status.NOT_A_BOARD]


def note_changed(rows: Iterable[int], messages: dict[int, str], errors: Errors, start: int = 0) -> None:
    """Add messages for rows that were boards when they were read; `start` is the index of the first one."""
    for row in rows:
        if row not in messages:
            messages[row] = (
                f"boards[{start + row}]: it was changed while the boards were solved, and is no board any more"
            )
            if errors == "raise":
                raise BoardError(messages[row])


def solve_values(
    cells: bytes | bytearray | memoryview,
    messages: dict[int, str],
    threads: int | None,
    progress: Progress | None = None,
) -> Batch:
    """Solve boards that are read already: 81 values each, above 9 in those that are none."""
    batch = Batch(len(cells) // 81, messages)
    digits = memoryview(batch._digits)
    solve_range = _engine.engine.solve_range

    def work(first: int, last: int, stop: bytearray, shared: Any) -> None:
        solve_range(cells, batch.status, digits, batch.guesses, first, last, stop, shared)

    divide(work, len(batch), count_threads(threads), progress, _engine.engine.new_counter)
    return batch


def count_many(
    boards: Any,
    *,
    limit: int = 2,
    threads: int | None = None,
    errors: Errors = "raise",
    progress: Progress | None = None,
) -> memoryview:
    """Count the solutions of many boards, each up to a limit.

    Parameters
    ----------
    boards : list or tuple of boards, str or bytes, or array of shape (N, 81) or (N, 9, 9)
        The boards, as for `solve_many`.
    limit : int, default 2
        Stop at so many solutions of a board; at most 2**63 - 1.
    threads, errors, progress
        As for `solve_many`.

    Returns
    -------
    memoryview of int64, shape (N,)
        The number of solutions of each board, where `limit` means at least so many; -1 where a row is not
        a board (with ``errors="mark"``).

    Raises
    ------
    BoardError
        If a row is not a board (with ``errors="raise"``), or the whole is not a batch of boards.
    SudokuError
        If another argument is wrong.

    Examples
    --------
    >>> import fastsudoku
    >>> list(fastsudoku.count_many(["." * 81, "11" + "." * 79], limit=10))
    [10, 0]
    """
    check_threads(threads)
    check_errors(errors)
    check_progress(progress)
    limit = check_limit(limit)
    cells, messages = read_many(boards, errors)
    counts = count_values(cells, limit, threads, progress)
    if errors == "raise" and _NO_COUNT in counts.tobytes():
        note_changed((row for row, count in enumerate(counts) if count < 0), messages, errors)
    return counts


def count_values(
    cells: bytes | bytearray | memoryview,
    limit: int,
    threads: int | None,
    progress: Progress | None = None,
) -> memoryview:
    """Count the solutions of boards that are read already; see `solve_values`."""
    counts = memoryview(bytearray(8 * (len(cells) // 81))).cast("q")
    count_range = _engine.engine.count_range

    def work(first: int, last: int, stop: bytearray, shared: Any) -> None:
        count_range(cells, counts, limit, first, last, stop, shared)

    divide(work, len(counts), count_threads(threads), progress, _engine.engine.new_counter)
    return counts


def solve_iter(
    boards: Iterable[Any],
    *,
    threads: int | None = None,
    errors: Errors = "raise",
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Solve boards from a stream, in their order and in bounded memory.

    Parameters
    ----------
    boards : iterable of boards, or an open text file
        Boards of any kind that `solve` takes. The first result comes after the first board. Later on boards
        are taken ahead, so that they must not wait for results: for two milliseconds, and 16,384 at most. A
        text file has a board a line, or nine lines of nine cells. (A table is to be read by other means, and
        its column with boards given here.)
    threads, errors
        As for `solve_many`; an error is raised after the results of the boards before.
    progress : callable, optional
        Called now and then with the number of boards done, and None as there is no knowing how many come.

    Yields
    ------
    Result
        The answer for the next board.

    Raises
    ------
    BoardError
        If a row is not a board (with ``errors="raise"``).
    SudokuError
        If another argument is wrong.

    Examples
    --------
    >>> import fastsudoku
    >>> for result in fastsudoku.solve_iter("." * 81 for _ in range(2)):
    ...     print(result.status.name, result.solution[:9])
    SEVERAL 123456789
    SEVERAL 123456789
    """
    check_threads(threads)
    check_errors(errors)
    check_progress(progress)
    is_text = isinstance(boards, (str, bytes, bytearray, memoryview))
    if is_text or not hasattr(boards, "__iter__") or hasattr(boards, "keys") or not getattr(boards, "shape", 1):
        raise SudokuError(
            "solve_iter takes an iterable of boards, such as a list or an open file, not "
            f"{type(boards).__name__}; for many boards in one text use solve_many"
        )
    return _solve_steps(open_stream(boards), threads, errors, progress)


def _solve_steps(
    stream: Stream, threads: int | None, errors: Errors, progress: Progress | None
) -> Iterator[Result]:
    done = 0
    most = 1
    while True:
        cells, messages = stream.take(most)
        if not cells:
            break
        start = perf_counter()
        batch = solve_values(cells, messages, threads)
        rate = len(batch) / max(perf_counter() - start, 1e-6)
        note_changed(bad_rows(batch.status), messages, "mark", done)
        # The second step is a large one already, if the boards are not slow.
        most = max(min(int(rate * _LONGEST_STEP), max(2 * most, _FIRST_STEP), _LARGEST_STEP), 1)
        if batch.errors and errors == "raise":
            row = min(batch.errors)
            yield from islice(batch, row)
            raise BoardError(batch.errors[row])
        yield from batch
        done += len(batch)
        if progress is not None:
            progress(done, None)
    if stream.end is not None and not isinstance(stream.end, StopIteration):
        raise stream.end


def count_threads(threads: int | None) -> int:
    """Return how many threads are used where so many may be."""
    if _engine.engine.NAME == "python" and getattr(sys, "_is_gil_enabled", lambda: True)():
        return 1  # they would wait for each other
    return threads or count_cpus()
