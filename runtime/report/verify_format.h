/*
 * The file of ORRERY_VERIFY: what every parallel region left behind, in the user's order. Written
 * by the runtime (verify.c), read by `orrery verify`. Numbers are the machine's own; both sides run
 * on one machine.
 *
 *   file   = magic, then regions
 *   region = struct orrery_verify_region, file name (name_bytes), items
 *   item   = struct orrery_verify_item, name (name_bytes), data (data_bytes), keys (keys_bytes)
 *
 * An array's data are its rows in rising order of the key, those with an iteration only; an array
 * that is not cut, and a reduction, is one row. Behind the data of an array some of whose rows have
 * no iteration: a bit per key from `low` on, of those that have (keys_bytes).
 */
#ifndef ORRERY_RUNTIME_VERIFY_FORMAT_H
#define ORRERY_RUNTIME_VERIFY_FORMAT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORRERY_VERIFY_MAGIC "orrery-verify/3\n"

enum { ORRERY_VERIFY_MAGIC_BYTES = 16 };

/* Head of a record: one pass of a region, or what stood between two. */
struct orrery_verify_region {
    uint32_t line;        /* of the loop */
    uint32_t contraction; /* compiled so that a replay of the serial text need not be bit-equal */
    uint32_t nitems, name_bytes;              /* items that follow; length of the loop's name */
    uint64_t pass, iterations, rows, columns; /* number of the pass; of the loop; of its grid */
    uint32_t
        between;    /* what the program does not see: sums of a pass that others follow, or, when */
    uint32_t merge; /* this counts from 1, what a merge left before the last one of the pass;
                     * served arrays have no such records */
    uint32_t automatic; /* nobody marked the loop */
    uint32_t unused;    /* 0: fills the last word */
};

enum orrery_verify_kind { ORRERY_VERIFY_ARRAY, ORRERY_VERIFY_REDUCTION };

/* An array or a reduction of a record. */
struct orrery_verify_item {
    uint32_t kind;         /* enum orrery_verify_kind */
    uint32_t unknown;      /* the object's size is not known and nothing was recorded */
    uint32_t floating;     /* folded per row, so equals the serial sum within rounding only */
    uint32_t change;       /* the data are what the region changed, not what it left */
    uint32_t merged;       /* relaxed or buffered: a replay merges it at the same points, or late */
    uint32_t name_bytes;   /* of the name that follows */
    uint64_t element_size; /* bytes */
    uint64_t row_bytes;    /* of one row in the data, 0 when rows differ in length */
    uint64_t data_bytes, keys_bytes; /* of the data and the keys that follow the name */
    int64_t low;                     /* the key of the first row */
};

/* One region read back. names and data are malloc'd; free with orrery_verify_free. */
struct orrery_verify_record {
    struct orrery_verify_region region;
    char *file;
    struct orrery_verify_item *items;
    char **names;
    char **data;
    char **keys;
};

static inline void orrery_verify_free(struct orrery_verify_record *record) {
    for (uint32_t i = 0; i < record->region.nitems; ++i) {
        free(record->names ? record->names[i] : NULL);
        free(record->data ? record->data[i] : NULL);
        free(record->keys ? record->keys[i] : NULL);
    }
    free(record->file);
    free(record->items);
    free(record->names);
    free(record->data);
    free(record->keys);
    memset(record, 0, sizeof *record);
}

/* 0, or -1 when the file does not begin as one of these. */
static inline int orrery_verify_begin(FILE *in) {
    char magic[ORRERY_VERIFY_MAGIC_BYTES];
    return fread(magic, sizeof magic, 1, in) == 1 &&
                   memcmp(magic, ORRERY_VERIFY_MAGIC, sizeof magic) == 0
               ? 0
               : -1;
}

/* `bytes` bytes with a NUL after them; NULL when the file ends before. */
static inline char *orrery_verify_bytes(FILE *in, uint64_t bytes) {
    char *to = malloc((size_t)bytes + 1);
    if (to && (bytes == 0 || fread(to, (size_t)bytes, 1, in) == 1)) {
        to[bytes] = 0;
        return to;
    }
    free(to);
    return NULL;
}

static inline int orrery_verify_read_item(FILE *in, struct orrery_verify_record *out, uint32_t i) {
    if (fread(&out->items[i], sizeof out->items[i], 1, in) != 1)
        return -1;
    out->names[i] = orrery_verify_bytes(in, out->items[i].name_bytes);
    out->data[i] = out->names[i] ? orrery_verify_bytes(in, out->items[i].data_bytes) : NULL;
    out->keys[i] = out->data[i] ? orrery_verify_bytes(in, out->items[i].keys_bytes) : NULL;
    return out->keys[i] ? 0 : -1;
}

/* 1: a region was read; 0: the file is at its end; -1: it is cut short or memory is out. */
static inline int orrery_verify_next(FILE *in, struct orrery_verify_record *out) {
    memset(out, 0, sizeof *out);
    size_t got = fread(&out->region, 1, sizeof out->region, in);
    if (got == 0)
        return 0;
    uint32_t n = out->region.nitems;
    if (got == sizeof out->region &&
        (out->file = orrery_verify_bytes(in, out->region.name_bytes))) {
        out->items = calloc(n + 1, sizeof *out->items);
        out->names = calloc(n + 1, sizeof *out->names);
        out->data = calloc(n + 1, sizeof *out->data);
        out->keys = calloc(n + 1, sizeof *out->keys);
        uint32_t i = 0;
        while (out->items && out->names && out->data && out->keys && i < n &&
               orrery_verify_read_item(in, out, i) == 0)
            ++i;
        if (i == n)
            return 1;
    }
    if (!out->items || !out->names || !out->data || !out->keys)
        out->region.nitems = 0;
    orrery_verify_free(out);
    return -1;
}

#endif
