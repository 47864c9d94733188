#include "scheduler/nesting.h"

/* The functions that were found: one flag per function id. */
struct search {
    bool *seen;
};

static void visit_stmt(struct search *search, const struct stmt *stmt);

static void visit_function(struct search *search, const struct function *function) {
    if (!function || search->seen[function->id])
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

static int largest_id(const struct unit *unit) {
    int largest = 0;
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->id > largest)
            largest = unit->functions[i]->id;
    return largest;
}

const bool *nesting_called(const struct unit *unit, const struct loop *outer) {
    struct search search = {arena_alloc(unit->arena, (size_t)largest_id(unit) + 1)};
    visit_loop(&search, outer);
    return search.seen;
}

bool nesting_inside(const struct loop *inner, const struct loop *outer, const bool *called) {
    for (const struct loop *loop = inner->parent; loop; loop = loop->parent)
        if (loop == outer)
            return true;
    return inner->function && called[inner->function->id];
}

bool nesting_in_text(const struct loop *inner, const struct loop *outer) {
    const struct range *a = &inner->stmt->range, *b = &outer->stmt->range;
    return a->begin.file == b->begin.file && a->begin.offset > b->begin.offset &&
           a->end.offset <= b->end.offset;
}
