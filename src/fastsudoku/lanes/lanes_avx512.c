/* The level of processors with AVX-512. Nothing of this file runs where there is none: see fastsudoku_level(). */

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
#pragma clang attribute push(__attribute__((target("avx512f,avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx2,popcnt,tune=skylake")
#endif

#include "simd_avx512.h"

#include "lanes_kernel.h"

const fastsudoku_lanes fastsudoku_lanes_avx512 = LANES("avx512");

#if defined(__clang__) && !defined(FASTSUDOKU_EMULATED_AVX512)
#pragma clang attribute pop
#endif
#endif
