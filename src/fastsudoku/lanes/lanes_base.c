/* The level that every processor can run. */

#include "lanes.h"

#ifdef FASTSUDOKU_HAS_LANES
#include <string.h>

#include "simd_base.h"

#include "lanes_kernel.h"

const fastsudoku_level fastsudoku_level_base = LEVEL(NULL);
#endif
