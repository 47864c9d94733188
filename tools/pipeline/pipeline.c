#include "tools/pipeline/pipeline.h"

#include "tools/base/house.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct compile_file other_file(const void *data, int index) {
    const struct compdb_entry *entry = &((const struct compdb_entry *)data)[index];
    return (struct compile_file){.name = entry->file,
                                 .directory = entry->directory,
                                 .nflags = entry->cflags.count,
                                 .flags = entry->cflags.items};
}

void pipeline_run(struct compilation *c, struct arena *arena,
                  const struct pipeline_request *request) {
    struct house house;
    house_find(&house, arena);
    compile_unit(c, arena,
                 &(struct compile_request){.file = {.name = request->file,
                                                    .text = request->text,
                                                    .directory = request->directory,
                                                    .nflags = request->ncflags,
                                                    .flags = request->cflags},
                                           .include = house.include,
                                           .all = request->all,
                                           .gpu = request->gpu,
                                           .allow_fallback = request->allow_fallback,
                                           .plan_file = request->plan_file,
                                           .profile = request->profile,
                                           .cluster = request->cluster,
                                           .nothers = request->nothers,
                                           .other = other_file,
                                           .data = request->others,
                                           .drop = request->drop});
}

void pipeline_print_diags(const struct compilation *c) {
    for (int i = 0; i < c->diags.count; ++i)
        diag_print(c->unit, &c->diags.items[i], pipeline_color(stderr), stderr);
}

bool pipeline_color(void *stream) {
    const char *term = getenv("TERM"), *off = getenv("NO_COLOR");
    return isatty(fileno(stream)) && term && strcmp(term, "dumb") != 0 && !(off && *off);
}
