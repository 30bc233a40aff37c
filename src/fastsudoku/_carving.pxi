"""Puzzles carved out of grids, many at once, a part of ``_engine_c.pyx``; ``_carving_py`` explains how.

Each puzzle that is being made is a task, which at any time has one question: can some cells go, can a cell
have another digit, how many solutions are there, or what are the guesses of the puzzle. The kind of question
that most tasks have is answered for all of them together. Then each has another one, until its puzzle is found,
and a new task takes its place.
"""

cdef enum:
    # Tasks at once: more make fuller lanes, fewer stay in the cache.
    MOST_TASKS = 8192
    # Tasks of a thread where few rows are shared, in the blocks of rows that are taken at a time: its share.
    SHARED_BLOCKS = 8
    # What is taken at a time where there are many.
    LARGE_BLOCK = 256
    # Questions between two looks at signals: some milliseconds.
    QUESTIONS_PER_CHECK = 4096
    # So many cells can go at first, about.
    FIRST_RUN = 40

    # A puzzle with a pattern is looked for from a board with fewer solutions than these, by changing one clue
    # and another, until so many changes were in vain.
    MOST_SOLUTIONS = 1000
    MOST_IN_VAIN = 500

    # In the flags of a puzzle, as in plans.py.
    IS_MET = 1
    IS_MINIMAL = 2

ctypedef enum Question:
    CAN_GO
    HAS_OTHER
    HOW_MANY
    WHAT_GUESSES
    QUESTIONS
    NO_QUESTION = QUESTIONS

# What a task is about.
ctypedef enum Stage:
    # Clues of a pattern.
    CLIMBING
    # Many orbits at once.
    RUNNING
    # One orbit after the other.
    CARVING
    # The orbits that were not tried.
    CHECKING
    # Nothing more about orbits.
    CARVED
    # The guesses of the puzzle.
    RATING

ctypedef enum Fate:
    UNTRIED
    GONE
    KEPT

cdef struct Wanted:
    # A plan, as `plans.py` explains it.
    uint64_t seed
    uint64_t start
    int orbits
    uint8_t cells[81]
    # Where the cells of each orbit begin, and end.
    uint8_t starts[82]
    # Whether each is one cell, the one with the same number.
    bint are_single
    int low
    int high
    bint minimal
    int pattern_size
    uint8_t pattern[81]
    uint32_t least_guesses
    uint32_t most_guesses
    uint32_t attempts
    bint has_grid
    uint8_t grid[81]

# By how much a puzzle misses what was asked for.
cdef struct Miss:
    int clues
    int minimal
    uint32_t guesses

# Sets of cells of a grid in which two of its lines can be exchanged, so that one of them has to have a clue.
# They are found without a question. A bit is a set.
cdef struct Exchanges:
    # How many clues each has: binary digits, the lowest first.
    uint64_t counts[4]
    uint64_t of_cell[81]

cdef struct Task:
    Py_ssize_t row
    uint32_t attempt
    Stage stage
    Question question
    int clues
    # The fewest clues that are wanted, and the clues that have to stay.
    int fewest
    int kept
    # The orbits that have clues, in their order, and what became of each.
    int orbits
    uint8_t order[81]
    uint8_t fates[81]
    # The orbit that is next; the question is about those up to another one, and up to a third they cannot go.
    int position
    int end
    int bad
    bint is_minimal
    bint is_last
    uint8_t puzzle[81]
    # If each cell is an orbit.
    Exchanges exchanges
    uint8_t grid[81]
    Stream stream
    # Of a pattern: the solutions it had with the clues before the last change, that change, and those in vain.
    int solutions
    int changed_cell
    uint8_t digit_before
    int in_vain

# The closest puzzle of a task so far.
cdef struct Closest:
    bint is_found
    Miss miss
    bint is_minimal
    uint32_t guesses
    uint8_t grid[81]
    uint8_t puzzle[81]

