/* Sets of places against maps of bits, and bytes moved by them against the bytes themselves. */
#include "runtime/execute/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 200, ROUNDS = 400 };

static uint64_t seed = 88172645463325252u;

static long pick(long low, long high) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (long)((seed >> 11) % (uint64_t)(high - low + 1));
}

static struct orrery_set random_set(bool *bits) {
    struct orrery_set set = {0};
    memset(bits, 0, SIZE * sizeof *bits);
    for (long n = pick(0, 12); n > 0; --n) {
        long low = pick(0, SIZE - 1), high = low + pick(0, 20);
        high = high < SIZE ? high : SIZE;
        orrery_set_add(&set, low, high);
        for (long i = low; i < high; ++i)
            bits[i] = true;
    }
    orrery_set_settle(&set);
    return set;
}

static void same(const struct orrery_set *set, const bool *bits) {
    long size = 0;
    bool found[SIZE] = {false};
    for (long i = 0; i < set->count; ++i) {
        assert_true(set->items[i].low < set->items[i].high);
        assert_true(i == 0 || set->items[i - 1].high < set->items[i].low);
        for (long at = set->items[i].low; at < set->items[i].high; ++at, ++size)
            found[at] = true;
    }
    assert_memory_equal(found, bits, sizeof found);
    assert_int_equal(orrery_set_size(set), size);
}

static void test_algebra(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; ++round) {
        bool a[SIZE], b[SIZE], both[SIZE], rest[SIZE], sum[SIZE], meet = false;
        struct orrery_set x = random_set(a), y = random_set(b), copy;
        for (int i = 0; i < SIZE; ++i) {
            both[i] = a[i] && b[i];
            rest[i] = a[i] && !b[i];
            sum[i] = a[i] || b[i];
            meet |= both[i];
        }
        struct orrery_set in_both = orrery_set_both(&x, &y), in_one = orrery_set_without(&x, &y);
        assert_int_equal(orrery_set_meets(&x, &y), meet);
        same(&x, a);
        same(&in_both, both);
        same(&in_one, rest);
        orrery_set_copy(&copy, &x);
        orrery_set_remove(&copy, &y);
        same(&copy, rest);
        orrery_set_join(&x, &y);
        same(&x, sum);
        assert_int_equal(y.count, 0);
        orrery_set_free(&x);
        orrery_set_free(&in_both);
        orrery_set_free(&in_one);
        orrery_set_free(&copy);
    }
}

enum { ROWS = 11, COLUMNS = 13 };

static double table[ROWS][COLUMNS];

/* Rows, columns or single elements of a table, and of another piece beside it. */
static struct orrery_stretch random_stretch(char *other, bool columns) {
    long row = pick(0, ROWS - 1), column = pick(0, COLUMNS - 1);
    if (pick(0, 4) == 0)
        return (struct orrery_stretch){other + pick(0, 20), 1, pick(1, 9), 1};
    if (pick(0, 3) == 0)
        return (struct orrery_stretch){(char *)&table[row][column], 0, 1, sizeof(double)};
    if (columns || pick(0, 5) == 0)
        return (struct orrery_stretch){(char *)&table[row][column], -(long)sizeof table[0], row + 1,
                                       sizeof(double)};
    return (struct orrery_stretch){(char *)&table[row][0], sizeof(double), column + 1,
                                   sizeof(double)};
}

static void mark(const struct orrery_stretch *stretch, char *map, const char *low, long bytes) {
    for (long i = 0; i < stretch->count; ++i)
        for (long b = 0; b < stretch->size; ++b) {
            const char *at = stretch->first + i * stretch->step + b;
            if (at >= low && at < low + bytes)
                map[at - low] = 1;
        }
}

static void fill(char *to, size_t bytes, bool zero) {
    for (size_t i = 0; i < bytes; ++i)
        to[i] = zero ? 0 : (char)pick(1, 100);
}

