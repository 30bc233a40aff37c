/* Vector operations in plain C: 128 bits, which are SSE2 on x86-64, NEON on ARM, and something everywhere. */

enum { WORDS = 2 };

typedef uint64_t vector __attribute__((vector_size(8 * WORDS)));

#include "simd_plain.h"

INLINE vector rotate(vector v, vector places) {
    /* SSE2 cannot shift the halves differently; ordinary registers can. */
    vector rotated;
    for (int i = 0; i < WORDS; i++)
        rotated[i] = v[i] << (places[i] & 63) | v[i] >> (-places[i] & 63);
    return rotated;
}

/* Exchanging words: for each word, the index of the one that comes there. */
typedef int word_indices;

INLINE word_indices prepare_indices(const uint64_t *from) { return from[0] != 0; }

INLINE vector exchange(vector v, word_indices from) { return from ? (vector){v[1], v[0]} : v; }

INLINE int count_bits(uint64_t word) {
    /* Baseline x86-64 has no instruction for it. */
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int)((word * UINT64_C(0x0101010101010101)) >> 56);
}
