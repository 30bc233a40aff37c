"""The right answers on known boards: the project's own, and public ones where they lie beside the checkout."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import pytest
from conftest import ROOT, shared

import fastsudoku
from fastsudoku._engine import load

# Where statuses were searched whole, on whole files, by any implementation of rules 1.
BRANCH_NODES = {
    "easy_34": 783,
    "minimal_random": 10_547,
    "17_clue": 25_770,
    "top1465": 12_396,
    "hardest_11plus": 3_817_877,
}


class Known(NamedTuple):
    board: str
    solutions: str
    smallest: str
    guesses: str = "-"


def read_table(path) -> list[Known]:
    lines = [line for line in path.read_text().splitlines() if line[0] not in "#b"]
    return [Known(*line.split("\t")[:4]) for line in lines]


def check(known: Known) -> None:
    """Compare every function that says something about a board with what is known of it."""
    most = int(known.solutions.split()[0].removeprefix(">="))
    is_exact = not known.solutions.startswith(">=")
    assert fastsudoku.count(known.board, limit=most + is_exact) == most
    assert fastsudoku.is_unique(known.board) == (is_exact and most == 1)
    solution = fastsudoku.solve(known.board)
    result = fastsudoku.solve_many([known.board])[0]
    assert result.solution == solution
    assert result.status == min(most, 2)
    if most == 0:
        assert solution is None
        assert list(fastsudoku.solutions(known.board)) == []
        assert bool(fastsudoku.conflicts(known.board)) or "contradict" not in known.solutions
        return
    assert fastsudoku.verify(known.board, solution)
    if known.smallest != "-":
        assert solution == known.smallest
    listed = list(islice(fastsudoku.solutions(known.board), min(most, 200)))
    assert listed[0] == solution
    assert listed == sorted(set(listed))
    assert len(listed) == min(most, 200)
    assert all(fastsudoku.verify(known.board, solution) for solution in listed)


OWN = read_table(ROOT / "tests" / "boards.tsv")


@pytest.mark.parametrize("known", OWN, ids=lambda known: known.board)
def test_own_boards(engine, known):
    check(known)


def test_own_guesses(engine):
    batch = fastsudoku.solve_many([known.board for known in OWN])
    counted = ["-" if result.status == 2 else str(result.guesses) for result in batch]
    assert counted == [known.guesses for known in OWN]
    assert all(result.guesses == 0xFFFFFFFF for result in batch if result.status == 2)


def test_public_boards(engine):
    for known in read_table(shared("cases/boards.tsv")):
        check(Known(known.board, known.solutions, known.smallest))


@pytest.mark.parametrize("name", BRANCH_NODES)
def test_branch_nodes(engine, name):
    lines = shared(f"data/{name}.txt").read_text().splitlines()
    boards = [line[:81] for line in lines if line and line[0] != "#"]
    if engine.NAME != "python":
        batch = fastsudoku.solve_many(boards)
        assert sum(batch.guesses) == BRANCH_NODES[name]
        assert set(batch.status) == {1}
        return
    # The pure engine takes too long for whole files: board by board on a part, where there is another.
    pytest.importorskip("fastsudoku._engine_c")
    compiled = load("dfs")
    part = boards[:: {"hardest_11plus": 1000, "17_clue": 100}.get(name, 20)]
    for board in part:
        cells = engine.read_text(board)
        expected = [memoryview(bytearray(1)), bytearray(81), memoryview(bytearray(4)).cast("I")]
        actual = [memoryview(bytearray(1)), bytearray(81), memoryview(bytearray(4)).cast("I")]
        compiled.solve_range(cells, *expected, 0, 1)
        engine.solve_range(cells, *actual, 0, 1)
        assert actual == expected, board


def test_five_kinds_of_answers(engine):
    grid = fastsudoku.solve("." * 81)
    clash = "11" + "." * 79
    no_clash = "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3.."
    batch = fastsudoku.solve_many([grid, "." * 81, clash, no_clash, grid[0] * 2 + grid[2:]])
    assert list(batch.status) == [1, 2, 0, 0, 0]
    assert list(batch.guesses) == [0, 0xFFFFFFFF, 0, 0, 0]
    assert fastsudoku.solve(grid) == grid
    assert fastsudoku.conflicts(no_clash) == []


def test_norvigs_impossible_board_needs_no_guess(engine):
    board = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
    result = fastsudoku.solve_many([board])[0]
    assert (result.status, result.guesses) == (0, 0)


def test_an_answer_does_not_depend_on_what_was_asked_before(engine):
    boards = [known.board for known in OWN]
    forward = fastsudoku.solve_many(boards)
    backward = fastsudoku.solve_many(boards[::-1])
    assert list(forward) == list(backward)[::-1]
    assert list(forward) == [fastsudoku.solve_many([board])[0] for board in boards]
    assert forward.strings() == [fastsudoku.solve(board) for board in boards]


def test_counting_stops_at_the_limit(engine):
    assert fastsudoku.count("." * 81) == 2
    assert fastsudoku.count("." * 81, limit=1) == 1
    assert fastsudoku.count("." * 81, limit=321) == 321
    board = "...3165..8..5..1...1.89724.9.1.85.2....9.1....4.263..1.5.....1.1..4.9..2..61.8..."
    assert fastsudoku.count(board, limit=125) == 125
    assert fastsudoku.count(board, limit=10**30) == 125


@pytest.mark.parametrize("limit", [0, -1, 2.0, True, "2", None])
def test_a_limit_that_is_none(engine, limit):
    with pytest.raises(fastsudoku.SudokuError, match=r"limit is .* it has to be an integer of 1 or more"):
        fastsudoku.count("." * 81, limit=limit)
    with pytest.raises(fastsudoku.SudokuError, match="limit is"):
        fastsudoku.count_many(["." * 81], limit=limit)
