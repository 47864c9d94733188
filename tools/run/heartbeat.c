#define _GNU_SOURCE
#include "tools/run/heartbeat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void path_of(const struct heartbeats *heartbeats, int rank, char path[4096]) {
    snprintf(path, 4096, "%s/rank-%d", heartbeats->folder, rank);
}

static void clear(const struct heartbeats *heartbeats) {
    char path[4096];
    for (int rank = 0; rank < heartbeats->ranks; ++rank) {
        path_of(heartbeats, rank, path);
        unlink(path);
    }
}

/* A file for each rank with its place on the disk: none is found full when ranks write there. */
static int make(const struct heartbeats *heartbeats) {
    char path[4096];
    int error = 0;
    for (int rank = 0; rank < heartbeats->ranks && error == 0; ++rank) {
        path_of(heartbeats, rank, path);
        int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        error = file < 0 ? errno : posix_fallocate(file, 0, sizeof *heartbeats->last);
        if (file >= 0)
            close(file);
    }
    return error;
}

/* `ulimit -f` is an error here, not a signal. */
static int make_quietly(const struct heartbeats *heartbeats) {
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &before);
    int error = make(heartbeats);
    sigaction(SIGXFSZ, &before, NULL);
    return error;
}

void heartbeats_start(struct heartbeats *heartbeats, const char *folder, long ranks, bool here) {
    size_t count = ranks > 0 ? (size_t)ranks : 1;
    *heartbeats = (struct heartbeats){.folder = folder, .ranks = (int)count, .here = here};
    heartbeats->last = calloc(count, sizeof *heartbeats->last);
    heartbeats->since = calloc(count, sizeof *heartbeats->since);
    heartbeats->work = calloc(count, sizeof *heartbeats->work);
    heartbeats->worked = calloc(count, sizeof *heartbeats->worked);
    int error = !heartbeats->last || !heartbeats->since || !heartbeats->work || !heartbeats->worked
                    ? ENOMEM
                : mkdir(folder, 0700) != 0 && errno != EEXIST ? errno
                                                              : 0;
    if (error == 0) {
        clear(heartbeats);
        error = make_quietly(heartbeats);
    }
    if (error == 0)
        return;
    fprintf(stderr, "orrery run: ranks cannot be watched: no room in %s: %s\n", folder,
            strerror(error));
    clear(heartbeats);
    rmdir(folder);
    heartbeats->ranks = 0;
}

void heartbeats_end(struct heartbeats *heartbeats) {
    clear(heartbeats);
    rmdir(heartbeats->folder);
    free(heartbeats->last);
    free(heartbeats->since);
    free(heartbeats->work);
    free(heartbeats->worked);
    *heartbeats = (struct heartbeats){0};
}

