/* The level of processors with AVX-512, on 512 bits. Nothing of it runs where there is none: see lanes.c. */

#include "avx512_begin.h"

#ifdef FASTSUDOKU_HAS_X86_LEVELS
#ifdef FASTSUDOKU_EMULATED_AVX512
#include "simd_avx512.h"

#include "lanes_kernel.h"

const fastsudoku_level fastsudoku_level_avx512 = LEVEL(NULL);
#else
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx2,popcnt,tune=skylake")
#endif

#include "simd_avx512.h"

#include "lanes_kernel.h"

#include "board_kernel.h"

const fastsudoku_level fastsudoku_level_avx512 = LEVEL(propagate);

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
#endif
