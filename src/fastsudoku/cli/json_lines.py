"""JSON lines: an object a line, of which one value is a board; or a board alone."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Iterator

from fastsudoku import boards
from fastsudoku.batch import Batch, Status
from fastsudoku.boards import LONGEST_FIELD, BoardError
from fastsudoku.cli.chunks import BYTE_ORDER_MARK, WORDS, Buffer, Chunk
from fastsudoku.cli.files import InputFile
from fastsudoku.cli.lines import whole_lines
from fastsudoku.formats import COLUMNS
from fastsudoku.reading import NO_BOARD

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any


_CURE = "one object a line is needed, such as jq -c '.[]' writes"


class Line(namedtuple("Line", ("number", "values", "cells", "write", "error"))):
    """A line, as far as it could be read."""

    __slots__ = ()

    number: int
    #: What is on it: an object, or one made of what there is.
    values: dict[str, Any]
    cells: bytes
    #: Turns values of cells into a board of the same kind.
    write: Any
    error: str


class JsonChunk(Chunk):
    """Lines of a file."""

    form = "JSON lines"

    def __init__(self, lines: list[Line]) -> None:
        errors = {row: line.error for row, line in enumerate(lines) if line.error}
        super().__init__(b"".join(line.cells for line in lines), errors)
        self._lines = lines

    def number(self, row: int) -> int:
        return self._lines[row].number

    def answers(self, batch: Batch, with_status: bool) -> Buffer:
        written = []
        for line, result in zip(self._lines, batch, strict=False):
            values = dict(line.values)
            solution = result.solution
            values["solution"] = line.write(bytes(map(int, solution))) if solution else None
            values["status"] = WORDS[Status(result.status)]
            is_known = result.status in (Status.NO_SOLUTION, Status.UNIQUE)
            values["guesses"] = result.guesses if is_known else None
            if line.error:
                values["error"] = line.error
            written.append(json.dumps(values))
        return "".join(f"{line}\n" for line in written).encode()


def read_json_lines(file: InputFile, column: str | None) -> Iterator[Chunk]:
    """Yield the boards of a file with JSON lines."""
    number = 0
    for text in whole_lines(file, LONGEST_FIELD):
        lines = []
        for line in text.splitlines():
            number += 1
            line = line.removeprefix(BYTE_ORDER_MARK).strip() if number == 1 else line.strip()
            if line:
                lines.append(_read_line(number, line, column))
        yield JsonChunk(lines)


def _read_line(number: int, line: bytes, column: str | None) -> Line:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        text = line.decode(errors="replace")
        cure = f"; {_CURE}" if number == 1 else ""
        return Line(number, {"line": text}, NO_BOARD, None, f"it is not JSON: {error}{cure}")
    if isinstance(found, list) and any(isinstance(item, dict) for item in found):
        text = line.decode(errors="replace")
        return Line(number, {"line": text}, NO_BOARD, None, f"it is an array of objects; {_CURE}")
    values = found if isinstance(found, dict) else {COLUMNS[0]: found}
    names = (column.strip().lower(),) if column is not None and isinstance(found, dict) else COLUMNS
    keys = {key.strip().lower(): key for key in reversed(values)}
    name = next((keys[name] for name in names if name in keys), None)
    if name is None:
        wanted = repr(column) if column else "any of " + ", ".join(map(repr, COLUMNS)) + "; name it by --column"
        return Line(number, values, NO_BOARD, None, f"the object does not have {wanted}")
    try:
        cells, write = boards.read(values[name])
    except BoardError as error:
        return Line(number, values, NO_BOARD, None, str(error))
    return Line(number, values, cells, write, "")
