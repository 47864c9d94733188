#include "tools/base/house.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PREFIX/bin/orrery-cc, or PREFIX/lib/orrery/analysis: the rest is PREFIX/bin/orrery and
 * PREFIX/lib/orrery, unless ORRERY_LIBDIR and ORRERY_INCLUDEDIR say otherwise. */
void house_find(struct house *house, struct arena *arena) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        fprintf(stderr, "orrery: error: cannot find my own place (/proc/self/exe)\n");
        exit(1);
    }
    path[length] = '\0';
    static const char inside[] = "/lib/orrery/analysis";
    char *end = path + length - (sizeof inside - 1);
    bool is_inside = end >= path && strcmp(end, inside) == 0;
    if (!is_inside) {
        *strrchr(path, '/') = '\0';
        end = strrchr(path, '/');
    }
    if (end)
        *end = '\0';
    house->orrery = arena_printf(arena, "%s/bin/orrery", path);
    house->analysis = arena_printf(arena, "%s/lib/orrery/analysis", path);
    const char *library = getenv("ORRERY_LIBDIR"), *include = getenv("ORRERY_INCLUDEDIR");
    house->library = library && *library ? library : arena_printf(arena, "%s/lib/orrery", path);
    house->include =
        include && *include ? include : arena_printf(arena, "%s/include", house->library);
}

const char *house_library(const struct house *house, struct arena *arena, const char *name) {
    return arena_printf(arena, "%s/%s", house->library, name);
}
