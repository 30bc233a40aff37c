"""Work divided among threads."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from test_answers import OWN

import fastsudoku
from fastsudoku import threads
from fastsudoku._engine_py import Counter
from fastsudoku.boards import read
from fastsudoku.threads import count_cpus, divide

BOARDS = [known.board for known in OWN if known.solutions != "0"]
HOPELESS = "..85..9....4..7........6...5.6...892.....................695.3....2.........8...."


@pytest.fixture
def small_parts(monkeypatch):
    """Have even a few rows divided."""
    monkeypatch.setattr(threads, "_FIRST_ROWS", (1, 3))
    monkeypatch.setattr(threads, "_WORTH_A_THREAD", 1e-9)
    monkeypatch.setattr(threads, "_PROGRESS_INTERVAL", 0.005)


def no_helper_is_left() -> bool:
    """Wait until there are no other threads (which threading does not know of)."""
    until = time.monotonic() + 60
    while _thread._count() > threading.active_count() - 1 and time.monotonic() < until:
        time.sleep(0.001)
    return _thread._count() == threading.active_count() - 1


class Recorder:
    """Work that takes a moment a row, and notes who did what."""

    def __init__(self, seconds: float = 0.0, fail: Callable[[int], None] = lambda row: None) -> None:
        self.seconds = seconds
        self.fail = fail
        self.rows: list[int] = []
        self.threads: set[int] = set()

    def __call__(self, first: int, last: int, stop: bytearray, shared: Any) -> None:
        self.threads.add(threading.get_ident())
        row = first + shared.take(1) if shared else first
        while row < last and not stop[0]:
            self.fail(row)
            self.rows.append(row)
            time.sleep(self.seconds)
            row = first + shared.take(1) if shared else row + 1


@pytest.mark.parametrize("rows", [0, 1, 3, 4, 5, 100, 1001])
@pytest.mark.parametrize("number", [1, 2, 3, 16])
@pytest.mark.parametrize("with_progress", [False, True])
@pytest.mark.parametrize("most", [7, 1 << 30])
def test_every_row_is_done_once(monkeypatch, small_parts, rows, number, with_progress, most):
    monkeypatch.setattr(threads, "_MOST_SHARED", most)
    work = Recorder()
    divide(work, rows, number, (lambda done, total: None) if with_progress else None, Counter)
    assert sorted(work.rows) == list(range(rows))


def test_other_threads_take_their_share(small_parts):
    work = Recorder(0.001)
    divide(work, 200, 4, None, Counter)
    assert 1 < len(work.threads) <= 4
    assert threading.get_ident() in work.threads
    assert no_helper_is_left()


def test_one_thread_is_the_calling_one(small_parts):
    work = Recorder()
    divide(work, 1000, 1, lambda done, total: None, Counter)
    assert work.threads == {threading.get_ident()}


@pytest.mark.parametrize("number", [1, 2, 5])
def test_progress_comes_from_the_calling_thread(small_parts, number):
    calls = []

    def progress(done: int, total: int | None) -> None:
        calls.append((done, total))
        assert threading.current_thread() is threading.main_thread()

    divide(Recorder(0.001), 200, number, progress, Counter)
    assert calls == sorted(set(calls))
    assert calls[-1] == (200, 200)
    assert len(calls) > 1


@pytest.mark.parametrize("where", ["calling", "other"])
@pytest.mark.parametrize("with_progress", [False, True])
def test_what_is_raised_ends_all(small_parts, where, with_progress):
    main = threading.get_ident()

    def fail(row: int) -> None:
        if row > 10 and (threading.get_ident() == main) == (where == "calling"):
            raise MemoryError("no more of it")

    work = Recorder(0.001, fail)
    with pytest.raises(MemoryError, match="no more of it"):
        divide(work, 1_000_000, 3, (lambda done, total: None) if with_progress else None, Counter)
    assert len(work.rows) < 10_000
    assert no_helper_is_left()


def test_progress_that_raises_ends_all(small_parts):
    work = Recorder(0.001)

    def progress(done: int, total: int | None) -> None:
        if done > 20:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        divide(work, 1_000_000, 3, progress, Counter)
    assert no_helper_is_left()
    assert len(work.rows) < 1_000_000


def test_an_interrupt_while_threads_start(small_parts, monkeypatch):
    started = []
    real = _thread.start_new_thread

    def start(*arguments: object) -> None:
        if len(started) == 2:
            raise KeyboardInterrupt
        started.append(real(*arguments))

    monkeypatch.setattr(_thread, "start_new_thread", start)
    work = Recorder(0.001)
    with pytest.raises(KeyboardInterrupt):
        divide(work, 1_000_000, 5, None, Counter)
    assert no_helper_is_left()
    assert len(work.rows) < 10_000


def test_few_slow_boards_are_divided():
    """A thread takes few rows at a time where there are few: 40 of them keep all at work."""
    work = Recorder(0.002)
    divide(work, 40, 4, None, Counter)
    assert sorted(work.rows) == list(range(40))
    assert len(work.threads) > 1


def test_no_thread_can_be_started(small_parts, monkeypatch):
    def start(*arguments: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", start)
    work = Recorder()
    divide(work, 1000, 4, None, Counter)
    assert sorted(work.rows) == list(range(1000))


def test_rows_shared_by_threads(engine):
    """Each row is taken by one of them, and the answers are those of one search."""
    boards = ([*BOARDS, "11" + "." * 79] * 100)[: 300 if engine.NAME == "python" else 3000]
    alone = fastsudoku.solve_many(boards, threads=1)
    counts = fastsudoku.count_many(boards, limit=3, threads=1)
    cells = b"".join(read(board)[0] for board in boards)
    first, last = 17, len(boards) - 5
    for number in (1, 2, 7):
        status = memoryview(bytearray(b"\7" * len(boards)))
        solutions = memoryview(bytearray(b"\7" * len(cells)))
        guesses = memoryview(array("I", [7] * len(boards)))
        counted = memoryview(array("q", [7] * len(boards)))
        shared, shared_counts = engine.new_counter(64), engine.new_counter(7)

        def work(*_: object) -> None:
            engine.solve_range(cells, status, solutions, guesses, first, last, b"\0", shared)  # noqa: B023
            engine.count_range(cells, counted, 3, first, last, b"\0", shared_counts)  # noqa: B023

        with ThreadPoolExecutor(number) as pool:
            list(pool.map(work, range(number)))
        assert shared.take(0) >= last - first
        assert status[first:last] == alone.status[first:last]
        assert solutions[81 * first : 81 * last].tobytes() == bytes(alone._digits[81 * first : 81 * last])
        assert guesses[first:last] == alone.guesses[first:last]
        assert counted[first:last] == counts[first:last]
        for buffer, size in ((status, 1), (guesses, 1), (counted, 1), (solutions, 81)):
            assert set(buffer[: size * first]) | set(buffer[size * last :]) == {7}
        # Nothing is left.
        work()


def test_counters_count(engine):
    counter = engine.new_counter(1)
    with ThreadPoolExecutor(4) as pool:
        taken = [
            first
            for part in pool.map(lambda _: [counter.take(3) for _ in range(500)], range(4))
            for first in part
        ]
    assert sorted(taken) == list(range(0, 6000, 3))


def test_the_result_does_not_depend_on_threads(engine, small_parts):
    boards = (BOARDS * 40)[: 60 if engine.NAME == "python" else 1500]
    alone = fastsudoku.solve_many(boards, threads=1)
    counted = fastsudoku.count_many(boards, limit=3, threads=1)
    for number in (2, 3, 7, None):
        batch = fastsudoku.solve_many(boards, threads=number)
        assert list(batch) == list(alone)
        assert fastsudoku.count_many(boards, limit=3, threads=number) == counted


def test_calls_in_many_threads(engine, small_parts):
    boards = (BOARDS * 40)[: 20 if engine.NAME == "python" else 700]
    right = list(fastsudoku.solve_many(boards, threads=1))
    with ThreadPoolExecutor(6) as pool:
        batches = pool.map(lambda _: fastsudoku.solve_many(boards, threads=2), range(12))
        assert all(list(batch) == right for batch in batches)


def test_stopping(engine):
    cells = bytes(0 if character == "." else int(character) for character in HOPELESS) * 500
    stop = bytearray(1)
    buffers = bytearray(500), bytearray(81 * 500), memoryview(bytearray(4 * 500)).cast("I")
    counts = memoryview(bytearray(8 * 500)).cast("q")
    timer = threading.Timer(0.1, lambda: stop.__setitem__(0, 1))
    timer.start()
    start = time.monotonic()

    def solve_again_and_again() -> None:
        for _ in range(1000):
            engine.solve_range(cells, *buffers, 0, 500, stop)

    def count_again_and_again() -> None:
        for _ in range(1000):
            engine.count_range(cells, counts, 2, 0, 500, stop)

    with pytest.raises(InterruptedError, match="another thread stopped this search"):
        solve_again_and_again()
    timer.join()
    with pytest.raises(InterruptedError, match="another thread stopped this search"):
        count_again_and_again()
    assert time.monotonic() - start < 60


FORK = """
import os, fastsudoku

boards = ["." * 81, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"] * 3000
before = fastsudoku.solve_many(boards, threads=2)
child = os.fork()
after = fastsudoku.solve_many(boards, threads=2)
assert list(after) == list(before)
if not child:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_after_a_fork():
    # A thread that has ended for Python may still be there for the system, of which Python 3.12 warns.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORK]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_the_cpus_of_this_process():
    assert 1 <= count_cpus() <= (os.cpu_count() or 1)
