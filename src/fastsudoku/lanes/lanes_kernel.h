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
    /* For work, as it would be much for a thread's stack: */
    vector unsolved[81];
    vector numbers[81 * 5];
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

/* Tells, lane by lane, which of nine planes' numbers are exactly three, and which are more: full adders again, of
 * which only what these questions need is left. */
INLINE void count_three(const vector planes[9], vector *exactly, vector *more) {
    vector ones[3], twos[3];
    for (int i = 0; i < 3; i++) {
        ones[i] = xor3(planes[3 * i], planes[3 * i + 1], planes[3 * i + 2]);
        twos[i] = carry(planes[3 * i], planes[3 * i + 1], planes[3 * i + 2]);
    }
    const vector odd = xor3(ones[0], ones[1], ones[2]);
    const vector last_two = carry(ones[0], ones[1], ones[2]);
    const vector odd_twos = xor3(twos[0], twos[1], twos[2]);
    const vector fours = carry(twos[0], twos[1], twos[2]);
    *more = or_and(fours, odd_twos, last_two);
    *exactly = odd & xor_and_not(odd_twos, last_two, fours);
}

/* What one pass finds out about lanes. */
typedef struct {
    vector changed;
    vector alive;
    vector unsolved;
    vector clash; /* a cell that took the digit of a hidden single in the pass before has another one too */
} findings;

/* What is known of the three lines of a band, or of a stack. It is small, so that it stays in the nearest cache
 * together with the band. */
typedef struct {
    /* By triad, then by digit: */
    vector kept[3][3][9];  /* the triads in which it can stay */
    vector naked[3][3][9]; /* those in which it is the only candidate of a cell */
    /* By triad: */
    vector exact[3][3];    /* it has exactly three digits left */
    vector asserted[3][3]; /* it is the last place in its line, or box, for exactly three digits */
    /* Hidden singles: the boxes in which a digit has one place, and the cells that are such a place. */
    vector hidden[3][9];
    vector is_hidden[3][9];
} band_facts;

/* The candidates of a cell of a band whose first cell is given. */
INLINE vector *cell_of(vector (*band)[9], int line, int place, int across, int down) {
    return band[line * down + place * across];
}

/* Locked candidates, in both directions: in a band a digit stands in three triads, one in each line and one in
 * each box. That is a permutation of three, and there are six. It can be in a triad only if it can be in all of
 * one of the two permutations that the triad belongs to. */
INLINE void find_places(vector (*band)[9], int across, int down, int with_boxes, band_facts *facts,
                        findings *found) {
#pragma GCC unroll 1
    for (int digit = 0; digit < 9; digit++) {
        vector triad[3][3], twice[3][3], even[3], odd[3];
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                const vector x = cell_of(band, line, 3 * box, across, down)[digit];
                const vector y = cell_of(band, line, 3 * box + 1, across, down)[digit];
                const vector z = cell_of(band, line, 3 * box + 2, across, down)[digit];
                triad[line][box] = or3(x, y, z);
                twice[line][box] = majority(x, y, z);
            }
        }
#pragma GCC unroll 3
        for (int i = 0; i < 3; i++) {
            even[i] = and3(triad[0][i], triad[1][(i + 1) % 3], triad[2][(i + 2) % 3]);
            odd[i] = and3(triad[0][i], triad[1][(i + 2) % 3], triad[2][(i + 1) % 3]);
        }
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                const vector kept = even[(box - line + 3) % 3] | odd[(box + line) % 3];
                facts->kept[line][box][digit] = kept;
                found->changed = or_xor(found->changed, kept, triad[line][box]);
            }
        }
        if (!with_boxes)
            continue;
        found->alive &= or3(even[0], even[1], even[2]) | or3(odd[0], odd[1], odd[2]);
        /* Hidden singles of boxes; those of lines become such by locked candidates. */
#pragma GCC unroll 3
        for (int box = 0; box < 3; box++) {
            const vector once = or3(triad[0][box], triad[1][box], triad[2][box]);
            const vector more = or3(twice[0][box], twice[1][box], twice[2][box]);
            facts->hidden[box][digit] =
                and_not_or(once, more, majority(triad[0][box], triad[1][box], triad[2][box]));
        }
    }
}

