/*
 * Rows of numbers as columns of bins: what a tree is grown on.
 */
#ifndef GBT_COLUMNS_H
#define GBT_COLUMNS_H

#include "../common/data.h"

enum { BINS = 64, PIECE = 4096 };

/*
 * Rows that learn, then rows that are held out. bin[f * rows + i]: how many of column f's `cut`s
 * are below the value; it has bins[f] of them. A column most of whose values are in one bin is
 * sparse: common[f] is that bin (else -1), and its other rows are other[p], from[f] <= p < from[f
 * + 1]; order: the columns, first the `dense` ones, which are not sparse, and the last once more.
 * What a row's present state is: its score so far, the first and second derivative of its loss,
 * and the node of the tree that it has come to; these three are counted in pieces of PIECE rows,
 * and have room for the last.
 */
struct data {
    long rows, kept, *from;
    int columns, dense, *bins, *common, *other, *order;
    unsigned char *bin;
    float (*cut)[BINS - 1];
    float *label, *score, *g, *h;
    unsigned short *node;
};

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Cuts such that about as many rows are in each bin; equal values stay together. How many bins. */
static int cut_column(const float *values, long count, float *sorted, float *cut) {
    int cuts = 0;
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    for (int b = 0; b < BINS - 1; ++b)
        if (!cuts || sorted[count * (b + 1) / BINS] > cut[cuts - 1])
            cut[cuts++] = sorted[count * (b + 1) / BINS];
    return cuts + 1;
}

/* How many of the cuts, one less than `bins`, are below the value. */
static unsigned char bin_of(const float *cut, int bins, float value) {
    int low = 0, high = bins - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (cut[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return (unsigned char)low;
}

/* Notes the rows outside of the fullest bin, when these are few. */
static void find_common(struct data *d, int f) {
    const unsigned char *bin = d->bin + f * d->rows;
    long count[BINS] = {0}, at = d->from[f];
    int most = 0;
    for (long i = 0; i < d->kept; ++i)
        ++count[bin[i]];
    for (int b = 1; b < d->bins[f]; ++b)
        most = count[b] > count[most] ? b : most;
    d->common[f] = 4 * count[most] > 3 * d->kept ? most : -1;
    if (d->common[f] >= 0)
        d->other = make(d->other, (size_t)(at + d->kept - count[most]), sizeof *d->other);
    for (long i = 0; d->common[f] >= 0 && i < d->kept; ++i)
        if (bin[i] != most)
            d->other[at++] = (int)i;
    d->from[f + 1] = at;
}

static void bin_columns(struct data *d, const struct orrery_table *t, const long *order) {
    float *column = make(NULL, (size_t)d->rows, sizeof *column);
    float *sorted = make(NULL, (size_t)d->rows, sizeof *sorted);
    for (int f = 0; f < d->columns; ++f) {
        for (long i = 0; i < d->rows; ++i)
            column[i] = t->value[order[i] * t->columns + f];
        d->bins[f] = cut_column(column, d->kept, sorted, d->cut[f]);
        for (long i = 0; i < d->rows; ++i)
            d->bin[f * d->rows + i] = bin_of(d->cut[f], d->bins[f], column[i]);
        find_common(d, f);
    }
    int p = 0;
    for (int f = 0; f < d->columns; ++f)
        if (d->common[f] < 0)
            d->order[p++] = f;
    d->dense = p;
    for (int f = 0; f < d->columns; ++f)
        if (d->common[f] >= 0)
            d->order[p++] = f;
    d->order[p] = d->order[p - 1];
    free(column);
    free(sorted);
}

/* A fraction of the rows, drawn by `seed`, is held out;
 * a label is 1 where the last column is `positive`. */
static struct data read_data(const char *path, double held_out, int seed, int positive) {
    struct orrery_table t;
    loaded(orrery_load_table(path, &t));
    if (t.rows == 0 || t.columns < 2)
        data_empty(path, "rows of numbers and a kind");
    struct data d = {.rows = t.rows, .columns = t.columns - 1};
    size_t rows = (size_t)t.rows, whole = (rows + PIECE - 1) / PIECE * PIECE;
    long *order = make(NULL, rows, sizeof *order), last = t.rows;
    for (long i = 0; i < t.rows; ++i)
        if (uniform((uint64_t)seed, (uint64_t)i) < held_out)
            order[--last] = i;
        else
            order[d.kept++] = i;
    if (d.kept == 0)
        data_empty(path, "rows to learn from");
    d.bin = make(NULL, rows * (size_t)d.columns, sizeof *d.bin);
    d.cut = make(NULL, (size_t)d.columns, sizeof *d.cut);
    d.bins = make(NULL, (size_t)d.columns, sizeof *d.bins);
    d.common = make(NULL, (size_t)d.columns, sizeof *d.common);
    d.order = make(NULL, (size_t)d.columns + 1, sizeof *d.order);
    d.from = make(NULL, (size_t)d.columns + 1, sizeof *d.from);
    d.from[0] = 0;
    bin_columns(&d, &t, order);
    d.label = make(NULL, rows, sizeof *d.label);
    for (long i = 0; i < t.rows; ++i)
        d.label[i] = t.value[order[i] * t.columns + d.columns] == (float)positive ? 1 : 0;
    d.score = memset(make(NULL, rows, sizeof *d.score), 0, rows * sizeof *d.score);
    d.g = make(NULL, whole, sizeof *d.g);
    d.h = make(NULL, whole, sizeof *d.h);
    d.node = memset(make(NULL, whole, sizeof *d.node), 0, whole * sizeof *d.node);
    free(order);
    free(t.value);
    return d;
}

static void free_data(struct data *d) {
    free(d->bin);
    free(d->cut);
    free(d->bins);
    free(d->common);
    free(d->from);
    free(d->other);
    free(d->order);
    free(d->label);
    free(d->score);
    free(d->g);
    free(d->h);
    free(d->node);
}

#endif
