"""What all tests share: the implementations, and the boards."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fastsudoku
from fastsudoku._engine import LEVELS, load, unavailable

ROOT = Path(__file__).resolve().parents[1]
# Big public puzzle sets, not part of the project, lie beside the checkout where there are any.
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    # bench/conftest.py has it too, and both may be loaded.
    with contextlib.suppress(ValueError):
        parser.addoption(
            "--only-python",
            action="store_true",
            help="test the pure engine only; without this, a compiled engine that is missing is an error",
        )
    parser.addoption(
        "--no-lanes",
        action="store_true",
        help="test a build without the lane engine, as other compilers make it",
    )


def engines(config: pytest.Config) -> list[str]:
    """Name the implementations to test: all but the levels for other processors."""
    if config.getoption("--only-python"):
        return ["python"]
    reasons = {} if config.getoption("--no-lanes") else unavailable()
    levels = [level for level in LEVELS if "processor" not in reasons.get(level, "")]
    return ["python", "dfs", *([] if config.getoption("--no-lanes") else levels)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", engines(metafunc.config), indirect=True)
    if "both_engines" in metafunc.fixturenames:
        metafunc.parametrize("both_engines", engines(metafunc.config)[1:], indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make the whole package work with one implementation, and return it."""
    implementation = load(request.param)
    monkeypatch.setattr(fastsudoku._engine, "engine", implementation)
    assert fastsudoku.implementation() == request.param
    return implementation


@pytest.fixture
def both_engines(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """Return the pure engine and a compiled one, for tests that compare them."""
    return load("python"), load(request.param)


@pytest.fixture(params=["python", ""])
def run(request, pytestconfig, tmp_path):
    """Return a function that runs the command line in pure Python, and as users have it."""
    if request.param != "python" and pytestconfig.getoption("--only-python"):
        pytest.skip("--only-python was given")
    # Without a variable of whoever runs the tests that changes how output is written.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment["FASTSUDOKU_IMPLEMENTATION"] = request.param

    def run(*arguments, given="", with_summary=False, **options):
        given = given if isinstance(given, bytes) else given.encode()
        done = subprocess.run(
            [sys.executable, "-m", "fastsudoku", *map(str, arguments)],
            input=given,
            capture_output=True,
            cwd=tmp_path,
            timeout=120,
            env={**environment, **options.pop("environment", {})},
            check=False,
            **options,
        )
        errors = done.stderr.decode()
        assert "Traceback" not in errors
        assert all(line.startswith(("fastsudoku: ", "usage: ")) for line in errors.splitlines()[:1])
        if not with_summary:
            errors = re.sub(
                r"^fastsudoku: [\d,]+ boards?: .*boards/s(; --seed \d+)?\n", "", errors, flags=re.MULTILINE
            )
        return done.returncode, done.stdout.decode(errors="surrogateescape").replace("\r\n", "\n"), errors

    return run


def shared(path: str) -> Path:
    """Return a file beside the checkout; skip the test if it is not there."""
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"../shared/{path} is not there")
    return file
