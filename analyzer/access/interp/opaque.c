/*
 * Values that are no polynomials of others: symbols of their own, with the conditions under which
 * they are evaluated.
 */
#include "analyzer/access/fault/fault.h"
#include "analyzer/access/interp/interp.h"

/* The conditions that hold here and can be told at `level`; false when some cannot be told. */
static bool current_guards(struct interp *w, int level, int *count, struct condition **guards) {
    bool all = true;
    *count = 0;
    *guards = arena_alloc(w->arena, (size_t)(w->nconditions + 1) * sizeof **guards);
    for (int i = 0; i < w->nconditions; ++i) {
        const struct value *v = w->conditions[i].value;
        if (v->pure && v->level <= level)
            (*guards)[(*count)++] = w->conditions[i];
        else
            all = false;
    }
    return all;
}

static void sym_set_guards(struct interp *w, struct sym *sym, int n, const struct condition *guards,
                           bool impure) {
    sym->guarded = true;
    sym->impure_guard = impure;
    sym->nguards = n;
    sym->guards = arena_alloc(w->arena, (size_t)(n + 1) * sizeof *sym->guards);
    sym->sense = arena_alloc(w->arena, (size_t)(n + 1) * sizeof *sym->sense);
    for (int i = 0; i < n; ++i) {
        sym->guards[i] = guards[i].value->pure;
        sym->sense[i] = guards[i].sense;
    }
}

static struct condition *sym_conditions(struct interp *w, const struct sym *sym, int from) {
    struct condition *old = arena_alloc(w->arena, (size_t)(sym->nguards + 1) * sizeof *old);
    for (int i = from; i < sym->nguards; ++i) {
        struct value *v = value_new(&w->trace, VALUE_OTHER);
        v->pure = sym->guards[i];
        old[i - from] = (struct condition){.value = v, .sense = sym->sense[i]};
    }
    return old;
}

/* A symbol may be evaluated where any one of its uses would: the common guards, then "or". */
static void sym_widen_guards(struct interp *w, struct sym *sym, int n,
                             const struct condition *guards) {
    int common = 0;
    while (common < n && common < sym->nguards && sym->sense[common] == guards[common].sense &&
           expr_equal(sym->guards[common], guards[common].value->pure)) {
        ++common;
    }
    if (common < n && common < sym->nguards) {
        const struct condition *old = sym_conditions(w, sym, common);
        const struct value *a = interp_conjunction(&w->trace, sym->nguards - common, old);
        const struct value *b = interp_conjunction(&w->trace, n - common, guards + common);
        struct expr *either = expr_binary(w->arena, OP_NONE, a->pure, b->pure);
        either->kind = EXPR_OR;
        sym->impure_guard = value_is_long(either);
        sym->guards[common] = either;
        sym->sense[common] = true;
        common += !sym->impure_guard;
    }
    sym->nguards = common;
}

static bool is_among(const struct expr *guard, bool sense, int n, const struct condition *guards) {
    for (int i = 0; i < n; ++i)
        if (guards[i].sense == sense && expr_equal(guards[i].value->pure, guard))
            return true;
    return false;
}

/* Every condition of the symbol is one of these. */
static bool sym_is_implied(const struct sym *sym, int n, const struct condition *guards) {
    for (int i = 0; i < sym->nguards; ++i)
        if (!is_among(sym->guards[i], sym->sense[i], n, guards))
            return false;
    return true;
}

static bool sym_implies(struct interp *w, const struct sym *sym, int n,
                        const struct condition *guards) {
    const struct condition *old = sym_conditions(w, sym, 0);
    for (int i = 0; i < n; ++i)
        if (!is_among(guards[i].value->pure, guards[i].sense, sym->nguards, old))
            return false;
    return true;
}

static void sym_keep_common(struct sym *sym, int n, const struct condition *guards) {
    int kept = 0;
    for (int i = 0; i < sym->nguards; ++i) {
        if (is_among(sym->guards[i], sym->sense[i], n, guards)) {
            sym->guards[kept] = sym->guards[i];
            sym->sense[kept++] = sym->sense[i];
        }
    }
    sym->nguards = kept;
}

/* All that may keep the loop from here are loops inside that never run. */
static bool all_steady(const struct interp *w) {
    for (int i = 0; i < w->nconditions; ++i)
        if (!w->conditions[i].steady)
            return false;
    return true;
}

/*
 * Collects the conditions under which a symbol's expression is evaluated: the weakest of all uses.
 * Uses under a condition that cannot be told before the loop runs are covered by the symbol's
 * conditions only when they hold for each of them; else the symbol is one of those itself.
 */
static void sym_guard(struct interp *w, struct sym *sym, int level) {
    int n;
    struct condition *guards;
    bool impure = !current_guards(w, level, &n, &guards);
    if (all_steady(w) && !expr_may_fault(&w->trace, sym->expr, NULL))
        n = 0;
    if (!sym->guarded) {
        sym_set_guards(w, sym, n, guards, impure);
    } else if (!sym->impure_guard && !impure) {
        sym_widen_guards(w, sym, n, guards);
    } else if (sym->impure_guard && !impure && sym_implies(w, sym, n, guards)) {
        sym_set_guards(w, sym, n, guards, false);
    } else if (sym->impure_guard || !sym_is_implied(sym, n, guards)) {
        sym_keep_common(sym, n, guards);
        sym->impure_guard = true;
    }
}

