/*
 * Minima and maxima of the form `m = m < x ? m : x`: an x that is no number is taken, and the next
 * x takes its place, so that what came before is lost. Blocks cannot know of each other's, and the
 * program stops when it happens. `m = x < m ? x : m` and `if (x < m) m = x` pass it by.
 */
#include "scheduler/outline/collect.h"

#include <string.h>

struct search {
    const struct expr *lvalue;
    struct expr *assign;
    struct stmt *stmt;
};

static void see_expr(void *data, struct expr *expr, struct expr *parent) {
    struct search *s = data;
    (void)parent;
    if (expr->kind == EXPR_ASSIGN && expr->args[0] == s->lvalue)
        s->assign = expr;
}

static void see_stmt(void *data, struct stmt *stmt) {
    struct search *s = data;
    if (stmt->kind == STMT_EXPR && stmt->expr == s->assign)
        s->stmt = stmt;
}

static void search_in(struct search *s, struct stmt *body) {
    emit_walk_stmt(body, see_expr, s);
    if (s->assign)
        emit_walk_stmts(body, see_stmt, s);
}

static bool same(struct outline *job, const struct expr *a, const struct expr *b) {
    return strcmp(expr_print(job->arena, a), expr_print(job->arena, b)) == 0;
}

/* m < x ? m : x, and its like: where the comparison does not hold, x is taken. */
static bool takes_nan(struct outline *job, const struct expr *assign) {
    const struct expr *value = assign->args[1];
    return assign->op == OP_NONE && value->kind == EXPR_CONDITIONAL && value->args[1] &&
           same(job, value->args[1], assign->args[0]);
}

/* Says behind the statement whether it took one. False: the text cannot be changed there. */
static bool tell(struct outline *job, const struct search *s, const struct emit_reduction *made) {
    const struct range *body = &job->loop->body->range, *at = s->stmt ? &s->stmt->range : NULL;
    if (!at || !at->exact || at->begin.file != body->begin.file ||
        at->begin.offset < body->begin.offset || at->end.offset > body->end.offset ||
        job->source[at->end.offset - 1] != ';' || (made->is_array && !made->var))
        return false;
    const char *name = made->is_array ? expr_print(job->arena, s->lvalue) : made->name;
    text_edit_add(
        &job->renames, at->end.offset - 1, at->end.offset - 1,
        arena_printf(job->arena, ", orrery_nan_%d |= (%s) != (%s)", job->nreductions, name, name));
    return true;
}

bool emit_nan_watch(struct outline *job, int index, struct emit_reduction *made) {
    const struct reduction *reduction = &job->facts->reductions[index];
    bool extreme = reduction_is_extreme(reduction->op);
    if (!extreme || reduction->type->kind != TYPE_FLOAT)
        return true;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->reduction != index || !access->write)
            continue;
        struct search s = {.lvalue = access->expr};
        search_in(&s, job->loop->body);
        bool here = s.assign;
        for (int f = 0; f < job->unit->nfunctions && !s.assign; ++f)
            if (job->unit->functions[f]->body)
                search_in(&s, job->unit->functions[f]->body);
        if (!s.assign || !takes_nan(job, s.assign))
            continue;
        if (!here || !tell(job, &s, made))
            return false;
        made->watched = true;
    }
    return true;
}
