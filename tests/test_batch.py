"""Many boards at once: every way in, the buffers that come out, bad rows, streams."""

from __future__ import annotations

import array
import ctypes
import gzip
import io
import itertools
import mmap
import pickle
import re
import time
from pathlib import Path

import pytest
from test_answers import OWN
from test_kinds import ANSWER, BOARD, ROWS

import fastsudoku
from fastsudoku import BoardError, Result, Status, SudokuError

NONE = "11" + "." * 79
OPEN = "." * 81
SMALLEST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
BOARDS = [BOARD, NONE, OPEN, ANSWER]
HARDEST = max((known for known in OWN if known.guesses.isdigit()), key=lambda known: int(known.guesses)).board
STATUSES = [1, 0, 2, 1]
STRINGS = [ANSWER, None, SMALLEST, ANSWER]


def as_values(boards):
    return bytes(0 if character == "." else int(character) for board in boards for character in board)


WAYS_IN = {
    "list": BOARDS,
    "tuple": tuple(BOARDS),
    "mixed kinds": [ROWS, NONE.encode(), [0] * 81, tuple(ANSWER)],
    "generator": None,
    "lines": "\n".join(BOARDS),
    "lines and more": f"\ufeff# a comment\r\n{BOARD} a name\r\n\n{NONE};3\n  {OPEN}\n# end\n{ANSWER}",
    "bytes of lines": "\n".join(BOARDS).encode() + b"\n",
    "cells": "".join(BOARDS),
    "bytes of cells": "".join(BOARDS).encode(),
    "bytearray of cells": bytearray("".join(BOARDS).encode()),
    "raw values": as_values(BOARDS),
    "raw values in a table": memoryview(as_values(BOARDS)).cast("B", (4, 81)),
    "raw values in a cube": memoryview(as_values(BOARDS)).cast("B", (4, 9, 9)),
    "longs in a table": memoryview(array.array("l", list(as_values(BOARDS)))).cast("B").cast("l", (4, 81)),
    "blocks": "\n".join(
        f"Grid {n:02}\n" + "\n".join(board[start : start + 9] for start in range(0, 81, 9))
        for n, board in enumerate(BOARDS)
    ),
}


@pytest.mark.parametrize("name", WAYS_IN)
def test_ways_in(engine, name):
    def boards():
        return WAYS_IN[name] or iter(BOARDS)

    batch = fastsudoku.solve_many(boards())
    assert list(batch.status) == STATUSES
    assert batch.strings() == STRINGS
    assert list(batch.guesses) == [0, 0, 0xFFFFFFFF, 0]
    assert batch.errors == {}
    assert list(fastsudoku.count_many(boards(), limit=7)) == [1, 0, 7, 1]


@pytest.mark.parametrize("empty", [[], (), "", b"", "\n\n", "# nothing\n", iter(())], ids=repr)
def test_no_boards(engine, empty):
    batch = fastsudoku.solve_many(empty)
    assert len(batch) == 0
    assert list(batch) == batch.strings() == batch[:] == []
    assert memoryview(batch.solutions).shape == (0, 81)
    assert memoryview(batch.status).shape == memoryview(batch.guesses).shape == (0,)
    assert list(fastsudoku.count_many([])) == []
    assert list(fastsudoku.solve_iter([])) == []


def test_a_batch_is_a_sequence_of_results(engine):
    batch = fastsudoku.solve_many(BOARDS)
    assert len(batch) == 4
    assert batch[0] == Result(Status.UNIQUE, ANSWER, 0, None)
    assert batch[-3] == (0, None, 0, None)
    assert batch[1:3] == [batch[1], batch[2]]
    assert list(batch) == [batch[row] for row in range(4)]
    assert isinstance(batch[2].status, Status)
    with pytest.raises(IndexError):
        batch[4]
    with pytest.raises(TypeError):
        batch["1"]
    assert repr(batch) == "<Batch of 4 boards: 1 no solution, 2 unique, 1 several, 0 not a board>"


def test_the_buffers(engine):
    batch = fastsudoku.solve_many(BOARDS)
    solutions = memoryview(batch.solutions)
    assert (solutions.shape, solutions.itemsize, solutions.c_contiguous) == ((4, 81), 1, True)
    assert solutions.tolist()[0] == [int(character) for character in ANSWER]
    assert solutions.tolist()[1] == [0] * 81
    guesses = memoryview(batch.guesses)
    assert (guesses.shape, guesses.itemsize) == ((4,), 4)
    assert memoryview(batch.status).tobytes() == bytes(STATUSES)


