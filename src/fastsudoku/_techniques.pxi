"""What techniques solve a board, a part of ``_engine_c.pyx``; ``_engine_py.techniques`` says what they are."""

cdef enum:
    NAKED_SINGLES = 1
    HIDDEN_SINGLES = 2
    SINGLES = 4
    LOCKED_CANDIDATES = 8
    TRIADS = 16

# Candidates, as in a board.
cdef struct Found:
    uint32_t hidden[3][PLACES]
    # Columns in which a digit has one place at least, and two, of each band.
    uint32_t once[3][PLACES]
    uint32_t twice[3][PLACES]


cdef inline uint32_t majority(uint32_t a, uint32_t b, uint32_t c) noexcept nogil:
    return (a & b) | (c & (a | b))


cdef void find_hidden_singles(const Board* board, Found* found) noexcept nogil:
    """Set found.hidden to the candidates of digits that have one place in a row, column or box."""
    cdef uint32_t cells, left, middle, right, once, twice, row_once, row_twice, box_once, box_twice, rows, boxes
    cdef uint32_t columns
    cdef int band, digit
    for band in range(3):
        for digit in range(PLACES):
            cells = board.candidates[band][digit]
            # Minirows, by their first cells: those with one place at least, and with two.
            left = cells & 0o111111111
            middle = cells >> 1 & 0o111111111
            right = cells >> 2 & 0o111111111
            once = left | middle | right
            twice = majority(left, middle, right)
            row_once = (once | once >> 3 | once >> 6) & 0o001001001
            row_twice = (majority(once, once >> 3, once >> 6) | twice | twice >> 3 | twice >> 6) & 0o001001001
            rows = row_once & ~row_twice
            rows = (rows << 9) - rows
            box_once = (once | once >> 9 | once >> 18) & 0o111
            box_twice = (majority(once, once >> 9, once >> 18) | twice | twice >> 9 | twice >> 18) & 0o111
            boxes = box_once & ~box_twice
            boxes = (boxes << 3) - boxes
            boxes |= boxes << 9 | boxes << 18
            found.hidden[band][digit] = cells & (rows | boxes)
            found.once[band][digit] = (cells | cells >> 9 | cells >> 18) & 0o777
            found.twice[band][digit] = majority(cells, cells >> 9, cells >> 18) & 0o777
    for digit in range(PLACES):
        once = found.once[0][digit] | found.once[1][digit] | found.once[2][digit]
        twice = majority(found.once[0][digit], found.once[1][digit], found.once[2][digit])
        twice |= found.twice[0][digit] | found.twice[1][digit] | found.twice[2][digit]
        columns = once & ~twice
        columns |= columns << 9 | columns << 18
        for band in range(3):
            found.hidden[band][digit] |= board.candidates[band][digit] & columns


cdef bint find_naked_singles(const Board* board, uint32_t* placed) noexcept nogil:
    """Add the cells with one candidate to those that are placed; return whether there are new ones."""
    cdef uint32_t once, twice, news = 0
    cdef int band, digit
    for band in range(3):
        once = twice = 0
        for digit in range(9):
            twice |= once & board.candidates[band][digit]
            once |= board.candidates[band][digit]
        news |= once & ~twice & ~placed[band]
        placed[band] |= once & ~twice
    return news != 0


cdef bint place_hidden_singles(Board* board, uint32_t* placed) noexcept nogil:
    """Place hidden singles; return whether there are new ones."""
    cdef Found found
    cdef uint32_t cells, news = 0
    cdef int band, digit
    find_hidden_singles(board, &found)
    for band in range(3):
        cells = 0
        for digit in range(9):
            cells |= found.hidden[band][digit]
        for digit in range(PLACES):
            board.candidates[band][digit] &= found.hidden[band][digit] | ~cells
        news |= cells & ~placed[band]
        placed[band] |= cells
    return news != 0


cdef bint do_singles_suffice(Board board, bint naked, bint hidden) noexcept nogil:
    cdef uint32_t[3] placed
    cdef bint is_new
    placed[0] = placed[1] = placed[2] = 0
    find_naked_singles(&board, placed)  # the clues
    while placed[0] & placed[1] & placed[2] != BAND:
        remove_from_peers(&board, placed)
        is_new = naked and find_naked_singles(&board, placed)
        if hidden and place_hidden_singles(&board, placed):
            is_new = True
        if not is_new:
            return False
    return True


cdef int techniques_of(const uint8_t* cells) noexcept nogil:
    """Return by which techniques, one bit for each, a board can be solved that has one solution."""
    cdef Board board
    cdef Board copy_of_board
    cdef int found = 0
    load(&board, cells)
    copy_of_board = board
    if do_singles_suffice(board, True, False):
        found |= NAKED_SINGLES
    if do_singles_suffice(board, False, True):
        found |= HIDDEN_SINGLES
    if found or do_singles_suffice(board, True, True):
        found |= SINGLES
    if found or apply_rules(&board, False) == SOLVED:
        found |= LOCKED_CANDIDATES
    if found or apply_rules(&copy_of_board, True) == SOLVED:
        found |= TRIADS
    return found
