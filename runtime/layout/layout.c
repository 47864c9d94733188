#include "runtime/layout/layout.h"

#include "runtime/layout/replica.h"

#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *from, size_t bytes) {
    void *to = dsm_own_alloc(bytes + 1);
    memcpy(to, from, bytes);
    return to;
}

static size_t bitmap_bytes(long range) {
    return (size_t)(range / 64 + 1) * sizeof(uint64_t);
}

/* ---- dims ---- */

static void dim_of_keys(const struct orrery_dim *from, struct orrery_layout_dim *to) {
    long range = orrery_dim_range(from);
    to->low = range ? from->low : 0;
    to->range = range;
    to->parts = from->parts;
    to->distinct = from->distinct;
    if (!from->cuts)
        return;
    to->has_order = to->has_present = 1;
    to->order = dsm_own_alloc((size_t)(range + 1) * sizeof *to->order);
    for (long key = 0; key < range; ++key)
        to->order[from->place[key]] = (uint32_t)key;
    to->cuts = copy_of(from->cuts, (size_t)(from->parts + 1) * sizeof *to->cuts);
    to->present = copy_of(from->present, bitmap_bytes(range));
}

/* Shares of the loop variable. When it falls, the last grid row has the lowest values. */
static void dim_of_range(const struct orrery_loop *loop, const struct orrery_dim *range,
                         const struct orrery_region *region, struct orrery_layout_dim *to) {
    long count = region->count, rows = region->blocks.rows;
    const long *cuts = region->cuts;
    long step = labs(loop->step);
    to->low = range->low;
    to->range = orrery_dim_range(range);
    to->parts = rows;
    to->distinct = count;
    to->apart = step;
    to->mirrored = loop->step < 0;
    to->cuts = dsm_own_alloc((size_t)(rows + 1) * sizeof *to->cuts);
    for (long p = 0; p < rows; ++p)
        to->cuts[p] = to->mirrored ? to->range - 1 -
                                         (orrery_row_begin(cuts, count, rows - p, rows) - 1) * step
                                   : orrery_row_begin(cuts, count, p, rows) * step;
    to->cuts[rows] = to->range;
}

static uint32_t *order_of_iterations(const struct orrery_inspection *inspection,
                                     const struct orrery_loop *loop, const void *env, long count) {
    long *wide = dsm_own_alloc((size_t)(count + 1) * sizeof *wide);
    uint32_t *order = dsm_own_alloc((size_t)(count + 1) * sizeof *order);
    orrery_inspection_order(inspection, loop, env, wide);
    for (long i = 0; i < count; ++i)
        order[i] = (uint32_t)wide[i];
    dsm_own_free(wide);
    return order;
}

/* Grid row p is part p: its iterations in the order of their blocks. */
static void dim_of_iterations(const struct orrery_state *state, const void *env,
                              const struct orrery_region *region, struct orrery_layout_dim *to) {
    const struct orrery_inspection *inspection = state->inspection;
    long rows = region->blocks.rows, count = region->count;
    to->range = to->distinct = count;
    to->parts = rows;
    to->cuts = dsm_own_alloc((size_t)(rows + 1) * sizeof *to->cuts);
    for (long p = 0; p <= rows; ++p)
        to->cuts[p] = inspection ? inspection->starts[p * inspection->blocks.columns]
                                 : orrery_row_begin(region->cuts, count, p, rows);
    if (!inspection)
        return;
    if (count >= ORRERY_MOST_PLACES)
        dsm_refuse(1,
                   "%s: arrays with a row per iteration can have %ld rows, not %ld; cut the "
                   "loop into several",
                   state->where, ORRERY_MOST_PLACES, count);
    to->has_order = 1;
    to->order = order_of_iterations(inspection, state->loop, env, count);
}

static bool has_own(const struct orrery_loop *loop) {
    for (int a = 0; a < loop->narrays; ++a)
        if (loop->arrays[a].placement == ORRERY_BY_ITERATION)
            return true;
    return false;
}

