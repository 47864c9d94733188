#include "runtime/share/balance.h"

#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/execute/panels.h"
#include "runtime/execute/wave.h"
#include "runtime/share/collect.h"
#include "runtime/share/private.h"
#include "runtime/share/sharing.h"

#include "dsm/dsm.h"

#include <stdio.h>
#include <string.h>

/* Seconds of the slowest rank that are looked at together: shorter ones say little. */
#define WINDOW 1.
/* What has to be gained: rows that move leave caches behind. */
#define GAIN .93
/* A rank without rows is taken to be as fast as the others again behind so many windows. */
enum { FORGOTTEN = 20 };

/* Rank 0's. Since the last window ended: `busy`, `done`; since rows were last dealt: the rest. */
static struct {
    double *busy;      /* per rank: seconds of all workers */
    double *done;      /* per rank: what it did, in seconds of a rank that is like the mean */
    double *speed;     /* per rank: what it does per second */
    int *idle;         /* per rank: windows in which it had no rows */
    uint32_t *weights; /* per rank, as rows are dealt now; NULL: equal ones */
    double longest;    /* seconds of the loop that took most */
    long rows;         /* ... of its grid */
    double excess;     /* seconds that other weights would have saved */
    double cost;       /* seconds that it took to lay out what the last dealing changed */
    unsigned long deals;
    int active; /* so many ranks have rows, the first ones; 0: all */
} balance;

/* ---- what ranks did -------------------------------------------------------------------------- */

/* Of a wavefront's panels: blocks, of which not all rows have equally many. */
static double blocks_of(const struct orrery_region *region) {
    const struct orrery_panels *panels = region->panels;
    double count = 0;
    for (int k = 0; k < panels->npanels; ++k)
        for (long row = panels->cuts[k];
             orrery_panel_rank(k) == dsm_rank() && row < panels->cuts[k + 1]; ++row) {
            struct orrery_wave_row span = orrery_wave_row_of(region, row);
            count += (double)(span.end - span.first);
        }
    return count * (double)region->passes;
}

static double iterations_of(const struct orrery_region *region) {
    if (region->panels)
        return blocks_of(region);
    long rows = region->row_high - region->row_low, all = region->blocks.rows, count;
    if (region->starts)
        count = region->starts[rows * region->blocks.columns] - region->starts[0];
    else
        count = orrery_row_begin(region->cuts, region->count, region->row_high, all) -
                orrery_row_begin(region->cuts, region->count, region->row_low, all);
    return (double)count * (double)region->passes;
}

struct orrery_busy orrery_balance_busy(const struct orrery_region *region) {
    bool measured = region->blocks.strategy != ORRERY_PIPELINE && !region->loop->kernel;
    if (!measured || region->replay)
        return (struct orrery_busy){0};
    struct orrery_busy busy = {region->busy, iterations_of(region)};
    bool slow = dsm_rank() == dsm_ranks() - 1;
    if (orrery_env()->slow)
        busy.seconds = 1e-3 * busy.iterations * (slow ? (double)orrery_env()->slow : 1);
    return busy;
}

static void *zeros(size_t size) {
    size_t bytes = (size_t)dsm_ranks() * size;
    return memset(dsm_own_alloc(bytes), 0, bytes);
}

static void begin(void) {
    balance.busy = zeros(sizeof *balance.busy);
    balance.done = zeros(sizeof *balance.done);
    balance.speed = zeros(sizeof *balance.speed);
    balance.idle = zeros(sizeof *balance.idle);
}

void orrery_balance_note(const struct orrery_region *region, const struct orrery_busy *ranks,
                         double prepared) {
    double seconds = 0, iterations = 0;
    if (!balance.busy)
        begin();
    balance.cost += orrery_env()->slow ? prepared > 0 : prepared;
    for (int rank = 0; rank < dsm_ranks(); ++rank) {
        seconds += ranks[rank].seconds;
        iterations += ranks[rank].iterations;
    }
    if (seconds <= 0 || iterations <= 0)
        return;
    for (int rank = 0; rank < dsm_ranks(); ++rank) {
        balance.busy[rank] += ranks[rank].seconds;
        balance.done[rank] += ranks[rank].iterations * seconds / iterations;
    }
    if (seconds > balance.longest) {
        balance.longest = seconds;
        balance.rows = region->blocks.rows;
    }
}

/* ---- who gets which -------------------------------------------------------------------------- */

static int active(void) {
    return balance.active ? balance.active : dsm_ranks();
}

static bool did_some(int rank) {
    return balance.done[rank] > 0 && balance.busy[rank] > 0;
}

/* What others did is told by another mean than before: speeds of who had no rows follow. */
static void idle_speeds_scale(void) {
    double before = 0, now = 0;
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (did_some(rank) && balance.speed[rank] > 0) {
            before += balance.speed[rank];
            now += balance.done[rank] / balance.busy[rank];
        }
    for (int rank = 0; rank < dsm_ranks() && before > 0; ++rank)
        if (!did_some(rank))
            balance.speed[rank] *= now / before;
}

/* Those of the window; of a rank that had no rows the last one that is known. */
static void speeds_take(void) {
    double mean = 0;
    int measured = 0;
    idle_speeds_scale();
    for (int rank = 0; rank < active(); ++rank) {
        bool did = did_some(rank);
        balance.idle[rank] = did ? 0 : balance.idle[rank] + 1;
        if (did)
            balance.speed[rank] = balance.done[rank] / balance.busy[rank];
        mean += did ? balance.speed[rank] : 0;
        measured += did;
    }
    for (int rank = 0; rank < active(); ++rank)
        if (balance.speed[rank] <= 0 || balance.idle[rank] >= FORGOTTEN) {
            balance.speed[rank] = measured ? mean / measured : 1;
            balance.idle[rank] = 0;
        }
}

