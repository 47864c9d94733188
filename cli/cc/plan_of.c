#include "cli/cc/cc.h"

#include <string.h>

/* `path` is `name`, or ends in it after a slash. */
static bool ends_in(const char *path, const char *name, size_t length) {
    size_t whole = strlen(path);
    return whole >= length && strncmp(path + whole - length, name, length) == 0 &&
           (whole == length || path[whole - length - 1] == '/');
}

const char *plan_of(const struct ours *ours, struct arena *arena, const char *source) {
    for (int i = 0; i < ours->plans_of.count; ++i) {
        const char *pair = ours->plans_of.items[i], *equals = strchr(pair, '=');
        if (ends_in(source, pair, (size_t)(equals - pair)))
            return arena_strdup(arena, equals + 1);
    }
    return ours->plan;
}
