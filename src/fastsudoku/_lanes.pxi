"""The search over lanes, a part of ``_engine_c.pyx``: hundreds of boards, or nodes of their trees, at once.

``lanes/lanes.h`` explains lanes, planes and pages. The search holds these pages::

    new boards --> entry --> group --> exit --> solutions
                             |   ^
                             v   |
                         stuck --> returning, waiting

    entry      boards that have not begun, loaded many at a time
    group      the lanes at work: a pass of inference is applied to all of them
    stuck      lanes to branch, until there are enough of them
    returning  pages of first children, which go back to the group before all others
    waiting    pages of second children, the newest on top
    exit       solutions, as binary digits, until there are enough of them

After a pass, a lane is dead, solved, stuck or at work. Dead lanes are vacant at once. Passes go on until so few
lanes are at work that it pays to handle the others and to fill the vacant ones: each of these steps takes the
same time for one lane and for all. Solved lanes are counted and, if their solution is wanted, leave for the
exit; stuck ones are moved to their page, and branched when that is nearly full. A few may have to wait where
they are for the next time.
"""

cdef extern from "lanes/lanes.h":
    enum:
        ALIGNMENT "FASTSUDOKU_ALIGNMENT"
        MOST_WORDS "FASTSUDOKU_MOST_WORDS"
        MOST_LEGS "FASTSUDOKU_MOST_LEGS"
        PAGE_PLANES "FASTSUDOKU_PAGE_PLANES"
        HIDDEN_PLANES "FASTSUDOKU_HIDDEN_PLANES"
        CHOICE_PLANES "FASTSUDOKU_CHOICE_PLANES"
        DIGITS_PLANES "FASTSUDOKU_DIGITS_PLANES"

    ctypedef struct Leg "fastsudoku_leg":
        uint64_t arrivals[MOST_WORDS]
        uint64_t from_word "from"[MOST_WORDS]
        uint64_t places[MOST_WORDS]

    ctypedef struct Route "fastsudoku_route":
        int legs
        Leg leg[MOST_LEGS]

    ctypedef struct Level "fastsudoku_level":
        int words
        void (*infer)(
            void* page,
            void* hidden,
            const uint64_t* fresh,
            uint64_t* changed,
            uint64_t* dead,
            uint64_t* unsolved,
        ) noexcept nogil
        void (*choose)(
            const void* page, const uint64_t* lanes, void* choice, int lowest_cell
        ) noexcept nogil
        void (*branch)(
            void* second, void* first, const void* choice, const uint64_t* parents
        ) noexcept nogil
        void (*move)(void* to, const void* page, const Route* route) noexcept nogil
        int (*match)(const uint64_t* lanes, const uint64_t* vacant, Route* route) noexcept nogil
        void (*load)(
            void* page, const uint64_t* lanes, const uint8_t* cells, const uint32_t* rows
        ) noexcept nogil
        void (*collect)(void* digits, const void* page, const Route* route) noexcept nogil
        void (*unload)(
            const void* digits, const uint64_t* lanes, uint8_t* solutions, const uint32_t* rows
        ) noexcept nogil
        Propagate propagate

    const Level* find_level "fastsudoku_find_level"(const char* name, const char** reason) noexcept

cdef extern from *:
    """
    #if defined(__GNUC__)
    static inline int fastsudoku_lowest_lane(uint64_t lanes) { return __builtin_ctzll(lanes); }
    #else
    static inline int fastsudoku_lowest_lane(uint64_t lanes) {
        int lane = 0;
        while (!(lanes >> lane & 1))
            lane++;
        return lane;
    }
    #endif
    """
    int lowest_lane "fastsudoku_lowest_lane"(uint64_t lanes) noexcept nogil

