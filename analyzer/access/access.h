/*
 * Inside of the access passes: the abstract run of a loop's body. One interpretation goes through
 * one iteration in program order, keeps a symbolic value for every local variable, enters functions
 * of the unit at their calls, and leaves a list of memory references. facts_collect repeats it
 * until what it assumed (which variables are carried, which loads read written data) holds, then
 * turns memory references into objects and subscripts.
 */
#ifndef ORRERY_ANALYZER_ACCESS_H
#define ORRERY_ANALYZER_ACCESS_H

#include "analyzer/access/objects/alias_origin.h"
#include "analyzer/access/subscripts/symbolic.h"
#include "analyzer/effects.h"
#include "analyzer/ir_visit.h"
#include "analyzer/table.h"

/*
 * Memory as the interpretation tells it apart. VARIABLE: declared outside of the body. LOCAL:
 * declared in the body or in a function called from it; private to the iteration. POINTER: what an
 * invariant pointer expression points to. ROWS: what the pointers in `table` point to. TEXT: string
 * literals. UNKNOWN: anything (`why`).
 */
enum region_kind {
    REGION_VARIABLE,
    REGION_LOCAL,
    REGION_POINTER,
    REGION_ROWS,
    REGION_TEXT,
    REGION_UNKNOWN
};

struct region {
    enum region_kind kind;      /* what it is */
    struct variable *var;       /* VARIABLE, LOCAL; POINTER when `expr` is that variable */
    struct expr *expr;          /* POINTER: the pointer; ROWS: the table as an lvalue or pointer */
    const struct region *table; /* ROWS: whose pointers lead there */
    int ntables;                /* ROWS: 1, of a table of tables (`int ***`) 2 */
    long step, at;    /* ROWS: bytes from one pointer of the table to the next, and of the first */
    const char *path; /* ROWS: members from a structure of the table to its pointer */
    const struct type *element;   /* innermost element of a variable, pointee of a pointer */
    const char *why;              /* UNKNOWN: why it is not known */
    const struct expr *unescaped; /* LOCAL: the call that allocates it, NULL: a variable */
    bool nests;                   /* such memory: all addresses in it are of such memory */
    bool in_callee;               /* some access names it in a called function's text */
    bool in_body;                 /* some access names it in the body's own text */
    bool null;                    /* UNKNOWN: it is a null pointer */
    bool recast; /* some access is of another type than `element` says, or of bytes */
    int id;      /* its place in the trace's list */
};

enum value_kind { VALUE_UNKNOWN, VALUE_INT, VALUE_POINTER, VALUE_OTHER };

/* index * stride bytes with 0 <= index < extent by the type; index NULL when unknown. */
struct part {
    const struct poly *index, *stride, *extent;
    bool grows; /* an array member that decayed: pointer arithmetic stays inside of it */
};

/* What an expression is worth in one iteration. */
struct value {
    enum value_kind kind; /* what it is */
    /* -1: invariant; 0: by the loop's variable; else the innermost loop inside that it
     * depends on */
    int level;
    const struct poly *poly;     /* of an INT; the open byte offset of a POINTER; NULL: not known */
    const struct poly *lead;     /* POINTER without poly: it is this + a multiple of `unit` bytes */
    long unit;                   /* 0: nothing is known of it */
    const struct region *region; /* POINTER: what it points into */
    const struct poly *row;      /* ROWS: the table's index */
    const struct poly *outer;    /* ROWS: that of the table of tables */
    struct part *parts;          /* POINTER: indices into arrays that the types bound */
    int nparts;                  /* ... */
    int ndeps, *deps;            /* references that it was made of */
    int nsites, *sites;          /* places of the text that it came from */
    /* POINTER: symbols that the offset takes for what they would be exactly (wrap.h) */
    int nwraps, *wraps;
    /* the same over the loop's variables and captures; for lvalues the lvalue; NULL: none */
    struct expr *pure;
    struct expr *demand; /* an invariant condition that it takes for granted, NULL: none */
    const char *why;     /* why it is not known */
    /* it is the truth of `compared relation 0`; NULL: it is no such comparison */
    const struct poly *compared;
    enum op relation;             /* ... */
    enum expr_kind joined;        /* EXPR_AND or EXPR_OR of the two `sides` */
    const struct value *sides[2]; /* ... */
    const struct value *negates;  /* it is the negation of that, NULL: of none */
};

