"""The search over lanes, a part of ``_engine_c.pyx``: hundreds of boards, or nodes of their trees, at once.

``lanes/lanes.h`` explains lanes, planes and pages. The search holds these pages::

    new boards --> entry --> group --> exit --> solutions
                             |   ^
                             v   |
                            waiting

    entry     boards that have not begun, loaded many at a time
    group     the lanes at work: a pass of inference is applied to all of them
    waiting   any number of pages with second children
    exit      solutions, as binary digits, until the page is full

After a pass, a lane is dead, solved, stuck or at work. Dead lanes are vacant at once. Passes go on until so few
lanes are at work that it pays to take the solutions out, to branch the stuck lanes and to fill the vacant ones:
each of these steps takes the same time for one lane and for all.
"""

cdef extern from "lanes/lanes.h":
    enum:
        ALIGNMENT "FASTSUDOKU_ALIGNMENT"
        MOST_WORDS "FASTSUDOKU_MOST_WORDS"
        PAGE_PLANES "FASTSUDOKU_PAGE_PLANES"
        HIDDEN_PLANES "FASTSUDOKU_HIDDEN_PLANES"
        CHOICE_PLANES "FASTSUDOKU_CHOICE_PLANES"
        DIGITS_PLANES "FASTSUDOKU_DIGITS_PLANES"

    ctypedef struct Route "fastsudoku_route":
        uint64_t arrivals[MOST_WORDS]
        uint64_t from_word "from"[MOST_WORDS]
        uint64_t places[MOST_WORDS]

    ctypedef struct Level "fastsudoku_lanes":
        const char* name
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
            void* to, void* page, const void* choice, const Route* route, const uint64_t* parents
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

    const Level* find_level "fastsudoku_level"(const char* name, const char** reason) noexcept

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
    # Passes between two looks at signals: 10 to 50 milliseconds where a pass takes 2 to 10 microseconds.
    PASSES_PER_CHECK = 4096

    # Boards, or solutions of one, for which hundreds of lanes are too many.
    FEW_BOARDS = 96
    FEW_SOLUTIONS = 1000
    # Hard boards for which they are not, and the nodes that tell that a board is hard.
    FEW_HARD_BOARDS = 4
    FEW_NODES = 16
    # Nodes for which they are not, even of one board.
    MANY_NODES = 1024
    # Boards that are searched at once, which bounds the memory for their smallest solutions to 12 MB.
    MOST_ROWS = 1 << 20
    # While more pages of lanes wait, until but one is left, no new boards are begun.
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

cdef struct LaneSearch:
    const Level* kernel
    int words
    Page group
    Page entry
    Page exit
    Page hidden
    Page choice
    # Pages of waiting lanes, newest last; behind these, empty ones to be used again.
    Page** waiting
    int waiting_count
    int waiting_pages
    # Lanes of the group that are other ones than at the last pass.
    LaneSet fresh
    LaneSet solved
    LaneSet stuck
    # Passes go on while more lanes than these are at work.
    int enough
    # Stuck lanes that may stay for the next time, vacant lanes that may stay vacant.
    int may_stay
    int least_vacant
    # Whether waiting lanes come before new boards.
    bint is_draining

    const uint8_t* cells
    # The boards to search: these rows, or all up to `last` if it is NULL.
    const uint32_t* queue
    uint32_t next
    uint32_t last
    # Boards of which lanes may be left that need not be searched any more.
    uint64_t finished_boards
    int patience

    # What is asked for: to solve the boards,
    uint8_t* status
    uint8_t* solutions
    uint32_t* guesses
    # to count their solutions up to a limit,
    int64_t* counts
    int64_t limit
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


cdef LaneSearch* new_lane_search(const Level* kernel) except NULL:
    cdef LaneSearch* search = <LaneSearch*>calloc(1, sizeof(LaneSearch))
    cdef int lanes = 64 * kernel.words
    if not search:
        raise MemoryError
    search.kernel = kernel
    search.words = kernel.words
    search.patience = PASSES_PER_CHECK
    search.enough = lanes * 5 // 8
    search.may_stay = lanes // 32
    search.least_vacant = lanes // 16
    return search


