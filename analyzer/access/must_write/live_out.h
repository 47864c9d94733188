#ifndef ORRERY_ANALYZER_ACCESS_LIVE_OUT_H
#define ORRERY_ANALYZER_ACCESS_LIVE_OUT_H

#include "analyzer/access/access.h"

/* May what the loop leaves in the object be read after it? True when that is not known. */
bool live_out_of(const struct trace *t, const struct object *object);

/* ... of an array that other files may name, if it were static. */
bool live_out_if_static(const struct trace *t, const struct object *object);

#endif
