"""Reading many boards, in any form, into one run of values."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from fastsudoku import _engine
from fastsudoku.board_list import BoardList
from fastsudoku.boards import CELL_VALUES, NOT_A_CELL, BoardError, as_array, buffer_values
from fastsudoku.solver import read

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

    from fastsudoku.formats import TextBoard

#: The values of all boards, one after the other (NOT_A_CELL for those that are none), and why, by row.
Batched = tuple[bytes | bytearray | memoryview, dict[int, str]]

#: Values that stand for what is no board.
NO_BOARD = bytes([NOT_A_CELL]) * 81


def read_many(boards: Any, errors: str) -> Batched:
    """Read boards in any form that solve_many takes; at a bad row raise BoardError, or mark it."""
    try:
        cells, messages = _read_any(boards)
    except BoardError as error:
        hint = _hint(boards)
        raise BoardError(f"{error}; {hint}" if hint else str(error)) from None
    if messages and errors == "raise":
        raise BoardError(_hint(boards) or min(messages.items())[1])
    return cells, messages


def _hint(boards: Any) -> str:
    """Return what a thing that is not a batch of boards seems to be, and what to do with it."""
    if hasattr(boards, "__fspath__") or (isinstance(boards, str) and _is_file(boards)):
        return f"{str(boards)!r} is the name of a file: open it, as in solve_many(open(...))"
    try:
        read(boards)
    except BoardError:
        return ""
    return "this is one board: use solve, or give a list of boards"


def _is_file(name: str) -> bool:
    try:
        return len(name) < 1000 and os.path.isfile(name)
    except ValueError:
        return False


def _read_any(boards: Any) -> Batched:
    if isinstance(boards, (list, tuple)):
        return read_items(boards, 0)
    if isinstance(boards, (str, bytes, bytearray)):
        return _read_text(boards)
    # (Puzzles that were made have them in a list.)
    puzzles = getattr(boards, "puzzles", boards)
    if isinstance(puzzles, BoardList):
        return _read_buffer(puzzles.cells) if len(puzzles) else (b"", {})
    if hasattr(boards, "__array__"):
        return read_array(as_array(boards))
    try:
        view = memoryview(boards)
    except TypeError:
        pass
    else:
        return _read_buffer(view)
    if hasattr(boards, "readline"):
        return _read_text_lines(join_lines(boards))
    if hasattr(boards, "__iter__") and not hasattr(boards, "keys"):
        return read_items(list(boards), 0)
    raise BoardError(f"a batch of boards is a list of boards, a text or an array, not {type(boards).__name__}")


def read_items(items: list[Any] | tuple[Any, ...], start: int) -> Batched:
    """Read boards one by one, of which the first has the index `start`."""
    if isinstance(items, list):
        cells, others = _engine.engine.read_texts(items)
        if not others:
            return cells, {}
        items = tuple(items)  # which nobody else can change while objects of all kinds are read
    cells, others = _engine.engine.read_texts(items)
    messages = {}
    for row in others:
        try:
            board = read(items[row])[0]
        except BoardError as error:
            board = NO_BOARD
            messages[row] = f"boards[{start + row}]: {error}"
        cells[81 * row : 81 * row + 81] = board
    return cells, messages


def read_texts(found: Iterable[TextBoard]) -> tuple[bytes, dict[int, str]]:
    """Take the values of boards found in text."""
    parts = []
    messages = {}
    for row, board in enumerate(found):
        parts.append(board.cells or NO_BOARD)
        if board.error:
            messages[row] = f"line {board.line}: {board.error}"
    return b"".join(parts), messages


def _read_text(text: str | bytes | bytearray | memoryview) -> Batched:
    """Read lines, or 81 * N cells on one line."""
    if (
        not isinstance(text, str)
        and len(text)
        and len(text) % 81 == 0
        and _engine.engine.first_bad_row(text) < 0
    ):
        return text, {}
    # Characters that UTF-8 does not have are no cells: it is enough that they stay what they are.
    characters = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if _has_lines(characters):
        return _read_text_lines(characters)
    line = (
        (text if isinstance(text, str) else bytes(text).decode(errors="replace")).removeprefix("\ufeff").strip()
    )
    if len(line) % 81 or len(line.split(None, 1)) > 1:
        return _read_text_lines(characters)
    if line.isascii() and NOT_A_CELL not in (cells := line.encode().translate(CELL_VALUES)):
        return cells, {}
    return read_items([line[start : start + 81] for start in range(0, len(line), 81)], 0)


def _has_lines(text: bytes | bytearray | memoryview) -> bool:
    """Tell whether there is more than one line with something on it."""
    import re

    first = re.compile(rb"\s*\S[^\r\n]*").match(text)
    return first is not None and re.compile(rb"\s*\S").match(text, first.end()) is not None


class LineReader:
    """Finds the boards in lines of text that come in pieces: most by a short way, others line by line."""

    def __init__(self) -> None:
        # Imported when it is needed: most programs have no text files, and regular expressions take a while.
        from fastsudoku.formats import LINE, BoardReader

        self._reader = BoardReader()
        self._find_line = LINE.match

    def read(self, text: bytes | bytearray | memoryview) -> tuple[bytes, dict[int, str]]:
        """Return the boards in the next lines, which are whole."""
        parts: list[bytes] = []
        messages: dict[int, str] = {}
        rows = position = 0
        while position < len(text):
            if self._reader.is_between_boards:
                values, lines, position = _engine.engine.read_text_lines(text, position)
                self._reader.skip(lines, bool(values))
                parts.append(values)
                rows += len(values) // 81
            line = self._find_line(text, position)
            if line and line[0]:
                found = self._reader.feed(line[0].decode(errors="replace"))
                values, errors = read_texts(found)
                parts.append(values)
                messages.update((rows + row, message) for row, message in errors.items())
                rows += len(found)
                position = line.end()
        return b"".join(parts), messages

    def close(self) -> tuple[bytes, dict[int, str]]:
        """Return what is left at the end of the text."""
        return read_texts(self._reader.close())


def _read_text_lines(text: bytes | bytearray | memoryview) -> Batched:
    reader = LineReader()
    cells, messages = reader.read(text)
    rest, errors = reader.close()
    rows = len(cells) // 81
    return cells + rest, messages | {rows + row: message for row, message in errors.items()}


def join_lines(lines: Iterable[str | bytes]) -> bytes:
    """Return the lines of a file as one text."""
    parts = []
    for line in lines:
        # Characters that UTF-8 does not have are no cells: it is enough that they stay what they are.
        part = line.encode(errors="surrogatepass") if isinstance(line, str) else line
        parts.append(part if part.endswith((b"\n", b"\r")) else part + b"\n")
    return b"".join(parts)


def _check_shape(shape: tuple[int, ...]) -> int:
    if shape[1:] not in ((81,), (9, 9)):
        raise BoardError(f"array of shape {shape}, expected (N, 81) or (N, 9, 9)")
    return shape[0]


def read_array(array: Any, start: int = 0) -> Batched:
    """Read a NumPy array, of numbers or of texts, whose first board has the index `start`.

    NumPy is loaded if there is one.
    """
    if array.ndim < 2 and array.shape:
        return read_items(array.tolist(), start)
    rows = _check_shape(array.shape)
    if array.dtype.kind not in "iuf":
        return read_items(array.tolist(), start)
    if not rows:
        return b"", {}
    if array.dtype == "uint8" and array.flags.c_contiguous:
        cells = memoryview(array).cast("B")
        # Most arrays hold boards only; if not, the cells are looked at one by one below.
        if _engine.engine.first_bad_row(cells) < 0:
            return cells, {}
    numpy = sys.modules["numpy"]
    table = array.reshape(rows, 81)
    good = (table >= 0) & (table <= 9)
    if array.dtype.kind != "f" and good.all():
        return memoryview(table.astype("uint8", order="C")).cast("B"), {}
    table = table.copy()  # which nobody else can change meanwhile
    good = (table >= 0) & (table <= 9)
    good &= numpy.where(good, table, 0) % 1 == 0
    bad_rows = numpy.flatnonzero(~good.all(axis=1)).tolist()
    values = numpy.where(good, table, 0).astype("uint8", order="C")
    values[bad_rows] = NOT_A_CELL
    messages = {}
    for row in bad_rows:
        messages[row] = read_items([table[row].tolist()], start + row)[1][0]
    return memoryview(values).cast("B"), messages


def _read_buffer(view: memoryview) -> Batched:
    if view.format == "B" and view.c_contiguous and len(view):
        cells = view.cast("B")
        if len(cells) % 81 == 0 and _engine.engine.first_bad_row(cells) < 0:
            if view.ndim > 1:
                _check_shape(view.shape or ())
            return cells, {}
    if view.ndim == 1 and view.format == "B":
        return _read_text(view if view.c_contiguous else bytes(view))
    _check_shape(view.shape or ())
    values = buffer_values(view)
    return read_items([values[start : start + 81] for start in range(0, len(values), 81)], 0)
