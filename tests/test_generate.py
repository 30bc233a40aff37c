"""Puzzles that are made: as asked for or as near as it gets, and the same for a seed everywhere."""

from __future__ import annotations

import pickle
import threading
from hashlib import sha256
from time import monotonic

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from oracle import first_solutions

import fastsudoku
from fastsudoku import SudokuError, _carving_py, _engine_py, threads
from fastsudoku._engine import load
from fastsudoku.boards import read
from fastsudoku.symmetry import SYMMETRIES, orbits

PATTERN = """
    1.. 1.. ..1
    .1. .1. 1..
    ..1 ..1 .1.
    1.. 1.. ..1
    .1. .1. 1..
    ..1 ..1 .1.
    1.. 1.. ..1
    .1. .1. 1..
    ..1 ..1 .1.
"""
CELLS = "".join(PATTERN.split())


def images(cell):
    """Return where each symmetry moves a cell."""
    row, column = divmod(cell, 9)
    moved = {
        "rot180": (8 - row, 8 - column),
        "rot90": (column, 8 - row),
        "horizontal": (8 - row, column),
        "vertical": (row, 8 - column),
        "diagonal": (column, row),
        "antidiagonal": (8 - column, 8 - row),
    }
    return {name: 9 * to_row + to_column for name, (to_row, to_column) in moved.items()}


def has_symmetry(puzzle, symmetry):
    if symmetry == "none":
        return True
    names = ("rot90", "diagonal") if symmetry == "dihedral" else (symmetry,)
    return all(
        (puzzle[cell] == ".") == (puzzle[images(cell)[name]] == ".") for cell in range(81) for name in names
    )


def check(made):
    """Check what is said of each puzzle."""
    for puzzle in made:
        assert fastsudoku.verify(puzzle.puzzle, puzzle.solution)
        if puzzle.clues >= 32:
            assert first_solutions(puzzle.puzzle, 2) == [puzzle.solution]
        else:
            # Brute force would take long.
            assert _engine_py.count(read(puzzle.puzzle)[0], 2) == 1
        assert puzzle.clues == 81 - puzzle.puzzle.count(".")
        assert puzzle.guesses == fastsudoku.solve_many([puzzle.puzzle]).guesses[0]


def without(puzzle, cells):
    return "".join("." if cell in cells else digit for cell, digit in enumerate(puzzle))


# --- what is asked for -----------------------------------------------------------------------------------


def test_puzzles_are_minimal_if_nothing_is_asked_for(engine):
    made = fastsudoku.generate(12, seed=4)
    check(made)
    assert all(made.met)
    assert all(made.minimal)
    assert all(fastsudoku.is_minimal(puzzle) for puzzle in made.puzzles)
    assert 20 <= min(made.clues) <= max(made.clues) <= 29


@pytest.mark.parametrize("clues", [26, 40, 80, 81])
def test_exactly_so_many_clues(engine, clues):
    made = fastsudoku.generate(10, clues=clues, seed=5)
    check(made)
    assert set(made.clues) == {clues}
    assert all(made.met)
    assert [bool(minimal) for minimal in made.minimal] == [
        fastsudoku.is_minimal(puzzle) for puzzle in made.puzzles
    ]


def test_a_range_of_clues(engine):
    made = fastsudoku.generate(60, clues=(30, 34), seed=6)
    assert set(made.clues) == {30, 31, 32, 33, 34}
    assert all(made.met)
    made = fastsudoku.generate(20, clues=(17, 24), seed=6)
    assert set(made.clues) <= set(range(17, 25))
    assert all(made.met)


def test_minimal_puzzles_with_some_clues(engine):
    made = fastsudoku.generate(10, clues=(23, 24), minimal=True, seed=7)
    check(made)
    assert set(made.clues) == {23, 24}
    assert all(fastsudoku.is_minimal(puzzle) for puzzle in made.puzzles)


def test_guesses(engine):
    made = fastsudoku.generate(10, minimal=True, guesses=(2, 4), seed=8)
    check(made)
    assert set(made.guesses) <= {2, 3, 4}
    assert set(fastsudoku.generate(10, clues=28, guesses=0, seed=8).guesses) == {0}


