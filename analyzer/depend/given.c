/*
 * Conflicts that depend on invariant values alone: `a[i] = a[i + m]` has none when m is 0, or as
 * large as the loop is long. What has to hold of such values follows from the conflict set, without
 * the iterations; it becomes guards, and a fact of all further questions (loop_facts.given).
 */
#include "analyzer/depend/depend.h"

#include <limits.h>
#include <string.h>

/* Iterations that a loop, and loops inside of it, must be free to have. */
enum { LONG_LOOP = 100000, LONG_INSIDE = 8 };

enum { ROUNDS = 4, MOST_CLAUSES = 6 };

struct search {
    struct arena *arena;
    struct linear_solver *solver;
    const struct analysis *analysis;
    int nclauses;
    struct domain_clause clauses[MOST_CLAUSES];
};

/* ---- which dependences ----------------------------------------------------------------------- */

/* Iterations that meet agree in a key. */
static bool has_key(const struct analysis *analysis, const struct dependence *dep) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (analysis->dims[d].kind == DIM_KEY && entry_is_zero(dep->vector[d]))
            return true;
    return false;
}

static bool is_known(const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d)
        if (a->subs[d].known)
            return true;
    return false;
}

static bool can_be_told(const struct dependence *dep) {
    const struct object *object = dep->source->object;
    return dep->status == DEP_CARRIED && object == dep->sink->object &&
           object->kind != OBJECT_UNKNOWN && is_known(dep->source) && is_known(dep->sink);
}

/* Is all that is in the loop's way of this kind? `any`: is there something? */
static bool all_can_be_told(const struct analysis *analysis, bool *any) {
    *any = false;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (!dep_status_holds(dep->status) || has_key(analysis, dep))
            continue;
        if (!can_be_told(dep))
            return false;
        *any = true;
    }
    return true;
}

/* ---- their conditions ------------------------------------------------------------------------ */

static struct symbol *symbol_of(const struct conflict *c, int var) {
    for (int i = 0; i < c->facts->nsymbols; ++i)
        if (c->facts->symbols[i]->kind == SYMBOL_PARAM && c->vars[0][i] == var)
            return c->facts->symbols[i];
    return NULL;
}

static int params_of(const struct conflict *c, int *kept) {
    int n = 0;
    for (int var = 0; var < c->system.nvars; ++var)
        if (symbol_of(c, var))
            kept[n++] = var;
    return n;
}

static bool clause_add(struct search *search, const struct conflict *c,
                       const struct linear_clause *from) {
    struct domain_clause clause = {0};
    for (int i = 0; i < from->nrows; ++i) {
        const struct linear_form *form = &from->rows[i].form;
        struct domain_row row = {.value = {.constant = form->constant}};
        for (int t = 0; t < form->nterms; ++t) {
            struct term term = {symbol_of(c, form->terms[t].var), form->terms[t].coeff};
            ARENA_PUSH(search->arena, row.value.terms, row.value.nterms, term);
        }
        ARENA_PUSH(search->arena, clause.rows, clause.nrows, row);
    }
    if (search->nclauses == MOST_CLAUSES)
        return false;
    search->clauses[search->nclauses++] = clause;
    return true;
}

/* What was found before is left out: it would only cut the conflict set in pieces. */
static bool tell_order(struct search *search, const struct dependence *dep, bool forward) {
    struct linear_clause clauses[ESCAPE_CLAUSES];
    struct loop_facts plain = *search->analysis->facts;
    struct conflict c;
    int nclauses;
    plain.given = NULL;
    conflict_build(search->arena, &plain, dep->source, dep->sink, &c);
    conflict_order(&c, forward);
    int *kept = arena_alloc(search->arena, (size_t)c.system.nvars * sizeof *kept);
    enum linear_answer answer = linear_escape(search->solver, search->arena, &c.system,
                                              params_of(&c, kept), kept, &nclauses, clauses);
    for (int i = 0; i < nclauses; ++i)
        if (!clause_add(search, &c, &clauses[i]))
            return false;
    return answer == LINEAR_EMPTY || nclauses > 0;
}

