/* See recorder_cells.h. */
#include "recorder_cells.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14 };

/*
 * What one iteration did to one cell, by bytes. `exposed`: read or folded before this iteration
 * wrote it, so that a fold of what the iteration itself has set is its own; `fold`: touched as part
 * of a fold, with the operator of `ops` (0: of several).
 */
struct visit {
    int iteration, next;
    uint8_t read, written, exposed, fold;
    char ops[8];
};

struct cell {
    uintptr_t at;
    int visits, next;
};

static struct {
    int heads[BUCKETS];
    struct cell *cells;
    struct visit *visits;
    int ncells, nvisits, most_cells, most_visits;
} all;

void cells_clear(void) {
    memset(all.heads, -1, sizeof all.heads);
    all.ncells = all.nvisits = 0;
}

/* `*items` with room for one more. */
static void *room(void *items, int count, int *most, size_t size) {
    if (count < *most)
        return items;
    *most = *most ? *most * 2 : 1 << 12;
    void *grown = realloc(items, (size_t)*most * size);
    if (!grown)
        abort();
    return grown;
}

static struct cell *cell_at(uintptr_t at) {
    int *head = &all.heads[(at / 8 * UINT64_C(0x9e3779b97f4a7c15)) >> 50];
    for (int i = *head; i >= 0; i = all.cells[i].next)
        if (all.cells[i].at == at)
            return &all.cells[i];
    all.cells = room(all.cells, all.ncells, &all.most_cells, sizeof *all.cells);
    all.cells[all.ncells] = (struct cell){at, -1, *head};
    *head = all.ncells;
    return &all.cells[all.ncells++];
}

static struct visit *visit_of(struct cell *cell, int iteration) {
    if (cell->visits >= 0 && all.visits[cell->visits].iteration == iteration)
        return &all.visits[cell->visits];
    all.visits = room(all.visits, all.nvisits, &all.most_visits, sizeof *all.visits);
    all.visits[all.nvisits] = (struct visit){.iteration = iteration, .next = cell->visits};
    cell->visits = all.nvisits;
    return &all.visits[all.nvisits++];
}

static void touch_cell(uintptr_t at, uint8_t bytes, int iteration, int write, char op) {
    struct visit *one = visit_of(cell_at(at), iteration);
    if (!write || op)
        one->exposed |= bytes & (uint8_t)~one->written;
    if (op) {
        for (int i = 0; i < 8; ++i)
            if (bytes >> i & 1)
                one->ops[i] = one->fold >> i & 1 && one->ops[i] != op ? 0 : op;
        one->fold |= bytes;
    } else if (write) {
        one->written |= bytes;
    } else {
        one->read |= bytes;
    }
}

void cells_touch(uintptr_t at, size_t size, int iteration, int write, char op) {
    uintptr_t end = at + size;
    for (uintptr_t base = at & ~(uintptr_t)7; base < end; base += 8) {
        unsigned first = base < at ? (unsigned)(at - base) : 0;
        unsigned last = end - base < 8 ? (unsigned)(end - base) : 8;
        touch_cell(base, (uint8_t)((1u << last) - (1u << first)), iteration, write, op);
    }
}

/* ---- judging ---- */

/* Bytes in which two visits conflict; `folds`: those where both only fold, alike. */
static uint8_t clash(const struct visit *a, const struct visit *b, uint8_t *folds) {
    uint8_t wa = a->written | a->fold, wb = b->written | b->fold;
    uint8_t bytes = (uint8_t)((wa & (b->read | wb)) | (wb & (a->read | wa)));
    uint8_t only_a = a->fold & (uint8_t)~(a->read | a->written);
    uint8_t only_b = b->fold & (uint8_t)~(b->read | b->written);
    *folds = (uint8_t)(bytes & only_a & only_b);
    for (int i = 0; i < 8; ++i)
        if (!a->ops[i] || a->ops[i] != b->ops[i])
            *folds &= (uint8_t)~(1u << i);
    return bytes;
}