static bool heartbeat_read(const struct heartbeats *heartbeats, int rank,
                           struct orrery_heartbeat *heartbeat) {
    char path[4096];
    path_of(heartbeats, rank, path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = pread(file, heartbeat, sizeof *heartbeat, 0);
    close(file);
    heartbeat->host[sizeof heartbeat->host - 1] = heartbeat->where[sizeof heartbeat->where - 1] =
        '\0';
    return got == sizeof *heartbeat && heartbeat->magic == ORRERY_HEARTBEAT_MAGIC;
}

/* Process numbers mean something on this machine only. */
static bool is_here(const struct orrery_heartbeat *heartbeat) {
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    return strcmp(host, heartbeat->host) == 0;
}

/* Gone, or waiting to be reaped. */
static bool is_gone(const struct orrery_heartbeat *heartbeat) {
    char path[64], text[512];
    if (!is_here(heartbeat))
        return false;
    snprintf(path, sizeof path, "/proc/%u/stat", heartbeat->pid);
    FILE *in = fopen(path, "r");
    if (!in)
        return true;
    size_t got = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[got] = '\0';
    const char *state = strrchr(text, ')');
    return !state || state[1] == '\0' || state[2] == 'Z' || state[2] == 'X';
}

void heartbeats_read(struct heartbeats *heartbeats, double now) {
    for (int rank = 0; rank < heartbeats->ranks; ++rank) {
        struct orrery_heartbeat heartbeat;
        if (!heartbeat_read(heartbeats, rank, &heartbeat))
            continue;
        if (heartbeat.beat != heartbeats->last[rank].beat || heartbeats->since[rank] == 0)
            heartbeats->since[rank] = now;
        if (heartbeat.work > heartbeats->work[rank] + HEARTBEAT_WORK ||
            heartbeat.phase != heartbeats->last[rank].phase || heartbeats->worked[rank] == 0) {
            heartbeats->work[rank] = heartbeat.work;
            heartbeats->worked[rank] = now;
        }
        heartbeats->last[rank] = heartbeat;
        heartbeats->finished |= rank == 0 && heartbeat.phase == ORRERY_PHASE_OVER;
    }
}

/* Rank 0 for a disk, a terminal, a pipe; behind the end it writes the rest of its output. */
static bool may_wait(int rank, uint32_t phase) {
    return rank == 0 && (phase == ORRERY_PHASE_SERIAL || phase == ORRERY_PHASE_CHECKPOINT ||
                         phase == ORRERY_PHASE_OVER);
}

static enum heartbeat_loss loss_of(const struct heartbeats *heartbeats, int rank, double now) {
    if (heartbeats->since[rank] == 0)
        return heartbeats->here && now - heartbeats->started > HEARTBEAT_START ? HEARTBEAT_NOT_UP
                                                                               : HEARTBEAT_NO_LOSS;
    const struct orrery_heartbeat *last = &heartbeats->last[rank];
    bool over = heartbeats->finished || last->phase == ORRERY_PHASE_OVER;
    if (is_gone(last) || (over && !is_here(last)))
        return over ? HEARTBEAT_NO_LOSS : HEARTBEAT_DEAD;
    if (now - heartbeats->since[rank] > HEARTBEAT_SILENCE)
        return HEARTBEAT_SILENT;
    bool hangs = !may_wait(rank, last->phase) && heartbeats->worked[rank] > 0 &&
                 now - heartbeats->worked[rank] > HEARTBEAT_SILENCE;
    return hangs ? HEARTBEAT_HANGS : HEARTBEAT_NO_LOSS;
}

static int lost_first(const struct heartbeats *heartbeats, double now, enum heartbeat_loss *loss) {
    *loss = HEARTBEAT_NO_LOSS;
    for (int rank = 0; rank < heartbeats->ranks; ++rank)
        if ((*loss = loss_of(heartbeats, rank, now)) != HEARTBEAT_NO_LOSS)
            return rank;
    return -1;
}

/* Who is gone is looked for again in heartbeats that were read after it went: its own and rank 0's
 * may have come to say that it was in order. */
int heartbeats_look(struct heartbeats *heartbeats, double now, enum heartbeat_loss *loss) {
    heartbeats->started = heartbeats->started > 0 ? heartbeats->started : now;
    heartbeats_read(heartbeats, now);
    if (lost_first(heartbeats, now, loss) < 0)
        return -1;
    heartbeats_read(heartbeats, now);
    return lost_first(heartbeats, now, loss);
}

static const char *phase_text(unsigned phase) {
    static const char *const texts[] = {
        "in the program's own code",
        "inspecting the data",
        "in a pass",
        "merging",
        "writing a checkpoint",
        "between two passes",
        "at the end of it",
        "after the end of it",
    };
    return phase < sizeof texts / sizeof *texts ? texts[phase] : "somewhere";
}

bool heartbeats_ended(const struct heartbeats *heartbeats, int rank, int *status) {
    if (rank < 0 || rank >= heartbeats->ranks || !heartbeats->last[rank].ended)
        return false;
    *status = heartbeats->last[rank].status & 255;
    return true;
}

void heartbeats_describe(const struct heartbeats *heartbeats, int rank, char *text, size_t size) {
    const struct orrery_heartbeat *heartbeat =
        rank < heartbeats->ranks ? &heartbeats->last[rank] : NULL;
    if (!heartbeat || heartbeat->magic != ORRERY_HEARTBEAT_MAGIC) {
        snprintf(text, size, "rank %d", rank);
        return;
    }
    int used = snprintf(text, size, "rank %d on %s, %s", rank, heartbeat->host,
                        phase_text(heartbeat->phase));
    const struct orrery_heartbeat *leader = &heartbeats->last[0];
    if (heartbeat->where[0])
        used += snprintf(text + used, size - (size_t)used, ", loop %s", heartbeat->where);
    if (leader->pass > 0)
        used += snprintf(text + used, size - (size_t)used, ", pass %ld", (long)leader->pass);
    if (heartbeat->row >= 0)
        snprintf(text + used, size - (size_t)used, ", block (%ld, %ld)", (long)heartbeat->row,
                 (long)heartbeat->column);
}
