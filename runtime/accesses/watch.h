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

/* What is counted of one loop of the text: the object's own memory, ten words of zeros. */
struct watch_loop {
    uint64_t instances;  /* times it was begun */
    uint64_t iterations; /* of all instances */
    uint64_t met;        /* instances of two iterations and more */
    uint64_t ticks;      /* of the processor's clock, from begin to end */
    uint64_t touches;    /* loads and stores in them */
    uint64_t active;     /* instances that run now */
    uint64_t records;    /* different conflicts written down */
    uint64_t dropped;    /* conflicts for which there was no room */
    uint64_t told;       /* iterations that told of their keys and checks */
    uint64_t failed;     /* of those: in which a check of the run does not hold */
};

/* A variable that a loop's mark names. */
struct watch_range {
    uintptr_t at;
    size_t size;
};

/* Times end there: what comes later is not watched. */
#define WATCH_LAST_TIME 0xfffffff0u

/* RING: room for the iterations that are not noted yet, too (follow.h). */
enum { WATCH_LEVELS = 256, WATCH_STARTS = 1 << 16, WATCH_RING = 2 * WATCH_STARTS };
enum { WATCH_VARIABLES = 48, WATCH_KEYS = 4 };

/* The value of a key that an iteration does not have. */
#define WATCH_NO_KEY INT64_MIN

/*
 * Times count the beginnings of iterations of all loops: what stands in [begin, iteration) was
 * touched by an earlier iteration of the loop. Of a loop and one inside, the inner one's begin is
 * not before the outer one's iteration.
 */
struct watch_span {
    uint32_t begin, iteration; /* iteration: when the current one began */
    uint32_t previous;         /* when the one before began */
    uint64_t serial;           /* of the loop, its frame and its variables: no other's */
};

/* A loop that runs. */
struct watch_level {
    struct watch_loop *loop; /* which one */
    uintptr_t frame;         /* of the function that holds it */
    uint64_t count;          /* iterations begun */
    uint64_t try_at;         /* the count at which it may be followed (follow.h) */
    uint64_t ticks, touches; /* when it was begun */
    int nvariables;          /* of `variables` */
    struct watch_range variables[WATCH_VARIABLES]; /* memory of those that the mark names */
    int nkeys;                                     /* of each iteration */
    uint32_t starts[WATCH_RING]; /* when its last iterations began, by number modulo size */
};

/*
 * What every access looks at, in one line of the cache. A function whose own frame lies within
 * `reach` of `frame` is called from the innermost loop.
 */
struct watch {
    uintptr_t frame;           /* of the function that holds the innermost loop */
    uintptr_t reach;           /* from there down to the end of the first thread's stack; 0: ask */
    uint64_t touches;          /* loads and stores so far */
    uintptr_t base;            /* where the program was loaded */
    uint32_t now;              /* the time of the current access */
    uint32_t first;            /* when the outermost loop began */
    uint32_t past;             /* from then to the innermost loop's iteration */
    struct watch_span *span;   /* of the innermost loop */
    struct watch_level *top;   /* the innermost level, or one that stands for none */
    int depth;                 /* of `spans`, loops that run */
    bool on;                   /* a loop runs, and nothing suspends the watch */
    bool wanted;               /* ORRERY_ACCESSES is set, and this is the process of it */
    bool following, recording; /* the innermost loop: one of the two (follow.h) */
    bool late;                 /* what is noted now has happened before */
    struct watch_span spans[WATCH_LEVELS]; /* of the loops that run, the outermost first */
} __attribute__((aligned(64)));

#pragma GCC visibility push(hidden)

extern struct watch watch;
extern struct watch_level watch_levels[WATCH_LEVELS];
extern __thread bool watch_mine __attribute__((tls_model("initial-exec")));

/* Where something other comes than what is followed or recorded: what was followed is noted. */
void follow_stop(void);
/* The same, in front of `settle`. */
void follow_finish(void);
/* Nothing is followed; what has not been noted is lost. */
void follow_drop(void);

/* requires: the next access is none of those that are followed. `on` is asked first: before the
 * process has its thread's own memory nothing is on. */
