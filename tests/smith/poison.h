/*
 * What is left of a nest's inputs when all that the serial loop does not read is poison: NULL and
 * wild pointers, zero divisors, subscripts far outside, chains without end. Each nest is there
 * three times: traced (-fsanitize=thread, with poison.c in place of its runtime), serial, and
 * tested.
 */
#ifndef SMITH_POISON_H
#define SMITH_POISON_H

#include <stddef.h>

enum poison_type {
    POISON_CHAR,
    POISON_UCHAR,
    POISON_SHORT,
    POISON_INT,
    POISON_UNSIGNED,
    POISON_LONG,
    POISON_BOOL,
    POISON_FLOAT,
    POISON_DOUBLE,
    POISON_POINTER
};

/*
 * What a cell holds before. RANGE: low to high. SIGNS: zeros of both signs and few other numbers.
 * FLAG: 0, or low to high, how often is the run's. STEP: element i * step of the target, or nothing
 * (chance, in percent). ANY: some element of it, a multiple of step. ROWS: never falls, from low to
 * at most high. BACK: the element before, an end at every fifth. ENDED: RANGE, below zero at every
 * fifth.
 */
enum poison_fill {
    FILL_RANGE,
    FILL_SIGNS,
    FILL_FLAG,
    FILL_STEP,
    FILL_ANY,
    FILL_ROWS,
    FILL_BACK,
    FILL_ENDED
};

/* What a cell holds when nobody reads it. CHAIN: a link that leads back to itself. */
enum poison_with { WITH_ANYTHING, WITH_INDEX, WITH_DIVISOR, WITH_DIVIDEND, WITH_WILD, WITH_CHAIN };

/* One member of every element of an area. target: the area that a pointer leads into. */
struct poison_cell {
    const char *name;
    int offset;
    enum poison_type type;
    enum poison_fill fill;
    long low, high;
    int chance;
    enum poison_with with;
    int target, step;
};

/* MAPPED: pages of its own, between pages that nobody may touch; DECLARED: a variable. */
enum poison_kind { POISON_HEAP, POISON_MAPPED, POISON_DECLARED };

/* tested: the nest asks whether the pointer to it is NULL, which it then has to remain. */
struct poison_area {
    const char *name;
    int stride, count;
    enum poison_kind kind;
    void *declared;
    const struct poison_cell *cells;
    int ncells, tested;
};

/*
 * One set of data. cut: what is mapped ends with the last element that is used (1), or begins with
 * the first (2). wild: pointers to what nobody touches lead nowhere, most (1) or all (2).
 */
struct poison_run {
    unsigned seed;
    int cut, wild;
    long numbers[8];
};

enum poison_copy { COPY_TRACED, COPY_SERIAL, COPY_TESTED };

struct poison_nest {
    const char *name;
    const struct poison_area *areas;
    int nareas;
    const struct poison_run *runs;
    int nruns;
    void (*call)(enum poison_copy copy, void **at, const long *numbers);
};

/*
 * Runs the nests from the one on whose number is the first argument; only that one when there is a
 * second one. Prints "> NEST RUN COPY" in front of each run of a copy, and behind them
 * "= NEST RUN VERDICT AREA.CELL:POISONED ...". What ends a copy ends the program; one that takes
 * longer than ten seconds ends it with status 98. Returns main's status.
 */
int poison_main(int argc, char **argv, const struct poison_nest *nests, int count);

#endif
