"""The commands about puzzles that there are: minimize and rate."""

from __future__ import annotations

from fastsudoku.batch import Status
from fastsudoku.board_list import BoardList
from fastsudoku.cli.chunks import WORDS, Chunk
from fastsudoku.cli.commands import DONE, NOT_SOLVED, WRONG_INPUT, Job
from fastsudoku.minimal import minimize_values
from fastsudoku.rating import Rating, Technique, rate_values, spread_of

#: What the simplest technique that suffices is called, simplest first.
_TECHNIQUES = {
    Technique.NAKED_SINGLES: "naked singles",
    Technique.HIDDEN_SINGLES: "hidden singles",
    Technique.SINGLES: "singles",
    Technique.LOCKED_CANDIDATES: "locked candidates",
}
_COLUMNS = "puzzle", "status", "guesses", "technique"
_SPREAD_COLUMNS = "mean", "median", "low", "high"


def minimize(job: Job, chunk: Chunk) -> int:
    """Write a minimal puzzle for each, one a line, and an empty line where there is none."""
    start = job.report.boards
    made = minimize_values(chunk.cells, chunk.errors, job.options.seed, start, job.options.threads)
    lines = made.puzzles.lines().splitlines(True)
    for row in made.errors:
        lines[row] = b"\n"
    job.output.write(b"".join(lines))
    job.report.count(
        bytes(
            Status.UNIQUE if clues else Status.NOT_A_BOARD if row in chunk.errors else Status.SEVERAL
            for row, clues in enumerate(made.clues)
        )
    )
    for row, error in sorted(made.errors.items()):
        is_board = row not in chunk.errors
        job.say(chunk, row, error.partition(": ")[2] if is_board else f"not a board: {error}")
    if chunk.errors:
        return WRONG_INPUT
    return NOT_SOLVED if made.errors else DONE


def rate(job: Job, chunk: Chunk) -> int:
    """Write a table with the guesses of each, and the simplest technique that solves it without any."""
    shuffles = job.options.shuffles
    ratings = rate_values(chunk.cells, chunk.errors, job.options.threads)
    texts = BoardList(bytearray(chunk.cells)) if not chunk.errors else _texts(chunk)
    lines = []
    if not job.report.boards:
        lines.append(",".join(_COLUMNS + (_SPREAD_COLUMNS if shuffles else ())))
    for row, (text, rating) in enumerate(zip(texts, ratings, strict=True)):
        fields = [text, WORDS[rating.status], _shown(rating.guesses), _technique(rating)]
        if shuffles:
            cells = bytes(chunk.cells[81 * row : 81 * row + 81])
            is_unique = rating.status == Status.UNIQUE
            spread = spread_of(cells, shuffles, job.options.seed) if is_unique else None
            fields += (
                [f"{spread.mean:g}", f"{spread.median:g}", str(spread.low), str(spread.high)]
                if spread
                else [""] * 4
            )
        lines.append(",".join(fields))
    job.output.write("".join(f"{line}\n" for line in lines).encode())
    statuses = ratings.status.tobytes()
    job.report.count(statuses)
    for row, error in sorted(chunk.errors.items()):
        job.say(chunk, row, f"not a board: {error}")
    if chunk.errors:
        return WRONG_INPUT
    return DONE if statuses.count(Status.UNIQUE) == len(statuses) else NOT_SOLVED


def _texts(chunk: Chunk) -> list[str]:
    """Return the boards as text, nothing for what is none."""
    cells = bytes(chunk.cells)
    good = bytearray(
        b"".join(
            bytes(81) if row in chunk.errors else cells[81 * row : 81 * row + 81] for row in range(len(chunk))
        )
    )
    return ["" if row in chunk.errors else text for row, text in enumerate(BoardList(good))]


def _shown(guesses: int | None) -> str:
    return "" if guesses is None else str(guesses)


def _technique(rating: Rating) -> str:
    for technique, name in _TECHNIQUES.items():
        if technique in rating.techniques:
            return name
    if rating.status != Status.UNIQUE:
        return ""
    return "guesses" if rating.guesses else "triads"
