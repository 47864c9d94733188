/* Which of two dims should be the one that stays: that of the arrays that weigh more. */
#include "analyzer/analyzer.h"
#include "scheduler/plan/parts.h"

const struct row_shape *plan_shape_along(const struct array_use *use, int dim) {
    for (int i = 0; dim >= 0 && i < use->nshapes; ++i)
        if (use->shapes[i].dim == dim && use->shapes[i].partner == -1)
            return &use->shapes[i];
    return NULL;
}

/* Bytes of a row as a number, when all of it is one. */
static bool row_bytes(const struct row_shape *shape, long *bytes) {
    long pieces, piece;
    return !shape->by_table && shape_number(shape->pieces, &pieces) &&
           shape_number(shape->piece_bytes, &piece) &&
           !__builtin_mul_overflow(pieces, piece, bytes);
}

/* What is known of the written arrays that lie along one dim. */
struct weight {
    bool sized;     /* total of their sizes is a number */
    long total;     /* bytes */
    bool row_sized; /* bytes of one key's rows are a number */
    long row;
    long key_bytes; /* width of the key's type, 0 = unknown */
    int arrays;
};

static void weigh_array(struct weight *w, const struct object *object,
                        const struct row_shape *shape) {
    long size = 0, extent, stride, bytes = 0;
    bool sized = shape_number(object->size_text, &size) ||
                 (object->ndims > 0 && shape_number(object->dims[0].extent_text, &extent) &&
                  shape_number(object->dims[0].stride_text, &stride) &&
                  !__builtin_mul_overflow(extent, stride, &size));
    w->sized = w->sized && sized && !__builtin_add_overflow(w->total, size, &w->total);
    w->row_sized =
        w->row_sized && row_bytes(shape, &bytes) && !__builtin_add_overflow(w->row, bytes, &w->row);
    ++w->arrays;
}

static struct weight weigh(const struct analysis *analysis, int dim) {
    struct weight w = {.sized = true, .row_sized = true};
    for (int i = 0; i < analysis->narrays; ++i) {
        const struct array_use *use = &analysis->arrays[i];
        const struct row_shape *shape = plan_shape_along(use, dim);
        if (shape && plan_is_written(analysis->facts, use->object))
            weigh_array(&w, use->object, shape);
    }
    const struct symbol *key = analysis->dims[dim].symbol;
    w.key_bytes = key->expr && key->expr->type ? key->expr->type->size : 0;
    w.sized = w.sized && w.arrays > 0;
    w.row_sized = w.row_sized && w.arrays > 0;
    return w;
}

static int compare(long a, long b) {
    return a > b ? -1 : a < b;
}

/*
 * The heavier side stays. Known sizes decide; else the wider key type (it can tell more rows
 * apart), else the bytes of one key's rows, else the number of arrays; else the key used first.
 */
int plan_weigh(const struct analysis *analysis, int a, int b) {
    struct weight x = weigh(analysis, a), y = weigh(analysis, b);
    if (x.sized && y.sized && x.total != y.total)
        return compare(x.total, y.total);
    if (x.key_bytes > 0 && y.key_bytes > 0 && x.key_bytes != y.key_bytes)
        return compare(x.key_bytes, y.key_bytes);
    if (x.row_sized && y.row_sized && x.row != y.row)
        return compare(x.row, y.row);
    return compare(x.arrays, y.arrays);
}
