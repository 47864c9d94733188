/* How long processes of this machine have waited for a processor (schedstat of proc(5)). */
#ifndef ORRERY_TOOLS_STARVED_H
#define ORRERY_TOOLS_STARVED_H

#include <sys/types.h>

/* Seconds, of all its threads; -1: not known. */
double starved_process(pid_t process);

/* The most of a process and of all that it started, directly or not; -1: not known. */
double starved_family(pid_t process);

#endif
