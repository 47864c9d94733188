#include "scheduler/base/nesting.h"

/* The functions that were found. */
struct search {
    const struct unit *unit;
    bool *seen; /* one flag per function id; NULL until one is found */
};

int nesting_ids(const struct unit *unit) {
    int largest = 0;
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->id > largest)
            largest = unit->functions[i]->id;
    return largest + 1;
}

static void visit_function(void *data, struct expr *expr) {
    struct search *search = data;
    const struct function *function = expr->function;
    if ((expr->kind != EXPR_CALL && expr->kind != EXPR_FUNCTION) || !function)
        return;
    if (!search->seen)
        search->seen = arena_alloc(search->unit->arena, (size_t)nesting_ids(search->unit));
    if (search->seen[function->id])
        return;
    search->seen[function->id] = true;
    stmt_visit(function->body, visit_function, search);
}

const bool *nesting_called(const struct unit *unit, const struct loop *outer) {
    struct search search = {.unit = unit};
    stmt_visit(outer->stmt, visit_function, &search);
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
    return range_holds(b, a) && a->begin.offset > b->begin.offset;
}
