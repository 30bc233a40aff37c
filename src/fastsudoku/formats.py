"""Boards in text files: found by their content, answered in the same shape.

A board is one line of 81 cells, perhaps with a name or a rating behind it; or nine lines of nine cells, spaced
or framed in any way, perhaps under a heading as in ``Grid 01``. Lines that start with ``#`` are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fastsudoku import boards
from fastsudoku.boards import BoardError

_HEADING = re.compile(r"grid\b.*", re.IGNORECASE)
# Frames and nothing else. Nine dashes alone are a row of blanks.
_RULE = re.compile(r"(?!-{9}$)[-+=*.:|' ]*(--|==)[-+=*.:|' ]*")
# A line with more cells than this is meant to be a whole board, with fewer to be a row.
_LONGEST_ROW = 27


class TextBoard(NamedTuple):
    """A board found in text, or what stands in the place of one."""

    #: Number of its first line, from 1.
    line: int
    #: Its 81 values, empty if it is not a board.
    cells: bytes
    #: Why it is not a board, empty if it is one.
    error: str
    #: Its lines as they stand in the text, without line ends.
    lines: list[str]
    #: Whether it is a board on one line; else it has nine lines of cells.
    on_one_line: bool

    def with_answer(self, solution: str) -> str:
        """Return the text of the board with each cell replaced by that of the solution, 81 digits."""
        digits = iter(solution)
        if self.on_one_line:
            head, rest = boards.split_line(self.lines[0])
            return _replaced(head, 81, digits) + rest
        return "\n".join(_replaced(line, 9, digits) if _is_row(line) else line for line in self.lines)


def read_boards(lines: Iterable[str]) -> Iterator[TextBoard]:
    """Find the boards in lines of text.

    Parameters
    ----------
    lines : iterable of str
        The lines, with or without line ends.

    Yields
    ------
    TextBoard
        Each board as soon as it is complete; what is not a board is reported in its place.
    """
    block: list[str] = []
    first = 0
    blank_before = False
    for number, line in enumerate(lines, 1):
        line = line.rstrip()
        if number == 1:
            line = line.removeprefix("\ufeff")
        if line.startswith("#"):
            continue
        cells = None if block else boards.read_plain_text(line)
        if cells:
            yield TextBoard(number, cells, "", [line], True)
            continue
        rows = sum(map(_is_row, block))
        is_rule = bool(_RULE.fullmatch(line))
        is_heading = bool(_HEADING.fullmatch(line))
        is_board = _is_row(line) and len(_cell_positions(line, 9)) > _LONGEST_ROW
        # A frame may be closed below the ninth row; a gap in a block may come after each band.
        if block and (is_heading or is_board or (rows == 9 and not is_rule) or (not line and rows % 3)):
            yield _block_board(first, block)
            block, rows = [], 0

        if not line:
            blank_before = True
            if rows:
                block.append(line)
        elif is_board or not (block or is_heading or is_rule or len(_cell_positions(line, 9)) == 9):
            yield _line_board(number, line)
        else:
            if not block:
                first = number
                block = [""] if blank_before else []
            block.append(line)
            framed = any(map(_RULE.fullmatch, block))
            if rows + _is_row(line) == 9 and (is_rule or not framed):
                yield _block_board(first, block)
                block = []
        if line:
            blank_before = False
    if any(map(_is_row, block)) or any(map(_HEADING.fullmatch, block)):
        yield _block_board(first, block)


def _is_row(line: str) -> bool:
    """Tell whether a line of a block has cells."""
    return bool(line) and not _HEADING.fullmatch(line) and not _RULE.fullmatch(line)


def _cell_positions(line: str, expected: int) -> list[int]:
    """Return where the cells of a line are; a "-" is one if that makes the number expected."""
    cells = [i for i, character in enumerate(line) if not (character.isspace() or character in "|+=")]
    if len(cells) != expected and "-" in line:
        cells = [i for i in cells if line[i] != "-"]
    return cells


def _replaced(line: str, expected: int, digits: Iterator[str]) -> str:
    characters = list(line)
    for position in _cell_positions(line, expected):
        characters[position] = next(digits)
    return "".join(characters)


def _line_board(number: int, line: str) -> TextBoard:
    try:
        return TextBoard(number, boards.read_text(line), "", [line], True)
    except BoardError as error:
        return TextBoard(number, b"", str(error), [line], True)


def _block_board(first: int, block: list[str]) -> TextBoard:
    """Read a block of lines that should have nine rows of nine cells."""
    rows = []
    for line in filter(_is_row, block):
        rows.append("".join(line[position] for position in _cell_positions(line, 9)))
    try:
        return TextBoard(first, boards.read(rows)[0], "", block, False)
    except BoardError as error:
        return TextBoard(first, b"", str(error), block, False)
