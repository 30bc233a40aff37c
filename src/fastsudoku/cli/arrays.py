"""NumPy's files with one array (``.npy``), read and written without NumPy.

The format is described in the documentation of ``numpy.lib.format``: a magic string, a version, and a text
with a Python dict that says what follows, padded so that the numbers begin at a multiple of 64 bytes.
"""

from __future__ import annotations

import re
import struct
import sys
from collections import namedtuple
from collections.abc import Iterator

from fastsudoku import _engine, boards
from fastsudoku.batch import Batch
from fastsudoku.boards import BoardError
from fastsudoku.cli.chunks import BYTE_WORDS, Buffer, Chunk
from fastsudoku.cli.files import InputFile, OutputError, OutputFile
from fastsudoku.reading import NO_BOARD

#: What all files of NumPy begin with.
MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 1 << 16
# More boards than any disk has.
_MOST_ROWS = 1 << 56
# What the module struct calls the types of NumPy.
_CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}
_CODES |= {"f2": "e", "f4": "f", "f8": "d"}
# Bytes of the header of a file that is written, enough for any number of boards.
_HEADER_SIZE = 128


class ArrayChunk(Chunk):
    """Rows of an array."""

    place = "index"

    def __init__(self, first: int, cells: Buffer, errors: dict[int, str], is_nested: bool) -> None:
        super().__init__(cells, errors)
        self._first = first
        #: Whether each board has the shape (9, 9), and not (81,).
        self.is_nested = is_nested

    def number(self, row: int) -> int:
        return self._first + row

    def answers(self, batch: Batch, with_status: bool) -> Buffer:
        if not with_status:
            return batch.lines()
        lines = (b"." * 81 + b"\n") * len(batch)
        return _engine.engine.write_answer_lines(lines, batch._digits, batch.status, BYTE_WORDS)


class _Layout(namedtuple("_Layout", ("kind", "size", "is_big_endian", "is_by_columns", "rows", "is_nested"))):
    """How the numbers of an array are stored."""

    __slots__ = ()

    kind: str  # i, u or f
    size: int  # bytes of a number
    is_big_endian: bool
    is_by_columns: bool  # "Fortran order"
    rows: int
    is_nested: bool

    def values(self, data: Buffer) -> list[list[int | float]]:
        """Return the numbers of each board."""
        code = _CODES[f"{self.kind}{self.size}"]
        order = ">" if self.is_big_endian else "<"
        return [list(numbers) for numbers in struct.iter_unpack(f"{order}81{code}", data)]


