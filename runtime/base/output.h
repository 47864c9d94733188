/* What loops print (docs/transform.md): pieces of text that wait for the loop's end. */
#ifndef ORRERY_RUNTIME_OUTPUT_H
#define ORRERY_RUNTIME_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Rank 0: a region begins, or is over: outside of all what a loop prints is written at once. */
void orrery_output_collect(bool on);

/* This rank's pieces as bytes, to be sent to rank 0; they are gone here. Owned by the caller. */
char *orrery_output_take(size_t *bytes);

/* Rank 0: pieces of another rank. */
void orrery_output_add(const char *pieces, size_t bytes);

#endif
