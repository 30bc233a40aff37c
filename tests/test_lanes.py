"""The lane engine, level by level: its kernel's functions against plain Python, its search against ``dfs``.

A board of the kernel is a list of 81 numbers, the cells' sets of candidates, with bit d - 1 for digit d. A page
is a list of boards, one for each lane. A set of lanes is a number with a bit for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import count, islice, permutations
from random import Random
from typing import Any, NamedTuple

import pytest
from random_boards import random_grid, random_open_board, random_order, random_wrong_board, rearranged
from test_answers import OWN

from fastsudoku._engine import load

CELLS = range(81)
DIGITS = range(1, 10)
ROWS = [[9 * row + column for column in range(9)] for row in range(9)]
COLUMNS = [[9 * row + column for row in range(9)] for column in range(9)]
BOXES = [
    [9 * row + column for row in range(top, top + 3) for column in range(left, left + 3)]
    for top in (0, 3, 6)
    for left in (0, 3, 6)
]
UNITS = [*ROWS, *COLUMNS, *BOXES]
PEERS = [{peer for unit in UNITS if cell in unit for peer in unit} - {cell} for cell in CELLS]
# Three bands, then three stacks: each has three lines (rows or columns), and a line three triads (minirows or
# minicolumns) of three cells. The triads at the same place of the three lines are a box.
BANDS = [
    [[line[3 * box : 3 * box + 3] for box in range(3)] for line in lines[first : first + 3]]
    for lines in (ROWS, COLUMNS)
    for first in (0, 3, 6)
]

TRIADS_OF_A_BAND = [(line, box) for line in range(3) for box in range(3)]

ANY = 0b111111111
OPEN = [ANY] * 81

Board = list[int]
Page = list[Board]
Leg = tuple[int, list[int], list[int]]
Route = list[Leg]


def bits(digits: Iterable[int]) -> int:
    return sum(1 << digit - 1 for digit in digits)


def digits_of(candidates: int) -> set[int]:
    return {digit for digit in DIGITS if candidates >> digit - 1 & 1}


def lanes_of(lanes: int) -> list[int]:
    return [lane for lane in range(lanes.bit_length()) if lanes >> lane & 1]


def set_of(lanes: Iterable[int]) -> int:
    return sum(1 << lane for lane in lanes)


def without(board: Board, cells: Iterable[int], digits: Iterable[int]) -> Board:
    """Return a board in which these cells have lost these digits."""
    cells, lost = set(cells), bits(digits)
    return [candidates & ~lost if cell in cells else candidates for cell, candidates in enumerate(board)]


def only(board: Board, cells: Iterable[int], digits: Iterable[int]) -> Board:
    """Return a board in which these cells have lost all other digits."""
    return without(board, cells, set(DIGITS) - set(digits))


# --- levels ----------------------------------------------------------------------------------------------

# "avx512" is one of the first two.
LEVELS = ("avx512f", "avx512vl", "avx2", "base")


@pytest.fixture(scope="module", autouse=True)
def compiled(request: pytest.FixtureRequest) -> Any:
    """Return the compiled module, without which there is nothing to test here."""
    if request.config.getoption("--only-python"):
        pytest.skip("tests levels of the compiled engine; --only-python was given")
    return import_module("fastsudoku._engine_c")


@pytest.fixture(scope="module", params=LEVELS)
def kernel(request: pytest.FixtureRequest, compiled: Any) -> Any:
    """Return the kernel of a level. Its pages are used again from test to test, as they are in a search."""
    try:
        return compiled.Kernel(request.param)
    except ImportError as error:
        pytest.skip(f"{request.param}: {error}")


@pytest.fixture(scope="module", params=LEVELS)
def level(request: pytest.FixtureRequest) -> Any:
    """Return the engine of a level."""
    try:
        return load(request.param)
    except ImportError as error:
        pytest.skip(f"{request.param}: {error}")


# --- the rules of inference, as docs/engine.md has them --------------------------------------------------

Candidates = list[set[int]]


class ContradictionError(Exception):
    """A rule found that the board has no solution."""


def naked_singles(board: Candidates) -> None:
    for cell, digits in enumerate(board):
        if not digits:
            raise ContradictionError
        if len(digits) == 1:
            for peer in PEERS[cell]:
                board[peer] -= digits


def hidden_singles(board: Candidates) -> None:
    hidden: list[set[int]] = [set() for _ in CELLS]
    for unit in UNITS:
        for digit in DIGITS:
            places = [cell for cell in unit if digit in board[cell]]
            if not places:
                raise ContradictionError
            if len(places) == 1:
                hidden[places[0]].add(digit)
    for cell, digits in enumerate(hidden):
        if len(digits) > 1:
            raise ContradictionError
        if digits:
            board[cell] &= digits


def digits_of_triads(board: Candidates, band: list[list[list[int]]]) -> list[list[set[int]]]:
    return [[set().union(*(board[cell] for cell in triad)) for triad in line] for line in band]


def others_in_line(line: int, box: int) -> list[tuple[int, int]]:
    return [(line, other) for other in range(3) if other != box]


def others_in_box(line: int, box: int) -> list[tuple[int, int]]:
    return [(other, box) for other in range(3) if other != line]


def locked_candidates(board: Candidates) -> None:
    for band in BANDS:
        possible = digits_of_triads(board, band)
        kept: list[list[set[int]]] = [[set() for _ in line] for line in band]
        # A digit stands once in each line and once in each box of the band: in one of six ways.
        for boxes in permutations(range(3)):
            here = set.intersection(*(possible[line][box] for line, box in enumerate(boxes)))
            for line, box in enumerate(boxes):
                kept[line][box] |= here
        for line, box in TRIADS_OF_A_BAND:
            for cell in band[line][box]:
                board[cell] &= kept[line][box]


def exact_three(board: Candidates) -> None:
    for band in BANDS:
        possible = digits_of_triads(board, band)
        for line, box in TRIADS_OF_A_BAND:
            if len(possible[line][box]) < 3:
                raise ContradictionError
            if len(possible[line][box]) == 3:
                for other_line, other_box in others_in_line(line, box) + others_in_box(line, box):
                    for cell in band[other_line][other_box]:
                        board[cell] -= possible[line][box]


def asserted(board: Candidates) -> None:
    for band in BANDS:
        possible = digits_of_triads(board, band)
        for line, box in TRIADS_OF_A_BAND:
            in_line = set().union(*(possible[line][box] for line, box in others_in_line(line, box)))
            in_box = set().union(*(possible[line][box] for line, box in others_in_box(line, box)))
            here_only = possible[line][box] - in_line | possible[line][box] - in_box
            if len(here_only) > 3:
                raise ContradictionError
            if len(here_only) == 3:
                for cell in band[line][box]:
                    board[cell] &= here_only


def fixpoint(board: Board) -> Board | None:
    """Apply all rules until nothing changes; return the board, None if it has no solution by the rules."""
    candidates = [digits_of(cell) for cell in board]
    before = None
    try:
        while candidates != before:
            before = [set(digits) for digits in candidates]
            for rule in (naked_singles, hidden_singles, locked_candidates, exact_three, asserted):
                rule(candidates)
    except ContradictionError:
        return None
    return [bits(digits) for digits in candidates]


# --- inference, one rule at a time -----------------------------------------------------------------------


class Found(NamedTuple):
    """A board after some passes, and what the last of them found."""

    board: Board
    changed: bool
    dead: bool
    unsolved: bool


def inferred(kernel: Any, page: Page, passes: int) -> list[Found]:
    boards, changed, dead, unsolved = kernel.infer(page, passes)
    return [
        Found(board, bool(changed >> lane & 1), bool(dead >> lane & 1), bool(unsolved >> lane & 1))
        for lane, board in enumerate(boards)
    ]


UNCHANGED = Found(OPEN, changed=False, dead=False, unsolved=True)


def inferred_among_open_boards(kernel: Any, boards: Sequence[Board], passes: int) -> list[Found]:
    """Put so many boards as there may be in random lanes, and check that the others are not touched."""
    found = []
    for first in range(0, len(boards), kernel.lanes):
        part = boards[first : first + kernel.lanes]
        lanes = Random(first).sample(range(kernel.lanes), len(part))
        page = [OPEN] * kernel.lanes
        for lane, board in zip(lanes, part, strict=True):
            page[lane] = board
        after = inferred(kernel, page, passes)
        found += [after[lane] for lane in lanes]
        assert all(after[lane] == UNCHANGED for lane in set(range(kernel.lanes)) - set(lanes))
    return found


def digits_from(number: int, how_many: int) -> list[int]:
    """Return some digits, other ones for other numbers."""
    return [(number + 4 * i) % 9 + 1 for i in range(how_many)]


# Each case is a board and what the rules make of it.
Cases = Iterator[tuple[Board, Board]]


def naked_single_cases() -> Cases:
    for cell in CELLS:
        digit = digits_from(cell, 1)
        single = only(OPEN, [cell], digit)
        yield single, without(single, PEERS[cell], digit)


def hidden_single_cases(units: list[list[int]]) -> Cases:
    for unit in units:
        for cell in unit:
            digit = digits_from(cell + 2, 1)
            solved = only(without(OPEN, PEERS[cell], digit), [cell], digit)
            yield without(OPEN, set(unit) - {cell}, digit), solved


def triads_in(bands: list[list[list[list[int]]]]) -> Iterator[tuple[list[int], set[int], set[int]]]:
    """Yield each triad of some bands or stacks, with the other cells of its line and of its box."""
    for band in bands:
        for line, box in TRIADS_OF_A_BAND:
            yield (
                band[line][box],
                {cell for line, box in others_in_line(line, box) for cell in band[line][box]},
                {cell for line, box in others_in_box(line, box) for cell in band[line][box]},
            )


def locked_in_line_cases(bands: list[list[list[list[int]]]]) -> Cases:
    for triad, in_line, in_box in triads_in(bands):
        digit = digits_from(triad[0], 1)
        yield without(OPEN, in_line, digit), without(OPEN, in_line | in_box, digit)


def locked_in_box_cases(bands: list[list[list[list[int]]]]) -> Cases:
    for triad, in_line, in_box in triads_in(bands):
        digit = digits_from(triad[0], 1)
        yield without(OPEN, in_box, digit), without(OPEN, in_line | in_box, digit)


def exact_three_cases(bands: list[list[list[list[int]]]]) -> Cases:
    for triad, in_line, in_box in triads_in(bands):
        first, second, third = digits = digits_from(triad[0], 3)
        exact = only(OPEN, triad, digits)
        # No cell need have all three.
        in_pairs = only(OPEN, triad[:1], [first, second])
        in_pairs = only(only(in_pairs, triad[1:2], [second, third]), triad[2:], [third, first])
        for board in (exact, in_pairs):
            yield board, without(board, in_line | in_box, digits)


def asserted_cases(bands: list[list[list[list[int]]]]) -> Cases:
    for triad, in_line, in_box in triads_in(bands):
        digits = digits_from(triad[0], 3)
        for elsewhere in (in_line, in_box):
            yield without(OPEN, elsewhere, digits), only(without(OPEN, in_line | in_box, digits), triad, digits)


CASES = {
    "naked single": naked_single_cases(),
    "hidden single in a row": hidden_single_cases(ROWS),
    "hidden single in a column": hidden_single_cases(COLUMNS),
    "hidden single in a box": hidden_single_cases(BOXES),
    "a box in one row": locked_in_box_cases(BANDS[:3]),
    "a row in one box": locked_in_line_cases(BANDS[:3]),
    "a box in one column": locked_in_box_cases(BANDS[3:]),
    "a column in one box": locked_in_line_cases(BANDS[3:]),
    "minirow with three digits": exact_three_cases(BANDS[:3]),
    "minicolumn with three digits": exact_three_cases(BANDS[3:]),
    "minirow asserted": asserted_cases(BANDS[:3]),
    "minicolumn asserted": asserted_cases(BANDS[3:]),
}
CASES_OF_RULES = {name: list(cases) for name, cases in CASES.items()}


@pytest.mark.parametrize("rule", CASES_OF_RULES)
def test_a_rule_alone(kernel, rule):
    before, expected = zip(*CASES_OF_RULES[rule], strict=True)
    # One pass does it; but only when the column's locked candidates are gone is there one place in the box.
    enough = 2 if rule == "hidden single in a column" else 1
    for passes in range(1, enough + 2):
        found = inferred_among_open_boards(kernel, before, passes)
        assert {after[1:] for after in found} == {(passes <= enough, False, True)}
        are_right = {after.board == board for after, board in zip(found, expected, strict=True)}
        assert are_right == {passes >= enough}


@pytest.mark.parametrize("rule", CASES_OF_RULES)
def test_the_rules_to_test_against(rule):
    # Some of them: what is plain is slow.
    for before, expected in CASES_OF_RULES[rule][::7]:
        assert fixpoint(before) == expected


def all_places_in_a_band(band: list[list[list[int]]], digit: int) -> Iterator[tuple[Board, Board | None]]:
    """Yield boards in which a digit is in any of the 512 sets of triads, and what is left, if anything."""
    ways = [set(enumerate(boxes)) for boxes in permutations(range(3))]
    for pattern in range(512):
        places = {place for number, place in enumerate(TRIADS_OF_A_BAND) if pattern >> number & 1}
        kept = set().union(*(way for way in ways if way <= places))
        before, after = (
            without(OPEN, [cell for line, box in gone for cell in band[line][box]], [digit])
            for gone in (set(TRIADS_OF_A_BAND) - places, set(TRIADS_OF_A_BAND) - kept)
        )
        yield before, after if kept else None


@pytest.mark.parametrize("number", [1, 5], ids=["band 2", "stack 3"])
def test_locked_candidates_of_all_kinds(kernel, number):
    before, after = zip(*all_places_in_a_band(BANDS[number], number + 1), strict=True)
    assert after.count(None) == 265
    once = inferred_among_open_boards(kernel, before, 1)
    twice = inferred_among_open_boards(kernel, before, 2)
    for old, new, first, second in zip(before, after, once, twice, strict=True):
        if new:
            assert first == Found(new, changed=new != old, dead=False, unsolved=True)
            assert second == Found(new, changed=False, dead=False, unsolved=True)
        else:
            assert first.dead or (first.changed and second.dead)


# Boards without a solution, and the pass that tells so at the latest.
DeadCases = Iterator[tuple[Board, int]]


def two_hidden_singles(units: list[list[int]], passes: int) -> DeadCases:
    for unit in units:
        for number, cell in enumerate(unit):
            yield without(OPEN, set(unit) - {cell}, digits_from(cell, 2 + number % 2)), passes


def empty_cells() -> DeadCases:
    for cell in CELLS:
        yield only(OPEN, [cell], []), 1


def digits_without_place() -> DeadCases:
    for number, unit in enumerate(UNITS):
        yield without(OPEN, unit, digits_from(number, 1)), 2


def triads_with_too_few_digits() -> DeadCases:
    for number, (triad, _, _) in enumerate(triads_in(BANDS)):
        yield only(OPEN, triad, digits_from(number, 2)), 1


def triads_with_too_many_digits() -> DeadCases:
    for number, (_, in_line, in_box) in enumerate(triads_in(BANDS)):
        yield without(OPEN, in_line, digits_from(number, 4)), 1
        yield without(OPEN, in_box, digits_from(number, 4)), 1


def equal_naked_singles() -> DeadCases:
    for cell in CELLS:
        peer = Random(cell).choice(sorted(PEERS[cell]))
        yield only(OPEN, [cell, peer], digits_from(cell, 1)), 2


CONTRADICTIONS = {
    "two hidden singles of a row in one cell": two_hidden_singles(ROWS, 2),
    "two hidden singles of a box in one cell": two_hidden_singles(BOXES, 2),
    # The columns' locked candidates leave one place in the box, which is seen a pass later.
    "two hidden singles of a column in one cell": two_hidden_singles(COLUMNS, 3),
    "a cell without candidates": empty_cells(),
    "a digit without a place": digits_without_place(),
    "a triad with two digits": triads_with_too_few_digits(),
    "a triad that is the last place of four digits": triads_with_too_many_digits(),
    "peers with the same single candidate": equal_naked_singles(),
}
CASES_OF_CONTRADICTIONS = {name: list(cases) for name, cases in CONTRADICTIONS.items()}


@pytest.mark.parametrize("contradiction", CASES_OF_CONTRADICTIONS)
def test_a_contradiction_alone(kernel, contradiction):
    boards = [board for board, _ in CASES_OF_CONTRADICTIONS[contradiction]]
    open_cases = set(range(len(boards)))
    for passes in (1, 2, 3):
        found = inferred_among_open_boards(kernel, boards, passes)
        open_cases -= {case for case in open_cases if found[case].dead}
        # Until then passes go on.
        assert all(found[case].changed for case in open_cases)
        assert open_cases <= {
            case for case, (_, latest) in enumerate(CASES_OF_CONTRADICTIONS[contradiction]) if latest > passes
        }


@pytest.mark.parametrize("contradiction", CASES_OF_CONTRADICTIONS)
def test_the_contradictions_to_test_against(contradiction):
    for board, _ in CASES_OF_CONTRADICTIONS[contradiction]:
        assert fixpoint(board) is None


def test_lanes_that_came_anew_have_no_hidden_singles_of_the_pass_before(kernel):
    grid = board_of(random_grid(Random("before")))
    solved = Found(grid, changed=False, dead=False, unsolved=False)
    # In a full grid all cells are hidden singles.
    assert inferred(kernel, [grid] * kernel.lanes, 1) == [solved] * kernel.lanes
    assert inferred(kernel, [OPEN] * kernel.lanes, 1) == [UNCHANGED] * kernel.lanes


# --- inference, on random boards -------------------------------------------------------------------------


def board_of(text: str) -> Board:
    return [ANY if character == "." else bits([int(character)]) for character in text]


def random_candidates(random: Random) -> Board:
    """Return a random grid with other candidates added, so that it has a solution at least."""
    density = random.uniform(0.1, 0.7)
    others = [bits(digit for digit in DIGITS if random.random() < density) for _ in CELLS]
    return [digit | more for digit, more in zip(board_of(random_grid(random)), others, strict=True)]


def random_sets(random: Random) -> Board:
    density = random.uniform(0.4, 0.95)
    return [bits(digit for digit in DIGITS if random.random() < density) for _ in CELLS]


def random_spoilt_board(random: Random) -> Board:
    """Return random candidates with one of the grid's digits missing."""
    board = random_candidates(random)
    cell = random.choice(CELLS)
    board[cell] &= ~bits([random.choice(DIGITS)])
    return board


