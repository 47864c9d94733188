/* Statements in the abstract run: straight lines, branches, jumps. */
#include "analyzer/access/interp/interp.h"

#include <string.h>

static void add_jump(struct interp *w, enum stmt_kind kind, const char *label, bool ends) {
    struct jump jump = {.kind = kind, .label = label, .ends = ends, .env = env_copy(w, &w->env)};
    for (int i = 0; i < w->nconditions; ++i)
        ARENA_PUSH(w->arena, jump.conditions, jump.nconditions, w->conditions[i]);
    ARENA_PUSH(w->arena, w->jumps, w->njumps, jump);
    w->dead = true;
}

/* What follows a statement runs only when none of the jumps in it was taken. */
static void conditions_after(struct interp *w, int jumps) {
    int base = w->nconditions;
    for (int i = jumps; i < w->njumps; ++i) {
        const struct jump *jump = &w->jumps[i];
        if (jump->arrived)
            continue;
        int n = jump->nconditions > base ? jump->nconditions - base : 0;
        const struct value *taken = interp_conjunction(&w->trace, n, jump->conditions + base);
        interp_push_condition(w, taken, false);
    }
}

/*
 * Where a label stands, those that jumped to it go on with those that came by themselves: `begin`
 * is the number of jumps, `conditions` that of conditions, where the label's block begins.
 */
static void arrive(struct interp *w, const char *label, int begin, int conditions) {
    for (int i = 0; i < w->narrivals; ++i) {
        struct arrival *arrival = &w->arrivals[i];
        if (arrival->frame == w->frame && strcmp(arrival->label, label) == 0) {
            w->env = w->dead ? arrival->env : env_join(w, &w->env, &arrival->env, NULL);
            w->dead = false;
            *arrival = w->arrivals[--w->narrivals];
            for (int j = begin; j < w->njumps; ++j) {
                struct jump *jump = &w->jumps[j];
                jump->arrived =
                    jump->arrived || (jump->kind == STMT_GOTO && strcmp(jump->label, label) == 0);
            }
            w->nconditions = conditions;
            conditions_after(w, begin);
            return;
        }
    }
}

static void interp_block(struct interp *w, struct stmt *s) {
    int conditions = w->nconditions, begin = w->njumps;
    struct open_block open = {w->block, s, w->frame, 0, w->loop_nesting, w->breakable};
    w->block = &open;
    for (int i = 0; i < s->nbody; ++i) {
        int jumps = w->njumps;
        open.at = i;
        for (const struct stmt *l = s->body[i]; l && l->kind == STMT_LABEL; l = l->then)
            arrive(w, l->text, begin, conditions);
        if (w->dead)
            continue;
        interp_stmt(w, s->body[i]);
        if (!w->dead)
            conditions_after(w, jumps);
    }
    w->block = open.outer;
    w->nconditions = conditions;
}

static void interp_branch(struct interp *w, struct stmt *s, const struct value *cond, bool sense) {
    int conditions = w->nconditions;
    interp_push_condition(w, cond, sense);
    if (s)
        interp_stmt(w, s);
    w->nconditions = conditions;
}

static void interp_both(struct interp *w, struct stmt *s, const struct value *cond) {
    struct env before = env_copy(w, &w->env);
    interp_branch(w, s->then, cond, true);
    bool then_dead = w->dead;
    struct env then_env = w->env;
    w->env = before;
    w->dead = false;
    interp_branch(w, s->other, cond, false);
    if (w->dead) {
        w->env = then_env;
        w->dead = then_dead;
    } else if (!then_dead) {
        w->env = env_join(w, &then_env, &w->env, cond);
    }
}

