/* In the place of runtime/threads/topology.c where there is no hwloc: cores are counted, nothing is
 * bound.
 */
#include "runtime/threads/workers.h"

#include <unistd.h>

int orrery_topology_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

void orrery_topology_bind(int worker, int workers) {
    (void)worker;
    (void)workers;
}
