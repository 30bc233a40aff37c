"""The functions of a level's kernel one by one, for the tests; a part of ``_engine_c.pyx``."""


cdef void set_words(object lanes, uint64_t* words) except *:
    cdef bytes raw = lanes.to_bytes(8 * MOST_WORDS, "little")
    memcpy(words, <const char*>raw, 8 * MOST_WORDS)


cdef object to_lanes(const uint64_t* words, int count):
    return int.from_bytes((<const uint8_t*>words)[: 8 * count], "little")


cdef class Kernel:
    """The functions of a level's kernel, on lists of boards and on sets of lanes.

    A board is a list of 81 sets of candidates, bit d - 1 for digit d, and there is one for each lane. A set of
    lanes is an integer with a bit for each. A route is a tuple of the lanes that something arrives at, the
    words that their words come from, and the places by which these are rotated.
    """

    cdef readonly int lanes
    cdef LaneSearch* search

    def __cinit__(self, str name):
        cdef const char* reason = NULL
        cdef const Level* kernel = find_level(name.encode(), &reason)
        if not kernel:
            raise ImportError(reason.decode())
        self.search = new_lane_search(kernel)
        allocate_pages(self.search)
        self.lanes = 64 * kernel.words

    def __dealloc__(self):
        if self.search:
            free_lane_search(self.search)

    cdef int put(self, Page* page, list boards) except -1:
        cdef uint64_t* words = <uint64_t*>page.planes
        cdef Py_ssize_t lane, cell, digit, plane
        if len(boards) != self.lanes or any([len(board) != 81 for board in boards]):
            raise ValueError(f"a page has {self.lanes} boards of 81 cells")
        memset(words, 0, PAGE_PLANES * self.lanes // 8)
        for lane in range(self.lanes):
            for cell in range(81):
                for digit in range(9):
                    plane = 9 * cell + digit
                    if boards[lane][cell] >> digit & 1:
                        words[plane * self.search.words + lane // 64] |= <uint64_t>1 << (lane % 64)
        return 0

    cdef list get(self, const Page* page):
        cdef const uint64_t* words = <const uint64_t*>page.planes
        cdef Py_ssize_t lane, cell, digit
        return [
            [
                sum(
                    [
                        (words[(9 * cell + digit) * self.search.words + lane // 64] >> (lane % 64) & 1) << digit
                        for digit in range(9)
                    ]
                )
                for cell in range(81)
            ]
            for lane in range(self.lanes)
        ]

    cdef int set_route(self, Route* route, tuple given) except -1:
        cdef int word
        set_words(given[0], route.arrivals)
        if not len(given[1]) == len(given[2]) == self.search.words or not set(given[1]) <= set(range(8)):
            raise ValueError("a route has a word and a number of places for each word")
        for word in range(self.search.words):
            route.from_word[word] = given[1][word]
            route.places[word] = given[2][word]
        return 0

    def infer(self, list boards, int passes=1):
        """Return the boards after some passes, and the changed, dead and unsolved lanes of the last one."""
        cdef LaneSet changed, dead, unsolved
        cdef LaneSearch* search = self.search
        self.put(&search.group, boards)
        memset(search.fresh, 0xFF, sizeof(search.fresh))
        for _ in range(passes):
            search.kernel.infer(
                search.group.planes, search.hidden.planes, search.fresh, changed, dead, unsolved
            )
            memset(search.fresh, 0, sizeof(search.fresh))
        return (
            self.get(&search.group),
            to_lanes(changed, search.words),
            to_lanes(dead, search.words),
            to_lanes(unsolved, search.words),
        )

    def match(self, lanes, vacant):
        """Return how many lanes can arrive at vacant ones, and the route."""
        cdef Route route
        cdef LaneSet lane_words, vacant_words
        cdef int words = self.search.words
        set_words(lanes, lane_words)
        set_words(vacant, vacant_words)
        count = self.search.kernel.match(lane_words, vacant_words, &route)
        return count, (
            to_lanes(route.arrivals, words),
            [route.from_word[word] for word in range(words)],
            [route.places[word] for word in range(words)],
        )

    def move(self, list to, list boards, tuple route):
        """Return the boards of the page `to` after others have come there."""
        cdef Route way
        self.put(&self.search.entry, to)
        self.put(&self.search.group, boards)
        self.set_route(&way, route)
        self.search.kernel.move(self.search.entry.planes, self.search.group.planes, &way)
        return self.get(&self.search.entry)

    def branch(self, list boards, tuple route, parents, bint lowest_cell=False):
        """Return the boards after branching within their page."""
        cdef Route way
        cdef LaneSet parent_words
        cdef LaneSearch* search = self.search
        self.put(&search.group, boards)
        self.set_route(&way, route)
        set_words(parents, parent_words)
        search.kernel.choose(search.group.planes, parent_words, search.choice.planes, lowest_cell)
        search.kernel.branch(
            search.group.planes, search.group.planes, search.choice.planes, &way, parent_words
        )
        return self.get(&search.group)

    def load(self, list to, lanes, const uint8_t[::1] cells, list rows):
        """Return the boards of a page after some lanes were loaded with rows of cells."""
        cdef LaneSet lane_words
        cdef int lane
        if len(rows) != self.lanes or not 0 <= min(rows) <= max(rows) < len(cells) // 81:
            raise ValueError("each lane has a row of the cells")
        for lane in range(self.lanes):
            self.search.entry.rows[lane] = rows[lane]
        self.put(&self.search.entry, to)
        set_words(lanes, lane_words)
        self.search.kernel.load(self.search.entry.planes, lane_words, &cells[0], self.search.entry.rows)
        return self.get(&self.search.entry)

    def unload(self, list boards, tuple route, uint8_t[::1] solutions, list rows):
        """Write the solutions that arrive by a route at rows."""
        cdef Route way
        cdef int lane
        if len(rows) != self.lanes or not 0 <= min(rows) <= max(rows) < len(solutions) // 81:
            raise ValueError("each lane has a row of the solutions")
        for lane in range(self.lanes):
            self.search.exit.rows[lane] = rows[lane]
        self.put(&self.search.group, boards)
        self.set_route(&way, route)
        self.search.kernel.collect(self.search.exit.planes, self.search.group.planes, &way)
        self.search.kernel.unload(self.search.exit.planes, way.arrivals, &solutions[0], self.search.exit.rows)
