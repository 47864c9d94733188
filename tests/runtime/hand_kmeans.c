/*
 * One Lloyd step of k-means in the form of docs/emitted.md, written by hand: independent iterations
 * with array reductions (double sums, long counts), a scalar reduction and an array written by
 * iteration, in one program that needs no compiler of ours.
 *
 *   hand_kmeans [serial] [steps] [points] [clusters] [dimensions]
 *
 * prints the inertia of each step and a checksum of the assignment. With `serial` the loop runs as
 * the user wrote it.
 */
#include "runtime/orrery_run.h"

#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 88172645463325252u;

static uint64_t random_next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

struct orrery_env_0 {
    long orrery_lower;
    const float *x;
    int D;
    const float *centre;
    int C;
    int *label;
    double *inertia;
    long *size;
    double *sum;
};

/* The body of the loop: iteration i. */
static void assign(const struct orrery_env_0 *env, int i, double *inertia, long *size,
                   double *sum) {
    float best = FLT_MAX;
    int at = 0, D = env->D;
    const float *x = env->x + (long)i * D;
    for (int c = 0; c < env->C; c++) {
        float d2 = 0;
        for (int d = 0; d < D; d++) {
            float t = x[d] - env->centre[c * D + d];
            d2 += t * t;
        }
        if (d2 < best) {
            best = d2;
            at = c;
        }
    }
    env->label[i] = at;
    *inertia += best;
    size[at]++;
    for (int d = 0; d < D; d++)
        sum[at * D + d] += x[d];
}

/* ---- as emitted ----------------------------------------------------------------------------- */

static struct orrery_shape rows_at(const void *base, long bytes) {
    return (struct orrery_shape){
        .base = (char *)base, .row_stride = bytes, .pieces = 1, .piece_bytes = bytes};
}

static void orrery_shapes_0(const void *orrery_e, struct orrery_shape *orrery_out) {
    const struct orrery_env_0 *env = orrery_e;
    orrery_out[0] = rows_at(env->x, (long)env->D * 4);
    orrery_out[1] = (struct orrery_shape){.base = (char *)env->centre};
    orrery_out[2] = rows_at(env->label, 4);
    orrery_out[3] = (struct orrery_shape){.base = (char *)env->size};
    orrery_out[4] = (struct orrery_shape){.base = (char *)env->sum};
}

/* Iterations [begin, end), or those that `order` names. */
static void orrery_block_0(const struct orrery_block *orrery_b) {
    const struct orrery_env_0 *env = orrery_b->env;
    const long *order = orrery_b->order;
    for (long n = orrery_b->begin; n < orrery_b->end; ++n)
        assign(env, (int)(env->orrery_lower + (order ? order[n] : n)), orrery_b->accumulators[0],
               orrery_b->accumulators[1], orrery_b->accumulators[2]);
}

static const struct orrery_array orrery_arrays_0[] = {
    {"x", ORRERY_RESIDENT, 0, (long)__builtin_offsetof(struct orrery_env_0, x), 0, 4, "kmeans.c:12",
     0},
    {"centre", ORRERY_REPLICATED, -1, (long)__builtin_offsetof(struct orrery_env_0, centre), 0, 4,
     "kmeans.c:12", 0},
    {"label", ORRERY_RESIDENT, 0, (long)__builtin_offsetof(struct orrery_env_0, label), 1, 4,
     "kmeans.c:20", 0},
};

static const struct orrery_reduction orrery_reductions_0[] = {
    {"inertia", ORRERY_ADD, ORRERY_F64, 8, (long)__builtin_offsetof(struct orrery_env_0, inertia),
     -1, 0, 0, 0, 0, 0},
    {"size", ORRERY_ADD, ORRERY_I64, 8, (long)__builtin_offsetof(struct orrery_env_0, size), 3, 0,
     0, 0, 0, 0},
    {"sum", ORRERY_ADD, ORRERY_F64, 8, (long)__builtin_offsetof(struct orrery_env_0, sum), 4, 0, 0,
     0, 0, 0},
};

static struct orrery_loop orrery_loop_0 = {
    .abi = ORRERY_RUN_ABI,
    .file = "kmeans.c",
    .line = 7,
    .function = "main",
    .strategy = ORRERY_INDEPENDENT,
    .by_key = 0,
    .unordered = 0,
    .ndims = 1,
    .nkeys = 1,
    .keys = {{"i", 0}},
    .seed = 42,
    .env_size = sizeof(struct orrery_env_0),
    .narrays = 3,
    .arrays = orrery_arrays_0,
    .nreductions = 3,
    .reductions = orrery_reductions_0,
    .contraction = 0,
    .shapes = orrery_shapes_0,
    .block = orrery_block_0,
    .serial = orrery_block_0,
    .lower_offset = (long)__builtin_offsetof(struct orrery_env_0, orrery_lower),
    .step = 1,
};

/* ---- the rest of the user's program ---------------------------------------------------------- */

static long argument(int argc, char **argv, int at, long otherwise) {
    return argc > at ? atol(argv[at]) : otherwise;
}

static void centres_update(float *centre, int C, int D, const double *sum, const long *size) {
    for (int c = 0; c < C; ++c)
        for (int d = 0; d < D; ++d)
            if (size[c] > 0)
                centre[c * D + d] = (float)(sum[c * D + d] / (double)size[c]);
}

int main(int argc, char **argv) {
    int serial = argc > 1 && strcmp(argv[1], "serial") == 0;
    argc -= serial, argv += serial;
    long steps = argument(argc, argv, 1, 5);
    int n = (int)argument(argc, argv, 2, 20000), C = (int)argument(argc, argv, 3, 10);
    int D = (int)argument(argc, argv, 4, 8);
    float *x = malloc((size_t)n * D * sizeof *x), *centre = malloc((size_t)C * D * sizeof *centre);
    double *sum = malloc((size_t)C * D * sizeof *sum);
    long *size = malloc((size_t)C * sizeof *size);
    int *label = malloc((size_t)n * sizeof *label);
    if (!x || !centre || !sum || !size || !label)
        return 1;
    for (long i = 0; i < (long)n * D; ++i)
        x[i] = (float)(random_next() % 1000) / 1000.0f;
    memcpy(centre, x, (size_t)C * D * sizeof *centre);
    for (long step = 0; step < steps; ++step) {
        memset(sum, 0, (size_t)C * D * sizeof *sum);
        memset(size, 0, (size_t)C * sizeof *size);
        double inertia = 0;
        struct orrery_env_0 env = {0, x, D, centre, C, label, &inertia, size, sum};
        for (int i = 0; serial && i < n; ++i)
            assign(&env, i, &inertia, size, sum);
        if (!serial)
            orrery_run(&orrery_loop_0, &env, n);
        centres_update(centre, C, D, sum, size);
        printf("step %ld inertia %.6g\n", step, inertia);
    }
    uint64_t bits = 1469598103934665603u;
    for (int i = 0; i < n; ++i)
        bits = (bits ^ (uint64_t)label[i]) * 1099511628211u;
    printf("labels %016llx\n", (unsigned long long)bits);
    free(x);
    free(centre);
    free(sum);
    free(size);
    free(label);
    return 0;
}
