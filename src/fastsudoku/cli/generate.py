"""``fastsudoku generate``: puzzles into a file, some at a time."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from time import perf_counter

from fastsudoku.arguments import LARGEST_SEED, check_count, check_integer, check_seed
from fastsudoku.boards import SudokuError
from fastsudoku.cli.arrays import ArrayFile
from fastsudoku.cli.commands import DONE, NOT_SOLVED, is_watched, open_output
from fastsudoku.cli.files import OutputError, OutputFile, StandardOutput
from fastsudoku.cli.report import Report, say
from fastsudoku.generator import Generated, generate

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

# Puzzles that are made before some are written: few at first, and then as many as take about so many seconds.
_FIRST_STEP, _LARGEST_STEP = 8, 1 << 17
_LONGEST_STEP = 1.0
# Puzzles that are not as asked for are told one by one, up to so many.
_MOST_MESSAGES = 20
# Endings of other forms, which the lines that are written by default are not.
_OTHER_FORMS = (".json", ".tsv", ".npz", ".parquet", ".xlsx", ".html")

_COLUMNS = "puzzle,solution,clues,guesses,minimal,met\n"


def run(options: argparse.Namespace) -> int:
    """Make puzzles and write them; return the exit status."""
    if options.threads is not None:
        check_count("--threads", options.threads)
    if options.max_attempts is not None:
        check_count("--max-attempts", options.max_attempts)
    if options.seed is not None:
        check_integer("--seed", options.seed, 0, LARGEST_SEED)
    start = check_integer("--start", options.start, 0, LARGEST_SEED)
    number = check_integer("-n", options.number, 0, LARGEST_SEED - start + 1)
    arguments = {
        "clues": _parse_range("--clues", options.clues),
        "minimal": options.minimal,
        "symmetry": options.symmetry,
        "pattern": options.pattern,
        "guesses": _parse_range("--guesses", options.guesses),
        "grid": options.grid,
        "max_attempts": options.max_attempts,
        "threads": options.threads,
        "seed": check_seed(options.seed),
    }
    # What is wrong is said before a file is begun.
    generate(0, **arguments)
    write = _writer(options)
    with open_output(options.output) as output:
        report = Report([number], is_watched(output, options.quiet), unit="puzzle")
        try:
            missed, is_complete = _make_all(output, write, number, start, arguments, options.strict, report)
        finally:
            report.close_bar()
        if is_complete:
            output.finish()
    if not options.quiet:
        as_asked = f", {missed:,} of them not as asked for" if missed else ""
        puzzles = f"{report.boards:,} puzzle{'s' * (report.boards != 1)}"
        say(f"{puzzles}{as_asked}; {report.rate:,.0f} puzzles/s; --seed {arguments['seed']}")
    if not is_complete and isinstance(output, OutputFile):
        say(f"{options.output} is not written")
    return NOT_SOLVED if missed else DONE


def _make_all(
    output: StandardOutput | OutputFile,
    write: Callable[[StandardOutput | OutputFile, Generated], None],
    number: int,
    start: int,
    arguments: dict[str, Any],
    is_strict: bool,
    report: Report,
) -> tuple[int, bool]:
    """Make and write all puzzles; return how many are not as asked for, and whether all were written."""
    done = missed = 0
    step = _FIRST_STEP
    if write is _write_table:
        output.write(_COLUMNS.encode())
    while done < number:
        began = perf_counter()
        step = min(step, number - done)
        made = generate(step, start=start + done, **arguments)
        report.count_others(step)
        for row, message in sorted(made.errors.items()):
            missed += 1
            if missed <= _MOST_MESSAGES:
                report.say(f"row {start + done + row}: {message}")
            elif missed == _MOST_MESSAGES + 1:
                report.say("and more; how many is said at the end")
            if is_strict:
                return missed, False
        write(output, made)
        done += step
        report.show(done)
        rate = step / max(perf_counter() - began, 1e-6)
        step = max(min(int(rate * _LONGEST_STEP), 4 * step, _LARGEST_STEP), 1)
    return missed, True


def _parse_range(option: str, text: str | None) -> int | tuple[int | None, int | None] | None:
    """Return a number, or a range: two of them with a dash between, of which one may be left out."""
    if text is None:
        return None
    low, dash, high = text.partition("-")
    try:
        if not dash:
            return int(low)
        if low or high:
            return int(low) if low else None, int(high) if high else None
    except ValueError:
        pass
    raise SudokuError(f"{option} is {text[:40]!r}; it has to be a number, or a range such as 24-28 or 24-")


# --- what is written -------------------------------------------------------------------------------------


def _writer(options: argparse.Namespace) -> Callable[[StandardOutput | OutputFile, Generated], None]:
    """Return what writes puzzles in the form that was asked for, or that the name of the file asks for."""
    name = (options.output or "").lower()
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
    if options.json or name.endswith(".jsonl"):
        return _write_json
    if name.endswith(_OTHER_FORMS):
        raise OutputError(
            f"cannot write {options.output}: what is written are lines of text, a table (.csv), JSON lines "
            "(.jsonl) or an array (.npy)"
        )
    return _write_lines


def _write_lines(output: StandardOutput | OutputFile, made: Generated) -> None:
    text = made.puzzles.lines()
    if 0 in bytes(made.clues):
        lines = zip(text.splitlines(True), made.clues, strict=True)
        text = b"".join(line if clues else b"\n" for line, clues in lines)
    output.write(text)


def _write_table(output: StandardOutput | OutputFile, made: Generated) -> None:
    # Full stops for blanks keep readers of tables from taking a puzzle for a number.
    rows = zip(made.puzzles, made.solutions, made.clues, made.guesses, made.minimal, made.met, strict=True)
    lines = [
        f"{puzzle},{solution},{clues},{guesses},{minimal},{met}\n" if clues else ",,0,,0,0\n"
        for puzzle, solution, clues, guesses, minimal, met in rows
    ]
    output.write("".join(lines).encode())


def _write_json(output: StandardOutput | OutputFile, made: Generated) -> None:
    output.write("".join(f"{json.dumps(puzzle._asdict())}\n" for puzzle in made).encode())


def _write_array(output: StandardOutput | OutputFile, made: Generated) -> None:
    assert isinstance(output, ArrayFile)
    output.add_rows(made.puzzles.cells.cast("B"), len(made))
