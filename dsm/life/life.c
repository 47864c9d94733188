/* Start and end of the job, and the door through which it fails. */
#include "dsm/base/internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
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

const struct dsm_transport *dsm_transport = &dsm_transport_self;
/* Bytes that go as one message of the transport, whose counts may be ints; what long ones are cut
 * into under torture, and the transport's pieces then. */
#define MOST_PIECE (1UL << 30)
#define TORTURED_CHUNK 32749UL
#define TORTURED_PIECE 8191UL

struct dsm_world dsm_world = {.ranks = 1, .host_ranks = 1, .max_tag = 0x7fffffff};
bool dsm_sharing = true;
struct dsm_figures dsm_figures;

static _Thread_local struct dsm_context context = {NULL, -1, -1};
static atomic_int failing;
static bool started;
static atomic_bool forked;
static bool keep_addresses;
static unsigned torture;

void dsm_set_context(const char *where, long row, long column) {
    context.where = where;
    context.row = row;
    context.column = column;
}

const struct dsm_context *dsm_context_get(void) {
    return &context;
}

static void write_all(int file, const char *text, size_t bytes) {
    while (bytes > 0) {
        long written = dsm_clib_write(file, text, bytes);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
}

/* Ends all ranks; kills this one by alarm if the transport cannot. */
static _Noreturn void end_all(int status) {
    if (started && dsm_world.ranks > 1 && !dsm_forked()) {
        signal(SIGALRM, SIG_DFL);
        alarm(10);
        dsm_transport->end(status);
    }
    _exit(status);
}

static void fail_with(int status, const char *format, va_list arguments) {
    if (atomic_exchange(&failing, 1))
        for (;;)
            pause();
    char text[2048];
    int used = snprintf(text, sizeof text, "orrery: rank %d: ", dsm_world.rank);
    int more = vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    size_t length = (size_t)used + (more > 0 ? (size_t)more : 0);
    if (length > sizeof text - 2)
        length = sizeof text - 2;
    text[length++] = '\n';
    write_all(STDERR_FILENO, text, length);
    end_all(status);
}

void dsm_fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(status, format, arguments);
    va_end(arguments);
    _exit(status);
}

static void transport_failed(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(status, format, arguments);
    va_end(arguments);
}

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

/* How many processes the launcher says it started: 0 no launcher, -1 one that does not say. */
static int launcher_count(void) {
    int count = environment_count("OMPI_COMM_WORLD_SIZE");
    if (!count)
        count = environment_count("PMI_SIZE");
    if (!count)
        count = slurm_count();
    return count ? count : getenv("PMIX_RANK") || getenv("PMI_RANK") ? -1 : 0;
}

static void *module_open_in(const char *directory, size_t length, const char *name, char *why,
                            size_t why_size) {
    char path[4096];
    if (length == 0 ||
        snprintf(path, sizeof path, "%.*s/%s", (int)length, directory, name) >= (int)sizeof path) {
        return NULL;
    }
    if (access(path, F_OK) != 0)
        return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!module)
        snprintf(why, why_size, "%s", dlerror());
    return module;
}

/* Tries a colon-separated list of directories. */
static void *module_open_list(const char *list, const char *name, char *why, size_t why_size) {
    void *module = NULL;
    while (list && *list && !module) {
        size_t length = strcspn(list, ":");
        module = module_open_in(list, length, name, why, why_size);
        list += length + (list[length] == ':');
    }
    return module;
}

void *dsm_module_open(const char *name, char *why, size_t why_size) {
    *why = '\0';
    void *module = module_open_list(getenv("ORRERY_LIBDIR"), name, why, why_size);
    if (!module && !*why)
        module = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!module && !*why) {
        const char *beside = dlerror();
        module = module_open_list(ORRERY_LIBDIRS, name, why, why_size);
        if (!module && !*why)
            snprintf(why, why_size, "%s", beside ? beside : "not found");
    }
    return module;
}

static const struct dsm_transport *mpi_load(void) {
    char why[1024];
    void *module = dsm_module_open(DSM_TRANSPORT_MPI_MODULE, why, sizeof why);
    if (!module) {
        dsm_fail(DSM_STATUS_ERROR,
                 "several ranks were asked for, but the MPI module %s cannot be loaded: %s; set "
                 "ORRERY_LIBDIR to the directory that has it, or run without a launcher",
                 DSM_TRANSPORT_MPI_MODULE, why);
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

void dsm_torture(unsigned seed) {
    torture = seed;
}

size_t dsm_chunk(size_t usual) {
    return torture && usual > TORTURED_CHUNK ? TORTURED_CHUNK : usual;
}

void dsm_keep_addresses(void) {
    keep_addresses = true;
}

bool dsm_is_over(void) {
    return !started;
}

/* A child has rank 0's memory and no other rank to ask. */
static void forks(void) {
    if (!dsm_forked())
        dsm_homes_collect();
}

static void is_child(void) {
    atomic_store(&forked, true);
}

bool dsm_forked(void) {
    return atomic_load(&forked);
}

void dsm_start(const char *transport) {
    if (started)
        dsm_fail(DSM_STATUS_ERROR, "dsm_start: called twice");
    started = true;
    dsm_transport = transport_choose(transport);
    if (torture)
        dsm_transport = dsm_transport_delayed(dsm_transport, torture);
    dsm_world.fail = transport_failed;
    dsm_world.piece = torture ? TORTURED_PIECE : MOST_PIECE;
    dsm_transport->start(&dsm_world);
    dsm_broadcast_start(torture);
    if (dsm_world.ranks > 1)
        dsm_command_start();
    if (dsm_world.ranks > 1 || keep_addresses)
        dsm_reservation_start();
    dsm_fault_start();
    if (pthread_atfork(forks, NULL, is_child))
        dsm_fail(DSM_STATUS_ERROR, "cannot register what fork does");
}

void dsm_finish(void) {
    if (!started || dsm_forked())
        return;
    if (dsm_world.ranks > 1)
        dsm_command_finish();
    dsm_transport->finish();
    started = false;
}

int dsm_rank(void) {
    return dsm_world.rank;
}

int dsm_ranks(void) {
    return dsm_world.ranks;
}

void dsm_share_pages(bool share) {
    dsm_sharing = share;
}

void dsm_direct_allow(bool allow) {
    dsm_world.direct = allow;
}

bool dsm_direct(void) {
    return dsm_world.ranks > 1 && dsm_world.direct;
}

int dsm_host_rank(void) {
    return dsm_world.host_rank;
}

int dsm_host_ranks(void) {
    return dsm_world.host_ranks;
}

void dsm_counters_get(struct dsm_counters *counters) {
    counters->messages = atomic_load(&dsm_figures.messages);
    counters->bytes_sent = atomic_load(&dsm_figures.bytes_sent);
    counters->bytes_far = atomic_load(&dsm_figures.bytes_far);
    counters->bytes_received = atomic_load(&dsm_figures.bytes_received);
    counters->faults = atomic_load(&dsm_figures.faults);
    counters->collects = atomic_load(&dsm_figures.collects);
    counters->distributes = atomic_load(&dsm_figures.distributes);
    counters->wait_seconds = 1e-9 * (double)atomic_load(&dsm_figures.wait_nanoseconds);
}
