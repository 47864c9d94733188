#include "runtime/grid/turns.h"

#include "dsm/dsm.h"

#include <string.h>

/* The walk over all visits, clock by clock. Per baton: where the last one was (rank, and its number
 * among this rank's visits). */
struct walk {
    struct orrery_turns *turns;
    int rank;
    int (*rank_of)(long row, long rows);
    int *at;
    long *last, *since;
    long room_in, room_out;
};

static void *zeros(long n, size_t size) {
    void *memory = dsm_own_alloc((size_t)(n + 1) * size);
    memset(memory, 0, (size_t)(n + 1) * size);
    return memory;
}

static struct orrery_passage *passage_add(struct orrery_passage **list, long *n, long *room) {
    if (*n == *room) {
        *room = *room ? 2 * *room : 64;
        *list = dsm_own_realloc(*list, (size_t)*room * sizeof **list);
    }
    return &(*list)[(*n)++];
}

static void leaves(struct walk *walk, long baton, int to) {
    struct orrery_turns *turns = walk->turns;
    turns->departure[walk->last[baton]] = (int)turns->ndepartures;
    *passage_add(&turns->departures, &turns->ndepartures, &walk->room_out) =
        (struct orrery_passage){baton, to, walk->since[baton]};
}

static void comes(struct walk *walk, long baton, int from, long clock) {
    struct orrery_turns *turns = walk->turns;
    long room = walk->room_in;
    *passage_add(&turns->arrivals, &turns->narrivals, &walk->room_in) =
        (struct orrery_passage){baton, from, clock};
    if (walk->room_in != room)
        turns->nth = dsm_own_realloc(turns->nth, (size_t)walk->room_in * sizeof *turns->nth);
    turns->nth[turns->narrivals - 1] = turns->brought[baton]++;
}

static void visit(struct walk *walk, long row, long clock, long baton, long number) {
    struct orrery_turns *turns = walk->turns;
    int rank = walk->rank_of ? walk->rank_of(row, turns->blocks.rows) : walk->rank;
    bool first = turns->visits[baton] == 0, moves = !first && walk->at[baton] != rank;
    if (first)
        turns->home[baton] = row;
    if (moves && walk->at[baton] == walk->rank)
        leaves(walk, baton, rank);
    if (rank == walk->rank) {
        turns->turn[number] = turns->visits[baton];
        if (walk->rank_of) {
            turns->arrival[number] = moves ? (int)turns->narrivals : -1;
            turns->departure[number] = -1;
        }
        if (moves)
            comes(walk, baton, walk->at[baton], clock);
        walk->last[baton] = number;
        walk->since[baton] = clock;
    }
    walk->at[baton] = rank;
    if (++turns->visits[baton] > turns->most)
        turns->most = turns->visits[baton];
}

/* After its last visit a baton goes back to where the next region wants it first. */
static void bring_home(struct walk *walk, long baton) {
    struct orrery_turns *turns = walk->turns;
    turns->homing[baton] = -1;
    if (!walk->rank_of || turns->visits[baton] == 0)
        return;
    int home = walk->rank_of(turns->home[baton], turns->blocks.rows);
    if (walk->at[baton] == home)
        return;
    if (walk->at[baton] == walk->rank)
        leaves(walk, baton, home);
    if (home == walk->rank)
        turns->homing[baton] = (int)turns->narrivals;
    if (home == walk->rank)
        comes(walk, baton, walk->at[baton], turns->blocks.clocks);
}

static void block_visit(void *data, long row, long column, long clock, const long *batons) {
    struct walk *walk = data;
    long first = orrery_visit_of(walk->turns, row, column);
    for (int i = 0; i < walk->turns->blocks.held; ++i)
        visit(walk, row, clock, batons[i], first + i);
}

static void walk_all(struct walk *walk) {
    orrery_blocks_walk(&walk->turns->blocks, block_visit, walk);
    for (long baton = 0; baton < walk->turns->blocks.batons; ++baton)
        bring_home(walk, baton);
}

struct orrery_turns *orrery_turns_make(const struct orrery_blocks *blocks, long row_low,
                                       long row_high, int rank,
                                       int (*rank_of)(long row, long rows)) {
    struct orrery_turns *turns = zeros(1, sizeof *turns);
    struct walk walk = {.turns = turns, .rank = rank, .rank_of = rank_of};
    long visits = (row_high - row_low) * blocks->columns * blocks->held;
    turns->blocks = *blocks;
    turns->row_low = row_low;
    turns->row_high = row_high;
    turns->turn = zeros(visits, sizeof *turns->turn);
    turns->home = zeros(blocks->batons, sizeof *turns->home);
    turns->arrival = rank_of ? zeros(visits, sizeof *turns->arrival) : NULL;
    turns->departure = rank_of ? zeros(visits, sizeof *turns->departure) : NULL;
    turns->visits = zeros(blocks->batons, sizeof *turns->visits);
    turns->brought = zeros(blocks->batons, sizeof *turns->brought);
    turns->homing = zeros(blocks->batons, sizeof *turns->homing);
    walk.at = zeros(blocks->batons, sizeof *walk.at);
    walk.last = zeros(blocks->batons, sizeof *walk.last);
    walk.since = zeros(blocks->batons, sizeof *walk.since);
    walk_all(&walk);
    dsm_own_free(walk.at);
    dsm_own_free(walk.last);
    dsm_own_free(walk.since);
    return turns;
}

void orrery_turns_free(struct orrery_turns *turns) {
    if (!turns)
        return;
    dsm_own_free(turns->turn);
    dsm_own_free(turns->visits);
    dsm_own_free(turns->brought);
    dsm_own_free(turns->homing);
    dsm_own_free(turns->home);
    dsm_own_free(turns->arrival);
    dsm_own_free(turns->departure);
    dsm_own_free(turns->arrivals);
    dsm_own_free(turns->departures);
    dsm_own_free(turns->nth);
    dsm_own_free(turns);
}

bool orrery_turns_fit(const struct orrery_turns *turns, const struct orrery_blocks *blocks,
                      long row_low, long row_high) {
    return turns && turns->row_low == row_low && turns->row_high == row_high &&
           orrery_blocks_same(&turns->blocks, blocks);
}
