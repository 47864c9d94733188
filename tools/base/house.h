/* Where the parts of Orrery are, found from the executable's own place: PREFIX/bin,
 * PREFIX/lib/orrery. */
#ifndef ORRERY_TOOLS_HOUSE_H
#define ORRERY_TOOLS_HOUSE_H

#include "analyzer/analyzer.h"

/* `orrery`: the command; `analysis`: the program of its commands that analyze. `include`: folder of
 * orrery.h. `library`: folder of liborrery.a, wrap.txt. */
struct house {
    const char *orrery, *analysis, *include, *library;
};

/* Ends the program with a message when /proc does not tell where it is. */
void house_find(struct house *house, struct arena *arena);
const char *house_library(const struct house *house, struct arena *arena, const char *name);

#endif
