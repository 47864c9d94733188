/*
 * What emitted kernels and the runtime promise each other (docs/gpu.md). A kernel's text includes
 * this and nothing else, and is built twice: by nvcc for a GPU, and by the host compiler for the
 * host shim, where every lane is a fiber. So it keeps to what C17 and CUDA C++ have in common.
 *
 * Words. A *lane* is a thread of a *warp* of 32. Rows of the logical grid are assigned to warps (or
 * to lanes); how many warps there are changes no bit.
 */
#ifndef ORRERY_DEVICE_H
#define ORRERY_DEVICE_H

#include "../include/orrery_reductions.def" /* in the tree, and where it is installed */

/* A condition that is seldom true, or seldom false. Where the time is modelled (orrery simulate --gpu)
 * it never is. */
#ifdef ORRERY_MODEL
#define ORRERY_RARELY(condition) ((void)(condition), 0)
#define ORRERY_MOSTLY(condition) ((void)(condition), 1)
#else
#define ORRERY_RARELY(condition) __builtin_expect((condition) != 0, 0)
#define ORRERY_MOSTLY(condition) __builtin_expect((condition) != 0, 1)
#endif

#define ORRERY_KERNEL_ABI 8

enum { ORRERY_LANES = 32, ORRERY_WARPS_PER_BLOCK = 4, ORRERY_GRID_DIMS = 4 };

/* Kernels that keep rows in registers exist for rows of up to so many numbers. */
#define ORRERY_WIDTHS {32, 64, 127, 128, 512, 1024}
enum { ORRERY_NWIDTHS = 6 };

/* What merges found: the largest change, as the bits of a double; the first that is no number
 * (orrery_device_copies.h), 0: none. */
struct orrery_kernel_merged {
    unsigned long long most, bad;
};

/* How changes of several rows count (docs/relaxed.md). */
enum { ORRERY_KERNEL_ADD, ORRERY_KERNEL_AVERAGE, ORRERY_KERNEL_SCALE };

/* Row r's copy of a reduction starts at memory + r * stride, rows counted from the rank's first. */
struct orrery_kernel_copies {
    char *memory;
    long stride;
    char *snapshot; /* what a buffered array was at the last merge, NULL of all others */
    char *own;      /* folded or merged here: what copies start from, and the result; else NULL */
    long count;     /* ... its elements */
    int rule;       /* ... of a relaxed one */
    unsigned char *gains;                /* ... by element, with ORRERY_KERNEL_SCALE */
    struct orrery_kernel_merged *merged; /* ... of all merges of a region */
};

/*
 * Floating-point sums across lanes that were taken by tree and in order (docs/gpu.md, "Bounds"):
 * how many, how many of them are further apart than rounding allows, and the largest share of what
 * it allows, as the bits of a float.
 */
struct orrery_kernel_sums {
    unsigned long long count, broken;
    unsigned worst;
};

/*
 * The arithmetic of the grid, as struct orrery_blocks has it (runtime/schedule/blocks.h). `held`:
 * batons of a block. `in_order`: a row comes to its columns one after the other.
 */
struct orrery_kernel_grid {
    int ndims, held, in_order;
    long parts[ORRERY_GRID_DIMS], slots[ORRERY_GRID_DIMS], first[ORRERY_GRID_DIMS];
};

/*
 * One launch: the blocks of rows [row_low, row_high) at the clocks [clock_low, clock_high).
 * Everything it points to is on the device. Block (s, t) has the number i = (s - row_low) * columns
 * + t.
 */
