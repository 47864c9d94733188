/* What happens at each access, per eight bytes of memory and iteration. See recorder.h. */
#include "recorder.h"

#include "recorder_cells.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 256, MOST_FOLDS = 4, MOST_IMAGES = 16 };

struct name {
    const char *name;
    uintptr_t from, to;
};

/* One update that the next statement makes: its read and its write are still to come. A minimum is
 * read twice: compared, and kept. */
struct fold {
    uintptr_t at;
    char op;
    int read, write;
};

static struct {
    const struct smith_claim *claim;
    struct name names[MOST_NAMES];
    int nnames, nkept;
    int iteration, guard_failed, left;
    struct smith_step steps[SMITH_MOST_STEPS];
    struct fold folds[MOST_FOLDS];
    int nfolds;
    uintptr_t stack_low, stack_high;
    char *images[MOST_IMAGES];
    long loops, parallel, stopped, unsound;
    sigjmp_buf way_out;
} state;

/* ---- what the program tells ---- */

void smith_name(const char *name, const void *address, size_t size) {
    if (state.nnames == MOST_NAMES)
        abort();
    uintptr_t from = (uintptr_t)address;
    state.names[state.nnames++] = (struct name){name, from, from + size};
}

void smith_names_keep(void) {
    state.nkept = state.nnames;
}

/* Copies all kept names one after the other, from `image` or into it; the bytes they have. */
static size_t move_image(char *image, int keep) {
    size_t at = 0;
    for (int i = 0; i < state.nkept; ++i) {
        char *place = (char *)state.names[i].from;
        size_t size = state.names[i].to - state.names[i].from;
        if (image)
            memcpy(keep ? image + at : place, keep ? place : image + at, size);
        at += size;
    }
    return at;
}

void smith_image_keep(unsigned which) {
    char *image = malloc(move_image(NULL, 1));
    if (which >= MOST_IMAGES || !image)
        abort();
    state.images[which] = image;
    move_image(image, 1);
}

int smith_image_take(unsigned which) {
    if (which >= MOST_IMAGES || !state.images[which])
        return 0;
    move_image(state.images[which], 0);
    return 1;
}

void smith_begin(const struct smith_claim *claim) {
    char here;
    cells_clear();
    state.claim = claim;
    state.iteration = -1;
    state.guard_failed = state.left = 0;
    state.nfolds = 0;
    state.stack_low = (uintptr_t)&here - (1 << 20);
    state.stack_high = (uintptr_t)&here + (1 << 16);
}

void smith_next(int guard, const long *dims) {
    if (++state.iteration == SMITH_MOST_STEPS)
        abort();
    struct smith_step *step = &state.steps[state.iteration];
    *step = (struct smith_step){0};
    for (int i = 0; i < state.claim->dims; ++i)
        step->dims[i] = dims[i];
    state.guard_failed |= !guard;
    state.nfolds = 0;
}

void smith_key(int which, long value) {
    state.steps[state.iteration].keys[which] = value;
    state.steps[state.iteration].nkeys = which + 1;
}

void smith_fold(char op, const void *address) {
    if (state.nfolds == MOST_FOLDS)
        abort();
    state.folds[state.nfolds++] = (struct fold){(uintptr_t)address, op, 1, 1};
}

void smith_leave(void) {
    state.left = 1;
}

void smith_plain(void) {
    state.nfolds = 0;
}

/* ---- accesses ---- */

static const struct name *named(uintptr_t address, int from) {
    for (int i = from; i < state.nnames; ++i)
        if (address >= state.names[i].from && address < state.names[i].to)
            return &state.names[i];
    return NULL;
}

/* The operator when this access is the awaited read or write of a fold, else 0. */
static char take_fold(uintptr_t at, int write) {
    for (int i = 0; i < state.nfolds; ++i) {
        int *awaited = write ? &state.folds[i].write : &state.folds[i].read;
        if (state.folds[i].at == at && *awaited) {
            *awaited -= strchr("mM", state.folds[i].op) == NULL;
            return state.folds[i].op;
        }
    }
    return 0;
}

static void touch(const void *pointer, size_t size, int write) {
    uintptr_t at = (uintptr_t)pointer;
    if (!state.claim || state.iteration < 0)
        return;
    if (at > state.stack_low && at < state.stack_high && !named(at, state.nkept))
        return;
    cells_touch(at, size, state.iteration, write, take_fold(at, write));
}

