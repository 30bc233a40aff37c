/* Vector operations of AVX-512 on 256 bits (AVX512VL): with half as many lanes, a page and what a pass works out
 * stay in the nearest cache, and where 512 bits are worked on in two halves there is nothing to lose. */

enum { WORDS = 4 };

typedef uint64_t vector __attribute__((vector_size(8 * WORDS)));

#define FORMULA(a, b, c, truth) \
    ((vector)_mm256_ternarylogic_epi64((__m256i)(a), (__m256i)(b), (__m256i)(c), truth))

#include "simd_ternary.h"

INLINE vector rotate(vector v, vector places) {
    return (vector)_mm256_rolv_epi64((__m256i)v, (__m256i)places);
}

/* Exchanging words: for each word, the index of the one that comes there. */
typedef __m256i word_indices;

INLINE word_indices prepare_indices(const uint64_t *from) { return _mm256_loadu_si256((const __m256i *)from); }

INLINE vector exchange(vector v, word_indices from) {
    return (vector)_mm256_permutexvar_epi64(from, (__m256i)v);
}

INLINE int count_bits(uint64_t word) { return __builtin_popcountll(word); }
