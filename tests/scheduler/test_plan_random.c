/*
 * Random loops against an oracle that knows nothing of isl: all iterations, all values of keys,
 * parameters and inner variables of a small domain, one by one. Whatever conflict the oracle meets
 * has to be within the entries, and no plan may run its two iterations together. Without keys and
 * parameters the domain is complete, and entries have to be as tight as the oracle's.
 */
#include "analyzer/depend/solve.h"
#include "scheduler/plan/parts.h"
#include "tests/analyzer/depend_facts.h"

#include <cmocka.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum { CASES = 2000, MAX_SYMBOLS = 8 };

static uint64_t state = 88172645463325252u;

static long pick(long low, long high) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (long)((state >> 11) % (uint64_t)(high - low + 1));
}

/* ---- a random loop --------------------------------------------------------------------------- */

struct sample {
    struct kit *kit;
    long lower, count; /* the loop's first value and number of iterations, known to it or not */
    int nkeys, inner;
    bool has_param, has_inner_key;
    long reach; /* keys are in [-reach, reach] */
};

static struct subscript random_sub(struct sample *s) {
    struct kit *kit = s->kit;
    struct subscript sub = {.known = pick(0, 11) > 0};
    sub.value.constant = pick(-3, 3);
    for (int i = 0; sub.known && i < kit->facts.nsymbols; ++i) {
        struct term term = {kit->facts.symbols[i], pick(0, 2) ? pick(1, 2) : -1};
        if (pick(0, 2) == 0)
            ARENA_PUSH(kit->arena, sub.value.terms, sub.value.nterms, term);
    }
    return sub;
}

/* Rows by key, as training loops have them, with now and then something else in between. */
static void keyed_access(struct sample *s, struct object *object, int key) {
    struct kit *kit = s->kit;
    struct symbol *row = kit->facts.symbols[1 + key];
    struct subscript sub = kit_known(kit_affine(kit, 0, row, 1L, (void *)0));
    if (pick(0, 15) == 0)
        sub.value.constant = 1;
    kit_access(kit, object, true, 0, 1, &sub);
}

static void random_accesses(struct sample *s, const char *name) {
    int ndims = (int)pick(1, 2), naccesses = (int)pick(1, 3);
    if (s->nkeys > 0 && pick(0, s->nkeys) > 0) {
        int own = *name - 'A';
        int key = own < s->nkeys && pick(0, 3) ? own : (int)pick(0, s->nkeys - 1);
        struct object *rows = kit_object(s->kit, OBJECT_POINTER, name, 1);
        keyed_access(s, rows, key);
        keyed_access(s, rows, pick(0, 3) ? key : (int)pick(0, s->nkeys - 1));
        return;
    }
    struct object *object = kit_object(s->kit, OBJECT_POINTER, name, ndims);
    struct subscript subs[4] = {0};
    for (int i = 0; i < naccesses; ++i) {
        for (int d = 0; d < ndims; ++d)
            if (i == 0 || pick(0, 3) == 0)
                subs[d] = random_sub(s);
            else if (pick(0, 1))
                subs[d].value.constant = pick(-3, 3);
        struct access *a = kit_access(s->kit, object, i == 0 || pick(0, 1), s->inner, ndims, subs);
        if (pick(0, 3) == 0) {
            a->field_offset = 4 * pick(0, 1);
            a->field_size = 4;
        }
    }
}

static void random_bounds(struct sample *s) {
    struct inner_loop *self = &s->kit->facts.inner[0];
    static const long steps[] = {1, 1, 1, 2, 3, -1, -2};
    self->step = steps[pick(0, 6)];
    s->lower = pick(-2, 2);
    s->count = pick(1, 5);
    self->has_lower = pick(0, 3) > 0;
    self->has_upper = self->has_lower;
    self->lower.constant = s->lower;
    self->upper.constant = s->lower + (s->count - 1) * self->step;
    if (!self->has_lower)
        s->count = 5;
}

