/* The kernel, written once: each level's file includes it after its vector operations.
 *
 * A *line* is a row or a column, a *triad* a minirow or a minicolumn: the three cells that a line and a box
 * share. Bands are worked on as three lines of nine cells, or of three triads:
 *
 *                     triad 0    triad 1    triad 2
 *     line 0          0  1  2    3  4  5    6  7  8
 *     line 1          9 10 11   12 13 14   15 16 17         each column of triads is a box
 *     line 2         18 19 20   21 22 23   24 25 26
 *
 * and stacks in the same way, with rows and columns exchanged. */

typedef vector page_planes[81][9];

typedef struct {
    vector cell[81];
    vector digit[9];
} choice_planes;

typedef vector digits_planes[81][4];

INLINE vector none(void) { return (vector){0}; }

INLINE vector all(void) { return ~none(); }

INLINE vector from_words(const uint64_t *words) {
    vector v;
    for (int i = 0; i < WORDS; i++)
        v[i] = words[i];
    return v;
}

INLINE void to_words(vector v, uint64_t *words) {
    for (int i = 0; i < WORDS; i++)
        words[i] = v[i];
}

/* --- inference ---------------------------------------------------------------------------------------------- */

/* Counts nine planes lane by lane with full adders: three bits of one weight become one of that weight and one of
 * the double. Returns the count's four binary digits, lowest first. */
INLINE void count_nine(const vector planes[9], vector count[4]) {
    vector ones[3], twos[4];
    for (int i = 0; i < 3; i++) {
        ones[i] = xor3(planes[3 * i], planes[3 * i + 1], planes[3 * i + 2]);
        twos[i] = majority(planes[3 * i], planes[3 * i + 1], planes[3 * i + 2]);
    }
    count[0] = xor3(ones[0], ones[1], ones[2]);
    twos[3] = majority(ones[0], ones[1], ones[2]);
    const vector sum = xor3(twos[0], twos[1], twos[2]);
    const vector fours = majority(twos[0], twos[1], twos[2]);
    count[1] = sum ^ twos[3];
    const vector more_fours = sum & twos[3];
    count[2] = fours ^ more_fours;
    count[3] = fours & more_fours;
}

/* What one pass finds out about lanes. */
typedef struct {
    vector changed;
    vector alive;
    vector unsolved;
    vector clash; /* a cell that took the digit of a hidden single in the pass before has another one too */
} findings;

/* What is known of the three lines of a band, or of a stack. */
typedef struct {
    vector several[3][9]; /* cells with two candidates or more */
    /* By digit: */
    vector triads[9][3][3]; /* triads in which it has a place */
    vector kept[9][3][3];   /* those of them in which it can stay */
    vector naked[9][3][3];  /* those in which it is the only candidate of a cell */
    vector hidden[9][3];    /* boxes in which it has one place */
    /* By triad: */
    vector exact[3][3];    /* it has exactly three digits left */
    vector asserted[3][3]; /* it is the last place in its line, or box, for exactly three digits */
    /* The cells that are the one place of a digit in their box. */
    vector is_hidden[3][9];
} band_facts;

/* The candidates of a cell of a band whose first cell is given. */
INLINE vector *cell_of(vector (*band)[9], int line, int place, int across, int down) {
    return band[line * down + place * across];
}

/* Naked singles: at least two candidates of nine is the majority in one of three groups, or of the groups. */
INLINE void find_cells(vector (*band)[9], int across, int down, band_facts *facts, findings *found) {
#pragma GCC unroll 1
    for (int line = 0; line < 3; line++) {
#pragma GCC unroll 1
        for (int place = 0; place < 9; place++) {
            const vector *x = cell_of(band, line, place, across, down);
            const vector any0 = or3(x[0], x[1], x[2]);
            const vector any1 = or3(x[3], x[4], x[5]);
            const vector any2 = or3(x[6], x[7], x[8]);
            const vector several = or3(majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5]),
                                       majority(x[6], x[7], x[8])) |
                                   majority(any0, any1, any2);
            facts->several[line][place] = several;
            found->unsolved |= several;
            /* A cell without candidates. */
            found->alive &= or3(any0, any1, any2);
        }
    }
}

