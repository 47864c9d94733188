/*
 * Variables that a loop inside moves by the same amount in each of its rounds (`*p++`, `j += 2`):
 * entry + round * amount in its body, entry + rounds * amount behind it. The amount comes out of a
 * trial walk over the body, of which nothing else is kept.
 */
#include "analyzer/access/interp/interp.h"
#include "analyzer/access/interp/wrap.h"

struct sym *trips_counter(struct interp *w, struct loop *loop) {
    struct sym *sym = arena_alloc(w->arena, sizeof *sym);
    *sym = (struct sym){.kind = SYMBOL_LOOP, .loop = loop, .scope = -1, .id = w->trace.syms->count};
    ARENA_PUSH(w->arena, w->trace.syms->items, w->trace.syms->count, sym);
    return sym;
}

int trips_inner(struct interp *w, struct loop *loop, struct sym *sym, long step) {
    struct interp_inner inner = {
        .loop = loop, .sym = sym, .lower = sym->lower, .upper = sym->upper, .step = step};
    ARENA_PUSH(w->arena, w->inner, w->trace.ninner, inner);
    w->trace.inner = w->inner;
    return w->trace.ninner - 1;
}

/* `value` moved on by `units` units of the variable's type;
 * no polynomial when that is not known. */
static struct value *moved(struct interp *w, const struct value *value, const struct type *type,
                           const struct poly *units) {
    struct value *v = arena_alloc(w->arena, sizeof *v);
    if (value->kind == VALUE_POINTER) {
        struct value *index = value_new(&w->trace, VALUE_INT);
        index->poly = units;
        *v = *value_advance(w, value, index, eval_type_size(w, type->element), NULL);
    } else {
        *v = *value;
        v->poly = poly_add(w->arena, value->poly, units);
    }
    v->pure = NULL;
    v->nsites = 0;
    return v;
}

/* ---- loops counted by the number of their rounds --------------------------------------------- */

/* Units from `from` to `to`, pointers into one object or integers; NULL when not known. */
static const struct poly *between(struct interp *w, const struct value *from,
                                  const struct value *to, const struct type *type) {
    if (type->kind != TYPE_POINTER)
        return poly_subtract(w->arena, value_int_poly(to), value_int_poly(from));
    bool same = from->kind == VALUE_POINTER && to->kind == VALUE_POINTER &&
                from->region == to->region && from->nparts == to->nparts &&
                (!from->nparts || from->parts == to->parts) && from->row == to->row &&
                from->outer == to->outer && wrap_same(from, to);
    return same ? poly_divide(w->arena, poly_subtract(w->arena, to->poly, from->poly),
                              eval_type_size(w, type->element))
                : NULL;
}

static const struct poly *stride_of(struct interp *w, const struct loop *loop) {
    if (!loop->stride)
        return poly_constant(w->arena, loop->step);
    const struct value *v = eval_consumed(w, loop->stride);
    return v->level < 0 ? poly_scale(w->arena, value_int_poly(v), loop->step) : NULL;
}

const struct value *trips_by_number(struct interp *w, const struct value *start,
                                    const struct value *end, struct trips *trips) {
    struct loop *loop = trips->loop;
    const struct type *type = loop->variable->type;
    struct expr *name = expr_new(w->arena, EXPR_VAR, type, loop->variable->range);
    name->var = loop->variable;
    struct sym *sym = trips_counter(w, loop);
    bool equal = loop->relation == OP_LE || loop->relation == OP_GE;
    bool up = loop->step > 0, unit = !loop->stride && (loop->step == 1 || loop->step == -1);
    const struct poly *last = unit ? between(w, up ? start : end, up ? end : start, type) : NULL;
    sym->unsigned_type = true;
    sym->lower = poly_constant(w->arena, 0);
    sym->upper = poly_add(w->arena, last, poly_constant(w->arena, equal ? 0 : -1));
    sym->expr = start->pure ? expr_binary(w->arena, OP_SUB, name, start->pure) : name;
    trips->level = trips_inner(w, loop, sym, 1);
    w->inner[trips->level].by_number = true;
    trips->number = poly_sym(w->arena, sym);
    trips->count = poly_add(w->arena, sym->upper, poly_constant(w->arena, 1));
    const struct poly *stride = stride_of(w, loop);
    struct value *v = moved(w, start, type, poly_multiply(w->arena, trips->number, stride));
    if (loop->stride && stride) {
        interp_demand(w,
                      expr_binary(w->arena, OP_GE, expr_cast(w->arena, type_long(), loop->stride),
                                  expr_integer(w->arena, 1)));
    }
    v->pure = name;
    v->level = trips->level;
    return v;
}

