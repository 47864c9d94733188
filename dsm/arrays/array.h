/* The inside of an array (docs/dsm-protocol.md has its states and what moves them). */
#ifndef ORRERY_DSM_ARRAY_H
#define ORRERY_DSM_ARRAY_H

#include "dsm/base/internal.h"

enum dsm_home { DSM_HOME_OWN, DSM_HOME_SHARED, DSM_HOME_LENT, DSM_HOME_OWED };

enum dsm_part_state { DSM_PART_ABSENT, DSM_PART_ARRIVING, DSM_PART_PRESENT, DSM_PART_KEPT };

/*
 * `layout`: copied, all that it points to included. `row_bytes`: of a packed row. With one rank
 * (`alone`) nothing below is used. VIEW: `view`, and `uses`, per page how many parts of this rank
 * need it. `resting`: per part, it is present but not in `uses` (dsm_part_rest). `states`: enum
 * dsm_part_state per part on this rank; a part that is leaving is absent
 * here and counts in `uses` until it has left; of one that is kept this rank has rows that nobody
 * else touches, and counts it in `uses`. `edges`: positions of the rows that are not wholly
 * in [guard_low, guard_high), the home pages that get protected. Rank 0 only: `home`; `guarded`:
 * these pages are unreadable now; `holders`: the rank of each part; `watch`: on home while shared;
 * `ranges`: the memory of home, neighbours joined. `fetch`, `fetched_by`: NULL, or who has newer
 * rows of this rank's parts than their store (away.c); `stamp`: of the stores' last filling.
 */
struct dsm_array {
    struct dsm_array *next;
    int number;
    struct dsm_layout layout;
    bool alone;
    long row_bytes;
    char *view;
    size_t view_bytes;
    bool shared;  /* the view is one memory for all ranks of the host */
    char *tokens; /* per part: what travels between them then */
    uint16_t *uses;
    uint32_t *stamps;
    atomic_uchar *states, *resting;
    long nedges, *edges;
    char *guard_low, *guard_high;
    _Atomic enum dsm_home home;
    atomic_bool guarded;
    int *holders;
    struct dsm_watch *watch;
    int nranges;
    struct dsm_range *ranges;
    dsm_store_fetch *fetch;
    void *fetched_by;
    uint64_t stamp;
};

/* All arrays of this rank, newest first;
 * changed under dsm_arrays_lock, which the fault handler takes. */
extern struct dsm_array *dsm_arrays;
extern struct dsm_lock dsm_arrays_lock;
struct dsm_array *dsm_array_numbered(int number);

/* A fault inside a view ends the job with a report. */
void dsm_array_fault(const char *address, bool write);

/* ---- rows.c ---- */

/* Where row v (its piece i) stands at home, and where this rank stores the row at a position. */
char *dsm_row_home(const struct dsm_array *array, long v);
char *dsm_piece_home(const struct dsm_array *array, long v, long i);
long dsm_row_at(const struct dsm_array *array, long position);
char *dsm_row_store(const struct dsm_array *array, long position);

/* Rows at positions [begin, end): packed from home,
 * unpacked to home, home to view, view to home. */
void dsm_rows_pack(const struct dsm_array *array, long begin, long end, char *packed);
void dsm_rows_unpack(const struct dsm_array *array, long begin, long end, const char *packed);

/* The memory of home in ascending order, stretches less than 64 bytes apart joined. */
void dsm_rows_ranges(const struct dsm_array *array, int *count, struct dsm_range **ranges);

/* Ranks above 0, INPLACE: the home addresses are usable here. */
void dsm_rows_commit(struct dsm_array *array);

static inline long dsm_part_rows(const struct dsm_array *array, int part) {
    return array->layout.cuts[part + 1] - array->layout.cuts[part];
}

static inline bool dsm_is_view(const struct dsm_array *array) {
    return array->layout.mode == DSM_VIEW;
}

/* ---- store.c: the pages of a view ---- */

void dsm_store_hold(struct dsm_array *array, int part);
void dsm_store_drop(struct dsm_array *array, int part);
/* As drop, but what the pages hold stays. */
void dsm_store_rest(struct dsm_array *array, int part);
/* Parts [first_part, end_part), neighbours, will be here for long. */
void dsm_store_advise(struct dsm_array *array, int first_part, int end_part);
/* Everything that was kept of the array's absent parts is given back (before the view goes). */
void dsm_store_forget(struct dsm_array *array);

static inline enum dsm_part_state dsm_part_state(const struct dsm_array *array, int part) {
    return (enum dsm_part_state)atomic_load_explicit(&array->states[part], memory_order_acquire);
}

static inline void dsm_part_set(struct dsm_array *array, int part, enum dsm_part_state state) {
    atomic_store_explicit(&array->states[part], (unsigned char)state, memory_order_release);
}

/* ---- away.c: rows of this rank that are on a device ---- */

/* Somebody reads rows at [begin, end), all of one part,
 * from their store: they are brought there. */
void dsm_store_need(const struct dsm_array *array, int part, long begin, long end);
/* Nothing that a store held before counts any more. */
void dsm_store_filled(struct dsm_array *array);

/* ---- move.c: bulk movement between home and stores. Rank 0 and the others call together. ---- */

void dsm_move_out(struct dsm_array *array);
void dsm_move_home(struct dsm_array *array);
void dsm_move_edges(struct dsm_array *array);

/* ---- home.c ---- */

void dsm_home_start(struct dsm_array *array);
/* Rank 0: have the stores what home has? */
bool dsm_home_stores_valid(struct dsm_array *array);
/* Ranks above 0, in dsm_serve: rank 0 wants its rows. */
struct dsm_collect {
    int number;
};
void dsm_home_serve(const struct dsm_collect *collect);
/* Nothing of the array is guarded or watched any more. */
void dsm_home_end(struct dsm_array *array);

#endif
