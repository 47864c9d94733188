#define _GNU_SOURCE
#include "runtime/checkpoint/checkpoint.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/checkpoint/files.h"
#include "runtime/checkpoint/stack.h"
#include "runtime/checkpoint/standby.h"
#include "runtime/checkpoint/state.h"
#include "runtime/checkpoint/writer.h"
#include "runtime/load/store.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_STOPPED = 75, STATUS_REFUSED = 78 };

int orrery_ckpt_points_wanted;

/* The checkpoint points of this program (emitted text puts their addresses there). */
extern struct orrery_ckpt_point *const __start_orrery_ckpt_points[] __attribute__((weak));
extern struct orrery_ckpt_point *const __stop_orrery_ckpt_points[] __attribute__((weak));

static struct {
    const char *folder;
    char *run;                    /* orrery_manifest_run */
    struct orrery_saved *pending; /* what the run goes on from, once its loop is reached */
    long last, whole; /* numbers of the newest file and of the newest whole one, 0 = none */
    long pass;        /* of the last one written by this run, or of its beginning, */
    double time;      /* and when that was */
    pid_t process;    /* the one that began; its children save nothing */
    atomic_int stop;  /* the signal that asked for the end, 0 = none */
    bool unprotected; /* the last one that was due could not be written, and this was said */
    bool alone;       /* a child that wrote one was lost: they are written here from now on */
    struct {
        long pass;   /* in front of which; 0: a child writes none */
        double time; /* when it began */
        double next; /* from when on one may write the next */
    } writing;
} checkpoint;

bool orrery_checkpoint_wanted(void) {
    return orrery_env()->checkpoint != NULL;
}

/* ---- the start ------------------------------------------------------------------------------- */

static void stop_soon(int number) {
    atomic_store(&checkpoint.stop, number);
}