struct orrery_kernel_job {
    const void *env, *records; /* on the device; records NULL: none */
    const long *starts; /* block i has the records [starts[i], starts[i + 1]); NULL: row s is the
                         * share s of `count` iterations */
    /* iterations; of the grid; rows that run here; of the grid; clocks of this launch */
    long count, rows, row_low, row_high, columns, clock_low, clock_high;
    long phase, phases;             /* this launch has part `phase` of every block: of grids of one
                                     * clock, and of passes that visit a block several times */
    struct orrery_kernel_grid grid; /* ... as a kernel needs it */
    const unsigned *turns; /* turns[i * held + h]: visits of the h-th baton of block i before it */
    const int *arrivals, *departures; /* several ranks, by visit as well: the passage that brings
                                       * the baton for it, or takes it away, -1: none; else NULL */
    const unsigned *here; /* host memory: the baton of arrival a is on the device; of wavefronts:
                           * what other ranks make for stretch s is */
    unsigned *left;       /* host memory: that of departure d may be taken from there; of
                           * wavefronts: how many columns all rows are done with */
    const unsigned long *needs; /* levels: the rows, a bit each, that have to be done with all
                                 * columns before block i; else NULL */
    const long *reach; /* wavefronts: the first column of each row and the one behind its last */
    long wave_low, wave_width;  /* ... column t has positions from wave_low + t * wave_width on */
    long panel_low, panel_high; /* ... this launch has these rows */
    long pace;       /* ... a stretch is so many columns; 0: no other rank has part of the rows */
    unsigned *flags; /* visits done, by baton; of levels columns done, by warp; of wavefronts, by
                      * row */
    const struct orrery_kernel_copies
        *copies;                     /* per reduction: its copies, a row's after the other */
    struct orrery_kernel_sums *sums; /* where `in_order` compares; NULL else */
    int task, reduction, last;       /* of the kernel for copies: orrery_device_copies.h */
    int in_order; /* sums are taken in the serial loop's order, so that they have its bits (slow:
                   * for orrery verify); by tree as well, and held against each other in `sums` */
};

struct orrery_device;

/* A loop's kernel. Sums in order are taken by `entry` only. */
struct orrery_kernel {
    int abi;                            /* ORRERY_KERNEL_ABI */
    const struct orrery_device *device; /* that runs it */
    const void *entry;                  /* what the device launches */
    int row_per_lane;                   /* every lane takes rows of its own; else a warp does */
    unsigned long layout;             /* of environment and record, as orrery_loop.kernel_layout */
    long (*width)(const void *env);   /* the numbers of a row that stays in registers, by the host's
                                     * environment; 0: none does */
    const void *kept[ORRERY_NWIDTHS]; /* the entry for rows of up to ORRERY_WIDTHS[w]; 0: none */
    const void *copies;               /* folds and merges (orrery_device_copies.h); 0: none */
    unsigned long takes; /* ... the reductions with bits here, of the loop's first 64 */
};

#ifdef __CUDACC__

/* Variables that only reads in the record used: declared and not referenced, set and not used. */
#pragma nv_diag_suppress 177, 550

#define ORRERY_DEVICE static __device__ __forceinline__
#define ORRERY_ANYWHERE static __host__ __device__ __forceinline__
#define ORRERY_STATIC_ASSERT(condition) static_assert(condition, "layouts differ")
#define ORRERY_INFINITY __int_as_float(0x7f800000)
#define ORRERY_UNROLL _Pragma("unroll")
#define ORRERY_ROLLED _Pragma("unroll 1")
#define ORRERY_LINE __align__(16)
#define _Bool bool

ORRERY_DEVICE int orrery_lane_number(void) {
    return (int)(threadIdx.x % 32);
}

ORRERY_DEVICE long orrery_warp_number(void) {
    return (long)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}

ORRERY_DEVICE long orrery_warp_count(void) {
    return (long)(gridDim.x * (blockDim.x / 32));
}

/* All lanes of the warp; what they wrote before it, all of them read after it. */
ORRERY_DEVICE void orrery_meet(void) {
    __syncwarp();
}