BAD = [BOARD, "x", None, ROWS[:8], BOARD]
MESSAGES = {
    1: "boards[1]: board has 1 cell, expected 81",
    2: "boards[2]: a NoneType is not a board",
    3: "boards[3]: board has 8 rows, expected 9",
}


def test_bad_rows_are_marked(engine):
    batch = fastsudoku.solve_many(BAD, errors="mark")
    assert list(batch.status) == [1, 255, 255, 255, 1]
    assert batch.strings() == [ANSWER, None, None, None, ANSWER]
    assert list(batch.guesses) == [0, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0]
    assert {row: message[: len(MESSAGES[row])] for row, message in batch.errors.items()} == MESSAGES
    assert batch[1].error == batch.errors[1]
    assert batch[0].error is None
    assert list(fastsudoku.count_many(BAD, errors="mark")) == [1, -1, -1, -1, 1]


class Replaced:
    """An engine with some other functions."""

    def __init__(self, engine, **functions):
        self.engine = engine
        self.__dict__.update(functions)

    def __getattr__(self, name):
        return getattr(self.engine, name)


def test_a_bad_row_is_an_error(engine, monkeypatch):
    def solve_range(*arguments):
        raise AssertionError("nothing is solved before the error")

    changed = Replaced(engine, solve_range=solve_range, count_range=solve_range)
    monkeypatch.setattr(fastsudoku._engine, "engine", changed)
    for function in (fastsudoku.solve_many, fastsudoku.count_many):
        with pytest.raises(BoardError, match=r"^boards\[1\]: board has 1 cell, expected 81$"):
            function(BAD)
        with pytest.raises(BoardError, match=r"^line 3: row 1, column 1: 'h' is not a digit or a blank$"):
            function(f"{BOARD}\n# comment\nhello\n{BOARD}")
        with pytest.raises(BoardError, match=r"^boards\[1\]: row 3, column 5: 'z' is not a digit or a blank$"):
            function(BOARD + BOARD[:22] + "z" + BOARD[23:])


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (None, "a batch of boards is a list of boards, a text or an array, not NoneType"),
        (5, "a batch of boards is a list of boards, a text or an array, not int"),
        ({}, "a batch of boards is a list of boards, a text or an array, not dict"),
        (memoryview(bytes(162)).cast("B", (2, 9, 9)).cast("B").cast("B", (9, 18)), "array of shape (9, 18)"),
        (ROWS, "this is one board: use solve, or give a list of boards"),
        ([0] * 81, "this is one board: use solve, or give a list of boards"),
        (__file__, f"{__file__!r} is the name of a file: open it, as in solve_many(open(...))"),
        (Path(__file__), "a batch of boards is a list of boards, a text or an array, not "),
        (
            memoryview(bytes(81)).cast("B", (9, 9)),
            "array of shape (9, 9), expected (N, 81) or (N, 9, 9); this is",
        ),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_not_a_batch(engine, boards, message):
    with pytest.raises(BoardError) as caught:
        fastsudoku.solve_many(boards)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("function", [fastsudoku.solve_many, fastsudoku.count_many, fastsudoku.solve_iter])
def test_wrong_arguments(engine, function):
    for threads in (0, -1, 1.5, True, "2"):
        with pytest.raises(SudokuError, match=r"threads is .* integer of 1 or more"):
            function(BOARDS, threads=threads)
    with pytest.raises(SudokuError, match="errors is 'ignore'; it has to be 'raise' or 'mark'"):
        function(BOARDS, errors="ignore")
    with pytest.raises(SudokuError, match="progress is 3; it has to be a function"):
        function(BOARDS, progress=3)
    with pytest.raises(TypeError):
        function(BOARDS, 2)


def test_a_limit_too_large_for_a_table(engine):
    assert list(fastsudoku.count_many([NONE, BOARD], limit=2**63 - 1)) == [0, 1]
    with pytest.raises(SudokuError, match=r"2\*\*63 - 1"):
        fastsudoku.count_many([NONE], limit=2**63)


@pytest.mark.parametrize("threads", [None, 1, 2, 50])
def test_threads_change_nothing(engine, threads):
    boards = [known.board for known in OWN]
    expected = [known.smallest if known.smallest != "-" else None for known in OWN]
    assert fastsudoku.solve_many(boards, threads=threads).strings() == expected
    assert [result.solution for result in fastsudoku.solve_iter(boards, threads=threads)] == expected