static struct sample random_sample(void) {
    struct sample s = {.kit = kit_new(pick(0, 1)), .nkeys = (int)pick(0, 3)};
    static const char *const names[] = {"u[n]", "v[n]", "w[n]"};
    random_bounds(&s);
    for (int i = 0; i < s.nkeys; ++i)
        kit_symbol(s.kit, SYMBOL_KEY, names[i], false);
    s.reach = s.nkeys == 3 ? 1 : s.nkeys == 2 ? 2 : 4;
    s.has_param = pick(0, 3) == 0;
    if (s.has_param)
        kit_symbol(s.kit, SYMBOL_PARAM, "K", false);
    if (pick(0, 2) == 0) {
        s.inner = kit_loop(s.kit, "k", 0, pick(0, 2));
        struct inner_loop *inner = &s.kit->facts.inner[s.inner];
        if (pick(0, 2) == 0)
            inner->upper = kit_affine(s.kit, pick(0, 1), s.kit->facts.index, 1L, (void *)0);
        s.has_inner_key = pick(0, 3) == 0;
        if (s.has_inner_key) {
            struct symbol *key = kit_symbol(s.kit, SYMBOL_KEY, "idx[k]", true);
            key->expr->var = inner->loop->variable;
        }
    }
    random_accesses(&s, "A");
    if (pick(0, 1) || s.nkeys > 1)
        random_accesses(&s, "B");
    if (s.nkeys > 2)
        random_accesses(&s, "C");
    return s;
}

/* ---- the oracle ------------------------------------------------------------------------------ */

/* One execution of an access: the iteration's number and every symbol's value. */
struct point {
    long iteration;
    long value[MAX_SYMBOLS];
};

struct points {
    int count;
    struct point *items;
};

static long evaluate(const struct affine *a, const struct point *p) {
    long value = a->constant;
    for (int i = 0; i < a->nterms; ++i)
        value += a->terms[i].coeff * p->value[a->terms[i].symbol->id];
    return value;
}

static void enumerate(const struct sample *s, const struct access *a, int id, struct point *p,
                      struct points *all) {
    const struct loop_facts *facts = &s->kit->facts;
    if (id == facts->nsymbols) {
        ARENA_PUSH(s->kit->arena, all->items, all->count, *p);
        return;
    }
    const struct symbol *symbol = facts->symbols[id];
    bool used = false;
    for (int d = 0; d < a->nsubs; ++d)
        used = used || subscript_has(&a->subs[d], symbol);
    long low = -s->reach, high = s->reach;
    if (id == 0) {
        low = high = p->value[0];
    } else if (symbol->kind == SYMBOL_LOOP) {
        low = evaluate(&facts->inner[s->inner].lower, p);
        high = evaluate(&facts->inner[s->inner].upper, p);
        if (!used)
            low = high = 0; /* whether it runs at all is not asked */
    } else if (symbol->kind == SYMBOL_PARAM) {
        low = -1, high = 1;
    } else if (!used && symbol->inner) {
        low = high = 0;
    }
    for (long v = low; v <= high; ++v) {
        p->value[id] = v;
        enumerate(s, a, id + 1, p, all);
    }
}

static struct points points_of(const struct sample *s, const struct access *a) {
    struct points all = {0};
    for (long it = 0; it < s->count; ++it) {
        struct point p = {.iteration = it};
        p.value[0] = s->lower + it * s->kit->facts.inner[0].step;
        enumerate(s, a, 1, &p, &all);
    }
    return all;
}

static bool is_same_memory(const struct sample *s, const struct access *a, const struct point *p,
                           const struct access *b, const struct point *q) {
    const struct loop_facts *facts = &s->kit->facts;
    for (int i = 0; i < facts->nsymbols; ++i)
        if (facts->symbols[i]->kind == SYMBOL_PARAM && p->value[i] != q->value[i])
            return false;
    for (int d = 0; d < a->nsubs; ++d) {
        if (a->subs[d].known && b->subs[d].known &&
            evaluate(&a->subs[d].value, p) != evaluate(&b->subs[d].value, q)) {
            return false;
        }
    }
    return a->field_size < 0 || b->field_size < 0 || a->field_offset == b->field_offset;
}

/* Least and greatest difference, per symbol; [0] is the distance in iterations. */
struct deltas {
    long conflicts;
    struct linear_range range[MAX_SYMBOLS];
};

static void widen(struct linear_range *r, long delta) {
    r->min = r->has_min && r->min < delta ? r->min : delta;
    r->max = r->has_max && r->max > delta ? r->max : delta;
    r->has_min = r->has_max = true;
}

/* The plan that was chosen, and every other that plan_check finds legal. */
struct plans {
    int count;
    struct plan **items;
};

static void try_plan(struct plans *plans, const struct plan *model, struct plan try) {
    struct arena *arena = model->analysis->facts->unit->arena;
    struct plan *plan = arena_alloc(arena, sizeof *plan);
    *plan = try;
    plan->analysis = model->analysis;
    plan->by_key = try.strategy != STRATEGY_INDEPENDENT;
    bool keyed = false;
    if ((!plan_is_listed(plan) || !plan_levels(plan, &keyed)) && !plan_check(plan))
        ARENA_PUSH(arena, plans->items, plans->count, plan);
}

