#include "runtime/carrier.h"

#include "runtime/region.h"
#include "runtime/trace.h"

#include "dsm/dsm.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Receives posted ahead of need, so that a message finds its place and the way overlaps work. */
enum { AHEAD = 4 };

enum { SPINS = 200, YIELDS = 4000, NAP_NANOSECONDS = 50000 };

/* One column in motion: one request per rotating array, NULL = done. `left`: not done yet. */
struct motion {
    long column;
    struct dsm_request **requests;
    int left;
    bool posted;
    double begin;
};

/*
 * arrivals: every column once, in the order in which they come (`due`: the clock). [0, done): here;
 * [done, posted): under way. at[column]: its arrival. away[column]: not on this rank, and the
 * message that took it has left. Arrivals belong to the receiving worker; departures are locked,
 * since both workers look after them.
 */
struct orrery_carrier {
    long row_low, row_high, rows, columns, clocks;
    int from, to, narrays;
    struct dsm_array *const *arrays;
    struct motion *arrivals;
    long *due, *at;
    long done;
    atomic_uchar *away;
    pthread_mutex_t lock;
    struct motion *departures;
    long ndepartures, departed;
    size_t *bytes;
};

/* What the calling worker does for the rank in the region it is in. */
static _Thread_local struct {
    bool sends, receives;
} role;

static void pause_briefly(unsigned *rounds) {
    ++*rounds;
    if (*rounds > SPINS + YIELDS)
        nanosleep(&(struct timespec){0, NAP_NANOSECONDS}, NULL);
    else if (*rounds > SPINS)
        sched_yield();
}

static bool starts_here(const struct orrery_carrier *carrier, long column) {
    long row = orrery_first_row(carrier->rows, carrier->columns, column);
    return row >= carrier->row_low && row < carrier->row_high;
}

/* When a column arrives: at the clock of the rank's last row; one that starts at this row comes
 * home after the last of its rows elsewhere. */
static long due_of(const struct orrery_carrier *carrier, long column) {
    long last = carrier->row_high - 1, beyond = carrier->row_high % carrier->rows;
    long slot = orrery_slot_of(carrier->rows, carrier->columns, column);
    if (orrery_first_row(carrier->rows, carrier->columns, column) != last)
        return (slot - last + carrier->clocks) % carrier->clocks;
    return (slot - beyond + carrier->clocks) % carrier->clocks + 1;
}

static const long *sort_due;

static int by_due(const void *a, const void *b) {
    const struct motion *x = a, *y = b;
    long dx = sort_due[x->column], dy = sort_due[y->column];
    return dx != dy ? (dx > dy) - (dx < dy) : (x->column > y->column) - (x->column < y->column);
}

static struct motion *motions_new(long columns, int narrays) {
    struct motion *motions = dsm_own_alloc((size_t)(columns + 1) * sizeof *motions);
    struct dsm_request **requests =
        dsm_own_alloc((size_t)(columns * narrays + 1) * sizeof *requests);
    for (long c = 0; c < columns; ++c)
        motions[c] = (struct motion){.column = c, .requests = requests + c * narrays};
    motions[columns].requests = requests;
    return motions;
}

static void motions_free(struct motion *motions, long columns) {
    dsm_own_free(motions[columns].requests);
    dsm_own_free(motions);
}

struct orrery_carrier *orrery_carrier_new(const struct orrery_region *region, int from, int to,
                                          int narrays, struct dsm_array *const *arrays) {
    struct orrery_carrier *carrier = dsm_own_alloc(sizeof *carrier);
    size_t columns = (size_t)region->columns;
    *carrier = (struct orrery_carrier){.row_low = region->row_low,
                                       .row_high = region->row_high,
                                       .rows = region->rows,
                                       .columns = region->columns,
                                       .clocks = region->clocks,
                                       .from = from,
                                       .to = to,
                                       .narrays = narrays,
                                       .arrays = arrays};
    carrier->arrivals = motions_new(region->columns, narrays);
    carrier->departures = motions_new(region->columns, narrays);
    carrier->due = dsm_own_alloc(columns * sizeof *carrier->due);
    carrier->at = dsm_own_alloc(columns * sizeof *carrier->at);
    carrier->away = dsm_own_alloc(columns * sizeof *carrier->away);
    pthread_mutex_init(&carrier->lock, NULL);
    for (long c = 0; c < region->columns; ++c) {
        carrier->due[c] = due_of(carrier, c);
        atomic_init(&carrier->away[c], !starts_here(carrier, c));
    }
    sort_due = carrier->due;
    qsort(carrier->arrivals, columns, sizeof *carrier->arrivals, by_due);
    for (long i = 0; i < region->columns; ++i)
        carrier->at[carrier->arrivals[i].column] = i;
    return carrier;
}

void orrery_carrier_free(struct orrery_carrier *carrier) {
    if (!carrier)
        return;
    motions_free(carrier->arrivals, carrier->columns);
    motions_free(carrier->departures, carrier->columns);
    dsm_own_free(carrier->due);
    dsm_own_free(carrier->at);
    dsm_own_free(carrier->away);
    pthread_mutex_destroy(&carrier->lock);
    dsm_own_free(carrier);
}

