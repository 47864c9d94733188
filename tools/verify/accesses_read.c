/* What processes wrote (runtime/accesses/report.c has the form), as loops. */
#include "tools/verify/accesses.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of one process's memory that a file fills. */
struct module {
    uint64_t begin, end, bias;
    const char *path;
};

/* A file that holds code; opened once. */
struct opened {
    const char *path;
    struct elf *elf;
};

/* `first`: index of the loops of a table. */
struct table {
    const char *name;
    int first, count;
};

/* A conflict whose vectors are read. `into`: where it is kept, NULL before the first; `block` ...:
 * the heap block that it was in. */
struct pending {
    struct seen_loop *loop;
    struct met met, *into;
    uint64_t block, size, site;
};

struct reader {
    struct accesses *accesses; /* what comes of it */
    int nopened;               /* of `opened` */
    struct opened *opened;     /* files of programs and libraries, whose lines are asked for */
    int ntables;               /* of `tables` */
    struct table *tables;      /* what objects carry about their loops */
    int nmodules;              /* of the process whose file is read */
    struct module *modules;    /* ... each with where it was loaded */
    const struct table *table; /* of the loop at hand */
    struct pending pending;    /* the meeting at hand, whose vectors follow in the file */
};

/* ---- addresses ------------------------------------------------------------------------------- */

static const struct elf *elf_of(struct reader *reader, const char *path) {
    for (int i = 0; i < reader->nopened; ++i)
        if (strcmp(reader->opened[i].path, path) == 0)
            return reader->opened[i].elf;
    struct arena *arena = reader->accesses->arena;
    struct opened opened = {path, elf_open(arena, path)};
    ARENA_PUSH(arena, reader->opened, reader->nopened, opened);
    return opened.elf;
}

static const struct module *module_of(const struct reader *reader, uint64_t address) {
    for (int i = 0; i < reader->nmodules; ++i)
        if (address >= reader->modules[i].begin && address < reader->modules[i].end)
            return &reader->modules[i];
    return NULL;
}

/* Of the call that returns to `address`. */
static struct text_place place_of(struct reader *reader, uint64_t address) {
    const struct module *module = address ? module_of(reader, address) : NULL;
    if (!module)
        return (struct text_place){0};
    return elf_place(elf_of(reader, module->path), address - module->bias - 1);
}

static const char *place_text(struct arena *arena, struct text_place place) {
    return place.file ? arena_printf(arena, "%s:%d", place.file, place.line) : "an unknown place";
}

/* What the loop's mark called it, or NULL. */
static const char *variable_name(const struct seen_loop *loop, int variable) {
    const json_t *variables = json_object_get(loop->claim, "variables");
    return variable < 0
               ? NULL
               : json_string_value(json_array_get(json_array_get(variables, (size_t)variable), 0));
}

