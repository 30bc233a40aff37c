"""What the command line says besides its answers: the summary, the bar, and ``fastsudoku bench``."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time

import pytest
from test_kinds import ANSWER, BOARD

from fastsudoku._engine import NAMES

NONE = "11" + "." * 79
OPEN = "." * 81


# --- the summary -----------------------------------------------------------------------------------------


def test_a_summary_of_several_boards(run):
    given = f"{BOARD}\n{NONE}\n{OPEN}\nx\n" + f"{BOARD}\n" * 1200
    for arguments in (["solve"], ["check"], ["count"]):
        errors = run(*arguments, given=given, with_summary=True)[2].splitlines()
        assert re.fullmatch(
            r"fastsudoku: 1,204 boards: 1,201 unique, 1 several, 1 none, 1 malformed; [\d,]+ boards/s",
            errors[-1],
        )
        assert "boards/s" not in run(*arguments, "--quiet", given=given, with_summary=True)[2]
    errors = run("count", "--limit", "1", given=given, with_summary=True)[2].splitlines()
    assert re.fullmatch(r"fastsudoku: 1,204 boards: 1 malformed; [\d,]+ boards/s", errors[-1])


def test_one_board_has_no_summary(run):
    assert run("solve", given=BOARD, with_summary=True) == (0, f"{ANSWER}\n", "")
    errors = run("solve", "-o", "out.txt", given=BOARD, with_summary=True)[2]
    assert errors.startswith("fastsudoku: 1 board: 1 unique, ")


def test_strict(run, tmp_path):
    lines = [BOARD] * 100 + ["x", BOARD, "y"]
    for given in (
        "\n".join(lines),
        "puzzle,n\n" + ",1\n".join(lines),
        "\n".join(map(json.dumps, [[0] * 81, *lines])),
    ):
        status, output, errors = run("solve", "--strict", "--status", given=given)
        assert status == 2
        assert output.count("unique") == 100
        assert output.count("malformed") == 1
        assert len([line for line in errors.splitlines() if "not a board" in line]) == 1
        status, output, errors = run("solve", "--strict", "-o", "out.txt", given=given)
        assert (status, output) == (2, "")
        assert errors.endswith("fastsudoku: out.txt is not written\n")
        assert list(tmp_path.iterdir()) == []
    assert run("count", "--strict", given="\n".join(lines))[1] == "1\n" * 100 + "malformed\n"
    assert run("solve", "--strict", given=f"{BOARD}\n{NONE}\n{BOARD}\n")[1] == f"{ANSWER}\n\n{ANSWER}\n"


def test_threads(run):
    given = (f"{BOARD}\n" * 50 + f"{OPEN}\n") * 20
    expected = run("solve", given=given)
    assert (
        run("solve", "--threads", "1", given=given) == run("solve", "--threads", "3", given=given) == expected
    )
    status, output, errors = run("solve", "--threads", "0", given=BOARD)
    assert (status, output) == (2, "")
    assert errors == "fastsudoku: --threads is 0; it has to be an integer of 1 or more\n"


# --- the bar ---------------------------------------------------------------------------------------------

# Slow boards, so that there is time for a bar.
WITH_BAR = """
import sys
if not {with_tqdm}:
    sys.modules["tqdm"] = None
