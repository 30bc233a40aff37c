/* Which levels there are, and which of them this processor and its operating system can run. */

#include "lanes.h"

#include <string.h>

#ifdef FASTSUDOKU_HAS_LANES

#ifdef FASTSUDOKU_HAS_X86_LEVELS
#include <cpuid.h>

static const char NO_AVX512[] = "this processor has no AVX-512", NO_AVX512VL[] = "this processor has no AVX512VL";

/* __builtin_cpu_supports asks the operating system too, which has to save the registers. */
static int has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }

#ifdef FASTSUDOKU_EMULATED_AVX512
static int has_avx512(void) { return 1; }
static int has_avx512vl(void) { return 1; }
#else
static int has_avx512(void) { return has_avx2() && __builtin_cpu_supports("avx512f"); }
static int has_avx512vl(void) { return has_avx512() && __builtin_cpu_supports("avx512vl"); }
#endif

/* AMD's first processors with AVX-512 (Zen 4, of family 25) work on 512 bits in two halves. Others may: that was
 * not measured, and costs them some percent. */
static int halves_avx512(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__builtin_cpu_is("amd") || !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return 0;
    return (eax >> 8 & 15) + (eax >> 20 & 255) == 25;
}

static const fastsudoku_level *best_avx512(void) {
    if (!has_avx512())
        return NULL;
    return has_avx512vl() && halves_avx512() ? &fastsudoku_level_avx512vl : &fastsudoku_level_avx512;
}
#endif

const fastsudoku_level *fastsudoku_find_level(const char *name, const char **reason) {
    const struct {
        const char *name;
        const fastsudoku_level *level; /* NULL if it cannot run */
        const char *reason;            /* why not */
    } levels[] = {
#ifdef FASTSUDOKU_HAS_X86_LEVELS
        {"avx512", best_avx512(), NO_AVX512},
        {"avx512f", has_avx512() ? &fastsudoku_level_avx512 : NULL, NO_AVX512},
        {"avx512vl", has_avx512vl() ? &fastsudoku_level_avx512vl : NULL, NO_AVX512VL},
        {"avx2", has_avx2() ? &fastsudoku_level_avx2 : NULL, "this processor has no AVX2"},
#else
        {"avx512", NULL, "it is for 64-bit x86 processors"},
        {"avx512f", NULL, "it is for 64-bit x86 processors"},
        {"avx512vl", NULL, "it is for 64-bit x86 processors"},
        {"avx2", NULL, "it is for 64-bit x86 processors"},
#endif
        {"base", &fastsudoku_level_base, ""},
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (strcmp(levels[i].name, name) == 0) {
            *reason = levels[i].reason;
            return levels[i].level;
        }
    }
    *reason = "there is no such level";
    return NULL;
}

#else

const fastsudoku_level *fastsudoku_find_level(const char *name, const char **reason) {
    (void)name;
    *reason = "it was built without the lane engine, which needs GCC or clang";
    return NULL;
}

#endif
