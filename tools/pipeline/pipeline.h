/* The compile side (scheduler/compile.h) for commands: files and flags as their arguments say. */
#ifndef ORRERY_TOOLS_PIPELINE_H
#define ORRERY_TOOLS_PIPELINE_H

#include "scheduler/compile.h"
#include "tools/pipeline/compdb.h"

/* A request for a file of `inputs`, with its flags; the others may define functions that it calls. */
struct compile_request pipeline_request(struct arena *arena, const struct compdb_entry *file,
                                        const struct compdb *inputs);

/* The same for a file as the user named it. `cflags`, `with` (other files): NULL when there are none. */
struct compile_request pipeline_named(struct arena *arena, const char *file,
                                      const struct arg_list *cflags, const struct arg_list *with);

/* Prints errors and warnings collected so far on stderr, like a compiler. */
void pipeline_print_diags(const struct compilation *c);

/* True when stream is a terminal that takes colours. */
bool pipeline_color(void *stream);

#endif
