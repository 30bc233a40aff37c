"""Tables: files with a record a line and a heading that names the columns, as spreadsheets write them."""

from __future__ import annotations

import csv
from collections import namedtuple
from collections.abc import Iterator

from fastsudoku import _engine, boards
from fastsudoku.batch import Batch
from fastsudoku.boards import LONGEST_FIELD, LONGEST_LINE, BoardError
from fastsudoku.cli.chunks import BYTE_ORDER_MARK, BYTE_WORDS, Buffer, Chunk
from fastsudoku.cli.files import InputFile
from fastsudoku.cli.lines import whole_lines
from fastsudoku.formats import COLUMNS

#: What is added, or filled in where there is such a column.
ANSWER_COLUMNS = ("solution", "status", "guesses")

_DELIMITERS = (",", ";", "\t")


class Heading(namedtuple("Heading", ("text", "delimiter", "names", "column"))):
    """The names of the columns of a table."""

    __slots__ = ()

    text: bytes
    delimiter: str
    names: list[str]
    #: The index of the column with the boards.
    column: int

    @property
    def targets(self) -> tuple[int, int, int]:
        """Where the answers go: the indices of their columns, -1 for one that is added."""
        solution, status, guesses = (
            self.names.index(name) if name in self.names else -1 for name in ANSWER_COLUMNS
        )
        return solution, status, guesses

    @property
    def answered(self) -> bytes:
        """The heading of the table with the answers."""
        added = [name for name, target in zip(ANSWER_COLUMNS, self.targets, strict=True) if target < 0]
        line = self.text.rstrip(b"\r\n")
        return self.delimiter.encode().join([line, *(name.encode() for name in added)]) + (
            self.text[len(line) :] or b"\n"
        )


def parse_heading(line: bytes, column: str | None) -> Heading | None:
    """Read the line that may be a heading; return None if it has no column with boards."""
    for delimiter in _DELIMITERS:
        names = [field.strip().lower() for field in split_record(line, delimiter)]
        for name in COLUMNS if column is None else (column.strip().lower(),):
            if name in names:
                return Heading(line, delimiter, names, names.index(name))
    return None


def split_record(line: bytes, delimiter: str) -> list[str]:
    """Return the fields of a record on one line, without quotation marks."""
    text = line.removeprefix(BYTE_ORDER_MARK).decode(errors="replace").rstrip("\r\n")
    try:
        return next(csv.reader([text], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        # Something like a field of more than 131,072 characters, which names no column.
        return []


class TableChunk(Chunk):
    """Records of a table, as many as there are whole ones in a text."""

    def __init__(self, heading: Heading, text: bytes, is_end: bool, first: int) -> None:
        cells, spans, others, self.end, self.lines = _engine.engine.read_table(
            text, 0, is_end, heading.delimiter, len(heading.names), heading.column
        )
        super().__init__(cells, {})
        self.header = heading.answered
        self.form = f"a table with the columns {', '.join(heading.names)}"
        self._heading = heading
        self._text = text
        self._spans = memoryview(spans).cast("q")
        self._first = first
        if others:
            values = bytearray(cells)
            for row, start, end, fields in others:
                try:
                    values[81 * row : 81 * row + 81] = self._read(start, end, fields)
                except BoardError as error:
                    self.errors[row] = str(error)
            self.cells = values

    def _read(self, start: int, end: int, fields: int) -> bytes:
        """Read a board that is not 81 plain cells, if it is one."""
        columns = len(self._heading.names)
        if not fields:
            raise BoardError("a quotation mark is not closed")
        if fields > columns or start < 0:
            raise BoardError(f"the record has {fields} field{'s' * (fields != 1)}, expected {columns}")
        field = self._text[start:end].strip()
        if len(field) > 1 and field.startswith(b'"') and field.endswith(b'"'):
            field = field[1:-1]
        if len(field) > LONGEST_LINE:
            raise BoardError(f"the field has more than {LONGEST_LINE:,} characters")
        return boards.read_text(field.decode(errors="replace"))

    def number(self, row: int) -> int:
        return self._first + self._spans[3 * row + 2]

    def answers(self, batch: Batch, with_status: bool) -> Buffer:
        return _engine.engine.write_table(
            self._text,
            self._spans,
            self._heading.delimiter,
            len(self._heading.names),
            self._heading.targets,
            batch._digits,
            batch.status,
            batch.guesses,
            BYTE_WORDS,
        )


def read_table(file: InputFile, heading: Heading, lines: int) -> Iterator[Chunk]:
    """Yield the boards of a table that goes on behind its heading, which is in the first lines."""
    rest = b""
    for text in whole_lines(file, LONGEST_FIELD):
        chunk = TableChunk(heading, rest + text if rest else text, False, lines + 1)
        rest = rest[chunk.end :] + text[max(chunk.end - len(rest), 0) :]
        lines += chunk.lines
        yield chunk
        if len(rest) > 2 * LONGEST_FIELD:
            raise OSError(f"the record in line {lines + 1} has more than {2 * LONGEST_FIELD:,} bytes")
    # For a table without a record, too, the heading is written.
    yield TableChunk(heading, rest, True, lines + 1)
