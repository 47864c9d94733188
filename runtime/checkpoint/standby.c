#include "runtime/checkpoint/standby.h"

#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"

#include "dsm/dsm.h"

#include <time.h>

enum { STATUS_REFUSED = 78, LOOK_NANOSECONDS = 1000000 };

static bool stands_by;

/* The other job is at its passes, and this one's beginning would undo what it has written since. */
static void changes(const char *path) {
    dsm_fail(STATUS_REFUSED,
             "the program writes files, or starts commands, before its loop over passes ('%s'): it "
             "cannot stand by (--standby) while another uses them [ORR9212]",
             path);
}

bool orrery_standby(void) {
    return stands_by;
}

void orrery_standby_start(void) {
    stands_by = orrery_env()->standby && orrery_heartbeat;
    if (stands_by)
        dsm_on_change(changes);
}

bool orrery_standby_wait(bool (*stops)(void)) {
    if (!stands_by)
        return false;
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_STANDBY);
    while (orrery_heartbeat_ranks() == 0 && !stops())
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NANOSECONDS}, NULL);
    orrery_heartbeat_phase(phase);
    dsm_on_change(NULL);
    stands_by = false;
    return true;
}
