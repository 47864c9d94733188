/* Definitions as numbers: what the analysis reads of a function, and nothing else. */
#include "analyzer/import/private.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* `seen`: static functions that were taken already. */
struct hash {
    struct arena *arena;
    XXH64_state_t state;
    int nseen;
    const struct function **seen;
};

static void number(struct hash *h, long long value) {
    XXH64_update(&h->state, &value, sizeof value);
}

static void text(struct hash *h, const char *value) {
    number(h, value ? (long long)strlen(value) : -1);
    if (value)
        XXH64_update(&h->state, value, strlen(value));
}

static void add_expr(struct hash *h, const struct expr *expr);
static void add_stmt(struct hash *h, const struct stmt *stmt);
static void add_function(struct hash *h, const struct function *function);

/* The spelling of a type without a name has its place in it, which depends on who asks. */
static void add_type(struct hash *h, const struct type *type, int depth) {
    number(h, type != NULL);
    if (!type)
        return;
    number(h, type->kind);
    number(h, type->size);
    number(h, type->count);
    number(h, type->is_signed | type->is_const << 1 | type->is_volatile << 2 |
                  type->is_restrict << 3 | type->is_atomic << 4);
    text(h, strstr(type->spelling, " at ") ? NULL : type->spelling);
    add_expr(h, type->vla_count);
    if (type->element && depth < 8)
        add_type(h, type->element, depth + 1);
    for (int i = 0; type->record && depth < 4 && i < type->record->nfields; ++i) {
        const struct field *field = &type->record->fields[i];
        text(h, field->name);
        number(h, field->offset_bits);
        number(h, field->bit_width);
        add_type(h, field->type, depth + 4);
    }
}

static void add_variable(struct hash *h, const struct variable *var) {
    text(h, var->name);
    number(h, var->storage);
    number(h, var->address_taken);
    number(h, var->writes);
    add_type(h, var->type, 0);
}

static void add_callee(struct hash *h, const struct function *function) {
    text(h, function->name);
    number(h, function->is_static);
    if (function->body && function->is_static)
        add_function(h, function);
}

static void add_expr(struct hash *h, const struct expr *expr) {
    number(h, expr != NULL);
    if (!expr)
        return;
    number(h, expr->kind);
    number(h, expr->op);
    number(h, expr->int_value);
    number(h, expr->delta);
    number(h, expr->arrow | expr->prefix << 1);
    text(h, expr->text);
    add_type(h, expr->type, 4);
    if (expr->var)
        add_variable(h, expr->var);
    if (expr->function)
        add_callee(h, expr->function);
    if (expr->field) {
        text(h, expr->field->name);
        number(h, expr->field->offset_bits);
    }
    number(h, expr->nargs);
    for (int i = 0; i < expr->nargs; ++i)
        add_expr(h, expr->args[i]);
}

static void add_loop(struct hash *h, const struct loop *loop) {
    number(h, loop->canonical);
    number(h, loop->relation);
    number(h, loop->step);
    number(h, loop->pragma != NULL);
    add_stmt(h, loop->init);
    add_expr(h, loop->cond);
    add_expr(h, loop->next);
    add_stmt(h, loop->body);
}

static void add_stmt(struct hash *h, const struct stmt *stmt) {
    number(h, stmt != NULL);
    if (!stmt)
        return;
    number(h, stmt->kind);
    text(h, stmt->text);
    add_expr(h, stmt->expr);
    add_stmt(h, stmt->then);
    add_stmt(h, stmt->other);
    number(h, stmt->nbody);
    for (int i = 0; i < stmt->nbody; ++i)
        add_stmt(h, stmt->body[i]);
    for (int i = 0; i < stmt->nvars; ++i) {
        add_variable(h, stmt->vars[i]);
        add_expr(h, stmt->vars[i]->init);
    }
    if (stmt->loop)
        add_loop(h, stmt->loop);
}

static void add_function(struct hash *h, const struct function *function) {
    for (int i = 0; i < h->nseen; ++i)
        if (h->seen[i] == function)
            return;
    ARENA_PUSH(h->arena, h->seen, h->nseen, function);
    text(h, function->name);
    add_type(h, function->result, 0);
    for (int i = 0; i < function->nparams; ++i)
        add_variable(h, function->params[i]);
    add_stmt(h, function->body);
}

/*
 * A number made of everything that the analysis takes from the function's definition and from the
 * static functions it calls. requires: as parsed, not imported.
 */
static uint64_t import_hash(struct arena *arena, const struct function *function) {
    struct hash h = {.arena = arena};
    XXH64_reset(&h.state, 0);
    add_function(&h, function);
    return XXH64_digest(&h.state);
}

const char *import_symbol(struct arena *arena, const struct function *function) {
    return arena_printf(arena, "orrery_%s_as_analyzed_%016llx", function->name,
                        (unsigned long long)import_hash(arena, function));
}

/*
 * Those of an included file, too. Several objects may have such a definition where a macro hides
 * `inline`: weak symbols do not collide.
 */
static bool is_stamped(const struct unit *unit, const struct function *f) {
    return f->body && !f->is_static &&
           (f->range.begin.file == unit->main_file ||
            !(f->is_replaceable || import_is_inline(unit, f)));
}

const char *import_stamp(const struct unit *unit) {
    const char *stamp = "\n";
    for (int i = 0; i < unit->nfunctions; ++i) {
        const struct function *f = unit->functions[i];
        if (!is_stamped(unit, f))
            continue;
        const char *symbol = import_symbol(unit->arena, f);
        bool included = f->range.begin.file != unit->main_file;
        stamp = arena_printf(unit->arena, "%sextern const char %s%s; const char %s = 0;\n", stamp,
                             symbol, included ? " __attribute__((__weak__))" : "", symbol);
    }
    return stamp;
}
