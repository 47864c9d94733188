/*
 * Grids of all shapes, block by block: every combination of parts stands in one block and every
 * block is run once; blocks of one clock share no part that travels; a dim's parts move alone;
 * every baton has one owner, and every message that leaves a rank is expected by another.
 */
#include "runtime/grid/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const long shapes[][ORRERY_DIMS + 1] = {
    {1, 7},       {2, 1, 1},    {2, 4, 4},       {2, 3, 7},       {2, 7, 3},
    {2, 16, 16},  {2, 5, 1},    {3, 1, 1, 1},    {3, 4, 4, 4},    {3, 3, 5, 2},
    {3, 5, 3, 4}, {3, 2, 6, 7}, {4, 3, 3, 3, 3}, {4, 2, 4, 3, 5}, {4, 4, 1, 2, 3},
};

/* The same numbers as a tournament: two parts per row. */
static struct orrery_blocks blocks_of(size_t shape, bool pairs) {
    long parts[ORRERY_DIMS];
    memcpy(parts, shapes[shape] + 1, sizeof parts);
    parts[0] *= pairs ? 2 : 1;
    enum orrery_strategy strategy = pairs                  ? ORRERY_TOURNAMENT
                                    : shapes[shape][0] > 1 ? ORRERY_ROTATION
                                                           : ORRERY_PARTITION_1D;
    return orrery_blocks_make(strategy, (int)shapes[shape][0], parts);
}

static void for_all(void (*check)(const struct orrery_blocks *blocks)) {
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
        for (int pairs = 0; pairs < 2; ++pairs) {
            struct orrery_blocks blocks = blocks_of(s, pairs);
            check(&blocks);
        }
}

static long total_of(const struct orrery_blocks *blocks) {
    return blocks->rows * blocks->columns;
}

/* The batons of the block are the parts of the keys, or the row is the first key's. */
static void check_combination(const struct orrery_blocks *blocks, const long *parts, int nkeys) {
    long block = orrery_block_of(blocks, parts), batons[ORRERY_KEYS];
    assert_in_range(block, 0, total_of(blocks) - 1);
    orrery_batons_of(blocks, block / blocks->columns, block % blocks->columns, batons);
    for (int k = 0; k < nkeys; ++k) {
        int d = nkeys > blocks->ndims && k > 0 ? k - 1 : k;
        bool held = false;
        for (int i = 0; i < blocks->held; ++i)
            held |= batons[i] == blocks->first[d] + parts[k];
        if (blocks->first[d] < 0)
            held = block / blocks->columns == parts[k];
        assert_true(held);
    }
}

static void combinations(const struct orrery_blocks *blocks) {
    int nkeys = blocks->ndims + (blocks->strategy == ORRERY_TOURNAMENT);
    long parts[ORRERY_KEYS] = {0};
    for (int k = 0; k < nkeys;) {
        check_combination(blocks, parts, nkeys);
        for (k = 0; k < nkeys; ++k) {
            int d = nkeys > blocks->ndims && k > 0 ? k - 1 : k;
            if (++parts[k] < blocks->parts[d])
                break;
            parts[k] = 0;
        }
    }
}

static void every_combination_has_its_block(void **unused) {
    (void)unused;
    for_all(combinations);
}

/* Per block, and per baton the clock that it was last used at, + 1.
 * `clock`, `row`: of the last block. */
struct seen {
    const struct orrery_blocks *blocks;
    char *blocks_seen;
    int *used;
    long clock, row;
};

static void see_block(void *data, long row, long column, long clock, const long *batons) {
    struct seen *seen = data;
    const struct orrery_blocks *blocks = seen->blocks;
    assert_true(clock > seen->clock || (clock == seen->clock && row > seen->row));
    seen->clock = clock;
    seen->row = row;
    assert_int_equal(column, orrery_column_at(blocks, row, clock));
    assert_false(seen->blocks_seen[row * blocks->columns + column]++);
    for (int i = 0; i < blocks->held; ++i) {
        assert_in_range(batons[i], 0, blocks->batons - 1);
        assert_int_not_equal(seen->used[batons[i]], (int)clock + 1);
        seen->used[batons[i]] = (int)clock + 1;
    }
}

static void once_each(const struct orrery_blocks *blocks) {
    struct seen seen = {blocks, calloc(1, (size_t)total_of(blocks)),
                        calloc((size_t)blocks->batons + 1, sizeof *seen.used), -1, -1};
    orrery_blocks_walk(blocks, see_block, &seen);
    for (long b = 0; b < total_of(blocks); ++b)
        assert_int_equal(seen.blocks_seen[b], 1);
    free(seen.blocks_seen);
    free(seen.used);
}

static void blocks_run_once_and_share_nothing(void **unused) {
    (void)unused;
    for_all(once_each);
}

/* With as many parts as rows nothing stands idle, and a row changes one dim per clock. */
static void one_dim_moves(void **unused) {
    (void)unused;
    long parts[ORRERY_DIMS] = {4, 4, 4, 4};
    struct orrery_blocks blocks = orrery_blocks_make(ORRERY_ROTATION, 4, parts);
    for (long clock = 1; clock < blocks.clocks; ++clock) {
        long before[ORRERY_KEYS], now[ORRERY_KEYS];
        int moved = 0;
        orrery_batons_of(&blocks, 2, orrery_column_at(&blocks, 2, clock - 1), before);
        orrery_batons_of(&blocks, 2, orrery_column_at(&blocks, 2, clock), now);
        for (int i = 0; i < blocks.held; ++i)
            moved += before[i] != now[i];
        assert_int_equal(moved, 1);
    }
}

/* ---- over ranks ---- */

static int ranks;

static int rank_of(long row, long rows) {
    return (int)(((row + 1) * ranks - 1) / rows);
}

