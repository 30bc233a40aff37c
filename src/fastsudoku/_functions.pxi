"""What the package calls, a part of ``_engine_c.pyx``; ``_engine_py`` says what each function does."""


cdef class Solutions:
    # Not a generator, as in the pure engine: under the limited API, one that is dropped before its end does
    # not run its `finally`, and so would not free its memory.
    cdef Walk* walk
    cdef Board board
    cdef bint is_started
    cdef bint is_running

    def __cinit__(self, Engine engine, bytes cells):
        self.walk = engine.new_walk()
        load_bytes(&self.board, cells)

    def __dealloc__(self):
        free(self.walk)

    def __iter__(self):
        return self

    def __next__(self):
        cdef int found = 0
        with cython.critical_section(self):
            if self.is_running:
                raise ValueError("another thread is at work on these solutions")
            self.is_running = True
        if not self.walk:
            self.is_running = False
            raise StopIteration
        try:
            with nogil:
                found = self.advance()
        finally:
            if not found:
                # There are no more, or the search was interrupted: the walk is over.
                free(self.walk)
                self.walk = NULL
            solution = as_bytes(self.walk.known) if found else None
            self.is_running = False
        if not found:
            raise StopIteration
        return solution

    cdef int advance(self) except -1 nogil:
        if self.is_started:
            return next_solution(self.walk)
        self.is_started = True
        start(&self.walk.search, &self.board, 1)
        finish(&self.walk.search)
        if not self.walk.search.found:
            return 0
        memcpy(self.walk.known, self.walk.search.solution, 81)
        first_solution(self.walk, self.board)
        return 1


cdef class Counter:
    # Only ever changed atomically.
    cdef Py_ssize_t taken
    cdef Py_ssize_t block

    def __cinit__(self, Py_ssize_t block):
        if not 1 <= block <= MOST_SHARED:
            raise ValueError("a block has at least one row")
        self.block = block

    def take(self, Py_ssize_t number):
        return add_atomically(&self.taken, number)


cdef bint take_rows(
    LaneSearch* search, Counter shared, Py_ssize_t first, Py_ssize_t last, Py_ssize_t* begin, Py_ssize_t* end
) noexcept nogil:
    """Set begin and end to the next rows of a range; return whether there are any.

    Where `end` is at the first call, the range begins.
    """
    if search or shared is None:
        begin[0] = end[0]
        # A search that shares rows takes blocks of the whole range by itself.
        end[0] = min(begin[0] + MOST_ROWS, last) if search and not search.taken else last
    else:
        begin[0] = first + add_atomically(&shared.taken, shared.block)
        end[0] = min(begin[0] + shared.block, last)
    return begin[0] < last


cdef LaneSearch* new_range_search(
    const Level* level, int64_t limit, const uint8_t* stop, Counter shared, Py_ssize_t rows
) except NULL:
    """Return a search for a range of rows, which takes its rows by itself if they are shared."""
    cdef LaneSearch* search
    if shared is not None and rows > MOST_SHARED:
        raise ValueError("these are too many rows to share")
    search = new_lane_search(level, limit)
    search.stop = stop
    if shared is not None:
        search.taken = &shared.taken
        search.block = shared.block
        search.rows = rows
    return search


