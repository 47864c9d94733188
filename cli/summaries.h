#ifndef ORRERY_CLI_SUMMARIES_H
#define ORRERY_CLI_SUMMARIES_H

/* The one line of `orrery --help`; "" for a name that is none. */
const char *command_summary(const char *name);

#endif
