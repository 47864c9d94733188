/*
 * For machine.sh: litmus NAME [BLOCKS] launches one kernel of litmus.ptx, on memory of zeros, and prints the
 * sum of the 32 numbers in front and the one behind 128 bytes. CASE(NAME) for each stands in cases.h.
 */
#include "orrery_device.h"
#include "orrery_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/device.h"

#define CASE(name)                                                                                 \
    static void name(const struct orrery_kernel_job *job) {                                        \
        (void)job;                                                                                 \
    }
#include "cases.h"
#undef CASE

static const struct {
    const char *name;
    void (*known_as)(const struct orrery_kernel_job *job);
} cases[] = {
#define CASE(name) {#name, name},
#include "cases.h"
};

extern const struct orrery_device orrery_device_ptx;

ORRERY_OBJECT

int main(int argc, char **argv) {
    const struct orrery_device *device = &orrery_device_ptx;
    enum { NUMBERS = 64 };
    unsigned numbers[NUMBERS], sum = 0;
    size_t i = 0;
    while (argc < 2 || strcmp(cases[i].name, argv[1]) != 0)
        if (++i == sizeof cases / sizeof *cases)
            return 3;
    struct orrery_kernel kernel = {.device = device, .entry = (const void *)cases[i].known_as};
    struct orrery_kernel_job job = {.env = device->alloc(sizeof numbers)};
    device->fill_zero((void *)job.env, sizeof numbers);
    device->launch(&kernel, &job, (argc > 2 ? atol(argv[2]) : 2) * ORRERY_WARPS_PER_BLOCK);
    device->sync();
    device->copy_out(numbers, job.env, sizeof numbers);
    for (int n = 0; n < ORRERY_LANES; ++n)
        sum += numbers[n];
    printf("%u %u\n", sum, numbers[ORRERY_LANES]);
}
