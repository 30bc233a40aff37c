"""Boards in text, many at a time: the pure twin of ``_texts.pxi``."""

from __future__ import annotations

from collections.abc import Iterator

from fastsudoku.boards import LONGEST_FIELD, LONGEST_LINE, NOT_A_CELL, ends_board, read_plain_text

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

Buffer = bytes | bytearray | memoryview

_TO_CHARACTERS = bytes.maketrans(bytes(range(10)), b"0123456789")
_NO_BOARD = bytes([NOT_A_CELL]) * 81
_UNKNOWN = 0xFFFFFFFF
# A line, and its end.
_LINE = rb"([^\r\n]*)(\r\n?|\n)?"


def _find_lines(text: Buffer, start: int) -> Iterator[tuple[bytes, int]]:
    """Yield the lines of a text from a position on, and where the next one begins."""
    import re  # takes a while, and most programs read no lines

    find_line = re.compile(_LINE).match
    while start < len(memoryview(text)) and (found := find_line(text, start)):
        start = found.end()
        yield found[1], start


# --- texts and lines of text -----------------------------------------------------------------------------


def read_texts(texts: list[Any] | tuple[Any, ...]) -> tuple[bytearray, list[int]]:
    """Return the values of texts that are 81 plain cells and white space, and the rows of all others."""
    cells = bytearray(81 * len(texts))
    others = []
    for row, text in enumerate(texts):
        board = _read_line(text) if isinstance(text, (str, bytes)) else None
        if board and not text[81:].strip():
            cells[81 * row : 81 * row + 81] = board
        else:
            others.append(row)
    return cells, others


def read_text_lines(text: Buffer, start: int, only_boards: bool = False) -> tuple[bytes, int, int]:
    """Read lines of text from a position on, as long as each has 81 plain cells, or nothing, or a comment.

    What stands behind the cells is skipped. Returns the values of the boards, the number of lines, and the
    position of the first line that is none of these; or, if only boards are wanted, that is not a board.
    """
    values = []
    lines = 0
    for line, end in _find_lines(text, start):
        if len(line) > LONGEST_LINE:
            break
        if only_boards or (line.strip() and not line.startswith(b"#")):
            board = _read_line(line)
            # Dashes with something behind them may be a rule.
            if board is None or (len(line) > 81 and b"-" in line[:81]):
                break
            values.append(board)
        start = end
        lines += 1
    return b"".join(values), lines, start


def _read_line(text: str | bytes) -> bytes | None:
    """Return the values of a text of 81 plain cells, and perhaps something that is no part of the board."""
    if len(text) > 81:
        behind = text[81:82] if isinstance(text, str) else text[81:82].decode("latin-1")
        # (What is behind may be half a character, if it is not ASCII.)
        if not (behind.isascii() and ends_board(behind)):
            return None
    return read_plain_text(text[:81])


def write_texts(solutions: Buffer, status: memoryview) -> list[str | None]:
    """Return the texts of solutions, None for boards without one."""
    digits = bytes(solutions).translate(_TO_CHARACTERS).decode()
    has_solution = (0 < each < 3 for each in status)
    return [digits[81 * row : 81 * row + 81] if has else None for row, has in enumerate(has_solution)]


def write_text_lines(solutions: Buffer, status: memoryview) -> bytes:
    """Return the texts of solutions line by line, empty for boards without one."""
    return "".join(f"{text or ''}\n" for text in write_texts(solutions, status)).encode()


def write_answer_lines(
    text: bytes, solutions: Buffer, status: memoryview, words: tuple[bytes, ...] | None = None
) -> Buffer:
    """Return the lines of a text, each of which has a board, with the solutions in the place of the cells.

    Where there is no solution, the line is empty. If there are words for the statuses (no solution, unique,
    several, not a board), one is added to each line, behind a tab.
    """
    answers = write_texts(solutions, status)
    lines = [line for line, _ in _find_lines(text, 0)]
    if len(lines) < len(answers) or any(len(line) < 81 for line in lines[: len(answers)]):
        raise ValueError("the text has fewer lines than there are boards")
    parts = []
    for line, answer, each in zip(lines, answers, status, strict=False):
        parts.append(answer.encode() + line[81:].rstrip() if answer else b"")
        parts.append(b"\t" + words[min(each, 3)] + b"\n" if words else b"\n")
    return b"".join(parts)


# --- tables ----------------------------------------------------------------------------------------------
#
# A table has a record a line, with fields between delimiters, as RFC 4180 describes it: a field that begins
# with a quotation mark ends with one, and two of them in between stand for one.


