/*
 * Several loops over the same arrays, cut differently, with serial code in between: what one has
 * written the next must see, on every rank. In emitted form; proven against the plain loops where
 * these have one order only.
 *
 *   1. partition by key:   W[r[n].user] += value(n) * H[...]      (H replicated)
 *   2. by loop variable:   W[u] = W[u] / 2 + u                      (W in natural order)
 *   3. rows of H by key:   H[r[n].item] += W[...]                   (W replicated)
 */
#include "runtime/orrery_run.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int user, item;
};

struct env {
    long lower;
    const struct entry *r;
    double *W, *H;
    long users, items;
};

struct record {
    int key, other;
};

#define OFFSET(field) (long)__builtin_offsetof(struct env, field)

static void gather_user(const void *e, long i, void *p, long *keys, struct orrery_span *s) {
    const struct entry *r = &((const struct env *)e)->r[i];
    if (keys)
        keys[0] = r->user;
    if (p)
        *(struct record *)p = (struct record){r->user, r->item};
    if (s)
        orrery_touch(&s[0], r, sizeof *r);
}

static void gather_item(const void *e, long i, void *p, long *keys, struct orrery_span *s) {
    const struct entry *r = &((const struct env *)e)->r[i];
    if (keys)
        keys[0] = r->item;
    if (p)
        *(struct record *)p = (struct record){r->item, r->user};
    if (s)
        orrery_touch(&s[0], r, sizeof *r);
}

ORRERY_GATHERS(gathers_user, gather_user, struct record, 1, 1)
ORRERY_GATHERS(gathers_item, gather_item, struct record, 1, 1)

static void block_user(const struct orrery_block *b) {
    const struct env *env = b->env;
    const struct record *r = b->records;
    for (long i = b->begin; i < b->end; ++i)
        env->W[r[i].key] = env->W[r[i].key] * 0.75 + env->H[r[i].other];
}

static void block_half(const struct orrery_block *b) {
    const struct env *env = b->env;
    for (long u = env->lower + b->begin; u < env->lower + b->end; ++u)
        env->W[u] = env->W[u] / 2 + (double)u;
}

static void block_item(const struct orrery_block *b) {
    const struct env *env = b->env;
    const struct record *r = b->records;
    for (long i = b->begin; i < b->end; ++i)
        env->H[r[i].key] = env->H[r[i].key] * 0.5 + env->W[r[i].other];
}

static void shapes(const void *e, struct orrery_shape *out) {
    const struct env *env = e;
    out[0] = (struct orrery_shape){
        .base = (char *)env->W, .row_stride = 8, .pieces = 1, .piece_bytes = 8};
    out[1] = (struct orrery_shape){
        .base = (char *)env->H, .row_stride = 8, .pieces = 1, .piece_bytes = 8};
}

static const struct orrery_array by_user[] = {
    {"W", ORRERY_RESIDENT, 0, OFFSET(W), 1, 8, "two.c:1", 0},
    {"H", ORRERY_REPLICATED, -1, OFFSET(H), 0, 8, "two.c:1", 0},
};

static const struct orrery_array by_item[] = {
    {"W", ORRERY_REPLICATED, -1, OFFSET(W), 0, 8, "two.c:3", 0},
    {"H", ORRERY_RESIDENT, 0, OFFSET(H), 1, 8, "two.c:3", 0},
};

static const struct orrery_key_field key_field[] = {{0, 0, 4, 1, 0}};
static const struct orrery_input inputs[] = {{(unsigned)OFFSET(r), 8}};

#define KEYED(at, key, body, set)                                                                  \
    {.abi = ORRERY_RUN_ABI,                                                                        \
     .file = "two.c",                                                                              \
     .line = at,                                                                                   \
     .function = "main",                                                                           \
     .strategy = ORRERY_PARTITION_1D,                                                              \
     .by_key = 1,                                                                                  \
     .seed = at,                                                                                   \
     .env_size = sizeof(struct env),                                                               \
     .record_size = sizeof(struct record),                                                         \
     .ndims = 1,                                                                                   \
     .nkeys = 1,                                                                                   \
     .keys = {{"key", 0}},                                                                         \
     .narrays = 2,                                                                                 \
     .arrays = set,                                                                                \
     .nkey_fields = 1,                                                                             \
     .key_fields = key_field,                                                                      \
     .nspans = 1,                                                                                  \
     .relabel_ok = 1,                                                                              \
     .gather = gather_##key,                                                                       \
     .gathers = gathers_##key,                                                                     \
     .shapes = shapes,                                                                             \
     .block = body,                                                                                \
     .ninputs = 1,                                                                                 \
     .inputs = inputs}

static struct orrery_loop loop_user = KEYED(1, user, block_user, by_user);
static struct orrery_loop loop_item = KEYED(3, item, block_item, by_item);
static struct orrery_loop loop_half = {.abi = ORRERY_RUN_ABI,
                                       .file = "two.c",
                                       .line = 2,
                                       .function = "main",
                                       .strategy = ORRERY_INDEPENDENT,
                                       .env_size = sizeof(struct env),
                                       .ndims = 1,
                                       .nkeys = 1,
                                       .keys = {{"u", 0}},
                                       .narrays = 1,
                                       .arrays = by_user,
                                       .shapes = shapes,
                                       .block = block_half,
                                       .lower_offset = OFFSET(lower),
                                       .step = 1};

static double sum_of(const double *x, long count) {
    double sum = 0;
    for (long i = 0; i < count; ++i)
        sum += x[i];
    return sum;
}

int main(int argc, char **argv) {
    long passes = argc > 1 ? atol(argv[1]) : 5, count = 6000, users = 900, items = 1300;
    struct entry *r = calloc((size_t)count, sizeof *r);
    struct env env = {.r = r, .users = users, .items = items};
    env.W = calloc((size_t)users, 8);
    env.H = calloc((size_t)items, 8);
    struct env plain = env;
    plain.W = calloc((size_t)users, 8);
    plain.H = calloc((size_t)items, 8);
    for (long n = 0; n < count; ++n)
        r[n] = (struct entry){(int)(n * 7919 % users), (int)(n * 104729 % items)};
    for (long p = 0; p < passes; ++p) {
        env.H[p] += 3;
        plain.H[p] += 3;
        orrery_run(&loop_user, &env, count);
        orrery_run(&loop_half, &env, users);
        if (p % 2) {
            env.W[7] = -1;
            printf("between %a\n", sum_of(env.W, users));
        }
        orrery_run(&loop_item, &env, count);
        for (long n = 0; n < count; ++n)
            plain.W[r[n].user] = plain.W[r[n].user] * 0.75 + plain.H[r[n].item];
        for (long u = 0; u < users; ++u)
            plain.W[u] = plain.W[u] / 2 + (double)u;
        if (p % 2)
            plain.W[7] = -1;
        for (long n = 0; n < count; ++n)
            plain.H[r[n].item] = plain.H[r[n].item] * 0.5 + plain.W[r[n].user];
        int equal = 1;
        for (long u = 0; u < users; ++u)
            equal &= env.W[u] == plain.W[u];
        for (long i = 0; i < items; ++i)
            equal &= env.H[i] == plain.H[i];
        printf("pass %ld %a %a %s\n", p, sum_of(env.W, users), sum_of(env.H, items),
               equal ? "as serial" : "FAILED");
    }
    return 0;
}
