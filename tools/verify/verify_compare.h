/* Two records of ORRERY_VERIFY against each other, bit by bit. */
#ifndef ORRERY_TOOLS_VERIFY_COMPARE_H
#define ORRERY_TOOLS_VERIFY_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What was compared, summed over calls. `rounded`: floating-point reductions whose bits differ from
 * the replay's by no more than rounding explains. `between`: records of what only a run that verifies
 * sees, between passes and between merges. `alone`: executions of loops that nobody marked, which were
 * serial in one of two runs.
 */
struct verify_tally {
    uint64_t regions, between, bytes, rounded, alone;
};

/* One record on its own: `contraction`: a loop was compiled so that a replay need not be bit-equal.
 * `automatic`: there are loops that nobody marked. `merged_name`: the first relaxed or buffered array, empty without. */
struct verify_summary {
    uint64_t regions, items, bytes, unknown;
    bool contraction, automatic;
    char unknown_name[64], merged_name[64];
};

/* 0, or -1 after a message when the file is missing or cut short. */
int verify_summarize(const char *path, struct verify_summary *summary);

/*
 * 0 equal, 1 different (the first difference was printed on stderr, `what` names the other side),
 * -1 unreadable (said). `replay`: floating-point reductions may differ by rounding.
 */
int verify_compare(const char *reference, const char *other, const char *what, bool replay,
                   struct verify_tally *tally);

#endif
