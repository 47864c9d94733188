/* What keys keep apart: the questions that proofs of strategies by keys ask. */
#include "scheduler/plan/check_keys.h"

#include <stdio.h>
#include <string.h>
#include <uthash.h>

struct proved {
    const char *problem;
    UT_hash_handle hh;
};

/* A key of one iteration and one of another that have to differ when the two run together. */
struct difference {
    int dims[2];
};

enum { MOST_DIFFERENCES = PLAN_DIMS + 3 };

static int differences(const struct plan *plan, struct difference list[MOST_DIFFERENCES]) {
    int n = 0, keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    if (nkeys > 0 && strategy_form(plan->strategy)->pairs) {
        list[n++] = (struct difference){{plan->space, plan->partner}};
        list[n++] = (struct difference){{plan->partner, plan->space}};
    }
    for (int i = 0; i < nkeys; ++i)
        list[n++] = (struct difference){{keys[i], keys[i]}};
    return n;
}

/* Adds key' >= key + 1, or key >= key' + 1. */
static void add_differ(struct conflict *c, const struct analysis *analysis,
                       const struct difference *difference, bool up) {
    struct linear_form form = {.constant = -1};
    for (int side = 0; side < 2; ++side) {
        const struct symbol *key = analysis->dims[difference->dims[side]].symbol;
        linear_form_add(c->arena, &form, conflict_var(c, side, key), (side == 1) == up ? 1 : -1);
    }
    linear_system_add(c->arena, &c->system, false, form);
}

/* Adds a's subscript >= b's + 1, or the other way round; nothing when one of them is not known. */
static void add_apart(struct conflict *c, const struct access *a, const struct access *b, int sub,
                      bool up) {
    struct linear_form form = {.constant = -1};
    if (sub < a->nsubs && sub < b->nsubs && a->subs[sub].known && b->subs[sub].known &&
        conflict_affine_add(c, &form, 0, &a->subs[sub].value, up ? 1 : -1) &&
        conflict_affine_add(c, &form, 1, &b->subs[sub].value, up ? -1 : 1))
        linear_system_add(c->arena, &c->system, false, form);
}

enum linear_answer check_apart_by(struct check *check, const struct access *a,
                                  const struct access *b, int sub) {
    for (unsigned ways = 0; ways < 4; ++ways) {
        struct conflict c;
        conflict_build(check->arena, check->facts, a, b, &c);
        conflict_order(&c, ways & 1);
        add_apart(&c, a, b, sub, ways & 2);
        enum linear_answer answer = linear_solve(check->solver, &c.system, 0, NULL, NULL);
        if (answer != LINEAR_EMPTY)
            return answer;
    }
    return LINEAR_EMPTY;
}

static bool has_dim(const struct check *check, const struct access *access, int dim) {
    const struct dim *d = &check->plan->analysis->dims[dim];
    return d->kind == DIM_VARIABLE || access_has_key(access, d->symbol);
}

/* `ways`: one bit per difference, < or >, and one for the order of the two iterations. A difference
 * of keys that an iteration may be without keeps nothing apart. */
static enum linear_answer ask(struct check *check, const struct access *a, const struct access *b,
                              int n, const struct difference *list, unsigned ways) {
    struct conflict c;
    conflict_build(check->arena, check->facts, a, b, &c);
    for (int i = 0; i < n; ++i)
        if (has_dim(check, a, list[i].dims[0]) && has_dim(check, b, list[i].dims[1]))
            add_differ(&c, check->plan->analysis, &list[i], ways >> i & 1);
    conflict_order(&c, ways >> n & 1);
    return linear_solve(check->solver, &c.system, 0, NULL, NULL);
}

static enum linear_answer ask_all(struct check *check, const struct access *a,
                                  const struct access *b, int n, const struct difference *list) {
    enum linear_answer answer = LINEAR_EMPTY;
    for (unsigned ways = 0; answer == LINEAR_EMPTY && ways < 2u << n; ++ways)
        answer = ask(check, a, b, n, list, ways);
    return answer;
}

static enum linear_answer together_meet(struct check *check, const struct access *a,
                                        const struct access *b) {
    struct difference list[MOST_DIFFERENCES];
    int n = differences(check->plan, list);
    for (int i = 0; n > 1 && i < n; ++i)
        if (ask_all(check, a, b, 1, &list[i]) == LINEAR_EMPTY)
            return LINEAR_EMPTY;
    return ask_all(check, a, b, n, list);
}

/* ---- what was proved before ------------------------------------------------------------------- */

const char *check_problem(struct check *check, const struct access *a, const struct access *b,
                          int tag) {
    char problem[PAIR_PROBLEM_SIZE];
    if (!pair_problem(problem, a, check->shapes[a - check->facts->accesses], b,
                      check->shapes[b - check->facts->accesses]))
        return NULL;
    snprintf(check->buffer, sizeof check->buffer, "%d|%s", tag, problem);
    return check->buffer;
}

bool check_was_proved(const struct check *check, const char *problem) {
    struct proved *known = NULL;
    if (problem)
        HASH_FIND_STR(check->proved, problem, known);
    return known != NULL;
}

void check_remember(struct check *check, const char *problem) {
    if (!problem)
        return;
    struct proved *known = arena_alloc(check->arena, sizeof *known);
    known->problem = arena_strdup(check->arena, problem);
    HASH_ADD_KEYPTR(hh, check->proved, known->problem, strlen(known->problem), known);
}

enum linear_answer check_by_keys(struct check *check, const struct access *a,
                                 const struct access *b) {
    const char *problem = check_problem(check, a, b, 0);
    if (check_was_proved(check, problem))
        return LINEAR_EMPTY;
    const struct arena_mark mark = arena_mark(check->arena);
    enum linear_answer answer = together_meet(check, a, b);
    arena_rewind(check->arena, mark);
    if (answer == LINEAR_EMPTY)
        check_remember(check, problem);
    return answer;
}

void check_forget(void *data) {
    struct check *check = data;
    HASH_CLEAR(hh, check->proved);
}