cdef int allocate_pages(LaneSearch* search) except -1 nogil:
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


cdef void free_lane_search(LaneSearch* search) noexcept nogil:
    cdef int page
    for page in range(search.waiting_pages):
        free(search.waiting[page].memory)
        free(search.waiting[page])
    free(search.waiting)
    free(search.smallest)
    free(search.several)
    free(search.group.memory)
    free(search.entry.memory)
    free(search.exit.memory)
    free(search.hidden.memory)
    free(search.choice.memory)
    free(search)


cdef Page* push_page(LaneSearch* search) except NULL nogil:
    """Return an empty page for lanes that wait."""
    cdef Page** waiting
    cdef Page* page
    if search.waiting_count == search.waiting_pages:
        waiting = <Page**>realloc(search.waiting, (search.waiting_pages + 1) * sizeof(Page*))
        if not waiting:
            with gil:
                raise MemoryError
        search.waiting = waiting
        page = <Page*>malloc(sizeof(Page))
        if not page or not allocate(search, page, PAGE_PLANES):
            free(page)
            with gil:
                raise MemoryError
        search.waiting[search.waiting_pages] = page
        search.waiting_pages += 1
    page = search.waiting[search.waiting_count]
    memset(page.occupied, 0, sizeof(page.occupied))
    page.swept = search.finished_boards
    search.waiting_count += 1
    return page


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
    return search.kernel.match(lanes, vacant, route)


cdef void occupy(
    const LaneSearch* search, Page* to, const Page* page, const Route* route, uint64_t* departures
) noexcept nogil:
    """Note that lanes of a page, or their children, have come to another; tell which ones of the page."""
    cdef int word, source, lane, by, here, there
    cdef uint64_t rest
    for word in range(search.words):
        source = route.from_word[word]
        by = route.places[word]
        rest = route.arrivals[word]
        to.occupied[word] |= rest
        departures[source] = rotate_right(rest, by)
        while rest:
            lane = lowest_lane(rest)
            rest &= rest - 1
            here = 64 * word + lane
            there = 64 * source + ((lane - by) & 63)
            to.rows[here] = page.rows[there]
            if search.smallest:
                to.paths[here] = page.paths[there]
                to.depths[here] = page.depths[there]


cdef int move_lanes(LaneSearch* search, Page* page) noexcept nogil:
    """Move lanes of a page to vacant lanes of the group; return how many."""
    cdef Route route
    cdef LaneSet departures
    cdef int word
    cdef int count = match(search, page.occupied, &search.group, &route)
    if count:
        search.kernel.move(search.group.planes, page.planes, &route)
        occupy(search, &search.group, page, &route, departures)
        for word in range(search.words):
            search.fresh[word] |= route.arrivals[word]
            page.occupied[word] &= ~departures[word]
    return count


# --- solutions -------------------------------------------------------------------------------------------


cdef inline bint is_finished(const LaneSearch* search, const Page* page, int lane) noexcept nogil:
    """Tell whether the search of a lane cannot change the answer for its board any more."""
    cdef uint32_t row = page.rows[lane]
    if search.smallest:
        return page.paths[lane] >= search.smallest[row]
    if search.counts:
        return search.counts[row] == search.limit
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


cdef void take_solutions(LaneSearch* search) noexcept nogil:
    """Count the solved lanes, and move the solutions that are wanted to the exit."""
    cdef Route route
    cdef LaneSet wanted, departures
    cdef int word
    cdef int count = 0
    cdef uint64_t rest
    for word in range(search.words):
        wanted[word] = 0
        rest = search.solved[word]
        while rest:
            if note_solution(search, 64 * word + lowest_lane(rest)):
                wanted[word] |= rest & -rest
                count += 1
            rest &= rest - 1
        search.group.occupied[word] &= ~search.solved[word]
        search.solved[word] = 0
    while count:
        if match(search, wanted, &search.exit, &route) == 0:
            write_solutions(search)
            continue
        search.kernel.collect(search.exit.planes, search.group.planes, &route)
        occupy(search, &search.exit, &search.group, &route, departures)
        for word in range(search.words):
            wanted[word] &= ~departures[word]
        count = count_lanes(search, wanted)


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
    search.kernel.unload(search.exit.planes, search.exit.occupied, search.solutions, search.exit.rows)
    memset(search.exit.occupied, 0, sizeof(search.exit.occupied))


