/* How much memory an allocation is. */
#ifndef ORRERY_ANALYZER_ACCESS_ALLOCATION_H
#define ORRERY_ANALYZER_ACCESS_ALLOCATION_H

#include "analyzer/access/access.h"

/* The bytes that malloc or calloc gave the variable,
 * the only thing that it is ever set to; NULL: not known. */
const struct poly *allocation_bytes(const struct trace *t, const struct variable *var);

#endif
