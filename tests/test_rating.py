"""How hard puzzles are: guesses, their spread over equivalent forms, and techniques."""

from __future__ import annotations

import pickle
from statistics import mean, median

import pytest
from random_boards import random_puzzle
from test_answers import OWN

import fastsudoku
from fastsudoku import BoardError, Status, SudokuError, Technique
from fastsudoku import rating as rating_module
from fastsudoku._grids_py import equivalent_form
from fastsudoku.boards import read
from fastsudoku.philox import FORMS, Stream

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
NONE = "11" + "." * 79


# --- a human solver, to test against ---------------------------------------------------------------------

UNITS = (
    [[9 * row + column for column in range(9)] for row in range(9)]
    + [[9 * row + column for row in range(9)] for column in range(9)]
    + [
        [27 * band + 9 * row + 3 * stack + column for row in range(3) for column in range(3)]
        for band in range(3)
        for stack in range(3)
    ]
)
PEERS = [{other for unit in UNITS if cell in unit for other in unit} - {cell} for cell in range(81)]


def human(board, techniques):
    """Tell whether some techniques solve a board, step by step as a person does it."""
    digits = [int(character) if character.isdigit() else 0 for character in board.replace(".", "0")]
    candidates = [set(range(1, 10)) for _ in range(81)]

    def place(cell, digit):
        digits[cell] = digit
        candidates[cell] = set()
        for peer in PEERS[cell]:
            candidates[peer].discard(digit)

    for cell in range(81):
        if digits[cell]:
            place(cell, digits[cell])
    changed = True
    while changed:
        changed = False
        for cell in range(81):
            if "naked" in techniques and len(candidates[cell]) == 1:
                place(cell, min(candidates[cell]))
                changed = True
        for unit in UNITS:
            for digit in range(1, 10):
                places = [cell for cell in unit if digit in candidates[cell]]
                if "hidden" in techniques and len(places) == 1:
                    place(places[0], digit)
                    changed = True
                if "locked" in techniques and places:
                    for other in UNITS:
                        if other != unit and set(places) <= set(other):
                            for cell in set(other) - set(places):
                                changed |= digit in candidates[cell]
                                candidates[cell].discard(digit)
    return all(digits)


NAMES = [
    (Technique.NAKED_SINGLES, "naked singles"),
    (Technique.HIDDEN_SINGLES, "hidden singles"),
    (Technique.SINGLES, "singles"),
    (Technique.LOCKED_CANDIDATES, "locked candidates"),
    (Technique.TRIADS, "triads"),
]


def by_human(board):
    found = Technique(0)
    for technique, names in (
        (Technique.NAKED_SINGLES, ["naked"]),
        (Technique.HIDDEN_SINGLES, ["hidden"]),
        (Technique.SINGLES, ["naked", "hidden"]),
        (Technique.LOCKED_CANDIDATES, ["naked", "hidden", "locked"]),
    ):
        if human(board, names):
            found |= technique
    return found


def puzzles():
    from random import Random

    random = Random(17)
    boards = [
        random_puzzle(random, clues) for clues in (0, 0, 0, 24, 26, 28, 30, 32, 34, 36, 40) for _ in range(4)
    ]
    return [*boards, EASY, HARD, fastsudoku.solve(EASY)]


def test_techniques(engine):
    kinds = set()
    for board in puzzles():
        rating = fastsudoku.rate(board)
        assert rating.techniques & ~Technique.TRIADS == by_human(board), board
        # All rules of the engine are those of the techniques, and triads.
        assert (Technique.TRIADS in rating.techniques) == (rating.guesses == 0)
        names = [name for technique, name in NAMES if technique in rating.techniques]
        assert rating.technique == [*names, "guesses"][0]
        kinds.add(rating.techniques)
        assert rating.naked_singles == (Technique.NAKED_SINGLES in rating.techniques)
        assert rating.hidden_singles == (Technique.HIDDEN_SINGLES in rating.techniques)
        assert rating.singles == (Technique.SINGLES in rating.techniques)
        assert rating.locked_candidates == (Technique.LOCKED_CANDIDATES in rating.techniques)
    assert len(kinds) >= 4


def test_techniques_of_engines(both_engines, monkeypatch):
    pure, compiled = both_engines
    monkeypatch.setattr(fastsudoku._engine, "engine", compiled)
    boards = [*fastsudoku.generate(150, seed=1).puzzles, *fastsudoku.generate(150, clues=30, seed=1).puzzles]
    ratings = fastsudoku.rate_many(boards)
    found = set()
    for board, rating in zip(boards, ratings, strict=True):
        cells = read(board)[0]
        techniques = rating.techniques if rating.guesses == 0 else 0
        assert pure.techniques(cells) == compiled.techniques(cells) == techniques
        found.add(int(rating.techniques))
    assert len(found) >= 5
    for cells in (b"", bytes(80), bytes([10]) * 81):
        for engine in both_engines:
            with pytest.raises(ValueError, match="81 bytes from 0 to 9"):
                engine.techniques(cells)


# --- rate ------------------------------------------------------------------------------------------------


