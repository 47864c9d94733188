#include "runtime/execute/transfer.h"

#include "runtime/base/clock.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/execute/touched.h"
#include "runtime/grid/turns.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* Receives posted ahead of need, so that a message finds its place and the way overlaps work. */
enum { AHEAD = 4 };

/* Under a budget: parts that a rank takes beyond those that it has given away. */
enum { MOST_MORE = 2 };

/* Under a budget a worker naps so often before it takes a part for which there is no room: a rank
 * that is fast does not gather what a slow one has not got to. */
enum { SPINS = 200, YIELDS = 4000, NAP_NANOSECONDS = 50000, PATIENCE = 20 };

/* One baton in motion: `count` requests, one per array of its dim, or per array and message when it
 * moves by rows; NULL = done. `left`: not done yet. */
struct motion {
    struct dsm_request **requests;
    long count, left;
    bool posted;
    double begin;
};

/*
 * All but `ready` is locked. Every pass has the passages of the turns again: number i of pass p is
 * p * n + i here.
 */
struct orrery_transfer {
    const struct orrery_turns *turns;     /* who has which baton when */
    const struct orrery_touched *touched; /* what moves by rows, away as soon as it is packed; or
                                           * NULL */
    struct orrery_slots slots;            /* pipelines */
    /* of the region; of a pass, of `arrivals` and `departures` */
    long passes, narrivals, ndepartures;
    struct dsm_array **lists[ORRERY_DIMS]; /* the arrays of each dim */
    int counts[ORRERY_DIMS];               /* how many */
    /* batons that come and leave, in the order of their turns */
    struct motion *arrivals, *departures;
    long done;               /* arrivals [0, done) are here, some after it under way */
    long coming;             /* arrivals posted so far */
    long departed;           /* departures that are done */
    long nleaving, *leaving; /* ... that are under way */
    bool *away;              /* per baton: not on this rank, and its message has left */
    long *posted;            /* per baton: its arrivals posted so far */
    atomic_uchar *ready;     /* per arrival: it is done */
    atomic_int inside;       /* threads that move messages */
    pthread_mutex_t lock;    /* of all but `ready` */
    const struct orrery_transfer_device *device; /* NULL: workers run the blocks */
};

static void pause_briefly(unsigned *rounds) {
    ++*rounds;
    if (*rounds > SPINS + YIELDS)
        nanosleep(&(struct timespec){0, NAP_NANOSECONDS}, NULL);
    else if (*rounds > SPINS)
        sched_yield();
}

/* ---- batons ---------------------------------------------------------------------------------- */

static int dim_of(const struct orrery_transfer *transfer, long baton) {
    const struct orrery_blocks *blocks = &transfer->turns->blocks;
    int d = blocks->ndims - 1;
    while (d > 0 && (blocks->first[d] < 0 || blocks->first[d] > baton))
        --d;
    return d;
}

static int part_of(const struct orrery_transfer *transfer, long baton) {
    return (int)(baton - transfer->turns->blocks.first[dim_of(transfer, baton)]);
}

static bool moves_by_rows(const struct orrery_transfer *transfer, long baton) {
    return transfer->touched && transfer->touched->dims[dim_of(transfer, baton)];
}

/* The messages of a baton that moves by rows: those that take it away, or those that bring it. */
static const struct orrery_touched_message *messages_of(const struct orrery_transfer *transfer,
                                                        long baton, bool out, long *count) {
    const struct orrery_touched *touched = transfer->touched;
    const long *first = out ? touched->out_first : touched->in_first;
    *count = first[baton + 1] - first[baton];
    return (out ? touched->out : touched->in) + first[baton];
}

/* How many requests a motion of the baton has. */
static long requests_of(const struct orrery_transfer *transfer, long baton, bool out) {
    long count = 1;
    if (moves_by_rows(transfer, baton))
        messages_of(transfer, baton, out, &count);
    return count * transfer->counts[dim_of(transfer, baton)];
}

static const struct orrery_passage *arrival_of(const struct orrery_transfer *transfer, long i) {
    return &transfer->turns->arrivals[i % transfer->turns->narrivals];
}

static const struct orrery_passage *departure_of(const struct orrery_transfer *transfer, long i) {
    return &transfer->turns->departures[i % transfer->turns->ndepartures];
}

