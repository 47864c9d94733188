#include "tools/base/house.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PREFIX/bin/orrery-cc: the rest is PREFIX/bin/orrery and PREFIX/lib/orrery,
 * unless ORRERY_LIBDIR and ORRERY_INCLUDEDIR say otherwise. */
void house_find(struct house *house, struct arena *arena) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        fprintf(stderr, "orrery: error: cannot find my own place (/proc/self/exe)\n");
        exit(1);
    }
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    house->orrery = arena_printf(arena, "%s/orrery", path);
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    const char *library = getenv("ORRERY_LIBDIR"), *include = getenv("ORRERY_INCLUDEDIR");
    house->library = library && *library ? library : arena_printf(arena, "%s/lib/orrery", path);
    house->include =
        include && *include ? include : arena_printf(arena, "%s/include", house->library);
}

const char *house_library(const struct house *house, struct arena *arena, const char *name) {
    return arena_printf(arena, "%s/%s", house->library, name);
}