/* Packed in pieces of any size, unpacked over zeros: the marked bytes come back, no others. */
static void check_moves(const struct orrery_places *places, const struct orrery_set *set,
                        const char *map, char *other) {
    char packed[sizeof table + 64], before[sizeof table], before_other[32];
    struct orrery_place_walk out = {places, set, 0, 0}, in = out;
    size_t size = orrery_set_size(set), at = 0;
    memcpy(before, table, sizeof table);
    memcpy(before_other, other, 32);
    assert_true(size <= sizeof packed);
    while (at < size)
        at += orrery_places_move(&out, packed + at, (size_t)pick(1, 50) % (size - at) + 1, true);
    fill((char *)table, sizeof table, true);
    fill(other, 32, true);
    for (at = 0; at < size;)
        at += orrery_places_move(&in, packed + at, (size_t)pick(1, 50) % (size - at) + 1, false);
    for (size_t i = 0; i < sizeof table; ++i)
        assert_int_equal(((char *)table)[i], map[i] ? before[i] : 0);
    for (int i = 0; i < 32; ++i)
        assert_int_equal(other[i], map[sizeof table + (size_t)i] ? before_other[i] : 0);
}

static void test_places(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; ++round) {
        char *other = malloc(32), map[sizeof table + 32] = {0};
        struct orrery_places places = {0};
        struct orrery_set set = {0};
        bool columns = round % 2;
        orrery_places_add(&places, (struct orrery_piece){.low = other, .high = other + 32});
        orrery_places_add(&places, (struct orrery_piece){.low = (char *)table,
                                                         .high = (char *)table + sizeof table,
                                                         .group = 1});
        orrery_places_settle(&places);
        struct orrery_stretch stretches[9];
        for (int i = 0; i < 9; ++i) {
            stretches[i] = random_stretch(other, columns);
            orrery_places_look(&places, &stretches[i]);
        }
        orrery_places_count(&places);
        fill((char *)table, sizeof table, false);
        fill(other, 32, false);
        for (long i = pick(0, 8); i >= 0; --i) {
            assert_true(orrery_places_take(&places, &stretches[i], &set));
            mark(&stretches[i], map, (char *)table, sizeof table);
            mark(&stretches[i], map + sizeof table, other, 32);
        }
        orrery_set_settle(&set);
        check_moves(&places, &set, map, other);
        struct orrery_stretch outside = {(char *)table + sizeof table - 4, 8, 1, 8};
        assert_false(orrery_places_take(&places, &outside, &set));
        orrery_set_free(&set);
        orrery_places_free(&places);
        free(other);
    }
}

/* A column is one interval where all that is looked at goes down columns. */
static void test_columns(void **state) {
    (void)state;
    struct orrery_places places = {0};
    struct orrery_set set = {0};
    struct orrery_stretch column = {(char *)&table[0][3], sizeof table[0], ROWS, sizeof(double)};
    orrery_places_add(
        &places, (struct orrery_piece){.low = (char *)table, .high = (char *)table + sizeof table});
    orrery_places_settle(&places);
    orrery_places_look(&places, &column);
    orrery_places_count(&places);
    assert_true(orrery_places_take(&places, &column, &set));
    assert_int_equal(set.count, 1);
    orrery_set_free(&set);
    orrery_places_free(&places);
}

/* The places of a stretch of bytes are those of its bytes, one by one. */
static void test_ranges(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS; ++round) {
        struct orrery_places places = {0};
        struct orrery_set range = {0}, bytes = {0};
        struct orrery_stretch column = {(char *)&table[0][3], sizeof table[0], ROWS,
                                        sizeof(double)};
        size_t end = sizeof table - (size_t)pick(0, 9);
        long low = pick(0, (long)end), high = pick(low, pick(0, 2) ? (long)end : low);
        orrery_places_add(&places,
                          (struct orrery_piece){.low = (char *)table, .high = (char *)table + end});
        orrery_places_settle(&places);
        if (round % 2)
            orrery_places_look(&places, &column);
        orrery_places_count(&places);
        for (long i = low; i < high; ++i) {
            struct orrery_stretch byte = {(char *)table + i, 0, 1, 1};
            assert_true(orrery_places_take(&places, &byte, &bytes));
        }
        orrery_set_settle(&bytes);
        orrery_places_range(places.items, (char *)table + low, (char *)table + high, &range);
        assert_int_equal(range.count, bytes.count);
        for (long i = 0; i < range.count; ++i) {
            assert_int_equal(range.items[i].low, bytes.items[i].low);
            assert_int_equal(range.items[i].high, bytes.items[i].high);
        }
        orrery_set_free(&range);
        orrery_set_free(&bytes);
        orrery_places_free(&places);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algebra), cmocka_unit_test(test_places),
        cmocka_unit_test(test_columns), cmocka_unit_test(test_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
