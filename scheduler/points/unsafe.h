/* Inside of ckpt_point_unsafe: the walk over what a pass does. */
#ifndef ORRERY_SCHEDULER_POINTS_UNSAFE_H
#define ORRERY_SCHEDULER_POINTS_UNSAFE_H

#include "scheduler/points/points.h"

/*
 * A call on the way: what its function's parameters stand for, in the frame of `outer` (NULL: of
 * the head's function). `depth`: of calls.
 */
struct unsafe_frame {
    const struct function *function;
    const struct expr *call;
    const struct unsafe_frame *outer;
    int depth;
};

/* `visited`: functions without files among their parameters, once walked. */
struct unsafe {
    struct unit *unit;
    struct ckpt_point *ckpt_point;
    const struct unsafe_frame *frame;
    char *visited;
};

/* Notes the first unsafe effect. */
void unsafe_note(struct unsafe *unsafe, const char *code, struct range where, const char *why,
                 const char *fix);

/* ---- streams.c ------------------------------------------------------------------------------- */

/* A call of one of the C library's input or output functions. */
void unsafe_io(struct unsafe *unsafe, const struct expr *call, const struct effects *effects);

/* Does one of its parameters lead to a FILE? */
bool unsafe_takes_stream(const struct function *f);

#endif
