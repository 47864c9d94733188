/*
 * Wavefronts: a loop in its own order with loops inside, whose iterations are cut into blocks by
 * ranges of the planned loop's iterations and by ranges of positions (plan.h).
 *
 *   body --parts--> locals stay? --> skew and shifts (wave_order) --proof (check_wave)--> plan
 *
 * A block runs the user's text in its own order, of each part only what has a position in the
 * block's range. So it is enough that nothing depends on what has a greater position: then a block
 * needs blocks of no greater row and column only, and inside of a block the loop's order is kept.
 */
#include "scheduler/strategy/wavefront/wave.h"

#include <stdlib.h>
#include <string.h>

/* ---- which statements are parts -------------------------------------------------------------- */

/* May `value` be worked out where the loop begins, and is it the same in all its iterations but for
 * the planned loop's variable? */
static bool wave_is_plain(const struct loop_facts *facts, const struct affine *value) {
    bool plain = true;
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *s = value->terms[i].symbol;
        plain = plain && (s == facts->index || (s->kind == SYMBOL_PARAM && s->expr));
    }
    return plain;
}

/* for (j = lower; ...) or for (T j = lower; ...), nothing besides. */
static bool has_plain_start(const struct loop *loop) {
    const struct stmt *init = loop->init;
    if (init && init->kind == STMT_DECL)
        return init->nvars == 1 && init->vars[0] == loop->variable;
    const struct expr *set = init && init->kind == STMT_EXPR ? init->expr : NULL;
    return set && set->kind == EXPR_ASSIGN && set->op == OP_NONE &&
           set->args[0]->kind == EXPR_VAR && set->args[0]->var == loop->variable;
}

static bool has_plain_next(const struct loop *loop) {
    const struct expr *next = loop->next;
    return next && (next->kind == EXPR_INCREMENT || next->kind == EXPR_ASSIGN) &&
           next->args[0]->kind == EXPR_VAR && next->args[0]->var == loop->variable;
}

/* The bound compares as a number: neither side becomes an unsigned one with another value. */
static bool compares_as_number(const struct loop *loop) {
    const struct type *variable = loop->variable->type, *upper = loop->upper->type;
    bool starts_low = !(loop->lower->kind == EXPR_INT && loop->lower->int_value >= 0);
    return upper->kind == TYPE_INT && variable->kind == TYPE_INT && variable->size >= 4 &&
           (variable->is_signed == upper->is_signed || upper->size < variable->size ||
            (variable->is_signed && !starts_low && loop->step > 0) ||
            loop->upper->kind == EXPR_INT);
}

static bool has_plain_relation(const struct loop *loop) {
    return loop->step > 0 ? loop->relation == OP_LT || loop->relation == OP_LE
                          : loop->relation == OP_GT || loop->relation == OP_GE;
}

static const struct inner_loop *inner_of(const struct loop_facts *facts, const struct loop *loop) {
    for (int i = 1; i < facts->ninner; ++i)
        if (facts->inner[i].loop == loop)
            return &facts->inner[i];
    return NULL;
}

static bool has_plain_header(const struct loop *loop) {
    return loop->canonical && loop->lower && loop->upper && !loop->stride && loop->nentries == 0 &&
           !loop->steps_in_body && loop->header.exact && has_plain_start(loop) &&
           has_plain_next(loop) && has_plain_relation(loop) && compares_as_number(loop);
}

/* The loop's iterations can be cut by the values of its variable; NULL: they cannot. */
static const struct inner_loop *cut_loop(const struct loop_facts *facts, const struct stmt *stmt) {
    const struct loop *loop = stmt->kind == STMT_FOR ? stmt->loop : NULL;
    const struct inner_loop *inner = loop ? inner_of(facts, loop) : NULL;
    bool plain = inner && has_plain_header(loop) && stmt->range.exact && inner->has_lower &&
                 inner->has_upper && inner->step == loop->step && inner->symbol;
    return plain && wave_is_plain(facts, &inner->lower) && wave_is_plain(facts, &inner->upper) &&
                   !plan_jumps(loop->body)
               ? inner
               : NULL;
}

