#ifndef ORRERY_SCHEDULER_STANDALONE_HEAD_H
#define ORRERY_SCHEDULER_STANDALONE_HEAD_H
#if WITH_MEMORY
#if defined(__has_include) && __has_include(<malloc.h>)
#include <malloc.h>
#endif
#endif
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if WITH_OPENMP
#ifdef _OPENMP
#include <omp.h>
#include <unistd.h>
#endif
#if WITH_MEMORY || WITH_FLAGS
#include <sched.h>
#endif
#endif
#if WITH_PTHREADS
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif
#if WITH_READINESS || WITH_KEYS
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Warnings about text that the rewriting made; those about the loops' own text show in their
 * bodies. */
/* clang-format off */
#define ORRERY_BODY_BEGIN                                                                          \
    _Pragma("GCC diagnostic push")                                                                 \
    _Pragma("GCC diagnostic ignored \"-Wpragmas\"")                                                \
    _Pragma("GCC diagnostic ignored \"-Wunknown-warning-option\"")                                 \
    _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                                 \
    _Pragma("GCC diagnostic ignored \"-Wunused-variable\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wunused-but-set-variable\"")                                \
    _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"")                                       \
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
#define ORRERY_QUIET_BEGIN                                                                         \
    ORRERY_BODY_BEGIN                                                                              \
    _Pragma("GCC diagnostic ignored \"-Wunused-function\"")                                        \
    _Pragma("GCC diagnostic ignored \"-Wunused-value\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Wsign-compare\"")                                           \
    _Pragma("GCC diagnostic ignored \"-Wparentheses\"")                                            \
    _Pragma("GCC diagnostic ignored \"-Wcast-qual\"")                                              \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                             \
    _Pragma("GCC diagnostic ignored \"-Wtype-limits\"")                                            \
    _Pragma("GCC diagnostic ignored \"-Wtautological-compare\"")                                   \
    _Pragma("GCC diagnostic ignored \"-Wmisleading-indentation\"")
#define ORRERY_ENV_BEGIN                                                                           \
    _Pragma("GCC diagnostic push")                                                                 \
    _Pragma("GCC diagnostic ignored \"-Wpragmas\"")                                                \
    _Pragma("GCC diagnostic ignored \"-Wunknown-warning-option\"")                                 \
    _Pragma("GCC diagnostic ignored \"-Wuninitialized\"")                                          \
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
/* clang-format on */
#define ORRERY_WARNINGS_END _Pragma("GCC diagnostic pop")

/* The last statement of a body: gcc 12 takes some of them for functions without effect. */
#define ORRERY_BODY_DONE(block) __asm__ volatile("" : : "r"(block) : "memory")
#if WITH_UNROLL

/* Iterations that share nothing are interleaved, where the compiler may not do it. */
#if defined(__OPTIMIZE__) && !defined(__FAST_MATH__)
#define ORRERY_JAM 1
#endif
#endif
#if WITH_SIZES

/* Bodies are compiled once more for each of the trip counts that loops inside often have. */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define ORRERY_SIZES 1
#endif
#endif

ORRERY_QUIET_BEGIN

#endif
