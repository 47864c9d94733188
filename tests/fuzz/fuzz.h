/* What fuzzing and the replay of its corpus have in common: one function per target. */
#ifndef ORRERY_TESTS_FUZZ_H
#define ORRERY_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes, prints nothing, returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
