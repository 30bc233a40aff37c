"""The command line: ``fastsudoku`` and ``python -m fastsudoku``."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import IO, NamedTuple

import fastsudoku
from fastsudoku import _engine
from fastsudoku.batch import Result, Status, count_many, solve_many
from fastsudoku.boards import ImplementationError, SudokuError, conflicts
from fastsudoku.files import OutputError, OutputFile, StandardOutput, open_input
from fastsudoku.formats import LINE, LONGEST_LINE, BoardReader, TextBoard

# Exit statuses. The last two are what shells report where a signal ended a program.
DONE, NOT_SOLVED, WRONG_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

WORDS = {
    Status.NO_SOLUTION: "none",
    Status.UNIQUE: "unique",
    Status.SEVERAL: "several",
    Status.NOT_A_BOARD: "malformed",
}

# Bytes to read before the answers to the boards in them are written, and to keep of a line that is too long.
READ_SIZE = 1 << 20
LONGEST_REST = 4 * (LONGEST_LINE + 1)
# Lines of 81 cells and nothing else from which on they are handled together, without an object for each.
FEW_LINES = 64

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


# --- in and out ------------------------------------------------------------------------------------------


class BareLines(NamedTuple):
    """Boards on lines of 81 cells and nothing else."""

    first: int
    values: bytes
    text: bytes

    def boards(self) -> list[TextBoard]:
        lines = self.text.decode().split()
        return [
            TextBoard(self.first + row, self.values[81 * row : 81 * row + 81], "", [line], True)
            for row, line in enumerate(lines)
        ]


class Source:
    """A file with boards, or standard input."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else path

    def boards(self) -> Iterator[list[TextBoard] | BareLines]:
        """Yield the boards as they come, many at a time if they can be had; raise OSError if that fails."""
        reader = BoardReader()
        with self._open() as file:
            for text in _whole_lines(file):
                yield from _find_boards(reader, text)
        yield reader.close()

    def _open(self) -> IO[bytes]:
        if self.path != "-":
            return open_input(self.path)
        if sys.stdin is None:
            raise OSError("it is closed")
        if sys.stdin.isatty():
            say("reading boards from the terminal; end with Ctrl-D (on Windows Ctrl-Z and Return)")
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)

    def say(self, line: int, message: str) -> None:
        """Say something about a board, with its place."""
        say(f"{self.name}, line {line}: {message}")


def _whole_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what a file has as soon as it can be read, cut after the ends of lines."""
    rest = b""
    while data := file.read(READ_SIZE):
        text = rest + data
        # A carriage return at the end may be the first half of a line end.
        end = max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1)) + 1
        rest = text[end:]
        if len(rest) > LONGEST_REST:
            # A file without line ends does not fill the memory.
            rest = rest[:LONGEST_REST] + rest[-1:]
        if end:
            yield text[:end]
    if rest:
        yield rest


def _find_boards(reader: BoardReader, text: bytes) -> Iterator[list[TextBoard] | BareLines]:
    """Find the boards in the next lines of a file."""
    found: list[TextBoard] = []
    position = 0
    while position < len(text):
        if reader.is_between_boards:
            start = position
            values, lines, position = _engine.engine.read_text_lines(text, start, True)
            bare = BareLines(reader.lines + 1, values, text[start:position])
            reader.skip(lines, bool(values))
            if lines < FEW_LINES:
                found += bare.boards()
            else:
                yield found
                yield bare
                found = []
        if line := LINE.match(text, position):
            position = line.end()
            if line[0]:
                # Bytes that are no text are kept as they are.
                decoded = line[0].decode(errors="surrogateescape").rstrip("\r\n")
                found += reader.feed(decoded[: LONGEST_LINE + 1])
    yield found


def say(message: str) -> None:
    """Write a line to standard error, in characters that every terminal can show."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            text = message.replace("\n", "\\n").encode("ascii", "backslashreplace").decode()
            print("fastsudoku:", text, file=sys.stderr)


# --- the commands ----------------------------------------------------------------------------------------

# A command answers some boards of a source: it returns the lines to write and an exit status.
Command = Callable[[argparse.Namespace, Source, list[TextBoard]], tuple[list[str], int]]


def run(options: argparse.Namespace) -> int:
    """Run a command over all its files; return the worst exit status."""
    output = StandardOutput() if options.output in (None, "-") else OutputFile(options.output)
    try:
        worst, is_complete = answer_files(options, output)
        if is_complete:
            output.finish()
        else:
            output.discard()
    except BaseException:
        output.discard()
        raise
    return worst


def answer_files(options: argparse.Namespace, output: OutputFile | StandardOutput) -> tuple[int, bool]:
    """Write the answers for all files; return the worst exit status, and whether all files could be read."""
    command: Command = options.command
    is_complete = True
    worst = DONE
    for path in options.files or ["-"]:
        source = Source(path)
        is_empty = True
        try:
            for found in source.boards():
                if not found:
                    continue
                is_empty = False
                if (
                    not isinstance(found, list)
                    and options.command == solve
                    and not (options.json or options.status)
                ):
                    text, status = solve_bare_lines(options, source, found)
                else:
                    boards = found if isinstance(found, list) else found.boards()
                    lines, status = command(options, source, boards)
                    text = as_bytes(lines)
                output.write(text)
                worst = max(worst, status)
        except BrokenPipeError:
            raise
        except OSError as error:
            say(f"cannot read {source.name}: {error.strerror or error}")
            worst = WRONG_INPUT
            is_complete = False
        else:
            if is_empty:
                say(f"no board in {source.name}")
                worst = WRONG_INPUT
    return worst, is_complete


def as_bytes(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


def solve(options: argparse.Namespace, source: Source, found: list[TextBoard]) -> tuple[list[str], int]:
    """Write the answers in the shape of the input."""
    lines: list[str] = []
    worst = DONE
    batch = solve_many([board.cells for board in found], errors="mark")
    for board, result in zip(found, batch, strict=True):
        if result.status == Status.NOT_A_BOARD:
            worst = WRONG_INPUT
            source.say(board.line, f"not a board: {board.error}")
        else:
            worst = max(worst, say_status(options, source, board.line, result.status))
        lines += as_json(source, board, result) if options.json else as_text(options, board, result)
    return lines, worst


def solve_bare_lines(options: argparse.Namespace, source: Source, found: BareLines) -> tuple[bytes, int]:
    """Return the answers line by line."""
    batch = solve_many(found.values)
    worst = DONE
    for row, status in enumerate(batch.status.tobytes()):
        if status != Status.UNIQUE:
            worst = max(worst, say_status(options, source, found.first + row, status))
    return batch.lines(), worst


def say_status(options: argparse.Namespace, source: Source, line: int, status: int) -> int:
    """Say what is to be said about the solutions of a board; return the exit status for it."""
    if status == Status.NO_SOLUTION:
        source.say(line, "no solution")
        return NOT_SOLVED
    if status == Status.SEVERAL:
        source.say(line, "several solutions; the smallest is written")
        return NOT_SOLVED if options.unique else DONE
    return DONE


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
            source.say(board.line, f"not a board: {board.error}")
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
    StandardOutput().write(as_bytes(lines))
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
        added.add_argument(
            "files",
            nargs="*",
            metavar="FILE",
            help="a file with boards, packed if it ends in .gz; - is standard input",
        )
        added.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            help="write to this file, which is replaced when all is read and written; packed if it ends in .gz",
        )
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
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