def read_array(file: InputFile) -> Iterator[Chunk]:
    """Yield the boards of a file with one array."""
    layout = _read_header(file)
    file.map()
    row_size = 81 * layout.size
    done = 0
    # Cells of a board that lie far from each other take the whole file.
    least = layout.rows * row_size if layout.is_by_columns else row_size
    data: Buffer = b""
    while done < layout.rows:
        parts = [data] if len(data) else []
        size = len(data)
        while size < least:
            part = file.read_rows(row_size)
            if not len(part):
                raise OSError(f"it ends after {done + size // row_size} of {layout.rows} boards")
            parts.append(part)
            size += len(part)
        data = b"".join(parts) if len(parts) > 1 else parts[0]
        rows = min(size // row_size, layout.rows - done)
        cells, errors = _read_rows(data[: rows * row_size], layout)
        yield ArrayChunk(done, cells, errors, layout.is_nested)
        data = data[rows * row_size :]
        done += rows


def _read_header(file: InputFile) -> _Layout:
    """Return how the array is stored, and leave the file where it begins."""
    import ast  # takes a while, and most input is text

    data = b""

    def fill(size: int) -> None:
        nonlocal data
        while len(data) < size:
            more = file.read()
            if not more:
                raise OSError("its header is damaged")
            data += more

    fill(12)
    major = data[6]
    start = 10 if major == 1 else 12
    size = int.from_bytes(data[8:start], "little")
    if not 1 <= major <= 3 or size > _LONGEST_HEADER:
        raise OSError("its header is damaged")
    fill(start + size)
    try:
        header = ast.literal_eval(data[start : start + size].decode().strip())
        descr, is_by_columns, shape = header["descr"], bool(header["fortran_order"]), tuple(header["shape"])
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        raise OSError("its header is damaged") from None
    if not all(type(length) is int and 0 <= length < _MOST_ROWS for length in shape):
        raise OSError("its header is damaged")
    found = re.fullmatch(r"([<>|=]?)([iu][1248]|f[248])", descr) if isinstance(descr, str) else None
    if not found:
        kind = f"type {descr[:20]!r}" if isinstance(descr, str) else "several types"
        raise OSError(f"it has values of {kind}; numbers from 0 to 9 are needed")
    board = shape if shape in ((81,), (9, 9)) else shape[1:]
    if board not in ((81,), (9, 9)):
        raise OSError(f"it has the shape {shape}, expected (N, 81) or (N, 9, 9)")
    rows = 1 if board is shape else shape[0]
    is_big_endian = found[1] == ">" or (found[1] == "=" and sys.byteorder == "big")
    file.give_back(data[start + size :])
    return _Layout(found[2][0], int(found[2][1]), is_big_endian, is_by_columns, rows, board == (9, 9))


def _by_rows(data: Buffer, layout: _Layout) -> bytes:
    """Return the numbers of an array stored by columns, board by board."""
    size, rows = layout.size, layout.rows
    table = bytearray(len(data))
    for cell in range(81):
        row, column = divmod(cell, 9)
        start = (row + 9 * column if layout.is_nested else cell) * rows * size
        for byte in range(size):
            table[cell * size + byte :: 81 * size] = data[start + byte : start + rows * size : size]
    return bytes(table)


def _read_rows(data: Buffer, layout: _Layout) -> tuple[Buffer, dict[int, str]]:
    """Return the values of boards, and why some are none."""
    low = layout.size - 1 if layout.is_big_endian else 0
    if layout.size > 1 or layout.is_by_columns:
        data = bytes(data)
    if layout.is_by_columns:
        data = _by_rows(data, layout)
    cells: Buffer = data if layout.size == 1 else data[low :: layout.size]
    # All but the lowest bytes of digits are zero.
    is_plain = layout.kind != "f" and not any(
        bytes(data[byte :: layout.size]).strip(b"\0") for byte in range(layout.size) if byte != low
    )
    if is_plain and _engine.engine.first_bad_row(cells) < 0:
        return cells, {}
    boards_read = []
    errors = {}
    for row, values in enumerate(layout.values(data)):
        try:
            boards_read.append(boards.read(values)[0])
        except BoardError as error:
            boards_read.append(NO_BOARD)
            errors[row] = str(error)
    return b"".join(boards_read), errors


class ArrayFile(OutputFile):
    """A file with an array of solutions, zeros where there is none."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._rows = 0
        self._is_nested: bool | None = None
        if not self.is_regular:
            self.__exit__()
            raise OutputError(
                f"cannot write {path}: the number of boards comes first, so it has to be a regular file"
            )
        self.write(bytes(_HEADER_SIZE))

    def add(self, chunk: Chunk, batch: Batch) -> None:
        """Add the answers to some boards."""
        self.add_rows(batch._digits, len(batch))
        self._is_nested = self._is_nested is not False and getattr(chunk, "is_nested", False)

    def add_rows(self, digits: Buffer, rows: int) -> None:
        """Add some boards."""
        self.write(digits)
        self._rows += rows

    def finish(self) -> None:
        shape = (self._rows, 9, 9) if self._is_nested else (self._rows, 81)
        header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}"
        text = header.ljust(_HEADER_SIZE - 11).encode() + b"\n"
        self.begin_again()
        self.write(MAGIC + b"\1\0" + struct.pack("<H", len(text)) + text)
        super().finish()
