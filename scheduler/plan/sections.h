/*
 * Sections: what of an array the iterations of a loop touch, said before it runs.
 */
#ifndef ORRERY_SCHEDULER_PLAN_SECTIONS_H
#define ORRERY_SCHEDULER_PLAN_SECTIONS_H

#include "scheduler/plan/parts.h"

/* The part that the access is made in, -1: in none. */
int plan_part_of(const struct plan_wave *wave, const struct access *access);

/* Is it known where loop number `at` of the access begins and ends, from what is known outside of
 * it? Do the access's subscripts, or bounds of loops that they depend on, use its variable? */
bool plan_loop_is_known(const struct loop_facts *facts, const struct access *access, int at);
bool plan_uses_loop(const struct loop_facts *facts, const struct access *access, int at);

/*
 * What the section of an access is made of: the access with those of its subscripts that are known
 * before the loop runs, from the first on. Behind a read's known ones everything counts as read: a
 * row, or all of the array; without positions, behind a write's all may be written. False: what it
 * touches cannot be said so.
 */
bool plan_section_of(const struct plan_wave *wave, const struct loop_facts *facts,
                     const struct access *access, struct access *section);

/* Can ranks have what the access touches: all of it said, or of an array that is written? */
bool plan_is_section(const struct plan_wave *wave, const struct loop_facts *facts,
                     const struct access *access);

/* Why ranks cannot have parts of an array, but only all of it; NULL: they can. */
const char *plan_whole(const struct plan *plan, const struct object *object);

#endif
