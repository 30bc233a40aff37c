/* What both files for AVX-512 begin with, before the instructions are switched on. */

#include "lanes.h"

#ifdef FASTSUDOKU_HAS_X86_LEVELS
#ifdef FASTSUDOKU_EMULATED_AVX512
/* For tests where there is no AVX-512: a file with the few intrinsics of the lanes. They are compiled to instructions
 * that every processor has, so that those of one board with AVX2 are left out. */
#include FASTSUDOKU_EMULATED_AVX512
#else
#include <immintrin.h>
#endif
#include <string.h>
#endif
