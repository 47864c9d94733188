/*
 * What relax() and buffer() mean (docs/relaxed.md), executed one row of the grid after the other:
 * the oracle of the programs here. Knows nothing of Orrery but that page.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef RULE
#define RULE 2 /* changes of several rows are added (0), averaged (1), scaled (2) */
#endif

/* One array: its elements are 'f'loat, 'd'ouble, 'i'nt, 'b'yte. `apply`: buffered, then. */
struct array {
    void *target;
    long n;
    char type;
    void (*apply)(void *element, const void *update, long i);
    char *snapshot, *rows[64];
    int *gains, *signs; /* per element: of the pass so far */
    char *hot;          /* per 64 bytes; NULL: all are merged at every merge */
    int last;           /* this is the pass's last merge */
};

static long size_of(const struct array *a) {
    return a->type == 'd' ? 8 : a->type == 'b' ? 1 : 4;
}

/* What the sum of n changes of element i counts. */
static double gain_of(struct array *a, long i, double sum, int n) {
    int sign = (sum > 0) - (sum < 0), *gain = &a->gains[i];
    *gain = sign && sign == a->signs[i] ? *gain * 2 : sign && a->signs[i] ? *gain / 4 : *gain;
    *gain = *gain < 1 ? 1 : *gain;
    while (*gain / 2 >= n)
        *gain /= 2;
    a->signs[i] = sign;
    if (a->last && a->hot && a->hot[i * size_of(a) / 64])
        return 1;
    return *gain == 1 && a->hot && !a->hot[i * size_of(a) / 64] ? 2 : *gain;
}

#define SHARED(T, sum, n)                                                                          \
    (a->type != 'f' && a->type != 'd'                          ? sum                               \
     : RULE == 1                                               ? (T)(sum / (T)n)                   \
     : RULE == 2 && (gain = gain_of(a, i, (double)sum, n)) < n ? (T)(sum / (T)n * (T)gain)         \
                                                               : sum)

/* x = value of the only row that changed it; else snapshot + what (d0 + d1 + ...) counts. */
#define MERGE(T, W)                                                                                \
    do {                                                                                           \
        T *x = (T *)a->target, *s = (T *)(void *)a->snapshot, sum = 0;                             \
        int changed = 0, by = 0;                                                                   \
        double gain = 0;                                                                           \
        for (long r = 0; r < rows; ++r) {                                                          \
            T value = ((T *)(void *)a->rows[r])[i];                                                \
            if (memcmp(&value, &s[i], sizeof value) == 0)                                          \
                continue;                                                                          \
            T d = (T)((W)value - (W)s[i]);                                                         \
            sum = changed ? (T)((W)sum + (W)d) : d;                                                \
            ++changed;                                                                             \
            by = (int)r;                                                                           \
        }                                                                                          \
        if (changed)                                                                               \
            x[i] = changed == 1 ? ((T *)(void *)a->rows[by])[i]                                    \
                                : (T)((W)s[i] + (W)SHARED(T, sum, changed));                       \
    } while (0)

/* Most changes in the 64 bytes from element i on are to elements that all rows changed. */
static int is_hot(const struct array *a, long i, long rows) {
    long size = size_of(a), changes = 0, full = 0;
    for (long k = i; k < i + 64 / size && k < a->n; ++k) {
        long n = 0;
        for (long r = 0; r < rows; ++r)
            n += memcmp(a->rows[r] + k * size, a->snapshot + k * size, (size_t)size) != 0;
        changes += n;
        full += n == rows ? n : 0;
    }
    return changes && 2 * full >= changes;
}

static void hot_find(struct array *a, long rows) {
    long per = 64 / size_of(a);
    for (long i = 0; a->hot && i < a->n; i += per)
        a->hot[i / per] = (char)is_hot(a, i, rows);
}

static void merge_element(struct array *a, long i, long rows) {
    static const char zeros[8];
    for (long r = 0; a->apply && r < rows; ++r)
        if (memcmp(a->rows[r] + i * size_of(a), zeros, (size_t)size_of(a)) != 0)
            a->apply((char *)a->target + i * size_of(a), a->rows[r] + i * size_of(a), i);
    if (a->apply)
        return;
    switch (a->type) {
    case 'f':
        MERGE(float, float);
        break;
    case 'd':
        MERGE(double, double);
        break;
    case 'i':
        MERGE(int, unsigned);
        break;
    default:
        MERGE(unsigned char, unsigned);
        break;
    }
}