def test_a_given_grid(engine):
    grid = fastsudoku.random_grids(1, seed=100)[0]
    made = fastsudoku.generate(5, clues=30, grid=grid, seed=9)
    assert list(made.solutions) == [grid] * 5
    assert len(set(made.puzzles)) == 5
    rows = [list(map(int, grid[start : start + 9])) for start in range(0, 81, 9)]
    assert list(fastsudoku.generate(5, clues=30, grid=rows, seed=9).puzzles) == list(made.puzzles)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries(engine, symmetry):
    made = fastsudoku.generate(4, symmetry=symmetry, seed=10)
    check(made)
    for puzzle in made:
        assert has_symmetry(puzzle.puzzle, symmetry)
        assert puzzle.minimal
        # No set of cells that belong together can be dropped.
        for orbit in orbits(symmetry):
            if puzzle.puzzle[orbit[0]] != ".":
                assert not fastsudoku.is_unique(without(puzzle.puzzle, orbit))


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_with_clues(engine, symmetry):
    made = fastsudoku.generate(3, clues=(36, 40), symmetry=symmetry, seed=11)
    check(made)
    assert all(made.met)
    for puzzle in made:
        assert 36 <= puzzle.clues <= 40
        assert has_symmetry(puzzle.puzzle, symmetry)
        can_go = [
            fastsudoku.is_unique(without(puzzle.puzzle, orbit))
            for orbit in orbits(symmetry)
            if puzzle.puzzle[orbit[0]] != "."
        ]
        assert puzzle.minimal == (not any(can_go))


def test_orbits():
    numbers = {symmetry: len(orbits(symmetry)) for symmetry in SYMMETRIES}
    assert numbers == {
        "none": 81,
        "rot180": 41,
        "rot90": 21,
        "horizontal": 45,
        "vertical": 45,
        "diagonal": 45,
        "antidiagonal": 45,
        "dihedral": 15,
    }
    for symmetry in SYMMETRIES:
        assert sorted(cell for orbit in orbits(symmetry) for cell in orbit) == list(range(81))


# --- patterns --------------------------------------------------------------------------------------------


def test_a_pattern(engine):
    made = fastsudoku.generate(3, pattern=PATTERN, seed=12)
    check(made)
    assert all(made.met)
    for puzzle in made:
        assert [digit == "." for digit in puzzle.puzzle] == [cell == "." for cell in CELLS]
        assert puzzle.minimal == fastsudoku.is_minimal(puzzle.puzzle)
    assert len(set(made.puzzles)) == 3


def test_a_pattern_of_a_minimal_puzzle(engine):
    pattern = fastsudoku.generate(1, clues=25, minimal=True, seed=13)[0].puzzle
    made = fastsudoku.generate(2, pattern=pattern, minimal=True, seed=13)
    check(made)
    assert all(made.minimal)


@pytest.mark.parametrize(
    "pattern",
    [
        CELLS,
        CELLS.replace("1", "#").replace(".", "-"),
        CELLS.replace("1", "7").replace(".", "0").encode(),
        [cell == "1" for cell in CELLS],
        [int(cell == "1") for cell in CELLS],
        [[cell == "1" for cell in CELLS[start : start + 9]] for start in range(0, 81, 9)],
        [["9" if cell == "1" else None for cell in CELLS[start : start + 9]] for start in range(0, 81, 9)],
        [list(CELLS[start : start + 9]) for start in range(0, 81, 9)],
        bytes(cell == "1" for cell in CELLS),
        memoryview(CELLS.encode()),
        [[int(cell == "1") * 9 for cell in CELLS[start : start + 9]] for start in range(0, 81, 9)],
        fastsudoku.format_board(CELLS),
    ],
    ids=lambda pattern: type(pattern).__name__,
)
def test_kinds_of_patterns(engine, pattern):
    expected = fastsudoku.generate(1, pattern=PATTERN, seed=12)
    assert list(fastsudoku.generate(1, pattern=pattern, seed=12)) == list(expected)


