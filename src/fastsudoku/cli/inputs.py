"""What is in a file, found by its beginning: text, a table with a heading, JSON lines or a NumPy array."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastsudoku.boards import read_plain_text
from fastsudoku.cli.arrays import MAGIC, read_array
from fastsudoku.cli.chunks import BYTE_ORDER_MARK, Chunk
from fastsudoku.cli.files import InputFile
from fastsudoku.cli.lines import read_lines
from fastsudoku.cli.tables import Heading, parse_heading, read_table, split_record
from fastsudoku.formats import LINE

# Bytes of a beginning in which there is nothing that tells what the file is.
_LONGEST_BEGINNING = 1 << 20
# Beginnings of files that are something else, and what to do about it.
_OTHERS = {
    b"\x1f\x8b": "it is packed by gzip: give it a name that ends in .gz, or unpack it",
    b"\x28\xb5\x2f\xfd": "it is packed by Zstandard: give it a name that ends in .zst, or unpack it",
    b"PK\3\4": "it is a zip archive, such as .npz or .xlsx: unpack it, or save it as .npy or CSV",
    b"PAR1": "it is a Parquet file: save it as CSV or JSON lines",
    b"\xff\xfe": "it is UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "it is UTF-16 text: save it as UTF-8",
}
# Bytes of a line that is too long to name columns.
_LONGEST_HEADING = 1 << 16
_NAME = re.compile(rb"\s*[A-Za-z_][\w .-]{0,99}")
# Beginnings of an object or an array (and not of a title in brackets), or that of JSON over many lines.
_JSON = re.compile(rb'\{|\[\s*([\[{"\d\]]|null|$)')
# A line with a board as a text of JSON.
_QUOTED_BOARD = re.compile(rb'"[^",;\t]{81,}"')


def read_chunks(file: InputFile, column: str | None) -> Iterator[Chunk]:
    """Return the boards of a file of any kind; raise OSError if that fails.

    `column` names the column of a table, or the key of JSON lines, that has the boards.
    """
    beginning = b""
    chunks = None
    while chunks is None:
        data = file.read()
        beginning += data
        chunks = _read_as(beginning, file, column, not data or len(beginning) > _LONGEST_BEGINNING)
    return chunks


def _read_as(beginning: bytes, file: InputFile, column: str | None, is_end: bool) -> Iterator[Chunk] | None:
    """Read a file that begins like this; return None if it takes more of it to tell what it is."""
    longest = max(map(len, (MAGIC, *_OTHERS)))
    if len(beginning) < longest and not (is_end or beginning[-1:] in (b"\n", b"\r")):
        return None
    for start, cure in _OTHERS.items():
        if beginning.startswith(start):
            raise OSError(cure)
    if beginning.startswith(MAGIC):
        if column is not None:
            raise OSError("it is an array, which has no columns: leave out --column")
        file.give_back(beginning)
        return read_array(file)
    lines = _first_lines(beginning, is_end)
    if not lines and not is_end:
        return None
    line, end = lines[0] if lines else (b"", 0)
    text = line.removeprefix(BYTE_ORDER_MARK).strip()
    if _JSON.match(text) or _QUOTED_BOARD.fullmatch(text):
        from fastsudoku.cli.json_lines import read_json_lines

        file.give_back(beginning)
        return read_json_lines(file, column)
    heading = parse_heading(line, column) if len(line) < _LONGEST_HEADING else None
    if heading is None and column is not None:
        raise OSError(f"it has no column {column!r}; its first line is {line[:80].decode(errors='replace')!r}")
    if heading is not None and column is None:
        # It may be the title of a text as well, or a board with a name.
        if len(lines) < 2 and not is_end:
            return None
        if not _is_table(heading, lines[1:]):
            heading = None
    if heading is None:
        file.give_back(beginning)
        return read_lines(file, len(beginning[:end].splitlines()) if _may_be_heading(text) else 0)
    file.give_back(beginning[end:])
    return read_table(file, heading, len(beginning[:end].splitlines()))


def _is_table(heading: Heading, others: list[tuple[bytes, int]]) -> bool:
    """Tell whether a line is a heading, by what else is on it and by the line behind it."""
    if any(map(read_plain_text, heading.names)):
        return False
    if not others:
        return len(heading.names) > 1
    line = others[0][0]
    fields = split_record(line[:_LONGEST_HEADING], heading.delimiter)
    if len(fields) > heading.column and read_plain_text(fields[heading.column]):
        return True
    # A field in quotation marks may go on in other lines.
    return 1 < len(heading.names) == len(fields) or line.count(b'"') % 2 == 1 or len(line) > _LONGEST_HEADING


def _may_be_heading(line: bytes) -> bool:
    """Tell whether a line seems to name columns, of which none is known to have the boards."""
    names = re.split(rb"[,;\t]", line) if len(line) < _LONGEST_HEADING else []
    return len(names) > 1 and all(_NAME.fullmatch(name) for name in names)


def _first_lines(beginning: bytes, is_end: bool) -> list[tuple[bytes, int]]:
    """Return the first two lines with something on them that are no comments, and where they end."""
    found: list[tuple[bytes, int]] = []
    position = 0
    while position < len(beginning) and len(found) < 2:
        match = LINE.match(beginning, position)
        assert match is not None, "a line may be empty"
        # A carriage return at the end may be the first half of a line end.
        is_whole = match[0].endswith(b"\n") or (match[0].endswith(b"\r") and match.end() < len(beginning))
        if not (is_whole or is_end):
            break
        position = match.end()
        line = match[0].removeprefix(BYTE_ORDER_MARK) if not match.start() else match[0]
        if line.strip() and not line.startswith(b"#"):
            found.append((match[0], position))
    return found