/* Each row goes to who is done with it first. */
static void rows_deal(long rows, uint32_t *weights) {
    double sum = 0;
    long left = rows;
    memset(weights, 0, (size_t)dsm_ranks() * sizeof *weights);
    for (int rank = 0; rank < active(); ++rank)
        sum += balance.speed[rank];
    for (int rank = 0; rank < active(); ++rank) {
        weights[rank] = (uint32_t)((double)rows * balance.speed[rank] / sum);
        left -= weights[rank];
    }
    for (; left > 0; --left) {
        int first = 0;
        for (int rank = 1; rank < active(); ++rank)
            if ((weights[rank] + 1) * balance.speed[first] <
                (weights[first] + 1) * balance.speed[rank])
                first = rank;
        ++weights[first];
    }
}

/* Seconds of the slowest rank when they have these parts of all that was done. */
static double slowest(const uint32_t *weights) {
    double all = 0, most = 0;
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        all += balance.done[rank];
    for (int rank = 0; rank < dsm_ranks(); ++rank) {
        long rows = orrery_owners_first(weights, rank + 1, balance.rows) -
                    orrery_owners_first(weights, rank, balance.rows);
        double seconds = rows ? all * (double)rows / (double)balance.rows / balance.speed[rank] : 0;
        most = seconds > most ? seconds : most;
    }
    return most / orrery_workers_count();
}

static double slowest_now(void) {
    double most = 0;
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        most = balance.busy[rank] > most ? balance.busy[rank] : most;
    return most / orrery_workers_count();
}

static void window_end(void) {
    memset(balance.busy, 0, (size_t)dsm_ranks() * sizeof *balance.busy);
    memset(balance.done, 0, (size_t)dsm_ranks() * sizeof *balance.done);
    balance.longest = 0;
}

/* Panels have their rows by them as well as it can be done. */
static bool are_as_now(const uint32_t *weights) {
    size_t bytes = (size_t)dsm_ranks() * sizeof *weights;
    return balance.weights && memcmp(balance.weights, weights, bytes) == 0;
}

/* Other weights would have saved more than dealing by them costs. */
static bool pays(uint32_t *weights) {
    double now = balance.busy ? slowest_now() : 0;
    if (now < WINDOW || balance.rows == 0)
        return false;
    speeds_take();
    rows_deal(balance.rows, weights);
    double better = slowest(weights);
    bool gains = better < GAIN * now && !are_as_now(weights);
    balance.excess = gains ? balance.excess + now - better : 0;
    window_end();
    return gains && balance.excess > balance.cost;
}

/* Torture: any numbers, all rows to one rank among them. */
static bool at_random(uint32_t *weights) {
    static uint64_t state;
    uint32_t all = 0;
    state = state ? state : (uint64_t)orrery_env()->torture * 2654435761 + 88172645463325252;
    for (int rank = 0; rank < active(); ++rank) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        weights[rank] = state >> 20 & 1 ? (uint32_t)(state >> 32) % 9 : 0;
        all += weights[rank];
    }
    return all > 0 && (state >> 40) % 3 == 0;
}

/* ---- dealing --------------------------------------------------------------------------------- */

/* Arrays go home, and others' records go: the next region of each loop lays out anew. */
static void deal(const uint32_t *weights) {
    size_t bytes = weights ? (size_t)dsm_ranks() * sizeof *weights : 0;
    for (struct orrery_state *state = orrery_states(); state; state = state->next)
        orrery_sharing_scatter(state);
    dsm_command(ORRERY_COMMAND_DEAL, weights, bytes);
    orrery_owners_set(weights);
    if (weights && !balance.weights)
        balance.weights = zeros(sizeof *balance.weights);
    if (weights)
        memcpy(balance.weights, weights, bytes);
    balance.excess = balance.cost = 0;
    ++balance.deals;
}

static bool are_all_zero(const uint32_t *weights) {
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (weights[rank])
            return false;
    return true;
}

/* As many ranks as are wanted by now. True: other ones than before; `weights` are then equal. */
static bool ranks_change(uint32_t *weights) {
    int wanted = orrery_heartbeat_ranks();
    wanted = wanted > dsm_ranks() ? dsm_ranks() : wanted;
    if (wanted < 1 || wanted == active())
        return false;
    balance.active = wanted;
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        weights[rank] = rank < wanted;
    if (balance.busy)
        window_end();
    fprintf(stderr, "orrery: %d of %d ranks take part from here on\n", wanted, dsm_ranks());
    return true;
}

void orrery_balance_look(void) {
    uint32_t weights[dsm_ranks()];
    /* Arrays go home first, which a budget has no room for. */
    bool may = orrery_env()->deal != ORRERY_DEAL_NEVER && orrery_env()->memory == 0;
    memset(weights, 0, sizeof weights);
    if (ranks_change(weights) || (may && orrery_env()->torture && at_random(weights)) ||
        (may && !orrery_env()->torture && pays(weights)))
        deal(weights);
}

void orrery_balance_serve(const void *payload, size_t bytes) {
    uint32_t weights[dsm_ranks()];
    memset(weights, 0, sizeof weights);
    if (bytes == sizeof weights)
        memcpy(weights, payload, bytes);
    if (are_all_zero(weights))
        orrery_share_refuse("rank 0's command deals rows to nobody");
    orrery_owners_set(weights);
}

unsigned long orrery_balance_deals(const uint32_t **weights) {
    *weights = balance.weights;
    return balance.deals;
}
