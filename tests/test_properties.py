"""What has to hold for any board, tried on boards that hypothesis makes up."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_boards import random_grid, random_order, rearranged, with_clues

import fastsudoku
from fastsudoku.formats import BoardReader, TextBoard

# The fixture sets the implementation once for all examples of a test, and that is what is wanted.
pytestmark = pytest.mark.filterwarnings("default::hypothesis.errors.HypothesisWarning")
COMMON = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

seeds = st.integers(0, 2**32 - 1)
grids = seeds.map(lambda seed: random_grid(Random(seed)))
solvable = st.builds(with_clues, grids, st.lists(st.integers(0, 80), min_size=18, unique=True))
# Any digits anywhere: mostly contradictions, some of them hidden.
any_boards = st.lists(st.sampled_from("." * 30 + "123456789"), min_size=81, max_size=81).map("".join)
any_text = st.text(st.sampled_from(".0123456789-|+=_*?xX \n\t#;,abe\u00e9\x00"), max_size=200)


@COMMON
@given(board=solvable)
def test_the_answer_of_a_solvable_board(engine, board):
    solution = fastsudoku.solve(board)
    assert solution is not None
    assert fastsudoku.verify(board, solution)
    assert fastsudoku.solve(solution) == solution
    count = fastsudoku.count(board, limit=40)
    listed = [found for found, _ in zip(fastsudoku.solutions(board), range(40), strict=False)]
    assert listed == sorted(set(listed))
    assert (len(listed), listed[0]) == (count, solution)
    assert all(fastsudoku.verify(board, found) for found in listed)
    assert fastsudoku.is_unique(board) == (count == 1)


@COMMON
@given(board=any_boards)
def test_the_answer_of_any_board(engine, board):
    result = fastsudoku.solve_many([board])[0]
    assert result.status == min(fastsudoku.count(board), 2)
    assert (result.solution is None) == (result.status == 0)
    if fastsudoku.conflicts(board):
        assert result.status == 0
    if result.solution:
        assert fastsudoku.verify(board, result.solution)


@COMMON
@given(board=solvable | any_boards, seed=seeds)
def test_a_rearranged_board_has_the_rearranged_answer(engine, board, seed):
    random = Random(seed)
    rows, columns, digits = random_order(random), random_order(random), random.sample(range(1, 10), 9)
    other = rearranged(board, rows, columns, digits)
    transposed = "".join(board[9 * column + row] for row in range(9) for column in range(9))
    count = fastsudoku.count(board, limit=20)
    assert fastsudoku.count(other, limit=20) == count
    assert fastsudoku.count(transposed, limit=20) == count
    if count < 20:
        solutions = {rearranged(found, rows, columns, digits) for found in fastsudoku.solutions(board)}
        assert set(fastsudoku.solutions(other)) == solutions


@COMMON
@given(board=solvable, cell=st.integers(0, 80))
def test_a_digit_of_a_solution_as_a_clue_leaves_fewer_solutions(engine, board, cell):
    solution = fastsudoku.solve(board)
    more = board[:cell] + solution[cell] + board[cell + 1 :]
    assert fastsudoku.solve(more) == solution
    assert fastsudoku.count(more, limit=50) <= fastsudoku.count(board, limit=50)


@COMMON
@given(boards=st.lists(solvable | any_boards, max_size=8))
def test_a_batch_is_its_boards(engine, boards):
    batch = fastsudoku.solve_many(boards)
    assert batch.strings() == [fastsudoku.solve(board) for board in boards]
    assert list(fastsudoku.solve_iter(boards)) == list(batch)
    assert list(batch) == [fastsudoku.solve_many([board])[0] for board in boards]


@COMMON
@given(text=any_text)
def test_any_text_is_a_board_or_an_error(engine, text):
    message, solution = "no error", None
    try:
        solution = fastsudoku.solve(text)
    except fastsudoku.BoardError as error:
        message = str(error)
    assert message != ""
    assert solution is None or len(solution) == 81
    batch = fastsudoku.solve_many([text], errors="mark")
    assert (batch.status[0] == 255) == bool(batch.errors)


ROW = "53..7...."
ROWS = [
    ROW,
    "5 3 . . 7 . . . .",
    "| 5 3 . | . 7 . | . . . |",
    ROW.replace(".", "-"),
    "\u2502 5 3 . \u2502 . 7 . . . .",
]
LINES = [
    ROW * 9,
    ROW.replace(".", "-") * 9,
    f"  {ROW * 9} name 12",
    f" {ROW.replace('.', '-') * 9} #7",
    "\ufeff" + ROW * 9,
]
OTHER = [
    "",
    "#",
    "Grid 01",
    "+---+---+---+",
    "---",
    "*-----------*",
    "\u250c\u2500\u2500\u2510",
    "x",
    ROW[1:],
    "12",
    "-" * 9,
]
texts = st.lists(st.sampled_from([*ROWS * 3, *LINES, *OTHER]), max_size=30) | st.tuples(
    st.sampled_from(ROWS), st.lists(st.sampled_from(["", "+---+---+---+"]), max_size=2)
).map(lambda parts: ([parts[0]] * 3 + parts[1]) * 3)


def read_boards(lines: list[str]) -> list[TextBoard]:
    reader = BoardReader()
    return [board for line in lines for board in reader.feed(line)] + reader.close()


@COMMON
@given(lines=texts)
def test_an_answer_in_the_shape_of_a_text_is_read_as_that_answer(lines):
    solution = "123456789" * 9
    for board in read_boards(lines):
        assert bool(board.cells) != bool(board.error)
        if board.cells:
            answer = board.with_answer(solution).split("\n")
            assert len(answer) == len(board.lines) == board.without_answer().count("\n") + 1
            assert [found.cells for found in read_boards(answer)] == [bytes(map(int, solution))]


@COMMON
@given(values=st.lists(st.integers(-1, 10) | st.none() | st.sampled_from(".5x "), min_size=81, max_size=81))
def test_any_values_are_a_board_or_an_error_and_stay_as_they_are(engine, values):
    before = list(values)
    try:
        solved = fastsudoku.solve_inplace(values)
    except fastsudoku.BoardError:
        solved = False
    if not solved:
        assert values == before
