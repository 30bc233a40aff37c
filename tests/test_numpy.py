"""NumPy arrays in and out, where NumPy is installed. The package itself never imports it."""

from __future__ import annotations

import itertools

import pytest
from test_kinds import ANSWER, ANSWER_ROWS, BOARD, ROWS, VALUES

import fastsudoku
from fastsudoku import BoardError

numpy = pytest.importorskip("numpy")

INTEGERS = ["u1", "i1", "<u2", ">u2", "<i4", ">i4", "<u8", ">i8", "<f4", ">f8"]
SQUARE = numpy.array(ROWS)
NONE = [1, 1] + [0] * 79


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("shape", [(81,), (9, 9)])
def test_one_board_of_any_type(engine, dtype, shape):
    board = numpy.array(ROWS).reshape(shape).astype(dtype)
    solution = fastsudoku.solve(board)
    assert type(solution) is numpy.ndarray
    assert (solution.dtype, solution.shape) == (numpy.dtype(dtype), shape)
    assert solution.reshape(9, 9).tolist() == ANSWER_ROWS
    assert fastsudoku.verify(board, solution)
    assert board.reshape(-1).tolist() == VALUES


def layouts(table):
    """Return arrays with the same elements and other layouts in memory."""
    doubled = numpy.repeat(table, 2, axis=-1)[..., ::2]
    backward = table[..., ::-1].copy()[..., ::-1]
    frozen = table.copy()
    frozen.flags.writeable = False
    return [
        numpy.asfortranarray(table),
        doubled,
        backward,
        frozen,
        table.view(type("Sub", (numpy.ndarray,), {})),
    ]


def test_one_board_of_any_layout(engine):
    for board in layouts(SQUARE) + layouts(SQUARE.astype("u1")):
        assert fastsudoku.solve(board).tolist() == ANSWER_ROWS


def test_characters_and_objects(engine):
    characters = numpy.array([list(BOARD)]).reshape(9, 9)
    solution = fastsudoku.solve(characters)
    assert (solution.dtype, "".join(solution.reshape(-1))) == (characters.dtype, ANSWER)
    objects = numpy.array([[value or None for value in row] for row in ROWS], dtype=object)
    assert fastsudoku.solve(objects).tolist() == ANSWER_ROWS
    assert fastsudoku.solve([list(row) for row in SQUARE]) == ANSWER_ROWS
    assert fastsudoku.solve(list(SQUARE)) == ANSWER_ROWS
    assert fastsudoku.solve(numpy.str_(BOARD)) == ANSWER


def test_filling_in_place(engine):
    for board in (SQUARE.copy(), SQUARE.astype("u1"), numpy.asfortranarray(SQUARE.astype("f8"))):
        assert fastsudoku.solve_inplace(board)
        assert board.tolist() == ANSWER_ROWS
    flat = numpy.array(VALUES)
    assert fastsudoku.solve_inplace(flat[:])
    assert "".join(map(str, flat)) == ANSWER
    frozen = SQUARE.copy()
    frozen.flags.writeable = False
    with pytest.raises(BoardError, match="cannot be filled in place"):
        fastsudoku.solve_inplace(frozen)


def test_what_is_masked_is_blank(engine):
    masked = numpy.ma.array(numpy.where(SQUARE == 0, 7, SQUARE), mask=SQUARE == 0)
    assert fastsudoku.solve(masked).tolist() == ANSWER_ROWS
    assert fastsudoku.solve_many(masked[None]).strings() == [ANSWER]