cdef enum:
    MOST_LANES = 64 * MOST_WORDS
    # Lanes are too many for fewer boards than half of them: LaneSearch.few_boards is never more than this.
    FEW_BOARDS = MOST_LANES // 2
    # Passes between two looks at signals: 10 to 50 milliseconds where a pass takes 2 to 10 microseconds.
    PASSES_PER_CHECK = 4096

    # Of few boards, each is searched for so many nodes first; if so many boards are left, lanes pay for them.
    FEW_NODES = 8
    FEW_HARD_BOARDS = 8
    # Lanes pay even for one board after so many nodes, and two more for each solution that is counted.
    MANY_NODES = 1024
    NODES_OF_A_SOLUTION = 2
    FEW_SOLUTIONS = 4096
    # Boards that are searched at once, which bounds the memory for their smallest solutions to 12 MB.
    MOST_ROWS = 1 << 20
    # The most rows that threads share: numbers that go beyond by a block of each still have 32 bits.
    # (threads.py shares fewer at once, for the same reason as above.)
    MOST_SHARED = 1 << 30
    # While more pages of second children wait, until but one is left, no new boards are begun.
    MOST_WAITING = 32
    # Branches, and their depth, after which a smallest solution is left to the depth-first engine.
    MOST_BRANCHES = 512
    MOST_DEPTH = 63

# A path is never 0: its lowest bit is set, and is not used by any branch.
cdef uint64_t ROOT = 1
cdef uint64_t GIVEN_UP = 0
cdef uint64_t NOT_FOUND = 0xFFFFFFFFFFFFFFFF

ctypedef uint64_t[MOST_WORDS] LaneSet

cdef struct Page:
    void* memory
    void* planes
    LaneSet occupied
    # The board of each lane, by its row in the batch.
    uint32_t rows[MOST_LANES]
    # In a search for smallest solutions, the way to the lane's node from the root: a bit for each branch, the
    # highest first, which is set for a second child; and how many branches these are.
    uint64_t paths[MOST_LANES]
    uint8_t depths[MOST_LANES]
    # What LaneSearch.finished_boards was when the lanes of finished boards were last dropped.
    uint64_t swept
    # The page below, of a stack.
    Page* next

cdef struct LaneSearch:
    const Level* level
    int words
    Page group
    Page entry
    Page exit
    Page hidden
    Page choice
    Page* stuck
    # Stacks of pages, by the newest one: of first children, of second ones, and of no lanes, to be used again.
    Page* returning
    Page* waiting
    Page* spare
    int waiting_count
    # Whether second children come before new boards.
    bint is_draining
    # Lanes of the group that are other ones than at the last pass.
    LaneSet fresh
    # Lanes of the group that are solved, and counted, but not yet at the exit.
    LaneSet leaving
    # Fewer boards than these are searched one by one first.
    uint32_t few_boards
    # Passes go on while more lanes than these are at work.
    int enough
    # Solved or stuck lanes that may stay for the next time, vacant lanes that may stay vacant.
    int may_stay
    int least_vacant
    # Stuck lanes that are enough to branch them.
    int full

    const uint8_t* cells
    # A candidate that each board does not have, by its plane, counted from 1; NULL if they have all.
    const uint16_t* forbidden
    # The boards to search: these rows, or all up to `last` if it is NULL.
    const uint32_t* queue
    uint32_t next
    uint32_t last
    # Or all of these rows, which other threads take from as well: how many are taken; NULL if no more are.
    Py_ssize_t* taken
    uint32_t rows
    uint32_t block
    # The first rows of the blocks that this search took of them.
    uint32_t* blocks
    uint32_t block_count
    uint32_t most_blocks
    # Boards of which lanes may be left that need not be searched any more.
    uint64_t finished_boards
    int patience
    const uint8_t* stop

    # What is asked for: to solve the boards,
    uint8_t* status
    uint8_t* solutions
    uint32_t* guesses
    # to count their solutions up to a limit,
    int64_t* counts
    int64_t limit
    # of each board by itself if this is not NULL,
    const int64_t* limits
    # or to find the smallest solutions of boards with several: the path of the smallest one known.
    uint64_t* smallest
    uint32_t* several


# --- sets of lanes ---------------------------------------------------------------------------------------


cdef inline int count_word(uint64_t word) noexcept nogil:
    word -= (word >> 1) & 0x5555555555555555U
    word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU
    return (word * 0x0101010101010101U) >> 56


cdef inline int count_lanes(const LaneSearch* search, const uint64_t* lanes) noexcept nogil:
    cdef int word, count = 0
    for word in range(search.words):
        count += count_word(lanes[word])
    return count