/* All that begin with two dims, be they a rotation's or a pair; which comes first is no matter. */
static void try_two(struct plans *plans, const struct plan *chosen, int a, int b) {
    struct plan rotation = {.strategy = STRATEGY_ROTATION_2D, .space = a, .ntimes = 1};
    struct plan pair = {.strategy = STRATEGY_TOURNAMENT, .space = a, .partner = b};
    rotation.times[0] = b;
    try_plan(plans, chosen, rotation);
    try_plan(plans, chosen, pair);
    rotation.strategy = STRATEGY_ORDERED_ROTATION;
    try_plan(plans, chosen, rotation);
    rotation.strategy = STRATEGY_ROTATION_ND;
    rotation.ntimes = 2;
    pair.ntimes = 1;
    for (int c = 0; c < chosen->analysis->ndims; ++c) {
        rotation.times[1] = pair.times[0] = c;
        if (b < c)
            try_plan(plans, chosen, rotation);
        try_plan(plans, chosen, pair);
    }
}

static struct plans legal_plans(struct plan *chosen) {
    struct plans plans = {0};
    ARENA_PUSH(chosen->analysis->facts->unit->arena, plans.items, plans.count, chosen);
    try_plan(&plans, chosen, (struct plan){.strategy = STRATEGY_LEVELS, .space = -1});
    try_plan(&plans, chosen, (struct plan){.strategy = STRATEGY_BATCHES, .space = -1});
    for (int s = 0; s < chosen->analysis->ndims; ++s) {
        try_plan(&plans, chosen, (struct plan){.strategy = STRATEGY_INDEPENDENT, .space = s});
        try_plan(&plans, chosen, (struct plan){.strategy = STRATEGY_PARTITION_1D, .space = s});
        for (int t = s + 1; t < chosen->analysis->ndims; ++t)
            try_two(&plans, chosen, s, t);
    }
    return plans;
}

/* Levels and batches keep two iterations apart when one unit is on both lists. */
static bool listed_together(const struct plan *plan, const struct access *a, const struct point *p,
                            const struct access *b, const struct point *q) {
    const struct plan_touch *touch = plan_touch_of(plan, a->object);
    return !touch ||
           evaluate(&a->subs[touch->sub].value, p) != evaluate(&b->subs[touch->sub].value, q);
}

static bool differ(const struct plan *plan, int a, const struct point *p, int b,
                   const struct point *q) {
    const struct dim *dims = plan->analysis->dims;
    return p->value[dims[a].symbol->id] != q->value[dims[b].symbol->id];
}

/* In everything that blocks of one clock differ in. */
static bool differ_in_all(const struct plan *plan, const struct point *p, const struct point *q) {
    bool all = differ(plan, plan->space, p, plan->space, q);
    for (int i = 0; i < plan->ntimes; ++i)
        all = all && differ(plan, plan->times[i], p, plan->times[i], q);
    return all;
}

/* May the plan run these two iterations at once, as far as these two accesses tell? */
static bool together(const struct plan *plan, const struct access *a, const struct point *p,
                     const struct access *b, const struct point *q) {
    switch (plan->strategy) {
    case STRATEGY_SERIAL:
        return false;
    case STRATEGY_INDEPENDENT:
    case STRATEGY_REDUCTION:
    case STRATEGY_RELAXED:
        return true;
    case STRATEGY_PARTITION_1D:
    case STRATEGY_ROTATION_2D:
    case STRATEGY_ROTATION_ND:
        return differ_in_all(plan, p, q);
    case STRATEGY_TOURNAMENT:
        return differ_in_all(plan, p, q) && differ(plan, plan->partner, p, plan->partner, q) &&
               differ(plan, plan->space, p, plan->partner, q) &&
               differ(plan, plan->partner, p, plan->space, q);
    case STRATEGY_ORDERED_ROTATION:
        return differ_in_all(plan, p, q) || listed_together(plan, a, p, b, q);
    case STRATEGY_LEVELS:
    case STRATEGY_BATCHES:
        return listed_together(plan, a, p, b, q);
    case STRATEGY_WAVEFRONT:
        break; /* test_wave_random.c */
    case STRATEGY_PIPELINE:
        break; /* test_pipe_random.c */
    }
    return true;
}

