/* Vector operations of AVX-512: 512 bits. Only the foundation (AVX512F) is needed, so that every processor with
 * AVX-512 is served. */

enum { WORDS = 8 };

typedef uint64_t vector __attribute__((vector_size(8 * WORDS)));

#define FORMULA(a, b, c, truth) \
    ((vector)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), truth))

#include "simd_ternary.h"

INLINE vector rotate(vector v, vector places) {
    return (vector)_mm512_rolv_epi64((__m512i)v, (__m512i)places);
}

/* Exchanging words: for each word, the index of the one that comes there. */
typedef __m512i word_indices;

INLINE word_indices prepare_indices(const uint64_t *from) { return _mm512_loadu_si512(from); }

INLINE vector exchange(vector v, word_indices from) {
    return (vector)_mm512_permutexvar_epi64(from, (__m512i)v);
}

INLINE int count_bits(uint64_t word) { return __builtin_popcountll(word); }
