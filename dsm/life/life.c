/* Start and end of the job. */
#include "dsm/arrays/array.h"
#include "dsm/interception/fault.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Where the modules may be when neither $ORRERY_LIBDIR nor the folder that the program was linked
 * with has them: colon-separated. */
#ifndef ORRERY_LIBDIRS
#define ORRERY_LIBDIRS "/usr/local/lib/orrery:/usr/lib/orrery"
#endif

/* Bytes that go as one message of the transport, whose counts may be ints; under torture. */
#define MOST_PIECE (1UL << 30)
#define TORTURED_PIECE 8191UL

/* A whole number > 0 from the environment, 0 when absent or not one. */
static int environment_count(const char *name) {
    const char *text = getenv(name);
    if (!text || !*text)
        return 0;
    char *end;
    long value = strtol(text, &end, 10);
    return *end || value < 0 || value > 0x7fffffff ? 0 : (int)value;
}

/* Tasks of an srun step; a batch script has SLURM_NTASKS too, but is no step. */
static int slurm_count(void) {
    if (!getenv("SLURM_PROCID") || (getenv("SLURM_JOB_ID") && !getenv("SLURM_STEP_ID")))
        return 0;
    int step = environment_count("SLURM_STEP_NUM_TASKS");
    return step ? step : environment_count("SLURM_NTASKS");
}

/* How many processes the launcher says it dsm_job.started: 0 no launcher, -1 one that does not
 * say. */
static int launcher_count(void) {
    int count = environment_count("OMPI_COMM_WORLD_SIZE");
    if (!count)
        count = environment_count("PMI_SIZE");
    if (!count)
        count = slurm_count();
    return count ? count : getenv("PMIX_RANK") || getenv("PMI_RANK") ? -1 : 0;
}

static void *module_open_in(const char *directory, size_t length, const char *name,
                            struct dsm_status *status) {
    char path[4096];
    if (length == 0 ||
        snprintf(path, sizeof path, "%.*s/%s", (int)length, directory, name) >= (int)sizeof path)
        return NULL;
    if (access(path, F_OK) != 0)
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!module)
        dsm_status_fail(status, "%s", dlerror());
    return module;
}

/* Tries a colon-separated list of directories. */
static void *module_open_list(const char *list, const char *name, struct dsm_status *status) {
    void *module = NULL;
    while (list && *list && !module) {
        size_t length = strcspn(list, ":");
        module = module_open_in(list, length, name, status);
        list += length + (list[length] == ':');
    }
    return module;
}

void *dsm_module_open(const char *name, struct dsm_status *status) {
    void *module = module_open_list(getenv("ORRERY_LIBDIR"), name, status);
    if (!module && !status->failed)
        module = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!module && !status->failed) {
        const char *beside = dlerror();
        module = module_open_list(ORRERY_LIBDIRS, name, status);
        if (!module)
            dsm_status_fail(status, "%s", beside ? beside : "not found");
    }
    return module;
}

/* Was this process started by MPICH's launcher (Hydra)? */
static bool launched_by_mpich(void) {
    return getenv("MPI_LOCALNRANKS") && getenv("PMI_RANK") && !getenv("OMPI_COMM_WORLD_SIZE");
}

static const struct dsm_transport *mpi_load(void) {
    struct dsm_status status = {0};
    void *module =
        launched_by_mpich() ? dsm_module_open(DSM_TRANSPORT_MPICH_MODULE, &status) : NULL;
    if (!module) {
        status = (struct dsm_status){0};
        module = dsm_module_open(DSM_TRANSPORT_MPI_MODULE, &status);
    }
    if (!module) {
        dsm_fail(DSM_STATUS_ERROR,
                 "several ranks were asked for, but the MPI module %s cannot be loaded: %s; set "
                 "ORRERY_LIBDIR to the directory that has it, or run without a launcher",
                 DSM_TRANSPORT_MPI_MODULE, status.why);
    }
    const struct dsm_transport *table = dlsym(module, DSM_TRANSPORT_MPI_SYMBOL);
    if (!table) {
        dsm_fail(DSM_STATUS_ERROR,
                 "the MPI module %s is of another version than this program was built with (no "
                 "symbol %s): build the program again, or set ORRERY_LIBDIR to the directory that "
                 "has its module",
                 DSM_TRANSPORT_MPI_MODULE, DSM_TRANSPORT_MPI_SYMBOL);
    }
    return table;
}

int dsm_launched(void) {
    return launcher_count();
}

static const struct dsm_transport *transport_choose(const char *name) {
    int launched = launcher_count();
    dsm_world.expected_ranks = launched > 0 ? launched : 0;
    if (strcmp(name, "self") == 0)
        return &dsm_transport_self;
    if (strcmp(name, "mpi") == 0)
        return mpi_load();
    if (strcmp(name, "auto") != 0)
        dsm_fail(DSM_STATUS_ERROR, "unknown transport \"%s\": auto, self or mpi", name);
    return launched > 1 || launched < 0 ? mpi_load() : &dsm_transport_self;
}

/* What the rooms below do about the commands of the dsm itself. */
static const struct dsm_own_handlers own_handlers = {
    .forgotten = dsm_heap_forgotten,
    .serve =
        {
            [-DSM_OP_COLLECT] = dsm_home_serve,
            [-DSM_OP_FORGET] = dsm_heap_forget_serve,
            [-DSM_OP_FETCH] = dsm_place_serve,
            [-DSM_OP_ASK] = dsm_ask_serve,
            [-DSM_OP_WINDOW] = dsm_window_serve,
            [-DSM_OP_PEEK] = dsm_window_peek_serve,
        },
};

/* A child has rank 0's memory and no other rank to ask. */
static void forks(void) {
    if (!dsm_forked())
        dsm_homes_collect();
}

void dsm_before_fork(void) {
    forks();
}

static void is_child(void) {
    atomic_store(&dsm_job.forked, true);
}

void dsm_start(const char *transport) {
    if (dsm_job.started)
        dsm_fail(DSM_STATUS_ERROR, "dsm_start: called twice");
    dsm_job.started = true;
    dsm_transport = transport_choose(transport);
    if (dsm_job.torture)
        dsm_transport = dsm_transport_delayed(dsm_transport, dsm_job.torture);
    dsm_world.fail = dsm_transport_failed;
    dsm_job.end = dsm_transport->end;
    dsm_world.piece = dsm_job.torture ? TORTURED_PIECE : MOST_PIECE;
    dsm_transport->start(&dsm_world);
    dsm_program_check();
    dsm_broadcast_start();
    if (dsm_world.ranks > 1)
        dsm_command_start(&own_handlers);
    if (dsm_world.ranks > 1 || dsm_job.keep_addresses)
        dsm_reservation_start();
    if (!dsm_job.guest)
        dsm_fault_start();
    if (pthread_atfork(forks, NULL, is_child))
        dsm_fail(DSM_STATUS_ERROR, "cannot register what fork does");
}

void dsm_finish(void) {
    if (!dsm_job.started || dsm_forked())
        return;
    if (dsm_world.ranks > 1)
        dsm_command_finish();
    atomic_store(&dsm_job.doing.peer, DSM_ALL);
    dsm_transport->finish();
    dsm_job.started = false;
}
