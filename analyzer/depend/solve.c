/*
 * Conflict set -> entries: the direction and distance of iterations that conflict, exactly, with
 * answers kept so that pairs which differ only in names cost one question.
 */
#include "analyzer/depend/solve.h"

#include "analyzer/budget.h"

#include <stdio.h>
#include <string.h>
#include <uthash.h>

/* To write down what a pair of accesses asks, and to look whether it was asked before. */
enum { STEPS_PER_PAIR = 6 };

struct memo {
    const char *key;
    struct pair_answer answer;
    UT_hash_handle hh;
};

struct depend_solver {
    struct arena *arena;
    const struct loop_facts *facts;
    bool unordered;
    struct linear_solver *linear;
    struct memo *memos;
    struct pair_answer *limit; /* the one for all that is asked when the questions are spent */
};

static void memos_drop(void *data) {
    struct depend_solver *solver = data;
    HASH_CLEAR(hh, solver->memos);
}

struct depend_solver *depend_solver_new(const struct loop_facts *facts, bool unordered) {
    struct arena *arena = facts->unit->arena;
    struct depend_solver *solver = arena_alloc(arena, sizeof *solver);
    *solver = (struct depend_solver){.arena = arena, .facts = facts, .unordered = unordered};
    solver->linear = linear_solver_new(DEPEND_OPERATIONS, DEPEND_QUESTIONS);
    budget_remember(memos_drop, solver);
    return solver;
}

void depend_solver_free(struct depend_solver *solver) {
    budget_forget(solver);
    HASH_CLEAR(hh, solver->memos);
    linear_solver_free(solver->linear);
}

struct entry entry_of(const struct linear_range *range) {
    if (range->has_min && range->has_max && range->min == range->max)
        return (struct entry){ENTRY_NUMBER, range->min};
    if (range->has_min && range->min >= 0)
        return (struct entry){range->min > 0 ? ENTRY_PLUS : ENTRY_ZERO_PLUS, 0};
    if (range->has_max && range->max <= 0)
        return (struct entry){range->max < 0 ? ENTRY_MINUS : ENTRY_ZERO_MINUS, 0};
    return (struct entry){ENTRY_STAR, 0};
}

static void range_join(struct linear_range *into, const struct linear_range *other) {
    into->has_min = into->has_min && other->has_min;
    into->has_max = into->has_max && other->has_max;
    into->min = other->min < into->min ? other->min : into->min;
    into->max = other->max > into->max ? other->max : into->max;
}

/* ---- one question ---------------------------------------------------------------------------- */

static struct linear_form difference(struct arena *arena, int from, int to) {
    struct linear_form form = {0};
    linear_form_add(arena, &form, to, 1);
    linear_form_add(arena, &form, from, -1);
    return form;
}

/* Form 0: the distance. Then one per KEY symbol that both sides have; `symbols` says which. */
static int forms_of(struct conflict *c, const struct access *a, const struct access *b,
                    struct linear_form *forms, int *symbols) {
    int n = 0;
    forms[n++] = difference(c->arena, c->iteration[0], c->iteration[1]);
    for (int i = 0; i < c->facts->nsymbols; ++i) {
        const struct symbol *s = c->facts->symbols[i];
        if (s->kind == SYMBOL_KEY && !s->inner && c->vars[0][i] >= 0 && c->vars[1][i] >= 0 &&
            access_has_key(a, s) && access_has_key(b, s)) {
            symbols[n] = i;
            forms[n++] = difference(c->arena, c->vars[0][i], c->vars[1][i]);
        }
    }
    return n;
}

static enum linear_answer solve_order(struct depend_solver *solver, const struct access *a,
                                      const struct access *b, bool forward, int *nforms,
                                      int *symbols, struct linear_range *ranges) {
    struct conflict c;
    conflict_build(solver->arena, solver->facts, a, b, &c);
    conflict_order(&c, forward);
    struct linear_form *forms =
        arena_alloc(solver->arena, (solver->facts->nsymbols + 1) * sizeof *forms);
    *nforms = forms_of(&c, a, b, forms, symbols);
    return linear_solve(solver->linear, &c.system, *nforms, forms, ranges);
}

