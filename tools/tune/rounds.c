#include "tools/tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* By seconds every rung doubles the repetitions; by a score without budgets one run says all. */
int tune_rungs(const struct tune *tune) {
    if (tune->budget.name)
        return tune->budget.values.count;
    int rungs = 1;
    for (long left = tune->ncandidates; !tune->score && left > 1;
         left = (left + tune->halve - 1) / tune->halve)
        ++rungs;
    return rungs;
}

static int repetitions(const struct tune *tune, int rung) {
    return tune->score || tune->budget.name ? 1 : 1 << (rung < 4 ? rung : 4);
}

/* The last line of a failed run says most. */
static const char *why(const struct tune *tune, const struct tune_run *run) {
    char line[256] = "", last[256] = "";
    FILE *in = fopen(run->output, "r");
    while (in && fgets(line, sizeof line, in))
        if (line[0] != '\n')
            snprintf(last, sizeof last, "%s", line);
    if (in)
        fclose(in);
    for (char *at = last; *at; ++at)
        if (*at == '\n')
            *at = '\0';
    const char *how = run->status > 128 && run->status < 128 + 65
                          ? arena_printf(tune->arena, "ended by signal %d", run->status - 128)
                          : arena_printf(tune->arena, "status %d", run->status);
    return *last ? arena_printf(tune->arena, "%s: %s", how, last) : how;
}

/* The candidate's figures after one more run. */
static void judge(struct tune_run *run) {
    struct tune_candidate *candidate = run->candidate;
    bool first = candidate->rung < run->rung;
    if (first || run->score < candidate->score)
        candidate->score = run->score;
    if (first || run->seconds < candidate->seconds)
        candidate->seconds = run->seconds;
    candidate->rung = run->rung;
}

/* A run that has just ended. 0, or -1 when the journal cannot be written. */
static int settle(const struct tune *tune, struct tune_run *run) {
    if (run->status != 0)
        run->candidate->failed = why(tune, run);
    else if (!tune->score)
        run->score = run->seconds;
    else if (!tune_score(run->output, tune->score, &run->score))
        run->candidate->failed =
            arena_printf(tune->arena, "no finite number behind '%s'", tune->score);
    else if (tune->maximize)
        run->score = -run->score;
    unlink(run->output);
    if (run->candidate->failed)
        return 0;
    judge(run);
    return tune_journal_add(tune, run);
}

static void push_runs(const struct tune *tune, struct tune_candidate *candidate, int rung,
                      int *nruns, struct tune_run **runs) {
    for (int i = 0; i < repetitions(tune, rung); ++i) {
        struct tune_run run = {.candidate = candidate, .rung = rung};
        run.key = arena_printf(tune->arena, "%s # %s%s, run %d of rung %d",
                               tune_command(tune, candidate, rung), tune->maximize ? "-" : "",
                               tune->score ? tune->score : "seconds", i + 1, rung + 1);
        run.key = tune_utf8(tune->arena, run.key);
        run.output = arena_printf(tune->arena, "%s/%d", tune->folder, *nruns);
        ARENA_PUSH(tune->arena, *runs, *nruns, run);
    }
}

static int play(struct tune *tune, int alive, int rung) {
    struct tune_run *runs = NULL;
    int nruns = 0;
    for (int i = 0; i < alive; ++i)
        push_runs(tune, &tune->candidates[i], rung, &nruns, &runs);
    if (tune_journal_read(tune, nruns, runs) != 0)
        return -1;
    for (int i = 0; i < nruns; ++i)
        if (runs[i].done)
            judge(&runs[i]);
    return tune_pool(tune, nruns, runs, settle);
}

/* Those that came further first, then by score; what failed last. */
static int by_rank(const void *left, const void *right) {
    const struct tune_candidate *a = left, *b = right;
    if (!a->failed != !b->failed)
        return a->failed ? 1 : -1;
    if (a->rung != b->rung)
        return b->rung - a->rung;
    return (a->score > b->score) - (a->score < b->score);
}

int tune_rounds(struct tune *tune) {
    if (tune_journal_open(tune) != 0)
        return -1;
    int rungs = tune_rungs(tune);
    long alive = tune->ncandidates;
    for (int rung = 0; rung < rungs && alive > 0; ++rung) {
        if (play(tune, (int)alive, rung) != 0)
            return -1;
        qsort(tune->candidates, (size_t)tune->ncandidates, sizeof *tune->candidates, by_rank);
        long good = 0;
        while (good < alive && !tune->candidates[good].failed)
            ++good;
        alive = rung + 1 < rungs ? (good + tune->halve - 1) / tune->halve : good;
        if (good == 1 && !tune->budget.name)
            break;
    }
    return 0;
}
