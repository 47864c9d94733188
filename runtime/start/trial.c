#include "runtime/start/trial.h"

#include "dsm/dsm.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/region/state.h"
#include "runtime/threads/workers.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* Seconds: a region takes so long to start that less cannot gain; a loop this long is tried in
 * parallel first, since one serial execution would cost more than all that follow might save. */
#define LEAST_SECONDS 5e-6
#define LONG_SECONDS 0.02

/* A first serial execution of this length is enough. */
#define ENOUGH_SECONDS 0.005

/* Memory may have to be touched, and threads started first: the least of so many counts. */
enum { SERIAL_TRIALS = 3, PARALLEL_TRIALS = 3 };

/* Threads that have slept are slow to come, and what they touch is in no cache of theirs: as long as
 * each parallel execution takes less than this share of the one before, another one follows, up to
 * so many. */
enum { MOST_WARMING = 6 };
#define WARMS 0.8

/* So much slower, and so many seconds, is not tried again at once. */
#define HOPELESS 8.0
#define MANY_SECONDS 1e-3

/*
 * What the chosen way takes has changed. One execution that the kernel interrupts is no change:
 * each weighs a tenth, and counts as twice the mean at most.
 */
#define DRIFT 1.5
#define WEIGHT 0.1
#define MOST_TIMES 2.0

/*
 * The least of a few parallel executions is less than what many take, whose workers wait for each
 * other. So the mean of what the chosen way takes, too, is held against the serial one, once enough
 * executions count: each weighs a fiftieth.
 */
enum { ENOUGH_FOR_MEAN = 16 };
#define MEAN_WEIGHT 0.02
#define MEAN_LOSES 1.05

/* Timed executions between looks at the other way; a look may cost this share of the time since. */
enum { FIRST_INTERVAL = 32, MOST_INTERVAL = 1 << 14 };
#define SHARE 0.005

/* A long loop is looked at serially after so many executions for each thread but one. */
enum { LONG_INTERVAL = 8 };

/* Seconds that two looks at the clock and one at the process take. */
#define CLOCK_SECONDS 1.2e-7

/* ---- one class of sizes ---------------------------------------------------------------------- */

static double least_of(double known, double now) {
    return known > 0 && known < now ? known : now;
}

static enum trial_way other_of(enum trial_way way) {
    return way == TRIAL_SERIAL ? TRIAL_PARALLEL : TRIAL_SERIAL;
}

static void try_way(struct trial_class *c, enum trial_way way, int executions) {
    c->phase = way == TRIAL_SERIAL ? TRIAL_TRY_SERIAL : TRIAL_TRY_PARALLEL;
    c->way = way;
    c->left = executions;
    c->warmed = 0;
}

static void settle(struct trial_class *c, enum trial_way way, long interval) {
    c->phase = TRIAL_SETTLED;
    c->way = c->chosen = way;
    c->decided = c->mean = c->best[way];
    c->counted = 0;
    c->spent = 0;
    c->until = c->interval = interval;
}

static void decide(struct trial_class *c) {
    bool parallel = c->best[TRIAL_PARALLEL] < .98 * c->best[TRIAL_SERIAL];
    settle(c, parallel ? TRIAL_PARALLEL : TRIAL_SERIAL, c->interval ? c->interval : FIRST_INTERVAL);
}

static void tried_serial(struct trial_class *c, double seconds, double work) {
    if (c->left > 0 && seconds < ENOUGH_SECONDS)
        return;
    if (c->best[TRIAL_SERIAL] * work < LEAST_SECONDS)
        settle(c, TRIAL_SERIAL, MOST_INTERVAL);
    else if (c->best[TRIAL_PARALLEL] > 0)
        decide(c);
    else
        try_way(c, TRIAL_PARALLEL, PARALLEL_TRIALS);
}

static bool is_hopeless(double now, double other, double seconds) {
    return other > 0 && now > HOPELESS * other && seconds > MANY_SECONDS;
}

/* A long loop that was not run serially yet is, at once when it took longer than a serial execution
 * was expected to. */
static void tried_parallel(struct trial_class *c, double now, bool warms, double seconds,
                           double work) {
    double serial = c->best[TRIAL_SERIAL];
    if (c->left > 0 && !is_hopeless(now, serial, seconds))
        return;
    if (serial > 0 && warms && c->warmed < MOST_WARMING && c->best[TRIAL_PARALLEL] > .98 * serial) {
        c->left = 1;
        c->warmed += 1;
        return;
    }
    if (serial > 0)
        decide(c);
    else if (1e9 * seconds > work)
        try_way(c, TRIAL_SERIAL, 1);
    else
        settle(c, TRIAL_PARALLEL, LONG_INTERVAL * (c->threads > 2 ? c->threads - 1 : 1));
}

