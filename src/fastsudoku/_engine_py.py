"""The pure-Python engine: the definition of the rules, and the fallback where nothing was compiled.

It is the same algorithm as ``_engine_c.pyx``, rule by rule and name by name, so that both give the same
answers and the same ``guesses``, and a benchmark of the two compares the languages and nothing else.

Everything is a set of bits in one integer. A set of cells has one bit per cell, row by row::

    bit = cell = 9 * row + column                      81 bits
        = 27 * band + 9 * (row in band) + 3 * stack + (column in stack)

The candidates of a whole board are nine such sets side by side, one per digit::

    bit = 81 * (digit - 1) + cell                     729 bits

so that one ``&`` or ``>>`` works on all nine digits and 81 cells at once. A minirow (the three cells that a
row and a box share) is represented by the bit of its first cell, a minicolumn likewise::

    one band of one digit, 27 bits, heads of minirows marked M, heads of minicolumns C (the first is both)

        X C C | X C C | X C C
        M . . | M . . | M . .
        M . . | M . . | M . .

The functions take and return integers only, nothing is allocated per node but the integers themselves, and
nothing recurses.
"""

from __future__ import annotations

import _thread
from collections.abc import Callable, Iterator

from fastsudoku._carving_py import Carver
from fastsudoku._grids_py import equivalent_form, random_grid

# An engine has these, too.
from fastsudoku._texts_py import Buffer
from fastsudoku._texts_py import read_table as read_table
from fastsudoku._texts_py import read_text_lines as read_text_lines
from fastsudoku._texts_py import read_texts as read_texts
from fastsudoku._texts_py import write_answer_lines as write_answer_lines
from fastsudoku._texts_py import write_table as write_table
from fastsudoku._texts_py import write_text_lines as write_text_lines
from fastsudoku._texts_py import write_texts as write_texts
from fastsudoku.boards import read_plain_text, to_text
from fastsudoku.philox import FORMS, GRIDS, Stream
from fastsudoku.plans import IS_MET, IS_MINIMAL, Plan

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

NAME = "python"

_NO_BOARD = "a board for an engine is 81 bytes from 0 to 9"
STOPPED = "another thread stopped this search"

#: What ``guesses`` holds where the tree was not searched whole, so that the number would depend on luck.
GUESSES_UNKNOWN = 0xFFFFFFFF

NO_SOLUTION, UNIQUE, SEVERAL, NOT_A_BOARD = 0, 1, 2, 255

#: Techniques, each with all before it but the first: hidden singles are without naked ones, then both together.
NAKED_SINGLES, HIDDEN_SINGLES, SINGLES, LOCKED_CANDIDATES, TRIADS = 1, 2, 4, 8, 16

_CONTRADICTION, _SOLVED, _STUCK = 0, 1, 2

# --- sets of cells ---------------------------------------------------------------------------------------

_ALL_CELLS = (1 << 81) - 1
#: A set of cells times this is the set repeated for every digit.
_EVERY_DIGIT = sum(1 << 81 * digit for digit in range(9))


def _cells_where(condition: Callable[[int, int], bool]) -> int:
    """Return the cells for which condition(row, column) holds, repeated for every digit."""
    cells = sum(1 << cell for cell in range(81) if condition(*divmod(cell, 9)))
    return cells * _EVERY_DIGIT


_MINIROWS = _cells_where(lambda row, column: column % 3 == 0)
_MINICOLUMNS = _cells_where(lambda row, column: row % 3 == 0)

# A set of heads times these is the set of all their cells.
_MINIROW = 0b111
_MINICOLUMN = 1 | 1 << 9 | 1 << 18

# Where the cyclic shifts below wrap round: the first and the last two places of each cycle.
_FIRST_STACK = _MINIROWS & _cells_where(lambda row, column: column < 3)
_LATER_STACKS = _MINIROWS & ~_FIRST_STACK
_FIRST_ROW = _MINIROWS & _cells_where(lambda row, column: row % 3 == 0)
_LATER_ROWS = _MINIROWS & ~_FIRST_ROW
_FIRST_COLUMN = _MINICOLUMNS & _cells_where(lambda row, column: column % 3 == 0)
_LATER_COLUMNS = _MINICOLUMNS & ~_FIRST_COLUMN
_FIRST_BAND = _MINICOLUMNS & _cells_where(lambda row, column: row < 3)
_LATER_BANDS = _MINICOLUMNS & ~_FIRST_BAND


