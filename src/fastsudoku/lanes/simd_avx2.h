/* Vector operations of AVX2: 256 bits. */

enum { WORDS = 4 };

typedef uint64_t vector __attribute__((vector_size(8 * WORDS)));

#include "simd_plain.h"

INLINE vector rotate(vector v, vector places) { return v << places | v >> (-places & 63); }

/* Exchanging words: for each word, the index of the one that comes there, as indices of its halves. */
typedef __m256i word_indices;

INLINE word_indices prepare_indices(const uint64_t *from) {
    uint64_t halves[WORDS];
    for (int i = 0; i < WORDS; i++)
        halves[i] = 2 * from[i] | (2 * from[i] + 1) << 32;
    return _mm256_loadu_si256((const __m256i *)halves);
}

INLINE vector exchange(vector v, word_indices from) {
    return (vector)_mm256_permutevar8x32_epi32((__m256i)v, from);
}

INLINE int count_bits(uint64_t word) { return __builtin_popcountll(word); }