/* How many arrivals of the same baton come before. */
static long nth_of(const struct orrery_transfer *transfer, long i) {
    const struct orrery_turns *turns = transfer->turns;
    return turns->nth[i % turns->narrivals] +
           i / turns->narrivals * turns->brought[arrival_of(transfer, i)->baton];
}

static int tag_of(const struct orrery_transfer *transfer, int array, long baton) {
    return (int)(array * transfer->turns->blocks.batons + baton);
}

/* ---- life ------------------------------------------------------------------------------------ */

static struct motion *motions_new(const struct orrery_transfer *transfer, long in_pass,
                                  const struct orrery_passage *passages, bool out) {
    long n = in_pass * transfer->passes, total = 0;
    struct motion *motions = dsm_own_alloc((size_t)(n + 1) * sizeof *motions);
    for (long i = 0; i < in_pass; ++i)
        total += requests_of(transfer, passages[i].baton, out);
    struct dsm_request **requests =
        dsm_own_alloc((size_t)(total * transfer->passes + 1) * sizeof *requests);
    motions[n] = (struct motion){.requests = requests};
    for (long i = 0; i < n; ++i) {
        motions[i] = (struct motion){.requests = requests};
        motions[i].count = requests_of(transfer, passages[i % in_pass].baton, out);
        requests += motions[i].count;
    }
    return motions;
}

static void motions_free(struct motion *motions, long n) {
    dsm_own_free(motions[n].requests);
    dsm_own_free(motions);
}

static void lists_make(struct orrery_transfer *transfer, int narrays,
                       struct dsm_array *const *arrays, const int *dims) {
    for (int d = 0; d < ORRERY_DIMS; ++d)
        transfer->lists[d] = dsm_own_alloc((size_t)(narrays + 1) * sizeof(struct dsm_array *));
    for (int a = 0; a < narrays; ++a)
        if (arrays[a] && dims[a] >= 0)
            transfer->lists[dims[a]][transfer->counts[dims[a]]++] = arrays[a];
}

/* What starts here has not come from anywhere. */
static void batons_place(struct orrery_transfer *transfer) {
    const struct orrery_turns *turns = transfer->turns;
    size_t n = (size_t)turns->blocks.batons;
    transfer->away = dsm_own_alloc((n + 1) * sizeof *transfer->away);
    transfer->posted = dsm_own_alloc((n + 1) * sizeof *transfer->posted);
    for (size_t baton = 0; baton < n; ++baton) {
        long row = turns->home[baton];
        transfer->away[baton] = row < turns->row_low || row >= turns->row_high;
        transfer->posted[baton] = 0;
    }
}

struct orrery_transfer *orrery_transfer_new(const struct orrery_turns *turns, long passes,
                                            int narrays, struct dsm_array *const *arrays,
                                            const int *dims, const struct orrery_slots *slots,
                                            const struct orrery_touched *touched) {
    struct orrery_transfer *transfer = dsm_own_alloc(sizeof *transfer);
    *transfer = (struct orrery_transfer){.turns = turns,
                                         .touched = touched,
                                         .passes = passes,
                                         .narrivals = turns->narrivals * passes,
                                         .ndepartures = turns->ndepartures * passes};
    lists_make(transfer, narrays, arrays, dims);
    if (slots) {
        transfer->slots = *slots;
        transfer->counts[1] = 1;
    }
    batons_place(transfer);
    transfer->arrivals = motions_new(transfer, turns->narrivals, turns->arrivals, false);
    transfer->departures = motions_new(transfer, turns->ndepartures, turns->departures, true);
    transfer->leaving =
        dsm_own_alloc((size_t)(transfer->ndepartures + 1) * sizeof *transfer->leaving);
    transfer->ready = dsm_own_alloc((size_t)transfer->narrivals + 1);
    for (long i = 0; i < transfer->narrivals; ++i)
        atomic_init(&transfer->ready[i], 0);
    pthread_mutex_init(&transfer->lock, NULL);
    return transfer;
}

void orrery_transfer_free(struct orrery_transfer *transfer) {
    if (!transfer)
        return;
    motions_free(transfer->arrivals, transfer->narrivals);
    motions_free(transfer->departures, transfer->ndepartures);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        dsm_own_free(transfer->lists[d]);
    dsm_own_free(transfer->leaving);
    dsm_own_free(transfer->away);
    dsm_own_free(transfer->posted);
    dsm_own_free((void *)transfer->ready);
    pthread_mutex_destroy(&transfer->lock);
    dsm_own_free(transfer);
}

