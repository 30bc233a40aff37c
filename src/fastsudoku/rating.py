"""How hard puzzles are: the guesses of the search, and the techniques that solve them without any."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from enum import IntFlag

from fastsudoku import _engine
from fastsudoku.arguments import (
    LARGEST_SEED,
    check_errors,
    check_integer,
    check_progress,
    check_seed,
    check_shuffles,
    check_threads,
)
from fastsudoku.batch import Status, bad_rows, count_threads, note_changed, solve_values
from fastsudoku.plans import GUESSES_UNKNOWN
from fastsudoku.reading import read_many
from fastsudoku.solver import read
from fastsudoku.threads import divide

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, overload

    from fastsudoku.batch import Errors
    from fastsudoku.threads import Progress

#: What the ratings are made with: its guesses can change only with this.
ALGORITHM = f"fastsudoku, rules {_engine.RULES}"

# Equivalent forms that are solved together.
_FORMS_AT_ONCE = 1 << 16


class Technique(IntFlag):
    """A set of techniques that solve a puzzle without guesses. The numbers are those in `Ratings.techniques`.

    Each digit that is placed goes from the other cells of its row, column and box.

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> fastsudoku.Technique.HIDDEN_SINGLES in fastsudoku.rate(puzzle).techniques
    True
    """

    #: A cell with one candidate left gets it.
    NAKED_SINGLES = 1
    #: A digit with one place left in a row, column or box goes there (whatever else the cell could be).
    HIDDEN_SINGLES = 2
    #: Both of these together.
    SINGLES = 4
    #: Both, and locked candidates: a digit whose places in a box are in one row or column goes from the rest of
    #: it, and the other way round.
    LOCKED_CANDIDATES = 8
    #: All of these, and what follows from the three digits of a minirow or minicolumn: all rules of the engine.
    TRIADS = 16


# Simplest first.
_NAMES = {
    Technique.NAKED_SINGLES: "naked singles",
    Technique.HIDDEN_SINGLES: "hidden singles",
    Technique.SINGLES: "singles",
    Technique.LOCKED_CANDIDATES: "locked candidates",
    Technique.TRIADS: "triads",
}


class Spread(namedtuple("Spread", ("mean", "median", "low", "high", "shuffles"))):
    """The guesses of many equivalent forms of a puzzle.

    Attributes
    ----------
    mean, median : float
        Of all forms.
    low, high : int
        The fewest and the most guesses.
    shuffles : int
        The number of forms.

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> spread = fastsudoku.rate(puzzle, shuffles=20, seed=1).spread
    >>> spread.low <= spread.median <= spread.high
    True
    """

    __slots__ = ()

    mean: float
    median: float
    low: int
    high: int
    shuffles: int


class Rating(namedtuple("Rating", ("status", "guesses", "techniques", "spread", "algorithm", "error"))):
    """How hard a puzzle is.

    Attributes
    ----------
    status : Status
        Whether it has no solution, one or several, or is not a board.
    guesses : int or None
        Branch nodes of the search that proves that there is one solution, or none: 0 where inference alone
        does. None for the other statuses. They depend on the algorithm, and on how the puzzle is turned and
        relabelled: see `spread`.
    techniques : Technique
        The techniques that suffice, each on its own, to solve a puzzle with one solution. None of them: it
        takes guesses.
    spread : Spread or None
        The guesses of equivalent forms, if asked for, of a puzzle with one solution.
    algorithm : str
        What the guesses were counted with.
    error : str or None
        Why it is not a board, if it is not one.
    technique : str or None
        The simplest technique that suffices: "naked singles", "hidden singles", "singles" (both), "locked
        candidates", "triads" or "guesses".
    naked_singles, hidden_singles, singles, locked_candidates : bool
        Whether these suffice (the last two together with all before).

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rating = fastsudoku.rate(puzzle)
    >>> rating.guesses, rating.technique, rating.locked_candidates
    (0, 'naked singles', True)
    """

    __slots__ = ()

    status: Status
    guesses: int | None
    techniques: Technique
    spread: Spread | None
    algorithm: str
    error: str | None

    @property
    def technique(self) -> str | None:
        """The simplest technique that suffices."""
        if self.status != Status.UNIQUE:
            return None
        return next((name for technique, name in _NAMES.items() if technique in self.techniques), "guesses")

    @property
    def naked_singles(self) -> bool:
        """Whether naked singles suffice."""
        return Technique.NAKED_SINGLES in self.techniques

    @property
    def hidden_singles(self) -> bool:
        """Whether hidden singles suffice."""
        return Technique.HIDDEN_SINGLES in self.techniques

    @property
    def singles(self) -> bool:
        """Whether naked and hidden singles suffice together."""
        return Technique.SINGLES in self.techniques

    @property
    def locked_candidates(self) -> bool:
        """Whether singles and locked candidates suffice together."""
        return Technique.LOCKED_CANDIDATES in self.techniques


class Ratings:
    """The ratings of many puzzles, in their order; as a sequence it has one `Rating` per puzzle.

    Attributes
    ----------
    status : memoryview of uint8, shape (N,)
        A `Status` per board.
    guesses : memoryview of uint32, shape (N,)
        The guesses, 0xFFFFFFFF for boards with several solutions and for what is not a board.
    techniques : memoryview of uint8, shape (N,)
        The `Technique` flags.
    spreads : list of (Spread or None)
        The guesses of equivalent forms; None where they were not asked for, or there is not one solution.
    algorithm : str
        What the guesses were counted with.
    errors : dict of int to str
        Why a row is not a board, by its index.

    Examples
    --------
    >>> import fastsudoku
    >>> ratings = fastsudoku.rate_many(fastsudoku.generate(3, clues=30, seed=2).puzzles)
    >>> [rating.technique for rating in ratings]
    ['hidden singles', 'hidden singles', 'hidden singles']
    """

    def __init__(
        self,
        status: memoryview,
        guesses: memoryview,
        techniques: memoryview,
        spreads: list[Spread | None],
        errors: dict[int, str],
    ) -> None:
        self.status = status
        self.guesses = guesses
        self.techniques = techniques
        self.spreads = spreads
        self.algorithm = ALGORITHM
        self.errors = errors

    def __len__(self) -> int:
        return len(self.status)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Rating: ...

        @overload
        def __getitem__(self, index: slice) -> list[Rating]: ...

    def __getitem__(self, index: int | slice) -> Rating | list[Rating]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        try:
            row = range(len(self))[index]
        except IndexError:
            raise IndexError(f"row {index} of {len(self)} ratings") from None
        guesses = self.guesses[row]
        return Rating(
            Status(self.status[row]),
            None if guesses == GUESSES_UNKNOWN else guesses,
            Technique(self.techniques[row]),
            self.spreads[row],
            self.algorithm,
            self.errors.get(row),
        )

    def __iter__(self) -> Iterator[Rating]:
        return (self[row] for row in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        buffers = bytes(self.status), bytes(self.guesses), bytes(self.techniques)
        return _restored, (*buffers, self.spreads, self.errors)

    def __repr__(self) -> str:
        return f"<Ratings of {len(self)} board{'s' * (len(self) != 1)} by {self.algorithm}>"


def _restored(
    status: bytes, guesses: bytes, techniques: bytes, spreads: list[Spread | None], errors: dict[int, str]
) -> Ratings:
    """Put the parts together again, as for unpickling."""
    buffers = memoryview(status), memoryview(guesses).cast("I"), memoryview(techniques)
    return Ratings(*buffers, spreads, errors)


def rate(board: Any, *, shuffles: int = 0, seed: int | None = None) -> Rating:
    """Tell how hard a puzzle is.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The puzzle, of any kind that `solve` takes.
    shuffles : int, default 0
        Count the guesses of so many equivalent forms as well, 1,000,000 at most: the puzzle with its digits
        exchanged, its bands, stacks, rows and columns in another order, and transposed or not, at random. One
        number says little about a puzzle: its forms can differ by several times.
    seed : int, optional
        From 0 to 2**64 - 1: the same seed gives the same forms. Without one each call differs.

    Returns
    -------
    Rating
        Guesses, the techniques that suffice, and the spread over equivalent forms.

    Raises
    ------
    BoardError
        If it is not a board.
    SudokuError
        If another argument is wrong.

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> rating = fastsudoku.rate(puzzle, shuffles=100, seed=1)
    >>> rating.guesses, rating.technique, rating.algorithm
    (49, 'guesses', 'fastsudoku, rules 1')
    >>> rating.spread
    Spread(mean=46.99, median=47.0, low=40, high=54, shuffles=100)
    """
    shuffles = check_shuffles(shuffles)
    seed = check_seed(seed)
    cells, _ = read(board)
    return rate_values(cells, {}, None, shuffles, seed)[0]


def rate_many(
    boards: Any,
    *,
    shuffles: int = 0,
    seed: int | None = None,
    start: int = 0,
    threads: int | None = None,
    errors: Errors = "raise",
    progress: Progress | None = None,
) -> Ratings:
    """Tell how hard many puzzles are.

    Parameters
    ----------
    boards : list or tuple of boards, str or bytes, or array of shape (N, 81) or (N, 9, 9)
        The puzzles, in any form that `solve_many` takes.
    shuffles, seed
        As for `rate`. The forms of puzzle i depend on the seed and `start` + i.
    start : int, default 0
        The row of the first puzzle, so that work can be divided, or gone on with.
    threads, errors, progress
        As for `solve_many`; the progress is that without equivalent forms.

    Returns
    -------
    Ratings
        Guesses and techniques of all puzzles.

    Raises
    ------
    BoardError
        If a row is not a board (with ``errors="raise"``), or the whole is not a batch of boards.
    SudokuError
        If another argument is wrong.

    Examples
    --------
    >>> import fastsudoku
    >>> ratings = fastsudoku.rate_many(fastsudoku.generate(100, clues=30, seed=1).puzzles)
    >>> sum(rating.singles for rating in ratings)
    86
    """
    shuffles = check_shuffles(shuffles)
    seed = check_seed(seed)
    start = check_integer("start", start, 0, LARGEST_SEED)
    check_threads(threads)
    check_errors(errors)
    check_progress(progress)
    cells, messages = read_many(boards, errors)
    ratings = rate_values(cells, messages, threads, shuffles, seed, start, progress)
    note_changed(bad_rows(ratings.status), messages, errors)
    return ratings


def rate_values(
    cells: bytes | bytearray | memoryview,
    messages: dict[int, str],
    threads: int | None,
    shuffles: int = 0,
    seed: int = 0,
    start: int = 0,
    progress: Progress | None = None,
) -> Ratings:
    """Rate puzzles that are read already: those of rows from `start` on, as for `rate_many`."""
    batch = solve_values(cells, messages, threads, progress)
    flags = memoryview(bytearray(len(batch)))
    technique_range = _engine.engine.technique_range

    def work(first: int, last: int, stop: bytearray, shared: Any) -> None:
        technique_range(cells, batch.status, batch.guesses, flags, first, last, stop, shared)

    divide(work, len(batch), count_threads(threads), None, _engine.engine.new_counter)
    spreads: list[Spread | None] = [None] * len(batch)
    if shuffles:
        for row, status in enumerate(batch.status.tobytes()):
            if status == Status.UNIQUE:
                board = bytes(cells[81 * row : 81 * row + 81])
                spreads[row] = _spread(board, shuffles, seed, start + row, threads)
    return Ratings(batch.status, batch.guesses, flags, spreads, batch.errors)


def _spread(cells: bytes, shuffles: int, seed: int, row: int, threads: int | None) -> Spread:
    """Return the guesses of so many equivalent forms of a puzzle."""
    guesses: list[int] = []
    while len(guesses) < shuffles:
        count = min(shuffles - len(guesses), _FORMS_AT_ONCE)
        forms = _engine.engine.new_buffer(81 * count)
        _engine.engine.form_range(seed, len(guesses), cells, memoryview(forms), row)
        guesses += solve_values(forms, {}, threads).guesses
    guesses.sort()
    middle = (guesses[(shuffles - 1) // 2] + guesses[shuffles // 2]) / 2
    return Spread(sum(guesses) / shuffles, middle, guesses[0], guesses[-1], shuffles)
