#include "scheduler/base/nesting.h"

/* The functions that were found. */
struct search {
    const struct unit *unit;
    bool *seen; /* one flag per function id; NULL until one is found */
};

static void visit_stmt(struct search *search, const struct stmt *stmt);

int nesting_ids(const struct unit *unit) {
    int largest = 0;
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->id > largest)
            largest = unit->functions[i]->id;
    return largest + 1;
}

static void visit_function(struct search *search, const struct function *function) {
    if (!function)
        return;
    if (!search->seen)
        search->seen = arena_alloc(search->unit->arena, (size_t)nesting_ids(search->unit));
    if (search->seen[function->id])
        return;
    search->seen[function->id] = true;
    visit_stmt(search, function->body);
}

static void visit_expr(struct search *search, const struct expr *expr) {
    if (!expr)
        return;
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_FUNCTION)
        visit_function(search, expr->function);
    for (int i = 0; i < expr->nargs; ++i)
        visit_expr(search, expr->args[i]);
}

static void visit_loop(struct search *search, const struct loop *loop) {
    visit_stmt(search, loop->init);
    visit_expr(search, loop->cond);
    visit_expr(search, loop->next);
    visit_stmt(search, loop->body);
}

static void visit_stmt(struct search *search, const struct stmt *stmt) {
    if (!stmt)
        return;
    if (stmt->loop) {
        visit_loop(search, stmt->loop);
        return;
    }
    visit_expr(search, stmt->expr);
    visit_stmt(search, stmt->then);
    visit_stmt(search, stmt->other);
    for (int i = 0; i < stmt->nbody; ++i)
        visit_stmt(search, stmt->body[i]);
    for (int i = 0; i < stmt->nvars; ++i)
        visit_expr(search, stmt->vars[i]->init);
}

const bool *nesting_called(const struct unit *unit, const struct loop *outer) {
    struct search search = {.unit = unit};
    visit_loop(&search, outer);
    return search.seen;
}

bool nesting_inside(const struct loop *inner, const struct loop *outer, const bool *called) {
    for (const struct loop *loop = inner->parent; loop; loop = loop->parent)
        if (loop == outer)
            return true;
    return called && inner->function && called[inner->function->id];
}

bool nesting_in_text(const struct loop *inner, const struct loop *outer) {
    const struct range *a = &inner->stmt->range, *b = &outer->stmt->range;
    return a->begin.file == b->begin.file && a->begin.offset > b->begin.offset &&
           a->end.offset <= b->end.offset;
}
