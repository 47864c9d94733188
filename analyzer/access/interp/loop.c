/* Loops and switches inside the analyzed loop. */
#include "analyzer/access/interp/interp.h"

/* What a loop or switch assigns. `jumps`: how many jumps the interpretation knew in front of it. */
struct assigned_set {
    struct interp *w;
    int jumps;
    int count;
    struct variable **vars;
    int *times;
    bool jumps_out, continues;
    struct stmt *stmt;
};

static void assigned_add(struct assigned_set *set, struct variable *var) {
    for (int i = 0; i < set->count; ++i) {
        if (set->vars[i] == var) {
            ++set->times[i];
            return;
        }
    }
    int count = set->count;
    ARENA_PUSH(set->w->arena, set->times, count, 1);
    ARENA_PUSH(set->w->arena, set->vars, set->count, var);
}

/* The program may end in a function that is called; deep calls may do anything. */
struct ending {
    int depth; /* of functions */
    bool found;
};

static void ending_see(void *data, struct expr *e) {
    enum { MOST_DEPTH = 6 };
    struct ending *ending = data;
    const struct function *f = e->kind == EXPR_CALL ? e->function : NULL;
    if (!f || ending->found)
        return;
    if (!f->body || ending->depth >= MOST_DEPTH) {
        ending->found = f->body || effect_of_function(f) == EFFECT_EXIT;
        return;
    }
    ++ending->depth;
    stmt_visit(f->body, ending_see, ending);
    --ending->depth;
}

static void collect_assigned(void *data, struct expr *e) {
    struct assigned_set *set = data;
    if (set->w->collects && e->kind == EXPR_CALL) {
        struct ending ending = {0};
        ending_see(&ending, e);
        set->jumps_out = set->jumps_out || ending.found;
    }
    if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) {
        struct variable *var = lvalue_variable(e->args[0]);
        if (var)
            assigned_add(set, var);
    }
}

/* Jumps out of what the statement is the body of; those of a loop or switch inside are its own. */
static void collect_jumps(struct assigned_set *set, const struct stmt *s, bool broken,
                          bool continued) {
    if (!s)
        return;
    bool loop = s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_DO;
    set->jumps_out = set->jumps_out || s->kind == STMT_RETURN || s->kind == STMT_GOTO ||
                     (s->kind == STMT_BREAK && !broken);
    set->continues = set->continues || (s->kind == STMT_CONTINUE && !continued);
    broken = broken || loop || s->kind == STMT_SWITCH;
    continued = continued || loop;
    for (int i = 0; i < s->nbody; ++i)
        collect_jumps(set, s->body[i], broken, continued);
    collect_jumps(set, s->kind == STMT_FOR ? s->loop->body : s->then, broken, continued);
    collect_jumps(set, s->other, broken, continued);
}

static struct assigned_set assigned_in(struct interp *w, struct stmt *s) {
    struct assigned_set set = {.w = w, .jumps = w->njumps, .stmt = s};
    if (s->kind == STMT_FOR) {
        stmt_visit(s->loop->body, collect_assigned, &set);
        expr_visit(s->loop->cond, collect_assigned, &set);
        expr_visit(s->loop->next, collect_assigned, &set);
        collect_jumps(&set, s->loop->body, false, false);
    } else {
        stmt_visit(s->then, collect_assigned, &set);
        expr_visit(s->expr, collect_assigned, &set);
        collect_jumps(&set, s->then, false, false);
    }
    for (int i = 0; i < w->nextra; ++i)
        if (w->extra[i].loop == s)
            assigned_add(&set, w->extra[i].var);
    return set;
}

static bool contains(const struct assigned_set *set, const struct variable *var) {
    for (int i = 0; i < set->count; ++i)
        if (set->vars[i] == var)
            return true;
    return false;
}

static void forget_all(struct interp *w, const struct assigned_set *set) {
    for (int i = 0; i < set->count; ++i) {
        const struct expr *link = interp_link(set->stmt, set->vars[i]);
        const char *name = set->vars[i]->name;
        env_forget(w, set->vars[i],
                   link ? interp_why(&w->trace, WHY_LINKED,
                                     arena_printf(w->arena, "`%s` goes from node to node (`%s`)",
                                                  name, expr_print(w->arena, link)))
                        : arena_printf(w->arena, "`%s` changes in a loop inside", name));
    }
}