ORRERY_DEVICE unsigned orrery_flag_load(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

/* The flag alone: nothing is ordered behind it. */
ORRERY_DEVICE unsigned orrery_flag_look(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

/* A release orders what the lane has observed of the others before it. */
ORRERY_DEVICE void orrery_flag_store(unsigned *flag, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
}

/* The same with the host on the other side. */
ORRERY_DEVICE unsigned orrery_outside_load(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

ORRERY_DEVICE unsigned orrery_outside_look(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

ORRERY_DEVICE void orrery_outside_store(unsigned *flag, unsigned value) {
    asm volatile("st.release.sys.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
}

ORRERY_DEVICE void orrery_pause(void) {
    __nanosleep(32);
}

/* To the second-level cache, which all multiprocessors share: nothing there is ever stale. */
ORRERY_DEVICE void orrery_fetch_ahead(const void *address) {
    asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
}

ORRERY_DEVICE void orrery_count_up(unsigned long long *counter) {
    atomicAdd(counter, 1ull);
}

/* The bits of numbers that are not negative have their order. */
ORRERY_DEVICE void orrery_keep_most(unsigned *most, float value) {
    atomicMax(most, __float_as_uint(value));
}

/* Bit l: what lane l says. */
ORRERY_DEVICE unsigned orrery_ballot(int says) {
    return __ballot_sync(0xffffffffu, says);
}

#define ORRERY_SHUFFLE(suffix, type)                                                               \
    ORRERY_DEVICE type orrery_from_lane_##suffix(type value, int lane) {                           \
        return __shfl_sync(0xffffffffu, value, lane);                                              \
    }

/* What all lanes have, one after the other: each is asked when its turn comes. */
#define ORRERY_GATHER(all, suffix, value)
#define ORRERY_GATHERED(all, suffix, value, lane) orrery_from_lane_##suffix(value, lane)
#define ORRERY_GATHER_4(all, suffix, values)
#define ORRERY_GATHERED_4(all, suffix, values, i, lane) orrery_from_lane_##suffix((values)[i], lane)

/* `extern "C"` names that the program's C text refers to. */
#define ORRERY_BOUNDS __launch_bounds__(ORRERY_WARPS_PER_BLOCK *ORRERY_LANES)

#define ORRERY_KERNEL_ROWS(name, rows_function)                                                    \
    extern "C" __global__ void ORRERY_BOUNDS name##_entry(const struct orrery_kernel_job job) {    \
        rows_function(&job);                                                                       \
    }
#define ORRERY_NAMED extern "C"
#define ORRERY_ITS_DEVICE orrery_device_cuda

/* `words`: as ORRERY_STAGE has it, 0: rows are not loaded ahead. Registers
 * for 16 warps of a multiprocessor, or 12 where rows are long. */
#define ORRERY_ENTRY(name, rows_function, most, words)                                             \
    extern "C" __global__ void __launch_bounds__(ORRERY_WARPS_PER_BLOCK *ORRERY_LANES,             \
                                                 (most) == 0             ? 1                       \
                                                 : (most) <= ORRERY_WIDE ? 4                       \
                                                                         : 3)                      \
        name(const struct orrery_kernel_job job) {                                                 \
        enum { BYTES = (int)(ORRERY_STAGES(most, words) * ORRERY_STAGE(most, words)) };            \
        __shared__ __align__(                                                                      \
            16) unsigned char stages[BYTES ? ORRERY_WARPS_PER_BLOCK * BYTES : 16];                 \
        rows_function(&job, most, stages + threadIdx.x / ORRERY_LANES * BYTES);                    \
    }

#else

#include <math.h>

#define ORRERY_DEVICE static __attribute__((__unused__)) inline
#define ORRERY_ANYWHERE ORRERY_DEVICE
#define ORRERY_STATIC_ASSERT(condition) _Static_assert(condition, "layouts differ")
#define ORRERY_INFINITY __builtin_inff()
#define ORRERY_UNROLL
#define ORRERY_ROLLED
#define ORRERY_LINE __attribute__((__aligned__(16)))

/* runtime/device/device_host.c: where a fiber is, and how it waits for the others of its warp. */
int orrery_host_lane(void);
long orrery_host_warp(void);
long orrery_host_warps(void);
/* `theirs`: gets the value of lane `lane`; of all lanes, when that is -1. */
void orrery_host_exchange(const void *mine, void *theirs, unsigned long size, int lane,
                          const char *what);
unsigned orrery_host_load(const unsigned *flag);
void orrery_host_store(unsigned *flag, unsigned value);
void orrery_host_pause(void);

ORRERY_DEVICE int orrery_lane_number(void) {
    return orrery_host_lane();
}

ORRERY_DEVICE long orrery_warp_number(void) {
    return orrery_host_warp();
}

ORRERY_DEVICE long orrery_warp_count(void) {
    return orrery_host_warps();
}

ORRERY_DEVICE void orrery_meet(void) {
    orrery_host_exchange(0, 0, 0, 0, "orrery_meet");
}

ORRERY_DEVICE unsigned orrery_flag_load(const unsigned *flag) {
    return orrery_host_load(flag);
}

ORRERY_DEVICE void orrery_flag_store(unsigned *flag, unsigned value) {
    orrery_host_store(flag, value);
}

ORRERY_DEVICE unsigned orrery_flag_look(const unsigned *flag) {
    return orrery_host_load(flag);
}

ORRERY_DEVICE unsigned orrery_outside_load(const unsigned *flag) {
    return orrery_host_load(flag);
}

ORRERY_DEVICE unsigned orrery_outside_look(const unsigned *flag) {
    return orrery_host_load(flag);
}

ORRERY_DEVICE void orrery_fetch_ahead(const void *address) {
    (void)address;
}

ORRERY_DEVICE void orrery_outside_store(unsigned *flag, unsigned value) {
    orrery_host_store(flag, value);
}

ORRERY_DEVICE void orrery_pause(void) {
    orrery_host_pause();
}

ORRERY_DEVICE void orrery_count_up(unsigned long long *counter) {
    *counter += 1;
}

ORRERY_DEVICE void orrery_keep_most(unsigned *most, float value) {
    union {
        float value;
        unsigned bits;
    } mine = {value};
    *most = mine.bits > *most ? mine.bits : *most;
}

ORRERY_DEVICE unsigned orrery_ballot(int says) {
    int all[ORRERY_LANES];
    unsigned bits = 0;
    orrery_host_exchange(&says, all, sizeof says, -1, "orrery_ballot");
    for (int lane = 0; lane < ORRERY_LANES; ++lane)
        bits |= (all[lane] != 0 ? 1u : 0u) << lane;
    return bits;
}

#define ORRERY_SHUFFLE(suffix, type)                                                               \
    ORRERY_DEVICE type orrery_from_lane_##suffix(type value, int lane) {                           \
        type theirs;                                                                               \
        orrery_host_exchange(&value, &theirs, sizeof value, lane, "orrery_from_lane_" #suffix);    \
        return theirs;                                                                             \
    }                                                                                              \
    typedef type orrery_type_##suffix;                                                             \
    ORRERY_DEVICE void orrery_all_lanes_##suffix(type value, type *all) {                          \
        orrery_host_exchange(&value, all, sizeof value, -1, "orrery_all_lanes_" #suffix);          \
    }

/* What all lanes have: fibers meet once for all of them. */
#define ORRERY_GATHER(all, suffix, value)                                                          \
    orrery_type_##suffix all[ORRERY_LANES];                                                        \
    orrery_all_lanes_##suffix(value, all);
#define ORRERY_GATHERED(all, suffix, value, lane) all[lane]
#define ORRERY_GATHER_4(all, suffix, values)                                                       \
    orrery_type_##suffix all[4][ORRERY_LANES];                                                     \
    for (int orrery_i = 0; orrery_i < 4; ++orrery_i)                                               \
        orrery_all_lanes_##suffix((values)[orrery_i], all[orrery_i]);
#define ORRERY_GATHERED_4(all, suffix, values, i, lane) all[i][lane]

#define ORRERY_KERNEL_ROWS(name, rows_function)                                                    \
    static void name##_entry(const struct orrery_kernel_job *job) {                                \
        rows_function(job);                                                                        \
    }
#define ORRERY_NAMED extern
#define ORRERY_ITS_DEVICE orrery_device_host

#define ORRERY_ENTRY(name, rows_function, most, words)                                             \
    static void name(const struct orrery_kernel_job *job) {                                        \
        enum { BYTES = (int)(ORRERY_STAGES(most, words) * ORRERY_STAGE(most, words)) };            \
        ORRERY_LINE unsigned char stages[BYTES + 16] = {0};                                        \
        rows_function(job, most, stages);                                                          \
    }

#endif

#define ORRERY_KERNEL_TABLE(name, per_lane, layout, width, a, b, c, d, e, f, copies, takes)        \
    ORRERY_NAMED const struct orrery_device ORRERY_ITS_DEVICE;                                     \
    ORRERY_NAMED const struct orrery_kernel name;                                                  \
    const struct orrery_kernel name = {ORRERY_KERNEL_ABI,                                          \
                                       &ORRERY_ITS_DEVICE,                                         \
                                       (const void *)name##_entry,                                 \
                                       per_lane,                                                   \
                                       layout,                                                     \
                                       width,                                                      \
                                       {a, b, c, d, e, f},                                         \
                                       (const void *)copies,                                       \
                                       takes};
#define ORRERY_KERNEL(name, rows_function, per_lane, copies, takes, layout)                        \
    ORRERY_KERNEL_ROWS(name, rows_function)                                                        \
    ORRERY_KERNEL_TABLE(name, per_lane, layout, 0, 0, 0, 0, 0, 0, 0, copies, takes)
#define ORRERY_KERNEL_KEPT(name, width, a, b, c, d, e, f, copies, takes, layout)                   \
    ORRERY_KERNEL_TABLE(name, 0, layout, width, a, b, c, d, e, f, copies, takes)

ORRERY_SHUFFLE(i32, int)
ORRERY_SHUFFLE(u32, unsigned)
ORRERY_SHUFFLE(i64, long)
ORRERY_SHUFFLE(u64, unsigned long)
ORRERY_SHUFFLE(f32, float)
ORRERY_SHUFFLE(f64, double)

/* Two values folded; and all lanes' values, the same way every time: every lane gets the result. */
#define ORRERY_FOLD(op, suffix, type, unsigned_type, expression)                                   \
    ORRERY_DEVICE type orrery_two_##op##_##suffix(type a, type b) {                                \
        typedef unsigned_type wide;                                                                \
        (void)sizeof(wide);                                                                        \
        (void)b;                                                                                   \
        return (type)(expression);                                                                 \
    }                                                                                              \
    ORRERY_DEVICE type orrery_lanes_##op##_##suffix(type a) {                                      \
        for (int apart = ORRERY_LANES / 2; apart > 0; apart /= 2)                                  \
            a = orrery_two_##op##_##suffix(                                                        \
                a, orrery_from_lane_##suffix(a, orrery_lane_number() ^ apart));                    \
        return orrery_from_lane_##suffix(a, 0);                                                    \
    }
