/*
 * Loop transformations: nests whose loops would better stand in another order, and in tiles, are
 * written so, as C. What is written is compiled as if the user had written it.
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_H
#define ORRERY_SCHEDULER_TRANSFORM_H

#include "analyzer/analyzer.h"

/* Errors that are planted. `forget`: NULL, or the name of an object whose dependences only the proof
 * is to see; `unproved`: what the proof turns down is used. */
struct transform_planted {
    const char *forget;
    bool unproved;
};

/*
 * The main file's text with its unmarked nests in better orders, each behind a check of the run that
 * it pays and that no two of its arrays overlap; otherwise the user's loops run. NULL: there are
 * none. Lines keep their numbers. `said`: a remark for each (ORR1701). requires: a unit without errors.
 */
const char *transform_text(struct unit *unit, const struct transform_planted *planted,
                           struct diag_list *said);

#endif