void orrery_layout_dims(const struct orrery_state *state, const void *env,
                        const struct orrery_region *region,
                        struct orrery_layout_dim dims[ORRERY_LAYOUTS]) {
    memset(dims, 0, ORRERY_LAYOUTS * sizeof *dims);
    if (has_own(state->loop))
        dim_of_iterations(state, env, region, &dims[ORRERY_ITERATIONS]);
    if (state->inspection) {
        for (int d = 0; d < state->loop->ndims; ++d)
            dim_of_keys(&state->inspection->dims[d], &dims[d]);
        return;
    }
    if (state->loop->step)
        dim_of_range(state->loop, &state->ranges[0], region, &dims[0]);
}

void orrery_layout_dim_share(struct orrery_layout_dim *dim) {
    struct orrery_layout_dim mine = *dim;
    dsm_broadcast(dim, sizeof *dim);
    if (dsm_rank() != 0) {
        dim->order =
            dim->has_order ? dsm_own_alloc((size_t)(dim->range + 1) * sizeof *dim->order) : NULL;
        dim->cuts = dim->cuts ? dsm_own_alloc((size_t)(dim->parts + 1) * sizeof(long)) : NULL;
        dim->present = dim->has_present ? dsm_own_alloc(bitmap_bytes(dim->range)) : NULL;
    } else {
        *dim = mine;
    }
    if (dim->order)
        dsm_broadcast(dim->order, (size_t)dim->range * sizeof *dim->order);
    if (dim->cuts)
        dsm_broadcast(dim->cuts, (size_t)(dim->parts + 1) * sizeof(long));
    if (dim->present)
        dsm_broadcast(dim->present, bitmap_bytes(dim->range));
}

void orrery_layout_share(struct orrery_layout_dim dims[ORRERY_LAYOUTS]) {
    for (int d = 0; d < ORRERY_LAYOUTS; ++d)
        orrery_layout_dim_share(&dims[d]);
}

void orrery_layout_dim_free(struct orrery_layout_dim *dim) {
    dsm_own_free(dim->order);
    dsm_own_free(dim->cuts);
    dsm_own_free(dim->present);
    memset(dim, 0, sizeof *dim);
}

void orrery_layout_free(struct orrery_layout_dim dims[ORRERY_LAYOUTS]) {
    for (int d = 0; d < ORRERY_LAYOUTS; ++d)
        orrery_layout_dim_free(&dims[d]);
}

static bool has_row(const struct orrery_layout_dim *dim, long i) {
    if (dim->apart)
        return i % dim->apart == 0;
    return !dim->present || (dim->present[i / 64] >> (i % 64) & 1);
}

/* ---- modes ---- */

bool orrery_layout_can_view(const struct orrery_loop *loop, int a,
                            const struct orrery_shape *shape) {
    bool labels = !loop->by_key || loop->relabel_ok;
    return labels && loop->arrays[a].base_offset >= 0 && !shape->table && shape->pieces == 1 &&
           shape->row_stride == shape->piece_bytes && shape->piece_bytes > 0;
}

/* Two keys of one dim may be of two widths, and a label of one be too large for the other. */
bool orrery_layout_labels_fit(const struct orrery_loop *loop, int d, long low, long high) {
    for (int f = 0; f < loop->nkey_fields; ++f) {
        const struct orrery_key_field *field = &loop->key_fields[f];
        unsigned bits = 8 * field->size - (field->is_signed != 0);
        if (loop->keys[field->key].dim != d || bits >= 63)
            continue;
        long most = (1L << bits) - 1, least = field->is_signed ? -most - 1 : 0;
        if ((__int128)low + field->constant < least || (__int128)high + field->constant > most)
            return false;
    }
    return true;
}

