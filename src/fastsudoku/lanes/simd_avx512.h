/* Vector operations of AVX-512: 512 bits, and one instruction for any formula of three planes. Only the
 * foundation (AVX512F) is needed, so that every processor with AVX-512 is served. */

enum { WORDS = 8 };

typedef uint64_t vector __attribute__((vector_size(8 * WORDS)));

/* The formula's value for a, b, c = 1 1 1 is the highest bit of the number, for 0 0 0 the lowest. */
#define FORMULA(a, b, c, truth) \
    ((vector)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), truth))

INLINE vector or3(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xFE); }
INLINE vector xor3(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x96); }
INLINE vector majority(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xE8); }
INLINE vector or_and(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xF8); }
INLINE vector or_and_not(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xF4); }
INLINE vector or_xor(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xF6); }
INLINE vector and_or(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xE0); }
INLINE vector and_or_not(vector a, vector b, vector c) { return FORMULA(a, b, c, 0xD0); }
INLINE vector and_not_or(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x10); }
INLINE vector and_not_and(vector a, vector b, vector c) { return FORMULA(a, b, c, 0x70); }
INLINE vector blend(vector a, vector b, vector where) { return FORMULA(a, b, where, 0xD8); }

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
