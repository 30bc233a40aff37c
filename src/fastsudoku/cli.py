"""The command line: ``fastsudoku`` and ``python -m fastsudoku``."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import io
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import IO

import fastsudoku
from fastsudoku import _engine
from fastsudoku.batch import Result, Status, count_many, solve_many
from fastsudoku.boards import ImplementationError, SudokuError, conflicts
from fastsudoku.formats import LONGEST_LINE, BoardReader, TextBoard

# Exit statuses. The last two are what shells report where a signal ended a program.
DONE, NOT_SOLVED, WRONG_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

WORDS = {
    Status.NO_SOLUTION: "none",
    Status.UNIQUE: "unique",
    Status.SEVERAL: "several",
    Status.NOT_A_BOARD: "malformed",
}

# Bytes to read before the answers to the boards in them are written.
READ_SIZE = 1 << 16

DESCRIPTION = """\
Solve Sudoku, count solutions and check boards.

Boards come from files or standard input: one board a line (81 cells, blanks as . 0 _ * ? x, a name or a rating
may follow), or nine lines of nine cells, spaced or framed in any way, or blocks under headings as in "Grid 01".
Lines that start with # are comments.
"""

EXIT_STATUS = """\
exit status:
  0  every board is {good}
  1  some board {bad}
  2  some input is not a board or cannot be read, or the usage is wrong
"""


class OutputError(Exception):
    """Standard output cannot be written to; the message says why."""


# --- in and out ------------------------------------------------------------------------------------------


class Source:
    """A file with boards, or standard input."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else path

    def boards(self) -> Iterator[list[TextBoard]]:
        """Yield the boards as they come, many at a time if they can be had; raise OSError if that fails."""
        reader = BoardReader()
        with self._open() as file:
            for lines in _lines(file):
                yield [board for line in lines for board in reader.feed(line)]
        yield reader.close()

    def _open(self) -> IO[bytes]:
        # Without a buffer, reading returns what there is instead of waiting for more.
        if self.path != "-":
            return open(self.path, "rb", buffering=0)
        if sys.stdin is None:
            raise OSError("it is closed")
        if sys.stdin.isatty():
            say("reading boards from the terminal; end with Ctrl-D (on Windows Ctrl-Z and Return)")
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)

    def say(self, board: TextBoard, message: str) -> None:
        """Say something about a board, with its place."""
        say(f"{self.name}, line {board.line}: {message}")


def _lines(file: IO[bytes]) -> Iterator[list[str]]:
    """Yield the lines of a file in lists, each as soon as it can be read."""
    # Bytes that are no text are kept as they are. A line may end with a carriage return, a newline or both.
    decoder = io.IncrementalNewlineDecoder(
        codecs.getincrementaldecoder("utf-8")(errors="surrogateescape"), translate=True
    )
    rest = ""
    while data := file.read(READ_SIZE):
        *lines, rest = (rest + decoder.decode(data)).split("\n")
        # A file without line ends does not fill the memory.
        rest = rest[: LONGEST_LINE + 1]
        yield [line[: LONGEST_LINE + 1] for line in lines]
    if rest := rest + decoder.decode(b"", final=True):
        yield [rest]


