/* The rules on one board: included by board_kernel.h once for a vector with a set of cells for each of eight digits, and
 * once for the set of the ninth. _engine_c.pyx explains the rules and the sets.
 *
 * SETS is the type, and NAME(f) makes the name of a function or a type for it. */

typedef struct {
    SETS top, middle, bottom;
} NAME(bands);

INLINE NAME(bands) NAME(common)(NAME(bands) a, NAME(bands) b) {
    return (NAME(bands)){a.top & b.top, a.middle & b.middle, a.bottom & b.bottom};
}

INLINE SETS NAME(difference)(NAME(bands) a, NAME(bands) b) {
    return (a.top ^ b.top) | (a.middle ^ b.middle) | (a.bottom ^ b.bottom);
}

/* --- minirows and minicolumns ------------------------------------------------------------------------------- */

INLINE SETS NAME(next_stack)(SETS minirows) { return (minirows << 3 & 0770770770) | (minirows >> 6 & 0007007007); }

INLINE SETS NAME(previous_stack)(SETS minirows) {
    return (minirows << 6 & 0700700700) | (minirows >> 3 & 0077077077);
}

INLINE SETS NAME(next_column)(SETS minicolumns) {
    return (minicolumns << 1 & 0666666666) | (minicolumns >> 2 & 0111111111);
}

INLINE SETS NAME(previous_column)(SETS minicolumns) {
    return (minicolumns << 2 & 0444444444) | (minicolumns >> 1 & 0333333333);
}

INLINE SETS NAME(next_down)(SETS triads) { return (triads << 9 & BAND) | triads >> 18; }

INLINE SETS NAME(previous_down)(SETS triads) { return (triads << 18 & BAND) | triads >> 9; }

INLINE SETS NAME(minirows_of)(NAME(bands) x) {
    return ((x.top | x.top >> 1 | x.top >> 2) & 0111111111) |
           ((x.middle << 1 | x.middle | x.middle >> 1) & 0222222222) |
           ((x.bottom << 2 | x.bottom << 1 | x.bottom) & 0444444444);
}

INLINE SETS NAME(minicolumns_of)(NAME(bands) x) {
    return ((x.top | x.top >> 9 | x.top >> 18) & 0777) | ((x.middle << 9 | x.middle | x.middle >> 9) & 0777000) |
           ((x.bottom << 18 | x.bottom << 9 | x.bottom) & 0777000000);
}

/* From the first cells of minirows, or of minicolumns, to all of them. */
INLINE SETS NAME(along)(SETS first) { return (first << 3) - first; }
INLINE SETS NAME(down)(SETS first) { return first | first << 9 | first << 18; }

INLINE NAME(bands) NAME(cells_of_minirows)(SETS minirows) {
    return (NAME(bands)){NAME(along)(minirows & 0111111111), NAME(along)(minirows >> 1 & 0111111111),
                         NAME(along)(minirows >> 2 & 0111111111)};
}

INLINE NAME(bands) NAME(cells_of_minicolumns)(SETS minicolumns) {
    return (NAME(bands)){NAME(down)(minicolumns & 0777), NAME(down)(minicolumns >> 9 & 0777),
                         NAME(down)(minicolumns >> 18 & 0777)};
}

/* The cells that a minirow and a minicolumn share. */
INLINE NAME(bands) NAME(crossings)(SETS minirows, SETS minicolumns) {
    return NAME(common)(NAME(cells_of_minirows)(minirows), NAME(cells_of_minicolumns)(minicolumns));
}

INLINE SETS NAME(other_minirows)(SETS minirows) {
    return NAME(next_stack)(minirows) | NAME(previous_stack)(minirows) | NAME(next_down)(minirows) |
           NAME(previous_down)(minirows);
}

INLINE SETS NAME(other_minicolumns)(SETS minicolumns) {
    return NAME(next_column)(minicolumns) | NAME(previous_column)(minicolumns) | NAME(next_down)(minicolumns) |
           NAME(previous_down)(minicolumns);
}

