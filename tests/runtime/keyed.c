/*
 * Loops over records with two keys in emitted form, of every shape the runtime knows, with random
 * keys and a body whose result depends on the order of every pair of iterations that share a row.
 *
 *   keyed [name=value]... [-- [name=value]...]...
 *
 * Behind each `--` another variant, with loops of its own.
 *
 * shape=flat|table|columns   rows of W and H: contiguous, behind a table, H[k][item]
 * strategy=2|1               rotation, or partition by the first key alone (ordered)
 * count, users, items, k, passes, seed, rows, columns: sizes
 * holes=1                    some iterations have no second key (a guard is false)
 * check=1                    one rank: the run is proven equal to a serial order of the iterations
 * change=P                   the keys change before pass P
 * low=N                      the smallest key
 * bad=N                      one key lies N beyond the last item
 * overlap=1                  H begins inside of W and a guard forbids it
 * fallback=1                 run serially when a guard fails
 * uncut=1                    rows of a third array, only read, are reached by the item: every rank
 *                            has all of it
 * nest=1, thread=1, early=1  call where a parallel loop may not be
 * quit=S                     exit(S) after the last pass, from a function
 *
 * Prints one line per pass and a checksum of everything written.
 */
#include "runtime/orrery_run.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shape { FLAT, TABLE, COLUMNS };

static const struct option {
    long shape, strategy, count, users, items, k, passes, seed, rows, columns, holes, check, change,
        low, bad, overlap, fallback, nest, thread, uncut, quit;
} defaults = {FLAT, 2, 3000, 70, 50, 3, 3, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, -1};
static struct option option;

/* How many variants one run may have, and which of them runs. */
enum { VARIANTS = 8 };
static int variant;

static uint64_t state;

static uint64_t next(void) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct entry {
    int32_t user;
    int32_t item;
    int64_t value;
    int8_t hole;
};

/* What an iteration saw: how often its rows had been written before. */
struct seen {
    long w, h, times;
};

struct orrery_env_0 {
    long orrery_lower;
    const struct entry *r;
    uint64_t *W, *H, *C;
    uint64_t **Wt, **Ht;
    long k, items, shape, strategy, low, nest;
    uint64_t rate;
    struct seen *seen;
    long *wtimes, *htimes;
    uint64_t *sum;
    double *weight;
    long *most;
    long *last;
    long *tally;
};

struct orrery_record_0 {
    int64_t value;
    int64_t index;
    int32_t k0, k1;
    int8_t hole;
};

static void orrery_gather_0(const void *e, long i, void *p, long *keys, struct orrery_span *s) {
    const struct orrery_env_0 *env = e;
    struct orrery_record_0 *record = p;
    long n = env->orrery_lower + i;
    const struct entry *r = &env->r[n];
    if (keys)
        keys[0] = r->user;
    if (keys && env->strategy == 2)
        keys[1] = r->hole ? ORRERY_NO_KEY : r->item;
    if (record) {
        record->k0 = r->user;
        record->k1 = r->item;
        record->value = r->value;
        record->index = n;
        record->hole = r->hole;
    }
    if (s)
        orrery_touch(&s[0], r, sizeof *r);
}

ORRERY_GATHERS(orrery_gathers_1, orrery_gather_0, struct orrery_record_0, 1, 1)
ORRERY_GATHERS(orrery_gathers_2, orrery_gather_0, struct orrery_record_0, 2, 1)

