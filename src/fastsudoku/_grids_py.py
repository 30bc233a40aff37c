"""Random solution grids, each with the same probability; a part of the pure engine.

The rows of a box divide its nine digits into three sets of three, and so do its columns: both are
*partitions*. A box is known by the two, if each set of one shares one digit with each set of the other: then
the partitions *cross*. A grid is found box by box::

    1 2 3     Box 1 is fixed here, with rows 123 456 789; digits are exchanged at the end.
    4 5 6     Boxes 2 and 3 have the digits of its rows in other rows, in one of 56 *arrangements*, and columns
    7 8 9     that cross these rows: 36 partitions each. Boxes 4 and 7 likewise, with rows and columns
    exchanged.

    Boxes 5 and 6 get the rows of box 4 in one of 56 arrangements, boxes 8 and 9 those of box 7; boxes 5 and 8
    get the columns of box 2 in one of 56 arrangements, boxes 6 and 9 those of box 3. In all four, rows and
    columns have to cross.

Where box 2 has some columns, and box 5 has some rows, the arrangements of columns that cross are none or always
eight. So a choice of each of the first boxes' partitions and of the rows of boxes 5 and 6 leaves 8 x 8 choices
of columns, or none; and each of these leaves up to eight choices of rows for boxes 8 and 9, of which one of
eight is taken, if it is there. Where any choice is not there, all begins anew: about one attempt in eleven
becomes a grid, and each grid has the same probability to be it. At last the orders of rows in the lower two
bands and of columns in the right two stacks are drawn, and the digits' order.

That there are 9! x 6**4 x (56 x 36 x 36)**2 x 56 x 8**3 such choices, and 6,670,903,752,021,072,936,960
grids (Felgenhauer and Jarvis, 2005), says that 0.0939 of them are there: `tests/test_grids.py` counts.
"""

from __future__ import annotations

from functools import cache

from fastsudoku.philox import Stream

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import TypeAlias

    #: Three sets of three digits, each nine bits (digit 1 is the lowest).
    Sets: TypeAlias = tuple[int, int, int]

ARRANGEMENTS = 56
#: Arrangements of the first half put into one box what those of the second put into the other.
HALF = 28
CROSSINGS = 36
#: Of so many choices one is a grid's, unless there are fewer.
CHOICES = 8

_ALL = 0b111_111_111
_FIRST_ROWS = 0b000_000_111, 0b000_111_000, 0b111_000_000
_FIRST_COLUMNS = 0b001_001_001, 0b010_010_010, 0b100_100_100
_BANDS = ARRANGEMENTS * CROSSINGS**2
_ORDERS = (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)
_LAST = 362_880 * len(_ORDERS) ** 4


@cache
def partitions() -> list[Sets]:
    """Return all 280 partitions: their sets in the order of lowest digits, and they in that of their sets."""
    found = []
    triples = [digits for digits in range(_ALL) if digits.bit_count() == 3]
    for first in triples:
        for second in triples:
            third = _ALL ^ first ^ second
            if first & 1 and not first & second and second & -second < third & -third:
                found.append((first, second, third))
    return found


def digits_of(digits: int) -> list[int]:
    """Return the digits of a set, each as one bit."""
    return [1 << digit for digit in range(9) if digits >> digit & 1]


