/* Outline -> kernel: has a device words for all of the loop, and who runs what of it. */
#ifndef ORRERY_SCHEDULER_GPU_MAKE_H
#define ORRERY_SCHEDULER_GPU_MAKE_H

struct outline;

/* Sets the kernel of an outline that is to run on a device, or refuses the outline; else nothing.
 * requires: an outline that is not refused. */
void gpu_kernel_make(struct outline *job);

#endif
