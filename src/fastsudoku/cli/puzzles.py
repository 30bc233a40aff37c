"""The commands about puzzles that there are: minimize and rate."""

from __future__ import annotations

from fastsudoku.batch import Status
from fastsudoku.board_list import BoardList
from fastsudoku.cli.chunks import WORDS, Chunk
from fastsudoku.cli.commands import DONE, NOT_SOLVED, WRONG_INPUT, Job
from fastsudoku.minimal import minimize_values
from fastsudoku.rating import rate_values

_COLUMNS = "puzzle", "status", "guesses", "technique"
_SPREAD_COLUMNS = "mean", "median", "low", "high"


def minimize(job: Job, chunk: Chunk) -> int:
    """Write a minimal puzzle for each, one a line, and an empty line where there is none."""
    options = job.options
    row = options.start + job.report.boards
    made, statuses = minimize_values(chunk.cells, chunk.errors, options.seed, row, options.threads)
    lines = made.puzzles.lines().splitlines(True)
    for row in (*made.errors, *chunk.errors):
        lines[row] = b"\n"
    job.output.write(b"".join(lines))
    job.report.count(statuses.tobytes())
    for row, error in sorted((made.errors | chunk.errors).items()):
        is_board = row not in chunk.errors
        job.say(chunk, row, error.partition(": ")[2] if is_board else f"not a board: {error}")
    if chunk.errors:
        return WRONG_INPUT
    return NOT_SOLVED if made.errors else DONE


def rate(job: Job, chunk: Chunk) -> int:
    """Write a table with the guesses of each, and the simplest technique that solves it without any."""
    options = job.options
    row = options.start + job.report.boards
    ratings = rate_values(chunk.cells, chunk.errors, options.threads, options.shuffles, options.seed, row)
    # The text of what is no board is left out.
    texts = BoardList(bytearray(chunk.cells))
    lines = []
    if not job.report.boards:
        lines.append(",".join(_COLUMNS + (_SPREAD_COLUMNS if options.shuffles else ())))
    for row, (text, rating) in enumerate(zip(texts, ratings, strict=True)):
        guesses = "" if rating.guesses is None else str(rating.guesses)
        fields = ["" if row in chunk.errors else text, WORDS[rating.status], guesses, rating.technique or ""]
        if options.shuffles:
            numbers = rating.spread[:4] if rating.spread else [None] * 4
            fields += ["" if number is None else f"{number:.10g}" for number in numbers]
        lines.append(",".join(fields))
    job.output.write("".join(f"{line}\n" for line in lines).encode())
    statuses = ratings.status.tobytes()
    job.report.count(statuses)
    for row, error in sorted(chunk.errors.items()):
        job.say(chunk, row, f"not a board: {error}")
    if chunk.errors:
        return WRONG_INPUT
    return DONE if statuses.count(Status.UNIQUE) == len(statuses) else NOT_SOLVED
