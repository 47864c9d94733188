/*
 * What iterations touch, as intervals: from subscripts to intervals that a run can compare.
 */
#ifndef ORRERY_ANALYZER_ACCESS_INTERVALS_H
#define ORRERY_ANALYZER_ACCESS_INTERVALS_H

#include "analyzer/access/access.h"

/* [low, high] in terms of the iteration and of the first `nkept` loops around `ref`. */
struct span {
    const struct ref *ref;
    const struct poly *low, *high;
    int nkept;
};

/*
 * How the intervals of later rounds lie to those of earlier ones. NEVER: they overlap, or are not
 * empty only where they do. RISES: behind them, when what the bounds are read from does not fall.
 * FREE: anywhere; row ptr[r] .. ptr[r + 1] of any r, or so many from a start. FIXED: each at a
 * place of its own, whatever the data are.
 */
enum order { ORDER_NEVER, ORDER_FREE, ORDER_RISES, ORDER_FIXED };

/*
 * Of the intervals [low, high] and those [other_low, ...] of later rounds of `loop`. `source`: the
 * array whose values must not fall, when there is one (RISES).
 */
enum order intervals_order(const struct trace *t, const struct interp_inner *loop,
                           const struct span *span, const struct span *later,
                           const struct expr **source);

/* p, a subscript of `ref`, within the loops inside that can be taken out of it. */
bool intervals_span(const struct trace *t, const struct ref *ref, const struct poly *p,
                    struct span *span);

/* requires: intervals_span. As expressions; false when they cannot be evaluated before the loop. */
bool intervals_of_span(const struct trace *t, const struct span *span, struct interval *interval);

/* Are the loops that a span keeps known,
 * none of them beyond what it depends on? Drops the others. */
bool intervals_bounded(const struct trace *t, struct span *span);

/* Do all names mean inside of the interval's loops what they mean at the loop's head? */
bool intervals_named(const struct interval *interval);

/* Makes `value`, a key of the interpretation, the interval's high end. False when it cannot be read
 * early. */
bool intervals_add_key(const struct trace *t, struct expr *value, bool conditional,
                       struct interval *interval);

/* Adds an interval unless it is there. */
void intervals_push(const struct trace *t, struct intervals *intervals, struct interval interval);

/* The poly that an affine subscript stands for. */
const struct poly *intervals_poly(const struct trace *t, const struct affine *value);

#endif
