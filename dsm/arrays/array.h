/* The inside of an array (docs/dsm-protocol.md has its states and what moves them). */
#ifndef ORRERY_DSM_ARRAY_H
#define ORRERY_DSM_ARRAY_H

#include "dsm/arrays/guard.h"
#include "dsm/transport/messages.h"

enum dsm_home { DSM_HOME_OWN, DSM_HOME_SHARED, DSM_HOME_LENT, DSM_HOME_PENDING };

enum dsm_part_state { DSM_PART_ABSENT, DSM_PART_ARRIVING, DSM_PART_PRESENT, DSM_PART_KEPT };

/* With one rank (`alone`) only the first five fields, `fetch` and `stamp` are used. */
struct dsm_array {
    struct dsm_array *next;   /* in dsm_arrays */
    int number;               /* the same on all ranks */
    struct dsm_layout layout; /* copied, all that it points to included */
    bool alone;               /* the job has one rank */
    long row_bytes;           /* of a packed row */

    char *view;                   /* VIEW: the range; NULL else, as what follows */
    size_t view_bytes;            /* ... without what fills its last page */
    bool shared;                  /* the view is one memory for all ranks of the host */
    char *tokens;                 /* per part: what travels between them then */
    uint16_t *uses;               /* per page: how many parts of this rank need it */
    uint32_t *stamps;             /* per page: when its memory was kept (store.c), 0: it is not */
    char *guard_low, *guard_high; /* the whole pages of home that get protected; NULL: none */
    long nedges, *edges;          /* positions of rows not wholly in between */

    atomic_uchar *states;  /* per part: enum dsm_part_state. One that is leaving is absent, and
                            * counts in `uses` until it has left; one that is kept has rows here
                            * that nobody else touches, and counts, too */
    atomic_uchar *resting; /* per part: it is present but not in `uses` (dsm_part_rest) */

    _Atomic enum dsm_home home; /* rank 0: the state of home, as all up to `ranges` */
    atomic_bool guarded;        /* its pages are unreadable now */
    int *holders;               /* per part: the rank that has it, -1: none or not known */
    struct dsm_watch *watch;    /* on home while shared, on its edges while pending; else NULL */
    int nranges;                /* of `ranges` */
    struct dsm_range *ranges;   /* the memory of home, neighbours joined */

    struct dsm_window
        *window;      /* whose bytes the stores have, while home is lent or pending; NULL */
    size_t counted;   /* of the stores' bytes, what counts against the budget */
    size_t beside;    /* rank 0: ... of an array without a window */
    uint32_t *places; /* of home's rows, their positions (window_peek.c); NULL: the same, or nobody
                       * has asked */

    dsm_store_fetch *fetch; /* brings newer rows than the stores have (on_device.c); NULL: none */
    void *fetched_by;       /* its data */
    uint64_t stamp;         /* of the stores' last filling */
};

/* All arrays of this rank. */
struct dsm_arrays {
    struct dsm_array *first; /* the newest */
    int numbers;             /* given out so far */
    struct dsm_lock lock;    /* of the list; the fault handler takes it, too */
};
extern struct dsm_arrays dsm_arrays;
struct dsm_array *dsm_array_numbered(int number);

/* ---- rows.c ---------------------------------------------------------------------------------- */

/* Where row v stands at home, and where this rank stores the row at a position. */
char *dsm_row_home(const struct dsm_array *array, long v);
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

/* The part that has a position. */
int dsm_part_at(const struct dsm_array *array, long position);

static inline long dsm_part_rows(const struct dsm_array *array, int part) {
    return array->layout.cuts[part + 1] - array->layout.cuts[part];
}

static inline bool dsm_is_view(const struct dsm_array *array) {
    return array->layout.mode == DSM_VIEW;
}

/* ---- store.c: the pages of a view ------------------------------------------------------------ */

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

/* ---- on_device.c: rows of this rank that are on a device ------------------------------------- */

/* Somebody reads rows at [begin, end), all of one part,
 * from their store: they are brought there. */
void dsm_store_need(const struct dsm_array *array, int part, long begin, long end);
/* Nothing that a store held before counts any more. */
void dsm_store_filled(struct dsm_array *array);

/* ---- move.c: bulk movement between home and stores. Rank 0 and the others call together. ----- */

void dsm_move_out(struct dsm_array *array);
void dsm_move_home(struct dsm_array *array);
void dsm_move_edges(struct dsm_array *array);

/* ---- home.c ---------------------------------------------------------------------------------- */

void dsm_home_start(struct dsm_array *array);
/* Ranks above 0: the command COLLECT, rank 0 wants an array's rows. */
bool dsm_home_serve(const void *collect, size_t bytes);
/* Rank 0: somebody touches an address of a home whose window the array has: it comes back, or the
 * job ends, since a loop has it. dsm_home_gone: the memory is freed. */
void dsm_home_wanted(struct dsm_array *array, const char *address);
void dsm_home_gone(struct dsm_array *array);
/* Nothing of the array is guarded or watched any more. */
void dsm_home_end(struct dsm_array *array);

#endif