/* Locked candidates, in both directions: in a band a digit stands in three triads, one in each line and one in
 * each box. It can be in a triad only if the other two lines and boxes can host it, one each, in one of two ways. */
INLINE void find_places(vector (*band)[9], int across, int down, int with_boxes, band_facts *facts,
                        findings *found) {
#pragma GCC unroll 1
    for (int digit = 0; digit < 9; digit++) {
        vector triad[3][3], twice[3][3];
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                const vector x = cell_of(band, line, 3 * box, across, down)[digit];
                const vector y = cell_of(band, line, 3 * box + 1, across, down)[digit];
                const vector z = cell_of(band, line, 3 * box + 2, across, down)[digit];
                const vector *several = &facts->several[line][3 * box];
                triad[line][box] = or3(x, y, z);
                twice[line][box] = majority(x, y, z);
                facts->triads[digit][line][box] = triad[line][box];
                facts->naked[digit][line][box] =
                    or_and_not(or_and_not(x & ~several[0], y, several[1]), z, several[2]);
            }
        }
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                const int l1 = (line + 1) % 3, l2 = (line + 2) % 3, b1 = (box + 1) % 3, b2 = (box + 2) % 3;
                facts->kept[digit][line][box] =
                    and_or(triad[line][box], triad[l1][b1] & triad[l2][b2], triad[l1][b2] & triad[l2][b1]);
            }
        }
        if (!with_boxes)
            continue;
        /* Hidden singles of boxes; those of lines become such by locked candidates. */
#pragma GCC unroll 3
        for (int box = 0; box < 3; box++) {
            const vector once = or3(triad[0][box], triad[1][box], triad[2][box]);
            const vector hidden = once & ~(majority(triad[0][box], triad[1][box], triad[2][box]) |
                                           or3(twice[0][box], twice[1][box], twice[2][box]));
            found->alive &= once;
            facts->hidden[digit][box] = hidden;
#pragma GCC unroll 3
            for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
                for (int place = 3 * box; place < 3 * box + 3; place++)
                    facts->is_hidden[line][place] = or_and(
                        facts->is_hidden[line][place], cell_of(band, line, place, across, down)[digit], hidden);
            }
        }
    }
}

/* Three digits stand in a triad: with fewer left for it, or more that have to be in it, there is no solution. */
INLINE void count_triads(band_facts *facts, findings *found) {
#pragma GCC unroll 1
    for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
        for (int box = 0; box < 3; box++) {
            vector planes[9], count[4];
            for (int digit = 0; digit < 9; digit++)
                planes[digit] = facts->kept[digit][line][box];
            count_nine(planes, count);
            vector four = count[2] | count[3];
            facts->exact[line][box] = count[0] & count[1] & ~four;
            found->alive &= or_and(four, count[0], count[1]);

            /* Asserted: no other place in the line, and so none in the box, as locked candidates are gone. */
            for (int digit = 0; digit < 9; digit++)
                planes[digit] = and_not_or(planes[digit], facts->kept[digit][line][(box + 1) % 3],
                                           facts->kept[digit][line][(box + 2) % 3]);
            count_nine(planes, count);
            four = count[2] | count[3];
            facts->asserted[line][box] = count[0] & count[1] & ~four;
            found->alive &= ~four;
        }
    }
}

/* Takes candidates away. What is certain for a triad is impossible in the other triads of its line and its box:
 * the digits of naked singles, and those of a triad with exactly three. Together, rows and columns remove a naked
 * single from all its peers, as a peer in the same minirow is in another minicolumn. */
INLINE void remove_candidates(vector (*band)[9], int across, int down, int with_boxes,
                              const band_facts *facts, findings *found) {
#pragma GCC unroll 1
    for (int digit = 0; digit < 9; digit++) {
        const vector(*kept)[3] = facts->kept[digit];
        vector certain[3][3];
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++)
                certain[line][box] = or_and(facts->naked[digit][line][box], kept[line][box], facts->exact[line][box]);
        }
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                const int l1 = (line + 1) % 3, l2 = (line + 2) % 3, b1 = (box + 1) % 3, b2 = (box + 2) % 3;
                vector keep = and_not_or(kept[line][box], or3(certain[l1][box], certain[l2][box], certain[line][b1]),
                                         certain[line][b2]);
                /* Three asserted digits leave no room for others. */
                keep = and_not_and(keep, facts->asserted[line][box], kept[line][b1] | kept[line][b2]);
                found->changed = or_xor(found->changed, keep, facts->triads[digit][line][box]);
