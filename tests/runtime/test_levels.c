/*
 * Levels against an oracle that compares all pairs of iterations: whatever two of them conflict,
 * the earlier one is in a column before, or in front of it in the same block, and then the later
 * one's block waits for its row. No iteration is lost. Batches likewise, but for which comes first.
 */
#include "runtime/base/env.h"
#include "runtime/inspect/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 600, TOUCHES = 4 };

/* What the iterations touch: `per` elements each, of two objects. */
struct sample {
    long count;
    int per, units;
    long at[MOST];
    struct orrery_touch touches[MOST][TOUCHES];
};

static unsigned long state = 12345;

static long pick(long low, long high) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return low + (long)((state >> 33) % (unsigned long)(high - low + 1));
}

static void list(const void *env, long i, struct orrery_touches *touches,
                 struct orrery_span *spans) {
    const struct sample *sample = env;
    (void)spans;
    for (int t = 0; t < sample->per; ++t)
        orrery_touched(touches, sample->touches[i][t].object, sample->touches[i][t].unit,
                       sample->touches[i][t].written);
}

static void fill(struct sample *sample) {
    sample->count = pick(1, MOST);
    sample->per = (int)pick(0, TOUCHES);
    sample->units = (int)pick(1, pick(0, 1) ? 2000 : 40);
    long apart = pick(0, 2) ? 1 : pick(1, 1L << 48);
    for (long i = 0; i < sample->count; ++i)
        for (int t = 0; t < sample->per; ++t)
            sample->touches[i][t] = (struct orrery_touch){pick(-5, sample->units) * apart,
                                                          (int)pick(0, 1), pick(0, 2) == 0};
}

static bool conflict(const struct sample *sample, long i, long j) {
    for (int a = 0; a < sample->per; ++a)
        for (int b = 0; b < sample->per; ++b) {
            const struct orrery_touch *x = &sample->touches[i][a], *y = &sample->touches[j][b];
            if (x->object == y->object && x->unit == y->unit && (x->written || y->written))
                return true;
        }
    return false;
}

static bool writes(const struct sample *sample, long i, int object, long unit) {
    for (int a = 0; a < sample->per; ++a) {
        const struct orrery_touch *x = &sample->touches[i][a];
        if (x->written && x->object == object && x->unit == unit)
            return true;
    }
    return false;
}

struct place {
    long row, column, at;
};

static void places_of(const struct sample *sample, const struct orrery_levels *levels,
                      struct place *places) {
    long blocks = levels->rows * levels->columns, seen = 0;
    assert_int_equal(levels->starts[0], 0);
    assert_int_equal(levels->starts[blocks], sample->count);
    for (long b = 0; b < blocks; ++b)
        for (long at = levels->starts[b]; at < levels->starts[b + 1]; ++at, ++seen) {
            long i = levels->order[at];
            assert_in_range(i, 0, sample->count - 1);
            places[i] = (struct place){b / levels->columns, b % levels->columns, at};
        }
    assert_int_equal(seen, sample->count);
}

/* Rows that are done with everything before `column` of `row`, by waiting for each other. */
static bool waits(const struct orrery_levels *levels, const struct place *later, long row,
                  long column) {
    uint64_t needs = levels->needs[later->row * levels->columns + later->column];
    if (later->row == row || needs >> orrery_levels_bit(levels->rows, row) & 1)
        return true;
    for (long r = 0; r < levels->rows; ++r)
        for (long c = column + 1; c < later->column; ++c) {
            struct place between = {r, c, 0};
            long b = r * levels->columns + c;
            if (levels->starts[b] < levels->starts[b + 1] &&
                (r == later->row || needs >> orrery_levels_bit(levels->rows, r) & 1) &&
                waits(levels, &between, row, column))
                return true;
        }
    return false;
}