#define SIZED(n)                                                                                   \
    void __tsan_read##n(void *p);                                                                  \
    void __tsan_write##n(void *p);                                                                 \
    void __tsan_unaligned_read##n(void *p);                                                        \
    void __tsan_unaligned_write##n(void *p);                                                       \
    void __tsan_read##n(void *p) {                                                                 \
        touch(p, n, 0);                                                                            \
    }                                                                                              \
    void __tsan_write##n(void *p) {                                                                \
        touch(p, n, 1);                                                                            \
    }                                                                                              \
    void __tsan_unaligned_read##n(void *p) {                                                       \
        touch(p, n, 0);                                                                            \
    }                                                                                              \
    void __tsan_unaligned_write##n(void *p) {                                                      \
        touch(p, n, 1);                                                                            \
    }

SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int byte, size_t size);

void __tsan_init(void) {
}

void __tsan_func_entry(void *pc) {
    (void)pc;
}

void __tsan_func_exit(void) {
}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    return __tsan_memmove(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
    touch(from, size, 0);
    touch(to, size, 1);
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size) {
    touch(to, size, 1);
    return memset(to, byte, size);
}

/* ---- the verdict ---- */

int smith_apart(const void *a, const void *b) {
    const struct name *first = named((uintptr_t)a, 0), *second = named((uintptr_t)b, 0);
    return first && second && first->from != second->from;
}

/* Whether any name that stands for the place is in the list, after `prefix`. */
static int listed(const char *list, const char *prefix, uintptr_t at) {
    for (int i = 0; i < state.nnames; ++i) {
        char wanted[120];
        if (at < state.names[i].from || at >= state.names[i].to)
            continue;
        snprintf(wanted, sizeof wanted, ",%s%s,", prefix, state.names[i].name);
        if (strstr(list, wanted))
            return 1;
    }
    return 0;
}

static int is_private(uintptr_t at) {
    return listed(state.claim->privates, "", at);
}

static int is_reduction(uintptr_t at, char op) {
    char prefix[3] = {op, ' ', '\0'};
    return listed(state.claim->reductions, prefix, at);
}

/* Whether the claimed strategy keeps two iterations that met apart. */
static int is_kept(const struct smith_step *a, const struct smith_step *b) {
    const struct smith_claim *claim = state.claim;
    for (int i = 0; i < claim->dims; ++i)
        for (int j = 0; j < claim->dims; ++j)
            if ((i == j || claim->any) && a->dims[i] == b->dims[j])
                return 1;
    return 0;
}

static void report_breach(const struct smith_meeting *met) {
    const struct name *owner = named(met->at, 0);
    printf("UNSOUND %s: %s, but iterations %d and %d meet in %s + %ld\n", state.claim->name,
           state.claim->strategy, met->first, met->second, owner ? owner->name : "unnamed memory",
           owner ? (long)(met->at - owner->from) : 0);
}

void smith_end(void) {
    static const struct smith_judge judge = {is_private, is_reduction, is_kept};
    const struct smith_claim *claim = state.claim;
    struct smith_meeting met;
    state.claim = NULL;
    const char *could = state.left ? "left" : cells_could(state.steps, claim->unordered);
    state.claim = claim;
    int broken = claim->parallel && !claim->unjudged && !state.guard_failed && !state.left &&
                 cells_breach(state.steps, &judge, &met);
    if (broken)
        report_breach(&met);
    printf("LOOP %s %s %s %s\n", claim->name, could, claim->strategy,
           state.guard_failed ? "stopped" : "ran");
    state.loops += 1;
    state.parallel += claim->parallel;
    state.stopped += claim->parallel && state.guard_failed;
    state.unsound += broken;
    state.nnames = state.nkept;
    state.claim = NULL;
}

static void take_way_out(int signal) {
    (void)signal;
    siglongjmp(state.way_out, 1);
}

sigjmp_buf *smith_way_out(void) {
    signal(SIGSEGV, take_way_out);
    return &state.way_out;
}

void smith_died(void) {
    if (!state.claim)
        abort();
    state.left = 1;
    smith_end();
}

int smith_totals(void) {
    printf("TOTAL %ld loops, %ld parallel, %ld of them stopped by a guard, %ld unsound\n",
           state.loops, state.parallel, state.stopped, state.unsound);
    return state.unsound != 0;
}
