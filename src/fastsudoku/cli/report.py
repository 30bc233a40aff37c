"""What is said on standard error: messages, how far the work is, and a summary at the end."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from time import perf_counter

from fastsudoku.batch import Status
from fastsudoku.cli.chunks import WORDS

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any

# Seconds of work before a bar is shown, and between two changes of it.
_FIRST_SHOWN = 0.5
_INTERVAL = 0.1


def say(message: str) -> None:
    """Write a line to standard error, in characters that every terminal can show."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            text = message.replace("\n", "\\n").encode("ascii", "backslashreplace").decode()
            print("fastsudoku:", text, file=sys.stderr)


def is_terminal(stream: Any) -> bool:
    """Tell whether a person looks at a stream."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError, OSError):
        return False


class Report:
    """Counts what is done, and says so."""

    def __init__(self, sizes: list[int | None], with_bar: bool, unit: str = "board") -> None:
        self._unit = unit
        self._counts = dict.fromkeys(Status, 0)
        self._others = 0
        self._start = perf_counter()
        self._shown = self._start + _FIRST_SHOWN - _INTERVAL
        known = [size for size in sizes if size is not None]
        self._total = sum(known) if len(known) == len(sizes) else None
        self._bar: _Bar | None = _Bar(unit) if with_bar else None

    def say(self, message: str) -> None:
        """Write a message, above the bar."""
        self._try(lambda bar: bar.hide())
        say(message)

    @property
    def boards(self) -> int:
        return sum(self._counts.values()) + self._others

    def count(self, statuses: bytes) -> None:
        """Count boards by their status."""
        for status in Status:
            self._counts[status] += statuses.count(status)

    def count_others(self, boards: int) -> None:
        """Count boards of which nothing is known but that they are boards."""
        self._others += boards

    def show(self, position: int) -> None:
        """Show how far the work is, in what sizes are in: bytes of all files, or boards."""
        now = perf_counter()
        if self._bar and now - self._shown > _INTERVAL:
            self._shown = now
            # A file that grows meanwhile has no end to go by.
            total = self._total if self._total is not None and position <= self._total else None
            self._try(lambda bar: bar.show(position, total, self.boards, now - self._start))

    def close_bar(self) -> None:
        self._try(lambda bar: bar.close())

    def _try(self, work: Callable[[_Bar], None]) -> None:
        """Do something with the bar; if that fails, go on without one."""
        if self._bar:
            try:
                work(self._bar)
            except Exception:
                # A closed terminal, or settings of tqdm in the environment that it cannot bear.
                self._bar = None

    @property
    def rate(self) -> float:
        """How many boards were done in a second."""
        return self.boards / max(perf_counter() - self._start, 1e-9)

    def summary(self) -> str:
        """Return what was done, in one line."""
        kinds = [Status.UNIQUE, Status.SEVERAL, Status.NO_SOLUTION, Status.NOT_A_BOARD]
        if self._others:
            kinds = [Status.NOT_A_BOARD]
        counts = ", ".join(f"{self._counts[kind]:,} {WORDS[kind]}" for kind in kinds)
        return f"{self.boards:,} board{'s' * (self.boards != 1)}: {counts}; {self.rate:,.0f} boards/s"


# (A bar of tqdm without an end cannot even be asked whether it is one.)
_NO_TQDM = object()


class _Bar:
    """A line at the bottom of the terminal."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._width = 0
        self._tqdm: Any = None

    def show(self, position: int, total: int | None, boards: int, seconds: float) -> None:
        rate = f"{boards / seconds:,.0f} {self._unit}s/s"
        if self._tqdm is None:
            # Of boards in files, bytes are what is counted.
            self._tqdm = _new_tqdm(total, seconds, "B" if self._unit == "board" else "")
        if self._tqdm is not _NO_TQDM:
            self._tqdm.set_postfix_str(rate, refresh=False)
            self._tqdm.update(position - self._tqdm.n)
            self._tqdm.refresh()
            return
        text = f"fastsudoku: {boards:,} {self._unit}s, {rate}"
        if total and position:
            left = seconds * (total - position) / position
            text += f", {100 * position // total} %, {_minutes(left)} left"
        self._write(text)

    def _write(self, text: str) -> None:
        width, self._width = self._width, len(text)
        sys.stderr.write(f"\r{text.ljust(width)}")
        if not text:
            sys.stderr.write("\r")
        sys.stderr.flush()

    def hide(self) -> None:
        """Make room for other lines."""
        if self._width:
            self._write("")
        elif self._tqdm is not None and self._tqdm is not _NO_TQDM:
            self._tqdm.clear()

    def close(self) -> None:
        self.hide()
        if self._tqdm is not None and self._tqdm is not _NO_TQDM:
            self._tqdm.close()


def _new_tqdm(total: int | None, seconds: float, unit: str) -> Any:
    """Return a bar of tqdm, or what stands for there being none."""
    try:
        from tqdm import tqdm  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        return _NO_TQDM
    bar = tqdm(total=total, unit=unit, unit_scale=True, file=sys.stderr, leave=False, desc="fastsudoku")
    if bar.disable:  # by a variable of the environment
        return _NO_TQDM
    bar.start_t -= seconds
    return bar


def _minutes(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
