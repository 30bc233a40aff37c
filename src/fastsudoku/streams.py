"""Boards from a stream, some at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from time import perf_counter

from fastsudoku.boards import as_array
from fastsudoku.reading import Batched, LineReader, join_lines, read_array, read_items

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

# Seconds for which boards are taken from a source before some are solved.
_LONGEST_WAIT = 0.002
# Things that are taken without a look at the clock, if the ones before came quickly.
_MOST_AT_ONCE = 256


class Stream:
    """Any iterable of boards."""

    def __init__(self, boards: Iterable[Any]) -> None:
        self._source = iter(boards)
        #: How many boards were taken.
        self.taken = 0
        #: What ended the source: StopIteration, or what it raised.
        self.end: Exception | None = None

    def take(self, most: int) -> Batched:
        """Return the next boards: those that come in a moment, but one at least, unless there are no more."""
        items = self._take_items(most)
        batched = read_items(items, self.taken)
        self.taken += len(items)
        return batched

    def _take_items(self, most: int) -> list[Any]:
        items: list[Any] = []
        now = perf_counter()
        enough = now + _LONGEST_WAIT
        size = 1
        # A slow source gets an answer for each board, a fast one has many answered together.
        while self.end is None and len(items) < most and now < enough:
            wanted = len(items) + min(size, most - len(items))
            try:
                items.extend(islice(self._source, wanted - len(items)))
                if len(items) < wanted:
                    self.end = StopIteration()
            except Exception as error:
                self.end = error
            before, now = now, perf_counter()
            size = min(2 * size, _MOST_AT_ONCE) if now - before < _LONGEST_WAIT / 16 else 1
        return items


class LineStream(Stream):
    """The lines of a file, of text or of bytes."""

    def __init__(self, lines: Iterable[str | bytes]) -> None:
        super().__init__(lines)
        self._reader = LineReader()

    def take(self, most: int) -> Batched:
        while self.end is None:
            cells, messages = self._reader.read(join_lines(self._take_items(most)))
            if cells:
                self.taken += len(cells) // 81
                return cells, messages
        # If it failed, a board that is not complete is not what is wrong.
        return self._reader.close() if isinstance(self.end, StopIteration) else (b"", {})


class ArrayStream(Stream):
    """The rows of an array."""

    def __init__(self, array: Any) -> None:
        super().__init__(())
        self._array = array

    def take(self, most: int) -> Batched:
        rows = self._array[self.taken : self.taken + most]
        batched = read_array(as_array(rows), self.taken)
        if not len(rows):
            self.end = StopIteration()
        self.taken += len(rows)
        return batched


def open_stream(boards: Iterable[Any]) -> Stream:
    """Return the stream for boards of some kind."""
    if hasattr(boards, "readline"):
        return LineStream(boards)
    if hasattr(boards, "__array__") and len(getattr(boards, "shape", ())) > 1:
        return ArrayStream(boards)
    return Stream(boards)
