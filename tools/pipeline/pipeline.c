#include "tools/pipeline/pipeline.h"

#include "tools/base/house.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct compile_file file_of(const void *data, int index) {
    const struct compdb_entry *entry = &((const struct compdb_entry *)data)[index];
    return (struct compile_file){.name = entry->file,
                                 .directory = entry->directory,
                                 .nflags = entry->cflags.count,
                                 .flags = entry->cflags.items};
}

struct compile_request pipeline_request(struct arena *arena, const struct compdb_entry *file,
                                        const struct compdb *inputs) {
    struct house house;
    house_find(&house, arena);
    return (struct compile_request){.file = file_of(file, 0),
                                    .include = house.include,
                                    .nothers = inputs->count,
                                    .other = file_of,
                                    .data = inputs->entries};
}

struct compile_request pipeline_named(struct arena *arena, const char *file,
                                      const struct arg_list *cflags, const struct arg_list *with) {
    struct compdb_entry entry = {.file = file};
    struct compdb others = {.arena = arena};
    if (cflags)
        entry.cflags = *cflags;
    if (with)
        others = compdb_named(with, cflags);
    return pipeline_request(arena, &entry, &others);
}

void pipeline_print_diags(const struct compilation *c) {
    for (int i = 0; i < c->diags.count; ++i)
        diag_print(c->unit, &c->diags.items[i], pipeline_color(stderr), stderr);
}

bool pipeline_color(void *stream) {
    const char *term = getenv("TERM"), *off = getenv("NO_COLOR");
    return isatty(fileno(stream)) && term && strcmp(term, "dumb") != 0 && !(off && *off);
}
