"""What happens when the package is imported; each test in a process of its own."""

from __future__ import annotations

import inspect
import os
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from conftest import engines

import fastsudoku
from fastsudoku import _code_flags
from fastsudoku._engine import NAMES

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def python(program, implementation=None, *options):
    environment = {key: value for key, value in os.environ.items() if key != "FASTSUDOKU_IMPLEMENTATION"}
    if implementation is not None:
        environment["FASTSUDOKU_IMPLEMENTATION"] = implementation
    return subprocess.run(
        [sys.executable, *options, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_fastest_implementation_is_picked(pytestconfig):
    done = python("import fastsudoku; print(fastsudoku.implementation())")
    (fastest,) = [name for name in NAMES if name in engines(pytestconfig)][:1]
    assert (done.stdout, done.stderr) == (fastest + "\n", "")


@pytest.mark.parametrize("name", NAMES)
def test_an_implementation_is_forced(name, pytestconfig):
    done = python(
        f"import fastsudoku; print(fastsudoku.implementation(), fastsudoku.solve({BOARD!r})[:9])", name
    )
    if name in engines(pytestconfig):
        assert (done.stdout, done.stderr) == (f"{name} 534678912\n", "")
        return
    if pytestconfig.getoption("--only-python"):
        reason = "it was not compiled when the package was installed"
    elif pytestconfig.getoption("--no-lanes"):
        reason = "it was built without the lane engine, which needs GCC or clang"
    else:
        reason = rf"(this processor has no {name[:3].upper()}-?{name[3:]}|it is for 64-bit x86 processors)"
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(
        f"fastsudoku.boards.ImplementationError: FASTSUDOKU_IMPLEMENTATION={name} cannot be used: {reason}",
        last,
    )


def test_the_pure_implementation_does_not_load_the_compiled_one():
    done = python("import fastsudoku, sys; print('fastsudoku._engine_c' in sys.modules)", "python")
    assert done.stdout == "False\n"


def test_an_unknown_implementation_fails_loudly():
    done = python("import fastsudoku", "fast")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "fastsudoku.boards.ImplementationError: FASTSUDOKU_IMPLEMENTATION=fast: unknown; "
        "it can be one of avx512, avx2, base, dfs, python"
    )


def test_an_empty_variable_asks_for_nothing():
    assert python("import fastsudoku", "").returncode == 0


def test_a_missing_compiled_engine_is_explained():
    done = python(
        "import sys; sys.modules['fastsudoku._engine_c'] = None\n"
        "import fastsudoku, fastsudoku._engine\n"
        "print(fastsudoku.implementation(), fastsudoku._engine.unavailable()['dfs'], sep=': ')"
    )
    assert done.stdout.startswith("python: ")
    assert done.stderr == ""


def test_nothing_heavy_is_imported():
    done = python("import sys, fastsudoku; print(*sorted(sys.modules))")
    loaded = set(done.stdout.split())
    assert "fastsudoku" in loaded
    assert not loaded & {"numpy", "inspect", "typing", "re", "argparse", "ctypes", "json", "pathlib", "random"}


def test_nothing_is_written_and_no_warning_raised():
    done = python("import fastsudoku", None, "-W", "error", "-b")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_it_works_with_assertions_off():
    done = python(
        f"import fastsudoku; print(fastsudoku.solve('.' * 81), fastsudoku.count({BOARD!r}))", None, "-OO"
    )
    assert done.stdout.startswith("123456789456789123")
    assert done.stdout.endswith(" 1\n")


def test_an_import_that_is_interrupted():
    """Where the compiled engine cannot import what it needs, that is an error and no crash."""
    done = python(
        "import os, sys\nos.environ['FASTSUDOKU_IMPLEMENTATION'] = 'python'\nimport fastsudoku\n"
        "sys.modules['fastsudoku._code_flags'] = None\n"
        "try:\n    import fastsudoku._engine_c\nexcept ImportError:\n    pass",
        None,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_in_a_subinterpreter():
    interpreters = pytest.importorskip("_xxsubinterpreters", reason="this Python has no module of that name")
    interpreter = interpreters.create()
    try:
        # The compiled engine can be loaded once in a process; elsewhere the pure one answers.
        program = (
            "import fastsudoku\nassert fastsudoku.implementation()\n"
            f"assert fastsudoku.solve({BOARD!r}).startswith('534')"
        )
        interpreters.run_string(interpreter, program)
    finally:
        interpreters.destroy(interpreter)


def test_after_fork():
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    done = python(
        f"import fastsudoku, os, sys\nfastsudoku.solve({BOARD!r})\nchild = os.fork()\n"
        f"os.write(1, fastsudoku.solve({BOARD!r})[:3].encode() + b'\\n')\n"
        "if child:\n    sys.exit(os.waitpid(child, 0)[1])"
    )
    assert (done.returncode, done.stdout) == (0, "534\n534\n")


def test_public_names():
    assert all(hasattr(fastsudoku, name) for name in fastsudoku.__all__)
    public = {name for name in vars(fastsudoku) if not name.startswith("_")}
    modules = {module.name for module in pkgutil.iter_modules(fastsudoku.__path__)}
    assert public - modules == set(fastsudoku.__all__)
    assert all(getattr(fastsudoku, name).__doc__ for name in fastsudoku.__all__)
    assert fastsudoku.RULES == 1


def test_the_version_is_that_of_the_installed_package():
    assert version("fastsudoku") == fastsudoku.__version__


def test_flags_of_code_objects_are_those_of_inspect():
    flags = {name: value for name, value in vars(_code_flags).items() if name.startswith("CO_")}
    assert flags == {name: getattr(inspect, name) for name in flags}
    assert len(flags) == 7