static void orrery_shapes_0(const void *e, struct orrery_shape *out) {
    const struct orrery_env_0 *env = e;
    long bytes = env->k * (long)sizeof *env->W;
    out[0] = (struct orrery_shape){.base = (char *)env->W,
                                   .row_offset = -env->low * bytes,
                                   .row_stride = bytes,
                                   .pieces = 1,
                                   .piece_bytes = bytes};
    out[1] = out[0];
    out[1].base = (char *)env->H;
    if (env->shape == TABLE) {
        for (int a = 0; a < 2; ++a) {
            out[a].table = (char **)(a ? env->Ht : env->Wt);
            out[a].table_offset = -env->low;
            out[a].row_offset = out[a].row_stride = 0;
        }
    }
    if (env->shape == COLUMNS)
        out[1] = (struct orrery_shape){.base = (char *)env->H,
                                       .row_offset = -env->low * 8,
                                       .row_stride = 8,
                                       .pieces = env->k,
                                       .piece_bytes = 8,
                                       .piece_stride = env->items * 8};
    out[2] = (struct orrery_shape){.base = (char *)(env->C ? (void *)env->C : env->tally)};
    if (env->C)
        out[3] = (struct orrery_shape){.base = (char *)env->tally};
}

static int orrery_run_again(const struct orrery_block *b);

/* The body for one iteration; W and H as the environment has them, by the given row indices. */
static inline void body(const struct orrery_env_0 *env, long user, long item, int hole,
                        int64_t value, long n) {
    uint64_t *w =
        env->shape == TABLE ? env->Wt[user - env->low] : env->W + (user - env->low) * env->k;
    uint64_t *h = env->shape == TABLE     ? env->Ht[item - env->low]
                  : env->shape == COLUMNS ? env->H + (item - env->low)
                                          : env->H + (item - env->low) * env->k;
    uint64_t extra = env->C ? env->C[item - env->low] : 0;
    long step = env->shape == COLUMNS ? env->items : 1;
    for (long k = 0; k < env->k; ++k) {
        uint64_t old = w[k];
        w[k] = w[k] * 6364136223846793005u + (hole ? 7 : h[k * step]) + (uint64_t)value +
               env->rate + extra;
        if (!hole && env->strategy == 2)
            h[k * step] = (h[k * step] ^ old) * 0x9e3779b97f4a7c15u + (uint64_t)n;
    }
}

static void log_seen(const struct orrery_env_0 *env, long n) {
    const struct entry *r = &env->r[n];
    env->seen[n].w = env->wtimes[r->user - env->low]++;
    if (!r->hole && env->strategy == 2)
        env->seen[n].h = env->htimes[r->item - env->low]++;
    ++env->seen[n].times;
}

struct sums {
    uint64_t sum;
    double weight;
    long most, last;
};

static void add(struct sums *sums, long *tally, int64_t value, long n) {
    sums->sum += (uint64_t)value * (uint64_t)n;
    sums->weight += (double)value / 3.0;
    if (value > sums->most)
        sums->most = value;
    sums->last = n;
    ++tally[n % 8];
}

static void load(const struct orrery_block *b, struct sums *sums) {
    *sums = (struct sums){*(uint64_t *)b->accumulators[0], *(double *)b->accumulators[1],
                          *(long *)b->accumulators[2], *(long *)b->accumulators[3]};
}

static void store(const struct orrery_block *b, const struct sums *sums) {
    *(uint64_t *)b->accumulators[0] = sums->sum;
    *(double *)b->accumulators[1] = sums->weight;
    *(long *)b->accumulators[2] = sums->most;
    *(long *)b->accumulators[3] = sums->last;
}

static void orrery_block_0(const struct orrery_block *b) {
    const struct orrery_env_0 *env = b->env;
    const struct orrery_record_0 *records = b->records;
    struct sums sums;
    load(b, &sums);
    if (env->nest)
        orrery_run_again(b);
    for (long i = b->begin; i < b->end; ++i) {
        const struct orrery_record_0 *r = &records[i];
        body(env, r->k0, r->k1, r->hole, r->value, r->index);
        if (env->seen)
            log_seen(env, r->index);
        add(&sums, b->accumulators[4], r->value, r->index);
    }
    store(b, &sums);
}

static void orrery_serial_0(const struct orrery_block *b) {
    const struct orrery_env_0 *env = b->env;
    struct sums sums;
    load(b, &sums);
    for (long i = b->begin; i < b->end; ++i) {
        long n = env->orrery_lower + (b->order ? b->order[i] : i);
        const struct entry *r = &env->r[n];
        body(env, r->user, r->item, r->hole, r->value, n);
        if (env->seen)
            log_seen(env, n);
        add(&sums, b->accumulators[4], r->value, n);
    }
    store(b, &sums);
}

