/* Loops and switches inside the analyzed loop. */
#include "analyzer/access/access.h"

#include <string.h>

struct assigned_set {
    struct walk *w;
    int count;
    struct variable **vars;
    int *times;
    bool jumps_out, continues;
};

static void assigned_add(struct assigned_set *set, struct variable *var) {
    for (int i = 0; i < set->count; i++) {
        if (set->vars[i] == var) {
            set->times[i]++;
            return;
        }
    }
    int count = set->count;
    ARENA_PUSH(set->w->arena, set->times, count, 1);
    ARENA_PUSH(set->w->arena, set->vars, set->count, var);
}

static void collect_assigned(void *data, struct expr *e) {
    struct assigned_set *set = data;
    if (e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT) {
        struct variable *var = lvalue_variable(e->args[0]);
        if (var) {
            assigned_add(set, var);
        }
    }
}

static void collect_jumps(void *data, struct stmt *s) {
    struct assigned_set *set = data;
    set->jumps_out =
        set->jumps_out || s->kind == STMT_BREAK || s->kind == STMT_RETURN || s->kind == STMT_GOTO;
    set->continues = set->continues || s->kind == STMT_CONTINUE;
}

static struct assigned_set assigned_in(struct walk *w, struct stmt *s) {
    struct assigned_set set = {.w = w};
    if (s->kind == STMT_FOR) {
        stmt_visit(s->loop->body, collect_assigned, &set);
        expr_visit(s->loop->cond, collect_assigned, &set);
        expr_visit(s->loop->next, collect_assigned, &set);
        stmt_each(s->loop->body, collect_jumps, &set);
    } else {
        stmt_visit(s->then, collect_assigned, &set);
        expr_visit(s->expr, collect_assigned, &set);
        stmt_each(s->then, collect_jumps, &set);
    }
    for (int i = 0; i < w->nextra; i++) {
        if (w->extra[i].loop == s) {
            assigned_add(&set, w->extra[i].var);
        }
    }
    return set;
}

static bool contains(const struct assigned_set *set, const struct variable *var) {
    for (int i = 0; i < set->count; i++) {
        if (set->vars[i] == var) {
            return true;
        }
    }
    return false;
}

