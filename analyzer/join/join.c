#include "analyzer/join/private.h"
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

void join_deny(struct unit *unit, const char *name, const char *code, const char *words) {
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
bool join_is_inline(const struct unit *unit, const struct function *function) {
    if (function->range.begin.file < 0)
        return true;
    const struct source_file *file = &unit->files[function->range.begin.file];
    unsigned end = function->body->range.begin.offset;
    for (unsigned i = function->range.begin.offset; i < end && i < file->size; ++i)
        if (starts_word(file->text, i, "inline"))
            return true;
    return false;
}

static void check_types(struct join *join, const struct function *own,
                        const struct function *given) {
    bool same = own->nparams == given->nparams && own->is_variadic == given->is_variadic &&
                join_same_parameter(own->result, given->result);
    for (int i = 0; same && i < own->nparams; ++i)
        same = join_same_parameter(own->params[i]->type, given->params[i]->type);
    if (!same)
        join_fail(join, ORR2262, "this file declares it with another type");
}

/* Takes over the definition; on failure `own` stays a declaration with a reason. */
static void define(struct join *join, struct function *own, struct function *given) {
    struct stmt *body = given->body;
    struct join inner = *join;
    inner.function = own;
    inner.code = inner.wrong = NULL;
    if (own->is_replaceable || given->is_replaceable || join_is_inline(join->other, given))
        join_fail(&inner, ORR2263, "the linker may take another definition for it");
    check_types(&inner, own, given);
    own->body = NULL;
    for (int i = 0; i < given->nparams && !inner.wrong; ++i)
        join_variable(&inner, given->params[i]);
    const struct type *result = join_type(&inner, given->result);
    join_stmt(&inner, body);
    join->npairs = inner.npairs;
    join->pairs = inner.pairs;
    if (inner.wrong) {
        own->apart_code = inner.code;
        own->apart = arena_printf(join->arena, "%s: %s", name_of(join->other), inner.wrong);
        return;
    }
    join_range(join, &given->range);
    own->params = given->params;
    own->nparams = given->nparams;
    own->result = result;
    own->symbol = given->symbol;
    own->origin = name_of(join->other);
    own->range = given->range;
    own->body = body;
}

/* A function that this unit did not know becomes one of it. A static one is called from elsewhere,
 * too: nothing may be concluded from the calls that are seen. */
static struct function *adopt(struct join *join, struct function *given) {
    bool has_body = given->body != NULL;
    given->id = join->unit->nfunctions;
    given->is_hidden = given->is_static;
    given->is_static = false;
    ARENA_PUSH(join->arena, join->unit->functions, join->unit->nfunctions, given);
    if (has_body)
        define(join, given, given);
    return given;
}

struct function *join_function(struct join *join, struct function *function) {
    if (is_of(join->unit, function))
        return function;
    struct function *own = function->is_static ? NULL : find_function(join->unit, function->name);
    return own ? own : adopt(join, function);
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
static struct join open_join(struct unit *unit, struct unit *other) {
    struct join join = {.arena = unit->arena, .unit = unit, .other = other};
    join.files = unit->nfiles;
    join.exprs = unit->nexprs > other->nexprs ? unit->nexprs : other->nexprs;
    join.variables = unit->nvariables > other->nvariables ? unit->nvariables : other->nvariables;
    unit->nexprs = join.exprs + other->nexprs;
    unit->nvariables = join.variables + other->nvariables;
    for (int i = 0; i < other->nfiles; ++i)
        ARENA_PUSH(unit->arena, unit->files, unit->nfiles, other->files[i]);
    for (int i = 0; i < other->nfunctions; ++i)
        if (other->functions[i]->body && !other->functions[i]->is_static)
            other->functions[i]->symbol = join_symbol(unit->arena, other->functions[i]);
    return join;
}

/* `joins`: one per unit that was added. */
struct joined {
    struct unit *unit;
    bool all;
    int count;
    struct join *joins;
};

struct joined *join_open(struct unit *unit, bool all) {
    struct joined *joined = arena_alloc(unit->arena, sizeof *joined);
    *joined = (struct joined){.unit = unit, .all = all};
    return joined;
}

void join_add(struct joined *joined, struct unit *other) {
    struct join join = open_join(joined->unit, other);
    ARENA_PUSH(joined->unit->arena, joined->joins, joined->count, join);
}

/* Resolves one name; false when no file defines it. */
static bool resolve(struct joined *joined, const char *name) {
    struct unit *unit = joined->unit;
    struct function *own = find_function(unit, name), *found = NULL;
    struct join *from = NULL;
    for (int i = 0; i < joined->count; ++i) {
        struct join *join = &joined->joins[i];
        struct function *given = definition(join->other, name);
        if (given && found) {
            join_deny(unit, name, ORR2260,
                      arena_printf(unit->arena, "%s and %s both define it", name_of(from->other),
                                   name_of(join->other)));
            return true;
        }
        from = given ? join : from;
        found = given ? given : found;
    }
    if (found && own && !own->body)
        define(from, own, found);
    return found != NULL;
}

void join_resolve(struct joined *joined) {
    for (bool more = true; more;) {
        const char **names;
        int count = join_missing(joined->unit, joined->all, &names);
        more = false;
        for (int i = 0; i < count; ++i)
            more |= resolve(joined, names[i]);
    }
}
