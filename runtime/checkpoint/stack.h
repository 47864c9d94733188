/* The stack that the program's main runs on when its state is to be saved: at a fixed address. */
#ifndef ORRERY_CHECKPOINT_STACK_H
#define ORRERY_CHECKPOINT_STACK_H

#include "dsm/dsm.h"

/* Where it is; empty without one. */
struct dsm_range orrery_stack_range(void);

/* Makes it; ends the run when there is no room. */
void orrery_stack_make(void);

/* Calls main there, with copies of its arguments at fixed addresses, too. Its result. */
int orrery_stack_run(int (*main)(int, char **, char **), int argc, char **argv, char **environment);

#endif
