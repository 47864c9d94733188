/* The handler of page faults. */
#ifndef ORRERY_DSM_INTERCEPTION_FAULT_H
#define ORRERY_DSM_INTERCEPTION_FAULT_H

#include <stdbool.h>

struct sigaction;

void dsm_fault_start(void);

/* The program's own handler of a fault signal: kept as the one that gets what is not ours. False
 * for other signals. */
bool dsm_fault_chain(int number, const struct sigaction *action, struct sigaction *before);

#endif