/* True when every message of the motion is done. */
static bool motion_test(struct motion *motion) {
    for (long i = 0; i < motion->count && motion->left; ++i)
        if (motion->requests[i] && dsm_test(motion->requests[i])) {
            motion->requests[i] = NULL;
            --motion->left;
        }
    return motion->left == 0;
}

/* ---- slots ----------------------------------------------------------------------------------- */
/* Stages of higher ranks come later; what goes back to lower ones
 * is empty, but for statements that run late. */

static struct dsm_request *slot_send(const struct orrery_transfer *transfer, long baton, int to) {
    size_t bytes = transfer->slots.bytes;
    return dsm_send_start(to, ORRERY_TAG_SLOTS + (int)baton,
                          transfer->slots.memory + (size_t)baton * bytes,
                          transfer->slots.both_ways || to > dsm_rank() ? bytes : 1);
}

static struct dsm_request *slot_receive(const struct orrery_transfer *transfer, long baton,
                                        int from) {
    size_t bytes = transfer->slots.bytes;
    return dsm_receive_start(from, ORRERY_TAG_SLOTS + (int)baton,
                             transfer->slots.memory + (size_t)baton * bytes,
                             transfer->slots.both_ways || from < dsm_rank() ? bytes : 1);
}

static struct dsm_request *part_send(const struct orrery_transfer *transfer, int d, int a,
                                     long baton, int to) {
    struct dsm_array *array = transfer->lists[d][a];
    const struct orrery_transfer_device *device = transfer->device;
    int part = part_of(transfer, baton), tag = tag_of(transfer, a, baton);
    const char *there = device ? device->leaves(device->data, array, part) : NULL;
    return there ? dsm_part_send_from(array, part, to, tag, there)
                 : dsm_part_send(array, part, to, tag);
}

static struct dsm_request *part_receive(const struct orrery_transfer *transfer, int d, int a,
                                        long baton, int from) {
    struct dsm_array *array = transfer->lists[d][a];
    const struct orrery_transfer_device *device = transfer->device;
    int part = part_of(transfer, baton), tag = tag_of(transfer, a, baton);
    char *there = device ? device->comes(device->data, array, part) : NULL;
    return there ? dsm_part_receive_at(array, part, from, tag, there)
                 : dsm_part_receive(array, part, from, tag);
}

static struct dsm_request *one_send(const struct orrery_transfer *transfer, int d, int a,
                                    long baton, int to) {
    return transfer->slots.memory ? slot_send(transfer, baton, to)
                                  : part_send(transfer, d, a, baton, to);
}

static struct dsm_request *one_receive(const struct orrery_transfer *transfer, int d, int a,
                                       long baton, int from) {
    return transfer->slots.memory ? slot_receive(transfer, baton, from)
                                  : part_receive(transfer, d, a, baton, from);
}

/* ---- batons that move by rows ---------------------------------------------------------------- */

static void rows_send(struct orrery_transfer *transfer, long baton, struct motion *motion) {
    long count;
    const struct orrery_touched_message *messages = messages_of(transfer, baton, true, &count);
    int d = dim_of(transfer, baton);
    struct dsm_request **next = motion->requests;
    for (int a = 0; a < transfer->counts[d]; ++a) {
        for (long m = 0; m < count; ++m)
            *next++ = dsm_rows_send(transfer->lists[d][a], &messages[m].rows, messages[m].peer,
                                    tag_of(transfer, a, baton));
        dsm_part_leave(transfer->lists[d][a], part_of(transfer, baton),
                       transfer->touched->keeps[baton]);
    }
    transfer->away[baton] = true;
}

static void rows_receive(struct orrery_transfer *transfer, long baton, struct motion *motion) {
    long count;
    const struct orrery_touched_message *messages = messages_of(transfer, baton, false, &count);
    int d = dim_of(transfer, baton);
    struct dsm_request **next = motion->requests;
    for (int a = 0; a < transfer->counts[d]; ++a) {
        dsm_part_enter(transfer->lists[d][a], part_of(transfer, baton));
        for (long m = 0; m < count; ++m)
            *next++ = dsm_rows_receive(transfer->lists[d][a], &messages[m].rows, messages[m].peer,
                                       tag_of(transfer, a, baton));
    }
}

