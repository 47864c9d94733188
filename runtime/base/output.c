/* Collected text: every piece with its iteration; written in the loop's order when it has ended. */
#include "runtime/base/output.h"

#include "dsm/dsm.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In front of a piece's text. `number`: in the order in which the pieces came; those of one
 * iteration come in its own order, on one rank. `stream`: the program's, which only rank 0 uses;
 * each rank has a stdout and a stderr of its own (`standard`). */
struct piece {
    const void *site;                                /* the loop's */
    long iteration, number, rank;                    /* where it comes from */
    const void *stream;                              /* the program's */
    enum standard { OTHER, OUT, ERROR } standard;    /* which one that is */
    size_t bytes;                                    /* 0: the stream is flushed */
    enum end { GOES_ON, EXITS, ABORTS, FAULTS } end; /* how the program ends here */
    int status;                                      /* of an exit; the signal of a fault */
};

/* Pieces one behind the other. */
static struct {
    pthread_mutex_t lock;
    char *at;
    size_t bytes, room;
    long count;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void append(const void *data, size_t bytes) {
    if (bytes > all.room - all.bytes) {
        all.room = 2 * (all.bytes + bytes) + 4096;
        all.at = dsm_own_realloc(all.at, all.room);
    }
    if (bytes > 0)
        memcpy(all.at + all.bytes, data, bytes);
    all.bytes += bytes;
}

void *orrery_output_begin(const void *site) {
    return (void *)(uintptr_t)site;
}

/* Which iteration the thread is in, and where it goes on when that ends the program. */
static _Thread_local struct {
    const void *site;
    long iteration;
    const char *name; /* of the loop's variable */
    bool leaves;      /* such an iteration ends the region: the loop runs again, as it is written */
    jmp_buf *back;    /* NULL: in no block */
} here;

/* The first one so far that ends the program, on this rank: what follows it need not begin. */
static atomic_long first_end = LONG_MAX;

/* Behind an iteration that ends the program others may fault that the program never comes to. */
static void fault_leave(int signal_number);

void orrery_output_at(void *out, long iteration, const char *name, int in_order) {
    if (!here.site && here.back)
        dsm_fault_leave(fault_leave);
    here.site = out;
    here.iteration = iteration;
    here.name = name;
    if (in_order && here.back && iteration > atomic_load_explicit(&first_end, memory_order_relaxed))
        longjmp(*here.back, 1);
}

bool orrery_output_block(void (*run)(const struct orrery_block *), const struct orrery_block *block,
                         bool leaves) {
    jmp_buf back;
    bool whole = true;
    if (leaves)
        dsm_fault_leave(fault_leave);
    here.site = NULL;
    here.leaves = leaves;
    here.back = &back;
    if (setjmp(back) == 0)
        run(block);
    else
        whole = !leaves;
    here.back = NULL;
    return whole;
}

static void piece_add(struct piece piece, const char *text) {
    piece.rank = dsm_rank();
    piece.standard = !piece.stream || piece.stream == stdout ? OUT
                     : piece.stream == stderr                ? ERROR
                                                             : OTHER;
    pthread_mutex_lock(&all.lock);
    piece.number = all.count++;
    append(&piece, sizeof piece);
    append(text, piece.bytes);
    pthread_mutex_unlock(&all.lock);
}

/* Rank 0: the loop may end the program. */
static atomic_bool may_end;

void orrery_output_ends(void *out) {
    (void)out;
    atomic_store(&may_end, true);
}

int orrery_output_unseen(void) {
    return !dsm_end_is_seen();
}

bool orrery_output_may_end(void) {
    return atomic_load(&may_end);
}

/* On rank 0: a region runs. Else the loop runs serially, in its own order. */
static atomic_bool collects;

void orrery_output_collect(bool on) {
    atomic_store(&collects, on);
}

/* The thread runs a block. Others of the program may print meanwhile. */
static _Thread_local bool works;

void orrery_output_work(bool on) {
    works = on;
}

static bool is_direct(void) {
    return dsm_rank() == 0 && !(atomic_load(&collects) && works);
}

/* No format of the program is this (scheduler/transform/output.c). */
static bool is_flush(const char *format) {
    return strcmp(format, "%.0s") == 0;
}

static void print_now(const void *stream, const char *format, va_list arguments) {
    FILE *out = stream ? (FILE *)(uintptr_t)stream : stdout;
    if (is_flush(format))
        fflush(out);
    else
        vfprintf(out, format, arguments);
}

static void collect(struct piece piece, const char *format, va_list arguments) {
    char few[256], *text = few;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(few, sizeof few, format, arguments);
    if (length >= (int)sizeof few) {
        text = dsm_own_alloc((size_t)length + 1);
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    piece.bytes = (size_t)(length < 0 ? 0 : length);
    if (length > 0 || is_flush(format))
        piece_add(piece, text);
    if (text != few)
        dsm_own_free(text);
}

void orrery_output_print(void *site, long iteration, const void *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (is_direct())
        print_now(stream, format, arguments);
    else
        collect((struct piece){.site = site, .iteration = iteration, .stream = stream}, format,
                arguments);
    va_end(arguments);
}

void orrery_output_bytes(void *site, long iteration, const void *stream, const void *data,
                         size_t size, size_t count) {
    const struct piece piece = {
        .site = site, .iteration = iteration, .stream = stream, .bytes = size * count};
    if (is_direct())
        fwrite(data, size, count, (FILE *)(uintptr_t)stream);
    else if (piece.bytes > 0)
        piece_add(piece, data);
}

void orrery_output_say(const void *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (is_direct())
        print_now(stream, format, arguments);
    else
        collect((struct piece){.site = here.site, .iteration = here.iteration, .stream = stream},
                format, arguments);
    va_end(arguments);
}

static void first_end_note(long iteration) {
    long first = atomic_load(&first_end);
    while (iteration < first && !atomic_compare_exchange_weak(&first_end, &first, iteration))
        ;
}

/* What the iteration has called is left: nothing of it is used again. */
static _Noreturn void leave(enum end end, int status) {
    if (!here.back)
        dsm_fail(1, "a loop's iteration with %s = %ld ends the program where it cannot be left",
                 here.name ? here.name : "its variable", here.iteration);
    if (here.leaves)
        longjmp(*here.back, 1);
    piece_add(
        (struct piece){
            .site = here.site, .iteration = here.iteration, .end = end, .status = status},
        "");
    first_end_note(here.iteration);
    longjmp(*here.back, 1);
}

static void fault_leave(int signal_number) {
    if (here.back && (here.site || here.leaves) && !is_direct())
        leave(FAULTS, signal_number);
}

long orrery_output_inside(long at, long count) {
    if (at < 0 || at >= count)
        fault_leave(SIGSEGV);
    return at;
}

void orrery_output_exit(int status) {
    if (is_direct())
        exit(status);
    leave(EXITS, status);
}

void orrery_output_abort(void) {
    if (is_direct())
        abort();
    leave(ABORTS, 0);
}

void orrery_output_leave(void) {
    if (is_direct())
        atomic_store(&may_end, false);
    else
        leave(EXITS, 0);
}

char *orrery_output_take(size_t *bytes) {
    char *pieces = all.at;
    *bytes = all.bytes;
    all.at = NULL;
    all.bytes = all.room = 0;
    atomic_store(&first_end, LONG_MAX);
    return pieces;
}

void orrery_output_add(const char *pieces, size_t bytes) {
    append(pieces, bytes);
}

/* ---- the end of a loop ----------------------------------------------------------------------- */

struct place {
    struct piece piece;
    const char *text;
};

static int by_iteration(const void *a, const void *b) {
    const struct piece *x = &((const struct place *)a)->piece,
                       *y = &((const struct place *)b)->piece;
    if (x->iteration != y->iteration)
        return x->iteration < y->iteration ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static long places_of(const void *site, struct place **places) {
    long n = 0, room = 0;
    *places = NULL;
    for (size_t at = 0; at < all.bytes;) {
        struct place place;
        memcpy(&place.piece, all.at + at, sizeof place.piece);
        place.text = all.at + at + sizeof place.piece;
        at += sizeof place.piece + place.piece.bytes;
        if (place.piece.site != site)
            continue;
        if (n == room) {
            room = 2 * room + 64;
            *places = dsm_own_realloc(*places, (size_t)room * sizeof **places);
        }
        (*places)[n++] = place;
    }
    return n;
}

/* An iteration that prints runs on one rank, or its pieces would have no order. */
static void ranks_check(const struct place *places, long n) {
    for (long i = 1; i < n; ++i)
        if (places[i].piece.iteration == places[i - 1].piece.iteration &&
            places[i].piece.rank != places[i - 1].piece.rank)
            dsm_fail(1,
                     "iteration %ld of a loop prints on the ranks %ld and %ld, in no known order; "
                     "print once in each iteration, or run it on one rank (threads work)",
                     places[i].piece.iteration, places[i - 1].piece.rank, places[i].piece.rank);
}

/* Takes a loop's pieces away. */
static void forget(const void *site) {
    size_t kept = 0;
    for (size_t at = 0, bytes; at < all.bytes; at += bytes) {
        struct piece piece;
        memcpy(&piece, all.at + at, sizeof piece);
        bytes = sizeof piece + piece.bytes;
        if (piece.site != site) {
            memmove(all.at + kept, all.at + at, bytes);
            kept += bytes;
        }
    }
    all.bytes = kept;
}

void orrery_output_drop(void) {
    pthread_mutex_lock(&all.lock);
    all.bytes = 0;
    atomic_store(&first_end, LONG_MAX);
    pthread_mutex_unlock(&all.lock);
}

static void piece_write(const struct place *place) {
    const struct piece *piece = &place->piece;
    FILE *stream = piece->standard == OUT     ? stdout
                   : piece->standard == ERROR ? stderr
                                              : (FILE *)(uintptr_t)piece->stream;
    if (piece->bytes == 0)
        fflush(stream);
    else
        fwrite(place->text, 1, piece->bytes, stream);
}

void orrery_output_end(void *site) {
    struct place *places;
    pthread_mutex_lock(&all.lock);
    const long n = places_of(site, &places);
    if (n > 1)
        qsort(places, (size_t)n, sizeof *places, by_iteration);
    ranks_check(places, n);
    struct piece last = {.end = GOES_ON};
    for (long i = 0; i < n && last.end == GOES_ON; ++i) {
        last = places[i].piece;
        if (last.end == GOES_ON)
            piece_write(&places[i]);
    }
    forget(site);
    atomic_store(&first_end, LONG_MAX);
    atomic_store(&may_end, false);
    pthread_mutex_unlock(&all.lock);
    dsm_own_free(places);
    if (last.end == EXITS)
        exit(last.status);
    if (last.end == ABORTS)
        abort();
    if (last.end == FAULTS) {
        raise(last.status); /* the program's own handler, if it has one */
        signal(last.status, SIG_DFL);
        raise(last.status);
    }
}