#pragma GCC unroll 3
                for (int place = 3 * box; place < 3 * box + 3; place++) {
                    vector *x = &cell_of(band, line, place, across, down)[digit];
                    if (with_boxes)
                        *x = and_or_not(*x & keep, facts->hidden[digit][box], facts->is_hidden[line][place]);
                    else
                        *x &= keep;
                }
            }
        }
    }
}

INLINE void infer_bands(page_planes page, int across, int down, vector *hidden_before, findings *found) {
    const int with_boxes = hidden_before != NULL;
    band_facts facts;
    findings here = {none(), all(), none(), none()}; /* of its own, so that it can be in registers */
#pragma GCC unroll 1
    for (int band = 0; band < 3; band++) {
        find_cells(page + 3 * band * down, across, down, &facts, &here);
        if (with_boxes) {
#pragma GCC unroll 1
            for (int i = 0; i < 27; i++)
                facts.is_hidden[i / 9][i % 9] = none();
        }
        find_places(page + 3 * band * down, across, down, with_boxes, &facts, &here);
        count_triads(&facts, &here);
#pragma GCC unroll 1
        for (int cell = 0; with_boxes && cell < 27; cell++) {
            vector *before = &hidden_before[27 * band + cell];
            const vector several = facts.several[cell / 9][cell % 9];
            const vector is_hidden = facts.is_hidden[cell / 9][cell % 9];
            here.clash = or_and(here.clash, *before, several);
            here.changed = or_and(here.changed, is_hidden, several);
            *before = is_hidden;
        }
        remove_candidates(page + 3 * band * down, across, down, with_boxes, &facts, &here);
    }
    *found = here;
}

static void infer(void *page, void *hidden, const uint64_t *fresh, uint64_t *changed, uint64_t *dead,
                  uint64_t *unsolved) {
    findings rows, columns;
    infer_bands(page, 1, 9, NULL, &rows);
    infer_bands(page, 9, 1, hidden, &columns);
    to_words(rows.changed | columns.changed, changed);
    to_words(~(rows.alive & columns.alive) | (columns.clash & ~from_words(fresh)), dead);
    to_words(columns.unsolved, unsolved);
}

/* --- moving lanes ------------------------------------------------------------------------------------------- */

typedef struct {
    vector arrivals;
    vector places;
    word_indices from;
} travel;

INLINE travel prepare(const fastsudoku_route *route) {
    return (travel){from_words(route->arrivals), from_words(route->places), prepare_indices(route->from)};
}

/* Returns a plane of another page, after the lanes of this plane have come to it. */
INLINE vector arrive(vector other, vector plane, travel way) {
    return blend(other, rotate(exchange(plane, way.from), way.places), way.arrivals);
}

/* --- branching ---------------------------------------------------------------------------------------------- */

/* Numbers of a few binary digits, one in each lane, lowest digit first. Returns the carry. */
INLINE vector add(vector *sum, const vector *a, const vector *b, int digits) {
    vector carry = none();
    for (int i = 0; i < digits; i++) {
        const vector a_i = a[i], b_i = b[i];
        sum[i] = xor3(a_i, b_i, carry);
        carry = majority(a_i, b_i, carry);
    }
    return carry;
}

