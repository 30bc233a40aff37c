"""Puzzles carved out of solution grids; a part of the pure engine.

The orbits of a grid (its cells, or the cells that a symmetry maps onto each other) are visited in random order.
Each is dropped if what is left has one solution, and enough clues. A clue that had to stay once has to stay for
good, as there are only fewer clues later on. So at the end none can go, or there are as few clues as were asked
for: then the orbits that were not tried say whether the puzzle is minimal.

That many of the first orbits can go is asked at once. For a single cell the question is whether there is a
solution with another digit in it: its answer is the same, and found sooner.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable

from fastsudoku._grids_py import random_grid
from fastsudoku.philox import MINIMIZING, PUZZLES, Stream
from fastsudoku.plans import Plan

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import TypeAlias

    #: Tells whether a board has a solution with a digit other than this one in a cell.
    HasOther: TypeAlias = Callable[[bytes, int, int], bool]
    #: Returns the number of solutions of a board, up to a limit.
    Count: TypeAlias = Callable[[bytes, int], int]
    #: Returns the solution of a board with one solution, and its guesses.
    Rate: TypeAlias = Callable[[bytes], tuple[bytes, int]]

#: So many cells can go at first, about.
_FIRST_RUN = 40
#: A puzzle with a pattern is looked for from a board with fewer solutions than these, until so many changes
#: were in vain.
_MOST_SOLUTIONS, _MOST_IN_VAIN = 1000, 500


class Made(namedtuple("Made", ("puzzle", "grid", "is_minimal", "miss", "guesses"))):
    """A puzzle, and by how much it misses what was asked for: in clues, in being minimal, in guesses."""

    __slots__ = ()

    puzzle: bytes
    grid: bytes
    is_minimal: bool
    miss: tuple[int, int, int]
    #: None if they are not known.
    guesses: int | None


class Carver:
    """Makes puzzles by a plan."""

    def __init__(
        self,
        plan: Plan,
        count: Count,
        has_other: HasOther,
        rate: Rate,
        check_stop: Callable[[], object],
    ) -> None:
        self.plan = plan
        self._check_stop = check_stop
        self._count = count
        self._has_other = has_other
        self._rate = rate

    def make(self, row: int, grid: bytes = b"", given: bytes = b"") -> Made | None:
        """Return the puzzle of a row, or the closest to it that was found; None if there was none.

        It is carved out of a board that is given, a grid that is given, or one that is random for each attempt.
        """
        closest: Made | None = None
        for attempt in range(self.plan.attempts):
            self._check_stop()
            stream = Stream(self.plan.seed, row, attempt, MINIMIZING if given else PUZZLES)
            made = self._attempt(stream, grid, given, closest)
            if made is not None and (closest is None or made.miss < closest.miss):
                closest = made
                if made.miss == (0, 0, 0):
                    break
        if closest is not None and closest.guesses is None:
            solution, guesses = self._solve(closest)
            closest = closest._replace(grid=solution, guesses=guesses)
        return closest

    def _attempt(self, stream: Stream, grid: bytes, given: bytes, closest: Made | None) -> Made | None:
        plan = self.plan
        is_given = bool(grid)
        grid = grid or random_grid(stream)
        if plan.pattern:
            carved = self._climb(stream, grid, is_given)
        else:
            carved = self._carve(stream, grid, given or grid, closest)
        if carved is None:
            return None
        puzzle, is_minimal = carved
        clues = 81 - puzzle.count(0)
        miss = max(plan.low - clues, clues - plan.high, 0), int(plan.minimal and not is_minimal), 0
        made = Made(puzzle, b"" if plan.pattern else grid, is_minimal, miss, None)
        if miss != (0, 0, 0):
            return made
        solution, guesses = self._solve(made)
        least, most = plan.guesses
        miss = 0, 0, max(least - guesses, guesses - most, 0)
        return made._replace(grid=solution, guesses=guesses, miss=miss)

    def _solve(self, made: Made) -> tuple[bytes, int]:
        """Return the solution of a puzzle, which was not known of a pattern, and its guesses."""
        solution, guesses = self._rate(made.puzzle)
        if made.grid not in (solution, b""):
            raise SystemError("a puzzle that was made has another solution")
        return solution, guesses

    def _climb(self, stream: Stream, grid: bytes, is_given: bool) -> tuple[bytes, bool] | None:
        """Return a puzzle with a pattern, and whether it is minimal; None if there is none nearby.

        One clue and another gets another digit, at random: as long as there are no more solutions than before.
        Clues of a grid that is given stay as they are.
        """
        cells = self.plan.pattern
        puzzle = bytearray(81)
        for cell in cells:
            puzzle[cell] = grid[cell]
        limit = 2 if is_given else _MOST_SOLUTIONS
        solutions = self._count(bytes(puzzle), limit)
        if solutions == limit:
            return None
        in_vain = 0
        while solutions > 1:
            if in_vain == _MOST_IN_VAIN:
                return None
            self._check_stop()
            cell = cells[stream.below(len(cells))]
            before = puzzle[cell]
            puzzle[cell] = 1 + stream.below(9)
            found = self._count(bytes(puzzle), solutions + 1) if puzzle[cell] != before else 0
            if not 1 <= found <= solutions:
                puzzle[cell] = before
            in_vain = 0 if 1 <= found < solutions else in_vain + 1
            solutions = found if 1 <= found <= solutions else solutions
        digits = bytes(puzzle)
        return digits, not any(self._can_go(puzzle, digits, bytes([cell])) for cell in cells)

    def _carve(
        self, stream: Stream, grid: bytes, start: bytes, closest: Made | None
    ) -> tuple[bytes, bool] | None:
        """Return a puzzle, and whether it is minimal; None if it would not be closer, or there is none."""
        plan = self.plan
        puzzle = bytearray(start)
        clues = 81 - puzzle.count(0)
        order = list(range(len(plan.orbits)))
        fewest = plan.low
        if plan.minimal:
            fewest = 0
        elif plan.low < plan.high:
            fewest += stream.below(plan.high - plan.low + 1)
        stream.shuffle(order)
        orbits = [plan.orbits[number] for number in order if puzzle[plan.orbits[number][0]]]

        first = self._longest_run(puzzle, grid, orbits, clues - fewest)
        untried = []
        kept = 0
        for number, orbit in enumerate(orbits):
            if clues - len(orbit) < fewest:
                untried.append(orbit)
            elif number < first or (number > first and self._can_go(puzzle, grid, orbit)):
                clues -= len(orbit)
                for cell in orbit:
                    puzzle[cell] = 0
            else:
                kept += len(orbit)
            if closest is not None:
                least_miss = max(kept - plan.high, plan.low - clues, 0)
                if (least_miss, 0, 0) >= closest.miss:
                    return None
        return bytes(puzzle), not any(self._can_go(puzzle, grid, orbit) for orbit in untried)

    def _longest_run(self, puzzle: bytearray, grid: bytes, orbits: list[bytes], most: int) -> int:
        """Return the number of the first orbit that cannot go after all those before it.

        Those that have more cells than may go are left out.
        """
        run: list[int] = []
        for number, orbit in enumerate(orbits):
            if len(orbit) <= most:
                run.append(number)
                most -= len(orbit)
        good, bad = 0, len(run) + 1
        size = sum(map(len, orbits))
        probe = max(min(len(run), len(orbits) * _FIRST_RUN // max(size, 1)), 1)
        while bad - good > 1:
            cells = bytes(cell for number in run[:probe] for cell in orbits[number])
            if self._can_go(puzzle, grid, cells):
                good = probe
            else:
                bad = probe
            probe = (good + bad) // 2
        return run[good] if good < len(run) else len(orbits)

    def _can_go(self, puzzle: bytearray, grid: bytes, cells: bytes) -> bool:
        """Tell whether a puzzle without some of its clues has one solution."""
        board = bytearray(puzzle)
        for cell in cells:
            board[cell] = 0
        if len(cells) == 1:
            return not self._has_other(bytes(board), cells[0], grid[cells[0]])
        return self._count(bytes(board), 2) == 1
