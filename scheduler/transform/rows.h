/*
 * A nest of rows in parts (records.c): what the statements of a row around the inner loop may touch
 * so that they run in loops of their own, in front of and behind the records.
 *
 * The criterion is loop distribution's: Kennedy and Allen, Optimizing Compilers for Modern
 * Architectures, chapter 5, for statements that no dependence between iterations ties to the others.
 */
#ifndef ORRERY_SCHEDULER_ROWS_H
#define ORRERY_SCHEDULER_ROWS_H

#include "analyzer/analyzer.h"

/* A variable that goes along with the inner loop's, from its initial value by `step` each round. */
struct companion {
    const struct variable *var;
    int step;
};

/* `for (outer) { front; if (guard) for (inner) ...; behind }`. Declarations of `front` are the
 * row's values. */
struct rows {
    struct unit *unit;                /* that it stands in */
    const struct loop *outer, *inner; /* the loops */
    const struct stmt *stmt;          /* of the outer body: `guard`, or `inner` */
    const struct expr *guard;         /* pure; NULL: there is none */
    const struct variable *var;       /* that the inner loop goes through the row with */
    const struct expr *first;         /* what it begins with */
    bool first_in_front;              /* ... by its declaration there */
    const struct expr *link;          /* what moves it; NULL: it goes by one to a bound */
    const struct stmt *step;          /* the inner body's last, which does so; NULL: none */
    int ncompanions;                  /* of `companions` */
    struct companion *companions;     /* declared in front or in the inner header */
    int nfront, nbehind;              /* of `front`, `behind` */
    struct stmt *const *front, *const *behind; /* the statements of the outer body around `inner` */
};

/* `if (...) continue;` in front: the row has no records, and nothing behind. */
bool rows_is_skip(const struct stmt *stmt);

/* The inner loop's variable, or one that goes along: each record is told what it holds. */
bool rows_go_with(const struct rows *rows, const struct variable *var);

/* The inner loop's body, and what stands behind it, set `var` before they read it, wherever they do:
 * no value goes from one record to the next, or out of the inner loop. */
bool rows_set_anew(const struct rows *rows, const struct variable *var);

/* A record may change memory. Else rows alone are keys, and records no gain. */
bool rows_may_write(const struct rows *rows);

/* Some statement of `front`, or of `behind`, would have to run in a loop of its own. */
bool rows_have_front(const struct rows *rows);
bool rows_have_behind(const struct rows *rows);

/*
 * requires: the analysis of `outer`, without refusals. No statement in front or behind leaves its
 * row, or uses the inner loop's counter, whose address nobody has. Do loops over all rows, one with
 * `front`, one with the inner loop, one with `behind`, compute what the nest computes? No two
 * iterations share an element that more than one part touches and one writes; what headers and
 * values read is not written; and no check of the run is needed to know it. `words` NULL: yes; else
 * why not, and `where` in front or behind.
 */
struct rows_reason {
    struct range where;
    const char *words;
};
struct rows_reason rows_why_together(const struct rows *rows, const struct analysis *analysis);

#endif