#define ORRERY_FOLD_INTEGERS(NAME, base, lanes, word, title, spelled, call, takes, identity,       \
                             traits, ties, integer, floating)                                      \
    ORRERY_FOLD(lanes, i32, int, unsigned, integer)                                                \
    ORRERY_FOLD(lanes, u32, unsigned, unsigned, integer)                                           \
    ORRERY_FOLD(lanes, i64, long, unsigned long, integer)                                          \
    ORRERY_FOLD(lanes, u64, unsigned long, unsigned long, integer)
#define ORRERY_FOLD_FLOATS(NAME, base, lanes, word, title, spelled, call, takes, identity, traits, \
                           ties, integer, floating)                                                \
    ORRERY_FOLD(lanes, f32, float, unsigned, floating)                                             \
    ORRERY_FOLD(lanes, f64, double, unsigned long, floating)

/* Overloaded for all types. */
#define ORRERY_LIBM(function) function
ORRERY_REDUCTIONS(ORRERY_FOLD_INTEGERS)
ORRERY_REDUCTIONS(ORRERY_FOLD_FLOATS)

/* orrery_lanes_add with a step less: a + b and b + a have the same bits, so all lanes have come to
 * the same sum. (Which of two NaNs it is may differ, and changes nothing that is decided by it.) */
