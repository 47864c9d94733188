/*
 * What a program built by `orrery-cc -accesses` carries: which loops run, and which of their
 * iterations met in memory (docs/accesses.md). Knows nothing of verdicts: `orrery verify
 * --accesses` holds what is written here against them.
 *
 *   marks -> nest.c: the loops that run, each with the time at which its iteration began
 *   __tsan_* (entry.c), wrapped calls (calls.c, strings.c) -> shadow.c -> conflict.c -> report.c
 */
#ifndef ORRERY_RUNTIME_ACCESSES_WATCH_H
#define ORRERY_RUNTIME_ACCESSES_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- loops ----------------------------------------------------------------------------------- */

/* What is counted of one loop of the text: the object's own memory, eight words of zeros. */
struct watch_loop {
    uint64_t instances;  /* times it was begun */
    uint64_t iterations; /* of all instances */
    uint64_t met;        /* instances of two iterations and more */
    uint64_t ticks;      /* of the processor's clock, from begin to end */
    uint64_t touches;    /* loads and stores in them */
    uint64_t active;     /* instances that run now */
    uint64_t records;    /* different conflicts written down */
    uint64_t dropped;    /* conflicts for which there was no room */
};

/* A variable that a loop's mark names. */
struct watch_range {
    uintptr_t at;
    size_t size;
};

/* Times end there: what comes later is not watched. */
#define WATCH_LAST_TIME 0xfffffff0u

enum { WATCH_LEVELS = 256, WATCH_STARTS = 4096, WATCH_VARIABLES = 48 };

/*
 * A loop that runs. Times count the beginnings of iterations of all loops: what stands in
 * [begin, iteration) was touched by an earlier iteration of it.
 */
struct watch_level {
    struct watch_loop *loop;
    uintptr_t frame;           /* of the function that holds it */
    uint32_t begin, iteration; /* iteration: when the current one began */
    uint64_t count;            /* iterations begun */
    uint64_t ticks, touches;   /* when it was begun */
    int nvariables;
    struct watch_range variables[WATCH_VARIABLES];
    uint32_t starts[WATCH_STARTS]; /* when its last iterations began, by number modulo size */
};

/* What every access looks at. `now`, `iteration`, `begin`, `first`: times of the current access, of
 * the innermost loop's iteration and begin, and of the outermost loop's begin; `frame`: the
 * innermost loop's. */
struct watch {
    bool on; /* a loop runs, and nothing suspends the watch */
    uint32_t now, iteration, begin, first;
    uintptr_t frame;
    uint64_t touches;
    int depth;
    bool wanted; /* ORRERY_ACCESSES is set, and this is the process that it speaks of */
};

extern struct watch watch;
extern struct watch_level watch_levels[WATCH_LEVELS];
extern __thread bool watch_mine __attribute__((tls_model("initial-exec")));

/* The level that an access of time `time` and one of now are carried by, -1: none. */
int watch_level_of(uint32_t time);
/* The iteration of a level that was under way at a time, from 0; -1: too long ago to know. */
int64_t watch_number(const struct watch_level *level, uint32_t time);
/* When that iteration began; `time` itself where it is not known. */
uint32_t watch_start(const struct watch_level *level, uint32_t time);
/* Loops of functions that have been left end: those with a frame up to `frame`. */
void watch_leave(uintptr_t frame);
/* Nothing is watched until a mark says where the program is. */
void watch_suspend(void);

/* ---- shadow.c, sites.c ----------------------------------------------------------------------- */

/* `at`: the first byte; `pc`: where the access returns to. requires: watch.on, watch_mine. */
void shadow_read(uintptr_t at, size_t size, uintptr_t pc);
void shadow_write(uintptr_t at, size_t size, uintptr_t pc);
/* What was there is another object now. */
void shadow_forget(uintptr_t at, size_t size);

/* Blocks of memory, by their first byte: what they are called in reports. */
void shadow_block_add(uintptr_t at, size_t size, uintptr_t pc);
void shadow_block_remove(uintptr_t at);
/* The size of the block that begins there, 0: none is known. */
size_t shadow_block_size(uintptr_t at);
/* The block that holds a byte. Returns false where none is known. */
bool shadow_block_find(uintptr_t at, uintptr_t *begin, size_t *size, uint32_t *site);

/* Places of the program as 32 bits, and back. */
uint32_t site_of(uintptr_t pc);
uintptr_t site_address(uint32_t site);

/* ---- conflict.c ------------------------------------------------------------------------------ */

/* ANTI_OWN: the earlier iteration had written what it read. */
enum conflict_kind { CONFLICT_FLOW, CONFLICT_ANTI, CONFLICT_ANTI_OWN, CONFLICT_OUTPUT };

/* One pair of places at which iterations of a loop met, and the first time that they did. */
struct conflict {
    struct watch_loop *loop;
    enum conflict_kind kind;
    int variable; /* index among those of the loop's mark, -1: none of them */
    uint32_t source, sink;
    uint64_t count, touch; /* touch: number of the access that was counted last */
    uint64_t instance;     /* of the loop; in it addresses in [low, high) are of this record */
    uintptr_t low, high;
    uintptr_t at;
    int64_t iterations[2];
    uintptr_t block; /* what it was in: a heap block, or 0 */
    size_t block_size;
    uint32_t block_site;
};

/* An earlier access of time `time` at `source`, and one of now at `sink`. */
void conflict_met(int level, enum conflict_kind kind, uintptr_t at, uint32_t time, uint32_t source,
                  uint32_t sink);

/* The same has been met before: it is counted, and nothing else is to be done. */
bool conflict_known(int level, enum conflict_kind kind, uintptr_t at, uint32_t source,
                    uint32_t sink);

/* All of them, in no order; `i` from 0, NULL: the end. */
const struct conflict *conflict_at(size_t i);

/* ---- report.c -------------------------------------------------------------------------------- */

/* Writes what was seen to the folder ORRERY_ACCESSES, once. */
void report_write(void);

#endif
