"""Boards in text: one a line, nine lines of nine cells, and whatever else `formats` knows."""

from __future__ import annotations

from collections.abc import Iterator

from fastsudoku import _engine
from fastsudoku.batch import Batch, Status
from fastsudoku.boards import LONGEST_LINE
from fastsudoku.cli.chunks import BYTE_WORDS, WORDS, Buffer, Chunk
from fastsudoku.cli.files import InputFile
from fastsudoku.formats import LINE, BoardReader, TextBoard
from fastsudoku.reading import read_texts

# Lines with a board each from which on they are handled together, without an object for each.
_FEW_LINES = 64
# Bytes of a line that is too long to be a board, which is all that is said of it.
_LONGEST_REST = 4 * (LONGEST_LINE + 1)


class LineChunk(Chunk):
    """Lines that begin with the 81 cells of a board; what stands behind them is kept."""

    def __init__(self, first: int, cells: bytes, text: bytes) -> None:
        super().__init__(cells, {})
        self._first = first
        self._text = text

    def number(self, row: int) -> int:
        return self._first + row

    def answers(self, batch: Batch, with_status: bool) -> Buffer:
        words = BYTE_WORDS if with_status else None
        return _engine.engine.write_answer_lines(self._text, batch._digits, batch.status, words)


class TextChunk(Chunk):
    """Boards of any shape."""

    def __init__(self, found: list[TextBoard]) -> None:
        super().__init__(
            read_texts(found)[0], {row: board.error for row, board in enumerate(found) if board.error}
        )
        self._found = found

    def number(self, row: int) -> int:
        return self._found[row].line

    def answers(self, batch: Batch, with_status: bool) -> Buffer:
        lines = []
        for board, result in zip(self._found, batch, strict=False):
            lines.append(board.with_answer(result.solution) if result.solution else board.without_answer())
            if with_status:
                lines += "\t" if board.on_one_line else "\n", WORDS[Status(result.status)]
            lines.append("\n")
        return "".join(lines).encode(errors="surrogateescape")


def whole_lines(file: InputFile, longest: int, is_cut: bool = False) -> Iterator[bytes]:
    """Yield what a file has as soon as it can be read, in pieces that end where lines end.

    A file without line ends does not fill the memory: of a line with more bytes than the longest, the rest is
    cut off, or it is an error (OSError).
    """
    rest = b""
    while data := file.read():
        feed = data.rfind(b"\n") + 1
        # A carriage return at the end may be the first half of a line end.
        end = max(feed, data.rfind(b"\r", feed, -1) + 1)
        if rest.endswith(b"\r") and not (end or data.startswith(b"\n")):
            # Then it was a whole one, before this.
            yield rest
            rest = b""
        if end:
            yield b"".join((rest, memoryview(data)[:end]))
            rest = b""
        rest += data[end:]
        if len(rest) > longest:
            if not is_cut:
                raise OSError(f"a line of it has more than {longest:,} bytes")
            rest = rest[:longest] + rest[-1:]
    if rest:
        yield rest


def read_lines(file: InputFile, heading: int = 0) -> Iterator[Chunk]:
    """Yield the boards of a text file. `heading` is a line that may name columns, by its number."""
    reader = BoardReader()
    for text in whole_lines(file, _LONGEST_REST, is_cut=True):
        for chunk in _find_boards(reader, text):
            if heading and chunk.errors.get(0) and chunk.number(0) == heading:
                chunk.errors[0] += (
                    "; if this names the columns of a table, say by --column which has the boards"
                )
            yield chunk
    if rest := reader.close():
        yield TextChunk(rest)


def _find_boards(reader: BoardReader, text: bytes) -> Iterator[Chunk]:
    """Find the boards in the next lines of a file."""
    found: list[TextBoard] = []
    position = 0
    while position < len(text):
        if reader.is_between_boards:
            start, first = position, reader.lines + 1
            cells, lines, position = _engine.engine.read_text_lines(text, start, True)
            reader.skip(lines, bool(lines))
            if lines < _FEW_LINES:
                for row, each in enumerate(text[start:position].splitlines()):
                    board = cells[81 * row : 81 * row + 81]
                    found.append(TextBoard(first + row, board, "", [_decoded(each).rstrip()], True))
            else:
                if found:
                    yield TextChunk(found)
                yield LineChunk(first, cells, text[start:position])
                found = []
        other = LINE.match(text, position)
        if other and other[0]:
            position = other.end()
            line = other[0].rstrip(b"\r\n")
            # One that is too long is refused, whatever is on it: so it may be cut, and be any characters.
            is_long = len(line) > LONGEST_LINE
            found += reader.feed(line.decode("latin-1")[: LONGEST_LINE + 1] if is_long else _decoded(line))
    if found:
        yield TextChunk(found)


def _decoded(line: bytes) -> str:
    # Bytes that are no text are kept as they are.
    return line.decode(errors="surrogateescape")