/* Simulates all ranks: batons are where the passages take them, and turns are in order. */
struct world {
    const struct orrery_blocks *blocks;
    struct orrery_turns *turns[8];
    int *place;
    unsigned *visits;
    long taken[8], sent[8];
};

static void visit(struct world *world, long row, long column, long baton, int i) {
    int rank = rank_of(row, world->blocks->rows);
    const struct orrery_turns *turns = world->turns[rank];
    long number = orrery_visit_of(turns, row, column) + i;
    int arrival = turns->arrival[number], departure = turns->departure[number];
    assert_int_equal(turns->turn[number], world->visits[baton]++);
    if (arrival >= 0) {
        assert_int_equal(turns->arrivals[arrival].baton, baton);
        assert_int_equal(world->place[baton], 100 + rank);
        ++world->taken[rank];
    } else {
        assert_true(world->place[baton] == rank ||
                    (turns->turn[number] == 0 && turns->home[baton] == row));
    }
    world->place[baton] = rank;
    if (departure >= 0) {
        const struct orrery_passage *passage = &turns->departures[departure];
        assert_int_equal(passage->baton, baton);
        assert_int_not_equal(passage->peer, rank);
        world->place[baton] = 100 + passage->peer;
        ++world->sent[rank];
    }
}

static void visit_block(void *data, long row, long column, long clock, const long *batons) {
    struct world *world = data;
    (void)clock;
    for (int i = 0; i < world->blocks->held; ++i)
        visit(world, row, column, batons[i], i);
}

static void at_home(struct world *world, long baton) {
    int home = rank_of(world->turns[0]->home[baton], world->blocks->rows);
    if (world->place[baton] == 100 + home)
        ++world->taken[home];
    else
        assert_int_equal(world->place[baton], home);
}

static void over_ranks(const struct orrery_blocks *blocks) {
    struct world world = {.blocks = blocks};
    world.place = calloc((size_t)blocks->batons + 1, sizeof *world.place);
    world.visits = calloc((size_t)blocks->batons + 1, sizeof *world.visits);
    memset(world.place, -1, (size_t)blocks->batons * sizeof *world.place);
    for (int r = 0; r < ranks; ++r)
        world.turns[r] = orrery_turns_make(blocks, blocks->rows * r / ranks,
                                           blocks->rows * (r + 1) / ranks, r, rank_of);
    orrery_blocks_walk(blocks, visit_block, &world);
    for (long baton = 0; baton < blocks->batons; ++baton)
        at_home(&world, baton);
    for (int r = 0; r < ranks; ++r) {
        assert_int_equal(world.taken[r], world.turns[r]->narrivals);
        assert_int_equal(world.sent[r], world.turns[r]->ndepartures);
        for (long i = 1; i < world.turns[r]->narrivals; ++i)
            assert_true(world.turns[r]->arrivals[i - 1].clock <= world.turns[r]->arrivals[i].clock);
        orrery_turns_free(world.turns[r]);
    }
    free(world.place);
    free(world.visits);
}

static void messages_meet(void **unused) {
    (void)unused;
    for (ranks = 1; ranks <= 8; ++ranks)
        for_all(over_ranks);
}

/* A wave: a row goes through its columns in order, a baton through the rows. */
static void ordered_rotation(void **unused) {
    (void)unused;
    for (long rows = 1; rows < 7; ++rows)
        for (long columns = 1; columns < 9; ++columns) {
            const long parts[ORRERY_DIMS] = {rows, columns};
            struct orrery_blocks blocks = orrery_blocks_make(ORRERY_ORDERED_ROTATION, 2, parts);
            struct orrery_turns *turns = orrery_turns_make(&blocks, 0, rows, 0, NULL);
            assert_int_equal(blocks.clocks, columns);
            assert_int_equal(blocks.held, 1);
            for (long row = 0; row < rows; ++row)
                for (long column = 0; column < columns; ++column) {
                    long baton[ORRERY_KEYS];
                    orrery_batons_of(&blocks, row, column, baton);
                    assert_int_equal(orrery_column_at(&blocks, row, column), column);
                    assert_int_equal(baton[0], column);
                    assert_int_equal(turns->turn[orrery_visit_of(turns, row, column)], row);
                    assert_int_equal(orrery_block_of(&blocks, (const long[]){row, column}),
                                     row * columns + column);
                }
            orrery_turns_free(turns);
        }
}

/* Stages take the columns in order; a baton has visited all of them before it serves another
 * column.
 */
static void pipeline(void **unused) {
    (void)unused;
    for (long stages = 1; stages <= 5; ++stages)
        for (long columns = 1; columns <= 50; columns += 7) {
            struct orrery_blocks blocks = orrery_blocks_of_pipe(stages, columns);
            struct orrery_turns *turns = orrery_turns_make(&blocks, 0, stages, 0, NULL);
            long ahead = 8 * stages < columns ? 8 * stages : columns;
            assert_int_equal(blocks.batons, ahead);
            for (long row = 0; row < stages; ++row)
                for (long column = 0; column < columns; ++column) {
                    long baton[ORRERY_KEYS];
                    orrery_batons_of(&blocks, row, column, baton);
                    assert_int_equal(orrery_column_at(&blocks, row, column), column);
                    assert_int_equal(baton[0], column % ahead);
                    assert_int_equal(turns->turn[orrery_visit_of(turns, row, column)],
                                     column / ahead * stages + row);
                }
            orrery_turns_free(turns);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_rotation),
        cmocka_unit_test(pipeline),
        cmocka_unit_test(every_combination_has_its_block),
        cmocka_unit_test(blocks_run_once_and_share_nothing),
        cmocka_unit_test(one_dim_moves),
        cmocka_unit_test(messages_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