/* Every rank can have all rows where they are. */
static bool rows_shared(const struct orrery_shape *shape, const struct orrery_layout_dim *dim) {
    bool shared = !shape->table || dsm_is_shared(shape->table);
    if (orrery_shape_by_pieces(shape)) {
        for (long q = 0; q < shape->pieces && shared; ++q)
            shared = dsm_is_shared(orrery_piece_address(shape, dim->low, q));
        return shared;
    }
    for (long i = 0; i < dim->range && shared; i += shape->table ? 1 : dim->range)
        if (has_row(dim, i) || !shape->table)
            shared = dsm_is_shared(orrery_row_address(shape, dim->low + i));
    return shared;
}

bool orrery_layout_is_whole(const struct orrery_state *state, int a) {
    const struct orrery_shape *shape = &state->shapes[a];
    return shape->table && !state->loop->arrays[a].written &&
           (shape->pieces < 1 || shape->piece_bytes < 1);
}

/* Entry v of the table that leads to the rows `rows` stands in row v of `holder`. */
static bool has_entries(const struct orrery_shape *holder, const struct orrery_shape *rows) {
    const long step = orrery_table_step(rows);
    const uintptr_t entry = (uintptr_t)orrery_table_entry(rows, rows->table_offset);
    const uintptr_t at = entry - (uintptr_t)orrery_row_address(holder, 0);
    return holder->pieces == 1 && holder->row_stride == step && holder->piece_bytes == step &&
           at + sizeof(char *) <= (uintptr_t)step;
}

bool orrery_layout_table_comes(const struct orrery_state *state, int a) {
    const struct orrery_loop *loop = state->loop;
    const struct orrery_shape *rows = &state->shapes[a];
    const int d = orrery_layout_of(loop, a);
    bool comes = false;
    for (int b = 0; d >= 0 && rows->table && rows->tables < 2 && b < loop->narrays && !comes; ++b)
        comes = loop->arrays[b].written && loop->arrays[b].placement != ORRERY_ALIGNED &&
                orrery_layout_of(loop, b) == d && !state->shapes[b].table &&
                state->shapes[b].base && !orrery_shape_by_pieces(rows) &&
                has_entries(&state->shapes[b], rows);
    return comes;
}

static void place_check(const struct orrery_state *state, int a,
                        const struct orrery_layout_dim *dim) {
    const struct orrery_array *array = &state->loop->arrays[a];
    const struct orrery_shape *shape = &state->shapes[a];
    if (shape->pieces < 1 || shape->piece_bytes < 1)
        dsm_refuse(1,
                   "%s: the rows of %s (%s) have no shape that could be sent; run it on one rank",
                   state->where, array->name, array->where);
    if (!rows_shared(shape, dim))
        dsm_refuse(
            1,
            "%s: %s (%s) lies in memory that only rank 0 has, and its place cannot be changed "
            "for the loop; allocate it with malloc or make it static, or run it on one rank",
            state->where, array->name, array->where);
}

/* Rows of a view are sent whole, those too that the loop does not come to. */
static void there_check(const struct orrery_state *state, int a,
                        const struct orrery_layout_dim *dim) {
    struct dsm_range home = orrery_layout_home(&state->shapes[a], dim);
    if (dim->range > 0)
        orrery_there_check(state, a, home);
}

void orrery_layout_modes(const struct orrery_state *state,
                         struct orrery_layout_dim dims[ORRERY_LAYOUTS]) {
    const struct orrery_loop *loop = state->loop;
    dims[ORRERY_ITERATIONS].mode = DSM_INPLACE;
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        long high = dims[d].low + dims[d].range - 1;
        dims[d].mode =
            orrery_layout_labels_fit(loop, d, dims[d].low, high) ? DSM_VIEW : DSM_INPLACE;
    }
    for (int a = 0; a < loop->narrays; ++a) {
        int d = orrery_layout_of(loop, a);
        if (d >= 0 && orrery_shape_exists(&state->shapes[a]) &&
            (d == ORRERY_ITERATIONS || !orrery_layout_can_view(loop, a, &state->shapes[a])))
            dims[d].mode = DSM_INPLACE;
    }
    for (int a = 0; a < loop->narrays; ++a) {
        int d = orrery_layout_of(loop, a);
        if (d < 0 || !orrery_shape_exists(&state->shapes[a]) || orrery_layout_is_whole(state, a))
            continue;
        if (!dims[d].cuts)
            dsm_refuse(1,
                       "%s: the table does not say which rows of %s (%s) an iteration uses; run it "
                       "on one rank",
                       state->where, loop->arrays[a].name, loop->arrays[a].where);
        if (dims[d].mode == DSM_INPLACE)
            place_check(state, a, &dims[d]);
        else
            there_check(state, a, &dims[d]);
    }
}

