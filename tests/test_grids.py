"""Random solution grids: the random numbers, what grids are chosen from, and how they are distributed."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha256

import pytest

import fastsudoku
from fastsudoku import SudokuError, _grids_py
from fastsudoku.philox import FORMS, GRIDS, MINIMIZING, PUZZLES, Stream, philox

WORD = 0xFFFFFFFF

# The known answers of the reference implementation (Random123, kat_vectors: philox4x32 10).
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((WORD,) * 4, (WORD,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_known_answers_of_the_generator(counter, key, expected):
    assert " ".join(f"{word:08x}" for word in philox(counter, key)) == expected


def test_streams():
    # Words are those of blocks 0, 1, ... of the seed, row, attempt and purpose.
    stream = Stream(seed=(7 << 32) + 5, row=(9 << 32) + 3, attempt=2, purpose=FORMS)
    words = [stream.word() for _ in range(8)]
    first = 3 << 24
    assert words == [*philox((first, 2, 3, 9), (5, 7)), *philox((first + 1, 2, 3, 9), (5, 7))]


def test_purposes_have_streams_of_their_own(engine):
    """A grid says nothing about what is dropped from it with the same seed, nor about forms of puzzles."""
    grids = fastsudoku.random_grids(30, seed=1)
    assert not set(grids) & set(fastsudoku.generate(30, clues=40, seed=1).solutions)
    words = {Stream(1, 0, 0, purpose).word() for purpose in (GRIDS, PUZZLES, MINIMIZING, FORMS)}
    assert len(words) == 4
    # Of the first words, which begin all else, none goes with that of another purpose.
    pairs = [(Stream(1, row, 0, GRIDS).word(), Stream(1, row, 0, MINIMIZING).word()) for row in range(4000)]
    same_half = sum((one < 1 << 31) == (other < 1 << 31) for one, other in pairs)
    assert abs(same_half - 2000) < 4 * 1000**0.5


@pytest.mark.parametrize("count", [1, 2, 9, 56, 72_576, 470_292_480, 3 << 30, (1 << 32) - 1])
def test_numbers_below(count):
    stream = Stream(1, count, 0, GRIDS)
    numbers = [stream.below(count) for _ in range(3000)]
    assert 0 <= min(numbers) <= max(numbers) < count
    # The mean of so many is within five of its standard deviations.
    mean = sum(numbers) / len(numbers)
    assert abs(mean - (count - 1) / 2) <= 5 * count / (12 * len(numbers)) ** 0.5


def test_numbers_below_are_drawn_again_where_some_would_be_favoured():
    class Given(Stream):
        def word(self):
            return words.pop(0)

    # 2**32 = 3 * 1431655765 + 1: of the products' lower halves, 0 has to go.
    words = [0, 1]
    assert Given(0, 0, 0, GRIDS).below(3) == 0
    assert words == []


def test_shuffles_have_each_order_with_the_same_probability():
    orders = Counter()
    for row in range(2400):
        items = [0, 1, 2, 3]
        Stream(5, row, 0, GRIDS).shuffle(items)
        orders[tuple(items)] += 1
    assert len(orders) == 24
    assert max(abs(number - 100) for number in orders.values()) < 50


# --- what grids are chosen from --------------------------------------------------------------------------


def test_partitions_and_what_crosses_them():
    partitions = _grids_py.partitions()
    assert len(partitions) == len(set(partitions)) == 280
    for sets in partitions:
        assert sorted(digits.bit_count() for digits in sets) == [3, 3, 3]
        assert sets[0] | sets[1] | sets[2] == 0b111_111_111
    assert {len(_grids_py.crossings(sets)) for sets in partitions} == {36}


def test_arrangements_are_all_there_are():
    sets = (0b000_000_111, 0b000_111_000, 0b111_000_000)
    found = {_grids_py.arranged(sets, number) for number in range(56)}
    assert len(found) == 56
    for first, second in found:
        for line in range(3):
            # A line's digits are in other lines of the boxes beside, each digit once.
            assert sets[line] | first[line] | second[line] == 0b111_111_111
        assert first[0] | first[1] | first[2] == second[0] | second[1] | second[2] == 0b111_111_111
    for number in range(28):
        assert _grids_py.arranged(sets, number) == _grids_py.arranged(sets, number + 28)[::-1]


def test_arrangements_that_cross_are_none_or_eight():
    # What lies across can be renamed to be this one, so that all others are looked at.
    across = _grids_py.partitions()[0]
    for in_last in (False, True):
        numbers = {
            len(_grids_py.crossing_arrangements(across, sets, in_last)) for sets in _grids_py.partitions()
        }
        assert numbers == {0, 8}


def test_as_many_choices_become_grids_as_there_are_grids():
    tried = 20_000
    found = sum(bool(_grids_py._random_boxes(Stream(11, row, 0, GRIDS))) for row in range(tried))
    choices = 362_880 * 6**4 * (56 * 36 * 36) ** 2 * 56 * 8**3
    expected = 6_670_903_752_021_072_936_960 / choices
    assert 0.0939 < expected < 0.0940
    deviation = (expected * (1 - expected) / tried) ** 0.5
    assert abs(found / tried - expected) < 4 * deviation


# --- grids -----------------------------------------------------------------------------------------------

# These are for ever: a change here breaks what is promised about seeds.
KNOWN_GRIDS = {
    (1, 0): "438952671697814235521673849182469357345287916769531428853126794214798563976345182",
    (0, 0): "483627519197354682256918734679543128531862497824791356368179245712485963945236871",
    (2**64 - 1, 2**40): "578631294341259768629784531934127856765498312182563947493876125217345689856912473",
}


def test_grids_of_a_seed_never_change(engine):
    for (seed, start), expected in KNOWN_GRIDS.items():
        assert fastsudoku.random_grids(1, seed=seed, start=start)[0] == expected
    digits = bytes(fastsudoku.random_grids(200, seed=2026).cells)
    assert sha256(digits).hexdigest()[:16] == "4e2ed8b43482ad9e"


def test_grids_are_solutions(engine):
    grids = fastsudoku.random_grids(100, seed=3)
    assert len(set(grids)) == 100
    for grid in grids:
        assert fastsudoku.verify("." * 81, grid)


def test_a_grid_depends_on_seed_and_row_only(engine):
    grids = list(fastsudoku.random_grids(40, seed=9))
    assert list(fastsudoku.random_grids(15, seed=9, start=25)) == grids[25:]
    assert list(fastsudoku.random_grids(40, seed=9, threads=3)) == grids
    assert list(fastsudoku.random_grids(40, seed=10)) != grids
    assert list(fastsudoku.random_grids(4, seed=9, start=2**64 - 4)) != grids[:4]


def test_without_a_seed_each_call_differs_and_no_generator_is_touched(engine):
    state = random.getstate()
    assert fastsudoku.random_grids(1)[0] != fastsudoku.random_grids(1)[0]
    assert fastsudoku.generate(1, clues=40)[0] != fastsudoku.generate(1, clues=40)[0]
    assert random.getstate() == state


def test_no_grids(engine):
    grids = fastsudoku.random_grids(0, seed=1)
    assert len(grids) == 0
    assert list(grids) == grids.strings() == []
    assert grids.lines() == b""
    assert grids.cells.shape == (0, 81)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, "n is -1; it has to be an integer from 0 to"),
        ({"n": 2.0}, "n is 2.0"),
        ({"n": True}, "n is True"),
        ({"n": "3"}, "n is '3'"),
        ({"n": 1, "seed": -1}, r"seed is -1; it has to be an integer from 0 to 2\*\*64 - 1 or None"),
        ({"n": 1, "seed": 10**5000}, "seed is this int; it has"),
        ({"n": 1, "seed": 2**64}, "seed is 18446744073709551616"),
        ({"n": 1, "seed": 1.5}, "seed is 1.5"),
        ({"n": 1, "start": -1}, "start is -1"),
        ({"n": 3, "start": 2**64 - 2}, "n is 3; it has to be an integer from 0 to 2"),
        ({"n": 1, "threads": 0}, "threads is 0"),
        ({"n": 1, "progress": 3}, "progress is 3"),
    ],
)
def test_wrong_arguments(engine, arguments, message):
    with pytest.raises(SudokuError, match=message):
        fastsudoku.random_grids(**arguments)


def sides_with_the_same_rows(grids):
    """Count, for each band and each stack, the grids whose three boxes have the same sets of digits there."""
    counts = [0] * 6
    for grid in grids:
        for band in range(3):
            rows = {
                frozenset(grid[27 * band + 9 * row + 3 * box : 27 * band + 9 * row + 3 * box + 3])
                for row in range(3)
                for box in range(3)
            }
            columns = {
                frozenset(grid[3 * band + column + 27 * box + 9 * row] for row in range(3))
                for column in range(3)
                for box in range(3)
            }
            counts[band] += len(rows) == 3
            counts[3 + band] += len(columns) == 3
    return counts


def test_all_bands_and_stacks_are_alike(both_engines):
    """Boxes are chosen one after the other; no trace of that may be left, as a symmetry exchanges them."""
    _, compiled = both_engines
    grids = 20_000
    digits = memoryview(bytearray(81 * grids))
    compiled.grid_range(5, 0, digits, 0, grids)
    text = digits.tobytes()
    counts = sides_with_the_same_rows(text[81 * row : 81 * row + 81] for row in range(grids))
    mean = sum(counts) / 6
    # About 2 of 56 arrangements are such.
    assert 0.02 * grids < mean < 0.06 * grids
    assert max(abs(count - mean) for count in counts) < 4.5 * mean**0.5
