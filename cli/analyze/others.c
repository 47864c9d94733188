#define _GNU_SOURCE
#include "cli/analyze/others.h"

#include "analyzer/join/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The other files. `texts`: their contents once read, "" for those that cannot be. `used`: parsed
 * already.
 */
struct others {
    struct arena *arena;
    struct unit *unit;
    const struct pipeline_request *request;
    const char **texts;
    bool *used;
    struct joined *joined;
};

static const char *path_of(struct arena *arena, const struct compdb_entry *entry) {
    if (!entry->directory || entry->file[0] == '/')
        return entry->file;
    return arena_printf(arena, "%s/%s", entry->directory, entry->file);
}

static const char *read_text(struct arena *arena, const char *path) {
    FILE *in = fopen(path, "r");
    char *buffer = NULL;
    size_t room = 0;
    ssize_t length = in ? getdelim(&buffer, &room, '\0', in) : -1;
    const char *text = length > 0 ? arena_strndup(arena, buffer, (size_t)length) : "";
    free(buffer);
    if (in)
        fclose(in);
    return text;
}

/* The file that is analyzed itself may stand among the others, under the same name or another. */
static bool is_same_file(struct arena *arena, const struct pipeline_request *request,
                         const struct compdb_entry *entry) {
    const struct compdb_entry own = {.file = request->file, .directory = request->directory};
    char *a = realpath(path_of(arena, &own), NULL), *b = realpath(path_of(arena, entry), NULL);
    bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

static const char *text_of(struct others *others, int i) {
    if (!others->texts[i])
        others->texts[i] =
            is_same_file(others->arena, others->request, &others->request->others[i])
                ? ""
                : read_text(others->arena, path_of(others->arena, &others->request->others[i]));
    return others->texts[i];
}

static const char *first_error(const struct diag_list *diags) {
    for (int i = 0; i < diags->count; ++i)
        if (diags->items[i].severity == SEVERITY_ERROR)
            return diags->items[i].message;
    return "it cannot be parsed";
}

/* Flags count from the folder the database names. */
static struct unit *parse(struct others *others, const struct compdb_entry *entry,
                          struct diag_list *diags) {
    char *here = getcwd(NULL, 0);
    bool moved = entry->directory && here && chdir(entry->directory) == 0;
    struct unit *unit = pipeline_parse(others->arena, entry->file, NULL, entry->cflags.count,
                                       entry->cflags.items, diags);
    if (moved && chdir(here) != 0)
        unit = NULL;
    free(here);
    return unit;
}

static void take(struct others *others, int i, const char *name) {
    const struct compdb_entry *entry = &others->request->others[i];
    struct diag_list diags = {.arena = others->arena};
    struct unit *unit = parse(others, entry, &diags);
    if (unit && diags.nerrors == 0)
        join_add(others->joined, unit);
    else
        join_deny(others->unit, name, ORR2264,
                  arena_printf(others->arena, "%s: %s", entry->file, first_error(&diags)));
}

/* Parses what has not been parsed and may define one of the names;
 * true when there was something. */
static bool take_all(struct others *others, int count, const char *const *names) {
    bool any = false;
    for (int i = 0; i < others->request->nothers; ++i) {
        const char *name = NULL;
        for (int j = 0; j < count && !others->used[i]; ++j)
            name = !name && join_mentions(text_of(others, i), names[j]) ? names[j] : name;
        if (!name)
            continue;
        others->used[i] = any = true;
        take(others, i, name);
    }
    return any;
}

void others_join(struct unit *unit, const struct pipeline_request *request) {
    size_t count = (size_t)request->nothers + 1;
    struct others others = {.arena = unit->arena, .unit = unit, .request = request};
    others.joined = join_open(unit, request->all);
    others.texts = arena_alloc(unit->arena, count * sizeof *others.texts);
    others.used = arena_alloc(unit->arena, count * sizeof *others.used);
    for (;;) {
        const char **names;
        int missing = request->nothers ? join_missing(unit, request->all, &names) : 0;
        if (missing == 0 || !take_all(&others, missing, names))
            return;
        join_resolve(others.joined);
    }
}