static void signals_start(void) {
    struct sigaction action = {.sa_handler = stop_soon, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
}

/* Some loop of the program can be saved. */
static void ckpt_points_check(void) {
    const struct orrery_ckpt_point *refused = NULL;
    for (struct orrery_ckpt_point *const *ckpt_point = __start_orrery_ckpt_points;
         ckpt_point < __stop_orrery_ckpt_points; ++ckpt_point) {
        if (!(*ckpt_point)->why)
            return;
        refused = *ckpt_point;
    }
    if (refused)
        dsm_fail(2, "%s:%d: this loop over passes cannot be saved: %s", refused->file,
                 refused->line, refused->why);
    dsm_fail(2, "--checkpoint: the program has no loop over passes, a serial loop that runs marked "
                "ones");
}

/* The newest checkpoint that is whole. */
static void pending_find(void) {
    char path[ORRERY_PATH];
    long number = LONG_MAX, refused = 0;
    while ((number = orrery_files_newest(checkpoint.folder, number)) > 0) {
        checkpoint.last = checkpoint.last ? checkpoint.last : number;
        orrery_files_path(checkpoint.folder, number, path);
        struct dsm_status status = {0};
        if (orrery_files_check(path, &status)) {
            checkpoint.whole = number;
            checkpoint.pending = orrery_saved_open(path, checkpoint.run);
            fprintf(stderr, "orrery: going on from %s: %s\n", path,
                    orrery_saved_where(checkpoint.pending));
            return;
        }
        fprintf(stderr, "orrery: checkpoint %s refused: %s\n", path, status.why);
        ++refused;
    }
    if (refused)
        dsm_fail(STATUS_REFUSED,
                 "none of the %ld checkpoints in %s is whole; to begin from the start say "
                 "--from-scratch",
                 refused, checkpoint.folder);
}

void orrery_checkpoint_start(int argc, char **argv) {
    signals_start();
    if (dsm_rank() != 0)
        return;
    ckpt_points_check();
    orrery_stack_make();
    orrery_store();
    checkpoint.process = getpid();
    orrery_files_start(orrery_env()->checkpoint);
    checkpoint.folder = realpath(orrery_env()->checkpoint, NULL);
    if (!checkpoint.folder)
        checkpoint.folder = orrery_env()->checkpoint;
    if (!orrery_env()->heartbeat)
        orrery_files_lock(checkpoint.folder);
    checkpoint.time = orrery_clock();
    checkpoint.run = orrery_manifest_run(argc, argv);
    orrery_standby_start();
    if (!orrery_standby())
        pending_find();
    orrery_ckpt_points_wanted = 1;
}

/* ---- the entry of a loop --------------------------------------------------------------------- */

static void entry_free(struct orrery_entry *entry) {
    for (int i = 0; i < entry->nlive; ++i)
        dsm_own_free(entry->live[i]);
    dsm_own_free(entry->live);
    dsm_own_free(entry->callers);
    orrery_image_free(&entry->image);
    dsm_own_free(entry);
}

static void live_copy(struct orrery_entry *entry, const struct orrery_live *live, int nlive) {
    entry->nlive = nlive;
    entry->live = dsm_own_alloc((size_t)(nlive + 1) * sizeof *entry->live);
    for (int i = 0; i < nlive; ++i)
        entry->live[i] = memcpy(dsm_own_alloc(live[i].size + 1), live[i].address, live[i].size);
}

static struct orrery_entry *entry_make(struct orrery_ckpt_point *ckpt_point, const char *frame,
                                       const struct orrery_live *live, int nlive) {
    struct orrery_entry *entry = dsm_own_alloc(sizeof *entry);
    struct orrery_foreign foreign;
    struct dsm_range stack = orrery_stack_range();
    if (ckpt_point->entry)
        entry_free(ckpt_point->entry);
    if (frame < stack.low || frame >= stack.high)
        dsm_fail(1,
                 "%s:%d: a loop over passes was entered by a thread of the program; only the "
                 "thread of main can be saved",
                 ckpt_point->file, ckpt_point->line);
    *entry = (struct orrery_entry){
        .ckpt_point = ckpt_point, .ordinal = ++ckpt_point->entries, .frame = frame};
    orrery_foreign_read(&foreign, frame);
    for (int i = 0; i < nlive; ++i)
        if (live[i].direct)
            orrery_foreign_name(&foreign, live[i].address, live[i].size);
    orrery_image_take(&entry->image, &foreign, NULL);
    orrery_foreign_free(&foreign);
    size_t bytes = (size_t)(stack.high - frame);
    entry->callers = memcpy(dsm_own_alloc(bytes), frame, bytes);
    live_copy(entry, live, nlive);
    return ckpt_point->entry = entry;
}

/* ---- due ------------------------------------------------------------------------------------- */

static bool is_time(long pass) {
    const struct orrery_tunables *env = orrery_env();
    if (env->every_seconds > 0)
        return orrery_clock() - checkpoint.time >= (double)env->every_seconds;
    return pass - checkpoint.pass >= env->every_passes;
}

/* Once for all that fail in a row; once that it works again. */
static void say_protected(long pass, const struct dsm_status *status) {
    if (status->failed && !checkpoint.unprotected)
        fprintf(stderr,
                "orrery: pass %ld was not saved: %s; the run goes on, and is not protected until "
                "it says so\n",
                pass, status->why);
    else if (!status->failed && checkpoint.unprotected)
        fprintf(stderr, "orrery: pass %ld was saved: the run is protected again\n", pass);
    checkpoint.unprotected = status->failed;
}

static void saved(long pass, double time, const struct dsm_status *status) {
    say_protected(pass, status);
    if (status->failed)
        return;
    checkpoint.whole = ++checkpoint.last;
    checkpoint.pass = pass;
    checkpoint.time = time;
}

/* Writes the next file. */
static void write_next(void *data, struct dsm_status *status) {
    const struct orrery_place *place = data;
    char path[ORRERY_PATH];
    long number = checkpoint.last + 1;
    orrery_files_temporary(checkpoint.folder, number, path);
    if (orrery_save_write(path, checkpoint.run, place, status))
        orrery_files_commit(checkpoint.folder, number, checkpoint.whole, status);
}

/* Of a processor that workers want, too, children that write take this part at most. */
enum { SHARE = 30 };

/* What the child has to say; waits for it. */
static void writing_end(void) {
    struct dsm_status status;
    double seconds;
    if (!checkpoint.writing.pass)
        return;
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_CHECKPOINT);
    checkpoint.alone = !orrery_writer_end(&status, &seconds);
    checkpoint.writing.next = checkpoint.writing.time + SHARE * seconds;
    orrery_heartbeat_phase(phase);
    saved(checkpoint.writing.pass, checkpoint.writing.time, &status);
    checkpoint.writing.pass = 0;
}

