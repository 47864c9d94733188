/*
 * A loop cut out of its function: what was decided and collected (collect.h fills it in), for those
 * who print it, who get it const. Behind the structs: questions about it, and C text of its values.
 */
#ifndef ORRERY_SCHEDULER_OUTLINE_H
#define ORRERY_SCHEDULER_OUTLINE_H

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/choose/passes.h"
#include "scheduler/outline/refusal.h"

/*
 * One field of the environment.
 * VALUE:     a scalar, pointer or struct, copied.
 * POINTER:   a pointer, or an array's first element, behind which an object lies: another base may
 *            be handed over, `restricted` when nothing else reaches what it points to.
 * REFERENCE: the address of a struct that the body writes into.
 * EXTENT:    elements per row of an array with a variable bound.
 * ADDRESS:   of a variable that is handed over by value: for guards only.
 */
enum field_role { FIELD_VALUE, FIELD_POINTER, FIELD_REFERENCE, FIELD_EXTENT, FIELD_ADDRESS };

struct env_field {
    enum field_role role;        /* what it holds */
    const char *name;            /* in the struct, and of the local that is made of it */
    const char *member;          /* its declaration in the struct */
    const char *local;           /* the local's declaration, without initialiser */
    const char *strict;          /* the same with __restrict__; NULL: cannot be said */
    const char *value;           /* what it is initialised with at the loop */
    const struct variable *var;  /* whose value or address it is */
    const struct object *object; /* may be NULL, as `var` */
    bool restricted;             /* nothing else reaches what it points to */
    bool copied, changed;        /* the region has a copy of the array (env.c); and writes it */
    bool input; /* what a run looks up before iterations run depends on it (reads.c) */
};

/* A reduction, a last value or scratch space whose last value is used (`last`), or scratch
 * space. */
struct emit_reduction {
    const char *title;  /* as reported */
    const char *op;     /* the runtime's names of the operation, and of the numbers' type */
    const char *type;   /* the same */
    const char *name;   /* the block's own variable, or its pointer to the row's copy of an array */
    const char *local;  /* declares that; the member as the body says it where `holder` is */
    const char *strict; /* `local` with __restrict__, of arrays; may be NULL */
    const char *target; /* the lvalue at the loop, or the array's base */
    const char *type_text;         /* of the scalar or element */
    const char *size_text;         /* bytes of the array where type or subscripts tell, or NULL */
    bool at_least;                 /* ... by orrery_at_least: the rows that the loop touches */
    const struct variable *var;    /* the user's variable when the body names just that, or NULL */
    const struct variable *holder; /* the block's copy of it leads to the row's copy; NULL: none */
    const struct object *object;   /* an array's, else NULL */
    bool is_array;                 /* else a number */
    bool last;                     /* a last value, or scratch space whose last value is used */
    bool reference; /* the user's variable is a structure, and stands for `*name` in the body */
    bool merged;    /* by relax() or buffer() */
    bool buffered;  /* by buffer(): `name` is the snapshot */
    bool rows;      /* rows behind a table */
    bool watched;   /* for a NaN */
    bool lost;      /* scratch space, no value of which is used after the loop */
    bool follows;   /* evaluating `target` follows a pointer */
    bool measured;  /* an array of variable length, whose bytes its type has at the loop */
    int stage;      /* of a pipeline, whose value counts */
    struct text_edits
        leads;       /* of merged ones: edits of the body that lead writes to the row's copy */
    int facts_index; /* in loop_facts.reductions, -1 for last values and scratch */
    int nbesides;    /* of buffered ones: arrays of which the user's function reads its element */
    const struct variable **besides; /* ... */
};

/* A field of the packed record: a stream_load and the member's name and declaration. `bits`: the
 * load is of a bit-field, the member an int. `touch`: the field is an array, a key for every round
 * of the loop around this one's access; NULL: it is none. */
struct emit_touch;
struct record_slot {
    const struct stream_load *load;
    const char *name, *member, *type_text;
    long align;
    bool bits;
    const struct emit_touch *touch;
};

/*
 * One access whose elements are listed (levels): subscript `sub` of object number `object` in the
 * plan's touches, for all values of `nloops` loops inside, outermost first, in iterations where
 * `when` holds (NULL: in all).
 */
struct emit_touch {
    const struct access *access;
    const struct expr *when;
    int object, sub, nloops, *loops;
};

/* A #define or #undef inside of the function, in front of the loop. */
struct emit_macro {
    const char *name, *text;
};

/* Unroll-and-jam. `uses`: every place in the text of what each copy has of its own, `with` its
 * name;
 * `distinct`: C text, when a group of iterations may be interleaved; `unrolled`: statements that
 * the copies share, other ones stand once for each. */
