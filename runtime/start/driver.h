/* Region start and end on rank 0. */
#ifndef ORRERY_RUNTIME_DRIVER_H
#define ORRERY_RUNTIME_DRIVER_H

#include <stddef.h>

/* The end of the runtime on this rank, called by main.c. */
void orrery_driver_end(void);

/* Ranks other than 0: carries out one command (for dsm_serve). */
void orrery_command_serve(void *data, int command, const void *payload, size_t bytes);

#endif
