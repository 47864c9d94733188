/* Files of effects that users write: their errors, and which functions of a unit they speak of. */
#define _GNU_SOURCE
#include "analyzer/effects/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the files as files of the unit ---------------------------------------------------------- */

/* NULL, and errno: it cannot be read. */
static const char *read_text(struct arena *arena, const char *name, size_t *size) {
    FILE *in = fopen(name, "r");
    char *buffer = NULL;
    size_t room = 0;
    errno = in ? 0 : errno;
    ssize_t length = in ? getdelim(&buffer, &room, '\0', in) : -1;
    bool empty = in && length < 0 && !errno;
    const char *text = length > 0 ? arena_strndup(arena, buffer, (size_t)length) : NULL;
    int failure = errno;
    free(buffer);
    if (in)
        fclose(in);
    *size = length > 0 ? strlen(text) : 0;
    errno = failure;
    return empty ? "" : text;
}

static struct loc loc_at(const struct unit *unit, int file, const char *at) {
    const char *text = unit->files[file].text;
    struct loc loc = {.file = file, .line = 1, .column = 1, .offset = (unsigned)(at - text)};
    for (const char *p = text; p < at; ++p) {
        loc.column = *p == '\n' ? 1 : loc.column + 1;
        loc.line += *p == '\n';
    }
    return loc;
}

static int file_of(const struct unit *unit, const char *at) {
    for (int i = 0; i < unit->nfiles; ++i) {
        const struct source_file *file = &unit->files[i];
        if (file->text && at >= file->text && at <= file->text + file->size)
            return i;
    }
    return -1;
}

static struct range range_at(const struct unit *unit, const char *begin, const char *end) {
    int file = file_of(unit, begin);
    return (struct range){.begin = loc_at(unit, file, begin), .end = loc_at(unit, file, end)};
}

/* The line's first, as far as it is one line. */
static struct range line_range(const struct unit *unit, const struct effect_line *line) {
    const char *end = memchr(line->begin, '\n', (size_t)(line->end - line->begin));
    return range_at(unit, line->begin, end ? end : line->end);
}

static void check_line(struct unit *unit, const struct effect_line *line, struct diag_list *diags) {
    struct effects effects;
    struct effect_error error;
    if (effects_read(unit->arena, line, &effects, &error))
        return;
    const char *end = error.at + strcspn(error.at, " ,()[]:\n");
    struct diag *diag =
        diag_add(diags, SEVERITY_ERROR, ORR9301, range_at(unit, error.at, end), "%s", error.what);
    diag->fix = error.nearest
                    ? arena_printf(unit->arena, "did you mean `%s`?", error.nearest)
                    : "a line is `NAME(PARAMETER, ...): CLAUSE, ...`; docs/effects.md has "
                      "the clauses";
}

static void take_file(struct unit *unit, struct effect_files *files, const char *name,
                      struct diag_list *diags) {
    struct source_file file = {.name = name};
    const struct range nowhere = {.begin.file = -1, .end.file = -1};
    file.text = read_text(unit->arena, name, &file.size);
    if (!file.text) {
        diag_add(diags, SEVERITY_ERROR, ORR9301, nowhere, "cannot read '%s': %s", name,
                 strerror(errno));
        return;
    }
    ARENA_PUSH(unit->arena, unit->files, unit->nfiles, file);
    int first = files->nentries;
    effect_files_add(files, name, file.text);
    for (int i = first; i < files->nentries; ++i) {
        const struct effect_line *line = &files->entries[i].line;
        if (files->entries[i].steps == EFFECTS_MOST_NAMES)
            diag_add(diags, SEVERITY_ERROR, ORR9301, line_range(unit, line),
                     "more than %d names in a line", EFFECTS_MOST_NAMES);
        else
            check_line(unit, line, diags);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

/* rand() does not become pure by a file; how far a function of BLAS reads the user may know better. */
static bool is_settled(const struct function *function) {
    enum effect effect = effect_of_function(function);
    return effect != EFFECT_UNKNOWN && effect != EFFECT_MEMORY;
}

static void say_known(struct unit *unit, const struct function *function,
                      const struct effect_line *line, struct diag_list *diags) {
    struct diag *diag =
        diag_add(diags, SEVERITY_WARNING, ORR9302, line_range(unit, line),
                 "this is not used: what `%s` does is known without it", function->name);
    diag->fix = arena_printf(unit->arena,
                             "take it out; `orrery explain --effects %s` prints the "
                             "line that counts",
                             function->name);
}

static void say_misfit(struct unit *unit, const struct function *function,
                       const struct effect_line *line, const char *why, struct diag_list *diags) {
    struct diag *diag =
        diag_add(diags, SEVERITY_WARNING, ORR9302, line_range(unit, line),
                 "this says nothing of `%s` as the program declares it: %s", function->name, why);
    diag->fix = "give the line the parameters of the declaration";
    if (function->range.begin.file >= 0)
        diag_note(diags, diag, function->range, "`%s` is declared here", function->name);
}

static void take_function(struct unit *unit, struct effect_files *files, struct function *function,
                          struct diag_list *diags) {
    struct effect_line line;
    const struct effects *effects = effects_find(files, function->name, &line);
    if (!effects)
        return;
    const char *misfit = effects_misfit(effects, function);
    if (is_settled(function))
        say_known(unit, function, &line, diags);
    else if (misfit)
        say_misfit(unit, function, &line, misfit, diags);
    else if (function->body)
        effects_check_body(unit, function, effects, line_range(unit, &line), diags);
    else
        function->effects = effects;
}

struct effect_files *effects_take(struct unit *unit, int nfiles, const char *const *names,
                                  struct diag_list *diags) {
    struct effect_files *files = effect_files_empty(unit->arena);
    int errors = diags->nerrors;
    for (int i = 0; i < nfiles; ++i)
        take_file(unit, files, names[i], diags);
    for (int i = 0; diags->nerrors == errors && i < unit->nfunctions; ++i)
        take_function(unit, files, unit->functions[i], diags);
    return files;
}