static bool is_unknown(const struct value *v) {
    return v->kind == VALUE_UNKNOWN ||
           (v->kind == VALUE_POINTER && v->region->kind == REGION_UNKNOWN);
}

static bool is_changed(const struct value *before, const struct value *after) {
    return before != after && !(is_unknown(before) && is_unknown(after)) &&
           !value_same(before, after);
}

/* Variables whose value the body changed without its text saying so: known in the next run. */
static void learn_changes(struct interp *w, const struct stmt *s, const struct env *entry,
                          const struct assigned_set *set) {
    for (int i = 0; i < entry->count; ++i) {
        const struct slot *before = &entry->slots[i];
        const struct slot *after = env_find(&w->env, before->var);
        if (after && is_changed(before->value, after->value) && !contains(set, before->var)) {
            struct loop_change change = {.loop = s, .var = before->var};
            ARENA_PUSH(w->arena, w->extra, w->nextra, change);
            w->again = true;
        }
    }
}

/* After the loop: the body ran, perhaps not at all. */
static void leave_loop(struct interp *w, const struct stmt *s, const struct env *entry,
                       const struct assigned_set *set, bool surely) {
    interp_join_jumps(w, set->jumps, STMT_BREAK);
    interp_join_jumps(w, set->jumps, STMT_GOTO);
    if (w->dead) {
        w->env = env_copy(w, entry);
    } else {
        learn_changes(w, s, entry, set);
        if (!surely || set->jumps_out)
            w->env = env_join(w, entry, &w->env, NULL);
    }
    w->dead = false;
    forget_all(w, set);
}

/*
 * A `return` or `goto` out of the loop is taken in some iteration of it, which cannot be told
 * outside.
 */
static void blur_jumps(struct interp *w, int jumps, int conditions) {
    int kept = jumps;
    for (int i = jumps; i < w->njumps; ++i) {
        struct jump *jump = &w->jumps[i];
        if (jump->kind != STMT_RETURN && (jump->kind != STMT_GOTO || jump->arrived))
            continue;
        jump->nconditions = conditions;
        int n = jump->nconditions;
        struct condition unknown = {
            .value = value_unknown(w, NULL), .sense = true, .depth = w->nactive};
        ARENA_PUSH(w->arena, jump->conditions, n, unknown);
        jump->nconditions = n;
        w->jumps[kept++] = *jump;
    }
    w->njumps = kept;
}

static bool is_counted(struct interp *w, const struct loop *loop) {
    const struct variable *var = loop->variable;
    struct slot *slot = var ? env_find(&w->env, var) : NULL;
    if (!loop->canonical || !var || var->address_taken || !slot || !loop->upper || loop->positive ||
        loop->limited) {
        return false;
    }
    return var->type->kind == TYPE_INT || (slot->value->kind == VALUE_POINTER && slot->value->poly);
}

static const struct poly *plus(struct interp *w, const struct poly *p, long number) {
    return poly_add(w->arena, p, poly_constant(w->arena, number));
}

/* The least and greatest value of the loop's variable. */
static void set_range(struct interp *w, struct sym *sym, const struct loop *loop,
                      const struct poly *start, const struct poly *end) {
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT;
    bool equal = loop->relation == OP_LE || loop->relation == OP_GE;
    long off = strict || loop->relation == OP_NE ? 1 : 0;
    bool unit = loop->step == 1 || loop->step == -1;
    if (loop->step > 0) {
        sym->lower = start;
        sym->upper = strict || equal || unit ? plus(w, end, -off) : NULL;
    } else {
        sym->lower = strict || equal || unit ? plus(w, end, off) : NULL;
        sym->upper = start;
    }
}

static struct value *loop_value(struct interp *w, struct loop *loop, struct sym *sym, int level) {
    struct value *v = value_new(&w->trace, VALUE_INT);
    v->poly = poly_sym(w->arena, sym);
    v->pure = expr_new(w->arena, EXPR_VAR, loop->variable->type, loop->variable->range);
    v->pure->var = loop->variable;
    v->level = level;
    sym->expr = v->pure;
    return v;
}

