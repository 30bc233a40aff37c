"""The command line: ``fastsudoku`` and ``python -m fastsudoku``."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence

import fastsudoku
from fastsudoku import _engine
from fastsudoku.boards import ImplementationError, SudokuError
from fastsudoku.cli.commands import DONE, WRONG_INPUT, Command, check, count, run, solve
from fastsudoku.cli.files import OutputError, StandardOutput, abandon
from fastsudoku.cli.puzzles import minimize, rate
from fastsudoku.cli.report import say
from fastsudoku.symmetry import SYMMETRIES

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import NoReturn

# What shells report where a signal ended a program.
SIGNALLED = 128
INTERRUPTED, BROKEN_PIPE = SIGNALLED + 2, SIGNALLED + 13

DESCRIPTION = """\
Solve Sudoku, count solutions, check, make and rate puzzles.

Boards come from files or standard input: one board a line (81 cells, blanks as . 0 _ * ? x, a name or a rating
may follow), or nine lines of nine cells, spaced or framed in any way, or blocks under headings as in "Grid 01";
lines that start with # are comments. Or they come from a column of a table with a heading (CSV), from JSON
lines, or from a NumPy array (.npy) of shape (N, 81) or (N, 9, 9). What a file is, is found by its beginning.
"""

EXIT_STATUS = """\
exit status:
  0  every {thing} is {good}{bad}
  2  some input is not a board or cannot be read, or the usage is wrong
