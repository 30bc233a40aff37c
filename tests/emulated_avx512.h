/* The intrinsics that the lanes of the level "avx512" use, for processors that have no AVX-512.
 *
 * The package is built with them by a macro with the path of this file:
 *
 *     CFLAGS="-DFASTSUDOKU_EMULATED_AVX512='\"$PWD/tests/emulated_avx512.h\"'" pip install .
 *
 * so that the level's search, with 512 lanes and with 256, and the truth tables of its formulas, are tested
 * anywhere. They are written from the description of the instructions, not for speed. */

#include <stdint.h>
#include <string.h>

/* Defines the type of a vector and the functions for it.
 *
 * Bit i of a truth table is the value where the bits of a, b and c are those of the number i. */
#define EMULATE(bits, type, prefix)                                                                  \
    typedef uint64_t type __attribute__((vector_size(bits / 8)));                                    \
    static inline __attribute__((always_inline)) type prefix##_ternarylogic_epi64(type a, type b,    \
                                                                                  type c, int truth) \
    {                                                                                                \
        type value = {0};                                                                            \
        for (int i = 0; i < 8; i++) {                                                                \
            if (truth >> i & 1)                                                                      \
                value |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);                     \
        }                                                                                            \
        return value;                                                                                \
    }                                                                                                \
    static inline __attribute__((always_inline)) type prefix##_rolv_epi64(type v, type places)       \
    {                                                                                                \
        return v << (places & 63) | v >> (-places & 63);                                             \
    }                                                                                                \
    static inline __attribute__((always_inline)) type prefix##_permutexvar_epi64(type from, type v)  \
    {                                                                                                \
        type exchanged;                                                                              \
        for (int i = 0; i < bits / 64; i++)                                                          \
            exchanged[i] = v[from[i] & (bits / 64 - 1)];                                             \
        return exchanged;                                                                            \
    }                                                                                                \
    static inline __attribute__((always_inline)) type prefix##_loadu_si##bits(const void *memory)    \
    {                                                                                                \
        type v;                                                                                      \
        memcpy(&v, memory, sizeof v);                                                                \
        return v;                                                                                    \
    }

EMULATE(512, __m512i, _mm512)
EMULATE(256, __m256i, _mm256)
