/* The invariants of docs/dsm-protocol.md, as far as they can be seen from a quiet moment. */
#ifndef ORRERY_TESTS_DSM_CHECK_H
#define ORRERY_TESTS_DSM_CHECK_H

/* Every one that can be seen from here; NULL or what is broken. Collective. */
const char *dsm_check(void);

/* The same of the heap's own structures, on rank 0. */
const char *dsm_heap_check(void);

#endif