"""


def info(options: argparse.Namespace) -> int:
    """Write the version, the implementation in use, and why no faster one is."""
    import platform

    lines = [f"fastsudoku {fastsudoku.__version__}, rules {fastsudoku.RULES}"]
    lines.append(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}".rstrip())
    failure = None
    try:
        lines.append(f"implementation: {fastsudoku.implementation()}")
    except ImplementationError as error:
        failure = error
    asked = os.environ.get(_engine.VARIABLE)
    if asked and failure is None:
        lines.append(f"  asked for by {_engine.VARIABLE}={asked}")
    lines += [f"not available: {name} ({reason})" for name, reason in _engine.unavailable().items()]
    StandardOutput().write("".join(f"{line}\n" for line in lines).encode())
    if failure is not None:
        raise failure
    return DONE


# --- the program -----------------------------------------------------------------------------------------


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with status 2 if it is wrong."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("fastsudoku", description=DESCRIPTION, formatter_class=plain)
    parser.add_argument("--version", action="version", version=f"fastsudoku {fastsudoku.__version__}")
    # (With a name for the program, Python does not look for the width of the terminal.)
    commands = parser.add_subparsers(prog="fastsudoku", metavar="COMMAND", required=True)

    def add(name: str, command: Command, text: str, good: str, bad: str = "") -> argparse.ArgumentParser:
        epilog = EXIT_STATUS.format(thing="board", good=good, bad=f"\n  1  some board {bad}" if bad else "")
        array = ", an array of the solutions if it ends in .npy" if command is solve else ""
        added = commands.add_parser(name, help=text, description=text, epilog=epilog, formatter_class=plain)
        added.add_argument(
            "files",
            nargs="*",
            metavar="FILE",
            help="a file with boards, packed if it ends in .gz or .zst; - is standard input",
        )
        added.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            help="write to this file, which is replaced when all is read and written; packed if it ends in "
            f".gz or .zst{array}",
        )
        added.add_argument(
            "--column", metavar="NAME", help="the column of a table, or key of JSON lines, with boards"
        )
        added.add_argument(
            "--threads", type=int, metavar="N", help="the most threads to use (default: all CPUs)"
        )
        added.add_argument("--strict", action="store_true", help="stop at the first input that is not a board")
        added.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no summary")
        added.set_defaults(command=command, run=run)
        return added

    solving = add(
        "solve",
        solve,
        "write the answers in the shape of the input",
        "solved",
        "has no solution (with --unique: or several)",
    )
    solving.add_argument("--unique", action="store_true", help="exit with status 1 if a board has several")
    solving.add_argument("--status", action="store_true", help="add unique, several, none or malformed")
    solving.add_argument("--json", action="store_true", help="write one JSON object a line")
    counting = add("count", count, "write the number of solutions of each board", "counted")
    counting.add_argument("--limit", type=int, default=10_000, metavar="N", help="stop at N (default 10000)")
    text = "tell whether each board is unique, several, none or malformed, and why"
    add("check", check, text, "unique", "has no solution or several")
    minimizing = add(
        "minimize",
        minimize,
        "write each puzzle without clues that it does not need",
        "a puzzle",
        "has no solution or several",
    )
    _add_seed(minimizing, "the order in which clues are dropped depends on it")
    minimizing.set_defaults(form=("what is written are lines of text", (".csv", ".tsv", ".json", ".jsonl")))
    rating = add(
        "rate", rate, "write how hard each puzzle is, as a table", "a puzzle", "has no solution or several"
    )
    rating.add_argument(
        "--shuffles", type=int, default=0, metavar="K", help="count the guesses of K equivalent forms as well"
    )
    _add_seed(rating, "the forms depend on it")
    rating.set_defaults(form=("what is written is a table (.csv)", (".tsv", ".json", ".jsonl")))
    _add_generate(commands.add_parser)
    _add_bench(commands.add_parser)
    text = "tell the version, the implementation in use, and why no faster one is"
    commands.add_parser("info", help=text, description=text).set_defaults(run=info)
    return parser.parse_args(arguments)


def _add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--seed", type=int, metavar="N", help=f"{what}; from 0 to 2**64 - 1 (default: another each time)"
    )
    parser.add_argument(
        "--start", type=int, default=0, metavar="ROW", help="the first row, to go on where work ended"
    )


def _add_generate(add_parser: Callable[..., argparse.ArgumentParser]) -> None:
    text = "make puzzles with one solution each"
    added = add_parser(
        "generate",
        help=text,
        description=f"{text}, one a line. Blanks are full stops.",
        epilog=EXIT_STATUS.format(
            thing="puzzle",
            good="as asked for",
            bad="\n  1  some puzzle is not as asked for: it is the closest that was found",
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    added.add_argument("-n", "--number", type=int, default=1, metavar="N", help="how many (default 1)")
    added.add_argument("--clues", metavar="N", help="how many clues: 17 to 81, or a range such as 24-28")
    added.add_argument(
        "--minimal", action="store_true", help="no clue can be dropped (the default without --clues)"
    )
    added.add_argument("--symmetry", default="none", metavar="NAME", help=", ".join(SYMMETRIES))
    added.add_argument("--pattern", metavar="CELLS", help="81 cells: digits or # for clues, . for others")
    added.add_argument("--guesses", metavar="N", help="branch nodes of the search: a number or a range")
    added.add_argument("--grid", metavar="CELLS", help="the solution of all puzzles, 81 digits")
    _add_seed(added, "the same seed gives the same puzzles")
    added.add_argument(
        "--max-attempts",
        type=int,
        metavar="N",
        help="attempts at a puzzle (default 10,000)",
    )
    added.add_argument(
        "--strict", action="store_true", help="stop at the first puzzle that is not found, with status 1"
    )
    added.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to this file, which is replaced when all is made: a table if it ends in .csv, JSON lines "
        "if in .jsonl, an array if in .npy; packed if it ends in .gz or .zst",
    )
    added.add_argument("--csv", action="store_true", help="write a table with solution, clues and guesses")
    added.add_argument("--json", action="store_true", help="write one JSON object a line")
    added.add_argument("--threads", type=int, metavar="N", help="the most threads to use (default: all CPUs)")
    added.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no summary")
    added.set_defaults(run=_generate)


def _generate(options: argparse.Namespace) -> int:
    from fastsudoku.cli import generate

    return generate.run(options)


def _add_bench(add_parser: Callable[..., argparse.ArgumentParser]) -> None:
    text = "measure how many boards a second this machine solves"
    added = add_parser(
        "bench",
        help=text,
        description=f"{text}: by implementation, set and number of threads. Takes a quarter of a minute.",
    )
    added.add_argument(
        "files", nargs="*", metavar="FILE", help="files with boards, instead of the shipped sets"
    )
    added.add_argument("--set", action="append", metavar="NAME", help="a shipped set (default: all)")
    added.add_argument(
        "--implementation", action="append", metavar="NAME", help="one to measure (default: all that can run)"
    )
    added.add_argument(
        "--threads", type=int, action="append", metavar="N", help="threads to use (default: 1 and all CPUs)"
    )
    added.add_argument("--rounds", type=int, default=3, metavar="N", help="runs of each, in turn (default 3)")
    added.add_argument(
        "--column", metavar="NAME", help="the column of a table, or key of JSON lines, with boards"
    )
    added.add_argument("--json", action="store_true", help="write one JSON object")
    added.add_argument("--plot", metavar="FILE", help="draw a chart, a .png, .svg or .pdf (needs matplotlib)")
    added.set_defaults(run=_bench)


def _bench(options: argparse.Namespace) -> int:
    from fastsudoku.cli import bench

    return bench.run(options)


class _Terminated(BaseException):
    """The program was told to end, as by ``kill``, by a signal of this number."""


def _terminate(number: int, frame: object) -> NoReturn:
    raise _Terminated(number)


@contextlib.contextmanager
def _ending_in_order() -> Iterator[None]:
    """Have signals to end do what Ctrl-C does, so that no half-written file is left."""
    changed = []
    for name in ("SIGTERM", "SIGHUP"):
        # (Only the main thread of a program may do so.)
        with contextlib.suppress(AttributeError, ValueError):
            number = getattr(signal, name)
            # One that is ignored, as by nohup, stays so.
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _terminate)
                changed.append(number)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    try:
        with _ending_in_order():
            return _main(arguments)
    except _Terminated as error:
        say("terminated")
        return SIGNALLED + int(error.args[0])
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                abandon(stream)


def _main(arguments: Sequence[str] | None) -> int:
    try:
        options = parse(arguments)
        return int(options.run(options))
    except (SudokuError, OutputError) as error:
        say(str(error))
        return WRONG_INPUT
    except MemoryError:
        say("out of memory")
        return WRONG_INPUT
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads any more.
        return BROKEN_PIPE
