/* Files that several ranks read: what the loaders of orrery.h need of the ranks. */
#include "runtime/share/load.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/checkpoint/checkpoint.h"
#include "runtime/load/load.h"
#include "runtime/region/region.h"
#include "runtime/region/state.h"

#include <stdio.h>

/* Reading less is over sooner than asking others. */
enum { LEAST = 4 << 20 };

static void ask(const void *message, size_t bytes) {
    dsm_command(ORRERY_COMMAND_LOAD, message, bytes);
}

static void send(int rank, const void *data, size_t bytes) {
    dsm_send(rank, ORRERY_TAG_LOAD, data, bytes);
}

static void receive(int rank, void *data, size_t bytes) {
    dsm_receive(rank, ORRERY_TAG_LOAD, data, bytes);
}

static void say(const char *text) {
    fprintf(stderr, "orrery: %s\n", text);
}

static void told(const char *path, const long *bytes) {
    if (!orrery_env()->stats)
        return;
    fprintf(stderr, "orrery: load %s mb by rank", path);
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        fprintf(stderr, " %.2f", (double)bytes[rank] / 1e6);
    fprintf(stderr, "\n");
}

static const struct load_ranks *table(void) {
    static struct load_ranks ranks = {.ask = ask,
                                      .send = send,
                                      .receive = receive,
                                      .place = dsm_place,
                                      .commit = dsm_commit,
                                      .drop = dsm_place_drop,
                                      .say = say,
                                      .told = told};
    ranks.rank = dsm_rank();
    ranks.ranks = dsm_ranks();
    ranks.least = orrery_env()->load == ORRERY_LOAD_RANKS ? 0 : LEAST;
    return &ranks;
}

/* A checkpoint wants the same addresses on any number of ranks, and all memory. */
const struct load_ranks *orrery_load_ranks(void) {
    bool can = dsm_ranks() > 1 && dsm_rank() == 0 && orrery_env()->load != ORRERY_LOAD_ALONE &&
               !dsm_forked() && !orrery_checkpoint_wanted() && orrery_call_is_main() &&
               !orrery_region_active();
    return can ? table() : NULL;
}

#pragma weak orrery_load_help

void orrery_load_serve(const void *message, size_t bytes) {
    if (!orrery_load_help || !orrery_load_help(table(), message, bytes))
        dsm_fail(1, "rank 0 reads a file by a loader that this program does not have; all ranks "
                    "have to run the same program, built by the same Orrery: compare the files on "
                    "their hosts [ORR9234]");
}
