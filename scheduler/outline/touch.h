/*
 * What a run has to know to tell whether memory has changed that something was computed from: the
 * lvalues that evaluating an expression reads, under the conditions under which it reads them.
 */
#ifndef ORRERY_SCHEDULER_OUTLINE_TOUCH_H
#define ORRERY_SCHEDULER_OUTLINE_TOUCH_H

#include "scheduler/outline/outline.h"

/*
 * READ:  the lvalue `expr`, of the memory behind the pointer or variable that is `behind`.
 * IF:    steps up to the matching END belong where the condition `expr` holds, or does not
 *        (`negated`).
 * `depth`: of conditions around the step.
 */
enum touch_kind { TOUCH_READ, TOUCH_IF, TOUCH_END };
struct touch {
    enum touch_kind kind;
    const struct expr *expr;
    const char *behind;
    bool negated;
    int depth;
};

/* Steps in their order; what is read once under no condition is not read again. `indirect`: some
 * address is made of what is read. `depth`: of conditions around what is added next. */
struct touches {
    int count, depth;
    struct touch *items;
    bool indirect;
};

/* Adds all that evaluating `expr` reads; what it reads under guards; what the values of an affine
 * form are made of. */
void touches_add(const struct outline *job, const struct expr *expr, struct touches *touches);
void touches_add_guarded(const struct outline *job, const struct expr *expr, int nguards,
                         struct expr **guards, const bool *sense, struct touches *touches);
void touches_add_affine(const struct outline *job, const struct affine *affine,
                        struct touches *touches);

/*
 * reads.c: calls `each` for all that functions evaluate which a run calls before an iteration runs:
 * the gather (keys, the record, guards about single iterations); what tells which rows an iteration
 * touches through a key; the lists of what it touches; weights; intervals. In the order of their
 * text.
 */
typedef void reads_each(void *data, const struct outline *job, const struct expr *expr, int nguards,
                        struct expr **guards, const bool *sense);
void reads_of_gather(const struct outline *job, reads_each *each, void *data);
void reads_of_when(const struct outline *job, const struct emit_touch *touch, reads_each *each,
                   void *data);

struct touches touches_of_gather(const struct outline *job);
struct touches touches_of_when(const struct outline *job, const struct emit_touch *touch);

#endif
