/*
 * The compile side as one function: text -> plans. What `analyze`, `plan` and `emit` share.
 */
#ifndef ORRERY_CLI_PIPELINE_H
#define ORRERY_CLI_PIPELINE_H

#include "analyzer/analysis.h"
#include "analyzer/parse/parse.h"
#include "cli/analyze/compdb.h"
#include "scheduler/cost/cost.h"
#include "scheduler/plan/plan.h"

/*
 * `file`: as the user named it. `text`: its content when it does not come from the file, else NULL.
 * `cflags`: the user's compiler flags, unfiltered. `all`: unmarked loops too. `gpu`: marked
 * loops run on a device where they say nothing else. `plan_file`: plans to
 * use instead of the chosen ones, or NULL. `profile`: what was measured of the loops, or NULL;
 * `cluster`: what is planned for, NULL: as plan_choose_by says. `others`: files that may define
 * functions which this one calls, with their flags; `directory`: where this file's flags count
 * from, as in struct compdb_entry. `drop`: the name of an object of which no read is told to the
 * dependence analysis, so that verdicts come out wrong (tests of `orrery verify --accesses`); NULL.
 */
struct pipeline_request {
    const char *file, *text;
    int ncflags;
    const char *const *cflags;
    bool all, gpu;
    const char *plan_file, *drop;
    const struct cost_profile *profile;
    const struct cost_cluster *cluster;
    int nothers;
    const struct compdb_entry *others;
    const char *directory;
};

/*
 * `unit` is NULL when nothing could be parsed; nplans is 0 when the input has errors
 * (diags.nerrors). `plans`: in the order of the text, for the marked loops (all loops with `all`).
 * `outermost`: those that an emitter may carry out together, set by pipeline_find_outermost.
 */
struct pipeline {
    struct arena *arena;
    struct unit *unit;
    struct diag_list diags;
    int nplans;
    struct plan **plans;
    int noutermost;
    struct plan **outermost;
};

/* Parses `file` (or `text`) with the user's flags as the parser wants them. */
struct unit *pipeline_parse(struct arena *arena, const char *file, const char *text, int ncflags,
                            const char *const *cflags, struct diag_list *diags);

void pipeline_run(struct pipeline *pipeline, struct arena *arena,
                  const struct pipeline_request *request);

/*
 * The answer for each loop: a plan whose loop cannot be cut out of its function becomes a serial
 * one with that reason. Whoever shows a plan asks this first, so that all commands say the same.
 */
void pipeline_settle(struct pipeline *pipeline);

/* The loop asks for parallel execution (`#pragma orrery parallel`). */
bool pipeline_is_marked(const struct loop *loop);

/*
 * Those plans that an emitter may carry out together: of loops with a parallel plan that run inside
 * of each other (in the text, or through calls) only the outermost.
 * requires: plans that do not change any more.
 */
void pipeline_find_outermost(struct pipeline *pipeline);

/* What `orrery-cc -auto` does with a loop that nobody marked, in words; NULL: it runs it in
 * parallel. requires: pipeline_find_outermost. */
const char *pipeline_left_alone(const struct pipeline *pipeline, const struct plan *plan);

/* Prints errors and warnings collected so far on stderr, like a compiler. */
void pipeline_print_diags(const struct pipeline *pipeline);

/* True when stream is a terminal that takes colours. */
bool pipeline_color(void *stream);

#endif