# --- branching -------------------------------------------------------------------------------------------


cdef int branch_to(LaneSearch* search, Page* to) noexcept nogil:
    """Branch stuck lanes, as far as a page has vacant lanes for their second children; return how many."""
    cdef Route route
    cdef LaneSet parents
    cdef int word, lane
    cdef uint64_t rest
    cdef int count = match(search, search.stuck, to, &route)
    if not count:
        return 0
    occupy(search, to, &search.group, &route, parents)
    search.kernel.branch(to.planes, search.group.planes, search.choice.planes, &route, parents)
    for word in range(search.words):
        search.stuck[word] &= ~parents[word]
        search.fresh[word] |= parents[word]
        rest = parents[word]
        while rest:
            note_branch(search, 64 * word + lowest_lane(rest))
            rest &= rest - 1
        rest = route.arrivals[word]
        while rest and search.smallest:
            lane = 64 * word + lowest_lane(rest)
            rest &= rest - 1
            to.paths[lane] |= <uint64_t>1 << (63 - to.depths[lane])
            to.depths[lane] += 1
    return count


cdef inline void note_branch(LaneSearch* search, int lane) noexcept nogil:
    cdef uint32_t row = search.group.rows[lane]
    if search.guesses and search.guesses[row] < GUESSES_UNKNOWN - 1:
        search.guesses[row] += 1
    if search.smallest:
        # Here the guesses are not an answer, but what the search may take.
        search.group.depths[lane] += 1
        if search.guesses[row] == MOST_BRANCHES or search.group.depths[lane] == MOST_DEPTH:
            search.smallest[row] = GIVEN_UP
            search.finished_boards += 1


cdef int branch_stuck(LaneSearch* search, int may_stay) except -1 nogil:
    cdef int lanes = 64 * search.words
    cdef int stuck = count_lanes(search, search.stuck)
    cdef Page* page = NULL
    search.kernel.choose(search.group.planes, search.stuck, search.choice.planes, search.smallest != NULL)
    while stuck > may_stay:
        if search.waiting_count:
            page = search.waiting[search.waiting_count - 1]
        if not page or lanes - count_lanes(search, page.occupied) < min(2 * stuck, lanes):
            page = push_page(search)
        stuck -= branch_to(search, page)
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


cdef void admit(LaneSearch* search) noexcept nogil:
    """Fill the vacant lanes of the entry with new boards."""
    cdef LaneSet arrivals
    cdef int word, lane
    cdef uint32_t row
    cdef uint64_t rest
    for word in range(search.words):
        arrivals[word] = 0
        rest = ~search.entry.occupied[word]
        while rest and search.next < search.last:
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
    search.kernel.load(search.entry.planes, arrivals, search.cells, search.entry.rows)


cdef void refill(LaneSearch* search, int vacant) noexcept nogil:
    """Fill vacant lanes of the group: with new boards, until so many lanes wait that these come first.

    The newest ones first, which are deep in their trees: so the pages that wait are never many more than
    MOST_WAITING and the depth of the trees.
    """
    cdef bint has_new
    cdef int moved
    while vacant >= search.least_vacant:
        has_new = search.next < search.last or not is_empty(search, &search.entry)
        if search.waiting_count > MOST_WAITING:
            search.is_draining = True
        elif search.waiting_count <= 1:
            search.is_draining = False
        if search.waiting_count and (search.is_draining or not has_new):
            moved = take_waiting(search)
        elif has_new:
            if search.next < search.last and count_lanes(search, search.entry.occupied) < vacant:
                admit(search)
            moved = move_lanes(search, &search.entry)
        else:
            return
        vacant -= moved


