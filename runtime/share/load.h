/* Files that several ranks read, each its part. */
#ifndef ORRERY_RUNTIME_SHARE_LOAD_H
#define ORRERY_RUNTIME_SHARE_LOAD_H

#include <stddef.h>

/* Ranks above 0: does what rank 0's loader asks for. */
void orrery_load_serve(const void *message, size_t bytes);

#endif