#define OFFSET(field) (long)__builtin_offsetof(struct orrery_env_0, field)
#define INPUT(field) {(unsigned)OFFSET(field), sizeof(((struct orrery_env_0 *)0)->field)}

/* By strategy (1, 2) and by whether the rows are behind tables. The tables of a program are the
 * same on every rank, so each variant has its own. */
static const struct orrery_array arrays[2][2][2] = {
    {{{"W", ORRERY_RESIDENT, 0, OFFSET(W), 1, 8, "keyed.c:10", 0},
      {"H", ORRERY_REPLICATED, -1, OFFSET(H), 0, 8, "keyed.c:11", 0}},
     {{"W", ORRERY_RESIDENT, 0, -1, 1, 8, "keyed.c:10", 0},
      {"H", ORRERY_REPLICATED, -1, -1, 0, 8, "keyed.c:11", 0}}},
    {{{"W", ORRERY_RESIDENT, 0, OFFSET(W), 1, 8, "keyed.c:10", 0},
      {"H", ORRERY_ROTATING, 1, OFFSET(H), 1, 8, "keyed.c:11", 0}},
     {{"W", ORRERY_RESIDENT, 0, -1, 1, 8, "keyed.c:10", 0},
      {"H", ORRERY_ROTATING, 1, -1, 1, 8, "keyed.c:11", 0}}},
};

static const struct orrery_array arrays_uncut[] = {
    {"W", ORRERY_RESIDENT, 0, OFFSET(W), 1, 8, "keyed.c:10", 0},
    {"H", ORRERY_ROTATING, 1, OFFSET(H), 1, 8, "keyed.c:11", 0},
    {"C", ORRERY_REPLICATED, -1, OFFSET(C), 0, 8, "keyed.c:12", 0},
};

#define REDUCTIONS(shape)                                                                          \
    {"sum", ORRERY_ADD, ORRERY_U64, 8, OFFSET(sum), -1, 0, 0, 0, 0, 0},                            \
        {"weight", ORRERY_ADD, ORRERY_F64, 8, OFFSET(weight), -1, 0, 0, 0, 0, 0},                  \
        {"most", ORRERY_MAX, ORRERY_I64, 8, OFFSET(most), -1, 0, 0, 0, 0, 0},                      \
        {"last", ORRERY_LAST, ORRERY_BYTES, 8, OFFSET(last), -1, 0, 0, 0, 0, 0},                   \
        {"tally", ORRERY_ADD, ORRERY_I64, 8, OFFSET(tally), shape, 0, 0, 0, 0, 0}

static const struct orrery_reduction reductions_uncut[] = {REDUCTIONS(3)};
static const struct orrery_reduction reductions[] = {REDUCTIONS(2)};

static const struct orrery_key_field key_fields[] = {
    {0, (unsigned)__builtin_offsetof(struct orrery_record_0, k0), 4, 1, 0},
    {1, (unsigned)__builtin_offsetof(struct orrery_record_0, k1), 4, 1, 0},
};

static const struct orrery_input inputs[] = {INPUT(orrery_lower), INPUT(r), INPUT(strategy)};

static const struct orrery_guard guards[] = {
    {ORRERY_KEY_RANGE, 1, 1, "item stays inside a line of H", 0, 0, 0},
    {ORRERY_NO_OVERLAP, 0, 1, "W and H are different arrays", 0, 0, 0},
    {ORRERY_ROWS_DISJOINT, 0, 0, "the rows of W are disjoint", 0, 0, 0},
    {ORRERY_ROWS_DISJOINT, 1, 1, "the rows of H are disjoint", 0, 0, 0},
};

/* The one guard of iterations: the item is one of `items`. */
static int holds_at(const void *e, long i, int g) {
    const struct orrery_env_0 *env = e;
    long item = env->r[i].item;
    return g == 0 && item >= env->low && item < env->low + env->items;
}