/* Bytes that no iteration reads before it writes them, and every visit of which writes. */
static uint8_t never_exposed(const struct cell *cell) {
    uint8_t exposed = 0;
    for (int i = cell->visits; i >= 0; i = all.visits[i].next)
        exposed |= all.visits[i].exposed;
    return (uint8_t)~exposed;
}

static uintptr_t place_of(const struct cell *cell, uint8_t bytes) {
    return cell->at + (uintptr_t)__builtin_ctz(bytes);
}

/* Those of the bytes `folds` that the claim calls a reduction. */
static uint8_t claimed_folds(const struct cell *cell, const struct visit *visit, uint8_t folds,
                             const struct smith_judge *judge) {
    uint8_t claimed = 0;
    for (int i = 0; i < 8; ++i)
        if (folds >> i & 1 && judge->is_reduction(cell->at + (uintptr_t)i, visit->ops[i]))
            claimed |= (uint8_t)(1u << i);
    return claimed;
}

static int breach_of(const struct cell *cell, const struct smith_step *steps,
                     const struct smith_judge *judge, struct smith_meeting *met) {
    uint8_t unexposed = never_exposed(cell);
    for (int i = cell->visits; i >= 0; i = all.visits[i].next)
        for (int j = all.visits[i].next; j >= 0; j = all.visits[j].next) {
            const struct visit *a = &all.visits[i], *b = &all.visits[j];
            uint8_t folds, bytes = clash(a, b, &folds);
            bytes &= (uint8_t)~claimed_folds(cell, a, folds, judge);
            if (bytes & unexposed && judge->is_private(place_of(cell, bytes & unexposed)))
                bytes &= (uint8_t)~unexposed;
            if (!bytes || judge->is_kept(&steps[a->iteration], &steps[b->iteration]))
                continue;
            *met = (struct smith_meeting){b->iteration, a->iteration, place_of(cell, bytes)};
            return 1;
        }
    return 0;
}

int cells_breach(const struct smith_step *steps, const struct smith_judge *judge,
                 struct smith_meeting *met) {
    for (int i = 0; i < all.ncells; ++i)
        if (breach_of(&all.cells[i], steps, judge, met))
            return 1;
    return 0;
}

/*
 * What is left of the ways to run the loop. `cover`: bit k * MOST_KEYS + l: every conflict so far
 * is between iterations that share key k or key l.
 */
struct ways {
    int conflicts, private, folds;
    uint64_t cover;
};

static uint64_t cover_of(const struct smith_step *a, const struct smith_step *b) {
    uint64_t cover = 0;
    for (int k = 0; k < a->nkeys; ++k)
        for (int l = 0; l < a->nkeys; ++l)
            if (a->keys[k] == b->keys[k] || a->keys[l] == b->keys[l])
                cover |= UINT64_C(1) << (k * SMITH_MOST_KEYS + l);
    return cover;
}

static void consider(const struct cell *cell, const struct smith_step *steps, struct ways *ways) {
    uint8_t unexposed = never_exposed(cell);
    for (int i = cell->visits; i >= 0; i = all.visits[i].next)
        for (int j = all.visits[i].next; j >= 0; j = all.visits[j].next) {
            const struct visit *a = &all.visits[i], *b = &all.visits[j];
            uint8_t folds, bytes = clash(a, b, &folds);
            uint64_t cover = bytes ? cover_of(&steps[a->iteration], &steps[b->iteration]) : 0;
            ways->folds |= folds != 0;
            ways->private |= (bytes & unexposed) != 0;
            if (bytes & (uint8_t)~(folds | unexposed)) {
                ways->conflicts = 1;
                ways->cover &= cover;
            }
        }
}

const char *cells_could(const struct smith_step *steps, int unordered) {
    struct ways ways = {.cover = ~UINT64_C(0)};
    for (int i = 0; i < all.ncells; ++i)
        consider(&all.cells[i], steps, &ways);
    if (!ways.conflicts)
        return ways.folds ? "reduction" : ways.private ? "private" : "independent";
    for (int k = 0; k < SMITH_MOST_KEYS; ++k)
        if (ways.cover >> (k * (SMITH_MOST_KEYS + 1)) & 1)
            return "one-key";
    return unordered && ways.cover ? "two-keys" : "serial";
}