/* After a merge that has left lines out only those that it took are as the array is. */
static void copies_make(struct array *a, long rows, int full) {
    size_t bytes = (size_t)(a->n * size_of(a));
    for (long i = 0; !full && i < a->n; ++i)
        for (long r = 0; r < rows && a->hot[i * size_of(a) / 64]; ++r) {
            memcpy(a->rows[r] + i * size_of(a), (char *)a->target + i * size_of(a),
                   (size_t)size_of(a));
            memcpy(a->snapshot + i * size_of(a), (char *)a->target + i * size_of(a),
                   (size_t)size_of(a));
        }
    if (!full)
        return;
    a->snapshot = a->snapshot ? a->snapshot : malloc(bytes);
    memcpy(a->snapshot, a->target, bytes);
    for (long r = 0; r < rows; ++r) {
        a->rows[r] = a->rows[r] ? a->rows[r] : malloc(bytes);
        if (a->apply)
            memset(a->rows[r], 0, bytes);
        else
            memcpy(a->rows[r], a->snapshot, bytes);
    }
}

static int is_shared(int n, const struct array *arrays) {
    for (int k = 0; k < n; ++k)
        if (!arrays[k].apply && strchr("fd", arrays[k].type) && RULE != 0)
            return 1;
    return 0;
}

/*
 * body(i, own, seen): own[k] is what array k's updates go to, seen[k] what is read of it. `steps`,
 * `iterations`: of the sync clause, 0 = not said.
 */
static void model_run(long count, long rows, long steps, long iterations, int n,
                      struct array *arrays, void (*body)(long i, void **own, void **seen)) {
    long share = (count + rows - 1) / rows;
    long most = rows == 3 || rows == 4 ? 512 : rows == 2 ? 4096 : 2048;
    long all = (share - 1) / (most / rows > 8 ? most / rows : 8) + 1 < 16 ? most / 2 : most;
    int cools = !steps && !iterations && rows > 1 && rows <= 4 && RULE != 0;
    iterations = iterations || steps || rows < 2 || !is_shared(n, arrays) ? iterations
                 : all / rows > 8                                         ? all / rows
                                                                          : 8;
    long phases = steps ? steps : iterations ? (share + iterations - 1) / iterations : 1;
    if (phases > share)
        phases = share;
    for (int k = 0; k < n; ++k) {
        arrays[k].gains = calloc((size_t)arrays[k].n, sizeof(int));
        arrays[k].signs = calloc((size_t)arrays[k].n, sizeof(int));
        for (long i = 0; i < arrays[k].n; ++i)
            arrays[k].gains[i] = phases >= 16 ? 2 : 1;
        if (cools && !arrays[k].apply && strchr("fd", arrays[k].type))
            arrays[k].hot = calloc((size_t)arrays[k].n, 1);
    }
    long least = rows > 2 ? 4 * (rows - 1) * (rows - 1) : 1, fulls[8];
    for (long phase = 0; phase < phases; ++phase) {
        for (int k = 0; k < n; ++k)
            copies_make(&arrays[k], rows, phase == 0 || fulls[k] || !arrays[k].hot);
        for (long r = 0; r < rows; ++r) {
            long low = count * r / rows, high = count * (r + 1) / rows;
            void *own[8], *seen[8];
            for (int k = 0; k < n; ++k) {
                own[k] = arrays[k].rows[r];
                seen[k] = arrays[k].apply ? arrays[k].snapshot : arrays[k].rows[r];
            }
            for (long i = low + (high - low) * phase / phases;
                 i < low + (high - low) * (phase + 1) / phases; ++i)
                body(i, own, seen);
        }
        for (int k = 0; k < n; ++k) {
            arrays[k].last = phase + 1 == phases;
            long often = count / arrays[k].n > least ? count / arrays[k].n : least;
            often = often < phases ? often : phases;
            fulls[k] = phase == 0 || phase + 1 == phases ||
                       (phase + 1) * often / phases > phase * often / phases;
            struct array *a = &arrays[k], before = *a;
            long per = 64 / size_of(a);
            for (long i = 0; i < a->n; ++i)
                if (fulls[k] || !a->hot || a->hot[i / per])
                    merge_element(a, i, rows);
            if (phase == 0)
                hot_find(&before, rows);
        }
    }
}

/* ---- data, and the verdict ---- */

static unsigned long long state = 42;

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % below;
}

static void *copy_of(const void *from, size_t bytes) {
    return memcpy(malloc(bytes), from, bytes);
}

static int bad;

static void compare(const char *name, const void *got, const void *model, size_t bytes) {
    unsigned long long hash = 14695981039346656037ULL;
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ ((const unsigned char *)got)[i]) * 1099511628211ULL;
    printf("%s %016llx\n", name, hash);
    for (size_t i = 0; i < bytes; ++i)
        if (((const char *)got)[i] != ((const char *)model)[i]) {
            printf("%s: byte %zu differs from the model\n", name, i);
            bad = 1;
            return;
        }
}
