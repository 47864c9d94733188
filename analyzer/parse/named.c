/*
 * Statement expressions that only give names to values before they use them, as macros do that
 * evaluate each argument once: ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; }).
 */
#include "analyzer/ir_visit.h"
#include "analyzer/parse/private.h"

struct names {
    int count;
    struct variable *vars[8];
};

static bool is_number(const struct type *type) {
    return type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_BOOL);
}

static bool add_names(struct names *names, const struct stmt *decl) {
    for (int i = 0; decl->kind == STMT_DECL && i < decl->nvars; ++i) {
        struct variable *var = decl->vars[i];
        if (names->count == 8 || !var->init || var->storage != STORAGE_LOCAL ||
            !is_number(var->type) || !is_number(var->init->type) || expr_has_effect(var->init))
            return false;
        names->vars[names->count++] = var;
    }
    return decl->kind == STMT_DECL;
}

/* The value that a name stands for, of the name's type. */
static struct expr *value_of(struct translator *t, const struct names *names,
                             const struct expr *e) {
    for (int i = 0; i < names->count; ++i)
        if (e->kind == EXPR_VAR && e->var == names->vars[i]) {
            struct expr *cast = arena_alloc(t->arena, sizeof *cast);
            *cast = *e;
            cast->kind = EXPR_CAST;
            cast->var = NULL;
            cast->nargs = 1;
            cast->args = arena_alloc(t->arena, sizeof *cast->args);
            cast->args[0] = names->vars[i]->init;
            return e->type == names->vars[i]->init->type ? names->vars[i]->init : cast;
        }
    return NULL;
}

static void put_values(struct translator *t, const struct names *names, struct expr **e) {
    struct expr *value = value_of(t, names, *e);
    if (value) {
        *e = value;
        return;
    }
    for (int i = 0; i < (*e)->nargs; ++i)
        if ((*e)->args[i])
            put_values(t, names, &(*e)->args[i]);
}

static bool all_fixed(const struct names *names) {
    for (int i = 0; i < names->count; ++i)
        if (names->vars[i]->writes || names->vars[i]->address_taken)
            return false;
    return true;
}

/* ---- what is left of others: their expressions, for those who ask what is set and called ----- */

static void keep(struct translator *t, struct expr *into, struct expr *e) {
    if (e)
        ARENA_PUSH(t->arena, into->args, into->nargs, e);
}

static void keep_all(struct translator *t, struct expr *into, const struct stmt *s) {
    if (!s)
        return;
    keep(t, into, s->expr);
    for (int i = 0; i < s->nvars; ++i)
        keep(t, into, s->vars[i]->init);
    for (int i = 0; i < s->nbody; ++i)
        keep_all(t, into, s->body[i]);
    keep_all(t, into, s->then);
    keep_all(t, into, s->other);
    if (s->kind == STMT_FOR && s->loop) {
        keep_all(t, into, s->loop->init);
        keep(t, into, s->loop->cond);
        keep(t, into, s->loop->next);
        keep_all(t, into, s->loop->body);
    }
}

/* The last part's expression; all parts are translated, so that their assignments are known. */
static struct expr *translate(struct translator *t, const struct node *parts, int count,
                              struct names *names, struct expr *unknown) {
    bool plain = count > 0;
    struct expr *result = NULL;
    for (int i = 0; i < count; ++i) {
        if (i + 1 == count && node_is_expression(parts[i])) {
            result = parse_expr_make(t, parts[i]);
            keep(t, unknown, result);
            continue;
        }
        const struct stmt *stmt = parse_stmt_make(t, parts[i]);
        keep_all(t, unknown, stmt);
        int first = names->count;
        plain = plain && add_names(names, stmt);
        for (int n = first; n < names->count; ++n)
            put_values(t, names, &names->vars[n]->init);
    }
    return plain ? result : NULL;
}

struct expr *parse_named_values(struct translator *t, struct node block, struct expr *unknown) {
    struct names names = {0};
    struct node *parts;
    int count = node_children(t->door, block, &parts);
    struct expr *result = translate(t, parts, count, &names, unknown);
    if (!result || !all_fixed(&names) || expr_has_effect(result))
        return NULL;
    put_values(t, &names, &result);
    return result;
}
