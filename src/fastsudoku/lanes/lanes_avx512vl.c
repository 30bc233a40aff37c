/* The level of processors with AVX-512, on 256 bits. Nothing of this file runs where there is none: see fastsudoku_find_level(). */

#include "lanes.h"

#ifdef FASTSUDOKU_HAS_X86_LEVELS
#ifdef FASTSUDOKU_EMULATED_AVX512
/* For tests where there is no AVX-512: a file with the few intrinsics that are used here. */
#include FASTSUDOKU_EMULATED_AVX512
#else
#include <immintrin.h>
#endif
#include <string.h>

#ifdef FASTSUDOKU_EMULATED_AVX512
/* Instructions that every processor has. */
#elif defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx2,popcnt,tune=skylake")
#endif

#include "simd_avx512vl.h"

#include "lanes_kernel.h"

#include "board_kernel.h"

const fastsudoku_level fastsudoku_level_avx512vl = LEVEL("avx512vl", propagate);

#if defined(__clang__) && !defined(FASTSUDOKU_EMULATED_AVX512)
#pragma clang attribute pop
#endif
#endif
