"""Files of all kinds, read and written by the command line: text, tables, JSON lines and NumPy arrays."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import struct
import subprocess
import sys
import zlib
from contextlib import redirect_stderr

import pytest
from test_kinds import ANSWER, BOARD, LINES

import fastsudoku
from fastsudoku.cli import files, main, tables
from fastsudoku.cli.files import InputFile
from fastsudoku.cli.inputs import read_chunks

NONE = "11" + "." * 79
OPEN = "." * 81
SMALLEST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
VALUES = [0 if character == "." else int(character) for character in BOARD]
SOLVED = list(map(int, ANSWER))


csv.field_size_limit(1 << 24)


def records(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


# --- tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["puzzle", "quizzes", "question", "q", "Puzzle", ' "puzzle"'])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_column_is_found_by_its_name(run, name, delimiter):
    given = f"id{delimiter}{name}{delimiter}rating\n7{delimiter}{BOARD}{delimiter}1.10\n"
    status, output, errors = run("solve", given=given)
    assert (status, errors) == (0, "")
    added = delimiter.join(["solution", "status", "guesses"])
    assert output == (
        f"id{delimiter}{name}{delimiter}rating{delimiter}{added}\n"
        f"7{delimiter}{BOARD}{delimiter}1.10{delimiter}{ANSWER}{delimiter}unique{delimiter}0\n"
    )


def test_a_column_of_another_name(run):
    given = f"a,b\n{OPEN},{BOARD}\n"
    assert run("solve", "--column", "B", given=given)[1] == (
        f"a,b,solution,status,guesses\n{OPEN},{BOARD},{ANSWER},unique,0\n"
    )
    status, output, errors = run("solve", "--column", "c", given=given)
    assert (status, output) == (2, "")
    assert (
        errors == "fastsudoku: cannot read standard input: it has no column 'c'; its first line is 'a,b\\n'\n"
    )


def test_columns_that_are_there_are_filled_in(run):
    given = (
        f"status,puzzle,guesses,name\n?,{BOARD},,first\nold,{NONE},99,second\n,{OPEN},99,third\n,x,99,fourth\n"
    )
    status, output, errors = run("solve", given=given)
    assert status == 2
    assert records(output) == [
        ["status", "puzzle", "guesses", "name", "solution"],
        ["unique", BOARD, "0", "first", ANSWER],
        ["none", NONE, "0", "second", ""],
        ["several", OPEN, "", "third", SMALLEST],
        ["malformed", "x", "", "fourth", ""],
    ]
    assert errors.splitlines() == [
        "fastsudoku: standard input, line 3: no solution",
        "fastsudoku: standard input, line 4: several solutions; the smallest is written",
        "fastsudoku: standard input, line 5: not a board: board has 1 cell, expected 81",
    ]


def test_quotation_marks(run):
    given = f'name,puzzle,note\r\n"a, ""b""\nc","{BOARD}",""\r\nplain,{BOARD},"x\ny"\r\n\r\nlast,{BOARD},"'
    status, output, errors = run("solve", given=given)
    message = "fastsudoku: standard input, line 7: not a board: a quotation mark is not closed\n"
    assert (status, errors) == (2, message)
    assert records(output.replace("\r\n", "\n"))[:3] == [
        ["name", "puzzle", "note", "solution", "status", "guesses"],
        ['a, "b"\nc', BOARD, "", ANSWER, "unique", "0"],
        ["plain", BOARD, "x\ny", ANSWER, "unique", "0"],
    ]
    assert output.endswith(f'last,{BOARD},",,malformed,\n')


def test_records_of_other_lengths(run):
    given = f"puzzle,name\n{BOARD}\n{BOARD},a,b\n\n{NONE},c\n,\n"
    status, output, errors = run("solve", given=given)
    assert status == 2
    assert output.splitlines() == [
        "puzzle,name,solution,status,guesses",
        f"{BOARD},,{ANSWER},unique,0",
        f"{BOARD},a,b,,malformed,",
        f"{NONE},c,,none,0",
        ",,,malformed,",
    ]
    assert errors.splitlines() == [
        "fastsudoku: standard input, line 3: not a board: the record has 3 fields, expected 2",
        "fastsudoku: standard input, line 5: no solution",
        "fastsudoku: standard input, line 6: not a board: board has 0 cells, expected 81",
    ]


def test_a_column_that_is_missing(run):
    status, output, errors = run("solve", given=f"name,puzzle\na,{BOARD}\nb\n")
    assert status == 2
    assert output.splitlines()[2] == "b,,,malformed,"
    assert errors == "fastsudoku: standard input, line 3: not a board: the record has 1 field, expected 2\n"


def test_boards_of_other_shapes_in_a_table(run):
    spaced, quoted = " ".join(BOARD), '"' + "\n".join(LINES) + '"'
    given = f"id,puzzle\n1,{spaced}\n2,{quoted}\n3, {BOARD} \n4,{BOARD[1:]}\n5,4.3e+80\n"
    status, output, errors = run("solve", given=given)
    assert status == 2
    assert [record[2:] for record in records(output)[1:4]] == [[ANSWER, "unique", "0"]] * 3
    assert "line 13: not a board: board has 80 cells, expected 81" in errors
    assert "line 14: not a board" in errors
    assert "leading zeros are lost" in errors


def test_a_table_with_one_column(run):
    assert run("solve", given=f"\ufeffquizzes\r\n{BOARD}\r\n")[1] == (
        f"\ufeffquizzes,solution,status,guesses\n{BOARD},{ANSWER},unique,0\n"
    )
    # It may be the title of a text.
    plain = "\n".join(LINES)
    assert (
        run("solve", given=f"Puzzle\n{plain}\n")[1]
        == "\n".join(ANSWER[start : start + 9] for start in range(0, 81, 9)) + "\n"
    )


def test_a_heading_without_a_known_name(run):
    status, _, errors = run("solve", given=f"id,grid_string\n1,{BOARD}\n2,{BOARD}\n")
    assert status == 2
    lines = errors.splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("; if this names the columns of a table, say by --column which has the boards")
    assert "--column" not in lines[1]


def test_a_table_without_records(run):
    status, output, errors = run("solve", given="puzzle,name\n")
    assert (status, output) == (2, "puzzle,name,solution,status,guesses\n")
    assert errors == "fastsudoku: no board in standard input\n"


def test_counting_and_checking_a_table(run):
    given = f"id,puzzle\n1,{BOARD}\n2,x\n3,{NONE}\n"
    assert run("count", given=given)[1] == "1\nmalformed\n0\n"
    assert run("check", given=given)[1].splitlines()[:2] == [
        "line 2: unique",
        "line 3: malformed: board has 1 cell, expected 81",
    ]
    answers = [json.loads(line) for line in run("solve", "--json", given=given)[1].splitlines()]
    assert [answer["status"] for answer in answers] == ["unique", "malformed", "none"]
    assert answers[0]["solution"] == ANSWER


def test_tables_of_several_files_become_one(run, tmp_path):
    for number in (1, 2):
        (tmp_path / f"{number}.csv").write_text(f"id,puzzle\n{number},{BOARD}\n")
    (tmp_path / "3.csv").write_text(f"puzzle\n{BOARD}\n")
    (tmp_path / "4.txt").write_text(BOARD)
    (tmp_path / "5.json").write_text(json.dumps({"q": BOARD}))
    (tmp_path / "2.csv").write_bytes(f"\ufeffID,Puzzle\r\n2,{BOARD}\r\n".encode())
    assert run("solve", "1.csv", "2.csv", "-o", "all.csv")[0] == 0
    assert (tmp_path / "all.csv").read_text().splitlines() == [
        "id,puzzle,solution,status,guesses",
        f"1,{BOARD},{ANSWER},unique,0",
        f"2,{BOARD},{ANSWER},unique,0",
    ]
    for others, message in (
        (
            ["1.csv", "3.csv"],
            "3.csv: it is a table with the columns puzzle, which does not go into one output with ",
        ),
        (
            ["1.csv", "4.txt"],
            "4.txt: it is lines of text, which does not go into one output with a table with the ",
        ),
        (
            ["4.txt", "1.csv"],
            "1.csv: it is a table with the columns id, puzzle, which does not go into one output ",
        ),
        (
            ["4.txt", "5.json"],
            "5.json: it is JSON lines, which does not go into one output with lines of text; ",
        ),
    ):
        status, _, errors = run("solve", *others, "-o", "mixed.csv")
        assert status == 2
        assert errors.startswith(f"fastsudoku: cannot read {message}")
        assert errors.endswith("; solve it by itself\nfastsudoku: mixed.csv is not written\n")
        assert run("check", *others)[0] == 0
    assert not (tmp_path / "mixed.csv").exists()


def test_bytes_that_are_no_text_are_kept_in_a_table(run, tmp_path):
    (tmp_path / "in.csv").write_bytes(b"n\xffme,puzzle\n\xfe," + BOARD.encode() + b"\n")
    assert run("solve", "in.csv", "-o", "out.csv")[0] == 0
    assert (
        (tmp_path / "out.csv")
        .read_bytes()
        .startswith(b"n\xffme,puzzle,solution,status,guesses\n\xfe," + BOARD.encode())
    )


# --- JSON lines ------------------------------------------------------------------------------------------


def test_json_lines(run):
    rows = [VALUES[start : start + 9] for start in range(0, 81, 9)]
    solved = [SOLVED[start : start + 9] for start in range(0, 81, 9)]
    given = [
        {"id": 1, "puzzle": BOARD, "guesses": "old"},
        {"q": rows, "note": "\u00e9"},
        {"question": VALUES},
        BOARD,
        rows,
        {"puzzle": NONE},
        {"puzzle": OPEN},
    ]
    status, output, errors = run("solve", given="\n\n".join(map(json.dumps, given)))
    answers = [json.loads(line) for line in output.splitlines()]
    assert status == 1
    found = {"status": "unique", "guesses": 0}
    assert answers == [
        {"id": 1, "puzzle": BOARD, "solution": ANSWER, **found},
        {"q": rows, "note": "\u00e9", "solution": solved, **found},
        {"question": VALUES, "solution": SOLVED, **found},
        {"puzzle": BOARD, "solution": ANSWER, **found},
        {"puzzle": rows, "solution": solved, **found},
        {"puzzle": NONE, "solution": None, "status": "none", "guesses": 0},
        {"puzzle": OPEN, "solution": SMALLEST, "status": "several", "guesses": None},
    ]
    assert errors.splitlines() == [
        "fastsudoku: standard input, line 11: no solution",
        "fastsudoku: standard input, line 13: several solutions; the smallest is written",
    ]


def test_json_lines_that_are_none(run):
    given = '{"id": 1}\n{"puzzle": "x"}\n{"puzzle": 5}\nhello\n[1, 2\n' + "[" * 100_000 + "\n{}\n5\n"
    status, output, errors = run("solve", given=given)
    assert status == 2
    answers = [json.loads(line) for line in output.splitlines()]
    assert [answer["status"] for answer in answers] == ["malformed"] * 8
    assert answers[0]["id"] == 1
    assert answers[3]["line"] == "hello"
    assert len(errors.splitlines()) == 8
    assert "line 4: not a board: it is not JSON: " in errors


def test_other_values_of_json_stay_as_they_are(run):
    given = f'  {{"puzzle":"{BOARD}" ,"x":1e999,"y":0.10000000000000000001,"z":-0,"a":1,"a":2 }}  '
    assert run("solve", given=given)[1] == (
        given.strip()[:-1].rstrip() + f', "solution": "{ANSWER}", "status": "unique", "guesses": 0}}\n'
    )
    given = f'{{"guesses":5, "puzzle":"{BOARD}"}}'
    assert json.loads(run("solve", given=given)[1])["guesses"] == 0
    assert json.loads(run("solve", given="# comment\n{ }\n")[1])["status"] == "malformed"


def test_json_of_other_forms(run):
    assert json.loads(run("solve", given=f'"{BOARD}"\n')[1])["solution"] == ANSWER
    assert json.loads(run("solve", given=json.dumps({"Puzzle": BOARD}))[1])["solution"] == ANSWER
    array = [{"puzzle": BOARD}, {"puzzle": BOARD}]
    for given in (json.dumps(array), json.dumps(array, indent=1)):
        status, _, errors = run("solve", given=given)
        assert status == 2
        assert "one object a line is needed, such as jq -c '.[]' writes" in errors.splitlines()[0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (gzip.compress(BOARD.encode()), "it is packed by gzip: give it a name that ends in .gz, or unpack it"),
        (b"\x28\xb5\x2f\xfd....", "it is packed by Zstandard: give it a name that ends in .zst, or unpack it"),
        (b"PK\3\4....", "it is a zip archive, such as .npz or .xlsx: unpack it, or save it as .npy or CSV"),
        (b"PAR1....", "it is a Parquet file: save it as CSV or JSON lines"),
        (f"puzzle\n{BOARD}".encode("utf-16"), "it is UTF-16 text: save it as UTF-8"),
    ],
    ids=["gzip", "zstd", "zip", "parquet", "utf-16"],
)
def test_files_of_other_kinds(run, given, message):
    assert run("solve", given=given) == (2, "", f"fastsudoku: cannot read standard input: {message}\n")


def test_a_key_of_another_name(run):
    line = json.dumps({"puzzle": OPEN, "mine": BOARD})
    assert json.loads(run("solve", "--column", "mine", given=line)[1])["solution"] == ANSWER
    status, output, errors = run("solve", "--column", "none", given=line)
    assert (status, json.loads(output)["status"]) == (2, "malformed")
    assert "the object does not have 'none'" in errors


# --- arrays ----------------------------------------------------------------------------------------------


def npy(descr: str, shape: tuple[int, ...], data: bytes, by_columns: bool = False, version: int = 1) -> bytes:
    """Return a file as NumPy writes it."""
    header = repr({"descr": descr, "fortran_order": by_columns, "shape": shape}).encode()
    size = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + size + header + b"\n" + data


BOARDS = [VALUES, [0] * 81, [1, 1] + [0] * 79]
ANSWERS = [ANSWER, SMALLEST, ""]
FLAT = [value for board in BOARDS for value in board]
TYPES = {"|u1": "B", "|i1": "b", "<i2": "<h", ">i2": ">h", "<u4": "<I", ">i4": ">i", "<i8": "<q", ">u8": ">Q"}
TYPES |= {"<f2": "<e", "<f4": "<f", ">f8": ">d"}


@pytest.mark.parametrize("descr", TYPES)
@pytest.mark.parametrize("shape", [(3, 81), (3, 9, 9)])
def test_arrays(run, tmp_path, descr, shape):
    code = TYPES[descr]
    data = struct.pack(f"{code[:-1]}{len(FLAT)}{code[-1]}", *FLAT)
    (tmp_path / "in.npy").write_bytes(npy(descr, shape, data))
    status, output, errors = run("solve", "in.npy")
    assert (status, output.split("\n")) == (1, [*ANSWERS, ""])
    assert errors.splitlines() == [
        "fastsudoku: in.npy, index 1: several solutions; the smallest is written",
        "fastsudoku: in.npy, index 2: no solution",
    ]
    assert run("solve", "in.npy", "-o", "out.npy")[0] == 1
    written = (tmp_path / "out.npy").read_bytes()
    assert len(written) == 128 + 243
    assert f"'shape': {shape}".encode() in written[:128]
    assert written[128:] == bytes(map(int, ANSWERS[0] + ANSWERS[1])) + bytes(81)


def test_written_arrays_are_read_by_numpy(run, tmp_path):
    numpy = pytest.importorskip("numpy")
    boards = numpy.array(FLAT, dtype="i8").reshape(3, 9, 9)
    for array in (
        boards,
        boards.reshape(3, 81),
        numpy.asfortranarray(boards),
        numpy.asfortranarray(boards.reshape(3, 81)),
    ):
        numpy.save(tmp_path / "in.npy", array)
        assert run("solve", "in.npy", "-o", "out.npy")[0] == 1
        solved = numpy.load(tmp_path / "out.npy")
        assert solved.shape == array.shape
        assert solved.dtype == "uint8"
        assert (solved == numpy.asarray(fastsudoku.solve_many(boards).solutions).reshape(array.shape)).all()
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 5000)
    assert run("solve", "in.txt", "in.npy", "-o", "out.npy")[0] == 1
    assert numpy.load(tmp_path / "out.npy").shape == (5003, 81)


def test_arrays_by_columns(run):
    by_columns = [BOARDS[row][cell] for cell in range(81) for row in range(3)]
    nested = [BOARDS[row][9 * r + c] for c in range(9) for r in range(9) for row in range(3)]
    for shape, values in (((3, 81), by_columns), ((3, 9, 9), nested)):
        for descr, code in (("|u1", "B"), ("<i4", "<i"), (">i4", ">i")):
            data = struct.pack(f"{code[:-1]}243{code[-1]}", *values)
            assert run("solve", given=npy(descr, shape, data, by_columns=True))[1].split("\n") == [*ANSWERS, ""]


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("shape", [(81,), (9, 9)])
def test_one_board_and_versions_of_the_format(run, version, shape):
    assert run("solve", given=npy("|u1", shape, bytes(VALUES), version=version)) == (0, f"{ANSWER}\n", "")


def test_rows_that_are_no_boards(run, tmp_path):
    bad = [VALUES, [10] + [0] * 80, [-1] + [0] * 80, [256] + [0] * 80, VALUES]
    flat = [value for board in bad for value in board]
    (tmp_path / "in.npy").write_bytes(npy("<i4", (5, 81), struct.pack("<405i", *flat)))
    status, output, errors = run("solve", "--status", "in.npy")
    assert status == 2
    assert output.splitlines() == [f"{ANSWER}\tunique", *["\tmalformed"] * 3, f"{ANSWER}\tunique"]
    assert errors.splitlines() == [
        f"fastsudoku: in.npy, index {row}: not a board: row 1, column 1: {value} is not a digit or a blank"
        for row, value in ((1, 10), (2, -1), (3, 256))
    ]
    assert run("solve", "in.npy", "-o", "out.npy")[0] == 2
    assert (tmp_path / "out.npy").read_bytes()[128:] == bytes(SOLVED) + bytes(243) + bytes(SOLVED)
    assert run("check", "in.npy")[1].splitlines()[1] == (
        "index 1: malformed: row 1, column 1: 10 is not a digit or a blank"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (npy("|u1", (3, 80), bytes(240)), "it has the shape (3, 80), expected (N, 81) or (N, 9, 9)"),
        (npy("|u1", (), b"\0"), "it has the shape (), expected (N, 81) or (N, 9, 9)"),
        (npy("<U81", (3,), bytes(972)), "it has values of type '<U81'; numbers from 0 to 9 are needed"),
        (npy("|b1", (1, 81), bytes(81)), "it has values of type '|b1'; numbers from 0 to 9 are needed"),
        (npy("|u1", (3, 81), bytes(100)), "it ends after 1 of 3 boards"),
        (npy("|u1", (3, 81), b""), "it ends after 0 of 3 boards"),
        (npy("|u1", (-3, 81), b""), "its header is damaged"),
        (b"\x93NUMPY", "its header is damaged"),
        (npy("|u1", (1 << 60, 81), b""), "its header is damaged"),
        (npy("|u1", (3, 5), b"").replace(b"(3, 5)", b"(0x1" + b"0" * 5000 + b", 5)"), "its header is damaged"),
        (b"\x93NUMPY\1\0\xff\xff{", "its header is damaged"),
        (b"\x93NUMPY\1\0\2\0{}", "its header is damaged"),
        (b"\x93NUMPY\7\0\2\0{}" + bytes(100), "its header is damaged"),
        (b"\x93NUMPY\2\0\xff\xff\xff\xff{}", "its header is damaged"),
    ],
    ids=range(14),
)
def test_arrays_that_cannot_be_read(run, given, message):
    status, _, errors = run("solve", given=given)
    assert status == 2
    assert errors.splitlines()[-1] == f"fastsudoku: cannot read standard input: {message}"


def test_where_arrays_cannot_be_written(run, tmp_path):
    for arguments in (
        ["count", "-o", "x.npy"],
        ["solve", "--json", "-o", "x.npy"],
        ["solve", "-o", "x.npy.gz"],
    ):
        status, output, errors = run(*arguments, given=BOARD)
        assert (status, output) == (2, "")
        assert errors.startswith("fastsudoku: cannot write x.npy")
    assert list(tmp_path.iterdir()) == []
    status, _, errors = run("solve", "--column", "puzzle", given=npy("|u1", (1, 81), bytes(VALUES)))
    assert status == 2
    assert errors.endswith("it is an array, which has no columns: leave out --column\n")


def test_an_empty_array(run, tmp_path):
    empty = npy("<i8", (0, 81), b"")
    message = "fastsudoku: no board in standard input\n"
    assert run("solve", given=empty) == (2, "", message)
    assert run("solve", "-o", "out.npy", given=empty) == (
        2,
        "",
        f"{message}fastsudoku: out.npy is not written\n",
    )
    assert list(tmp_path.iterdir()) == []


# --- packed ----------------------------------------------------------------------------------------------


def zstandard():
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return pytest.importorskip(name)
        except pytest.skip.Exception:
            continue
    pytest.skip("there is no Zstandard")


def test_zstandard(run, tmp_path):
    zstd = zstandard()
    (tmp_path / "in.csv.zst").write_bytes(zstd.compress(f"id,puzzle\n1,{BOARD}\n".encode()))
    assert run("solve", "in.csv.zst", "-o", "out.csv.zst")[0] == 0
    assert zstd.decompress((tmp_path / "out.csv.zst").read_bytes()).decode() == (
        f"id,puzzle,solution,status,guesses\n1,{BOARD},{ANSWER},unique,0\n"
    )
    packed = zstd.compress(f"{BOARD}\n".encode() * 5000)
    for damaged in (packed[:-3], b"not packed at all"):
        (tmp_path / "in.zst").write_bytes(damaged)
        status, _, errors = run("solve", "in.zst")
        assert status == 2
        assert errors.splitlines()[-1].startswith("fastsudoku: cannot read in.zst: ")


WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
from fastsudoku.cli import main
sys.exit(main({arguments}))
"""


