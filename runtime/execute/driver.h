/* Region start and end on rank 0. */
#ifndef ORRERY_RUNTIME_DRIVER_H
#define ORRERY_RUNTIME_DRIVER_H

/* The end of the runtime on this rank, called by main.c. */
void orrery_driver_end(void);

#endif