/* ---- the trial ------------------------------------------------------------------------------- */

struct snapshot {
    struct interp interp;
    struct site *sites;
    int nrefusals;
};

static struct snapshot snapshot_take(struct interp *w) {
    struct snapshot snapshot = {.interp = *w, .nrefusals = w->facts->nrefusals};
    int nsites = 0;
    for (int i = 0; i < w->trace.nsites; ++i)
        ARENA_PUSH(w->arena, snapshot.sites, nsites, w->trace.sites[i]);
    snapshot.interp.env = env_copy(w, &w->env);
    return snapshot;
}

/* What was learned of the program stays: regions, and what the loop changes. */
static void snapshot_restore(struct interp *w, const struct snapshot *snapshot) {
    struct interp after = *w;
    *w = snapshot->interp;
    w->trace.nregions = after.trace.nregions;
    w->trace.regions = after.trace.regions;
    w->regions = after.regions;
    w->trace.ncarried = after.trace.ncarried;
    w->trace.carried = after.trace.carried;
    w->nextra = after.nextra;
    w->extra = after.extra;
    w->again = after.again;
    w->steps = after.steps;
    w->trace.nused = after.trace.nused;
    w->trace.used = after.trace.used;
    w->trace.ndemands = after.trace.ndemands;
    w->trace.demands = after.trace.demands;
    w->trace.sites = w->sites = snapshot->sites;
    w->facts->nrefusals = snapshot->nrefusals;
}

static bool is_candidate(const struct trips *trips, const struct variable *var,
                         const struct slot *slot) {
    bool pointer = slot && slot->value->kind == VALUE_POINTER && var->type->kind == TYPE_POINTER;
    bool integer = slot && slot->value->kind == VALUE_INT && var->type->kind == TYPE_INT &&
                   (var->type->size == 8 || (var->type->size == 4 && var->type->is_signed));
    return var != trips->loop->variable && (pointer || integer) && slot->value->poly &&
           slot->assigned == ASSIGNED_YES && !var->address_taken;
}

bool trips_has_candidates(const struct trips *trips, int nvars, struct variable **vars) {
    for (int i = 0; i < nvars; ++i)
        if (is_candidate(trips, vars[i], env_find(trips->before, vars[i])))
            return true;
    return false;
}

static void candidates_find(struct interp *w, struct trips *trips, int nvars,
                            struct variable **vars) {
    for (int i = 0; i < nvars; ++i) {
        const struct slot *slot = env_find(trips->before, vars[i]);
        if (is_candidate(trips, vars[i], slot)) {
            struct inner_counter iv = {.var = vars[i], .before = slot->value};
            ARENA_PUSH(w->arena, trips->ivs, trips->nivs, iv);
        }
    }
}

/* Each candidate somewhere on its way: where it began plus a number of units. */
static void trial_begin(struct interp *w, struct trips *trips) {
    trips->first_sym = w->trace.syms->count;
    for (int i = 0; i < trips->nivs; ++i) {
        struct inner_counter *m = &trips->ivs[i];
        struct sym *sym = trips_counter(w, trips->loop);
        sym->expr = expr_new(w->arena, EXPR_VAR, m->var->type, m->var->range);
        sym->expr->var = m->var;
        struct value *v = moved(w, m->before, m->var->type, poly_sym(w->arena, sym));
        v->level = trips->level;
        m->start = v;
        env_find(&w->env, m->var)->value = v;
    }
}

static const struct poly *moved_by(struct interp *w, const struct inner_counter *m) {
    const struct slot *slot = env_find(&w->env, m->var);
    if (!slot || slot->value->kind != m->start->kind || !m->start->poly)
        return NULL;
    interp_demand(w, slot->value->demand);
    return between(w, m->start, slot->value, m->var->type);
}

/* Made of what the rounds do not change. */
static bool is_fixed(const struct interp *w, const struct trips *trips, const struct poly *by) {
    for (int i = 0; i < by->nmonomials; ++i) {
        for (int j = 0; j < by->monomials[i].nsyms; ++j) {
            const struct sym *sym = w->trace.syms->items[by->monomials[i].syms[j]];
            bool old = sym->kind == SYMBOL_LOOP && sym->id < trips->first_sym &&
                       sym != w->trace.inner[trips->level].sym;
            if (sym->kind != SYMBOL_PARAM && !old)
                return false;
        }
    }
    return true;
}

static void trial_end(struct interp *w, struct trips *trips) {
    int kept = 0;
    for (int i = 0; i < trips->nivs && !w->dead; ++i) {
        struct inner_counter m = trips->ivs[i];
        m.by = moved_by(w, &m);
        if (m.by && is_fixed(w, trips, m.by))
            trips->ivs[kept++] = m;
    }
    trips->nivs = kept;
}

