#define _GNU_SOURCE
#include "runtime/threads/cores.h"

#include <sched.h>
#include <stdio.h>

/* `first`: by processing unit that this thread may use, the least number of its siblings, or -1. */
static struct {
    bool asked;
    int count;
    int first[CPU_SETSIZE];
} cores;

/* Lists of processing units are in ascending order: "0,64", "2-3". */
static int first_sibling(int unit) {
    char name[80];
    snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
             unit);
    FILE *file = fopen(name, "re");
    int first = -1;
    if (!file)
        return -1;
    if (fscanf(file, "%d", &first) != 1 || first < 0 || first >= CPU_SETSIZE)
        first = -1;
    fclose(file);
    return first;
}

static int count_cores(void) {
    cpu_set_t mine;
    bool seen[CPU_SETSIZE] = {0};
    int count = 0;
    if (sched_getaffinity(0, sizeof mine, &mine))
        return 0;
    for (int unit = 0; unit < CPU_SETSIZE; ++unit) {
        cores.first[unit] = CPU_ISSET(unit, &mine) ? first_sibling(unit) : -1;
        if (CPU_ISSET(unit, &mine) && cores.first[unit] < 0)
            return 0;
        if (cores.first[unit] >= 0 && !seen[cores.first[unit]]) {
            seen[cores.first[unit]] = true;
            ++count;
        }
    }
    return count;
}

int orrery_cores_count(void) {
    if (!cores.asked)
        cores.count = count_cores();
    cores.asked = true;
    return cores.count;
}

/* The cores are numbered by their least unit that this thread may use. */
void orrery_cores_bind(int index) {
    bool seen[CPU_SETSIZE] = {0};
    cpu_set_t core;
    int wanted = -1;
    CPU_ZERO(&core);
    for (int unit = 0; unit < CPU_SETSIZE; ++unit) {
        int first = cores.first[unit];
        if (first < 0)
            continue;
        if (!seen[first] && index-- == 0)
            wanted = first;
        seen[first] = true;
        if (first == wanted)
            CPU_SET(unit, &core);
    }
    if (CPU_COUNT(&core))
        sched_setaffinity(0, sizeof core, &core);
}