/* The triads that the other two lines and boxes of the band can host, one each, in one of two ways: `right` and `left`
 * are the triads whose next one of the line, or the one before, has a place for the digit. */
INLINE SETS NAME(hosted)(SETS right, SETS left) {
    return NAME(next_down)((right & NAME(next_down)(left)) | (left & NAME(next_down)(right)));
}

/* --- the rules ---------------------------------------------------------------------------------------------- */

typedef struct {
    NAME(bands) x, hidden; /* candidates, and hidden singles */
    /* By a round of inference: what candidates went, and where the digits have a place. */
    SETS changed, boxes, minirows, asserted_minirows, minicolumns, asserted_minicolumns;
} NAME(places);

/* Finds locked candidates and hidden singles, after those of the round before, whose cells are given, are made use of. */
INLINE void NAME(find_places)(NAME(places) *found, NAME(bands) is_hidden) {
    const NAME(bands) before = found->x;
    NAME(bands) x = before;
    x.top &= found->hidden.top | ~is_hidden.top;
    x.middle &= found->hidden.middle | ~is_hidden.middle;
    x.bottom &= found->hidden.bottom | ~is_hidden.bottom;

    SETS minirows = NAME(minirows_of)(x);
    SETS right = NAME(next_stack)(minirows), left = NAME(previous_stack)(minirows);
    found->asserted_minirows = minirows & ~(right | left);
    minirows &= NAME(hosted)(right, left);
    x = NAME(common)(x, NAME(cells_of_minirows)(minirows));

    SETS minicolumns = NAME(minicolumns_of)(x);
    right = NAME(next_column)(minicolumns);
    left = NAME(previous_column)(minicolumns);
    found->boxes = minicolumns | right | left;
    found->asserted_minicolumns = minicolumns & ~(right | left);
    minicolumns &= NAME(hosted)(right, left);
    x = NAME(common)(x, NAME(cells_of_minicolumns)(minicolumns));

    found->hidden = NAME(common)(x, NAME(crossings)(found->asserted_minirows, found->asserted_minicolumns));
    found->minirows = minirows;
    found->minicolumns = minicolumns;
    found->changed = NAME(difference)(before, x);
    found->x = x;
}

/* Leaves a digit only where one of the minirows and one of the minicolumns meet; returns not 0 if candidates went. */
INLINE SETS NAME(keep)(NAME(bands) *x, SETS minirows, SETS minicolumns) {
    const NAME(bands) before = *x;
    *x = NAME(common)(before, NAME(crossings)(minirows, minicolumns));
    return NAME(difference)(before, *x);
}

/* Removes the digit of each naked single from all its peers, other naked singles too. */
INLINE SETS NAME(remove_from_peers)(NAME(bands) *x, NAME(bands) single) {
    const NAME(bands) placed = NAME(common)(*x, single);
    return NAME(keep)(x, ~NAME(other_minirows)(NAME(minirows_of)(placed)),
                      ~NAME(other_minicolumns)(NAME(minicolumns_of)(placed)));
}

/* Applies the two rules on triads: `exact` ones have three digits left, `taken` ones are the last place of three. */
INLINE SETS NAME(apply_triads)(NAME(places) *found, SETS exact_minirows, SETS taken_minirows, SETS exact_minicolumns,
                               SETS taken_minicolumns) {
    SETS minirows = found->minirows, minicolumns = found->minicolumns;
    minirows &= ~NAME(other_minirows)(minirows & exact_minirows);
    minirows &= found->asserted_minirows | ~taken_minirows;
    minicolumns &= ~NAME(other_minicolumns)(minicolumns & exact_minicolumns);
    minicolumns &= found->asserted_minicolumns | ~taken_minicolumns;
    return NAME(keep)(&found->x, minirows, minicolumns);
}

#undef SETS
#undef NAME
