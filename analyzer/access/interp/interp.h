/*
 * The interpreter at work: what it has besides the trace, and its parts. For the interpreter, and
 * for those of the other steps that the interpreter asks while it is at work.
 */
#ifndef ORRERY_ANALYZER_ACCESS_INTERP_H
#define ORRERY_ANALYZER_ACCESS_INTERP_H

#include "analyzer/access/access.h"

/* Adds to a list of the trace: the interpreter alone does. */
#define TRACE_PUSH(arena, items, count, value)                                                     \
    do {                                                                                           \
        __typeof__(value) *items_ = arena_grow((arena), (void *)(items), (count), sizeof *items_); \
        items_[(count)++] = (value);                                                               \
        (items) = items_;                                                                          \
    } while (0)

/* The interpreter at work, and what it has to know from its runs before. */
struct interp {
    struct trace trace; /* what it leaves, as far as it is */
    struct ref *refs;   /* the trace's, to be changed while they grow, as are the next four */
    struct site *sites; /* the same */
    struct interp_inner *inner;   /* the same */
    struct iv *ivs;               /* the same */
    struct region **regions;      /* the same */
    struct unit *unit;            /* as in the trace, as are the next three */
    struct loop *loop;            /* the analyzed one */
    struct arena *arena;          /* the unit's */
    struct loop_facts *facts;     /* what refusals go to */
    struct env env;               /* what variables hold now */
    int nconditions;              /* that hold here, outermost first */
    struct condition *conditions; /* ... */
    int njumps;                   /* taken so far, and not arrived where they lead */
    struct jump *jumps;           /* ... */
    struct open_block *block;     /* the innermost; NULL: none */
    int narrivals;                /* labels ahead to which a goto leads */
    struct arrival *arrivals;     /* ... */
    bool dead;                    /* nothing comes here */
    bool collects;        /* what iterations print, and the first end of the program among them */
    int nactive, *active; /* inner loops that are open, indices into trace.inner */
    int loop_nesting;     /* of loops inside, canonical or not */
    struct frame *frame;  /* of the function that is interpreted; NULL: none is */
    struct expr *reduction_read[4]; /* reads of the fold that is evaluated */
    /* how many of them there are; what they are folded with */
    int nreduction_reads, reduction_op;
    bool in_header; /* in the loop's own bounds */
    int breakable;  /* enclosing loops and switches inside the body or the called function */
    int nextra;     /* variables that an inner loop turned out to change; kept */
    struct loop_change *extra; /* ... */
    bool again;                /* something assumed does not hold: there has to be another run */
    int steps;                 /* statements and expressions of this run, for the bound on them */
    bool afresh;               /* assumptions about moving variables have to be made anew; kept */
    bool recalls; /* what is evaluated is known from an interpretation before, and not a part of the
                  * loop */
};

/* ---- values (interp/value.c) ----------------------------------------------------------------- */

const struct value *value_unknown(struct interp *w, const char *why);
const struct value *value_integer(struct interp *w, long number);
/* The value of a pure expression that is no polynomial: a symbol for integers. */
const struct value *value_opaque(struct interp *w, struct expr *pure, const struct type *type,
                                 const struct value *a, const struct value *b);
/* Says that v is made of that read, too. */
void value_depend(struct interp *w, struct value *to, int ref);
void value_inherit_sites(struct interp *w, struct value *to, const struct value *from);
/* What conversion to `to` makes of v, an expression of type `from`. */
const struct value *value_convert(struct interp *w, const struct value *v, const struct type *from,
                                  const struct type *to);
/* cond ? a : b. */
const struct value *value_select(struct interp *w, const struct value *cond, const struct value *a,
                                 const struct value *b);
/* The same of two pointers into one object, by one index (choose.c); NULL: it cannot be said. */
const struct value *pointer_select(struct interp *w, const struct value *cond,
                                   const struct value *a, const struct value *b);
/* Moves a pointer by `step` bytes; NULL: by some multiple of `unit` bytes. */
void value_move(struct interp *w, struct value *p, const struct poly *step,
                const struct poly *unit);
/* Says that v goes somewhere other than into an address. */
void value_consume(struct interp *w, const struct value *v);
/* p + index * stride; `extent` when the type bounds the index. */
const struct value *value_advance(struct interp *w, const struct value *p,
                                  const struct value *index, const struct poly *stride,
                                  const struct poly *extent);
/* The same of a POINTER: a new value, which has no pure form yet. */
struct value *value_advance_pointer(struct interp *w, const struct value *p,
                                    const struct value *index, const struct poly *stride,
                                    const struct poly *extent);
int site_add(struct interp *w, struct expr *e, const struct value *v, bool is_load);