/* Singles. At least two candidates of nine is the majority in one of three groups, or of the groups. */
INLINE void find_singles(vector (*band)[9], int across, int down, vector *hidden_before, band_facts *facts,
                         findings *found) {
#pragma GCC unroll 1
    for (int line = 0; line < 3; line++) {
#pragma GCC unroll 1
        for (int box = 0; box < 3; box++) {
            vector naked[9];
#pragma GCC unroll 3
            for (int place = 0; place < 3; place++) {
                const vector *x = cell_of(band, line, 3 * box + place, across, down);
                const vector any0 = or3(x[0], x[1], x[2]);
                const vector any1 = or3(x[3], x[4], x[5]);
                const vector any2 = or3(x[6], x[7], x[8]);
                const vector several = or3(majority(x[0], x[1], x[2]), majority(x[3], x[4], x[5]),
                                           majority(x[6], x[7], x[8])) |
                                       majority(any0, any1, any2);
#pragma GCC unroll 9
                for (int digit = 0; digit < 9; digit++)
                    naked[digit] = place ? or_and_not(naked[digit], x[digit], several) : x[digit] & ~several;
                if (!hidden_before)
                    continue;
                found->unsolved |= several;
                /* A cell without candidates. */
                found->alive &= or3(any0, any1, any2);
                const vector *hidden = facts->hidden[box];
                vector is_hidden = x[0] & hidden[0];
#pragma GCC unroll 9
                for (int digit = 1; digit < 9; digit++)
                    is_hidden = or_and(is_hidden, x[digit], hidden[digit]);
                const int cell = 3 * box + place;
                vector *before = &hidden_before[9 * line + cell];
                found->clash = or_and(found->clash, *before, several);
                found->changed = or_and(found->changed, is_hidden, several);
                *before = facts->is_hidden[line][cell] = is_hidden;
            }
#pragma GCC unroll 9
            for (int digit = 0; digit < 9; digit++)
                facts->naked[line][box][digit] = naked[digit];
        }
    }
}

/* Three digits stand in a triad: with fewer left for it, or more that have to be in it, there is no solution. */
INLINE void count_triads(band_facts *facts, findings *found) {
#pragma GCC unroll 1
    for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
        for (int box = 0; box < 3; box++) {
            const vector *kept = facts->kept[line][box];
            vector last_places[9], more;
            count_three(kept, &facts->exact[line][box], &more);
            found->alive = and_or(found->alive, facts->exact[line][box], more);

            /* Asserted: no other place in the line, and so none in the box, as locked candidates are gone. */
            for (int digit = 0; digit < 9; digit++)
                last_places[digit] = and_not_or(kept[digit], facts->kept[line][(box + 1) % 3][digit],
                                                facts->kept[line][(box + 2) % 3][digit]);
            count_three(last_places, &facts->asserted[line][box], &more);
            found->alive &= ~more;
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
        vector kept[3][3], certain[3][3];
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                kept[line][box] = facts->kept[line][box][digit];
                certain[line][box] = or_and(facts->naked[line][box][digit], kept[line][box], facts->exact[line][box]);
            }
        }
