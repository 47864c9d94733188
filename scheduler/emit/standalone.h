/*
 * Text that needs no library of ours: `orrery emit --openmp`, `--pthreads`. What runs the loops
 * stands in the file itself, as the parts of scheduler/standalone that its loops need.
 */
#ifndef ORRERY_SCHEDULER_STANDALONE_H
#define ORRERY_SCHEDULER_STANDALONE_H

#include "scheduler/outline/outline.h"

/* The parts (files of scheduler/standalone), in the order in which they stand in the file; the last one
 * has no name. */
struct standalone_text {
    const char *name, *text;
};
extern const struct standalone_text standalone_texts[];

/* Why the loops cannot stand alone, as errors (ORR2320) in `diags`. False: there are none. */
bool standalone_refused(const struct unit *unit, int njobs, const struct outline *const *jobs,
                        struct diag_list *diags);

/* Where the parts go: in front of the file's first #include; `start`: the first place of all. */
size_t standalone_place(const struct unit *unit, size_t start);

/* What the loops of the file need, as C. */
const char *standalone_parts(const struct unit *unit, int njobs, const struct outline *const *jobs);

/* The operators that sums and choices of the loops need. */
void standalone_folds_print(int njobs, const struct outline *const *jobs, struct text *out);

/* What merged arrays of the loops need by their types. */
void standalone_merges_print(int njobs, const struct outline *const *jobs, struct text *out);

/* Rows that the loop writes may stand in another order while it runs. */
bool standalone_moves_rows(const struct outline *job);

/* The table of one loop, with the lists that it names. */
void standalone_table_print(const struct outline *job, struct text *out);

#endif
