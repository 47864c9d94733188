/* The whole of a search: how many runs at a time, a folder for them, the rounds, the table. */
#include "tools/base/status.h"
#include "tools/tune/tune.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_axis(const struct tune *tune, enum tune_axis_kind kind) {
    for (int i = 0; i < tune->naxes; ++i)
        if (tune->axes[i].kind == kind)
            return true;
    return false;
}

/* Cores of the largest candidate; 0: it takes them all. */
static long widest(const struct tune *tune, int *status) {
    long most = 1;
    for (int i = 0; i < tune->ncandidates && *status < 0; ++i) {
        const struct launch launch = tune_launch(tune, &tune->candidates[i], 0);
        if (launch_check("tune", &launch) != 0)
            *status = STATUS_USAGE;
        long cores = launch.threads * (launch.ranks ? launch.ranks : 1);
        most = most == 0 || cores == 0 ? 0 : cores > most ? cores : most;
    }
    return most;
}

/* Scores are the same on any number of threads: then one each, and many at a time. Seconds are
 * measured alone. */
static int choose_jobs(struct tune *tune) {
    int status = -1;
    if (tune->score && !has_axis(tune, TUNE_THREADS) && !has_axis(tune, TUNE_RANKS) &&
        tune->jobs != 1) {
        struct tune_axis one = {.kind = TUNE_THREADS, .name = "threads"};
        one.values.arena = tune->arena;
        arg_list_push(&one.values, "1");
        ARENA_PUSH(tune->arena, tune->axes, tune->naxes, one);
    }
    if (tune_expand(tune) != 0) {
        fprintf(stderr, "orrery tune: more than 10000 combinations: take fewer values\n");
        return STATUS_USAGE;
    }
    long cores = widest(tune, &status);
    if (tune->jobs == 0)
        tune->jobs =
            tune->score && cores > 0 && launch_cores() > cores ? launch_cores() / cores : 1;
    return status;
}

static int search(struct tune *tune) {
    const char *base = getenv("TMPDIR");
    char *folder =
        arena_printf(tune->arena, "%s/orrery-tune.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "orrery tune: cannot make a temporary folder %s: %s\n", folder,
                strerror(errno));
        return STATUS_INPUT;
    }
    tune->folder = folder;
    int status = tune_rounds(tune), number = tune_interrupted();
    rmdir(folder);
    if (number && tune->state)
        fprintf(stderr, "orrery tune: interrupted; the same command goes on from %s\n",
                tune->state);
    else if (number)
        fprintf(stderr, "orrery tune: interrupted; with --state FILE the next call goes on\n");
    if (status != 0)
        return number ? 128 + number : STATUS_INPUT;
    if (tune->json)
        tune_print_json(tune);
    else
        tune_print_text(tune);
    return tune->candidates[0].failed ? STATUS_INPUT : STATUS_OK;
}

int tune_run(struct tune *tune) {
    const char *path = launch_find(tune->arena, "tune", tune->program.items[0]);
    if (!path)
        return STATUS_USAGE;
    tune->program.items[0] = path;
    int status = choose_jobs(tune);
    return status < 0 ? search(tune) : status;
}
