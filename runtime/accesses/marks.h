/*
 * What the text that `orrery-cc -accesses` makes calls (scheduler/emit/marks.c prints these
 * declarations anew). `mark`: ten words of the object, one loop's; `around`: those of the loop
 * around it in the same function, or NULL.
 */
#ifndef ORRERY_RUNTIME_ACCESSES_MARKS_H
#define ORRERY_RUNTIME_ACCESSES_MARKS_H

/* In front of a loop: then `count` variables, each an address and an unsigned long size. */
void __orrery_accesses_begin(void *mark, void *around, unsigned count, ...);
/* At the start of an iteration: of a body, or in front of a condition (test). They return 1. */
int __orrery_accesses_iterate(void *mark);
int __orrery_accesses_test(void *mark);
/*
 * Instead of an iteration's start, where the verdict speaks of keys or of checks of the run. 1:
 * nothing is watched; 2: `tell` has to follow, 3: and this is the first iteration. Nothing is
 * watched in between.
 */
int __orrery_accesses_ask(void *mark);
/* `holds`: the checks do. Then `count` keys, each a long, the least of them for none. */
void __orrery_accesses_tell(void *mark, int holds, unsigned count, ...);
/* Behind a loop. `tested`: its last iteration may be a condition that did not hold. */
void __orrery_accesses_end(void *mark, int tested);
/* In front of a jump to where `mark` is the innermost loop. */
void __orrery_accesses_leave(void *mark);
/* At the start of the process: the table of an object's loops, as text, and their marks. */
void __orrery_accesses_unit(const char *table, void *marks, unsigned count);

#endif