static void trial(struct interp *w, struct trips *trips) {
    struct snapshot snapshot = snapshot_take(w);
    int jumps = w->njumps;
    trial_begin(w, trips);
    ARENA_PUSH(w->arena, w->active, w->nactive, trips->level);
    interp_stmt(w, trips->loop->body);
    interp_join_jumps(w, jumps, STMT_CONTINUE);
    if (!w->dead)
        interp_next(w, trips->loop);
    trial_end(w, trips);
    snapshot_restore(w, &snapshot);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static struct expr *pure_of(struct interp *w, const struct inner_counter *m,
                            const struct value *v) {
    return m->before->pure && v->kind == VALUE_INT && v->poly
               ? poly_expr(w->trace.syms, v->poly, true)
               : NULL;
}

void trips_close(struct interp *w, struct trips *trips, int nvars, struct variable **vars) {
    if (!trips->number)
        return;
    candidates_find(w, trips, nvars, vars);
    if (trips->nivs == 0)
        return;
    trial(w, trips);
    for (int i = 0; i < trips->nivs; ++i) {
        struct inner_counter *m = &trips->ivs[i];
        struct value *v =
            moved(w, m->before, m->var->type, poly_multiply(w->arena, trips->number, m->by));
        v->level = trips->level;
        v->pure = pure_of(w, m, v);
        m->start = v;
        value_consume(w, m->before);
        if (v->poly)
            env_find(&w->env, m->var)->value = v;
    }
}

/* The interpretation that counts has to agree with the trial. */
void trips_check(struct interp *w, struct trips *trips) {
    int kept = 0;
    for (int i = 0; i < trips->nivs; ++i) {
        const struct inner_counter *m = &trips->ivs[i];
        const struct poly *by = w->dead || !m->start->poly ? NULL : moved_by(w, m);
        if (by && poly_equal(by, m->by)) {
            trips->ivs[kept++] = *m;
        } else if (m->start->poly) {
            interp_refuse(&w->trace, ORR2230, interp_place(w, trips->loop->header),
                          "split the loop, or move a part of its body into a loop of its own",
                          "how `%s` moves in a loop inside is too involved to analyze",
                          m->var->name);
        }
    }
    trips->nivs = kept;
}

/* The loop's own variable, behind the loop. */
void trips_add_variable(struct interp *w, struct trips *trips, const struct value *start) {
    const struct loop *loop = trips->loop;
    const struct type *type = loop->variable->type;
    bool wraps = type->kind == TYPE_INT && type->size < 8 && !type->is_signed;
    const struct value *first = moved(w, start, type, poly_constant(w->arena, loop->ahead));
    struct inner_counter m = {.var = loop->variable, .before = first, .start = first};
    m.by = stride_of(w, loop);
    if (!wraps && first->poly && m.by)
        ARENA_PUSH(w->arena, trips->ivs, trips->nivs, m);
}

/* The number of rounds is not negative: proved, or for the run to check where it is used. */
static bool is_count(struct interp *w, const struct poly *count, struct expr **demand) {
    struct lower_bounds bounds = {0};
    for (int i = -1; i < w->nactive; ++i) {
        const struct interp_inner *around = &w->trace.inner[i < 0 ? 0 : w->active[i]];
        long lower;
        if (around->sym && poly_is_constant(around->lower, &lower))
            lower_bounds_add(w->trace.syms, &bounds, around->sym->id, lower);
    }
    if (poly_nonnegative(w->trace.syms, count, &bounds))
        return true;
    if (!poly_is_invariant(w->trace.syms, count))
        return false;
    *demand = expr_binary(w->arena, OP_GE, poly_expr(w->trace.syms, count, true),
                          expr_integer(w->arena, 0));
    return true;
}

void trips_leave(struct interp *w, struct trips *trips) {
    struct expr *demand = NULL;
    bool known = trips->loop->form != LOOP_DO && trips->count && trips->nivs > 0 &&
                 is_count(w, trips->count, &demand);
    for (int i = 0; i < trips->nivs && known; ++i) {
        const struct inner_counter *m = &trips->ivs[i];
        struct slot *slot = env_find(&w->env, m->var);
        struct value *v =
            moved(w, m->before, m->var->type, poly_multiply(w->arena, trips->count, m->by));
        v->pure = pure_of(w, m, v);
        v->demand = demand;
        if (slot && v->poly) {
            slot->value = v;
            slot->assigned = ASSIGNED_YES;
        }
    }
}
