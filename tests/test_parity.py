"""The pure and the compiled engine give the same values, exceptions and messages for whatever is asked."""

from __future__ import annotations

import csv
import inspect
import io
import struct
from array import array
from random import Random
from types import ModuleType
from typing import Any

import pytest
from random_boards import random_open_board, random_puzzle, random_wrong_board
from test_answers import OWN

NO_BOARDS = [b"", bytes(80), bytes(82), bytes(80) + b"\n", bytes([10]) + bytes(80), b"\xff" * 81]


def outcome(engine: ModuleType, name: str, *arguments: Any) -> Any:
    """Return what a function of an engine returns, or its exception and message."""
    try:
        result = getattr(engine, name)(*arguments)
        if name == "solutions":
            result = [solution for solution, _ in zip(result, range(50), strict=False)]
    except Exception as error:
        return type(error), str(error)
    return result


def boards() -> list[bytes]:
    random = Random("parity")
    texts = [known.board for known in OWN]
    texts += [random_open_board(random, random.randint(22, 40)) for _ in range(60)]
    texts += [random_wrong_board(random, random.randint(22, 40)) for _ in range(60)]
    texts += [random_puzzle(random) for _ in range(60)]
    return [bytes(int(c) if c.isdigit() else 0 for c in text) for text in texts]


BOARDS = boards()


@pytest.mark.parametrize("name", ["solve", "solutions"])
def test_boards(both_engines, name):
    pure, compiled = both_engines
    for cells in [*BOARDS, *NO_BOARDS]:
        assert outcome(pure, name, cells) == outcome(compiled, name, cells), cells


def test_counts(both_engines):
    pure, compiled = both_engines
    for cells in [*BOARDS, *NO_BOARDS]:
        for limit in (1, 2, 30):
            assert outcome(pure, "count", cells, limit) == outcome(compiled, "count", cells, limit), cells


def test_classic(both_engines):
    pure, compiled = both_engines
    quick = [cells for cells in BOARDS if cells.count(0) < 50]
    assert len(quick) > 20
    for cells in [*quick, *NO_BOARDS]:
        assert outcome(pure, "classic", cells) == outcome(compiled, "classic", cells), cells


def batch_outcome(engine, cells, first, last):
    rows = len(cells) // 81
    buffers = [
        memoryview(bytearray(rows)),
        memoryview(bytearray(81 * rows)),
        memoryview(bytearray(4 * rows)).cast("I"),
    ]
    counts = memoryview(bytearray(8 * rows)).cast("q")
    try:
        assert engine.solve_range(cells, *buffers, first, last) is None
        assert engine.count_range(cells, counts, 3, first, last) is None
    except ValueError as error:
        return str(error)
    return [buffer.tobytes() for buffer in (*buffers, counts)], engine.first_bad_row(cells)


def test_batches_with_guesses(both_engines):
    pure, compiled = both_engines
    cells = b"".join([*BOARDS[:50], bytes([10] * 81), *BOARDS[50:]])
    rows = len(cells) // 81
    for kind in (bytes, bytearray, memoryview):
        for first, last in ((0, rows), (3, 60), (7, 7), (rows, rows)):
            expected = batch_outcome(pure, kind(cells), first, last)
            assert batch_outcome(compiled, kind(cells), first, last) == expected
            assert expected[1] == 50
    for first, last in ((0, rows + 1), (-1, 3), (5, 4)):
        expected = batch_outcome(pure, cells, first, last)
        assert expected == batch_outcome(compiled, cells, first, last)
        assert "smaller than the range" in expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "." * 81,
            "1" * 81,
            "." * 80,
            "." * 82,
            "a" * 81,
            "\u00e9" * 81,
            "\ud800" * 81,
            "",
            "?" * 40 + "-" * 41,
        ),
        *(b"." * 81, b"\xff" * 81, b"x" * 81, bytes(81), b"", b"9" * 81, "." * 80 + "\n", "." * 80 + "\x00"),
    ],
    ids=ascii,
)
def test_texts(both_engines, text):
    pure, compiled = both_engines
    assert outcome(pure, "read_text", text) == outcome(compiled, "read_text", text)
    assert outcome(pure, "solve_text", text) == outcome(compiled, "solve_text", text)


def rows_with(value):
    return [[value, *[0] * 8], *[[5] * 9 for _ in range(8)]]


