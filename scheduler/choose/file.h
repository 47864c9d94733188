/*
 * Inside of the plan files (docs/plan.md): names of fields, hashes of loops, places in the text.
 */
#ifndef ORRERY_SCHEDULER_CHOOSE_FILE_H
#define ORRERY_SCHEDULER_CHOOSE_FILE_H

#include "scheduler/plan/parts.h"

#include <jansson.h>

#define PLAN_SCHEMA "orrery-plan/1"

/* The largest number of rows or columns that a grid may have. */
#define PLAN_GRID_LIMIT 65536

/* Position of the loop among the `for` loops of its function, from 0. */
int plan_loop_ordinal(const struct unit *unit, const struct loop *loop);

/*
 * 16 hex digits: FNV-1a over the loop's tokens, from `for` to the end of its body. Comments, blanks
 * and line breaks do not count, nor does the pragma in front of it.
 */
const char *plan_loop_hash(const struct unit *unit, const struct loop *loop);

/* requires: a chosen parallel plan. What was predicted, and the plans that were not taken. */
json_t *plan_why_json(const struct plan *plan);

/* What a rank has of each array: a list of {array, placement, bytes, whole}. `string`
 * makes JSON of a text. */
json_t *plan_memory_json(const struct plan *plan, json_t *(*string)(const char *text));

/*
 * Offset of a value in valid JSON text. A step of the path is a member's name or, when that is
 * NULL, an element's index. Where the path leads nowhere, the innermost value that it reaches.
 */
struct json_step {
    const char *member;
    int element;
};
size_t plan_json_find(const char *text, int nsteps, const struct json_step *steps);

#endif
