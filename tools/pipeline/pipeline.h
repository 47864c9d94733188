/* The compile side (scheduler/compile.h) for commands: files and flags as their arguments say. */
#ifndef ORRERY_TOOLS_PIPELINE_H
#define ORRERY_TOOLS_PIPELINE_H

#include "scheduler/compile.h"
#include "tools/pipeline/compdb.h"

/*
 * `file`: as the user named it, with its flags. `text`, `directory`, `all`, `gpu`, `allow_fallback`, `plan_file`,
 * `profile`, `cluster`, `drop`: as in struct compile_request. `others`: files that may define
 * functions which this one calls.
 */
struct pipeline_request {
    const char *file, *text;
    int ncflags;
    const char *const *cflags;
    bool all, gpu, allow_fallback;
    const char *plan_file, *drop;
    const struct cost_profile *profile;
    const struct cost_cluster *cluster;
    int nothers;
    const struct compdb_entry *others;
    const char *directory;
};

void pipeline_run(struct compilation *c, struct arena *arena,
                  const struct pipeline_request *request);

/* Prints errors and warnings collected so far on stderr, like a compiler. */
void pipeline_print_diags(const struct compilation *c);

/* True when stream is a terminal that takes colours. */
bool pipeline_color(void *stream);

#endif
