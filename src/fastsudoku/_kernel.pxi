"""The functions of a level's kernel one by one, for the tests; a part of ``_engine_c.pyx``."""


cdef void set_words(object lanes, uint64_t* words) except *:
    cdef int word
    for word in range(MOST_WORDS):
        words[word] = lanes >> 64 * word & 0xFFFFFFFFFFFFFFFF


cdef object to_lanes(const uint64_t* words, int count):
    cdef int word
    return sum([<object>words[word] << 64 * word for word in range(count)])


cdef class Kernel:
    """The functions of a level's kernel, on lists of boards and on sets of lanes.

    A board is a list of 81 sets of candidates, bit d - 1 for digit d, and there is one for each lane. A set of
    lanes is an integer with a bit for each. A route is a list of legs, and a leg a tuple of the lanes that
    something arrives at, the words that their words come from, and the places by which these are rotated.
    """

    cdef readonly int lanes
    cdef LaneSearch* search

    def __cinit__(self, str name):
        cdef const char* reason = NULL
        cdef const Level* level = find_level(name.encode(), &reason)
        if not level:
            raise ImportError(reason.decode())
        self.search = new_lane_search(level, 2)
        allocate_pages(self.search)
        self.lanes = 64 * level.words

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

    cdef int set_route(self, Route* route, list legs) except -1:
        cdef Leg* leg
        cdef int word
        if not 1 <= len(legs) <= MOST_LEGS:
            raise ValueError("a route has one to three legs")
        route.legs = 0
        for arrivals, words, places in legs:
            leg = &route.leg[route.legs]
            route.legs += 1
            set_words(arrivals, leg.arrivals)
            if sorted(words) != list(range(self.search.words)) or len(places) != self.search.words:
                raise ValueError("a leg has a word and a number of places for each word")
            for word in range(self.search.words):
                leg.from_word[word] = words[word]
                leg.places[word] = places[word]
        return 0

    def infer(self, list boards, int passes=1):
        """Return the boards after some passes, and the changed, dead and unsolved lanes of the last one."""
        cdef LaneSet changed, dead, unsolved
        cdef LaneSearch* search = self.search
        self.put(&search.group, boards)
        memset(search.fresh, 0xFF, sizeof(search.fresh))
        for _ in range(passes):
            search.level.infer(
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
        cdef int i
        set_words(lanes, lane_words)
        set_words(vacant, vacant_words)
        count = self.search.level.match(lane_words, vacant_words, &route)
        return count, [
            (
                to_lanes(route.leg[i].arrivals, words),
                [route.leg[i].from_word[word] for word in range(words)],
                [route.leg[i].places[word] for word in range(words)],
            )
            for i in range(route.legs)
        ]

    def move(self, list to, list boards, list route):
        """Return the boards of the page `to` after others have come there."""
        cdef Route way
        self.put(&self.search.entry, to)
        self.put(&self.search.group, boards)
        self.set_route(&way, route)
        self.search.level.move(self.search.entry.planes, self.search.group.planes, &way)
        return self.get(&self.search.entry)

    def branch(self, list boards, parents, bint lowest_cell=False):
        """Return the page of first children and that of second ones, after some boards were branched."""
        cdef LaneSet parent_words
        cdef LaneSearch* search = self.search
        self.put(&search.group, boards)
        set_words(parents, parent_words)
        search.level.choose(search.group.planes, parent_words, search.choice.planes, lowest_cell)
        search.level.branch(search.entry.planes, search.group.planes, search.choice.planes, parent_words)
        return self.get(&search.group), self.get(&search.entry)

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
        self.search.level.load(self.search.entry.planes, lane_words, &cells[0], self.search.entry.rows)
        return self.get(&self.search.entry)

    def unload(self, list boards, list route, uint8_t[::1] solutions, list rows):
        """Write the solutions that arrive by a route at rows."""
        cdef Route way
        cdef Leg leg
        cdef LaneSet arrivals
        cdef int lane, word
        if len(rows) != self.lanes or not 0 <= min(rows) <= max(rows) < len(solutions) // 81:
            raise ValueError("each lane has a row of the solutions")
        for lane in range(self.lanes):
            self.search.exit.rows[lane] = rows[lane]
        self.put(&self.search.group, boards)
        self.set_route(&way, route)
        self.search.level.collect(self.search.exit.planes, self.search.group.planes, &way)
        memset(arrivals, 0, sizeof(LaneSet))
        for leg in way.leg[: way.legs]:
            for word in range(self.search.words):
                arrivals[word] |= leg.arrivals[word]
        self.search.level.unload(self.search.exit.planes, arrivals, &solutions[0], self.search.exit.rows)

    def propagate(self, list board):
        """Return whether one board is a contradiction (0), solved (1) or stuck (2), and what is left of it."""
        cdef Board candidates
        cdef Propagate propagate_by = self.search.level.propagate
        cdef int cell, digit, outcome
        memset(&candidates, 0, sizeof(Board))
        for cell in range(81):
            for digit in range(9):
                candidates.candidates[cell // 27][digit] |= <uint32_t>(board[cell] >> digit & 1) << cell % 27
        outcome = (propagate_by if propagate_by else propagate)(&candidates)
        left = [0] * 81
        for cell in range(81):
            for digit in range(9):
                left[cell] |= (candidates.candidates[cell // 27][digit] >> cell % 27 & 1) << digit
        return outcome, left