def test_a_pattern_with_a_given_grid(engine):
    made = fastsudoku.generate(1, pattern=CELLS, seed=12)
    again = fastsudoku.generate(2, pattern=CELLS, grid=made[0].solution, seed=1)
    assert list(again.puzzles) == [made[0].puzzle] * 2
    other = fastsudoku.random_grids(1, seed=2)[0]
    missed = fastsudoku.generate(1, pattern=CELLS, grid=other, seed=1)
    assert missed.errors == {0: "with clues in these cells this grid is not the only solution"}


def test_all_cells_are_a_pattern(engine):
    made = fastsudoku.generate(2, pattern="1" * 81, seed=1)
    assert list(made.puzzles) == list(made.solutions)
    assert list(made.clues) == [81, 81]
    check(made)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("1" * 16 + "." * 65, "the pattern has 16 clues; no puzzle with fewer than 17 has one solution"),
        ("." * 18 + "1" * 63, r"no clue in rows 1 and 2, which could be exchanged"),
        ("...111111" * 9, r"no clue in columns 1 and 2"),
        ("1" * 80, "the pattern has 80 cells, expected 81"),
        ("1" * 80 + "x", "pattern, row 9, column 9: 'x' is none of 1 to 9, # and True for a clue"),
        (["1"] * 80 + ["12"], "row 9, column 9: '12'"),
        (5, "pattern is of type int"),
        ("", "0 cells"),
        (["#" * 1000] * 81, "row 1, column 1: '####.{20,50} is none of"),
        # What is true but no mark of a cell.
        (
            [bytes([ord(cell)]) for cell in CELLS],
            r"row 1, column 1: b'1' is none of 1 to 9, # and True for a clue",
        ),
        ([ord(cell) for cell in CELLS], "row 1, column 1: 49 is none of"),
        ([[1, 0]] * 81, r"row 1, column 1: \[1, 0\] is none of"),
        ([1j] * 81, "1j is none of"),
        ([float("nan")] * 81, "nan is none of"),
        (dict.fromkeys(range(81), 1), "pattern is of type dict"),
        (set(range(81)), "pattern is of type set"),
    ],
)
def test_wrong_patterns(engine, pattern, message):
    with pytest.raises(SudokuError, match=message):
        fastsudoku.generate(1, pattern=pattern)


# --- what cannot be had ----------------------------------------------------------------------------------


def test_seventeen_clues_come_to_an_end(engine):
    made = fastsudoku.generate(3, clues=17, seed=1, max_attempts=4)
    check(made)
    assert list(made.met) == [0, 0, 0]
    assert all(20 < clues < 30 for clues in made.clues)
    assert made.errors == {
        row: f"none of 4 attempts gave 17 clues; the closest has {made.clues[row]}" for row in range(3)
    }
    assert "3 of them not as asked for" in repr(made)
    with pytest.raises(SudokuError, match="row 0: none of 4 attempts gave 17 clues"):
        fastsudoku.generate(3, clues=17, seed=1, max_attempts=4, errors="raise")


def test_an_error_is_raised_soon_after_the_first_puzzle_that_is_not_found(engine):
    arguments = {"clues": (17, 23), "max_attempts": 1, "seed": 3, "start": 100}
    marked = fastsudoku.generate(200, **arguments)
    assert 0 < sum(marked.met) < 200
    row, message = min(marked.errors.items())
    seen = []
    with pytest.raises(SudokuError) as raised:
        fastsudoku.generate(
            100_000, errors="raise", progress=lambda done, total: seen.append((done, total)), **arguments
        )
    assert str(raised.value) == f"row {100 + row}: {message}"
    assert seen[-1][0] < 1000
    assert seen[-1][1] == 100_000
    made = fastsudoku.generate(100, clues=40, seed=1, errors="raise")
    assert list(made) == list(fastsudoku.generate(100, clues=40, seed=1))


