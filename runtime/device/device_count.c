/* What a rank's device is asked for: counted, and a span of the trace each. */
#include "runtime/device/device.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/report/trace.h"

#include "dsm/dsm.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

/* Of all regions of this rank. */
static struct {
    long kernels;
    double begun;   /* when the kernel that runs was launched, 0: none does */
    double busy;    /* seconds that kernels ran */
    double regions; /* seconds from the first copy of a region to its last */
    size_t in, out; /* bytes copied */
    size_t beside;  /* ... of it while a kernel ran */
    size_t direct;  /* bytes of parts that left from the device itself */
    size_t stored;  /* ... and from their stores */
} count;

/* Copies are made one at a time: any thread that touches what the host has not got makes some. */
static atomic_flag copies = ATOMIC_FLAG_INIT;

static void copies_take(void) {
    while (atomic_flag_test_and_set_explicit(&copies, memory_order_acquire))
        sched_yield();
}

static void copies_give(void) {
    atomic_flag_clear_explicit(&copies, memory_order_release);
}

static void copied(const char *what, size_t bytes, double begin, size_t *total) {
    *total += bytes;
    count.beside += count.begun > 0 ? bytes : 0;
    orrery_trace_device(ORRERY_TRACE_COPY, what, bytes, begin);
}

void orrery_device_in(const struct orrery_device *device, void *to, const void *from,
                      size_t bytes) {
    copies_take();
    double begin = orrery_trace_begin();
    device->copy_in(to, from, bytes);
    copied("to the device", bytes, begin, &count.in);
    copies_give();
}

void orrery_device_out(const struct orrery_device *device, void *to, const void *from,
                       size_t bytes) {
    copies_take();
    double begin = orrery_trace_begin();
    device->copy_out(to, from, bytes);
    copied("from the device", bytes, begin, &count.out);
    copies_give();
}

void orrery_device_left(size_t bytes, bool direct) {
    *(direct ? &count.direct : &count.stored) += bytes;
}

void orrery_device_launched(void) {
    ++count.kernels;
    count.begun = orrery_clock();
}

void orrery_device_ended(const char *where) {
    count.busy += orrery_clock() - count.begun;
    orrery_trace_device(ORRERY_TRACE_KERNEL, where, 0, orrery_env()->trace ? count.begun : 0);
    count.begun = 0;
}

void orrery_device_region(double begin) {
    count.regions += orrery_clock() - begin;
}

/* What was used for batons, and why. */
static void batons_report(void) {
    const char *why = !orrery_env()->gpu_direct ? "ORRERY_DEBUG=gpu_direct=0"
                      : !dsm_direct()
                          ? "MPI does not say on every rank that it takes a device's memory"
                          : "what no iteration writes, and arrays that are no views";
    if (count.direct)
        fprintf(stderr, "orrery: rank %d: batons of %zu bytes went from device to device\n",
                dsm_rank(), count.direct);
    if (count.stored)
        fprintf(stderr,
                "orrery: rank %d: batons of %zu bytes went by way of the host's memory (%s)\n",
                dsm_rank(), count.stored, why);
}

void orrery_device_count_report(void) {
    if (!orrery_env()->stats || count.kernels == 0)
        return;
    fprintf(stderr,
            "orrery: rank %d: %s ran for %.3f s, %.0f %% of the %.3f s of its regions; copied %zu "
            "bytes to the device, %zu from it, %zu of them while a kernel ran\n",
            dsm_rank(), count.kernels == 1 ? "1 kernel" : "kernels", count.busy,
            count.regions > 0 ? 100 * count.busy / count.regions : 0.0, count.regions, count.in,
            count.out, count.beside);
    batons_report();
}