#pragma GCC unroll 3
        for (int line = 0; line < 3; line++) {
#pragma GCC unroll 3
            for (int box = 0; box < 3; box++) {
                const int l1 = (line + 1) % 3, l2 = (line + 2) % 3, b1 = (box + 1) % 3, b2 = (box + 2) % 3;
                vector keep = and_not_or(kept[line][box], or3(certain[l1][box], certain[l2][box], certain[line][b1]),
                                         certain[line][b2]);
                /* Three asserted digits leave no room for others. */
                keep = and_not_and(keep, kept[line][b1] | kept[line][b2], facts->asserted[line][box]);
                found->changed = or_xor(found->changed, keep, kept[line][box]);
#pragma GCC unroll 3
                for (int place = 3 * box; place < 3 * box + 3; place++) {
                    vector *x = &cell_of(band, line, place, across, down)[digit];
                    if (with_boxes)
                        *x = and_or_not(*x & keep, facts->hidden[box][digit], facts->is_hidden[line][place]);
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
    for (int i = 0; i < 3; i++) {
        vector(*band)[9] = page + 3 * i * down;
        find_places(band, across, down, with_boxes, &facts, &here);
        find_singles(band, across, down, with_boxes ? hidden_before + 27 * i : NULL, &facts, &here);
        count_triads(&facts, &here);
        remove_candidates(band, across, down, with_boxes, &facts, &here);
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

INLINE void prepare(const fastsudoku_route *route, travel ways[FASTSUDOKU_MOST_LEGS]) {
    for (int i = 0; i < route->legs; i++) {
        const fastsudoku_leg *leg = &route->leg[i];
        ways[i] = (travel){from_words(leg->arrivals), from_words(leg->places), prepare_indices(leg->from)};
    }
}

/* Returns a plane of another page, after the lanes of this plane have come to it. */
INLINE vector arrive(vector other, vector plane, const travel *ways, int legs) {
#pragma GCC unroll 3
    for (int i = 0; i < legs; i++)
        other = blend(other, rotate(exchange(plane, ways[i].from), ways[i].places), ways[i].arrivals);
    return other;
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
INLINE void count_unsolved(const vector unsolved[81], vector peers[81 * 5]) {
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
                add(&peers[5 * (9 * row + column)], box_and_row, above_and_below[column][row / 3], 5);
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
INLINE void leave_fewest(const page_planes page, vector may[81], vector numbers[81 * 4]) {
    for (int cell = 0; cell < 81; cell++) {
        count_nine(page[cell], &numbers[4 * cell]);
        for (int i = 0; i < 4; i++)
            numbers[4 * cell + i] = ~numbers[4 * cell + i];
    }
    leave_greatest(may, numbers, 4);
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
    vector *may = chosen->cell, *unsolved = chosen->unsolved, *numbers = chosen->numbers;
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
        memcpy(may, unsolved, sizeof chosen->unsolved);
    if (!lowest_cell) {
        if (!two_are_fewest)
            leave_fewest(x, may, numbers);
        count_unsolved(unsolved, numbers);
        leave_greatest(may, numbers, 5);
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

static void branch(void *second, void *first, const void *choice, const uint64_t *parents) {
    vector(*x)[9] = first;
    vector(*y)[9] = second;
    const choice_planes *chosen = choice;
    const vector branched = from_words(parents);
    for (int cell = 0; cell < 81; cell++) {
        const vector here = chosen->cell[cell] & branched;
        for (int digit = 0; digit < 9; digit++) {
            const vector before = x[cell][digit];
            const vector smallest = chosen->digit[digit];
            y[cell][digit] = and_not_and(before, here, smallest);
            x[cell][digit] = before & ~(here & ~smallest);
        }
    }
}

/* --- lanes to and from other pages ------------------------------------------------------------------------- */

INLINE void move_by(vector (*to)[9], const vector (*page)[9], const travel *ways, int legs) {
    for (int cell = 0; cell < 81; cell++) {
        for (int digit = 0; digit < 9; digit++)
            to[cell][digit] = arrive(to[cell][digit], page[cell][digit], ways, legs);
    }
}

static void move(void *to, const void *page, const fastsudoku_route *route) {
    travel ways[FASTSUDOKU_MOST_LEGS];
    prepare(route, ways);
    if (route->legs == 1)
        move_by(to, page, ways, 1);
    else if (route->legs == 2)
        move_by(to, page, ways, 2);
    else
        move_by(to, page, ways, 3);
}

INLINE uint64_t rotate_word(uint64_t word, int places) { return word << (places & 63) | word >> (-places & 63); }

/* Sorts the indices of words, those with most lanes first, by exchanging neighbours: a branch that depended on the
 * numbers would cost more than all of it. */
INLINE void sort_words(const uint64_t words[WORDS], int order[WORDS]) {
    int keys[WORDS];
#pragma GCC unroll 8
    for (int i = 0; i < WORDS; i++)
        keys[i] = count_bits(words[i]) * WORDS + i;
#pragma GCC unroll 8
    for (int round = 0; round < WORDS; round++) {
#pragma GCC unroll 8
        for (int i = round % 2; i + 1 < WORDS; i += 2) {
            const int a = keys[i], b = keys[i + 1];
            keys[i] = a > b ? a : b;
            keys[i + 1] = a > b ? b : a;
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < WORDS; i++)
        order[i] = keys[i] % WORDS;
}

INLINE int lowest_bit(uint64_t word) { return word ? __builtin_ctzll(word) : 0; }

enum { TRIES = 16, LEG_PAYS = 8 };

/* Finds the rotation by which most lanes of a word arrive at vacant ones; returns how many.
 *
 * The first try brings the lowest lane to the lowest vacant one, so that one arrives at least. A quarter of the
 * rotations, in no order, are nearly as good as all. The best is the greatest number made of how many lanes arrive
 * and of the try: a branch that depended on them would cost more than all tries. */
INLINE int best_rotation(uint64_t lanes, uint64_t vacant, uint64_t *places) {
    const int start = lowest_bit(vacant) - lowest_bit(lanes);
    uint64_t rotated = rotate_word(lanes, start);
    unsigned best[4] = {0};
#pragma GCC unroll 8
    for (unsigned tries = 0; tries < TRIES; tries++) {
        const unsigned arrivals = count_bits(rotated & vacant) * TRIES + tries;
        best[tries % 4] = arrivals > best[tries % 4] ? arrivals : best[tries % 4];
        rotated = rotate_word(rotated, 11);
    }
    best[0] = best[0] > best[1] ? best[0] : best[1];
    best[2] = best[2] > best[3] ? best[2] : best[3];
    best[0] = best[0] > best[2] ? best[0] : best[2];
    *places = (start + (int)(best[0] % TRIES) * 11) & 63;
    return best[0] / TRIES;
}

/* Takes the lanes that travel off the sets. */
INLINE int match_words(uint64_t *lanes, uint64_t *vacant, fastsudoku_leg *leg) {
    int from[WORDS], to[WORDS], total = 0;
    sort_words(lanes, from);
    sort_words(vacant, to);
    for (int i = 0; i < WORDS; i++) {
        const int source = from[i], target = to[i];
        uint64_t places;
        total += best_rotation(lanes[source], vacant[target], &places);
        leg->from[target] = source;
        leg->places[target] = places;
        leg->arrivals[target] = rotate_word(lanes[source], places) & vacant[target];
        vacant[target] ^= leg->arrivals[target];
        lanes[source] ^= rotate_word(leg->arrivals[target], -places);
    }
    return total;
}

static int match(const uint64_t *lanes, const uint64_t *vacant, fastsudoku_route *route) {
    uint64_t left[WORDS], open[WORDS];
    memcpy(left, lanes, sizeof left);
    memcpy(open, vacant, sizeof open);
    int total = 0, arrived;
    route->legs = 0;
    do {
        arrived = match_words(left, open, &route->leg[route->legs]);
        total += arrived;
        route->legs += arrived > 0;
    } while (arrived > LEG_PAYS && route->legs < FASTSUDOKU_MOST_LEGS);
    return total;
}

/* Exchanges the high half of each 2 * size bits of `a` with the low half of those of `b`. */
INLINE void exchange_halves(vector *a, vector *b, int size, uint64_t low_halves) {
    const vector exchanged = (*a >> size ^ *b) & (none() + low_halves);
    *b ^= exchanged;
    *a ^= exchanged << size;
}

/* Exchanges blocks of 2 * size bits of a matrix, and in each of these blocks of half the size. */
INLINE void exchange_blocks(vector rows[64], int size, uint64_t low_halves, uint64_t low_quarters) {
#pragma GCC unroll 1
    for (int block = 0; block < 64; block += 4 * size) {
#pragma GCC unroll 1
        for (int i = block; i < block + size; i++) {
            vector a = rows[i], b = rows[i + size], c = rows[i + 2 * size], d = rows[i + 3 * size];
            exchange_halves(&a, &c, 2 * size, low_halves);
            exchange_halves(&b, &d, 2 * size, low_halves);
            exchange_halves(&a, &b, size, low_quarters);
            exchange_halves(&c, &d, size, low_quarters);
            rows[i] = a, rows[i + size] = b, rows[i + 2 * size] = c, rows[i + 3 * size] = d;
        }
    }
}

/* Transposes a matrix of 64 times 64 bits in each word: bit j of row i goes to bit i of row j. (H. S. Warren,
 * Hacker's Delight, section 7-3.) */
INLINE void transpose(vector rows[64]) {
    exchange_blocks(rows, 16, UINT64_C(0x00000000FFFFFFFF), UINT64_C(0x0000FFFF0000FFFF));
    exchange_blocks(rows, 4, UINT64_C(0x00FF00FF00FF00FF), UINT64_C(0x0F0F0F0F0F0F0F0F));
    exchange_blocks(rows, 1, UINT64_C(0x3333333333333333), UINT64_C(0x5555555555555555));
}

/* Boards in binary: word i has cells 16 * i to 16 * i + 15, four bits for each, first and ninth, second and tenth and
 * so on side by side. The words of 64 lanes are a matrix whose columns are planes. */
enum { BOARD_WORDS = 6 };

typedef union {
    vector planes[BOARD_WORDS][64];
    uint64_t boards[BOARD_WORDS][64][WORDS]; /* of lane i, in [i % 64][i / 64] */
} binary_boards;

/* The four planes of a cell. */
INLINE vector *binary_cell(binary_boards *binary, int cell) {
    const int place = cell % 16;
    return &binary->planes[cell / 16][4 * (place % 8 * 2 + place / 8)];
}

/* Words of eight values, the first in the lowest bits. */
INLINE uint64_t get_eight(const uint8_t *cells) {
    uint64_t word;
    memcpy(&word, cells, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

INLINE void set_eight(uint8_t *cells, uint64_t word) {
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
                binary.boards[j][lane][i] = get_eight(board + 16 * j) | get_eight(board + 16 * j + 8) << 4;
            binary.boards[5][lane][i] = board[80];
        }
    }
    for (int i = 0; i < BOARD_WORDS; i++)
        transpose(binary.planes[i]);
    const vector where = from_words(lanes);
    for (int cell = 0; cell < 81; cell++) {
        const vector *value = binary_cell(&binary, cell);
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

INLINE void collect_by(vector (*to)[4], const vector (*x)[9], const travel *ways, int legs) {
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
            to[cell][i] = arrive(to[cell][i], value[i], ways, legs);
    }
}

static void collect(void *digits, const void *page, const fastsudoku_route *route) {
    travel ways[FASTSUDOKU_MOST_LEGS];
    prepare(route, ways);
    if (route->legs == 1)
        collect_by(digits, page, ways, 1);
    else if (route->legs == 2)
        collect_by(digits, page, ways, 2);
    else
        collect_by(digits, page, ways, 3);
}

static void unload(const void *digits, const uint64_t *lanes, uint8_t *solutions, const uint32_t *rows) {
    const uint64_t low = UINT64_C(0x0F0F0F0F0F0F0F0F);
    const vector(*x)[4] = digits;
    binary_boards binary;
    memset(binary.planes[5], 0, sizeof binary.planes[5]);
    for (int cell = 0; cell < 81; cell++)
        memcpy(binary_cell(&binary, cell), x[cell], sizeof x[cell]);
    for (int i = 0; i < BOARD_WORDS; i++)
        transpose(binary.planes[i]);
    for (int i = 0; i < WORDS; i++) {
        for (uint64_t rest = lanes[i]; rest; rest &= rest - 1) {
            const int lane = __builtin_ctzll(rest);
            uint8_t *solution = solutions + (size_t)81 * rows[64 * i + lane];
            for (int j = 0; j < 5; j++) {
                const uint64_t word = binary.boards[j][lane][i];
                set_eight(solution + 16 * j, word & low);
                set_eight(solution + 16 * j + 8, word >> 4 & low);
            }
            solution[80] = (uint8_t)binary.boards[5][lane][i];
        }
    }
}

#define LEVEL(propagate) {WORDS, infer, choose, branch, move, match, load, collect, unload, propagate}
