#include "runtime/start/machine.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

/* Of one group; SIZE_MAX: it has no limit, or there is none. */
static size_t limit_read(const char *root, const char *group, const char *name) {
    char path[2 * PATH];
    size_t limit = SIZE_MAX;
    snprintf(path, sizeof path, "%s%s/%s", root, group, name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%zu", &limit) != 1)
        limit = SIZE_MAX;
    if (file)
        fclose(file);
    return limit;
}

/* Of a group and of all that it lies in. Of a container the whole path may be unknown, and its root is
 * the group. */
static size_t limit_of(const char *root, char *group, const char *name) {
    size_t least = SIZE_MAX;
    for (char *end = group + strlen(group);; *end = '\0') {
        size_t limit = limit_read(root, group, name);
        least = limit < least ? limit : least;
        end = strrchr(group, '/');
        if (!end)
            return least;
    }
}

/* A line of /proc/self/cgroup: `0::PATH` (version 2), `4:memory:PATH` (version 1). */
static size_t limit_of_line(char *line) {
    char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL;
    if (!group)
        return SIZE_MAX;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (kinds[1] == '\0')
        return limit_of("/sys/fs/cgroup", group, "memory.max");
    return strstr(kinds, "memory")
               ? limit_of("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes")
               : SIZE_MAX;
}

/* SIZE_MAX: no group has a limit. */
static size_t groups_bytes(void) {
    size_t bytes = SIZE_MAX;
    char line[PATH];
    FILE *groups = fopen("/proc/self/cgroup", "r");
    while (groups && fgets(line, sizeof line, groups)) {
        size_t limit = limit_of_line(line);
        bytes = limit < bytes ? limit : bytes;
    }
    if (groups)
        fclose(groups);
    return bytes;
}

size_t orrery_machine_bytes(void) {
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t limit = groups_bytes();
    return limit < bytes ? limit : bytes;
}

long orrery_machine_most(long megabytes, double beside) {
    double most = ((double)groups_bytes() - beside) / 1e6;
    if (megabytes == 0 || (double)megabytes <= most)
        return megabytes;
    return most < 1 ? 1 : (long)most;
}