static bool is_affordable(const struct trial_class *c, double work) {
    double other = fmax(c->best[other_of(c->chosen)], c->look);
    return other <= 0 || (other - c->best[c->chosen]) * work <= SHARE * c->spent;
}

static bool has_changed(const struct trial_class *c) {
    double mine = c->best[c->chosen];
    return mine > DRIFT * c->decided || mine * DRIFT < c->decided;
}

static void begin_anew(struct trial_class *c, double now) {
    c->best[TRIAL_SERIAL] = c->best[TRIAL_PARALLEL] = 0;
    c->best[c->chosen] = now;
    try_way(c, other_of(c->chosen), PARALLEL_TRIALS);
}

static bool loses_in_the_mean(const struct trial_class *c) {
    double serial = c->best[TRIAL_SERIAL];
    return c->chosen == TRIAL_PARALLEL && serial > 0 && c->counted >= ENOUGH_FOR_MEAN &&
           c->mean > MEAN_LOSES * serial;
}

/* Looks that find nothing new become rarer. */
static long longer(long interval) {
    return interval < MOST_INTERVAL ? 2 * interval : interval;
}

static double clipped(double now, double mean) {
    return now > MOST_TIMES * mean ? MOST_TIMES * mean : now;
}

static void went_on(struct trial_class *c, double now, double seconds, double work) {
    double *mine = &c->best[c->chosen];
    *mine += WEIGHT * (clipped(now, *mine) - *mine);
    c->mean += MEAN_WEIGHT * (clipped(now, c->mean) - c->mean);
    c->counted += 1;
    c->spent += seconds;
    c->until -= c->until > 0;
    if (loses_in_the_mean(c)) {
        c->best[TRIAL_PARALLEL] = c->mean;
        settle(c, TRIAL_SERIAL, longer(c->interval));
        return;
    }
    if ((c->until > 0 && !has_changed(c)) || !is_affordable(c, work))
        return;
    if (c->chosen == TRIAL_SERIAL && *mine * work < LEAST_SECONDS) {
        settle(c, TRIAL_SERIAL, MOST_INTERVAL);
    } else if (has_changed(c)) {
        begin_anew(c, *mine);
    } else {
        c->phase = TRIAL_LOOK;
        c->left = MOST_WARMING;
        c->way = other_of(c->chosen);
    }
}

static void looked(struct trial_class *c, double now, double seconds) {
    bool first = c->left == MOST_WARMING;
    bool warms = c->way == TRIAL_PARALLEL && (first || now < WARMS * c->best[c->way]);
    c->look = first ? now : c->look + now;
    c->best[c->way] = first ? now : least_of(c->best[c->way], now);
    c->left -= 1;
    if (now < .95 * c->best[c->chosen]) {
        try_way(c, c->way, SERIAL_TRIALS);
        return;
    }
    if (warms && c->left > 0 && !is_hopeless(now, c->best[c->chosen], seconds))
        return;
    settle(c, c->chosen, longer(c->interval));
}

enum trial_way trial_choose(struct trial_class *c, double work) {
    if (c->phase == TRIAL_NEW && 1e-9 * work >= LONG_SECONDS)
        try_way(c, TRIAL_PARALLEL, PARALLEL_TRIALS);
    else if (c->phase == TRIAL_NEW)
        try_way(c, TRIAL_SERIAL, SERIAL_TRIALS);
    return c->way;
}

void trial_record(struct trial_class *c, double work, double seconds) {
    double now = seconds / work;
    bool warms = now < WARMS * c->best[TRIAL_PARALLEL];
    bool tries = c->phase == TRIAL_TRY_SERIAL || c->phase == TRIAL_TRY_PARALLEL;
    c->runs[c->way] += 1;
    if (tries) {
        c->left -= 1;
        c->best[c->way] = least_of(c->best[c->way], now);
    }
    if (c->phase == TRIAL_TRY_SERIAL)
        tried_serial(c, seconds, work);
    else if (c->phase == TRIAL_TRY_PARALLEL)
        tried_parallel(c, now, warms, seconds, work);
    else if (c->phase == TRIAL_SETTLED)
        went_on(c, now, seconds, work);
    else
        looked(c, now, seconds);
}

