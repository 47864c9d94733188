#include "scheduler/points/points.h"

#include "scheduler/base/nesting.h"

#include <string.h>

/*
 * `loops`: the parallel ones. `holds[f]`, by function: does it run one? `covered[f]`: it is called
 * by a loop that is a head. 0: not known yet.
 */
enum answer { UNKNOWN, ASKED, NO, YES };

struct search {
    struct unit *unit;
    int nloops;
    const struct loop *const *loops;
    char *holds, *covered, *seen;
    struct ckpt_points found;
};

static bool is_parallel(const struct search *search, const struct loop *loop) {
    for (int i = 0; i < search->nloops; ++i)
        if (search->loops[i] == loop)
            return true;
    return false;
}

static bool in_parallel(const struct search *search, const struct loop *loop) {
    for (; loop; loop = loop->parent)
        if (is_parallel(search, loop))
            return true;
    return false;
}

/* ---- what runs parallel loops ---------------------------------------------------------------- */

static bool function_holds(struct search *search, const struct function *f);

struct calls {
    struct search *search;
    bool holds, cover;
};

static void cover(struct search *search, const struct function *f);

static void call_visit(void *data, struct expr *expr) {
    struct calls *calls = data;
    bool names = expr->kind == EXPR_CALL || expr->kind == EXPR_FUNCTION;
    if (!names || !expr->function || !expr->function->body)
        return;
    if (calls->cover)
        cover(calls->search, expr->function);
    else
        calls->holds |= function_holds(calls->search, expr->function);
}

static void cover(struct search *search, const struct function *f) {
    struct calls calls = {.search = search, .cover = true};
    if (search->covered[f->id])
        return;
    search->covered[f->id] = true;
    stmt_visit(f->body, call_visit, &calls);
}

/* A marked parallel loop stands in `stmt`, or in a function that is called there. Around others, that
 * nobody asked for, variables stay unknown to checkpoints: their values and what pointers lead to
 * would no more be known to the host compiler. */
static bool stmt_holds(struct search *search, struct stmt *stmt, const struct function *f) {
    struct calls calls = {.search = search};
    for (int i = 0; i < search->nloops; ++i)
        if (search->loops[i]->function == f && loop_is_marked(search->loops[i]) &&
            range_holds(&stmt->range, &search->loops[i]->stmt->range))
            return true;
    stmt_visit(stmt, call_visit, &calls);
    return calls.holds;
}

static bool function_holds(struct search *search, const struct function *f) {
    if (search->holds[f->id] != UNKNOWN)
        return search->holds[f->id] == YES;
    search->holds[f->id] = ASKED;
    bool holds = stmt_holds(search, f->body, f);
    search->holds[f->id] = holds ? YES : NO;
    return holds;
}

/* ---- variables in scope ---------------------------------------------------------------------- */

static void live_push(struct search *search, struct ckpt_point *ckpt_point,
                      const struct variable *var) {
    ARENA_PUSH(search->unit->arena, ckpt_point->live, ckpt_point->nlive, var);
}

/* Adds what is declared on the way to the loop; false, and nothing added: it is not in there. */
static bool scope_walk(struct search *search, struct ckpt_point *ckpt_point,
                       const struct stmt *stmt) {
    int had = ckpt_point->nlive;
    if (!stmt || !range_holds(&stmt->range, &ckpt_point->loop->stmt->range))
        return false;
    if (stmt->loop && stmt->loop->init)
        for (int i = 0; i < stmt->loop->init->nvars; ++i)
            live_push(search, ckpt_point, stmt->loop->init->vars[i]);
    if (stmt == ckpt_point->loop->stmt)
        return true;
    for (int i = 0; i < stmt->nbody; ++i) {
        if (scope_walk(search, ckpt_point, stmt->body[i]))
            return true;
        for (int v = 0; v < stmt->body[i]->nvars; ++v)
            live_push(search, ckpt_point, stmt->body[i]->vars[v]);
    }
    if (scope_walk(search, ckpt_point, stmt->then) || scope_walk(search, ckpt_point, stmt->other) ||
        (stmt->kind == STMT_FOR && stmt->loop && scope_walk(search, ckpt_point, stmt->loop->body)))
        return true;
    ckpt_point->nlive = had;
    return false;
}

static void live_keep(struct ckpt_point *ckpt_point) {
    int kept = 0;
    for (int i = 0; i < ckpt_point->nlive; ++i)
        if (ckpt_point->live[i]->storage == STORAGE_LOCAL ||
            ckpt_point->live[i]->storage == STORAGE_PARAM)
            ckpt_point->live[kept++] = ckpt_point->live[i];
    ckpt_point->nlive = kept;
}

struct statics {
    struct search *search;
    struct ckpt_point *ckpt_point;
};

/* A compiler that sees all uses of a static variable in one function may take it for a local. */
static void static_visit(void *data, struct expr *expr) {
    struct statics *statics = data;
    const struct variable *var = expr->kind == EXPR_VAR ? expr->var : NULL;
    if (!var || var->storage != STORAGE_STATIC || var->type->is_const || var->type->size <= 0 ||
        var->type->size > 64)
        return;
    for (int i = 0; i < statics->ckpt_point->nlive; ++i)
        if (statics->ckpt_point->live[i] == var ||
            strcmp(statics->ckpt_point->live[i]->name, var->name) == 0)
            return;
    live_push(statics->search, statics->ckpt_point, var);
}

