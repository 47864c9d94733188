/* What loops print (docs/transform.md): pieces of text that wait for the loop's end. */
#ifndef ORRERY_RUNTIME_OUTPUT_H
#define ORRERY_RUNTIME_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Rank 0: a region begins, or is over: outside of all what a loop prints is written at once. */
void orrery_output_collect(bool on);

/* Any worker: what it prints from here on is a block's; or is over. */
void orrery_output_work(bool on);

/* A block of iterations, any worker: where one ends the program, the block is over. It ends when
 * the loop has, by the first iteration that ends it, behind what those before it print. `leaves`:
 * false when it has ended so, or was left: the loop has to run again. */
struct orrery_block;
bool orrery_output_block(void (*run)(const struct orrery_block *), const struct orrery_block *block,
                         bool leaves);

/* The loop that runs may end the program: its iterations are more than the serial program has, and
 * are checked as such. */
bool orrery_output_may_end(void);

/* Rank 0: what the region has collected is forgotten: it begins again. */
void orrery_output_drop(void);

/* This rank's pieces as bytes, to be sent to rank 0; they are gone here. Owned by the caller. */
char *orrery_output_take(size_t *bytes);

/* Rank 0: pieces of another rank. */
void orrery_output_add(const char *pieces, size_t bytes);

#endif
