"""Writes the project's own boards with their answers: ``python tests/make_boards.py > tests/boards.tsv``.

The boards come from a seed. Solutions and counts do not depend on the version of the rules; the guesses do, and
the file is made anew when `fastsudoku.RULES` is raised.
"""

from __future__ import annotations

from random import Random

from random_boards import random_grid, random_open_board, random_puzzle, random_wrong_board

import fastsudoku

MOST = 1000


def boards() -> list[tuple[str, str]]:
    """Return (board, what it is), the same ones each time."""
    random = Random("boards of fastsudoku")
    found = [(random_puzzle(random, clues=clues), f"{clues} clues") for clues in (30, 32, 34, 36, 40, 50)]
    minimal = sorted((random_puzzle(random) for _ in range(20_000)), key=guesses, reverse=True)
    found += [(board, "minimal, many guesses") for board in minimal[:12]]
    found += [(board, "minimal, some guesses") for board in minimal[200:2000:200]]
    found += [(board, "minimal, no guess") for board in minimal[-8:]]
    for board in minimal[300:308]:
        clue = random.choice([cell for cell in range(81) if board[cell] != "."])
        found.append((board[:clue] + "." + board[clue + 1 :], "minimal, a clue dropped"))
    found += [(random_open_board(random, clues), f"{clues} clues, open") for clues in range(0, 45, 3)]
    wrong = [random_wrong_board(random, clues) for clues in range(20, 40)]
    found += [(board, "a wrong clue") for board in wrong if not fastsudoku.count(board)]
    grid = random_grid(random)
    found.append((grid, "full"))
    found.append((grid[1] + grid[1:], "full, clues that clash"))
    found.append((grid[:9] + "." * 72, "a row"))
    return found


def guesses(board: str) -> int:
    """Return the guesses of a board as the package counts them."""
    return fastsudoku.solve_many([board])[0].guesses


def main() -> None:
    """Write the table."""
    print(f"# Made by tests/make_boards.py; guesses by rules {fastsudoku.RULES}.")
    print("board\tsolutions\tsmallest\tguesses\twhat it is")
    for board, what in boards():
        count = fastsudoku.count(board, limit=MOST)
        number = f">={MOST}" if count == MOST else str(count)
        known = str(guesses(board)) if count < 2 else "-"
        print(board, number, fastsudoku.solve(board) or "-", known, what, sep="\t")


if __name__ == "__main__":
    main()