def _peers(cell: int) -> int:
    row, column = divmod(cell, 9)
    box = row // 3, column // 3
    cells = 0
    for other in range(81):
        other_row, other_column = divmod(other, 9)
        same_box = (other_row // 3, other_column // 3) == box
        if other != cell and (other_row == row or other_column == column or same_box):
            cells |= 1 << other
    return cells


_PEERS = tuple(_peers(cell) for cell in range(81))

# --- cyclic shifts of minirows and minicolumns -----------------------------------------------------------


def _next_stack(minirows: int) -> int:
    """Move each minirow one stack to the right within its row, the last to the first."""
    return minirows << 3 & _LATER_STACKS | minirows >> 6 & _FIRST_STACK


def _next_row(minirows: int) -> int:
    """Move each minirow one row down within its box, the last to the first."""
    return minirows << 9 & _LATER_ROWS | minirows >> 18 & _FIRST_ROW


def _next_column(minicolumns: int) -> int:
    """Move each minicolumn one column to the right within its box, the last to the first."""
    return minicolumns << 1 & _LATER_COLUMNS | minicolumns >> 2 & _FIRST_COLUMN


def _next_band(minicolumns: int) -> int:
    """Move each minicolumn one band down within its column, the last to the first."""
    return minicolumns << 27 & _LATER_BANDS | minicolumns >> 54 & _FIRST_BAND


# --- inference -------------------------------------------------------------------------------------------


def _propagate(candidates: int, solved: int, with_triads: bool = True) -> tuple[int, int, int]:
    """Apply all rules until nothing changes; return (outcome, candidates, solved).

    Without the rules on triads, these are singles and locked candidates. `solved` are the cells with one
    candidate that has already been removed from their peers. The cheap rules run to their fixpoint before the
    triads are looked at. The order does not matter for the result: a rule only ever removes candidates and
    never loses power as candidates go.
    """
    while True:
        before = candidates

        # Minirows in which a digit has a place, and the other two of their row.
        minirows = (candidates | candidates >> 1 | candidates >> 2) & _MINIROWS
        right = _next_stack(minirows)
        left = _next_stack(right)
        # Asserted: the digit has no other place in the row.
        asserted_minirows = minirows & ~(right | left)
        # Locked candidates: a digit can be in a minirow only if the other two rows and boxes of the band
        # can host it, one each, in one of two ways.
        right_down = _next_row(right)
        left_down = _next_row(left)
        minirows &= right_down & _next_row(left_down) | _next_row(right_down) & left_down
        candidates &= minirows * _MINIROW

        # The same with rows and columns exchanged.
        minicolumns = (candidates | candidates >> 9 | candidates >> 18) & _MINICOLUMNS
        right = _next_column(minicolumns)
        left = _next_column(right)
        if (minicolumns | right | left) != _MINICOLUMNS:
            return _CONTRADICTION, 0, 0  # a digit has no place in a box
        asserted_minicolumns = minicolumns & ~(right | left)
        right_down = _next_band(right)
        left_down = _next_band(left)
        minicolumns &= right_down & _next_band(left_down) | _next_band(right_down) & left_down
        candidates &= minicolumns * _MINICOLUMN

        # Hidden singles: the cell that an asserted minirow and an asserted minicolumn share.
        hidden = candidates & asserted_minirows * _MINIROW & asserted_minicolumns * _MINICOLUMN
        hidden_cells, contested_cells = _once_and_twice(hidden)
        if contested_cells:
            return _CONTRADICTION, 0, 0  # a cell would have to take two digits
        candidates &= hidden | ~(hidden_cells * _EVERY_DIGIT)

        # Naked singles: the digit goes from the peers, unless hidden singles or an earlier round did it.
        once, twice = _once_and_twice(candidates)
        if once != _ALL_CELLS:
            return _CONTRADICTION, 0, 0  # a cell has no candidate
        single = _ALL_CELLS & ~twice
        if single == _ALL_CELLS:
            clash = _without_peers(candidates, single) != candidates
            return (_CONTRADICTION if clash else _SOLVED), candidates, single
        if single & ~(solved | hidden_cells):
            candidates = _without_peers(candidates, single)
        solved = single

        if candidates == before:
            if not with_triads:
                return _STUCK, candidates, solved
            minirows = _triads(minirows, asserted_minirows, _MINIROWS, _next_stack, _next_row)
            minicolumns = _triads(minicolumns, asserted_minicolumns, _MINICOLUMNS, _next_column, _next_band)
            candidates &= minirows * _MINIROW & minicolumns * _MINICOLUMN
            if not candidates:
                return _CONTRADICTION, 0, 0
            if candidates == before:
                return _STUCK, candidates, solved


def _once_and_twice(candidates: int) -> tuple[int, int]:
    """Return the cells with at least one candidate, and those with at least two."""
    # Nine digits are folded onto five, three, two and one.
    once = candidates >> 405 | candidates & (1 << 405) - 1
    twice = candidates >> 405 & candidates
    for width in (243, 162, 81):
        low = (1 << width) - 1
        high = once >> width
        twice = (twice | twice >> width | once & high) & low
        once = (once | high) & low
    return once, twice


def _without_peers(candidates: int, single: int) -> int:
    """Remove the digit of each naked single from all its peers, other naked singles too."""
    placed = candidates & single * _EVERY_DIGIT
    minirows = (placed | placed >> 1 | placed >> 2) & _MINIROWS
    minicolumns = (placed | placed >> 9 | placed >> 18) & _MINICOLUMNS
    # A peer is in another minirow of the row or box, or in another minicolumn of the column or box.
    peers = _others(minirows, _next_stack, _next_row) * _MINIROW
    peers |= _others(minicolumns, _next_column, _next_band) * _MINICOLUMN
    return candidates & ~peers


def _others(triads: int, across: Callable[[int], int], down: Callable[[int], int]) -> int:
    """Return the other triads (minirows or minicolumns) in the lines and boxes of these."""
    one_across, one_down = across(triads), down(triads)
    return one_across | across(one_across) | one_down | down(one_down)


def _triads(
    triads: int, asserted: int, heads: int, across: Callable[[int], int], down: Callable[[int], int]
) -> int:
    """Apply the two rules on triads, minirows or minicolumns; return those left, 0 at a contradiction.

    A triad holds exactly three digits. Exact-three: where three are left for it, they go from the rest of
    its line and its box; fewer are a contradiction. Asserted: three digits that have their last place of a
    line or box in it leave no room for others; more are a contradiction.
    """
    at_least = _at_least(triads, 4)
    asserted_at_least = _at_least(asserted, 4)
    if at_least[3] != heads & _ALL_CELLS or asserted_at_least[4]:
        return 0
    exact = triads & (at_least[3] & ~at_least[4]) * _EVERY_DIGIT
    allowed = asserted | ~(asserted_at_least[3] * _EVERY_DIGIT)
    return triads & ~_others(exact, across, down) & allowed


def _at_least(candidates: int, most: int) -> list[int]:
    """Return, for n from 0 to most, the cells that have at least n candidates."""
    counts = [_ALL_CELLS] + [0] * most
    for shift in range(0, 729, 81):
        cells = candidates >> shift & _ALL_CELLS
        for n in range(most, 0, -1):
            counts[n] |= counts[n - 1] & cells
    return counts


# --- search ----------------------------------------------------------------------------------------------


def _branch_cell(candidates: int) -> int:
    """Choose the cell to branch on: fewest candidates, then most unsolved peers, then the lowest cell."""
    at_least = _at_least(candidates, 3)
    unsolved = at_least[2]
    choice = unsolved & ~at_least[3]
    if not choice:
        at_least = [*_at_least(candidates, 9), 0]
        choice = next(cells for n in range(3, 10) if (cells := at_least[n] & ~at_least[n + 1]))
    best, most = -1, -1
    while choice:
        lowest = choice & -choice
        choice ^= lowest
        cell = lowest.bit_length() - 1
        unsolved_peers = (unsolved & _PEERS[cell]).bit_count()
        if unsolved_peers > most:
            best, most = cell, unsolved_peers
    return best


def _search(candidates: int, solved: int, limit: int) -> tuple[int, int, int]:
    """Search depth first for up to `limit` solutions; return (found, guesses, first solution found)."""
    found = guesses = first = 0
    waiting: list[tuple[int, int]] = []
    while True:
        outcome, candidates, solved = _propagate(candidates, solved)
        if outcome == _STUCK:
            guesses += 1
            cell = _branch_cell(candidates)
            here = _EVERY_DIGIT << cell
            digit = candidates & here
            digit &= -digit
            waiting.append((candidates ^ digit, solved))
            candidates &= ~here | digit
            continue
        if outcome == _SOLVED:
            found += 1
            first = first or candidates
            if found == limit:
                break
        if not waiting:
            break
        candidates, solved = waiting.pop()
    return found, guesses, first


# --- all solutions, in lexicographic order ---------------------------------------------------------------
#
# The cells are walked in row-major order while one solution is known. For each digit below the known one, a
# search tells whether a solution with it exists; if so, that one is the known solution from there on. So
# every step of the walk is a search by the fast rules, and no order of cells can make it explode.

# A board (candidates and solved cells) and the cell whose larger digits have not been tried.
_Alternative = tuple[int, int, int]


def _choose(
    candidates: int, solved: int, cell: int, known: int, alternatives: list[_Alternative]
) -> tuple[int, int, int] | None:
    """Give the cell its smallest digit with a solution; return that board, and one of its solutions.

    `known` is a solution of the board, 0 if none is known. The board with the larger digits is left as an
    alternative, to be visited later.
    """
    here = _EVERY_DIGIT << cell
    while options := candidates & here:
        digit = options & -options
        child = candidates & ~here | digit
        candidates ^= digit
        outcome, child, child_solved = _propagate(child, solved)
        if outcome == _CONTRADICTION:
            continue
        solution = known if known & digit else _search(child, child_solved, 1)[2]
        if solution:
            alternatives.append((candidates, solved, cell))
            return child, child_solved, solution
    return None


def _descend(candidates: int, solved: int, known: int, alternatives: list[_Alternative]) -> int:
    """Walk down from the known solution to the smallest of the board, and return it."""
    for cell in range(81):
        if not solved >> cell & 1:
            chosen = _choose(candidates, solved, cell, known, alternatives)
            assert chosen is not None, "the known solution is met at the latest"
            candidates, solved, known = chosen
    return known


def _first_solution(candidates: int, solved: int, known: int, alternatives: list[_Alternative]) -> int:
    """Return the smallest solution of a board, of which one is known."""
    _, candidates, solved = _propagate(candidates, solved)
    return _descend(candidates, solved, known, alternatives)


def solutions(cells: bytes) -> Iterator[bytes]:
    """Yield all solutions of a board in lexicographic order."""
    board = _load(cells)
    found, _, known = _search(*board, 1)
    if not found:
        return
    alternatives: list[_Alternative] = []
    yield _store(_first_solution(*board, known, alternatives))
    while alternatives:
        chosen = _choose(*alternatives.pop(), 0, alternatives)
        if chosen is not None:
            yield _store(_descend(*chosen, alternatives))


# --- boards in and out -----------------------------------------------------------------------------------


def _check(cells: bytes) -> None:
    if len(cells) != 81 or max(cells) > 9:
        raise ValueError(_NO_BOARD)


def _check_range(first: int, last: int, cells: int, rows: int) -> None:
    if not 0 <= first <= last <= min(cells // 81, rows):
        raise ValueError("the buffers are smaller than the range of boards")


def _load(cells: bytes) -> tuple[int, int]:
    """Return the candidates of a board of 81 values (0 is a blank), and that no cells are solved yet."""
    _check(cells)
    clues = placed = 0
    for cell, digit in enumerate(cells):
        if digit:
            clues |= 1 << cell
            placed |= 1 << 81 * (digit - 1) + cell
    return (_ALL_CELLS ^ clues) * _EVERY_DIGIT | placed, 0


def _store(solution: int) -> bytes:
    """Return the 81 digits of a solved board."""
    digits = bytearray(81)
    for digit in range(1, 10):
        cells = solution >> 81 * (digit - 1) & _ALL_CELLS
        while cells:
            lowest = cells & -cells
            digits[lowest.bit_length() - 1] = digit
            cells ^= lowest
    return bytes(digits)


# --- what the package calls ------------------------------------------------------------------------------


def _solve(cells: bytes) -> tuple[int, bytes, int]:
    board = _load(cells)
    found, guesses, solution = _search(*board, 2)
    if found == 0:
        return NO_SOLUTION, b"", guesses
    if found == 1:
        return UNIQUE, _store(solution), guesses
    return SEVERAL, _store(_first_solution(*board, solution, [])), GUESSES_UNKNOWN


def solve(cells: bytes) -> tuple[int, bytes]:
    """Return the status of a board, and its smallest solution (empty if there is none)."""
    status, solution, _ = _solve(cells)
    return status, solution


def count(cells: bytes, limit: int) -> int:
    """Return the number of solutions, or `limit` if there are at least so many."""
    found, _, _ = _search(*_load(cells), limit)
    return found


class Counter:
    """How many rows are taken, by threads that share them."""

    def __init__(self, block: int) -> None:
        if block < 1:
            raise ValueError("a block has at least one row")
        self.block = block
        self._lock = _thread.allocate_lock()
        self._taken = 0

    def take(self, number: int) -> int:
        """Add a number; return what was there before."""
        with self._lock:
            self._taken += number
            return self._taken - number


def new_counter(block: int) -> Counter:
    """Return a counter of the rows that threads take, so many at a time."""
    return Counter(block)


def new_buffer(size: int) -> bytearray:
    """Return a buffer for `solve_range` to fill, with anything in it."""
    return bytearray(size)


def solve_range(
    cells: Buffer,
    status: memoryview,
    solutions: memoryview,
    guesses: memoryview,
    first: int,
    last: int,
    stop: Buffer = b"\0",
    shared: Counter | None = None,
) -> None:
    """Solve boards first to last - 1 of a batch into three one-dimensional buffers.

    A board with a value above 9 gets the status NOT_A_BOARD; where there is no solution, `solutions` gets
    zeros. Another thread can set the only byte of `stop`: then this raises InterruptedError soon. Threads that
    are given the same counter share the boards: each takes some, and some more, until all are taken.
    """
    flag = memoryview(stop)
    boards = memoryview(cells)
    _check_range(first, last, len(boards), len(status))
    _check_range(first, last, len(solutions), len(guesses))
    for row in _rows(first, last, shared):
        _check_stop(flag)
        board = bytes(boards[81 * row : 81 * row + 81])
        if max(board) > 9:
            status[row], solution, guesses[row] = NOT_A_BOARD, b"", GUESSES_UNKNOWN
        else:
            status[row], solution, guesses[row] = _solve(board)
        solutions[81 * row : 81 * row + 81] = solution or bytes(81)


def _rows(first: int, last: int, shared: Counter | None) -> Iterator[int]:
    if shared is None:
        yield from range(first, last)
        return
    while (start := first + shared.take(shared.block)) < last:
        yield from range(start, min(start + shared.block, last))


def _check_stop(stop: memoryview) -> None:
    if stop[0]:
        raise InterruptedError(STOPPED)


def count_range(
    cells: Buffer,
    counts: memoryview,
    limit: int,
    first: int,
    last: int,
    stop: Buffer = b"\0",
    shared: Counter | None = None,
) -> None:
    """Count the solutions of boards first to last - 1 of a batch; -1 where a value is above 9.

    For `stop` and `shared` see `solve_range`.
    """
    flag = memoryview(stop)
    boards = memoryview(cells)
    _check_range(first, last, len(boards), len(counts))
    for row in _rows(first, last, shared):
        _check_stop(flag)
        board = bytes(boards[81 * row : 81 * row + 81])
        counts[row] = -1 if max(board) > 9 else count(board, limit)


def first_bad_row(cells: Buffer) -> int:
    """Return the first board of a batch that has a value above 9, -1 if there is none."""
    boards = memoryview(cells)
    for start in range(0, len(boards), 81):
        if max(boards[start : start + 81]) > 9:
            return start // 81
    return -1


# --- techniques ------------------------------------------------------------------------------------------

_LINES = tuple(0b111_111_111 << 9 * row for row in range(9))
_COLUMNS = tuple(sum(1 << cell for cell in range(column, 81, 9)) for column in range(9))
_BOXES = tuple((0b111 | 0b111 << 9 | 0b111 << 18) << 27 * (box // 3) + 3 * (box % 3) for box in range(9))
_UNITS = _LINES + _COLUMNS + _BOXES


def _hidden_singles(candidates: int) -> int:
    """Return the candidates of digits that have one place in a unit."""
    hidden = 0
    for digit in range(9):
        cells = candidates >> 81 * digit & _ALL_CELLS
        for unit in _UNITS:
            places = cells & unit
            if not places & places - 1:
                hidden |= places << 81 * digit
    return hidden


def _do_singles_suffice(candidates: int, naked: bool, hidden: bool) -> bool:
    """Tell whether naked singles, hidden singles or both solve a board that has one solution.

    A digit that is placed goes from its peers. Without naked singles, a cell with one candidate left is not
    placed until it is the one place of its digit in a unit.
    """
    _, twice = _once_and_twice(candidates)
    placed = _ALL_CELLS & ~twice  # the clues
    while placed != _ALL_CELLS:
        candidates = _without_peers(candidates, placed)
        before = placed
        if naked:
            placed |= _ALL_CELLS & ~_once_and_twice(candidates)[1]
        if hidden:
            found = _hidden_singles(candidates)
            cells, _ = _once_and_twice(found)
            candidates &= found | ~(cells * _EVERY_DIGIT)
            placed |= cells
        if placed == before:
            return False
    return True


def techniques(cells: bytes) -> int:
    """Return by which techniques, one bit for each, a board can be solved that has one solution."""
    candidates, solved = _load(cells)
    found = NAKED_SINGLES * _do_singles_suffice(candidates, True, False)
    found |= HIDDEN_SINGLES * _do_singles_suffice(candidates, False, True)
    if found or _do_singles_suffice(candidates, True, True):
        found |= SINGLES
    if found or _propagate(candidates, solved, with_triads=False)[0] == _SOLVED:
        found |= LOCKED_CANDIDATES
    if found or _propagate(candidates, solved)[0] == _SOLVED:
        found |= TRIADS
    return found


def technique_range(
    cells: Buffer,
    status: memoryview,
    guesses: memoryview,
    flags: memoryview,
    first: int,
    last: int,
    stop: Buffer = b"\0",
    shared: Counter | None = None,
) -> None:
    """Write the techniques for boards first to last - 1 that are solved: 0 where it takes guesses.

    For `stop` and `shared` see `solve_range`.
    """
    flag = memoryview(stop)
    boards = memoryview(cells)
    _check_range(first, last, len(boards), len(status))
    _check_range(first, last, 81 * len(guesses), len(flags))
    for row in _rows(first, last, shared):
        _check_stop(flag)
        board = bytes(boards[81 * row : 81 * row + 81])
        is_open = status[row] == UNIQUE and not guesses[row] and max(board) <= 9
        flags[row] = techniques(board) if is_open else 0


def form_range(seed: int, start: int, cells: bytes, forms: memoryview, row: int) -> None:
    """Write equivalent forms of a board, as many as there is room for; `start` is the number of the first."""
    if len(cells) != 81:
        raise ValueError(_NO_BOARD)
    for number in range(len(forms) // 81):
        stream = Stream(seed, row, start + number, FORMS)
        forms[81 * number : 81 * number + 81] = equivalent_form(cells, stream)


# --- making puzzles --------------------------------------------------------------------------------------


def grid_range(
    seed: int,
    start: int,
    grids: memoryview,
    first: int,
    last: int,
    stop: Buffer = b"\0",
    shared: Counter | None = None,
) -> None:
    """Write random solution grids of rows first to last - 1; row 0 is the one that has the number `start`.

    For `stop` and `shared` see `solve_range`.
    """
    flag = memoryview(stop)
    _check_range(first, last, len(grids), last)
    for row in _rows(first, last, shared):
        _check_stop(flag)
        grids[81 * row : 81 * row + 81] = random_grid(Stream(seed, start + row, 0, GRIDS))


def carve_range(
    plan: Plan,
    given: Buffer,
    puzzles: memoryview,
    grids: memoryview,
    clues: memoryview,
    guesses: memoryview,
    flags: memoryview,
    first: int,
    last: int,
    stop: Buffer = b"\0",
    shared: Counter | None = None,
) -> None:
    """Write puzzles of rows first to last - 1 and their solution grids, clues, guesses and flags.

    They are carved out of their grids, or of the boards that are given: then `grids` has their solutions
    already, or zeros for a board to leave out. Where nothing was found, the puzzle and its grid get zeros,
    and the guesses are unknown. For `stop` and `shared` see `solve_range`.
    """
    flag = memoryview(stop)
    boards = memoryview(given)
    _check_range(first, last, len(puzzles), len(clues))
    _check_range(first, last, len(grids), len(guesses))
    _check_range(first, last, len(boards) or len(grids), len(flags))
    carver = Carver(plan, count, _has_other, _rate, lambda: _check_stop(flag))
    for row in _rows(first, last, shared):
        _check_stop(flag)
        cells = slice(81 * row, 81 * row + 81)
        grid = bytes(grids[cells]) if len(boards) else plan.grid
        is_missing = len(boards) > 0 and not grid[0]
        given_here = bytes(digit if clue else 0 for clue, digit in zip(boards[cells], grid, strict=False))
        made = None if is_missing else carver.make(plan.start + row, grid, given_here)
        puzzles[cells] = made.puzzle if made else bytes(81)
        grids[cells] = made.grid if made else bytes(81)
        clues[row] = 81 - made.puzzle.count(0) if made else 0
        guesses[row] = GUESSES_UNKNOWN if made is None or made.guesses is None else made.guesses
        flags[row] = 0
        if made is not None:
            flags[row] = IS_MET * (made.miss == (0, 0, 0)) | IS_MINIMAL * made.is_minimal


def _has_other(cells: bytes, cell: int, digit: int) -> bool:
    """Tell whether a board has a solution with another digit than this one in a cell."""
    candidates, solved = _load(cells)
    return _search(candidates & ~(1 << 81 * (digit - 1) + cell), solved, 1)[0] == 1


def _rate(cells: bytes) -> tuple[bytes, int]:
    """Return the solution of a board that has one, and its guesses."""
    status, solution, guesses = _solve(cells)
    if status != UNIQUE:
        raise SystemError("a puzzle that was made has another solution")
    return solution, guesses


def classic(cells: bytes) -> bytes | None:
    """Solve a board as textbooks do: the first blank in row-major order, digits ascending, no inference.

    The digits in use are kept as one set of bits per row, column and box. Meant for teaching and for
    comparison: some boards that `solve` answers at once take this search hours.
    """
    _check(cells)
    rows, columns, boxes = [0] * 9, [0] * 9, [0] * 9
    blanks = []
    for cell, digit in enumerate(cells):
        row, column = divmod(cell, 9)
        box = row // 3 * 3 + column // 3
        if not digit:
            blanks.append((cell, row, column, box))
            continue
        bit = 1 << digit
        if (rows[row] | columns[column] | boxes[box]) & bit:
            return None  # the clues contradict each other
        rows[row] |= bit
        columns[column] |= bit
        boxes[box] |= bit

    digits = bytearray(cells)
    position = 0
    while position < len(blanks):
        cell, row, column, box = blanks[position]
        digit = digits[cell]
        if digit:
            # We come back to this cell: its digit was tried in vain.
            bit = 1 << digit
            rows[row] ^= bit
            columns[column] ^= bit
            boxes[box] ^= bit
        used = rows[row] | columns[column] | boxes[box]
        digit += 1
        while used >> digit & 1:
            digit += 1
        if digit <= 9:
            digits[cell] = digit
            bit = 1 << digit
            rows[row] |= bit
            columns[column] |= bit
            boxes[box] |= bit
            position += 1
        else:
            digits[cell] = 0
            position -= 1
            if position < 0:
                return None
    return bytes(digits)


# --- the most common kinds of boards, read without further ado -------------------------------------------


read_text = read_plain_text


def read_rows(rows: object) -> bytes | None:
    """Return the values of nine lists of nine plain integers from 0 to 9, None if it is anything else."""
    if type(rows) is not list or len(rows) != 9:
        return None
    values: list[int] = []
    for row in rows:
        if type(row) is not list or len(row) != 9:
            return None
        values += row
    if set(map(type, values)) != {int} or not 0 <= min(values) <= max(values) <= 9:
        return None
    return bytes(values)


def write_rows(cells: bytes) -> list[list[int]]:
    """Return 81 values as nine lists of nine."""
    _check(cells)
    return [list(cells[start : start + 9]) for start in range(0, 81, 9)]


# What is solved without a step in between, where that is faster; NotImplemented if it is not that simple.


def solve_text(text: object) -> Any:
    """Return the solution of a text of 81 plain cells as such, None if there is none."""
    cells = read_text(text) if isinstance(text, str) else None
    if cells is None:
        return NotImplemented
    status, solution = solve(cells)
    return to_text(solution) if status else None


def solve_rows(rows: object) -> Any:
    """Return the solution of nine lists of nine plain integers as such, None if there is none."""
    cells = read_rows(rows)
    if cells is None:
        return NotImplemented
    status, solution = solve(cells)
    return write_rows(solution) if status else None