#define ORRERY_SUM(suffix, type)                                                                   \
    ORRERY_DEVICE type orrery_lanes_sum_##suffix(type a) {                                         \
        ORRERY_UNROLL                                                                              \
        for (int apart = ORRERY_LANES / 2; apart > 0; apart /= 2)                                  \
            a = a + orrery_from_lane_##suffix(a, orrery_lane_number() ^ apart);                    \
        return a;                                                                                  \
    }

ORRERY_SUM(u32, unsigned)
ORRERY_SUM(u64, unsigned long)
ORRERY_SUM(f32, float)
ORRERY_SUM(f64, double)

/*
 * `update` (`e -=`) for the terms of all lanes that `have` one, in the order of the lanes: the
 * serial loop's own sum.
 */
#define ORRERY_IN_ORDER(update, suffix, term, have)                                                \
    {                                                                                              \
        const unsigned orrery_have = orrery_ballot(have);                                          \
        ORRERY_GATHER(orrery_all, suffix, term)                                                    \
        ORRERY_ROLLED                                                                              \
        for (int orrery_l = 0; orrery_l < ORRERY_LANES; ++orrery_l)                                \
            if (orrery_have >> orrery_l & 1)                                                       \
                update ORRERY_GATHERED(orrery_all, suffix, term, orrery_l);                        \
    }