def test_the_closest_of_more_attempts_is_no_farther(engine):
    few = fastsudoku.generate(6, clues=17, seed=2, max_attempts=2)
    more = fastsudoku.generate(6, clues=17, seed=2, max_attempts=6)
    assert all(a >= b for a, b in zip(few.clues, more.clues, strict=True))
    assert sum(few.clues) > sum(more.clues)
    check(more)


def test_minimal_puzzles_with_too_many_clues_come_to_an_end(engine):
    made = fastsudoku.generate(2, clues=40, minimal=True, seed=1, max_attempts=5)
    check(made)
    assert list(made.met) == [0, 0]
    assert all(made.minimal)
    assert made.errors[0].startswith("none of 5 attempts gave a minimal puzzle with 40 clues; the closest has")


def test_guesses_that_are_too_many_come_to_an_end(engine):
    made = fastsudoku.generate(2, clues=30, guesses=1000, seed=1, max_attempts=3)
    check(made)
    assert list(made.clues) == [30, 30]
    assert made.errors[0] == f"none of 3 attempts gave 1,000 guesses; the closest has {made.guesses[0]}"
    made = fastsudoku.generate(1, clues=30, guesses=(1000, None), seed=1, max_attempts=3)
    assert "gave 1,000 or more guesses" in made.errors[0]


def test_a_pattern_without_a_puzzle_comes_to_an_end(engine):
    # A row and a column.
    pattern = "1" * 9 + "1........" * 8
    made = fastsudoku.generate(2, pattern=pattern, seed=1, max_attempts=3)
    assert made.errors == dict.fromkeys(range(2), "none of 3 attempts gave a puzzle with this pattern")
    assert list(made) == [(None, None, 0, None, False, False)] * 2
    assert list(made.guesses) == [2**32 - 1] * 2
    assert bytes(made.puzzles.cells) == bytes(162)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clues": 16}, "clues is 16; it has to be an integer from 17 to 81: no puzzle with fewer than 17"),
        ({"clues": 82}, "clues is 82; it has to be an integer from 17 to 81$"),
        ({"clues": 25.0}, "clues is 25.0; it has to be a number, a pair of numbers, or None"),
        ({"clues": "25"}, "clues is '25'"),
        ({"clues": (28, 24)}, r"clues is \(28, 24\); the least is more than the most"),
        ({"clues": (10, 24)}, "the least of clues is 10"),
        ({"clues": (24, "x")}, "the most of clues is 'x'"),
        ({"clues": (1, 2, 3)}, "clues is"),
        ({"clues": True}, "clues is True"),
        ({"clues": 10**5000}, "clues is this int"),
        ({"minimal": "no"}, "minimal is 'no'; it has to be True or False"),
        ({"minimal": 1}, "minimal is 1"),
        ({"guesses": -1}, "guesses is -1"),
        ({"guesses": (0, 2**32)}, "the most of guesses"),
        ({"symmetry": "rot45"}, "symmetry is 'rot45'; it can be none, rot180"),
        ({"symmetry": None}, "symmetry is None"),
        (
            {"clues": 26, "symmetry": "rot90"},
            "no puzzle with the symmetry rot90 has 26 clues; the nearest are 25 and 28",
        ),
        ({"clues": (26, 27), "symmetry": "rot90"}, "has 26 to 27 clues"),
        ({"pattern": CELLS, "clues": 27}, "a pattern says how many clues there are"),
        ({"pattern": CELLS, "symmetry": "rot90"}, "a pattern says how many clues there are"),
        ({"grid": "." * 81}, "grid has a blank in row 1, column 1"),
        ({"grid": "1" * 81}, "grid is no solution: row 1 has 1 more than once"),
        ({"grid": "1" * 80}, "board has 80 cells"),
        ({"max_attempts": 0}, "max_attempts is 0"),
        ({"max_attempts": 2**32}, r"max_attempts is 4294967296; it has to be an integer from 1 to 2\*\*32 - 1"),
        ({"errors": "ignore"}, "errors is 'ignore'"),
        ({"threads": -1}, "threads is -1"),
        ({"seed": "x"}, "seed is 'x'"),
        ({"start": 2**64}, "start is"),
    ],
)
def test_wrong_arguments(engine, arguments, message):
    with pytest.raises(SudokuError, match=message):
        fastsudoku.generate(1, **arguments)