/* A place of the body's text that yields a value of the iteration. */
struct site {
    struct expr *expr;       /* the place */
    struct expr *pure;       /* the value at the loop's head, NULL: there is no such expression */
    const struct type *type; /* of the value */
    int sym;                 /* the value is this KEY + `constant`, -1: it is none */
    long constant;           /* ... */
    int level;               /* as in a value */
    bool in_callee;          /* it is in a called function's text */
    bool is_load;            /* it reads memory */
    bool value_used;         /* the value goes somewhere else than into an address, too */
    int ndeps, *deps;        /* references that the value was made of */
    int nparents, *parents;  /* the sites of what the variable read here was set to */
    int nrows, *rows;        /* references that are addressed by the value */
    int nguards;             /* conditions under which it is evaluated */
    struct expr **guards;    /* ... */
    bool *sense;             /* which truth each of them has then */
    bool impure_guard;       /* there are conditions that cannot be told in front of the loop */
};

enum assigned { ASSIGNED_NO, ASSIGNED_MAYBE, ASSIGNED_YES };

struct slot {
    struct variable *var;
    const struct value *value;
    enum assigned assigned;
    bool outer;
};

struct env {
    int count;
    struct slot *slots;
};

/*
 * A condition that holds where the interpretation is; `value` has no pure expression when it
 * depends on written data. Equal `value`s are one decision. `depth`: how many counted loops were
 * around it.
 * `trip`: that a loop around runs at all. `steady`: that one whose range is the same in all
 * iterations does.
 */
struct condition {
    const struct value *value;
    bool sense, trip, steady;
    int depth;
    struct expr *path; /* it and all before it, once asked for (memory.c) */
};

/* One touch of memory. */
struct ref {
    bool write;       /* else it is a read */
    bool conditional; /* there are `conditions`: those that are `steady` apart */
    bool exposed;     /* a read of a variable that the iteration may not have set before */
    bool header;      /* in the loop's own bounds */
    bool scalar;      /* of a variable that the interpretation keeps a value for */
    bool in_callee;   /* in a called function's text */
    /* of a bit-field: it counts as a touch of the structure around it, and sets none of its
     * bytes */
    bool partial;
    bool sometimes; /* there are more conditions than `when` says */
    bool told; /* a read of what the iteration itself has put there, which is told by its value */
    const struct value *address; /* region, offset and parts */
    const struct poly *size;     /* bytes, NULL: not known */
    const struct type *type;     /* of what is touched, NULL: bytes */
    struct expr *guard; /* holds in every iteration that gets there, NULL: nothing is known to */
    /* the same without that the innermost loops run at all, where that is the same in all
     * iterations */
    struct expr *row_guard;
    struct expr *when; /* the part of `guard` that can be told in front of the loop */
    int reduction;     /* an enum reduction_op, -1: it is none */
    /* loops inside that it stands in, outermost first, as indices of the trace's list */
    int nloops, *loops;
    int nconditions;                    /* that hold where it is executed, outermost first */
    const struct condition *conditions; /* ... */
    struct expr *expr;                  /* the text of the touch */
    struct expr *via;   /* the call in the body that leads to it, NULL: it is in the body itself */
    struct range range; /* where it is */
    const struct function *called; /* a library's that touches it: `expr` is its argument; NULL */
};

/*
 * `continue`, `break`, `return` or `goto`: the conditions under which it is taken, and what
 * variables hold there. `label`: of a goto; `arrived`: the interpretation has passed its label,
 * where both ways are one again; `ends`: the iteration ends, in whatever function this is.
 */
struct jump {
    enum stmt_kind kind;
    const char *label;
    struct env env;
    bool arrived, ends;
    int nconditions;
    struct condition *conditions;
};

/* A block that is being interpreted, and how far. A goto may lead to labels that are still to
 * come. */
