/* The level of processors with AVX2. Nothing of this file runs where there is none: see lanes.c. */

#include "lanes.h"

#ifdef FASTSUDOKU_HAS_X86_LEVELS
#include <immintrin.h>
#include <string.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,popcnt,tune=skylake")
#endif

#include "simd_avx2.h"

#include "lanes_kernel.h"

#include "board_kernel.h"

const fastsudoku_level fastsudoku_level_avx2 = LEVEL(propagate);

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
