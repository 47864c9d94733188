/*
 * The loop of docs/design.md section 1 in the form of docs/emitted.md, written by hand: what the
 * emitter has to print and the runtime has to run, in one program that needs no compiler of ours.
 *
 *   hand_mf [serial] [epochs] [ratings] [users] [items] [rank]
 *
 * prints the rmse of each epoch and a checksum of the model's bits. With `serial` the loop runs as
 * the user wrote it. With STRAY=n the body reads the row of W that stands n places behind its own,
 * which no plan knows of. With ASKED=1 it says how often records were asked for.
 */
#include "runtime/orrery_run.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rating {
    int user, item;
    float value;
};

static uint64_t random_state = 88172645463325252u;

static uint64_t random_next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void ratings_fill(struct rating *r, long nnz, int users, int items) {
    for (long n = 0; n < nnz; ++n) {
        r[n].user = (int)(random_next() % (uint64_t)users);
        r[n].item = (int)(random_next() % (uint64_t)items);
        r[n].value = (float)(1 + (r[n].user * 7 + r[n].item * 3) % 5);
    }
}

static void factors_fill(float *x, long count) {
    for (long i = 0; i < count; ++i)
        x[i] = (float)(random_next() % 1000) / 1000.0f;
}

static uint64_t bits_sum(const float *x, long count) {
    uint64_t sum = 1469598103934665603u;
    for (long i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        sum = (sum ^ bits) * 1099511628211u;
    }
    return sum;
}

/* The body of the loop. */
static void step(float *restrict w, float *restrict h, float value, int K, float rate, float lambda,
                 double *loss) {
    float e = value;
    for (int k = 0; k < K; ++k)
        e -= w[k] * h[k];
    *loss += e * e;
    for (int k = 0; k < K; ++k) {
        float wk = w[k];
        w[k] += rate * (e * h[k] - lambda * wk);
        h[k] += rate * (e * wk - lambda * h[k]);
    }
}

/* ---- as emitted ----------------------------------------------------------------------------- */

struct orrery_env_0 {
    long orrery_lower;
    const struct rating *r;
    float *W;
    float *H;
    int K;
    float rate;
    float lambda;
    double *loss;
};

struct orrery_record_0 {
    int k0;
    int k1;
    float f0;
};

static void orrery_gather_0(const void *orrery_e, long orrery_i, void *orrery_p, long *orrery_keys,
                            struct orrery_span *orrery_s) {
    const struct orrery_env_0 *orrery_env = orrery_e;
    struct orrery_record_0 *orrery_r = orrery_p;
    const struct rating *r = orrery_env->r;
    long n = (long)(orrery_env->orrery_lower + orrery_i * 1);
    if (orrery_keys) {
        orrery_keys[0] = (long)(r[n].user);
        orrery_keys[1] = (long)(r[n].item);
    }
    if (orrery_r) {
        orrery_r->k0 = r[n].user;
        orrery_r->k1 = r[n].item;
        orrery_r->f0 = r[n].value;
    }
    if (orrery_s) {
        orrery_touch(&orrery_s[0], &r[n].user, sizeof r[n].user);
        orrery_touch(&orrery_s[0], &r[n].item, sizeof r[n].item);
        orrery_touch(&orrery_s[0], &r[n].value, sizeof r[n].value);
    }
}

ORRERY_GATHERS(orrery_gathers_0, orrery_gather_0, struct orrery_record_0, 2, 1)

/* Iterations that were asked for one by one, and together. */
static long asked_alone, asked_together;

static void gather_counted(const void *e, long i, void *p, long *keys, struct orrery_span *s) {
    __atomic_fetch_add(&asked_alone, 1, __ATOMIC_RELAXED);
    orrery_gather_0(e, i, p, keys, s);
}

static void gathers_counted(const void *e, long i, long n, void *p, long *keys,
                            struct orrery_span *s) {
    __atomic_fetch_add(&asked_together, n, __ATOMIC_RELAXED);
    orrery_gathers_0(e, i, n, p, keys, s);
}

static void orrery_shapes_0(const void *orrery_e, struct orrery_shape *orrery_out) {
    const struct orrery_env_0 *env = orrery_e;
    long bytes = (long)env->K * 4;
    orrery_out[0] = (struct orrery_shape){
        .base = (char *)env->W, .row_stride = bytes, .pieces = 1, .piece_bytes = bytes};
    orrery_out[1] = orrery_out[0];
    orrery_out[1].base = (char *)env->H;
}

static volatile float strayed;

static void stray(const float *W, long row, int K) {
    const char *by = getenv("STRAY");
    if (by && row < 8)
        strayed = W[(row + atol(by)) * K];
}

static void orrery_block_0(const struct orrery_block *orrery_b) {
    const struct orrery_env_0 *env = orrery_b->env;
    const struct orrery_record_0 *records = orrery_b->records;
    for (long i = orrery_b->begin; i < orrery_b->end; ++i) {
        const struct orrery_record_0 *r = &records[i];
        stray(env->W, r->k0, env->K);
        step(env->W + (size_t)r->k0 * env->K, env->H + (size_t)r->k1 * env->K, r->f0, env->K,
             env->rate, env->lambda, orrery_b->accumulators[0]);
    }
}