/* The same for up to 4 terms of each lane, `many` of them, one behind the other. */
#define ORRERY_IN_ORDER_4(update, suffix, terms, many)                                             \
    {                                                                                              \
        ORRERY_GATHER(orrery_of, i32, many)                                                        \
        ORRERY_GATHER_4(orrery_all, suffix, terms)                                                 \
        ORRERY_ROLLED                                                                              \
        for (int orrery_l = 0; orrery_l < ORRERY_LANES; ++orrery_l) {                              \
            const int orrery_n = ORRERY_GATHERED(orrery_of, i32, many, orrery_l);                  \
            ORRERY_UNROLL                                                                          \
            for (int orrery_t = 0; orrery_t < 4; ++orrery_t)                                       \
                if (orrery_t < orrery_n)                                                           \
                    update ORRERY_GATHERED_4(orrery_all, suffix, terms, orrery_t, orrery_l);       \
        }                                                                                          \
    }

/* ---- four elements at a time ----------------------------------------------------------------- */

/* With so many iterations all lanes have four. */
enum { ORRERY_WIDE = 4 * ORRERY_LANES };

ORRERY_DEVICE int orrery_up_to_4(long n) {
    return n < 0 ? 0 : n > 4 ? 4 : (int)n;
}

/* Four elements, or the first `many` of them; by 16 bytes where they stand at such a place. */
#define ORRERY_FOUR(suffix, type)                                                                  \
    struct ORRERY_LINE orrery_line_##suffix {                                                      \
        type v[16 / sizeof(type)];                                                                 \
    };                                                                                             \
    ORRERY_DEVICE void orrery_load_four_##suffix(type *to, const type *from) {                     \
        enum { EACH = 16 / sizeof(type) };                                                         \
        ORRERY_UNROLL                                                                              \
        for (int i = 0; i < 4 / EACH; ++i) {                                                       \
            const struct orrery_line_##suffix line =                                               \
                ((const struct orrery_line_##suffix *)(const void *)from)[i];                      \
            ORRERY_UNROLL                                                                          \
            for (int j = 0; j < EACH; ++j)                                                         \
                to[i * EACH + j] = line.v[j];                                                      \
        }                                                                                          \
    }                                                                                              \
    ORRERY_DEVICE void orrery_store_four_##suffix(type *to, const type *from) {                    \
        enum { EACH = 16 / sizeof(type) };                                                         \
        ORRERY_UNROLL                                                                              \
        for (int i = 0; i < 4 / EACH; ++i) {                                                       \
            struct orrery_line_##suffix line;                                                      \
            ORRERY_UNROLL                                                                          \
            for (int j = 0; j < EACH; ++j)                                                         \
                line.v[j] = from[i * EACH + j];                                                    \
            ((struct orrery_line_##suffix *)(void *)to)[i] = line;                                 \
        }                                                                                          \
    }                                                                                              \
    ORRERY_DEVICE void orrery_load_##suffix(type *to, const type *from, int many) {                \
        if (many == 4 && (unsigned long)from % 16 == 0) {                                          \
            orrery_load_four_##suffix(to, from);                                                   \
            return;                                                                                \
        }                                                                                          \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4; ++j)                                                                \
            if (j < many)                                                                          \
                to[j] = from[j];                                                                   \
    }                                                                                              \
    ORRERY_DEVICE void orrery_store_##suffix(type *to, const type *from, int many) {               \
        if (many == 4 && (unsigned long)to % 16 == 0) {                                            \
            orrery_store_four_##suffix(to, from);                                                  \
            return;                                                                                \
        }                                                                                          \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4; ++j)                                                                \
            if (j < many)                                                                          \
                to[j] = from[j];                                                                   \
    }

