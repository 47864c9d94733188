/*
 * Compressed changes (ORRERY_TOP_PERCENT, docs/relaxed.md): of what a row changed the largest part
 * is merged, the rest is kept and added to what the row changes next; the last merge of a region
 * takes all. Row by row, so that the bits depend on the grid alone.
 */
#include "runtime/env.h"
#include "runtime/merge/merge.h"

#include <math.h>
#include <string.h>

/* Of one row. `left`: what was not merged yet, as differences. `all`: that and the row's changes,
 * differences too; `mixed`: something of it was left before; `sizes`: to be sorted; both have
 * `room`. */
struct orrery_residue {
    struct orrery_changes left, all;
    bool *mixed;
    double *sizes;
    size_t room;
};

bool orrery_compresses(void) {
    return orrery_env()->top_percent < 100;
}

static bool has_fractions(enum orrery_type type) {
    return type == ORRERY_F32 || type == ORRERY_F64;
}

struct orrery_residue *orrery_residues_new(const struct orrery_reduction *what, long nrows) {
    size_t bytes = (size_t)nrows * sizeof(struct orrery_residue);
    if (!orrery_compresses() || !has_fractions(what->type))
        return NULL;
    return memset(dsm_own_alloc(bytes + 1), 0, bytes);
}

void orrery_residues_free(struct orrery_residue *residues, long nrows) {
    for (long row = 0; residues && row < nrows; ++row) {
        orrery_changes_free(&residues[row].left);
        orrery_changes_free(&residues[row].all);
        dsm_own_free(residues[row].mixed);
        dsm_own_free(residues[row].sizes);
    }
    dsm_own_free(residues);
}

static double number_at(enum orrery_type type, const char *values, size_t at) {
    float half;
    double full;
    memcpy(type == ORRERY_F32 ? (void *)&half : &full,
           values + at * (type == ORRERY_F32 ? sizeof half : sizeof full),
           type == ORRERY_F32 ? sizeof half : sizeof full);
    return type == ORRERY_F32 ? half : full;
}

/* Rounded to the element's type. */
static void number_put(enum orrery_type type, char *values, size_t at, double number) {
    float half = (float)number;
    if (type == ORRERY_F32)
        memcpy(values + at * sizeof half, &half, sizeof half);
    else
        memcpy(values + at * sizeof number, &number, sizeof number);
}

/* What is no number is larger than all that are: it is merged, and refused there. */
static double size_of(enum orrery_type type, const struct orrery_changes *changes, size_t k) {
    double number = number_at(type, changes->values, k);
    return isfinite(number) ? fabs(number) : INFINITY;
}

static double before(const struct orrery_merged *m, uint32_t at) {
    return m->what->op == ORRERY_BUFFERED ? 0 : number_at(m->what->type, m->snapshot, at);
}

/* What is left and what is new, by rising index; mixed[]: both in one. */
static void join(const struct orrery_merged *m, const struct orrery_changes *changes,
                 struct orrery_residue *residue) {
    enum orrery_type type = m->what->type;
    const struct orrery_changes *left = &residue->left;
    struct orrery_changes *all = &residue->all;
    size_t i = 0, k = 0;
    orrery_changes_reserve(all, left->count + changes->count + 1, m->what->size);
    if (residue->room < all->room) {
        residue->room = all->room;
        residue->mixed = dsm_own_realloc(residue->mixed, all->room * sizeof *residue->mixed);
        residue->sizes = dsm_own_realloc(residue->sizes, all->room * sizeof *residue->sizes);
    }
    for (all->count = 0; i < left->count || k < changes->count; ++all->count) {
        bool old = i < left->count && (k == changes->count || left->at[i] <= changes->at[k]);
        bool new = k < changes->count && (!old || changes->at[k] == left->at[i]);
        uint32_t at = old ? left->at[i] : changes->at[k];
        double sum = old ? number_at(type, left->values, i++) : 0;
        if (new)
            sum += number_at(type, changes->values, k++) - before(m, at);
        all->at[all->count] = at;
        number_put(type, all->values, all->count, sum);
        residue->mixed[all->count] = old;
    }
}

static int falling(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* The size that the `most`th largest has; in *equal: how many of just this size are taken. */
static double least_taken(enum orrery_type type, struct orrery_residue *residue, size_t most,
                          size_t *equal) {
    const struct orrery_changes *all = &residue->all;
    for (size_t k = 0; k < all->count; ++k)
        residue->sizes[k] = size_of(type, all, k);
    qsort(residue->sizes, all->count, sizeof *residue->sizes, falling);
    double least = residue->sizes[most - 1];
    *equal = 0;
    for (size_t k = most; k > 0 && residue->sizes[k - 1] == least; --k)
        ++*equal;
    return least;
}

/* A row's own value where it has it, else the snapshot and the difference. */
static void take(const struct orrery_merged *m, const struct orrery_residue *residue, size_t k,
                 const struct orrery_changes *news, struct orrery_changes *into) {
    size_t size = m->what->size, to = into->count++;
    uint32_t at = residue->all.at[k];
    into->at[to] = at;
    if (residue->mixed[k])
        number_put(m->what->type, into->values, to,
                   before(m, at) + number_at(m->what->type, residue->all.values, k));
    else
        memcpy(into->values + to * size, news->values + orrery_changes_from(news, at) * size, size);
}

static void leave(const struct orrery_merged *m, struct orrery_residue *residue, size_t k,
                  char *copy) {
    size_t size = m->what->size, to = residue->left.count++;
    uint32_t at = residue->all.at[k];
    residue->left.at[to] = at;
    memcpy(residue->left.values + to * size, residue->all.values + k * size, size);
    if (m->what->op == ORRERY_RELAXED)
        memcpy(copy + at * size, m->snapshot + at * size, size);
}

void orrery_changes_compress(const struct orrery_merged *m, long row, char *copy, bool last) {
    struct orrery_residue *residue = &m->residues[row];
    enum orrery_type type = m->what->type;
    struct orrery_changes news = m->rows[row], *taken = &m->rows[row];
    join(m, &news, residue);
    size_t n = residue->all.count, equal = n;
    size_t most = last ? n : (n * (size_t)orrery_env()->top_percent + 99) / 100;
    double least = n && !last ? least_taken(type, residue, most, &equal) : 0;
    *taken = (struct orrery_changes){0};
    orrery_changes_reserve(taken, n + 1, m->what->size);
    orrery_changes_reserve(&residue->left, n + 1, m->what->size);
    residue->left.count = 0;
    for (size_t k = 0; k < n; ++k) {
        double size = last ? INFINITY : size_of(type, &residue->all, k);
        bool wanted = size > least || (size == least && equal > 0);
        equal -= size == least && wanted;
        if (wanted)
            take(m, residue, k, &news, taken);
        else
            leave(m, residue, k, copy);
    }
    orrery_changes_free(&news);
}
