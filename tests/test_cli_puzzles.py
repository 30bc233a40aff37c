"""The commands about puzzles: generate, minimize and rate."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest

import fastsudoku
from fastsudoku.cli import main

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEVERAL = "." * 81
NONE = "11" + "." * 79


# --- generate --------------------------------------------------------------------------------------------


def test_lines(run):
    status, output, errors = run("generate", "-n", 5, "--clues", "24-28", "--symmetry", "rot180", "--seed", 1)
    made = fastsudoku.generate(5, clues=(24, 28), symmetry="rot180", seed=1)
    assert (status, output) == (0, made.puzzles.lines().decode())
    assert errors.startswith("fastsudoku: 5 puzzles; ")
    assert errors.endswith(" puzzles/s; --seed 1\n")
    assert run("generate", "--clues", 30, "--seed", 1, "-q") == (
        0,
        fastsudoku.generate(1, clues=30, seed=1)[0].puzzle + "\n",
        "",
    )


def test_a_table(run, tmp_path):
    made = fastsudoku.generate(60, clues=32, seed=7)
    expected = [
        {
            "puzzle": each.puzzle,
            "solution": each.solution,
            "clues": "32",
            "guesses": str(each.guesses),
            "minimal": str(int(each.minimal)),
            "met": "1",
        }
        for each in made
    ]
    arguments = ["generate", "-n", 60, "--clues", 32, "--seed", 7, "-q"]
    assert run(*arguments, "-o", "puzzles.csv") == (0, "", "")
    text = (tmp_path / "puzzles.csv").read_text()
    assert text.startswith("puzzle,solution,clues,guesses,minimal,met\n")
    assert list(csv.DictReader(io.StringIO(text))) == expected
    assert run(*arguments, "--csv") == (0, text, "")
    assert run(*arguments, "-o", "puzzles.csv.gz") == (0, "", "")
    assert gzip.decompress((tmp_path / "puzzles.csv.gz").read_bytes()).decode() == text
    # What is made can be solved by the command that reads tables.
    status, solved, _ = run("solve", "puzzles.csv")
    assert status == 0
    assert [row["solution"] for row in csv.DictReader(io.StringIO(solved))] == list(made.solutions)


def test_work_goes_on_where_it_ended(run):
    arguments = ["generate", "--clues", 30, "--seed", 3, "-q"]
    whole = run(*arguments, "-n", 70)[1].splitlines()
    assert run(*arguments, "-n", 50, "--start", 20)[1].splitlines() == whole[20:]
    assert run(*arguments, "-n", 70, "--threads", 1)[1].splitlines() == whole
    assert len(set(whole)) == 70


def test_json_lines(run, tmp_path):
    status, output, _ = run("generate", "-n", 2, "--json", "--minimal", "--guesses", "1-5", "--seed", 2)
    assert status == 0
    made = fastsudoku.generate(2, minimal=True, guesses=(1, 5), seed=2)
    assert [json.loads(line) for line in output.splitlines()] == [each._asdict() for each in made]
    assert run("generate", "-n", 2, "--minimal", "--guesses", "1-5", "--seed", 2, "-o", "a.jsonl")[0] == 0
    assert (tmp_path / "a.jsonl").read_text() == output


def test_an_array(run, tmp_path):
    assert run("generate", "-n", 50, "--clues", 30, "--seed", 2, "-o", "a.npy", "-q") == (0, "", "")
    made = fastsudoku.generate(50, clues=30, seed=2)
    data = (tmp_path / "a.npy").read_bytes()
    assert b"'shape': (50, 81)" in data[:128]
    assert data[128:] == bytes(made.puzzles.cells)
    status, output, _ = run("solve", "a.npy")
    assert (status, output) == (0, made.solutions.lines().decode())


def test_without_a_seed(run):
    first, second = (run("generate", "--clues", 30) for _ in range(2))
    assert first[1] != second[1]
    # What was taken is told, so that the same can be made again.
    seed = first[2].split("--seed ")[1].strip()
    assert run("generate", "--clues", 30, "--seed", seed)[1] == first[1]


def test_a_pattern_and_a_grid(run):
    made = fastsudoku.generate(2, pattern=EASY, seed=5)
    assert run("generate", "-n", 2, "--pattern", EASY, "--seed", 5, "-q") == (
        0,
        made.puzzles.lines().decode(),
        "",
    )
    grid = fastsudoku.solve(EASY)
    made = fastsudoku.generate(2, grid=grid, seed=5)
    assert run("generate", "-n", 2, "--grid", grid, "--seed", 5, "-q") == (0, made.puzzles.lines().decode(), "")


def test_puzzles_that_are_not_found(run, tmp_path):
    arguments = ["generate", "-n", 30, "--clues", 17, "--max-attempts", 2, "--seed", 1]
    made = fastsudoku.generate(30, clues=17, max_attempts=2, seed=1)
    status, output, errors = run(*arguments)
    assert (status, output) == (1, made.puzzles.lines().decode())
    lines = errors.splitlines()
    assert lines[0] == f"fastsudoku: row 0: {made.errors[0]}"
    assert len(lines) == 22
    assert lines[20] == "fastsudoku: and more; how many is said at the end"
    assert lines[21].startswith("fastsudoku: 30 puzzles, 30 of them not as asked for; ")
    status, output, errors = run(*arguments, "--start", 7, "--strict", "-o", "a.txt")
    assert (status, output) == (1, "")
    lines = errors.splitlines()
    assert lines[0] == f"fastsudoku: row 7: {made.errors[7]}"
    assert lines[-1] == "fastsudoku: a.txt is not written"
    assert len(lines) == 3
    assert not (tmp_path / "a.txt").exists()
    # For a pattern without a puzzle there is an empty line, or an empty record.
    pattern = "1" * 9 + "1........" * 8
    arguments = ["generate", "-n", 2, "--pattern", pattern, "--max-attempts", 2, "-q"]
    assert run(*arguments)[:2] == (1, "\n\n")
    assert run(*arguments, "--csv")[:2] == (
        1,
        "puzzle,solution,clues,guesses,minimal,met\n,,0,,0,0\n,,0,,0,0\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--clues", "16"], "clues is 16; it has to be an integer from 17 to 81"),
        (["--clues", "x"], "--clues is 'x'; it has to be a number, or a range such as 24-28 or 24-"),
        (["--clues", "28-24"], "the least is more than the most"),
        (["--guesses", "-"], "--guesses is '-'"),
        (["--symmetry", "rot45"], "symmetry is 'rot45'; it can be none, rot180"),
        (["--symmetry", "rot90", "--clues", "26"], "the nearest are 25 and 28"),
        (["--pattern", "1" * 80], "the pattern has 80 cells"),
        (["--grid", "." * 81], "grid has a blank in row 1, column 1"),
        (["-n", "-1"], "-n is -1"),
        (["--start", "-1"], "--start is -1"),
        (["--seed", "-1"], "--seed is -1; it has to be an integer from 0 to 2**64 - 1\n"),
        (["--max-attempts", "0"], "--max-attempts is 0"),
        (["--threads", "0"], "--threads is 0"),
        (["--csv", "--json"], "--csv and --json are two forms"),
        (["-o", "a.npy", "--csv"], "cannot write a.npy: an array has the puzzles only"),
        (["-o", "a.npy.gz"], "cannot write a.npy.gz"),
        (
            ["-o", "a.JSON"],
            "cannot write a.JSON: what is written are lines of text, a table (.csv), JSON lines",
        ),
        (["-o", "a.parquet"], "cannot write a.parquet"),
        (["-o", "nowhere/a.txt"], "cannot write nowhere/a.txt"),
        (["-n", "x"], "invalid int value: 'x'"),
    ],
)
def test_wrong_usage(run, tmp_path, arguments, message):
    status, output, errors = run("generate", *arguments)
    assert (status, output) == (2, "")
    assert message in errors
    assert list(tmp_path.iterdir()) == []


def test_no_puzzles(run):
    assert run("generate", "-n", 0, "-q") == (0, "", "")
    assert run("generate", "-n", 0, "-q", "--csv") == (0, "puzzle,solution,clues,guesses,minimal,met\n", "")


def test_a_large_number_is_made_in_steps(capfd):
    """What is written does not depend on how many are made at a time."""
    assert main(["generate", "-n", "3000", "--clues", "40", "--seed", "9", "-q"]) == 0
    assert capfd.readouterr().out == fastsudoku.generate(3000, clues=40, seed=9).puzzles.lines().decode()


# --- minimize --------------------------------------------------------------------------------------------


def test_minimize(run):
    grids = fastsudoku.random_grids(3, seed=1)
    given = "\n".join([EASY, *grids, ""])
    made = fastsudoku.minimize_many([EASY, *grids], seed=6)
    assert run("minimize", "--seed", 6, given=given) == (0, made.puzzles.lines().decode(), "")
    assert run("minimize", given=given)[1] != run("minimize", given=given)[1]


def test_minimize_what_has_not_one_solution(run):
    status, output, errors = run("minimize", "--seed", 1, given=f"{EASY}\n{SEVERAL}\n{NONE}\n")
    assert status == 1
    assert output.splitlines() == [fastsudoku.minimize(EASY, seed=1), "", ""]
    assert (
        "1 unique, 1 several, 1 none, 0 malformed"
        in run("minimize", given=f"{EASY}\n{SEVERAL}\n{NONE}\n", with_summary=True)[2]
    )
    assert errors.splitlines() == [
        "fastsudoku: standard input, line 2: the board has several solutions; "
        "only a puzzle with one can be minimal",
        "fastsudoku: standard input, line 3: the board has no solution; only a puzzle with one can be minimal",
    ]
    status, output, errors = run("minimize", "-q", given=f"{EASY}\nx\n")
    assert status == 2
    assert output.splitlines()[1:] == [""]
    assert "line 2: not a board" in errors


def test_minimize_rows_of_many_files(run, tmp_path):
    """The seed goes with the row of all boards, wherever they are read from and however many at a time."""
    grids = list(fastsudoku.random_grids(40, seed=3))
    (tmp_path / "a.txt").write_text("\n".join(grids[:25]) + "\n")
    (tmp_path / "b.csv").write_text(
        "puzzle,n\n" + "".join(f"{grid},{n}\n" for n, grid in enumerate(grids[25:]))
    )
    status, output, _ = run("minimize", "--seed", 2, "a.txt", "b.csv")
    assert status == 0
    assert output == fastsudoku.minimize_many(grids, seed=2).puzzles.lines().decode()
    status, output, errors = run("minimize", "--seed", 2, "--start", 25, "b.csv", with_summary=True)
    assert output == fastsudoku.minimize_many(grids, seed=2).puzzles[25:].lines().decode()
    assert errors.endswith("; --seed 2\n")
    assert run("minimize", "-o", "c.csv", "a.txt")[::2] == (
        2,
        "fastsudoku: cannot write c.csv: what is written are lines of text\n",
    )
    assert run("rate", "-o", "c.jsonl", "a.txt")[0] == 2


# --- rate ------------------------------------------------------------------------------------------------


def test_rate(run):
    locked = fastsudoku.generate(1, clues=26, seed=3)[0].puzzle
    status, output, errors = run("rate", given="\n".join([EASY, HARD, locked, ""]))
    assert (status, errors) == (0, "")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert rows[0] == {"puzzle": EASY, "status": "unique", "guesses": "0", "technique": "naked singles"}
    assert rows[1] == {"puzzle": HARD, "status": "unique", "guesses": "49", "technique": "guesses"}
    assert int(rows[2]["guesses"]) == fastsudoku.rate(locked).guesses


def test_rate_the_spread(run):
    status, output, _ = run("rate", "--shuffles", 5, "--seed", 4, given=f"{HARD}\n{NONE}\n")
    assert status == 1
    spread = fastsudoku.rate(HARD, shuffles=5, seed=4).spread
    assert output.splitlines() == [
        "puzzle,status,guesses,technique,mean,median,low,high",
        f"{HARD},unique,49,guesses,{spread.mean:g},{spread.median:g},{spread.low},{spread.high}",
        f"{NONE},none,0,,,,,",
    ]


def test_rate_what_has_not_one_solution(run):
    status, output, errors = run("rate", given=f"{SEVERAL}\nx\n")
    assert status == 2
    assert output == f"puzzle,status,guesses,technique\n{SEVERAL},several,,\n,malformed,,\n"
    assert "line 2: not a board" in errors
    assert run("rate", "--shuffles", -1, given=EASY)[0] == 2
    assert run("rate", "--seed", -1, given=EASY)[0] == 2
    assert run("rate", "--start", -1, given=EASY)[0] == 2
    assert run("rate", "-o", "a.npy", given=EASY)[0] == 2


def test_techniques_have_names(run):
    puzzles = fastsudoku.generate(120, seed=1).puzzles.strings()
    output = run("rate", "-q", given="\n".join([*puzzles, ""]))[1]
    found = {row["technique"] for row in csv.DictReader(io.StringIO(output))}
    assert found >= {"hidden singles", "singles", "locked candidates", "triads", "guesses"}
