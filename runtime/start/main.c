/*
 * The program's main, wrapped at link time (--wrap=main): rank 0 runs the user's main exactly once,
 * the other ranks serve. The job ends in an atexit handler, so exit() from anywhere keeps its
 * status.
 */
#define _GNU_SOURCE
#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/checkpoint/checkpoint.h"
#include "runtime/checkpoint/stack.h"
#include "runtime/execute/needs.h"
#include "runtime/region/state.h"
#include "runtime/report/links.h"
#include "runtime/share/sharing.h"
#include "runtime/start/driver.h"
#include "runtime/start/guest.h"
#include "runtime/start/machine.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of each megabyte that a rank may have, bytes for the program's arrays; the rest is for tables and
 * buffers. */
#define ARRAYS_BYTES 750000UL

int __real_main(int argc, char **argv, char **environment);
/* What the kernel would kill for is not to be had. */
static long memory_start(void) {
    long wanted = orrery_env()->memory;
    bool beside = dsm_launched() || orrery_env()->spill;
    long most = orrery_machine_most(wanted, beside ? ORRERY_BESIDE : 0);
    orrery_env_memory(most);
    return wanted;
}

static void memory_say(long wanted) {
    if (dsm_rank() == 0 && orrery_env()->memory < wanted)
        fprintf(stderr,
                "orrery: of %ld MB (ORRERY_MEMORY) a rank can have %ld: its memory group has no "
                "more\n",
                wanted, orrery_env()->memory);
}

int __wrap_main(int argc, char **argv, char **environment);

/* A rank above 0 that leaves the server in an orderly way has been told to. */
static bool served;

/* On one rank another thread, or a handler of a signal, may end the program while a loop runs: then
 * it ends as it wants to, without figures. */
void orrery_leave(int status, void *unused) {
    (void)unused;
    if (dsm_forked())
        return;
    if (dsm_rank() == 0 || !served)
        orrery_heartbeat_ended(ORRERY_ENDED_EXIT, status);
    if (dsm_ranks() == 1 && orrery_region_active())
        return;
    if (dsm_rank() == 0 && orrery_region_active())
        dsm_fail(status ? status : 1, "exit(%d) inside of a parallel loop", status);
    if (dsm_rank() != 0 && !served)
        dsm_fail(status ? status : 1, "exit(%d) inside of a parallel loop", status);
    orrery_heartbeat_phase(ORRERY_PHASE_END);
    if (dsm_rank() == 0) {
        orrery_driver_end();
        orrery_checkpoint_end(status);
    }
    dsm_finish();
    orrery_heartbeat_over();
}

/* Every rank has read the environment; one of them says what is wrong. */
static _Noreturn void refuse(const char *message) {
    if (dsm_rank() != 0)
        usleep(300000);
    dsm_fail(2, "%s", message);
}

/* With several ranks rank 0's windows have a half of what it may have of arrays. */
static size_t spill_budget(size_t budget) {
    if (dsm_ranks() == 1 && !budget)
        return orrery_machine_bytes() / 4 * 3;
    return dsm_ranks() > 1 && dsm_rank() == 0 ? budget - budget / 2 : budget;
}

static void spill_start(size_t budget) {
    if (dsm_ranks() > 1 && !budget)
        refuse("ORRERY_SPILL with several ranks needs ORRERY_MEMORY: how much each of them may "
               "have");
    bool evict = orrery_env()->evict;
    dsm_spill_named_by(orrery_needs_name);
    dsm_spill_start(orrery_env()->spill, spill_budget(evict ? 0 : budget), evict);
}

int __wrap_main(int argc, char **argv, char **environment) {
    char message[1024];
    int wrong = orrery_env_read(message, sizeof message);
    dsm_share_pages(orrery_env()->shared);
    long wanted = memory_start();
    size_t budget = orrery_env()->evict ? SIZE_MAX : (size_t)orrery_env()->memory * ARRAYS_BYTES;
    dsm_budget(orrery_env()->spill ? budget - budget / 2 : budget, orrery_env()->evict);
    dsm_direct_allow(orrery_env()->gpu_direct);
    if (orrery_checkpoint_wanted())
        dsm_keep_addresses();
    dsm_torture((unsigned)orrery_env()->torture);
    dsm_torture_allocation((unsigned long)orrery_env()->fails, (int)orrery_env()->fails_on);
    if (!wrong)
        orrery_heartbeat_start();
    dsm_start(orrery_env_transport());
    if (wrong)
        refuse(message);
    memory_say(wanted);
    if (orrery_env()->replay && dsm_ranks() > 1)
        refuse("ORRERY_REPLAY runs on one rank; start the program without a launcher");
    if (orrery_env()->spill)
        spill_start(budget);
    if (!dsm_on_exit(orrery_leave))
        dsm_fail(1, "cannot register the end of the run");
    orrery_driver_start();
    dsm_answer_by(orrery_command_answer);
    orrery_links_measure();
    orrery_heartbeat_up();
    if (orrery_checkpoint_wanted())
        orrery_checkpoint_start(argc, argv);
    if (dsm_rank() == 0 && orrery_checkpoint_wanted())
        return orrery_stack_run(__real_main, argc, argv, environment);
    if (dsm_rank() == 0)
        return __real_main(argc, argv, environment);
    dsm_serve(orrery_command_serve, NULL);
    served = true;
    return 0;
}
