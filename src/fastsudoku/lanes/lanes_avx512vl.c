/* The level of processors with AVX-512, on 256 bits. Nothing of it runs where there is none: see lanes.c. */

#include "avx512_begin.h"

#ifdef FASTSUDOKU_HAS_X86_LEVELS
#ifdef FASTSUDOKU_EMULATED_AVX512
#include "simd_avx512vl.h"

#include "lanes_kernel.h"

const fastsudoku_level fastsudoku_level_avx512vl = LEVEL(NULL);
#else
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx2,popcnt,tune=skylake")
#endif

#include "simd_avx512vl.h"

#include "lanes_kernel.h"

#include "board_kernel.h"

const fastsudoku_level fastsudoku_level_avx512vl = LEVEL(propagate);

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
#endif
