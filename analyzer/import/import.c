#include "analyzer/import/private.h"
#include "analyzer/messages.h"

#include <string.h>

/* ---- functions of the unit */

static struct function *find_function(const struct unit *unit, const char *name) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (!unit->functions[i]->is_static && !unit->functions[i]->is_hidden &&
            strcmp(unit->functions[i]->name, name) == 0)
            return unit->functions[i];
    return NULL;
}

static bool is_of(const struct unit *unit, const struct function *function) {
    return function->id < unit->nfunctions && unit->functions[function->id] == function;
}

void import_deny(struct unit *unit, const char *name, const char *code, const char *words) {
    struct function *function = find_function(unit, name);
    if (!function || function->body || function->apart)
        return;
    function->apart_code = code;
    function->apart = words;
}

/* ---- one definition */

static const char *name_of(const struct unit *unit) {
    return unit->files[unit->main_file].name;
}

static bool starts_word(const char *text, size_t at, const char *word) {
    return strncmp(text + at, word, strlen(word)) == 0;
}

/* An inline definition of C99 is not the one that other files call (C11 6.7.4). */
bool import_is_inline(const struct unit *unit, const struct function *function) {
    if (function->range.begin.file < 0)
        return true;
    const struct source_file *file = &unit->files[function->range.begin.file];
    unsigned end = function->body->range.begin.offset;
    for (unsigned i = function->range.begin.offset; i < end && i < file->size; ++i)
        if (starts_word(file->text, i, "inline"))
            return true;
    return false;
}

static void check_types(struct import *import, const struct function *own,
                        const struct function *given) {
    bool same = own->nparams == given->nparams && own->is_variadic == given->is_variadic &&
                import_same_parameter(own->result, given->result);
    for (int i = 0; same && i < own->nparams; ++i)
        same = import_same_parameter(own->params[i]->type, given->params[i]->type);
    if (!same)
        import_fail(import, ORR2262, "this file declares it with another type");
}

/* Takes over the definition; on failure `own` stays a declaration with a reason. */
static void define(struct import *import, struct function *own, struct function *given) {
    struct stmt *body = given->body;
    struct import inner = *import;
    inner.function = own;
    inner.code = inner.wrong = NULL;
    if (own->is_replaceable || given->is_replaceable || import_is_inline(import->other, given))
        import_fail(&inner, ORR2263, "the linker may take another definition for it");
    check_types(&inner, own, given);
    own->body = NULL;
    for (int i = 0; i < given->nparams && !inner.wrong; ++i)
        import_variable(&inner, given->params[i]);
    const struct type *result = import_type(&inner, given->result);
    import_stmt(&inner, body);
    import->npairs = inner.npairs;
    import->pairs = inner.pairs;
    if (inner.wrong) {
        own->apart_code = inner.code;
        own->apart = arena_printf(import->arena, "%s: %s", name_of(import->other), inner.wrong);
        return;
    }
    import_range(import, &given->range);
    own->params = given->params;
    own->nparams = given->nparams;
    own->result = result;
    own->symbol = given->symbol;
    own->origin = name_of(import->other);
    own->range = given->range;
    own->body = body;
}

/* A function that this unit did not know becomes one of it. A static one is called from elsewhere,
 * too: nothing may be concluded from the calls that are seen. */
static struct function *adopt(struct import *import, struct function *given) {
    bool has_body = given->body != NULL;
    given->id = import->unit->nfunctions;
    given->is_hidden = given->is_static;
    given->is_static = false;
    ARENA_PUSH(import->arena, import->unit->functions, import->unit->nfunctions, given);
    if (has_body)
        define(import, given, given);
    return given;
}

struct function *import_function(struct import *import, struct function *function) {
    if (is_of(import->unit, function))
        return function;
    struct function *own = function->is_static ? NULL : find_function(import->unit, function->name);
    return own ? own : adopt(import, function);
}

/* ---- all of them */

/* The definition of `name` that other files can call, or NULL. */
static struct function *definition(const struct unit *other, const char *name) {
    for (int i = 0; i < other->nfunctions; ++i) {
        struct function *f = other->functions[i];
        if (f->body && !f->is_static && !f->is_hidden && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

/* ids and files of the other unit come behind those of this one, once. */
static struct import open_import(struct unit *unit, struct unit *other) {
    struct import import = {.arena = unit->arena, .unit = unit, .other = other};
    import.files = unit->nfiles;
    import.exprs = unit->nexprs > other->nexprs ? unit->nexprs : other->nexprs;
    import.variables = unit->nvariables > other->nvariables ? unit->nvariables : other->nvariables;
    unit->nexprs = import.exprs + other->nexprs;
    unit->nvariables = import.variables + other->nvariables;
    for (int i = 0; i < other->nfiles; ++i)
        ARENA_PUSH(unit->arena, unit->files, unit->nfiles, other->files[i]);
    for (int i = 0; i < other->nfunctions; ++i)
        if (other->functions[i]->body && !other->functions[i]->is_static)
            other->functions[i]->symbol = import_symbol(unit->arena, other->functions[i]);
    return import;
}

/* `joins`: one per unit that was added. */
struct imported {
    struct unit *unit;
    bool all;
    int count;
    struct import *joins;
};

struct imported *import_open(struct unit *unit, bool all) {
    struct imported *imported = arena_alloc(unit->arena, sizeof *imported);
    *imported = (struct imported){.unit = unit, .all = all};
    return imported;
}

void import_add(struct imported *imported, struct unit *other) {
    struct import import = open_import(imported->unit, other);
    ARENA_PUSH(imported->unit->arena, imported->joins, imported->count, import);
}

/* Resolves one name; false when no file defines it. */
static bool resolve(struct imported *imported, const char *name) {
    struct unit *unit = imported->unit;
    struct function *own = find_function(unit, name), *found = NULL;
    struct import *from = NULL;
    for (int i = 0; i < imported->count; ++i) {
        struct import *import = &imported->joins[i];
        struct function *given = definition(import->other, name);
        if (given && found) {
            import_deny(unit, name, ORR2260,
                        arena_printf(unit->arena, "%s and %s both define it", name_of(from->other),
                                     name_of(import->other)));
            return true;
        }
        from = given ? import : from;
        found = given ? given : found;
    }
    if (found && own && !own->body)
        define(from, own, found);
    return found != NULL;
}

void import_resolve(struct imported *imported) {
    for (bool more = true; more;) {
        const char **names;
        int count = import_missing(imported->unit, imported->all, &names);
        more = false;
        for (int i = 0; i < count; ++i)
            more |= resolve(imported, names[i]);
    }
}
