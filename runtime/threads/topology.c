/* The one door to hwloc: how many cores this rank may use, and binding workers to them. */
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/threads/cores.h"

#include <hwloc.h>
#include <unistd.h>

/* `mine`: the processing units this rank may use.
 * `divided`: other ranks of the host use them too. */
static struct {
    hwloc_topology_t topology;
    hwloc_cpuset_t mine;
    int cores;
    bool divided;
} machine;

/* Where the kernel tells of cores, asking each of them by cpuid takes milliseconds for nothing. */
static void ask_kernel_only(void) {
    if (access("/sys/devices/system/cpu/cpu0/topology/core_id", R_OK) == 0)
        hwloc_topology_set_components(machine.topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                      "x86");
}

static void load(void) {
    if (hwloc_topology_init(&machine.topology))
        dsm_fail(1, "hwloc cannot look at this machine");
    ask_kernel_only();
    hwloc_topology_set_all_types_filter(machine.topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(machine.topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(machine.topology))
        dsm_fail(1, "hwloc cannot look at this machine");
    machine.mine = hwloc_bitmap_alloc();
    hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(machine.topology);
    if (hwloc_get_cpubind(machine.topology, machine.mine, HWLOC_CPUBIND_THREAD))
        hwloc_bitmap_copy(machine.mine, allowed);
    hwloc_bitmap_and(machine.mine, machine.mine, allowed);
    machine.divided = dsm_host_ranks() > 1 && hwloc_bitmap_isequal(machine.mine, allowed);
}

static int cores_in(hwloc_const_cpuset_t set) {
    int cores = 0, all = hwloc_get_nbobjs_by_type(machine.topology, HWLOC_OBJ_CORE);
    for (int i = 0; i < all; ++i)
        cores += hwloc_bitmap_intersects(
            hwloc_get_obj_by_type(machine.topology, HWLOC_OBJ_CORE, (unsigned)i)->cpuset, set);
    return cores ? cores : hwloc_bitmap_weight(set);
}

int orrery_topology_cores(void) {
    if (machine.cores)
        return machine.cores;
    if (dsm_host_ranks() == 1)
        machine.cores = orrery_cores_count();
    if (machine.cores)
        return machine.cores;
    load();
    machine.cores = cores_in(machine.mine);
    if (machine.divided)
        machine.cores /= dsm_host_ranks();
    if (machine.cores < 1)
        machine.cores = 1;
    return machine.cores;
}

/* The set's core number `index` as one set of processing units, SMT siblings together. */
static void core_at(int index, hwloc_cpuset_t out) {
    int all = hwloc_get_nbobjs_by_type(machine.topology, HWLOC_OBJ_CORE);
    for (int i = 0; i < all; ++i) {
        hwloc_obj_t core = hwloc_get_obj_by_type(machine.topology, HWLOC_OBJ_CORE, (unsigned)i);
        if (!hwloc_bitmap_intersects(core->cpuset, machine.mine) || index-- > 0)
            continue;
        hwloc_bitmap_and(out, core->cpuset, machine.mine);
        return;
    }
}

/* What of it needs no hwloc: this rank alone, on cores that the kernel has told. */
static void bind_alone(int mode, int worker, int workers) {
    if (mode != ORRERY_SWITCH_AUTO || (worker > 0 && workers == orrery_topology_cores()))
        orrery_cores_bind(worker % orrery_topology_cores());
}

/* Automatic binding only where it cannot put two busy threads on one core: one rank on the host, or
 * a rank with cores of its own, and no more workers than cores. Worker 0 is the user's own thread
 * and stays free to move. In a process that is not ours nothing is bound: there may be others like
 * it on these cores. */
void orrery_topology_bind(int worker, int workers) {
    int mode = orrery_env()->bind;
    bool asked = mode != ORRERY_SWITCH_AUTO;
    if (mode == ORRERY_SWITCH_OFF || workers < 2 || (dsm_is_guest() && !asked))
        return;
    if (!machine.topology) {
        bind_alone(mode, worker, workers);
        return;
    }
    if (mode == ORRERY_SWITCH_AUTO && (worker == 0 || workers > orrery_topology_cores() ||
                                       machine.divided || workers < cores_in(machine.mine)))
        return;
    hwloc_cpuset_t core = hwloc_bitmap_alloc();
    int offset = machine.divided ? dsm_host_rank() * machine.cores : 0;
    core_at((offset + worker) % cores_in(machine.mine), core);
    if (!hwloc_bitmap_iszero(core))
        hwloc_set_cpubind(machine.topology, core, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(core);
}