def run_without(names, arguments, cwd):
    """Run the command line where some packages are not installed."""
    code = WITHOUT.format(names=names, arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, timeout=60, check=False
    )


def test_without_zstandard(tmp_path):
    (tmp_path / "in.zst").write_bytes(b"x")
    (tmp_path / "in.txt").write_text(BOARD)
    for arguments, message in (
        (["solve", "in.zst"], "cannot read in.zst: for .zst files there has to be Python 3.14 or the package"),
        (["solve", "in.txt", "-o", "out.zst"], "cannot write out.zst: for .zst files there has to be"),
    ):
        done = run_without(["compression.zstd", "backports.zstd"], arguments, tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(f"fastsudoku: {message}")
        assert "(pip install backports.zstd)" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "in.zst"]


# --- in steps --------------------------------------------------------------------------------------------

STEPS = (1, 2, 3, 7, 81, 82, 83, 84, 1000, 1 << 20)
ENDS = {"LF": b"\n", "CR LF": b"\r\n", "CR": b"\r"}


def solve_in_steps(monkeypatch, folder, text, size, name="out.txt", exists=True):
    """Return what is written, and what is said, for a file read in steps of some bytes."""
    monkeypatch.setattr(files, "_FIRST_STEP", size)
    monkeypatch.setattr(files, "_LARGEST_STEP", size)
    (folder / "in").write_bytes(text)
    command = ["solve", "--quiet", str(folder / "in"), "-o", str(folder / name)]
    said = io.StringIO()
    with redirect_stderr(said):
        status = main(command if name.endswith(".npy") else [*command, "--status"])
    return status, (folder / name).read_bytes() if exists else b"", said.getvalue()


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_text_in_steps_of_any_size(monkeypatch, tmp_path, end):
    lines = [BOARD.encode()] * 150 + [
        b"\xff\xfe",
        b"# comment",
        *(line.encode() for line in LINES),
        b"",
        b"x" * 400,
    ]
    text = end.join(lines + [BOARD.encode() + b" name"] * 70)
    expected = solve_in_steps(monkeypatch, tmp_path, text, 1 << 20)
    assert expected[0] == 2
    assert expected[1].count(ANSWER.encode()) == 220
    assert expected[1].count(b"unique") == 221
    assert expected[2].count("line 151: ") == expected[2].count("line 163: ") == 1
    for size in STEPS:
        assert solve_in_steps(monkeypatch, tmp_path, text, size) == expected


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_table_in_steps_of_any_size(monkeypatch, tmp_path, end):
    board = BOARD.encode()
    rows = [
        b"name,puzzle,note",
        *[b"a," + board + b",b"] * 60,
        b'"a, ""b""' + end + b'c","' + board + b'",""',
        end,
    ]
    rows += [b"x,y", b",,", b'"",' + board + b',"' + end * 3 + b'"', b"a,b,c,d", *[b"," + board + b","] * 60]
    text = end.join([*rows, b'last,"' + board])
    expected = solve_in_steps(monkeypatch, tmp_path, text, 1 << 20)
    assert expected[0] == 2
    assert expected[1].count(ANSWER.encode()) == 122
    assert expected[2].count("not a board") == 4
    for size in STEPS:
        assert solve_in_steps(monkeypatch, tmp_path, text, size) == expected


