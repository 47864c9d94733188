/*
 * Dependences of one loop: facts in, vectors out. The scheduler's input.
 */
#ifndef ORRERY_ANALYZER_ANALYSIS_H
#define ORRERY_ANALYZER_ANALYSIS_H

#include "analyzer/facts.h"

/*
 * One dimension of the lifted iteration space: the loop's variable, or a key. `name` as reported:
 * the key's whole subscript expression as the user wrote it (`u[n] - 1` where every use has that
 * constant).
 */
enum dim_kind { DIM_VARIABLE, DIM_KEY };

struct dim {
    enum dim_kind kind;
    const char *name;
    struct symbol *symbol;
};

/* One entry of a direction/distance vector, sink minus source. */
enum entry_kind {
    ENTRY_NUMBER,
    ENTRY_PLUS,
    ENTRY_MINUS,
    ENTRY_ZERO_PLUS,
    ENTRY_ZERO_MINUS,
    ENTRY_STAR
};

struct entry {
    enum entry_kind kind;
    long number;
};

enum dep_kind { DEP_FLOW, DEP_ANTI, DEP_OUTPUT };

/*
 * CARRIED:   two iterations conflict; the vector says which.
 * REFUTED:   shown not to exist; `why` says how ("subscripts differ by 1, step is 2").
 * PRIVATE, REDUCTION, RELAXED: removed, and by what.
 * LIMIT:     the bound on isl's work was reached: taken as carried in all dims (ORR2190).
 */
enum dep_status { DEP_CARRIED, DEP_REFUTED, DEP_PRIVATE, DEP_REDUCTION, DEP_RELAXED, DEP_LIMIT };

/* Two iterations may conflict so. */
static inline bool dep_status_holds(enum dep_status status) {
    return status == DEP_CARRIED || status == DEP_LIMIT;
}

struct dependence {
    struct object *object;
    enum dep_kind kind;
    enum dep_status status;
    struct entry *vector; /* analysis.ndims entries */
    const struct access *source, *sink;
    const char
        *why; /* REFUTED: how; CARRIED: in words ("iterations with the same r[n].item conflict") */
};

/*
 * How an object lies along one dim: set when every access of the loop to it has, in one and the
 * same dimension of the object, the subscript coeff*dim + constant' with constants that stay within
 * the row. With a `partner` (-1: none), a second dim, some of the accesses have its value in the
 * place of the dim's: two keys of one table. Row v (v the dim's value) starts at base + row_offset
 * + v * row_stride; it is `pieces` pieces of `piece_bytes`, `piece_stride` apart. All C texts of
 * integer type valid at the loop's head, in bytes. ROWS objects: `by_table`, row v starts at
 * table[v + table_offset], strides unset; or `pieces_by_table`, piece q of row v starts at table[q]
 * + row_offset + v * row_stride. `pieces` "0": as many as the object has. `by_table` with
 * `piece_bytes`: no access goes further than that.
 */
struct row_shape {
    int dim, partner; /* of the analysis; `partner` -1: one dim alone */
    /* rows, or pieces of rows, start where a table of pointers says */
    bool by_table, pieces_by_table;
    long table_offset;                   /* entries in front of row 0's, or of piece 0's */
    const char *row_offset, *row_stride; /* C text, bytes; NULL: unset (`by_table`) */
    /* C text; `pieces` "0": as many as there are */
    const char *pieces, *piece_bytes, *piece_stride;
};

/* An object with all the dims along which it can be cut
 * (no conflict and no access crosses a cut). */
struct array_use {
    struct object *object;
    int nshapes;
    struct row_shape *shapes;
    const struct row_shape
        *own;          /* by the loop's variable, as dim: every iteration has its own part */
    bool needed_whole; /* some access is not by row: only replication (read-only) can place it */
};

struct analysis {
    struct loop_facts *facts; /* what it was made of */
    struct loop *loop;        /* the facts' */
    bool unordered;           /* the user allows any order of the iterations */
    int ndims;                /* by which iterations may be told apart */
    struct dim *dims;         /* ... */
    int ndeps;                /* pairs of accesses, and what became of each */
    struct dependence *deps;  /* ... */
    int narrays;              /* objects, with the dims along which each can be cut */
    struct array_use *arrays; /* ... */
};

/*
 * requires: facts. Dims, all pairs of accesses, vectors; bounded work. Never NULL. When the facts
 * hold refusals, dependences are still computed as far as possible.
 */
struct analysis *analysis_run(struct loop_facts *facts);

/*
 * Of a loop that stays serial: its facts and dependences once more, with guards on invariant values
 * under which nothing is in its way but what a key keeps apart (`a[i] = a[i + m]`: m = 0, or as
 * large as the loop is long). NULL: there are none that leave room for long loops.
 */
struct analysis *analysis_given(const struct analysis *analysis);

/* --dump=deps */
void analysis_dump(const struct analysis *analysis, void *stream);

/* "0", "+", "-3", "*" ... */
const char *entry_text(struct arena *arena, struct entry entry);

#endif