static struct deltas meet(const struct sample *s, const struct plans *plans, const struct access *a,
                          const struct access *b) {
    struct deltas found = {0};
    struct points ps = points_of(s, a), qs = points_of(s, b);
    for (int i = 0; i < ps.count; ++i) {
        for (int j = 0; j < qs.count; ++j) {
            const struct point *p = &ps.items[i], *q = &qs.items[j];
            if (p->iteration == q->iteration ||
                (!s->kit->pragma.unordered && p->iteration > q->iteration) ||
                !is_same_memory(s, a, p, b, q)) {
                continue;
            }
            ++found.conflicts;
            widen(&found.range[0], q->iteration - p->iteration);
            for (int k = 1; k < s->kit->facts.nsymbols; ++k)
                widen(&found.range[k], q->value[k] - p->value[k]);
            for (int k = 0; k < plans->count; ++k)
                assert_false(together(plans->items[k], a, p, b, q));
        }
    }
    return found;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static bool admits(struct entry e, const struct linear_range *r) {
    switch (e.kind) {
    case ENTRY_NUMBER:
        return r->min == e.number && r->max == e.number;
    case ENTRY_PLUS:
        return r->min > 0;
    case ENTRY_ZERO_PLUS:
        return r->min >= 0;
    case ENTRY_MINUS:
        return r->max < 0;
    case ENTRY_ZERO_MINUS:
        return r->max <= 0;
    case ENTRY_STAR:
        return true;
    }
    return false;
}

static void compare(const struct sample *s, const struct pair_answer *answer,
                    const struct deltas *found) {
    bool complete =
        s->nkeys == 0 && !s->has_param && !s->has_inner_key && s->kit->facts.inner[0].has_lower;
    assert_int_not_equal(answer->verdict, PAIR_LIMIT);
    if (found->conflicts > 0) {
        assert_int_equal(answer->verdict, PAIR_CONFLICT);
        assert_true(admits(answer->distance, &found->range[0]));
        for (int k = 1; k < s->kit->facts.nsymbols; ++k)
            assert_true(admits(answer->deltas[k], &found->range[k]));
    }
    if (complete)
        assert_int_equal(answer->verdict == PAIR_CONFLICT, found->conflicts > 0);
    if (complete && found->conflicts > 0) {
        struct entry tight = entry_of(&found->range[0]);
        assert_int_equal(answer->distance.kind, tight.kind);
        assert_true(tight.kind != ENTRY_NUMBER || tight.number == answer->distance.number);
    }
}

/* Counts of what the cases were about, so that the test is known to test something. */
static long tally[STRATEGY_COUNT], levels, batches;

static void check_sample(struct sample *s) {
    struct loop_facts *facts = &s->kit->facts;
    struct analysis *analysis = analysis_run(facts);
    struct plan *plan = plan_choose(analysis);
    struct plans plans = legal_plans(plan);
    tally[plan->strategy]++;
    for (int i = 0; i < plans.count; ++i) {
        levels += plans.items[i]->strategy == STRATEGY_LEVELS;
        batches += plans.items[i]->strategy == STRATEGY_BATCHES;
    }
    assert_null(plan_check(plan));
    assert_string_not_equal(plan->code, "ORR2191"); /* vectors and proof agree */
    assert_true(plans.count > 1 || plan->strategy == STRATEGY_SERIAL);
    struct depend_solver *solver = depend_solver_new(facts, analysis->unordered);
    for (int i = 0; i < facts->naccesses; ++i) {
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            if (a->object != b->object || (!a->write && !b->write))
                continue;
            struct deltas found = meet(s, &plans, a, b);
            if (access_bytes_meet(a, b)) {
                const char *shape = access_shape(s->kit->arena, a);
                compare(s, depend_solve(solver, a, shape, b, access_shape(s->kit->arena, b)),
                        &found);
            } else {
                assert_int_equal(found.conflicts, 0);
            }
        }
    }
    depend_solver_free(solver);
}

static void random_loops(void **unused) {
    (void)unused;
    for (int i = 0; i < CASES; ++i) {
        struct sample s = random_sample();
        check_sample(&s);
        kit_free(s.kit);
    }
    for (int s = 0; s < STRATEGY_COUNT; ++s)
        printf("%s %ld\n", strategy_name((enum strategy)s), tally[s]);
    printf("levels legal in %ld, batches in %ld\n", levels, batches);
    assert_true(levels > CASES / 4);
    assert_true(batches > CASES / 8 && batches < levels);
    assert_true(tally[STRATEGY_INDEPENDENT] > CASES / 40);
    assert_true(tally[STRATEGY_PARTITION_1D] > CASES / 40);
    assert_true(tally[STRATEGY_ROTATION_2D] > CASES / 100);
    assert_true(tally[STRATEGY_ROTATION_ND] > CASES / 200);
    assert_true(tally[STRATEGY_TOURNAMENT] > CASES / 100);
    assert_true(tally[STRATEGY_ORDERED_ROTATION] > CASES / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