static bool part_add(const struct loop_facts *facts, struct plan_wave *wave, struct stmt *stmt,
                     struct strategy_miss *miss) {
    struct wave_part part = {.kind = WAVE_STATEMENT, .stmt = stmt};
    part.loop = cut_loop(facts, stmt);
    if (stmt->kind == STMT_EMPTY)
        return true;
    if (part.loop || stmt->kind == STMT_DECL)
        part.kind = part.loop ? WAVE_LOOP : WAVE_DECLARATION;
    else if (plan_leaves(stmt))
        wave->leaves = wave->leaves ? wave->leaves : stmt;
    else if (!stmt->range.exact)
        return plan_missed(miss, NULL, stmt->range, NULL, NULL);
    ARENA_PUSH(facts->unit->arena, wave->parts, wave->nparts, part);
    return true;
}

/* Statements go with the first value of the next loop,
 * those behind all loops with the last one's. */
static void anchor(struct plan_wave *wave) {
    const struct inner_loop *next = NULL, *last = NULL;
    for (int i = 0; i < wave->nparts; ++i)
        last = wave->parts[i].kind == WAVE_LOOP ? wave->parts[i].loop : last;
    for (int i = wave->nparts - 1; i >= 0; --i) {
        struct wave_part *part = &wave->parts[i];
        next = part->kind == WAVE_LOOP ? part->loop : next;
        if (part->kind == WAVE_STATEMENT) {
            part->loop = next ? next : last;
            part->at_end = !next;
        }
    }
}

static const struct inner_loop *first_loop(const struct plan_wave *wave) {
    for (int i = 0; i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_LOOP)
            return wave->parts[i].loop;
    return NULL;
}

static bool has_one_direction(const struct plan_wave *wave, struct strategy_miss *miss) {
    for (int i = 0; i < wave->nparts; ++i) {
        const struct wave_part *part = &wave->parts[i];
        if (part->kind == WAVE_LOOP && (part->loop->step > 0) != (wave->direction > 0)) {
            return plan_missed(
                miss, ORR2403, part->loop->loop->header,
                "this loop goes the other way than the one before it: their iterations "
                "have no common wavefront",
                "put the two sweeps into loops of their own, each with its pragma");
        }
    }
    return true;
}

/* Loops known to be shorter than this are not worth cutting: handing a block on costs more. */
enum { SHORTEST_CUT = 64 };

static bool is_short(const struct inner_loop *loop) {
    long apart = loop->upper.constant - loop->lower.constant;
    return loop->upper.nterms == 0 && loop->lower.nterms == 0 &&
           labs(apart) / labs(loop->step) < SHORTEST_CUT - 1;
}

static bool is_worth_cutting(const struct plan_wave *wave) {
    for (int i = 0; i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_LOOP && !is_short(wave->parts[i].loop))
            return true;
    return false;
}

/* A row of the grid folds its iterations' values in the order of its blocks, not in the loop's. */
static bool folds_in_any_order(const struct loop_facts *facts) {
    bool any = true;
    for (int i = 0; i < facts->nreductions; ++i) {
        enum reduction_op op = facts->reductions[i].op;
        any = any && op != REDUCE_ARGMIN && op != REDUCE_ARGMAX && op != REDUCE_LAST &&
              !facts->reductions[i].ties;
    }
    return any;
}

/* The parts, also of iterations that may end early. */
static struct plan_wave *all_parts(const struct loop_facts *facts, struct strategy_miss *miss) {
    struct stmt *body = facts->loop->body;
    struct plan_wave *wave = arena_alloc(facts->unit->arena, sizeof *wave);
    *wave = (struct plan_wave){.direction = 1};
    *miss = (struct strategy_miss){0};
    if (!body || facts->loop->form != LOOP_FOR || facts->by_number || facts->ninductions > 0 ||
        facts->allocates || !folds_in_any_order(facts)) {
        return NULL;
    }
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        if (!part_add(facts, wave, body->body[i], miss))
            return NULL;
    if (body->kind != STMT_BLOCK && !part_add(facts, wave, body, miss))
        return NULL;
    const struct inner_loop *first = first_loop(wave);
    if (!first || !is_worth_cutting(wave)) {
        plan_missed(miss, NULL, facts->loop->header, NULL, NULL);
        return NULL;
    }
    wave->direction = first->step > 0 ? 1 : -1;
    anchor(wave);
    return has_one_direction(wave, miss) && wave_locals_stay(facts, wave, miss) ? wave : NULL;
}

