/* The job as this process sees it, and the door through which it fails. */
#include "dsm/base/base.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* What long messages are cut into under torture. */
#define TORTURED_CHUNK 32749UL

struct dsm_world dsm_world = {.ranks = 1, .host_ranks = 1, .max_tag = 0x7fffffff};
struct dsm_job dsm_job = {.sharing = true, .one_copy = true};

static _Thread_local struct dsm_context context = {NULL, -1, -1};

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

/* Seconds that the transport has to end the job: less than a rank may hang. */
enum { END_SECONDS = 2 };

static volatile sig_atomic_t end_status;

static void end_alone(int number) {
    (void)number;
    _exit(end_status);
}

static void end_alone_later(int status) {
    sigset_t alarms;
    end_status = status;
    signal(SIGALRM, end_alone);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(END_SECONDS);
}

/* Ends all ranks. Where the transport cannot, for want of memory for example, this one ends alone, and
 * the launcher ends the others. */
static _Noreturn void end_all(int status) {
    if (dsm_job.started && dsm_world.ranks > 1 && !dsm_forked()) {
        end_alone_later(status);
        dsm_job.end(status);
    }
    _exit(status);
}

static void fail_with(int status, const char *format, va_list arguments) {
    if (atomic_exchange(&dsm_job.failing, 1))
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

void dsm_at_fail(void (*tell)(int status)) {
    dsm_job.at_fail = tell;
}

void dsm_fail(int status, const char *format, ...) {
    va_list arguments;
    if (dsm_job.at_fail)
        dsm_job.at_fail(status);
    va_start(arguments, format);
    fail_with(status, format, arguments);
    va_end(arguments);
    _exit(status);
}

void dsm_transport_failed(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(status, format, arguments);
    va_end(arguments);
}

static void context_write(char *text, size_t size) {
    int used = snprintf(text, size, " at %s", context.where ? context.where : "an unknown place");
    if (context.row >= 0 && used > 0 && (size_t)used < size) {
        snprintf(text + used, size - (size_t)used, ", block (%ld, %ld)", context.row,
                 context.column);
    }
}

void dsm_fault_report(const char *address, bool write, const char *what) {
    char where[512];
    context_write(where, sizeof where);
    dsm_fail(DSM_STATUS_FAULT, "%s %s (address %p)%s", write ? "write to" : "read of", what,
             (const void *)address, where);
}

bool dsm_is_over(void) {
    return !dsm_job.started;
}

bool dsm_forked(void) {
    return atomic_load(&dsm_job.forked);
}

void dsm_torture(unsigned seed) {
    dsm_job.torture = seed;
}

size_t dsm_chunk(size_t usual) {
    return dsm_job.torture && usual > TORTURED_CHUNK ? TORTURED_CHUNK : usual;
}

void dsm_guest(void) {
    dsm_job.guest = true;
}

bool dsm_is_guest(void) {
    return dsm_job.guest;
}

void dsm_keep_addresses(void) {
    dsm_job.keep_addresses = true;
}

int dsm_rank(void) {
    return dsm_world.rank;
}

int dsm_ranks(void) {
    return dsm_world.ranks;
}

void dsm_share_pages(bool share) {
    dsm_job.sharing = dsm_job.one_copy = share;
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

void dsm_activity_get(struct dsm_activity *activity) {
    activity->steps = atomic_load(&dsm_job.doing.steps);
    activity->asked = atomic_load(&dsm_job.doing.asked);
    activity->peer = atomic_load(&dsm_job.doing.peer);
}

void dsm_counters_get(struct dsm_counters *counters) {
    counters->messages = atomic_load(&dsm_job.figures.messages);
    counters->bytes_sent = atomic_load(&dsm_job.figures.bytes_sent);
    counters->bytes_far = atomic_load(&dsm_job.figures.bytes_far);
    counters->bytes_received = atomic_load(&dsm_job.figures.bytes_received);
    counters->faults = atomic_load(&dsm_job.figures.faults);
    counters->collects = atomic_load(&dsm_job.figures.collects);
    counters->distributes = atomic_load(&dsm_job.figures.distributes);
    counters->wait_seconds = 1e-9 * (double)atomic_load(&dsm_job.figures.wait_nanoseconds);
}

/* mallopt(3): without a fixed threshold the C library keeps what was large and is free. */
void dsm_budget(size_t bytes, bool evict_all) {
    dsm_job.budget = bytes;
    dsm_job.evict = evict_all;
    if (bytes) {
        dsm_job.sharing = false;
        mallopt(M_MMAP_THRESHOLD, 256 << 10);
        mallopt(M_TRIM_THRESHOLD, 1 << 20);
    }
}