KINDS = (
    random_candidates,
    random_spoilt_board,
    random_sets,
    lambda random: board_of(random_open_board(random, random.randint(20, 40))),
    lambda random: board_of(random_wrong_board(random, random.randint(20, 40))),
    lambda random: board_of(rearranged_at_random(random, random.choice(OWN).board)),
)


def rearranged_at_random(random: Random, board: str) -> str:
    return rearranged(board, random_order(random), random_order(random), random.sample(range(1, 10), 9))


@cache
def random_board(number: int) -> Board:
    return KINDS[number % len(KINDS)](Random(number))


@cache
def reduced(number: int) -> Board | None:
    return fixpoint(random_board(number))


def random_page(lanes: int) -> Page:
    return [random_board(number) for number in range(lanes)]


def is_unsolved(board: Board) -> bool:
    return any(candidates.bit_count() > 1 for candidates in board)


def has_lost(before: Board, after: Board) -> bool:
    """Tell whether candidates went; check that none came."""
    assert all(new & ~old == 0 for old, new in zip(before, after, strict=True))
    return before != after


def is_contested(board: Board) -> bool:
    """Tell whether a cell has several candidates, each of them a hidden single of the box."""
    for box in BOXES:
        for cell in box:
            others = {other for other in box if other != cell}
            elsewhere = 0
            for other in others:
                elsewhere |= board[other]
            if board[cell].bit_count() > 1 and not board[cell] & elsewhere:
                return True
    return False


