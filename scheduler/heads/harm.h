/* Inside of head_harm: the walk over what a pass does. */
#ifndef ORRERY_SCHEDULER_HEADS_HARM_H
#define ORRERY_SCHEDULER_HEADS_HARM_H

#include "scheduler/heads/heads.h"

/*
 * A call on the way: what its function's parameters stand for, in the frame of `outer` (NULL: of
 * the head's function). `depth`: of calls.
 */
struct harm_frame {
    const struct function *function;
    const struct expr *call;
    const struct harm_frame *outer;
    int depth;
};

/* `visited`: functions without files among their parameters, once walked. */
struct harm {
    struct unit *unit;
    struct head *head;
    const struct harm_frame *frame;
    char *visited;
};

/* Notes the first harm there is. */
void harm_note(struct harm *harm, const char *code, struct range where, const char *why,
               const char *fix);

/* ---- streams.c ---- */

/* A call of one of the C library's input or output functions. */
void harm_io(struct harm *harm, const struct expr *call, const struct effects *effects);

/* Does one of its parameters lead to a FILE? */
bool harm_takes_stream(const struct function *f);

#endif
