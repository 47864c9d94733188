/* Files of effects: whose lines are where, by name. A line is read when it is asked for. */
#include "analyzer/effects/private.h"

#include <ctype.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *name) {
    uint64_t hash = 1469598103934665603u;
    for (; *name; ++name)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash >> 1;
}

/* The number of the name, or -1; `key`: where it stands, or would. */
static int name_find(const struct effect_files *files, const char *name, uint64_t *key) {
    int at;
    for (*key = hash_of(name); (at = table_get(&files->by_hash, *key)) >= 0; ++*key)
        if (strcmp(files->names[at], name) == 0)
            break;
    return at;
}

static void name_add(struct effect_files *files, const char *name) {
    uint64_t key;
    int at = name_find(files, name, &key), entry = files->nentries - 1;
    if (at >= 0) {
        files->of[at] = entry;
        return;
    }
    table_put(&files->by_hash, key, files->nnames);
    ARENA_PUSH(files->arena, files->names, files->nnames, name);
    ARENA_PUSH(files->arena, files->of, files->nof, entry);
}

/* sqrt{,f,l} is sqrt, sqrtf and sqrtl. */
static void names_expand(struct effect_files *files, const char *pattern) {
    struct entry *entry = &files->entries[files->nentries - 1];
    if (entry->steps == EFFECTS_MOST_NAMES)
        return;
    ++entry->steps;
    const char *open = strchr(pattern, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close) {
        name_add(files, pattern);
        return;
    }
    const char *at = open;
    while (at < close) {
        size_t length = strcspn(at + 1, ",}");
        names_expand(files, arena_printf(files->arena, "%.*s%.*s%s", (int)(open - pattern), pattern,
                                         (int)length, at + 1, close + 1));
        at += 1 + length;
    }
}

static void names_add(struct effect_files *files, const struct effect_line *line) {
    const char *at = line->begin;
    while (at < line->end && *at != '(') {
        size_t length = 0;
        while (at + length < line->end && at[length] != '(' && !isspace((unsigned char)at[length]))
            ++length;
        if (length)
            names_expand(files, arena_strndup(files->arena, at, length));
        at += length ? length : 1;
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool goes_on(const char *at) {
    return *at == ' ' || *at == '\t';
}

static const char *line_end(const char *at) {
    return at + strcspn(at, "\n");
}

static bool is_blank(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at))
        ++at;
    return at == end || *at == '#';
}

void effect_files_add(struct effect_files *files, const char *name, const char *text) {
    int number = 1;
    while (*text) {
        struct effect_line line = {.file = name, .begin = text, .line = number};
        do {
            line.end = line_end(text);
            text = *line.end ? line.end + 1 : line.end;
            ++number;
        } while (goes_on(text));
        if (is_blank(line.begin, line.end))
            continue;
        struct entry entry = {.line = line};
        ARENA_PUSH(files->arena, files->entries, files->nentries, entry);
        names_add(files, &line);
    }
}

struct effect_files *effect_files_empty(struct arena *arena) {
    struct effect_files *files = arena_alloc(arena, sizeof *files);
    files->arena = arena;
    files->by_hash.arena = arena;
    return files;
}

struct effect_files *effect_files_new(struct arena *arena) {
    struct effect_files *files = effect_files_empty(arena);
    effect_files_add(files, "library.effects", effects_library);
    return files;
}

int effect_files_names(const struct effect_files *files, const char *const **names) {
    *names = files->names;
    return files->nnames;
}

/* ---- what they say --------------------------------------------------------------------------- */

static const struct effects *entry_read(struct effect_files *files, struct entry *entry) {
    struct effect_error error;
    if (entry->read)
        return entry->read;
    struct effects *read = arena_alloc(files->arena, sizeof *read);
    if (!effects_read(files->arena, &entry->line, read, &error))
        return NULL;
    entry->read = read;
    return read;
}

static const char builtin[] = "__builtin_";

static bool is_builtin(const char *name) {
    return strncmp(name, builtin, sizeof builtin - 1) == 0;
}

const struct effects *effects_find(struct effect_files *files, const char *name,
                                   struct effect_line *where) {
    uint64_t key;
    int at = name_find(files, name, &key);
    if (at < 0 && is_builtin(name))
        at = name_find(files, name + sizeof builtin - 1, &key);
    if (at < 0)
        return NULL;
    struct entry *entry = &files->entries[files->of[at]];
    if (where)
        *where = entry->line;
    return entry_read(files, entry);
}

/* Numbers in, a number out: no function of the user's that has such a name, `void log(char *)`. */
static bool computes(const struct function *function) {
    bool numbers = function->result && function->result->kind != TYPE_VOID &&
                   function->result->kind != TYPE_POINTER;
    for (int i = 0; i < function->nparams && numbers; ++i)
        numbers = function->params[i]->type->kind != TYPE_POINTER;
    return numbers;
}

static bool is_pointer(const struct function *function, int param) {
    return param < 0 || function->params[param]->type->kind == TYPE_POINTER;
}

/* `void *` has no elements. */
static bool is_countable(const struct function *function, const struct effect_touch *touch) {
    bool counted = touch->param >= 0 && touch->extent == EFFECT_ELEMENTS;
    return !counted || function->params[touch->param]->type->element->kind != TYPE_VOID;
}

const char *effects_misfit(const struct effects *effects, const struct function *function) {
    if (effects->nparams != function->nparams || effects->variadic != function->is_variadic)
        return "it has another number of parameters";
    if (effects->effect == EFFECT_PURE && !computes(function))
        return "what is pure takes numbers and gives back a number; say what is read with `reads`";
    if (!is_pointer(function, effects->frees) || !is_pointer(function, effects->returns))
        return "a parameter that has to be a pointer is none";
    for (int i = 0; i < effects->ntouches; ++i) {
        if (!is_pointer(function, effects->touches[i].param))
            return "a parameter with memory behind it is no pointer";
        if (!is_countable(function, &effects->touches[i]))
            return "a `void *` has no elements: say how many bytes";
    }
    return NULL;
}

const struct effects *effects_find_declared(struct effect_files *files,
                                            const struct function *function) {
    const struct effects *effects = effects_find(files, function->name, NULL);
    return effects && (is_builtin(function->name) || !effects_misfit(effects, function)) ? effects
                                                                                         : NULL;
}
