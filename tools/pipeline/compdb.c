#define _GNU_SOURCE
#include "tools/pipeline/compdb.h"
#include "analyzer/analyzer.h"

#include "tools/base/words.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- messages */

static int complain(const char *code, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int complain(const char *code, const char *path, const char *format, ...) {
    va_list args;
    fprintf(stderr, "%s: error: ", path);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr,
            " [%s]\n  fix: have the build system write it, as cmake "
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON and bear -- make do\n",
            code);
    return -1;
}

static const char *database_file(struct arena *arena, const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return arena_printf(arena, "%s%scompile_commands.json", path,
                            path[strlen(path) - 1] == '/' ? "" : "/");
    return path;
}

/* ---- one entry */

static bool ends_in(const char *name, const char *suffix) {
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

static const char *absolute(struct arena *arena, const char *directory, const char *file) {
    if (file[0] == '/')
        return file;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return arena_printf(arena, "%s/%s", directory, file);
}

/* The words behind the compiler's name, without the file and what names outputs. */
static void take_words(struct compdb_entry *entry, const struct arg_list *words, const char *file) {
    for (int i = 1; i < words->count; ++i) {
        const char *word = words->items[i];
        bool valued = strcmp(word, "-o") == 0 || strcmp(word, "-MF") == 0 ||
                      strcmp(word, "-MT") == 0 || strcmp(word, "-MQ") == 0;
        i += valued;
        if (!valued && strcmp(word, file) != 0 && strcmp(word, "-c") != 0)
            arg_list_push(&entry->cflags, word);
    }
}

static bool is_same(const struct compdb_entry *a, const struct compdb_entry *b) {
    bool same = strcmp(a->file, b->file) == 0 && strcmp(a->directory, b->directory) == 0 &&
                a->cflags.count == b->cflags.count;
    for (int i = 0; same && i < a->cflags.count; ++i)
        same = strcmp(a->cflags.items[i], b->cflags.items[i]) == 0;
    return same;
}

static void entry_push(struct compdb *db, const struct compdb_entry *entry) {
    for (int i = 0; i < db->count; ++i)
        if (is_same(&db->entries[i], entry))
            return;
    ARENA_PUSH(db->arena, db->entries, db->count, *entry);
}

/* "arguments" as they are, or "command" as a shell would cut it. NULL: every entry is sound. */
static const char *words_of(const json_t *json, struct arg_list *words) {
    json_t *arguments = json_object_get(json, "arguments"), *word;
    const char *command = json_string_value(json_object_get(json, "command"));
    size_t i;
    if (arguments && !json_is_array(arguments))
        return "\"arguments\" is no array";
    json_array_foreach(arguments, i, word) {
        if (!json_is_string(word))
            return "\"arguments\" holds something that is no string";
        arg_list_push(words, arena_strdup(words->arena, json_string_value(word)));
    }
    if (!arguments && !command)
        return "neither \"arguments\" nor \"command\"";
    for (const char *next; !arguments && (next = words_next(words->arena, &command));)
        arg_list_push(words, next);
    return NULL;
}

static int entry_read(struct compdb *db, const json_t *json, const char *path, size_t index) {
    const char *file = json_string_value(json_object_get(json, "file"));
    const char *directory = json_string_value(json_object_get(json, "directory"));
    struct arg_list words = {.arena = db->arena};
    const char *wrong = !json_is_object(json) ? "it is no object"
                        : !file || !*file     ? "no \"file\""
                        : !directory          ? "no \"directory\""
                                              : words_of(json, &words);
    if (wrong)
        return complain(ORR9121, path, "entry %zu: %s", index + 1, wrong);
    if (!ends_in(file, ".c")) {
        ++db->left_out;
        return 0;
    }
    struct compdb_entry entry = {.directory = arena_strdup(db->arena, directory),
                                 .cflags = {.arena = db->arena}};
    entry.file = arena_strdup(db->arena, absolute(db->arena, directory, file));
    take_words(&entry, &words, file);
    entry_push(db, &entry);
    return 0;
}

/* ---- all of them */

int compdb_read(struct compdb *db, struct arena *arena, const char *path) {
    *db = (struct compdb){.arena = arena};
    const char *file = database_file(arena, path);
    FILE *in = fopen(file, "r");
    if (!in)
        return complain(ORR9120, file, "cannot read the compilation database: %s", strerror(errno));
    json_error_t error;
    json_t *root = json_loadf(in, 0, &error), *entry;
    fclose(in);
    if (!root)
        return complain(ORR9120, arena_printf(arena, "%s:%d:%d", file, error.line, error.column),
                        "%s", error.text);
    int status = json_is_array(root) ? 0 : complain(ORR9120, file, "it is no JSON array");
    size_t i;
    json_array_foreach(root, i, entry) {
        if (status == 0)
            status = entry_read(db, entry, file, i);
    }
    json_decref(root);
    return status;
}

struct compdb compdb_named(const struct arg_list *files, const struct arg_list *cflags) {
    struct compdb db = {.arena = files->arena};
    for (int i = 0; i < files->count; ++i) {
        struct compdb_entry entry = {.file = files->items[i], .cflags = *cflags};
        ARENA_PUSH(db.arena, db.entries, db.count, entry);
    }
    return db;
}

int compdb_select(const struct compdb *db, const char *file, struct compdb *chosen) {
    char *wanted = realpath(file, NULL);
    int found = 0;
    for (int i = 0; i < db->count; ++i) {
        char *one = realpath(db->entries[i].file, NULL);
        if (wanted && one && strcmp(wanted, one) == 0) {
            ARENA_PUSH(chosen->arena, chosen->entries, chosen->count, db->entries[i]);
            ++found;
        }
        free(one);
    }
    free(wanted);
    return found;
}
