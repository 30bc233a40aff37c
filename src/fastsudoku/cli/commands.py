"""The commands that answer boards: solve, count and check."""

from __future__ import annotations

import argparse
import sys
from collections import namedtuple
from collections.abc import Callable

from fastsudoku.arguments import (
    LARGEST_SEED,
    check_count,
    check_integer,
    check_limit,
    check_seed,
    check_shuffles,
)
from fastsudoku.batch import Batch, Status, count_values, solve_values
from fastsudoku.boards import SudokuError, conflicts
from fastsudoku.cli.arrays import ArrayFile
from fastsudoku.cli.chunks import WORDS, Chunk
from fastsudoku.cli.files import InputFile, OutputError, OutputFile, StandardOutput, file_size
from fastsudoku.cli.inputs import read_chunks
from fastsudoku.cli.report import Report, is_terminal, say

# Exit statuses.
DONE, NOT_SOLVED, WRONG_INPUT = 0, 1, 2

# Bytes of a block that is made and freed at once: glibc learns from it to keep memory of this size for the next
# step, instead of giving it back to the system and asking for it again, which took a fifth of the time.
_KEPT_MEMORY = 1 << 24


class Job(namedtuple("Job", ("options", "output", "report", "name"))):
    """What a command works with."""

    __slots__ = ()

    options: argparse.Namespace
    output: StandardOutput | OutputFile
    report: Report
    #: What the input is called.
    name: str

    def say(self, chunk: Chunk, row: int, message: str) -> None:
        """Say something about a board, with its place."""
        self.report.say(f"{self.name}, {chunk.place} {chunk.number(row)}: {message}")


# A command answers some boards: it writes the answers and returns an exit status.
Command = Callable[[Job, Chunk], int]


def run(options: argparse.Namespace) -> int:
    """Run a command over all its files; return the worst exit status."""
    _check(options)
    bytes(_KEPT_MEMORY)
    files = options.files or ["-"]
    with open_output(options.output) as output:
        report = Report([file_size(path) for path in files], is_watched(output, options.quiet))
        try:
            worst, is_complete = _answer_files(options, files, output, report)
        finally:
            report.close_bar()
        if is_complete:
            output.finish()
    if not options.quiet and (report.boards > 1 or (report.boards and isinstance(output, OutputFile))):
        # What was drawn is said, so that the same can be done again.
        seed = f"; --seed {options.seed}" if getattr(options, "shuffles", "seed" in options) else ""
        say(f"{report.summary()}{seed}")
    if not is_complete and isinstance(output, OutputFile):
        say(f"{options.output} is not written")
    return worst


def _check(options: argparse.Namespace) -> None:
    if options.threads is not None:
        check_count("--threads", options.threads)
    if options.command is count:
        check_limit(options.limit)
    if "seed" in options:
        if options.seed is not None:
            check_integer("--seed", options.seed, 0, LARGEST_SEED)
        options.seed = check_seed(options.seed)
        check_integer("--start", options.start, 0, LARGEST_SEED)
    if "shuffles" in options:
        check_shuffles(options.shuffles)
    form, others = getattr(options, "form", ("", ()))
    if options.output and options.output.lower().endswith(others):
        raise OutputError(f"cannot write {options.output}: {form}")
    if options.output and options.output.endswith(".npy"):
        if options.command is not solve:
            raise SudokuError(f"cannot write {options.output}: only solve and generate write arrays")
        if options.json or options.status:
            option = "--json" if options.json else "--status"
            raise SudokuError(
                f"cannot write {options.output}: an array has the solutions only; leave out {option}"
            )


def is_watched(output: StandardOutput | OutputFile, is_quiet: bool) -> bool:
    """Tell whether to show a bar: to somebody who looks at it and at nothing else."""
    is_seen = is_terminal(sys.stderr) and not (isinstance(output, StandardOutput) and is_terminal(sys.stdout))
    return is_seen and not is_quiet


def open_output(path: str | None) -> StandardOutput | OutputFile:
    """Open a file to write to, or standard output for none and "-"."""
    if path is None or path == "-":
        return StandardOutput()
    if path.endswith((".npy.gz", ".npy.zst")):
        raise OutputError(f"cannot write {path}: an array is written to a file that ends in .npy")
    return ArrayFile(path) if path.endswith(".npy") else OutputFile(path)


def _answer_files(
    options: argparse.Namespace, files: list[str], output: StandardOutput | OutputFile, report: Report
) -> tuple[int, bool]:
    """Write the answers for all files; return the worst exit status, and whether the output is complete."""
    worst = DONE
    is_complete = True
    form: str | None = None
    done = 0
    for path in files:
        job = Job(options, output, report, "standard input" if path == "-" else path)
        boards = report.boards
        try:
            if path == "-" and is_terminal(sys.stdin):
                say("reading boards from the terminal; end with Ctrl-D (on Windows Ctrl-Z and Return)")
            with InputFile(path) as file:
                if isinstance(output, StandardOutput) and file.is_same(sys.stdout):
                    raise OSError("it is the output, too")
                for chunk in read_chunks(file, options.column):
                    if _keeps_shape(job):
                        form = _continue(output, form, chunk)
                    is_last = options.strict and bool(chunk.errors)
                    if is_last:
                        chunk.keep(min(chunk.errors) + 1)
                    if len(chunk):
                        worst = max(worst, options.command(job, chunk))
                    if is_last:
                        return WRONG_INPUT, False
                    report.show(done + file.position)
                done += file.position
        except BrokenPipeError:
            raise
        except OSError as error:
            report.say(f"cannot read {job.name}: {error.strerror or error}")
            worst = WRONG_INPUT
            is_complete = False
        else:
            if report.boards == boards:
                report.say(f"no board in {job.name}")
                worst = WRONG_INPUT
    return worst, is_complete and report.boards > 0