/* Invariant conditions that hold here, up to the first that is another. */
static int front_guards(const struct interp *w, bool *sometimes) {
    int n = 0;
    while (n < w->nconditions && w->conditions[n].value->pure && w->conditions[n].value->level < 0)
        ++n;
    *sometimes = n < w->nconditions;
    return n;
}

/*
 * An invariant value that may fault: where some iteration evaluates it for sure, told in front of
 * the loop. `impure_guard`: where one may.
 */
static void param_guard(struct interp *w, struct sym *sym) {
    bool sometimes;
    int n = front_guards(w, &sometimes), common = 0;
    const struct condition *guards = w->conditions;
    if (!sym->guarded) {
        sym_set_guards(w, sym, n, guards, sometimes);
        return;
    }
    while (common < n && common < sym->nguards && sym->sense[common] == guards[common].sense &&
           expr_equal(sym->guards[common], guards[common].value->pure)) {
        ++common;
    }
    bool old = !sym->impure_guard && common == sym->nguards, now = !sometimes && common == n;
    if (!sym->impure_guard && !sometimes) {
        sym_widen_guards(w, sym, n, guards);
        return;
    }
    sym->nguards = common;
    sym->impure_guard = !old && !now;
}

/* Who evaluates it in an iteration that does not may end
 * the program where nothing can be asked beforehand. */
static bool is_dangerous(struct interp *w, const struct expr *pure) {
    bool sometimes;
    front_guards(w, &sometimes);
    return sometimes && expr_may_trap(&w->trace, pure);
}

static const char *why_unknown(const struct expr *pure, const struct value *a,
                               const struct value *b) {
    return pure                                      ? "too many operations make it"
           : a && a->kind == VALUE_UNKNOWN && a->why ? a->why
           : b && b->kind == VALUE_UNKNOWN && b->why ? b->why
                                                     : "it depends on data the loop writes";
}

const struct value *value_opaque(struct interp *w, struct expr *pure, const struct type *type,
                                 const struct value *a, const struct value *b) {
    struct value *v = value_new(&w->trace, VALUE_OTHER);
    value_inherit(&w->trace, v, a);
    value_inherit(&w->trace, v, b);
    if (!pure || value_is_long(pure)) {
        v->kind = VALUE_UNKNOWN;
        v->why = why_unknown(pure, a, b);
        return v;
    }
    v->pure = pure;
    if (type && type->kind != TYPE_INT && type->kind != TYPE_BOOL)
        return v;
    if (v->level < 0 && is_dangerous(w, pure)) {
        v->kind = VALUE_UNKNOWN;
        v->why = arena_printf(w->arena, "`%s` is evaluated in some iterations only",
                              expr_print(w->arena, pure));
        v->pure = NULL;
        return v;
    }
    v->kind = VALUE_INT;
    struct sym *sym = sym_of(w->trace.syms, v->level < 0 ? SYMBOL_PARAM : SYMBOL_KEY, pure,
                             v->level > 0 ? v->level : -1);
    if (sym->kind == SYMBOL_KEY)
        sym_guard(w, sym, v->level);
    else if (!w->recalls && expr_may_fault(&w->trace, pure, NULL))
        param_guard(w, sym);
    if (!sym->deps) {
        sym->ndeps = v->ndeps;
        sym->deps = v->deps;
    }
    v->poly = poly_sym(w->arena, sym);
    return v;
}

static void entering_see(void *data, struct expr *e) {
    bool *enters = data;
    *enters = *enters || (e->kind == EXPR_CALL && e->function && e->function->body);
}

/* A called function may print, or end the program: it has to be called. */
static bool has_to_stay(const struct interp *w, struct expr *e) {
    bool enters = false;
    if (w->collects)
        expr_visit(e, entering_see, &enters);
    return enters;
}

int site_add(struct interp *w, struct expr *e, const struct value *v, bool is_load) {
    struct site site = {.expr = e,
                        .pure = v->pure,
                        .type = e->type,
                        .sym = -1,
                        .level = v->level,
                        .in_callee = w->frame->parent != NULL || w->in_header || has_to_stay(w, e),
                        .is_load = is_load,
                        .ndeps = v->ndeps,
                        .deps = v->deps};
    int sym;
    long constant;
    if (v->kind == VALUE_INT && poly_is_sym_plus(v->poly, &sym, &constant) &&
        w->trace.syms->items[sym]->kind == SYMBOL_KEY) {
        site.sym = sym;
        site.constant = constant;
    }
    struct condition *guards;
    site.impure_guard = !current_guards(w, v->level, &site.nguards, &guards);
    site.guards = arena_alloc(w->arena, (size_t)(site.nguards + 1) * sizeof *site.guards);
    site.sense = arena_alloc(w->arena, (size_t)(site.nguards + 1) * sizeof *site.sense);
    for (int i = 0; i < site.nguards; ++i) {
        site.guards[i] = guards[i].value->pure;
        site.sense[i] = guards[i].sense;
    }
    ARENA_PUSH(w->arena, w->sites, w->trace.nsites, site);
    w->trace.sites = w->sites;
    return w->trace.nsites - 1;
}