from fastsudoku.cli import files, main, report
report._FIRST_SHOWN = report._INTERVAL = 0
files._FIRST_STEP = files._LARGEST_STEP = 82
sys.exit(main({arguments}))
"""


def on_a_terminal(folder, arguments, with_tqdm=False, output=subprocess.DEVNULL, given=b""):
    """Run the command line with standard error on a terminal; return the exit status and what is on it."""
    pty = pytest.importorskip("pty", reason="there are no terminals to be had")
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 25, 120, 0, 0))
    code = WITH_BAR.format(with_tqdm=with_tqdm, arguments=arguments)
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdin=subprocess.PIPE, stdout=output or theirs, stderr=theirs
    ) as process:
        process.stdin.write(given)
        process.stdin.close()
        os.close(theirs)
        shown = b""
        until = time.monotonic() + 60
        while time.monotonic() < until and select.select([ours], [], [], until - time.monotonic())[0]:
            try:
                data = os.read(ours, 1 << 16)
            except OSError:
                break
            if not data:
                break
            shown += data
        process.wait(60)
    os.close(ours)
    return process.returncode, shown.decode()


def test_a_bar_on_a_terminal(tmp_path):
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 50 + "x\n" + f"{BOARD}\n" * 49)
    status, shown = on_a_terminal(tmp_path, ["solve", "in.txt", "-o", "out.txt"])
    assert status == 2
    bars = re.findall(r"\rfastsudoku: (\d+) boards, ([\d,]+) boards/s, (\d+) %, (\d+:\d\d) left", shown)
    assert len(bars) > 50
    assert [int(bar[2]) for bar in bars] == sorted(int(bar[2]) for bar in bars)
    # A message has a line of its own, and the bar is gone at the end.
    assert re.search(r"\r +\rfastsudoku: in\.txt, line 51: not a board: [^\r]*\r\n", shown)
    assert re.search(r"\r +\rfastsudoku: 100 boards: 99 unique, [^\r]*\r\n$", shown)
    assert (tmp_path / "out.txt").read_text() == f"{ANSWER}\n" * 50 + "\n" + f"{ANSWER}\n" * 49


def test_a_bar_of_tqdm(tmp_path):
    pytest.importorskip("tqdm")
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 50 + "x\n" + f"{BOARD}\n" * 49)
    status, shown = on_a_terminal(tmp_path, ["solve", "in.txt", "-o", "out.txt"], with_tqdm=True)
    assert status == 2
    assert re.search(r"fastsudoku: +\d+%\|", shown)
    assert "boards/s" in shown
    assert "fastsudoku: in.txt, line 51: not a board: " in shown
    assert re.search(r"fastsudoku: 100 boards: 99 unique, [^\r]*\r\n$", shown)


@pytest.mark.parametrize("name", ["TQDM_MININTERVAL", "TQDM_BAR_FORMAT", "TQDM_ASCII"])
def test_settings_of_tqdm_never_stop_the_work(tmp_path, monkeypatch, name):
    pytest.importorskip("tqdm")
    monkeypatch.setenv(name, "{foo}")
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 100)
    status, shown = on_a_terminal(tmp_path, ["solve", "in.txt", "-o", "out.txt"], with_tqdm=True)
    assert (status, "Traceback" in shown) == (0, False)
    assert (tmp_path / "out.txt").read_text() == f"{ANSWER}\n" * 100


def test_tqdm_can_be_switched_off(tmp_path, monkeypatch):
    pytest.importorskip("tqdm")
    monkeypatch.setenv("TQDM_DISABLE", "1")
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 100)
    status, shown = on_a_terminal(tmp_path, ["solve", "in.txt", "-o", "out.txt"], with_tqdm=True)
    assert status == 0
    assert re.search(r"\rfastsudoku: \d+ boards, ", shown)


def test_no_bar_where_nobody_wants_one(tmp_path):
    (tmp_path / "in.txt").write_text(f"{BOARD}\n" * 100)
    # Where the answers are on the terminal, too.
    shown = on_a_terminal(tmp_path, ["solve", "in.txt"], output=None)[1]
    assert shown.count(ANSWER) == 100
    assert "left" not in shown
    assert on_a_terminal(tmp_path, ["solve", "--quiet", "in.txt"]) == (0, "")


@pytest.mark.parametrize("with_tqdm", [False, True])
def test_a_bar_of_a_pipe_has_no_end(tmp_path, with_tqdm):
    if with_tqdm:
        pytest.importorskip("tqdm")
    given = f"{BOARD}\n".encode() * 50 + b"x\n"
    status, shown = on_a_terminal(tmp_path, ["solve", "-", "-o", "out.txt"], with_tqdm, given=given)
    assert status == 2
    assert "boards/s" in shown
    assert "left" not in shown
    assert "%" not in shown
    assert re.search(r"fastsudoku: 51 boards: 50 unique, [^\r]*\r\n$", shown)


# --- bench -----------------------------------------------------------------------------------------------

QUICK = """
import sys
from fastsudoku.cli import bench, main
bench._SECONDS = 1e-4
bench._COMPARED = 5
{before}
sys.exit(main(["bench", *{arguments}]))
"""


@pytest.fixture
def bench(tmp_path):
    """Return a function that runs ``fastsudoku bench`` with short runs."""

    def bench(*arguments, before=""):
        code = QUICK.format(before=before, arguments=list(arguments))
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return bench


def test_a_table_of_speeds(bench):
    status, output, errors = bench("--threads", "1", "--threads", "2", "--rounds", "1")
    assert (status, errors) == (0, "")
    lines = output.splitlines()
    assert "fastsudoku" in lines[0]
    header = lines[3].split()
    assert header[:3] == ["set", "boards", "threads"]
    names = [name for name in header[3:] if name in NAMES]
    assert header[3 + len(names) :] == ([f"{names[0]}/python"] if len(names) > 1 else [])
    assert names == [name for name in NAMES if name in names]
    assert names[-1] == "python"
    rows = [line.split() for line in lines[4:]]
    threads = ["1"] if names == ["python"] else ["1", "2"]
    sets = ["easy", "minimal", "hard", "several"]
    assert [(row[0], row[2]) for row in rows] == [(name, number) for name in sets for number in threads]
    for row in rows:
        rates = row[3 : 3 + len(names)]
        assert all(int(rate.replace(",", "")) > 0 for rate in rates if rate != "-")
        assert rates.count("-") == (row[2] == "2")


def test_speeds_as_json(bench):
    status, output, errors = bench("--json", "--set", "easy", "--implementation", "python", "--rounds", "2")
    assert (status, errors) == (0, "")
    found = json.loads(output)
    assert {"fastsudoku", "rules", "processor", "cpus", "system", "python", "results"} == set(found)
    (result,) = found["results"]
    assert (result["set"], result["implementation"], result["threads"]) == ("easy", "python", 1)
    assert len(result["runs"]) == 2
    assert min(result["runs"]) <= result["boards_per_second"] <= max(result["runs"])
    assert result["boards"] == 200


def test_speeds_with_boards_of_a_file(bench, tmp_path):
    (tmp_path / "in.csv").write_text(f"id,puzzle\n1,{BOARD}\n2,{NONE}\n3,{OPEN}\n")
    status, output, _ = bench("in.csv", "--implementation", "python", "--rounds", "1", "--json")
    assert status == 0
    assert [(result["set"], result["boards"]) for result in json.loads(output)["results"]] == [("in.csv", 3)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "x"], "--set x: unknown; it can be one of easy, minimal, hard, several"),
        (["--implementation", "x"], "--implementation x: unknown; it can be one of avx512, "),
        (["--threads", "0"], "--threads is 0; it has to be an integer of 1 or more"),
        (["--rounds", "0"], "--rounds is 0; it has to be an integer of 1 or more"),
        (["missing.txt"], "cannot read missing.txt: No such file or directory"),
        (["empty.txt"], "no board in empty.txt"),
        (["bad.txt"], "bad.txt, line 2: not a board: row 1, column 1: 'h' is not a digit or a blank"),
        (["--plot", "x.txt"], "cannot draw x.txt: the name has to end in .png, .svg, .pdf"),
    ],
)
def test_what_cannot_be_measured(bench, tmp_path, arguments, message):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "bad.txt").write_text(f"{BOARD}\nhello\n")
    status, output, errors = bench(*arguments)
    assert (status, output) == (2, "")
    assert errors.startswith(f"fastsudoku: {message}")
    assert len(errors.splitlines()) == 1


def test_an_implementation_that_differs_is_found_out(bench):
    wrong = """