def test_places_that_share_memory(engine):
    for line in (numpy.zeros(9, dtype=int), numpy.zeros(81, dtype=int)[:9]):
        with pytest.raises(BoardError, match="cannot be filled in place"):
            fastsudoku.solve_inplace([line[:] for _ in range(9)])
        assert not line.any()


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (SQUARE + 10 * (SQUARE == 5), "row 1, column 1: 15 is not a digit or a blank"),
        (SQUARE * -1, "row 1, column 1: -5 is not a digit or a blank"),
        (SQUARE * 1.5, "row 1, column 1: 7.5 is not a digit or a blank"),
        (SQUARE == 1, "row 1, column 1: False is not a digit or a blank"),
        (SQUARE + 256, "row 1, column 1: 261 is not a digit or a blank"),
        (SQUARE + 0j, "row 1, column 1: (5+0j) is not a digit or a blank"),
        (SQUARE[:8], "array of shape (8, 9), expected (9, 9) or (81,)"),
        (SQUARE[None], "array of shape (1, 9, 9), expected (9, 9) or (81,)"),
        (numpy.int64(5), "an int64 ("),
        (numpy.float64(4.3e78), "a float64 ("),
        ([*VALUES[:80], numpy.bool_(True)], "row 9, column 9: "),
        ([*VALUES[:80], numpy.int8(-1)], "row 9, column 9: "),
    ],
    ids=range(12),
)
def test_what_is_not_a_board(engine, board, message):
    with pytest.raises(BoardError) as caught:
        fastsudoku.solve(board)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_many_boards_of_any_type(engine, dtype):
    table = numpy.array([VALUES, NONE, [0] * 81] * 3, dtype=dtype)
    for boards in [table, table.reshape(9, 9, 9), *layouts(table), *layouts(table.reshape(9, 9, 9))]:
        before = boards.copy()
        batch = fastsudoku.solve_many(boards)
        assert list(batch.status) == [1, 0, 2] * 3
        assert batch.strings()[0] == ANSWER
        assert list(fastsudoku.count_many(boards, limit=5)) == [1, 0, 5] * 3
        assert (boards == before).all()


def test_texts_in_an_array(engine):
    for boards in (numpy.array([BOARD, "11" + "." * 79]), numpy.array([BOARD, "11" + "." * 79], dtype=object)):
        assert fastsudoku.solve_many(boards).strings() == [ANSWER, None]


@pytest.mark.parametrize(
    ("value", "shown"), [(10, "10"), (-1, "-1"), (256, "256"), (2.5, "2.5"), (float("nan"), "nan")]
)
def test_bad_rows(engine, value, shown):
    table = (
        numpy.array([VALUES] * 4, dtype="i8" if value == int(value or 0) else "f8") if value == value else None
    )
    table = numpy.array([VALUES] * 4, dtype="f8") if table is None else table
    table[2, 22] = value
    message = rf"^boards\[2\]: row 3, column 5: {shown}(\.0)? is not a digit or a blank$"
    for boards in (table, table.reshape(4, 9, 9)):
        with pytest.raises(BoardError, match=message):
            fastsudoku.solve_many(boards)
        batch = fastsudoku.solve_many(boards, errors="mark")
        assert list(batch.status) == [1, 1, 255, 1]
        assert batch.strings() == [ANSWER, ANSWER, None, ANSWER]
        assert set(batch.errors) == {2}


def test_wrong_shapes(engine):
    for boards in (SQUARE, numpy.zeros((3, 80)), numpy.zeros((2, 9, 9, 1))):
        with pytest.raises(BoardError, match=r"array of shape .*, expected \(N, 81\) or \(N, 9, 9\)"):
            fastsudoku.solve_many(boards)
    for board in (SQUARE, numpy.array(VALUES)):
        with pytest.raises(BoardError, match="this is one board: use solve"):
            fastsudoku.solve_many(board)
    with pytest.raises(BoardError):
        fastsudoku.solve_many(numpy.array(5))
    with pytest.raises(BoardError, match=r"^boards\[0\]: .*read the column as text"):
        fastsudoku.solve_many(numpy.array([4.3e78, 5e79]))
    assert len(fastsudoku.solve_many(numpy.zeros((0, 81), dtype="u1"))) == 0
    assert len(fastsudoku.solve_many(numpy.zeros((0, 9, 9)))) == 0


def test_the_buffers_without_a_copy(engine):
    batch = fastsudoku.solve_many(numpy.array([VALUES, NONE], dtype="u1"))
    solutions = numpy.asarray(batch.solutions)
    assert (solutions.dtype, solutions.shape) == (numpy.uint8, (2, 81))
    assert solutions[0].reshape(9, 9).tolist() == ANSWER_ROWS
    assert not solutions[1].any()
    assert numpy.shares_memory(solutions, numpy.asarray(batch.solutions))
    assert numpy.asarray(batch.status).tolist() == [1, 0]
    guesses = numpy.asarray(batch.guesses)
    assert (guesses.dtype, guesses.tolist()) == (numpy.uint32, [0, 0])
    assert numpy.asarray(fastsudoku.solve_many([]).solutions).shape == (0, 81)
    assert numpy.asarray(fastsudoku.count_many([BOARD])).dtype == numpy.int64


