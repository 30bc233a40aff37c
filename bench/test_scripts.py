"""The scripts of this folder run, as short as they can; what they measure is not looked at."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import engines
import pytest

HERE = Path(__file__).resolve().parent

SCRIPTS = {
    "compare_engines": ["--set", "easy"],
    "compare_packages": ["--set", "easy"],
    "compare_prototype": ["--boards", "100"],
    "conversions": [],
    "distribution": ["--grids", "100", "--puzzles", "20"],
    "generation": ["--scale", "0.001"],
    "import_time": [],
    "slowest_board": [],
    "throughput": ["--boards", "500"],
}
NEED_COMPILED = {"compare_engines", "compare_prototype"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs(name: str) -> None:
    if name in NEED_COMPILED and engines.why_not_compiled():
        pytest.skip(f"nothing to compare: {engines.why_not_compiled()}")
    command = [sys.executable, str(HERE / f"{name}.py"), *SCRIPTS[name]]
    if name not in ("compare_packages", "distribution"):
        command += ["--rounds", "1"]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
    assert "CPython" in done.stdout.splitlines()[0]
