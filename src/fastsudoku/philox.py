"""Random numbers that depend on a seed and a row, and on nothing else.

The generator is Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
(SC11, 2011), which passes all of TestU01's BigCrush. It turns a counter into four words of 32 bits, so that
every row of a batch has a stream of its own, wherever and in whatever order rows are made::

    key      seed's lower half, seed's upper half
    counter  block of the stream (and in its highest byte what it is for), attempt, row's lower half, upper half

What it is for keeps the grids, puzzles and forms of one seed independent of each other. The compiled engine has
the same in ``_grids.pxi``. This module imports nothing of the package.
"""

from __future__ import annotations

#: What streams are for.
GRIDS, PUZZLES, MINIMIZING, FORMS = range(4)

_WORD = 0xFFFFFFFF
_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
# Weyl sequences of the golden ratio and of the square root of 3.
_STEPS = 0x9E3779B9, 0xBB67AE85
_ROUNDS = 10


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the four words of a counter and a key."""
    a, b, c, d = counter
    left, right = key
    for _ in range(_ROUNDS):
        first = a * _MULTIPLIERS[0]
        second = c * _MULTIPLIERS[1]
        a, b, c, d = second >> 32 ^ b ^ left, second & _WORD, first >> 32 ^ d ^ right, first & _WORD
        left = left + _STEPS[0] & _WORD
        right = right + _STEPS[1] & _WORD
    return a, b, c, d


class Stream:
    """The random numbers of one attempt at a row, for one purpose."""

    def __init__(self, seed: int, row: int, attempt: int, purpose: int) -> None:
        self._key = seed & _WORD, seed >> 32
        self._place = attempt, row & _WORD, row >> 32
        self._block = purpose << 24
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next number below 2**32."""
        if not self._words:
            self._words = list(reversed(philox((self._block, *self._place), self._key)))
            self._block += 1
        return self._words.pop()

    def below(self, count: int) -> int:
        """Return a number below `count` (2**32 at most), each with the same probability.

        Lemire, "Fast random integer generation in an interval" (2019): a product's upper half, but for the few
        lower halves that would favour some numbers.
        """
        product = self.word() * count
        if product & _WORD < count:
            least = (1 << 32) % count
            while product & _WORD < least:
                product = self.word() * count
        return product >> 32

    def shuffle(self, items: list[int]) -> None:
        """Bring a list into a random order, each with the same probability (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