static void rows_here(struct orrery_transfer *transfer, long baton) {
    int d = dim_of(transfer, baton);
    for (int a = 0; a < transfer->counts[d]; ++a)
        dsm_part_here(transfer->lists[d][a], part_of(transfer, baton));
}

/* ---- departures; the lock is held ------------------------------------------------------------ */

static void departure_start(struct orrery_transfer *transfer, long i) {
    const struct orrery_passage *passage = departure_of(transfer, i);
    struct motion *motion = &transfer->departures[i];
    int d = dim_of(transfer, passage->baton);
    transfer->leaving[transfer->nleaving++] = i;
    motion->left = motion->count;
    motion->begin = orrery_trace_begin();
    if (moves_by_rows(transfer, passage->baton)) {
        rows_send(transfer, passage->baton, motion);
        return;
    }
    for (int a = 0; a < transfer->counts[d]; ++a)
        motion->requests[a] = one_send(transfer, d, a, passage->baton, passage->peer);
}

static bool departure_ends(struct orrery_transfer *transfer, long i) {
    const struct orrery_passage *passage = departure_of(transfer, i);
    struct motion *motion = &transfer->departures[i];
    if (!motion_test(motion))
        return false;
    orrery_trace_message(1, passage->baton, passage->peer, motion->begin);
    if (!moves_by_rows(transfer, passage->baton))
        transfer->away[passage->baton] = true;
    return true;
}

/* `all`: else none is asked behind one that has not left. */
static void departures_poll(struct orrery_transfer *transfer, bool all) {
    long left = 0;
    for (long i = 0; i < transfer->nleaving; ++i)
        if ((left && !all) || !departure_ends(transfer, transfer->leaving[i]))
            transfer->leaving[left++] = transfer->leaving[i];
    transfer->departed += transfer->nleaving - left;
    transfer->nleaving = left;
}

/* ---- arrivals; the lock is held -------------------------------------------------------------- */

/* Posts the receive, once the baton's own pages are free. */
static bool arrival_post(struct orrery_transfer *transfer, long i) {
    const struct orrery_passage *passage = arrival_of(transfer, i);
    struct motion *motion = &transfer->arrivals[i];
    long baton = passage->baton;
    if (motion->posted)
        return true;
    if (!transfer->away[baton] || transfer->posted[baton] != nth_of(transfer, i))
        return false;
    int d = dim_of(transfer, baton);
    transfer->away[baton] = false;
    ++transfer->posted[baton];
    motion->posted = true;
    ++transfer->coming;
    motion->left = motion->count;
    motion->begin = orrery_trace_begin();
    if (moves_by_rows(transfer, baton)) {
        rows_receive(transfer, baton, motion);
        return true;
    }
    for (int a = 0; a < transfer->counts[d]; ++a)
        motion->requests[a] = one_receive(transfer, d, a, baton, passage->peer);
    return true;
}

/* There is room for one more part, as far as a budget asks. Devices, slots and what is spilled
 * have room of their own, rows that travel alone leave as soon as they are packed. What waits for room goes on in the
 * end: each of the ranks may be waiting for another's. */
static bool has_room(const struct orrery_transfer *transfer) {
    bool limited = orrery_env()->memory && !dsm_spill_budget() && !transfer->device &&
                   !transfer->slots.memory && !transfer->touched &&
                   atomic_load(&transfer->inside) > 0;
    return !limited || transfer->coming - transfer->departed < MOST_MORE;
}

static bool is_ready(const struct orrery_transfer *transfer, long i) {
    return atomic_load_explicit(&transfer->ready[i], memory_order_acquire);
}

static void device_take(struct orrery_transfer *transfer, long i, long baton) {
    const struct orrery_transfer_device *device = transfer->device;
    bool home = transfer->turns->homing[baton] == i;
    int d = dim_of(transfer, baton);
    for (int a = 0; a < transfer->counts[d]; ++a)
        device->in(device->data, transfer->lists[d][a], part_of(transfer, baton), home);
    if (!home)
        device->here(device->data, i);
}

static void arrival_test(struct orrery_transfer *transfer, long i) {
    const struct orrery_passage *passage = arrival_of(transfer, i);
    struct motion *motion = &transfer->arrivals[i];
    if (is_ready(transfer, i) || !motion->posted || !motion_test(motion))
        return;
    if (moves_by_rows(transfer, passage->baton))
        rows_here(transfer, passage->baton);
    orrery_trace_message(0, passage->baton, passage->peer, motion->begin);
    if (transfer->device)
        device_take(transfer, i, passage->baton);
    atomic_store_explicit(&transfer->ready[i], 1, memory_order_release);
}

