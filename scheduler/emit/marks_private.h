/* What the files of the marks share. */
#ifndef ORRERY_SCHEDULER_MARKS_PRIVATE_H
#define ORRERY_SCHEDULER_MARKS_PRIVATE_H

#include "scheduler/emit/marks.h"

/* Calls `each` on every expression below a statement, parents first. */
typedef void marks_each(void *data, const struct expr *expr);
void marks_walk_stmt(const struct stmt *stmt, marks_each *each, void *data);

/* marks_names.c: fills in the variables of every loop that gets marks. */
void marks_name(struct marks *marks);

/* The marks of a loop, NULL: it is none of the main file. */
struct marked_loop *marks_of(const struct marks *marks, const struct loop *loop);

#endif