@cache
def arranged(sets: Sets, arrangement: int) -> tuple[Sets, Sets]:
    """Arrange the digits of a box's three lines in the two boxes beside it; return the lines of both.

    In arrangements 0 to 26, line i of the first has two digits of line i + 1 and one of line i + 2; in number
    27 all of line i + 1. The second box has the rest. Those from 28 on have the boxes exchanged.
    """
    number = arrangement % HALF
    first, second = (sets[1], sets[2], sets[0]), (sets[2], sets[0], sets[1])
    if number < 27:
        zero, one, two = (
            digits_of(sets[0])[number // 9],
            digits_of(sets[1])[number // 3 % 3],
            digits_of(sets[2])[number % 3],
        )
        first = first[0] ^ one ^ two, first[1] ^ two ^ zero, first[2] ^ zero ^ one
        second = second[0] ^ two ^ one, second[1] ^ zero ^ two, second[2] ^ one ^ zero
    return (first, second) if arrangement < HALF else (second, first)


def do_cross(sets: Sets, others: Sets) -> bool:
    """Tell whether each set of a partition shares one digit with each of the other."""
    return all((one & other).bit_count() == 1 for one in sets for other in others)


@cache
def crossings(sets: Sets) -> list[Sets]:
    """Return the 36 partitions that cross this one."""
    return [others for others in partitions() if do_cross(sets, others)]


@cache
def crossing_arrangements(across: Sets, sets: Sets, in_last: bool) -> list[int]:
    """Return the arrangements of sets that cross what lies across, in the first or the last box beside."""
    found = []
    for arrangement in range(ARRANGEMENTS):
        if do_cross(across, arranged(sets, arrangement)[in_last]):
            found.append(arrangement)
    return found


def random_grid(stream: Stream) -> bytes:
    """Return the next grid of a stream, 81 digits."""
    while True:
        boxes = _random_boxes(stream)
        if boxes:
            return _with_orders(boxes, stream.below(_LAST))


def _random_boxes(stream: Stream) -> list[tuple[Sets, Sets]]:
    """Return the rows and columns of nine boxes, or nothing if the choices do not fit."""
    band, stack = stream.below(_BANDS), stream.below(_BANDS)
    arrangement = stream.below(ARRANGEMENTS)
    word = stream.word()
    rows_2, rows_3 = arranged(_FIRST_ROWS, band // CROSSINGS**2)
    columns_2 = crossings(_sorted(rows_2))[band // CROSSINGS % CROSSINGS]
    columns_3 = crossings(_sorted(rows_3))[band % CROSSINGS]
    columns_4, columns_7 = arranged(_FIRST_COLUMNS, stack // CROSSINGS**2)
    rows_4 = crossings(_sorted(columns_4))[stack // CROSSINGS % CROSSINGS]
    rows_7 = crossings(_sorted(columns_7))[stack % CROSSINGS]
    rows_5, rows_6 = arranged(rows_4, arrangement)
    choices_2 = crossing_arrangements(_sorted(rows_5), columns_2, False)
    choices_3 = crossing_arrangements(_sorted(rows_6), columns_3, False)
    if not (choices_2 and choices_3):
        return []
    columns_5, columns_8 = arranged(columns_2, choices_2[word % CHOICES])
    columns_6, columns_9 = arranged(columns_3, choices_3[word // CHOICES % CHOICES])
    choices_7 = [
        choice
        for choice in crossing_arrangements(_sorted(columns_8), rows_7, False)
        if choice in crossing_arrangements(_sorted(columns_9), rows_7, True)
    ]
    number = word // CHOICES**2 % CHOICES
    if number >= len(choices_7):
        return []
    rows_8, rows_9 = arranged(rows_7, choices_7[number])
    return [
        (_FIRST_ROWS, _FIRST_COLUMNS),
        (rows_2, columns_2),
        (rows_3, columns_3),
        (rows_4, columns_4),
        (rows_5, columns_5),
        (rows_6, columns_6),
        (rows_7, columns_7),
        (rows_8, columns_8),
        (rows_9, columns_9),
    ]


def _sorted(sets: Sets) -> Sets:
    """Return a partition with its sets in the order of their lowest digits."""
    one, two, three = sorted(sets, key=lambda digits: digits & -digits)
    return one, two, three


def _with_orders(boxes: list[tuple[Sets, Sets]], number: int) -> bytes:
    """Return the grid of some boxes with rows, columns and digits in an order of this number."""
    left = list(range(1, 10))
    digits = []
    for count in range(9, 0, -1):
        number, index = divmod(number, count)
        digits.append(left.pop(index))
    lines = [0, 1, 2]
    orders = []
    for _ in range(4):
        number, index = divmod(number, len(_ORDERS))
        orders.append(_ORDERS[index])
    rows = lines + [3 + line for line in orders[0]] + [6 + line for line in orders[1]]
    columns = lines + [3 + line for line in orders[2]] + [6 + line for line in orders[3]]
    grid = bytearray()
    for row in rows:
        for column in columns:
            row_sets, column_sets = boxes[row // 3 * 3 + column // 3]
            shared = row_sets[row % 3] & column_sets[column % 3]
            grid.append(digits[shared.bit_length() - 1])
    return bytes(grid)


# --- equivalent forms ------------------------------------------------------------------------------------


def equivalent_form(cells: bytes, stream: Stream) -> bytes:
    """Return a board that is the same puzzle: digits and lines in random order, and transposed or not."""
    digits = list(range(1, 10))
    stream.shuffle(digits)
    rows, columns = _random_lines(stream), _random_lines(stream)
    if stream.below(2):
        places = [9 * row + column for row in rows for column in columns]
    else:
        places = [9 * row + column for column in columns for row in rows]
    return bytes(map(cells.__getitem__, places)).translate(bytes([0, *digits, *range(10, 256)]))


def _random_lines(stream: Stream) -> list[int]:
    """Return the nine rows (or columns) in a random order that keeps bands (or stacks) together."""
    bands = [0, 1, 2]
    stream.shuffle(bands)
    lines = []
    for band in bands:
        three = [3 * band, 3 * band + 1, 3 * band + 2]
        stream.shuffle(three)
        lines += three
    return lines