/* How many peers of each cell are unsolved, plus one for the cell: from 1 to 21, in five binary digits. */
INLINE void count_unsolved(const vector unsolved[81], vector peers[81][5]) {
    vector minirows[9][3][2], minicolumns[9][3][2]; /* of each row, and of each column */
    vector boxes[9][4], above_and_below[9][3][5]; /* of each column, by band */
    for (int line = 0; line < 9; line++) {
        for (int triad = 0; triad < 3; triad++) {
            const vector *row = &unsolved[9 * line + 3 * triad];
            minirows[line][triad][0] = xor3(row[0], row[1], row[2]);
            minirows[line][triad][1] = majority(row[0], row[1], row[2]);
            const vector *column = &unsolved[27 * triad + line];
            minicolumns[line][triad][0] = xor3(column[0], column[9], column[18]);
            minicolumns[line][triad][1] = majority(column[0], column[9], column[18]);
        }
    }
    for (int box = 0; box < 9; box++) {
        const int row = box / 3 * 3, stack = box % 3;
        boxes[box][2] = add(boxes[box], minirows[row][stack], minirows[row + 1][stack], 2);
        const vector last[3] = {minirows[row + 2][stack][0], minirows[row + 2][stack][1], none()};
        boxes[box][3] = add(boxes[box], boxes[box], last, 3);
    }
    for (int column = 0; column < 9; column++) {
        for (int band = 0; band < 3; band++) {
            vector(*triads)[2] = minicolumns[column];
            vector *sum = above_and_below[column][band];
            sum[2] = add(sum, triads[(band + 1) % 3], triads[(band + 2) % 3], 2);
            sum[3] = sum[4] = none();
        }
    }
    for (int row = 0; row < 9; row++) {
        for (int stack = 0; stack < 3; stack++) {
            /* The box and the other two minirows of the row are the same for three cells. */
            vector box_and_row[5], others[4];
            others[2] = add(others, minirows[row][(stack + 1) % 3], minirows[row][(stack + 2) % 3], 2);
            others[3] = none();
            box_and_row[4] = add(box_and_row, boxes[row / 3 * 3 + stack], others, 4);
            for (int column = 3 * stack; column < 3 * stack + 3; column++)
                add(peers[9 * row + column], box_and_row, above_and_below[column][row / 3], 5);
        }
    }
}

/* Of the cells that may be chosen, leaves those with the greatest number, given in binary digits. */
INLINE void leave_greatest(vector may[81], const vector *numbers, int digits) {
    vector found = none();
    for (int cell = 0; cell < 81; cell++)
        found = or_and(found, may[cell], numbers[cell * digits + digits - 1]);
    for (int i = digits - 1; i >= 0; i--) {
        const vector here = found;
        found = none();
        for (int cell = 0; cell < 81; cell++) {
            const vector *number = &numbers[cell * digits];
            may[cell] = and_or_not(may[cell], number[i], here);
            if (i > 0)
                found = or_and(found, may[cell], number[i - 1]);
        }
    }
}

/* Leaves those of the unsolved cells with the fewest candidates. */
INLINE void leave_fewest(const page_planes page, vector may[81]) {
    vector numbers[81][4];
    for (int cell = 0; cell < 81; cell++) {
        count_nine(page[cell], numbers[cell]);
        for (int i = 0; i < 4; i++)
            numbers[cell][i] = ~numbers[cell][i];
    }
    leave_greatest(may, (const vector *)numbers, 4);
}

INLINE int is_subset(vector a, vector b) {
    uint64_t words[WORDS], rest = 0;
    to_words(a & ~b, words);
    for (int i = 0; i < WORDS; i++)
        rest |= words[i];
    return rest == 0;
}

static void choose(const void *page, const uint64_t *lanes, void *choice, int lowest_cell) {
    const vector(*x)[9] = page;
    choice_planes *chosen = choice;
    vector *may = chosen->cell;
    vector unsolved[81];
    vector with_two = none();
    for (int cell = 0; cell < 81; cell++) {
        vector count[4];
        count_nine(x[cell], count);
        const vector more = count[2] | count[3];
        unsolved[cell] = more | count[1];
        may[cell] = count[1] & ~(count[0] | more);
        with_two |= may[cell];
    }
    /* Two candidates are the fewest, nearly always. */
    const int two_are_fewest = is_subset(from_words(lanes), with_two);
    if (lowest_cell || !two_are_fewest)
        memcpy(may, unsolved, sizeof unsolved);
    if (!lowest_cell) {
        vector peers[81][5];
        if (!two_are_fewest)
            leave_fewest(x, may);
        count_unsolved(unsolved, peers);
        leave_greatest(may, (const vector *)peers, 5);
    }
    vector seen = none();
    for (int digit = 0; digit < 9; digit++)
        chosen->digit[digit] = none();
    for (int cell = 0; cell < 81; cell++) {
        const vector here = may[cell];
        may[cell] = here & ~seen;
        seen |= here;
        for (int digit = 0; digit < 9; digit++)
            chosen->digit[digit] = or_and(chosen->digit[digit], may[cell], x[cell][digit]);
    }
    seen = none();
    for (int digit = 0; digit < 9; digit++) {
        const vector here = chosen->digit[digit];
        chosen->digit[digit] = here & ~seen;
        seen |= here;
    }
}

