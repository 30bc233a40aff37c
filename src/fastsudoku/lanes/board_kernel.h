/* The rules on one board with vectors: what propagate() in _engine_c.pyx does, for all digits at once. A vector has a
 * set of cells for each of the first eight digits; those of the ninth are in ordinary registers, whose instructions
 * run beside the others. What all digits have in common is as often in a vector as there is room. */

enum { BAND = 0777777777 };

typedef uint32_t eight_sets __attribute__((vector_size(32)));

#define SETS eight_sets
#define NAME(f) f##_eight
#include "board_rules.h"

#define SETS uint32_t
#define NAME(f) f##_ninth
#include "board_rules.h"

INLINE eight_sets all_eight(uint32_t set) { return (eight_sets){0} + set; }

INLINE bands_eight all_eight_bands(uint32_t top, uint32_t middle, uint32_t bottom) {
    return (bands_eight){all_eight(top), all_eight(middle), all_eight(bottom)};
}

/* Of vectors whose sets are all the same. */
INLINE uint32_t one_of(eight_sets sets) {
    return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128((__m256i)sets));
}

INLINE bands_ninth one_of_bands(bands_eight sets) {
    return (bands_ninth){one_of(sets.top), one_of(sets.middle), one_of(sets.bottom)};
}

INLINE int is_any(eight_sets sets) { return !_mm256_testz_si256((__m256i)sets, (__m256i)sets); }

/* Exchanges the sets at a distance of four, two or one. */
INLINE eight_sets exchange_sets(eight_sets sets, int distance) {
    if (distance == 4)
        return (eight_sets)_mm256_permute2x128_si256((__m256i)sets, (__m256i)sets, 1);
    if (distance == 2)
        return (eight_sets)_mm256_shuffle_epi32((__m256i)sets, 0x4E);
    return (eight_sets)_mm256_shuffle_epi32((__m256i)sets, 0xB1);
}

/* What at least one, two, three, four digits have, everywhere in vectors. */
typedef struct {
    eight_sets one, two, three, four;
} counts;

INLINE counts count_sets(eight_sets eight, uint32_t ninth) {
    const eight_sets none = all_eight(0), last = all_eight(ninth);
    counts sum = {eight, none, none, none};
    for (int distance = 4; distance; distance /= 2) {
        const counts a = sum;
        const counts b = {exchange_sets(a.one, distance), exchange_sets(a.two, distance),
                          exchange_sets(a.three, distance), exchange_sets(a.four, distance)};
        sum = (counts){a.one | b.one, a.two | b.two | (a.one & b.one),
                       a.three | b.three | (a.two & b.one) | (a.one & b.two),
                       a.four | b.four | (a.three & b.one) | (a.two & b.two) | (a.one & b.three)};
    }
    return (counts){sum.one | last, sum.two | (sum.one & last), sum.three | (sum.two & last),
                    sum.four | (sum.three & last)};
}

INLINE eight_sets any_of_sets(eight_sets eight, uint32_t ninth) { return count_sets(eight, ninth).one; }

INLINE bands_eight load_eight(const fastsudoku_board *board) {
    bands_eight x;
    memcpy(&x.top, board->candidates[0], sizeof x.top);
    memcpy(&x.middle, board->candidates[1], sizeof x.middle);
    memcpy(&x.bottom, board->candidates[2], sizeof x.bottom);
    return x;
}

INLINE void store_eight(fastsudoku_board *board, bands_eight x) {
    memcpy(board->candidates[0], &x.top, sizeof x.top);
    memcpy(board->candidates[1], &x.middle, sizeof x.middle);
    memcpy(board->candidates[2], &x.bottom, sizeof x.bottom);
}