static bool tell_all(struct search *search) {
    const struct analysis *analysis = search->analysis;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (dep_status_holds(dep->status) && !has_key(analysis, dep) &&
            (!tell_order(search, dep, true) ||
             (analysis->unordered && !tell_order(search, dep, false)))) {
            return false;
        }
    }
    return true;
}

/* ---- are they worth a guard? ----------------------------------------------------------------- */

/* Each row with one to spare: what only equal values fulfil is not to be hoped for. */
static void add_spared(struct conflict *c, const struct domain_clause *clause) {
    struct linear_clause made = {0};
    for (int i = 0; i < clause->nrows; ++i) {
        struct linear_row row = {.form = {.constant = -1}};
        if (!conflict_affine_add(c, &row.form, 0, &clause->rows[i].value, 1))
            return;
        ARENA_PUSH(c->arena, made.rows, made.nrows, row);
    }
    ARENA_PUSH(c->arena, c->system.clauses, c->system.nclauses, made);
}

/* The loop has many iterations, unless it is known that it has not. */
static void add_length(struct conflict *c, const struct inner_loop *loop, long least) {
    struct linear_form form = {.constant = -least};
    int sign = loop->step > 0 ? 1 : -1;
    if (loop->has_lower && loop->has_upper && loop->lower.nterms + loop->upper.nterms > 0 &&
        affine_is_invariant(&loop->lower) && affine_is_invariant(&loop->upper) &&
        conflict_affine_add(c, &form, 0, &loop->upper, sign) &&
        conflict_affine_add(c, &form, 0, &loop->lower, -sign)) {
        linear_system_add(c->arena, &c->system, false, form);
    }
}

static struct symbol *param_of(const struct loop_facts *facts, const struct expr *e) {
    for (int i = 0; i < facts->nsymbols; ++i)
        if (facts->symbols[i]->kind == SYMBOL_PARAM && expr_equal(facts->symbols[i]->expr, e))
            return facts->symbols[i];
    return NULL;
}

/* Sums and differences of symbols and numbers. False: something else is in it. */
static bool affine_read(struct search *search, const struct expr *e, long sign,
                        struct affine *value) {
    struct symbol *symbol = param_of(search->analysis->facts, e);
    if (symbol) {
        struct term term = {symbol, sign};
        ARENA_PUSH(search->arena, value->terms, value->nterms, term);
        return true;
    }
    if (e->kind == EXPR_INT) {
        return !__builtin_add_overflow(value->constant, sign * (long)e->int_value,
                                       &value->constant);
    }
    if (e->kind == EXPR_CAST && e->type->kind == TYPE_INT)
        return affine_read(search, e->args[0], sign, value);
    return e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
           affine_read(search, e->args[0], sign, value) &&
           affine_read(search, e->args[1], e->op == OP_ADD ? sign : -sign, value);
}

/* divided - by * quotient is below `by` in size, whatever the signs. */
static void add_quotient(struct search *search, struct conflict *c, const struct symbol *symbol) {
    const struct expr *e = symbol->expr;
    while (e->kind == EXPR_CAST && e->type->kind == TYPE_INT)
        e = e->args[0];
    if (e->kind != EXPR_BINARY || (e->op != OP_DIV && e->op != OP_SHR) ||
        e->args[1]->kind != EXPR_INT || e->args[1]->int_value < 1 ||
        e->args[1]->int_value > (e->op == OP_SHR ? 30 : INT_MAX)) {
        return;
    }
    long by = (long)e->args[1]->int_value;
    by = e->op == OP_SHR ? 1L << by : by;
    struct affine rest = {0};
    struct term quotient = {(struct symbol *)symbol, -by};
    if (!affine_read(search, e->args[0], 1, &rest))
        return;
    ARENA_PUSH(search->arena, rest.terms, rest.nterms, quotient);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct linear_form form = {.constant = by - 1};
        if (conflict_affine_add(c, &form, 0, &rest, sign))
            linear_system_add(c->arena, &c->system, false, form);
    }
}

