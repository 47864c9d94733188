/*
 * Wavefronts: an affine nest whose iterations need earlier ones at the same position of the loops
 * inside, or at one before it.
 *
 *   facts --wave_parts--> parts (wave, wave_locals) --> skew and shifts (wave_order, wave_signs)
 *   --> plan --proof (check_wave); what ranks have of arrays (plan/sections, wave_sections)
 */
#ifndef ORRERY_SCHEDULER_STRATEGY_WAVEFRONT_WAVE_H
#define ORRERY_SCHEDULER_STRATEGY_WAVEFRONT_WAVE_H

#include "scheduler/plan/sections.h"

/* ---- wave.c, wave_copies.c, wave_locals.c, wave_order.c, wave_signs.c ------------------------ */

/*
 * Sets strategy, space, wave, and an analysis in which no array is scratch space but those of
 * wave_copies, since the blocks cut iterations apart. False: there is none, and *miss says why.
 */
bool plan_wave(struct plan *plan, struct strategy_miss *miss);

/* The parts of the loop's body, without shifts. NULL: miss. */
struct plan_wave *wave_parts(const struct loop_facts *facts, struct strategy_miss *miss);

/* The loop's facts once more, without copies, with distances in the data that are not negative, and
 * guards that say so (wave_signs.c). NULL: there are none, or some would have to be negative. */
struct loop_facts *wave_signs(const struct loop_facts *facts);

/* Does a local variable, or one that iterations have to themselves, take a value from one part to
 * another, or from one iteration of a loop inside to the next? */
bool wave_locals_stay(const struct loop_facts *facts, const struct plan_wave *wave,
                      struct strategy_miss *miss);

/*
 * Arrays of which workers have copies: scratch space of the loop, all of it in one loop inside, and
 * each iteration of that one writes what it reads, too. No block cuts those iterations. Fills
 * facts->copied.
 */
void wave_copies(struct loop_facts *facts, const struct loop_facts *whole);

/* Is it scratch space as wave_copies asks for? */
bool wave_is_copied(const struct loop_facts *facts, const struct object *object);

/*
 * The position of b's execution minus that of a's as a form over their conflict set. False: it does
 * not fit.
 */
bool wave_distance(struct conflict *conflict, const struct plan_wave *wave, const struct access *a,
                   const struct access *b, struct linear_form *form);

/*
 * Skew and shifts by which no execution depends on one at a greater position. False: there are
 * none, and *source and *sink depend so on each other whatever they are.
 */
bool wave_shift(const struct loop_facts *facts, struct plan_wave *wave,
                const struct access **source, const struct access **sink);

/* ---- wave_sections.c: wavefronts on several ranks -------------------------------------------- */

/* Has the loop written what `read` reads, as far as it ever writes it, before it is read? */
bool wave_reads_behind(const struct plan *plan, const struct access *read);

/* Why ranks cannot have parts of an array (plan_whole), also for the order of its positions; NULL:
 * they can. */
const char *wave_whole(const struct plan *plan, const struct object *object);

/* ---- check_wave.c ------------------------------------------------------------------- */

/* Is it the plan's own form of a wavefront over its loop's body? NULL or what is wrong. */
const char *plan_check_wave_form(const struct plan *plan);

/* Does one execution of `a` or `b` depend on one of the other at a greater position? EMPTY: no. */
enum linear_answer plan_check_wave(const struct plan *plan, struct linear_solver *solver,
                                   const struct access *a, const struct access *b);

/* Which parts the two stand in, as one number. */
int plan_check_wave_parts(const struct plan *plan, const struct access *a, const struct access *b);

#endif