struct open_block {
    struct open_block *outer;
    const struct stmt *block;
    const struct frame *frame;
    int at, loop_nesting, breakable;
};

/* What variables hold where gotos to a label left for it. */
struct arrival {
    const char *label;
    const struct frame *frame;
    struct env env;
};

struct frame {
    struct frame *parent;         /* the caller's, NULL: the body of the loop */
    struct function *function;    /* whose text it is */
    struct expr *call;            /* NULL for the loop's own body */
    int base_conditions;          /* how many conditions held where it was entered */
    int nresults;                 /* values that it may give back */
    const struct value **taken;   /* under which conditions each result is returned */
    const struct value **results; /* ... */
    struct env exits;             /* joined where the function (or the iteration) is left early */
    bool have_exits;              /* it is left early somewhere */
};

/*
 * A variable that may move by the same amount in every iteration. QUERIED: this interpretation
 * finds out by how much. KNOWN: by `by`, units of the variable. `start`, `step`: what this
 * interpretation began with.
 */
enum iv_state { IV_NOT, IV_QUERIED, IV_KNOWN };

struct iv {
    struct variable *var, *entry;
    enum iv_state state;
    struct expr *by;
    const struct value *start;
    const struct poly *step;
};

/* A loop of the iteration, or the analyzed one. */
struct interp_inner {
    struct loop *loop;                /* the loop */
    const struct sym *sym;            /* NULL: no closed form */
    const struct poly *lower, *upper; /* the first and the last value */
    /* a value further away than the last one, but simpler; NULL: none */
    const struct poly *within;
    long step;      /* from one round to the next */
    bool by_number; /* the symbol is the number of the round, not the loop's variable */
    /* unsigned numbers are compared, and where a bound is below zero nothing runs */
    bool may_skip;
};

/* A variable changed in a loop in a way its text does not show (through a pointer, by a call). */
struct loop_change {
    const struct stmt *loop;
    struct variable *var;
};

/* Numbers behind pointers that are members of choices, and what stands for them there. */
struct chosen_places {
    int count;
    struct chosen_place {
        const struct expr *place;
        struct variable *var;
    } *items;
};

/* An invariant condition that the run has to check where `when` holds, NULL: always. `serial`: where
 * it is false this is true, and the loop runs as it is written; else NULL. */
struct demand {
    struct expr *condition;
    const struct expr *when, *serial;
};

/* A load that says nothing about the iteration: the loop may write what it reads, at `place`. */
struct taint {
    const char *why;
    struct range place;
};

/*
 * What the interpreter leaves of one iteration. Whoever comes after it gets a `const struct trace
 * *`. Lists are empty (NULL) where there is none; all are the arena's.
 */
struct trace {
    struct unit *unit;        /* the loop's; set once */
    struct loop *loop;        /* the analyzed one; set once */
    struct arena *arena;      /* the unit's; set once */
    struct loop_facts *facts; /* what the steps after the interpretation fill in; set once */
    struct syms *syms; /* what polynomials are made of, one per expression; sym_of adds to it */
    int nregions;      /* memory that the iteration touches, by id (region.c) */
    const struct region *const *regions; /* ... */
    int nrefs;                           /* touches in the order of execution (memory.c) */
    const struct ref *refs;              /* ... */
    int nsites;                          /* places that yield values of the iteration (site_add) */
    const struct site *sites;            /* ... */
    int ninner;                          /* loops, [0] the analyzed one (loop.c, header.c) */
    const struct interp_inner *inner;    /* ... */
    struct env end;                      /* what variables hold when the iteration is over */
    int ntaints;                         /* loads of what the loop may write (facts_collect.c) */
    const struct taint *taints;          /* ... */
    struct int_table tainted;            /* index in poisons by the load's id */
    int ncarried;                    /* variables that bring a value from the iteration before */
    struct variable *const *carried; /* ... */
    int nused;                       /* globals named anywhere (address.c) */
    struct variable *const *used;    /* ... */
    int nwrapping;                /* sums that may wrap around, which nothing can check (wrap.c) */
    struct expr *const *wrapping; /* ... */
    const struct poly *iteration; /* the iteration's number; NULL: it has no closed form */
    struct variable *number;      /* stands for that number in texts; NULL: not needed */
    bool by_number;               /* the loop's symbol is that number, not its variable */
    int nivs;                     /* variables that may move in equal steps (induction.c) */
    const struct iv *ivs;         /* ... */
    int ndemands; /* invariant conditions that the run has to check (interp_demand) */
    const struct demand *demands; /* ... */
    struct int_table *known; /* answers of alias_regions by the ids of two regions; never NULL */
    struct int_table *whys;  /* enum why_kind by a text's address (interp_why); never NULL */
    struct origins *origins; /* answers of alias_origin.c; never NULL */
};

