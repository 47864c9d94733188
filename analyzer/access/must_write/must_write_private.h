/* What the files that put a question of coverage to isl share. */
#ifndef ORRERY_ANALYZER_ACCESS_MUST_WRITE_PRIVATE_H
#define ORRERY_ANALYZER_ACCESS_MUST_WRITE_PRIVATE_H

#include "analyzer/access/internal.h"
#include "analyzer/access/must_write/must_write.h"
#include "analyzer/access/subscripts/layout.h"
#include "analyzer/linear.h"

/* Variables of one write alone, until it is known how many all systems share. */
enum { OWN = 1 << 20, MAX_SUBS = LAYOUT_DIMS + 1, MAX_OPERATIONS = 40000, MAX_QUESTIONS = 400 };

/* `running`: loops inside that were taken to run at least once, for the run to check. */
struct must_write {
    const struct trace *t;
    struct linear_solver *solver;
    int nrunning, *running;
};

/* A condition as a variable that is 0 or 1. */
struct decision {
    const struct value *value;
    int var;
};

/* One question: do writes of the iteration cover the bytes that a touch reads? */
struct question {
    struct must_write *must_write; /* what asks it */
    const struct trace *t;         /* the trace */
    struct arena *arena;           /* the trace's */
    const struct ref *ref;         /* the touch in question */
    enum must_write_when when;     /* which writes count (must_write.h) */
    bool anywhere;                 /* the touch may be of every element of the object */
    /* the variable of a symbol in the iteration of the touch, by the symbol's id, -1: none
     * yet */
    int *shared;
    int *primed;                       /* the same in the other iteration (ALWAYS) */
    int nshared;                       /* variables given so far */
    struct linear_system outer;        /* the bytes that the touch is of */
    struct linear_form subs[MAX_SUBS]; /* its subscripts */
    int byte;                          /* the variable that stands for a byte of the element */
    int ndecisions;                    /* conditions as variables that are 0 or 1 */
    struct decision *decisions;        /* ... */
    int ninner;                        /* ways in which a write comes first */
    struct linear_system *inner;       /* the bytes that it touches then, a system per way */
    int nrunning, *running;            /* loops of writes of which a run can see that they run */
};

/* One write in one of its ways: the first `fixed` of its loops are where those of `ref` are. */
struct way {
    struct question *q;
    const struct ref *ref;
    int fixed;
    int nown;
    int *own; /* per symbol */
    struct linear_system system;
};

/* must_write_form.c */
int *must_write_no_vars(const struct trace *t);
int must_write_fresh(struct question *q);
int must_write_shared_var(struct question *q, const struct symbol *symbol);
/* The variable that stands for `symbol` in the write; -1: what it is there is not known. */
int must_write_way_var(struct way *way, const struct symbol *symbol);
/* form += sign * value, in the iteration of the question (`way` NULL) or of a write. */
bool must_write_add_affine(struct question *q, struct way *way, struct linear_form *form,
                           const struct affine *value, int sign);
/* sign * (var - bound) >= 0 */
bool must_write_add_bound(struct question *q, struct way *way, int var, const struct affine *bound,
                          int sign);
/* low <= var <= high */
void must_write_add_range(struct question *q, struct linear_system *system, int var, long low,
                          long high);
/* Both bounds of a loop and its stride; false: one of them is not known. */
bool must_write_add_loop(struct question *q, struct way *way, int var,
                         const struct inner_loop *loop);
/* must_write_condition.c */
/* Conditions of the touch in question only make it smaller: those that are not known are left. */
void must_write_add_own_conditions(struct question *q);
bool must_write_add_way_conditions(struct way *way);
/* must_write_touch.c */
void must_write_add_at_least(struct question *q, const struct linear_form *form, long factor,
                             struct linear_form rest);
/* An access stays inside of its allocation, where that has a known size. */
void must_write_add_allocation(struct question *q, const struct object *object);
/*
 * An access stays inside of a declared array, but not always of its row: which row it is and which
 * element of it is known when all are asked for.
 */
void must_write_add_extents(struct question *q, const struct object *object);
void must_write_add_own_subs(struct question *q);
/* The bytes of an element that it touches; all of them when that is not known. */
bool must_write_add_own_bytes(struct question *q, long begin, long size);
void must_write_add_own_loops(struct question *q);
/* must_write_write.c */
void must_write_assume_running(struct question *q);
/* Every way in which the write comes before (after) the touch in question. */
void must_write_add_write(struct question *q, const struct ref *write);

#endif
