/* The loaders: the first byte says which, the rest is the file. What they accept has to keep what
 * orrery.h says of it. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include "include/orrery.h"
#include "runtime/load/load.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void hold(bool what) {
    if (!what)
        abort();
}

static bool below(int id, long size) {
    return id >= 0 && id < size;
}

static void ratings(const char *path) {
    struct orrery_ratings got;
    if (orrery_load_ratings(path, &got) != 0)
        return;
    for (long n = 0; n < got.count; ++n)
        hold(below(got.entry[n].row, got.rows) && below(got.entry[n].column, got.columns));
    free(got.entry);
}

static void tensor(const char *path) {
    struct orrery_tensor got;
    if (orrery_load_tensor(path, &got) != 0)
        return;
    for (long n = 0; n < got.count * got.ways; ++n)
        hold(below(got.index[n], got.size[n % got.ways]));
    free(got.index);
    free(got.value);
}

static void examples(const char *path) {
    struct orrery_examples got;
    if (orrery_load_examples(path, &got) != 0)
        return;
    hold(got.start[0] == 0 && got.start[got.count] == got.entries);
    for (long n = 0; n < got.count; ++n)
        for (long p = got.start[n]; p < got.start[n + 1]; ++p)
            hold(below(got.feature[p], got.features) &&
                 (p == got.start[n] || got.feature[p] > got.feature[p - 1]));
    orrery_free_examples(&got);
}

static void bags(const char *path) {
    struct orrery_bags got;
    if (orrery_load_bags(path, &got) != 0)
        return;
    for (long n = 0; n < got.entries; ++n)
        hold(below(got.entry[n].document, got.documents) && below(got.entry[n].word, got.words) &&
             got.entry[n].count > 0);
    free(got.entry);
}

static void table(const char *path) {
    struct orrery_table got;
    if (orrery_load_table(path, &got) != 0)
        return;
    hold(got.rows == 0 || got.columns > 0);
    for (long n = 0; n < got.rows * got.columns; ++n)
        hold(isfinite(got.value[n]));
    free(got.value);
}

static void npy(const char *path) {
    struct orrery_npy got;
    if (orrery_load_npy(path, &got) != 0)
        return;
    long count = 1;
    for (int d = 0; d < got.dims; ++d)
        count *= got.shape[d];
    hold(count == got.count);
    free(got.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const loaders[])(const char *) = {ratings, tensor, examples, bags, table, npy};
    char path[64];
    if (size == 0)
        return 0;
    int file = memfd_create("data", 0);
    if (file < 0 || write(file, data + 1, size - 1) != (ssize_t)size - 1)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    load_piece_bytes = 1 + data[0] / 6;
    loaders[data[0] % 6](path);
    close(file);
    return 0;
}