/* Looks after what is under way and posts a few receives ahead, in the order they are needed.
 * `all`: else none is asked behind one that is not here. */
static void arrivals_poll(struct orrery_transfer *transfer, bool all) {
    long n = transfer->narrivals;
    bool missing = false;
    while (transfer->done < n && is_ready(transfer, transfer->done))
        ++transfer->done;
    for (long i = transfer->done; i < n && i < transfer->done + AHEAD; ++i) {
        if (!transfer->arrivals[i].posted && !has_room(transfer))
            return;
        if (!arrival_post(transfer, i))
            return;
        if (all || !missing)
            arrival_test(transfer, i);
        missing |= !is_ready(transfer, i);
    }
}

static void poll(struct orrery_transfer *transfer) {
    departures_poll(transfer, true);
    arrivals_poll(transfer, true);
}

/* Between two blocks: a test moves all messages on, so the first of each kind tells enough. A
 * transport's test costs a system call; who waits asks for everything. */
static void glance(struct orrery_transfer *transfer) {
    departures_poll(transfer, false);
    arrivals_poll(transfer, false);
}

/* ---- as the executor calls it ---------------------------------------------------------------- */

void orrery_transfer_start(struct orrery_transfer *transfer, int workers) {
    atomic_store(&transfer->inside, workers);
    arrivals_poll(transfer, true);
}

long orrery_transfer_brings(const struct orrery_transfer *transfer, long pass, long baton,
                            long visit) {
    const struct orrery_turns *turns = transfer->turns;
    bool first = turns->turn[visit] == 0;
    long i = first ? turns->homing[baton] : turns->arrival[visit];
    pass -= first;
    return i < 0 || pass < 0 ? -1 : pass * turns->narrivals + i;
}

void orrery_transfer_take(struct orrery_transfer *transfer, long i) {
    unsigned rounds = 0;
    while (!is_ready(transfer, i)) {
        if (pthread_mutex_trylock(&transfer->lock) == 0) {
            bool now = has_room(transfer) || rounds > SPINS + YIELDS + PATIENCE;
            if ((now || transfer->arrivals[i].posted) && arrival_post(transfer, i))
                arrival_test(transfer, i);
            poll(transfer);
            pthread_mutex_unlock(&transfer->lock);
        }
        if (!is_ready(transfer, i))
            pause_briefly(&rounds);
    }
}

void orrery_transfer_pass(struct orrery_transfer *transfer, long pass, long visit) {
    long i = transfer->turns->departure[visit];
    if (i >= 0)
        orrery_transfer_depart(transfer, pass * transfer->turns->ndepartures + i);
}

void orrery_transfer_look(struct orrery_transfer *transfer) {
    if (pthread_mutex_trylock(&transfer->lock))
        return;
    glance(transfer);
    pthread_mutex_unlock(&transfer->lock);
}

static bool all_done(struct orrery_transfer *transfer) {
    return transfer->departed == transfer->ndepartures && transfer->done == transfer->narrivals;
}

void orrery_transfer_attach(struct orrery_transfer *transfer,
                            const struct orrery_transfer_device *device) {
    transfer->device = device;
}

void orrery_transfer_depart(struct orrery_transfer *transfer, long i) {
    pthread_mutex_lock(&transfer->lock);
    departure_start(transfer, i);
    pthread_mutex_unlock(&transfer->lock);
}

bool orrery_transfer_poll(struct orrery_transfer *transfer) {
    pthread_mutex_lock(&transfer->lock);
    poll(transfer);
    bool done = all_done(transfer);
    pthread_mutex_unlock(&transfer->lock);
    return done;
}

double orrery_transfer_leave(struct orrery_transfer *transfer) {
    bool last = atomic_fetch_sub(&transfer->inside, 1) == 1;
    double begin = orrery_clock();
    unsigned rounds = 0;
    for (bool left = true; left; pause_briefly(&rounds)) {
        pthread_mutex_lock(&transfer->lock);
        poll(transfer);
        left = !all_done(transfer);
        pthread_mutex_unlock(&transfer->lock);
    }
    return last ? orrery_clock() - begin : 0;
}
