/*
 * New orders of a nest's iterations: what isl's scheduler finds, proved once more from the accesses,
 * as plain data and as C. No isl type appears here.
 *
 * Sources: Bondhugula et al., A Practical Automatic Polyhedral Parallelizer and Locality Optimizer
 * (PLDI 2008); Verdoolaege, isl's manual, "Scheduling"; Grosser et al., Polyhedral AST Generation Is
 * More Than Scanning Polyhedra (TOPLAS 2015).
 */
#ifndef ORRERY_SCHEDULER_ORDER_H
#define ORRERY_SCHEDULER_ORDER_H

#include "scheduler/base/text.h"
#include "scheduler/transform/nest.h"

/* What a member of a band counts for a statement that is not in the band. */
enum { ORDER_NONE = -1 };

/* Loops that follow each other directly. `is_permutable`: in any order, and in tiles. Of a member:
 * `is_parallel`: its iterations do not depend on each other while the loops around stand still;
 * `counts`: the nest's loop that it is for each statement. */
struct order_member {
    bool is_parallel;
    int counts[NEST_STATEMENTS];
};

struct order_band {
    bool is_permutable;
    int nmembers;
    struct order_member members[NEST_DEPTH];
};

/* How a band is run: its members in this order, outermost first; `tile`: how many iterations of a
 * member are one tile, 0: it has no tiles. Tiles are in the order of `outer`. */
struct order_choice {
    int inner[NEST_DEPTH], outer[NEST_DEPTH];
    int tile[NEST_DEPTH];
};

enum { ORDER_BANDS = 16 };

struct order {
    int nbands; /* in the order in which both functions below meet them */
    struct order_band bands[ORDER_BANDS];
    struct order_choice choices[ORDER_BANDS]; /* made by the caller, for order_print */
    bool is_broken;                           /* order_print: a dependence would not hold */
    void *state;                              /* isl's */
};

/* NULL: there is none whose loops count the nest's loops, or finding it is too much work. Ends with
 * order_free. */
struct order *order_find(const struct nest *nest);
void order_free(struct order *order);

/*
 * The nest in the order that `choices` say, as loops, with
 * `statement` printing an instance of a statement: `values[i]` is what the i-th loop around it
 * counts. False: a dependence would not hold, or it is too much work; nothing is to be used then.
 */
struct order_print {
    void (*statement)(void *data, int statement, int nvalues, const char *const *values,
                      struct text *out);
    void *data;
};
bool order_print(const struct nest *nest, struct order *order, const struct order_print *how,
                 struct text *out);

#endif