def read_table(
    text: bytes, start: int, is_end: bool, delimiter: str, columns: int, column: int
) -> tuple[bytes, bytes, list[tuple[int, int, int, int]], int, int]:
    """Read boards from a column of a table, from the beginning of a record on.

    Unless the text is at its end, the last record is left if it may go on. Lines without anything are
    skipped.

    Returns
    -------
    cells : bytes
        The values of the boards; 255 for what is not 81 plain cells, perhaps in quotation marks, or if the
        record has more fields than there are columns, or a quotation mark that is not closed.
    spans : bytes
        Three int64 for each record: where it begins and ends, and how many lines there are before it.
    others : list of tuples
        Of those with 255: the row, where the field begins and ends (-1 if there is none), and how many fields
        there are; 0 if a quotation mark is not closed.
    position : int
        Where the next record begins.
    lines : int
        How many lines were read.
    """
    import array

    separator = delimiter.encode()
    values: list[bytes] = []
    spans = array.array("q")
    others = []
    lines = 0
    while start < len(text):
        end, first, last, fields, line_ends, is_closed = start, -1, -1, 0, 0, True
        while True:
            begin = end
            end = field_end(text, begin, len(text), separator, is_end)
            if fields == column:
                first, last = begin, end
            fields += 1
            if text[begin : begin + 1] == b'"' and end >= 0:
                # There may be line ends in quotation marks.
                line_ends += count_line_ends(text[begin:end])
                is_closed = is_closed and text.count(b'"', begin, end) % 2 == 0
            if text[end : end + 1] != separator or end < 0:
                break
            end += 1
        if not is_end and (end < 0 or end == len(text) or (end + 1 == len(text) and text[end] == 13)):
            break  # there is more to come of this record, or of its line end
        if end > start:
            field = text[first:last] if first >= 0 else b""
            is_quoted = len(field) == 83 and field.startswith(b'"') and field.endswith(b'"')
            board = read_plain_text(field[1:82] if is_quoted else field)
            if board is None or fields > columns or not is_closed:
                board = _NO_BOARD
                others.append((len(values), first, last, fields if is_closed else 0))
            values.append(board)
            spans.extend((start, end, lines))
        start = _after_line_end(text, end)
        lines += line_ends + 1
    return b"".join(values), spans.tobytes(), others, start, lines


def write_table(
    text: bytes,
    spans: memoryview,
    delimiter: str,
    columns: int,
    targets: tuple[int, int, int],
    solutions: Buffer,
    status: memoryview,
    guesses: memoryview,
    words: tuple[bytes, ...],
) -> Buffer:
    """Return the records of a table that `read_table` found, with the answers.

    `targets` are the columns for the solution, a word for the status and the guesses, -1 for one that is
    added behind the `columns` that the table has. All other fields stay as they are.
    """
    separator = delimiter.encode()
    parts: list[bytes] = []
    for row, answer in enumerate(write_texts(solutions, status)):
        number = b"" if guesses[row] == _UNKNOWN else b"%d" % guesses[row]
        answers = (answer or "").encode(), words[min(status[row], 3)], number
        start, last = spans[3 * row], spans[3 * row + 1]
        fields: list[bytes] = []
        while len(fields) < columns or start <= last:
            end = field_end(text, start, last, separator, True) if start <= last else start
            is_target = len(fields) in targets
            fields.append(answers[targets.index(len(fields))] if is_target else text[start:end])
            start = end + 1
        fields += [value for value, target in zip(answers, targets, strict=True) if target < 0]
        parts += separator.join(fields), text[last : _after_line_end(text, last)] or b"\n"
    return b"".join(parts)


def count_line_ends(text: bytes) -> int:
    """Return how many lines end in a text."""
    returns = text.count(b"\r")
    return text.count(b"\n") + (returns - text.count(b"\r\n") if returns else 0)


def _after_line_end(text: bytes, end: int) -> int:
    """Return where the next line begins, for the end of one: it may be CR, LF, both, or that of the text."""
    return end + 2 if text[end : end + 2] == b"\r\n" else min(end + 1, len(text))


def field_end(text: bytes, start: int, size: int, separator: bytes, is_end: bool) -> int:
    """Return where a field of a table ends, or -1 if it begins with a quotation mark and may go on."""
    import re

    most = min(size, start + LONGEST_FIELD)
    if text[start : min(start + 1, size)] == b'"':
        if closed := re.compile(rb'"(?:[^"]|"")*+"').match(text, start, most):
            start = closed.end()
        # One that is not closed is a character like others.
        elif size - start < LONGEST_FIELD and not is_end:
            return -1
    found = re.compile(b"[\r\n" + re.escape(separator) + b"]").search(text, start, size)
    return found.start() if found else size