@pytest.mark.parametrize("dtype", ["u1", "i8", "f4", "O"])
def test_a_stream_of_rows(engine, dtype):
    table = numpy.array([VALUES] * 900, dtype=dtype)[: 20 if engine.NAME == "python" else 900]
    table[-1, 0] = 1 if dtype == "O" else 12
    table = table if dtype != "O" else table[:-1]
    for boards in (table, table.reshape(-1, 9, 9), table[::-1]):
        results = list(fastsudoku.solve_iter(boards, errors="mark"))
        assert results == list(fastsudoku.solve_many(boards, errors="mark"))
    if dtype != "O":
        again = fastsudoku.solve_iter(table)
        assert len(list(itertools.islice(again, len(table) - 1))) == len(table) - 1
        with pytest.raises(BoardError, match=rf"boards\[{len(table) - 1}\]: row 1, column 1: 12"):
            next(again)
    assert list(fastsudoku.solve_iter(table[:0])) == []
    with pytest.raises(BoardError, match="array of shape"):
        list(fastsudoku.solve_iter(table[:, :80]))


# --- made puzzles ----------------------------------------------------------------------------------------


def test_made_puzzles_are_arrays_without_a_copy(engine):
    made = fastsudoku.generate(5, clues=30, seed=1)
    puzzles, solutions = numpy.asarray(made.puzzles), numpy.asarray(made.solutions)
    assert (puzzles.shape, puzzles.dtype) == ((5, 81), numpy.uint8)
    assert numpy.shares_memory(puzzles, numpy.asarray(made.puzzles.cells))
    assert (puzzles != 0).sum(axis=1).tolist() == list(made.clues) == [30] * 5
    assert (numpy.where(puzzles == 0, solutions, puzzles) == solutions).all()
    assert numpy.array_equal(numpy.asarray(fastsudoku.solve_many(puzzles).solutions), solutions)
    assert numpy.asarray(made.guesses).dtype == numpy.uint32
    del made
    assert puzzles.sum() > 0
    assert numpy.asarray(fastsudoku.random_grids(0)).shape == (0, 81)


def test_arguments_from_numpy(engine):
    expected = fastsudoku.generate(2, clues=(28, 30), seed=7, start=3)
    made = fastsudoku.generate(
        numpy.int64(2), clues=(numpy.uint8(28), numpy.int32(30)), seed=numpy.uint64(7), start=numpy.int16(3)
    )
    assert list(made) == list(expected)
    grid = numpy.asarray(expected.solutions)[0].reshape(9, 9)
    assert fastsudoku.generate(1, clues=30, grid=grid, seed=1).solutions[0] == expected.solutions[0]
    pattern = numpy.asarray(expected.puzzles)[0].reshape(9, 9) > 0
    of_pattern = fastsudoku.generate(1, pattern=pattern, seed=1)[0]
    assert [cell != "." for cell in of_pattern.puzzle] == pattern.reshape(-1).tolist()
    puzzle = fastsudoku.minimize(grid, seed=1)
    assert (puzzle.shape, puzzle.dtype) == ((9, 9), grid.dtype)
    assert fastsudoku.is_minimal(puzzle)
    assert list(fastsudoku.minimize_many(numpy.asarray(expected.puzzles), seed=1)) == list(
        fastsudoku.minimize_many(expected.puzzles, seed=1)
    )


def test_blanks_of_an_array_of_characters_stay_what_they_are(engine):
    for blank in (".", "0", "_"):
        puzzle = BOARD.replace(".", blank)
        minimal = fastsudoku.minimize(numpy.array(list(puzzle)).reshape(9, 9), seed=3)
        assert "".join(minimal.reshape(-1).tolist()) == fastsudoku.minimize(puzzle, seed=3)


def test_the_generators_of_numpy_are_not_touched(engine):
    numpy.random.seed(1)
    before = numpy.random.get_state()[1].tolist()
    fastsudoku.generate(3, clues=30)
    fastsudoku.rate(BOARD, shuffles=3)
    assert numpy.random.get_state()[1].tolist() == before
