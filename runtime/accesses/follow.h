/*
 * Most iterations of an innermost loop do what the one before did, at addresses that go on in equal
 * strides. Such iterations are not noted access by access: each access is held against what is
 * expected of it, and where something else comes, or many have come, all of them are noted at once
 * (columns.c), step by step over many iterations. What is noted is the same as ever.
 */
#ifndef ORRERY_RUNTIME_ACCESSES_FOLLOW_H
#define ORRERY_RUNTIME_ACCESSES_FOLLOW_H

#include "runtime/accesses/shadow.h"

/* STEPS: of one iteration. ROUNDS: iterations that are noted at once. */
enum { FOLLOW_STEPS = 48, FOLLOW_ROUNDS = 512 };

/* No access begins there, none returns there. */
#define FOLLOW_NOWHERE UINTPTR_MAX
#define FOLLOW_MARK ((uintptr_t)1)

/* One access of each iteration; the last step is the mark of the next iteration. */
struct follow_step {
    uintptr_t pc;    /* where it returns to; FOLLOW_MARK */
    uintptr_t next;  /* the address that is expected, or FOLLOW_NOWHERE; the loop's mark */
    intptr_t stride; /* from one iteration to the next */
    uintptr_t first; /* the address in the first round */
    uintptr_t *list; /* the addresses of all rounds, where `listed` */
    uint32_t site;   /* where the access stands */
    uint32_t size;   /* bytes */
    bool write;      /* else a read */
    bool listed;     /* the addresses have no stride */
};

/* Rounds that have come, and are not noted yet. */
struct follow {
    int rounds;                /* iterations that ended */
    int nsteps;                /* without the mark */
    bool twins;                /* two steps are of the same place and kind */
    struct follow_step *steps; /* nsteps + 1 */
    struct watch_level *level; /* the innermost one */
    struct watch_span *span;   /* its times */
    uint64_t count;            /* its count in the first round */
    uint32_t start, previous;  /* when the first round began, and the iteration before it */
};

#pragma GCC visibility push(hidden)

extern struct follow follow;

/* What this thread expects. */
extern __thread struct follow_step *follow_next __attribute__((tls_model("initial-exec")));

/* An access that is expected is remembered, and nothing else is to be done. */
static inline __attribute__((always_inline)) bool follow_expects(uintptr_t at, uintptr_t pc) {
    struct follow_step *step = follow_next;
    if (step->pc != pc || step->next != at)
        return false;
    step->next = at + (uintptr_t)step->stride;
    follow_next = step + 1;
    return true;
}

/* An access of a step without stride is remembered. Its cell will be needed. */
static inline __attribute__((always_inline)) bool follow_lists(uintptr_t at, uintptr_t pc) {
    struct follow_step *step = follow_next;
    if (step->pc != pc || !step->listed)
        return false;
    step->list[follow.rounds] = at;
    follow_next = step + 1;
    __builtin_prefetch(cell_of_word(at), 1);
    return true;
}

/* As many rounds as have room have come: they are noted, and following goes on. */
void follow_renew(void);

/* The same of an iteration's mark. */
static inline bool follow_expects_mark(const void *mark) {
    const struct follow_step *step = follow_next;
    if (step->pc != FOLLOW_MARK || step->next != (uintptr_t)mark)
        return false;
    follow_next = follow.steps;
    if (++follow.rounds == FOLLOW_ROUNDS)
        follow_renew();
    return true;
}

/* An access that is not expected, but that the pattern can learn. requires: watch.following. */
bool follow_learns(uintptr_t at, size_t size, uintptr_t pc, bool write);
/* requires: watch.recording. */
void follow_record(uintptr_t at, size_t size, uintptr_t pc, bool write);
/* An iteration has begun in which a loop may be followed, or recorded. */
void follow_try(struct watch_level *level);

/* ---- columns.c ------------------------------------------------------------------------------- */

/* Notes all rounds, and the first `done` steps of the one that is under way. */
void columns_note(int done);

#pragma GCC visibility pop

#endif