@pytest.mark.parametrize(
    "rows",
    [
        *map(rows_with, [0, 9, 10, -1, 2**31, 2**63, 2**64, -(2**64), True, 1.0, None, "1", "."]),
        *([], [[]] * 9, [[0] * 9] * 8, [[0] * 9] * 9, [[0] * 8] * 9, [(0,) * 9] * 9, ((0,) * 9,) * 9),
        *(None, "." * 81),
    ],
    ids=repr,
)
def test_rows(both_engines, rows):
    pure, compiled = both_engines
    assert outcome(pure, "read_rows", rows) == outcome(compiled, "read_rows", rows)
    assert outcome(pure, "solve_rows", rows) == outcome(compiled, "solve_rows", rows)


def test_writing_rows(both_engines):
    pure, compiled = both_engines
    for cells in BOARDS[:20]:
        rows = compiled.write_rows(cells)
        assert rows == pure.write_rows(cells)
        assert rows is not compiled.write_rows(cells)
        assert {type(value) for row in rows for value in row} == {int}


def public(engine: ModuleType) -> set[str]:
    own = engine.__name__, "fastsudoku._texts_py"
    return {
        name
        for name, thing in vars(engine).items()
        if callable(thing) and not name.startswith("_") and getattr(thing, "__module__", None) in own
    }


def test_the_same_functions(both_engines):
    pure, compiled = both_engines
    used = {name for name in public(pure) if not inspect.isclass(getattr(pure, name))} | {"read_text"}
    assert used - {"read_plain_text"} <= set(dir(compiled))
    assert used >= {
        "solve",
        "count",
        "solutions",
        "classic",
        "solve_range",
        "count_range",
        "first_bad_row",
        "read_table",
    }


def lines_of_all_kinds(random: Random) -> bytes:
    """Return lines that are boards, nearly boards, and anything else, with all kinds of ends."""
    board = random.choice(TEXTS)
    pieces = [
        board,
        board,
        board + " name",
        board + ",1.5",
        board[:80],
        board + "x",
        "# comment",
        "",
        " \t",
        "#" * 99,
        "#" * 65_535,
        "#" * 65_536,
        board.ljust(65_535),
        board.ljust(65_536),
    ]
    pieces += [
        board.replace(".", "-"),
        board.replace(".", "-") + " name",
        "-" * 81 + "  ---",
        "#" + board,
        board + "\u00e9",
        board + "\u00a0",
        board + "\x85",
        " " * 90,
        " " * 81 + "5",
        "hello",
        "Grid 01",
    ]
    ends = ["\n", "\n", "\r\n", "\r", "\n\n", ""]
    return "".join(random.choice(pieces) + random.choice(ends) for _ in range(random.randint(0, 6))).encode()


TEXTS = ["".join(str(value or ".") for value in cells) for cells in BOARDS[:20]]


def test_reading_lines(both_engines):
    pure, compiled = both_engines
    random = Random("lines")
    rows = 0
    for _ in range(3000):
        text = lines_of_all_kinds(random)
        start = random.choice([0, 0, random.randint(0, len(text))])
        for only_boards in (False, True):
            found = compiled.read_text_lines(text, start, only_boards)
            assert found == pure.read_text_lines(text, start, only_boards), (text, start, only_boards)
            assert len(found[0]) % 81 == 0
            assert start <= found[2] <= len(text)
            rows += len(found[0]) // 81
    assert rows > 500


def test_reading_texts(both_engines):
    pure, compiled = both_engines
    random = Random("texts")
    for _ in range(300):
        items = [lines_of_all_kinds(random) for _ in range(random.randint(0, 9))]
        items = [item.decode() if random.random() < 0.5 else item for item in items]
        items += random.sample([None, 5, "", b"", [0] * 81, bytearray(81), "\ud800" * 81, "\u0665" * 81], 3)
        random.shuffle(items)
        values, others = pure.read_texts(tuple(items))
        found = compiled.read_texts(random.choice([tuple, list])(items))
        assert found[1] == others
        for row in set(range(len(items))) - set(others):
            assert found[0][81 * row : 81 * row + 81] == values[81 * row : 81 * row + 81]
            assert max(values[81 * row : 81 * row + 81]) <= 9
    assert compiled.read_texts([]) == pure.read_texts([]) == (b"", [])