static void interp_if(struct interp *w, struct stmt *s) {
    struct expr *reads[4], *saved[4];
    int nreads = 0, nsaved = w->nreduction_reads, saved_op = w->reduction_op;
    bool truth;
    memcpy(saved, w->reduction_read, sizeof saved);
    int op = reduce_match_if(w, s, reads, &nreads);
    if (op >= 0) {
        memcpy(w->reduction_read, reads, (size_t)nreads * sizeof *reads);
        w->nreduction_reads = nreads;
        w->reduction_op = op;
    }
    int jumps = w->njumps;
    const struct value *cond = eval_consumed(w, s->expr);
    conditions_after(w, jumps);
    bool goes_on = unescaped_or_ends(w, s);
    if (!goes_on && !value_truth(cond, &truth))
        interp_both(w, s, cond);
    else if (!goes_on && (truth || s->other))
        interp_stmt(w, truth ? s->then : s->other);
    memcpy(w->reduction_read, saved, sizeof saved);
    w->nreduction_reads = nsaved;
    w->reduction_op = saved_op;
}

static bool has_static_storage(const struct variable *var) {
    return var->storage == STORAGE_STATIC_LOCAL || var->storage == STORAGE_STATIC ||
           var->storage == STORAGE_GLOBAL;
}

static void declare(struct interp *w, struct variable *var) {
    if (has_static_storage(var))
        return;
    const struct value *v = NULL;
    if (var->init)
        v = value_convert(w, eval(w, var->init), var->init->type, var->type);
    bool whole = v && var->type->kind != TYPE_ARRAY && var->type->kind != TYPE_VLA &&
                 var->init->kind != EXPR_INIT;
    env_set(w, var, v);
    env_find(&w->env, var)->outer = false;
    if (!whole) {
        value_consume(w, v);
        env_find(&w->env, var)->value = value_unknown(w, "a local variable not set yet");
        env_forget(w, var, arena_printf(w->arena, "the value of `%s` is not known", var->name));
    }
}

static void interp_declaration(struct interp *w, struct stmt *s) {
    if (s->expr)
        eval_discarded(w, s->expr);
    for (int i = 0; i < s->nvars; ++i)
        declare(w, s->vars[i]);
}

static void interp_return(struct interp *w, struct stmt *s) {
    struct frame *frame = w->frame;
    const struct value *v = s->expr ? eval(w, s->expr) : value_unknown(w, "no value");
    if (!frame->parent) {
        value_consume(w, v);
        interp_refuse(&w->trace, ORR2221, s->range,
                      "let the loop run to its end; the first iteration that would leave is a "
                      "minimum: `if (found) first = i < first ? i : first;`",
                      "`return` leaves the loop before its last iteration");
        w->dead = true;
        return;
    }
    if (s->expr)
        v = value_convert(w, v, s->expr->type, frame->function->result);
    int n = frame->nresults;
    int inner = w->nconditions - frame->base_conditions;
    const struct value *taken =
        interp_conjunction(&w->trace, inner, inner ? w->conditions + frame->base_conditions : NULL);
    ARENA_PUSH(w->arena, frame->taken, n, taken);
    ARENA_PUSH(w->arena, frame->results, frame->nresults, v);
    frame->exits =
        frame->have_exits ? env_join(w, &frame->exits, &w->env, NULL) : env_copy(w, &w->env);
    frame->have_exits = true;
    add_jump(w, STMT_RETURN, NULL, false);
}

void interp_end(struct interp *w) {
    add_jump(w, STMT_RETURN, NULL, true);
}

static void interp_continue(struct interp *w) {
    struct frame *frame = w->frame;
    if (w->loop_nesting == 0 && !frame->parent) {
        frame->exits =
            frame->have_exits ? env_join(w, &frame->exits, &w->env, NULL) : env_copy(w, &w->env);
        frame->have_exits = true;
    }
    add_jump(w, STMT_CONTINUE, NULL, false);
}

static void interp_break(struct interp *w, struct stmt *s) {
    if (w->breakable == 0) {
        interp_refuse(&w->trace, ORR2220, s->range,
                      "let the loop run to its end; the first iteration that would leave is a "
                      "minimum: `if (found) first = i < first ? i : first;`",
                      "`break` leaves the loop before its last iteration");
        w->dead = true;
        return;
    }
    add_jump(w, STMT_BREAK, NULL, false);
}

static bool is_labelled(const struct stmt *s, const char *label) {
    while (s && s->kind == STMT_LABEL && strcmp(s->text, label) != 0)
        s = s->then;
    return s && s->kind == STMT_LABEL;
}