static fastsudoku_outcome propagate(fastsudoku_board *board) {
    const eight_sets full = all_eight(BAND);
    places_eight eight = {.x = load_eight(board)};
    places_ninth ninth = {.x = {board->candidates[0][8], board->candidates[1][8], board->candidates[2][8]}};
    bands_eight single = all_eight_bands(board->solved[0], board->solved[1], board->solved[2]);
    bands_eight is_hidden = all_eight_bands(0, 0, 0);
    fastsudoku_outcome outcome;
    /* Each round removes candidates or is the last: that two hidden singles in one cell, of which both would go
     * round for ever, end it is essential. */
    for (;;) {
        find_places_eight(&eight, is_hidden);
        find_places_ninth(&ninth, one_of_bands(is_hidden));
        const counts top = count_sets(eight.x.top, ninth.x.top);
        const counts middle = count_sets(eight.x.middle, ninth.x.middle);
        const counts bottom = count_sets(eight.x.bottom, ninth.x.bottom);
        /* A digit without a place in a box, a cell without candidates, or one that would have to take two digits. */
        const eight_sets complete = eight.boxes & ninth.boxes & top.one & middle.one & bottom.one;
        const eight_sets clash =
            (top.two & is_hidden.top) | (middle.two & is_hidden.middle) | (bottom.two & is_hidden.bottom);
        const bands_eight known = single;
        single = (bands_eight){full & ~top.two, full & ~middle.two, full & ~bottom.two};
        if (is_any((full & ~complete) | clash)) {
            outcome = FASTSUDOKU_CONTRADICTION;
            break;
        }
        if (!is_any(full & ~(single.top & single.middle & single.bottom))) {
            const eight_sets removed = remove_from_peers_eight(&eight.x, single) |
                                       remove_from_peers_ninth(&ninth.x, one_of_bands(single));
            outcome = is_any(removed) ? FASTSUDOKU_CONTRADICTION : FASTSUDOKU_SOLVED;
            break;
        }
        is_hidden = (bands_eight){any_of_sets(eight.hidden.top, ninth.hidden.top),
                                  any_of_sets(eight.hidden.middle, ninth.hidden.middle),
                                  any_of_sets(eight.hidden.bottom, ninth.hidden.bottom)};
        /* Other digits where there is a hidden single: the next round removes them. */
        eight_sets changed = eight.changed | ninth.changed | (top.two & is_hidden.top) |
                             (middle.two & is_hidden.middle) | (bottom.two & is_hidden.bottom);
        /* Naked singles: the digit goes from the peers, unless hidden singles or an earlier round did it. */
        if (is_any((single.top & ~(known.top | is_hidden.top)) | (single.middle & ~(known.middle | is_hidden.middle)) |
                   (single.bottom & ~(known.bottom | is_hidden.bottom))))
            changed |= remove_from_peers_eight(&eight.x, single) |
                       remove_from_peers_ninth(&ninth.x, one_of_bands(single));
        if (is_any(changed))
            continue;

        const counts rows = count_sets(eight.minirows, ninth.minirows);
        const counts last_in_rows = count_sets(eight.asserted_minirows, ninth.asserted_minirows);
        const counts columns = count_sets(eight.minicolumns, ninth.minicolumns);
        const counts last_in_columns = count_sets(eight.asserted_minicolumns, ninth.asserted_minicolumns);
        if (is_any((full & ~(rows.three & columns.three)) | last_in_rows.four | last_in_columns.four)) {
            outcome = FASTSUDOKU_CONTRADICTION;
            break;
        }
        const eight_sets exact_rows = rows.three & ~rows.four, exact_columns = columns.three & ~columns.four;
        changed = apply_triads_eight(&eight, exact_rows, last_in_rows.three, exact_columns, last_in_columns.three) |
                  apply_triads_ninth(&ninth, one_of(exact_rows), one_of(last_in_rows.three), one_of(exact_columns),
                                     one_of(last_in_columns.three));
        if (!is_any(changed)) {
            outcome = FASTSUDOKU_STUCK;
            break;
        }
    }
    store_eight(board, eight.x);
    board->candidates[0][8] = ninth.x.top;
    board->candidates[1][8] = ninth.x.middle;
    board->candidates[2][8] = ninth.x.bottom;
    board->solved[0] = one_of(single.top);
    board->solved[1] = one_of(single.middle);
    board->solved[2] = one_of(single.bottom);
    return outcome;
}
