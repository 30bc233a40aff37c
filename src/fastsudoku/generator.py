"""Make solution grids, and puzzles with one solution."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from itertools import combinations

from fastsudoku import _engine
from fastsudoku.arguments import (
    LARGEST_SEED,
    as_integer,
    check_errors,
    check_flag,
    check_integer,
    check_progress,
    check_seed,
    check_threads,
)
from fastsudoku.batch import count_threads
from fastsudoku.board_list import BoardList
from fastsudoku.boards import SudokuError, at, conflicts, shown
from fastsudoku.plans import IS_MET, IS_MINIMAL, MOST_GUESSES, Plan
from fastsudoku.solver import read
from fastsudoku.symmetry import orbits, read_pattern
from fastsudoku.threads import divide

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, overload

    from fastsudoku.batch import Errors
    from fastsudoku.threads import Progress

#: No puzzle with fewer clues has one solution (McGuire, Tugemann and Civario, 2012).
FEWEST_CLUES = 17

# Attempts for a puzzle if nothing is said.
_ATTEMPTS = 10_000
_MOST_ATTEMPTS = (1 << 32) - 1
# Puzzles that one thread makes before there are more: a single one may take long.
_FIRST_ROWS = 1, 16
# Puzzles of which each has to be as asked for are made some at a time: at first so many, then more and more.
_FIRST_STEP, _LARGEST_STEP = 16, 1 << 16
# More than any memory holds.
_MOST_ROWS = 10**15

# What flags say, as bytes of 0 and 1.
_MET = bytes(int(bool(flags & IS_MET)) for flags in range(256))
_MINIMAL = bytes(int(bool(flags & IS_MINIMAL)) for flags in range(256))


class Puzzle(namedtuple("Puzzle", ("puzzle", "solution", "clues", "guesses", "minimal", "met"))):
    """A puzzle that was made.

    Attributes
    ----------
    puzzle : str or None
        81 cells, a full stop for a blank; None if nothing was found.
    solution : str or None
        Its only solution.
    clues : int
        How many it has.
    guesses : int or None
        Branch nodes of the search that proves it unique, as in `Result`.
    minimal : bool
        Whether no clue (or, under a symmetry, no set of clues that belong together) can be dropped.
    met : bool
        Whether it is what was asked for.

    Examples
    --------
    >>> import fastsudoku
    >>> puzzle = fastsudoku.generate(1, clues=30, seed=1)[0]
    >>> puzzle.clues, puzzle.met, fastsudoku.verify(puzzle.puzzle, puzzle.solution)
    (30, True, True)
    """

    __slots__ = ()

    puzzle: str | None
    solution: str | None
    clues: int
    guesses: int | None
    minimal: bool
    met: bool


class Generated:
    """Puzzles that were made, in the order of their rows; as a sequence it has one `Puzzle` per row.

    All of it is what was achieved, never what was asked for.

    Attributes
    ----------
    puzzles, solutions : BoardList
        The puzzles and their solutions; ``numpy.asarray`` of each has shape (N, 81). Zeros where nothing was
        found.
    clues : memoryview of uint8, shape (N,)
        The clues of each puzzle.
    guesses : memoryview of uint32, shape (N,)
        The guesses of each, as `Batch` has them; 0xFFFFFFFF where nothing was found.
    minimal : memoryview of uint8, shape (N,)
        1 where no clue can be dropped (or, under a symmetry, no set of clues that belong together), else 0.
    met : memoryview of uint8, shape (N,)
        1 where the puzzle is what was asked for, else 0.
    seed : int
        The seed, also if none was given: with it the same puzzles can be made again.
    start : int
        The row of the first puzzle.
    errors : dict of int to str
        Why a puzzle is not what was asked for, by its index.

    Examples
    --------
    >>> import fastsudoku
    >>> made = fastsudoku.generate(2, clues=26, seed=1)
    >>> list(made.clues)
    [26, 26]
    >>> fastsudoku.solve(made[0].puzzle) == made[0].solution
    True
    """

    def __init__(self, length: int, seed: int, start: int) -> None:
        new_buffer = _engine.engine.new_buffer
        self.puzzles = BoardList(new_buffer(81 * length))
        self.solutions = BoardList(new_buffer(81 * length))
        self.clues = memoryview(bytearray(length))
        self.guesses = memoryview(bytearray(4 * length)).cast("I")
        self.minimal = memoryview(bytearray(length))
        self.met = memoryview(bytearray(length))
        self.seed = seed
        self.start = start
        self.errors: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.clues)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Puzzle: ...

        @overload
        def __getitem__(self, index: slice) -> list[Puzzle]: ...

    def __getitem__(self, index: int | slice) -> Puzzle | list[Puzzle]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        try:
            row = range(len(self))[index]
        except IndexError:
            raise IndexError(f"row {index} of {len(self)} puzzles") from None
        clues = self.clues[row]
        return Puzzle(
            self.puzzles[row] if clues else None,
            self.solutions[row] if clues else None,
            clues,
            self.guesses[row] if clues else None,
            bool(self.minimal[row]),
            bool(self.met[row]),
        )

    def __iter__(self) -> Iterator[Puzzle]:
        return (self[row] for row in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        buffers = self.clues, self.guesses, self.minimal, self.met
        state = self.puzzles, self.solutions, *map(bytes, buffers), self.seed, self.start, self.errors
        return _restored, state

    def __repr__(self) -> str:
        missed = f", {len(self.errors)} of them not as asked for" if self.errors else ""
        return f"<Generated {len(self)} puzzle{'s' * (len(self) != 1)}, seed {self.seed}{missed}>"


def _restored(
    puzzles: BoardList,
    solutions: BoardList,
    clues: bytes,
    guesses: bytes,
    minimal: bytes,
    met: bytes,
    seed: int,
    start: int,
    errors: dict[int, str],
) -> Generated:
    """Put the parts together again, as for unpickling."""
    made = Generated(0, seed, start)
    made.puzzles, made.solutions, made.errors = puzzles, solutions, errors
    made.clues, made.minimal, made.met = (memoryview(bytearray(part)) for part in (clues, minimal, met))
    made.guesses = memoryview(bytearray(guesses)).cast("I")
    return made


def _check_rows(n: Any, start: Any) -> tuple[int, int]:
    first = check_integer("start", start, 0, LARGEST_SEED)
    return check_integer("n", n, 0, min(LARGEST_SEED - first + 1, _MOST_ROWS)), first


def random_grids(
    n: int,
    *,
    seed: int | None = None,
    start: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> BoardList:
    """Make random solution grids: each of all 6,670,903,752,021,072,936,960 has exactly the same probability.

    Parameters
    ----------
    n : int
        How many.
    seed : int, optional
        From 0 to 2**64 - 1. Grid i depends on the seed and on `start` + i and on nothing else: it is the same
        on all machines and implementations and in all later versions. Without a seed each call differs. (The
        numbers are those of the generator Philox4x32-10; those of Python and NumPy are not touched.)
    start : int, default 0
        The row of the first grid, so that work can be divided, or gone on with.
    threads : int, optional
        The most threads to use, as for `solve_many`.
    progress : callable, optional
        Called now and then with the number of grids done and of all.

    Returns
    -------
    BoardList
        The grids; duplicates are possible, but would be a miracle.

    Raises
    ------
    SudokuError
        If an argument is wrong.

    Notes
    -----
    The rows and columns of each box are chosen such that one attempt in eleven becomes a grid, each grid with
    the same probability; ``docs/generation.md`` tells how. The random numbers are by Salmon, Moraes, Dror and
    Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011), the number of grids by Felgenhauer and Jarvis
    (2005).

    Examples
    --------
    >>> import fastsudoku
    >>> grids = fastsudoku.random_grids(1000, seed=7)
    >>> fastsudoku.verify("." * 81, grids[999])
    True
    >>> fastsudoku.random_grids(1, seed=7, start=999)[0] == grids[999]
    True
    """
    n, start = _check_rows(n, start)
    check_threads(threads)
    check_progress(progress)
    seed = check_seed(seed)
    digits = _engine.engine.new_buffer(81 * n)
    grids = memoryview(digits)
    grid_range = _engine.engine.grid_range

    def work(first: int, last: int, stop: bytearray, shared: Any) -> None:
        grid_range(seed, start, grids, first, last, stop, shared)

    divide(work, n, count_threads(threads), progress, _engine.engine.new_counter)
    return BoardList(digits)


def generate(
    n: int,
    *,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: str = "none",
    pattern: Any = None,
    guesses: int | tuple[int, int] | None = None,
    grid: Any = None,
    seed: int | None = None,
    start: int = 0,
    max_attempts: int | None = None,
    errors: Errors = "mark",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Generated:
    """Make puzzles, each with exactly one solution.

    Clues are dropped in random order from a random solution grid: each if the puzzle still has one solution.
    (That is the usual way, which Berthier calls "top-down": "Unbiased statistics of a CSP", 2009.)

    Parameters
    ----------
    n : int
        How many puzzles.
    clues : int or (int, int), optional
        How many clues a puzzle has, from 17 to 81; an end of a range can be None. Of a range a number is drawn
        for each attempt, and where dropping ends before, any other in the range is taken: so the least are
        rarer than the others, above all under a symmetry. By default clues are dropped as long as one can be:
        that gives minimal puzzles, most of them with 23 to 26 clues.
    minimal : bool, default False
        Make puzzles of which no clue can be dropped. Without `clues` and `pattern` they are minimal anyway.
    symmetry : str, default "none"
        Which cells have clues together: "none", "rot180", "rot90", "horizontal", "vertical", "diagonal",
        "antidiagonal" or "dihedral" (all of these). Mirrors are named by their line: "horizontal" exchanges the
        top and the bottom. Under a symmetry, minimal means that no set of cells that belong together can be
        dropped.
    pattern : text of 81 cells, 9x9 nested sequence, flat sequence of 81, or array, optional
        The cells that have the clues: in a text, digits from 1 to 9 or # mark them, and ``. 0 _ -`` the others;
        elsewhere what is true or not 0. An attempt begins with a random grid, and changes one clue and another
        as long as there are no more solutions than before.
    guesses : int or (int, int), optional
        A number or a range, of which an end can be None. The branch nodes of the search that proves a puzzle
        unique (see `rate`), 0 for puzzles without any. As attempts are made until one is right, ask for what
        is not too rare.
    grid : str, bytes, 9x9 nested sequence, flat sequence of 81, or array, optional
        The solution of all puzzles, instead of one at random for each attempt.
    seed : int, optional
        From 0 to 2**64 - 1. Puzzle i depends on the seed, `start` + i and what is asked for:
        it is the same on all machines and implementations, for any number of threads, and in all later
        versions with the same `RULES` (of the rules only what is asked of `guesses` depends). Without a seed
        each call differs; `Generated.seed` tells which it was. With the same seed and row, other numbers of
        clues are carved out of the same grid, in the same order: take other seeds for sets that are to be
        independent.
    start : int, default 0
        The row of the first puzzle, so that work can be divided, or gone on with.
    max_attempts : int, optional
        How many attempts are made at a puzzle, by default 10,000.
    errors : {"mark", "raise"}
        What to do where no attempt is what was asked for (that is no wrong input, and so "raise" is not the
        default as elsewhere): return the closest one (fewest clues too many or too few, then minimal ones, then
        guesses), or zeros if a pattern has none, with 0 in `Generated.met` and a message in `Generated.errors`;
        or raise soon after the first one.
    threads : int, optional
        The most threads to use, as for `solve_many`.
    progress : callable, optional
        Called now and then with the number of puzzles done and of all.

    Returns
    -------
    Generated
        The puzzles, with what was achieved for each.

    Raises
    ------
    SudokuError
        If an argument is wrong, or nothing can ever be what is asked for; with ``errors="raise"`` also if a
        puzzle was not found.
    BoardError
        If the grid is not a board.

    See Also
    --------
    random_grids, minimize, rate

    Notes
    -----
    How the puzzles are distributed is told, and measured, in ``docs/generation.md``: the grids are uniform,
    the minimal puzzles of a grid are not (those with fewer clues are more probable than others).

    Examples
    --------
    >>> import fastsudoku
    >>> made = fastsudoku.generate(3, clues=(24, 28), symmetry="rot180", seed=1)
    >>> list(made.clues)
    [28, 26, 28]
    >>> print(fastsudoku.format_board(made[0].puzzle))
    +-------+-------+-------+
    | . . . | 4 7 . | 5 . . |
    | . 5 . | . . 9 | 2 7 . |
    | 6 . 1 | . 2 . | . . . |
    +-------+-------+-------+
    | . 6 . | . . . | 7 . 9 |
    | . . . | 3 . 7 | . . . |
    | 4 . 7 | . . . | . 5 . |
    +-------+-------+-------+
    | . . . | . 3 . | 8 . 5 |
    | . 8 5 | 9 . . | . 2 . |
    | . . 2 | . 4 8 | . . . |
    +-------+-------+-------+
    """
    n, start = _check_rows(n, start)
    low, high = _clue_range(clues)
    least_guesses, most_guesses = _range("guesses", guesses, 0, MOST_GUESSES)
    check_errors(errors)
    check_threads(threads)
    check_progress(progress)
    orbits_to_drop = orbits(symmetry)
    cells = b""
    if pattern is not None:
        if clues is not None or symmetry != "none":
            raise SudokuError(
                "a pattern says how many clues there are, and where: leave out clues and symmetry"
            )
        cells = _check_pattern(pattern)
        low = high = len(cells)
        orbits_to_drop = tuple(bytes([cell]) for cell in cells)
    else:
        _check_sizes(low, high, [len(orbit) for orbit in orbits_to_drop], symmetry)
    attempts = _ATTEMPTS
    if max_attempts is not None:
        attempts = check_integer("max_attempts", max_attempts, 1, _MOST_ATTEMPTS, " or None")
    if grid is not None and cells:
        attempts = 1  # all of them are the same
    is_minimal = check_flag("minimal", minimal) or (clues is None and pattern is None)
    plan = Plan(
        check_seed(seed),
        start,
        orbits_to_drop,
        low,
        high,
        is_minimal,
        cells,
        (least_guesses, most_guesses),
        attempts,
        b"" if grid is None else _read_grid(grid),
    )
    made = Generated(n, plan.seed, start)
    if errors == "mark":
        carve(made, plan, b"", threads, progress)
        _say_missed(made, plan)
        return made
    done, step = 0, _FIRST_STEP
    while done < n:
        # Rows up to here are as asked for: only the next ones are looked at.
        last = min(done + step, n)
        carve(made, plan, b"", threads, progress, done, last)
        _say_missed(made, plan, done, last)
        if made.errors:
            row, message = min(made.errors.items())
            raise SudokuError(f"row {start + row}: {message}")
        done, step = last, min(4 * step, _LARGEST_STEP)
    return made


def carve(
    made: Generated,
    plan: Plan,
    given: bytes | bytearray | memoryview,
    threads: int | None,
    progress: Progress | None,
    begin: int = 0,
    end: int | None = None,
) -> None:
    """Make puzzles by a plan, from the boards that are given, if any: then `made` has their solutions.

    They are those of all rows, or of rows `begin` to `end` - 1.
    """
    if not len(made):
        return
    rows = (len(made) if end is None else end) - begin
    puzzles, grids = made.puzzles.cells.cast("B"), made.solutions.cells.cast("B")
    flags = memoryview(bytearray(len(made)))
    carve_range = _engine.engine.carve_range

    def work(first: int, last: int, stop: bytearray, shared: Any) -> None:
        buffers = puzzles, grids, made.clues, made.guesses, flags
        carve_range(plan, given, *buffers, begin + first, begin + last, stop, shared)

    def report(done: int, total: int | None) -> None:
        if progress is not None:
            progress(begin + done, len(made))

    new_counter = _engine.engine.new_counter
    divide(work, rows, count_threads(threads), report if progress else None, new_counter, _FIRST_ROWS)
    here = slice(begin, begin + rows)
    made.met[here] = flags[here].tobytes().translate(_MET)
    made.minimal[here] = flags[here].tobytes().translate(_MINIMAL)


def _range(name: str, value: Any, least: int, most: int) -> tuple[int, int]:
    """Return an argument that is a number or a range as a range; all of it if there is none."""
    if value is None:
        return least, most
    number = as_integer(value)
    if number is not None:
        check_integer(name, number, least, most)
        return number, number
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise SudokuError(f"{name} is {shown(value)}; it has to be a number, a pair of numbers, or None")
    low, high = value
    low = least if low is None else low
    high = most if high is None else high
    low = check_integer(f"the least of {name}", low, least, most)
    high = check_integer(f"the most of {name}", high, least, most)
    if low > high:
        raise SudokuError(f"{name} is {shown(value)}; the least is more than the most")
    return low, high


def _clue_range(clues: Any) -> tuple[int, int]:
    try:
        return _range("clues", clues, FEWEST_CLUES, 81)
    except SudokuError as error:
        if as_integer(clues) in range(FEWEST_CLUES):
            raise SudokuError(f"{error}: no puzzle with fewer than 17 clues has one solution") from None
        raise


def _check_sizes(low: int, high: int, sizes: list[int], symmetry: str) -> None:
    """Raise SudokuError if no set of orbits has so many cells."""
    sums = 1
    for size in sizes:
        sums |= sums << size
    if not any(sums >> clues & 1 for clues in range(low, high + 1)):
        below = [clues for clues in range(FEWEST_CLUES, low) if sums >> clues & 1]
        above = [clues for clues in range(high + 1, 82) if sums >> clues & 1]
        nearest = " and ".join(map(str, below[-1:] + above[:1]))
        wanted = str(low) if low == high else f"{low} to {high}"
        raise SudokuError(
            f"no puzzle with the symmetry {symmetry} has {wanted} clues; the nearest are {nearest}"
        )


def _check_pattern(pattern: Any) -> bytes:
    """Return the cells with clues; raise SudokuError if it is known that no puzzle has these."""
    is_clue = read_pattern(pattern)
    cells = bytes(cell for cell in range(81) if is_clue[cell])
    if len(cells) < FEWEST_CLUES:
        raise SudokuError(
            f"the pattern has {len(cells)} clues; no puzzle with fewer than {FEWEST_CLUES} has one solution"
        )
    empty_rows = [row for row in range(9) if not any(is_clue[9 * row : 9 * row + 9])]
    empty_columns = [column for column in range(9) if not any(is_clue[column::9])]
    for name, empty in (("row", empty_rows), ("column", empty_columns)):
        for line, other in combinations(empty, 2):
            if line // 3 == other // 3:
                raise SudokuError(
                    f"the pattern has no clue in {name}s {line + 1} and {other + 1}, which could be exchanged: "
                    "no puzzle of it has one solution"
                )
    return cells


def _read_grid(grid: Any) -> bytes:
    cells, _ = read(grid)
    if 0 in cells:
        raise SudokuError(f"grid has a blank in {at(cells.index(0))}; it has to be a whole solution")
    if clashes := conflicts(cells):
        raise SudokuError(f"grid is no solution: {clashes[0]}")
    return cells


def _say_missed(made: Generated, plan: Plan, first: int = 0, last: int | None = None) -> None:
    """Note in `errors` which puzzles are not as asked for, and why."""
    met = bytes(made.met[first:last])
    row = first - 1
    while (row := met.find(0, row + 1 - first) + first) >= first:
        tried = f"none of {plan.attempts:,} attempt{'s' * (plan.attempts != 1)}"
        if not made.clues[row]:
            made.errors[row] = f"{tried} gave a puzzle with this pattern"
            if plan.grid:
                made.errors[row] = "with clues in these cells this grid is not the only solution"
        elif not plan.low <= made.clues[row] <= plan.high:
            kind = "a minimal puzzle with " if plan.minimal else ""
            made.errors[row] = (
                f"{tried} gave {kind}{_span(plan.low, plan.high)} clues; the closest has {made.clues[row]}"
            )
        elif plan.minimal and not made.minimal[row]:
            made.errors[row] = f"{tried} gave a minimal puzzle with this pattern"
        else:
            made.errors[row] = (
                f"{tried} gave {_span(*plan.guesses)} guesses; the closest has {made.guesses[row]:,}"
            )


def _span(low: int, high: int) -> str:
    if low == high:
        return f"{low:,}"
    return f"{low:,} or more" if high == MOST_GUESSES else f"{low:,} to {high:,}"