def test_every_character(both_engines):
    pure, compiled = both_engines
    for code in range(256):
        text = bytes([code]) * 81
        assert compiled.read_text(text) == pure.read_text(text)
        for position in (0, 15, 16, 64, 65, 79, 80):
            text = b"." * position + bytes([code]) + b"5" * (80 - position)
            assert compiled.read_text(text) == pure.read_text(text), (code, position)


def test_writing_texts(both_engines):
    pure, compiled = both_engines
    random = Random("write")
    for rows in (0, 1, 5, 200):
        status = bytes(random.choice([0, 1, 2, 255]) for _ in range(rows))
        digits = b"".join(
            bytes(random.choices(range(1, 10), k=81) if each in (1, 2) else 81) for each in status
        )
        texts = compiled.write_texts(digits, status)
        assert texts == pure.write_texts(digits, memoryview(status))
        assert compiled.write_text_lines(digits, status) == pure.write_text_lines(digits, memoryview(status))
        assert [text is not None for text in texts] == [each in (1, 2) for each in status]
        assert all(text is None or (len(text) == 81 and text.isdigit()) for text in texts)


WORDS = b"none", b"unique", b"several", b"malformed"


def answers(random: Random, rows: int) -> tuple[bytes, bytes, memoryview]:
    """Return solutions, statuses and guesses."""
    status = bytes(random.choice([0, 1, 2, 255]) for _ in range(rows))
    digits = b"".join(bytes(random.choices(range(1, 10), k=81) if each in (1, 2) else 81) for each in status)
    guesses = [0xFFFFFFFF if each > 1 else random.choice([0, 7, 10, 4294967294]) for each in status]
    return digits, status, memoryview(array("I", guesses))


def test_writing_answers(both_engines):
    pure, compiled = both_engines
    random = Random("answers")
    for _ in range(1000):
        lines = [
            random.choice(TEXTS) + random.choice(["", " name", ",1.5  ", "\t\v", "\xff"]) for _ in range(5)
        ]
        text = "".join(line + random.choice(["\n", "\r\n", "\r"]) for line in lines).encode("latin-1")
        text = text.rstrip(b"\n") if random.random() < 0.3 else text
        digits, status, _ = answers(random, 5)
        for words in (None, WORDS):
            written = pure.write_answer_lines(text, digits, memoryview(status), words)
            assert compiled.write_answer_lines(text, digits, status, words) == written
            assert written.count(b"\n") == 5
    for text in (b"", b"." * 80 + b"\n", b"." * 81 + b"\n"):
        for engine in both_engines:
            with pytest.raises(ValueError, match="fewer lines than"):
                engine.write_answer_lines(text, bytes(162), memoryview(b"\1\1"))


def table_of_all_kinds(random: Random) -> bytes:
    """Return records that are well made, nearly, or not at all."""
    board = random.choice(TEXTS)
    fields = [
        board,
        board,
        f'"{board}"',
        board[1:],
        board + " ",
        "",
        '""',
        "a",
        '"a,b"',
        '"a""b"',
        '"a\nb"',
        '"a',
        'a"b',
    ]
    fields += [
        '"' + "x" * 65_531,
        '"' + "x" * 65_536 + '"',
        '"x""',
        "\u00e9",
        '"a"b',
        '"\r\n"',
        '"""',
        "x" * 300,
    ]
    ends = ["\n", "\n", "\r\n", "\r", "\n\n", "\n", ""]
    weights = [20] * 13 + [1] * 2 + [10] * 6
    records = [",".join(random.choices(fields, weights, k=random.choice([1, 2, 3, 3, 3]))) for _ in range(4)]
    return "".join(record + random.choice(ends) for record in records).encode()


def test_tables(both_engines):
    pure, compiled = both_engines
    random = Random("tables")
    boards = others = 0
    for _ in range(3000):
        text = table_of_all_kinds(random)
        start = random.choice([0, 0, random.randint(0, len(text))])
        is_end, column = random.random() < 0.5, random.choice([0, 1, 1, 2])
        arguments = text, start, is_end, random.choice([",", ",", ";"]), random.choice([1, 3, 5]), column
        found = compiled.read_table(*arguments)
        assert found == pure.read_table(*arguments), arguments
        cells, spans, bad, position, lines = found
        rows = len(cells) // 81
        assert start <= position <= len(text)
        assert position == len(text) or not is_end
        assert len(spans) == 24 * rows
        numbers = [text[start:begin].count(b"\n") for begin, _, _ in struct.iter_unpack("3q", spans)]
        if b"\r" not in text:
            assert numbers == [number for _, _, number in struct.iter_unpack("3q", spans)]
            assert lines == text[start:position].count(b"\n") + (
                not text.endswith(b"\n") and position == len(text)
            )
        boards += rows - len(bad)
        others += len(bad)
        columns = random.choice([1, 3, 5])
        targets = random.choice([(-1, -1, -1), (0, -1, -1), (-1, 2, 1), (0, 1, 2), (-1, -1, 0)])
        digits, status, guesses = answers(random, rows)
        arguments = text, memoryview(spans).cast("q"), ",", columns, targets, digits
        written = pure.write_table(*arguments, memoryview(status), guesses, WORDS)
        assert compiled.write_table(*arguments, status, guesses, WORDS) == written, arguments
    assert boards > 300
    assert others > 1000


