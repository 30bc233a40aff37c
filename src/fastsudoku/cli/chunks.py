"""What all kinds of input have in common: boards that come a chunk at a time."""

from __future__ import annotations

from fastsudoku.batch import Batch, Status

Buffer = bytes | bytearray | memoryview

#: What the statuses are called.
WORDS = {
    Status.NO_SOLUTION: "none",
    Status.UNIQUE: "unique",
    Status.SEVERAL: "several",
    Status.NOT_A_BOARD: "malformed",
}
#: The same, as engines write them: no solution, unique, several, not a board.
BYTE_WORDS = tuple(word.encode() for word in WORDS.values())


#: What may stand before the first line of a text in UTF-8.
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Chunk:
    """Boards that were read together, and how the answers to them are written."""

    #: What a place in the input is called.
    place = "line"
    #: What goes before the first answers of the output: the names of the columns of a table.
    header = b""
    #: What the answers are as a whole. Those of two forms do not go into one output.
    form = "lines of text"

    def __init__(self, cells: Buffer, errors: dict[int, str]) -> None:
        #: The values of all boards, one after the other; NOT_A_CELL in those that are none.
        self.cells = cells
        #: Why a row is not a board.
        self.errors = errors

    def __len__(self) -> int:
        return len(self.cells) // 81

    def number(self, row: int) -> int:
        """Return where a board is in the input: the number of its first line, from 1."""
        raise NotImplementedError

    def answers(self, batch: Batch, with_status: bool) -> Buffer:
        """Return the answers in the shape of the input, for the first boards or for all."""
        raise NotImplementedError

    def keep(self, rows: int) -> None:
        """Forget all but the first boards."""
        self.cells = self.cells[: 81 * rows]
        self.errors = {row: message for row, message in self.errors.items() if row < rows}
