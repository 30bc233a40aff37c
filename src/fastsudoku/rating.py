"""How hard puzzles are: the guesses of the search, and the techniques that solve them without any."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from enum import IntFlag

from fastsudoku import _engine
from fastsudoku.arguments import check_errors, check_integer, check_progress, check_threads
from fastsudoku.batch import Status, count_threads, solve_values
from fastsudoku.generator import check_seed
from fastsudoku.philox import Stream
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

_GUESSES_UNKNOWN = 0xFFFFFFFF
_MOST_SHUFFLES = 1_000_000


class Technique(IntFlag):
    """A set of techniques that solves a puzzle without guesses. The numbers are those in `Ratings.techniques`.

    Each digit that is placed goes from the other cells of its row, column and box.
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
        Whether it has no solution, one or several, or is not a board. All else is known of one with one
        solution.
    guesses : int or None
        Branch nodes of the search that proves it unique: 0 where inference alone solves it. They depend on the
        algorithm, and on how the puzzle is turned and relabelled: see `spread`.
    techniques : Technique
        The techniques that suffice, each on its own, to solve it. None of them: it takes more (other rules of
        the engine if there are no guesses).
    spread : Spread or None
        The guesses of equivalent forms, if asked for.
    algorithm : str
        What the guesses were counted with.
    error : str or None
        Why it is not a board, if it is not one.
    """

    __slots__ = ()

    status: Status
    guesses: int | None
    techniques: Technique
    spread: Spread | None
    algorithm: str
    error: str | None

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
    algorithm : str
        What the guesses were counted with.
    errors : dict of int to str
        Why a row is not a board, by its index.
    """

    def __init__(
        self, status: memoryview, guesses: memoryview, techniques: memoryview, errors: dict[int, str]
    ) -> None:
        self.status = status
        self.guesses = guesses
        self.techniques = techniques
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
            None if guesses == _GUESSES_UNKNOWN else guesses,
            Technique(self.techniques[row]),
            None,
            self.algorithm,
            self.errors.get(row),
        )

    def __iter__(self) -> Iterator[Rating]:
        return (self[row] for row in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (bytes(self.status), bytes(self.guesses), bytes(self.techniques), self.errors)

    def __repr__(self) -> str:
        return f"<Ratings of {len(self)} board{'s' * (len(self) != 1)} by {self.algorithm}>"


def _restored(status: bytes, guesses: bytes, techniques: bytes, errors: dict[int, str]) -> Ratings:
    """Put the parts together again, as for unpickling."""
    return Ratings(memoryview(status), memoryview(guesses).cast("I"), memoryview(techniques), errors)


def rate(board: Any, *, shuffles: int = 0, seed: int | None = None) -> Rating:
    """Tell how hard a puzzle is.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The puzzle, of any kind that `solve` takes.
    shuffles : int, default 0
        Count the guesses of so many equivalent forms as well, 1,000,000 at most: the puzzle with its digits
        exchanged, its bands, stacks, rows and columns in another order, and transposed or not, at random. One
        number says little about a puzzle; its forms can differ by a factor of ten.
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
    >>> rating.guesses, rating.singles, rating.algorithm
    (49, False, 'fastsudoku, rules 1')
    >>> rating.spread
    Spread(mean=47.27, median=47.0, low=41, high=54, shuffles=100)
    """
    shuffles = check_shuffles(shuffles)
    seed = check_seed(seed)
    cells, _ = read(board)
    rating = rate_values(cells, {}, 1)[0]
    if shuffles and rating.status == Status.UNIQUE:
        rating = rating._replace(spread=spread_of(cells, shuffles, seed))
    return rating


def check_shuffles(shuffles: Any) -> int:
    """Return a number of equivalent forms as an integer; raise SudokuError if it is none."""
    return check_integer("shuffles", shuffles, 0, _MOST_SHUFFLES)


def spread_of(cells: bytes, shuffles: int, seed: int) -> Spread:
    """Return the guesses of so many equivalent forms of a puzzle."""
    forms = b"".join(equivalent_form(cells, Stream(seed, number)) for number in range(shuffles))
    guesses = sorted(solve_values(forms, {}, None).guesses)
    middle = (guesses[(shuffles - 1) // 2] + guesses[shuffles // 2]) / 2
    return Spread(sum(guesses) / shuffles, middle, guesses[0], guesses[-1], shuffles)


def equivalent_form(cells: bytes, stream: Stream) -> bytes:
    """Return a board that is the same puzzle: digits and lines in random order, and transposed or not."""
    digits = list(range(1, 10))
    stream.shuffle(digits)
    rows, columns = _random_lines(stream), _random_lines(stream)
    if stream.below(2):
        places = [9 * row + column for row in rows for column in columns]
    else:
        places = [9 * row + column for column in columns for row in rows]
    renamed = bytes(map(cells.__getitem__, places))
    return renamed.translate(bytes([0, *digits, *range(10, 256)]))


def _random_lines(stream: Stream) -> list[int]:
    """Return the nine rows (or columns) in a random order that keeps bands (or stacks) together."""
    bands = [0, 1, 2]
    stream.shuffle(bands)
    lines = []
    for band in bands:
        three = [3 * band, 3 * band + 1, 3 * band + 2]
        stream.shuffle(three)
        lines += three
    return lines


def rate_many(
    boards: Any,
    *,
    threads: int | None = None,
    errors: Errors = "raise",
    progress: Progress | None = None,
) -> Ratings:
    """Tell how hard many puzzles are.

    Parameters
    ----------
    boards : list or tuple of boards, str or bytes, or array of shape (N, 81) or (N, 9, 9)
        The puzzles, in any form that `solve_many` takes.
    threads, errors, progress
        As for `solve_many`.

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
    87
    """
    check_threads(threads)
    check_errors(errors)
    check_progress(progress)
    cells, messages = read_many(boards, errors)
    return rate_values(cells, messages, threads, progress)


def rate_values(
    cells: bytes | bytearray | memoryview,
    messages: dict[int, str],
    threads: int | None,
    progress: Progress | None = None,
) -> Ratings:
    """Rate puzzles that are read already."""
    batch = solve_values(cells, messages, threads, progress)
    flags = memoryview(bytearray(len(batch)))
    technique_range = _engine.engine.technique_range

    def work(first: int, last: int, stop: bytearray, shared: Any) -> None:
        technique_range(cells, batch.status, batch.guesses, flags, first, last, stop, shared)

    divide(work, len(batch), count_threads(threads), None, _engine.engine.new_counter)
    return Ratings(batch.status, batch.guesses, flags, batch.errors)