static bool runs_surely(const struct loop *loop, const struct interp_inner *inner) {
    long lower, upper;
    return loop->form == LOOP_DO || (!inner->may_skip && poly_is_constant(inner->lower, &lower) &&
                                     poly_is_constant(inner->upper, &upper) && lower <= upper);
}

/* `value` as an operand that compares as the loop's own condition does. */
static struct expr *operand(struct interp *w, const struct type *type, struct expr *value) {
    bool alike = type->kind != TYPE_INT ||
                 (value->type && value->type->kind == TYPE_INT && value->type->size == type->size &&
                  value->type->is_signed == type->is_signed);
    bool narrow = value->kind == EXPR_INT && type->is_signed;
    return alike || narrow ? value : expr_cast(w->arena, type, value);
}

/* That the loop runs at all, when a first test of its own range tells. */
static struct expr *first_test(struct interp *w, const struct loop *loop, const struct value *start,
                               const struct value *end) {
    if (!start->pure || !end->pure || loop->ahead)
        return NULL;
    return expr_binary(w->arena, loop->relation, operand(w, loop->variable->type, start->pure),
                       operand(w, loop->upper->type, end->pure));
}

/* The loop may run in no round, in all iterations (`k < K`) or in some (`p < ptr[n + 1]`). */
static void push_trip_condition(struct interp *w, struct loop *loop, const struct value *start,
                                const struct value *end, bool surely) {
    struct value *runs = value_new(&w->trace, VALUE_OTHER);
    value_inherit(&w->trace, runs, start);
    value_inherit(&w->trace, runs, end);
    runs->pure = first_test(w, loop, start, end);
    bool steady = runs->pure && runs->level < 0;
    if (steady && surely)
        return;
    interp_push_condition(w, runs, true);
    w->conditions[w->nconditions - 1].trip = true;
    w->conditions[w->nconditions - 1].steady = steady;
}

/* A bound in terms of what variables hold where the loop begins. */
static const struct value *bound_value(struct interp *w, struct loop *loop, struct expr *bound,
                                       const struct env *before) {
    if (loop->nentries == 0)
        return eval_consumed(w, bound);
    struct env now = w->env;
    w->env = env_copy(w, before);
    for (int i = 0; i < loop->nentries; ++i) {
        struct variable *entry = loop->entries[i], *var = (struct variable *)entry->entry_of;
        struct expr *name = expr_new(w->arena, EXPR_VAR, var->type, var->range);
        name->var = var;
        env_set(w, entry, eval_consumed(w, name));
    }
    const struct value *v = eval_consumed(w, bound);
    w->env = now;
    return v;
}

static bool may_be_negative(struct interp *w, const struct poly *p) {
    return p && !meaning_nonnegative(&w->trace, p);
}

/*
 * C 6.3.1.8: both sides of the condition become unsigned, and one of them may be below zero. `!=`
 * is the same of either: `j-- > 0` is left where the variable is -1.
 */
static bool may_skip(struct interp *w, const struct loop *loop, const struct poly *first,
                     const struct poly *end) {
    const struct type *variable = loop->variable->type, *upper = loop->upper->type;
    return loop->relation != OP_NE &&
           (type_is_wide_unsigned(variable, upper) || type_is_wide_unsigned(upper, variable)) &&
           may_be_negative(w, loop->step > 0 ? first : end);
}

/*
 * May the variable wrap around on its way to the bound? With 64 bits it gets there through `break`
 * alone, then from a bound below zero as well: `j < n - 1` with n = 0.
 */
static bool goes_around(struct interp *w, const struct loop *loop, const struct poly *first,
                        const struct poly *end, bool jumps_out) {
    const struct type *type = loop->variable->type;
    bool up = loop->step > 0;
    if (!access_wraps(w, type) || (type->size == 8 && !jumps_out))
        return false;
    if (loop->form == LOOP_DO)
        return !access_steps_inside(loop, first);
    if (loop->relation == OP_NE)
        return !meaning_nonnegative(&w->trace,
                                    poly_subtract(w->arena, up ? end : first, up ? first : end));
    return type->size == 8 && (may_be_negative(w, first) || may_be_negative(w, end));
}