def test_progress(engine):
    boards = as_values([ANSWER]) * 10_000
    for many in (fastsudoku.solve_many, fastsudoku.count_many):
        calls = []
        many(boards, progress=lambda *call, calls=calls: calls.append(call))
        assert calls[-1] == (10_000, 10_000)
        assert len(calls) > 1
        assert calls == sorted(set(calls))
        assert {total for _, total in calls} == {10_000}


def test_progress_can_stop_a_batch(engine):
    class StopHereError(Exception):
        pass

    def progress(done, total):
        raise StopHereError

    with pytest.raises(StopHereError):
        fastsudoku.solve_many(BOARDS, progress=progress)


# --- streams ---------------------------------------------------------------------------------------------


def test_a_stream(engine):
    assert list(fastsudoku.solve_iter(BOARDS)) == list(fastsudoku.solve_many(BOARDS))
    assert list(fastsudoku.solve_iter(iter([ROWS, NONE]))) == list(fastsudoku.solve_many([ROWS, NONE]))


def test_a_stream_without_end_gives_the_first_result_at_once(engine):
    taken = itertools.count()

    def boards():
        while True:
            next(taken)
            yield BOARD

    results = fastsudoku.solve_iter(boards())
    assert next(results).solution == ANSWER
    assert next(taken) == 1
    for _ in range(5000):
        assert next(results).status == Status.UNIQUE
    assert next(taken) < 5000 + 2 * 16384


def test_a_slow_stream_gets_each_result_before_the_next_board(engine):
    sent = []

    def boards():
        for _ in range(4):
            time.sleep(0.05)
            sent.append(BOARD)
            yield BOARD

    for number, result in enumerate(fastsudoku.solve_iter(boards()), 1):
        assert result.solution == ANSWER
        assert len(sent) == number


def test_errors_in_a_stream_come_after_the_results_before(engine):
    boards = [BOARD] * 9 + ["x"] + [BOARD] * 9
    results = fastsudoku.solve_iter(boards)
    assert [next(results).status for _ in range(9)] == [1] * 9
    with pytest.raises(BoardError, match=r"^boards\[9\]: board has 1 cell, expected 81$"):
        next(results)
    marked = list(fastsudoku.solve_iter(boards, errors="mark"))
    assert [result.status for result in marked] == [1] * 9 + [255] + [1] * 9
    assert marked[9] == Result(Status.NOT_A_BOARD, None, 0xFFFFFFFF, "boards[9]: board has 1 cell, expected 81")


def test_an_iterable_that_fails_does_so_after_its_boards(engine):
    def boards():
        yield from [BOARD] * 6
        raise OSError("the disk is gone")

    results = fastsudoku.solve_iter(boards())
    assert [next(results).solution for _ in range(6)] == [ANSWER] * 6
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


def test_an_open_file(engine):
    file = io.StringIO(
        f"# comment\n{BOARD} name\n\n" + "\n".join(" ".join(map(str, row)) for row in ROWS) + "\n?\n"
    )
    results = list(fastsudoku.solve_iter(file, errors="mark"))
    assert [result.solution for result in results] == [ANSWER, ANSWER, None]
    assert results[2].error == "line 13: board has 1 cell, expected 81"


def test_progress_of_a_stream(engine):
    calls = []
    list(fastsudoku.solve_iter([BOARD] * 100, progress=lambda *call: calls.append(call)))
    assert {total for _, total in calls} == {None}
    assert calls[0][0] == 1
    assert calls[-1][0] == 100


def test_lines_without_ends(engine):
    class Lines(list):
        readline = None

    for lines in ([BOARD, BOARD, NONE], [BOARD.encode(), BOARD.encode() + b"\r", NONE.encode() + b"\n"]):
        results = list(fastsudoku.solve_iter(Lines(lines)))
        assert [result.status for result in results] == [1, 1, 0]
        assert list(fastsudoku.solve_many(Lines(lines)).status) == [1, 1, 0]


def test_a_file_that_fails_within_a_board(engine):
    class File:
        readline = None

        def __iter__(self):
            yield from (f"{BOARD}\n", "530070000\n")
            raise OSError("the disk is gone")

    results = fastsudoku.solve_iter(File())
    assert next(results).solution == ANSWER
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


