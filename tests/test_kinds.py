"""Every kind of board in and out, and every way in which something is not a board."""

from __future__ import annotations

import array
import ctypes
from decimal import Decimal
from fractions import Fraction

import pytest

import fastsudoku
from fastsudoku import BoardError

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
VALUES = [0 if character == "." else int(character) for character in BOARD]
ROWS = [VALUES[start : start + 9] for start in range(0, 81, 9)]
ANSWER_VALUES = [int(character) for character in ANSWER]
ANSWER_ROWS = [ANSWER_VALUES[start : start + 9] for start in range(0, 81, 9)]
LINES = [BOARD[start : start + 9] for start in range(0, 81, 9)]

FRAMED = "\n".join(
    "+-------+-------+-------+" * (row % 3 == 0)
    + "\n" * (row % 3 == 0)
    + f"| {' '.join(line[:3])} | {' '.join(line[3:6])} | {' '.join(line[6:])} |"
    for row, line in enumerate(LINES)
)
STARRED = "*-----------*\n" + "\n".join(
    f"|{line[:3]}|{line[3:6]}|{line[6:]}|" + "\n|---+---+---|" * (row in (2, 5))
    for row, line in enumerate(LINES)
)

TEXTS = {
    "dots": BOARD,
    "zeros": BOARD.replace(".", "0"),
    "stars": BOARD.replace(".", "*"),
    "dashes": BOARD.replace(".", "-"),
    "a mixture": "".join(".0_*?xX-"[i % 8] if c == "." else c for i, c in enumerate(BOARD)),
    "lines": "\n".join(LINES),
    "Windows lines": "\r\n".join(LINES) + "\r\n",
    "spaces": " ".join(BOARD),
    "a byte-order mark": "\ufeff" + BOARD,
    "white space around": f"  {BOARD}\t\n",
    "a frame": FRAMED + "\n+-------+-------+-------+",
    "a frame with stars": STARRED + "\n*-----------*",
    "equals signs": "\n".join(line + "\n===+===+===" * (row in (2, 5)) for row, line in enumerate(LINES)),
    "dashes in lines": "\n".join(LINES).replace(".", "-"),
    "a name behind": BOARD + "  from a newspaper, 1.2",
    "a rating behind": BOARD + ",7.2",
    "an answer behind": BOARD + "," + ANSWER,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text(engine, text):
    assert fastsudoku.solve(text) == ANSWER
    assert fastsudoku.solve(text.encode()) == ANSWER.encode()
    assert fastsudoku.solve(bytearray(text.encode())) == bytearray(ANSWER.encode())
    assert fastsudoku.is_unique(text)
    assert fastsudoku.verify(text, ANSWER)


@pytest.mark.parametrize(
    ("board", "answer"),
    [
        (ROWS, ANSWER_ROWS),
        (tuple(map(tuple, ROWS)), tuple(map(tuple, ANSWER_ROWS))),
        ([tuple(row) for row in ROWS], [tuple(row) for row in ANSWER_ROWS]),
        (VALUES, ANSWER_VALUES),
        (tuple(VALUES), tuple(ANSWER_VALUES)),
        ([[value or None for value in row] for row in ROWS], ANSWER_ROWS),
        ([[float(value) for value in row] for row in ROWS], ANSWER_ROWS),
        ([[Decimal(value) for value in row] for row in ROWS], ANSWER_ROWS),
        ([[Fraction(value) for value in row] for row in ROWS], ANSWER_ROWS),
        ([list(line) for line in LINES], [list(ANSWER[start : start + 9]) for start in range(0, 81, 9)]),
        (LINES, [ANSWER[start : start + 9] for start in range(0, 81, 9)]),
        (list(BOARD), list(ANSWER)),
        (
            [[str(value or "") or 0 for value in row] for row in ROWS],
            [list(map(str, row)) for row in ANSWER_ROWS],
        ),
        (bytes(VALUES), bytes(ANSWER_VALUES)),
        (bytearray(VALUES), bytearray(ANSWER_VALUES)),
        (array.array("b", VALUES), array.array("b", ANSWER_VALUES)),
        (array.array("Q", VALUES), array.array("Q", ANSWER_VALUES)),
        (array.array("d", VALUES), array.array("d", ANSWER_VALUES)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_kind_that_came_in(engine, board, answer):
    before = repr(board)
    solution = fastsudoku.solve(board)
    assert solution == answer
    assert type(solution) is type(answer)
    if isinstance(answer, (list, tuple)):
        assert [type(row) for row in solution] == [type(row) for row in answer]
    assert repr(board) == before
    assert next(fastsudoku.solutions(board)) == answer
    assert fastsudoku.solve_many([board]).strings() == [ANSWER]


def test_memoryviews_and_other_buffers(engine):
    square = memoryview(bytes(VALUES)).cast("B", (9, 9))
    assert fastsudoku.solve(square) == memoryview(bytes(ANSWER_VALUES)).cast("B", (9, 9))
    shorts = memoryview(array.array("h", VALUES))
    assert (fastsudoku.solve(shorts).format, fastsudoku.solve(shorts).tolist()) == ("h", ANSWER_VALUES)
    integers = (ctypes.c_int * 81)(*VALUES)
    assert list(fastsudoku.solve(integers)) == ANSWER_VALUES
    table = ((ctypes.c_short * 9) * 9)(*[(ctypes.c_short * 9)(*row) for row in ROWS])
    assert type(fastsudoku.solve(table)) is type(table)
    assert [list(row) for row in fastsudoku.solve(table)] == ANSWER_ROWS
    every_second = memoryview(bytes(value for value in VALUES for _ in range(2)))[::2]
    assert bytes(fastsudoku.solve(every_second)) == bytes(ANSWER_VALUES)


def broken(cell: int, value: object) -> list[list[object]]:
    rows: list[list[object]] = [list(row) for row in ROWS]
    rows[cell // 9][cell % 9] = value
    return rows


@pytest.mark.parametrize(
    "value",
    [
        *(10, -1, 256, 257, 2**70, -(2**70), 2.3, float("nan"), float("inf"), 1j, Decimal("2.5")),
        *(True, False, "a", "10", "", "\u0665", "\uff15", "\u00b2", b"5", [], object),
    ],
    ids=repr,
)
def test_a_value_that_is_no_digit_names_its_cell(engine, value):
    for board in (broken(22, value), [cell for row in broken(22, value) for cell in row]):
        with pytest.raises(BoardError, match=r"^row 3, column 5: .* is not a digit or a blank$"):
            fastsudoku.solve(board)
        with pytest.raises(BoardError, match=r"^boards\[1\]: row 3, column 5: "):
            fastsudoku.solve_many([ROWS, board])


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (BOARD[:22] + "a" + BOARD[23:], "row 3, column 5: 'a' is not a digit or a blank"),
        (BOARD[:22] + "\u00e9" + BOARD[23:], "row 3, column 5: '\u00e9' is not a digit or a blank"),
        (BOARD[:22] + "\x00" + BOARD[23:], "row 3, column 5: '\\x00' is not a digit or a blank"),
        (BOARD[:22] + "\u0665" + BOARD[23:], "row 3, column 5: '\u0665' is not a digit or a blank"),
        (BOARD[:80], "board has 80 cells, expected 81"),
        (BOARD[:80].replace(".", "-"), "board has 80 cells, expected 81"),
        (BOARD.replace(".", "-") + "-", "board has 82 cells, expected 81"),
        (BOARD + ".", "board has 82 cells, expected 81"),
        ("", "board has 0 cells, expected 81"),
        ("   \n", "board has 0 cells, expected 81"),
        (BOARD + "\n" + BOARD, "board has 162 cells, expected 81"),
        (BOARD + "\nname", "after the 81 cells: 'n' is not a digit or a blank"),
        (b"\xff" + BOARD.encode()[1:], "row 1, column 1: '\ufffd' is not a digit or a blank"),
        ([], "board has 0 cells, expected 81 or 9 rows of 9"),
        ([0] * 80, "board has 80 cells, expected 81 or 9 rows of 9"),
        ([0] * 82, "board has 82 cells, expected 81 or 9 rows of 9"),
        (ROWS[:8], "board has 8 rows, expected 9"),
        ([*ROWS, ROWS[0]], "board has 10 rows, expected 9"),
        ([*ROWS[:4], ROWS[4][:8], *ROWS[5:]], "row 5 has 8 cells, expected 9"),
        ([*ROWS[:4], 5, *ROWS[5:]], "row 5 is 5, expected 9 cells"),
        ([[], *ROWS[1:]], "row 1 has 0 cells, expected 9"),
        (array.array("i", [0] * 80), "array of shape (80,), expected (9, 9) or (81,)"),
        (memoryview(bytes(81)).cast("B", (3, 27)), "array of shape (3, 27), expected (9, 9) or (81,)"),
        (array.array("i", [*VALUES[:80], 10]), "row 9, column 9: 10 is not a digit or a blank"),
        (None, "a NoneType is not a board"),
        (object(), "an object is not a board"),
        ({}, "a dict is not a board"),
        ({1, 2}, "a set is not a board"),
        (iter(ROWS), "a list_iterator is not a board"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_not_a_board(engine, board, message):
    for function in (fastsudoku.solve, fastsudoku.count, fastsudoku.is_unique, fastsudoku.solutions):
        with pytest.raises(BoardError) as caught:
            function(board)
        assert str(caught.value).startswith(message)
    for function in (fastsudoku.conflicts, fastsudoku.classic, fastsudoku.solve_inplace):
        with pytest.raises(BoardError):
            function(board)
    with pytest.raises(BoardError):
        fastsudoku.verify(board, ANSWER)
    with pytest.raises(BoardError):
        fastsudoku.verify(ANSWER, board)
    assert issubclass(BoardError, fastsudoku.SudokuError)
    assert issubclass(fastsudoku.SudokuError, ValueError)


@pytest.mark.parametrize(
    "number", [int(BOARD.replace(".", "0")), float(BOARD.replace(".", "0")), 0, 5.5, True], ids=repr
)
def test_numbers_that_were_boards(engine, number):
    with pytest.raises(BoardError, match=r"leading zeros .* read the column as text"):
        fastsudoku.solve(number)


@pytest.mark.parametrize("text", ["4.3e+78", "5.3007e+79", "7" * 79, "7" * 75 + ".0", "4.3E78"])
def test_texts_of_numbers_that_were_boards(engine, text):
    with pytest.raises(BoardError, match="read the column as text"):
        fastsudoku.solve(text)


def test_filling_in_place(engine):
    rows = [list(row) for row in ROWS]
    clue = rows[0][0] = 5.0
    assert fastsudoku.solve_inplace(rows) is True
    assert rows == ANSWER_ROWS
    assert rows[0][0] is clue  # clues are not touched
    characters = [list(line) for line in LINES]
    assert fastsudoku.solve_inplace(characters)
    assert characters == [list(ANSWER[start : start + 9]) for start in range(0, 81, 9)]
    flat = list(VALUES)
    assert fastsudoku.solve_inplace(flat)
    assert flat == ANSWER_VALUES
    text = bytearray(BOARD.encode())
    assert fastsudoku.solve_inplace(text)
    assert text == ANSWER.encode()
    numbers = array.array("h", VALUES)
    assert fastsudoku.solve_inplace(numbers)
    assert numbers.tolist() == ANSWER_VALUES
    view = memoryview(bytearray(VALUES)).cast("B", (9, 9))
    assert fastsudoku.solve_inplace(view)
    assert view.tolist() == ANSWER_ROWS


def test_filling_in_place_what_has_no_solution(engine):
    rows = broken(2, 3)
    before = [list(row) for row in rows]
    assert fastsudoku.solve_inplace(rows) is False
    assert rows == before


@pytest.mark.parametrize(
    "board",
    [
        BOARD,
        BOARD.encode(),
        tuple(map(tuple, ROWS)),
        [tuple(row) for row in ROWS],
        LINES,
        memoryview(bytes(VALUES)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_filling_in_place_what_cannot_be_filled(engine, board):
    before = repr(list(board))
    with pytest.raises(BoardError, match="cannot be filled in place"):
        fastsudoku.solve_inplace(board)
    assert repr(list(board)) == before


def test_filling_in_place_one_list_nine_times(engine):
    board = [[0] * 9] * 9
    with pytest.raises(BoardError, match="one and the same list"):
        fastsudoku.solve_inplace(board)
    assert board == [[0] * 9] * 9


def test_filling_in_place_is_undone_if_it_fails(engine):
    class Guarded(list):
        def __setitem__(self, index, value):
            if index == 8:
                raise TypeError("the last column is not for sale")
            super().__setitem__(index, value)

    rows = [Guarded(row) for row in ROWS]
    with pytest.raises(BoardError, match="not for sale"):
        fastsudoku.solve_inplace(rows)
    assert rows == ROWS


def test_filling_text_in_place_fills_its_cells(engine):
    for given in ("\n".join(LINES), f" {BOARD}", f"{BOARD} name 1.2", FRAMED, " ".join(BOARD)):
        text = bytearray(given.encode())
        assert fastsudoku.solve_inplace(text)
        assert len(text) == len(given)
        assert fastsudoku.solve(bytes(text)) == ANSWER.encode()
        assert text.decode().endswith(" name 1.2") == given.endswith(" name 1.2")
    text = bytearray(f"{BOARD} caf\u00e9".encode())
    with pytest.raises(BoardError, match="ASCII"):
        fastsudoku.solve_inplace(text)
    assert text == f"{BOARD} caf\u00e9".encode()


def test_filling_in_place_is_checked(engine):
    class Deaf(list):
        def __setitem__(self, index, value):
            pass

    shared = bytearray(9)
    aliased = [memoryview(shared) for _ in range(9)]
    for board in ([Deaf(row) for row in ROWS], aliased):
        before = [list(row) for row in board]
        with pytest.raises(BoardError, match="cannot be filled in place"):
            fastsudoku.solve_inplace(board)
        assert [list(row) for row in board] == before


def test_filling_in_place_is_undone_if_interrupted(engine):
    class Interrupting(list):
        calls = 0

        def __setitem__(self, index, value):
            super().__setitem__(index, value)
            Interrupting.calls += 1
            if Interrupting.calls == 5:
                raise KeyboardInterrupt

    rows = [Interrupting(row) for row in ROWS]
    with pytest.raises(KeyboardInterrupt):
        fastsudoku.solve_inplace(rows)
    assert rows == ROWS


class Failing:
    """Fails in every way that a board or a cell is asked."""

    def __getattr__(self, name):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")

    def __int__(self):
        raise RuntimeError("no")

    def __len__(self):
        raise RuntimeError("no")

    def __getitem__(self, index):
        raise RuntimeError("no")

    def __array__(self):
        raise RuntimeError("no")


def nested(depth):
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


ODD = {
    "failing": Failing(),
    "failing cell": [Failing(), *[0] * 80],
    "huge number": 10**5000,
    "huge cell": [10**5000, *[0] * 80],
    "deep": nested(50_000),
    "deep cell": [nested(50_000), *[0] * 80],
    "type": list,
    "nameless": type("", (), {})(),
    "complex": [5 + 0j, *[0] * 80],
    "dict cell": [{}, *[0] * 80],
}


@pytest.mark.parametrize("name", ODD)
def test_whatever_it_is_the_other_rows_are_solved(engine, name):
    with pytest.raises(BoardError):
        fastsudoku.solve(ODD[name])
    batch = fastsudoku.solve_many([BOARD, ODD[name], BOARD], errors="mark")
    assert list(batch.status) == [1, 255, 1]
    assert 0 < len(batch.errors[1]) < 300


def test_subclasses_and_row_objects_of_one_s_own(engine):
    class Text(str):
        __slots__ = ()

    class Board(list):
        pass

    class Rows:
        def __len__(self):
            return 9

        def __getitem__(self, index):
            return ROWS[index]

    assert fastsudoku.solve(Text(BOARD)) == ANSWER
    assert fastsudoku.solve(Board(ROWS)) == ANSWER_ROWS
    assert fastsudoku.solve(Rows()) == ANSWER_ROWS


@pytest.mark.parametrize(
    "board",
    [
        BOARD,
        ROWS,
        list(range(81)),
        [None, *VALUES[1:]],
        [[object()] * 9] * 9,
        "?" * 81,
        "\u00e9" * 81,
        [-1, 10**30, 2.5, "long", *VALUES[4:]],
        [10**5000, Ellipsis, *VALUES[2:]],
        BOARD.replace("5", "!").encode(),
        memoryview(bytes([10] * 81)).cast("B", (9, 9)),
    ],
    ids=range(11),
)
def test_showing_never_fails_on_81_values(board):
    lines = fastsudoku.format_board(board).splitlines()
    assert len(lines) == 13
    assert {len(line) for line in lines} == {25}
    assert all(line.isascii() for line in lines)
    drawn = fastsudoku.format_board(board, unicode=True)
    assert "\u2502" in drawn
    assert drawn.translate({0x2502: "|"}).splitlines()[1] == lines[1]


def test_what_is_shown():
    lines = fastsudoku.format_board(broken(0, 12)).splitlines()
    assert lines[0] == "+-------+-------+-------+"
    assert lines[1] == "| ? 3 . | . 7 . | . . . |"
    assert lines[-2] == "| . . . | . 8 . | . 7 9 |"
    with pytest.raises(BoardError):
        fastsudoku.format_board("123")


def test_what_is_shown_can_be_read(engine):
    assert fastsudoku.solve(fastsudoku.format_board(BOARD)) == ANSWER
    drawn = fastsudoku.format_board(BOARD, unicode=True)
    assert fastsudoku.solve(drawn) == ANSWER
    assert fastsudoku.solve_many(drawn + "\n" + drawn).strings() == [ANSWER, ANSWER]


def test_conflicts_in_all_27_units():
    grid = fastsudoku.solve("." * 81)
    seen = set()
    for cell in range(81):
        other = str(int(grid[cell]) % 9 + 1)
        found = fastsudoku.conflicts(grid[:cell] + other + grid[cell + 1 :])
        names = [conflict.unit for conflict in found]
        row, column = cell // 9 + 1, cell % 9 + 1
        assert names == [f"row {row}", f"column {column}", f"box {cell // 27 * 3 + cell % 9 // 3 + 1}"]
        for conflict in found:
            assert conflict.digit == int(other)
            assert (row, column) in conflict.cells
            assert len(conflict.cells) == 2
        seen.update(names)
    assert len(seen) == 27
    assert fastsudoku.conflicts(grid) == fastsudoku.conflicts(BOARD) == []


def test_conflicts_of_three_and_of_two_digits():
    found = fastsudoku.conflicts("1.1.2.2.1" + "." * 72)
    assert [(conflict.digit, conflict.unit) for conflict in found] == [(1, "row 1"), (2, "row 1"), (1, "box 1")]
    assert found[0].cells == ((1, 1), (1, 3), (1, 9))
    assert str(found[1]) == "row 1 has 2 more than once: row 1 column 5, row 1 column 7"


def test_verify_goes_by_rules_and_clues():
    assert fastsudoku.verify(BOARD, ANSWER)
    assert fastsudoku.verify(ROWS, bytes(ANSWER_VALUES))
    assert fastsudoku.verify("." * 81, ANSWER)
    assert not fastsudoku.verify(BOARD, BOARD)
    other = ANSWER.translate(str.maketrans("12", "21"))
    assert fastsudoku.verify("." * 81, other)
    assert not fastsudoku.verify(BOARD, other)
    for cell in range(81):
        wrong = ANSWER[:cell] + str(int(ANSWER[cell]) % 9 + 1) + ANSWER[cell + 1 :]
        assert not fastsudoku.verify("." * 81, wrong)
    # All rows and columns are right, the boxes are not.
    shifted = "".join(str((row + column) % 9 + 1) for row in range(9) for column in range(9))
    assert not fastsudoku.verify("." * 81, shifted)