/* value >= 0, or <= 0 where `sign` is negative, with `by` to spare. */
static void add_bound(struct search *search, struct conflict *c, const struct variable *variable,
                      const struct expr *bound, int sign, long by) {
    struct affine value = {.constant = -by};
    struct expr name = {
        .kind = EXPR_VAR, .type = variable->type, .var = (struct variable *)variable};
    struct linear_form form = {0};
    if (affine_read(search, &name, sign, &value) && affine_read(search, bound, -sign, &value) &&
        conflict_affine_add(c, &form, 0, &value, 1)) {
        linear_system_add(c->arena, &c->system, false, form);
    }
}

/* What the headers of loops around say of their variables. */
static void add_around(struct search *search, struct conflict *c) {
    for (const struct loop *l = search->analysis->facts->loop->around; l; l = l->around) {
        if (!l->canonical || l->steps_in_body || !l->lower || l->ahead)
            continue;
        int sign = l->step > 0 ? 1 : -1;
        add_bound(search, c, l->variable, l->lower, sign, 0);
        if (l->relation != OP_NE)
            add_bound(search, c, l->variable, l->upper, -sign,
                      l->relation == OP_LT || l->relation == OP_GT);
    }
}

/*
 * A guard that fails stops the program. It is planned only when it leaves room: it must not be that
 * the loop has to be short, that those inside hardly run, that two values have to be equal, or that
 * it holds in one iteration of a loop around.
 */
