/* Is what a loop leaves in a variable looked at? */
#ifndef ORRERY_ANALYZER_ACCESS_LIVENESS_H
#define ORRERY_ANALYZER_ACCESS_LIVENESS_H

#include "analyzer/access/access.h"

/* False: nothing reads what `loop` leaves in `var`, a local variable of its function whose address
 * is not taken, before it is set again. True when that is not sure. */
bool liveness_is_read(struct arena *arena, const struct loop *loop, const struct variable *var);

#endif
