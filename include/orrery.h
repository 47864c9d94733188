/*
 * Marks loops for Orrery without a pragma, for those who build with -Wall -Werror (an unknown
 * pragma is a warning there). Without Orrery, and to the compiler, both are nothing.
 *
 *     ORRERY_PARALLEL(unordered)
 *     for (long n = 0; n < nnz; ++n) ...
 *
 * ORRERY_PARALLEL takes the clauses of `#pragma orrery parallel` (docs/pragma.md), or none:
 * ORRERY_PARALLEL(). ORRERY_SERIAL leaves a loop alone. Both bind to the next `for` and cannot be
 * wrapped into another macro. __ORRERY__ is defined while Orrery reads a file.
 */
#ifndef ORRERY_H
#define ORRERY_H

#define ORRERY_PARALLEL(...)
#define ORRERY_SERIAL

#endif