static void orrery_serial_0(const struct orrery_block *orrery_b) {
    const struct orrery_env_0 *env = orrery_b->env;
    for (long i = orrery_b->begin; i < orrery_b->end; ++i) {
        const struct rating *r =
            &env->r[env->orrery_lower + (orrery_b->order ? orrery_b->order[i] : i)];
        step(env->W + (size_t)r->user * env->K, env->H + (size_t)r->item * env->K, r->value, env->K,
             env->rate, env->lambda, orrery_b->accumulators[0]);
    }
}

static const struct orrery_array orrery_arrays_0[] = {
    {"W", ORRERY_RESIDENT, 0, (long)__builtin_offsetof(struct orrery_env_0, W), 1, 4, "mf.c:10", 0},
    {"H", ORRERY_ROTATING, 1, (long)__builtin_offsetof(struct orrery_env_0, H), 1, 4, "mf.c:10", 0},
};

static const struct orrery_reduction orrery_reductions_0[] = {
    {"loss", ORRERY_ADD, ORRERY_F64, 8, (long)__builtin_offsetof(struct orrery_env_0, loss), -1, 0,
     0, 0, 0, 0},
};

static const struct orrery_key_field orrery_key_fields_0[] = {
    {0, (unsigned)__builtin_offsetof(struct orrery_record_0, k0), 4, 1, 0},
    {1, (unsigned)__builtin_offsetof(struct orrery_record_0, k1), 4, 1, 0},
};

static const struct orrery_input orrery_inputs_0[] = {
    {(unsigned)__builtin_offsetof(struct orrery_env_0, orrery_lower), 8},
    {(unsigned)__builtin_offsetof(struct orrery_env_0, r), 8},
};

static struct orrery_loop orrery_loop_0 = {
    .abi = ORRERY_RUN_ABI,
    .file = "mf.c",
    .line = 6,
    .function = "main",
    .strategy = ORRERY_ROTATION,
    .by_key = 1,
    .unordered = 1,
    .ndims = 2,
    .nkeys = 2,
    .keys = {{"r[n].user", 0}, {"r[n].item", 1}},
    .seed = 42,
    .env_size = sizeof(struct orrery_env_0),
    .record_size = sizeof(struct orrery_record_0),
    .narrays = 2,
    .arrays = orrery_arrays_0,
    .nreductions = 1,
    .reductions = orrery_reductions_0,
    .nkey_fields = 2,
    .key_fields = orrery_key_fields_0,
    .nspans = 1,
    .contraction = 0,
    .relabel_ok = 1,
    .gather = gather_counted,
    .gathers = gathers_counted,
    .shapes = orrery_shapes_0,
    .block = orrery_block_0,
    .serial = orrery_serial_0,
    .ninputs = 2,
    .inputs = orrery_inputs_0,
    .lower_offset = (long)__builtin_offsetof(struct orrery_env_0, orrery_lower),
    .step = 1,
};

/* ---- the rest of the user's program ---------------------------------------------------------- */

static long argument(int argc, char **argv, int at, long otherwise) {
    return argc > at ? atol(argv[at]) : otherwise;
}

int main(int argc, char **argv) {
    int serial = argc > 1 && strcmp(argv[1], "serial") == 0;
    argc -= serial, argv += serial;
    long epochs = argument(argc, argv, 1, 4), nnz = argument(argc, argv, 2, 20000);
    int users = (int)argument(argc, argv, 3, 500), items = (int)argument(argc, argv, 4, 300);
    int K = (int)argument(argc, argv, 5, 16);
    float rate = 0.01f, lambda = 0.02f;
    struct rating *r = malloc((size_t)nnz * sizeof *r);
    float *W = malloc((size_t)users * K * sizeof *W);
    float *H = malloc((size_t)items * K * sizeof *H);
    if (!r || !W || !H)
        return 1;
    ratings_fill(r, nnz, users, items);
    factors_fill(W, (long)users * K);
    factors_fill(H, (long)items * K);
    for (long epoch = 0; epoch < epochs; ++epoch) {
        double loss = 0;
        struct orrery_env_0 env = {0, r, W, H, K, rate, lambda, &loss};
        for (long n = 0; serial && n < nnz; ++n)
            step(W + (size_t)r[n].user * K, H + (size_t)r[n].item * K, r[n].value, K, rate, lambda,
                 &loss);
        if (!serial)
            orrery_run(&orrery_loop_0, &env, nnz);
        printf("epoch %ld rmse %.4f\n", epoch, sqrt(loss / (double)nnz));
    }
    printf("model %016llx %016llx\n", (unsigned long long)bits_sum(W, (long)users * K),
           (unsigned long long)bits_sum(H, (long)items * K));
    if (getenv("ASKED"))
        printf("asked %ld alone, %ld together\n", asked_alone, asked_together);
    free(r);
    free(W);
    free(H);
    return 0;
}