static void forget_all(struct walk *w, const struct assigned_set *set) {
    for (int i = 0; i < set->count; i++) {
        env_forget(w, set->vars[i],
                   arena_printf(w->arena, "`%s` changes in a loop inside", set->vars[i]->name));
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
static void learn_changes(struct walk *w, const struct stmt *s, const struct env *entry,
                          const struct assigned_set *set) {
    for (int i = 0; i < entry->count; i++) {
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
static void leave_loop(struct walk *w, const struct stmt *s, const struct env *entry,
                       const struct assigned_set *set, bool surely) {
    if (w->dead) {
        w->env = env_copy(w, entry);
    } else {
        learn_changes(w, s, entry, set);
        if (!surely || set->jumps_out) {
            w->env = env_join(w, entry, &w->env, NULL);
        }
    }
    w->dead = false;
    forget_all(w, set);
}

/* A `return` out of the loop is taken in some iteration of it, which cannot be told outside. */
static void blur_jumps(struct walk *w, int jumps, int conditions) {
    int kept = jumps;
    for (int i = jumps; i < w->njumps; i++) {
        struct jump *jump = &w->jumps[i];
        if (jump->kind != STMT_RETURN) {
            continue;
        }
        jump->nconditions = conditions;
        int n = jump->nconditions;
        struct condition unknown = {.value = value_unknown(w, NULL), .sense = true};
        ARENA_PUSH(w->arena, jump->conditions, n, unknown);
        jump->nconditions = n;
        w->jumps[kept++] = *jump;
    }
    w->njumps = kept;
}

static bool is_counted(struct walk *w, const struct loop *loop) {
    const struct variable *var = loop->variable;
    struct slot *slot = var ? env_find(&w->env, var) : NULL;
    return loop->canonical && var && var->type->kind == TYPE_INT && !var->address_taken && slot &&
           loop->lower && loop->upper;
}

static const struct poly *plus(struct walk *w, const struct poly *p, long number) {
    return poly_add(w->arena, p, poly_constant(w->arena, number));
}

/* The least and greatest value of the loop's variable. */
static void set_range(struct walk *w, struct atom *atom, const struct loop *loop,
                      const struct poly *start, const struct poly *end) {
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT;
    bool equal = loop->relation == OP_LE || loop->relation == OP_GE;
    long off = strict || loop->relation == OP_NE ? 1 : 0;
    bool unit = loop->step == 1 || loop->step == -1;
    if (loop->step > 0) {
        atom->lower = start;
        atom->upper = strict || equal || unit ? plus(w, end, -off) : NULL;
    } else {
        atom->lower = strict || equal || unit ? plus(w, end, off) : NULL;
        atom->upper = start;
    }
}

static const struct poly *integer_of(const struct value *v) {
    return v->kind == VALUE_INT ? v->poly : NULL;
}

static int inner_add(struct walk *w, struct loop *loop, struct atom *atom) {
    struct walk_inner inner = {
        .loop = loop, .atom = atom, .lower = atom->lower, .upper = atom->upper, .step = loop->step};
    ARENA_PUSH(w->arena, w->inner, w->ninner, inner);
    return w->ninner - 1;
}

static struct value *loop_value(struct walk *w, struct loop *loop, struct atom *atom, int level) {
    struct value *v = value_new(w, VALUE_INT);
    v->poly = poly_atom(w->arena, atom);
    v->pure = expr_new(w->arena, EXPR_VAR, loop->variable->type, loop->variable->range);
    v->pure->var = loop->variable;
    v->level = level;
    atom->expr = v->pure;
    return v;
}

/* Whether the loop runs at all may differ from iteration to iteration (`p < ptr[n + 1]`). */
static void push_trip_condition(struct walk *w, struct loop *loop, const struct value *start,
                                const struct value *end) {
    if (start->level < 0 && end->level < 0 && start->pure && end->pure) {
        return;
    }
    struct value *runs = value_new(w, VALUE_OTHER);
    value_inherit(w, runs, start);
    value_inherit(w, runs, end);
    if (start->pure && end->pure) {
        runs->pure = expr_binary(w->arena, loop->relation, start->pure, end->pure);
    }
    walk_push_condition(w, runs, true);
}

struct steps {
    const struct variable *var;
    long total;
    int count;
};

static void sum_steps(struct expr *e, struct steps *steps) {
    if (!e || e->kind == EXPR_CONDITIONAL || e->kind == EXPR_AND || e->kind == EXPR_OR) {
        return;
    }
    bool target = (e->kind == EXPR_INCREMENT || e->kind == EXPR_ASSIGN) &&
                  e->args[0]->kind == EXPR_VAR && e->args[0]->var == steps->var;
    if (target && e->kind == EXPR_INCREMENT) {
        steps->count++;
        steps->total += e->delta;
    } else if (target && (e->op == OP_ADD || e->op == OP_SUB) && e->args[1]->kind == EXPR_INT) {
        steps->count++;
        steps->total +=
            e->op == OP_ADD ? (long)e->args[1]->int_value : -(long)e->args[1]->int_value;
    }
    for (int i = 0; i < e->nargs; i++) {
        sum_steps(e->args[i], steps);
    }
}

/* Bytes or units by which each round of the loop moves var, when it does so exactly once. */
static bool moves_once(struct loop *loop, const struct assigned_set *set, int i, long *by) {
    struct steps steps = {.var = set->vars[i]};
    struct stmt *body = loop->body;
    if (set->times[i] != 1 || set->continues || set->jumps_out || set->vars[i]->address_taken) {
        return false;
    }
    for (int k = 0; body->kind == STMT_BLOCK && k < body->nbody; k++) {
        struct stmt *s = body->body[k];
        if (s->kind == STMT_EXPR) {
            sum_steps(s->expr, &steps);
        }
        for (int v = 0; s->kind == STMT_DECL && v < s->nvars; v++) {
            sum_steps(s->vars[v]->init, &steps);
        }
    }
    if (body->kind == STMT_EXPR) {
        sum_steps(body->expr, &steps);
    }
    sum_steps(loop->next, &steps);
    *by = steps.total;
    return steps.count == 1;
}

/* p++ once per round: p = p at the start + rounds so far. */
static void close_inductions(struct walk *w, struct loop *loop, const struct assigned_set *set,
                             const struct env *before, const struct value *counter,
                             const struct poly *start) {
    long by;
    if (!start || (loop->step != 1 && loop->step != -1)) {
        return;
    }
    const struct poly *rounds = poly_subtract(w->arena, counter->poly, start);
    rounds = poly_scale(w->arena, rounds, loop->step);
    for (int i = 0; i < set->count; i++) {
        struct slot *slot = env_find((struct env *)before, set->vars[i]);
        const struct type *type = set->vars[i]->type;
        if (set->vars[i] == loop->variable || !slot || slot->assigned != ASSIGNED_YES ||
            !slot->value->poly || !moves_once(loop, set, i, &by)) {
            continue;
        }
        struct value *step = value_new(w, VALUE_INT);
        step->poly = poly_scale(w->arena, rounds, by);
        step->level = counter->level;
        const struct value *v = NULL;
        if (slot->value->kind == VALUE_POINTER && type->kind == TYPE_POINTER) {
            v = value_advance(w, slot->value, step, eval_type_size(w, type->element), NULL);
        } else if (slot->value->kind == VALUE_INT && type->kind == TYPE_INT && type->is_signed) {
            struct value *sum = value_new(w, VALUE_INT);
            sum->poly = poly_add(w->arena, slot->value->poly, step->poly);
            value_inherit(w, sum, slot->value);
            value_inherit(w, sum, step);
            sum->pure = sum->poly ? poly_expr(&w->atoms, sum->poly, true) : NULL;
            value_consume(w, slot->value);
            v = sum->poly ? sum : NULL;
        }
        if (v) {
            env_find(&w->env, set->vars[i])->value = v;
        }
    }
}

static bool runs_surely(const struct atom *atom) {
    long lower, upper;
    return poly_is_constant(atom->lower, &lower) && poly_is_constant(atom->upper, &upper) &&
           lower <= upper;
}

static void walk_counted(struct walk *w, struct stmt *s, const struct assigned_set *set) {
    struct loop *loop = s->loop;
    const struct value *start = env_find(&w->env, loop->variable)->value;
    struct env before = env_copy(w, &w->env);
    forget_all(w, set);
    const struct value *end = eval_consumed(w, loop->upper);
    struct atom *atom = arena_alloc(w->arena, sizeof *atom);
    *atom = (struct atom){.kind = SYMBOL_LOOP, .loop = loop, .scope = -1, .id = w->atoms.count};
    atom->unsigned_type = !loop->variable->type->is_signed;
    ARENA_PUSH(w->arena, w->atoms.items, w->atoms.count, atom);
    set_range(w, atom, loop, integer_of(start), integer_of(end));
    int level = inner_add(w, loop, atom);
    struct value *counter = loop_value(w, loop, atom, level);
    push_trip_condition(w, loop, start, end);
    value_consume(w, start);
    env_find(&w->env, loop->variable)->value = counter;
    close_inductions(w, loop, set, &before, counter, integer_of(start));
    struct env entry = env_copy(w, &w->env);
    ARENA_PUSH(w->arena, w->active, w->nactive, level);
    walk_stmt(w, loop->body);
    w->nactive--;
    leave_loop(w, s, &entry, set, runs_surely(atom));
    env_forget(w, loop->variable,
               arena_printf(w->arena, "`%s` is the variable of a loop that has ended",
                            loop->variable->name));
}

static void walk_uncounted(struct walk *w, struct stmt *s, const struct assigned_set *set) {
    struct expr *cond = s->kind == STMT_FOR ? s->loop->cond : s->expr;
    struct stmt *body = s->kind == STMT_FOR ? s->loop->body : s->then;
    forget_all(w, set);
    struct env entry = env_copy(w, &w->env);
    const struct value *c =
        cond && s->kind != STMT_DO ? eval_consumed(w, cond) : value_unknown(w, NULL);
    (void)c;
    if (s->kind != STMT_DO) {
        walk_push_condition(w, value_unknown(w, NULL), true);
    }
    walk_stmt(w, body);
    bool dead = w->dead;
    w->dead = false;
    if (s->kind == STMT_DO && cond) {
        eval_consumed(w, cond);
    }
    if (s->kind == STMT_FOR && s->loop->next) {
        eval_discarded(w, s->loop->next);
    }
    w->dead = dead;
    leave_loop(w, s, &entry, set, s->kind == STMT_DO && !set->continues);
}

static void walk_switch(struct walk *w, struct stmt *s, const struct assigned_set *set) {
    eval_consumed(w, s->expr);
    forget_all(w, set);
    struct env entry = env_copy(w, &w->env);
    walk_push_condition(w, value_unknown(w, NULL), true);
    struct stmt *body = s->then;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; i++) {
        walk_stmt(w, body->body[i]);
        w->env = env_join(w, &entry, &w->env, NULL);
        w->dead = false;
    }
    if (body->kind != STMT_BLOCK) {
        walk_stmt(w, body);
    }
    leave_loop(w, s, &entry, set, false);
}

void walk_inner_loop(struct walk *w, struct stmt *s) {
    int conditions = w->nconditions, jumps = w->njumps;
    struct assigned_set set = assigned_in(w, s);
    bool is_loop = s->kind != STMT_SWITCH;
    w->breakable++;
    w->loop_nesting += is_loop;
    if (s->kind == STMT_FOR && s->loop->init) {
        w->breakable--;
        walk_stmt(w, s->loop->init);
        w->breakable++;
    }
    if (is_loop && set.jumps_out) {
        walk_push_condition(w, value_unknown(w, NULL), true);
    }
    if (s->kind == STMT_SWITCH) {
        walk_switch(w, s, &set);
    } else if (s->kind == STMT_FOR && is_counted(w, s->loop) &&
               !(contains(&set, s->loop->variable) && set.times[0] < 0)) {
        walk_counted(w, s, &set);
    } else {
        walk_uncounted(w, s, &set);
    }
    w->loop_nesting -= is_loop;
    w->breakable--;
    w->nconditions = conditions;
    if (is_loop) {
        blur_jumps(w, jumps, conditions);
    } else {
        int kept = jumps;
        for (int i = jumps; i < w->njumps; i++) {
            if (w->jumps[i].kind != STMT_BREAK) {
                w->jumps[kept++] = w->jumps[i];
            }
        }
        w->njumps = kept;
    }
}