def _continue(output: StandardOutput | OutputFile, form: str | None, chunk: Chunk) -> str:
    """Write the header if it is the first one; raise OSError if the answers do not go with those before."""
    if form is None:
        output.write(chunk.header)
    elif form != chunk.form:
        raise OSError(f"it is {chunk.form}, which does not go into one output with {form}; solve it by itself")
    return chunk.form


def _keeps_shape(job: Job) -> bool:
    """Tell whether answers have the shape of the input."""
    return job.options.command is solve and not job.options.json and not isinstance(job.output, ArrayFile)


def _as_bytes(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


# --- solve -----------------------------------------------------------------------------------------------


def solve(job: Job, chunk: Chunk) -> int:
    """Write the answers in the shape of the input, as JSON or into an array."""
    batch = solve_values(chunk.cells, chunk.errors, job.options.threads)
    statuses = batch.status.tobytes()
    job.report.count(statuses)
    if job.options.json:
        job.output.write(_as_json(job, chunk, batch))
    elif isinstance(job.output, ArrayFile):
        job.output.add(chunk, batch)
    else:
        job.output.write(chunk.answers(batch, job.options.status))
    if statuses.count(Status.UNIQUE) == len(statuses):
        return DONE
    return max(
        _say_status(job, chunk, row, status) for row, status in enumerate(statuses) if status != Status.UNIQUE
    )


def _say_status(job: Job, chunk: Chunk, row: int, status: int) -> int:
    """Say why a board has no unique solution; return the exit status for it."""
    if status == Status.NOT_A_BOARD:
        job.say(chunk, row, f"not a board: {chunk.errors[row]}")
        return WRONG_INPUT
    if status == Status.NO_SOLUTION:
        job.say(chunk, row, "no solution")
        return NOT_SOLVED
    job.say(chunk, row, "several solutions; the smallest is written")
    return NOT_SOLVED if job.options.unique else DONE


def _as_json(job: Job, chunk: Chunk, batch: Batch) -> bytes:
    """Return the answers as one JSON object a line."""
    import json

    lines = []
    for row, result in enumerate(batch):
        answer: dict[str, object] = {
            "file": job.name,
            chunk.place: chunk.number(row),
            "status": WORDS[result.status],
        }
        if result.error:
            answer["error"] = result.error
        else:
            answer["solution"] = result.solution
        if result.status in (Status.NO_SOLUTION, Status.UNIQUE):
            answer["guesses"] = result.guesses
        lines.append(json.dumps(answer))
    return _as_bytes(lines)


# --- count and check -------------------------------------------------------------------------------------


def count(job: Job, chunk: Chunk) -> int:
    """Write the number of solutions of each board."""
    limit = job.options.limit
    counts = count_values(chunk.cells, limit, job.options.threads)
    lines = [f">={number}" if number == limit else str(number) for number in counts]
    for row in chunk.errors:
        lines[row] = WORDS[Status.NOT_A_BOARD]
    job.output.write(_as_bytes(lines))
    if limit == 1:
        job.report.count_others(len(chunk) - len(chunk.errors))
        job.report.count(bytes([Status.NOT_A_BOARD]) * len(chunk.errors))
    else:
        job.report.count(bytes(min(number, 2) if number >= 0 else Status.NOT_A_BOARD for number in counts))
    for row, error in sorted(chunk.errors.items()):
        job.say(chunk, row, f"not a board: {error}")
    return WRONG_INPUT if chunk.errors else DONE


def check(job: Job, chunk: Chunk) -> int:
    """Write what each board is: unique, several, none or malformed, and why."""
    lines = []
    worst = DONE
    batch = solve_values(chunk.cells, chunk.errors, job.options.threads)
    job.report.count(batch.status.tobytes())
    for row, status in enumerate(batch.status.tobytes()):
        reasons = []
        if status == Status.NOT_A_BOARD:
            reasons = [chunk.errors[row]]
            worst = WRONG_INPUT
        elif status != Status.UNIQUE:
            reasons = [str(conflict) for conflict in conflicts(bytes(chunk.cells[81 * row : 81 * row + 81]))]
            worst = max(worst, NOT_SOLVED)
        place = f"{chunk.place} {chunk.number(row)}"
        if len(job.options.files) > 1:
            place = f"{job.name}, {place}"
        lines.append(": ".join(filter(None, (place, WORDS[Status(status)], "; ".join(reasons)))))
    job.output.write(_as_bytes(lines))
    return worst