enum { UNROLL_COPIES = 4 };
struct emit_unroll {
    int nuses;
    struct text_edit *uses;
    const char *distinct;
    int nunrolled;
    const struct stmt **unrolled;
};

/* Bodies made for some values of `field`, the trip count of loops inside: `counts`. */
enum { SIZED_COUNTS = 4 };
struct emit_sized {
    const struct env_field *field;
    int ncounts;
    long counts[SIZED_COUNTS];
};

/* Whose text of the body it is: all of the loop's, or what a wavefront's block has of it; or all of
 * it, with served arrays; from 0 on: a pipeline's stage. */
enum { WHOLE = -1, CUT = -2, SERVED = -3 };

struct gpu_kernel;
struct emit_lanes;

struct outline {
    struct arena *arena;        /* the unit's */
    struct unit *unit;          /* the translation unit */
    struct plan *plan;          /* by which the loop is cut out */
    struct loop_facts *facts;   /* the plan's */
    struct loop *loop;          /* the same */
    int number;                 /* the loop's id */
    const char *source;         /* the main file's text */
    const char *file;           /* its name, escaped */
    const char *chunk_file;     /* what `#line` calls the emitted functions' text */
    bool allow_fallback;        /* the serial loop is kept for guards that fail at run time */
    enum standalone standalone; /* the file needs no library of ours: what runs its threads */
    int ninside; /* of a loop that runs on a device: plans of the loops in its body */
    const struct plan *const *inside; /* ... */
    bool refused;                     /* it cannot be cut out, `refusal` says why */
    bool quiet;                       /* refusals are not said */
    bool said;                        /* the last one was */
    struct outline_refusal refusal;   /* where `refused` */
    int nmacros;                      /* of the function that the body needs */
    struct emit_macro *macros;        /* ... */
    const struct plan_passes *passes; /* flow into each other; NULL: every call waits for its own */
    const char *kernel_name;          /* of a loop that runs on a device, else NULL */
    int nfields;                      /* of the environment */
    struct env_field *fields;         /* ... */
    int nreductions;                  /* what is folded, set last, or an iteration's own */
    struct emit_reduction *reductions; /* ... */
    int nslots;                        /* fields of the record */
    struct record_slot *slots;         /* ... */
    bool record_index;                 /* the record has the iteration's number */
    int narrays;                       /* that the loop's table names */
    const struct plan_array **arrays;  /* ... */
    int nspans;         /* one per pointer or variable through which the gather reads, its text */
    const char **spans; /* ... */
    struct text_edits sites;           /* edits of the body for block() */
    struct text_edits renames;         /* edits of it for both block() and serial() */
    int nenums;                        /* declared in the function in front of the loop */
    const char **enums;                /* ... */
    int nunused;                       /* variables that nothing but the loop may have used */
    const struct variable **unused;    /* ... */
    int naddressed;                    /* variables whose address the call takes */
    const struct variable **addressed; /* ... */
    int ntouches;               /* accesses whose elements are listed (levels, served arrays) */
    struct emit_touch *touches; /* ... */
    int napplied; /* numbers of the file that functions of served arrays read, and the body does
                   * not */
    const struct variable **applied;  /* ... */
    const struct emit_touch *listed;  /* the one whose list is being printed, else NULL */
    const struct emit_unroll *unroll; /* NULL: iterations are not interleaved */
    const struct emit_sized *sized;   /* NULL: one body serves all trip counts */
    const struct emit_lanes *lanes;   /* NULL: no nest runs in lanes (outline/lanes.h) */
    const struct gpu_kernel *kernel;  /* of a loop that runs on a device, else NULL (gpu/make.h) */
    int nreadiness;         /* what has to hold for what the call reads before any iteration, C text
                 * (readiness.c) */
    const char **readiness; /* ... */
    bool runs_inside;       /* a parallel loop's body may reach it: it runs as it is written then */
    int nserial;            /* conditions under which the loop runs as it is written */
    const struct outline_serial {
        const char *holds; /* none of them does: C text, as `readiness` */
        const char *words; /* as the user's text has it */
    } *serial;             /* ... */
};

/* Steps that a loop of unknown length is counted with (scheduler/cost/count.h). */
enum { EMIT_UNKNOWN_TRIPS = 8 };

/* ---- lookup.c -------------------------------------------------------------------------------- */

/* Nobody marked the loop: it runs in parallel only
 * when that is worth it and nothing is in the way. */
bool emit_is_automatic(const struct outline *job);

/* The serial loop stays in the text, for runs that must not or need not be parallel. */
bool emit_falls_back(const struct outline *job);

/* What the run is told of it: 0 no, 1 yes, 2 yes and nobody asked. */
int emit_fallback(const struct outline *job);

const struct env_field *emit_field_of(const struct outline *job, const struct variable *var);
bool emit_is_private(const struct outline *job, const struct variable *var);
bool emit_is_outside(const struct outline *job, const struct variable *var);

