"""Statuses, counts and order against brute force, on boards with none, one and many solutions."""

from __future__ import annotations

from random import Random

import oracle
import pytest
from random_boards import random_open_board, random_puzzle, random_wrong_board

import fastsudoku

MOST = 60


def boards(kind: str) -> list[str]:
    random = Random(f"oracle {kind}")
    if kind == "several":
        return [random_open_board(random, random.randint(32, 45)) for _ in range(300)]
    if kind == "wrong":
        return [random_wrong_board(random, random.randint(34, 45)) for _ in range(100)]
    return [random_puzzle(random, clues=36) for _ in range(40)]


@pytest.fixture(scope="module", params=["several", "wrong", "unique"])
def expected(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Return boards with their first solutions, as brute force finds them."""
    return {board: oracle.first_solutions(board, MOST) for board in boards(request.param)}


def test_boards_of_all_kinds_are_there(expected, request):
    counts = [len(found) for found in expected.values()]
    kind = request.node.callspec.params["expected"]
    if kind == "several":
        assert sum(count > 1 for count in counts) > 200
    elif kind == "wrong":
        assert sum(count == 0 for count in counts) > 20
    else:
        assert set(counts) == {1}


def test_status_and_smallest_solution(engine, expected):
    for board, found in expected.items():
        assert fastsudoku.solve(board) == (found[0] if found else None)
        assert fastsudoku.is_unique(board) == (len(found) == 1)
    batch = fastsudoku.solve_many(list(expected))
    assert list(batch.status) == [min(len(found), 2) for found in expected.values()]
    assert batch.strings() == [found[0] if found else None for found in expected.values()]


def test_counts(engine, expected):
    for board, found in expected.items():
        assert fastsudoku.count(board, limit=MOST) == len(found)
    counts = fastsudoku.count_many(list(expected), limit=MOST)
    assert list(counts) == [len(found) for found in expected.values()]


def test_all_solutions_in_lexicographic_order(engine, expected):
    for board, found in expected.items():
        listed = [solution for solution, _ in zip(fastsudoku.solutions(board), range(MOST), strict=False)]
        assert listed == found


def test_classic_meets_the_same_solution_first(engine, expected):
    for board, found in expected.items():
        assert fastsudoku.classic(board) == (found[0] if found else None)