# --- seeds -----------------------------------------------------------------------------------------------

# These are for ever, as those of test_grids.py.
PUZZLES = [
    ({}, ".......163..61.27.....2........54...5.8.9.6....7...3..14.7.....7.......3..2..8..."),
    ({"clues": 30}, ".....3.163..619278.7..2........54...5.8.9.6..4.7...3..14.7.2...78......3..2..8..."),
    (
        {"clues": (24, 28), "symmetry": "rot180"},
        "...47.5...5...927.6.1.2.....6....7.9...3.7...4.7....5.....3.8.5.859...2...2.48...",
    ),
    (
        {"pattern": CELLS},
        "8..4....6.5..1.2....1..5.3.3..5....9.1..7.6....7..6.8.9..7....2.8..6.4....2..3.6.",
    ),
    (
        {"minimal": True, "guesses": (3, 9)},
        "...5.8..6..691.5...2....9...7.....62.....51.4....4......1.6.4.8..4...2..7.2....95",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), PUZZLES)
def test_puzzles_of_a_seed_never_change(engine, arguments, expected):
    assert fastsudoku.generate(1, seed=1, **arguments)[0].puzzle == expected


def test_many_puzzles_of_a_seed_never_change(both_engines, monkeypatch):
    monkeypatch.setattr(fastsudoku._engine, "engine", both_engines[1])
    made = fastsudoku.generate(2000, clues=(23, 40), seed=3)
    digest = sha256(bytes(made.puzzles.cells) + bytes(made.clues) + made.guesses.tobytes())
    assert digest.hexdigest()[:16] == "bbb9f760c386f4ea"


ARGUMENTS = [
    {},
    {"clues": 24},
    {"clues": (26, 33)},
    {"clues": 21, "max_attempts": 5},
    {"clues": (17, 81)},
    {"minimal": True, "clues": (22, 24), "max_attempts": 3},
    {"symmetry": "rot90"},
    {"symmetry": "dihedral", "clues": (30, 40)},
    {"symmetry": "diagonal", "clues": 29, "max_attempts": 4},
    {"minimal": True, "guesses": (1, 2), "max_attempts": 5},
    {"clues": 27, "guesses": (3, 5), "max_attempts": 4},
    {"pattern": CELLS, "max_attempts": 3},
    {"pattern": CELLS, "minimal": True, "max_attempts": 3},
    {"grid": fastsudoku.random_grids(1, seed=5)[0]},
    {"start": 2**40 + 7, "clues": 30},
]


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_all_implementations_make_the_same(both_engines, monkeypatch, arguments):
    made = []
    for implementation in both_engines:
        monkeypatch.setattr(fastsudoku._engine, "engine", implementation)
        made.append(fastsudoku.generate(12, seed=2**63 + 1, **arguments))
    pure, compiled = made
    assert list(pure) == list(compiled)
    assert pure.errors == compiled.errors
    assert bytes(pure.puzzles.cells) == bytes(compiled.puzzles.cells)
    check(puzzle for puzzle in pure if puzzle.clues)


def test_a_puzzle_depends_on_seed_and_row_only(engine, monkeypatch):
    monkeypatch.setattr(threads, "_FIRST_ROWS", (1, 3))
    monkeypatch.setattr(threads, "_WORTH_A_THREAD", 1e-9)
    whole = list(fastsudoku.generate(24, clues=28, seed=21))
    parts = [fastsudoku.generate(8, clues=28, seed=21, start=start) for start in (0, 8, 16)]
    assert [puzzle for part in parts for puzzle in part] == whole
    assert list(fastsudoku.generate(24, clues=28, seed=21, threads=3)) == whole
    seen = []
    made = fastsudoku.generate(24, clues=28, seed=21, threads=2, progress=lambda *at: seen.append(at))
    assert list(made) == whole
    assert seen[-1] == (24, 24)