def test_rate(engine):
    rating = fastsudoku.rate(EASY)
    assert rating == (Status.UNIQUE, 0, Technique(31), None, "fastsudoku, rules 1", None)
    rating = fastsudoku.rate(HARD)
    assert (rating.status, rating.guesses, rating.singles) == (Status.UNIQUE, 49, False)
    assert str(fastsudoku.RULES) in rating.algorithm
    assert fastsudoku.rate(NONE)[:3] == (Status.NO_SOLUTION, 0, Technique(0))
    assert fastsudoku.rate("." * 81)[:3] == (Status.SEVERAL, None, Technique(0))
    with pytest.raises(BoardError, match="80 cells"):
        fastsudoku.rate("." * 80)


def test_guesses_are_those_of_batches(engine):
    boards = [known.board for known in OWN]
    batch = fastsudoku.solve_many(boards)
    ratings = fastsudoku.rate_many(boards)
    assert bytes(ratings.status) == bytes(batch.status)
    assert list(ratings.guesses) == list(batch.guesses)
    assert [fastsudoku.rate(board).guesses for board in boards] == [rating.guesses for rating in ratings]


def test_spread(engine):
    rating = fastsudoku.rate(HARD, shuffles=9, seed=1)
    forms = [equivalent_form(read(HARD)[0], Stream(1, 0, number, FORMS)) for number in range(9)]
    guesses = [fastsudoku.rate(form).guesses for form in forms]
    assert rating.spread == (mean(guesses), median(guesses), min(guesses), max(guesses), 9)
    assert rating.spread.low < rating.spread.high
    assert fastsudoku.rate(HARD, shuffles=9, seed=1) == rating
    assert fastsudoku.rate(HARD, shuffles=9, seed=2) != rating
    even = fastsudoku.rate(HARD, shuffles=4, seed=1).spread
    assert even.median == median(guesses[:4])
    assert fastsudoku.rate(NONE, shuffles=3).spread is None


def test_spreads_of_many(engine, monkeypatch):
    boards = [EASY, HARD, NONE, HARD]
    ratings = fastsudoku.rate_many(boards, shuffles=7, seed=1)
    assert ratings[0].spread == fastsudoku.rate(EASY, shuffles=7, seed=1).spread
    assert ratings[2].spread is None
    # The forms are those of the row.
    assert ratings[1].spread != ratings[3].spread
    assert ratings[1].spread == fastsudoku.rate_many([HARD], shuffles=7, seed=1, start=1)[0].spread
    assert fastsudoku.rate_many(boards, shuffles=7, seed=1, threads=2).spreads == ratings.spreads
    monkeypatch.setattr(rating_module, "_FORMS_AT_ONCE", 3)
    assert fastsudoku.rate_many(boards, shuffles=7, seed=1).spreads == ratings.spreads


def test_forms_of_engines(both_engines):
    cells = read(HARD)[0]
    found = []
    for engine in both_engines:
        forms = memoryview(bytearray(81 * 40))
        engine.form_range(2**64 - 1, 5, cells, forms, 2**40)
        found.append(forms.tobytes())
        with pytest.raises(ValueError, match="81 bytes"):
            engine.form_range(1, 0, bytes(80), forms, 0)
    assert found[0] == found[1]
    assert found[0][:81] == equivalent_form(cells, Stream(2**64 - 1, 2**40, 5, FORMS))


def test_equivalent_forms_are_the_same_puzzle(engine):
    cells = read(EASY)[0]
    forms = {equivalent_form(cells, Stream(3, 0, number, FORMS)) for number in range(50)}
    assert len(forms) == 50
    for form in forms:
        assert form.count(0) == cells.count(0)
        assert fastsudoku.rate(form) == fastsudoku.rate(EASY)
        # Clues of a digit stay clues of one digit.
        assert sorted(map(form.count, range(1, 10))) == sorted(map(cells.count, range(1, 10)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shuffles": -1}, "shuffles is -1; it has to be an integer from 0 to 1000000"),
        ({"shuffles": 2.0}, "shuffles is 2.0"),
        ({"seed": "1"}, "seed is '1'"),
    ],
)
def test_wrong_arguments(engine, arguments, message):
    with pytest.raises(SudokuError, match=message):
        fastsudoku.rate(EASY, **arguments)


def test_many(engine):
    boards = [EASY, HARD, "x", NONE, "." * 81]
    ratings = fastsudoku.rate_many(boards, errors="mark", threads=2)
    assert len(ratings) == 5
    assert list(ratings.status) == [1, 1, 255, 0, 2]
    assert list(ratings.techniques) == [31, 0, 0, 0, 0]
    assert list(ratings.guesses) == [0, 49, 2**32 - 1, 0, 2**32 - 1]
    assert ratings[0] == fastsudoku.rate(EASY)
    assert ratings[2].error == "boards[2]: board has 1 cell, expected 81"
    assert ratings[2].guesses is None
    assert ratings[-1].guesses is None
    assert ratings[:2] == list(ratings)[:2]
    with pytest.raises(IndexError, match="row 5 of 5 ratings"):
        ratings[5]
    assert repr(ratings) == "<Ratings of 5 boards by fastsudoku, rules 1>"
    assert list(pickle.loads(pickle.dumps(ratings))) == list(ratings)
    with pytest.raises(BoardError, match=r"boards\[2\]"):
        fastsudoku.rate_many(boards)
    assert list(fastsudoku.rate_many([])) == []
