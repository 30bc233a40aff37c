"""What all tests share: the implementations, and the boards."""

from __future__ import annotations

import contextlib
import importlib
from pathlib import Path
from types import ModuleType

import pytest

import fastsudoku
import fastsudoku._engine

ROOT = Path(__file__).resolve().parents[1]
# Big public puzzle sets, not part of the project, lie beside the checkout where there are any.
SHARED = ROOT.parent / "shared"

ENGINES = {"python": "fastsudoku._engine_py", "dfs": "fastsudoku._engine_c"}


def pytest_addoption(parser: pytest.Parser) -> None:
    # bench/conftest.py has it too, and both may be loaded.
    with contextlib.suppress(ValueError):
        parser.addoption(
            "--only-python",
            action="store_true",
            help="test the pure engine only; without this, a compiled engine that is missing is an error",
        )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        names = ["python"] if metafunc.config.getoption("--only-python") else list(ENGINES)
        metafunc.parametrize("engine", names, indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Make the whole package work with one implementation, and return its module."""
    module = importlib.import_module(ENGINES[request.param])
    monkeypatch.setattr(fastsudoku._engine, "engine", module)
    assert fastsudoku.implementation() == request.param
    return module


@pytest.fixture
def both_engines(pytestconfig: pytest.Config) -> tuple[ModuleType, ModuleType]:
    """Return the pure and the compiled engine, for tests that compare them."""
    if pytestconfig.getoption("--only-python"):
        pytest.skip("compares the compiled engine with the pure one; --only-python was given")
    return importlib.import_module(ENGINES["python"]), importlib.import_module(ENGINES["dfs"])


def shared(path: str) -> Path:
    """Return a file beside the checkout; skip the test if it is not there."""
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"../shared/{path} is not there")
    return file