#define LOOP(s, t, n, set, reduced)                                                                \
    {.abi = ORRERY_RUN_ABI,                                                                        \
     .file = "keyed.c",                                                                            \
     .line = 9,                                                                                    \
     .function = "main",                                                                           \
     .strategy = s == 2 ? ORRERY_ROTATION : ORRERY_PARTITION_1D,                                   \
     .by_key = 1,                                                                                  \
     .unordered = s == 2,                                                                          \
     .seed = 42,                                                                                   \
     .env_size = sizeof(struct orrery_env_0),                                                      \
     .record_size = sizeof(struct orrery_record_0),                                                \
     .ndims = s,                                                                                   \
     .nkeys = s,                                                                                   \
     .keys = {{"r[n].user", 0}, {"r[n].item", 1}},                                                 \
     .narrays = n,                                                                                 \
     .arrays = set,                                                                                \
     .nreductions = 5,                                                                             \
     .reductions = reduced,                                                                        \
     .nkey_fields = s,                                                                             \
     .key_fields = key_fields,                                                                     \
     .nspans = 1,                                                                                  \
     .nguards = 4,                                                                                 \
     .guards = guards,                                                                             \
     .holds_at = s == 1 ? holds_at : 0,                                                            \
     .relabel_ok = !t && n == 2,                                                                   \
     .gather = orrery_gather_0,                                                                    \
     .gathers = orrery_gathers_##s,                                                                \
     .shapes = orrery_shapes_0,                                                                    \
     .block = orrery_block_0,                                                                      \
     .serial = orrery_serial_0,                                                                    \
     .ninputs = 3,                                                                                 \
     .inputs = inputs}

#define CUT(s, t) LOOP(s, t, 2, arrays[s - 1][t], reductions)

static struct orrery_loop loops[VARIANTS][2][2] = {
    [0 ... VARIANTS - 1] = {{CUT(1, 0), CUT(1, 1)}, {CUT(2, 0), CUT(2, 1)}}};
static struct orrery_loop loops_uncut[VARIANTS] = {
    [0 ... VARIANTS - 1] = LOOP(2, 0, 3, arrays_uncut, reductions_uncut)};

static struct orrery_loop *loop_of(const struct orrery_env_0 *env) {
    if (env->C)
        return &loops_uncut[variant];
    return &loops[variant][env->strategy - 1][env->shape == TABLE];
}

static int orrery_run_again(const struct orrery_block *b) {
    struct orrery_env_0 env = *(const struct orrery_env_0 *)b->env;
    return orrery_run(loop_of(&env), &env, 1);
}

/* ---- the user's program ---- */

static int option_set(const char *text) {
    static const struct {
        const char *name;
        long *value;
    } known[] = {
        {"strategy", &option.strategy}, {"count", &option.count}, {"users", &option.users},
        {"items", &option.items},       {"k", &option.k},         {"passes", &option.passes},
        {"seed", &option.seed},         {"rows", &option.rows},   {"columns", &option.columns},
        {"holes", &option.holes},       {"check", &option.check}, {"change", &option.change},
        {"low", &option.low},           {"bad", &option.bad},     {"overlap", &option.overlap},
        {"fallback", &option.fallback}, {"nest", &option.nest},   {"thread", &option.thread},
        {"quit", &option.quit},         {"uncut", &option.uncut}};
    static const char *const shapes[] = {"flat", "table", "columns"};
    const char *equals = strchr(text, '=');
    if (!equals)
        return -1;
    for (long s = 0; s < 3; ++s)
        if (strncmp(text, "shape=", 6) == 0 && strcmp(equals + 1, shapes[s]) == 0) {
            option.shape = s;
            return 0;
        }
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strlen(known[i].name) == (size_t)(equals - text) &&
            strncmp(known[i].name, text, (size_t)(equals - text)) == 0) {
            *known[i].value = atol(equals + 1);
            return 0;
        }
    return -1;
}