@pytest.mark.parametrize("boards", [BOARD, BOARD.encode(), None, 5])
def test_what_is_not_a_stream(engine, boards):
    with pytest.raises(SudokuError, match="solve_iter takes an iterable of boards"):
        fastsudoku.solve_iter(boards)


def test_values_are_read_in_place(engine, monkeypatch):
    values = bytearray(as_values(BOARDS))
    before = bytes(values)
    addresses = []
    real = engine.solve_range

    def solve_range(cells, *rest):
        addresses.append(ctypes.addressof(ctypes.c_char.from_buffer(cells)))
        return real(cells, *rest)

    monkeypatch.setattr(fastsudoku._engine, "engine", Replaced(engine, solve_range=solve_range))
    for view in (
        memoryview(values),
        memoryview(values).cast("B", (4, 81)),
        memoryview(values).cast("B", (4, 9, 9)),
    ):
        assert list(fastsudoku.solve_many(view).status) == STATUSES
    assert set(addresses) == {ctypes.addressof(ctypes.c_char.from_buffer(values))}
    assert values == before


def test_a_batch_can_be_pickled(engine):
    batch = fastsudoku.solve_many([*BOARDS, "x"], errors="mark")
    copy = pickle.loads(pickle.dumps(batch))
    assert list(copy) == list(batch)
    assert copy.errors == batch.errors
    assert memoryview(copy.solutions) == memoryview(batch.solutions)


def test_a_column_of_numbers_gets_the_cure(engine):
    for column in ([4.3e78, 5e79], (int(BOARD.replace(".", "0")),)):
        with pytest.raises(BoardError, match=r"^boards\[0\]: .*read the column as text"):
            fastsudoku.solve_many(column)


def test_a_table_with_a_heading(engine):
    for head in ("quizzes,solutions", "\ufeffpuzzle", '"Question";x', "board\tsolutions"):
        batch = fastsudoku.solve_many(f"{head}\r\n{BOARD},{ANSWER}\r\n{NONE}\r\n")
        assert batch.strings() == [ANSWER, None]
    with pytest.raises(BoardError, match=r"^line 2: "):
        fastsudoku.solve_many(f"{BOARD}\npuzzle\n")


def test_one_long_line_with_an_end(engine):
    assert fastsudoku.solve_many("".join(BOARDS) + "\n").strings() == STRINGS
    named = f"{BOARD} {'n' * 80}"
    assert len(named) == 162
    assert fastsudoku.solve_many(named).strings() == [ANSWER]


@pytest.mark.parametrize("name", ["lines", "lines and more", "blocks"])
def test_an_open_file_as_a_batch(engine, name):
    assert fastsudoku.solve_many(io.StringIO(WAYS_IN[name])).strings() == STRINGS


def test_a_file_of_bytes(engine):
    file = io.BytesIO(f"{BOARD}\n{NONE}\n".encode() + b"\xff\n")
    results = list(fastsudoku.solve_iter(file, errors="mark"))
    assert [result.status for result in results] == [1, 0, 255]


def test_values_of_a_table_out_of_range(engine):
    values = bytearray(as_values(BOARDS))
    values[81 + 22] = 10
    for boards in (memoryview(values).cast("B", (4, 81)), memoryview(values).cast("B", (4, 9, 9))):
        with pytest.raises(BoardError, match=r"^boards\[1\]: row 3, column 5: 10 is not a digit or a blank$"):
            fastsudoku.solve_many(boards)
        assert list(fastsudoku.solve_many(boards, errors="mark").status) == [1, 255, 2, 1]


@pytest.mark.parametrize("errors", ["raise", "mark"])
def test_boards_that_are_none_any_more(engine, monkeypatch, errors):
    cells = bytearray(bytes(81) + bytes(range(1, 10)) * 9 + bytes(81))

    def solve_range(*arguments):
        cells[81] = 200
        return engine.solve_range(*arguments)

    def count_range(*arguments):
        cells[81] = 200
        return engine.count_range(*arguments)

    changing = Replaced(engine, solve_range=solve_range, count_range=count_range)
    monkeypatch.setattr(fastsudoku._engine, "engine", changing)
    view = memoryview(cells).cast("B", (3, 81))
    message = "boards[1]: it was changed while the boards were solved, and is no board any more"
    if errors == "raise":
        with pytest.raises(BoardError, match=re.escape(message)):
            fastsudoku.solve_many(view)
        cells[81] = 1
        with pytest.raises(BoardError, match=re.escape(message)):
            fastsudoku.count_many(view)
    else:
        batch = fastsudoku.solve_many(view, errors="mark")
        assert list(batch.status) == [2, 255, 2]
        assert batch.errors == {1: message}
        cells[81] = 1
        assert list(fastsudoku.count_many(view, errors="mark")) == [2, -1, 2]


