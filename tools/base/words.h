/* Command lines in text, cut into words. */
#ifndef ORRERY_TOOLS_WORDS_H
#define ORRERY_TOOLS_WORDS_H

#include "analyzer/analyzer.h"

/* One argument from *at on, which moves behind it: blanks separate, quotes keep them, a backslash
 * keeps any character. NULL at the end. */
const char *words_next(struct arena *arena, const char **at);

#endif