import fastsudoku._engine_py as engine
right = engine.solve_range
def solve_range(cells, status, solutions, guesses, *others):
    right(cells, status, solutions, guesses, *others)
    guesses[0] += 1
engine.solve_range = solve_range
engine.NAME = "python"
"""
    arguments = ["--implementation", "dfs", "--implementation", "python", "--set", "easy"]
    status, _, errors = bench(*arguments, before=wrong)
    if "cannot be used" in errors:
        pytest.skip("there is no other implementation")
    assert (status, errors) == (2, "fastsudoku: python and dfs do not agree on easy: please report this\n")


def test_a_chart(bench, tmp_path):
    pytest.importorskip("matplotlib")
    arguments = ["--implementation", "python", "--set", "easy", "--rounds", "1"]
    for name, start in (("x.png", b"\x89PNG"), ("x.svg", b"<?xml"), ("x.pdf", b"%PDF")):
        assert bench(*arguments, "--plot", name)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    assert len(list(tmp_path.iterdir())) == 3
    status, output, errors = bench(*arguments, "--plot", "none/x.png")
    assert (status, output) == (2, "")
    assert errors == "fastsudoku: cannot write none/x.png: No such file or directory\n"


def test_no_chart_without_matplotlib(bench):
    for name in ("matplotlib", "matplotlib.figure"):
        status, output, errors = bench("--plot", "x.png", before=f"sys.modules[{name!r}] = None")
        assert (status, output) == (2, "")
        assert errors == "fastsudoku: --plot needs matplotlib (pip install matplotlib)\n"