cdef int take_waiting(LaneSearch* search) noexcept nogil:
    """Move waiting lanes to the group; return how many.

    Those of the last page but one: it gets no more children, and by now most first children are done with, so
    that a board with as many solutions as were asked for is not searched on.
    """
    cdef int index = max(search.waiting_count - 2, 0)
    cdef int moved
    cdef Page* page = search.waiting[index]
    drop_finished(search, page)
    moved = move_lanes(search, page)
    if is_empty(search, page):
        search.waiting_count -= 1
        # Its memory is kept behind the others.
        for index in range(index, search.waiting_count):
            search.waiting[index] = search.waiting[index + 1]
        search.waiting[search.waiting_count] = page
    return moved


cdef int run_lanes(LaneSearch* search) except -1 nogil:
    """Search all boards to the end."""
    cdef LaneSet changed, dead, unsolved
    cdef int word, solved, stuck, occupied, working
    cdef uint64_t quiet
    cdef int lanes = 64 * search.words
    refill(search, lanes)
    while not is_empty(search, &search.group):
        search.kernel.infer(search.group.planes, search.hidden.planes, search.fresh, changed, dead, unsolved)
        solved = stuck = occupied = 0
        for word in range(search.words):
            search.fresh[word] = 0
            search.group.occupied[word] &= ~dead[word]
            quiet = search.group.occupied[word] & ~changed[word]
            search.solved[word] = quiet & ~unsolved[word]
            search.stuck[word] = quiet & unsolved[word]
            occupied += count_word(search.group.occupied[word])
            solved += count_word(search.solved[word])
            stuck += count_word(search.stuck[word])

        search.patience -= 1
        if not search.patience:
            search.patience = PASSES_PER_CHECK
            with gil:
                PyErr_CheckSignals()
        working = occupied - solved - stuck
        if working > search.enough:
            continue
        if solved:
            take_solutions(search)
        if stuck:
            drop_finished(search, &search.group)
            for word in range(search.words):
                search.stuck[word] &= search.group.occupied[word]
            branch_stuck(search, search.may_stay if working else 0)
        occupied = count_lanes(search, search.group.occupied)
        refill(search, lanes - occupied)
    if search.solutions:
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


cdef int solve_in_lanes(LaneSearch* search, const uint32_t* queue, uint32_t count) except -1 nogil:
    """Solve the boards of these rows, or the first ones if `queue` is NULL."""
    cdef uint32_t i, row, several = 0
    for i in range(count):
        search.status[queue[i] if queue else i] = NO_SOLUTION
    search_rows(search, queue, count)
    for i in range(count):
        row = queue[i] if queue else i
        several += search.status[row] == SEVERAL
    if several == 0:
        return 0
    search.several = <uint32_t*>malloc(several * sizeof(uint32_t))
    search.smallest = <uint64_t*>malloc((1 + (queue[count - 1] if queue else count)) * sizeof(uint64_t))
    if not search.several or not search.smallest:
        with gil:
            raise MemoryError
    several = 0
    for i in range(count):
        row = queue[i] if queue else i
        if search.status[row] == SEVERAL:
            search.several[several] = row
            several += 1
    find_smallest(search, several)
    free(search.several)
    free(search.smallest)
    search.several = NULL
    search.smallest = NULL
    return 0


cdef int find_smallest(LaneSearch* search, uint32_t count) except -1 nogil:
    """Find the lexicographically smallest solutions of the first boards in search.several.

    In a search that branches on the lowest cell, smallest digit first, solutions lie in lexicographic order:
    the smallest has the smallest path. Where this takes long, as when the first cells are known last, the
    depth-first engine's walk does it, which no board can make explode.
    """
    cdef uint32_t i, row
    cdef Walk* walk
    cdef Board board
    for i in range(count):
        search.smallest[search.several[i]] = NOT_FOUND
    search_rows(search, search.several, count)
    with gil:
        walk = new_walk()
    try:
        for i in range(count):
            row = search.several[i]
            search.guesses[row] = GUESSES_UNKNOWN
            if search.smallest[row] == GIVEN_UP:
                load(&board, &search.cells[81 * <size_t>row])
                memcpy(walk.known, &search.solutions[81 * <size_t>row], 81)
                first_solution(walk, board)
                memcpy(&search.solutions[81 * <size_t>row], walk.known, 81)
    finally:
        free(walk)
    return 0


