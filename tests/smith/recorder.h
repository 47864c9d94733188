/*
 * The access recorder: a program compiled for ThreadSanitizer and linked with recorder.c instead of
 * its runtime tells of every load and store that it makes. What two iterations of a loop touched is
 * then held against what the tool claimed of the loop. Knows nothing of subscripts or dependence
 * theory, and nothing of how the program was made.
 */
#ifndef SMITH_RECORDER_H
#define SMITH_RECORDER_H

#include <setjmp.h>
#include <stddef.h>

/*
 * What the tool said of one loop. `dims`: how many of its dims may keep two iterations apart; 0: no
 * two may meet; `any`: a dim of one may equal another dim of the other (tournament). `unjudged`: a
 * strategy that orders iterations in a way that is not recorded. `privates` and `reductions` are
 * lists: ",s,t,", ",+ s,".
 */
struct smith_claim {
    const char *name, *strategy;
    int parallel, dims, any, unjudged, unordered;
    const char *privates, *reductions;
};

/* A loop begins, runs its next iteration, ends. `guard`: what the run checks holds. */
void smith_begin(const struct smith_claim *claim);
void smith_next(int guard, const long *dims);
void smith_end(void);

/* A name the tool may use, and where it stands; lasts until the loop's end, or for ever. */
void smith_name(const char *name, const void *address, size_t size);
void smith_names_keep(void);

/*
 * The bytes of all kept names, kept under a number from 0 to 15; put back, 1, when they have been
 * kept: filling the arrays anew costs more than running the loops.
 */
void smith_image_keep(unsigned which);
int smith_image_take(unsigned which);

/* A value that iterations may be cut by, for judging what could have been found. */
void smith_key(int which, long value);

/* Whether two pointers point to different named memory: what a check for overlap asks for. */
int smith_apart(const void *a, const void *b);

/* Where what a name stands for begins:
 * a number in memory, or what a pointer or an array leads to. */
#define smith_begin_of(x)                                                                          \
    _Generic((x),                                                                                  \
        signed char: &(x),                                                                         \
        unsigned char: &(x),                                                                       \
        short: &(x),                                                                               \
        unsigned short: &(x),                                                                      \
        int: &(x),                                                                                 \
        unsigned: &(x),                                                                            \
        long: &(x),                                                                                \
        unsigned long: &(x),                                                                       \
        double: &(x),                                                                              \
        default: (x))

/* The next statement is `*address op= value`; smith_plain: it has ended. */
void smith_fold(char op, const void *address);
void smith_plain(void);

/*
 * A subscript, when it is in bounds; else 0, and the loop is not judged: what leaves an array is no
 * C. That no byte of the arrays is recorded for it does not matter then.
 */
#define smith_inside(subscript, size)                                                              \
    ((subscript) >= 0 && (subscript) < (size) ? (subscript) : (smith_leave(), 0))
void smith_leave(void);

/*
 * Runs a call of a function with a loop. One that dies by a signal, as with sizes at which a dim or
 * a guard of the claim leaves its array, left an array, too.
 */
#define smith_run(call)                                                                            \
    do {                                                                                           \
        if (sigsetjmp(*smith_way_out(), 1))                                                        \
            smith_died();                                                                          \
        else                                                                                       \
            (void)(call);                                                                          \
    } while (0)
sigjmp_buf *smith_way_out(void);
void smith_died(void);

/* Prints the totals; 1 when a claim was broken. */
int smith_totals(void);

#endif
