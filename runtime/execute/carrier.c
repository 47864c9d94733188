#include "runtime/execute/carrier.h"

#include "runtime/base/clock.h"
#include "runtime/base/commands.h"
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

enum { SPINS = 200, YIELDS = 4000, NAP_NANOSECONDS = 50000 };

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
struct orrery_carrier {
    const struct orrery_turns *turns;
    const struct orrery_touched *touched; /* what moves by rows, away as soon as it is packed; or
                                           * NULL */
    struct orrery_slots slots;            /* pipelines */
    long passes, narrivals, ndepartures;
    struct dsm_array **lists[ORRERY_DIMS]; /* the arrays of each dim */
    int counts[ORRERY_DIMS];               /* how many */
    struct motion *arrivals, *departures;
    long done;               /* arrivals [0, done) are here, some after it under way */
    long departed;           /* departures that are done */
    long nleaving, *leaving; /* ... that are under way */
    bool *away;              /* per baton: not on this rank, and its message has left */
    long *posted;            /* per baton: its arrivals posted so far */
    atomic_uchar *ready;     /* per arrival: it is done */
    atomic_int inside;       /* threads that move messages */
    pthread_mutex_t lock;
    const struct orrery_carrier_device *device; /* NULL: workers run the blocks */
};

static void pause_briefly(unsigned *rounds) {
    ++*rounds;
    if (*rounds > SPINS + YIELDS)
        nanosleep(&(struct timespec){0, NAP_NANOSECONDS}, NULL);
    else if (*rounds > SPINS)
        sched_yield();
}

/* ---- batons ---- */

static int dim_of(const struct orrery_carrier *carrier, long baton) {
    const struct orrery_blocks *blocks = &carrier->turns->blocks;
    int d = blocks->ndims - 1;
    while (d > 0 && (blocks->first[d] < 0 || blocks->first[d] > baton))
        --d;
    return d;
}

static int part_of(const struct orrery_carrier *carrier, long baton) {
    return (int)(baton - carrier->turns->blocks.first[dim_of(carrier, baton)]);
}

static bool moves_by_rows(const struct orrery_carrier *carrier, long baton) {
    return carrier->touched && carrier->touched->dims[dim_of(carrier, baton)];
}

/* The messages of a baton that moves by rows: those that take it away, or those that bring it. */
static const struct orrery_touched_message *messages_of(const struct orrery_carrier *carrier,
                                                        long baton, bool out, long *count) {
    const struct orrery_touched *touched = carrier->touched;
    const long *first = out ? touched->out_first : touched->in_first;
    *count = first[baton + 1] - first[baton];
    return (out ? touched->out : touched->in) + first[baton];
}

/* How many requests a motion of the baton has. */
static long requests_of(const struct orrery_carrier *carrier, long baton, bool out) {
    long count = 1;
    if (moves_by_rows(carrier, baton))
        messages_of(carrier, baton, out, &count);
    return count * carrier->counts[dim_of(carrier, baton)];
}

static const struct orrery_passage *arrival_of(const struct orrery_carrier *carrier, long i) {
    return &carrier->turns->arrivals[i % carrier->turns->narrivals];
}

static const struct orrery_passage *departure_of(const struct orrery_carrier *carrier, long i) {
    return &carrier->turns->departures[i % carrier->turns->ndepartures];
}

/* How many arrivals of the same baton come before. */
static long nth_of(const struct orrery_carrier *carrier, long i) {
    const struct orrery_turns *turns = carrier->turns;
    return turns->nth[i % turns->narrivals] +
           i / turns->narrivals * turns->brought[arrival_of(carrier, i)->baton];
}

static int tag_of(const struct orrery_carrier *carrier, int array, long baton) {
    return (int)(array * carrier->turns->blocks.batons + baton);
}

/* ---- life ---- */