cdef class Engine(Texts):
    """The depth-first engine, alone or with a level of the lane engine for many boards."""

    cdef readonly str NAME
    cdef const Level* level
    cdef Propagate propagate_by

    def __cinit__(self, str name):
        cdef const char* reason = NULL
        self.NAME = name
        self.propagate_by = propagate
        if name == "dfs":
            return
        self.level = find_level(name.encode(), &reason)
        if not self.level:
            raise ImportError(reason.decode())
        if self.level.propagate:
            self.propagate_by = self.level.propagate

    cdef Walk* new_walk(self) except NULL:
        return new_walk(self.propagate_by)

    # --- one board ---------------------------------------------------------------------------------------

    cdef int solve_cells(self, Walk* walk, const uint8_t* cells) except -1:
        """Return the status of a board, and leave its smallest solution in walk.known."""
        cdef Board board
        cdef int status
        if not load(&board, cells):
            raise ValueError(NO_BOARD)
        start(&walk.search, &board, 2)
        # Most boards end here: to let other threads run would cost more than to solve them.
        if not advance(&walk.search) and walk.search.found < 2:
            return conclude(walk, &board)
        with nogil:
            if walk.search.found < 2:
                walk.search.patience = many_nodes(2)
                if not self.level:
                    finish(&walk.search)
                elif advance(&walk.search):
                    return solve_alone(self.level, walk, cells)
            return conclude(walk, &board)

    def solve(self, bytes cells):
        cdef Walk* walk = self.new_walk()
        cdef int status
        try:
            if len(cells) != 81:
                raise ValueError(NO_BOARD)
            status = self.solve_cells(walk, <const uint8_t*><const char*>cells)
            return status, as_bytes(walk.known) if status != NO_SOLUTION else b""
        finally:
            free(walk)

    def count(self, bytes cells, limit):
        cdef Walk* walk = self.new_walk()
        cdef Board board
        cdef const uint8_t* values = <const uint8_t*><const char*>cells
        cdef int64_t most = min(limit, 0x7FFFFFFFFFFFFFFF)
        cdef int64_t found
        try:
            load_bytes(&board, cells)
            start(&walk.search, &board, most)
            if advance(&walk.search):
                with nogil:
                    found = self.finish_count(walk, values)
            else:
                found = walk.search.found
            return found
        finally:
            free(walk)

    cdef int64_t finish_count(self, Walk* walk, const uint8_t* cells) except -1 nogil:
        if self.level:
            walk.search.patience = many_nodes(walk.search.limit)
            if advance(&walk.search):
                return count_alone(self.level, cells, walk.search.limit)
        else:
            walk.search.patience = NODES_PER_CHECK
            finish(&walk.search)
        return walk.search.found

    def solutions(self, bytes cells):
        return Solutions(self, cells)

    def classic(self, bytes cells):
        cdef Classic search
        cdef Progress progress
        cdef Board board
        load_bytes(&board, cells)
        if not start_classic(&search, <const uint8_t*><const char*>cells):
            return None
        while True:
            with nogil:
                progress = advance_classic(&search, PLACEMENTS_PER_CHECK)
            if progress != PAUSED:
                return as_bytes(search.cells) if progress == FOUND else None
            PyErr_CheckSignals()

    def read_text(self, text):
        cdef uint8_t[81] cells
        return as_bytes(cells) if is_plain_text(text, cells) else None

    def read_rows(self, rows):
        cdef uint8_t[81] cells
        return as_bytes(cells) if are_plain_rows(rows, cells) else None

    def write_rows(self, bytes cells):
        if len(cells) != 81 or max(cells) > 9:
            raise ValueError(NO_BOARD)
        return rows_of(<const uint8_t*><const char*>cells)

    def solve_text(self, text):
        cdef uint8_t[81] cells
        cdef Walk* walk
        cdef int cell
        if type(text) is not str or not is_plain_text(text, cells):
            return NotImplemented
        walk = self.new_walk()
        try:
            if self.solve_cells(walk, cells) == NO_SOLUTION:
                return None
            for cell in range(81):
                cells[cell] = walk.known[cell] + c"0"
            return PyUnicode_DecodeASCII(<const char*>cells, 81, NULL)
        finally:
            free(walk)

    def solve_rows(self, rows):
        cdef uint8_t[81] cells
        cdef Walk* walk
        if not are_plain_rows(rows, cells):
            return NotImplemented
        walk = self.new_walk()
        try:
            return None if self.solve_cells(walk, cells) == NO_SOLUTION else rows_of(walk.known)
        finally:
            free(walk)

    # --- many boards -------------------------------------------------------------------------------------

    def new_counter(self, block):
        return Counter(block)

    def new_buffer(self, Py_ssize_t size):
        if size < 0:
            raise ValueError("a buffer cannot have a negative size")
        return new_buffer(size)

    def solve_range(
        self,
        const uint8_t[::1] cells,
        uint8_t[::1] status,
        uint8_t[::1] solutions,
        uint32_t[::1] guesses,
        Py_ssize_t first,
        Py_ssize_t last,
        const uint8_t[::1] stop = b"\0",
        Counter shared=None,
    ):
        cdef Walk* walk
        cdef LaneSearch* search = NULL
        cdef Py_ssize_t row, begin, end = first
        check_range(first, last, cells.shape[0], status.shape[0])
        check_range(first, last, solutions.shape[0], guesses.shape[0])
        walk = self.new_walk()
        walk.search.stop = &stop[0]
        try:
            if self.level:
                search = new_range_search(self.level, 2, &stop[0], shared, last - first)
            with nogil:
                while take_rows(search, shared, first, last, &begin, &end):
                    if search:
                        search.cells = &cells[81 * begin]
                        search.status = &status[begin]
                        search.solutions = &solutions[81 * begin]
                        search.guesses = &guesses[begin]
                        search_range(search, walk, end - begin)
                        continue
                    for row in range(begin, end):
                        solve_row(
                            walk, &cells[81 * row], &status[row], &solutions[81 * row], &guesses[row]
                        )
        finally:
            free(walk)
            free_lane_search(search)

    def count_range(
        self,
        const uint8_t[::1] cells,
        int64_t[::1] counts,
        int64_t limit,
        Py_ssize_t first,
        Py_ssize_t last,
        const uint8_t[::1] stop = b"\0",
        Counter shared=None,
    ):
        cdef Walk* walk
        cdef LaneSearch* search = NULL
        cdef Py_ssize_t row, begin, end = first
        check_range(first, last, cells.shape[0], counts.shape[0])
        walk = self.new_walk()
        walk.search.stop = &stop[0]
        try:
            if self.level:
                search = new_range_search(self.level, limit, &stop[0], shared, last - first)
            with nogil:
                while take_rows(search, shared, first, last, &begin, &end):
                    if search:
                        search.cells = &cells[81 * begin]
                        search.counts = &counts[begin]
                        search_range(search, walk, end - begin)
                        continue
                    for row in range(begin, end):
                        counts[row] = count_row(walk, &cells[81 * row], limit)
        finally:
            free(walk)
            free_lane_search(search)

    def techniques(self, bytes cells):
        cdef Board board
        load_bytes(&board, cells)
        return techniques_of(<const uint8_t*><const char*>cells)

    def technique_range(
        self,
        const uint8_t[::1] cells,
        const uint8_t[::1] status,
        const uint32_t[::1] guesses,
        uint8_t[::1] flags,
        Py_ssize_t first,
        Py_ssize_t last,
        const uint8_t[::1] stop = b"\0",
        Counter shared=None,
    ):
        cdef uint8_t[81] board
        cdef Py_ssize_t row, begin, end = first
        check_range(first, last, cells.shape[0], status.shape[0])
        check_range(first, last, 81 * guesses.shape[0], flags.shape[0])
        with nogil:
            while take_rows(NULL, shared, first, last, &begin, &end):
                for row in range(begin, end):
                    if row % ROWS_PER_CHECK == 0:
                        check_signals(&stop[0])
                    flags[row] = 0
                    if status[row] == UNIQUE and guesses[row] == 0:
                        # Another thread may change it meanwhile.
                        memcpy(board, &cells[81 * row], 81)
                        if is_board(board):
                            flags[row] = techniques_of(board)

    def form_range(self, uint64_t seed, uint64_t start, bytes cells, uint8_t[::1] forms, uint64_t row):
        cdef Stream stream
        cdef Py_ssize_t number, count = forms.shape[0] // 81
        cdef const uint8_t* board = <const uint8_t*><const char*>cells
        if len(cells) != 81:
            raise ValueError(NO_BOARD)
        with nogil:
            for number in range(count):
                open_stream(&stream, seed, row, <uint32_t>(start + number), FORMS)
                equivalent_form(&stream, board, &forms[81 * number])

    # --- making puzzles ----------------------------------------------------------------------------------

    def grid_range(
        self,
        uint64_t seed,
        uint64_t start,
        uint8_t[::1] grids,
        Py_ssize_t first,
        Py_ssize_t last,
        const uint8_t[::1] stop = b"\0",
        Counter shared=None,
    ):
        cdef Stream stream
        cdef Py_ssize_t row, begin, end = first
        check_range(first, last, grids.shape[0], PY_SSIZE_T_MAX)
        prepare_partitions()
        with nogil:
            while take_rows(NULL, shared, first, last, &begin, &end):
                for row in range(begin, end):
                    if row % ROWS_PER_CHECK == 0:
                        check_signals(&stop[0])
                    open_stream(&stream, seed, start + row, 0, GRIDS)
                    random_grid(&stream, &grids[81 * row])

    def carve_range(
        self,
        plan,
        const uint8_t[::1] given,
        uint8_t[::1] puzzles,
        uint8_t[::1] grids,
        uint8_t[::1] clues,
        uint32_t[::1] guesses,
        uint8_t[::1] flags,
        Py_ssize_t first,
        Py_ssize_t last,
        const uint8_t[::1] stop = b"\0",
        Counter shared=None,
    ):
        cdef Carver carver
        cdef Wanted wanted
        cdef Py_ssize_t tasks = MOST_TASKS
        check_range(first, last, puzzles.shape[0], clues.shape[0])
        check_range(first, last, grids.shape[0], guesses.shape[0])
        check_range(first, last, given.shape[0] if given.shape[0] else grids.shape[0], flags.shape[0])
        if first == last:
            return
        memset(&carver, 0, sizeof(carver))
        set_wanted(&wanted, plan)
        prepare_partitions()
        carver.wanted = &wanted
        carver.given = &given[0] if given.shape[0] else NULL
        carver.puzzles = &puzzles[0]
        carver.grids = &grids[0]
        carver.clues = &clues[0]
        carver.all_guesses = &guesses[0]
        carver.flags = &flags[0]
        if shared is not None and shared.block < LARGE_BLOCK:
            tasks = SHARED_BLOCKS * shared.block
        carver.walk = self.new_walk()
        carver.walk.search.stop = &stop[0]
        try:
            if self.level:
                carver.search = new_lane_search(self.level, 2)
                carver.search.stop = &stop[0]
            allocate_tasks(&carver, min(tasks, last - first))
            with nogil:
                carve_all(&carver, shared, first, last)
        finally:
            free(carver.walk)
            free_lane_search(carver.search)
            free_tasks(&carver)

    def first_bad_row(self, const uint8_t[::1] cells):
        cdef Py_ssize_t size = cells.shape[0] // 81 * 81, start = 0, end = 0, position
        cdef uint8_t most = 0
        with nogil:
            # Many rows at a time, and then those in which there is something.
            while end < size and most <= 9:
                start = end
                end = min(start + 81 * 64, size)
                for position in range(start, end):
                    most = max(most, cells[position])
        while most > 9 and start < end:
            if cells[start] > 9:
                return start // 81
            start += 1
        # There was none, or another thread has changed it.
        return -1
