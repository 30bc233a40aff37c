"""``fastsudoku generate``: puzzles into a file, some at a time."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from time import perf_counter

from fastsudoku.arguments import check_integer
from fastsudoku.boards import SudokuError
from fastsudoku.cli.arrays import ArrayFile
from fastsudoku.cli.commands import DONE, NOT_SOLVED, open_output
from fastsudoku.cli.files import OutputError, OutputFile, StandardOutput
from fastsudoku.cli.report import Report, is_terminal, say
from fastsudoku.generator import Generated, check_seed, generate

# Puzzles that are made before some are written: few at first, and then as many as take about so many seconds.
_FIRST_STEP, _LARGEST_STEP = 256, 1 << 17
_LONGEST_STEP = 1.0
# Puzzles that are not as asked for are told one by one, up to so many.
_MOST_MESSAGES = 20

_COLUMNS = "puzzle,solution,clues,guesses\n"


def run(options: argparse.Namespace) -> int:
    """Make puzzles and write them; return the exit status."""
    arguments = {
        "clues": _parse_range("--clues", options.clues),
        "minimal": options.minimal,
        "symmetry": options.symmetry,
        "pattern": options.pattern,
        "guesses": _parse_range("--guesses", options.guesses),
        "grid": options.grid,
        "max_attempts": options.max_attempts,
        "threads": options.threads,
        "errors": "raise" if options.strict else "mark",
        "seed": check_seed(options.seed),
    }
    number = check_integer("-n", options.number, 0, 1 << 56)
    start = check_integer("--start", options.start, 0, (1 << 64) - 1 - number)
    # What is wrong is said before a file is begun.
    generate(0, **arguments)
    write = _writer(options)
    with open_output(options.output) as output:
        is_watched = is_terminal(sys.stderr) and not (
            isinstance(output, StandardOutput) and is_terminal(sys.stdout)
        )
        report = Report([number], is_watched and not options.quiet, unit="puzzle")
        try:
            missed = _make_all(output, write, number, start, arguments, report)
        finally:
            report.close_bar()
        output.finish()
    if not options.quiet:
        as_asked = f", {missed:,} of them not as asked for" if missed else ""
        say(f"{number:,} puzzles{as_asked}; {report.rate:,.0f} puzzles/s; --seed {arguments['seed']}")
    return NOT_SOLVED if missed else DONE


def _make_all(
    output: StandardOutput | OutputFile,
    write: Callable[[StandardOutput | OutputFile, Generated], None],
    number: int,
    start: int,
    arguments: dict[str, object],
    report: Report,
) -> int:
    """Make and write all puzzles; return how many are not as asked for."""
    done = missed = 0
    step = _FIRST_STEP
    if write is _write_table:
        output.write(_COLUMNS.encode())
    while done < number:
        began = perf_counter()
        step = min(step, number - done)
        try:
            made = generate(step, start=start + done, **arguments)  # type: ignore[arg-type]
        except SudokuError as error:
            raise SudokuError(f"beginning at row {start + done}, {error}") from None
        write(output, made)
        for row, message in sorted(made.errors.items()):
            missed += 1
            if missed <= _MOST_MESSAGES:
                report.say(f"row {start + done + row}: {message}")
            elif missed == _MOST_MESSAGES + 1:
                report.say("and more; how many is said at the end")
        done += step
        report.count_others(step)
        report.show(done)
        rate = step / max(perf_counter() - began, 1e-6)
        step = max(min(int(rate * _LONGEST_STEP), 4 * step, _LARGEST_STEP), 1)
    return missed


def _parse_range(option: str, text: str | None) -> int | tuple[int, int] | None:
    """Return a number, or two of them with a dash between."""
    if text is None:
        return None
    low, dash, high = text.partition("-")
    try:
        return (int(low), int(high)) if dash else int(low)
    except ValueError:
        raise SudokuError(f"{option} is {text!r}; it has to be a number, or two such as 24-28") from None


# --- what is written -------------------------------------------------------------------------------------


def _writer(options: argparse.Namespace) -> Callable[[StandardOutput | OutputFile, Generated], None]:
    """Return what writes puzzles in the form that was asked for, or that the name of the file asks for."""
    name = options.output or ""
    for packed in (".gz", ".zst"):
        name = name.removesuffix(packed)
    if options.csv and options.json:
        raise SudokuError("--csv and --json are two forms: leave out one")
    if name.endswith(".npy"):
        if options.csv or options.json:
            raise OutputError(f"cannot write {options.output}: an array has the puzzles only")
        return _write_array
    if options.csv or (name.endswith(".csv") and not options.json):
        return _write_table
    return _write_json if options.json or name.endswith(".jsonl") else _write_lines


def _write_lines(output: StandardOutput | OutputFile, made: Generated) -> None:
    text = made.puzzles.lines()
    if 0 in bytes(made.clues):
        text = b"".join(
            line if clues else b"\n" for line, clues in zip(text.splitlines(True), made.clues, strict=True)
        )
    output.write(text)


def _write_table(output: StandardOutput | OutputFile, made: Generated) -> None:
    # Full stops for blanks keep readers of tables from taking a puzzle for a number.
    rows = zip(made.puzzles, made.solutions, made.clues, made.guesses, strict=True)
    lines = [
        f"{puzzle},{solution},{clues},{guesses}\n" if clues else ",,0,\n"
        for puzzle, solution, clues, guesses in rows
    ]
    output.write("".join(lines).encode())


def _write_json(output: StandardOutput | OutputFile, made: Generated) -> None:
    output.write("".join(f"{json.dumps(puzzle._asdict())}\n" for puzzle in made).encode())


def _write_array(output: StandardOutput | OutputFile, made: Generated) -> None:
    assert isinstance(output, ArrayFile)
    output.add_rows(made.puzzles.cells.cast("B"), len(made))
