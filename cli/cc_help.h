/* What `orrery-cc --help` says, as a table; `orrery completion` reads it too. */
#ifndef ORRERY_CLI_CC_HELP_H
#define ORRERY_CLI_CC_HELP_H

#include "cli/options.h"

extern const struct option_set cc_help;
extern const char cc_summary[];

#endif
