/* Polynomials against their own values: operations and proofs at random points. */
#include "analyzer/access/subscripts/symbolic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ATOMS = 4, ROUNDS = 4000 };

static struct syms make_syms(struct arena *arena) {
    struct syms syms = {.arena = arena};
    for (int i = 0; i < ATOMS; ++i) {
        struct sym *sym = arena_alloc(arena, sizeof *sym);
        sym->kind = SYMBOL_PARAM;
        sym->id = i;
        ARENA_PUSH(arena, syms.items, syms.count, sym);
    }
    return syms;
}

static long draw(long low, long high) {
    return low + rand() % (high - low + 1);
}

static const struct poly *random_poly(const struct syms *syms) {
    struct arena *arena = syms->arena;
    const struct poly *sum = poly_constant(arena, draw(-5, 5));
    for (int i = 0; i < 3; ++i) {
        const struct poly *p = poly_sym(arena, syms->items[draw(0, ATOMS - 1)]);
        if (draw(0, 1))
            p = poly_multiply(arena, p, poly_sym(arena, syms->items[draw(0, ATOMS - 1)]));
        sum = poly_add(arena, sum, poly_scale(arena, p, draw(-3, 4)));
    }
    return sum;
}

static long value(const struct poly *p, const long *x) {
    long sum = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        long product = p->monomials[i].coeff;
        for (int j = 0; j < p->monomials[i].nsyms; ++j)
            product *= x[p->monomials[i].syms[j]];
        sum += product;
    }
    return sum;
}

static void draw_point(long *x, const struct lower_bounds *bounds) {
    for (int i = 0; i < ATOMS; ++i) {
        long least = -20;
        for (int b = 0; b < bounds->count; ++b)
            if (bounds->items[b].sym == i && bounds->items[b].least > least)
                least = bounds->items[b].least;
        x[i] = draw(least, least + 20);
    }
}

static void test_ring(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct syms syms = make_syms(arena);
    struct lower_bounds none = {0};
    long x[ATOMS];
    for (int round = 0; round < ROUNDS; ++round) {
        const struct poly *a = random_poly(&syms), *b = random_poly(&syms);
        draw_point(x, &none);
        assert_int_equal(value(poly_add(arena, a, b), x), value(a, x) + value(b, x));
        assert_int_equal(value(poly_subtract(arena, a, b), x), value(a, x) - value(b, x));
        assert_int_equal(value(poly_multiply(arena, a, b), x), value(a, x) * value(b, x));
        assert_true(poly_equal(poly_subtract(arena, a, a), poly_constant(arena, 0)));
        const struct poly *q = poly_divide(arena, a, b);
        if (q)
            assert_int_equal(value(q, x) * value(b, x), value(a, x));
    }
    arena_free(arena);
}

static void test_split(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct syms syms = make_syms(arena);
    struct lower_bounds none = {0};
    long x[ATOMS];
    for (int round = 0; round < ROUNDS; ++round) {
        const struct poly *a = random_poly(&syms), *coeff, *rest;
        int sym = (int)draw(0, ATOMS - 1);
        draw_point(x, &none);
        if (poly_split(arena, a, sym, &coeff, &rest))
            assert_int_equal(value(coeff, x) * x[sym] + value(rest, x), value(a, x));
    }
    arena_free(arena);
}

/* What is called never negative is never negative. */
static void test_nonnegative(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct syms syms = make_syms(arena);
    long x[ATOMS];
    int proved = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        struct lower_bounds bounds = {0};
        for (int i = 0; i < ATOMS; ++i) {
            const struct poly *p =
                poly_add(arena, poly_sym(arena, syms.items[i]), poly_constant(arena, draw(-3, 3)));
            lower_bounds_learn(&syms, &bounds, draw(0, 3) ? p : NULL);
        }
        const struct poly *a = random_poly(&syms);
        if (!poly_nonnegative(&syms, a, &bounds))
            continue;
        ++proved;
        for (int i = 0; i < 20; ++i) {
            draw_point(x, &bounds);
            assert_true(value(a, x) >= 0);
        }
    }
    assert_true(proved > ROUNDS / 50);
    arena_free(arena);
}

static void test_overflow(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct syms syms = make_syms(arena);
    const struct poly *p = poly_scale(arena, poly_sym(arena, syms.items[0]), 1L << 62);
    assert_null(poly_scale(arena, p, 4));
    assert_null(poly_add(arena, p, p));
    arena_free(arena);
}

/* What is taken back is gone, what was there before is not, and new memory is zero again. */
static void test_rewind(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct arena_mark empty = arena_mark(arena);
    char *kept = arena_strdup(arena, "kept");
    struct arena_mark mark = arena_mark(arena);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 1000; ++i) {
            size_t size = (size_t)draw(1, i % 100 ? 300 : 40000);
            unsigned char *bytes = arena_alloc(arena, size);
            for (size_t k = 0; k < size; ++k) {
                assert_int_equal(bytes[k], 0);
                bytes[k] = 255;
            }
        }
        arena_rewind(arena, mark);
        assert_string_equal(kept, "kept");
    }
    arena_rewind(arena, empty);
    assert_string_equal(arena_strdup(arena, "new"), "new");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),        cmocka_unit_test(test_split),
        cmocka_unit_test(test_nonnegative), cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_rewind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
