"""Boards in text files: found by their content, answered in the same shape.

A board is one line of 81 cells, perhaps with a name or a rating behind it; or nine lines of nine cells, spaced
or framed in any way, perhaps under a heading as in ``Grid 01``. Lines that start with ``#`` are comments.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator

from fastsudoku import boards
from fastsudoku.boards import LONGEST_LINE, BoardError

#: A line of a file, in bytes, with its end.
LINE = re.compile(rb"[^\r\n]*(?:\r\n?|\n)?")
_HEADING = re.compile(r"grid\b.*", re.IGNORECASE)
# Frames and nothing else; see _is_rule.
_FRAME = re.compile(r"[-+=*.:|' \u2500-\u257f]+")
#: What the column of a table that has boards may be called, the most likely name first.
COLUMNS = ("puzzle", "quizzes", "question", "q", "puzzles", "quiz", "board", "sudoku")
# A block with more lines, rules and gaps included, is no board.
_LONGEST_BLOCK = 40
# A line with more cells than this is meant to be a whole board, with fewer to be a row.
_LONGEST_ROW = 27


class TextBoard(namedtuple("TextBoard", ("line", "cells", "error", "lines", "on_one_line"))):
    """A board found in text, or what stands in the place of one."""

    __slots__ = ()

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
            return _replaced(self.lines[0], boards.cell_positions(self.lines[0]), digits)
        return "\n".join(
            _replaced(line, _row_positions(line), digits) if _is_row(line) else line for line in self.lines
        )

    def without_answer(self) -> str:
        """Return as many lines, empty where the board has cells."""
        return "\n".join("" if self.on_one_line or _is_row(line) else line for line in self.lines)


class BoardReader:
    """Finds the boards in lines of text, which come one by one."""

    def __init__(self) -> None:
        self._number = 0
        self._found = False
        # The lines of a board that is not complete, and the number of the first of them.
        self._block: list[str] = []
        self._first = 0
        self._blank_before = False

    @property
    def lines(self) -> int:
        """How many lines it has taken."""
        return self._number

    @property
    def is_between_boards(self) -> bool:
        """Whether no board has begun that is not complete."""
        return not self._block

    def skip(self, lines: int, had_boards: bool) -> None:
        """Pass over lines between boards that were read by other means."""
        self._number += lines
        self._found = self._found or had_boards
        self._blank_before = self._blank_before and not lines

    def feed(self, line: str) -> list[TextBoard]:
        """Take the next line, with or without its end; return the boards that it completes."""
        self._number += 1
        line = line.rstrip()
        if self._number == 1:
            line = line.removeprefix("\ufeff")
        if not self._block and (cells := boards.read_plain_text(line)):
            self._found = True
            self._blank_before = False
            return [TextBoard(self._number, cells, "", [line], True)]
        if line.startswith("#") or (not self._found and _is_table_head(line)):
            return []
        self._found = self._found or bool(line)
        is_rule = _is_rule(line)
        is_heading = bool(_HEADING.fullmatch(line))
        is_board = _is_row(line) and len(_row_positions(line)) > _LONGEST_ROW
        rows = self._rows()
        found = []
        # A frame may be closed below the ninth row; a gap may come after each band.
        is_endless = len(self._block) > _LONGEST_BLOCK
        if is_heading or is_board or is_endless or (rows == 9 and not is_rule) or (not line and rows % 3):
            found += self.close()
        if not line:
            if self._block:
                self._block.append(line)
            self._blank_before = True
            return found
        if is_board or not (self._block or is_heading or is_rule or len(_row_positions(line)) == 9):
            found.append(_line_board(self._number, line))
        else:
            self._add(line)
            is_framed = any(map(_is_rule, self._block))
            if self._rows() == 9 and (is_rule or not is_framed):
                found += self.close()
        self._blank_before = False
        return found

    def close(self) -> list[TextBoard]:
        """Return what is left at the end of the text: an incomplete board, or none."""
        block, self._block = self._block, []
        if any(_is_row(line) or _HEADING.fullmatch(line) for line in block):
            return [_block_board(self._first, block)]
        return []

    def _rows(self) -> int:
        return sum(map(_is_row, self._block))

    def _add(self, line: str) -> None:
        if not self._block:
            self._first = self._number
            # A gap between boards is a part of their shape.
            self._block = [""] * self._blank_before
        self._block.append(line)


def _is_table_head(line: str) -> bool:
    """Tell whether a line names the columns of a table, of which the first has the boards."""
    return re.split(r"[,;\t]", line)[0].strip(' "').lower() in COLUMNS


def _is_row(line: str) -> bool:
    """Tell whether a line of a block has cells."""
    return bool(line) and not _HEADING.fullmatch(line) and not _is_rule(line)


def _is_rule(line: str) -> bool:
    """Tell whether a line is a rule between rows. Nine dashes alone are a row of blanks."""
    if line == "-" * 9 or not _FRAME.fullmatch(line):
        return False
    return "--" in line or "==" in line or "\u2500\u2500" in line or "\u2550\u2550" in line


def _row_positions(line: str) -> list[int]:
    """Return where the cells of a row are; a "-" is one if that makes nine."""
    cells = [i for i, character in enumerate(line) if not boards.is_between_cells(character)]
    if len(cells) != 9 and "-" in line:
        cells = [i for i in cells if line[i] != "-"]
    return cells


def _replaced(line: str, positions: list[int], digits: Iterator[str]) -> str:
    characters = list(line)
    for position in positions:
        characters[position] = next(digits)
    return "".join(characters)


def _line_board(number: int, line: str) -> TextBoard:
    if len(line) > LONGEST_LINE:
        return TextBoard(number, b"", f"line has more than {LONGEST_LINE:,} characters", [line], True)
    try:
        return TextBoard(number, boards.read_text(line), "", [line], True)
    except BoardError as error:
        return TextBoard(number, b"", str(error), [line], True)


def _block_board(first: int, block: list[str]) -> TextBoard:
    """Read a block of lines that should have nine rows of nine cells."""
    rows = []
    for line in filter(_is_row, block):
        rows.append("".join(line[position] for position in _row_positions(line)))
    try:
        return TextBoard(first, boards.read(rows)[0], "", block, False)
    except BoardError as error:
        return TextBoard(first, b"", str(error), block, False)
