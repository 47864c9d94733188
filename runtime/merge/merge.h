/*
 * Relaxed and buffered arrays (docs/relaxed.md): copies that rows of the grid work on, and their
 * merging at fixed points of a region. What is merged, and in which order, follows from the grid:
 * the same bits for any number of workers and ranks.
 *
 * A row works on its own copy, which starts as the *snapshot*: the target as the last merge left
 * it. At a merge every row says which elements it *changed*; rank 0 goes over the rows in order and
 * writes target and snapshot, and what came out goes back into all copies.
 */
#ifndef ORRERY_RUNTIME_MERGE_H
#define ORRERY_RUNTIME_MERGE_H

#include "runtime/region/region.h"

/* Elements that one row changed, indices rising:
 * a relaxed one's new values, a buffered one's sums. */
struct orrery_changes {
    size_t count, room;
    uint32_t *at;
    char *values;
};

/* How the largest change of a pass has developed. */
struct orrery_growth {
    double least, before; /* of all passes, of the last one; 0: none yet */
    int rising;           /* passes in a row that had a larger one than the pass before */
    bool said;
};

/* One relaxed or buffered array, or what this rank has of a served one (docs/served.md). */
struct orrery_merged {
    const struct orrery_reduction *what; /* the loop's own words of it */
    const struct orrery_merging *how;    /* the table's row of it */
    int reduction;                       /* its number */
    /* a copy per worker, in whose lines the body leaves marks, and whose changes are taken out when
     * a row's block ends; else a copy per row */
    bool few;
    bool lines;      /* merged from all copies into all copies, without lists of changes */
    size_t n, first; /* elements; served: element 0 is number `first` of the array */
    size_t bytes;    /* of a copy */
    size_t stride;   /* ... to the next one */
    long ncopies;    /* of `copies` */
    char *copies;    /* one after the other, `stride` bytes apart */
    /* marks of a copy, to the next one's: first `nfront` of ORRERY_MARKED lines each, then those of
     * lines */
    size_t nmarks, nfront;
    _Bool *marks;                 /* of copies; NULL: the body does not mark */
    char *snapshot;               /* as the last merge left it; with `lines` the target */
    char *target;                 /* the program's, rank 0 */
    struct orrery_changes *rows;  /* per row; on rank 0 other ranks', too */
    struct orrery_changes result; /* what came out of a merge, in no order */
    uint32_t *counts;             /* of `result`, per element listed there: rows that changed it */
    size_t counts_room;           /* of `counts` */
    uint32_t *slots; /* rank 0, per element: its place in `result`, see orrery_part_find */
    uint8_t *gains;  /* rank 0, of ORRERY_RULE_SCALE: per element, see gain_next */
    bool cools;      /* only some merges take lines that are not hot (merge_hot.c) */
    bool hot_only;   /* ... and this one does not */
    bool last;       /* the pass's last merge */
    size_t nhot;     /* of `hot` */
    uint32_t *hot;   /* lines, rising, since the pass's first merge */
    bool *is_hot;    /* rank 0, per line */
    double most;     /* rank 0: the largest change of a merge in this pass */
    struct orrery_growth growth; /* rank 0 */
    bool alone; /* one row on one rank: it works on the target, nothing is merged */
};

/* What a rank and a state have for all merged arrays of a loop. */
struct orrery_merge {
    const struct orrery_loop *loop; /* whose arrays these are */
    long row_low, row_high, nrows;  /* this rank's rows, and all */
    unsigned long epoch;            /* of the dealing of rows */
    long phases;                    /* parts of a pass, a merge after each */
    uint64_t sent, back;  /* bytes of changes so far: found, and told again (for profiles) */
    int narrays, workers; /* of `arrays`; of this rank */
    bool serves;          /* what can be served is not among the arrays */
    struct orrery_merged *arrays; /* one for each that is relaxed or buffered */
    void **snapshots;             /* per reduction, as blocks want them */
    _Bool **marks;                /* per row and reduction, the same */
};

/* Bytes of all that a row has a copy of for itself. */
size_t orrery_merge_row_bytes(const struct orrery_state *state);

/* Rows that have copies of their own though these are large: so many, of so many bytes together. */
enum { ORRERY_FEW_ROWS = 4, ORRERY_FEW_ROWS_BYTES = 64 << 20 };

/* Are there copies that would not fit caches, of which iterations change little here and there? Then
 * merges of many rows take longer than the iterations: two are faster on up to about eight cores. */
bool orrery_merge_wants_few(const struct orrery_state *state);

/* How many copies of what reduction j merges a rank has at most. */
long orrery_merge_copies(const struct orrery_state *state, int j);

/* Makes what is needed of a region whose copies are made; NULL: nothing is merged. Every rank. */
struct orrery_merge *orrery_merge_prepare(struct orrery_region *region, struct orrery_state *state);

/* Rank 0, before others hear of the region: what is merged, and what `apply` touches, is there and
 * no other array's. */
void orrery_merge_check(const struct orrery_state *state, const void *env);

/* Copies become what the snapshots (copies->starts) are, where they are `here`. */
void orrery_merge_start(struct orrery_region *region, bool here);

/* Fills in what the block's body needs of its row. */
void orrery_merge_block(const struct orrery_region *region, struct orrery_block *block);

/* Row `row` has run its block of this phase. Its worker. */
void orrery_merge_row_done(const struct orrery_region *region, long row);

/* Collective, between phases and after the last. */
void orrery_merge_all(struct orrery_region *region, bool last);

/* Does the snapshot of reduction j have memory of its own? Where rows have copies, and one rank
 * merges them line by line, the target itself stays as the last merge left it. */