def test_a_table_is_read_as_by_the_standard_library(both_engines):
    random = Random("csv")
    for _ in range(1000):
        records = []
        for _ in range(random.randint(1, 5)):
            others = random.choices(
                ["", "a", 'say "x"', "a,b", "two\nlines", "two\r\nlines", '"', "\u00e9"], k=2
            )
            records.append([others[0], random.choice(TEXTS), others[1]])
        file = io.StringIO(newline="")
        csv.writer(file, quoting=random.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])).writerows(records)
        text = file.getvalue().encode()
        for engine in both_engines:
            cells, spans, others, position, _ = engine.read_table(text, 0, True, ",", 3, 1)
            assert (others, position) == ([], len(text))
            assert [cells[81 * row : 81 * row + 81] for row in range(len(records))] == [
                engine.read_text(record[1]) for record in records
            ]
            digits, status, guesses = answers(random, len(records))
            targets = random.choice([(-1, -1, -1), (0, -1, -1), (-1, 2, 0), (1, 0, 2)])
            arguments = text, memoryview(spans).cast("q"), ",", 3, targets, digits
            written = engine.write_table(*arguments, memoryview(status), guesses, WORDS)
            solutions = engine.write_texts(digits, memoryview(status))
            for row, new in enumerate(csv.reader(io.StringIO(bytes(written).decode(), newline=""))):
                word = WORDS[min(status[row], 3)].decode()
                number = "" if guesses[row] == 0xFFFFFFFF else str(guesses[row])
                expected = [*records[row]]
                for value, target in zip([solutions[row] or "", word, number], targets, strict=True):
                    if target >= 0:
                        expected[target] = value
                    else:
                        expected.append(value)
                assert new == expected


def test_a_field_that_is_too_long_to_go_on(both_engines):
    size = (1 << 24) - 40
    for end in (30, 37, 38, 39, 40, 41):
        text = b'a,"' + b"x" * size + b"y" * end + b'",b\nc,d,e\n'
        for is_end in (False, True):
            found = [engine.read_table(text, 0, is_end, ",", 3, 0) for engine in both_engines]
            assert found[0] == found[1]


def test_arguments_that_are_too_short(both_engines):
    for engine in both_engines[1:]:
        with pytest.raises(ValueError, match="there are four statuses"):
            engine.write_answer_lines(b"." * 81, bytes(81), b"\0", (b"a",))
        arguments = memoryview(array("q", [0, 1, 0])), ","
        guesses = memoryview(array("I", [0]))
        with pytest.raises(ValueError, match="unpack"):
            engine.write_table(b"abc", *arguments, 1, (-1,), bytes(81), b"\0", guesses, WORDS)
        with pytest.raises(ValueError, match="a table has columns"):
            engine.write_table(b"abc", *arguments, -1, (-1, -1, -1), bytes(81), b"\0", guesses, WORDS)
        with pytest.raises(ValueError, match="a block has at least one row"):
            engine.new_counter(0)
    assert both_engines[1].write_answer_lines(b" " * 90, bytes(81), b"\1") == b"0" * 81 + b"\n"


def test_records_that_are_not_in_the_text(both_engines):
    for engine in both_engines[1:]:
        for spans in ((0, 9, 1), (-1, 1, 1), (2, 1, 1), ()):
            with pytest.raises(ValueError, match="record"):
                engine.write_table(
                    b"abc",
                    memoryview(array("q", spans)),
                    ",",
                    1,
                    (-1, -1, -1),
                    bytes(81),
                    b"\0",
                    memoryview(array("I", [0])),
                    WORDS,
                )
