/*
 * Forward substitution: what a read gets is the value that the last store before it took, if the
 * loop stores there, and else what memory held.
 */
#include "scheduler/transform/value.h"

#include <string.h>

enum { MOST_STEPS = 64, MOST_BYTES = 3000 };

/* `shared`: of the whole expression. */
struct value_shared {
    int steps;
    long least;
    bool fits;
};

/* A point of an iteration: in front of statement `statement`. `place`: this node itself is memory
 * as it stands. */
struct point {
    const struct line *line;
    struct value_at at;
    int statement;
    const struct expr *place;
    struct value_shared *shared;
};

static const char *print(struct point *p, const struct expr *e);

const char *value_of_variable(const struct line *line, struct value_at at) {
    const struct variable *v = line->loop->variable;
    return arena_printf(line->nest->arena, "(%s)(%s + %ld * (%s + %ld))",
                        type_declare(line->nest->arena, v->type, ""), at.first, line->loop->step,
                        at.iteration, at.offset);
}

static const char *fail(struct point *p) {
    p->shared->fits = false;
    return "0";
}

/* The point in front of a statement, `back` iterations earlier. */
static struct point step(const struct point *p, int statement, long back) {
    struct point next = *p;
    next.statement = statement;
    next.place = NULL;
    next.at.offset -= back;
    return next;
}

static const char *cast(const struct point *p, const struct type *type, const char *value) {
    struct arena *arena = p->line->nest->arena;
    return arena_printf(arena, "((%s)(%s))", type_declare(arena, type, ""), value);
}

static const char *spelled(enum op op) {
    static const char *const signs[] = {
        [OP_ADD] = "+",  [OP_SUB] = "-",  [OP_MUL] = "*",    [OP_DIV] = "/",   [OP_REM] = "%",
        [OP_SHL] = "<<", [OP_SHR] = ">>", [OP_BITAND] = "&", [OP_BITOR] = "|", [OP_BITXOR] = "^"};
    return (size_t)op < sizeof signs / sizeof *signs ? signs[op] : NULL;
}

/* What a statement stores; `before`: what the place held, for a compound assignment. */
static const char *stored(struct point *p, const struct line_set *set, const char *before,
                          const struct type *type) {
    struct arena *arena = p->line->nest->arena;
    if (set->op == OP_NONE)
        return cast(p, type, print(p, set->value));
    const char *sign = spelled(set->op);
    if (!sign)
        return fail(p);
    const char *right = set->value ? print(p, set->value) : arena_printf(arena, "%d", set->delta);
    return cast(p, type, arena_printf(arena, "%s %s (%s)", before, sign, right));
}

/* The last statement before `until` that may set `var`, -1: none. */
static int setter_of(const struct line *line, const struct variable *var, int until, bool *surely);

static bool has_set(const struct stmt *stmt, const struct variable *var) {
    return stmt_sets(stmt, var) || stmt_declares(stmt, var);
}

static int setter_of(const struct line *line, const struct variable *var, int until, bool *surely) {
    int index = until - 1;
    struct line_set set;
    while (index >= 0 && !has_set(line->nest->statements[index].stmt, var))
        --index;
    *surely = index >= 0 && line_sets(line, index, &set) && set.var == var;
    return index;
}

static const char *scalar(struct point *p, const struct variable *var) {
    const struct line *line = p->line;
    bool surely = false, inside = line->scalars[line_scalar_of(line, var)].inside;
    int index = setter_of(line, var, p->statement, &surely);
    long back = index < 0 ? 1 : 0;
    if (index < 0 && !inside)
        index = setter_of(line, var, line->nest->nstatements, &surely);
    if (!surely || p->shared->steps++ > MOST_STEPS)
        return fail(p);
    struct line_set set;
    line_sets(line, index, &set);
    struct point then = step(p, index, back);
    const char *before = set.op == OP_NONE ? "" : scalar(&then, var);
    return stored(&then, &set, before, var->type);
}

/* The store that a read gets its value from: the last one before it that touches the element.
 * NULL: no iteration stores there before. */
static const struct access *source_of(struct point *p, const struct access *read, long *back) {
    const struct loop_facts *facts = p->line->nest->facts;
    const struct access *last = NULL;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        long distance = 0;
        if (!a->write || a->object != read->object)
            continue;
        enum line_meeting meeting = line_meet(p->line, a, read, &distance);
        if (meeting == LINE_ANY)
            fail(p);
        bool before = distance > 0 || (distance == 0 && a->id < read->id);
        bool later = !last || distance < *back || (distance == *back && a->id > last->id);
        if (meeting == LINE_AT && before && later) {
            last = a;
            *back = distance;
        }
    }
    return last;
}

