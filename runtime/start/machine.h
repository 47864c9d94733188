/* What the machine has. */
#ifndef ORRERY_START_MACHINE_H
#define ORRERY_START_MACHINE_H

#include <stddef.h>

/* Memory in bytes, or what this process may have of it: the least limit of its memory groups
 * (cgroups(7)). */
size_t orrery_machine_bytes(void);

/* Of so many megabytes what its memory groups let this process have, and `beside` more bytes, before
 * the kernel kills it. 0 stays 0. */
long orrery_machine_most(long megabytes, double beside);

#endif