# The tasks with a kind of question, and the boards that they ask about.
cdef struct Questions:
    uint32_t count
    uint8_t* cells
    uint32_t* tasks

cdef struct Carver:
    const Wanted* wanted
    LaneSearch* search
    Walk* walk
    Task* tasks
    # The tasks without a puzzle to make, and how many they are.
    uint32_t* vacant
    uint32_t vacant_count
    Closest* closest
    Questions questions[QUESTIONS]
    # For the questions that are answered: a candidate that each board does not have, and the answers.
    uint16_t* forbidden
    int64_t* limits
    int64_t* counts
    uint8_t* status
    uint8_t* solutions
    uint32_t* guesses
    # Where puzzles go, by row.
    const uint8_t* given
    uint8_t* puzzles
    uint8_t* grids
    uint8_t* clues
    uint32_t* all_guesses
    uint8_t* flags


cdef int set_wanted(Wanted* wanted, object plan) except -1:
    cdef int cell, cells = 0
    memset(wanted, 0, sizeof(Wanted))
    wanted.seed = plan.seed
    wanted.start = plan.start
    if len(set(b"".join(plan.orbits))) != sum(map(len, plan.orbits)):
        raise ValueError("orbits have different cells")
    for orbit in plan.orbits:
        wanted.starts[wanted.orbits] = cells
        for cell in orbit:
            if cells == 81 or cell >= 81:
                raise ValueError("orbits have cells from 0 to 80")
            wanted.cells[cells] = cell
            cells += 1
        if wanted.starts[wanted.orbits] == cells:
            raise ValueError("an orbit has at least one cell")
        wanted.orbits += 1
        wanted.starts[wanted.orbits] = cells
    wanted.are_single = wanted.orbits == 81 and all([wanted.cells[cell] == cell for cell in range(81)])
    wanted.low = plan.low
    wanted.high = plan.high
    wanted.minimal = plan.minimal
    for cell in plan.pattern:
        if wanted.pattern_size == 81 or cell >= 81:
            raise ValueError("a pattern has cells from 0 to 80")
        wanted.pattern[wanted.pattern_size] = cell
        wanted.pattern_size += 1
    wanted.least_guesses, wanted.most_guesses = plan.guesses
    wanted.attempts = plan.attempts
    wanted.has_grid = len(plan.grid) > 0
    if wanted.has_grid and (len(plan.grid) != 81 or not 1 <= min(plan.grid) <= max(plan.grid) <= 9):
        raise ValueError("a grid is 81 bytes from 1 to 9")
    for cell, digit in enumerate(plan.grid):
        wanted.grid[cell] = digit
    return 0


cdef int size_of(const Wanted* wanted, int orbit) noexcept nogil:
    return wanted.starts[orbit + 1] - wanted.starts[orbit]


cdef void drop(const Wanted* wanted, int orbit, uint8_t* board) noexcept nogil:
    cdef int i
    for i in range(wanted.starts[orbit], wanted.starts[orbit + 1]):
        board[wanted.cells[i]] = 0


# --- what has to have a clue -----------------------------------------------------------------------------


cdef inline void add_one(Exchanges* exchanges, uint64_t sets) noexcept nogil:
    cdef int digit
    cdef uint64_t carry
    for digit in range(4):
        carry = exchanges.counts[digit] & sets
        exchanges.counts[digit] ^= sets
        sets = carry


cdef inline void take_one(Exchanges* exchanges, uint64_t sets) noexcept nogil:
    cdef int digit
    cdef uint64_t borrow
    for digit in range(4):
        borrow = ~exchanges.counts[digit] & sets
        exchanges.counts[digit] ^= sets
        sets = borrow


cdef inline bint has_to_stay(const Exchanges* exchanges, int cell) noexcept nogil:
    """Tell whether a clue is the only one of a set."""
    cdef uint64_t others = exchanges.counts[1] | exchanges.counts[2] | exchanges.counts[3]
    return (exchanges.of_cell[cell] & exchanges.counts[0] & ~others) != 0