void orrery_layout_mode(const struct orrery_state *state, int a, struct orrery_layout_dim *dim) {
    bool view = !dim->order && orrery_layout_can_view(state->loop, a, &state->shapes[a]);
    dim->mode = view ? DSM_VIEW : DSM_INPLACE;
    if (view)
        there_check(state, a, dim);
    else
        place_check(state, a, dim);
}

/* ---- arrays ---- */

/* A part's first owner: of the grid row it is, or of the first row that it visits. */
static int *owners_of(const struct orrery_layout_dim *dim, int d,
                      const struct orrery_region *region) {
    int *owner = dsm_own_alloc((size_t)dim->parts * sizeof *owner);
    long first = d < 0 ? -1 : region->blocks.first[d];
    for (long p = 0; p < dim->parts; ++p) {
        long row = first >= 0      ? region->turns->home[first + p]
                   : dim->mirrored ? dim->parts - 1 - p
                                   : p;
        owner[p] = orrery_rank_of_row(row, region->blocks.rows);
    }
    return owner;
}

/* Rows behind a table, the present ones in order of places: their addresses, and the cuts. */
static void table_rows(const struct orrery_shape *shape, const struct orrery_layout_dim *dim,
                       struct dsm_layout *layout, long *cuts) {
    char **rows = dsm_own_alloc((size_t)(dim->distinct + 1) * sizeof *rows);
    long n = 0, part = 0;
    for (long i = 0; i < dim->range; ++i) {
        while (part <= dim->parts && dim->cuts[part] <= i)
            cuts[part++] = n;
        long v = dim->order ? dim->order[i] : i;
        if (has_row(dim, v) && dsm_rank() == 0)
            rows[n] = orrery_row_address(shape, dim->low + v);
        n += has_row(dim, v);
    }
    while (part <= dim->parts)
        cuts[part++] = n;
    dsm_broadcast(rows, (size_t)n * sizeof *rows);
    layout->table = rows;
    layout->nrows = n;
    layout->order = NULL;
    layout->cuts = cuts;
}

/* Behind a table of pieces: where each piece of row 0 stands. */
static void table_pieces(const struct orrery_shape *shape, const struct orrery_layout_dim *dim,
                         struct dsm_layout *layout) {
    size_t bytes = (size_t)shape->pieces * sizeof(char *);
    layout->piece_table = dsm_own_alloc(bytes);
    for (long q = 0; q < shape->pieces && dsm_rank() == 0; ++q)
        layout->piece_table[q] = orrery_piece_address(shape, dim->low, q);
    dsm_broadcast(layout->piece_table, bytes);
}

static long row_span(const struct orrery_shape *shape) {
    return (shape->pieces - 1) * shape->piece_stride + shape->piece_bytes;
}

/* `bytes` at `first` and at the same place of all rows. */
static void commit_stretch(char *first, const struct dsm_layout *layout, long bytes) {
    char *last = first + (layout->nrows - 1) * layout->row_stride;
    char *low = last < first ? last : first;
    char *high = (last > first ? last : first) + bytes;
    dsm_commit(low, (size_t)(high - low));
}

