/* The table that an object of `orrery-cc -accesses` carries:
 * what the analysis claims of its loops. */
#ifndef ORRERY_CLI_EMIT_ACCESSES_H
#define ORRERY_CLI_EMIT_ACCESSES_H

#include "scheduler/emit/marks.h"
#include "tools/pipeline/pipeline.h"

/* requires: plans of all loops, settled;
 * compile_find_outermost. JSON on one line, in the arena. */
const char *emit_accesses_table(const struct compilation *pipeline, const struct marks *marks);

#endif
