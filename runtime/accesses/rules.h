/*
 * Of one access of a column mostly the same is to be done as of the one before: a rule says what, and
 * to which cells (rules.c), and is applied to many of them (runs.c). Between follow.h and columns.c.
 */
#ifndef ORRERY_RUNTIME_ACCESSES_RULES_H
#define ORRERY_RUNTIME_ACCESSES_RULES_H

#include "runtime/accesses/follow.h"
#include "runtime/accesses/shadow.h"

#include <emmintrin.h>

/* Stamps from `low` on, as many as `length`; both count from the current time where `moving`. */
struct window {
    uint64_t low, length;
    uint64_t bits;   /* those of a stamp that count: all, or its time */
    uint64_t moving; /* those of the current time that are added to `low` */
};

enum { READ, BEFORE, WRITTEN, STAMPS };
enum action { LEAVE, STAMP, SHIFT, WRITE };

/*
 * Two cells that lie one behind the other are three vectors. In each, the site and the time of a
 * stamp have to lie between bounds: `low` is subtracted, and what is left must not be greater than
 * `last`, both shifted by 2^31, since SSE2 compares with signs. `moves`: what of the time comes to
 * `low`.
 */
struct bounds {
    __m128i low[3], last[3], moves[3];
};

/*
 * What is done with a cell whose stamps lie in these windows. It holds in the instance of the loop
 * that began at `instance`; where it is `lasting`, as long as the loop around that one goes on,
 * which began at `around`.
 */
struct rule {
    bool known;                       /* something was learned */
    bool lasting;                     /* ... that outlasts the instance of the loop */
    uint32_t instance;                /* when the loop began in which it was learned */
    uint32_t around;                  /* when the loop around that one began, 0: there is none */
    const struct follow_step *step;   /* of which access */
    uint32_t site;                    /* where that stands */
    enum action action;               /* what is done with the cell */
    struct window windows[STAMPS];    /* where its stamps lie */
    uintptr_t low, size;              /* where the access lies */
    int nrecords;                     /* of `records` and `counted` */
    struct conflict *records[STAMPS]; /* the conflicts that it counts, */
    uint64_t *counted[STAMPS];        /* and where */
    uint64_t count;                   /* accesses that have been done so, and are not counted yet */
    int misses;                       /* in a row */
    bool bounded;                     /* `bounds` are set */
    struct bounds bounds;             /* the windows for pairs of cells */
};

/* A step's accesses: `count` of them, all of them in [low, high]. */
struct column {
    const struct follow_step *step;
    int count;
    bool usual; /* words or halves, at their places, in memory that is watched */
    uintptr_t low, high;
    struct rule rule;
};

static inline uintptr_t address_of(const struct follow_step *step, int round) {
    return step->listed ? step->list[round]
                        : step->first + (uintptr_t)step->stride * (uintptr_t)round;
}

/* The loop is in this round again. */
static inline void set_round(int round) {
    uint32_t now = follow.start + (uint32_t)round;
    watch.now = follow.span->iteration = now;
    watch.past = now - watch.first;
    follow.span->previous = round > 0 ? now - 1 : follow.previous;
    follow.level->count = follow.count + (uint64_t)round;
}

#pragma GCC visibility push(hidden)

/* One access, in the state of the loop that it had. */
void column_note_access(const struct follow_step *step, int round);
/* One access, and the rule is learned anew: where the last one was of use, or now and then. */
void rule_note(struct column *column, int round);
/* What was learned holds still. */
bool rule_is_valid(const struct rule *rule, const struct follow_step *step);
/* What was done by the rule is counted. */
void rule_settle(struct rule *rule);
/* All accesses of a column that has a stride. */
void column_run(struct column *column);

#pragma GCC visibility pop

#endif
