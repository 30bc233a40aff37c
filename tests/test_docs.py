"""The examples in the README and in the docstrings run and give what they say."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import fastsudoku
from fastsudoku import batch, board_list, boards, generator, minimal, rating, solver

MODULES = [fastsudoku, batch, board_list, boards, generator, minimal, rating, solver]
README = (ROOT / "README.md").read_text()
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_examples_in_the_readme(engine):
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=OPTIONS)
    assert tried > 5
    assert failures == 0


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_in_docstrings(engine, module):
    failures, tried = doctest.testmod(module, optionflags=OPTIONS)
    assert tried > 0
    assert failures == 0


def test_what_the_readme_says_the_command_line_prints():
    command = next(line for line in README.splitlines() if line.endswith("solve examples/lines.txt"))
    expected = README.split(command + "\n", 1)[1].split("```", 1)[0]
    done = subprocess.run(
        [sys.executable, "-m", "fastsudoku", "solve", "examples/lines.txt"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == expected
    assert re.fullmatch(r"fastsudoku: 3 boards: 3 unique, 0 several, .*boards/s\n", done.stderr)


@pytest.mark.parametrize("name", ["lines.txt", "grid.txt", "blocks.txt"])
def test_examples_have_one_solution_each(engine, name):
    with (ROOT / "examples" / name).open() as file:
        found = list(fastsudoku.solve_iter(file))
    assert found
    assert {result.status for result in found} == {1}


def test_every_public_function_has_a_complete_docstring():
    for name in fastsudoku.__all__:
        thing = getattr(fastsudoku, name)
        if not inspect.isfunction(thing):
            continue
        text = inspect.getdoc(thing)
        sections = set(re.findall(r"^(\w+)\n-+$", text, re.MULTILINE))
        assert "Examples" in sections, name
        assert sections & {"Returns", "Yields"}, name
        if inspect.signature(thing).parameters:
            assert {"Parameters", "Raises"} <= sections, name


def test_links_in_the_readme():
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert len(links) > 3
    assert [link for link in links if not (ROOT / link).exists()] == []
