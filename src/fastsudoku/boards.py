"""What a board is: reading the many kinds of boards, writing them, and checking them by the rules.

Inside the package a board is 81 bytes, row by row, 0 for a blank. This module turns everything else into
that and back. It imports nothing of the package.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from functools import cache

# Type checkers take this name for true. Importing `typing` would take longer than all of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Characters that stand for a blank. "-" is one as well where the text has exactly 81 cells with it.
BLANKS = ".0_*?xX"
# Characters that may come right behind a board, besides white space.
_BEHIND = ",;#"
#: Characters of frames, skipped between cells, as white space and box-drawing characters are.
FRAME = "|+="

#: Characters of the longest line that is read: a longer one is no board.
LONGEST_LINE = 65_535
#: Bytes of the longest field of a table that may have line ends in it, and of the longest record.
LONGEST_FIELD = 1 << 24

NOT_A_CELL = 255
#: The value of each ASCII character as one of exactly 81: 0 to 9, or NOT_A_CELL.
CELL_VALUES = bytes(
    code - 48 if 49 <= code <= 57 else 0 if chr(code) in BLANKS + "-" else NOT_A_CELL for code in range(256)
)
_TO_TEXT = bytes(48 + value if value <= 9 else ord("?") for value in range(256))

_READ_AS_TEXT = "read the column as text (dtype=str), so that nothing takes it for a number"


class SudokuError(ValueError):
    """Base of all errors of this package."""


class BoardError(SudokuError):
    """What was given is not a board; the message says where and why."""


class ImplementationError(SudokuError):
    """The implementation asked for by FASTSUDOKU_IMPLEMENTATION cannot run here."""


class Conflict(namedtuple("Conflict", ("digit", "unit", "cells"))):
    """A digit that stands more than once in a unit.

    Attributes
    ----------
    digit : int
        From 1 to 9.
    unit : str
        The row, column or box, for example ``"row 3"``; boxes are counted row by row from 1.
    cells : tuple of (int, int)
        Row and column, counted from 1, of each cell of the unit that holds the digit.
    """

    __slots__ = ()

    digit: int
    unit: str
    cells: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        cells = ", ".join(f"row {row} column {column}" for row, column in self.cells)
        return f"{self.unit} has {self.digit} more than once: {cells}"


@cache
def _units() -> list[tuple[str, tuple[int, ...]]]:
    """Return the name and the cells of all 27 units."""
    cells = range(81)
    rows = [(f"row {n + 1}", tuple(c for c in cells if c // 9 == n)) for n in range(9)]
    columns = [(f"column {n + 1}", tuple(c for c in cells if c % 9 == n)) for n in range(9)]
    boxes = [(f"box {n + 1}", tuple(c for c in cells if c // 27 * 3 + c % 9 // 3 == n)) for n in range(9)]
    return rows + columns + boxes


# --- reading ---------------------------------------------------------------------------------------------


def read(board: Any) -> tuple[bytes, Callable[[bytes], Any]]:
    """Read a board of any kind.

    Returns
    -------
    cells : bytes
        81 values from 0 to 9, 0 for a blank.
    write : callable
        Turns 81 values back into the kind of board that was given.

    Raises
    ------
    BoardError
        If it is not a board.
    """
    try:
        return _read(board)
    except (BoardError, MemoryError):
        raise
    except Exception as error:
        # Objects of all kinds may be asked for their cells here, and fail in their own ways.
        raise BoardError(f"{_kind(board)} cannot be read as a board: {shown(error)}") from error


def _read(board: Any) -> tuple[bytes, Callable[[bytes], Any]]:
    if isinstance(board, str):
        return read_text(board), to_text
    if isinstance(board, (bytes, bytearray)):
        return _read_bytes(board)
    if isinstance(board, (list, tuple)):
        return _read_sequence(board)
    if isinstance(board, (int, float)) or getattr(board, "shape", None) == ():
        raise BoardError(_number_message(board))
    if hasattr(board, "__array__"):
        return _read_array(board)
    try:
        view = memoryview(board)
    except TypeError:
        pass
    else:
        return _read_buffer(board, view)
    if hasattr(board, "__getitem__") and hasattr(board, "__len__") and not hasattr(board, "keys"):
        return _read_sequence(board)
    raise BoardError(
        f"{_kind(board)} is not a board: give a text of 81 cells, a 9x9 list or an array of integers"
    )


def _kind(thing: object) -> str:
    """Name the type of a thing, with its article."""
    name = type(thing).__name__ or "nameless thing"
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _number_message(number: Any) -> str:
    if number != number:
        return f"{_kind(number)} ({shown(number)}) is not a board: the value is missing"
    return (
        f"{_kind(number)} ({shown(number)}) is not a board: if it was one once, its leading zeros are lost; "
        f"{_READ_AS_TEXT}"
    )


def at(cell: int) -> str:
    """Name a cell, counting from 1."""
    return f"row {cell // 9 + 1}, column {cell % 9 + 1}"


def read_text(text: str) -> bytes:
    """Return the 81 values of a board in text; raise BoardError if it is not one."""
    cells = [text[position] for position in cell_positions(text)]
    for cell, character in enumerate(cells):
        if not character.isascii() or CELL_VALUES[ord(character)] == NOT_A_CELL:
            where = at(cell) if cell < 81 else "after the 81 cells"
            raise BoardError(f"{where}: {character!r} is not a digit or a blank{_cure(text)}")
    if len(cells) != 81:
        raise BoardError(f"board has {_number(cells, 'cell')}, expected 81{_cure(text)}")
    return "".join(cells).encode().translate(CELL_VALUES)


def cell_positions(text: str) -> list[int]:
    """Return where the cells of a board in text are, or whatever stands in their place.

    White space and frames between the cells are skipped. Text after 81 adjoining cells on one line (a name,
    a rating) is not part of the board. A "-" is a blank where that makes 81 cells, else part of a frame.
    """
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    end = len(text)
    is_one_line = "\n" not in text[start:].rstrip()
    adjoins = not any(map(ends_board, text[start : start + 81]))
    if is_one_line and adjoins and any(map(ends_board, text[start + 81 : start + 82])):
        end = start + 81
    board = text[:end]
    positions = [i for i, character in enumerate(board) if not is_between_cells(character)]
    if len(positions) != 81 and any(character in board for character in "\n|+="):
        board = _without_rules(board)
        positions = [i for i, character in enumerate(board) if not is_between_cells(character, "-")]
    return positions


def ends_board(character: str) -> bool:
    """Tell whether what stands behind 81 adjoining cells, from this character on, is no part of the board."""
    return character.isspace() or character in _BEHIND


def read_plain_text(text: str | bytes) -> bytes | None:
    """Return the values of a text that is nothing but 81 cells, None for any other."""
    if len(text) != 81 or not text.isascii():
        return None
    characters = text.encode() if isinstance(text, str) else text
    cells = characters.translate(CELL_VALUES)
    return cells if max(cells) <= 9 else None


def is_between_cells(character: str, dash: str = "") -> bool:
    """Tell whether a character is white space or part of a frame; "-" is one if it is given as the dash."""
    is_frame = character in FRAME + dash or "\u2500" <= character <= "\u257f"
    return is_frame or character.isspace() or character == "\ufeff"


def _without_rules(text: str) -> str:
    """Blank out rules between rows, such as ``+---+---+---+`` or ``*-----------*``."""
    if "--" not in text:
        return text
    import re

    return re.sub(r"[-+=*.:|']+", lambda run: " " * len(run[0]) if "--" in run[0] else run[0], text)


def _cure(text: str) -> str:
    """Return what to do about a text that a CSV reader made of a board, if it looks like one."""
    if 81 > len(text) > 40 or "e" in text.lower():
        try:
            float(text)
        except ValueError:
            return ""
        return f"; it looks like a number, and leading zeros are lost: {_READ_AS_TEXT}"
    return ""


def _number(things: Any, name: str) -> str:
    """Say how many things there are: "1 cell", "80 cells"."""
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def to_text(cells: bytes | bytearray) -> str:
    """Return 81 values as 81 characters, 0 for a blank."""
    return cells.translate(_TO_TEXT).decode()


def _read_bytes(board: bytes | bytearray) -> tuple[bytes, Callable[[bytes], Any]]:
    kind = type(board)
    if len(board) == 81 and max(board) <= 9:
        return bytes(board), kind
    return read_text(board.decode(errors="replace")), lambda cells: kind(cells.translate(_TO_TEXT))


def _read_sequence(board: Any) -> tuple[bytes, Callable[[bytes], Any]]:
    """Read a nested sequence of nine rows, or a flat one of 81 cells."""
    rows = list(board)
    if len(rows) == 81:
        cells = _read_values(rows)
        return cells, lambda cells: _like(board, _values(cells, rows))
    if not any(map(_is_row, rows)):
        raise BoardError(f"board has {_number(rows, 'cell')}, expected 81 or 9 rows of 9")
    if len(rows) != 9:
        raise BoardError(f"board has {_number(rows, 'row')}, expected 9")
    values: list[Any] = []
    for number, row in enumerate(rows, 1):
        if not _is_row(row):
            raise BoardError(f"row {number} is {shown(row)}, expected 9 cells")
        if len(row) != 9:
            raise BoardError(f"row {number} has {_number(row, 'cell')}, expected 9")
        values.extend(row)  # += would add up, if the row is an array

    def write(cells: bytes) -> Any:
        digits = _values(cells, values)
        return _like(board, [_like(row, digits[9 * n : 9 * n + 9]) for n, row in enumerate(rows)])

    return _read_values(values), write


def _is_row(row: Any) -> bool:
    """Tell whether a thing is a row of cells rather than one cell."""
    if isinstance(row, str):
        return len(row) > 1
    return hasattr(row, "__len__") and hasattr(row, "__getitem__") and not hasattr(row, "keys")


def _like(model: Any, values: list[Any]) -> Any:
    """Return values as the kind of sequence that the model is."""
    if isinstance(model, str):
        return "".join(values)
    return tuple(values) if isinstance(model, tuple) else values


def blank_of(board: Any) -> str:
    """Return the character that a board has for a blank, a full stop if it has none."""
    if isinstance(board, (bytes, bytearray)):
        board = board.decode("latin-1")
    if isinstance(board, str):
        return next((board[place] for place in cell_positions(board) if board[place] in BLANKS + "-"), ".")
    if hasattr(board, "dtype") and board.dtype.kind in "US":
        board = board.astype(str).tolist()
    if isinstance(board, (list, tuple)):
        parts = (blank_of(part) for part in board if isinstance(part, (str, list, tuple)))
        return next((blank for blank in parts if blank != "."), ".")
    return "."


def with_blanks(board: Any, blank: str) -> Any:
    """Return a board that was written with zeros for blanks with this character where it has characters."""
    if isinstance(board, str):
        return board.replace("0", blank)
    if isinstance(board, (bytes, bytearray)):
        return board.replace(b"0", blank.encode())
    if isinstance(board, (list, tuple)):
        return type(board)([with_blanks(part, blank) for part in board])
    if hasattr(board, "dtype") and board.dtype.kind in "US":
        texts = with_blanks(board.astype(str).tolist(), blank)
        return sys.modules["numpy"].array(texts).reshape(board.shape).astype(board.dtype)
    return board


def _values(cells: bytes, model: list[Any]) -> list[Any]:
    """Return the cells as characters where the model has any, else as integers."""
    return list(to_text(cells)) if any(isinstance(value, str) for value in model) else list(cells)


def _read_values(values: list[Any]) -> bytes:
    if set(map(type, values)) == {int} and 0 <= min(values) <= max(values) <= 9:
        return bytes(values)
    cells = bytearray(81)
    for cell, value in enumerate(values):
        digit = _digit(value)
        if digit is None:
            raise BoardError(f"{at(cell)}: {shown(value)} is not a digit or a blank")
        cells[cell] = digit
    return bytes(cells)


def _digit(value: Any) -> int | None:
    """Return a cell's value from 0 to 9, or None if it is not one."""
    if value is None:
        return 0
    if isinstance(value, str):
        digit = CELL_VALUES[ord(value)] if len(value) == 1 and value.isascii() else NOT_A_CELL
        return None if digit == NOT_A_CELL else digit
    if type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        # Integers of all kinds, and 5.0, are digits; 2.3 and nan are not.
        number = int(value)
        return number if 0 <= number <= 9 and number == value else None
    except Exception:
        return None


