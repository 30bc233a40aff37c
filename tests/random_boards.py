"""Boards from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import fastsudoku

PATTERN = "".join(str((3 * (row % 3) + row // 3 + column) % 9 + 1) for row in range(9) for column in range(9))


def random_order(random: Random) -> list[int]:
    """Return the nine rows (or columns) in a random order that keeps bands (or stacks) together."""
    bands = random.sample(range(3), 3)
    return [3 * band + line for band in bands for line in random.sample(range(3), 3)]


def rearranged(board: str, rows: Sequence[int], columns: Sequence[int], digits: Sequence[int]) -> str:
    """Return a board with rows and columns in another order, and digit d replaced by digits[d - 1]."""
    names = {str(digit): str(digits[digit - 1]) for digit in range(1, 10)}
    return "".join(names.get(board[9 * row + column], ".") for row in rows for column in columns)


def random_grid(random: Random) -> str:
    """Return a full grid. (Not all grids can come: all are rearrangements of one.)"""
    return rearranged(PATTERN, random_order(random), random_order(random), random.sample(range(1, 10), 9))


def with_clues(grid: str, cells: Sequence[int]) -> str:
    """Return a grid with only these cells left."""
    return "".join(digit if cell in set(cells) else "." for cell, digit in enumerate(grid))


def random_puzzle(random: Random, clues: int = 0) -> str:
    """Return a puzzle with one solution; minimal, or with so many clues if it gets that far."""
    board = random_grid(random)
    for cell in random.sample(range(81), 81):
        if 81 - board.count(".") == clues:
            break
        fewer = board[:cell] + "." + board[cell + 1 :]
        if fastsudoku.is_unique(fewer):
            board = fewer
    return board


def random_open_board(random: Random, clues: int) -> str:
    """Return a board with so many clues of a random grid, and so with at least one solution."""
    return with_clues(random_grid(random), random.sample(range(81), clues))


def random_wrong_board(random: Random, clues: int) -> str:
    """Return a board with so many clues, of which one was changed to a digit that clashes with no other."""
    from oracle import may_stand

    while True:
        board = random_open_board(random, clues)
        cells = [0 if character == "." else int(character) for character in board]
        cell = random.choice([cell for cell in range(81) if cells[cell]])
        digits = [digit for digit in range(1, 10) if digit != cells[cell] and may_stand(cells, cell, digit)]
        if digits:
            return board[:cell] + str(random.choice(digits)) + board[cell + 1 :]
