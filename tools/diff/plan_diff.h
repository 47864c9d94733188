/* `orrery plan --diff`. */
#ifndef ORRERY_TOOLS_PLAN_DIFF_H
#define ORRERY_TOOLS_PLAN_DIFF_H

#include "tools/base/arglist.h"

#include <stdbool.h>

/*
 * Prints how the second of two files differs from the first. What begins with `{` is a plan file,
 * anything else C text, which stands for the plans that are chosen for it. Returns the exit status.
 */
int plan_diff(struct arena *arena, const struct arg_list *files, const struct arg_list *cflags,
              const struct arg_list *with, const struct arg_list *effects, bool all);

#endif