enum ahead { AHEAD_NOT, AHEAD_INSIDE, AHEAD_BEHIND_LOOPS };

/* In what is left of a block, in front of which no variable of the block begins. */
static bool is_left(const struct open_block *b, const char *label, bool *declared) {
    *declared = false;
    for (int i = b->at + 1; i < b->block->nbody; ++i) {
        if (is_labelled(b->block->body[i], label))
            return true;
        *declared = *declared || b->block->body[i]->kind == STMT_DECL;
    }
    return false;
}

/* Where a label stands in what is left of the blocks around. */
static enum ahead is_ahead(const struct interp *w, const char *label) {
    for (const struct open_block *b = w->block; b && b->frame == w->frame; b = b->outer) {
        bool declared;
        if (is_left(b, label, &declared)) {
            bool same = b->loop_nesting == w->loop_nesting && b->breakable == w->breakable;
            return declared ? AHEAD_NOT : same ? AHEAD_INSIDE : AHEAD_BEHIND_LOOPS;
        }
    }
    return AHEAD_NOT;
}

/* Where the interpretation is, it goes on at the label, too. */
static void add_arrival(struct interp *w, const char *label) {
    for (int i = 0; i < w->narrivals; ++i) {
        if (w->arrivals[i].frame == w->frame && strcmp(w->arrivals[i].label, label) == 0) {
            w->arrivals[i].env = env_join(w, &w->arrivals[i].env, &w->env, NULL);
            return;
        }
    }
    struct arrival arrival = {label, w->frame, env_copy(w, &w->env)};
    ARENA_PUSH(w->arena, w->arrivals, w->narrivals, arrival);
}

static void interp_goto(struct interp *w, struct stmt *s) {
    enum ahead ahead = is_ahead(w, s->text);
    if (ahead == AHEAD_NOT) {
        interp_refuse(&w->trace, ORR2222, interp_place(w, s->range),
                      "use `if`, `continue` and loops in its place",
                      "`goto` makes the order of the body's statements unclear");
        return;
    }
    if (ahead == AHEAD_INSIDE)
        add_arrival(w, s->text);
    add_jump(w, STMT_GOTO, s->text, false);
}

void interp_join_jumps(struct interp *w, int jumps, enum stmt_kind kind) {
    for (int i = jumps; i < w->njumps; ++i) {
        const struct jump *jump = &w->jumps[i];
        if (jump->kind == kind && !jump->arrived) {
            w->env = w->dead ? env_copy(w, &jump->env) : env_join(w, &w->env, &jump->env, NULL);
            w->dead = false;
        }
    }
}

void interp_arrivals(struct interp *w, int jumps) {
    for (int i = jumps; i < w->njumps; ++i)
        if (w->jumps[i].kind == STMT_GOTO && is_ahead(w, w->jumps[i].label) == AHEAD_INSIDE)
            add_arrival(w, w->jumps[i].label);
}

void interp_stmt(struct interp *w, struct stmt *s) {
    ++w->steps;
    switch (s->kind) {
    case STMT_EMPTY:
        break;
    case STMT_EXPR:
        eval_discarded(w, s->expr);
        break;
    case STMT_DECL:
        interp_declaration(w, s);
        break;
    case STMT_BLOCK:
        interp_block(w, s);
        break;
    case STMT_IF:
        interp_if(w, s);
        break;
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_DO:
        interp_inner_loop(w, s);
        break;
    case STMT_SWITCH:
        interp_switch(w, s);
        break;
    case STMT_CASE:
    case STMT_LABEL:
        if (s->then)
            interp_stmt(w, s->then);
        break;
    case STMT_BREAK:
        interp_break(w, s);
        break;
    case STMT_CONTINUE:
        interp_continue(w);
        break;
    case STMT_RETURN:
        interp_return(w, s);
        break;
    case STMT_GOTO:
        interp_goto(w, s);
        break;
    case STMT_UNKNOWN:
        interp_refuse(&w->trace, ORR2226, interp_place(w, s->range),
                      "write it in plain C, or move it out of the loop", "the loop contains %s",
                      s->text ? s->text : "a statement that is not analyzed");
        break;
    }
}
