/*
 * Pointers that the body sets once: `struct c *p = cs[best]; p->n++;` written as `(cs[best])->n++`
 * (docs/transform.md). What has no name but a pointer's is then found under that of its table.
 */
#ifndef ORRERY_SCHEDULER_PLACES_H
#define ORRERY_SCHEDULER_PLACES_H

#include "scheduler/base/text.h"

enum { PLACES_MOST = 16 };

struct places_form {
    const char *text; /* the main file's, lines keep their numbers; NULL: there are none */
    int nnames;       /* of `names` */
    const char *names[PLACES_MOST]; /* of the pointers, which the text still sets */
};

struct places_form places_form(struct unit *unit, const struct loop *loop);

/* requires: facts of the loop that the text above has in the place of `loop`. Nothing that is read
 * to set such a pointer is written in the loop. */
bool places_may_move(const struct places_form *form, const struct loop_facts *facts);

#endif
