/* Jumps that leave a marked loop: `break`, `return`, `goto` (docs/transform.md). */
#ifndef ORRERY_SCHEDULER_TRANSFORM_LEAVING_H
#define ORRERY_SCHEDULER_TRANSFORM_LEAVING_H

#include "scheduler/base/text.h"

enum { MOST_LEAVING = 16 };

struct leaving {
    const struct unit *unit; /* of the loop */
    const struct loop *loop;
    int count;                        /* of `stmts` */
    struct stmt *stmts[MOST_LEAVING]; /* the jumps, or the branches that end by them */
    bool is_unfit;                    /* there are more */
};

struct leaving leaving_find(const struct unit *unit, const struct loop *loop);

/* It stands in one of the statements. */
bool leaving_holds(const struct leaving *leaving, const struct range *range);

/* Each calls orrery_output_leave first. False: one cannot be edited. */
bool leaving_edit(const struct leaving *leaving, struct text_edits *edits);

#endif
