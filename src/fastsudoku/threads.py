"""Rows of a batch, divided among threads."""

from __future__ import annotations

import _thread
import os
import sys
from collections.abc import Callable
from time import perf_counter

TYPE_CHECKING = False  # see boards.py
if TYPE_CHECKING:
    from typing import TypeAlias

    #: Does rows first to last - 1; gives up with an exception soon after the only byte of `stop` is set.
    Work: TypeAlias = Callable[[int, int, bytearray], object]
    Progress: TypeAlias = Callable[[int, int | None], object]

# Seconds between two calls of `progress`, about.
_PROGRESS_INTERVAL = 0.25
# Rows that the calling thread does alone, from which it learns how long the others take, and seconds of work
# for which a thread is worth its start.
_FIRST_ROWS = 256
_WORTH_A_THREAD = 0.0005
# Seconds of the shortest parts. Lanes run empty at the end of each, which takes a tenth of a millisecond.
_SHORTEST_PART = 0.0005


def count_cpus() -> int:
    """Return how many CPUs this process may run on."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Rows:
    """The rows that are left, and what the threads that take them have to know of each other."""

    def __init__(self, work: Work, rows: int, threads: int, progress: Progress | None) -> None:
        self.work = work
        self.rows = rows
        self.threads = threads
        self.progress = progress
        self.lock = _thread.allocate_lock()
        self.next = 0
        self.done = 0
        self.seconds_per_row = 0.0
        self.stop = bytearray(1)
        self.failure: BaseException | None = None

    def take(self) -> tuple[int, int]:
        """Return the first and the last of the next rows: first long parts, then shorter ones."""
        with self.lock:
            first = self.next
            left = self.rows - first
            shortest = _SHORTEST_PART / self.seconds_per_row if self.seconds_per_row else _FIRST_ROWS
            size = left if self.threads == 1 else max(int(shortest), left * 3 // (4 * self.threads), 1)
            if self.progress is not None and self.seconds_per_row:
                size = min(size, max(int(_PROGRESS_INTERVAL / self.seconds_per_row), 1))
            if not first and (self.threads > 1 or self.progress is not None):
                size = _FIRST_ROWS
            self.next = min(first + size, self.rows)
            return first, self.next

    def do_one_part(self) -> bool:
        """Do some rows; return whether there were any left."""
        first, last = self.take()
        if first == last:
            return False
        start = perf_counter()
        self.work(first, last, self.stop)
        with self.lock:
            self.done += last - first
            self.seconds_per_row = (perf_counter() - start) / (last - first)
        return True

    def help(self, ended: _thread.LockType) -> None:
        """Do rows as long as there are any: what the other threads run."""
        try:
            while not self.stop[0] and self.do_one_part():
                pass
        except BaseException as error:
            if not self.stop[0]:
                self.failure = error
            self.stop[0] = 1
        finally:
            ended.release()

    def start_helpers(self) -> list[_thread.LockType]:
        """Start other threads, if the rows that are left are worth them; return what each releases at its end.

        A threading.Thread would have this one wait until it runs, which can take milliseconds.
        """
        seconds = (self.rows - self.next) * self.seconds_per_row
        ends = []
        for _ in range(min(self.threads - 1, int(seconds / _WORTH_A_THREAD))):
            ended = _thread.allocate_lock()
            ended.acquire()
            try:
                _thread.start_new_thread(self.help, (ended,))
            except RuntimeError:
                break  # the system has no more of them
            ends.append(ended)
        return ends


def wait_for(ends: list[_thread.LockType]) -> None:
    """Wait until threads have ended."""
    for ended in ends:
        with ended:
            pass


def divide(work: Work, rows: int, threads: int, progress: Progress | None) -> None:
    """Have all rows done by some threads, of which the calling one is the first.

    What is raised in one of them ends the others, and is raised here.
    """
    if (threads == 1 or rows <= _FIRST_ROWS) and progress is None:
        work(0, rows, bytearray(1))
        return
    shared = _Rows(work, rows, threads, progress)
    others: list[_thread.LockType] = []
    reported = 0
    try:
        while not shared.stop[0] and shared.do_one_part():
            if progress is not None:
                reported = shared.done
                progress(reported, rows)
            if shared.threads > 1 and not others:
                others = shared.start_helpers()
        wait_for(others)
    except BaseException:
        shared.stop[0] = 1
        wait_for(others)
        if shared.failure is None:
            raise
    if shared.failure is not None:
        raise shared.failure
    if progress is not None and reported < rows:
        progress(rows, rows)