cdef int search_few(LaneSearch* search, Walk* walk, uint32_t rows) except -1 nogil:
    """Search a few boards one by one, but together in lanes those that turn out to be hard enough."""
    cdef uint32_t[FEW_BOARDS] queue
    cdef uint32_t i, count
    for i in range(rows):
        queue[i] = i
    count = search_one_by_one(search, walk, queue, rows, FEW_NODES)
    if count < FEW_HARD_BOARDS:
        count = search_one_by_one(search, walk, queue, count, MANY_NODES)
    if count == 0:
        return 0
    if search.counts:
        return count_in_lanes(search, queue, count)
    return solve_in_lanes(search, queue, count)


cdef uint32_t search_one_by_one(
    LaneSearch* search, Walk* walk, uint32_t* queue, uint32_t count, int nodes
) except? 0xFFFFFFFF nogil:
    """Search each board for so many nodes; keep those that need more in the queue, and return how many."""
    cdef Board board
    cdef uint32_t i, row, left = 0
    for i in range(count):
        row = queue[i]
        if not load(&board, &search.cells[81 * <size_t>row]):
            refuse(search, row)
            continue
        start(&walk.search, &board, search.limit)
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


cdef class Lanes:
    """The functions for many boards, by a level of the lane engine."""

    cdef const Level* kernel

    def __cinit__(self, str name):
        cdef const char* reason = NULL
        self.kernel = find_level(name.encode(), &reason)
        if not self.kernel:
            raise ImportError(reason.decode())

    def solve_range(
        self,
        const uint8_t[::1] cells,
        uint8_t[::1] status,
        uint8_t[::1] solutions,
        uint32_t[::1] guesses,
        Py_ssize_t first,
        Py_ssize_t last,
    ):
        cdef LaneSearch* search
        check_range(first, last, cells.shape[0], status.shape[0])
        check_range(first, last, solutions.shape[0], guesses.shape[0])
        search = new_lane_search(self.kernel)
        try:
            search.limit = 2
            while first < last:
                search.cells = &cells[81 * first]
                search.status = &status[first]
                search.solutions = &solutions[81 * first]
                search.guesses = &guesses[first]
                search_range(search, min(last - first, MOST_ROWS))
                first += MOST_ROWS
        finally:
            free_lane_search(search)

    def count(self, bytes cells, limit):
        found = count(cells, min(limit, FEW_SOLUTIONS))
        if found == limit or found < FEW_SOLUTIONS:
            return found
        # Counted anew: a search cannot be handed over.
        counts = memoryview(bytearray(8)).cast("q")
        self.count_range(cells, counts, min(limit, 0x7FFFFFFFFFFFFFFF), 0, 1)
        return counts[0]

    def count_range(
        self, const uint8_t[::1] cells, int64_t[::1] counts, int64_t limit, Py_ssize_t first, Py_ssize_t last
    ):
        cdef LaneSearch* search
        check_range(first, last, cells.shape[0], counts.shape[0])
        search = new_lane_search(self.kernel)
        try:
            search.limit = limit
            while first < last:
                search.cells = &cells[81 * first]
                search.counts = &counts[first]
                search_range(search, min(last - first, MOST_ROWS))
                first += MOST_ROWS
        finally:
            free_lane_search(search)


cdef int search_range(LaneSearch* search, uint32_t rows) except -1:
    cdef Walk* walk = new_walk()
    try:
        with nogil:
            if rows < FEW_BOARDS:
                search_few(search, walk, rows)
            elif search.counts:
                count_in_lanes(search, NULL, rows)
            else:
                solve_in_lanes(search, NULL, rows)
    finally:
        free(walk)
    return 0