static void live_find(struct search *search, struct ckpt_point *ckpt_point) {
    const struct function *f = ckpt_point->loop->function;
    struct statics statics = {search, ckpt_point};
    for (int i = 0; i < f->nparams; ++i)
        if (f->params[i]->name && f->params[i]->name[0])
            live_push(search, ckpt_point, f->params[i]);
    scope_walk(search, ckpt_point, f->body);
    live_keep(ckpt_point);
    stmt_visit(f->body, static_visit, &statics);
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool under_ckpt_point(const struct search *search, const struct loop *loop) {
    for (int i = 0; i < search->found.count; ++i)
        if (!search->found.items[i].code && search->found.items[i].loop != loop &&
            search->found.items[i].loop->function == loop->function &&
            range_holds(&search->found.items[i].loop->stmt->range, &loop->stmt->range))
            return true;
    return false;
}

static void try_loop(struct search *search, const struct loop *loop) {
    if (in_parallel(search, loop) || under_ckpt_point(search, loop) || !loop->body ||
        loop->header.begin.file != search->unit->main_file ||
        !stmt_holds(search, loop->body, loop->function))
        return;
    struct ckpt_point ckpt_point = {.loop = loop};
    live_find(search, &ckpt_point);
    ckpt_point_unsafe(search->unit, &ckpt_point);
    ARENA_PUSH(search->unit->arena, search->found.items, search->found.count, ckpt_point);
    struct calls calls = {.search = search, .cover = true};
    if (!ckpt_point.code)
        stmt_visit(loop->stmt, call_visit, &calls);
}

static void try_function(struct search *search, struct function *f);

static void caller_visit(void *data, struct expr *expr) {
    if ((expr->kind == EXPR_CALL || expr->kind == EXPR_FUNCTION) && expr->function &&
        expr->function->body)
        try_function(data, expr->function);
}

/* Callers first: their loops stand around those of the functions that they call. */
static void try_function(struct search *search, struct function *f) {
    if (search->seen[f->id])
        return;
    search->seen[f->id] = true;
    for (int i = 0; i < search->unit->nloops; ++i)
        if (search->unit->loops[i]->function == f && !search->covered[f->id])
            try_loop(search, search->unit->loops[i]);
    stmt_visit(f->body, caller_visit, search);
}

static bool is_named(const void *f, const struct expr *expr) {
    return (expr->kind == EXPR_CALL || expr->kind == EXPR_FUNCTION) && expr->function == f;
}

static bool is_called(const struct unit *unit, const struct function *f) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i] != f && stmt_any_expr(unit->functions[i]->body, is_named, f))
            return true;
    return false;
}

/* A loop that can be saved stands in it, or in what it calls. */
static bool has_better(struct search *search, const struct ckpt_point *ckpt_point) {
    for (int i = 0; i < search->found.count; ++i) {
        const struct ckpt_point *other = &search->found.items[i];
        const struct range *at = &other->loop->stmt->range;
        bool same = other->loop->function == ckpt_point->loop->function;
        bool inner = other != ckpt_point && same && range_holds(&ckpt_point->loop->stmt->range, at);
        bool outer = other != ckpt_point && same && other->code &&
                     range_holds(&other->loop->stmt->range, &ckpt_point->loop->stmt->range);
        if ((inner && !other->code) || outer || (!same && !other->code))
            return true;
    }
    return false;
}

/* Of refused loops those stay under which nothing can be saved. */
static void drop_refused(struct search *search) {
    struct ckpt_points kept = {0};
    for (int i = 0; i < search->found.count; ++i)
        if (!search->found.items[i].code || !has_better(search, &search->found.items[i]))
            ARENA_PUSH(search->unit->arena, kept.items, kept.count, search->found.items[i]);
    search->found = kept;
}

struct ckpt_points ckpt_points_find(struct unit *unit, int nloops,
                                    const struct loop *const *loops) {
    const size_t nids = (size_t)nesting_ids(unit);
    struct search search = {.unit = unit,
                            .nloops = nloops,
                            .loops = loops,
                            .holds = arena_alloc(unit->arena, nids),
                            .covered = arena_alloc(unit->arena, nids),
                            .seen = arena_alloc(unit->arena, nids)};
    for (int round = 0; round < 2 && nloops > 0; ++round)
        for (int i = 0; i < unit->nfunctions; ++i)
            if (unit->functions[i]->body && (round || !is_called(unit, unit->functions[i])))
                try_function(&search, unit->functions[i]);
    drop_refused(&search);
    return search.found;
}

void ckpt_points_report(const struct ckpt_points *ckpt_points, struct diag_list *diags) {
    for (int i = 0; i < ckpt_points->count; ++i) {
        const struct ckpt_point *ckpt_point = &ckpt_points->items[i];
        if (!ckpt_point->code)
            continue;
        struct diag *diag = diag_add(diags, SEVERITY_REMARK, ckpt_point->code, ckpt_point->where,
                                     "the loop over passes in line %d cannot be saved: %s",
                                     ckpt_point->loop->header.begin.line, ckpt_point->why);
        diag->fix = ckpt_point->fix;
    }
}
