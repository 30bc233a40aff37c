"""Random numbers and random grids, a part of ``_engine_c.pyx``; ``philox`` and ``_grids_py`` explain both."""

cdef enum:
    PARTITIONS = 280
    ARRANGEMENTS = 56
    HALF_ARRANGEMENTS = 28
    CROSSINGS = 36
    CHOICES = 8
    # What streams are for, as in philox.py.
    GRIDS = 0
    PUZZLES = 1
    MINIMIZING = 2
    FORMS = 3
    BANDS = ARRANGEMENTS * CROSSINGS * CROSSINGS
    # Orders of the digits, of two bands' rows, and of two stacks' columns.
    ORDERS = 362880 * 6 * 6 * 6 * 6

cdef struct Stream:
    uint32_t key[2]
    uint32_t counter[4]
    uint32_t words[4]
    # Words of the block that are used.
    int used

# Three sets of three digits, each nine bits.
ctypedef uint16_t[3] Sets

# The rows and columns of a box.
cdef struct Box:
    Sets rows
    Sets columns

cdef struct Partitions:
    # Their sets in the order of lowest digits, and they in that of their sets.
    Sets sets[PARTITIONS]
    # The first one with this set.
    uint16_t starts[512]
    # The partition of the first box beside one, for each arrangement.
    uint16_t beside[PARTITIONS][ARRANGEMENTS]
    uint16_t crossings[PARTITIONS][CROSSINGS]
    uint8_t do_cross[PARTITIONS][PARTITIONS]
    # crossing_arrangements[across][partition]: a bit for each arrangement that crosses what lies across, in the
    # first box.
    uint64_t crossing_arrangements[PARTITIONS][PARTITIONS]
    # Where a band begins, and where a stack does.
    uint16_t first_rows
    uint16_t first_columns
    bint are_known

cdef Partitions PARTITION
cdef object PARTITIONS_LOCK = object()
cdef int[6][3] ORDERS_OF_THREE = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]


# --- random numbers --------------------------------------------------------------------------------------


cdef void open_stream(
    Stream* stream, uint64_t seed, uint64_t row, uint32_t attempt, uint32_t purpose
) noexcept nogil:
    stream.key[0] = <uint32_t>seed
    stream.key[1] = seed >> 32
    stream.counter[0] = purpose << 24
    stream.counter[1] = attempt
    stream.counter[2] = <uint32_t>row
    stream.counter[3] = row >> 32
    stream.used = 4


cdef inline void next_block(Stream* stream) noexcept nogil:
    cdef uint32_t a = stream.counter[0], b = stream.counter[1], c = stream.counter[2], d = stream.counter[3]
    cdef uint32_t left = stream.key[0], right = stream.key[1]
    cdef uint64_t first, second
    cdef int turn
    for turn in range(10):
        first = <uint64_t>a * 0xD2511F53U
        second = <uint64_t>c * 0xCD9E8D57U
        a = <uint32_t>(second >> 32) ^ b ^ left
        b = <uint32_t>second
        c = <uint32_t>(first >> 32) ^ d ^ right
        d = <uint32_t>first
        left += 0x9E3779B9U
        right += 0xBB67AE85U
    stream.words[0] = a
    stream.words[1] = b
    stream.words[2] = c
    stream.words[3] = d
    stream.counter[0] += 1
    stream.used = 0


cdef inline uint32_t random_word(Stream* stream) noexcept nogil:
    if stream.used == 4:
        next_block(stream)
    stream.used += 1
    return stream.words[stream.used - 1]


cdef inline uint32_t random_below(Stream* stream, uint32_t count) noexcept nogil:
    cdef uint64_t product = <uint64_t>random_word(stream) * count
    cdef uint32_t least
    if <uint32_t>product < count:
        least = (0 - count) % count
        while <uint32_t>product < least:
            product = <uint64_t>random_word(stream) * count
    return product >> 32


# --- partitions ------------------------------------------------------------------------------------------