long trial_skips(const struct trial_class *c, double work) {
    double seconds = c->best[TRIAL_SERIAL] * work;
    if (c->phase != TRIAL_SETTLED || c->chosen != TRIAL_SERIAL || seconds <= 0)
        return 0;
    double skips = CLOCK_SECONDS / (SHARE * seconds);
    return skips > 1000 ? 1000 : (long)skips;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Sizes of a loop, by powers of two of their estimated work. */
enum { CLASSES = 48 };

struct trials {
    const char *file; /* of the loop, and its line */
    int line;
    struct trials *next;
    struct trial_class classes[CLASSES];
};

static struct trials *all_trials;

static struct trials *trials_new(const char *file, int line) {
    struct trials *trials = dsm_own_alloc(sizeof *trials);
    *trials = (struct trials){.file = file, .line = line, .next = all_trials};
    for (int i = 0; i < CLASSES; ++i)
        trials->classes[i].threads = orrery_workers_wanted();
    all_trials = trials;
    return trials;
}

static struct trials *trials_of(struct orrery_loop *loop) {
    if (!loop->trials)
        loop->trials = trials_new(loop->file, loop->line);
    return loop->trials;
}

static struct trial_class *class_of(struct trials *trials, double work) {
    int exponent = work > 1 ? ilogb(work) : 0;
    return &trials->classes[exponent < CLASSES ? exponent : CLASSES - 1];
}

void trial_doubt(struct orrery_loop *loop, double work) {
    struct trial_class *class = class_of(trials_of(loop), work);
    if (class->phase == TRIAL_NEW)
        try_way(class, TRIAL_SERIAL, 1);
}

struct trial_class *trial_of_doubted(struct orrery_loop *loop, double work) {
    struct trial_class *class = loop->trials ? class_of(loop->trials, work) : NULL;
    bool parallel = class && class->phase == TRIAL_SETTLED && class->chosen == TRIAL_PARALLEL;
    return class && class->phase != TRIAL_NEW && !parallel ? class : NULL;
}

/* Two texts of one sum need not be contracted alike: there the estimate decides, not the clock. It
 * takes vectorized loops for scalar ones. */
static int is_worth_by_estimate(double nanoseconds) {
    return nanoseconds >= 1e4 * (double)orrery_env()->auto_us;
}

/* A loop that is far from LEAST_SECONDS is no more there with a little more work: so many times. */
enum { MOST_GROWTH = 4 };

double trial_skip_work(const struct trial_class *c, double work) {
    double seconds = c->best[TRIAL_SERIAL] * work;
    if (c->phase != TRIAL_SETTLED || c->chosen != TRIAL_SERIAL || seconds <= 0)
        return work;
    double growth = LEAST_SECONDS / 2 / seconds;
    return work * (growth < 1 ? 1 : growth > MOST_GROWTH ? MOST_GROWTH : growth);
}

/* Executions of no more work are left before anything is asked, many at a time. */
enum { SHORT_SKIPS = 1 << 20 };

static int skip(struct orrery_loop *loop, long work) {
    __atomic_store_n(&loop->skip_work, work, __ATOMIC_RELAXED);
    __atomic_store_n(&loop->skips, SHORT_SKIPS, __ATOMIC_RELAXED);
    return 0;
}

/* `may`: this thread may start a region now (orrery_may_start, which asks the kernel). One worker:
 * nothing will gain, however long it is. */
static bool never_gains(bool may) {
    return may && orrery_workers_wanted() < 2;
}

static bool may_gain(bool may) {
    return dsm_ranks() == 1 && may && orrery_workers_wanted() >= 2;
}

/* When a parallel execution begins. Threads that are started for it take longer than it may. */
static double begin(bool parallel) {
    if (parallel)
        orrery_workers_count();
    return orrery_clock();
}

/* ---- loops in blocks ------------------------------------------------------------------------- */

/*
 * A loop that transform/blocks.c has cut: serially its blocks cost more than the loop as it was
 * written, so either this runs, or they all in parallel. `contracted`: both ways need not have the
 * same bits, and no clock decides. Only the thread that may start regions touches it.
 */
struct blocks {
    const char *site;      /* a place of the text */
    struct trials *trials; /* NULL: it never ran */
    bool contracted;
    long skips, skip_work; /* as a loop's */
    struct blocks *next;
};

/* All; and the execution under way, which is timed if `timed`. */
static struct blocks *all_blocks;
static struct {
    struct blocks *of; /* NULL: none is under way */
    struct trial_class *timed;
    double work, begin;
    bool parallel;
} blocks_now;

static struct blocks *blocks_at(const char *site) {
    for (struct blocks *b = all_blocks; b; b = b->next)
        if (b->site == site)
            return b;
    struct blocks *b = dsm_own_alloc(sizeof *b);
    *b = (struct blocks){.site = site, .next = all_blocks};
    all_blocks = b;
    return b;
}

static bool is_skipped(struct blocks *b, double work) {
    bool skipped = b->skips > 0 && work <= (double)b->skip_work;
    b->skips -= skipped;
    return skipped;
}

/* The first execution only tells whether its loop is contracted. */
static int blocks_try(struct blocks *b, const char *file, int line, double work) {
    bool known = b->trials != NULL;
    if (!known)
        b->trials = trials_new(file, line);
    struct trial_class *class = known ? class_of(b->trials, work) : NULL;
    bool parallel = !known || trial_choose(class, work) == TRIAL_PARALLEL;
    blocks_now.of = b;
    blocks_now.timed = class;
    blocks_now.work = work;
    blocks_now.parallel = parallel;
    blocks_now.begin = begin(parallel);
    return parallel ? 1 : 2;
}

int orrery_blocks_begin(const char *site, const char *file, int line, double nanoseconds) {
    long least = orrery_env()->auto_us;
    if (least == 0)
        return 1;
    if (nanoseconds < 1e3 * (double)least || !may_gain(orrery_may_start()))
        return 0;
    struct blocks *b = blocks_at(site);
    if (b->contracted)
        return 1;
    return is_skipped(b, nanoseconds) ? 0 : blocks_try(b, file, line, nanoseconds);
}

void orrery_blocks_end(int way) {
    struct blocks *b = way != 0 && orrery_may_start() ? blocks_now.of : NULL;
    if (!b)
        return;
    blocks_now.of = NULL;
    if (!blocks_now.timed || b->contracted)
        return;
    trial_record(blocks_now.timed, blocks_now.work, orrery_clock() - blocks_now.begin);
    b->skip_work = (long)ceil(trial_skip_work(blocks_now.timed, blocks_now.work));
    b->skips = trial_skips(blocks_now.timed, blocks_now.work);
}

/* Blocks are run in parallel, not timed, where their loop's trial has chosen so. */
static bool is_of_blocks(const struct orrery_loop *loop, bool may) {
    if (!may || !blocks_now.of || !blocks_now.parallel)
        return false;
    blocks_now.of->contracted |= loop->contraction;
    return !loop->contraction;
}

/* ---- what emitted text asks ------------------------------------------------------------------ */

int orrery_worth_asked(struct orrery_loop *loop, struct orrery_trial *trial, double nanoseconds) {
    long least = orrery_env()->auto_us;
    const bool may = orrery_may_start();
    if (least == 0)
        return may;
    if (is_of_blocks(loop, may))
        return 1;
    if (nanoseconds < 1e3 * (double)least)
        return skip(loop, 1000 * least - 1);
    if (!may_gain(may))
        return never_gains(may) ? skip(loop, LONG_MAX) : 0;
    if (loop->contraction)
        return is_worth_by_estimate(nanoseconds);
    struct trial_class *class = class_of(trials_of(loop), nanoseconds);
    bool parallel = trial_choose(class, nanoseconds) == TRIAL_PARALLEL;
    *trial = (struct orrery_trial){loop, class, nanoseconds, begin(parallel)};
    return parallel;
}

void orrery_worth_took(const struct orrery_trial *trial) {
    struct trial_class *class = trial->timed;
    trial_record(class, trial->work, orrery_clock() - trial->begin);
    __atomic_store_n(&trial->loop->skip_work, (long)ceil(trial_skip_work(class, trial->work)),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&trial->loop->skips, trial_skips(class, trial->work), __ATOMIC_RELAXED);
}

/* ---- what was chosen ------------------------------------------------------------------------- */

static void print_time(const char *name, double seconds) {
    if (seconds > 0)
        fprintf(stderr, " %s-us %.2f", name, 1e6 * seconds);
}

static void print_class(const struct trials *trials, int exponent) {
    const struct trial_class *c = &trials->classes[exponent];
    double work = 1.5 * ldexp(1, exponent);
    if (c->phase == TRIAL_NEW)
        return;
    fprintf(stderr, "orrery: %s:%d automatic %s work-us %.2f", trials->file, trials->line,
            c->phase < TRIAL_SETTLED      ? "undecided"
            : c->chosen == TRIAL_PARALLEL ? "parallel"
                                          : "serial",
            1e-3 * work);
    print_time("serial", c->best[TRIAL_SERIAL] * work);
    print_time("parallel", c->best[TRIAL_PARALLEL] * work);
    fprintf(stderr, " timed-serial %ld timed-parallel %ld\n", c->runs[TRIAL_SERIAL],
            c->runs[TRIAL_PARALLEL]);
}

void orrery_trials_print(void) {
    for (const struct trials *trials = all_trials; trials; trials = trials->next)
        for (int i = 0; i < CLASSES; ++i)
            print_class(trials, i);
}
