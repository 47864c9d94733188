/*
 * Nests of rows: `for (u...) { row's values; for (p = ptr[u]; p < ptr[u + 1]; ++p) ... }` written
 * as one loop over the records of all rows, each with its u and p (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_RECORDS_H
#define ORRERY_SCHEDULER_RECORDS_H

#include "scheduler/transform/rows.h"

/* What keeps a nest as it is, in words behind "but for this: ". */
struct records_hindrance {
    struct range where;
    const char *words;
};

/* A nest as records. With hindrances the text only tells what would be without them. */
struct records_form {
    struct rows rows;    /* the nest in parts */
    const char *text;    /* the main file's; NULL: it is no such nest */
    const char *name;    /* of the new loop's variable */
    const char *written; /* what the new loop does, by row: each row has its values once */
    int nhindrances;     /* of `hindrances` */
    struct records_hindrance *hindrances; /* in the order in which they were found */
};

/*
 * The main file's text with the marked loop as one loop over records, and loops of their own in
 * front and behind for what stands around the inner loop; lines keep their numbers.
 */
struct records_form records_form(struct unit *unit, const struct loop *loop);

/* requires: the analysis of the loop. Adds what stands around the inner loop and cannot be
 * moved. */
void records_check_rows(struct records_form *form, const struct analysis *analysis);

/*
 * requires: facts of the loop that the text above has in the place of `loop`. Nothing that the
 * headers and the row's values are made of is written in it, so that they may be evaluated in front
 * of the loop and again for each record.
 */
bool records_may_move(const struct loop_facts *facts);

#endif
