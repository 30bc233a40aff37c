# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: embedsignature=False, freethreading_compatible=True
"""The compiled engine: the algorithm of ``_engine_py``, rule by rule, over C integers.

The candidates of a board are nine sets of 81 cells, one per digit, each in three C ints of 27 bits, one per
band. A set bit means that the digit is still possible in the cell::

    candidates[band][digit - 1]

    bit = 9 * (row in band) + column                     one band of one digit
        = 9 * (row in band) + 3 * stack + (column in stack)

        0  1  2 |  3  4  5 |  6  7  8
        9 10 11 | 12 13 14 | 15 16 17
       18 19 20 | 21 22 23 | 24 25 26

The minirows (three cells that a row and a box share) in which a digit has a place are 27 bits for the whole
board, and so are the minicolumns; in both, three bits at a distance of 9 form one cycle::

    minirow bit    = 9 * (row in band) + 3 * stack + band
    minicolumn bit = 9 * band          + 3 * stack + (column in stack)

Every rule is straight-line code on these ints, the same for all nine digits. A loop over the digits has no
branch and runs over twelve places instead of nine (the last three stay empty), so that compilers turn it
into vector instructions of whatever width the target has.
"""

cimport cython
from cpython.bytearray cimport PyByteArray_AsString, PyByteArray_FromStringAndSize, PyByteArray_Resize
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals, PyErr_Clear
from cpython.list cimport PyList_New
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from fastsudoku.boards import LONGEST_FIELD as longest_field, LONGEST_LINE as longest_line, ends_board