cdef inline uint64_t rotate_right(uint64_t word, uint64_t places) noexcept nogil:
    return word >> (places & 63) | word << (-places & 63)


# --- pages -----------------------------------------------------------------------------------------------


cdef int allocate(LaneSearch* search, Page* page, size_t planes) noexcept nogil:
    """Give a page memory; return whether there was some."""
    cdef size_t size = planes * search.words * sizeof(uint64_t)
    page.memory = malloc(size + ALIGNMENT)
    if not page.memory:
        return False
    page.planes = <void*>((<size_t>page.memory + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT)
    memset(page.planes, 0, size)
    memset(page.occupied, 0, sizeof(page.occupied))
    return True


cdef LaneSearch* new_lane_search(const Level* level, int64_t limit) except NULL nogil:
    cdef LaneSearch* search = <LaneSearch*>calloc(1, sizeof(LaneSearch))
    cdef int lanes = 64 * level.words
    if not search:
        with gil:
            raise MemoryError
    search.limit = limit
    search.level = level
    search.words = level.words
    search.patience = PASSES_PER_CHECK
    search.few_boards = lanes // 2
    search.enough = lanes * 5 // 8
    search.may_stay = lanes // 32
    search.least_vacant = lanes // 16
    search.full = lanes * 3 // 4
    return search


cdef int allocate_pages(LaneSearch* search) except -1 nogil:
    if not search.stuck:
        search.stuck = new_page(search)
    # The last one tells whether it was done before.
    if search.choice.memory or (
        allocate(search, &search.group, PAGE_PLANES)
        and allocate(search, &search.entry, PAGE_PLANES)
        and allocate(search, &search.exit, DIGITS_PLANES)
        and allocate(search, &search.hidden, HIDDEN_PLANES)
        and allocate(search, &search.choice, CHOICE_PLANES)
    ):
        return 0
    with gil:
        raise MemoryError


cdef void free_pages(Page* page) noexcept nogil:
    """Free a stack of pages."""
    cdef Page* below
    while page:
        below = page.next
        free(page.memory)
        free(page)
        page = below


cdef void free_lane_search(LaneSearch* search) noexcept nogil:
    if not search:
        return
    free_pages(search.stuck)
    free_pages(search.returning)
    free_pages(search.waiting)
    free_pages(search.spare)
    free(search.smallest)
    free(search.several)
    free(search.blocks)
    free(search.group.memory)
    free(search.entry.memory)
    free(search.exit.memory)
    free(search.hidden.memory)
    free(search.choice.memory)
    free(search)


cdef Page* new_page(LaneSearch* search) except NULL nogil:
    """Return an empty page for lanes that are stuck or wait."""
    cdef Page* page = search.spare
    if page:
        search.spare = page.next
        memset(page.occupied, 0, sizeof(page.occupied))
    else:
        page = <Page*>malloc(sizeof(Page))
        if not page or not allocate(search, page, PAGE_PLANES):
            free(page)
            with gil:
                raise MemoryError
    page.next = NULL
    page.swept = search.finished_boards
    return page


cdef void push(Page** stack, Page* page) noexcept nogil:
    page.next = stack[0]
    stack[0] = page


cdef bint is_empty(const LaneSearch* search, const Page* page) noexcept nogil:
    cdef int word
    for word in range(search.words):
        if page.occupied[word]:
            return False
    return True


cdef int match(const LaneSearch* search, const uint64_t* lanes, const Page* to, Route* route) noexcept nogil:
    """Find a route for a set of lanes to vacant lanes of a page; return how many can go there."""
    cdef LaneSet vacant
    cdef int word
    for word in range(search.words):
        vacant[word] = ~to.occupied[word]
    return search.level.match(lanes, vacant, route)


cdef void occupy(
    const LaneSearch* search, Page* to, const Page* page, const Route* route, uint64_t* departures
) noexcept nogil:
    """Note that lanes of a page have come to another; tell which ones of the page."""
    cdef const Leg* leg
    cdef int i, word, source, lane, by, here, there
    cdef uint64_t rest
    for word in range(search.words):
        departures[word] = 0
    for i in range(route.legs):
        leg = &route.leg[i]
        for word in range(search.words):
            source = leg.from_word[word]
            by = leg.places[word]
            rest = leg.arrivals[word]
            to.occupied[word] |= rest
            departures[source] |= rotate_right(rest, by)
            while rest:
                lane = lowest_lane(rest)
                rest &= rest - 1
                here = 64 * word + lane
                there = 64 * source + ((lane - by) & 63)
                to.rows[here] = page.rows[there]
                if search.smallest:
                    to.paths[here] = page.paths[there]
                    to.depths[here] = page.depths[there]


cdef int move_lanes(
    LaneSearch* search, Page* to, Page* page, const uint64_t* lanes, uint64_t* departures
) noexcept nogil:
    """Move as many of a set of lanes as possible to vacant lanes of a page; return how many, and tell which."""
    cdef Route route
    cdef int word
    cdef int count = match(search, lanes, to, &route)
    if count:
        search.level.move(to.planes, page.planes, &route)
        occupy(search, to, page, &route, departures)
        for word in range(search.words):
            page.occupied[word] &= ~departures[word]
    return count


cdef int enter(LaneSearch* search, Page* page) noexcept nogil:
    """Move lanes of a page to vacant lanes of the group; return how many."""
    cdef LaneSet before, departures
    cdef int word, count
    memcpy(before, search.group.occupied, sizeof(LaneSet))
    count = move_lanes(search, &search.group, page, page.occupied, departures)
    for word in range(search.words):
        search.fresh[word] |= search.group.occupied[word] & ~before[word]
    return count


# --- solutions -------------------------------------------------------------------------------------------


cdef inline int64_t limit_of(const LaneSearch* search, uint32_t row) noexcept nogil:
    return search.limits[row] if search.limits else search.limit


cdef inline bint is_finished(const LaneSearch* search, const Page* page, int lane) noexcept nogil:
    """Tell whether the search of a lane cannot change the answer for its board any more."""
    cdef uint32_t row = page.rows[lane]
    if search.smallest:
        return page.paths[lane] >= search.smallest[row]
    if search.counts:
        return search.counts[row] == limit_of(search, row)
    return search.status[row] == SEVERAL


cdef void drop_finished(LaneSearch* search, Page* page) noexcept nogil:
    """Vacate the lanes of which the search need not go on."""
    cdef int word
    cdef uint64_t rest
    if page.swept == search.finished_boards:
        return
    page.swept = search.finished_boards
    for word in range(search.words):
        rest = page.occupied[word]
        if page == &search.group:
            # Their search is at its end, and their solutions are still to be written.
            rest &= ~search.leaving[word]
        while rest:
            if is_finished(search, page, 64 * word + lowest_lane(rest)):
                page.occupied[word] ^= rest & -rest
            rest &= rest - 1


cdef bint note_solution(LaneSearch* search, int lane) noexcept nogil:
    """Count the solution in a lane of the group; return whether it has to be written."""
    cdef uint32_t row = search.group.rows[lane]
    if is_finished(search, &search.group, lane):
        return False
    if search.smallest:
        search.smallest[row] = search.group.paths[lane]
        search.finished_boards += 1
        return True
    if search.counts:
        search.counts[row] += 1
    else:
        search.status[row] += 1
    if is_finished(search, &search.group, lane):
        search.finished_boards += 1
        return False
    return not search.counts


cdef void take_solutions(LaneSearch* search, const uint64_t* solved) noexcept nogil:
    """Count the solved lanes, and keep those whose solution is wanted until they go to the exit."""
    cdef int word
    cdef uint64_t rest
    for word in range(search.words):
        rest = solved[word]
        search.group.occupied[word] &= ~rest
        while rest:
            if note_solution(search, 64 * word + lowest_lane(rest)):
                search.leaving[word] |= rest & -rest
            rest &= rest - 1
        search.group.occupied[word] |= search.leaving[word]


cdef void leave(LaneSearch* search, int may_stay) noexcept nogil:
    """Move solutions to the exit, all but a few."""
    cdef Route route
    cdef LaneSet departures
    cdef int word, moved
    cdef int count = count_lanes(search, search.leaving)
    while count > may_stay:
        moved = match(search, search.leaving, &search.exit, &route)
        if 2 * moved < count and 2 * count_lanes(search, search.exit.occupied) > 64 * search.words:
            write_solutions(search)
            continue
        search.level.collect(search.exit.planes, search.group.planes, &route)
        occupy(search, &search.exit, &search.group, &route, departures)
        for word in range(search.words):
            search.leaving[word] &= ~departures[word]
            search.group.occupied[word] &= ~departures[word]
        count -= moved


cdef void write_solutions(LaneSearch* search) noexcept nogil:
    cdef int word, lane
    cdef uint64_t rest
    if search.smallest:
        for word in range(search.words):
            rest = search.exit.occupied[word]
            while rest:
                lane = 64 * word + lowest_lane(rest)
                if search.exit.paths[lane] != search.smallest[search.exit.rows[lane]]:
                    # A smaller one came after it.
                    search.exit.occupied[word] ^= rest & -rest
                rest &= rest - 1
    search.level.unload(search.exit.planes, search.exit.occupied, search.solutions, search.exit.rows)
    memset(search.exit.occupied, 0, sizeof(search.exit.occupied))


# --- branching -------------------------------------------------------------------------------------------


cdef inline void note_branch(LaneSearch* search, Page* first, Page* second, int lane) noexcept nogil:
    cdef uint32_t row = first.rows[lane]
    if search.guesses and search.guesses[row] < GUESSES_UNKNOWN - 1:
        search.guesses[row] += 1
    if search.smallest:
        second.paths[lane] = first.paths[lane] | <uint64_t>1 << (63 - first.depths[lane])
        first.depths[lane] += 1
        second.depths[lane] = first.depths[lane]
        # Here the guesses are not an answer, but what the search may take.
        if search.guesses[row] == MOST_BRANCHES or first.depths[lane] == MOST_DEPTH:
            search.smallest[row] = GIVEN_UP
            search.finished_boards += 1


cdef int branch(LaneSearch* search) except -1 nogil:
    """Branch the stuck lanes that have been moved out."""
    cdef Page* first = search.stuck
    cdef Page* second
    cdef Page* stuck
    cdef int word, lane
    cdef uint64_t rest
    drop_finished(search, first)
    if is_empty(search, first):
        return 0
    second = new_page(search)
    push(&search.waiting, second)
    search.waiting_count += 1
    # It is the search's until there is another one, so that nothing leaks.
    stuck = new_page(search)
    search.level.choose(first.planes, first.occupied, search.choice.planes, search.smallest != NULL)
    search.level.branch(second.planes, first.planes, search.choice.planes, first.occupied)
    memcpy(second.occupied, first.occupied, sizeof(first.occupied))
    memcpy(second.rows, first.rows, sizeof(first.rows))
    for word in range(search.words):
        rest = first.occupied[word]
        while rest:
            note_branch(search, first, second, 64 * word + lowest_lane(rest))
            rest &= rest - 1
    push(&search.returning, first)
    search.stuck = stuck
    return 0


cdef int take_stuck(LaneSearch* search, uint64_t* lanes, int may_stay) except -1 nogil:
    """Move stuck lanes of the group out, all but a few; when there are many, branch them."""
    cdef LaneSet departures
    cdef int word, count
    drop_finished(search, &search.group)
    for word in range(search.words):
        lanes[word] &= search.group.occupied[word]
    count = count_lanes(search, lanes)
    while count > may_stay:
        count -= move_lanes(search, search.stuck, &search.group, lanes, departures)
        for word in range(search.words):
            lanes[word] &= search.group.occupied[word]
        if count > may_stay or count_lanes(search, search.stuck.occupied) >= search.full:
            branch(search)
    return 0


# --- the loop --------------------------------------------------------------------------------------------


cdef bint is_board(const uint8_t* cells) noexcept nogil:
    cdef int cell
    cdef uint8_t most = 0
    for cell in range(81):
        most = max(most, cells[cell])
    return most <= 9


cdef void refuse(LaneSearch* search, uint32_t row) noexcept nogil:
    """Say that a row is not a board."""
    if search.counts:
        search.counts[row] = -1
    else:
        search.status[row] = NOT_A_BOARD
        search.guesses[row] = GUESSES_UNKNOWN
        memset(&search.solutions[81 * <size_t>row], 0, 81)


cdef bint has_new(LaneSearch* search) except -1 nogil:
    """Tell whether there are new boards; take some from those that threads share if that is needed."""
    cdef Py_ssize_t first
    cdef uint32_t row
    if search.next < search.last or not search.taken:
        return search.next < search.last
    if search.block_count == search.most_blocks:
        search.most_blocks = 2 * search.most_blocks + 64
        search.blocks = <uint32_t*>resized(search.blocks, search.most_blocks * sizeof(uint32_t))
        if not search.blocks:
            with gil:
                raise MemoryError
    first = add_atomically(search.taken, search.block)
    if first >= search.rows:
        search.taken = NULL
        return False
    search.blocks[search.block_count] = <uint32_t>first
    search.block_count += 1
    search.next = <uint32_t>first
    search.last = min(search.next + search.block, search.rows)
    for row in range(search.next, search.last):
        if search.counts:
            search.counts[row] = 0
        else:
            search.status[row] = NO_SOLUTION
    return True


cdef int admit(LaneSearch* search) except -1 nogil:
    """Fill the vacant lanes of the entry with new boards."""
    cdef LaneSet arrivals
    cdef int word, lane
    cdef uint32_t row
    cdef uint64_t rest
    cdef uint64_t* planes = <uint64_t*>search.entry.planes
    for word in range(search.words):
        arrivals[word] = 0
        rest = ~search.entry.occupied[word]
        while rest and has_new(search):
            row = search.queue[search.next] if search.queue else search.next
            search.next += 1
            if search.guesses:
                search.guesses[row] = 0
            if is_board(&search.cells[81 * <size_t>row]):
                lane = 64 * word + lowest_lane(rest)
                arrivals[word] |= rest & -rest
                rest &= rest - 1
                search.entry.rows[lane] = row
                search.entry.paths[lane] = ROOT
                search.entry.depths[lane] = 0
            else:
                refuse(search, row)
        search.entry.occupied[word] |= arrivals[word]
    search.level.load(search.entry.planes, arrivals, search.cells, search.entry.rows)
    if search.forbidden:
        for word in range(search.words):
            rest = arrivals[word]
            while rest:
                row = search.entry.rows[64 * word + lowest_lane(rest)]
                if search.forbidden[row]:
                    planes[(search.forbidden[row] - 1) * search.words + word] &= ~(rest & -rest)
                rest &= rest - 1
    return 0


cdef int refill(LaneSearch* search) except -1 nogil:
    """Fill vacant lanes of the group."""
    cdef int lanes = 64 * search.words
    cdef int vacant = lanes - count_lanes(search, search.group.occupied)
    while vacant >= search.least_vacant:
        if search.waiting_count > MOST_WAITING:
            search.is_draining = True
        elif search.waiting_count <= 1:
            search.is_draining = False
        if search.returning:
            vacant -= enter_from_stack(search, &search.returning)
        elif search.is_draining:
            # Not those of the newest page, whose first children have just begun.
            vacant -= enter_from_stack(search, &search.waiting.next)
        elif has_new(search) or not is_empty(search, &search.entry):
            if has_new(search) and count_lanes(search, search.entry.occupied) < vacant:
                admit(search)
            vacant -= enter(search, &search.entry)
        elif search.waiting:
            vacant -= enter_from_stack(search, &search.waiting)
        elif count_lanes(search, search.stuck.occupied) > lanes - vacant:
            # Nothing else is left to do, and the few lanes of the group are not worth a pass.
            branch(search)
        else:
            break
    return 0


cdef int enter_from_stack(LaneSearch* search, Page** stack) noexcept nogil:
    """Move lanes of the newest page of a stack to the group; return how many."""
    cdef Page* page = stack[0]
    cdef int moved
    drop_finished(search, page)
    moved = enter(search, page)
    if is_empty(search, page):
        stack[0] = page.next
        push(&search.spare, page)
        search.waiting_count -= stack != &search.returning
    return moved


cdef int run_lanes(LaneSearch* search) except -1 nogil:
    """Search all boards to the end."""
    cdef LaneSet changed, dead, unsolved, solved, stuck
    cdef int word, all_solved, all_stuck, working
    cdef uint64_t quiet
    refill(search)
    while not is_empty(search, &search.group):
        search.level.infer(search.group.planes, search.hidden.planes, search.fresh, changed, dead, unsolved)
        all_solved = all_stuck = working = 0
        for word in range(search.words):
            search.fresh[word] = 0
            search.group.occupied[word] &= ~dead[word]
            quiet = search.group.occupied[word] & ~changed[word]
            solved[word] = quiet & ~unsolved[word] & ~search.leaving[word]
            stuck[word] = quiet & unsolved[word]
            working += count_word(search.group.occupied[word] & changed[word])
            all_solved += count_word(solved[word])
            all_stuck += count_word(stuck[word])

        search.patience -= 1
        if not search.patience:
            search.patience = PASSES_PER_CHECK
            check_signals(search.stop)
        if working > search.enough:
            continue
        if all_solved:
            take_solutions(search, solved)
        leave(search, search.may_stay if working else 0)
        if all_stuck:
            take_stuck(search, stuck, search.may_stay if working else 0)
        refill(search)
    if search.solutions:
        leave(search, 0)
        write_solutions(search)
    return 0


# --- ranges of boards ------------------------------------------------------------------------------------


cdef int search_rows(LaneSearch* search, const uint32_t* queue, uint32_t count) except -1 nogil:
    allocate_pages(search)
    search.queue = queue
    search.next = 0
    search.last = count
    return run_lanes(search)


cdef int count_in_lanes(LaneSearch* search, const uint32_t* queue, uint32_t count) except -1 nogil:
    """Count the solutions of the boards of these rows, or of the first ones if `queue` is NULL."""
    cdef uint32_t i
    for i in range(count):
        search.counts[queue[i] if queue else i] = 0
    return search_rows(search, queue, count)


cdef int solve_in_lanes(
    LaneSearch* search, Walk* walk, const uint32_t* queue, uint32_t count
) except -1 nogil:
    """Solve the boards of these rows, or the first ones if `queue` is NULL, and of those that threads share."""
    cdef uint32_t i, several, rows = max(queue[count - 1] + 1 if queue else count, search.rows)
    for i in range(count):
        search.status[queue[i] if queue else i] = NO_SOLUTION
    search_rows(search, queue, count)
    several = list_several(search, queue, count)
    if several == 0:
        return 0
    search.several = <uint32_t*>malloc(several * sizeof(uint32_t))
    search.smallest = <uint64_t*>malloc(rows * sizeof(uint64_t))
    if not search.several or not search.smallest:
        with gil:
            raise MemoryError
    list_several(search, queue, count)
    find_smallest(search, walk, several)
    free(search.several)
    free(search.smallest)
    search.several = NULL
    search.smallest = NULL
    return 0


cdef uint32_t list_several(LaneSearch* search, const uint32_t* queue, uint32_t count) noexcept nogil:
    """Look at all rows that were searched; see `look_at_rows`."""
    cdef uint32_t block, first, found = look_at_rows(search, queue, 0, count, 0)
    for block in range(search.block_count):
        first = search.blocks[block]
        found = look_at_rows(search, NULL, first, min(first + search.block, search.rows), found)
    return found


cdef uint32_t look_at_rows(
    LaneSearch* search, const uint32_t* queue, uint32_t first, uint32_t last, uint32_t found
) noexcept nogil:
    """Put rows with several solutions into search.several, if it is there, and return how many there are with
    those found before; clear the solutions of rows without one.
    """
    cdef uint32_t i, row
    for i in range(first, last):
        row = queue[i] if queue else i
        if search.status[row] == SEVERAL:
            if search.several:
                search.several[found] = row
            found += 1
        elif search.status[row] == NO_SOLUTION:
            memset(&search.solutions[81 * <size_t>row], 0, 81)
    return found


cdef int find_smallest(LaneSearch* search, Walk* walk, uint32_t count) except -1 nogil:
    """Find the lexicographically smallest solutions of the first boards in search.several.

    In a search that branches on the lowest cell, smallest digit first, solutions lie in lexicographic order:
    the smallest has the smallest path. Where this takes long, as when the first cells are known last, the
    depth-first engine's walk does it, which no board can make explode.
    """
    cdef uint32_t i, row
    for i in range(count):
        search.smallest[search.several[i]] = NOT_FOUND
    search_rows(search, search.several, count)
    for i in range(count):
        row = search.several[i]
        search.guesses[row] = GUESSES_UNKNOWN
        if search.smallest[row] == GIVEN_UP:
            # From the beginning, and so with what the board is now: another thread may have changed it.
            solve_row(
                walk,
                &search.cells[81 * <size_t>row],
                &search.status[row],
                &search.solutions[81 * <size_t>row],
                &search.guesses[row],
            )
    return 0


cdef int search_few(LaneSearch* search, Walk* walk, uint32_t rows) except -1 nogil:
    """Search a few boards one by one, but together in lanes those that turn out to be hard enough."""
    cdef uint32_t[FEW_BOARDS] queue
    cdef uint32_t i, count
    for i in range(rows):
        queue[i] = i
    count = search_one_by_one(search, walk, queue, rows, FEW_NODES)
    if count < FEW_HARD_BOARDS:
        count = search_one_by_one(search, walk, queue, count, many_nodes(search.limit))
    if count == 0:
        return 0
    if search.counts:
        return count_in_lanes(search, queue, count)
    return solve_in_lanes(search, walk, queue, count)


cdef uint32_t search_one_by_one(
    LaneSearch* search, Walk* walk, uint32_t* queue, uint32_t count, int nodes
) except? 0xFFFFFFFF nogil:
    """Search each board for so many nodes; keep those that need more in the queue, and return how many."""
    cdef Board board
    cdef uint32_t i, row, left = 0
    for i in range(count):
        row = queue[i]
        if nodes > FEW_NODES:
            check_signals(search.stop)
        if not load(&board, &search.cells[81 * <size_t>row]):
            refuse(search, row)
            continue
        if search.forbidden:
            forbid(&board, search.forbidden[row])
        start(&walk.search, &board, limit_of(search, row))
        walk.search.patience = nodes
        if advance(&walk.search):
            queue[left] = row
            left += 1
        elif search.counts:
            search.counts[row] = walk.search.found
        else:
            conclude_row(
                walk,
                &board,
                &search.status[row],
                &search.solutions[81 * <size_t>row],
                &search.guesses[row],
            )
    return left


cdef inline int many_nodes(int64_t limit) noexcept nogil:
    """Return after how many nodes even one board is searched in lanes."""
    return MANY_NODES + NODES_OF_A_SOLUTION * min(limit, FEW_SOLUTIONS)


cdef int solve_alone(const Level* level, Walk* walk, const uint8_t* cells) except -1 nogil:
    """Return the status of a board, and leave its smallest solution in walk.known."""
    cdef LaneSearch* search = new_lane_search(level, 2)
    cdef uint8_t status
    cdef uint8_t[81] solution
    cdef uint32_t guesses
    search.cells = cells
    search.status = &status
    search.solutions = solution
    search.guesses = &guesses
    try:
        solve_in_lanes(search, walk, NULL, 1)
    finally:
        free_lane_search(search)
    memcpy(walk.known, solution, 81)
    return status


cdef int64_t count_alone(const Level* level, const uint8_t* cells, int64_t limit) except -1 nogil:
    """Return the number of solutions of a board, up to a limit."""
    cdef LaneSearch* search = new_lane_search(level, limit)
    cdef int64_t found
    search.cells = cells
    search.counts = &found
    try:
        count_in_lanes(search, NULL, 1)
    finally:
        free_lane_search(search)
    return found


cdef int search_range(LaneSearch* search, Walk* walk, uint32_t rows) except -1 nogil:
    """Search the first boards, which may be those that threads share."""
    if search.taken:
        rows = 0
    elif rows < search.few_boards:
        return search_few(search, walk, rows)
    if search.counts:
        return count_in_lanes(search, NULL, rows)
    return solve_in_lanes(search, walk, NULL, rows)
