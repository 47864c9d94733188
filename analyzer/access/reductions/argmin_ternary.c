/*
 * Choices without an `if`: `at = x[i] < best ? i : at; best = x[i] < best ? x[i] : best;`. All hang
 * on one comparison; the best, which that reads, is set last.
 */
#include "analyzer/access/reductions/argmin.h"

/* `var = cond ? value : var` */
static struct expr *setting_of(const struct trace *t, const struct stmt *s) {
    struct expr *e = s->kind == STMT_EXPR ? s->expr : NULL;
    bool sets = e && e->kind == EXPR_ASSIGN && e->op == OP_NONE && choosing_is_outer(t, e->args[0]);
    const struct expr *value = sets ? e->args[1] : NULL;
    bool keeps = value && value->kind == EXPR_CONDITIONAL && value->args[1] &&
                 value->args[2]->kind == EXPR_VAR && value->args[2]->var == e->args[0]->var;
    return keeps && expr_is_quiet(value, false) ? e : NULL;
}

/* The assignment that happens when the condition holds. */
static struct expr *taken(const struct trace *t, const struct expr *setting) {
    struct expr *value = setting->args[1]->args[1];
    struct expr *set = expr_new(t->arena, EXPR_ASSIGN, setting->type, value->range);
    set->range = value->range;
    set->nargs = 2;
    set->args[0] = setting->args[0];
    set->args[1] = value;
    return set;
}

static const struct expr *condition(const struct trace *t, const struct expr *setting) {
    return choosing_named(t, setting->args[1]->args[0]);
}

/* The comparison of each setting, in which the best is read, and what each leaves as it is. */
static bool compares(const struct trace *t, struct stmt *const *from, struct choosing *c) {
    for (int i = 0; i < c->nsets; ++i) {
        const struct expr *setting = setting_of(t, from[i]);
        c->cond = setting->args[1]->args[0];
        if (!choosing_compares(t, setting->args[1]->args[0], c))
            return false;
        ARENA_PUSH(t->arena, c->reads, c->nreads, setting->args[1]->args[2]);
    }
    return true;
}

/* How many settings on one condition begin here. */
static int count_settings(const struct trace *t, struct stmt *const *body, int nbody,
                          struct choosing *c) {
    const struct expr *first = setting_of(t, body[0]);
    int count = 0;
    for (; first && count < nbody; ++count) {
        const struct expr *setting = setting_of(t, body[count]);
        if (!setting || !expr_equal(condition(t, first), condition(t, setting)) ||
            choosing_set_of(c, setting->args[0]->var)) {
            return count;
        }
        choosing_add_set(t, c, taken(t, setting));
    }
    return count;
}

/* A local holds the comparison as it was; else it is made anew, and must come out the same. */
static bool is_in_order(const struct trace *t, struct stmt *const *from, int count,
                        const struct choosing *c) {
    bool kept = true;
    for (int i = 0; i < count; ++i) {
        const struct expr *setting = setting_of(t, from[i]);
        kept = kept && condition(t, setting) != setting->args[1]->args[0];
    }
    return kept || setting_of(t, from[count - 1])->args[0]->var == c->best;
}

static void see_sequences(struct choosings *all, struct stmt *const *body, int nbody) {
    for (int i = 0; i < nbody; ++i) {
        struct choosing c = {.where = body[i]};
        int count = count_settings(all->t, &body[i], nbody - i, &c);
        bool good = count > 0 && compares(all->t, &body[i], &c) && (count > 1 || c.worth) &&
                    is_in_order(all->t, &body[i], count, &c);
        if (good)
            ARENA_PUSH(all->t->arena, all->items, all->count, c);
        i += count > 1 ? count - 1 : 0;
    }
}

void choosing_see_ternaries(struct choosings *all, struct stmt *s) {
    struct stmt *body = s->loop ? s->loop->body : NULL;
    if (s->kind == STMT_BLOCK)
        see_sequences(all, s->body, s->nbody);
    else if (body && body->kind == STMT_EXPR)
        see_sequences(all, &body, 1);
}