/*
 * An array of the file that nothing ever writes: blocks name it themselves, and no one takes its
 * address, so that the host compiler knows its values as in the user's loop. Only of loops that
 * nobody marked: those run on one rank.
 */
bool emit_is_constant(const struct outline *job, const struct variable *var);
const struct emit_reduction *emit_reduction_of(const struct outline *job,
                                               const struct variable *var);

/* The choice that is reduction j of the job, NULL: it is none; is `var` one of its members; does
 * one of them lie behind a pointer? */
const struct argmin *emit_argmin_of(const struct outline *job, int j);
bool emit_is_argmin(const struct outline *job, int j);
bool emit_chooses_behind(const struct outline *job, const struct emit_reduction *r);
/* Choices are decided by the number of the iteration, which is in the record. */
bool emit_argmin_by_index(const struct outline *job);

/* The runtime's names of an operation, and of a type of numbers (NULL: it has none). */
const char *emit_op_name(struct arena *arena, enum reduction_op op);
const char *emit_number_name(const struct type *type);
bool emit_is_long_double(const struct type *type);

/* Index of `dim` as the runtime counts: 0 space, 1 time, -1 neither. */
int emit_dim(const struct outline *job, int dim);

/* A scalar that the body has a copy of, or a variable of its own. */
bool emit_is_copied(const struct outline *job, const struct object *object);

/* True when the block's text reads nothing of the object any more: the records hold it all. */
bool emit_is_streamed(const struct outline *job, const struct object *object);

/* Index in job->arrays, or -1. */
int emit_array_index(const struct outline *job, const struct object *object);

/* The reduction into an object, or into what its variable leads to, as a whole; -1: none. Is the
 * object where the user has it, with a name? */
int emit_array_reduction(const struct outline *job, const struct object *object);
bool emit_has_base(const struct outline *job, const struct object *object);

/* Are the bytes known up to the greatest subscript, of an object that no access may leave out, or
 * of the one structure that some access surely reaches? */
bool emit_has_reach(const struct outline *job, const struct object *object);

/* The record's field that holds the key of `dim`, or NULL. */
const struct record_slot *emit_key_slot(const struct outline *job, int dim);

/* Are there guards about single iterations? */
bool emit_has_key_ranges(const struct outline *job);

/* Does the loop need more than (type)(lower + index * step) at the start of an iteration? */
bool emit_is_moving(const struct outline *job);
/* How a variable is named at the call. */
const char *emit_outside_name(const struct outline *job, const struct variable *var);

/* Is reduction j a served array, and which of the lists of what is touched is its; -1: none. */
bool emit_is_served(const struct outline *job, int j);
int emit_serve_touch(const struct outline *job, int j);

/* Can it be said what iterations of a wavefront touch of every array? */
bool emit_has_sections(const struct outline *job);

/* Have rows of an array that iterations conflict through copies (`relax(hot)`)? */
bool emit_has_hot(const struct outline *job);

/* Evaluating `expr` (may be NULL) follows a pointer. */
bool emit_follows_pointer(const struct expr *expr);

/* ---- other questions ------------------------------------------------------------------------- */

/* rerun.c: a check that a run makes at its end, after which the loop runs serially when it
 * fails. */
bool emit_reruns(const struct outline *job);

/* addresses.c: a pointer, or something that has one inside. */
bool emit_holds_address(const struct type *type);
/* What holds an address that the body has made when the loop ends; NULL: nothing. */
const char *emit_addresses(const struct outline *job);
/* The first comparison of addresses that may have been made of unlike variables; NULL: there is
 * none. Bit a % 64 of `arrays`: array a of the job is one of those. */
const char *emit_compared(const struct outline *job, unsigned long *arrays);

/* argmin.c: what the user calls member m; the type that is compared. */
const char *emit_argmin_name(const struct outline *job, const struct argmin *argmin, int m);
const struct type *emit_argmin_compared(const struct argmin *argmin);

/* merged.c: what relax() or buffer() says of reduction j, NULL: nothing. */
const struct reduction *emit_merged_at(const struct outline *job, int j);

/* relabel.c: may keys be renumbered? */
bool emit_may_relabel(const struct outline *job);

/* weigh.c: does the length of a loop inside say what an iteration costs beside others? */
bool emit_is_weighed(const struct outline *job, const struct inner_loop *inner);

/* Is one of its loops? Has it intervals to check? */
bool emit_has_weights(const struct outline *job);
bool emit_has_intervals(const struct outline *job);

/* What its runs looked up before is compared with the environment (reads.c). */
bool outline_has_inputs(const struct outline *job);

/* lists.c: the iterations that touch rows through a key, where the list can tell them; NULL: all
 * do. */

/* pipe.c: has the value a place in the slots? */
bool emit_pipe_travels(const struct pipe_value *value);