/* The loop's variable as symbol. */
static const struct value *count_by_variable(struct interp *w, struct loop *loop,
                                             const struct poly *first, const struct value *end,
                                             struct trips *trips) {
    struct sym *sym = trips_counter(w, loop);
    sym->unsigned_type = !loop->variable->type->is_signed;
    set_range(w, sym, loop, first, loop->form == LOOP_DO || !first ? NULL : value_int_poly(end));
    sym->unsigned_type =
        sym->unsigned_type && !(loop->relation == OP_NE && may_be_negative(w, sym->lower));
    trips->level = trips_inner(w, loop, sym, loop->step);
    struct value *counter = loop_value(w, loop, sym, trips->level);
    trips->number = poly_divide(w->arena, poly_subtract(w->arena, counter->poly, first),
                                poly_constant(w->arena, loop->step));
    if (loop->step == 1 || loop->step == -1) {
        trips->count = poly_add(w->arena, poly_subtract(w->arena, sym->upper, sym->lower),
                                poly_constant(w->arena, 1));
    }
    return counter;
}

/* The last value before a bound that the relation excludes, else the bound. */
static const struct poly *last_within(struct interp *w, const struct loop *loop,
                                      const struct poly *bound) {
    bool equal = loop->relation == OP_LE || loop->relation == OP_GE;
    int toward = loop->step > 0 ? -1 : 1;
    return plus(w, bound, equal ? 0 : toward);
}

static void interp_counted(struct interp *w, struct stmt *s, const struct assigned_set *set) {
    struct loop *loop = s->loop;
    struct inner_iv *inner_ivs = NULL;
    int ninner_ivs = inner_iv_begin(w, s, set->count, set->vars, &inner_ivs);
    const struct value *start = env_find(&w->env, loop->variable)->value;
    struct env before = env_copy(w, &w->env);
    struct trips trips = {.loop = loop, .before = &before};
    const struct poly *first = plus(w, value_int_poly(start), loop->ahead);
    bool candidates = trips_has_candidates(&trips, set->count, set->vars);
    forget_all(w, set);
    const struct value *end = bound_value(w, loop, loop->upper, &before);
    bool around = goes_around(w, loop, first, value_int_poly(end), set->jumps_out);
    bool by_number = loop->stride || loop->variable->type->kind == TYPE_POINTER ||
                     (loop->step != 1 && loop->step != -1 && candidates && !around);
    const struct value *within = loop->within ? bound_value(w, loop, loop->within, &before) : NULL;
    const struct value *counter =
        by_number ? trips_by_number(w, start, end, &trips)
                  : count_by_variable(w, loop, around ? NULL : first, end, &trips);
    if (may_skip(w, loop, first, value_int_poly(end))) {
        w->inner[trips.level].may_skip = true;
        trips.count = NULL;
    }
    if (within && !by_number && !around && value_int_poly(within))
        w->inner[trips.level].within = last_within(w, loop, value_int_poly(within));
    if (loop->form != LOOP_DO)
        push_trip_condition(w, loop, start, end, runs_surely(loop, &w->trace.inner[trips.level]));
    value_consume(w, start);
    env_find(&w->env, loop->variable)->value = counter;
    if (!set->jumps_out)
        trips_close(w, &trips, set->count, set->vars);
    inner_iv_set(w, ninner_ivs, inner_ivs);
    struct env entry = env_copy(w, &w->env);
    ARENA_PUSH(w->arena, w->active, w->nactive, trips.level);
    interp_stmt(w, loop->body);
    interp_join_jumps(w, set->jumps, STMT_CONTINUE);
    if (!w->dead)
        interp_next(w, loop);
    --w->nactive;
    trips_check(w, &trips);
    if (!set->jumps_out && !around && (by_number || loop->steps_in_body))
        trips_add_variable(w, &trips, start);
    leave_loop(w, s, &entry, set, runs_surely(loop, &w->trace.inner[trips.level]));
    env_forget(w, loop->variable,
               arena_printf(w->arena, "`%s` is the variable of a loop that has ended",
                            loop->variable->name));
    trips_leave(w, &trips);
    inner_iv_set(w, ninner_ivs, inner_ivs);
}