static void answer_fill(struct pair_answer *answer, int nforms, const int *symbols,
                        const struct linear_range *ranges) {
    answer->distance = entry_of(&ranges[0]);
    for (int i = 1; i < nforms; ++i)
        answer->deltas[symbols[i]] = entry_of(&ranges[i]);
}

/* Iterations in the order source, sink; when unordered, in either order. */
static void solve(struct depend_solver *solver, const struct access *a, const struct access *b,
                  struct pair_answer *answer) {
    const struct arena_mark mark = arena_mark(solver->arena);
    int n = solver->facts->nsymbols + 1, nforms;
    int *symbols = arena_alloc(solver->arena, n * sizeof *symbols);
    struct linear_range *ranges = arena_alloc(solver->arena, n * sizeof *ranges);
    struct linear_range *back = arena_alloc(solver->arena, n * sizeof *back);
    enum linear_answer forward = solve_order(solver, a, b, true, &nforms, symbols, ranges);
    enum linear_answer backward = LINEAR_EMPTY;
    if (solver->unordered)
        backward = solve_order(solver, a, b, false, &nforms, symbols, back);
    if (forward == LINEAR_LIMIT || backward == LINEAR_LIMIT) {
        answer->verdict = PAIR_LIMIT;
    } else if (forward == LINEAR_POINTS || backward == LINEAR_POINTS) {
        answer->verdict = PAIR_CONFLICT;
        for (int i = 0; forward == backward && i < nforms; ++i)
            range_join(&ranges[i], &back[i]);
        answer_fill(answer, nforms, symbols, forward == LINEAR_POINTS ? ranges : back);
    }
    arena_rewind(solver->arena, mark);
}

/* ---- answers kept ---------------------------------------------------------------------------- */

static const char *terms_text(struct arena *arena, const char *text, const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d) {
        const struct subscript *s = &a->subs[d];
        text = arena_printf(arena, "%s[%s", text, s->known ? "" : "?");
        for (int i = 0; s->known && i < s->value.nterms; ++i) {
            text = arena_printf(arena, "%s%d*%ld ", text, s->value.terms[i].symbol->id,
                                s->value.terms[i].coeff);
        }
    }
    return text;
}

const char *access_shape(struct arena *arena, const struct access *a) {
    const char *text = a->object->kind == OBJECT_UNKNOWN ? "?" : "";
    text = terms_text(arena, text, a);
    for (int i = 0; i < a->nloops; ++i)
        text = arena_printf(arena, "%s{%d", text, a->loops[i]);
    if (a->domain)
        text = arena_printf(arena, "%s@%d", text, a->domain->id);
    return text;
}

/* A shape's text, and the short name that stands for it. */
struct shape {
    const char *text, *name;
    UT_hash_handle hh;
};

static void shapes_drop(void *data) {
    struct shape **shapes = data;
    HASH_CLEAR(hh, *shapes);
}

const char **access_shapes(const struct loop_facts *facts) {
    struct arena *arena = facts->unit->arena;
    const char **names = arena_alloc(arena, (size_t)(facts->naccesses + 1) * sizeof *names);
    struct shape *shapes = NULL, *shape;
    budget_remember(shapes_drop, &shapes);
    for (int i = 0; i < facts->naccesses; ++i) {
        const char *text = access_shape(arena, &facts->accesses[i]);
        HASH_FIND_STR(shapes, text, shape);
        if (!shape) {
            shape = arena_alloc(arena, sizeof *shape);
            shape->text = text;
            shape->name = arena_printf(arena, "%u", HASH_COUNT(shapes));
            HASH_ADD_KEYPTR(hh, shapes, shape->text, strlen(shape->text), shape);
        }
        names[i] = shape->name;
    }
    budget_forget(&shapes);
    shapes_drop(&shapes);
    return names;
}