cdef inline uint16_t digit_of(uint16_t digits, int number) noexcept nogil:
    """Return a digit of a set, as one bit."""
    while number:
        digits &= digits - 1
        number -= 1
    return digits & -digits


cdef void arrange(const uint16_t* sets, int arrangement, uint16_t* first, uint16_t* second) noexcept nogil:
    """Set first and second to the lines of the two boxes beside one with these."""
    cdef int number = arrangement % HALF_ARRANGEMENTS
    cdef int line, following, last
    cdef Sets moved
    cdef uint16_t* swapped = first
    if arrangement >= HALF_ARRANGEMENTS:
        first = second
        second = swapped
    memset(moved, 0, sizeof(moved))
    if number < 27:
        moved[0] = digit_of(sets[0], number // 9)
        moved[1] = digit_of(sets[1], number // 3 % 3)
        moved[2] = digit_of(sets[2], number % 3)
    for line in range(3):
        following = (line + 1) % 3
        last = (line + 2) % 3
        first[line] = sets[following] ^ moved[following] ^ moved[last]
        second[line] = sets[last] ^ moved[last] ^ moved[following]


cdef uint16_t partition_of(const uint16_t* sets) noexcept nogil:
    """Return the number of a partition with its sets in any order."""
    cdef int number, line
    cdef uint16_t first = sets[0]
    for line in range(1, 3):
        if sets[line] & 1:
            first = sets[line]
    number = PARTITION.starts[first]
    while True:
        for line in range(3):
            if PARTITION.sets[number][1] == sets[line]:
                return number
        number += 1


cdef bint do_cross(const uint16_t* sets, const uint16_t* others) noexcept nogil:
    cdef int line, other
    cdef uint16_t shared
    for line in range(3):
        for other in range(3):
            shared = sets[line] & others[other]
            if not shared or shared & (shared - 1):
                return False
    return True


cdef int prepare_partitions() except -1:
    """Fill the tables, if that was not done before: it takes some milliseconds, which importing should not."""
    with cython.critical_section(PARTITIONS_LOCK):
        if not PARTITION.are_known:
            list_partitions()
            prepare_crossings()
            PARTITION.are_known = True
    return 0


cdef void list_partitions() noexcept nogil:
    cdef Sets sets
    cdef int first, second, line, number = 0
    for first in range(1, 512, 2):
        PARTITION.starts[first] = number
        for second in range(2, 512, 2):
            sets[0] = first
            sets[1] = second
            sets[2] = 511 ^ first ^ second
            if (
                count_word(first) == 3
                and count_word(second) == 3
                and not first & second
                and sets[1] & -sets[1] < sets[2] & -sets[2]
            ):
                for line in range(3):
                    PARTITION.sets[number][line] = sets[line]
                number += 1
    sets[0], sets[1], sets[2] = 0b000000111, 0b000111000, 0b111000000
    PARTITION.first_rows = partition_of(sets)
    sets[0], sets[1], sets[2] = 0b001001001, 0b010010010, 0b100100100
    PARTITION.first_columns = partition_of(sets)


cdef void prepare_crossings() noexcept nogil:
    cdef Sets first, second
    cdef int number, across, arrangement, count
    cdef uint16_t first_box
    cdef uint64_t found
    for number in range(PARTITIONS):
        count = 0
        for across in range(PARTITIONS):
            PARTITION.do_cross[number][across] = do_cross(PARTITION.sets[number], PARTITION.sets[across])
            if PARTITION.do_cross[number][across]:
                PARTITION.crossings[number][count] = across
                count += 1
        for arrangement in range(ARRANGEMENTS):
            arrange(PARTITION.sets[number], arrangement, first, second)
            PARTITION.beside[number][arrangement] = partition_of(first)
    for across in range(PARTITIONS):
        for number in range(PARTITIONS):
            found = 0
            for arrangement in range(ARRANGEMENTS):
                first_box = PARTITION.beside[number][arrangement]
                found |= <uint64_t>PARTITION.do_cross[across][first_box] << arrangement
            PARTITION.crossing_arrangements[across][number] = found


# --- grids -----------------------------------------------------------------------------------------------

# What was chosen for a grid: partitions by their numbers, arrangements of rows and of columns.
cdef struct Choice:
    int band
    int stack
    uint16_t columns_2
    uint16_t columns_3
    uint16_t rows_4
    uint16_t rows_7
    int rows_5
    int rows_8
    int columns_5
    int columns_6


cdef inline int exchanged(int arrangement) noexcept nogil:
    """Return the arrangement that puts into the first box what this one puts into the second."""
    return (arrangement + HALF_ARRANGEMENTS) % ARRANGEMENTS


cdef inline uint64_t all_exchanged(uint64_t arrangements) noexcept nogil:
    return arrangements >> HALF_ARRANGEMENTS | (arrangements & 0xFFFFFFF) << HALF_ARRANGEMENTS


cdef inline int set_bit(uint64_t bits, int number) noexcept nogil:
    """Return which bit is the one of this number among those that are set."""
    while number:
        bits &= bits - 1
        number -= 1
    return lowest_lane(bits)


cdef inline uint16_t beside(uint16_t partition, int arrangement) noexcept nogil:
    return PARTITION.beside[partition][arrangement]


cdef inline uint16_t crossing(uint16_t partition, int number) noexcept nogil:
    return PARTITION.crossings[partition][number]


cdef bint choose_boxes(Stream* stream, Choice* choice) noexcept nogil:
    """Choose rows and columns of all boxes; return whether they fit."""
    cdef uint32_t band = random_below(stream, BANDS)
    cdef uint32_t stack = random_below(stream, BANDS)
    cdef int rows_5 = random_below(stream, ARRANGEMENTS)
    cdef uint32_t word = random_word(stream)
    cdef int first = band // (CROSSINGS * CROSSINGS)
    cdef uint16_t columns_2, columns_3, rows_4, rows_7
    cdef uint64_t choices_2, choices_3, choices_7
    columns_2 = crossing(beside(PARTITION.first_rows, first), band // CROSSINGS % CROSSINGS)
    columns_3 = crossing(beside(PARTITION.first_rows, exchanged(first)), band % CROSSINGS)
    choice.band = first
    first = choice.stack = stack // (CROSSINGS * CROSSINGS)
    rows_4 = crossing(beside(PARTITION.first_columns, first), stack // CROSSINGS % CROSSINGS)
    rows_7 = crossing(beside(PARTITION.first_columns, exchanged(first)), stack % CROSSINGS)
    choices_2 = PARTITION.crossing_arrangements[beside(rows_4, rows_5)][columns_2]
    choices_3 = PARTITION.crossing_arrangements[beside(rows_4, exchanged(rows_5))][columns_3]
    if not choices_2 or not choices_3:
        return False
    choice.columns_5 = set_bit(choices_2, word % CHOICES)
    choice.columns_6 = set_bit(choices_3, word // CHOICES % CHOICES)
    choices_7 = PARTITION.crossing_arrangements[beside(columns_2, exchanged(choice.columns_5))][rows_7]
    choices_7 &= all_exchanged(
        PARTITION.crossing_arrangements[beside(columns_3, exchanged(choice.columns_6))][rows_7]
    )
    first = word // (CHOICES * CHOICES) % CHOICES
    if first >= count_word(choices_7):
        return False
    choice.rows_8 = set_bit(choices_7, first)
    choice.columns_2 = columns_2
    choice.columns_3 = columns_3
    choice.rows_4 = rows_4
    choice.rows_5 = rows_5
    choice.rows_7 = rows_7
    return True


cdef void set_boxes(const Choice* choice, Box* boxes) noexcept nogil:
    cdef const uint16_t* rows = PARTITION.sets[PARTITION.first_rows]
    cdef const uint16_t* columns = PARTITION.sets[PARTITION.first_columns]
    memcpy(boxes[0].rows, rows, sizeof(Sets))
    memcpy(boxes[0].columns, columns, sizeof(Sets))
    memcpy(boxes[1].columns, PARTITION.sets[choice.columns_2], sizeof(Sets))
    memcpy(boxes[2].columns, PARTITION.sets[choice.columns_3], sizeof(Sets))
    memcpy(boxes[3].rows, PARTITION.sets[choice.rows_4], sizeof(Sets))
    memcpy(boxes[6].rows, PARTITION.sets[choice.rows_7], sizeof(Sets))
    arrange(rows, choice.band, boxes[1].rows, boxes[2].rows)
    arrange(columns, choice.stack, boxes[3].columns, boxes[6].columns)
    arrange(boxes[3].rows, choice.rows_5, boxes[4].rows, boxes[5].rows)
    arrange(boxes[6].rows, choice.rows_8, boxes[7].rows, boxes[8].rows)
    arrange(boxes[1].columns, choice.columns_5, boxes[4].columns, boxes[7].columns)
    arrange(boxes[2].columns, choice.columns_6, boxes[5].columns, boxes[8].columns)


cdef void write_grid(const Box* boxes, uint32_t number, uint8_t* grid) noexcept nogil:
    """Write a grid with rows, columns and digits in an order of this number."""
    cdef uint8_t[9] digits
    cdef uint8_t[9] left
    cdef int[9] rows
    cdef int[9] columns
    cdef int i, j, row, column, band
    cdef const Box* box
    for i in range(9):
        left[i] = i + 1
    for i in range(9):
        j = number % (9 - i)
        number //= 9 - i
        digits[i] = left[j]
        while j < 8:
            left[j] = left[j + 1]
            j += 1
    for band in range(3):
        i = 0
        if band:
            i = number % 6
            number //= 6
        for j in range(3):
            rows[3 * band + j] = 3 * band + ORDERS_OF_THREE[i][j]
    for band in range(3):
        i = 0
        if band:
            i = number % 6
            number //= 6
        for j in range(3):
            columns[3 * band + j] = 3 * band + ORDERS_OF_THREE[i][j]
    for i in range(9):
        row = rows[i]
        for j in range(9):
            column = columns[j]
            box = &boxes[row // 3 * 3 + column // 3]
            grid[9 * i + j] = digits[lowest_bit(box.rows[row % 3] & box.columns[column % 3])]


cdef void random_grid(Stream* stream, uint8_t* grid) noexcept nogil:
    """Write the next grid of a stream, 81 digits."""
    cdef Choice choice
    cdef Box[9] boxes
    while not choose_boxes(stream, &choice):
        pass
    set_boxes(&choice, boxes)
    write_grid(boxes, random_below(stream, ORDERS), grid)


# --- equivalent forms ------------------------------------------------------------------------------------


cdef void shuffle(Stream* stream, int* items, int count) noexcept nogil:
    cdef int last, other, item
    for last in range(count - 1, 0, -1):
        other = random_below(stream, last + 1)
        item = items[last]
        items[last] = items[other]
        items[other] = item


cdef void shuffle_lines(Stream* stream, int* lines) noexcept nogil:
    """Set lines to the nine rows (or columns) in an order that keeps bands (or stacks) together."""
    cdef int[3] bands
    cdef int band, i
    for band in range(3):
        bands[band] = band
    shuffle(stream, bands, 3)
    for band in range(3):
        for i in range(3):
            lines[3 * band + i] = 3 * bands[band] + i
        shuffle(stream, &lines[3 * band], 3)


cdef void equivalent_form(Stream* stream, const uint8_t* cells, uint8_t* form) noexcept nogil:
    cdef int[9] digits
    cdef int[9] rows
    cdef int[9] columns
    cdef int i, j, digit
    cdef bint is_upright
    for i in range(9):
        digits[i] = i + 1
    shuffle(stream, digits, 9)
    shuffle_lines(stream, rows)
    shuffle_lines(stream, columns)
    is_upright = random_below(stream, 2)
    for i in range(9):
        for j in range(9):
            digit = cells[9 * rows[i] + columns[j] if is_upright else 9 * rows[j] + columns[i]]
            form[9 * i + j] = digits[digit - 1] if 1 <= digit <= 9 else digit
