"""Minimal puzzles, and clues that can go."""

from __future__ import annotations

from array import array

import pytest

import fastsudoku
from fastsudoku import BoardError, SudokuError, threads

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
GRID = fastsudoku.solve(PUZZLE)
SEVERAL = "." * 81
NONE = "11" + "." * 79


def without(board, cell):
    return board[:cell] + "." + board[cell + 1 :]


def redundant(puzzle):
    return [
        (cell // 9 + 1, cell % 9 + 1)
        for cell in range(81)
        if puzzle[cell] != "." and fastsudoku.count(without(puzzle, cell)) == 1
    ]


def test_minimize(engine):
    puzzle = fastsudoku.minimize(PUZZLE, seed=1)
    assert fastsudoku.solve(puzzle) == GRID
    assert redundant(puzzle) == []
    assert fastsudoku.is_minimal(puzzle)
    # What is left is of the puzzle.
    assert all(a in (".", b) for a, b in zip(puzzle, PUZZLE, strict=True))
    assert not fastsudoku.is_minimal(PUZZLE)
    assert fastsudoku.minimize(puzzle) == puzzle


def test_redundant_clues(engine):
    for puzzle in [PUZZLE, fastsudoku.minimize(PUZZLE, seed=2), GRID]:
        assert fastsudoku.redundant_clues(puzzle) == redundant(puzzle)
    assert len(fastsudoku.redundant_clues(GRID)) == 81


def test_boards_without_one_solution(engine):
    for board, number in ((SEVERAL, "several solutions"), (NONE, "no solution")):
        assert fastsudoku.is_minimal(board) is False
        for function in (fastsudoku.minimize, fastsudoku.redundant_clues):
            with pytest.raises(SudokuError, match=f"the board has {number}; only a puzzle with one"):
                function(board)
    for function in (fastsudoku.minimize, fastsudoku.redundant_clues, fastsudoku.is_minimal):
        with pytest.raises(BoardError, match="80 cells"):
            function("." * 80)
    with pytest.raises(SudokuError, match="seed is -1"):
        fastsudoku.minimize(PUZZLE, seed=-1)


def test_seeds(engine):
    assert fastsudoku.minimize(GRID, seed=1) == (
        ".......1.....953...9..42......7...2.4.6.53...7.....8..9......84..7..96..3.5.8.1.."
    )
    assert fastsudoku.minimize(GRID, seed=1) != fastsudoku.minimize(GRID, seed=2)
    assert len({fastsudoku.minimize(GRID) for _ in range(3)}) > 1


def rows_of(text, kind=int):
    return [[kind(character) for character in text[start : start + 9]] for start in range(0, 81, 9)]


def test_what_comes_back_is_of_the_kind_that_was_given(engine):
    expected = fastsudoku.minimize(PUZZLE, seed=3)
    assert fastsudoku.minimize(PUZZLE.replace(".", "0"), seed=3) == expected.replace(".", "0")
    assert fastsudoku.minimize(PUZZLE.replace(".", "_"), seed=3) == expected.replace(".", "_")
    assert fastsudoku.minimize(fastsudoku.format_board(PUZZLE), seed=3) == expected
    assert fastsudoku.minimize(PUZZLE.encode(), seed=3) == expected.encode()
    assert fastsudoku.minimize(bytearray(PUZZLE.encode()), seed=3) == bytearray(expected.encode())
    zeros = PUZZLE.replace(".", "0")
    numbers = [int(character) for character in expected.replace(".", "0")]
    assert fastsudoku.minimize(rows_of(zeros), seed=3) == rows_of(expected.replace(".", "0"))
    assert fastsudoku.minimize(bytes(map(int, zeros)), seed=3) == bytes(numbers)
    assert fastsudoku.minimize(array("i", map(int, zeros)), seed=3) == array("i", numbers)
    # Lists of characters keep what they have for a blank, too, and rows that are texts are texts.
    assert fastsudoku.minimize(rows_of(PUZZLE, str), seed=3) == rows_of(expected, str)
    assert fastsudoku.minimize(rows_of(zeros, str), seed=3) == rows_of(expected.replace(".", "0"), str)
    lines = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
    assert fastsudoku.minimize(lines, seed=3) == [expected[start : start + 9] for start in range(0, 81, 9)]
    board = rows_of(zeros)
    fastsudoku.minimize(board, seed=3)
    assert board == rows_of(zeros)
    # A full grid has no blank: it is a full stop then.
    assert set(fastsudoku.minimize(GRID, seed=1)) == set(".123456789")


def test_many(engine):
    boards = [PUZZLE, GRID, fastsudoku.random_grids(1, seed=1)[0]]
    made = fastsudoku.minimize_many(boards, seed=4)
    assert all(made.minimal)
    assert all(made.met)
    assert [fastsudoku.solve(board) for board in boards] == list(made.solutions)
    for puzzle in made:
        assert fastsudoku.is_minimal(puzzle.puzzle)
        assert puzzle.guesses == fastsudoku.solve_many([puzzle.puzzle]).guesses[0]
    assert made[0].puzzle == fastsudoku.minimize(PUZZLE, seed=4)
    assert list(fastsudoku.minimize_many(boards, seed=4, threads=2)) == list(made)
    assert len(fastsudoku.minimize_many([])) == 0


def test_many_with_bad_rows(engine, monkeypatch):
    monkeypatch.setattr(threads, "_FIRST_ROWS", (1, 2))
    boards = [PUZZLE, "x", SEVERAL, NONE, GRID]
    made = fastsudoku.minimize_many(boards, seed=4, errors="mark")
    assert list(made.met) == [1, 0, 0, 0, 1]
    assert made.errors == {
        1: "boards[1]: board has 1 cell, expected 81",
        2: "boards[2]: the board has several solutions; only a puzzle with one can be minimal",
        3: "boards[3]: the board has no solution; only a puzzle with one can be minimal",
    }
    assert made[2] == (None, None, 0, None, False, False)
    assert bytes(made.solutions.cells)[81:324] == bytes(243)
    part = fastsudoku.minimize_many([SEVERAL, GRID], seed=4, start=3, errors="mark")
    assert part[1] == made[4]
    assert part.errors == {0: made.errors[2].replace("2", "0")}
    assert made[4].puzzle == fastsudoku.minimize_many([GRID] * 5, seed=4)[4].puzzle
    with pytest.raises(BoardError, match=r"boards\[1\]"):
        fastsudoku.minimize_many(boards)
    with pytest.raises(SudokuError, match=r"boards\[1\]: the board has several solutions"):
        fastsudoku.minimize_many([PUZZLE, SEVERAL])


def test_boards_that_are_changed_meanwhile(engine):
    """Nothing that is written into an array while its boards are minimized does any harm."""
    rows = 40 if engine.NAME == "python" else 400
    boards = bytearray(bytes(fastsudoku.random_grids(rows, seed=1).cells))
    expected = fastsudoku.minimize_many(bytes(boards), seed=1)

    def change(done, total):
        boards[:] = bytes([250]) * len(boards)

    made = fastsudoku.minimize_many(memoryview(boards).cast("B", (rows, 81)), seed=1, progress=change)
    assert made.puzzles == expected.puzzles


def test_clues_that_are_not_of_the_solution_are_not_read(engine):
    from fastsudoku.plans import ANY_GUESSES, Plan
    from fastsudoku.symmetry import orbits

    plan = Plan(1, 0, orbits("none"), 0, 81, True, b"", ANY_GUESSES, 1, b"")
    grid = bytes(map(int, GRID))
    made = []
    for given in (grid, bytes([250]) * 81):
        puzzles, grids = memoryview(bytearray(81)), memoryview(bytearray(grid))
        numbers = [memoryview(bytearray(1)), memoryview(bytearray(4)).cast("I"), memoryview(bytearray(1))]
        engine.carve_range(plan, given, puzzles, grids, *numbers, 0, 1)
        made.append(puzzles.tobytes())
    assert made[0] == made[1]


def test_minimal_puzzles_are_all_different_forms(both_engines, monkeypatch):
    _, compiled = both_engines
    monkeypatch.setattr(fastsudoku._engine, "engine", compiled)
    made = fastsudoku.minimize_many(fastsudoku.random_grids(3000, seed=5), seed=5)
    assert all(made.minimal)
    assert len(set(made.puzzles)) == 3000
    counts = fastsudoku.count_many(made.puzzles)
    assert set(counts) == {1}
    # Without any clue there are several solutions: some of all that could be asked.
    fewer = [without(puzzle, next(i for i in range(81) if puzzle[i] != ".")) for puzzle in made.puzzles]
    assert set(fastsudoku.count_many(fewer)) == {2}