static void interp_uncounted(struct interp *w, struct stmt *s, const struct assigned_set *set) {
    struct expr *cond = s->kind == STMT_FOR ? s->loop->cond : s->expr;
    struct stmt *body = s->kind == STMT_FOR ? s->loop->body : s->then;
    struct inner_iv *inner_ivs = NULL;
    int ninner_ivs = inner_iv_begin(w, s, set->count, set->vars, &inner_ivs);
    forget_all(w, set);
    inner_iv_set(w, ninner_ivs, inner_ivs);
    struct env entry = env_copy(w, &w->env);
    const struct value *c =
        cond && s->kind != STMT_DO ? eval_consumed(w, cond) : value_unknown(w, NULL);
    (void)c;
    if (s->kind != STMT_DO)
        interp_push_condition(w, value_unknown(w, NULL), true);
    interp_stmt(w, body);
    interp_join_jumps(w, set->jumps, STMT_CONTINUE);
    bool dead = w->dead;
    w->dead = false;
    if (s->kind == STMT_DO && cond)
        eval_consumed(w, cond);
    if (s->kind == STMT_FOR && s->loop->next)
        eval_discarded(w, s->loop->next);
    w->dead = dead;
    leave_loop(w, s, &entry, set, s->kind == STMT_DO && !set->continues);
    inner_iv_set(w, ninner_ivs, inner_ivs);
}

/* What stands behind a label may be reached without what stands in front of it. */
static void interp_sections(struct interp *w, struct stmt *s, const struct assigned_set *set) {
    forget_all(w, set);
    struct env entry = env_copy(w, &w->env);
    int conditions = w->nconditions;
    interp_push_condition(w, value_unknown(w, NULL), true);
    struct stmt *body = s->then;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i) {
        if (body->body[i]->kind == STMT_CASE) {
            w->nconditions = conditions;
            interp_push_condition(w, value_unknown(w, NULL), true);
        }
        interp_stmt(w, body->body[i]);
        w->env = env_join(w, &entry, &w->env, NULL);
        w->dead = false;
    }
    if (body->kind != STMT_BLOCK)
        interp_stmt(w, body);
    leave_loop(w, s, &entry, set, false);
}

void interp_inner_loop(struct interp *w, struct stmt *s) {
    int conditions = w->nconditions, jumps = w->njumps;
    struct assigned_set set = assigned_in(w, s);
    bool is_loop = s->kind != STMT_SWITCH;
    ++w->breakable;
    w->loop_nesting += is_loop;
    if (s->kind == STMT_FOR && s->loop->init) {
        --w->breakable;
        interp_stmt(w, s->loop->init);
        ++w->breakable;
    }
    if (is_loop && set.jumps_out)
        interp_push_condition(w, value_unknown(w, NULL), true);
    if (s->kind == STMT_SWITCH)
        interp_sections(w, s, &set);
    else if (is_counted(w, s->loop))
        interp_counted(w, s, &set);
    else
        interp_uncounted(w, s, &set);
    w->loop_nesting -= is_loop;
    --w->breakable;
    w->nconditions = conditions;
    if (is_loop) {
        blur_jumps(w, jumps, conditions);
    } else {
        int kept = jumps;
        for (int i = jumps; i < w->njumps; ++i)
            if (w->jumps[i].kind != STMT_BREAK)
                w->jumps[kept++] = w->jumps[i];
        w->njumps = kept;
    }
    interp_arrivals(w, jumps);
}

static void interp_next_part(struct interp *w, const struct loop *loop, struct expr *e) {
    if (e->kind == EXPR_COMMA) {
        interp_next_part(w, loop, e->args[0]);
        interp_next_part(w, loop, e->args[1]);
    } else if (!header_assigns(e, loop->variable)) {
        eval_discarded(w, e);
    }
}

void interp_next(struct interp *w, const struct loop *loop) {
    if (loop->next)
        interp_next_part(w, loop, loop->next);
}