bool orrery_merge_snaps(const struct orrery_region *region, int j);

/* Has the body left marks in this phase? Where only some merges take cold lines, in the pass's first
 * one: what is hot is found by them. */
bool orrery_merged_has_marks(const struct orrery_region *region, const struct orrery_merged *m);

/* Bytes of the copies and marks. */
size_t orrery_merge_bytes(const struct orrery_merge *merge);

/* What row `row` changed of its copy: listed in m->rows,
 * and taken back out of copies that are few. */
void orrery_merged_find(const struct orrery_region *region, const struct orrery_merged *m,
                        long row);

/* How many marks of lines and of ORRERY_MARKED lines a copy of so many bytes needs. */
void orrery_merged_marks(struct orrery_merged *m, size_t bytes);

/* The marks of copy number `slot` as the body wants them; NULL: none. */
_Bool *orrery_merged_marks_at(const struct orrery_merged *m, long slot);

/* ---- merge_fold.c: target, snapshot and `result` on rank 0, of which others send the changes - */
void orrery_merge_fold(struct orrery_region *region, bool last);

/* One array's, whose rows' changes are here. Any rank. */
void orrery_merge_array(struct orrery_region *region, struct orrery_merged *m);

/* Ends the run: `row` made element `bad` what is no number. */
void orrery_merge_refuse(const struct orrery_region *region, const struct orrery_merged *m,
                         size_t bad, long row, const char *what);

/* ---- merge_hot.c ---- */

/* Are there merges that only take hot lines of what reduction j merges? */
bool orrery_merge_cools(const struct orrery_loop *loop, int j, size_t bytes,
                        const struct orrery_blocks *blocks);
bool orrery_merge_is_full(const struct orrery_region *region, const struct orrery_merged *m,
                          bool last);

/* Of `changes` in a line `full` were to elements that all rows changed. */
static inline bool orrery_is_hot(uint64_t changes, uint64_t full) {
    return changes > 0 && 2 * full >= changes;
}

/* Is the element at byte `at` in a line that seldom is merged? Twice the mean of few rows' changes
 * goes at most as far too far as it had to go: that cannot diverge. */
static inline bool orrery_is_cold(const struct orrery_merged *m, size_t at) {
    return m->cools && !m->is_hot[at / ORRERY_MARKED];
}

/* What a pass leaves of a hot element is the mean of the rows' models: a step too far, which the next
 * iterations would take back, would remain. */
static inline bool orrery_takes_mean(const struct orrery_merged *m, size_t at) {
    return m->last && m->cools && m->is_hot[at / ORRERY_MARKED];
}

void orrery_hot_make(struct orrery_merged *m);
void orrery_hot_start(struct orrery_merged *m);
void orrery_hot_list(struct orrery_merged *m);
void orrery_hot_judge(struct orrery_merged *m, long nrows);
void orrery_hot_share(struct orrery_merged *m);

/* ---- merge_lines.c: one array that has `lines` ---- */
void orrery_merge_lines(struct orrery_region *region, struct orrery_merged *m, bool last);

/* Rank 0, when a pass is over: says once when changes grow from pass to pass. */
void orrery_growth_look(const struct orrery_region *region, struct orrery_merged *m);

/* ---- merge_type.c: by the elements' type ---- */

/* Appends the elements of [low, high) in which `copy` and `snapshot` differ in a bit; without a
 * snapshot those that are not 0. */
void orrery_changes_find(const struct orrery_reduction *what, const char *copy,
                         const char *snapshot, size_t low, size_t high,
                         struct orrery_changes *changes);

/* A worker's part of `result`: [begin, end). */
struct orrery_part {
    size_t begin, end;
};

/* Where element i is listed in a part; its end: not yet. A slot may hold anything that an earlier
 * merge left, so that nothing is cleared (Briggs and Torczon, LOPLAS 2, 1993). */
static inline size_t orrery_part_find(const struct orrery_merged *m, const struct orrery_part *part,
                                      uint32_t i) {
    size_t at = part->begin + m->slots[i];
    return at < part->end && m->result.at[at] == i ? at : part->end;
}

/* Lists element i at the part's end. */
static inline void orrery_part_push(struct orrery_merged *m, struct orrery_part *part, uint32_t i) {
    m->slots[i] = (uint32_t)(part->end - part->begin);
    m->counts[part->end] = 1;
    m->result.at[part->end++] = i;
}

/* Adds changes [from, to) to the part, whose elements belong to it alone. */
void orrery_changes_add(struct orrery_merged *merged, const struct orrery_changes *changes,
                        size_t from, size_t to, struct orrery_part *part);

/* What came of the part's elements: into the target, the snapshot and the list. The largest change
 * of an element that has real numbers, else 0. */
double orrery_changes_finish(struct orrery_merged *merged, const struct orrery_part *part);

/* The index of the first of changes [from, to) that is not finite where the element was, else of
 * the first that is larger than ORRERY_MOST_CHANGE; SIZE_MAX. */
size_t orrery_changes_bad(const struct orrery_merged *merged, const struct orrery_changes *changes,
                          size_t from, size_t to);

/* Is the change of element `at`, which is among them, a number? */
bool orrery_changes_finite(const struct orrery_merged *merged, const struct orrery_changes *changes,
                           size_t at);

void orrery_changes_free(struct orrery_changes *changes);

/* Room for so many. */
void orrery_changes_reserve(struct orrery_changes *changes, size_t count, size_t size);

/* First of the changes whose index is at least `low`. */
size_t orrery_changes_from(const struct orrery_changes *changes, size_t low);

#endif