static void name_memory(struct reader *reader, const struct seen_loop *loop, struct met *met,
                        uint64_t block, uint64_t size, uint64_t site) {
    const char *local = variable_name(loop, met->variable);
    struct arena *arena = reader->accesses->arena;
    const struct module *module = module_of(reader, met->address);
    uint64_t offset = 0;
    met->symbol = "";
    if (module)
        met->symbol =
            elf_variable(elf_of(reader, module->path), met->address - module->bias, &offset);
    if (*met->symbol)
        met->memory =
            offset ? arena_printf(arena, "%s + %" PRIu64, met->symbol, offset) : met->symbol;
    else if (block)
        met->memory = arena_printf(
            arena, "byte %" PRIu64 " of a heap block of %" PRIu64 " bytes, allocated at %s",
            met->address - block, size, place_text(arena, place_of(reader, site)));
    else if (local)
        met->memory = arena_printf(arena, "the variable %s", local);
    else
        met->memory = arena_printf(arena, "address %#" PRIx64, met->address);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const struct table *table_of(struct reader *reader, const char *name) {
    struct accesses *accesses = reader->accesses;
    struct arena *arena = accesses->arena;
    for (int i = 0; i < reader->ntables; ++i)
        if (strcmp(reader->tables[i].name, name) == 0)
            return &reader->tables[i];
    json_t *unit =
        json_load_file(arena_printf(arena, "%s/%s.table", accesses->folder, name), 0, NULL);
    json_t *loops = json_object_get(unit, "loops");
    struct table table = {arena_strdup(arena, name), accesses->nloops, (int)json_array_size(loops)};
    for (int i = 0; i < table.count; ++i) {
        struct seen_loop loop = {.unit = unit,
                                 .claim = json_array_get(loops, (size_t)i),
                                 .file = json_string_value(json_object_get(unit, "file"))};
        ARENA_PUSH(arena, accesses->loops, accesses->nloops, loop);
    }
    ARENA_PUSH(arena, reader->tables, reader->ntables, table);
    return &reader->tables[reader->ntables - 1];
}

static struct seen_loop *loop_of(struct reader *reader, int number) {
    if (!reader->table || number < 0 || number >= reader->table->count)
        return NULL;
    return &reader->accesses->loops[reader->table->first + number];
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void read_module(struct reader *reader, const char *line) {
    struct module module = {0};
    int at = 0;
    if (sscanf(line, "module %" SCNx64 " %" SCNx64 " %" SCNx64 " %n", &module.begin, &module.end,
               &module.bias, &at) < 3 ||
        at == 0)
        return;
    module.path = arena_strndup(reader->accesses->arena, line + at, strcspn(line + at, "\n"));
    ARENA_PUSH(reader->accesses->arena, reader->modules, reader->nmodules, module);
}

static void read_loop(struct reader *reader, const char *line) {
    int number;
    struct seen_loop add = {0};
    if (sscanf(line,
               "loop %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64,
               &number, &add.instances, &add.iterations, &add.met_twice, &add.ticks, &add.touches,
               &add.dropped, &add.told, &add.failed) != 9)
        return;
    struct seen_loop *loop = loop_of(reader, number);
    if (!loop)
        return;
    loop->instances += add.instances;
    loop->iterations += add.iterations;
    loop->met_twice += add.met_twice;
    loop->ticks += add.ticks;
    loop->touches += add.touches;
    loop->dropped += add.dropped;
    loop->told += add.told;
    loop->failed += add.failed;
}

static bool same_place(struct text_place a, struct text_place b) {
    return a.line == b.line && a.column == b.column &&
           (a.file == b.file || (a.file && b.file && strcmp(a.file, b.file) == 0));
}

/* Other runs, and other copies of the code, met in the same places. */
static struct met *add_met(struct reader *reader, struct seen_loop *loop, const struct met *met) {
    for (int i = 0; i < loop->nmet; ++i) {
        struct met *old = &loop->met[i];
        if (old->kind == met->kind && old->variable == met->variable && old->source.file &&
            same_place(old->source, met->source) && same_place(old->sink, met->sink) &&
            strcmp(old->symbol, met->symbol) == 0)
            return old;
    }
    ARENA_PUSH(reader->accesses->arena, loop->met, loop->nmet, *met);
    return &loop->met[loop->nmet - 1];
}

static void read_conflict(struct reader *reader, const char *line) {
    int number, kind;
    struct pending pending = {0};
    struct met *met = &pending.met;
    uint64_t source, sink;
    reader->pending = pending;
    if (sscanf(line, "conflict %d %d %d %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNu64 " %" SCNx64,
               &number, &kind, &met->variable, &source, &sink, &pending.block, &pending.size,
               &pending.site) != 8 ||
        kind < MET_FLOW || kind > MET_OUTPUT)
        return;
    pending.loop = loop_of(reader, number);
    met->kind = (enum met_kind)kind;
    met->source = place_of(reader, source);
    met->sink = place_of(reader, sink);
    reader->pending = pending;
}

/* The first of a conflict says where it was. */
static void read_vector(struct reader *reader, const char *line) {
    struct pending *pending = &reader->pending;
    struct met_vector vector;
    uint64_t address;
    if (!pending->loop ||
        sscanf(line, "vector %" SCNd64 " %" SCNu64 " %" SCNx64 " %" SCNd64 " %" SCNd64 " %" SCNx32,
               &vector.distance, &vector.count, &address, &vector.iterations[0],
               &vector.iterations[1], &vector.keys) != 6)
        return;
    if (!pending->into) {
        pending->met.address = address;
        name_memory(reader, pending->loop, &pending->met, pending->block, pending->size,
                    pending->site);
        pending->into = add_met(reader, pending->loop, &pending->met);
    }
    struct met *met = pending->into;
    met->count += vector.count;
    for (int i = 0; i < met->nvectors; ++i)
        if (met->vectors[i].distance == vector.distance && met->vectors[i].keys == vector.keys) {
            met->vectors[i].count += vector.count;
            return;
        }
    ARENA_PUSH(reader->accesses->arena, met->vectors, met->nvectors, vector);
}

static void read_total(struct reader *reader, const char *line) {
    uint64_t ticks, touches;
    if (sscanf(line, "total %" SCNu64 " %" SCNu64, &ticks, &touches) != 2)
        return;
    reader->accesses->ticks += ticks;
    reader->accesses->touches += touches;
    reader->accesses->incomplete |= strstr(line, "incomplete") != NULL;
}

static void read_line(struct reader *reader, const char *line) {
    char name[64];
    if (strncmp(line, "module ", 7) == 0)
        read_module(reader, line);
    else if (sscanf(line, "unit %63s", name) == 1)
        reader->table = table_of(reader, name);
    else if (strncmp(line, "loop ", 5) == 0)
        read_loop(reader, line);
    else if (strncmp(line, "conflict ", 9) == 0)
        read_conflict(reader, line);
    else if (strncmp(line, "vector ", 7) == 0)
        read_vector(reader, line);
    else if (strncmp(line, "total ", 6) == 0)
        read_total(reader, line);
    else
        sscanf(line, "signal %d", &reader->accesses->signal);
}

static void read_run(struct reader *reader, const char *path) {
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    reader->nmodules = 0;
    reader->modules = NULL;
    reader->table = NULL;
    while (in && getline(&line, &room, in) > 0)
        read_line(reader, line);
    free(line);
    if (in)
        fclose(in);
    reader->accesses->nruns += in != NULL;
}

int accesses_read(struct accesses *accesses, const char *folder) {
    struct reader reader = {.accesses = accesses};
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    if (!entries) {
        fprintf(stderr, "orrery verify: cannot read %s: %s\n", folder, strerror(errno));
        return 1;
    }
    accesses->folder = folder;
    while ((entry = readdir(entries))) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".run") == 0)
            read_run(&reader, arena_printf(accesses->arena, "%s/%s", folder, entry->d_name));
    }
    closedir(entries);
    return 0;
}
