/*
 * Rows that move alone: on random grids, batons and masks every rank that touches a row finds what
 * the one before left there, home has all of them in the end, and both sides name the same rows.
 */
#include "runtime/execute/touched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6, ROWS = 400 };

static uint64_t state = 7;

static long draw(long n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (long)((state >> 33) % (uint64_t)n);
}

static int the_ranks;

static int rank_of(long row, long rows) {
    return (int)(((row + 1) * the_ranks - 1) / rows);
}

static bool always(void *data, int from, int to) {
    (void)data;
    return from != to;
}

/* What is known of a dim's rows: how often each was changed, and what each rank has of that. */
struct world {
    long newest[ROWS], seen[MOST][ROWS];
    struct orrery_touched *lists[MOST];
    uint64_t masks[ROWS], moved;
    long low, high;
};

static const struct orrery_touched_message *message_to(const struct world *world, int from, int to,
                                                       long baton) {
    const struct orrery_touched *lists = world->lists[from];
    for (long m = lists->out_first[baton]; m < lists->out_first[baton + 1]; ++m)
        if (lists->out[m].peer == to)
            return &lists->out[m];
    return NULL;
}

/* What has come is what was sent: a copy that the sender made when the baton left it. */
static void arrive(struct world *world, long sent[MOST][ROWS], int rank, long baton) {
    const struct orrery_touched *lists = world->lists[rank];
    for (long m = lists->in_first[baton]; m < lists->in_first[baton + 1]; ++m) {
        const struct orrery_touched_message *in = &lists->in[m];
        const struct orrery_touched_message *out = message_to(world, in->peer, rank, baton);
        assert_non_null(out);
        assert_int_equal(out->rows.count, in->rows.count);
        assert_memory_equal(out->rows.at, in->rows.at, (size_t)in->rows.count * sizeof(uint32_t));
        for (long i = 0; i < in->rows.count; ++i) {
            long place = world->low + in->rows.at[i];
            assert_true(i == 0 || in->rows.at[i] > in->rows.at[i - 1]);
            assert_true(sent[in->peer][place] >= 0);
            world->seen[rank][place] = sent[in->peer][place];
        }
        world->moved += (uint64_t)in->rows.count;
    }
}

static void touch(struct world *world, int rank) {
    for (long place = world->low; place < world->high; ++place)
        if (world->masks[place] >> rank & 1) {
            assert_int_equal(world->seen[rank][place], world->newest[place]);
            world->seen[rank][place] = ++world->newest[place];
        }
}

static void go_around(struct world *world, const struct orrery_rings *rings, long baton) {
    const int *ring = rings->ranks + rings->first[baton];
    long n = rings->first[baton + 1] - rings->first[baton];
    static long sent[MOST][ROWS];
    memset(sent, -1, sizeof sent);
    for (long i = 0; i < n; ++i) {
        if (i)
            arrive(world, sent, ring[i], baton);
        if (i < n - 1 || n == 1)
            touch(world, ring[i]);
        memcpy(sent[ring[i]], world->seen[ring[i]], sizeof sent[0]);
    }
    for (long place = world->low; n && place < world->high; ++place)
        assert_int_equal(world->seen[ring[0]][place], world->newest[place]);
}

static void cuts_draw(long parts, long rows, long *cuts) {
    for (long p = 0; p <= parts; ++p)
        cuts[p] = rows * p / parts;
}

static void dim_check(const struct orrery_blocks *blocks, const struct orrery_rings *rings, int d,
                      long rows) {
    static struct world world;
    long cuts[ROWS + 1];
    bool dims[ORRERY_DIMS] = {false};
    memset(&world, 0, sizeof world);
    cuts_draw(blocks->parts[d], rows, cuts);
    long dense = 1 + draw(4);
    for (long place = 0; place < rows; ++place)
        for (int rank = 0; rank < the_ranks; ++rank)
            world.masks[place] |= (uint64_t)(draw(4) < dense) << rank;
    struct orrery_touchers touchers = {{NULL}, {NULL}};
    touchers.cuts[d] = cuts;
    touchers.masks[d] = world.masks;
    dims[d] = true;
    for (int rank = 0; rank < the_ranks; ++rank)
        world.lists[rank] = orrery_touched_make(&touchers, rings, blocks, rank, the_ranks, dims);
    for (long p = 0; p < blocks->parts[d]; ++p) {
        world.low = cuts[p];
        world.high = cuts[p + 1];
        for (int pass = 0; pass < 2; ++pass)
            go_around(&world, rings, blocks->first[d] + p);
    }
    struct orrery_crossings count = orrery_touches_count(&touchers, rings, blocks, d, always, NULL);
    assert_int_equal(2 * count.touched, world.moved);
    assert_true(count.touched <= count.whole);
    for (int rank = 0; rank < the_ranks; ++rank)
        orrery_touched_free(world.lists[rank]);
}

static int grid_check(enum orrery_strategy strategy, int ndims) {
    long parts[ORRERY_DIMS];
    struct orrery_rings rings;
    int checked = 0;
    for (int d = 0; d < ndims; ++d)
        parts[d] = 1 + draw(9);
    the_ranks = 1 + (int)draw(MOST);
    struct orrery_blocks blocks = orrery_blocks_make(strategy, ndims, parts);
    if (blocks.rows < the_ranks)
        the_ranks = (int)blocks.rows;
    orrery_rings_make(&blocks, the_ranks, rank_of, &rings);
    for (int d = 1; d < ndims; ++d)
        if (orrery_rings_fit(&rings, &blocks, d)) {
            dim_check(&blocks, &rings, d, 1 + draw(ROWS));
            ++checked;
        }
    orrery_rings_free(&rings);
    return checked;
}

static void two_keys(void **data) {
    (void)data;
    for (int i = 0; i < 300; ++i) {
        assert_int_equal(grid_check(ORRERY_ROTATION, 2), 1);
        assert_int_equal(grid_check(ORRERY_ORDERED_ROTATION, 2), 1);
    }
}

static void more_keys(void **data) {
    (void)data;
    int checked = 0;
    for (int i = 0; i < 300; ++i)
        checked += grid_check(ORRERY_ROTATION, 3);
    assert_true(checked > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_keys), cmocka_unit_test(more_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