def shown(value: object) -> str:
    """Show a value in a message, briefly, whatever it is."""
    try:
        text = repr(value)
    except Exception:
        # Too many digits or levels for Python to show, or a fault of the value's own.
        return f"this {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


def _check_shape(shape: tuple[int, ...]) -> None:
    if shape not in ((81,), (9, 9)):
        raise BoardError(f"array of shape {shape}, expected (9, 9) or (81,)")


def as_array(board: Any) -> Any:
    """Return the NumPy array that a thing can be seen as; what is masked is blank."""
    return board.filled(0) if hasattr(board, "filled") else board.__array__()


def _read_array(board: Any) -> tuple[bytes, Callable[[bytes], Any]]:
    """Read what NumPy can see as an array; NumPy is there if it can, and is not imported here."""
    array = as_array(board)
    _check_shape(array.shape)
    values = array.reshape(-1).tolist()

    def write(cells: bytes) -> Any:
        numpy = sys.modules["numpy"]
        if array.dtype.kind in "iuf":
            return numpy.frombuffer(cells, dtype="u1").reshape(array.shape).astype(array.dtype)
        return numpy.array(_values(cells, values)).reshape(array.shape).astype(array.dtype)

    return _read_values(values), write


def _read_buffer(board: Any, view: memoryview) -> tuple[bytes, Callable[[bytes], Any]]:
    """Read anything else with the buffer protocol, such as array.array, a memoryview or a ctypes array."""
    _check_shape(view.shape or ())
    cells = _read_values(buffer_values(view))

    def write(cells: bytes) -> Any:
        import struct

        if hasattr(board, "typecode"):
            return type(board)(board.typecode, list(cells))
        packed = b"".join(struct.pack(view.format, digit) for digit in cells)
        if hasattr(type(board), "from_buffer_copy"):
            return type(board).from_buffer_copy(packed)
        try:
            return memoryview(packed).cast(view.format, view.shape or ())  # type: ignore[call-overload]
        except ValueError:
            # A format that a memoryview can have but not get, such as one of the other byte order.
            return memoryview(cells).cast("B", view.shape or ())

    return cells, write


