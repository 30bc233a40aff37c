"""What is in a file, found by its beginning: text, a table with a heading, JSON lines or a NumPy array."""

from __future__ import annotations

from collections.abc import Iterator

from fastsudoku._texts_py import count_line_ends
from fastsudoku.boards import read_plain_text
from fastsudoku.cli.chunks import Chunk
from fastsudoku.cli.files import InputFile
from fastsudoku.cli.lines import read_lines
from fastsudoku.cli.tables import parse_heading, read_table
from fastsudoku.formats import LINE

# Bytes of a beginning in which there is nothing that tells what the file is.
_LONGEST_BEGINNING = 1 << 20
_ARRAY = b"\x93NUMPY"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
    if _ARRAY.startswith(beginning[: len(_ARRAY)]) and beginning:
        if beginning.startswith(_ARRAY):
            from fastsudoku.cli.arrays import read_array

            file.give_back(beginning)
            return read_array(file)
        if not is_end:
            return None
    lines = _first_lines(beginning, is_end)
    if not lines:
        if not is_end:
            return None
        file.give_back(beginning)
        return read_lines(file)
    line, end = lines[0]
    if line.removeprefix(_BYTE_ORDER_MARK).lstrip()[:1] in (b"{", b"["):
        from fastsudoku.cli.json_lines import read_json_lines

        file.give_back(beginning)
        return read_json_lines(file, column)
    heading = parse_heading(line, column)
    if heading is None and column is not None:
        raise OSError(f"it has no column {column!r}; its first line is {line[:80].decode(errors='replace')!r}")
    if heading is not None and len(heading.names) == 1 and column is None:
        # It may be the title of a text as well.
        if len(lines) < 2 and not is_end:
            return None
        if len(lines) < 2 or read_plain_text(lines[1][0].strip().strip(b'"')) is None:
            heading = None
    if heading is None:
        file.give_back(beginning)
        return read_lines(file)
    file.give_back(beginning[end:])
    return read_table(file, heading, count_line_ends(beginning[:end]))


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
        if match[0].removeprefix(_BYTE_ORDER_MARK).strip() and not match[0].startswith(b"#"):
            found.append((match[0], position))
    return found