static inline bool watch_is_on(void) {
    if (!watch.on || !watch_mine)
        return false;
    if (__builtin_expect(watch.following | watch.recording, 0))
        follow_stop();
    return watch.on;
}

/* `here`: the frame of a function that was called. False says nothing. */
static inline bool watch_is_near(uintptr_t here) {
    return watch.frame - here < watch.reach;
}

/* The iteration of a level that was under way at a time, from 0, and when it began; -1: too long
 * ago to know. */
int64_t watch_number(const struct watch_level *level, uint32_t time, uint32_t *start);
/* The keys of an iteration of a level, nkeys of them. requires: its number is known. */
const int64_t *watch_keys(int level, int64_t number);
/* Loops of functions that have been left end: those with a frame up to `frame`. */
void watch_leave(uintptr_t frame);
/* How much of the first thread's stack lies below a frame, 0: it stands elsewhere. */
uintptr_t watch_reach(uintptr_t frame);
/* Accesses need not ask any more. */
void watch_resume(void);
/* Nothing is watched until a mark says where the program is. */
void watch_suspend(void);
/* Ends all loops for the report; the iterations that are followed are not noted. In a handler. */
void watch_cut(void);
/* Where ORRERY_ACCESSES asks for a report: signals that would end the process write it before. */
void signals_watch(void);

/* ---- shadow.c -------------------------------------------------------------------------------- */

/* Takes the address space that the shadow needs. Returns false after a message. */
bool shadow_start(void);
/* `at`: the first byte; `pc`: where the access returns to. requires: watch_is_on. */
void shadow_read(uintptr_t at, size_t size, uintptr_t pc);
void shadow_write(uintptr_t at, size_t size, uintptr_t pc);
/* What was there is another object now. */
void shadow_forget(uintptr_t at, size_t size);

/* ---- blocks.c, sites.c ----------------------------------------------------------------------- */

/* Blocks of memory, by their first byte: what they are called in reports. */
void block_add(uintptr_t at, size_t size, uintptr_t pc);
void block_remove(uintptr_t at);
/* The size of the block that begins there, 0: none is known. */
size_t block_size(uintptr_t at);
/* The block that holds a byte. Returns false where none is known. */
bool block_find(uintptr_t at, uintptr_t *begin, size_t *size, uint32_t *site);

/* Places of the program as 31 bits, and back. Those of the program itself are the distance from
 * where it was loaded. */
#define SITE_LIBRARY 0x40000000u
uint32_t site_of_library(uintptr_t pc);
uintptr_t site_address(uint32_t site);

static inline uint32_t site_of(uintptr_t pc) {
    uintptr_t distance = pc - watch.base;
    return __builtin_expect(distance < SITE_LIBRARY, 1) ? (uint32_t)distance : site_of_library(pc);
}

/* ---- conflict.c ------------------------------------------------------------------------------ */

/* ANTI_OWN: the earlier iteration had written what it read. */
enum conflict_kind { CONFLICT_FLOW, CONFLICT_ANTI, CONFLICT_ANTI_OWN, CONFLICT_OUTPUT };

/*
 * How many iterations lay between those that met; 0: too many to know, or one more distance than a
 * record has room for. `keys`: how the keys of the two compare, 0: the loop tells none. For key k,
 * two bits from 2 * k on: 0 not known, 1 equal, 2 the later one's is greater, 3 less. Bit
 * CONFLICT_CROSS + 4 * k + l: key k of the earlier one is key l of the later one.
 */
enum { CONFLICT_CROSS = 2 * WATCH_KEYS };
struct conflict_vector {
    int64_t distance;
    uint32_t keys;
    uint64_t count;
    int64_t iterations[2]; /* of the first such pair, -1: not known any more */
    uintptr_t at;
};

/* EXACT: those with a distance of their own. */
enum { CONFLICT_VECTORS = 12, CONFLICT_EXACT = 7 };