/* Of the body's node `e`, which is that read. */
static const char *element(struct point *p, const struct access *read, const struct expr *e) {
    long back = 0;
    const struct access *store = source_of(p, read, &back);
    if (!store) {
        struct point here = *p;
        here.place = e;
        return arena_printf(p->line->nest->arena, "(%s)", print(&here, e));
    }
    int index = nest_statement_of(p->line->nest, &store->range);
    struct line_set set;
    if (index < 0 || store->conditional || store->sometimes || !line_sets(p->line, index, &set) ||
        set.var || p->shared->steps++ > MOST_STEPS)
        return fail(p);
    struct point then = step(p, index, back);
    const struct access *old =
        set.op == OP_NONE ? NULL : line_access_at(p->line, &store->range, false);
    if (set.op != OP_NONE && !old)
        return fail(p);
    return stored(&then, &set, old ? element(&then, old, set.place) : "", set.place->type);
}

static const char *replace(void *data, const struct expr *e) {
    struct point *p = data;
    if (!p->shared->fits)
        return "0";
    if (p->at.offset < p->shared->least)
        p->shared->least = p->at.offset;
    if (e->kind == EXPR_VAR && e->var == p->line->loop->variable)
        return arena_printf(p->line->nest->arena, "(%s)", value_of_variable(p->line, p->at));
    if (e->kind == EXPR_VAR && line_scalar_of(p->line, e->var) >= 0)
        return scalar(p, e->var);
    const struct access *read = e == p->place ? NULL : line_access_at(p->line, &e->range, false);
    bool whole = e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF || e->kind == EXPR_MEMBER;
    return read && whole ? element(p, read, e) : NULL;
}

static const char *print(struct point *p, const struct expr *e) {
    const struct expr_style style = {.data = p, .replace = replace};
    const char *text = expr_print_styled(p->line->nest->arena, e, &style);
    return strlen(text) > MOST_BYTES ? fail(p) : text;
}

static const struct expr *node_in(const struct expr *e, const struct range *range) {
    const struct expr *found = NULL;
    if (e->range.begin.offset == range->begin.offset && e->range.end.offset == range->end.offset)
        return e;
    for (int i = 0; i < e->nargs && !found; ++i)
        found = e->args[i] ? node_in(e->args[i], range) : NULL;
    return found;
}

/* The node of the body that an access stands for. NULL: it stands in a branch. */
static const struct expr *node_of(const struct line *line, const struct access *access) {
    int index = nest_statement_of(line->nest, &access->range);
    if (index < 0)
        return NULL;
    const struct stmt *stmt = line->nest->statements[index].stmt;
    const struct expr *e = stmt->kind == STMT_DECL ? stmt->vars[0]->init : stmt->expr;
    return e ? node_in(e, &access->range) : NULL;
}

static struct point start(const struct line *line, struct value_at at,
                          struct value_shared *shared) {
    *shared = (struct value_shared){.least = at.offset, .fits = true};
    return (struct point){.line = line, .at = at, .shared = shared};
}

static const char *end(const struct value_shared *shared, struct value_at at, const char *text,
                       long *least) {
    if (least)
        *least = shared->least - at.offset;
    return shared->fits ? text : NULL;
}

const char *value_of_read(const struct line *line, const struct access *read, struct value_at at,
                          long *least) {
    struct value_shared shared;
    struct point p = start(line, at, &shared);
    p.statement = nest_statement_of(line->nest, &read->range);
    const struct expr *e = node_of(line, read);
    const char *text = e ? element(&p, read, e) : fail(&p);
    return end(&shared, at, text, least);
}

const char *value_of_place(const struct line *line, const struct access *read, struct value_at at,
                           long *least) {
    struct value_shared shared;
    struct point p = start(line, at, &shared);
    p.statement = nest_statement_of(line->nest, &read->range);
    p.place = node_of(line, read);
    const char *text = p.place ? print(&p, p.place) : fail(&p);
    return end(&shared, at, text, least);
}

const char *value_of_scalar(const struct line *line, const struct variable *var,
                            struct value_at at) {
    struct value_shared shared;
    struct point p = start(line, at, &shared);
    const char *text = scalar(&p, var);
    return end(&shared, at, text, NULL);
}