static int tag_of(const struct orrery_carrier *carrier, int array, long column) {
    return (int)(array * carrier->columns + column);
}

/* True when every message of the motion is done. */
static bool motion_test(struct motion *motion, int narrays) {
    for (int a = 0; a < narrays && motion->left; ++a)
        if (motion->requests[a] && dsm_test(motion->requests[a])) {
            motion->requests[a] = NULL;
            --motion->left;
        }
    return motion->left == 0;
}

/* ---- departures ---- */

static void departure_start(struct orrery_carrier *carrier, long column) {
    pthread_mutex_lock(&carrier->lock);
    struct motion *motion = &carrier->departures[carrier->ndepartures++];
    motion->column = column;
    motion->left = carrier->narrays;
    motion->begin = orrery_trace_begin();
    for (int a = 0; a < carrier->narrays; ++a)
        motion->requests[a] =
            dsm_part_send(carrier->arrays[a], (int)column, carrier->to, tag_of(carrier, a, column));
    pthread_mutex_unlock(&carrier->lock);
}

/* True when nothing is under way. Any of the two workers. */
static bool departures_poll(struct orrery_carrier *carrier) {
    if (pthread_mutex_trylock(&carrier->lock))
        return false;
    bool all = true;
    for (long i = carrier->departed; i < carrier->ndepartures; ++i) {
        struct motion *motion = &carrier->departures[i];
        if (motion->left == 0)
            continue;
        if (!motion_test(motion, carrier->narrays)) {
            all = false;
            continue;
        }
        orrery_trace_message(1, motion->column, carrier->to, 0, motion->begin);
        atomic_store_explicit(&carrier->away[motion->column], 1, memory_order_release);
    }
    while (carrier->departed < carrier->ndepartures &&
           carrier->departures[carrier->departed].left == 0)
        ++carrier->departed;
    pthread_mutex_unlock(&carrier->lock);
    return all;
}

/* ---- arrivals ---- */

/* Posts the receive, once the column's own pages are free. */
static bool arrival_post(struct orrery_carrier *carrier, struct motion *motion) {
    if (motion->posted)
        return true;
    if (!atomic_load_explicit(&carrier->away[motion->column], memory_order_acquire))
        return false;
    motion->posted = true;
    motion->left = carrier->narrays;
    motion->begin = orrery_trace_begin();
    for (int a = 0; a < carrier->narrays; ++a)
        motion->requests[a] = dsm_part_receive(carrier->arrays[a], (int)motion->column,
                                               carrier->from, tag_of(carrier, a, motion->column));
    return true;
}

static bool arrival_test(struct orrery_carrier *carrier, struct motion *motion) {
    if (!motion->posted)
        return false;
    if (motion->left == 0)
        return true;
    if (!motion_test(motion, carrier->narrays))
        return false;
    orrery_trace_message(0, motion->column, carrier->from, 0, motion->begin);
    return true;
}

/* Looks after what is under way and posts a few receives ahead, in the order they come. */
static void arrivals_poll(struct orrery_carrier *carrier) {
    while (carrier->done < carrier->columns &&
           arrival_test(carrier, &carrier->arrivals[carrier->done]))
        ++carrier->done;
    for (long i = carrier->done; i < carrier->columns && i < carrier->done + AHEAD; ++i) {
        if (!arrival_post(carrier, &carrier->arrivals[i]))
            return;
        arrival_test(carrier, &carrier->arrivals[i]);
    }
}

static void arrival_wait(struct orrery_carrier *carrier, struct motion *motion) {
    unsigned rounds = 0;
    while (!(arrival_post(carrier, motion) && arrival_test(carrier, motion))) {
        departures_poll(carrier);
        arrivals_poll(carrier);
        pause_briefly(&rounds);
    }
}

/* ---- as the executor calls it ---- */

bool orrery_carrier_brings(const struct orrery_carrier *carrier, long row, long turn) {
    return row == carrier->row_high - 1 && turn > 0;
}

void orrery_carrier_join(struct orrery_carrier *carrier, bool sends, bool receives) {
    role.sends = sends;
    role.receives = receives;
    if (receives)
        arrivals_poll(carrier);
}

void orrery_carrier_take(struct orrery_carrier *carrier, long column) {
    arrival_wait(carrier, &carrier->arrivals[carrier->at[column]]);
    arrivals_poll(carrier);
}

void orrery_carrier_pass(struct orrery_carrier *carrier, long row, long column) {
    if (row == carrier->row_low)
        departure_start(carrier, column);
    if (role.sends)
        departures_poll(carrier);
    if (role.receives)
        arrivals_poll(carrier);
}

double orrery_carrier_leave(struct orrery_carrier *carrier, bool sends, bool receives) {
    double begin = orrery_clock();
    unsigned rounds = 0;
    for (long i = 0; receives && i < carrier->columns; ++i)
        arrival_wait(carrier, &carrier->arrivals[i]);
    while (sends && !departures_poll(carrier))
        pause_briefly(&rounds);
    role.sends = role.receives = false;
    return orrery_clock() - begin;
}
