/* The lane engine's kernel: inference and branching for hundreds of boards at once.
 *
 * One board, or one node of a search tree, is one *lane*, and a lane is one bit. A *plane* is a vector with
 * the same candidate of all lanes, and a *page* has the planes of all candidates:
 *
 *     page[cell][digit - 1]                   81 x 9 planes
 *
 *              lane 0   1   2   3   4 ...     lanes 64 * w to 64 * w + 63 are word w
 *     page[0][0]    1   0   1   1   0         can row 1, column 1 be 1?
 *     page[0][1]    1   0   0   0   1         can row 1, column 1 be 2?
 *     ...
 *     page[80][8]   0   1   0   0   1         can row 9, column 9 be 9?
 *
 * All rules of Sudoku are Boolean formulas on candidates, so that one bitwise instruction applies a step of a
 * rule to 128, 256 or 512 boards, with no branch that depends on any of them and no bit of a register unused.
 *
 * A *set of lanes* is an array of words, lane 0 in the lowest bit of the first. Lanes move between pages by a
 * *route* of one to three legs. In each leg the words of a plane are exchanged, each is rotated by a number of
 * places, and some of the lanes are where they are wanted then.
 *
 * Functions take pages as void pointers to memory that is aligned to FASTSUDOKU_ALIGNMENT, as the width of a
 * plane differs between levels of instruction sets. A level is a table of functions; fastsudoku_find_level() finds
 * one by its name, if this build has it and this processor can run it. */

#ifndef FASTSUDOKU_LANES_H
#define FASTSUDOKU_LANES_H

#include <stddef.h>
#include <stdint.h>

/* The vector extensions of GCC and clang are needed; other compilers go without the lane engine, those too that
 * only claim to be GCC. So does GCC on Windows, which does not align vectors on the stack. */
#if defined(__GNUC__) && !defined(__INTEL_COMPILER) && !defined(__NVCOMPILER) && \
    !(defined(_WIN32) && !defined(__clang__)) && !defined(FASTSUDOKU_NO_LANES)
#define FASTSUDOKU_HAS_LANES 1
#if defined(__x86_64__)
#define FASTSUDOKU_HAS_X86_LEVELS 1
#endif
#endif

/* For what the levels' files share: it has to be compiled for their own instructions, so never on its own. */
#define INLINE static inline __attribute__((always_inline))

enum {
    FASTSUDOKU_ALIGNMENT = 64,
    FASTSUDOKU_MOST_WORDS = 8, /* of a set of lanes, at the widest level */
    FASTSUDOKU_MOST_LEGS = 3,
    /* Planes of the memory that functions share with the search. */
    FASTSUDOKU_PAGE_PLANES = 81 * 9,
    FASTSUDOKU_HIDDEN_PLANES = 81,
    FASTSUDOKU_CHOICE_PLANES = 81 + 9 + 81 + 81 * 5,
    FASTSUDOKU_DIGITS_PLANES = 81 * 4
};

/* A board of the depth-first engine, as _engine_c.pyx explains it. */
typedef struct {
    uint32_t candidates[3][12];
    uint32_t solved[3];
} fastsudoku_board;

typedef enum { FASTSUDOKU_CONTRADICTION, FASTSUDOKU_SOLVED, FASTSUDOKU_STUCK } fastsudoku_outcome;

typedef struct {
    uint64_t arrivals[FASTSUDOKU_MOST_WORDS]; /* the lanes that something comes to */
    uint64_t from[FASTSUDOKU_MOST_WORDS];     /* the word that each word comes from */
    uint64_t places[FASTSUDOKU_MOST_WORDS];   /* and by how many places it is rotated to the left */
} fastsudoku_leg;

typedef struct {
    int legs;
    fastsudoku_leg leg[FASTSUDOKU_MOST_LEGS]; /* to different lanes */
} fastsudoku_route;

typedef struct {
    int words; /* of a set of lanes */

    /* Applies the rules in rows and bands, then in columns and stacks. `hidden` is kept from pass to pass: the
     * cells of the last one's hidden singles; `fresh` are the lanes that came to the page since the pass before.
     * (A cell that has to take two digits is found one pass late.)
     * Finds the lanes of which candidates went, those that were found to have no solution, and those that had
     * a cell with several candidates. A lane without change is at the fixpoint of all rules; if it is neither
     * dead nor unsolved then, it is a solution. */
    void (*infer)(void *page, void *hidden, const uint64_t *fresh, uint64_t *changed, uint64_t *dead,
                  uint64_t *unsolved);

    /* Chooses, in each of these unsolved lanes, the cell to branch on: fewest candidates, then most unsolved peers, then
     * the lowest cell; or simply the lowest one. `choice` is set to the chosen cell, 81 planes of which one has
     * the lane's bit, and to the cell's smallest digit, 9 such planes. */
    void (*choose)(const void *page, const uint64_t *lanes, void *choice, int lowest_cell);

    /* Branches: the parents, lanes of page `first`, get the smallest digit of their cell. Copies without that digit
     * become the same lanes of page `second`, of which all lanes are set. */
    void (*branch)(void *second, void *first, const void *choice, const uint64_t *parents);

    /* Copies lanes to another page, by a route of one leg at least. */
    void (*move)(void *to, const void *page, const fastsudoku_route *route);

    /* Finds a route for as many of a set of lanes as possible, one at least, to vacant lanes; returns how many
     * arrive. */
    int (*match)(const uint64_t *lanes, const uint64_t *vacant, fastsudoku_route *route);

    /* Sets the given lanes of a page to boards: lane i to the 81 values from 0 to 9 at cells + 81 * rows[i]. */
    void (*load)(void *page, const uint64_t *lanes, const uint8_t *cells, const uint32_t *rows);

    /* Copies solved lanes to a page of binary digits, four planes for each cell. */
    void (*collect)(void *digits, const void *page, const fastsudoku_route *route);

    /* Writes the digits of the given lanes: 81 values from 1 to 9 at solutions + 81 * rows[i] for lane i. */
    void (*unload)(const void *digits, const uint64_t *lanes, uint8_t *solutions, const uint32_t *rows);

    /* Applies all rules to one board until nothing changes. NULL if the level has nothing faster for it than the
     * depth-first engine itself. */
    fastsudoku_outcome (*propagate)(fastsudoku_board *board);
} fastsudoku_level;

/* Returns the level of this name, or NULL and why it cannot be had. "avx512" is the faster one, on this processor,
 * of "avx512f" (512 lanes) and "avx512vl" (256). */
const fastsudoku_level *fastsudoku_find_level(const char *name, const char **reason);

#ifdef FASTSUDOKU_HAS_LANES
/* They are nobody else's. */
#pragma GCC visibility push(hidden)
extern const fastsudoku_level fastsudoku_level_base;
#ifdef FASTSUDOKU_HAS_X86_LEVELS
extern const fastsudoku_level fastsudoku_level_avx2;
extern const fastsudoku_level fastsudoku_level_avx512;
extern const fastsudoku_level fastsudoku_level_avx512vl;
#endif
#pragma GCC visibility pop
#endif

#endif
