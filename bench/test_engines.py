"""Task by set by implementation; those that can be compared, one task on one set, form a group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boards
import pytest
import tasks
from boards import BoardSet
from pytest_benchmark.fixture import BenchmarkFixture

# The pure engine takes long enough for few rounds.
pytestmark = [pytest.mark.benchmark(max_time=0.5, min_rounds=3), pytest.mark.usefixtures("implementation")]


def run(
    benchmark: BenchmarkFixture, task: str, board_set: BoardSet, function: Callable[[Any], Any], argument: Any
) -> Any:
    """Run a benchmark and return its result; the time is that of the whole set."""
    benchmark.group = f"{task}, {board_set.name} ({len(board_set)} boards)"
    benchmark.extra_info["boards"] = len(board_set)
    return benchmark(function, argument)


def test_solve_many(benchmark: BenchmarkFixture, board_set: BoardSet) -> None:
    batch = run(benchmark, "solve_many", board_set, tasks.solve_many, board_set.values())
    tasks.check_batch(board_set, batch)


def test_count_many(benchmark: BenchmarkFixture, board_set: BoardSet) -> None:
    counts = run(benchmark, "count_many", board_set, tasks.count_many, board_set.values())
    tasks.check_counts(board_set, counts)


def test_solve_str(benchmark: BenchmarkFixture, board_set: BoardSet) -> None:
    solutions = run(benchmark, "solve(str)", board_set, tasks.solve_each, board_set.texts)
    tasks.check_solutions(board_set, solutions)


def test_solve_list(benchmark: BenchmarkFixture, board_set: BoardSet) -> None:
    solutions = run(benchmark, "solve(list of lists)", board_set, tasks.solve_each, board_set.rows())
    tasks.check_solutions(board_set, solutions)


def test_classic(benchmark: BenchmarkFixture) -> None:
    easy = boards.load("easy")
    solutions = run(benchmark, "classic", easy, tasks.classic_each, easy.texts)
    tasks.check_solutions(easy, solutions)