cdef str NO_BOARD = "a board for an engine is 81 bytes from 0 to 9"
cdef str STOPPED = "another thread stopped this search"

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int fastsudoku_lowest_bit(uint32_t set) {
        unsigned long bit;
        _BitScanForward(&bit, set);
        return (int)bit;
    }
    #else
    static inline int fastsudoku_lowest_bit(uint32_t set) { return __builtin_ctz(set); }
    #endif

    /* Adds to a value that other threads add to as well; returns what it was before. */
    #if defined(_MSC_VER)
    static __inline Py_ssize_t fastsudoku_add(Py_ssize_t *value, Py_ssize_t number) {
    #if defined(_WIN64)
        return _InterlockedExchangeAdd64(value, number);
    #else
        return _InterlockedExchangeAdd((long *)value, number);
    #endif
    }
    #else
    static inline Py_ssize_t fastsudoku_add(Py_ssize_t *value, Py_ssize_t number) {
        return __atomic_fetch_add(value, number, __ATOMIC_RELAXED);
    }
    #endif

    #define FASTSUDOKU_GUESSES_UNKNOWN 0xFFFFFFFFu

    /* The ints from 0 to 9, and where to look one up by its address: Python has each of them once. The place
       is a hint only, so that nothing depends on how they lie in memory. */
    static PyObject *fastsudoku_digits[10];
    static int fastsudoku_digit_of_slot[16];
    #define FASTSUDOKU_SLOT(item) (((size_t)(item) >> 5) & 15)

    /* Returns the element of a list, -1 if it is not an int from 0 to 9. */
    static inline int fastsudoku_digit_at(PyObject *row, Py_ssize_t index) {
        int overflow = 0;
        long value = -1;
        int guess;
    #ifdef Py_GIL_DISABLED
        PyObject *item = PyList_GetItemRef(row, index);
    #else
        /* Borrowed: nothing that could release it runs before we are done with it. */
        PyObject *item = PyList_GetItem(row, index);
    #endif
        if (item == NULL) {
            PyErr_Clear();
            return -1;
        }
        guess = fastsudoku_digit_of_slot[FASTSUDOKU_SLOT(item)];
        if (item == fastsudoku_digits[guess])
            value = guess;
        else if (PyLong_CheckExact(item))
            value = PyLong_AsLongAndOverflow(item, &overflow);
    #ifdef Py_GIL_DISABLED
        Py_DECREF(item);
    #endif
        return value >= 0 && value <= 9 ? (int)value : -1;
    }

    /* Asks the system for large pages, as NumPy does for its arrays: to get memory in small ones, which is when
       it is written to, takes a tenth of the time of a batch, and threads wait for each other. */
    static inline void fastsudoku_use_large_pages(char *buffer, size_t size) {
    #if defined(MADV_HUGEPAGE)
        const size_t page = 4096, large_page = (size_t)1 << 21;
        size_t skipped = (0 - (size_t)buffer) % page;
        if (size >= 2 * large_page)
            madvise(buffer + skipped, size - skipped, MADV_HUGEPAGE);
    #else
        (void)buffer;
        (void)size;
    #endif
    }

    /* Sets cells to the values of 81 characters; returns whether all of them are cells. */
    #if defined(__GNUC__)
    typedef uint8_t fastsudoku_characters __attribute__((vector_size(16)));
    static inline int fastsudoku_are_cells(const uint8_t *characters, uint8_t *cells) {
        fastsudoku_characters others = {0};
        uint64_t any[2];
        for (int part = 0; part < 6; part++) {
            int first = part < 5 ? 16 * part : 81 - 16; /* some characters are looked at twice */
            fastsudoku_characters some, value, digit, blank;
            memcpy(&some, characters + first, 16);
            value = some - '0';
            digit = (fastsudoku_characters)(value <= 9);
            blank = (fastsudoku_characters)((some == '.') | (some == '_') | (some == '*') | (some == '?') |
                                            (some == '-') | ((some | 32) == 'x'));
            value &= digit;
            memcpy(cells + first, &value, 16);
            others |= ~(digit | blank);
        }
        memcpy(any, &others, 16);
        return !(any[0] | any[1]);
    }
    #else
    static int fastsudoku_are_cells(const uint8_t *characters, uint8_t *cells) {
        for (int cell = 0; cell < 81; cell++) {
            int value = characters[cell] - '0';
            if (value < 0 || value > 9) {
                if (characters[cell] == 0 || !strchr("._*?-xX", characters[cell]))
                    return 0;
                value = 0;
            }
            cells[cell] = (uint8_t)value;
        }
        return 1;
    }
    #endif

    static int fastsudoku_prepare_digits(void) {
        for (int digit = 0; digit < 10; digit++) {
            fastsudoku_digits[digit] = PyLong_FromLong(digit);
            if (fastsudoku_digits[digit] == NULL)
                return -1;
            fastsudoku_digit_of_slot[FASTSUDOKU_SLOT(fastsudoku_digits[digit])] = digit;
        }
        return 0;
    }
    """
    int lowest_bit "fastsudoku_lowest_bit"(uint32_t set) noexcept nogil
    Py_ssize_t add_atomically "fastsudoku_add"(Py_ssize_t* value, Py_ssize_t number) noexcept nogil
    uint32_t GUESSES_UNKNOWN "FASTSUDOKU_GUESSES_UNKNOWN"
    PyObject* DIGITS "fastsudoku_digits"[10]
    int digit_at "fastsudoku_digit_at"(list row, Py_ssize_t index) noexcept
    bint are_cells "fastsudoku_are_cells"(const uint8_t* characters, uint8_t* cells) noexcept nogil
    void use_large_pages "fastsudoku_use_large_pages"(char* buffer, size_t size) noexcept
    int prepare_digits "fastsudoku_prepare_digits"() except -1

cdef extern from "Python.h":
    # Declared by pointer, so that references are counted by hand: the list takes one over.
    void add_reference "Py_INCREF"(PyObject* item)
    Py_ssize_t PY_SSIZE_T_MAX
    # Declared without its exception, for which Cython would have to save the one that is being handled.
    const char* text_of "PyUnicode_AsUTF8AndSize"(object text, Py_ssize_t* size) noexcept
    int set_new_item "PyList_SetItem"(object row, Py_ssize_t index, PyObject* item) except -1

cdef enum:
    PLACES = 12  # of an array over the nine digits
    BAND = 0o777777777  # the 27 bits of a band, and of all minirows or minicolumns

    NO_SOLUTION = 0
    UNIQUE = 1
    SEVERAL = 2
    NOT_A_BOARD = 255

    # Nodes of a search between two looks at signals: about a millisecond.
    NODES_PER_CHECK = 1024
    # Nodes that a search of a single board may take before it lets other threads run.
    NODES_WITH_GIL = 64
    # Grids that are made between two looks at signals: about a millisecond.
    ROWS_PER_CHECK = 1024
    # Placements of the classical search between two looks at signals: about a millisecond.
    PLACEMENTS_PER_CHECK = 200000

cdef extern from "lanes/lanes.h":
    ctypedef enum Outcome "fastsudoku_outcome":
        CONTRADICTION "FASTSUDOKU_CONTRADICTION"
        SOLVED "FASTSUDOKU_SOLVED"
        STUCK "FASTSUDOKU_STUCK"

    # `solved` are the cells with one candidate that has already been removed from their peers.
    ctypedef struct Board "fastsudoku_board":
        uint32_t candidates[3][PLACES]
        uint32_t solved[3]

ctypedef Outcome (*Propagate)(Board* board) noexcept nogil

# What a round of inference finds out about each digit.
cdef struct Places:
    uint32_t minirows[PLACES]
    uint32_t asserted_minirows[PLACES]
    uint32_t minicolumns[PLACES]
    uint32_t asserted_minicolumns[PLACES]
    uint32_t boxes[PLACES]
    uint32_t hidden[3][PLACES]

# What is found out about minirows, or about minicolumns: a triad, as both are called, has three digits.
cdef struct Triads:
    # Triads for which exactly three digits are left.
    uint32_t exact
    # Triads that are the last place, in a row or box, of three digits.
    uint32_t taken
    # Not 0 if a triad has fewer than three digits left, or is the last place of more than three.
    uint32_t contradiction

# A depth-first search that can be stopped and resumed between any two nodes.
cdef struct Search:
    # The rules: the function below, or what a level of the lane engine has instead of it.
    Propagate propagate
    Board board
    # The second branches not yet visited, nearest last. A pending branch belongs to a cell that was given
    # its digit on the way here, so there are never more than cells.
    Board waiting[81]
    int depth
    # Nodes to visit before the next look at signals, and at `stop`.
    int patience
    # Where another thread can set a byte to stop the search, if it is not NULL.
    const uint8_t* stop
    uint64_t limit
    uint64_t found
    uint64_t guesses
    uint8_t solution[81]

# A walk over all solutions in lexicographic order; see next_solution().
cdef struct Walk:
    Search search
    uint8_t known[81]
    Board alternatives[81]
    int cells[81]
    int depth

cdef uint32_t PEERS[81][3]
# Whether what stands behind 81 cells, from this character on, is no part of the board.
cdef uint8_t ENDS_BOARD[256]
cdef Py_ssize_t LONGEST_LINE = longest_line
cdef Py_ssize_t LONGEST_FIELD = longest_field


# --- inference -------------------------------------------------------------------------------------------

# Minirows and minicolumns are moved round in cycles of three: along their line, and through their box.

cdef inline uint32_t next_stack(uint32_t minirows) noexcept nogil:
    return (minirows << 3) & 0o770770770 | (minirows >> 6) & 0o007007007


cdef inline uint32_t previous_stack(uint32_t minirows) noexcept nogil:
    return (minirows << 6) & 0o700700700 | (minirows >> 3) & 0o077077077


cdef inline uint32_t next_column(uint32_t minicolumns) noexcept nogil:
    return (minicolumns << 1) & 0o666666666 | (minicolumns >> 2) & 0o111111111


cdef inline uint32_t previous_column(uint32_t minicolumns) noexcept nogil:
    return (minicolumns << 2) & 0o444444444 | (minicolumns >> 1) & 0o333333333


# Minirows to the next row of their box, minicolumns to the next band of their column.
cdef inline uint32_t next_down(uint32_t triads) noexcept nogil:
    return (triads << 9) & BAND | triads >> 18


cdef inline uint32_t previous_down(uint32_t triads) noexcept nogil:
    return (triads << 18) & BAND | triads >> 9


cdef inline uint32_t minirows_of(uint32_t top, uint32_t middle, uint32_t bottom) noexcept nogil:
    """Return the minirows that have at least one of the cells, given band by band."""
    return (
        (top | top >> 1 | top >> 2) & 0o111111111
        | ((middle | middle >> 1 | middle >> 2) & 0o111111111) << 1
        | ((bottom | bottom >> 1 | bottom >> 2) & 0o111111111) << 2
    )


cdef inline uint32_t minicolumns_of(uint32_t top, uint32_t middle, uint32_t bottom) noexcept nogil:
    """Return the minicolumns that have at least one of the cells, given band by band."""
    return (
        (top | top >> 9 | top >> 18) & 0o777
        | ((middle | middle >> 9 | middle >> 18) & 0o777) << 9
        | ((bottom | bottom >> 9 | bottom >> 18) & 0o777) << 18
    )


cdef inline uint32_t cells_of_minirows(uint32_t minirows, int band) noexcept nogil:
    cdef uint32_t heads = (minirows >> band) & 0o111111111
    return (heads << 3) - heads


cdef inline uint32_t cells_of_minicolumns(uint32_t minicolumns, int band) noexcept nogil:
    cdef uint32_t heads = (minicolumns >> 9 * band) & 0o777
    return heads | heads << 9 | heads << 18


cdef inline uint32_t other_minirows(uint32_t minirows) noexcept nogil:
    """Return the other minirows in the rows and boxes of these."""
    return next_stack(minirows) | previous_stack(minirows) | next_down(minirows) | previous_down(minirows)


cdef inline uint32_t other_minicolumns(uint32_t minicolumns) noexcept nogil:
    """Return the other minicolumns in the columns and boxes of these."""
    return (
        next_column(minicolumns)
        | previous_column(minicolumns)
        | next_down(minicolumns)
        | previous_down(minicolumns)
    )


cdef Outcome propagate(Board* board) noexcept nogil:
    """Apply all rules until nothing changes."""
    return apply_rules(board, True)


cdef inline Outcome apply_rules(Board* board, bint with_triads) noexcept nogil:
    """Apply all rules, or those without triads (singles and locked candidates), until nothing changes.

    The cheap rules run to their fixpoint before the triads are looked at. The order does not matter for the
    result: a rule only ever removes candidates and never loses power as candidates go.
    """
    cdef Places places
    cdef Triads minirows, minicolumns
    cdef uint32_t hidden[3]
    cdef uint32_t hidden_before[3]
    cdef uint32_t single[3]
    cdef uint32_t once, twice, all_once, boxes, changed, news
    cdef int band, digit
    memset(&places.hidden, 0, sizeof(places.hidden))
    hidden[0] = hidden[1] = hidden[2] = 0
    while True:
        changed = locked_candidates(board, &places, hidden)
        boxes = BAND
        for digit in range(9):
            boxes &= places.boxes[digit]
        if boxes != BAND:
            return CONTRADICTION  # a digit has no place in a box

        for band in range(3):
            hidden_before[band] = hidden[band]
            hidden[band] = 0
            for digit in range(PLACES):
                hidden[band] |= places.hidden[band][digit]

        # Naked singles: the digit goes from the peers, unless hidden singles or an earlier round did it.
        all_once = BAND
        news = 0
        for band in range(3):
            once = twice = 0
            for digit in range(9):
                twice |= once & board.candidates[band][digit]
                once |= board.candidates[band][digit]
            if twice & hidden_before[band]:
                return CONTRADICTION  # a cell would have to take two digits
            # Other digits where there is a hidden single: the next round removes them.
            changed |= twice & hidden[band]
            all_once &= once
            single[band] = BAND & ~twice
            news |= single[band] & ~(board.solved[band] | hidden[band])
            board.solved[band] = single[band]
        if all_once != BAND:
            return CONTRADICTION  # a cell has no candidate
        if single[0] & single[1] & single[2] == BAND:
            return CONTRADICTION if remove_from_peers(board, single) else SOLVED
        if news:
            changed |= remove_from_peers(board, single)

        if not changed:
            if not with_triads:
                return STUCK
            count_triads(places.minirows, places.asserted_minirows, &minirows)
            count_triads(places.minicolumns, places.asserted_minicolumns, &minicolumns)
            if minirows.contradiction or minicolumns.contradiction:
                return CONTRADICTION
            if not apply_triads(board, &places, minirows, minicolumns):
                return STUCK


cdef inline uint32_t locked_candidates(Board* board, Places* places, uint32_t* hidden) noexcept nogil:
    """Find locked candidates, in both directions, and hidden singles; return not 0 if candidates went.

    The hidden singles of the round before, whose cells are in `hidden`, are made use of first.
    """
    cdef uint32_t top, middle, bottom, top_before, middle_before, bottom_before
    cdef uint32_t minirows, minicolumns, right, left, asserted_minirows, asserted_minicolumns
    cdef uint32_t not_hidden_top = ~hidden[0]
    cdef uint32_t not_hidden_middle = ~hidden[1]
    cdef uint32_t not_hidden_bottom = ~hidden[2]
    cdef uint32_t changed = 0
    cdef int digit
    for digit in range(PLACES):
        top_before = board.candidates[0][digit]
        middle_before = board.candidates[1][digit]
        bottom_before = board.candidates[2][digit]
        top = top_before & (places.hidden[0][digit] | not_hidden_top)
        middle = middle_before & (places.hidden[1][digit] | not_hidden_middle)
        bottom = bottom_before & (places.hidden[2][digit] | not_hidden_bottom)

        # Minirows in which the digit has a place, and the other two of their row.
        minirows = minirows_of(top, middle, bottom)
        right = next_stack(minirows)
        left = previous_stack(minirows)
        # Asserted: the digit has no other place in the row.
        asserted_minirows = minirows & ~(right | left)
        # Locked candidates: the digit can be in a minirow only if the other two rows and boxes of the band
        # can host it, one each, in one of two ways.
        minirows &= next_down(right) & previous_down(left) | previous_down(right) & next_down(left)
        top &= cells_of_minirows(minirows, 0)
        middle &= cells_of_minirows(minirows, 1)
        bottom &= cells_of_minirows(minirows, 2)

        # The same with rows and columns exchanged.
        minicolumns = minicolumns_of(top, middle, bottom)
        right = next_column(minicolumns)
        left = previous_column(minicolumns)
        places.boxes[digit] = minicolumns | right | left
        asserted_minicolumns = minicolumns & ~(right | left)
        minicolumns &= next_down(right) & previous_down(left) | previous_down(right) & next_down(left)
        top &= cells_of_minicolumns(minicolumns, 0)
        middle &= cells_of_minicolumns(minicolumns, 1)
        bottom &= cells_of_minicolumns(minicolumns, 2)

        # Hidden singles: the cell that an asserted minirow and an asserted minicolumn share.
        places.hidden[0][digit] = (
            top & cells_of_minirows(asserted_minirows, 0) & cells_of_minicolumns(asserted_minicolumns, 0)
        )
        places.hidden[1][digit] = (
            middle & cells_of_minirows(asserted_minirows, 1) & cells_of_minicolumns(asserted_minicolumns, 1)
        )
        places.hidden[2][digit] = (
            bottom & cells_of_minirows(asserted_minirows, 2) & cells_of_minicolumns(asserted_minicolumns, 2)
        )

        places.minirows[digit] = minirows
        places.asserted_minirows[digit] = asserted_minirows
        places.minicolumns[digit] = minicolumns
        places.asserted_minicolumns[digit] = asserted_minicolumns
        board.candidates[0][digit] = top
        board.candidates[1][digit] = middle
        board.candidates[2][digit] = bottom
        changed |= (top ^ top_before) | (middle ^ middle_before) | (bottom ^ bottom_before)
    return changed


cdef uint32_t remove_from_peers(Board* board, uint32_t* single) noexcept nogil:
    """Remove the digit of each naked single from all its peers, other naked singles too.

    A peer is in another minirow of the row or box, or in another minicolumn of the column or box. Returns
    not 0 if candidates went.
    """
    cdef uint32_t top, middle, bottom
    cdef uint32_t single_top = single[0]
    cdef uint32_t single_middle = single[1]
    cdef uint32_t single_bottom = single[2]
    cdef uint32_t changed = 0
    cdef int digit
    for digit in range(PLACES):
        top = board.candidates[0][digit] & single_top
        middle = board.candidates[1][digit] & single_middle
        bottom = board.candidates[2][digit] & single_bottom
        changed |= keep(
            board,
            digit,
            ~other_minirows(minirows_of(top, middle, bottom)),
            ~other_minicolumns(minicolumns_of(top, middle, bottom)),
        )
    return changed


cdef inline uint32_t keep(Board* board, int digit, uint32_t minirows, uint32_t minicolumns) noexcept nogil:
    """Leave a digit only where one of the minirows and one of the minicolumns meet.

    Returns not 0 if candidates went.
    """
    cdef uint32_t top = board.candidates[0][digit]
    cdef uint32_t middle = board.candidates[1][digit]
    cdef uint32_t bottom = board.candidates[2][digit]
    board.candidates[0][digit] = top & cells_of_minirows(minirows, 0) & cells_of_minicolumns(minicolumns, 0)
    board.candidates[1][digit] = middle & cells_of_minirows(minirows, 1) & cells_of_minicolumns(minicolumns, 1)
    board.candidates[2][digit] = bottom & cells_of_minirows(minirows, 2) & cells_of_minicolumns(minicolumns, 2)
    return (
        (top ^ board.candidates[0][digit])
        | (middle ^ board.candidates[1][digit])
        | (bottom ^ board.candidates[2][digit])
    )


cdef inline void count_triads(uint32_t* triads, uint32_t* asserted, Triads* counts) noexcept nogil:
    cdef uint32_t three, four
    at_least_three_and_four(triads, &three, &four)
    counts.exact = three & ~four
    counts.contradiction = three ^ BAND
    at_least_three_and_four(asserted, &three, &four)
    counts.taken = three
    counts.contradiction |= four


cdef inline void at_least_three_and_four(uint32_t* triads, uint32_t* three, uint32_t* four) noexcept nogil:
    """Find the triads that at least three, and at least four digits have."""
    cdef uint32_t here, one = 0, two = 0
    cdef int digit
    three[0] = four[0] = 0
    for digit in range(9):
        here = triads[digit]
        four[0] |= three[0] & here
        three[0] |= two & here
        two |= one & here
        one |= here


cdef uint32_t apply_triads(Board* board, Places* places, Triads rows, Triads columns) noexcept nogil:
    """Apply the two rules on triads in both directions; return not 0 if candidates went.

    Exact-three: where three digits are left for a triad, they go from the rest of its line and its box.
    Asserted: three digits that have their last place of a line or box in it leave no room for others.
    """
    cdef uint32_t minirows, minicolumns
    cdef uint32_t changed = 0
    cdef int digit
    for digit in range(PLACES):
        minirows = places.minirows[digit]
        minirows &= ~other_minirows(minirows & rows.exact)
        minirows &= places.asserted_minirows[digit] | ~rows.taken
        minicolumns = places.minicolumns[digit]
        minicolumns &= ~other_minicolumns(minicolumns & columns.exact)
        minicolumns &= places.asserted_minicolumns[digit] | ~columns.taken
        changed |= keep(board, digit, minirows, minicolumns)
    return changed


# --- search ----------------------------------------------------------------------------------------------


cdef inline int count_cells(uint32_t top, uint32_t middle, uint32_t bottom) noexcept nogil:
    """Return how many cells three bands have. Baseline x86-64 has no instruction for it."""
    # A full adder leaves the sum in two words, the second of which counts double; bits, then pairs, then
    # nibbles are added side by side in one 64-bit word, and a multiplication sums the bytes with weights.
    cdef uint64_t carry = top & middle | bottom & (top | middle)
    cdef uint64_t sums = carry << 32 | (top ^ middle ^ bottom)
    sums -= (sums >> 1) & 0x5555555555555555U
    sums = (sums & 0x3333333333333333U) + ((sums >> 2) & 0x3333333333333333U)
    sums = (sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0FU
    return (sums * 0x0101010102020202U) >> 56


cdef int branch_cell(const Board* board) noexcept nogil:
    """Choose the cell to branch on: fewest candidates, then most unsolved peers, then the lowest cell."""
    cdef uint32_t unsolved[3]
    cdef uint32_t choice[3]
    cdef uint32_t here, one, two, three
    cdef int band, digit, cell, peers
    cdef int best = -1, most = -1
    for band in range(3):
        one = two = three = 0
        for digit in range(9):
            here = board.candidates[band][digit]
            three |= two & here
            two |= one & here
            one |= here
        unsolved[band] = two
        choice[band] = two & ~three
    if not (choice[0] | choice[1] | choice[2]):
        fewest_candidates(board, choice)
    for band in range(3):
        here = choice[band]
        while here:
            cell = 27 * band + lowest_bit(here)
            here &= here - 1
            peers = count_cells(
                unsolved[0] & PEERS[cell][0], unsolved[1] & PEERS[cell][1], unsolved[2] & PEERS[cell][2]
            )
            if peers > most:
                best = cell
                most = peers
    return best


cdef void fewest_candidates(const Board* board, uint32_t* choice) noexcept nogil:
    """Set choice to the cells with the fewest candidates, of those with three or more."""
    cdef uint32_t at_least[11][3]
    cdef int band, digit, n
    memset(&at_least, 0, sizeof(at_least))
    for band in range(3):
        at_least[0][band] = BAND
        for digit in range(9):
            for n in range(9, 0, -1):
                at_least[n][band] |= at_least[n - 1][band] & board.candidates[band][digit]
    for n in range(3, 10):
        for band in range(3):
            choice[band] = at_least[n][band] & ~at_least[n + 1][band]
        if choice[0] | choice[1] | choice[2]:
            return


cdef inline bint is_candidate(const Board* board, int cell, int digit) noexcept nogil:
    return board.candidates[cell // 27][digit - 1] >> cell % 27 & 1


cdef inline void remove(Board* board, int cell, int digit) noexcept nogil:
    board.candidates[cell // 27][digit - 1] &= ~(<uint32_t>1 << cell % 27)


cdef void place(Board* board, int cell, int digit) noexcept nogil:
    """Leave the cell this one candidate."""
    cdef int other
    for other in range(1, 10):
        if other != digit:
            remove(board, cell, other)


cdef bint load(Board* board, const uint8_t* cells) noexcept nogil:
    """Set a board from 81 values (0 is a blank); return whether all of them are from 0 to 9."""
    cdef uint32_t blank[3]
    cdef uint32_t here
    cdef int band, position, digit
    memset(board, 0, sizeof(Board))
    for band in range(3):
        blank[band] = BAND
        for position in range(27):
            digit = cells[27 * band + position]
            if digit:
                if digit > 9:
                    return False
                here = <uint32_t>1 << position
                blank[band] ^= here
                board.candidates[band][digit - 1] |= here
    for band in range(3):
        for digit in range(9):
            board.candidates[band][digit] |= blank[band]
    return True


cdef void store(const Board* board, uint8_t* cells) noexcept nogil:
    """Write the 81 digits of a solved board."""
    cdef uint32_t here
    cdef int band, digit
    for band in range(3):
        for digit in range(9):
            here = board.candidates[band][digit]
            while here:
                cells[27 * band + lowest_bit(here)] = digit + 1
                here &= here - 1


cdef void start(Search* search, const Board* board, uint64_t limit) noexcept nogil:
    search.board = board[0]
    search.depth = 0
    search.limit = limit
    search.found = 0
    search.guesses = 0


cdef bint advance(Search* search) noexcept nogil:
    """Visit nodes of the tree until patience ends; return whether there is more to do."""
    cdef Outcome outcome
    cdef int cell, digit
    while search.patience:
        search.patience -= 1
        outcome = search.propagate(&search.board)
        if outcome == STUCK:
            search.guesses += 1
            cell = branch_cell(&search.board)
            digit = 1
            while not is_candidate(&search.board, cell, digit):
                digit += 1
            search.waiting[search.depth] = search.board
            remove(&search.waiting[search.depth], cell, digit)
            search.depth += 1
            place(&search.board, cell, digit)
            continue
        if outcome == SOLVED:
            if not search.found:
                store(&search.board, search.solution)
            search.found += 1
            if search.found == search.limit:
                return False
        if not search.depth:
            return False
        search.depth -= 1
        search.board = search.waiting[search.depth]
    return True


cdef int finish(Search* search) except -1 nogil:
    """Search to the end, with a look at signals now and then."""
    while advance(search):
        check_signals(search.stop)
        search.patience = NODES_PER_CHECK
    return 0


cdef int check_signals(const uint8_t* stop) except -1 nogil:
    """Raise what a signal raises in the main thread, or in any other InterruptedError if it is to stop."""
    with gil:
        PyErr_CheckSignals()
        if stop and stop[0]:
            raise InterruptedError(STOPPED)
    return 0


# --- all solutions, in lexicographic order ---------------------------------------------------------------
#
# The cells are walked in row-major order while one solution is known. For each digit below the known one, a
# search tells whether a solution with it exists; if so, that one is the known solution from there on. So
# every step of the walk is a search by the fast rules, and no order of cells can make it explode.


cdef int choose(Walk* walk, Board* board, int cell, int known) except -1 nogil:
    """Give the cell its smallest digit with a solution, and keep that solution; return 0 if there is none.

    `known` is the cell's digit in a solution already known, 0 if there is none. The board with the larger
    digits is left as an alternative, to be visited later.
    """
    cdef Board child
    cdef int digit
    for digit in range(1, 10):
        if not is_candidate(board, cell, digit):
            continue
        child = board[0]
        remove(board, cell, digit)
        place(&child, cell, digit)
        if walk.search.propagate(&child) == CONTRADICTION:
            continue
        if digit != known:
            start(&walk.search, &child, 1)
            finish(&walk.search)
            if not walk.search.found:
                continue
            memcpy(walk.known, walk.search.solution, 81)
        walk.alternatives[walk.depth] = board[0]
        walk.cells[walk.depth] = cell
        walk.depth += 1
        board[0] = child
        return 1
    return 0


cdef int descend(Walk* walk, Board* board) except -1 nogil:
    """Walk down from the known solution to the smallest of the board."""
    cdef int cell
    for cell in range(81):
        if not board.solved[cell // 27] >> cell % 27 & 1:
            if not choose(walk, board, cell, walk.known[cell]):
                with gil:
                    raise SystemError("a known solution was not met again")
    return 0


cdef int first_solution(Walk* walk, Board board) except -1 nogil:
    """Set walk.known, a solution of the board, to the smallest one."""
    walk.depth = 0
    walk.search.propagate(&board)
    return descend(walk, &board)


cdef int next_solution(Walk* walk) except -1 nogil:
    """Set walk.known to the next solution; return 0 if there is none."""
    cdef Board board
    while walk.depth:
        walk.depth -= 1
        board = walk.alternatives[walk.depth]
        if choose(walk, &board, walk.cells[walk.depth], 0):
            descend(walk, &board)
            return 1
    return 0


cdef int conclude(Walk* walk, const Board* board) except -1 nogil:
    """Return the status of a board searched for two solutions, and leave the smallest in walk.known."""
    if not walk.search.found:
        return NO_SOLUTION
    memcpy(walk.known, walk.search.solution, 81)
    if walk.search.found == 1:
        return UNIQUE
    first_solution(walk, board[0])
    return SEVERAL


# --- the classical search --------------------------------------------------------------------------------

ctypedef enum Progress:
    EXHAUSTED
    FOUND
    PAUSED

cdef struct Classic:
    # Digits in use, bit d for digit d.
    int rows[9]
    int columns[9]
    int boxes[9]
    int blanks[81]
    int blank_count
    int position
    uint8_t cells[81]


cdef inline void toggle(Classic* classic, int cell, int digit) noexcept nogil:
    classic.rows[cell // 9] ^= 1 << digit
    classic.columns[cell % 9] ^= 1 << digit
    classic.boxes[cell // 27 * 3 + cell % 9 // 3] ^= 1 << digit


cdef inline int digits_in_use(const Classic* classic, int cell) noexcept nogil:
    return (
        classic.rows[cell // 9] | classic.columns[cell % 9] | classic.boxes[cell // 27 * 3 + cell % 9 // 3]
    )


cdef bint start_classic(Classic* classic, const uint8_t* cells) noexcept nogil:
    """Set up a search; return whether the clues are free of conflicts."""
    cdef int cell
    memset(classic, 0, sizeof(Classic))
    for cell in range(81):
        classic.cells[cell] = cells[cell]
        if not cells[cell]:
            classic.blanks[classic.blank_count] = cell
            classic.blank_count += 1
        elif digits_in_use(classic, cell) >> cells[cell] & 1:
            return False
        else:
            toggle(classic, cell, cells[cell])
    return True


cdef Progress advance_classic(Classic* classic, int placements) noexcept nogil:
    """Fill the blanks in row-major order, digits ascending, until done or so many were tried."""
    cdef int cell, digit, used
    while classic.position < classic.blank_count:
        if not placements:
            return PAUSED
        placements -= 1
        cell = classic.blanks[classic.position]
        digit = classic.cells[cell]
        if digit:
            toggle(classic, cell, digit)
        used = digits_in_use(classic, cell)
        digit += 1
        while used >> digit & 1:
            digit += 1
        if digit <= 9:
            classic.cells[cell] = digit
            toggle(classic, cell, digit)
            classic.position += 1
        else:
            classic.cells[cell] = 0
            classic.position -= 1
            if classic.position < 0:
                return EXHAUSTED
    return FOUND


# --- boards to and from Python -------------------------------------------------------------------------------


cdef Walk* new_walk(Propagate propagate_by) except NULL:
    cdef Walk* walk = <Walk*>malloc(sizeof(Walk))
    if not walk:
        raise MemoryError
    walk.search.propagate = propagate_by
    walk.search.stop = NULL
    walk.search.patience = NODES_WITH_GIL
    return walk


cdef bytes as_bytes(const uint8_t* cells):
    return PyBytes_FromStringAndSize(<const char*>cells, 81)


cdef int load_bytes(Board* board, bytes cells) except -1:
    if len(cells) != 81 or not load(board, <const uint8_t*><const char*>cells):
        raise ValueError(NO_BOARD)
    return 0


cdef int check_range(Py_ssize_t first, Py_ssize_t last, Py_ssize_t cells, Py_ssize_t rows) except -1:
    if not 0 <= first <= last <= min(rows, cells // 81):
        raise ValueError("the buffers are smaller than the range of boards")
    return 0


cdef int conclude_row(
    Walk* walk, const Board* board, uint8_t* status, uint8_t* solution, uint32_t* guesses
) except -1 nogil:
    """Write the answer for a board whose search is at its end."""
    status[0] = conclude(walk, board)
    if status[0] == NO_SOLUTION:
        memset(solution, 0, 81)
    else:
        memcpy(solution, walk.known, 81)
    guesses[0] = GUESSES_UNKNOWN if status[0] == SEVERAL else min(walk.search.guesses, GUESSES_UNKNOWN - 1)
    return 0


cdef int solve_row(
    Walk* walk, const uint8_t* cells, uint8_t* status, uint8_t* solution, uint32_t* guesses
) except -1 nogil:
    cdef Board board
    if not load(&board, cells):
        memset(solution, 0, 81)
        status[0] = NOT_A_BOARD
        guesses[0] = GUESSES_UNKNOWN
        return 0
    start(&walk.search, &board, 2)
    finish(&walk.search)
    return conclude_row(walk, &board, status, solution, guesses)


cdef int64_t count_row(Walk* walk, const uint8_t* cells, int64_t limit) except? -1 nogil:
    cdef Board board
    if not load(&board, cells):
        return -1
    start(&walk.search, &board, limit)
    finish(&walk.search)
    return walk.search.found


# The most common kinds of boards, without a Python object per cell.


cdef const uint8_t* characters_of(text, Py_ssize_t* size) noexcept:
    """Return where the characters of a text are, in UTF-8 (cells take one byte); NULL if it is no text."""
    cdef const uint8_t* characters
    if type(text) is bytes:
        size[0] = len(<bytes>text)
        return <const uint8_t*><const char*>text
    if type(text) is not str:
        return NULL
    characters = <const uint8_t*>text_of(text, size)
    if not characters:
        # It has half a surrogate pair, or there is no memory for a text that is none of a board.
        PyErr_Clear()
    return characters


cdef inline bint is_line_end(uint8_t character) noexcept nogil:
    return character == c"\n" or character == c"\r"


cdef inline bint is_space(uint8_t character) noexcept nogil:
    return character == c" " or c"\t" <= character <= c"\r"


cdef bint is_plain_text(text, uint8_t* cells) except -1:
    """Set cells to the values of a text of 81 plain cells; return whether it is one."""
    cdef Py_ssize_t size = 0
    cdef const uint8_t* characters = characters_of(text, &size)
    return characters != NULL and size == 81 and are_cells(characters, cells)


cdef bint are_plain_rows(rows, uint8_t* cells) except -1:
    """Set cells to the values of nine lists of nine plain integers; return whether they are that."""
    cdef int row, column, value
    if type(rows) is not list or len(<list>rows) != 9:
        return False
    for row in range(9):
        line = (<list>rows)[row]
        if type(line) is not list or len(<list>line) != 9:
            return False
        for column in range(9):
            value = digit_at(<list>line, column)
            if value < 0:
                return False
            cells[9 * row + column] = value
    return True


cdef list rows_of(const uint8_t* digits):
    cdef PyObject* item
    cdef int row, column
    rows = []
    for row in range(9):
        line = PyList_New(9)
        for column in range(9):
            item = DIGITS[digits[9 * row + column]]
            add_reference(item)
            set_new_item(line, column, item)
        rows.append(line)
    return rows


cdef int prepare() except -1:
    """Fill the constant tables."""
    cdef int cell, other, code
    prepare_digits()
    for code in range(256):
        ENDS_BOARD[code] = code < 128 and ends_board(chr(code))
    for cell in range(81):
        for other in range(81):
            if other != cell and (
                other // 9 == cell // 9
                or other % 9 == cell % 9
                or (other // 27 == cell // 27 and other % 9 // 3 == cell % 9 // 3)
            ):
                PEERS[cell][other // 27] |= <uint32_t>1 << other % 27
    return 0


prepare()

include "_lanes.pxi"
include "_texts.pxi"
include "_grids.pxi"
include "_carving.pxi"
include "_techniques.pxi"
include "_functions.pxi"
include "_kernel.pxi"