static void keys_fill(struct entry *r) {
    for (long n = 0; n < option.count; ++n) {
        r[n].user = (int32_t)(option.low + (long)(next() % (uint64_t)option.users));
        long item = (long)(next() % (uint64_t)option.items);
        if (next() % 2)
            item = item * item / option.items;
        r[n].item = (int32_t)(option.low + item);
        r[n].value = (int64_t)(next() % 1000);
        r[n].hole = option.holes && next() % 5 == 0;
    }
    if (option.bad && option.count)
        r[option.count / 2].item = (int32_t)(option.low + option.items - 1 + option.bad);
}

static uint64_t bits_of(const uint64_t *x, long count) {
    uint64_t sum = 1469598103934665603u;
    for (long i = 0; i < count; ++i)
        sum = (sum ^ x[i]) * 1099511628211u;
    return sum;
}

static uint64_t **table_of(uint64_t *rows, long n) {
    uint64_t **table = malloc((size_t)(n + 1) * sizeof *table);
    for (long v = 0; v < n; ++v)
        table[v] = rows + (n - 1 - v) * option.k;
    return table;
}

static void fail(const char *what, long n) {
    printf("FAILED: %s at iteration %ld\n", what, n);
    exit(9);
}

/*
 * The oracle. Every iteration must have run once, and the numbers of its rows' earlier writes say
 * which iteration of each row came directly before it. Runs the iterations serially in an order
 * that respects both; the model must come out the same. Without such an order the run was not
 * serializable.
 */
static void prove(const struct orrery_env_0 *env, const uint64_t *W0, const uint64_t *H0) {
    long nw = option.users * option.k, nh = option.items * option.k, done = 0, before = -1;
    uint64_t *W = malloc((size_t)nw * 8), *H = malloc((size_t)nh * 8);
    long *wt = calloc((size_t)option.users, sizeof *wt), *ht = calloc((size_t)option.items, 8);
    char *ran = calloc((size_t)option.count + 1, 1);
    memcpy(W, W0, (size_t)nw * 8);
    memcpy(H, H0, (size_t)nh * 8);
    struct orrery_env_0 serial = *env;
    serial.W = W;
    serial.H = H;
    if (env->shape == TABLE) {
        serial.Wt = table_of(W, option.users);
        serial.Ht = table_of(H, option.items);
    }
    while (done > before && done < option.count) {
        before = done;
        for (long n = 0; n < option.count; ++n) {
            const struct entry *r = &env->r[n];
            const struct seen *seen = &env->seen[n];
            int keyed = !r->hole && env->strategy == 2;
            if (seen->times != 1)
                fail("ran more than once or never", n);
            if (ran[n] || seen->w != wt[r->user - env->low] ||
                (keyed && seen->h != ht[r->item - env->low]))
                continue;
            body(&serial, r->user, r->item, r->hole, r->value, n);
            ++wt[r->user - env->low];
            ht[r->item - env->low] += keyed;
            ran[n] = 1;
            ++done;
        }
    }
    if (done < option.count)
        fail("no serial order explains the run", done);
    if (memcmp(W, env->W, (size_t)nw * 8) || memcmp(H, env->H, (size_t)nh * 8))
        fail("the model differs from its serial order's", done);
    for (long n = 0; env->strategy == 1 && n + 1 < option.count; ++n)
        for (long m = n + 1; m < option.count && m < n + 50; ++m)
            if (env->r[m].user == env->r[n].user && env->seen[m].w < env->seen[n].w)
                fail("an ordered loop changed its order", n);
}

static int run(struct orrery_env_0 *env, long count) {
    return orrery_run(loop_of(env), env, count);
}

static void *run_in_thread(void *env) {
    run(env, option.count);
    return NULL;
}

static void serial(struct orrery_env_0 *env) {
    struct sums sums = {*env->sum, *env->weight, *env->most, *env->last};
    for (long n = 0; n < option.count; ++n) {
        const struct entry *r = &env->r[n];
        body(env, r->user, r->item, r->hole, r->value, n);
        add(&sums, env->tally, r->value, n);
    }
    *env->sum = sums.sum;
}