/*
 * Rows in registers, in chunks of four numbers per lane. `most`, a constant, is one of
 * ORRERY_WIDTHS. Rows of less than ORRERY_WIDE numbers are one chunk, whose numbers stand 32 apart;
 * of the others a lane has four side by side. So lanes have what they have without registers.
 */
enum { ORRERY_KEPT = 32 };

ORRERY_DEVICE int orrery_chunks(const long most) {
    return (int)((most + ORRERY_WIDE - 1) / ORRERY_WIDE);
}

ORRERY_DEVICE long orrery_apart(const long most) {
    return most < ORRERY_WIDE ? ORRERY_LANES : 1;
}

/* The lane's first number of a chunk; how many it has of n from there on. */
ORRERY_DEVICE long orrery_kept_at(const long most, int chunk) {
    const long lane = orrery_lane_number();
    return most < ORRERY_WIDE ? lane : (long)chunk * ORRERY_WIDE + 4 * lane;
}

ORRERY_DEVICE int orrery_kept_many(const long most, long n, long k) {
    return orrery_up_to_4(most < ORRERY_WIDE ? (n - k + ORRERY_LANES - 1) / ORRERY_LANES : n - k);
}

/* The same; `full`: the row has `most` numbers, so that all lanes have as many. */
ORRERY_DEVICE int orrery_lane_has(const long most, long n, long k, const int full) {
    return full ? most < ORRERY_WIDE ? (int)most / ORRERY_LANES : 4 : orrery_kept_many(most, n, k);
}

#define ORRERY_ROW(suffix, type)                                                                   \
    ORRERY_DEVICE void orrery_load_kept_##suffix(type *to, const type *from, int many,             \
                                                 const long most) {                                \
        if (most >= ORRERY_WIDE) {                                                                 \
            orrery_load_##suffix(to, from, many);                                                  \
            return;                                                                                \
        }                                                                                          \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4; ++j)                                                                \
            if (j < many)                                                                          \
                to[j] = from[j * ORRERY_LANES];                                                    \
    }                                                                                              \
    ORRERY_DEVICE void orrery_store_kept_##suffix(type *to, const type *from, int many,            \
                                                  const long most) {                               \
        if (most >= ORRERY_WIDE) {                                                                 \
            orrery_store_##suffix(to, from, many);                                                 \
            return;                                                                                \
        }                                                                                          \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4; ++j)                                                                \
            if (j < many)                                                                          \
                to[j * ORRERY_LANES] = from[j];                                                    \
    }