/* ---- rows behind pointers (region.c, objects/rows.c) ----------------------------------------- */

/* What they point to; `base`: the region at the loop's head. */
struct region *rows_region(struct interp *w, const struct region *from, struct expr *base,
                           const struct pointer_table *table, const struct type *element);

/* ---- memory (interp/region.c, interp/env.c, interp/fill.c, interp/memory.c) ------------------ */

/* For the interpreter, whose regions and symbols they are; later steps have none to change. */
struct sym *sym_change(struct interp *w, const struct sym *sym);
struct region *region_change(struct interp *w, const struct region *region);
struct region *region_of_variable(struct interp *w, struct variable *var);
struct region *region_of_pointer(struct interp *w, struct expr *pure);
struct region *region_unknown(struct interp *w, const char *why);
/* A new one, of a string or a temporary. */
const struct region *region_text(struct interp *w);
void env_set(struct interp *w, struct variable *var, const struct value *value);
struct env env_copy(struct interp *w, const struct env *env);
/* What is known after either `a` or `b`; `cond` chooses a when not NULL. */
struct env env_join(struct interp *w, const struct env *a, const struct env *b,
                    const struct value *cond);
/* The body changes `var`: unknown from here on. */
void env_forget(struct interp *w, struct variable *var, const char *why);
/*
 * A call of `function` is over: nobody reads its parameters and local variables before its next
 * call sets them, so two paths that left different values in them lose nothing.
 */
void env_end(struct interp *w, const struct function *function);
bool variable_is_carried(struct interp *w, const struct variable *var);
const struct value *memory_load(struct interp *w, const struct value *address, struct expr *e);
void memory_store(struct interp *w, const struct value *address, const struct value *v,
                  struct expr *e, int reduction);
/* Reads or writes `size` bytes at `address` (library calls). */
void memory_touch(struct interp *w, const struct value *address, const struct poly *size,
                  bool write, struct expr *e, const struct type *type);
/*
 * Goes over `size` bytes at `address` (of type pointer to `pointed`) element by element: enters a
 * loop, or one per dimension, that the caller takes from w->active again. The address of an element
 * and its bytes; NULL when the bytes are no whole elements.
 */
const struct value *fill_enter(struct interp *w, const struct value *address,
                               const struct poly *size, const struct expr *e,
                               const struct type *pointed, long *element);

/* ---- expressions (interp/eval.c, interp/address.c, interp/assign.c, interp/call.c) ----------- */

const struct value *eval(struct interp *w, struct expr *e);
const struct value *eval_consumed(struct interp *w, struct expr *e);
void eval_discarded(struct interp *w, struct expr *e);
const struct value *eval_address(struct interp *w, struct expr *e);
const struct value *eval_arithmetic(struct interp *w, struct expr *e, enum op op,
                                    const struct value *a, const struct type *a_type,
                                    const struct value *b, const struct type *b_type,
                                    const struct type *type);
const struct value *eval_assign(struct interp *w, struct expr *e, bool discarded);
const struct value *eval_increment(struct interp *w, struct expr *e, bool discarded);
const struct value *eval_call(struct interp *w, struct expr *e, bool discarded);
/* A call of a function without a body; the value of one that is made of its arguments; arguments
 * alone. */
const struct value *call_library(struct interp *w, struct expr *e);
const struct value *call_pure(struct interp *w, struct expr *e);
void call_args(struct interp *w, struct expr *e);
const struct poly *eval_type_size(struct interp *w, const struct type *type);

/* ---- statements (interp/stmt.c, interp/loop.c, interp/switch.c) ------------------------------ */

void interp_stmt(struct interp *w, struct stmt *s);
/*
 * Those of the jumps of a kind, from number `jumps` on, that have not arrived yet go on where the
 * others are.
 */
void interp_join_jumps(struct interp *w, int jumps, enum stmt_kind kind);
/* Behind a loop or switch: jumps out of it, from number `jumps` on, whose label stands ahead. */
void interp_arrivals(struct interp *w, int jumps);
/* The program ends here, if no iteration before ends it. */
void interp_end(struct interp *w);
void interp_inner_loop(struct interp *w, struct stmt *s);
void interp_switch(struct interp *w, struct stmt *s);
void interp_push_condition(struct interp *w, const struct value *value, bool sense);

/* ---- the loop's own header, what moves in equal steps (header.c, induction.c, inner_iv.c, trips.c) */

