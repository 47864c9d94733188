#define _GNU_SOURCE
#include "runtime/threads/cores.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `first`: by processing unit that this thread may use, the least number of its siblings, or -1. */
static struct {
    int count; /* of cores, 0: nobody has asked */
    int first[CPU_SETSIZE];
    int share;    /* of them this rank's, 0: nobody has asked */
    bool divided; /* other ranks of the host may use them, too */
} cores;

/* Lists of processing units are in ascending order: "0,64", "2-3". */
static int first_sibling(int unit) {
    char name[80];
    snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
             unit);
    FILE *file = fopen(name, "re");
    int first = -1;
    if (!file)
        return unit;
    if (fscanf(file, "%d", &first) != 1 || first < 0 || first >= CPU_SETSIZE)
        first = unit;
    fclose(file);
    return first;
}

static int count_cores(void) {
    cpu_set_t mine;
    bool seen[CPU_SETSIZE] = {0};
    int count = 0;
    if (sched_getaffinity(0, sizeof mine, &mine)) {
        memset(cores.first, -1, sizeof cores.first);
        long units = sysconf(_SC_NPROCESSORS_ONLN);
        return units > 0 ? (int)units : 1;
    }
    for (int unit = 0; unit < CPU_SETSIZE; ++unit) {
        cores.first[unit] = CPU_ISSET(unit, &mine) ? first_sibling(unit) : -1;
        if (cores.first[unit] >= 0 && !seen[cores.first[unit]]) {
            seen[cores.first[unit]] = true;
            ++count;
        }
    }
    return count;
}

int orrery_cores_count(void) {
    if (!cores.count)
        cores.count = count_cores();
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

/* Nobody has given this process less than its control group has: of all units that are asked for the
 * kernel leaves out what the group may not use (cpuset(7)). */
static bool has_all_units(void) {
    cpu_set_t mine, all;
    if (sched_getaffinity(0, sizeof mine, &mine))
        return true;
    memset(&all, 0xff, sizeof all);
    bool asked = sched_setaffinity(0, sizeof all, &all) == 0;
    bool equal = !asked || sched_getaffinity(0, sizeof all, &all) || CPU_EQUAL(&mine, &all);
    sched_setaffinity(0, sizeof mine, &mine);
    return equal;
}

int orrery_rank_cores(void) {
    if (cores.share)
        return cores.share;
    int all = orrery_cores_count(), ranks = dsm_host_ranks();
    cores.divided = ranks > 1 && has_all_units();
    cores.share = cores.divided ? all / ranks : all;
    cores.share = cores.share < 1 ? 1 : cores.share;
    return cores.share;
}

/* Automatic binding only where it cannot put two busy threads on one core: one rank on the host, or
 * a rank with cores of its own, and no more workers than cores. Worker 0 is the user's own thread
 * and stays free to move. In a process that is not ours nothing is bound: there may be others like
 * it on these cores. */
void orrery_rank_bind(int worker, int workers) {
    int mode = orrery_env()->bind, own = orrery_rank_cores();
    bool automatic = mode == ORRERY_SWITCH_AUTO;
    if (mode == ORRERY_SWITCH_OFF || workers < 2 || (dsm_is_guest() && automatic) ||
        (automatic && (worker == 0 || workers != own || cores.divided)))
        return;
    orrery_cores_bind(((cores.divided ? dsm_host_rank() * own : 0) + worker) %
                      orrery_cores_count());
}