/* words.c: calls `each` for every word that the emitted functions may say, but those of C, those
 * that begin with `orrery_`, and those of the body, which is copied. `called`: with a parenthesis
 * behind; OURS: a member of the runtime's or of our structs; a word may come twice. */
enum word_kind { WORD_OURS, WORD_NAME, WORD_MEMBER, WORD_TYPE };
struct word {
    const char *name;
    enum word_kind kind;
    bool called;
};
typedef void outline_word(void *data, struct word word);
void outline_words_each(const struct outline *job, outline_word *each, void *data);

/* hidden.c: the macro that a word is in front of the loop's function, as far as the main file says;
 * NULL: none. */
const struct macro_place *emit_macro(const struct outline *job, const char *word);

/* attributes.c: what our functions that hold the body say in front, with a blank behind; "":
 * nothing. */
const char *emit_attributes(const struct outline *job);

/* place.c: where text may stand in front of `function`: behind whatever ends before it. The bodies
 * of `unit`, which may be NULL, save reading. */
size_t emit_insertion_point(const struct unit *unit, const char *source,
                            const struct function *function);

/* front.c: advice to the compiler in front of the loop (`#pragma GCC ivdep`), as `_Pragma`; it is
 * taken away, and stands in front of the text that stays. */
const char *emit_advice_text(const struct outline *job);
void emit_advice_edit(const struct outline *job, struct text_edits *edits);

/* readiness.c: does the call read what is summed into? */
bool emit_readiness_is_early(const struct outline *job);

/* Does the loop stay in the text, for runs that it does not run in parallel? requires:
 * job->readiness. */
bool emit_keeps_serial(const struct outline *job);

/* Its serial way may be short and run often, or on many threads: nothing is made ready for it. */
bool emit_asks_first(const struct outline *job);

/* ---- declare.c: declarations in words that every dialect knows ------------------------------- */

const char *emit_declare(const struct outline *job, const struct type *type, const char *name);

/* A declaration of `name` as a pointer to `element`, `qualifier` ("" or "__restrict__ ") on it. */
const char *emit_declare_pointer(const struct outline *job, const struct type *element,
                                 const char *qualifier, const char *name);

/* `var` under its own name, a structure at file scope whose type has none; NULL: the type has. */
const char *emit_declare_like(const struct outline *job, const struct variable *var);

/*
 * Declares `name` as a pointer to the first element of `var`, an array or a pointer, or to `var`
 * itself, a structure. A global's type may have no name.
 */
const char *emit_declare_first(const struct outline *job, const struct variable *var,
                               const char *qualifier, const char *name);

/* Declares `name` without qualifiers at the top; and the name of that type alone. */
const char *emit_declare_plain(const struct outline *job, const struct type *type,
                               const char *name);
const char *emit_type_plain(const struct outline *job, const struct type *type);

bool emit_type_has_vla(const struct type *type);

/* The type has no name of its own; the variable is the file's. */
bool emit_is_unnamed(const struct outline *job, const struct type *type);
bool emit_is_global(const struct variable *var);

/* ---- value.c, moving.c: values --------------------------------------------------------------- */

/* `text` with the names of REFERENCE fields replaced by what they are in our functions. */
const char *emit_localize(const struct outline *job, const char *text);
const char *emit_expr(const struct outline *job, const struct expr *expr);

/* What the variable of a loop around the listed access is called in the list, whatever else has its
 * name; NULL: it is none of these. */
const char *emit_listed_name(const struct outline *job, const struct variable *var);

/* The field that holds by how much a variable moves in an iteration. */
const char *emit_by_name(const struct outline *job, const struct induction *induction);

/* ---- edits.c, wave.c, pipe.c, serve.c: the text of the body ---------------------------------- */

/* What becomes of the body: of which the record holds parts (`sites`), for WHOLE ... or a stage. */
struct text_edits emit_body_edits(const struct outline *job, bool sites, int stage);

/* The edits for merged arrays: of a body that takes served ones from what its chunk was sent, or of
 * any other. */
void emit_serve_edits(const struct outline *job, bool served, struct text_edits *all);

/* A wavefront: the position of value `value` of the part's variable; the value at a position (texts
 * of long). */
bool emit_is_wave(const struct outline *job);
const char *emit_wave_position(const struct outline *job, const struct wave_part *part,
                               const char *value);
const char *emit_wave_value(const struct outline *job, const struct wave_part *part,
                            const char *position);

/*
 * The loop's first value, and the last that its condition lets through, of their texts (of long;
 * they are repeated). Where the condition compares unsigned numbers and they are below zero, which
 * is a large number then: one that no iteration has.
 */
const char *emit_loop_first(const struct outline *job, const struct loop *loop, const char *value);
const char *emit_loop_last(const struct outline *job, const struct loop *loop, const char *value);

#endif