def test_long_lines_take_no_longer_than_short_ones(engine):
    """Once the time grew with the square of the longest line: this took an hour."""
    boards = BOARD * (30 if engine.NAME == "python" else 10_000)
    assert list(fastsudoku.count_many(boards)) == [1] * (len(boards) // 81)
    assert len(fastsudoku.solve_many("# " + "x" * 1_000_000 + f"\n{BOARD}\n{BOARD}\n")) == 2


def test_rules_are_no_boards_of_blanks(engine):
    assert len(fastsudoku.solve_many("-" * 81 + f"  ------\n{BOARD}\n")) == 1
    assert len(fastsudoku.solve_many("-" * 81 + f"\n{BOARD}\n")) == 2


@pytest.mark.parametrize("rows", [1, 20, 700])
@pytest.mark.parametrize("threads", [1, 3])
def test_buffers_are_filled_whatever_is_in_them(engine, monkeypatch, rows, threads):
    boards = ([NONE, BOARD, "." * 81, "x", NONE, HARDEST] * rows)[: 30 if engine.NAME == "python" else rows]
    expected = list(fastsudoku.solve_many(boards, errors="mark"))
    dirty = Replaced(engine, new_buffer=lambda size: bytearray(b"\x07" * size))
    monkeypatch.setattr(fastsudoku._engine, "engine", dirty)
    batch = fastsudoku.solve_many(boards, errors="mark", threads=threads)
    assert list(batch) == expected
    for row, result in enumerate(expected):
        if not result.solution:
            assert bytes(batch._digits[81 * row : 81 * row + 81]) == bytes(81)


def test_a_file_in_memory(engine, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("# a comment\r\n" + "\n".join(BOARDS) + " name\n")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert fastsudoku.solve_many(mapped).strings() == STRINGS
        assert list(fastsudoku.count_many(memoryview(mapped))) == [1, 0, 2, 1]
    with pytest.raises(SudokuError, match="solve_iter takes an iterable of boards"):
        fastsudoku.solve_iter(memoryview(b""))


FILE = (
    "# comment\n"
    + f"{BOARD} name\n" * 700
    + "".join(" ".join(map(str, row)) + "\n" for row in ROWS)
    + f"\nx\n{NONE}\n"
    + f"{BOARD}\n" * 3
    + "530\n"
)


@pytest.mark.parametrize("kind", ["text", "bytes", "universal ends", "packed"])
def test_open_files_with_boards_of_all_shapes(engine, tmp_path, kind):
    ending = "\r\n" if kind == "universal ends" else "\n"
    text = FILE.replace(f"{BOARD} name\n" * 700, f"{BOARD} name\n" * 30) if engine.NAME == "python" else FILE
    path = tmp_path / "boards"
    with gzip.open(path, "wb") if kind == "packed" else path.open("wb") as file:
        file.write(text.replace("\n", ending).encode())
    count = text.count("name")
    with gzip.open(path, "rt") if kind == "packed" else path.open("rb" if kind == "bytes" else "r") as file:
        results = list(fastsudoku.solve_iter(file, errors="mark"))
    assert [result.status for result in results] == [1] * (count + 1) + [255, 0, 1, 1, 1, 255]
    assert [result.error for result in results if result.error] == [
        f"line {count + 12}: board has 1 cell, expected 81",
        f"line {count + 17}: board has 3 cells, expected 81",
    ]
    with path.open("rb") if kind != "packed" else gzip.open(path) as file:
        again = fastsudoku.solve_iter(file)
        assert list(itertools.islice(again, count + 1)) == results[: count + 1]
        with pytest.raises(BoardError, match=f"line {count + 12}: board has 1 cell"):
            next(again)


def test_a_source_that_fails_gives_what_came_before(engine):
    def boards(number):
        yield from [BOARD] * number
        raise LookupError("no more")

    for number in (0, 1, 2, 70, 600):
        results = fastsudoku.solve_iter(boards(number))
        found = list(itertools.islice(results, number))
        assert [result.solution for result in found] == [ANSWER] * number
        with pytest.raises(LookupError, match="no more"):
            next(results)