/* A child needs memory for what changes meanwhile. */
static bool writes_here(void) {
    return checkpoint.alone || orrery_env()->memory || orrery_env()->evict ||
           !orrery_env()->writer || dsm_spill_budget() || atomic_load(&checkpoint.stop);
}

static void save(struct orrery_place *place) {
    double time = orrery_clock();
    uint32_t phase = orrery_heartbeat_phase(ORRERY_PHASE_CHECKPOINT);
    writing_end();
    fflush(NULL);
    if (!writes_here() && orrery_writer_start(write_next, place)) {
        checkpoint.writing.pass = place->pass;
        checkpoint.writing.time = time;
    } else {
        struct dsm_status status = {0};
        write_next(place, &status);
        saved(place->pass, orrery_clock(), &status);
    }
    orrery_heartbeat_phase(phase);
}

int orrery_ckpt_point_due(struct orrery_ckpt_point *ckpt_point, long *pass) {
    if (*pass == 0)
        return 1;
    orrery_heartbeat_pass(++*pass);
    if (!ckpt_point->entry || checkpoint.pending || getpid() != checkpoint.process)
        return 0;
    if (atomic_load(&checkpoint.stop))
        return 1;
    if (checkpoint.writing.pass && orrery_writer_runs())
        return 0;
    writing_end();
    return is_time(*pass) && orrery_clock() >= checkpoint.writing.next;
}

static bool stops(void) {
    return atomic_load(&checkpoint.stop);
}

/* A standby that is ended has nothing to save. */
static void standby_end(void) {
    if (!orrery_standby_wait(stops))
        return;
    if (stops())
        dsm_fail(STATUS_STOPPED, "ended by a signal while it stood by");
    pending_find();
}

static _Noreturn void stop(const struct orrery_place *place) {
    fprintf(stderr,
            "orrery: ended by a signal in front of pass %ld; the newest checkpoint is of pass %ld, "
            "the same command goes on from there\n",
            place->pass, checkpoint.pass);
    exit(STATUS_STOPPED);
}

/* The function has called itself since: what is known of the entry is the inner call's. */
static bool is_other(const struct orrery_entry *entry, const char *frame) {
    if (entry->frame != frame)
        fprintf(stderr, "orrery: %s:%d: this pass is not saved: its function has called itself\n",
                entry->ckpt_point->file, entry->ckpt_point->line);
    return entry->frame != frame;
}

void orrery_ckpt_point_reached(struct orrery_ckpt_point *ckpt_point, long *pass, const void *frame,
                               const struct orrery_live *live, int nlive) {
    bool enters = *pass == 0;
    if (getpid() != checkpoint.process ||
        (!enters && ckpt_point->entry && is_other(ckpt_point->entry, frame)))
        return;
    if (enters)
        entry_make(ckpt_point, frame, live, nlive);
    if (enters)
        standby_end();
    struct orrery_place place = {ckpt_point->entry, live, *pass};
    if (enters) {
        bool back = checkpoint.pending && orrery_saved_is_of(checkpoint.pending, ckpt_point->entry);
        *pass = back ? orrery_saved_restore(checkpoint.pending, &place) : 1;
        if (back)
            checkpoint.pending = NULL;
        checkpoint.pass = place.pass = *pass;
        orrery_heartbeat_pass(*pass);
        checkpoint.time = orrery_clock();
        if (back || !atomic_load(&checkpoint.stop))
            return;
    }
    save(&place);
    if (atomic_load(&checkpoint.stop))
        stop(&place);
}

/* ---- the end --------------------------------------------------------------------------------- */

void orrery_checkpoint_end(int status) {
    if (getpid() == checkpoint.process)
        writing_end();
    if (checkpoint.pending && status == 0)
        dsm_fail(STATUS_REFUSED,
                 "the program ended and did not come to the loop of the checkpoint: %s",
                 orrery_saved_where(checkpoint.pending));
}
