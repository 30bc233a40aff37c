"""Makes the boards that ``fastsudoku bench`` ships, from a seed, so that the file can be made again.

Run ``python bench/make_shipped_sets.py > src/fastsudoku/cli/bench_boards.txt``.
"""

from __future__ import annotations

from random import Random

import fastsudoku

SEED = 20_250_601


def random_grid(random: Random) -> str:
    """Return a full grid: digits are put into random cells as long as there is a solution."""
    board = ["."] * 81
    while fastsudoku.count("".join(board)) > 1:
        cell, digit = random.randrange(81), random.choice("123456789")
        if board[cell] == ".":
            board[cell] = digit
            if not fastsudoku.count("".join(board), limit=1):
                board[cell] = "."
    solution = fastsudoku.solve("".join(board))
    assert solution is not None
    return solution


def puzzle(random: Random, clues: int = 0) -> str:
    """Return a puzzle: minimal, or with so many clues if it gets that far."""
    board = random_grid(random)
    for cell in random.sample(range(81), 81):
        fewer = board[:cell] + "." + board[cell + 1 :]
        if 81 - board.count(".") > clues and fastsudoku.is_unique(fewer):
            board = fewer
    return board


def without_clue(random: Random, board: str) -> str:
    """Return a minimal puzzle without one of its clues, and so with several solutions."""
    cell = random.choice([cell for cell in range(81) if board[cell] != "."])
    return board[:cell] + "." + board[cell + 1 :]


def sets() -> dict[str, list[str]]:
    random = Random(SEED)
    minimal = [puzzle(random) for _ in range(20_000)]
    guesses = fastsudoku.solve_many(minimal).guesses
    hardest = sorted(range(len(minimal)), key=lambda row: guesses[row])[-200:]
    return {
        "easy": [puzzle(random, 32) for _ in range(200)],
        "minimal": minimal[:200],
        "hard": [minimal[row] for row in sorted(hardest)],
        "several": [without_clue(random, board) for board in minimal[200:400]],
    }


DESCRIPTIONS = {
    "easy": "32 clues",
    "minimal": "random minimal puzzles",
    "hard": "those of 20,000 minimal puzzles with the most guesses",
    "several": "minimal puzzles without one of their clues, and so with several solutions",
}

if __name__ == "__main__":
    for name, boards in sets().items():
        print(f"# {name}: {DESCRIPTIONS[name]}")
        print("\n".join(boards))
