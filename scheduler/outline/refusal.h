/* Why a loop cannot be cut out of its function. */
#ifndef ORRERY_SCHEDULER_OUTLINE_REFUSAL_H
#define ORRERY_SCHEDULER_OUTLINE_REFUSAL_H

#include "analyzer/analyzer.h"

struct outline_refusal {
    const char *code; /* ORR2xxx */
    struct range where;
    const char *message;
    const char *fix; /* what to write instead, or NULL */
    bool of_plan;    /* another strategy may do without what is missing */
};

/* Text that needs no library of ours, and what makes its threads (emit/standalone.h). */
enum standalone { STANDALONE_NO, STANDALONE_OPENMP, STANDALONE_PTHREADS };

#endif
