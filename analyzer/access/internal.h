/*
 * What hangs behind the structs of facts.h: the walk they came from.
 */
#ifndef ORRERY_ANALYZER_ACCESS_INTERNAL_H
#define ORRERY_ANALYZER_ACCESS_INTERNAL_H

#include "analyzer/access/access.h"

/* facts_collect and the object pass allocate these; the public struct comes first. */
struct facts_behind {
    struct loop_facts facts;
    struct walk *walk;
};

struct object_behind {
    struct object object;
    struct region *region;
};

#endif