static bool is_whole(const struct plan_wave *wave, struct strategy_miss *miss) {
    return !wave->leaves ||
           plan_missed(miss, ORR2402, wave->leaves->range,
                       "an iteration cannot be cut into blocks where it may end early",
                       "put what follows under the opposite condition");
}

struct plan_wave *wave_parts(const struct loop_facts *facts, struct strategy_miss *miss) {
    struct plan_wave *wave = all_parts(facts, miss);
    return wave && is_whole(wave, miss) ? wave : NULL;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static bool has_sums(const struct loop_facts *facts) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].is_array && !reduction_is_merged(&facts->reductions[i]))
            return true;
    return false;
}

/*
 * The parts of an iteration run apart from each other: no array can be a worker's own but those of
 * wave_copies. With `sums`: what is added up in arrays is added in the loop's order.
 */
static struct analysis *without_copies(struct analysis *analysis, bool sums) {
    const struct loop_facts *old = analysis->facts;
    if (old->nscratches == 0 && !sums)
        return analysis;
    struct loop_facts *facts =
        sums ? facts_collect_sums(old->unit, old->loop) : facts_collect(old->unit, old->loop);
    facts->no_copies = true;
    wave_copies(facts, old);
    return analysis_run(facts);
}

static const char *last_value(const struct loop_facts *facts) {
    for (int i = 0; i < facts->nprivates; ++i)
        if (facts->privates[i].last_value)
            return facts->privates[i].var->name;
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].argmin)
            return facts->reductions[i].object->name;
    return NULL;
}

/* Only where subscripts are known everywhere is it worth saying what a wavefront lacks. */
static bool is_known(const struct loop_facts *facts) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int d = 0; a->object->written && d < a->nsubs; ++d)
            if (!a->subs[d].known)
                return false;
    }
    return facts->nrefusals == 0;
}

static bool fail(const struct loop_facts *facts, struct strategy_miss *miss,
                 const struct access *source, const struct access *sink) {
    if (!source || !is_known(facts) || source->object->kind == OBJECT_SCALAR) {
        miss->code = NULL;
        return false;
    }
    return plan_missed(
        miss, ORR2400, sink->range,
        arena_printf(facts->unit->arena,
                     "no wavefront: however the loops inside are skewed, %s (line %d) comes from "
                     "an iteration at a later position than that of %s (line %d), which needs it",
                     source->text ? source->text : source->object->name, source->range.begin.line,
                     sink->text ? sink->text : sink->object->name, sink->range.begin.line),
        "let an iteration need only what is at its own position or before it, plus a constant "
        "distance per iteration");
}

static bool wave_of(struct plan *plan, struct analysis *analysis, struct strategy_miss *miss) {
    struct loop_facts *facts = analysis->facts;
    const struct access *source = NULL, *sink = NULL;
    struct plan_wave *wave = facts->nrefusals ? NULL : all_parts(facts, miss);
    if (!wave)
        return false;
    const char *last = last_value(facts);
    int space = plan_variable_dim(analysis);
    if (last || space < 0) {
        *miss = (struct strategy_miss){0};
        return false;
    }
    if (!wave_shift(facts, wave, &source, &sink))
        return fail(facts, miss, source, sink);
    if (!is_whole(wave, miss))
        return false;
    plan->analysis = analysis;
    plan->strategy = STRATEGY_WAVEFRONT;
    plan->wave = wave;
    plan->space = space;
    plan->by_key = false;
    return true;
}

/* Sums in arrays keep the loop's order, and so its bits, where a wavefront can; else they are
 * folded row by row. At last with distances in the data that the run checks. */
bool plan_wave(struct plan *plan, struct strategy_miss *miss) {
    if (has_sums(plan->analysis->facts) &&
        wave_of(plan, without_copies(plan->analysis, true), miss)) {
        return true;
    }
    if (wave_of(plan, without_copies(plan->analysis, false), miss))
        return true;
    const struct loop_facts *facts = plan->analysis->facts;
    struct strategy_miss other;
    struct loop_facts *signs = all_parts(facts, &other) ? wave_signs(facts) : NULL;
    return signs && wave_of(plan, analysis_run(signs), &other);
}