def test_json_lines_in_steps_of_any_size(monkeypatch, tmp_path):
    text = "\n".join([json.dumps({"q": BOARD, "name": "\u00e9"}), "", "hello"] * 20).encode()
    expected = solve_in_steps(monkeypatch, tmp_path, text, 1 << 20)
    assert expected[1].count(ANSWER.encode()) == 20
    for size in STEPS:
        assert solve_in_steps(monkeypatch, tmp_path, text, size) == expected


@pytest.mark.parametrize("name", ["out.txt", "out.npy"])
def test_arrays_in_steps_of_any_size(monkeypatch, tmp_path, name):
    text = npy("<i2", (200, 81), struct.pack("<81h", *VALUES) * 200 + b"what is behind it")
    expected = solve_in_steps(monkeypatch, tmp_path, text, 1 << 20, name)
    assert expected[0] == 0
    for size in STEPS:
        assert solve_in_steps(monkeypatch, tmp_path, text, size, name) == expected


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_pipe_that_does_not_wait(tmp_path):
    """Somebody else may have made standard input one that has nothing instead of waiting."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    with subprocess.Popen(
        [sys.executable, "-m", "fastsudoku", "solve", "--quiet"], stdin=ours, stdout=subprocess.PIPE
    ) as process:
        os.close(ours)
        for _ in range(2):
            os.write(theirs, f"{BOARD}\n".encode())
            assert process.stdout.readline() == f"{ANSWER}\n".encode()
        os.close(theirs)
        assert process.wait(60) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_packed_pipe_is_answered_at_once(tmp_path):
    os.mkfifo(tmp_path / "in.gz")
    with subprocess.Popen(
        [sys.executable, "-m", "fastsudoku", "solve", "--quiet", "in.gz"], cwd=tmp_path, stdout=subprocess.PIPE
    ) as process:
        packer = zlib.compressobj(wbits=31)
        with (tmp_path / "in.gz").open("wb", buffering=0) as file:
            file.write(packer.compress(f"{BOARD}\n".encode()) + packer.flush(zlib.Z_SYNC_FLUSH))
            assert process.stdout.readline() == f"{ANSWER}\n".encode()
            file.write(packer.compress(f"{BOARD}\n".encode()) + packer.flush())
        assert process.stdout.read() == f"{ANSWER}\n".encode()
        assert process.wait(60) == 0


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
from fastsudoku.cli import main
sys.exit(main(["solve", "in.txt", "-o", "{name}"]))
"""