static void branch(void *to, void *page, const void *choice, const fastsudoku_route *route,
                   const uint64_t *parents) {
    vector(*x)[9] = page;
    vector(*y)[9] = to;
    const choice_planes *chosen = choice;
    const travel way = prepare(route);
    const vector branched = from_words(parents);
    for (int cell = 0; cell < 81; cell++) {
        const vector here = chosen->cell[cell] & branched;
        for (int digit = 0; digit < 9; digit++) {
            const vector before = x[cell][digit];
            const vector smallest = chosen->digit[digit];
            x[cell][digit] = before & ~(here & ~smallest);
            const vector rest = and_not_and(before, here, smallest);
            y[cell][digit] = arrive(y[cell][digit], rest, way);
        }
    }
}

/* --- lanes to and from other pages ------------------------------------------------------------------------- */

static void move(void *to, const void *page, const fastsudoku_route *route) {
    const vector(*x)[9] = page;
    vector(*y)[9] = to;
    const travel way = prepare(route);
    for (int cell = 0; cell < 81; cell++) {
        for (int digit = 0; digit < 9; digit++)
            y[cell][digit] = arrive(y[cell][digit], x[cell][digit], way);
    }
}

INLINE uint64_t rotate_word(uint64_t word, int places) { return word << (places & 63) | word >> (-places & 63); }