static long check(const struct sample *sample, const struct orrery_levels *levels, bool ordered) {
    struct place places[MOST];
    long met = 0;
    places_of(sample, levels, places);
    for (long j = 0; j < sample->count; ++j)
        for (long i = 0; i < j; ++i) {
            const struct place *x = &places[i], *y = &places[j];
            if (!conflict(sample, i, j))
                continue;
            ++met;
            if (!ordered && y->column < x->column) {
                x = &places[j];
                y = &places[i];
            }
            if (x->column == y->column) {
                assert_int_equal(x->row, y->row);
                assert_true(x->at < y->at);
                continue;
            }
            assert_true(x->column < y->column);
            assert_true(waits(levels, y, x->row, x->column));
        }
    return met;
}

/* No element is written by more iterations. */
static void check_hot(const struct sample *sample, const struct orrery_hot *hot) {
    long most = 0, times = 0;
    for (long i = 0; i < sample->count; ++i)
        for (int a = 0; a < sample->per; ++a) {
            const struct orrery_touch *x = &sample->touches[i][a];
            long same = 0;
            for (long j = 0; x->written && j < sample->count; ++j)
                same += writes(sample, j, x->object, x->unit);
            most = same > most ? same : most;
            times = x->object == hot->object && x->unit == hot->unit && same ? same : times;
        }
    assert_int_equal(hot->times, most);
    assert_int_equal(times, most);
}

static void random_lists_of(bool ordered) {
    static struct sample sample;
    static const char *const names[] = {"a", "b"};
    long met = 0, wide = 0;
    for (int n = 0; n < 150; ++n) {
        struct orrery_loop loop = {.file = "x.c",
                                   .line = 1,
                                   .strategy = ORRERY_LEVELS,
                                   .unordered = !ordered,
                                   .ntouched = 2,
                                   .touched = names,
                                   .touches = list,
                                   .grid[0] = pick(0, 3) ? 0 : pick(1, 100)};
        fill(&sample);
        struct orrery_levels *levels = orrery_levels_new(&loop, &sample, sample.count);
        met += check(&sample, levels, ordered);
        if (!ordered)
            check_hot(&sample, &levels->hot);
        wide += levels->rows > 1 && levels->columns > 1;
        orrery_levels_free(levels);
    }
    printf("%ld conflicts, %ld grids\n", met, wide);
    assert_true(met > 1000);
    assert_true(wide > 15);
}

static void random_lists(void **unused) {
    (void)unused;
    random_lists_of(true);
}

static void random_batches(void **unused) {
    (void)unused;
    random_lists_of(false);
}

/* Iterations in which nobody meets anybody but by one hot element: its batches, one after another,
 * and all others in the first ones. Reads alone conflict with nothing. */
static void batches_are_few(void **unused) {
    static struct sample sample;
    static const char *const names[] = {"a", "b"};
    (void)unused;
    sample.count = MOST;
    sample.per = 2;
    for (long i = 0; i < MOST; ++i) {
        sample.touches[i][0] = (struct orrery_touch){i % 20 ? i : 7000, 0, 1};
        sample.touches[i][1] = (struct orrery_touch){3, 1, 0};
    }
    struct orrery_loop loop = {.file = "x.c",
                               .line = 1,
                               .strategy = ORRERY_LEVELS,
                               .unordered = 1,
                               .ntouched = 2,
                               .touched = names,
                               .touches = list};
    struct orrery_levels *levels = orrery_levels_new(&loop, &sample, sample.count);
    check(&sample, levels, false);
    assert_int_equal(levels->hot.times, MOST / 20);
    assert_int_equal(levels->hot.unit, 7000);
    assert_true(levels->columns <= 2);
    orrery_levels_free(levels);
}

int main(void) {
    char message[256];
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_lists),
                                       cmocka_unit_test(random_batches),
                                       cmocka_unit_test(batches_are_few)};
    setenv("ORRERY_THREADS", "2", 1);
    if (orrery_env_read(message, sizeof message) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
