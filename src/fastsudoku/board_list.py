"""Many boards in one buffer, which is at once a list of texts and an array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastsudoku.boards import SudokuError, to_text

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, overload

# Boards that are made texts of together.
_PART = 1024


class BoardList(Sequence[str]):
    """Many boards: a sequence of texts of 81 cells, blanks as a full stop.

    For arrays it is used where it is: ``numpy.asarray(boards)`` has shape (N, 81), type uint8 and copies
    nothing, and `cells` is a buffer for whatever else knows the buffer protocol. `solve_many` and the other
    functions for many boards take it without a copy, too.

    It is what functions return; a part of it, such as ``boards[:100]``, is one as well, with a copy of its
    boards.

    Attributes
    ----------
    cells : memoryview of uint8, shape (N, 81)
        The boards, row by row.

    Examples
    --------
    >>> import fastsudoku
    >>> grids = fastsudoku.random_grids(2, seed=1)
    >>> len(grids), grids[0][:9]
    (2, '438952671')
    >>> grids.cells.shape
    (2, 81)
    """

    def __init__(self, digits: bytearray) -> None:
        if not isinstance(digits, bytearray) or len(digits) % 81:
            raise SudokuError("a BoardList is made of a bytearray with 81 values from 0 to 9 for each board")
        self._digits = digits
        self.cells = as_table(digits, len(digits) // 81)

    def __len__(self) -> int:
        return len(self._digits) // 81

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> str: ...

        @overload
        def __getitem__(self, index: slice) -> BoardList: ...

    def __getitem__(self, index: int | slice) -> str | BoardList:
        if isinstance(index, slice):
            rows = range(*index.indices(len(self)))
            if rows.step == 1:
                return BoardList(self._digits[81 * rows.start : 81 * max(rows.stop, rows.start)])
            return BoardList(bytearray().join(self._digits[81 * row : 81 * row + 81] for row in rows))
        try:
            row = range(len(self))[index]
        except IndexError:
            raise IndexError(f"row {index} of {len(self)} boards") from None
        return to_text(self._digits[81 * row : 81 * row + 81]).replace("0", ".")

    def __iter__(self) -> Iterator[str]:
        # A part at a time, so that not all texts are in memory.
        for first in range(0, len(self), _PART):
            yield from _lines(memoryview(self._digits)[81 * first : 81 * (first + _PART)]).decode().splitlines()

    def __eq__(self, other: object) -> bool:
        return self._digits == other._digits if isinstance(other, BoardList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return BoardList, (self._digits,)

    def __repr__(self) -> str:
        return f"<BoardList of {len(self)} board{'s' * (len(self) != 1)}>"

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": (len(self), 81), "typestr": "|u1", "data": self._digits}

    def strings(self) -> list[str]:
        """Return the boards as text.

        Returns
        -------
        list of str
            81 characters for each board, a full stop for a blank.
        """
        return self.lines().decode().splitlines()

    def lines(self) -> bytes:
        """Return the boards as the lines of a text file.

        Returns
        -------
        bytes
            81 characters and a line feed for each board, a full stop for a blank.
        """
        return _lines(memoryview(self._digits))


# As `to_text` does it, but for blanks.
_SHOWN = bytes(ord(".") if value == 0 else ord("0") + value if value <= 9 else ord("?") for value in range(256))


def _lines(digits: memoryview) -> bytes:
    characters = bytes(digits).translate(_SHOWN)
    parts = [characters[start : start + 81] for start in range(0, len(characters), 81)]
    return b"\n".join([*parts, b""])


def as_table(digits: bytearray, rows: int) -> memoryview:
    """Return a buffer as a table with 81 columns."""
    if rows:
        return memoryview(digits).cast("B", (rows, 81))
    # memoryview.cast() knows no shape with a zero in it.
    import ctypes

    return memoryview((ctypes.c_ubyte * 81 * 0)())