static void pass(struct orrery_env_0 *env, long number) {
    uint64_t sum = 5;
    double weight = 0.5;
    long most = -1, last = -7, nw = option.users * option.k, nh = option.items * option.k;
    uint64_t *W0 = NULL, *H0 = NULL;
    env->sum = &sum;
    env->weight = &weight;
    env->most = &most;
    env->last = &last;
    env->rate = (uint64_t)number * 1000003u;
    if (option.check) {
        W0 = memcpy(malloc((size_t)nw * 8), env->W, (size_t)nw * 8);
        H0 = memcpy(malloc((size_t)nh * 8), env->H, (size_t)nh * 8);
        memset(env->seen, 0, (size_t)option.count * sizeof *env->seen);
        memset(env->wtimes, 0, (size_t)option.users * sizeof *env->wtimes);
        memset(env->htimes, 0, (size_t)option.items * sizeof *env->htimes);
    }
    if (run(env, option.count))
        serial(env);
    if (option.check)
        prove(env, W0, H0);
    printf("pass %ld sum %llu weight %a most %ld last %ld W %016llx H %016llx\n", number,
           (unsigned long long)sum, weight, most, last, (unsigned long long)bits_of(env->W, nw),
           (unsigned long long)bits_of(env->H, nh));
    env->W[0] += 1;
    free(W0);
    free(H0);
}

/* What only rank 0 looks at. */
static void table_adjust(const struct orrery_env_0 *env) {
    struct orrery_loop *loop = loop_of(env);
    bool ranged = option.shape == COLUMNS || option.strategy == 1;
    loop->nguards = ranged ? 4 : 3;
    loop->guards = ranged ? guards : guards + 1;
    loop->grid[0] = option.rows;
    loop->grid[1] = option.columns;
    loop->allow_fallback = (int)option.fallback;
}

static void variant_run(void) {
    state = (uint64_t)option.seed;
    struct entry *r = calloc((size_t)option.count + 1, sizeof *r);
    struct orrery_env_0 env = {.r = r,
                               .k = option.k,
                               .items = option.items,
                               .shape = option.shape,
                               .strategy = option.strategy,
                               .nest = option.nest,
                               .low = option.low};
    if (option.uncut)
        env.C = calloc((size_t)option.items + 1, 8);
    for (long i = 0; env.C && i < option.items; ++i)
        env.C[i] = next();
    table_adjust(&env);
    env.W = calloc((size_t)((option.users + 1) * option.k), 8);
    env.H = option.overlap ? env.W + option.k : calloc((size_t)((option.items + 1) * option.k), 8);
    env.Wt = table_of(env.W, option.users);
    env.Ht = table_of(env.H, option.items);
    env.tally = calloc(8, sizeof *env.tally);
    if (option.check) {
        env.seen = calloc((size_t)option.count + 1, sizeof *env.seen);
        env.wtimes = calloc((size_t)option.users, sizeof *env.wtimes);
        env.htimes = calloc((size_t)option.items, sizeof *env.htimes);
    }
    keys_fill(r);
    if (option.thread) {
        pthread_t thread;
        pthread_create(&thread, NULL, run_in_thread, &env);
        pthread_join(thread, NULL);
    }
    for (long p = 0; p < option.passes; ++p) {
        if (p == option.change)
            keys_fill(r);
        pass(&env, p);
    }
    printf("tally");
    for (int i = 0; i < 8; ++i)
        printf(" %ld", env.tally[i]);
    printf("\n");
}

/* Of glibc alone a constructor gets what main gets. */
__attribute__((constructor)) static void run_early(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "early=1") != 0)
        return;
    option = defaults;
    variant_run();
}

int main(int argc, char **argv) {
    for (int i = 1; i <= argc; ++variant, ++i) {
        option = defaults;
        for (; i < argc && strcmp(argv[i], "--") != 0; ++i)
            if (option_set(argv[i]))
                return 2;
        if (variant == VARIANTS)
            return 2;
        variant_run();
    }
    if (option.quit >= 0)
        exit((int)option.quit);
    return 0;
}