@pytest.mark.parametrize("name", ["out.txt", "out.npy", "out.gz"])
@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_disk_that_becomes_full(tmp_path, name, size):
    pytest.importorskip("resource", reason="there are no limits")
    (tmp_path / "in.txt").write_text("".join(f"{BOARD} {number}\n" for number in range(5000)))
    (tmp_path / name).write_text("what was there")
    code = FULL.format(size=size, name=name)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2
    assert re.fullmatch(rf"fastsudoku: cannot write {name}: [A-Z][a-z ]+\n", done.stderr)
    assert (tmp_path / name).read_text() == "what was there"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_pipe_fed_byte_by_byte():
    text = f"id,puzzle\n1,{BOARD}\n2,{BOARD}\n".encode()
    with subprocess.Popen(
        [sys.executable, "-m", "fastsudoku", "solve", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for byte in text:
            process.stdin.write(bytes([byte]))
            process.stdin.flush()
        # The first answer is there before the end.
        assert process.stdout.readline() == b"id,puzzle,solution,status,guesses\n"
        assert process.stdout.readline().endswith(b",unique,0\n")
        process.stdin.close()
        assert process.stdout.read().startswith(b"2,")
        assert process.wait(60) == 0


def test_long_fields_are_kept(run, tmp_path):
    long = "x" * 600_000
    lines = "\n".join(["y"] * 100_000)
    given = f'puzzle,note\n{BOARD},{long}\n{BOARD},"{lines}"\n{BOARD},z\n'
    status, output, errors = run("solve", given=given)
    assert (status, errors) == (0, "")
    assert [record[:2] for record in records(output)[1:]] == [[BOARD, long], [BOARD, lines], [BOARD, "z"]]
    given = "\n".join(json.dumps({"q": BOARD, "note": note}) for note in ("a", long, "b"))
    answers = [json.loads(line) for line in run("solve", given=given)[1].splitlines()]
    assert [answer["note"] for answer in answers] == ["a", long, "b"]


@pytest.mark.parametrize(
    "start", [f"puzzle,note\n{BOARD},", '{"q": "' + BOARD + '", "note": "'], ids=["CSV", "JSON"]
)
def test_lines_that_do_not_end(run, start):
    status, _, errors = run("solve", given=start + "x" * 20_000_000)
    assert status == 2
    assert errors == "fastsudoku: cannot read standard input: a line of it has more than 16,777,216 bytes\n"


def test_a_record_that_does_not_end(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, "LONGEST_FIELD", 10_000)
    text = f"puzzle,note\n{BOARD}".encode() + b',"\n"' * 10_000
    status, _, said = solve_in_steps(monkeypatch, tmp_path, text, 1000, exists=False)
    assert status == 2
    assert said.startswith(
        f"fastsudoku: cannot read {tmp_path / 'in'}: the record in line 2 has more than 20,000 "
    )


def test_a_title_with_a_comma(run):
    plain = "\n".join(LINES)
    for title in ("Sudoku, easy", "puzzle; 7", "q\tz", "[Puzzle]"):
        assert run("solve", given=f"{title}\n{plain}\n")[1].count(ANSWER[:9]) == 1


def test_lines_that_look_like_a_heading(run):
    assert run("solve", given=f"{BOARD},q\n{BOARD},r\n")[:2] == (0, f"{ANSWER},q\n{ANSWER},r\n")
    status, output, _ = run("solve", given=f"\ufeff# comment\npuzzle,x\n{BOARD},1\n")
    assert (status, output) == (0, f"puzzle,x,solution,status,guesses\n{BOARD},1,{ANSWER},unique,0\n")


def test_fields_that_do_not_end(run, tmp_path):
    """A quotation mark that is never closed spoils its record only."""
    text = b"puzzle,name\n" + BOARD.encode() + b',"' + b"x" * 300_000 + b"\n" + BOARD.encode() + b",b\n"
    (tmp_path / "in.csv").write_bytes(text)
    status, output, errors = run("solve", "in.csv")
    assert status == 2
    assert output.count(ANSWER) == 1
    assert errors == "fastsudoku: in.csv, line 2: not a board: a quotation mark is not closed\n"
    with InputFile(str(tmp_path / "in.csv")) as file:
        assert max(len(chunk) for chunk in read_chunks(file, None)) <= 2


# --- large -----------------------------------------------------------------------------------------------

FEED = """
import sys
block = (sys.argv[1] + "\\n").encode() * 20_000
for _ in range(int(sys.argv[2])):
    sys.stdout.buffer.write(block)
"""
USE = """
import os, subprocess, sys
feed = subprocess.Popen([sys.executable, "-c", *sys.argv[1:4]], stdout=subprocess.PIPE)
command = [sys.executable, "-m", "fastsudoku", "solve"]
solve = subprocess.Popen(command, stdin=feed.stdout, stdout=subprocess.PIPE)
feed.stdout.close()
line = sys.argv[4].encode() + b"\\n"
lines = 0
while data := solve.stdout.read(len(line) * 10_000):
    assert data == line * (len(data) // len(line))
    lines += len(data) // len(line)
_, status, usage = os.wait4(solve.pid, 0)
print(lines, status, usage.ru_maxrss)
"""


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="there is no way to ask for the memory of a process")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizers take memory, too")
@pytest.mark.parametrize("implementation", ["python", ""])
def test_ten_million_boards_from_a_pipe_to_a_pipe(pytestconfig, implementation):
    if implementation != "python" and pytestconfig.getoption("--only-python"):
        pytest.skip("--only-python was given")
    blocks = 500 if implementation != "python" else 1
    done = subprocess.run(
        [sys.executable, "-c", USE, FEED, BOARD, str(blocks), ANSWER],
        env={**os.environ, "FASTSUDOKU_IMPLEMENTATION": implementation},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    lines, status, memory = map(int, done.stdout.split())
    assert (lines, status) == (20_000 * blocks, 0)
    assert memory < (150 << 10 if sys.platform != "darwin" else 150 << 20)
    assert f"{20_000 * blocks:,} boards: {20_000 * blocks:,} unique, 0 several" in done.stderr
