#!/usr/bin/env bash
# Runs the tests with AddressSanitizer and UndefinedBehaviorSanitizer in the compiled engine, and looks for leaks:
# ``bash tools/sanitize.sh``. Any report is a failure. Arguments go on to pytest. GCC is needed, and half an hour.
#
# There are two builds: one with the levels that this processor can run, and one with AVX-512 emulated, so that
# 512 lanes are searched on any x86-64 machine.
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
mkdir "$work/reports"
unset FASTSUDOKU_IMPLEMENTATION FASTSUDOKU_PURE CIBUILDWHEEL PYTHONPATH
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

say() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

# Some tests expect the processes they start to fail, and keep what they print: reports are in files, and seen to here.
finish() {
    local status=$?
    if [ -n "$(ls "$work/reports")" ]; then
        cat "$work"/reports/*
        echo "the sanitizers have reported something"
        status=1
    fi
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

# Installs a copy of the checkout, with what is not committed: build NAME FLAG...
build() {
    mkdir -p "$work/$1/project"
    cd "$work/$1/project"
    # Files that git knows of may be gone.
    git -C "$project" ls-files -z --cached --others --exclude-standard |
        tar -C "$project" --null --ignore-failed-read --warning=no-failed-read -c -T - | tar -x
    if [ -d "$project/../shared" ]; then ln -sfn "$(cd "$project/../shared" && pwd)" ../shared; fi
    # Less is optimized away than with the option that setup.py adds, and less time goes into it.
    sed -i 's/"-O3"/"-O1"/' setup.py
    CFLAGS="-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined ${*:2}" \
        CC=gcc FASTSUDOKU_REQUIRE_EXTENSION=1 \
        "$work/env/bin/pip" install --no-build-isolation --no-deps --force-reinstall .
}

# Runs Python with the sanitizers' libraries, which have to be loaded first. Python takes its own objects from
# malloc() too, so that what is beyond their ends is watched. It leaves memory behind at exit: see check_leaks.
sanitized() {
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=2:log_path=$work/reports/address" \
        UBSAN_OPTIONS="print_stacktrace=1:log_path=$work/reports/undefined" \
        PYTHONMALLOC=malloc \
        "$work/env/bin/python" "$@"
}

# Left out, besides packaging: the pure engine, which is as it always is, and tests of the memory of the process,
# which grows by what the sanitizers keep, and which they need too much of to limit it.
run_tests() {
    sanitized -m pytest -q -k "$1" --deselect tests/test_running.py::test_memory_stays_flat \
        --deselect tests/test_running.py::test_memory_that_cannot_be_had "${@:2}"
}

# Calls the engine in all ways again and again; what is allocated must not become more: check_leaks LEVEL
check_leaks() {
    FASTSUDOKU_IMPLEMENTATION=$1 sanitized - << 'END'
import ctypes, gc, signal, sys
from fastsudoku import (
    BoardError,
    _engine,
    count_many,
    generate,
    implementation,
    minimize_many,
    random_grids,
    rate_many,
    solutions,
    solve_iter,
    solve_many,
)

allocated = ctypes.CDLL(None)["__sanitizer_get_current_allocated_bytes"]
allocated.restype = ctypes.c_size_t

# With columns for the number of solutions, the smallest one, the guesses and a description.
table = [line.split("\t") for line in open("tests/boards.tsv").read().splitlines()[2:]]
# Enough that they begin in lanes, and few of which all turn out to be worth lanes.
many = ["x", *(row[0] for row in table if not row[4].endswith("open"))] * 2
hard = [row[0] for row in table if row[3].isdecimal() and int(row[3]) > 10]
empty = "." * 81
lines = "".join(f"{row[0]} name\n" for row in table).encode()
records = b"id,puzzle\n" + b"".join(b'1,"%s"\n' % line[:81] for line in lines.splitlines()) + b'2,"x\n'
batch = solve_many(lines)


def written():
    engine = _engine.engine
    words = b"none", b"unique", b"several", b"malformed"
    engine.write_answer_lines(lines, batch._digits, batch.status, words)
    cells, spans, *_ = engine.read_table(records, 10, True, ",", 2, 1)
    rows = len(batch)
    answers = batch._digits, batch.status, batch.guesses, words
    engine.write_table(records, memoryview(spans)[: 24 * rows].cast("q"), ",", 2, (-1, 0, -1), *answers)


def made():
    generate(50, clues=(23, 30), seed=1, threads=1)
    generate(20, symmetry="rot180", seed=2)
    generate(2, pattern="1..1....1.1..1.1....1..1.1." * 3, seed=3)
    generate(2, clues=17, max_attempts=3)


def refused():
    try:
        solve_many(many)
    except BoardError:
        return
    sys.exit("a text that is not a board was not refused")


def not_made():
    try:
        generate(1, clues=17, max_attempts=2, errors="raise")
    except ValueError:
        return
    sys.exit("a puzzle with 17 clues was made")


def interrupted():
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        count_many([empty] * 100, limit=10**18)
    except KeyboardInterrupt:
        pass
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        generate(1000, clues=17, max_attempts=10**9)
    except KeyboardInterrupt:
        pass


for times, name, call in (
    (1000, "solve_many", lambda: solve_many(many, errors="mark")),
    (300, "solve_many, threads", lambda: solve_many(many * 5, errors="mark", threads=3)),
    (1000, "lines and tables", written),
    (1000, "solve_many, few boards", lambda: solve_many(hard)),
    (1000, "count_many", lambda: count_many(many, errors="mark")),
    (1000, "count_many, few boards", lambda: count_many(hard)),
    (3, "count_many, a thousand solutions", lambda: count_many([empty] * 3, limit=1500)),
    (1000, "solutions, dropped after the first", lambda: next(solutions(empty))),
    (1000, "solve_iter, dropped after the first", lambda: next(solve_iter(hard))),
    (1000, "a batch that is refused", refused),
    (100, "generate", made),
    (300, "generate, not found", not_made),
    (300, "random_grids", lambda: random_grids(100, threads=1)),
    (100, "minimize_many, rate_many", lambda: rate_many(minimize_many(random_grids(50, seed=1), seed=1).puzzles)),
    (3, "a search that is interrupted", interrupted),
):
    for _ in range(max(3, times // 10)):
        call()
    # Python keeps a kilobyte or so for itself, once: only what grows again is lost.
    for attempt in range(2):
        gc.collect()
        before = allocated()
        for _ in range(times):
            call()
        gc.collect()
        growth = allocated() - before
        print(f"{implementation()}: {name}: {growth} bytes more after {times} calls", flush=True)
        # Less than the smallest object for each call, and than a page of lanes.
        if growth <= 1000:
            break
    else:
        sys.exit("memory leaks")
END
}

say "build"
python3 -m venv "$work/env"
"$work/env/bin/pip" install "setuptools>=77" "cython>=3.1" numpy pytest hypothesis
build plain

say "tests"
run_tests "not python" tests --ignore=tests/test_packaging.py "$@"
levels=$(sanitized -c "from fastsudoku._engine import *; print(*{*NAMES} - {*unavailable()} - {'python'})")
for level in $levels; do
    say "leaks: $level"
    check_leaks "$level"
done

say "build with emulated AVX-512"
build emulated "-DFASTSUDOKU_EMULATED_AVX512='\"$work/emulated/project/tests/emulated_avx512.h\"'"

say "tests with emulated AVX-512"
export FASTSUDOKU_IMPLEMENTATION=avx512
run_tests avx512 tests/test_{lanes,parity,batch,answers,running,properties,generate,minimal}.py "$@"
say "leaks: emulated AVX-512"
check_leaks avx512

say "all is well"
