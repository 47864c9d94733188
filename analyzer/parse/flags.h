/* The user's compiler flags, as the parser takes them. */
#ifndef ORRERY_ANALYZER_FLAGS_H
#define ORRERY_ANALYZER_FLAGS_H

#include "analyzer/arena.h"

/*
 * Those of `flags` that decide what the text means, behind __ORRERY__ and the folder `include` of
 * orrery.h (NULL: none). Returns how many `args` there are.
 */
int parse_flags(struct arena *arena, const char *include, int nflags, const char *const *flags,
                const char ***args);

#endif