def test_many_more_puzzles_than_are_made_at_once(both_engines, monkeypatch):
    _, compiled = both_engines
    monkeypatch.setattr(fastsudoku._engine, "engine", compiled)
    made = fastsudoku.generate(10_000, clues=32, seed=22, threads=1)
    assert all(made.met)
    assert set(made.clues) == {32}
    batch = fastsudoku.solve_many(made.puzzles)
    assert set(batch.status) == {1}
    assert bytes(batch.solutions) == bytes(made.solutions.cells)
    assert batch.guesses == made.guesses
    last = fastsudoku.generate(3, clues=32, seed=22, start=9997)
    assert list(last) == made[9997:]


def test_it_can_be_interrupted(engine):
    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fastsudoku.generate(1000, clues=30, seed=1, progress=interrupt)


def test_a_thread_that_is_stopped_ends_soon(engine):
    plan = _plan_without_end()
    buffers = [memoryview(bytearray(size)) for size in (81, 81, 1)]
    guesses, flags = memoryview(bytearray(4)).cast("I"), memoryview(bytearray(1))
    stop = bytearray(1)
    failures = []

    def work():
        try:
            engine.carve_range(plan, b"", *buffers, guesses, flags, 0, 1, stop)
        except InterruptedError as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    stop[0] = 1
    start = monotonic()
    thread.join(30)
    assert not thread.is_alive()
    assert monotonic() - start < 20
    assert len(failures) == 1


def _plan_without_end():
    from fastsudoku.plans import Plan

    return Plan(1, 0, orbits("none"), 17, 17, False, b"", (0, 9), 2**32 - 1, b"")


# --- what is returned ------------------------------------------------------------------------------------


def test_no_puzzles(engine):
    made = fastsudoku.generate(0, seed=1)
    assert len(made) == 0
    assert list(made) == []
    assert repr(made) == "<Generated 0 puzzles, seed 1>"


def test_generated_is_a_sequence(engine):
    made = fastsudoku.generate(3, clues=30, seed=1)
    assert made[-1] == made[2]
    assert made[1:] == [made[1], made[2]]
    with pytest.raises(IndexError, match="row 3 of 3 puzzles"):
        made[3]
    again = pickle.loads(pickle.dumps(made))
    assert list(again) == list(made)
    assert (again.seed, again.start, again.errors) == (1, 0, {})
    assert made.puzzles.strings() == list(made.puzzles) == [puzzle.puzzle for puzzle in made]
    assert made.puzzles.lines().decode().split() == list(made.puzzles)
    assert made.puzzles == again.puzzles
    with pytest.raises(IndexError, match="row -4 of 3 boards"):
        made.puzzles[-4]
    assert list(fastsudoku.solve_many(made.puzzles).strings()) == list(made.solutions)
    assert list(fastsudoku.solve_many(made).strings()) == list(made.solutions)
    assert list(fastsudoku.rate_many(made).guesses) == list(made.guesses)


def test_parts_of_a_list_of_boards_are_lists_of_boards(engine):
    boards = fastsudoku.generate(5, clues=30, seed=1).puzzles
    texts = list(boards)
    for part in (slice(1, 3), slice(2, None), slice(None), slice(4, 1), slice(None, None, -2), slice(0, 0)):
        assert isinstance(boards[part], fastsudoku.BoardList)
        assert list(boards[part]) == texts[part]
    for digits in (["." * 81], bytearray(80), "." * 81):
        with pytest.raises(SudokuError, match="a BoardList is made of a bytearray"):
            fastsudoku.BoardList(digits)


def test_a_list_of_boards_that_was_written_to(engine):
    boards = fastsudoku.generate(3, clues=30, seed=1).puzzles
    first, _, last = boards
    for value in (10, 80, 218, 255):
        boards.cells[1, 4] = value
        # It is shown as it is, in all ways.
        assert boards[1][4] == "?"
        assert list(boards) == boards.strings() == boards.lines().decode().split() == [first, boards[1], last]
        for function in (fastsudoku.solve_many, fastsudoku.minimize_many, fastsudoku.rate_many):
            with pytest.raises(fastsudoku.BoardError, match=r"boards\[1\]: row 1, column 5: "):
                function(boards)
            marked = function(boards, errors="mark")
            assert list(marked.errors) == [1]
            assert "row 1, column 5" in marked.errors[1]