/* Appends the number, in base 16 from the last digit on. `n`: the length, returned grown. */
static size_t number_add(char *buffer, size_t n, long number) {
    unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
    if (number < 0)
        buffer[n++] = '-';
    do
        buffer[n++] = "0123456789abcdef"[rest % 16];
    while ((rest /= 16) > 0);
    return n;
}

const char *pair_problem(char buffer[PAIR_PROBLEM_SIZE], const struct access *a,
                         const char *shape_a, const struct access *b, const char *shape_b) {
    enum { MOST_PER_SUBSCRIPT = 32 }; /* two numbers, a sign and what parts them */
    size_t of_a = strlen(shape_a), of_b = strlen(shape_b), n = 0;
    if (of_a + of_b + MOST_PER_SUBSCRIPT > PAIR_PROBLEM_SIZE)
        return NULL;
    memcpy(buffer, shape_a, of_a);
    buffer[of_a] = '|';
    memcpy(buffer + of_a + 1, shape_b, of_b);
    n = of_a + 1 + of_b;
    for (int d = 0; d < a->nsubs && d < b->nsubs; ++d) {
        long apart;
        if (!a->subs[d].known || !b->subs[d].known)
            continue;
        if (__builtin_sub_overflow(a->subs[d].value.constant, b->subs[d].value.constant, &apart) ||
            n + MOST_PER_SUBSCRIPT > PAIR_PROBLEM_SIZE) {
            return NULL;
        }
        buffer[n++] = '|';
        n = number_add(buffer, n, d);
        buffer[n++] = ':';
        n = number_add(buffer, n, apart);
    }
    buffer[n] = '\0';
    return buffer;
}

static struct pair_answer *answer_new(struct depend_solver *solver) {
    struct memo *memo = arena_alloc(solver->arena, sizeof *memo);
    int n = solver->facts->nsymbols + 1;
    memo->answer.distance = (struct entry){ENTRY_STAR, 0};
    memo->answer.deltas = arena_alloc(solver->arena, n * sizeof(struct entry));
    for (int i = 0; i < n; ++i)
        memo->answer.deltas[i] = (struct entry){ENTRY_STAR, 0};
    return &memo->answer;
}

static const struct pair_answer *answer_limit(struct depend_solver *solver) {
    if (!solver->limit) {
        solver->limit = answer_new(solver);
        solver->limit->verdict = PAIR_LIMIT;
    }
    return solver->limit;
}

const struct pair_answer *depend_solve(struct depend_solver *solver, const struct access *a,
                                       const char *shape_a, const struct access *b,
                                       const char *shape_b) {
    if (linear_solver_spent(solver->linear))
        return answer_limit(solver);
    budget_spend(STEPS_PER_PAIR);
    char buffer[PAIR_PROBLEM_SIZE];
    const char *key = pair_problem(buffer, a, shape_a, b, shape_b);
    struct memo *memo = NULL;
    if (key)
        HASH_FIND_STR(solver->memos, key, memo);
    if (memo)
        return &memo->answer;
    struct pair_answer *answer = answer_new(solver);
    solve(solver, a, b, answer);
    if (key) {
        memo = (struct memo *)((char *)answer - offsetof(struct memo, answer));
        memo->key = arena_strdup(solver->arena, key);
        HASH_ADD_KEYPTR(hh, solver->memos, memo->key, strlen(memo->key), memo);
    }
    return answer;
}

void conflict_vector(const struct analysis *analysis, const struct access *source,
                     const struct access *sink, struct entry *vector) {
    struct depend_solver *solver = depend_solver_new(analysis->facts, analysis->unordered);
    const struct pair_answer *answer = depend_solve(solver, source, "", sink, "");
    for (int d = 0; d < analysis->ndims; ++d) {
        const struct dim *dim = &analysis->dims[d];
        vector[d] = dim->kind == DIM_VARIABLE ? answer->distance : answer->deltas[dim->symbol->id];
    }
    depend_solver_free(solver);
}