cdef int find_exchanges(Task* task, const uint8_t* places) noexcept nogil:
    """Find the sets of up to eight cells; return the first place by which all cells of one have gone.

    In two rows of a band, follow a digit to the column where the other row has it, and so on, until the first
    column is met again: the digits of both rows in these columns are the same. Columns of a stack likewise.
    """
    cdef Exchanges* exchanges = &task.exchanges
    cdef uint8_t[9][10] where
    cdef int turn, across, along, line, first, second, start, at, step, last, bound = 82, found = 0
    cdef int[4] cycle
    cdef uint32_t seen
    memset(exchanges, 0, sizeof(Exchanges))
    for turn in range(2):
        # Cell (line, at) is across * line + along * at.
        across, along = (9, 1) if turn == 0 else (1, 9)
        for line in range(9):
            for at in range(9):
                where[line][task.grid[across * line + along * at]] = at
        for first in range(9):
            for second in range(first + 1, first // 3 * 3 + 3):
                seen = 0
                for start in range(9):
                    if seen >> start & 1:
                        continue
                    step = 0
                    at = start
                    while not seen >> at & 1:
                        seen |= <uint32_t>1 << at
                        if step < 4:
                            cycle[step] = at
                        step += 1
                        at = where[first][task.grid[across * second + along * at]]
                    if step > 4 or found == 64:
                        continue
                    last = 0
                    for at in range(step):
                        last = max(last, note_member(task, across * first + along * cycle[at], found, places))
                        last = max(last, note_member(task, across * second + along * cycle[at], found, places))
                    bound = min(bound, last)
                    found += 1
    return bound


cdef inline int note_member(Task* task, int cell, int number, const uint8_t* places) noexcept nogil:
    """Put a cell into a set, if it has a clue; return its place in the order."""
    if not task.puzzle[cell]:
        return 0
    task.exchanges.of_cell[cell] |= <uint64_t>1 << number
    add_one(&task.exchanges, <uint64_t>1 << number)
    return places[cell]


# --- a task ----------------------------------------------------------------------------------------------


cdef void begin_attempt(Carver* carver, Task* task) noexcept nogil:
    cdef const Wanted* wanted = carver.wanted
    cdef Stream* stream = &task.stream
    cdef int i, other, orbit
    cdef uint8_t[81] order
    cdef uint8_t[81] places
    open_stream(
        stream,
        wanted.seed,
        wanted.start + task.row,
        task.attempt,
        MINIMIZING if carver.given else PUZZLES,
    )
    if carver.given:
        memcpy(task.grid, &carver.grids[81 * task.row], 81)
        for i in range(81):
            task.puzzle[i] = task.grid[i] if carver.given[81 * task.row + i] else 0
    else:
        if wanted.has_grid:
            memcpy(task.grid, wanted.grid, 81)
        else:
            random_grid(stream, task.grid)
        memcpy(task.puzzle, task.grid, 81)
    if wanted.pattern_size:
        memset(task.puzzle, 0, 81)
        for i in range(wanted.pattern_size):
            task.puzzle[wanted.pattern[i]] = task.grid[wanted.pattern[i]]
    task.clues = 0
    for i in range(81):
        task.clues += task.puzzle[i] != 0
    for i in range(wanted.orbits):
        order[i] = i
    task.fewest = wanted.low
    if not wanted.pattern_size:
        if wanted.minimal:
            task.fewest = 0
        elif wanted.low < wanted.high:
            task.fewest += random_below(stream, wanted.high - wanted.low + 1)
        for i in range(wanted.orbits - 1, 0, -1):
            other = random_below(stream, i + 1)
            orbit = order[i]
            order[i] = order[other]
            order[other] = orbit
    task.orbits = 0
    for i in range(wanted.orbits):
        if task.puzzle[wanted.cells[wanted.starts[order[i]]]]:
            task.order[task.orbits] = order[i]
            task.orbits += 1
    memset(task.fates, UNTRIED, sizeof(task.fates))
    task.stage = CLIMBING if wanted.pattern_size else RUNNING
    task.solutions = 0
    task.kept = 0
    task.position = 0
    task.bad = task.orbits + 1
    task.end = min(task.orbits, max(task.orbits * FIRST_RUN // max(task.clues, 1), 1))
    if wanted.are_single and task.stage == RUNNING:
        for i in range(task.orbits):
            places[task.order[i]] = i
        task.bad = min(task.bad, find_exchanges(task, places) + 1)
        # As often as not, all before can go.
        task.end = min(task.bad - 1, task.orbits)


cdef inline bint may_go(const Carver* carver, const Task* task, int number, int clues) noexcept nogil:
    """Tell whether an orbit can be dropped by its size alone."""
    return clues - size_of(carver.wanted, task.order[number]) >= task.fewest


cdef int ask_about(Carver* carver, uint32_t index, const uint8_t* board, Question question) noexcept nogil:
    cdef Questions* questions = &carver.questions[<int>question]
    memcpy(&questions.cells[81 * questions.count], board, 81)
    questions.tasks[questions.count] = index
    questions.count += 1
    carver.tasks[index].question = question
    return True


cdef int ask_about_orbit(Carver* carver, uint32_t index, int number) noexcept nogil:
    """Ask whether an orbit can go."""
    cdef Task* task = &carver.tasks[index]
    cdef int orbit = task.order[number]
    cdef uint8_t[81] board
    memcpy(board, task.puzzle, 81)
    drop(carver.wanted, orbit, board)
    return ask_about(
        carver, index, board, HAS_OTHER if size_of(carver.wanted, orbit) == 1 else CAN_GO
    )


cdef int ask_about_run(Carver* carver, uint32_t index) noexcept nogil:
    """Ask whether the next orbits can go; return False if there are none."""
    cdef Task* task = &carver.tasks[index]
    cdef int number, clues = task.clues, last = -1, count = 0
    cdef uint8_t[81] board
    memcpy(board, task.puzzle, 81)
    for number in range(task.position, task.end):
        if may_go(carver, task, number, clues):
            clues -= size_of(carver.wanted, task.order[number])
            drop(carver.wanted, task.order[number], board)
            last = number
            count += 1
    if count == 0:
        return False
    if count == 1:
        # Whether it can go is all that is left to know.
        task.stage = CARVING
        task.position = last
        return ask_about_orbit(carver, index, last)
    return ask_about(carver, index, board, CAN_GO)


cdef void let_go(const Carver* carver, Task* task, int number) noexcept nogil:
    """Drop an orbit."""
    cdef int orbit = task.order[number]
    task.fates[number] = GONE
    task.clues -= size_of(carver.wanted, orbit)
    drop(carver.wanted, orbit, task.puzzle)
    if carver.wanted.are_single:
        take_one(&task.exchanges, task.exchanges.of_cell[orbit])


cdef void note_run(Carver* carver, Task* task, bint can_go) noexcept nogil:
    """Note whether the next orbits can go."""
    cdef int number
    if not can_go:
        task.bad = task.end
        task.end = (task.position + task.bad) // 2
        return
    for number in range(task.position, task.end):
        if may_go(carver, task, number, task.clues):
            let_go(carver, task, number)
    task.position = task.end
    task.end = (task.position + task.bad) // 2 if task.bad <= task.orbits else task.orbits


cdef int ask_next(Carver* carver, uint32_t index) noexcept nogil:
    """Ask the next question about orbits; return False if there is none."""
    cdef Task* task = &carver.tasks[index]
    if task.stage == CLIMBING:
        return ask_about(carver, index, task.puzzle, HOW_MANY)
    while task.stage == RUNNING:
        if task.position == task.orbits:
            task.stage = CHECKING
            task.position = 0
        elif task.end <= task.position:
            # A single orbit, of which it is known that it cannot go.
            task.stage = CARVING
        elif ask_about_run(carver, index):
            return True
        else:
            # All of these have more cells than may go: nothing is dropped.
            note_run(carver, task, True)
    while task.stage == CARVING:
        if task.position == task.orbits:
            task.stage = CHECKING
            task.position = 0
        elif not may_go(carver, task, task.position, task.clues):
            task.position += 1
        elif carver.wanted.are_single and has_to_stay(&task.exchanges, task.order[task.position]):
            note_orbit(carver, task, False)
        else:
            return ask_about_orbit(carver, index, task.position)
    while task.stage == CHECKING:
        if task.position == task.orbits:
            task.stage = CARVED
            task.is_minimal = True
        elif carver.wanted.are_single and has_to_stay(&task.exchanges, task.order[task.position]):
            task.position += 1
        elif task.fates[task.position] == UNTRIED:
            return ask_about_orbit(carver, index, task.position)
        else:
            task.position += 1
    return False


cdef inline bint is_less(const Miss* miss, const Miss* other) noexcept nogil:
    if miss.clues != other.clues:
        return miss.clues < other.clues
    if miss.minimal != other.minimal:
        return miss.minimal < other.minimal
    return miss.guesses < other.guesses


cdef bint is_in_vain(const Carver* carver, uint32_t index) noexcept nogil:
    """Tell whether a task's attempt cannot come closer than one before."""
    cdef const Task* task = &carver.tasks[index]
    cdef const Wanted* wanted = carver.wanted
    cdef Miss least
    if not carver.closest[index].is_found:
        return False
    least.clues = max(max(task.kept - wanted.high, wanted.low - task.clues), 0)
    least.minimal = 0
    least.guesses = 0
    return not is_less(&least, &carver.closest[index].miss)


cdef int give_back(Carver* carver, uint32_t index, bint is_met, uint32_t guesses) noexcept nogil:
    """Write a puzzle that is found, or zeros for none; return False as there is no more to ask."""
    cdef Task* task = &carver.tasks[index]
    cdef Py_ssize_t row = task.row
    memcpy(&carver.puzzles[81 * row], task.puzzle, 81)
    memcpy(&carver.grids[81 * row], task.grid, 81)
    carver.clues[row] = task.clues
    carver.all_guesses[row] = guesses
    carver.flags[row] = (IS_MET if is_met else 0) | (IS_MINIMAL if task.is_minimal else 0)
    return False


cdef int give_up(Carver* carver, uint32_t index) noexcept nogil:
    """Return what was closest; ask for its guesses if they are not known."""
    cdef Task* task = &carver.tasks[index]
    cdef const Closest* closest = &carver.closest[index]
    cdef int cell
    if not closest.is_found:
        memset(task.puzzle, 0, 81)
        memset(task.grid, 0, 81)
        task.clues = 0
        task.is_minimal = False
        return give_back(carver, index, False, GUESSES_UNKNOWN)
    memcpy(task.puzzle, closest.puzzle, 81)
    memcpy(task.grid, closest.grid, 81)
    task.is_minimal = closest.is_minimal
    task.clues = 0
    for cell in range(81):
        task.clues += task.puzzle[cell] != 0
    if closest.guesses != GUESSES_UNKNOWN:
        return give_back(carver, index, False, closest.guesses)
    task.stage = RATING
    task.is_last = True
    return ask_about(carver, index, task.puzzle, WHAT_GUESSES)


cdef int judge(Carver* carver, uint32_t index) noexcept nogil:
    """See whether a carved puzzle has the clues that were asked for; return whether it has a question."""
    cdef Task* task = &carver.tasks[index]
    cdef const Wanted* wanted = carver.wanted
    cdef Miss miss
    miss.clues = max(max(wanted.low - task.clues, task.clues - wanted.high), 0)
    miss.minimal = wanted.minimal and not task.is_minimal
    miss.guesses = 0
    if miss.clues == 0 and miss.minimal == 0:
        task.stage = RATING
        return ask_about(carver, index, task.puzzle, WHAT_GUESSES)
    note_closest(carver, index, &miss, GUESSES_UNKNOWN)
    return False


cdef void note_closest(Carver* carver, uint32_t index, const Miss* miss, uint32_t guesses) noexcept nogil:
    cdef Task* task = &carver.tasks[index]
    cdef Closest* closest = &carver.closest[index]
    if closest.is_found and not is_less(miss, &closest.miss):
        return
    closest.is_found = True
    closest.miss = miss[0]
    closest.is_minimal = task.is_minimal
    closest.guesses = guesses
    memcpy(closest.puzzle, task.puzzle, 81)
    memcpy(closest.grid, task.grid, 81)


cdef int proceed(Carver* carver, uint32_t index, bint has_failed) noexcept nogil:
    """Ask the next question of a task, or of its next attempt; return whether there is one."""
    cdef Task* task = &carver.tasks[index]
    while True:
        if has_failed:
            task.attempt += 1
            if task.attempt >= carver.wanted.attempts:
                return give_up(carver, index)
            begin_attempt(carver, task)
        if ask_next(carver, index) or judge(carver, index):
            return True
        has_failed = True


cdef int note_guesses(Carver* carver, uint32_t index, uint32_t guesses) noexcept nogil:
    """Note the guesses of a puzzle; return whether the task has another question."""
    cdef const Wanted* wanted = carver.wanted
    cdef Miss miss
    if carver.tasks[index].is_last:
        return give_back(carver, index, False, guesses)
    miss.clues = miss.minimal = 0
    miss.guesses = 0
    if guesses < wanted.least_guesses:
        miss.guesses = wanted.least_guesses - guesses
    elif guesses > wanted.most_guesses:
        miss.guesses = guesses - wanted.most_guesses
    if miss.guesses == 0:
        return give_back(carver, index, True, guesses)
    note_closest(carver, index, &miss, guesses)
    return proceed(carver, index, True)


cdef int note_answer(Carver* carver, uint32_t index, bint can_go) noexcept nogil:
    """Note whether clues of a task can go; return whether it has another question."""
    cdef Task* task = &carver.tasks[index]
    cdef bint has_failed = False
    if task.stage == RUNNING:
        note_run(carver, task, can_go)
    elif task.stage == CHECKING:
        task.fates[task.position] = KEPT
        if can_go:
            # That one is enough to know.
            task.is_minimal = False
            task.stage = CARVED
    else:
        note_orbit(carver, task, can_go)
        if can_go and task.position == task.bad - 1 and may_go(carver, task, task.position, task.clues):
            # It cannot go after all those before, which is known already.
            note_orbit(carver, task, False)
        has_failed = is_in_vain(carver, index)
    return proceed(carver, index, has_failed)


cdef int64_t limit_for(const Carver* carver, const Task* task) noexcept nogil:
    """Return up to which number the solutions of a task's board are counted."""
    if task.solutions:
        return task.solutions + 1
    # The clues of a given grid cannot be changed.
    return 2 if carver.wanted.has_grid else MOST_SOLUTIONS


cdef int note_count(Carver* carver, uint32_t index, int64_t solutions) noexcept nogil:
    """Note how many solutions a board with a pattern has; return whether the task has another question."""
    cdef const Wanted* wanted = carver.wanted
    cdef Task* task = &carver.tasks[index]
    cdef uint8_t digit
    if task.solutions == 0:
        if solutions == limit_for(carver, task):
            return proceed(carver, index, True)
        task.solutions = solutions
        task.in_vain = 0
    elif 1 <= solutions <= task.solutions:
        task.in_vain = 0 if solutions < task.solutions else task.in_vain + 1
        task.solutions = solutions
    else:
        task.in_vain += 1
        task.puzzle[task.changed_cell] = task.digit_before
    while task.solutions > 1 and task.in_vain < MOST_IN_VAIN:
        task.changed_cell = wanted.pattern[random_below(&task.stream, wanted.pattern_size)]
        task.digit_before = task.puzzle[task.changed_cell]
        digit = 1 + random_below(&task.stream, 9)
        if digit != task.digit_before:
            task.puzzle[task.changed_cell] = digit
            return proceed(carver, index, False)
        task.in_vain += 1
    if task.solutions == 1:
        task.stage = CHECKING
    return proceed(carver, index, task.solutions > 1)


cdef void note_orbit(Carver* carver, Task* task, bint can_go) noexcept nogil:
    if can_go:
        let_go(carver, task, task.position)
    else:
        task.fates[task.position] = KEPT
        task.kept += size_of(carver.wanted, task.order[task.position])
        task.bad = 0
    task.position += 1


# --- all tasks -------------------------------------------------------------------------------------------


cdef void forbid(Board* board, uint16_t plane) noexcept nogil:
    """Take a candidate from a board, if there is one: by its plane, counted from 1."""
    if plane:
        remove(board, (plane - 1) // 9, (plane - 1) % 9 + 1)


cdef int answer_by_lanes(Carver* carver, Question question) except -1 nogil:
    cdef LaneSearch* search = carver.search
    cdef Questions* questions = &carver.questions[<int>question]
    search.cells = questions.cells
    search.limit = 1 if question == HAS_OTHER else 2
    search.forbidden = carver.forbidden if question == HAS_OTHER else NULL
    search.limits = carver.limits if question == HOW_MANY else NULL
    if question == WHAT_GUESSES:
        search.counts = NULL
        search.status = carver.status
        search.solutions = carver.solutions
        search.guesses = carver.guesses
    else:
        search.counts = carver.counts
        search.status = search.solutions = NULL
        search.guesses = NULL
    return search_range(search, carver.walk, questions.count)


cdef int answer_one_by_one(Carver* carver, Question question) except -1 nogil:
    cdef Questions* questions = &carver.questions[<int>question]
    cdef Walk* walk = carver.walk
    cdef uint32_t i
    cdef Board board
    for i in range(questions.count):
        if question == WHAT_GUESSES:
            solve_row(
                walk,
                &questions.cells[81 * i],
                &carver.status[i],
                &carver.solutions[81 * i],
                &carver.guesses[i],
            )
            continue
        load(&board, &questions.cells[81 * i])
        if question == HAS_OTHER:
            forbid(&board, carver.forbidden[i])
        start(&walk.search, &board, carver.limits[i])
        finish(&walk.search)
        carver.counts[i] = walk.search.found
    return 0


cdef int answer(Carver* carver, Question question) except -1 nogil:
    """Answer all questions of a kind, and ask what comes next."""
    cdef Questions* questions = &carver.questions[<int>question]
    cdef uint32_t count = questions.count
    cdef uint32_t i, index
    cdef int cell
    cdef Task* task
    for i in range(count):
        task = &carver.tasks[questions.tasks[i]]
        carver.limits[i] = 2
        if question == HAS_OTHER:
            cell = carver.wanted.cells[carver.wanted.starts[task.order[task.position]]]
            carver.forbidden[i] = 9 * cell + task.puzzle[cell]
            carver.limits[i] = 1
        elif question == HOW_MANY:
            carver.limits[i] = limit_for(carver, task)
    if carver.search:
        answer_by_lanes(carver, question)
    else:
        answer_one_by_one(carver, question)
    # The next questions take the places of those that are answered: each task has one at most.
    questions.count = 0
    for i in range(count):
        index = questions.tasks[i]
        task = &carver.tasks[index]
        if question == WHAT_GUESSES:
            if carver.wanted.pattern_size and not carver.wanted.has_grid:
                # Other clues have another solution.
                memcpy(task.grid, &carver.solutions[81 * i], 81)
            if carver.status[i] != UNIQUE or memcmp(&carver.solutions[81 * i], task.grid, 81):
                with gil:
                    raise SystemError("a puzzle that was made has another solution")
            if not note_guesses(carver, index, carver.guesses[i]):
                task.question = NO_QUESTION
        elif question == HOW_MANY:
            if not note_count(carver, index, carver.counts[i]):
                task.question = NO_QUESTION
        elif not note_answer(carver, index, carver.counts[i] == (0 if question == HAS_OTHER else 1)):
            task.question = NO_QUESTION
        if task.question == NO_QUESTION:
            carver.vacant[carver.vacant_count] = index
            carver.vacant_count += 1
    return 0


cdef int carve_all(Carver* carver, Counter shared, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
    """Make puzzles of all rows, or of a share of them."""
    cdef Py_ssize_t begin = first, end = first
    cdef uint32_t index, answered = 0
    cdef int kind, most
    cdef Task* task
    while True:
        while carver.vacant_count and (begin < end or take_rows(NULL, shared, first, last, &begin, &end)):
            index = carver.vacant[carver.vacant_count - 1]
            task = &carver.tasks[index]
            task.row = begin
            carver.closest[index].is_found = False
            if carver.given and not carver.grids[81 * begin]:
                # Without a solution it is left out.
                give_up(carver, index)
                begin += 1
                continue
            task.attempt = 0
            task.is_last = False
            begin += 1
            begin_attempt(carver, task)
            carver.vacant_count -= proceed(carver, index, False)
        most = 0
        for kind in range(1, QUESTIONS):
            if carver.questions[kind].count > carver.questions[most].count:
                most = kind
        if carver.questions[most].count == 0:
            return 0
        answered += carver.questions[most].count
        if answered >= QUESTIONS_PER_CHECK:
            answered = 0
            check_signals(carver.walk.search.stop)
        answer(carver, <Question>most)


cdef void* array_of(size_t count, size_t size) except NULL nogil:
    cdef void* memory = calloc(max(count, 1), size)
    if not memory:
        with gil:
            raise MemoryError
    return memory


cdef int allocate_tasks(Carver* carver, uint32_t count) except -1:
    cdef uint32_t index
    cdef int kind
    carver.tasks = <Task*>array_of(count, sizeof(Task))
    carver.closest = <Closest*>array_of(count, sizeof(Closest))
    carver.vacant = <uint32_t*>array_of(count, sizeof(uint32_t))
    carver.forbidden = <uint16_t*>array_of(count, sizeof(uint16_t))
    carver.limits = <int64_t*>array_of(count, sizeof(int64_t))
    carver.counts = <int64_t*>array_of(count, sizeof(int64_t))
    carver.status = <uint8_t*>array_of(count, 1)
    carver.solutions = <uint8_t*>array_of(count, 81)
    carver.guesses = <uint32_t*>array_of(count, sizeof(uint32_t))
    for kind in range(<int>QUESTIONS):
        carver.questions[kind].cells = <uint8_t*>array_of(count, 81)
        carver.questions[kind].tasks = <uint32_t*>array_of(count, sizeof(uint32_t))
    for index in range(count):
        carver.vacant[count - 1 - index] = index
    carver.vacant_count = count
    return 0


cdef void free_tasks(Carver* carver) noexcept:
    cdef int kind
    for kind in range(<int>QUESTIONS):
        free(carver.questions[kind].cells)
        free(carver.questions[kind].tasks)
    free(carver.tasks)
    free(carver.closest)
    free(carver.vacant)
    free(carver.forbidden)
    free(carver.limits)
    free(carver.counts)
    free(carver.status)
    free(carver.solutions)
    free(carver.guesses)
