/*
 * Random numbers of called functions, and of generators that the program has of its own: the edits
 * by which each iteration begins a stream of its own.
 */
#ifndef ORRERY_SCHEDULER_FIXIT_STREAM_H
#define ORRERY_SCHEDULER_FIXIT_STREAM_H

#include "analyzer/analyzer.h"

/* What a library's draw at `range` becomes: number `n` of the stream `seed`. NULL: it is no such
 * call, or not written as usual. */
const char *fixit_draw(const struct unit *unit, struct range range, const char *seed,
                       const char *n);

/*
 * Draws of the loop's body and of the functions that it calls count on in a variable of the file,
 * which each iteration sets. False: one of them cannot be edited, or iterations have no number.
 */
bool fixit_stream_draws(const struct unit *unit, const struct loop *loop, struct diag_list *list,
                        struct diag *diag);

/*
 * `state` is the state of a generator if the loop makes it of itself and constants alone, by
 * products or shifts as generators do: then each iteration sets it, too. False: it is not, or that
 * takes a person.
 */
bool fixit_stream_state(const struct unit *unit, const struct loop *loop,
                        const struct variable *state, struct diag_list *list, struct diag *diag);

#endif
