/* Which levels there are, and which of them this processor and its operating system can run. */

#include "lanes.h"

#include <string.h>

#ifdef FASTSUDOKU_HAS_LANES

#ifdef FASTSUDOKU_HAS_X86_LEVELS
/* __builtin_cpu_supports asks the operating system too, which has to save the registers. */
static int has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }

#ifdef FASTSUDOKU_EMULATED_AVX512
static int has_avx512(void) { return 1; }
#else
static int has_avx512(void) { return has_avx2() && __builtin_cpu_supports("avx512f"); }
#endif
#endif

const fastsudoku_lanes *fastsudoku_level(const char *name, const char **reason) {
    const struct {
        const char *name;
        const fastsudoku_lanes *lanes; /* NULL if it cannot run */
        const char *reason;            /* why not */
    } levels[] = {
#ifdef FASTSUDOKU_HAS_X86_LEVELS
        {"avx512", has_avx512() ? &fastsudoku_lanes_avx512 : NULL, "this processor has no AVX-512"},
        {"avx2", has_avx2() ? &fastsudoku_lanes_avx2 : NULL, "this processor has no AVX2"},
#else
        {"avx512", NULL, "it is for 64-bit x86 processors"},
        {"avx2", NULL, "it is for 64-bit x86 processors"},
#endif
        {"base", &fastsudoku_lanes_base, ""},
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (strcmp(levels[i].name, name) == 0) {
            *reason = levels[i].reason;
            return levels[i].lanes;
        }
    }
    *reason = "there is no such level";
    return NULL;
}

#else

const fastsudoku_lanes *fastsudoku_level(const char *name, const char **reason) {
    (void)name;
    *reason = "it was built without the lane engine, which needs GCC or clang";
    return NULL;
}

#endif