/* One pair of places at which iterations of a loop met. */
struct conflict {
    struct watch_loop *loop; /* which carries them; NULL: no record stands here */
    enum conflict_kind kind; /* which of the two writes */
    int variable;            /* index among those of the loop's mark, -1: none of them */
    uint32_t source, sink;   /* places of the earlier access and of the later one */
    uint64_t touch;          /* number of the access that was counted last */
    uint64_t *counted;       /* where: in the vector that was counted last */
    uint64_t serial;         /* of the span; in it addresses in [low, high) are of this record */
    uintptr_t low, high;     /* see `serial` */
    int nvectors;            /* of `vectors` */
    struct conflict_vector vectors[CONFLICT_VECTORS]; /* how far apart the iterations were */
    uintptr_t block;     /* what the first was in: a heap block, or 0 */
    size_t block_size;   /* of that block, bytes */
    uint32_t block_site; /* where it was allocated */
};

/*
 * An earlier access of time `time` at `source`, and one of now at `sink`; the level of `span`
 * carries them. `written`: when a byte that was read (CONFLICT_ANTI) had been written.
 */
void conflict_met(const struct watch_span *span, enum conflict_kind kind, uintptr_t at,
                  uint32_t time, uint32_t source, uint32_t sink, uint32_t written);

/*
 * The last conflict of a sink: what must be so for the next to be of the same vector. `serial`: of
 * the span. Either the iterations are those of then, or (`just`) again the last two.
 */
struct conflict_hit {
    uint32_t source, sink;         /* places of the earlier access and of the later one */
    uintptr_t low, size;           /* the addresses for which it holds */
    uint64_t serial;               /* of the span */
    const struct watch_span *span; /* of the loop that carries it */
    struct conflict *record; /* NULL: the memory is an iteration's own, none is written down */
    uint32_t iteration;      /* when the later iteration began */
    uint32_t time, length;   /* when the earlier one began, and how long it took */
    bool just;               /* whichever iterations are the last two */
    bool own;                /* CONFLICT_ANTI_OWN */
} __attribute__((aligned(64)));

/* Which counts were raised, while `on`. */
struct conflict_journal {
    bool on;
    int count; /* may be larger than the room */
    uint64_t *counted[8];
};

enum { CONFLICT_HITS = 1024 };
extern struct conflict_journal conflict_journal;
extern struct conflict_hit conflict_hits[CONFLICT_OUTPUT + 1][CONFLICT_HITS];

static inline struct conflict_hit *conflict_hit_of(enum conflict_kind kind, uint32_t source,
                                                   uint32_t sink) {
    return &conflict_hits[kind][(sink ^ source * 5) % CONFLICT_HITS];
}

/* An access counts once, however many bytes of it meet. */
static inline void conflict_count(struct conflict *record) {
    if (record->touch == watch.touches)
        return;
    record->touch = watch.touches;
    ++*record->counted;
    if (__builtin_expect(conflict_journal.on, 0))
        conflict_journal.counted[conflict_journal.count++ % 8] = record->counted;
}

/*
 * The same has been met before: it is counted, and nothing else is to be done. False says nothing.
 * A level carries all times of its earlier iterations: which one does so has not to be known here.
 */
static inline __attribute__((always_inline)) bool conflict_again(enum conflict_kind kind,
                                                                 uintptr_t at, uint32_t time,
                                                                 uint32_t source, uint32_t sink,
                                                                 uint32_t written) {
    const struct conflict_hit *hit = conflict_hit_of(kind, source, sink);
    const struct watch_span *span = hit->span;
    if (hit->sink != sink || hit->source != source || at - hit->low >= hit->size ||
        hit->serial != span->serial || span > watch.span)
        return false;
    if (!hit->record)
        return time - span->begin < span->iteration - span->begin;
    uint32_t start = hit->time, length = hit->length;
    if (hit->just) {
        start = span->previous;
        length = span->iteration - start;
    } else if (hit->iteration != span->iteration) {
        return false;
    }
    if (time - start >= length || (kind == CONFLICT_ANTI && hit->own != (written >= start)))
        return false;
    conflict_count(hit->record);
    return true;
}

/* All of them, in no order; `i` from 0, NULL: the end. */
const struct conflict *conflict_at(size_t i);

/* ---- report.c -------------------------------------------------------------------------------- */

/* Writes what was seen to the folder ORRERY_ACCESSES, once. */
void report_write(int signal);

#pragma GCC visibility pop

#endif