def test_passes_end_where_the_rules_do(kernel):
    before = random_page(kernel.lanes)
    outcomes: dict[int, Found] = {}
    page = before
    for passes in count(1):
        after = inferred(kernel, before, passes)
        for lane in set(range(kernel.lanes)) - set(outcomes):
            found = after[lane]
            # A contested cell counts as a change though none is to be seen: the next pass finds that it is one.
            assert found.changed == (has_lost(page[lane], found.board) or is_contested(page[lane]))
            assert is_unsolved(found.board) <= found.unsolved <= is_unsolved(page[lane])
            if found.dead or not found.changed:
                outcomes[lane] = found
        page = [found.board for found in after]
        if len(outcomes) == kernel.lanes:
            break
    for lane, found in outcomes.items():
        right = reduced(lane)
        assert found.dead == (right is None)
        if right:
            assert found == Found(right, changed=False, dead=False, unsolved=is_unsolved(right))
    kinds = Counter((found.dead, found.unsolved) for found in outcomes.values())
    assert min(kinds[True, True], kinds[False, True], kinds[False, False]) > kernel.lanes // 16


def test_one_board_ends_where_the_rules_do(kernel):
    outcomes = Counter()
    for number in range(900):
        outcome, board = kernel.propagate(random_board(number))
        right = reduced(number)
        outcomes[outcome] += 1
        if right is None:
            assert outcome == 0, number
        else:
            assert (outcome, board) == (2 if is_unsolved(right) else 1, right), number
    assert min(outcomes.values()) > 50
    assert set(outcomes) == {0, 1, 2}


