/* Processes of this machine that a launcher started. */
#ifndef ORRERY_TOOLS_FAMILY_H
#define ORRERY_TOOLS_FAMILY_H

#include <sys/types.h>

/* `each` of a process and of all that it started, directly or not. */
void family_each(pid_t process, void (*each)(void *data, pid_t process), void *data);

/* What it is at, as proc(5) has it: R, S, T, Z, ...; 0: there is no such process. */
char family_state(pid_t process);

/* A rank of these that is stopped (kill(1) -STOP), which no debugger has: its number, -1 = none is. */
int family_stopped(pid_t launcher);

#endif