def test_plans_that_cannot_be(both_engines):
    _, compiled = both_engines
    plan = _plan_without_end()
    buffers = [memoryview(bytearray(81)), memoryview(bytearray(81)), memoryview(bytearray(1))]
    for change, message in (
        ({"orbits": (bytes([1]), bytes([1]))}, "orbits have different cells"),
        ({"orbits": (bytes([81]),)}, "orbits have cells from 0 to 80"),
        ({"orbits": (b"",) * 5000}, "an orbit has at least one cell"),
        ({"pattern": bytes([81])}, "a pattern has cells from 0 to 80"),
        ({"pattern": bytes(82)}, "a pattern has cells"),
        ({"grid": bytes(81)}, "a grid is 81 bytes from 1 to 9"),
        ({"grid": b"\1" * 100}, "a grid is 81 bytes from 1 to 9"),
    ):
        with pytest.raises(ValueError, match=message):
            compiled.carve_range(
                plan._replace(**change),
                b"",
                *buffers,
                memoryview(bytearray(4)).cast("I"),
                memoryview(bytearray(1)),
                0,
                1,
            )


def test_compiled_engines_make_the_same_of_many(both_engines, monkeypatch):
    """As many as are made at once, and more, of all that takes several kinds of questions."""
    _, compiled = both_engines
    for arguments in (
        {"clues": (22, 30), "guesses": (0, 3), "max_attempts": 3},
        {"symmetry": "rot180", "clues": (24, 30), "max_attempts": 2},
        {"minimal": True, "clues": (21, 24), "max_attempts": 4},
    ):
        made = []
        for engine in (compiled, load("dfs")):
            monkeypatch.setattr(fastsudoku._engine, "engine", engine)
            made.append(fastsudoku.generate(3000, seed=5, **arguments))
        assert made[0].puzzles == made[1].puzzles
        assert made[0].solutions == made[1].solutions
        assert bytes(made[0].clues) == bytes(made[1].clues)
        assert made[0].guesses == made[1].guesses
        assert bytes(made[0].minimal) == bytes(made[1].minimal)
        assert made[0].errors == made[1].errors


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=strategies.integers(0, 2**64 - 1),
    start=strategies.integers(0, 2**64 - 8),
    low=strategies.integers(22, 34),
    more=strategies.integers(0, 6),
    symmetry=strategies.sampled_from(SYMMETRIES),
    minimal=strategies.booleans(),
    guesses=strategies.sampled_from([None, 0, (1, 3), (2, None)]),
    attempts=strategies.integers(1, 3),
)
def test_whatever_is_asked_for_all_implementations_make_the_same(
    both_engines, seed, start, low, more, symmetry, minimal, guesses, attempts
):
    arguments = {
        "clues": (low, low + more + 8 * (symmetry != "none")),
        "symmetry": symmetry,
        "minimal": minimal,
        "guesses": guesses,
        "max_attempts": attempts,
    }
    made = []
    for engine in both_engines:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fastsudoku._engine, "engine", engine)
            made.append(list(fastsudoku.generate(3, seed=seed, start=start, **arguments)))
    assert made[0] == made[1]
    check(made[0])


def test_longest_runs_are_found_by_halves():
    """Whatever run of orbits can go, the orbit after it is found."""
    for longest in range(12):
        asked = []

        class Carver(_carving_py.Carver):
            def _can_go(self, puzzle, grid, cells):
                asked.append(len(cells))  # noqa: B023
                return len(cells) <= longest  # noqa: B023

        carver = Carver(None, None, None, None, None)
        each = [bytes([cell]) for cell in range(11)]
        assert carver._longest_run(bytearray(81), bytes(81), each, 81) == min(longest, 11)
        assert len(asked) <= 5