def say(message: str) -> None:
    """Write a line to standard error, in characters that every terminal can show."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            text = message.replace("\n", "\\n").encode("ascii", "backslashreplace").decode()
            print("fastsudoku:", text, file=sys.stderr)


def write(lines: list[str]) -> None:
    """Write lines to standard output, whole ones at a time."""
    text = "".join(f"{line}\n" for line in lines)
    if sys.stdout is None:
        raise OutputError("cannot write: standard output is closed")
    try:
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(text.encode(errors="surrogateescape"))
            sys.stdout.buffer.flush()
        else:
            # Something in memory that a program put there before it called main().
            sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write: {error.strerror or error}") from None


# --- the commands ----------------------------------------------------------------------------------------

# A command answers some boards of a source: it returns the lines to write and an exit status.
Command = Callable[[argparse.Namespace, Source, list[TextBoard]], tuple[list[str], int]]


def run(options: argparse.Namespace) -> int:
    """Run a command over all its files; return the worst exit status."""
    command: Command = options.command
    worst = DONE
    for path in options.files or ["-"]:
        source = Source(path)
        is_empty = True
        try:
            for found in filter(None, source.boards()):
                is_empty = False
                lines, status = command(options, source, found)
                write(lines)
                worst = max(worst, status)
        except BrokenPipeError:
            raise
        except OSError as error:
            say(f"cannot read {source.name}: {error.strerror or error}")
            worst = WRONG_INPUT
        else:
            if is_empty:
                say(f"no board in {source.name}")
                worst = WRONG_INPUT
    return worst


def solve(options: argparse.Namespace, source: Source, found: list[TextBoard]) -> tuple[list[str], int]:
    """Write the answers in the shape of the input."""
    lines: list[str] = []
    worst = DONE
    batch = solve_many([board.cells for board in found], errors="mark")
    for board, result in zip(found, batch, strict=True):
        if result.status == Status.NOT_A_BOARD:
            worst = WRONG_INPUT
            source.say(board, f"not a board: {board.error}")
        elif result.status == Status.NO_SOLUTION:
            worst = max(worst, NOT_SOLVED)
            source.say(board, "no solution")
        elif result.status == Status.SEVERAL:
            worst = max(worst, NOT_SOLVED if options.unique else DONE)
            source.say(board, "several solutions; the smallest is written")
        lines += as_json(source, board, result) if options.json else as_text(options, board, result)
    return lines, worst


def as_text(options: argparse.Namespace, board: TextBoard, result: Result) -> list[str]:
    """Return an answer as text that takes as many lines as the board."""
    text = board.with_answer(result.solution) if result.solution else board.without_answer()
    if options.status:
        text += ("\t" if board.on_one_line else "\n") + WORDS[result.status]
    return [text]


def as_json(source: Source, board: TextBoard, result: Result) -> list[str]:
    """Return an answer as one JSON object."""
    answer: dict[str, object] = {"file": source.name, "line": board.line, "status": WORDS[result.status]}
    if board.error:
        answer["error"] = board.error
    else:
        answer["solution"] = result.solution
    if result.status in (Status.NO_SOLUTION, Status.UNIQUE):
        answer["guesses"] = result.guesses
    return [json.dumps(answer)]


def count(options: argparse.Namespace, source: Source, found: list[TextBoard]) -> tuple[list[str], int]:
    """Write the number of solutions of each board."""
    lines = []
    worst = DONE
    counts = count_many([board.cells for board in found], limit=options.limit, errors="mark")
    for board, number in zip(found, counts, strict=True):
        if board.error:
            worst = WRONG_INPUT
            source.say(board, f"not a board: {board.error}")
            lines.append(WORDS[Status.NOT_A_BOARD])
        else:
            lines.append(f">={number}" if number == options.limit else str(number))
    return lines, worst


def check(options: argparse.Namespace, source: Source, found: list[TextBoard]) -> tuple[list[str], int]:
    """Write what each board is: unique, several, none or malformed, and why."""
    lines = []
    worst = DONE
    batch = solve_many([board.cells for board in found], errors="mark")
    for board, result in zip(found, batch, strict=True):
        reasons = []
        if board.error:
            reasons = [board.error]
            worst = WRONG_INPUT
        elif result.status != Status.UNIQUE:
            reasons = [str(conflict) for conflict in conflicts(board.cells)]
            worst = max(worst, NOT_SOLVED)
        place = f"{source.name}, line {board.line}" if len(options.files) > 1 else f"line {board.line}"
        lines.append(": ".join(filter(None, (place, WORDS[result.status], "; ".join(reasons)))))
    return lines, worst


def info() -> int:
    """Write the version, the implementation in use, and why no faster one is."""
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
    write(lines)
    if failure is not None:
        raise failure
    return DONE


# --- the program -----------------------------------------------------------------------------------------


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with status 2 if it is wrong."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("fastsudoku", description=DESCRIPTION, formatter_class=plain)
    parser.add_argument("--version", action="version", version=f"fastsudoku {fastsudoku.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, command: Command, text: str, good: str, bad: str) -> argparse.ArgumentParser:
        epilog = EXIT_STATUS.format(good=good, bad=bad)
        added = commands.add_parser(name, help=text, description=text, epilog=epilog, formatter_class=plain)
        added.add_argument("files", nargs="*", metavar="FILE", help="a file with boards; - is standard input")
        added.set_defaults(command=command)
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
    counting = add(
        "count", count, "write the number of solutions of each board", "counted", "(is not used here)"
    )
    counting.add_argument("--limit", type=int, default=10_000, metavar="N", help="stop at N (default 10000)")
    text = "tell whether each board is unique, several, none or malformed, and why"
    add("check", check, text, "unique", "has no solution or several")
    commands.add_parser("info", help="tell the version, the implementation in use, and why no faster one is")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    try:
        options = parse(arguments)
        return run(options) if "command" in options else info()
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
        # Nobody reads any more. What Python still wants to write at its end goes nowhere.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