static struct motion *motions_new(const struct orrery_carrier *carrier, long in_pass,
                                  const struct orrery_passage *passages, bool out) {
    long n = in_pass * carrier->passes, total = 0;
    struct motion *motions = dsm_own_alloc((size_t)(n + 1) * sizeof *motions);
    for (long i = 0; i < in_pass; ++i)
        total += requests_of(carrier, passages[i].baton, out);
    struct dsm_request **requests =
        dsm_own_alloc((size_t)(total * carrier->passes + 1) * sizeof *requests);
    motions[n] = (struct motion){.requests = requests};
    for (long i = 0; i < n; ++i) {
        motions[i] = (struct motion){.requests = requests};
        motions[i].count = requests_of(carrier, passages[i % in_pass].baton, out);
        requests += motions[i].count;
    }
    return motions;
}

static void motions_free(struct motion *motions, long n) {
    dsm_own_free(motions[n].requests);
    dsm_own_free(motions);
}

static void lists_make(struct orrery_carrier *carrier, int narrays, struct dsm_array *const *arrays,
                       const int *dims) {
    for (int d = 0; d < ORRERY_DIMS; ++d)
        carrier->lists[d] = dsm_own_alloc((size_t)(narrays + 1) * sizeof(struct dsm_array *));
    for (int a = 0; a < narrays; ++a)
        if (arrays[a] && dims[a] >= 0)
            carrier->lists[dims[a]][carrier->counts[dims[a]]++] = arrays[a];
}

/* What starts here has not come from anywhere. */
static void batons_place(struct orrery_carrier *carrier) {
    const struct orrery_turns *turns = carrier->turns;
    size_t n = (size_t)turns->blocks.batons;
    carrier->away = dsm_own_alloc((n + 1) * sizeof *carrier->away);
    carrier->posted = dsm_own_alloc((n + 1) * sizeof *carrier->posted);
    for (size_t baton = 0; baton < n; ++baton) {
        long row = turns->home[baton];
        carrier->away[baton] = row < turns->row_low || row >= turns->row_high;
        carrier->posted[baton] = 0;
    }
}

struct orrery_carrier *orrery_carrier_new(const struct orrery_turns *turns, long passes,
                                          int narrays, struct dsm_array *const *arrays,
                                          const int *dims, const struct orrery_slots *slots,
                                          const struct orrery_touched *touched) {
    struct orrery_carrier *carrier = dsm_own_alloc(sizeof *carrier);
    *carrier = (struct orrery_carrier){.turns = turns,
                                       .touched = touched,
                                       .passes = passes,
                                       .narrivals = turns->narrivals * passes,
                                       .ndepartures = turns->ndepartures * passes};
    lists_make(carrier, narrays, arrays, dims);
    if (slots) {
        carrier->slots = *slots;
        carrier->counts[1] = 1;
    }
    batons_place(carrier);
    carrier->arrivals = motions_new(carrier, turns->narrivals, turns->arrivals, false);
    carrier->departures = motions_new(carrier, turns->ndepartures, turns->departures, true);
    carrier->leaving = dsm_own_alloc((size_t)(carrier->ndepartures + 1) * sizeof *carrier->leaving);
    carrier->ready = dsm_own_alloc((size_t)carrier->narrivals + 1);
    for (long i = 0; i < carrier->narrivals; ++i)
        atomic_init(&carrier->ready[i], 0);
    pthread_mutex_init(&carrier->lock, NULL);
    return carrier;
}

