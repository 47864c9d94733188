/*
 * The partial order of the blocks, as every row needs it: a block waits until each of its batons
 * has had all its earlier turns. Between ranks the batons are messages; who gets which, and when,
 * follows from the same order. Arithmetic only (blocks.h).
 */
#ifndef ORRERY_RUNTIME_TURNS_H
#define ORRERY_RUNTIME_TURNS_H

#include "runtime/schedule/blocks.h"

/* A baton comes from, or goes to, rank `peer`; `clock`:
 * when it is needed here, or was last used. */
struct orrery_passage {
    long baton;
    int peer;
    long clock;
};

/*
 * Whose turn it is, for rows [row_low, row_high). Visit i of a block is that by its i-th baton,
 * number ((row - row_low) * columns + column) * held + i of the rows. With several ranks a baton
 * comes and goes by *passages*; the last of a pass takes it back home.
 */
struct orrery_turns {
    struct orrery_blocks blocks; /* of which grid */
    long row_low, row_high;      /* this rank's rows of it */
    unsigned long epoch;         /* of the dealing of rows that they were made by */
    unsigned *turn;              /* per visit: how many of the baton come before it, on all rows */
    unsigned *visits;            /* per baton: in a pass, by all rows */
    unsigned most;               /* the most of any baton */
    long *home;                  /* per baton: its first row, whose rank is its home */
    long *brought;               /* per baton: its arrivals */
    int *homing;    /* per baton: the arrival that belongs to no visit but the first one of the
                       * pass that follows; -1 = the baton is home without */
    int *arrival;   /* per visit: the passage that brings the baton for it, -1 = it is here */
    int *departure; /* per visit: the one that takes it afterwards, -1 = it stays */
    long narrivals, ndepartures;                  /* messages that come and go in one pass */
    struct orrery_passage *arrivals, *departures; /* arrivals: as they are needed, those of one
                                                   * baton in the order of its visits */
    long *nth; /* per arrival: how many of the same baton come before */
};

/* `ranks`: which rank has a row, NULL: all are this one's. Owned by the caller. */
struct orrery_turns *orrery_turns_make(const struct orrery_blocks *blocks, long row_low,
                                       long row_high, int rank,
                                       int (*rank_of)(long row, long rows));
void orrery_turns_free(struct orrery_turns *turns);

/* Are they those of these blocks and rows? */
bool orrery_turns_fit(const struct orrery_turns *turns, const struct orrery_blocks *blocks,
                      long row_low, long row_high);

static inline long orrery_visit_of(const struct orrery_turns *turns, long row, long column) {
    return ((row - turns->row_low) * turns->blocks.columns + column) * turns->blocks.held;
}

#endif
