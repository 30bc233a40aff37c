"""The implementations and the sets of boards that each benchmark runs with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import boards
import engines
import pytest
from boards import BoardSet

from fastsudoku._engine import NAMES


def pytest_addoption(parser: pytest.Parser) -> None:
    # The tests have the same option, which is there already if both folders run together.
    with contextlib.suppress(ValueError):
        parser.addoption(
            "--only-python",
            action="store_true",
            help="run the pure engine only; without this, a compiled engine that is missing is an error",
        )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "implementation" in metafunc.fixturenames:
        names = [engines.PURE]
        if not metafunc.config.getoption("--only-python"):
            # The compiled engine is one of them even where it cannot run, so that it is missed.
            here = {*engines.available(), engines.COMPILED}
            names = [name for name in NAMES if name in here]
        metafunc.parametrize("implementation", names, indirect=True)


@pytest.fixture(params=boards.names())
def board_set(request: pytest.FixtureRequest) -> BoardSet:
    return boards.load(request.param)


@pytest.fixture
def implementation(request: pytest.FixtureRequest) -> Iterator[str]:
    """Make the whole package work with one implementation, and return its name."""
    with engines.using(request.param):
        yield request.param
