/*
 * Loops without keys in emitted form: rising, falling and strided loop variables, an array on the
 * stack, static arrays, globals, constants, minimum and last value.
 *
 *   ranged [passes] [count]
 */
#include "runtime/orrery_run.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 5000 };

static double z[MOST];
static double scale = 0.5;
static const double constants[3] = {0.25, 0.5, 0.75};

struct env {
    long lower;
    const double *x;
    double *y;
    const double *weights;
    double *least;
    long *last;
};

#define OFFSET(field) (long)__builtin_offsetof(struct env, field)

/* for (i = lower; i < ...; ++i) y[i] = x[i] * weights[i
 * % 7] + scale + constants[i % 3]; least; last */
static void rising(const struct orrery_block *b) {
    const struct env *env = b->env;
    const double *x = env->x, *weights = env->weights;
    double *y = env->y, least = *(double *)b->accumulators[0];
    long last = *(long *)b->accumulators[1];
    for (long n = b->begin; n < b->end; ++n) {
        long i = env->lower + n;
        y[i] = x[i] * weights[i % 7] + scale + constants[i % 3];
        if (y[i] < least)
            least = y[i];
        last = i;
    }
    *(double *)b->accumulators[0] = least;
    *(long *)b->accumulators[1] = last;
}

/* for (i = lower; i >= 0; i -= 3) y[i] = y[i] / 3 + x[i] */
static void falling(const struct orrery_block *b) {
    const struct env *env = b->env;
    for (long n = b->begin; n < b->end; ++n) {
        long i = env->lower - 3 * n;
        env->y[i] = env->y[i] / 3 + env->x[i];
    }
}

/* for (i = lower; ...; i += 2) z[i] += y[i] */
static void strided(const struct orrery_block *b) {
    const struct env *env = b->env;
    for (long n = b->begin; n < b->end; ++n) {
        long i = env->lower + 2 * n;
        z[i] += env->y[i];
    }
}

static struct orrery_shape row_of(const void *base) {
    return (struct orrery_shape){
        .base = (char *)base, .row_stride = 8, .pieces = 1, .piece_bytes = 8};
}

static void shapes_xyw(const void *e, struct orrery_shape *out) {
    const struct env *env = e;
    out[0] = row_of(env->x);
    out[1] = row_of(env->y);
    out[2] = (struct orrery_shape){.base = (char *)env->weights, .extent = 7 * sizeof(double)};
}

static void shapes_yz(const void *e, struct orrery_shape *out) {
    const struct env *env = e;
    out[0] = row_of(env->y);
    out[1] = row_of(z);
}

static const struct orrery_array arrays_xyw[] = {
    {"x", ORRERY_RESIDENT, 0, OFFSET(x), 0, 8, "ranged.c:1", 0},
    {"y", ORRERY_RESIDENT, 0, OFFSET(y), 1, 8, "ranged.c:1", 0},
    {"weights", ORRERY_REPLICATED, -1, OFFSET(weights), 0, 8, "ranged.c:1", 0},
};

static const struct orrery_array arrays_yz[] = {
    {"y", ORRERY_RESIDENT, 0, OFFSET(y), 0, 8, "ranged.c:3", 0},
    {"z", ORRERY_RESIDENT, 0, -1, 1, 8, "ranged.c:3", 0},
};

static const struct orrery_reduction reductions[] = {
    {"least", ORRERY_MIN, ORRERY_F64, 8, OFFSET(least), -1, 0, 0, 0, 0, 0},
    {"last", ORRERY_LAST, ORRERY_BYTES, 8, OFFSET(last), -1, 0, 0, 0, 0, 0},
};

static const struct orrery_global globals[] = {
    {"scale", &scale, sizeof scale},
    {"constants", (void *)constants, sizeof constants},
};

#define LOOP(at, body, increment, shape, set, number, reduced)                                     \
    {.abi = ORRERY_RUN_ABI,                                                                        \
     .file = "ranged.c",                                                                           \
     .line = at,                                                                                   \
     .function = "main",                                                                           \
     .strategy = ORRERY_INDEPENDENT,                                                               \
     .seed = 42,                                                                                   \
     .env_size = sizeof(struct env),                                                               \
     .ndims = 1,                                                                                   \
     .nkeys = 1,                                                                                   \
     .keys = {{"i", 0}},                                                                           \
     .narrays = number,                                                                            \
     .arrays = set,                                                                                \
     .nreductions = reduced,                                                                       \
     .reductions = reductions,                                                                     \
     .nglobals = 2,                                                                                \
     .globals = globals,                                                                           \
     .shapes = shape,                                                                              \
     .block = body,                                                                                \
     .serial = body,                                                                               \
     .lower_offset = OFFSET(lower),                                                                \
     .step = increment}

static struct orrery_loop loops[] = {
    LOOP(1, rising, 1, shapes_xyw, arrays_xyw, 3, 2),
    LOOP(2, falling, -3, shapes_xyw, arrays_xyw, 2, 0),
    LOOP(3, strided, 2, shapes_yz, arrays_yz, 2, 0),
};

static uint64_t bits_of(const double *values, long count) {
    const uint64_t *x = (const uint64_t *)values;
    uint64_t sum = 1469598103934665603u;
    for (long i = 0; i < count; ++i)
        sum = (sum ^ x[i]) * 1099511628211u;
    return sum;
}

/* The same in plain C, as the oracle. */
static void serial(long count, const double *x, double *y, double *zz, const double *weights) {
    for (long i = 5; i < count; ++i)
        y[i] = x[i] * weights[i % 7] + scale + constants[i % 3];
    for (long i = count - 2; i >= 0; i -= 3)
        y[i] = y[i] / 3 + x[i];
    for (long i = 1; i < count; i += 2)
        zz[i] += y[i];
}

static void pass(long count, double *x, double *y) {
    double weights[7], least = 1e300;
    long last = -1;
    for (int i = 0; i < 7; ++i)
        weights[i] = x[i] + i;
    struct env env = {
        .lower = 5, .x = x, .y = y, .weights = weights, .least = &least, .last = &last};
    orrery_run(&loops[0], &env, count - 5);
    env.lower = count - 2;
    orrery_run(&loops[1], &env, count < 2 ? 0 : (count - 2) / 3 + 1);
    env.lower = 1;
    orrery_run(&loops[2], &env, count / 2);
    printf("least %a last %ld\n", least, last);
}

int main(int argc, char **argv) {
    long passes = argc > 1 ? atol(argv[1]) : 3, count = argc > 2 ? atol(argv[2]) : 4000;
    double *x = calloc((size_t)count + 8, 8), *y = calloc((size_t)count + 8, 8);
    double *y1 = calloc((size_t)count + 8, 8), *z1 = calloc((size_t)count + 8, 8);
    for (long p = 0; p < passes; ++p) {
        double weights[7];
        for (long i = 0; i < count; ++i)
            x[i] = (double)((i * 7919 + p * 31) % 1000) / 7;
        scale = 1.0 + (double)p;
        for (int i = 0; i < 7; ++i)
            weights[i] = x[i] + i;
        pass(count, x, y);
        serial(count, x, y1, z1, weights);
        y[p] += 1;
        y1[p] += 1;
        int equal =
            bits_of(y, count) == bits_of(y1, count) && bits_of(z, count) == bits_of(z1, count);
        printf("y %016llx z %016llx %s\n", (unsigned long long)bits_of(y, count),
               (unsigned long long)bits_of(z, count), equal ? "as serial" : "FAILED");
    }
    return 0;
}