bool header_check(struct interp *w);
void header_interp(struct interp *w);
void header_guards(struct interp *w);
/* What `var` holds where the loop begins; `entry` stands for it when nothing better is known. */
const struct value *header_start(struct interp *w, struct variable *var, struct variable *entry);
/* The parts of a header that advance, those of the loop's own variable apart. */
void interp_next(struct interp *w, const struct loop *loop);
/* Does a counter of this type go on at the other end of it? */
bool access_wraps(const struct interp *w, const struct type *type);
/* The run has to check an invariant condition before the loop; NULL: none. */
void interp_demand(struct interp *w, struct expr *condition);
/* The loop runs as it is written where it may get to this place: by the innermost condition around
 * it that is the same in all iterations. False: there is none. */
bool interp_demand_elsewhere(struct interp *w);
void inductions_prepare(struct interp *w);
void inductions_begin(struct interp *w);
/* Sets the loop's own variable, when it is one of them; returns where it begins. */
const struct value *inductions_header(struct interp *w);
struct variable *inductions_entry(struct interp *w, struct variable *var);
/* Gives variables that the loop moves the values that they have where it begins. */
void inductions_stand(struct interp *w);
void inductions_end(struct interp *w);
/* Candidates for the next interpretation; true when there has to be one. */
bool inductions_learn(struct interp *w);
void inductions_collect(struct interp *w);

/* A loop inside: its `number`th round of `count` (NULL: not known), and what moves in it. */
struct inner_counter {
    struct variable *var;
    const struct value *before, *start;
    const struct poly *by; /* units of the variable */
};

struct trips {
    struct loop *loop;
    struct env *before;
    const struct poly *number, *count;
    int level, first_sym;
    int nivs;
    struct inner_counter *ivs;
};

struct sym *trips_counter(struct interp *w, struct loop *loop);
int trips_inner(struct interp *w, struct loop *loop, struct sym *sym, long step);
/* Makes the number of the round the loop's symbol; returns what its variable holds. */
const struct value *trips_by_number(struct interp *w, const struct value *start,
                                    const struct value *end, struct trips *trips);
/* Sets those of `vars` that move to what they hold in the round. */
void trips_close(struct interp *w, struct trips *trips, int nvars, struct variable **vars);
bool trips_has_candidates(const struct trips *trips, int nvars, struct variable **vars);
void trips_check(struct interp *w, struct trips *trips);
void trips_add_variable(struct interp *w, struct trips *trips, const struct value *start);
/* ... and to what they hold behind the loop. */
void trips_leave(struct interp *w, struct trips *trips);

/*
 * A pointer that loop `s` only moves by whole elements, and what it held before. Behind everything
 * that forgets what the loop changes inner_iv_set says what is left of it (inner_iv.c).
 */
struct inner_iv {
    struct variable *var;
    const struct value *before;
};

int inner_iv_begin(struct interp *w, struct stmt *s, int nvars, struct variable **vars,
                   struct inner_iv **out);
void inner_iv_set(struct interp *w, int count, const struct inner_iv *inner_ivs);
/* What malloc or calloc gives an iteration that keeps it to itself, else NULL (unescaped.c). */
const struct value *unescaped_memory(struct interp *w, const struct expr *call);
/* A pointer read from `address` in such memory that nests. */
const struct value *unescaped_nested(struct interp *w, const struct value *address);
/* `if (!p) { perror("malloc"); exit(1); }`, behind its condition: the program goes on only where
 * there is memory. */
bool unescaped_or_ends(const struct interp *w, const struct stmt *s);

/* ---- refusals, reductions -------------------------------------------------------------------- */

/* Where the user should look: the call in the body for things inside of callees. */
struct range interp_place(struct interp *w, struct range range);
/* NULL: the load's value is that of the iteration. */
const struct taint *interp_taint(const struct interp *w, const struct expr *load);
/* The write that made a load unknown for the reason `why`; `otherwise` when it was none. */
struct range interp_taint_place(const struct interp *w, const char *why, struct range otherwise);
/* Is `e` (an assignment or ++) x = x op ...? The op, with the reads of x in `reads`. -1: no. */
int reduce_match(struct interp *w, struct expr *e, struct expr **reads, int *nreads);
/* if (a < m) m = a; */
int reduce_match_if(struct interp *w, struct stmt *s, struct expr **reads, int *nreads);

/* ---- what comes after the interpretation ----------------------------------------------------- */

/* Notes what the symbol that `v` consists of is made of (meaning.c). */
void meaning_of_arithmetic(struct interp *w, const struct value *v, enum op op,
                           const struct value *a, const struct value *b, const struct type *type);
void meaning_of_choice(struct interp *w, const struct value *v, const struct value *when,
                       const struct value *a, const struct value *b);
/* a - b when comparing expressions of these types compares their exact values, else NULL. */
const struct poly *meaning_difference(struct interp *w, const struct value *a,
                                      const struct type *at, const struct value *b,
                                      const struct type *bt);

#endif
