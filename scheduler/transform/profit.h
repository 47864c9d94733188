/* Which order of a band's loops is worth it: strides of the innermost loop, and reuse in caches. */
#ifndef ORRERY_SCHEDULER_PROFIT_H
#define ORRERY_SCHEDULER_PROFIT_H

#include "scheduler/transform/order.h"

/* Makes the choices of `order`. False: the text's order is as good, as far as one can tell. */
bool profit_choose(const struct nest *nest, struct order *order);

/* Makes choices that bring a parallel loop outside of loops that are not. On one thread the text's
 * order is as good. False: there is no such loop. */
bool profit_choose_parallel(const struct nest *nest, struct order *order);

#endif
