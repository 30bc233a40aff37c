"""Compare with other packages, those that are installed: ``python bench/compare_packages.py``.

Each package gets the boards in the form that it takes, and converting them is not part of the time. As some
need seconds for a board, each first solves what it can in a given time; then it and fastsudoku solve just
these boards, in turn. fastsudoku proves that there is no second solution; most others stop at the first.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from time import perf_counter
from typing import Any

import boards
import engines
import measuring
import tasks
from boards import BoardSet

import fastsudoku

ROUNDS = 5


@dataclass
class Package:
    """A package to compare with."""

    name: str
    #: Solves one board and returns the solution, in any form that fastsudoku.verify takes.
    solve: Callable[[Any], Any]
    #: Whether it takes boards as nine lists of integers rather than as text.
    takes_rows: bool = False
    engine: str = engines.fastest()


def pure_twin() -> Package:
    return Package("fastsudoku, pure", fastsudoku.solve, engine=engines.PURE)


def py_sudoku() -> Package:
    from sudoku import Sudoku

    return Package(named("py-sudoku"), lambda rows: Sudoku(3, 3, board=rows).solve().board, takes_rows=True)


def dlxsudoku() -> Package:
    from dlxsudoku import Sudoku

    def solve(text: str) -> str:
        board = Sudoku(text)
        board.solve()
        return str(board.to_oneliner())

    return Package(named("dlxsudoku"), solve)


def rustoku() -> Package:
    import rustoku

    # Written by its documentation: 81 characters in and out.
    return Package(named("rustoku"), rustoku.solve)


PACKAGES = {"pure": pure_twin, "py-sudoku": py_sudoku, "dlxsudoku": dlxsudoku, "rustoku": rustoku}


def named(distribution: str) -> str:
    """Return the name of a package with its version."""
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return distribution


class TimeIsUpError(BaseException):
    """Not an Exception, so that no package that is interrupted by it takes it for one of its own."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeIsUpError after some seconds; without effect where there is no alarm (on Windows)."""

    def stop(*_: object) -> None:
        raise TimeIsUpError

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def main() -> None:
    options = parse()
    print(measuring.machine())
    if engines.fastest() == engines.PURE:
        print(f"fastsudoku is the pure engine here: {engines.why_not_compiled()}")
    packages = installed()
    if not packages:
        print("there is nothing to compare with")
        return
    for name in options.set:
        board_set = boards.load(name)
        print(f"\n{name}: boards per second, one thread; medians of runs in turn")
        rows = [row for package in packages if (row := compare(package, board_set, options.seconds))]
        header = ["package", "boards", "its speed", "solve(str)", "solve(str) is", "solve_many is"]
        measuring.print_table(header, rows)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare fastsudoku with other packages that are installed.")
    parser.add_argument("--set", action="append", choices=boards.names(), help="a set; can be repeated")
    text = "about how long each package may take for a set (default 5)"
    parser.add_argument("--seconds", type=float, default=5, metavar="N", help=text)
    options = parser.parse_args()
    options.set = options.set or ["easy", "minimal", "hard"]
    return options


def installed() -> list[Package]:
    """Return the packages that can be used; print a line for each that cannot."""
    found = []
    for name, make in PACKAGES.items():
        if name == "pure" and engines.fastest() == engines.PURE:
            continue  # it would be compared with itself
        try:
            found.append(make())
        except ImportError:
            print(f"{name}: skipped, not installed")
        except AttributeError as error:
            print(f"{name}: skipped, its interface differs ({error})")
    return found


def compare(package: Package, board_set: BoardSet, seconds: float) -> list[str]:
    """Return a row of the table, an empty list if there is nothing to compare (a line says why)."""
    given: list[Any] = board_set.rows() if package.takes_rows else board_set.texts
    try:
        answers = solved_in_time(package, given, seconds / (ROUNDS + 1))
        right = all(map(fastsudoku.verify, board_set.texts, answers))
    except Exception as error:
        print(f"{package.name}: skipped, {type(error).__name__}: {error}")
        return []
    if not answers or not right:
        print(f"{package.name}: skipped, {'a wrong answer' if answers else 'no board done in time'}")
        return []
    done = BoardSet(board_set.name, board_set.texts[: len(answers)], board_set.status)
    with engines.using(engines.fastest()):
        tasks.check_solutions(done, tasks.solve_each(done.texts))
        tasks.check_batch(done, tasks.solve_many(done.values()))
    measures = {
        "package": engines.repeated(package.engine, tasks.each, package.solve, given[: len(done)]),
        "solve": engines.repeated(engines.fastest(), tasks.solve_each, done.texts),
        "solve_many": engines.repeated(engines.fastest(), tasks.solve_many, done.values()),
    }
    medians = {name: median(runs) for name, runs in measuring.in_turn(measures, ROUNDS).items()}
    return [
        package.name,
        str(len(done)),
        f"{len(done) / medians['package']:,.0f}",
        f"{len(done) / medians['solve']:,.0f}",
        f"{medians['package'] / medians['solve']:,.0f} times it",
        f"{medians['package'] / medians['solve_many']:,.0f} times it",
    ]


def solved_in_time(package: Package, given: list[Any], seconds: float) -> list[Any]:
    """Return the answers to the boards that a package solves in a given time."""
    answers: list[Any] = []
    end = perf_counter() + seconds
    try:
        with engines.using(package.engine), time_limit(seconds):
            for board in given:
                answers.append(package.solve(board))
                if perf_counter() > end:
                    break
    except TimeIsUpError:
        pass
    return answers


if __name__ == "__main__":
    main()
