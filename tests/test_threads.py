"""Work divided among threads."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from test_answers import OWN

import fastsudoku
from fastsudoku import threads
from fastsudoku.threads import count_cpus, divide

BOARDS = [known.board for known in OWN if known.solutions != "0"]
HOPELESS = "..85..9....4..7........6...5.6...892.....................695.3....2.........8...."


@pytest.fixture
def small_parts(monkeypatch):
    """Have even a few rows divided."""
    monkeypatch.setattr(threads, "_FIRST_ROWS", 3)
    monkeypatch.setattr(threads, "_SHORTEST_PART", 0)
    monkeypatch.setattr(threads, "_WORTH_A_THREAD", 1e-9)


class Recorder:
    """Work that takes a moment, and notes who did what."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.rows: list[int] = []
        self.threads: set[int] = set()

    def __call__(self, first: int, last: int, stop: bytearray) -> None:
        self.threads.add(threading.get_ident())
        self.rows += range(first, last)
        time.sleep(self.seconds)


@pytest.mark.parametrize("rows", [0, 1, 3, 4, 5, 100, 1001])
@pytest.mark.parametrize("number", [1, 2, 3, 16])
@pytest.mark.parametrize("with_progress", [False, True])
def test_every_row_is_done_once(small_parts, rows, number, with_progress):
    work = Recorder()
    divide(work, rows, number, (lambda done, total: None) if with_progress else None)
    assert sorted(work.rows) == list(range(rows))


def test_other_threads_take_their_share(small_parts):
    work = Recorder(0.01)
    divide(work, 1000, 4, None)
    assert 1 < len(work.threads) <= 4
    assert threading.get_ident() in work.threads
    assert threading.active_count() == 1


def test_one_thread_is_the_calling_one(small_parts):
    work = Recorder()
    divide(work, 1000, 1, lambda done, total: None)
    assert work.threads == {threading.get_ident()}


@pytest.mark.parametrize("number", [1, 2, 5])
def test_progress_comes_from_the_calling_thread(small_parts, number):
    calls = []

    def progress(done: int, total: int | None) -> None:
        calls.append((done, total))
        assert threading.current_thread() is threading.main_thread()

    divide(Recorder(0.001), 500, number, progress)
    assert calls == sorted(set(calls))
    assert calls[-1] == (500, 500)
    assert len(calls) > 1


@pytest.mark.parametrize("where", ["calling", "other"])
def test_what_is_raised_ends_all(small_parts, where):
    main = threading.get_ident()
    done = []

    def work(first: int, last: int, stop: bytearray) -> None:
        time.sleep(0.001)
        if first > 10 and (threading.get_ident() == main) == (where == "calling"):
            raise MemoryError("no more of it")
        done.append(first)

    with pytest.raises(MemoryError, match="no more of it"):
        divide(work, 1_000_000, 3, None)
    assert len(done) < 1000
    assert threading.active_count() == 1


def test_progress_that_raises_ends_all(small_parts):
    work = Recorder(0.001)

    def progress(done: int, total: int | None) -> None:
        if done > 20:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        divide(work, 1_000_000, 3, progress)
    assert threading.active_count() == 1
    assert len(work.rows) < 1_000_000


def test_no_thread_can_be_started(small_parts, monkeypatch):
    def start(*arguments: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", start)
    work = Recorder()
    divide(work, 1000, 4, None)
    assert sorted(work.rows) == list(range(1000))


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
