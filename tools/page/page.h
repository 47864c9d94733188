/*
 * The page of `orrery report`: one HTML file that needs nothing else. What can be read stands in
 * the HTML; the pictures are drawn by page.js from the data at its end, all made here:
 *
 *   plans, trace, profile --> sections (loop.c), source (source.c), codes (explain.c), data (schedule.c, times.c)
 *
 * A strategy's blocks are drawn where its executor's are known before a run (`pictures` in
 * schedule.c).
 */
#ifndef ORRERY_TOOLS_PAGE_PAGE_H
#define ORRERY_TOOLS_PAGE_PAGE_H

#include "runtime/schedule/blocks.h"
#include "scheduler/cost/cost.h"
#include "tools/pipeline/pipeline.h"

#include <jansson.h>
#include <stdio.h>

struct trace;

/* `trace`, `profile`: what was measured, NULL = nothing. `file`: as the user named it. */
struct page {
    struct arena *arena;
    FILE *out;
    const struct compilation *pipeline;
    const char *file;
    const struct trace *trace;
    const struct cost_profile *profile;
};

/* What a page is made of. */
struct page_request {
    const char *output;      /* where to; NULL: standard output */
    const char *trace;       /* a run's ORRERY_TRACE, or NULL */
    const char *profile;     /* a run's ORRERY_PROFILE, or NULL */
    bool all;                /* unmarked loops too */
    struct arg_list cflags;  /* the user's compiler flags */
    struct arg_list with;    /* files that define functions which this one calls */
    struct arg_list effects; /* files about functions that are not seen */
};

/* Analyzes `file` and writes its page. An exit status, 1 after a message. */
int page_make(struct arena *arena, const char *file, const struct page_request *request);

/* Writes all of it. */
void page_write(const struct page *page);

/* ---- html.c ---------------------------------------------------------------------------------- */

/* Text with its special characters as entities; what is not UTF-8 is taken as Latin-1. */
void html_bytes(FILE *out, const char *text, size_t size);

/* printf of which every argument is text for html_text; only %s. */
void html_print(FILE *out, const char *format, ...);

/* A JSON value such that it may stand inside of <script>. */
void html_json(FILE *out, const json_t *value);

/* ---- the parts ------------------------------------------------------------------------------- */

void page_source(const struct page *page);
void page_loop(const struct page *page, int index);

/* ---- explain.c: the codes of verdicts, explained at the end of the page */
void page_explain(const struct page *page);
/* A code, as a link to its explanation where there is one. */
void page_code(const struct page *page, const char *code);

/* A colour for an object of the loop, as a class: 0 .. 7. */
int page_colour(const struct object *object);

/* How the blocks of a plan run, in steps of equal length;
 * null: its blocks are not known before a run. */
json_t *page_schedule(const struct page *page, const struct plan *plan);

/* One measured pass beside the predicted one; null: the trace has none of this loop. */
json_t *page_times(const struct page *page, const struct plan *plan);

/* ---- schedule.c: blocks as the executor would take them -------------------------------------- */

/* Are its blocks known before a run? */
bool schedule_has(enum strategy strategy);

/* The blocks with their batons as a loop of the cost model; `seconds`: per block (row * columns +
 * column), NULL: 1 each. */
struct cost_loop schedule_loop(struct arena *arena, enum strategy strategy,
                               const struct orrery_blocks *blocks, const double *seconds);

/* ---- trace.c --------------------------------------------------------------------------------- */

/* Lanes are numbered over all ranks. Microseconds. `row` < 0: the worker waits. */
struct trace_event {
    int lane;
    long row, column;
    double begin, end;
};

/* A loop of the trace. */
struct trace_loop {
    const char *where;           /* "file:line" */
    enum strategy strategy;      /* that it ran by */
    struct orrery_blocks blocks; /* the grid, where `has_blocks` */
    bool has_blocks;             /* the trace says it */
    double *least; /* per block the least seconds of all passes, NAN where it never ran */
    int npasses;   /* of `passes` */
    struct trace_event *passes; /* begin and end of every run of the loop */
    int nevents;                /* of `events` */
    struct trace_event *events; /* its blocks, in the order of the trace */
};

struct trace {
    const char *file;          /* its name */
    int nlanes;                /* of `lanes` */
    const char **lanes;        /* what each is called: a worker of a rank */
    long ranks, threads;       /* of the job, of each rank */
    int nwaits;                /* of `waits` */
    struct trace_event *waits; /* when workers waited for batons */
    int nloops;                /* of `loops` */
    struct trace_loop *loops;  /* in the order of their first run */
};

/* Reads what ORRERY_TRACE wrote. NULL: `*why`. */
struct trace *trace_read(struct arena *arena, const char *path, const char **why);

#endif
