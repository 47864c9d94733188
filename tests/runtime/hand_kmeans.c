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

static double assign_serial(const float *x, int n, int D, const float *centre, int C, int *label,
                            double *sum, long *size) {
    double inertia = 0;
    for (int i = 0; i < n; i++) {
        float best = FLT_MAX;
        int at = 0;
        for (int c = 0; c < C; c++) {
            float d2 = 0;
            for (int d = 0; d < D; d++) {
                float t = x[i * D + d] - centre[c * D + d];
                d2 += t * t;
            }
            if (d2 < best) {
                best = d2;
                at = c;
            }
        }
        label[i] = at;
        inertia += best;
        size[at]++;
        for (int d = 0; d < D; d++)
            sum[at * D + d] += x[i * D + d];
    }
    return inertia;
}

/* ---- as emitted for the loop in assign_parallel ---------------------------------------------- */

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

static void orrery_shapes_0(const void *orrery_e, struct orrery_shape *orrery_out) {
    const struct orrery_env_0 *orrery_env = orrery_e;
    const float *x = orrery_env->x;
    int D = orrery_env->D;
    const float *centre = orrery_env->centre;
    int *label = orrery_env->label;
    long *size = orrery_env->size;
    double *sum = orrery_env->sum;
    orrery_out[0].base = (char *)(x);
    orrery_out[0].row_offset = 0;
    orrery_out[0].row_stride = (long)D * 4;
    orrery_out[0].pieces = 1;
    orrery_out[0].piece_bytes = (long)D * 4;
    orrery_out[0].piece_stride = 0;
    orrery_out[0].table = 0;
    orrery_out[0].table_offset = 0;
    orrery_out[0].extent = 0;
    orrery_out[1].base = (char *)(centre);
    orrery_out[1].row_offset = 0;
    orrery_out[1].row_stride = 0;
    orrery_out[1].pieces = 0;
    orrery_out[1].piece_bytes = 0;
    orrery_out[1].piece_stride = 0;
    orrery_out[1].table = 0;
    orrery_out[1].table_offset = 0;
    orrery_out[1].extent = 0;
    orrery_out[2].base = (char *)(label);
    orrery_out[2].row_offset = 0;
    orrery_out[2].row_stride = 4;
    orrery_out[2].pieces = 1;
    orrery_out[2].piece_bytes = 4;
    orrery_out[2].piece_stride = 0;
    orrery_out[2].table = 0;
    orrery_out[2].table_offset = 0;
    orrery_out[2].extent = 0;
    orrery_out[3].base = (char *)(size);
    orrery_out[3].extent = 0;
    orrery_out[4].base = (char *)(sum);
    orrery_out[4].extent = 0;
}

static void orrery_block_0(const struct orrery_block *orrery_b) {
    const struct orrery_env_0 *orrery_env = orrery_b->env;
    const float *__restrict__ x = orrery_env->x;
    int D = orrery_env->D;
    const float *__restrict__ centre = orrery_env->centre;
    int C = orrery_env->C;
    int *__restrict__ label = orrery_env->label;
    double inertia = *(double *)orrery_b->accumulators[0];
    long *size = orrery_b->accumulators[1];
    double *sum = orrery_b->accumulators[2];
    long orrery_i;
    int i = (int)(orrery_env->orrery_lower + orrery_b->begin * 1);
    for (orrery_i = orrery_b->begin; orrery_i < orrery_b->end; ++orrery_i, i += 1) {
        {
            float best = FLT_MAX;
            int at = 0;
            for (int c = 0; c < C; c++) {
                float d2 = 0;
                for (int d = 0; d < D; d++) {
                    float t = x[i * D + d] - centre[c * D + d];
                    d2 += t * t;
                }
                if (d2 < best) {
                    best = d2;
                    at = c;
                }
            }
            label[i] = at;
            inertia += best;
            size[at]++;
            for (int d = 0; d < D; d++)
                sum[at * D + d] += x[i * D + d];
        }
    }
    *(double *)orrery_b->accumulators[0] = inertia;
}

static void orrery_serial_0(const struct orrery_block *orrery_b) {
    const struct orrery_env_0 *orrery_env = orrery_b->env;
    const float *x = orrery_env->x;
    int D = orrery_env->D;
    const float *centre = orrery_env->centre;
    int C = orrery_env->C;
    int *label = orrery_env->label;
    double inertia = *(double *)orrery_b->accumulators[0];
    long *size = orrery_b->accumulators[1];
    double *sum = orrery_b->accumulators[2];
    long orrery_i;
    for (orrery_i = orrery_b->begin; orrery_i < orrery_b->end; ++orrery_i) {
        int i = (int)(orrery_env->orrery_lower +
                      (orrery_b->order ? orrery_b->order[orrery_i] : orrery_i) * 1);
        {
            float best = FLT_MAX;
            int at = 0;
            for (int c = 0; c < C; c++) {
                float d2 = 0;
                for (int d = 0; d < D; d++) {
                    float t = x[i * D + d] - centre[c * D + d];
                    d2 += t * t;
                }
                if (d2 < best) {
                    best = d2;
                    at = c;
                }
            }
            label[i] = at;
            inertia += best;
            size[at]++;
            for (int d = 0; d < D; d++)
                sum[at * D + d] += x[i * D + d];
        }
    }
    *(double *)orrery_b->accumulators[0] = inertia;
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
    .function = "assign_parallel",
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
    .serial = orrery_serial_0,
    .lower_offset = (long)__builtin_offsetof(struct orrery_env_0, orrery_lower),
    .step = 1,
};

static double assign_parallel(const float *x, int n, int D, const float *centre, int C, int *label,
                              double *sum, long *size) {
    double inertia = 0;
    {
        int orrery_first = 0;
        long orrery_count =
            orrery_first < n ? (long)((unsigned long)(n) - (unsigned long)orrery_first) : 0;
        double orrery_target_0 = inertia;
        struct orrery_env_0 orrery_env = {.orrery_lower = (long)orrery_first,
                                          .x = x,
                                          .D = D,
                                          .centre = centre,
                                          .C = C,
                                          .label = label,
                                          .inertia = &orrery_target_0,
                                          .size = size,
                                          .sum = sum};
        orrery_run(&orrery_loop_0, &orrery_env, orrery_count);
        inertia = orrery_target_0;
    }
    return inertia;
}

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
        double inertia = serial ? assign_serial(x, n, D, centre, C, label, sum, size)
                                : assign_parallel(x, n, D, centre, C, label, sum, size);
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
