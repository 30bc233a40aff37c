"""Makes the boards that ``fastsudoku bench`` ships, from a seed, so that the file can be made again.

Run ``python bench/make_shipped_sets.py > src/fastsudoku/cli/bench_boards.txt``.
"""

from __future__ import annotations

import fastsudoku
from fastsudoku.philox import Stream

SEED = 20_250_601
# Random numbers that nothing in the package is made of.
OTHER = 200


def without_clue(row: int, board: str) -> str:
    """Return a minimal puzzle without one of its clues, and so with several solutions."""
    clues = [cell for cell in range(81) if board[cell] != "."]
    cell = clues[Stream(SEED, row, 0, OTHER).below(len(clues))]
    return board[:cell] + "." + board[cell + 1 :]


def sets() -> dict[str, list[str]]:
    minimal = fastsudoku.generate(20_000, seed=SEED)
    puzzles = minimal.puzzles.strings()
    hardest = sorted(range(len(minimal)), key=lambda row: minimal.guesses[row])[-200:]
    return {
        "easy": fastsudoku.generate(200, clues=32, seed=SEED, start=20_000).puzzles.strings(),
        "minimal": puzzles[:200],
        "hard": [puzzles[row] for row in sorted(hardest)],
        "several": [without_clue(row, board) for row, board in enumerate(puzzles[200:400])],
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
