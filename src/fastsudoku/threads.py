"""Rows of a batch, divided among threads."""

from __future__ import annotations

import _thread
import os
import sys
from collections.abc import Callable
from time import perf_counter

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    #: Does rows first to last - 1, or a share of them if a counter is given, by which threads take some; gives
    #: up with an exception soon after the only byte of `stop` is set. See `solve_range` of the engines.
    Work: TypeAlias = Callable[[int, int, bytearray, Any], object]
    Progress: TypeAlias = Callable[[int, int | None], object]

# Seconds between two calls of `progress`, about.
_PROGRESS_INTERVAL = 0.25
# Rows that the calling thread does alone, from which it learns how long the others take: a few, and more if
# they are quickly done. Seconds of work for which a thread is worth its start.
_FIRST_ROWS = 16, 256
_WORTH_A_THREAD = 0.0005
# Rows that threads share at once. (Each may need eight bytes for each of them.)
_MOST_SHARED = 1 << 21
# Rows that a thread takes at a time, at most.
_LARGEST_BLOCK = 256


def count_cpus() -> int:
    """Return how many CPUs this process may run on."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Shared:
    """Rows that threads share."""

    def __init__(self, work: Work, first: int, last: int, counter: Any) -> None:
        self.work = work
        self.first = first
        self.last = last
        self.counter = counter
        self.stop = bytearray(1)
        self.failure: BaseException | None = None

    def take_some(self) -> None:
        """Do rows as long as there are any."""
        self.work(self.first, self.last, self.stop, self.counter)

    def take(self, number: int) -> tuple[int, int]:
        """Do so many rows; return the first and the last of them."""
        first = min(self.first + self.counter.take(number), self.last)
        last = min(first + number, self.last)
        if first < last:
            self.work(first, last, self.stop, None)
        return first, last

    def help(self, ended: _thread.LockType) -> None:
        """Do rows: what the other threads run."""
        try:
            self.take_some()
        except BaseException as error:
            if not self.stop[0]:
                self.failure = error
            self.stop[0] = 1
        finally:
            ended.release()

    def start_helpers(self, most: int, ends: list[_thread.LockType]) -> None:
        """Start other threads, and note what each releases at its end.

        A threading.Thread would have this one wait until it runs, which can take milliseconds.
        """
        for _ in range(most):
            ended = _thread.allocate_lock()
            ended.acquire()
            ends.append(ended)
            try:
                _thread.start_new_thread(self.help, (ended,))
            except BaseException as error:
                ended.release()
                if isinstance(error, RuntimeError):
                    break  # the system has no more of them
                raise


def wait_for(ends: list[_thread.LockType]) -> None:
    """Wait until threads have ended."""
    for ended in ends:
        with ended:
            pass


def divide(
    work: Work,
    rows: int,
    threads: int,
    progress: Progress | None,
    new_counter: Callable[[int], Any],
    first_rows: tuple[int, int] | None = None,
) -> None:
    """Have all rows done by some threads, of which the calling one is the first.

    That one does some rows alone first, from which it learns how long they take. What is raised in one of them
    ends the others, and is raised here.
    """
    few, more = first_rows or _FIRST_ROWS
    if (threads == 1 or rows <= few) and progress is None:
        work(0, rows, bytearray(1), None)
        return
    start = perf_counter()
    done = 0
    for last in (min(few, rows), min(more, rows)):
        if done and perf_counter() - start > _WORTH_A_THREAD:
            break
        work(done, last, bytearray(1), None)
        done = last
    seconds_per_row = (perf_counter() - start) / max(done, 1)
    if progress is not None:
        progress(done, rows)
    while done < rows:
        last = min(done + _MOST_SHARED, rows)
        helpers = min(threads - 1, int((last - done) * seconds_per_row / _WORTH_A_THREAD))
        counter = new_counter(min(max((last - done) // (8 * (helpers + 1)), 1), _LARGEST_BLOCK))
        _share(_Shared(work, done, last, counter), helpers, seconds_per_row, progress, rows)
        done = last


def _share(shared: _Shared, helpers: int, seconds_per_row: float, progress: Progress | None, rows: int) -> None:
    """Have shared rows done by this thread and its helpers."""
    others: list[_thread.LockType] = []
    try:
        shared.start_helpers(helpers, others)
        if progress is None:
            shared.take_some()
        else:
            _report(shared, seconds_per_row, progress, rows)
        wait_for(others)
    except BaseException:
        shared.stop[0] = 1
        wait_for(others)
        if shared.failure is None:
            raise
    if shared.failure is not None:
        raise shared.failure
    if progress is not None:
        progress(shared.last, rows)


def _report(shared: _Shared, seconds_per_row: float, progress: Progress, rows: int) -> None:
    """Do rows, and say now and then how many are begun (by all threads: few of them are not done)."""
    while not shared.stop[0]:
        start = perf_counter()
        first, last = shared.take(max(int(_PROGRESS_INTERVAL / seconds_per_row), 1))
        if last == shared.last:
            break
        progress(last, rows)
        seconds_per_row = (perf_counter() - start) / (last - first)
