/* How a tool or a command ended: the exit status of `orrery`. */
#ifndef ORRERY_TOOLS_BASE_STATUS_H
#define ORRERY_TOOLS_BASE_STATUS_H

/* INPUT: the input has errors, or what was checked is wrong. USAGE: wrong usage. */
enum { STATUS_OK = 0, STATUS_INPUT = 1, STATUS_USAGE = 2 };

#endif
