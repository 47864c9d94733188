#include "analyzer/analyzer.h"
#include "tools/diff/diff.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int complain(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int complain(const char *path, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: error: ", path);
    vfprintf(stderr, format, args);
    fprintf(stderr,
            " [%s]\n  fix: write both with orrery analyze --format=json, with the same files and "
            "flags\n",
            ORR9230);
    va_end(args);
    return -1;
}

/* A field's text; "" when it is missing or null, as function and variable of some loops are. */
static const char *text_of(struct arena *arena, const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return arena_strdup(arena, text ? text : "");
}

static int number_of(const json_t *object, const char *name) {
    return (int)json_integer_value(json_object_get(object, name));
}

static bool read_loop(struct arena *arena, const json_t *json, struct diff_loop *loop) {
    const json_t *reason = json_array_get(json_object_get(json, "reasons"), 0);
    const char *verdict = text_of(arena, json, "verdict");
    *loop = (struct diff_loop){.file = text_of(arena, json, "file"),
                               .function = text_of(arena, json, "function"),
                               .variable = text_of(arena, json, "variable"),
                               .strategy = text_of(arena, json, "strategy"),
                               .code = text_of(arena, reason, "code"),
                               .message = text_of(arena, reason, "message"),
                               .line = number_of(json, "line"),
                               .depth = number_of(json, "depth"),
                               .parallel = strcmp(verdict, "parallel") == 0};
    return loop->parallel || strcmp(verdict, "serial") == 0;
}

/* 0, or -1 when the object is no analysis. */
static int read_file(struct diff_analysis *analysis, const json_t *root) {
    struct arena *arena = analysis->arena;
    const json_t *loops = json_object_get(root, "loops");
    const char *schema = text_of(arena, root, "schema");
    if (strcmp(schema, "orrery-analysis/1") != 0 || !json_is_array(loops) ||
        !json_is_string(json_object_get(root, "file")))
        return -1;
    const json_t *error = json_array_get(json_object_get(root, "errors"), 0);
    struct diff_file file = {.name = text_of(arena, root, "file"),
                             .error = error ? text_of(arena, error, "message") : NULL};
    for (size_t i = 0; i < json_array_size(loops); ++i) {
        struct diff_loop loop;
        if (!read_loop(arena, json_array_get(loops, i), &loop))
            return -1;
        ARENA_PUSH(arena, file.loops, file.nloops, loop);
    }
    ARENA_PUSH(arena, analysis->files, analysis->nfiles, file);
    return 0;
}

static bool at_end(FILE *in) {
    int c;
    while ((c = getc(in)) == ' ' || c == '\n' || c == '\r' || c == '\t')
        ;
    ungetc(c, in);
    return c == EOF;
}

static int read_all(struct diff_analysis *analysis, const char *path, FILE *in) {
    while (!at_end(in)) {
        json_error_t error;
        json_t *root = json_loadf(in, JSON_DISABLE_EOF_CHECK, &error);
        if (!root)
            return complain(path, "it is no JSON: %s (in line %d of object %d)", error.text,
                            error.line, analysis->nfiles + 1);
        int status = read_file(analysis, root);
        json_decref(root);
        if (status != 0)
            return complain(path, "object %d is not what 'orrery analyze --format=json' writes",
                            analysis->nfiles + 1);
    }
    return analysis->nfiles > 0 ? 0 : complain(path, "there is no analysis in it");
}

int diff_read(struct diff_analysis *analysis, struct arena *arena, const char *path) {
    *analysis = (struct diff_analysis){.arena = arena};
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "r");
    if (!in)
        return complain(path, "cannot be read: %s", strerror(errno));
    int status = read_all(analysis, standard ? "standard input" : path, in);
    if (!standard)
        fclose(in);
    return status;
}