@pytest.mark.parametrize("passes", [1, 2, 3, 9])
def test_lanes_are_independent(kernel, passes):
    page = random_page(kernel.lanes)
    expected = inferred(kernel, page, passes)
    order = Random(passes).sample(range(kernel.lanes), kernel.lanes)
    assert inferred(kernel, [page[lane] for lane in order], passes) == [expected[lane] for lane in order]


# --- routes ----------------------------------------------------------------------------------------------


def sources(route: Route) -> dict[int, int]:
    """Return, for each lane that something arrives at, the lane that it comes from."""
    return {
        lane: 64 * words[lane // 64] + (lane - places[lane // 64]) % 64
        for arrivals, words, places in route
        for lane in lanes_of(arrivals)
    }


def random_lanes(random: Random, lanes: int) -> int:
    """Return a random set of lanes, with some words full and some empty."""
    density = random.choice([0, 0.02, 0.1, 0.5, 0.9, 1])
    words = [random.choice([0, density, density, density, 1]) for _ in range(lanes // 64)]
    return set_of(lane for lane in range(lanes) if random.random() < words[lane // 64])


def random_route(random: Random, words: int) -> Route:
    """Return a route of some legs, to different lanes."""
    left = (1 << 64 * words) - 1
    route = []
    for _ in range(random.choice([1, 2, 3])):
        arrivals = left & random_lanes(random, 64 * words)
        left &= ~arrivals
        places = [random.randrange(64) for _ in range(words)]
        route.append((arrivals, random.sample(range(words), words), places))
    return route


def at_least_to_match(lanes: int, vacant: int) -> int:
    """Return how many arrive at least: of each word, one, and as many as by random rotations."""
    number = 0
    for wanted, free in zip(*(sorted(sizes_of_words(each)) for each in (lanes, vacant)), strict=True):
        number += -(-wanted * free // 64)
    return number


def sizes_of_words(lanes: int) -> list[int]:
    """Return the numbers of lanes in the words of a set, of which there are eight at most."""
    return [(lanes >> 64 * word & (1 << 64) - 1).bit_count() for word in range(8)]


def test_matches(kernel):
    random = Random("match")
    words = kernel.lanes // 64
    for _ in range(400):
        lanes, vacant = random_lanes(random, kernel.lanes), random_lanes(random, kernel.lanes)
        number, route = kernel.match(lanes, vacant)
        from_lanes = sources(route)
        assert number == len(from_lanes) == len(set(from_lanes.values()))
        assert set(from_lanes) <= set(lanes_of(vacant))
        assert set(from_lanes.values()) <= set(lanes_of(lanes))
        assert len(route) <= 3
        assert len(from_lanes) == sum(arrivals.bit_count() for arrivals, _, _ in route)
        for arrivals, from_words, places in route:
            assert arrivals
            assert sorted(from_words) == list(range(words))
            assert all(place in range(64) for place in places)
        assert number <= min(lanes.bit_count(), vacant.bit_count())
        assert number >= at_least_to_match(lanes, vacant)


def test_all_lanes_match_an_empty_page(kernel):
    random = Random("all")
    everywhere = (1 << kernel.lanes) - 1
    for _ in range(50):
        lanes = random_lanes(random, kernel.lanes)
        number, route = kernel.match(lanes, everywhere)
        assert number == lanes.bit_count()
        assert sorted(sources(route).values()) == lanes_of(lanes)


def test_one_lane_matches_any_other(kernel):
    random = Random("one")
    for _ in range(200):
        lane, vacant = random.randrange(kernel.lanes), random.randrange(kernel.lanes)
        number, route = kernel.match(1 << lane, 1 << vacant)
        assert (number, sources(route)) == (1, {vacant: lane})


def words_in_all_orders(words: int) -> list[tuple[int, ...]]:
    """Return all orders of a few words; of more, those that bring each word to each place, and random ones."""
    if words <= 4:
        return list(permutations(range(words)))
    cycles = [tuple((word + start) % words for word in range(words)) for start in range(words)]
    return cycles + [tuple(Random(seed).sample(range(words), words)) for seed in range(8)]


def scrambled_page(random: Random, lanes: int) -> Page:
    return [random.choices(range(512), k=81) for _ in range(lanes)]


def routes_for_moves(random: Random, words: int) -> Iterator[Route]:
    """Yield all orders of words, and all places, of each word, and routes of several legs."""
    orders = words_in_all_orders(words)
    for number in range(max(len(orders), 64 // words)):
        places = [(number * words + 9 * word) % 64 for word in range(words)]
        yield [(random_lanes(random, 64 * words), list(orders[number % len(orders)]), places)]
    for _ in range(20):
        yield random_route(random, words)


def test_moves(kernel):
    random = Random("move")
    words = kernel.lanes // 64
    page, to = scrambled_page(random, kernel.lanes), scrambled_page(random, kernel.lanes)
    places_used, legs_used = set(), set()
    for route in routes_for_moves(random, words):
        from_lanes = sources(route)
        moved = [page[from_lanes[lane]] if lane in from_lanes else to[lane] for lane in range(kernel.lanes)]
        assert kernel.move(to, page, route) == moved
        places_used |= set(route[0][2])
        legs_used.add(len(route))
    assert places_used == set(range(64))
    assert legs_used == {1, 2, 3}


# --- branching -------------------------------------------------------------------------------------------


def choice(board: Board, lowest_cell: bool) -> tuple[int, int]:
    """Return the cell to branch on, and its smallest digit, by the rule of docs/engine.md."""
    unsolved = {cell for cell in CELLS if board[cell].bit_count() > 1}
    if lowest_cell:
        cell = min(unsolved)
    else:
        fewest = min(board[cell].bit_count() for cell in unsolved)
        cells = [cell for cell in sorted(unsolved) if board[cell].bit_count() == fewest]
        most = max(len(PEERS[cell] & unsolved) for cell in cells)
        cell = next(cell for cell in cells if len(PEERS[cell] & unsolved) == most)
    return cell, min(digits_of(board[cell]))


def random_unsolved_board(random: Random, fewest: int) -> Board:
    """Return a board whose unsolved cells have so many candidates or more."""
    share = random.random()
    most = random.randint(fewest, 9)
    sizes = [random.randint(fewest, most) if random.random() < share else 1 for _ in CELLS]
    sizes[random.choice(CELLS)] = fewest
    return [bits(random.sample(DIGITS, size)) for size in sizes]


@pytest.mark.parametrize("lowest_cell", [False, True])
@pytest.mark.parametrize("fewest", [[2], [2, 3], [3], [4, 5], [6, 7, 8, 9], range(2, 10)], ids=str)
def test_branches(kernel, fewest, lowest_cell):
    random = Random(f"branch {fewest}")
    share = random.choice([0.1, 0.5, 0.9])
    stuck = set_of(lane for lane in range(kernel.lanes) if random.random() < share)
    # What the other lanes have must not matter, be they unsolved or not.
    page = scrambled_page(random, kernel.lanes)
    for lane in lanes_of(stuck):
        page[lane] = random_unsolved_board(random, random.choice(fewest))
    first, second = kernel.branch(page, stuck, lowest_cell)
    for lane, board in enumerate(page):
        if stuck >> lane & 1:
            cell, digit = choice(board, lowest_cell)
            assert first[lane] == only(board, [cell], [digit])
            assert second[lane] == without(board, [cell], [digit])
        else:
            assert first[lane] == second[lane] == board


def choices() -> Iterator[tuple[Board, int, int]]:
    """Yield boards with the cell and the digit that have to be chosen."""
    yield OPEN, 0, 1
    # The first cell with twenty unsolved peers: one that is no peer of the solved cell.
    yield only(OPEN, [0], [5]), 12, 1
    yield only(OPEN, [80], [5]), 0, 1
    for cell in CELLS:
        yield only(OPEN, set(CELLS) - {cell}, [7]), cell, 1
        yield only(OPEN, [cell], [9, 4]), cell, 4
        # Three candidates come before four, whatever the peers.
        board = only(only(OPEN, PEERS[cell], [2]), CELLS, [2, 3, 6, 8])
        yield only(board, [cell], [8, 3, 6]), cell, 3
    # Of cells with two candidates, the one with an unsolved peer more: in the row, the column and the box.
    for peer in (44, 76, 50):
        solved = only(OPEN, CELLS, [1])
        solved[0] = solved[40] = bits([3, 5])
        solved[8] = solved[peer] = bits([4, 6, 7])
        yield solved, 0, 3
        yield [*solved[:32], bits([4, 6, 7]), *solved[33:]], 40, 3


def test_the_choice_by_example(kernel):
    boards = [board for board, _, _ in choices()]
    for start in range(0, len(boards), kernel.lanes):
        part = boards[start : start + kernel.lanes]
        page = part + [OPEN] * (kernel.lanes - len(part))
        first, second = kernel.branch(page, (1 << len(part)) - 1)
        for lane, (board, cell, digit) in enumerate(islice(choices(), start, start + len(part))):
            assert first[lane] == only(board, [cell], [digit])
            assert second[lane] == without(board, [cell], [digit])


# --- boards in and out -----------------------------------------------------------------------------------


def random_cells(random: Random) -> list[int]:
    return random.choices(range(10), k=81)


def test_loading(kernel):
    random = Random("load")
    # Every value in every cell, and random ones.
    values = [[(row + cell) % 10 for cell in CELLS] for row in range(10)]
    values += [random_cells(random) for _ in range(kernel.lanes)]
    cells = b"".join(map(bytes, values))
    to = scrambled_page(random, kernel.lanes)
    for lanes in (random_lanes(random, kernel.lanes), (1 << kernel.lanes) - 1, 0, 1, 1 << kernel.lanes - 1):
        rows = random.choices(range(len(values)), k=kernel.lanes)
        rows[: kernel.lanes // 2] = random.sample(range(len(values)), kernel.lanes // 2)
        expected = list(to)
        for lane in lanes_of(lanes):
            expected[lane] = [bits([value]) if value else ANY for value in values[rows[lane]]]
        assert kernel.load(to, lanes, cells, rows) == expected


def test_all_values_are_loaded(kernel):
    cells = bytes((row + cell) % 10 for row in range(10) for cell in CELLS)
    everywhere = (1 << kernel.lanes) - 1
    rows = [lane % 10 for lane in range(kernel.lanes)]
    page = kernel.load([OPEN] * kernel.lanes, everywhere, cells, rows)
    for lane, board in enumerate(page):
        values = cells[81 * rows[lane] : 81 * rows[lane] + 81]
        assert board == [bits([value]) if value else ANY for value in values]


UNWRITTEN = 0xEE


def test_unloading(kernel):
    random = Random("unload")
    words = kernel.lanes // 64
    # Every digit in every cell, and random ones: what is copied need be no solution.
    values = [[(lane + cell) % 9 + 1 for cell in CELLS] for lane in range(9)]
    values += [random.choices(DIGITS, k=81) for _ in range(kernel.lanes - 9)]
    page = [[bits([value]) for value in board] for board in values]
    routes = [[((1 << kernel.lanes) - 1, *random_route(random, words)[0][1:])]]
    routes += [random_route(random, words) for _ in range(12)]
    for route in routes:
        rows = random.sample(range(2 * kernel.lanes), kernel.lanes)
        expected = [[UNWRITTEN] * 81 for _ in range(2 * kernel.lanes)]
        for lane, source in sources(route).items():
            expected[rows[lane]] = values[source]
        solutions = bytearray([UNWRITTEN]) * (81 * len(expected))
        kernel.unload(page, route, solutions, rows)
        assert solutions == b"".join(map(bytes, expected))


# --- the search ------------------------------------------------------------------------------------------

# Status, solution and guesses of a board.
Answer = tuple[int, bytes, int]

NOT_BOARDS = [
    bytes([10, *[0] * 80]),
    bytes([*[0] * 80, 10]),
    bytes([255] * 81),
    bytes([1] * 40 + [128] + [2] * 40),
]

# No solution, but many guesses: hundreds of lanes are at work on one board, and wait by the page.
HOPELESS = [
    "......3...........94.352..........5.1.....2.....8...4........9......7.23...4.....",
    "..85..9....4..7........6...5.6...892.....................695.3....2.........8....",
]
# Two solutions or more, far apart in the tree.
FAR_APART = ".7.......4..8................6....72....5.........8.5...1.45.3....2.......568...."
# One solution, many guesses.
HARD = "1...8.4.......2..7...5..9...9.643..5.....86.....2...895...19......3.....9..8..3.2"

EMPTY = bytes(81)
UNKNOWN = 0xFFFFFFFF


def cells_of(text: str) -> bytes:
    return bytes(0 if character == "." else int(character) for character in text)


def with_more_clues(random: Random, board: str, most: int) -> str:
    """Add clues at random: what had no solution has none, but after less search."""
    cells = list(board)
    for cell in random.sample([cell for cell in CELLS if cells[cell] == "."], random.randint(1, most)):
        cells[cell] = str(random.choice(DIGITS))
    return "".join(cells)


def with_a_clue_less(random: Random, board: str) -> str:
    cell = random.choice([cell for cell in CELLS if board[cell] != "."])
    return board[:cell] + "." + board[cell + 1 :]


def with_digits_renamed(random: Random, board: str) -> str:
    return rearranged(board, range(9), range(9), random.sample(DIGITS, 9))


def with_first_cells_blank(board: str, how_many: int) -> str:
    return "." * how_many + board[how_many:]


@cache
def pool() -> dict[str, list[bytes]]:
    """Return boards of several kinds."""
    random = Random("pool")
    unique = [known.board for known in OWN if known.solutions == "1" and known.guesses != "-"]
    easy = [board for board in unique if 30 <= 81 - board.count(".") < 81]
    hard = [HARD, *(known.board for known in OWN if known.guesses.isdecimal() and int(known.guesses) > 10)]
    several = [known.board for known in OWN if known.guesses == "-"]
    boards = {
        "easy": [rearranged_at_random(random, random.choice(easy)) for _ in range(40)],
        "hard": [rearranged_at_random(random, random.choice(hard)) for _ in range(40)],
        "several": [rearranged_at_random(random, random.choice(several)) for _ in range(40)],
        # Little is known of the first cells, on which the smallest solution depends.
        "late clues": [
            with_first_cells_blank(random_open_board(random, 60), random.randint(15, 50)) for _ in range(20)
        ],
        "nearly unique": [with_a_clue_less(random, rearranged_at_random(random, HARD)) for _ in range(20)],
        "wrong": [random_wrong_board(random, random.randint(20, 40)) for _ in range(20)],
        "clashing": [
            "11" + "." * 79,
            "." * 79 + "11",
            "1" * 81,
            *("." * i + "2" * 9 + "." * (72 - i) for i in (0, 7)),
        ],
        "hopeless": [with_more_clues(random, board, 3) for board in HOPELESS for _ in range(20)],
    }
    return {kind: [cells_of(board) for board in of_kind] for kind, of_kind in boards.items()}


def solve(engine: Any, boards: Sequence[bytes], first: int = 0, last: int | None = None) -> list[Answer]:
    """Solve a range of a batch; return all rows of the buffers, which were full of sevens."""
    rows = len(boards)
    last = rows if last is None else last
    status = bytearray([7] * rows)
    solutions = bytearray([7] * 81 * rows)
    solutions[81 * first : 81 * last] = bytes(81 * (last - first))
    guesses = memoryview(bytearray(4 * rows)).cast("I")
    for row in range(rows):
        guesses[row] = 7
    assert engine.solve_range(b"".join(boards), status, solutions, guesses, first, last) is None
    return [(status[row], bytes(solutions[81 * row : 81 * row + 81]), guesses[row]) for row in range(rows)]


def count_solutions(
    engine: Any, boards: Sequence[bytes], limit: int, first: int = 0, last: int | None = None
) -> list[int]:
    """Count solutions in a range of a batch; return all rows of the buffer, which was full of sevens."""
    counts = memoryview(bytearray(8 * len(boards))).cast("q")
    for row in range(len(boards)):
        counts[row] = 7
    last = len(boards) if last is None else last
    assert engine.count_range(b"".join(boards), counts, limit, first, last) is None
    return list(counts)


UNTOUCHED: Answer = 7, bytes([7] * 81), 7


@cache
def answer(board: bytes) -> Answer:
    return solve(load("dfs"), [board])[0]


@cache
def number_of_solutions(board: bytes, limit: int) -> int:
    return count_solutions(load("dfs"), [board], limit)[0]


# Rows are compared one by one, so that a difference is shown in a few lines.


def assert_solved(found: Sequence[Answer], boards: Sequence[bytes]) -> None:
    for row, (board, right) in enumerate(zip(boards, map(answer, boards), strict=True)):
        assert found[row] == right, f"row {row}: {board!r}"


def assert_counted(found: Sequence[int], boards: Sequence[bytes], limit: int) -> None:
    for row, board in enumerate(boards):
        assert found[row] == number_of_solutions(board, limit), f"row {row}: {board!r}"


def draw(random: Random, kinds: Sequence[str], how_many: int) -> list[bytes]:
    return [random.choice(pool()[random.choice(kinds)]) for _ in range(how_many)]


def mixed(random: Random, how_many: int) -> list[bytes]:
    boards = draw(random, list(pool()), how_many)
    return [random.choice(NOT_BOARDS) if random.random() < 0.02 else board for board in boards]


def test_the_boards_are_of_all_kinds():
    answers = {kind: [answer(board) for board in boards] for kind, boards in pool().items()}
    assert {status for status, _, guesses in answers["easy"]} == {1}
    assert sum(guesses for status, _, guesses in answers["hard"]) > 400
    assert {status for status, _, guesses in answers["several"] + answers["late clues"]} == {2}
    assert Counter(status for status, _, guesses in answers["nearly unique"])[2] > 5
    assert {status for status, _, guesses in answers["hopeless"]} == {0}
    assert sum(guesses for _, _, guesses in answers["hopeless"]) > 10_000
    assert answer(cells_of(HARD))[::2] == (1, 91)
    assert answer(cells_of(FAR_APART))[::2] == (2, UNKNOWN)
    assert [answer(cells_of(board))[2] for board in HOPELESS] == [24_725, 7_388]
    assert {answer(board) for board in NOT_BOARDS} == {(255, bytes(81), UNKNOWN)}


# Boards for fewer than half of the lanes are searched one by one at first; others fill all lanes, or nearly.
SIZES = [0, 1, 2, 17, 63, 64, 65, 96, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025]


@pytest.mark.parametrize("size", SIZES)
def test_batches_of_all_sizes(level, size):
    boards = mixed(Random(size), size)
    found = solve(level, boards)
    assert len(found) == size
    assert_solved(found, boards)


def in_turn(random: Random, kinds: Sequence[str], how_many: int) -> list[bytes]:
    return [draw(random, [kinds[row % len(kinds)]], 1)[0] for row in range(how_many)]


def arrangements() -> dict[str, list[bytes]]:
    """Return batches of which most are more than twice as large as the lanes of any level."""
    random = Random("arrangements")
    easy, hard = draw(random, ["easy"], 1040), draw(random, ["hopeless", "hard"], 60)
    # With other digits, other solutions are the smallest ones.
    far_apart = [cells_of(with_digits_renamed(random, FAR_APART)) for _ in range(8)]
    return {
        **{kind: draw(random, [kind], 1100) for kind in pool()},
        "easy and hard in turn": in_turn(random, ["easy", "hard"], 1100),
        "hopeless, easy and several in turn": in_turn(random, ["hopeless", "easy", "several"], 1100),
        "hard first": hard + easy,
        "hard last": easy + hard,
        "hopeless among contradictions": in_turn(random, ["clashing", "wrong", "hopeless"], 1100),
        "one hard board again and again": [cells_of(HARD)] * 1100,
        "one board with several solutions again and again": [pool()["several"][0]] * 1100,
        "empty": [EMPTY] * 3000,
        "empty and hard in turn": [EMPTY, cells_of(HARD)] * 550,
        "the hardest first": [*map(cells_of, HOPELESS), *far_apart, *easy[:100]],
        "no boards": NOT_BOARDS * 275,
        "no boards first and last": NOT_BOARDS * 130
        + in_turn(random, ["hard", "several"], 300)
        + NOT_BOARDS * 130,
        "everything": mixed(random, 1500),
    }


ARRANGEMENTS = arrangements()


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_solving(level, arrangement):
    boards = ARRANGEMENTS[arrangement]
    assert_solved(solve(level, boards), boards)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_counting_up_to_two(level, arrangement):
    boards = ARRANGEMENTS[arrangement]
    assert_counted(count_solutions(level, boards, 2), boards, 2)


@pytest.mark.parametrize("limit", [1, 3, 1000])
@pytest.mark.parametrize("arrangement", ["everything", "late clues", "hopeless, easy and several in turn"])
def test_counting_up_to_other_limits(level, arrangement, limit):
    boards = ARRANGEMENTS[arrangement][:700]
    assert_counted(count_solutions(level, boards, limit), boards, limit)


@pytest.mark.parametrize("board", [*HOPELESS, FAR_APART, HARD])
@pytest.mark.parametrize("size", [1, 2, 3, 10, 95])
def test_few_boards_of_which_some_are_worth_lanes(level, board, size):
    boards = mixed(Random(size), size)
    boards[size // 2] = boards[-1] = cells_of(board)
    assert_solved(solve(level, boards), boards)
    assert_counted(count_solutions(level, boards, 2), boards, 2)


@pytest.mark.parametrize("limit", [1000, 1001, 10_000, 2**63 - 1])
def test_counting_solutions_by_the_thousand(level, limit):
    grid = random_grid(Random("thousands"))
    boards = [cells_of(with_first_cells_blank(grid, blanks)) for blanks in (18, 36, 43, 42, 9)]
    numbers = [min(limit, number) for number in (8, 3000, 42_876, 8004, 1)]
    assert [level.count(board, limit) for board in boards] == numbers
    assert count_solutions(level, boards, limit) == numbers
    assert count_solutions(level, boards, limit, 1, 4) == [7, *numbers[1:4], 7]
    assert count_solutions(level, boards * 20, limit) == numbers * 20


@pytest.mark.parametrize(
    ("first", "last"), [(0, 0), (3, 3), (2, 5), (5, 700), (0, 699), (699, 700), (700, 700)]
)
def test_rows_outside_the_range_are_left_alone(level, first, last):
    boards = mixed(Random("range"), 700)
    # Hard enough for lanes even in the range of three.
    boards[3:5] = cells_of(HOPELESS[1]), cells_of(FAR_APART)
    solved = [UNTOUCHED] * first + [answer(board) for board in boards[first:last]] + [UNTOUCHED] * (700 - last)
    assert solve(level, boards, first, last) == solved
    counts = [7] * first + [number_of_solutions(board, 3) for board in boards[first:last]] + [7] * (700 - last)
    assert count_solutions(level, boards, 3, first, last) == counts