/* Sorts the indices of words, those with most lanes first. */
INLINE void sort_words(const int counts[WORDS], int order[WORDS]) {
    for (int i = 0; i < WORDS; i++) {
        int at = i;
        for (; at > 0 && counts[order[at - 1]] < counts[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static int match(const uint64_t *lanes, const uint64_t *vacant, fastsudoku_route *route) {
    int wanted[WORDS], open[WORDS], from[WORDS], to[WORDS];
    for (int i = 0; i < WORDS; i++) {
        wanted[i] = count_bits(lanes[i]);
        open[i] = count_bits(vacant[i]);
    }
    sort_words(wanted, from);
    sort_words(open, to);
    int total = 0;
    for (int i = 0; i < WORDS; i++) {
        const uint64_t source = lanes[from[i]], target = vacant[to[i]];
        const int most = wanted[from[i]] < open[to[i]] ? wanted[from[i]] : open[to[i]];
        int best = -1;
        route->from[to[i]] = from[i];
        /* Half of the rotations, in no order, are as good as all; nearly all lanes are as good as all of them. */
        for (int tries = 0; tries < 64 && best < most - most / 8 && !(tries >= 32 && best > 0); tries++) {
            const int by = tries * 11 % 64;
            const int count = count_bits(rotate_word(source, by) & target);
            if (count > best) {
                best = count;
                route->places[to[i]] = by;
            }
        }
        route->arrivals[to[i]] = rotate_word(source, route->places[to[i]]) & target;
        total += best;
    }
    return total;
}

/* Transposes a matrix of 64 times 64 bits in each word: bit j of row i goes to bit i of row j. Blocks of 32 bits
 * are exchanged, then blocks of 16 in each of these, and so on. (H. S. Warren, Hacker's Delight, section 7-3.) */
INLINE void transpose(vector rows[64]) {
    vector low = all() >> 32;
#pragma GCC unroll 1
    for (int size = 32; size; size >>= 1, low ^= low << size) {
#pragma GCC unroll 1
        for (int i = 0; i < 64; i = (i + size + 1) & ~size) {
            const vector exchanged = (rows[i] >> size ^ rows[i + size]) & low;
            rows[i + size] ^= exchanged;
            rows[i] ^= exchanged << size;
        }
    }
}

/* Boards in binary: cell 16 * i + j has bits 4 * j to 4 * j + 3 of word i. The words of 64 lanes are a matrix
 * whose columns are planes. */
enum { BOARD_WORDS = 6 };

typedef union {
    vector planes[BOARD_WORDS][64];
    uint64_t boards[BOARD_WORDS][64][WORDS]; /* of lane i, in [i % 64][i / 64] */
} binary_boards;

/* Nibbles are packed and spread eight at a time. */
INLINE uint64_t pack(const uint8_t *cells) {
    uint64_t word;
    memcpy(&word, cells, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    word = (word | word >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    word = (word | word >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (word | word >> 16) & UINT64_C(0x00000000FFFFFFFF);
}

INLINE void spread(uint64_t word, uint8_t *cells) {
    word &= UINT64_C(0x00000000FFFFFFFF);
    word = (word | word << 16) & UINT64_C(0x0000FFFF0000FFFF);
    word = (word | word << 8) & UINT64_C(0x00FF00FF00FF00FF);
    word = (word | word << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(cells, &word, 8);
}

static void load(void *page, const uint64_t *lanes, const uint8_t *cells, const uint32_t *rows) {
    vector(*x)[9] = page;
    binary_boards binary;
    memset(&binary, 0, sizeof binary);
    for (int i = 0; i < WORDS; i++) {
        for (uint64_t rest = lanes[i]; rest; rest &= rest - 1) {
            const int lane = __builtin_ctzll(rest);
            const uint8_t *board = cells + (size_t)81 * rows[64 * i + lane];
            for (int j = 0; j < 5; j++)
                binary.boards[j][lane][i] = pack(board + 16 * j) | pack(board + 16 * j + 8) << 32;
            binary.boards[5][lane][i] = board[80];
        }
    }
    for (int i = 0; i < BOARD_WORDS; i++)
        transpose(binary.planes[i]);
    const vector where = from_words(lanes);
    for (int cell = 0; cell < 81; cell++) {
        const vector *value = &binary.planes[cell / 16][cell % 16 * 4];
        /* The value's lower two binary digits, and the upper two. */
        const vector lower[4] = {~(value[0] | value[1]), value[0] & ~value[1], value[1] & ~value[0],
                                 value[0] & value[1]};
        const vector upper[3] = {~(value[2] | value[3]), value[2] & ~value[3], value[3] & ~value[2]};
        const vector blank = lower[0] & upper[0];
        for (int digit = 1; digit <= 9; digit++) {
            vector *candidate = &x[cell][digit - 1];
            *candidate = blend(*candidate, or_and(blank, lower[digit % 4], upper[digit / 4]), where);
        }
    }
}

static void collect(void *digits, const void *page, const fastsudoku_route *route) {
    const vector(*x)[9] = page;
    vector(*y)[4] = digits;
    const travel way = prepare(route);
    for (int cell = 0; cell < 81; cell++) {
        const vector one = x[cell][0], two = x[cell][1], three = x[cell][2], four = x[cell][3], five = x[cell][4];
        const vector six = x[cell][5], seven = x[cell][6], eight = x[cell][7], nine = x[cell][8];
        const vector three_or_seven = three | seven;
        const vector value[4] = {
            or3(one, five, nine) | three_or_seven,
            or3(two, six, three_or_seven),
            or3(four, five, six) | seven,
            eight | nine,
        };
        for (int i = 0; i < 4; i++)
            y[cell][i] = arrive(y[cell][i], value[i], way);
    }
}

static void unload(const void *digits, const uint64_t *lanes, uint8_t *solutions, const uint32_t *rows) {
    binary_boards binary;
    memset(binary.planes[5], 0, sizeof binary.planes[5]);
    memcpy(&binary, digits, sizeof(digits_planes));
    for (int i = 0; i < BOARD_WORDS; i++)
        transpose(binary.planes[i]);
    for (int i = 0; i < WORDS; i++) {
        for (uint64_t rest = lanes[i]; rest; rest &= rest - 1) {
            const int lane = __builtin_ctzll(rest);
            uint8_t *solution = solutions + (size_t)81 * rows[64 * i + lane];
            for (int j = 0; j < 5; j++) {
                spread(binary.boards[j][lane][i], solution + 16 * j);
                spread(binary.boards[j][lane][i] >> 32, solution + 16 * j + 8);
            }
            solution[80] = (uint8_t)binary.boards[5][lane][i];
        }
    }
}

#define LANES(name) {name, WORDS, infer, choose, branch, move, match, load, collect, unload}
