/* The table that an object of `orrery-cc -accesses` carries:
 * what the analysis claims of its loops. */
#ifndef ORRERY_CLI_EMIT_ACCESSES_H
#define ORRERY_CLI_EMIT_ACCESSES_H

#include "scheduler/emit/marks.h"
#include "tools/pipeline/pipeline.h"

#include <jansson.h>

/* requires: plans of all loops, settled; compile_find_outermost. JSON on one line, in the arena.
 * Sets what the iterations of parallel loops tell (marks_ask). */
const char *emit_accesses_table(const struct compilation *pipeline, struct marks *marks);

/* emit_vectors.c: adds to the table of a parallel loop which iterations may meet. */
void emit_vectors_add(json_t *loop, const struct plan *plan, const struct marked_loop *marked);

#endif
