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


class Line(namedtuple("Line", ("number", "text", "values", "cells", "write", "error"))):
    """A line, as far as it could be read."""

    __slots__ = ()

    number: int
    text: bytes
    #: The object that it is, or that is made of what there is.
    values: dict[str, Any]
    cells: bytes
    #: Turns values of cells into a board of the same kind.
    write: Any
    error: str

    def with_answer(self, answer: dict[str, Any]) -> bytes:
        """Return the line with other values added to the object, or in the place of those it has."""
        if not self.text.startswith(b"{") or not self.text.endswith(b"}") or answer.keys() & self.values.keys():
            return json.dumps(self.values | answer).encode()
        # All others stay as they are written.
        start = self.text[:-1].rstrip()
        return start + (b", " if self.values else b"") + json.dumps(answer).encode()[1:]


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
            solution = result.solution
            is_known = result.status in (Status.NO_SOLUTION, Status.UNIQUE)
            answer = {
                "solution": line.write(bytes(map(int, solution))) if solution else None,
                "status": WORDS[Status(result.status)],
                "guesses": result.guesses if is_known else None,
            }
            if line.error:
                answer["error"] = line.error
            written.append(line.with_answer(answer) + b"\n")
        return b"".join(written)


def read_json_lines(file: InputFile, column: str | None) -> Iterator[Chunk]:
    """Yield the boards of a file with JSON lines."""
    number = 0
    for text in whole_lines(file, LONGEST_FIELD):
        lines = []
        for line in text.splitlines():
            number += 1
            line = line.removeprefix(BYTE_ORDER_MARK).strip() if number == 1 else line.strip()
            if line and not line.startswith(b"#"):
                lines.append(_read_line(number, line, column))
        yield JsonChunk(lines)


def _read_line(number: int, line: bytes, column: str | None) -> Line:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        text = line.decode(errors="replace")
        cure = f"; {_CURE}" if number == 1 else ""
        return Line(number, b"", {"line": text}, NO_BOARD, None, f"it is not JSON: {error}{cure}")
    if isinstance(found, list) and any(isinstance(item, dict) for item in found):
        text = line.decode(errors="replace")
        return Line(number, b"", {"line": text}, NO_BOARD, None, f"it is an array of objects; {_CURE}")
    values = found if isinstance(found, dict) else {COLUMNS[0]: found}
    names = (column.strip().lower(),) if column is not None and isinstance(found, dict) else COLUMNS
    keys = {key.strip().lower(): key for key in reversed(values)}
    name = next((keys[name] for name in names if name in keys), None)
    if name is None:
        wanted = repr(column) if column else "any of " + ", ".join(map(repr, COLUMNS)) + "; name it by --column"
        return Line(number, line, values, NO_BOARD, None, f"the object does not have {wanted}")
    try:
        cells, write = boards.read(values[name])
    except BoardError as error:
        return Line(number, line, values, NO_BOARD, None, str(error))
    return Line(number, line, values, cells, write, "")
