"""The command line as a user meets it: in a process of its own, by bytes and exit statuses."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import engines
from test_kinds import ANSWER, BOARD, FRAMED, LINES, ROWS

import fastsudoku
from fastsudoku._engine import NAMES

NONE = "11" + "." * 79
OPEN = "." * 81
SMALLEST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
SPACED = "".join(" ".join(map(str, row)) + "\n" for row in ROWS)
SPACED_ANSWER = "".join(" ".join(ANSWER[start : start + 9]) + "\n" for start in range(0, 81, 9))
PLAIN = "".join(line.replace(".", "0") + "\n" for line in LINES)
PLAIN_ANSWER = "".join(ANSWER[start : start + 9] + "\n" for start in range(0, 81, 9))


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (BOARD + "\n", ANSWER + "\n"),
        (BOARD, ANSWER + "\n"),
        ("\ufeff" + BOARD + "\r\n", ANSWER + "\n"),
        (BOARD + " name; 7.2\n", ANSWER + " name; 7.2\n"),
        (BOARD + "," + ANSWER, ANSWER + "," + ANSWER + "\n"),
        (f"# comment\n{BOARD}\n\n{BOARD}\n", ANSWER + "\n" + ANSWER + "\n"),
        (f"{BOARD}\r{BOARD}\r", ANSWER + "\n" + ANSWER + "\n"),
        (" ".join(BOARD), " ".join(ANSWER) + "\n"),
        (SPACED, SPACED_ANSWER),
        (SPACED.rstrip(), SPACED_ANSWER),
        (SPACED.replace("\n", " \r\n"), SPACED_ANSWER),
        (SPACED * 2, SPACED_ANSWER * 2),
        (SPACED + "\n" + SPACED, SPACED_ANSWER + "\n" + SPACED_ANSWER),
        (PLAIN, PLAIN_ANSWER),
        (PLAIN.replace("0", "-"), PLAIN_ANSWER),
        (f"Grid 01\n{PLAIN}Grid 02\n{PLAIN}", f"Grid 01\n{PLAIN_ANSWER}Grid 02\n{PLAIN_ANSWER}"),
        (PLAIN + BOARD + "\n" + SPACED, PLAIN_ANSWER + ANSWER + "\n" + SPACED_ANSWER),
        (f"  {BOARD} name 12\n", f"  {ANSWER} name 12\n"),
        (f" {BOARD.replace('.', '-')} #7\n", f" {ANSWER} #7\n"),
        (f" {BOARD.replace('.', '-', 1)} 4\n", f" {ANSWER} 4\n"),
        (f"{BOARD}\n\ufeff{BOARD}\n", f"{ANSWER}\n\ufeff{ANSWER}\n"),
        (f"puzzle\n{PLAIN}", PLAIN_ANSWER),
        ("\n".join(LINES[:3]) + "\n\n" + "\n".join(LINES[3:]), PLAIN_ANSWER[:30] + "\n" + PLAIN_ANSWER[30:]),
    ],
    ids=range(23),
)
def test_answers_have_the_shape_of_the_input(run, given, answer):
    assert run("solve", given=given) == (0, answer, "")


def test_rules_on_one_line(run):
    parts = [LINES[row] + (" *---*---*" if row in (2, 5) else "") for row in range(9)]
    answers = [ANSWER[9 * row : 9 * row + 9] + (" *---*---*" if row in (2, 5) else "") for row in range(9)]
    status, output, _ = run("solve", given=" ".join(parts))
    assert (status, output) in ((0, " ".join(answers) + "\n"), (2, "\n"))


def test_a_board_drawn_with_lines(run):
    given = fastsudoku.format_board(BOARD, unicode=True)
    status, output, errors = run("solve", given=f"{given}\n{given}\n")
    drawn = fastsudoku.format_board(ANSWER, unicode=True)
    assert (status, output, errors) == (0, f"{drawn}\n{drawn}\n", "")


@pytest.mark.parametrize(
    "given",
    ["-" * 60_000 + "x", "." * 60_000 + " --x", "---------------\n" * 20_000, "Grid 01\n" + "\n" * 20_000],
    ids=["dashes", "dots", "rules", "gaps"],
)
def test_nothing_takes_long_to_refuse(run, given):
    status, _, errors = run("check", given=given)
    assert status == 2
    assert len(errors) < 300


def test_a_framed_board(run):
    rule = "+-------+-------+-------+"
    status, output, errors = run("solve", given=f"{FRAMED}\n{rule}\n{BOARD}\n")
    assert (status, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0] == lines[4] == lines[8] == lines[12] == rule
    assert lines[1] == "| 5 3 4 | 6 7 8 | 9 1 2 |"
    assert lines[13:] == [ANSWER]


def test_what_cannot_be_solved_is_said_with_its_line(run):
    given = f"{BOARD}\n# comment\n{NONE}\n{OPEN}\n"
    status, output, errors = run("solve", given=given)
    assert status == 1
    assert output == f"{ANSWER}\n\n{SMALLEST}\n"
    assert errors == (
        "fastsudoku: standard input, line 3: no solution\n"
        "fastsudoku: standard input, line 4: several solutions; the smallest is written\n"
    )


def test_several_solutions_are_solved_unless_asked_to_be_unique(run):
    assert run("solve", given=OPEN)[0] == 0
    assert run("solve", "--unique", given=OPEN)[0] == 1
    assert run("solve", "--unique", given=BOARD) == (0, ANSWER + "\n", "")


def test_what_is_not_a_board_keeps_its_place(run):
    given = f"{BOARD}\nhello\n{BOARD[:80]}\n{BOARD[:22]}x{BOARD[23:80]}y\n{BOARD}\n"
    status, output, errors = run("solve", given=given)
    assert status == 2
    assert output == f"{ANSWER}\n\n\n\n{ANSWER}\n"
    assert errors.splitlines() == [
        "fastsudoku: standard input, line 2: not a board: row 1, column 1: 'h' is not a digit or a blank",
        "fastsudoku: standard input, line 3: not a board: board has 80 cells, expected 81",
        "fastsudoku: standard input, line 4: not a board: row 9, column 9: 'y' is not a digit or a blank",
    ]


@pytest.mark.parametrize(
    ("given", "line", "message"),
    [
        (PLAIN[:-10], 1, "board has 8 rows, expected 9"),
        (f"Grid 01\n{PLAIN[:-10]}Grid 02\n{PLAIN}", 1, "board has 8 rows, expected 9"),
        (PLAIN[:-10] + BOARD, 1, "board has 8 rows, expected 9"),
        (f"{PLAIN[:-10]}\n{PLAIN}", 1, "board has 8 rows, expected 9"),
        (PLAIN.replace("600195000", "60019500"), 1, "row 2 has 8 cells, expected 9"),
        (PLAIN.replace("600195000", "600a95000"), 1, "row 2, column 4: 'a' is not a digit or a blank"),
        (SPACED.replace("6 0 0 1", "6 0 10 1"), 1, "row 2 has 10 cells, expected 9"),
        ("Grid 01\n", 1, "board has 0 cells, expected 81 or 9 rows of 9"),
    ],
    ids=range(8),
)
def test_blocks_that_are_not_boards(run, given, line, message):
    status, output, errors = run("solve", given=given)
    assert status == 2
    assert errors == f"fastsudoku: standard input, line {line}: not a board: {message}\n"
    # Other boards of the input are solved.
    assert output.count(ANSWER[:9]) == given.count(PLAIN) + given.count(BOARD)


def test_a_status_column(run):
    status, output, _ = run("solve", "--status", given=f"{BOARD}\n{NONE}\n{OPEN}\nx\n{SPACED}")
    assert status == 2
    assert output == (f"{ANSWER}\tunique\n\tnone\n{SMALLEST}\tseveral\n\tmalformed\n{SPACED_ANSWER}unique\n")


def test_json(run):
    status, output, _ = run("solve", "--json", given=f"{BOARD}\n{NONE}\n{OPEN}\nx\n{SPACED}")
    assert status == 2
    objects = [json.loads(line) for line in output.splitlines()]
    name = "standard input"
    assert objects == [
        {"file": name, "line": 1, "status": "unique", "solution": ANSWER, "guesses": 0},
        {"file": name, "line": 2, "status": "none", "solution": None, "guesses": 0},
        {"file": name, "line": 3, "status": "several", "solution": SMALLEST},
        {"file": name, "line": 4, "status": "malformed", "error": "board has 1 cell, expected 81"},
        {"file": name, "line": 5, "status": "unique", "solution": ANSWER, "guesses": 0},
    ]


def test_counting(run):
    two = "43.2.597.178.4....9..7...4.8...591...24....5..1..8.6....369....24...1............"
    given = f"{BOARD}\n{NONE}\n{two}\n{OPEN}\nx\n"
    assert run("count", "--limit", 50, given=given) == (
        2,
        "1\n0\n2\n>=50\nmalformed\n",
        "fastsudoku: standard input, line 5: not a board: board has 1 cell, expected 81\n",
    )
    assert run("count", given=OPEN)[1] == ">=10000\n"
    status, output, errors = run("count", "--limit", 0, given=OPEN)
    assert (status, output) == (2, "")
    assert "limit is 0" in errors


def test_checking(run, tmp_path):
    given = f"{BOARD}\n{NONE}\n{OPEN}\nx\n"
    expected = [
        "line 1: unique",
        "line 2: none: row 1 has 1 more than once: row 1 column 1, row 1 column 2; "
        "box 1 has 1 more than once: row 1 column 1, row 1 column 2",
        "line 3: several",
        "line 4: malformed: board has 1 cell, expected 81",
    ]
    assert run("check", given=given) == (2, "".join(line + "\n" for line in expected), "")
    assert run("check", given=f"{BOARD}\n{OPEN}\n")[0] == 1
    assert run("check", given=BOARD)[0] == 0
    (tmp_path / "a.txt").write_text(BOARD)
    assert run("check", "a.txt", "-", given=OPEN) == (
        1,
        "a.txt, line 1: unique\nstandard input, line 1: several\n",
        "",
    )


def test_info(run, pytestconfig):
    status, output, errors = run("info")
    assert (status, errors) == (0, "")
    assert output.startswith("fastsudoku 0.")
    assert "implementation: python\n" in output or f"implementation: {fastsudoku.implementation()}\n" in output
    missing = [line.split()[2] for line in output.splitlines() if line.startswith("not available: ")]
    assert missing == [name for name in NAMES if name not in engines(pytestconfig)]


def test_files(run, tmp_path):
    (tmp_path / "a b.txt").write_text(BOARD)
    (tmp_path / "c.txt").write_text(f"{NONE}\n{BOARD}")
    status, output, errors = run("solve", "a b.txt", "c.txt", tmp_path / "a b.txt")
    assert (status, output) == (1, f"{ANSWER}\n\n{ANSWER}\n{ANSWER}\n")
    assert errors == "fastsudoku: c.txt, line 1: no solution\n"


def test_files_that_cannot_be_read_do_not_stop_the_others(run, tmp_path):
    (tmp_path / "good.txt").write_text(BOARD)
    status, output, errors = run("solve", tmp_path, "missing.txt", "good.txt")
    assert (status, output) == (2, ANSWER + "\n")
    assert errors.splitlines()[1] == "fastsudoku: cannot read missing.txt: No such file or directory"
    assert errors.startswith(f"fastsudoku: cannot read {tmp_path}: ")


@pytest.mark.parametrize("given", ["", "\n\n", "# only a comment\n", "\ufeff"])
def test_no_board_at_all(run, given):
    assert run("solve", given=given) == (2, "", "fastsudoku: no board in standard input\n")


@pytest.mark.parametrize(
    "given",
    [
        bytes(range(256)) * 100,
        b"\x7fELF" + bytes(5000),
        b" \xff\xfe" + BOARD.encode("utf-16-le"),
        b"." * 10_000_000,
        b"5" * 10_000_000 + b"\n" + BOARD.encode(),
        b"x" * 10_000_000,
        b"x," * 5_000_000,
        b"\n" * 100_000 + b"x",
        ("\u2028" + BOARD).encode(),
    ],
    ids=[
        "bytes",
        "program",
        "utf-16",
        "10 MB of dots",
        "10 MB of digits",
        "10 MB of blanks",
        "10 MB of columns",
        "empty lines",
        "separator",
    ],
)
def test_junk(run, given):
    status, _, errors = run("solve", given=given)
    assert status in (0, 2)
    assert (status == 2) == ("not a board" in errors)
    assert max(map(len, errors.splitlines()), default=0) < 300
    assert errors.isascii()


def test_a_long_name_is_kept_or_refused(run):
    name = "\u00e9" * 32_000
    assert run("solve", given=f"{BOARD} {name}END")[:2] == (0, f"{ANSWER} {name}END\n")
    status, output, errors = run("solve", given=f"{BOARD} {name * 2}END")
    assert (status, output) == (2, "\n")
    assert errors == "fastsudoku: standard input, line 1: not a board: line has more than 65,535 characters\n"


@pytest.mark.parametrize("byte", [b"\xa0", b"\x85", b"\xe9", b"\xc2\xa0"])
def test_a_byte_behind_the_cells(run, byte):
    status, output, _ = run("solve", given=BOARD.encode() + byte + b"name\n")
    assert (status, output) in ((2, "\n"), (0, f"{ANSWER}\u00a0name\n"))


def test_a_file_without_a_name(run):
    assert run("solve", "-o", "", given=BOARD) == (2, "", "fastsudoku: cannot write to a file without a name\n")


def test_bytes_behind_a_board_are_kept(run):
    status, output, errors = run("solve", given=BOARD.encode() + b" caf\xe9 \xc3\xa9\n")
    assert (status, errors) == (0, "")
    assert output.encode(errors="surrogateescape") == ANSWER.encode() + b" caf\xe9 \xc3\xa9\n"


@pytest.mark.parametrize(
    "arguments", [[], ["frobnicate"], ["solve", "--frobnicate"], ["count", "--limit", "x"]]
)
def test_wrong_usage(run, arguments):
    status, output, errors = run(*arguments)
    assert (status, output) == (2, "")
    assert errors.startswith("usage: ")


def test_help_and_version(run):
    assert run("--help")[1].startswith("usage: ")
    assert "exit status" in run("solve", "--help")[1]
    assert run("--version")[1].startswith("fastsudoku ")


@pytest.mark.parametrize("name", ["avx1024", "fastest", "DFS", " dfs"])
def test_an_implementation_that_cannot_be(run, name):
    status, output, errors = run("solve", given=BOARD, environment={"FASTSUDOKU_IMPLEMENTATION": name})
    assert (status, output) == (2, "")
    assert errors.startswith(f"fastsudoku: FASTSUDOKU_IMPLEMENTATION={name}")
    assert len(errors.splitlines()) == 1
    status, output, errors = run("info", environment={"FASTSUDOKU_IMPLEMENTATION": name})
    assert status == 2
    assert "implementation:" not in output
    assert len(errors.splitlines()) == 1


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "fastsudoku", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Some runners of tests ignore Ctrl-C, which is inherited.
        preexec_fn=None if os.name == "nt" else lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_an_answer_comes_before_the_next_board(tmp_path):
    process = start("solve", "--quiet")
    process.stdin.write(BOARD.encode() + b"\n")
    process.stdin.flush()
    assert process.stdout.readline() == ANSWER.encode() + b"\n"
    process.stdin.write(SPACED.encode())
    process.stdin.flush()
    assert b"".join(process.stdout.readline() for _ in range(9)) == SPACED_ANSWER.encode()
    output, errors = process.communicate(timeout=60)
    assert (output, errors, process.returncode) == (b"", b"", 0)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes and signals")
def test_a_reader_that_goes_away(tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text((BOARD + "\n") * 20_000)
    with file.open("rb") as given:
        process = subprocess.Popen(
            [sys.executable, "-m", "fastsudoku", "solve"],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout.readline() == ANSWER.encode() + b"\n"
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=60) == 141
    assert errors == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["solve", "count", "check", "info"])
def test_a_full_disk(command, unbuffered):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fastsudoku", command],
            input=BOARD.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"fastsudoku: cannot write: No space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")
@pytest.mark.parametrize(("given", "status"), [(BOARD, 0), (NONE, 1), ("x", 2)])
def test_messages_that_cannot_be_written(given, status):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fastsudoku", "solve"],
            input=given.encode(),
            stdout=subprocess.PIPE,
            stderr=full,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            timeout=60,
            check=False,
        )
    assert done.returncode == status


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_takes_a_part_at_a_time(unbuffered):
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with subprocess.Popen(
        [sys.executable, "-m", "fastsudoku", "solve", "--quiet"],
        stdin=subprocess.PIPE,
        stdout=theirs,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        os.close(theirs)
        process.stdin.write(f"{BOARD}\n".encode() * 5000)
        process.stdin.close()
        time.sleep(0.2)
        with open(ours, "rb") as file:
            assert file.read() == f"{ANSWER}\n".encode() * 5000
        assert process.wait(60) == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells")
def test_an_input_that_is_the_output(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{BOARD}\n")
    with path.open("ab") as file:
        done = subprocess.run(
            [sys.executable, "-m", "fastsudoku", "solve", str(path)],
            stdout=file,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode() == f"fastsudoku: cannot read {path}: it is the output, too\n"
    assert path.read_text() == f"{BOARD}\n"


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_an_interrupt_leaves_whole_lines(tmp_path):
    process = start("count", "--limit", str(10**15))
    process.stdin.write(BOARD.encode() + b"\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"1\n"
    process.stdin.write(OPEN.encode() + b"\n")
    process.stdin.close()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    assert process.wait(timeout=60) == 130
    assert time.monotonic() - sent < 5
    assert process.stdout.read() == b""
    assert process.stderr.read() == b"fastsudoku: interrupted\n"
    process.stdout.close()
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(("closed", "status"), [("<&-", 2), (">&-", 2), ("2>&-", 1)])
def test_closed_standard_streams(tmp_path, closed, status):
    command = f'echo {NONE} | "{sys.executable}" -m fastsudoku solve {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == status


def test_many_bare_lines(run):
    """Lines of cells and nothing else are handled together; what is between them, and where, is the same."""
    lines = [BOARD] * 100 + ["# comment", "." * 81, BOARD + " name", ""] + [BOARD.replace(".", "0")] * 100
    lines += ["11" + "." * 79, "hello", *LINES, *[BOARD] * 70]
    for end in ("\n", "\r\n", "\r"):
        status, output, errors = run("solve", given=end.join(lines) + end)
        answers = output.split("\n")
        assert status == 2
        assert answers[:100] == [ANSWER] * 100
        assert answers[100].startswith("123456789")
        assert answers[101] == ANSWER + " name"
        assert answers[102:202] == [ANSWER] * 100
        assert answers[202:204] == ["", ""]
        assert answers[213:] == [ANSWER] * 70 + [""]
        assert errors.splitlines() == [
            "fastsudoku: standard input, line 102: several solutions; the smallest is written",
            "fastsudoku: standard input, line 205: no solution",
            "fastsudoku: standard input, line 206: not a board: row 1, column 1: 'h' is not a digit or a blank",
        ]
        statuses = run("check", given=end.join(lines) + end)[1].splitlines()
        assert statuses[:100] == [f"line {number}: unique" for number in range(1, 101)]
        assert statuses[100] == "line 102: several"
        counts = run("count", given=end.join(lines) + end)[1].splitlines()
        assert counts[:100] == ["1"] * 100


# --- files that are written ------------------------------------------------------------------------------


def test_an_output_file(run, tmp_path):
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 100)
    (tmp_path / "out.txt").write_text("what was there")
    for target in ("out.txt", "new.txt", "in.txt"):
        assert run("solve", "in.txt", "-o", target) == (0, "", "")
        assert (tmp_path / target).read_text() == f"{ANSWER}\n" * 100
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.txt", "new.txt", "out.txt"]
    assert run("count", "out.txt", "--output", "counts.txt") == (0, "", "")
    assert (tmp_path / "counts.txt").read_text() == "1\n" * 100
    assert run("solve", "out.txt", "-o", "-") == (0, f"{ANSWER}\n" * 100, "")


def test_packed_files(run, tmp_path):
    with gzip.open(tmp_path / "in.txt.gz", "wt") as file:
        file.write(f"{BOARD} name\n" * 500)
    assert run("solve", "in.txt.gz") == (0, f"{ANSWER} name\n" * 500, "")
    assert run("solve", "in.txt.gz", "-o", "a.gz") == run("solve", "in.txt.gz", "-o", "b.gz") == (0, "", "")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()).decode() == f"{ANSWER} name\n" * 500
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    packed = (tmp_path / "in.txt.gz").read_bytes()
    for damaged in (packed[:-20], packed[:30] + b"x" * 30, b"not packed"):
        (tmp_path / "in.txt.gz").write_bytes(damaged)
        status, _, errors = run("solve", "in.txt.gz", "-o", "a.gz")
        assert status == 2
        assert errors.startswith("fastsudoku: cannot read in.txt.gz: ")
        assert errors.endswith("fastsudoku: a.gz is not written\n")


def test_nothing_is_replaced_by_half_of_it(run, tmp_path):
    (tmp_path / "keep.txt").write_text("precious")
    (tmp_path / "in.txt").write_text(f"{BOARD}\n")
    for inputs in (["missing.txt"], ["in.txt", "missing.txt"], ["missing.txt", "in.txt"]):
        status, output, errors = run("solve", *inputs, "-o", "keep.txt")
        assert (status, output) == (2, "")
        assert errors == (
            "fastsudoku: cannot read missing.txt: No such file or directory\n"
            "fastsudoku: keep.txt is not written\n"
        )
        assert (tmp_path / "keep.txt").read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no such name")
def test_an_output_that_is_open_already(run, tmp_path):
    assert run("solve", "-o", "/dev/stdout", given=BOARD) == (0, f"{ANSWER}\n", "")
    target = tmp_path / "out.txt"
    target.write_text("old\n")
    with target.open("ab") as file:
        subprocess.run(
            [sys.executable, "-m", "fastsudoku", "solve", "-o", "/dev/stdout"],
            input=BOARD.encode(),
            stdout=file,
            check=True,
        )
    assert target.read_text() == f"old\n{ANSWER}\n"


def test_names_of_output_files(run, tmp_path):
    name = "x" * 240 + ".txt"
    assert run("solve", "-o", name, given=BOARD) == (0, "", "")
    assert (tmp_path / name).read_text() == f"{ANSWER}\n"
    status, _, errors = run("solve", "-o", "folder/", given=BOARD)
    assert (status, errors) == (2, "fastsudoku: cannot write folder/: Is a directory\n")


def test_bad_rows_keep_their_place_in_the_file(run, tmp_path):
    (tmp_path / "in.txt").write_text(f"{BOARD}\nhello\n{NONE}\n{BOARD}\n")
    status, output, errors = run("solve", "in.txt", "-o", "out.txt")
    assert (status, output, len(errors.splitlines())) == (2, "", 2)
    assert (tmp_path / "out.txt").read_text() == f"{ANSWER}\n\n\n{ANSWER}\n"


@pytest.mark.parametrize("target", ["none/out.txt", ".", "file.txt/out.txt"])
def test_a_file_that_cannot_be_written(run, tmp_path, target):
    (tmp_path / "file.txt").write_text("x")
    status, output, errors = run("solve", "-o", target, given=BOARD)
    assert (status, output) == (2, "")
    assert errors.startswith(f"fastsudoku: cannot write {target}: ")
    assert len(errors.splitlines()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")
def test_an_output_file_on_a_full_disk(run):
    status, output, errors = run("solve", "-o", "/dev/full", given=BOARD)
    assert (status, output) == (2, "")
    assert errors == "fastsudoku: cannot write /dev/full: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="POSIX has modes and signals")
def test_a_file_keeps_its_mode(run, tmp_path):
    target = tmp_path / "out.txt"
    for mode in (0o600, 0o664, 0o755):
        target.write_text("x")
        target.chmod(mode)
        assert run("solve", "-o", "out.txt", given=BOARD)[0] == 0
        assert target.stat().st_mode & 0o777 == mode
        target.unlink()
    assert run("solve", "-o", "out.txt", given=BOARD)[0] == 0
    (tmp_path / "other.txt").write_text("x")
    assert target.stat().st_mode == (tmp_path / "other.txt").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_program_that_is_ended_leaves_no_half_file(tmp_path, sent):
    target = tmp_path / "out.txt"
    target.write_text("what was there")
    with subprocess.Popen(
        # A shell has programs in the background ignore SIGINT, and so all that these start.
        [
            sys.executable,
            "-c",
            "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "from fastsudoku.cli import main; sys.exit(main(sys.argv[1:]))",
            "solve",
            "-o",
            str(target),
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdin.write(f"{BOARD}\n".encode() * 30_000)
        process.stdin.flush()
        until = time.monotonic() + 60
        while not [file for file in tmp_path.iterdir() if file.stat().st_size > 1_000_000]:
            assert time.monotonic() < until, "nothing is written"
            time.sleep(0.01)
        process.send_signal(sent)
        assert process.wait(60) == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[sent]
    assert target.read_text() == "what was there"
    # Nobody can clean up behind SIGKILL.
    assert len(list(tmp_path.iterdir())) == (2 if sent == signal.SIGKILL else 1)


def test_blank_lines_before_bare_lines_are_not_part_of_a_later_block(run):
    given = f"\n{BOARD}\n{PLAIN}"
    assert run("solve", given=given) == (0, f"{ANSWER}\n{PLAIN_ANSWER}", "")