/* In place, the rows stand at their home addresses on every rank. */
static void commit_rows(const struct orrery_shape *shape, const struct dsm_layout *layout) {
    if (dsm_rank() == 0 || layout->nrows == 0)
        return;
    for (long i = 0; layout->table && i < layout->nrows; ++i)
        dsm_commit(layout->table[i], (size_t)row_span(shape));
    for (long q = 0; layout->piece_table && q < layout->pieces; ++q)
        commit_stretch(layout->piece_table[q], layout, shape->piece_bytes);
    if (!layout->table && !layout->piece_table)
        commit_stretch(layout->base, layout, row_span(shape));
}

struct dsm_array *orrery_layout_array(const struct orrery_state *state, int a,
                                      const struct orrery_region *region,
                                      const struct orrery_layout_dim *dim) {
    const struct orrery_array *array = &state->loop->arrays[a];
    const struct orrery_shape *shape = &state->shapes[a];
    int *owner = owners_of(dim, array->dim, region);
    long *cuts = dsm_own_alloc((size_t)(dim->parts + 1) * sizeof *cuts);
    struct dsm_layout layout = {.name = array->name,
                                .mode = dim->mode,
                                .nrows = dim->range,
                                .row_stride = shape->row_stride,
                                .pieces = shape->pieces,
                                .piece_bytes = shape->piece_bytes,
                                .piece_stride = shape->piece_stride,
                                .element_size = array->element_size,
                                .order = dim->order,
                                .lasting = true,
                                .nparts = (int)dim->parts,
                                .cuts = dim->cuts,
                                .owner = owner,
                                .written = array->written != 0,
                                .travels = array->dim == 1};
    if (orrery_shape_by_pieces(shape))
        table_pieces(shape, dim, &layout);
    else if (shape->table)
        table_rows(shape, dim, &layout, cuts);
    else
        layout.base = shape->base + shape->row_offset + dim->low * shape->row_stride;
    if (dim->mode == DSM_INPLACE)
        commit_rows(shape, &layout);
    struct dsm_array *made = dsm_array_new(&layout);
    dsm_own_free(owner);
    dsm_own_free(cuts);
    dsm_own_free(layout.table);
    dsm_own_free(layout.piece_table);
    return made;
}

char *orrery_layout_base(const struct orrery_shape *shape, const struct orrery_layout_dim *dim,
                         const struct dsm_array *array) {
    uintptr_t base = (uintptr_t)dsm_array_base(array);
    return (char *)(base - (uintptr_t)shape->row_offset -
                    (uintptr_t)dim->low * (uintptr_t)shape->row_stride);
}

static void home_add(struct dsm_range *home, const char *low, long bytes) {
    home->low = low < home->low ? low : home->low;
    home->high = low + bytes > home->high ? low + bytes : home->high;
}

bool orrery_layout_has(const struct orrery_shape *shape, const struct orrery_layout_dim *dim,
                       struct dsm_range range) {
    for (long i = 0; shape->table && i < dim->range; ++i) {
        const char *row = has_row(dim, i) ? orrery_row_address(shape, dim->low + i) : NULL;
        if (row && row < range.high && range.low < row + row_span(shape))
            return true;
    }
    return !shape->table;
}

struct dsm_range orrery_layout_home(const struct orrery_shape *shape,
                                    const struct orrery_layout_dim *dim) {
    struct dsm_range home = {(const char *)UINTPTR_MAX, NULL};
    bool by_pieces = orrery_shape_by_pieces(shape);
    for (long q = 0; by_pieces && dim->range > 0 && q < shape->pieces; ++q) {
        home_add(&home, orrery_piece_address(shape, dim->low, q), shape->piece_bytes);
        home_add(&home, orrery_piece_address(shape, dim->low + dim->range - 1, q),
                 shape->piece_bytes);
    }
    if (by_pieces)
        return home;
    long stride = shape->table || dim->range < 2 ? 1 : dim->range - 1;
    for (long i = 0; i < dim->range; i += stride) {
        if (shape->table && !has_row(dim, i))
            continue;
        home_add(&home, orrery_row_address(shape, dim->low + i), row_span(shape));
    }
    return home;
}