ORRERY_FOUR(i32, int)
ORRERY_FOUR(u32, unsigned)
ORRERY_FOUR(i64, long)
ORRERY_FOUR(u64, unsigned long)
ORRERY_FOUR(f32, float)
ORRERY_FOUR(f64, double)
ORRERY_ROW(i32, int)
ORRERY_ROW(u32, unsigned)
ORRERY_ROW(i64, long)
ORRERY_ROW(u64, unsigned long)
ORRERY_ROW(f32, float)
ORRERY_ROW(f64, double)

/* ---- bounds: a sum by tree beside the same sum in order (docs/gpu.md, "Bounds") -------------- */

/* The most that k roundings to `unit` make of a number, as a share of it: Higham, Accuracy and
 * Stability, lemma 3.1. */
ORRERY_DEVICE double orrery_gamma(double k, double unit) {
    return k * unit / (1 - k * unit);
}

/* `size`: |start| and the sizes of n terms, added up; of a product, its own size. */
ORRERY_DEVICE double orrery_sum_bound(double size, long n, double unit, double least) {
    const double rows = (double)((n + ORRERY_LANES - 1) / ORRERY_LANES);
    const double in_order = orrery_gamma((double)n + 1, unit);
    const double by_tree = orrery_gamma(rows + 10, unit);
    return (in_order + by_tree) * size * 1.000001 + (double)n * least;
}

ORRERY_DEVICE void orrery_sums_hold(struct orrery_kernel_sums *sums, double in_order,
                                    double by_tree, double bound) {
    const double apart = in_order > by_tree ? in_order - by_tree : by_tree - in_order;
    if (!(bound < 1e300) || !(apart < 1e300))
        return;
    orrery_count_up(&sums->count);
    if (apart > bound)
        orrery_count_up(&sums->broken);
    if (bound > 0)
        orrery_keep_most(&sums->worst, (float)(apart / bound));
}

#define ORRERY_SIZE(x) ((double)(x) < 0 ? -(double)(x) : (double)(x))
#define ORRERY_UNIT_f32 0x1p-24
#define ORRERY_UNIT_f64 0x1p-53
#define ORRERY_LEAST_f32 0x1p-149
#define ORRERY_LEAST_f64 0.0

/* All lanes come; lane 0 writes it down. `sizes`: of the lane's own terms. */
#define ORRERY_HOLD(sums, suffix, start, in_order, by_tree, sizes, n)                              \
    {                                                                                              \
        const double orrery_all = orrery_lanes_add_f64(sizes) + ORRERY_SIZE(start);                \
        if (orrery_lane_number() == 0)                                                             \
            orrery_sums_hold(                                                                      \
                sums, in_order, by_tree,                                                           \
                orrery_sum_bound(orrery_all, n, ORRERY_UNIT_##suffix, ORRERY_LEAST_##suffix));     \
    }

/* The part of [0, count) that is number `w` of `n`: begins at orrery_part(count, w, n). */
ORRERY_DEVICE long orrery_part(long count, long w, long n) {
    return count / n * w + count % n * w / n;
}

/* Iterations of for (i = first; i < last; i += step), and of `i <= last`; going up or down. */
ORRERY_ANYWHERE long orrery_trips(long first, long last, long step, int included) {
    long apart = step > 0 ? last - first : first - last, size = step > 0 ? step : -step;
    if (included)
        return apart < 0 ? 0 : apart / size + 1;
    return apart <= 0 ? 0 : (apart - 1) / size + 1;
}

/* Part `phase` of the block's iterations. */
ORRERY_DEVICE void orrery_phase(const struct orrery_kernel_job *job, long *first, long *end) {
    const long low = *first, count = *end - low;
    if (job->phases == 1)
        return;
    *first = low + orrery_part(count, job->phase, job->phases);
    *end = low + orrery_part(count, job->phase + 1, job->phases);
}

/* Where an update of an element of a snapshot is collected. */
ORRERY_DEVICE void *orrery_collected(const void *address, long shift) {
    return (char *)address + shift;
}

#include "orrery_device_copies.h"
#include "orrery_device_grid.h"
#include "orrery_device_rows.h"

#endif
