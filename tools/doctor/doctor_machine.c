#define _GNU_SOURCE
#include "runtime/base/env.h"
#include "tools/base/ask.h"
#include "tools/base/house.h"
#include "tools/doctor/doctor.h"
#include "tools/run/launch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

void doctor_files(struct doctor *doctor) {
    static const char *const needed[] = {"liborrery.a",
                                         "liborrery-mpi.so",
                                         "wrap.txt",
                                         "include/orrery.h",
                                         "include/orrery_run.h",
                                         "include/orrery_body.h",
                                         "include/orrery_lanes.h",
                                         "include/orrery_reductions.def"};
    struct house house;
    house_find(&house, doctor->arena);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
        const char *path = house_library(&house, doctor->arena, needed[i]);
        if (access(path, R_OK) != 0) {
            doctor_say(doctor, DOCTOR_WRONG, "installation",
                       arena_printf(doctor->arena, "%s is missing", path),
                       "install Orrery again (cmake --install), or unset ORRERY_LIBDIR");
            return;
        }
    }
    doctor_say(doctor, DOCTOR_GOOD, "installation", house.library, NULL);
}

void doctor_variables(struct doctor *doctor) {
    char message[512];
    if (orrery_env_read(message, sizeof message) == 0)
        doctor_say(doctor, DOCTOR_GOOD, "variables", "every ORRERY_* variable can be read", NULL);
    else
        doctor_say(
            doctor, DOCTOR_WRONG, "variables", arena_strdup(doctor->arena, message),
            "'orrery env' lists the variables; programs end with status 2 until it is mended");
}

/* ---- limits ---------------------------------------------------------------------------------- */

static const char *gigabytes(struct arena *arena, double bytes) {
    return arena_printf(arena, "%.1f GiB", bytes / (1 << 30));
}

/* Several ranks reserve one address range for all arrays; it is many times what they use. */
static void check_addresses(struct doctor *doctor) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        doctor_say(doctor, DOCTOR_NOTE, "address space",
                   arena_printf(doctor->arena, "limited to %s (ulimit -v)",
                                gigabytes(doctor->arena, (double)limit.rlim_cur)),
                   "several ranks reserve one large range: ulimit -v unlimited");
    FILE *in = fopen("/proc/sys/vm/overcommit_memory", "r");
    int policy = 0;
    if (in && fscanf(in, "%d", &policy) == 1 && policy == 2)
        doctor_say(doctor, DOCTOR_NOTE, "overcommit", "vm.overcommit_memory is 2",
                   "reserved ranges count as used memory: sysctl vm.overcommit_memory=0");
    if (in)
        fclose(in);
}

static void check_processes(struct doctor *doctor) {
    struct rlimit processes, locked;
    if (getrlimit(RLIMIT_NPROC, &processes) == 0 && processes.rlim_cur < 256)
        doctor_say(
            doctor, DOCTOR_NOTE, "processes",
            arena_printf(doctor->arena, "limited to %ld (ulimit -u)", (long)processes.rlim_cur),
            "threads and ranks count: ulimit -u 4096");
    if (getrlimit(RLIMIT_MEMLOCK, &locked) == 0 && locked.rlim_cur < (64 << 10))
        doctor_say(
            doctor, DOCTOR_NOTE, "locked memory",
            arena_printf(doctor->arena, "limited to %ld bytes (ulimit -l)", (long)locked.rlim_cur),
            "an MPI over InfiniBand needs more: ulimit -l unlimited");
}

/* Ranks of one host talk through it (Open MPI). */
static void check_shared_memory(struct doctor *doctor) {
    struct statvfs stat;
    if (statvfs("/dev/shm", &stat) != 0) {
        doctor_say(doctor, DOCTOR_NOTE, "/dev/shm", "there is none",
                   "ranks of one host then talk through files in /tmp: mount a tmpfs there");
        return;
    }
    double left = (double)stat.f_bavail * (double)stat.f_frsize;
    const char *text = arena_printf(doctor->arena, "%s free", gigabytes(doctor->arena, left));
    if (left < 64 << 20)
        doctor_say(doctor, DOCTOR_NOTE, "/dev/shm", text,
                   "ranks of one host need some: mount -o remount,size=1G /dev/shm; docker run "
                   "--shm-size=1g");
    else
        doctor_say(doctor, DOCTOR_GOOD, "/dev/shm", text, NULL);
}

/* Workers wait for each other by atomic operations: slow where they are emulated. */
static void check_atomics(struct doctor *doctor) {
    enum { TIMES = 100000 };
    static atomic_long counter;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < TIMES; ++i)
        atomic_fetch_add(&counter, 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ns =
        ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / TIMES;
    const char *text = arena_printf(doctor->arena, "%ld here; an atomic addition takes %.1f ns",
                                    launch_cores(), ns);
    doctor_say(doctor, ns < 500 ? DOCTOR_GOOD : DOCTOR_NOTE, "cores", text,
               ns < 500 ? NULL : "that is slow: is this an emulated machine?");
}

void doctor_limits(struct doctor *doctor) {
    check_atomics(doctor);
    check_addresses(doctor);
    check_processes(doctor);
    check_shared_memory(doctor);
}

/* ---- what this version can do without -------------------------------------------------------- */

/* Loops on GPUs: nvcc to build them, the driver's device to run them. */
static void check_cuda(struct doctor *doctor) {
    const char *nvcc = ask_version(doctor->arena, "nvcc");
    bool device = access("/dev/nvidia0", R_OK | W_OK) == 0;
    if (!nvcc)
        doctor_say(doctor, DOCTOR_NOTE, "CUDA", "no nvcc: loops are built for GPUs elsewhere",
                   "-target gpu-shim runs their kernels on this machine");
    else if (!device)
        doctor_say(doctor, DOCTOR_NOTE, "CUDA", "nvcc, and no GPU",
                   "programs of -target gpu can be built here, and run elsewhere");
    else
        doctor_say(doctor, DOCTOR_GOOD, "CUDA", "nvcc and a GPU", NULL);
}

/* Checkpoints are written by a module that is built where HDF5 is. */
static void check_hdf5(struct doctor *doctor) {
    struct house house;
    house_find(&house, doctor->arena);
    if (access(house_library(&house, doctor->arena, "liborrery-hdf5.so"), R_OK) == 0)
        doctor_say(doctor, DOCTOR_GOOD, "HDF5", "checkpoints can be written", NULL);
    else
        doctor_say(doctor, DOCTOR_NOTE, "HDF5", "built without it: no checkpoints",
                   "install libhdf5-dev and build Orrery again");
}

void doctor_optional(struct doctor *doctor) {
    check_cuda(doctor);
    check_hdf5(doctor);
}