/* ---- values (interp/value.c) ----------------------------------------------------------------- */

/* Of an integer, NULL: it is none, or not known. */
static inline const struct poly *value_int_poly(const struct value *v) {
    return v->kind == VALUE_INT ? v->poly : NULL;
}

struct value *value_new(const struct trace *t, enum value_kind kind);
/* Is it more than what is kept of a value? Then the value is unknown, or goes without text. */
bool value_is_long(struct expr *pure);
void value_inherit(const struct trace *t, struct value *to, const struct value *from);
bool value_same(const struct value *a, const struct value *b);
/* What lies in memory as an `a` is the same, read as a `b`. */
bool type_reads_alike(const struct type *a, const struct type *b);
/* Is `e` a literal that an integer of the type can hold? */
bool type_fits(const struct type *type, const struct expr *e);
/* True when it is known whether the value is 0 or a null pointer: `truth` false. */
bool value_truth(const struct value *v, bool *truth);

/* ---- rows behind pointers (objects/rows.c) --------------------------------------------------- */

/* Pointer number `row` (NULL: not known) of those that stand `step` bytes apart from byte `at`. */
struct pointer_table {
    long step, at;
    const struct poly *row;
    const char *path;
};

/* Is the pointer `e` at `offset` (NULL: not known) of the region at `address` one of many such? */
bool rows_locate(const struct trace *t, const struct value *address, const struct poly *offset,
                 const struct expr *e, struct pointer_table *table);
/* Number `d` of the subscripts that lead through
 * tables to the rows at `address`, NULL: not known. */
const struct poly *rows_subscript(const struct value *address, int d);
/* Of the outermost table the loop reads every entry from 0 to the greatest subscript of any access,
 * in each run in which it touches the object. requires: every ref's object is set. */
bool rows_reads_all(const struct trace *t, const struct object *object);
/* The outermost table that leads to the rows of a region; itself where there is none. */
const struct region *rows_outermost(const struct region *region);

/* ---- memory (interp/region.c, interp/env.c, interp/fill.c, interp/memory.c) ------------------ */

const char *region_name(const struct trace *t, const struct region *region);
struct slot *env_find(const struct env *env, const struct variable *var);

/* ---- statements (interp/stmt.c, interp/loop.c, interp/switch.c) ------------------------------ */

/* What a condition says that can be told: its value, or the opposite. */
struct expr *interp_condition_expr(const struct trace *t, const struct condition *c);
/* All of the conditions together, as a value; without a pure expression when one has none. */
const struct value *interp_conjunction(const struct trace *t, int n,
                                       const struct condition *conditions);

/* ---- the loop's own header, what moves in equal steps (header.c, induction.c, inner_iv.c, trips.c) */

/* Does this part of a header assign `var`? */
bool header_moves(const struct expr *next, const struct variable *var);
/* Does this expression assign it? */
bool header_assigns(const struct expr *e, const struct variable *var);
/* The last value, in the loop's direction, from which one step stays inside of the type. */
long access_last_start(const struct loop *loop);
/* Is `first` a number from which one step stays inside of the type? */
bool access_steps_inside(const struct loop *loop, const struct poly *first);
/* Is it the address of such memory, or none? */
bool unescaped_or_null(const struct value *v);
/* Does the call free such memory? */
bool unescaped_is_freed(const struct expr *call, const struct value *what);
/* Does loop `s` change `var` by steps (`++`, `+=`) alone? */
bool interp_only_moves(struct stmt *s, const struct variable *var);
/* Where it follows a pointer in what `var` points to (`p = p->next`); NULL: nowhere. */
const struct expr *interp_link(struct stmt *s, const struct variable *var);

