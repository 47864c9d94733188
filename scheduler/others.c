#define _GNU_SOURCE
#include "scheduler/others.h"

#include "analyzer/analyzer.h"

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
    const struct compile_request *request;
    const char **texts;
    bool *used;
    struct imported *imported;
};

static struct compile_file other_of(const struct others *others, int i) {
    return others->request->other(others->request->data, i);
}

static const char *path_of(struct arena *arena, const struct compile_file *file) {
    if (!file->directory || file->name[0] == '/')
        return file->name;
    return arena_printf(arena, "%s/%s", file->directory, file->name);
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
static bool is_same_file(struct arena *arena, const struct compile_file *own,
                         const struct compile_file *file) {
    char *a = realpath(path_of(arena, own), NULL), *b = realpath(path_of(arena, file), NULL);
    bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

static const char *text_of(struct others *others, int i) {
    const struct compile_file file = other_of(others, i);
    if (!others->texts[i])
        others->texts[i] = is_same_file(others->arena, &others->request->file, &file)
                               ? ""
                               : read_text(others->arena, path_of(others->arena, &file));
    return others->texts[i];
}

static const char *first_error(const struct diag_list *diags) {
    for (int i = 0; i < diags->count; ++i)
        if (diags->items[i].severity == SEVERITY_ERROR)
            return diags->items[i].message;
    return "it cannot be parsed";
}

/* Flags count from the folder the database names. */
static struct unit *parse(struct others *others, const struct compile_file *file,
                          struct diag_list *diags) {
    char *here = getcwd(NULL, 0);
    bool moved = file->directory && here && chdir(file->directory) == 0;
    struct unit *unit = compile_parse(others->arena, file, others->request->include, diags);
    if (moved && chdir(here) != 0)
        unit = NULL;
    free(here);
    return unit;
}

static void take(struct others *others, int i, const char *name) {
    const struct compile_file file = other_of(others, i);
    struct diag_list diags = {.arena = others->arena};
    struct unit *unit = parse(others, &file, &diags);
    if (unit && diags.nerrors == 0)
        import_add(others->imported, unit);
    else
        import_deny(others->unit, name, ORR2264,
                    arena_printf(others->arena, "%s: %s", file.name, first_error(&diags)));
}

/* Parses what has not been parsed and may define one of the names;
 * true when there was something. */
static bool take_all(struct others *others, int count, const char *const *names) {
    bool any = false;
    for (int i = 0; i < others->request->nothers; ++i) {
        const char *name = NULL;
        for (int j = 0; j < count && !others->used[i]; ++j)
            name = !name && import_mentions(text_of(others, i), names[j]) ? names[j] : name;
        if (!name)
            continue;
        others->used[i] = any = true;
        take(others, i, name);
    }
    return any;
}

void others_import(struct unit *unit, const struct compile_request *request) {
    size_t count = (size_t)request->nothers + 1;
    struct others others = {.arena = unit->arena, .unit = unit, .request = request};
    others.imported = import_open(unit, request->all);
    others.texts = arena_alloc(unit->arena, count * sizeof *others.texts);
    others.used = arena_alloc(unit->arena, count * sizeof *others.used);
    for (;;) {
        const char **names;
        int missing = request->nothers ? import_missing(unit, request->all, &names) : 0;
        if (missing == 0 || !take_all(&others, missing, names))
            return;
        import_resolve(others.imported);
    }
}
