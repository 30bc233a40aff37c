/* The intrinsics that the level "avx512" uses, for processors that have no AVX-512.
 *
 * The package is built with them by a macro with the path of this file:
 *
 *     CFLAGS="-DFASTSUDOKU_EMULATED_AVX512='\"$PWD/tests/emulated_avx512.h\"'" pip install .
 *
 * so that the level's search with 512 lanes, and the truth tables of its formulas, are tested anywhere. They are
 * written from the description of the instructions, not for speed. */

#include <stdint.h>
#include <string.h>

typedef uint64_t __m512i __attribute__((vector_size(64)));

/* Bit i of the truth table is the value where the bits of a, b and c are those of the number i. */
static inline __attribute__((always_inline)) __m512i _mm512_ternarylogic_epi64(__m512i a, __m512i b, __m512i c,
                                                                               int truth) {
    __m512i value = {0};
    for (int i = 0; i < 8; i++) {
        if (truth >> i & 1)
            value |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    }
    return value;
}

static inline __attribute__((always_inline)) __m512i _mm512_rolv_epi64(__m512i v, __m512i places) {
    return v << (places & 63) | v >> (-places & 63);
}

static inline __attribute__((always_inline)) __m512i _mm512_permutexvar_epi64(__m512i from, __m512i v) {
    __m512i exchanged;
    for (int i = 0; i < 8; i++)
        exchanged[i] = v[from[i] & 7];
    return exchanged;
}

static inline __attribute__((always_inline)) __m512i _mm512_loadu_si512(const void *memory) {
    __m512i v;
    memcpy(&v, memory, sizeof v);
    return v;
}