void orrery_carrier_free(struct orrery_carrier *carrier) {
    if (!carrier)
        return;
    motions_free(carrier->arrivals, carrier->narrivals);
    motions_free(carrier->departures, carrier->ndepartures);
    for (int d = 0; d < ORRERY_DIMS; ++d)
        dsm_own_free(carrier->lists[d]);
    dsm_own_free(carrier->leaving);
    dsm_own_free(carrier->away);
    dsm_own_free(carrier->posted);
    dsm_own_free((void *)carrier->ready);
    pthread_mutex_destroy(&carrier->lock);
    dsm_own_free(carrier);
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

static struct dsm_request *slot_send(const struct orrery_carrier *carrier, long baton, int to) {
    size_t bytes = carrier->slots.bytes;
    return dsm_send_start(to, ORRERY_TAG_SLOTS + (int)baton,
                          carrier->slots.memory + (size_t)baton * bytes,
                          carrier->slots.both_ways || to > dsm_rank() ? bytes : 1);
}

static struct dsm_request *slot_receive(const struct orrery_carrier *carrier, long baton,
                                        int from) {
    size_t bytes = carrier->slots.bytes;
    return dsm_receive_start(from, ORRERY_TAG_SLOTS + (int)baton,
                             carrier->slots.memory + (size_t)baton * bytes,
                             carrier->slots.both_ways || from < dsm_rank() ? bytes : 1);
}

static struct dsm_request *part_send(const struct orrery_carrier *carrier, int d, int a, long baton,
                                     int to) {
    struct dsm_array *array = carrier->lists[d][a];
    const struct orrery_carrier_device *device = carrier->device;
    int part = part_of(carrier, baton), tag = tag_of(carrier, a, baton);
    const char *there = device ? device->leaves(device->data, array, part) : NULL;
    return there ? dsm_part_send_from(array, part, to, tag, there)
                 : dsm_part_send(array, part, to, tag);
}

static struct dsm_request *part_receive(const struct orrery_carrier *carrier, int d, int a,
                                        long baton, int from) {
    struct dsm_array *array = carrier->lists[d][a];
    const struct orrery_carrier_device *device = carrier->device;
    int part = part_of(carrier, baton), tag = tag_of(carrier, a, baton);
    char *there = device ? device->comes(device->data, array, part) : NULL;
    return there ? dsm_part_receive_at(array, part, from, tag, there)
                 : dsm_part_receive(array, part, from, tag);
}

static struct dsm_request *one_send(const struct orrery_carrier *carrier, int d, int a, long baton,
                                    int to) {
    return carrier->slots.memory ? slot_send(carrier, baton, to)
                                 : part_send(carrier, d, a, baton, to);
}

static struct dsm_request *one_receive(const struct orrery_carrier *carrier, int d, int a,
                                       long baton, int from) {
    return carrier->slots.memory ? slot_receive(carrier, baton, from)
                                 : part_receive(carrier, d, a, baton, from);
}

/* ---- batons that move by rows ---- */

static void rows_send(struct orrery_carrier *carrier, long baton, struct motion *motion) {
    long count;
    const struct orrery_touched_message *messages = messages_of(carrier, baton, true, &count);
    int d = dim_of(carrier, baton);
    struct dsm_request **next = motion->requests;
    for (int a = 0; a < carrier->counts[d]; ++a) {
        for (long m = 0; m < count; ++m)
            *next++ = dsm_rows_send(carrier->lists[d][a], &messages[m].rows, messages[m].peer,
                                    tag_of(carrier, a, baton));
        dsm_part_leave(carrier->lists[d][a], part_of(carrier, baton),
                       carrier->touched->keeps[baton]);
    }
    carrier->away[baton] = true;
}

static void rows_receive(struct orrery_carrier *carrier, long baton, struct motion *motion) {
    long count;
    const struct orrery_touched_message *messages = messages_of(carrier, baton, false, &count);
    int d = dim_of(carrier, baton);
    struct dsm_request **next = motion->requests;
    for (int a = 0; a < carrier->counts[d]; ++a) {
        dsm_part_enter(carrier->lists[d][a], part_of(carrier, baton));
        for (long m = 0; m < count; ++m)
            *next++ = dsm_rows_receive(carrier->lists[d][a], &messages[m].rows, messages[m].peer,
                                       tag_of(carrier, a, baton));
    }
}

static void rows_here(struct orrery_carrier *carrier, long baton) {
    int d = dim_of(carrier, baton);
    for (int a = 0; a < carrier->counts[d]; ++a)
        dsm_part_here(carrier->lists[d][a], part_of(carrier, baton));
}

/* ---- departures; the lock is held ---- */

static void departure_start(struct orrery_carrier *carrier, long i) {
    const struct orrery_passage *passage = departure_of(carrier, i);
    struct motion *motion = &carrier->departures[i];
    int d = dim_of(carrier, passage->baton);
    carrier->leaving[carrier->nleaving++] = i;
    motion->left = motion->count;
    motion->begin = orrery_trace_begin();
    if (moves_by_rows(carrier, passage->baton)) {
        rows_send(carrier, passage->baton, motion);
        return;
    }
    for (int a = 0; a < carrier->counts[d]; ++a)
        motion->requests[a] = one_send(carrier, d, a, passage->baton, passage->peer);
}

static bool departure_ends(struct orrery_carrier *carrier, long i) {
    const struct orrery_passage *passage = departure_of(carrier, i);
    struct motion *motion = &carrier->departures[i];
    if (!motion_test(motion))
        return false;
    orrery_trace_message(1, passage->baton, passage->peer, 0, motion->begin);
    if (!moves_by_rows(carrier, passage->baton))
        carrier->away[passage->baton] = true;
    return true;
}

/* `all`: else none is asked behind one that has not left. */
static void departures_poll(struct orrery_carrier *carrier, bool all) {
    long left = 0;
    for (long i = 0; i < carrier->nleaving; ++i)
        if ((left && !all) || !departure_ends(carrier, carrier->leaving[i]))
            carrier->leaving[left++] = carrier->leaving[i];
    carrier->departed += carrier->nleaving - left;
    carrier->nleaving = left;
}

/* ---- arrivals; the lock is held ---- */

/* Posts the receive, once the baton's own pages are free. */
static bool arrival_post(struct orrery_carrier *carrier, long i) {
    const struct orrery_passage *passage = arrival_of(carrier, i);
    struct motion *motion = &carrier->arrivals[i];
    long baton = passage->baton;
    if (motion->posted)
        return true;
    if (!carrier->away[baton] || carrier->posted[baton] != nth_of(carrier, i))
        return false;
    int d = dim_of(carrier, baton);
    carrier->away[baton] = false;
    ++carrier->posted[baton];
    motion->posted = true;
    motion->left = motion->count;
    motion->begin = orrery_trace_begin();
    if (moves_by_rows(carrier, baton)) {
        rows_receive(carrier, baton, motion);
        return true;
    }
    for (int a = 0; a < carrier->counts[d]; ++a)
        motion->requests[a] = one_receive(carrier, d, a, baton, passage->peer);
    return true;
}

static bool is_ready(const struct orrery_carrier *carrier, long i) {
    return atomic_load_explicit(&carrier->ready[i], memory_order_acquire);
}

static void device_take(struct orrery_carrier *carrier, long i, long baton) {
    const struct orrery_carrier_device *device = carrier->device;
    bool home = carrier->turns->homing[baton] == i;
    int d = dim_of(carrier, baton);
    for (int a = 0; a < carrier->counts[d]; ++a)
        device->in(device->data, carrier->lists[d][a], part_of(carrier, baton), home);
    if (!home)
        device->here(device->data, i);
}

static void arrival_test(struct orrery_carrier *carrier, long i) {
    const struct orrery_passage *passage = arrival_of(carrier, i);
    struct motion *motion = &carrier->arrivals[i];
    if (is_ready(carrier, i) || !motion->posted || !motion_test(motion))
        return;
    if (moves_by_rows(carrier, passage->baton))
        rows_here(carrier, passage->baton);
    orrery_trace_message(0, passage->baton, passage->peer, 0, motion->begin);
    if (carrier->device)
        device_take(carrier, i, passage->baton);
    atomic_store_explicit(&carrier->ready[i], 1, memory_order_release);
}

/* Looks after what is under way and posts a few receives ahead, in the order they are needed.
 * `all`: else none is asked behind one that is not here. */
static void arrivals_poll(struct orrery_carrier *carrier, bool all) {
    long n = carrier->narrivals;
    bool missing = false;
    while (carrier->done < n && is_ready(carrier, carrier->done))
        ++carrier->done;
    for (long i = carrier->done; i < n && i < carrier->done + AHEAD; ++i) {
        if (!arrival_post(carrier, i))
            return;
        if (all || !missing)
            arrival_test(carrier, i);
        missing |= !is_ready(carrier, i);
    }
}

static void poll(struct orrery_carrier *carrier) {
    departures_poll(carrier, true);
    arrivals_poll(carrier, true);
}

/* Between two blocks: a test moves all messages on, so the first of each kind tells enough. A
 * transport's test costs a system call; who waits asks for everything. */
static void glance(struct orrery_carrier *carrier) {
    departures_poll(carrier, false);
    arrivals_poll(carrier, false);
}

/* ---- as the executor calls it ---- */

void orrery_carrier_start(struct orrery_carrier *carrier, int workers) {
    atomic_store(&carrier->inside, workers);
    arrivals_poll(carrier, true);
}

long orrery_carrier_brings(const struct orrery_carrier *carrier, long pass, long baton,
                           long visit) {
    const struct orrery_turns *turns = carrier->turns;
    bool first = turns->turn[visit] == 0;
    long i = first ? turns->homing[baton] : turns->arrival[visit];
    pass -= first;
    return i < 0 || pass < 0 ? -1 : pass * turns->narrivals + i;
}

void orrery_carrier_take(struct orrery_carrier *carrier, long i) {
    unsigned rounds = 0;
    while (!is_ready(carrier, i)) {
        if (pthread_mutex_trylock(&carrier->lock) == 0) {
            if (arrival_post(carrier, i))
                arrival_test(carrier, i);
            poll(carrier);
            pthread_mutex_unlock(&carrier->lock);
        }
        if (!is_ready(carrier, i))
            pause_briefly(&rounds);
    }
}

void orrery_carrier_pass(struct orrery_carrier *carrier, long pass, long visit) {
    long i = carrier->turns->departure[visit];
    if (i >= 0)
        orrery_carrier_depart(carrier, pass * carrier->turns->ndepartures + i);
}

void orrery_carrier_look(struct orrery_carrier *carrier) {
    if (pthread_mutex_trylock(&carrier->lock))
        return;
    glance(carrier);
    pthread_mutex_unlock(&carrier->lock);
}

static bool all_done(struct orrery_carrier *carrier) {
    return carrier->departed == carrier->ndepartures && carrier->done == carrier->narrivals;
}

void orrery_carrier_attach(struct orrery_carrier *carrier,
                           const struct orrery_carrier_device *device) {
    carrier->device = device;
}

void orrery_carrier_depart(struct orrery_carrier *carrier, long i) {
    pthread_mutex_lock(&carrier->lock);
    departure_start(carrier, i);
    pthread_mutex_unlock(&carrier->lock);
}

bool orrery_carrier_poll(struct orrery_carrier *carrier) {
    pthread_mutex_lock(&carrier->lock);
    poll(carrier);
    bool done = all_done(carrier);
    pthread_mutex_unlock(&carrier->lock);
    return done;
}

double orrery_carrier_leave(struct orrery_carrier *carrier) {
    bool last = atomic_fetch_sub(&carrier->inside, 1) == 1;
    double begin = orrery_clock();
    unsigned rounds = 0;
    for (bool left = true; left; pause_briefly(&rounds)) {
        pthread_mutex_lock(&carrier->lock);
        poll(carrier);
        left = !all_done(carrier);
        pthread_mutex_unlock(&carrier->lock);
    }
    return last ? orrery_clock() - begin : 0;
}