def buffer_values(view: memoryview) -> list[Any]:
    """Return the elements of a buffer of any layout, one after the other."""
    import struct

    try:
        return [value for (value,) in struct.iter_unpack(view.format, view.tobytes())]
    except (struct.error, ValueError):
        raise BoardError(f"a buffer of format {view.format!r} is not a board of integers") from None


# --- filling in place ------------------------------------------------------------------------------------


def places(board: Any) -> list[tuple[Any, Any]]:
    """Return, for each of the 81 cells of a readable board, the container and index to assign to.

    Raises
    ------
    BoardError
        If the board cannot be filled in place.
    """
    if isinstance(board, bytearray) and max(board) > 9:
        if not board.isascii():
            raise BoardError("a bytearray with other than ASCII characters cannot be filled in place")
        return [(board, position) for position in cell_positions(board.decode())]
    if getattr(board, "ndim", 1) == 2 and not isinstance(board, list):
        return [(board, divmod(cell, 9)) for cell in range(81)]
    rows = list(board) if len(board) == 9 else [board]
    for row in rows:
        if not hasattr(row, "__setitem__"):
            raise BoardError(f"{_kind(row)} cannot be filled in place; use solve, which returns the answer")
    if len(set(map(id, rows))) != len(rows):
        raise BoardError("some rows are one and the same list, so they cannot be filled with different digits")
    return [(row, cell) for row in rows for cell in range(81 // len(rows))]


def fill(board: Any, cells: bytes, solution: bytes, places: list[tuple[Any, Any]]) -> None:
    """Assign the digits of a solution where the cells of a board are blank; all or none.

    Raises
    ------
    BoardError
        If an assignment fails or does not last; the board is then as it was.
    """
    written: list[tuple[Any, Any, Any]] = []
    try:
        old = [container[index] for container, index in places]
        if any(isinstance(value, str) for value in old):
            values: list[Any] = list(to_text(solution))
        elif isinstance(board, bytearray) and max(board) > 9:
            values = list(to_text(solution).encode())
        else:
            values = list(solution)
        for cell, (container, index) in enumerate(places):
            if not cells[cell]:
                # An interrupt may come before or after the assignment: both are undone.
                written.append((container, index, old[cell]))
                container[index] = values[cell]
        if read(board)[0] != solution:
            raise BoardError("its cells are not all different places, or do not take what is assigned")
    except BaseException as error:
        for container, index, value in reversed(written):
            with suppress(Exception):
                container[index] = value
        if isinstance(error, Exception) and not isinstance(error, MemoryError):
            message = str(error) or type(error).__name__
            raise BoardError(f"{_kind(board)} cannot be filled in place: {message}") from error
        raise


# --- the rules -------------------------------------------------------------------------------------------


def conflicts(board: Any) -> list[Conflict]:
    """List the digits that clash: those that stand more than once in a row, column or box.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board, of any kind that `solve` takes.

    Returns
    -------
    list of Conflict
        By unit, rows first, then columns, then boxes; within a unit by digit. Empty if nothing clashes.

    Raises
    ------
    BoardError
        If it is not a board.

    Examples
    --------
    >>> import fastsudoku
    >>> for conflict in fastsudoku.conflicts("11" + "." * 79):
    ...     print(conflict)
    row 1 has 1 more than once: row 1 column 1, row 1 column 2
    box 1 has 1 more than once: row 1 column 1, row 1 column 2
    """
    cells, _ = read(board)
    found = []
    for name, unit in _units():
        digits = [cells[cell] for cell in unit]
        for digit in sorted(set(digits) - {0}):
            if digits.count(digit) > 1:
                where = tuple((cell // 9 + 1, cell % 9 + 1) for cell in unit if cells[cell] == digit)
                found.append(Conflict(digit, name, where))
    return found


def verify(puzzle: Any, grid: Any) -> bool:
    """Tell whether a grid solves a puzzle: by the rules and the clues, not by comparing with an answer.

    Parameters
    ----------
    puzzle, grid : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The puzzle and the full grid, each of any kind that `solve` takes.

    Returns
    -------
    bool
        True if every row, column and box of the grid has each digit once and no clue was changed. For a
        puzzle with several solutions, each of them is right.

    Raises
    ------
    BoardError
        If one of the two is not a board. (A grid with blanks is one; it is just not a solution.)

    Examples
    --------
    >>> import fastsudoku
    >>> grid = fastsudoku.solve("." * 81)
    >>> fastsudoku.verify("." * 81, grid)
    True
    >>> fastsudoku.verify("2" + "." * 80, grid)
    False
    """
    clues, _ = read(puzzle)
    digits, _ = read(grid)
    if any(clue not in (0, digit) for clue, digit in zip(clues, digits, strict=True)):
        return False
    return all({digits[cell] for cell in unit} == set(range(1, 10)) for _, unit in _units())


# --- showing ---------------------------------------------------------------------------------------------


def format_board(board: Any, *, unicode: bool = False) -> str:
    """Draw a board with a frame, in ASCII unless asked otherwise.

    Parameters
    ----------
    board : str, bytes, 9x9 nested sequence, flat sequence of 81, or array
        The board. It may be wrong: 81 values of any kind are drawn, those that are not a digit or a blank
        as a question mark.
    unicode : bool, default False
        Draw the frame with box-drawing characters.

    Returns
    -------
    str
        Thirteen lines, without a newline at the end.

    Raises
    ------
    BoardError
        If there are not 81 values.

    Examples
    --------
    >>> import fastsudoku
    >>> fastsudoku.format_board("53..7...." + "." * 72).splitlines()[1]
    '| 5 3 . | . 7 . | . . . |'
    """
    try:
        values: list[int | None] = list(read(board)[0])
    except BoardError:
        values = [_digit(part) for part in _parts(board)]
        if len(values) != 81:
            raise
    marks = ["?" if value is None else "." if value == 0 else str(value) for value in values]
    bar = "\u2502" if unicode else "|"
    lines = []
    for row in range(9):
        cells = marks[9 * row : 9 * row + 9]
        stacks = [" ".join(cells[start : start + 3]) for start in (0, 3, 6)]
        lines.append(f"{bar} " + f" {bar} ".join(stacks) + f" {bar}")
    rules = ["+-------+-------+-------+"] * 4
    if unicode:
        between = "\u251c-\u253c-\u253c-\u2524"
        rules = ["\u250c-\u252c-\u252c-\u2510", between, between, "\u2514-\u2534-\u2534-\u2518"]
        rules = [rule.replace("-", "\u2500" * 7) for rule in rules]
    drawn = []
    for band in range(3):
        drawn += [rules[band], *lines[3 * band : 3 * band + 3]]
    return "\n".join([*drawn, rules[3]])


def _parts(board: Any) -> list[Any]:
    """Return the values of something that is meant to be a board, as far as they can be had."""
    try:
        if isinstance(board, (bytes, bytearray)):
            board = board.decode("latin-1")
        elif isinstance(board, memoryview):
            return buffer_values(board)
        parts = list(board)
        if len(parts) == 9 and all(map(_is_row, parts)):
            parts = [value for row in parts for value in row]
    except Exception:
        return []
    return parts