/* ---- refusals, reductions -------------------------------------------------------------------- */

void interp_refuse(const struct trace *t, const char *code, struct range range, const char *fix,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Notes what the reason `text` says, and returns it. Reasons are handed on, and never copied. */
const char *interp_why(const struct trace *t, enum why_kind kind, const char *text);
enum why_kind interp_why_kind(const struct trace *t, const char *text);
/* Is `e` x op ..., with any lvalue x? The op, or -1. */
int reduce_made_of(struct expr *x, struct expr *e);
/*
 * The variable of the loop's function that leads to the object by members alone, where a copy of
 * its structure may stand for it; NULL: none (reduce_holder.c).
 */
struct variable *reduce_holder(const struct trace *t, const struct object *object);
/*
 * Are these references of one region only folds into members of its structures? The members in
 * `out` (reduce_fields.c).
 */
bool reduce_fields(const struct trace *t, const struct region *region, int nrefs, const int *refs,
                   struct reduction *out);
/*
 * Some of these references fold into members, wherever they lie, and the others, if any, read other
 * ones.
 * `folds`: which ones.
 */
bool reduce_splits(const struct trace *t, const struct region *region, int nrefs, const int *refs,
                   bool *folds);
/* Is `e` a literal that x, of this type, can be compared
 * with and set to as with a variable of its own type? */
bool expr_is_bound(const struct type *x, const struct expr *e);
/* May evaluating it where the loop does not end the program, or not end, although its pointers lead
 * to memory (fault/early.c)? */
bool expr_may_trap(const struct trace *t, const struct expr *e);
/* Nothing in it changes anything, as far as its text shows. `own`: calls of the unit's functions
 * are taken for that. */
bool expr_is_quiet(const struct expr *e, bool own);

/* ---- what comes after the interpretation ----------------------------------------------------- */

/* facts/either.c, once objects and subscripts are there: where the conditions of `ref` do not
 * hold, does another write touch the same place? */
bool ref_is_either(const struct trace *t, const struct ref *ref);
/* requires: accesses. Where objects are reached at all (facts/when.c). */
void objects_when(const struct trace *t);
/* Invariant values that may fault in front of the loop (facts/when.c). */
void facts_fronts(const struct trace *t);

/* Where the object pass put a ref, for the steps behind it (facts/object.c). */
struct located {
    const struct value *address; /* as the object's rows and columns count it */
    struct object *object;       /* NULL: none, as for an iteration's own memory */
    int nsubs;                   /* the object's dims, or as many as are known */
    struct subscript *subs;
    long field_offset; /* bytes from the element to the part that is touched */
    long field_size;   /* of that part, -1: not known */
    int reduction;     /* the ref's, -1: it is no reduction of this object */
    /* By the ref's conditions, once must_write_prepare has run: what the condition's value compares
     * with 0, in symbols; NULL: there is none, or it is not affine. */
    const struct affine **compared;
};

/* Where the loop's own text makes it. */
static inline struct range ref_place(const struct ref *ref) {
    return ref->via ? ref->via->range : ref->range;
}

/* requires: access_shape_objects; before that there is no object, and the address is the ref's. */
const struct located *located(const struct trace *t, const struct ref *ref);
const struct value *located_address(const struct trace *t, const struct ref *ref);
bool trace_touches(const struct trace *t, const struct object *object);
void access_shape_objects(const struct trace *t); /* object.c: references -> objects, subscripts */
void access_symbols(const struct trace *t);       /* symbols.c */
void access_row_guards(const struct trace *t);    /* symbols.c */
bool access_sym_is_safe(const struct trace *t, const struct sym *sym);
void intervals_collect(const struct trace *t); /* intervals.c */
void tables_split(const struct trace *t);      /* tables.c */
/* The expressions in clauses: names, members, subscripts, numbers, + - * (clause_expr.c). */
void clause_exprs_read(const struct trace *t);
void facts_assume(const struct trace *t); /* facts_assume.c */
/* p, when the pragma's ranges hold, is at least this;
 * `keys`: other than invariant values remain. */
const struct poly *assumed_least(const struct trace *t, const struct poly *p, bool *keys);
/* Adds coeff * symbol, a new one, in the order of the symbols. */
void access_add_term(const struct trace *t, struct affine *a, struct symbol *symbol, long coeff);
struct affine access_affine(const struct trace *t, const struct poly *p, bool *known,
                            const char **why);
/* The symbol of the facts that it becomes; for DERIVED, one that stands in domains only
 * (symbols.c). */
struct symbol *access_symbol(const struct trace *t, const struct sym *sym, enum symbol_kind kind);
/* The symbol that it became, NULL: none yet. */
struct symbol *access_symbol_of(const struct trace *t, const struct sym *sym);
/* The one symbol that a product stands for; NULL when the product is of varying values. */
struct symbol *access_product(const struct trace *t, const struct monomial *m);
/* requires: accesses, symbols. Where accesses are executed, what symbols mean (domain.c). */
void access_domains(const struct trace *t);
/* Refuses subscripts that surely leave their row (symbols/leave.c). */
void subscripts_stay(const struct trace *t);
/* Is p surely never negative, by what is known of its symbols alone? */
bool meaning_nonnegative(const struct trace *t, const struct poly *p);
/* Is p >= 0, by `bounds` and by what minima, maxima and other choices are? */
bool meaning_proves(const struct trace *t, const struct poly *p, const struct lower_bounds *bounds);
/* p >= 0 as C text, as a person would write it. */
const char *access_condition(const struct trace *t, const struct poly *p); /* objects/guard.c */
/* The conditions under which the keys of p may be evaluated at all: "!(ok[n]) || ", those apart
 * that `known` implies. */
const char *access_key_conditions(const struct trace *t, const struct poly *p,
                                  const struct expr *known);
void reduce_collect(const struct trace *t);     /* reduce.c */
void relax_collect(const struct trace *t);      /* relax.c; requires reduce_collect */
void must_write_prepare(const struct trace *t); /* must_write_prepare.c; requires access_symbols */
void argmin_collect(const struct trace *t);     /* argmin.c */
/* The last iteration that sets `var` counts: a choice now, unless its text does not allow it. */
bool argmin_last(const struct trace *t, const struct variable *var);
void private_collect(const struct trace *t); /* private.c */
/* `var` is read (at `read`) before it is set (at `write`, may be NULL): the refusal in words. */
void private_refuse_carried(const struct trace *t, const struct variable *var,
                            const struct ref *read, const struct ref *write); /* private_words.c */
/* The element that the variable read here is stored to, alone or as a part of what is stored; NULL:
 * none (scan.c). */
const struct expr *scan_stores(const struct trace *t, const struct ref *read);
void streams_collect(const struct trace *t); /* streams.c */
void facts_captures(const struct trace *t);  /* facts_capture.c */
void facts_clauses(const struct trace *t);   /* facts_clauses.c */
void facts_guards(const struct trace *t);    /* alias.c */
/* May the loop touch elements in front of what the object's pointer points to, which may be inside
 * of the user's array? A copy begins there. */
bool object_reaches_front(const struct trace *t, const struct object *object);
/* Some access to the region is of this type (NULL: of bytes). */
void alias_note_type(struct region *region, const struct type *type);
/* May a write through one and a read through the other meet? (alias.c) */
enum alias alias_regions(const struct trace *t, const struct region *a, const struct region *b);
bool refs_disjoint_fields(const struct trace *t, const struct ref *a, const struct ref *b);
enum alias alias_objects(const struct loop_facts *facts, const struct object *a,
                         const struct object *b);
/* The guard is needed where `when` holds, and wherever it was needed before. */
void guard_needed(const struct trace *t, int guard, bool is_new, const struct expr *when);
/* The text of a guard computes with `p`: what it names goes along, if nothing else has it, too. */
void guard_computes(const struct trace *t, const struct poly *p);
int guard_add(struct loop_facts *facts, enum guard_kind kind, struct object *a, struct object *b,
              bool assumed, const char *text);

#endif