static bool leaves_room(struct search *search) {
    const struct loop_facts *facts = search->analysis->facts;
    struct conflict c = {.arena = search->arena, .facts = facts};
    if (facts->ninner == 0)
        return false;
    for (int side = 0; side < 2; ++side) {
        c.vars[side] =
            arena_alloc(search->arena, (size_t)(facts->nsymbols + 1) * sizeof *c.vars[side]);
        for (int i = 0; i < facts->nsymbols; ++i)
            c.vars[side][i] = -1;
    }
    for (int i = 0; i < facts->ninner; ++i)
        add_length(&c, &facts->inner[i], i == 0 ? LONG_LOOP : LONG_INSIDE);
    add_around(search, &c);
    for (int i = 0; i < facts->nsymbols; ++i)
        if (facts->symbols[i]->kind == SYMBOL_PARAM)
            add_quotient(search, &c, facts->symbols[i]);
    for (int i = 0; i < search->nclauses; ++i)
        add_spared(&c, &search->clauses[i]);
    conflict_meanings_add(&c, 0);
    return linear_solve(search->solver, &c.system, 0, NULL, NULL) == LINEAR_POINTS;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_plain(const struct affine *value) {
    int sides[2] = {0};
    for (int i = 0; i < value->nterms; ++i) {
        const struct expr *e = value->terms[i].symbol->expr;
        long coeff = value->terms[i].coeff;
        bool number = e->type->kind == TYPE_INT && e->type->is_signed;
        if (!number || e->kind != EXPR_VAR || (coeff != 1 && coeff != -1) || ++sides[coeff > 0] > 1)
            return false;
    }
    return sides[0] == 0 || sides[1] == 0 || value->constant == 0 || value->constant == -1;
}

static const char *side_text(struct arena *arena, const struct affine *value, int sign) {
    const char *text = "";
    for (int i = 0; i < value->nterms; ++i) {
        const struct term *t = &value->terms[i];
        long coeff = t->coeff * sign;
        const char *name = expr_print(arena, t->symbol->expr);
        if (coeff <= 0)
            continue;
        if (!is_plain(value)) {
            name = arena_printf(
                arena, t->symbol->expr->kind == EXPR_VAR ? "(long)%s" : "(long)(%s)", name);
        }
        name = coeff == 1 ? name : arena_printf(arena, "%ld * %s", coeff, name);
        text = *text ? arena_printf(arena, "%s + %s", text, name) : name;
    }
    return text;
}

/* value >= 0 */
static const char *row_text(struct arena *arena, const struct affine *value) {
    const char *more = side_text(arena, value, 1), *less = side_text(arena, value, -1);
    long c = value->constant;
    if (!*more)
        return arena_printf(arena, "%s <= %ld", less, c);
    if (!*less)
        return arena_printf(arena, "%s >= %ld", more, -c);
    return c == 0    ? arena_printf(arena, "%s >= %s", more, less)
           : c == -1 ? arena_printf(arena, "%s > %s", more, less)
           : c > 0   ? arena_printf(arena, "%s + %ld >= %s", more, c, less)
                     : arena_printf(arena, "%s >= %s + %ld", more, less, -c);
}

static bool is_shown(const struct guard *guard, const char *text) {
    for (int i = 0; i < guard->nshown; ++i)
        if (strcmp(guard->shown[i], text) == 0)
            return true;
    return false;
}

static void guard_of(struct loop_facts *facts, const struct domain_clause *clause) {
    struct arena *arena = facts->unit->arena;
    struct guard guard = {.kind = GUARD_CONDITION, .text = ""};
    for (int i = 0; i < clause->nrows; ++i) {
        const struct affine *value = &clause->rows[i].value;
        const char *row = row_text(arena, value);
        guard.text = i ? arena_printf(arena, "%s || %s", guard.text, row) : row;
        for (int t = 0; t < value->nterms; ++t) {
            const char *shown = expr_print(arena, value->terms[t].symbol->expr);
            if (!is_shown(&guard, shown))
                ARENA_PUSH(arena, guard.shown, guard.nshown, shown);
        }
    }
    for (int i = 0; i < facts->nguards; ++i)
        if (facts->guards[i].kind == guard.kind && strcmp(facts->guards[i].text, guard.text) == 0)
            return;
    ARENA_PUSH(arena, facts->guards, facts->nguards, guard);
}

/* ---- once more, with them -------------------------------------------------------------------- */

/* The same symbols in facts that were collected once more. False: they are others. */
static bool translate(const struct loop_facts *facts, struct domain_clause *clause) {
    for (int i = 0; i < clause->nrows; ++i) {
        struct affine *value = &clause->rows[i].value;
        for (int t = 0; t < value->nterms; ++t) {
            const struct symbol *old = value->terms[t].symbol;
            struct symbol *now = old->id < facts->nsymbols ? facts->symbols[old->id] : NULL;
            if (!now || now->kind != old->kind || !expr_equal(now->expr, old->expr))
                return false;
            value->terms[t].symbol = now;
        }
    }
    return true;
}

static struct analysis *run_given(struct search *search) {
    struct loop_facts *before = search->analysis->facts;
    struct loop_facts *facts = facts_collect(before->unit, before->loop);
    struct domain *given = arena_alloc(search->arena, sizeof *given);
    *given = (struct domain){.id = facts->ndomains};
    for (int i = 0; i < search->nclauses; ++i) {
        if (!translate(facts, &search->clauses[i]))
            return NULL;
        ARENA_PUSH(search->arena, given->clauses, given->nclauses, search->clauses[i]);
        guard_of(facts, &search->clauses[i]);
    }
    facts->given = given;
    return analysis_run(facts);
}

static struct analysis *look(struct search *search) {
    struct analysis *found = NULL;
    bool any, good = all_can_be_told(search->analysis, &any) && any;
    for (int round = 0; good && any && round < ROUNDS; ++round) {
        int before = search->nclauses;
        found = tell_all(search) && search->nclauses > before && leaves_room(search)
                    ? run_given(search)
                    : NULL;
        good = found && all_can_be_told(found, &any);
        search->analysis = found;
    }
    return good && !any ? found : NULL;
}

struct analysis *analysis_given(const struct analysis *analysis) {
    struct search search = {.arena = analysis->facts->unit->arena, .analysis = analysis};
    if (analysis->facts->nrefusals > 0 || analysis->facts->given)
        return NULL;
    search.solver = linear_solver_new(DEPEND_OPERATIONS, DEPEND_QUESTIONS);
    struct analysis *found = look(&search);
    linear_solver_free(search.solver);
    return found;
}
