/*
 * One loop on its way into text: shared by the files of this folder, seen by nobody else.
 *
 *   plan --check, env, reductions, record, sites--> struct outline --print--> chunk and call
 */
#ifndef ORRERY_SCHEDULER_OUTLINE_H
#define ORRERY_SCHEDULER_OUTLINE_H

#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"
#include "scheduler/outline/refusal.h"
#include "scheduler/plan/passes.h"

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

/*
 * `name`: in the struct, and of the local that is made of it. `member`: its declaration there.
 * `local`: the local's declaration without initialiser, `strict` the same with __restrict__ (NULL:
 * cannot be said). `value`: what it is initialised with at the loop. `var`, `object`: may be NULL.
 */
struct env_field {
    enum field_role role;
    const char *name, *member, *local, *strict, *value;
    const struct variable *var;
    const struct object *object;
    bool restricted;
};

/*
 * A reduction, a last value or scratch space whose last value is used (`last`), or scratch space.
 * `title`: as reported. `op`, `type`: the runtime's names. `name`: the block's own variable, or its
 * pointer to the row's copy of an array; `local` declares it, `strict` with __restrict__ (arrays;
 * may be NULL). `target`: the lvalue at the loop, or the array's base. `type_text`: of the scalar
 * or element. `reference`: the user's variable is a structure, and stands for `*name` in the body.
 * `holder`: the block's copy of this variable's structure leads to the row's copy: `name`, `local`
 * are the member as the body says it; NULL: not so.
 * `var`: the user's variable when the body names just that. `object`: an array's, else
 * NULL. `size_text`: bytes of the array when its type or the loop's subscripts tell. `merged`: by
 * relax() or buffer() (then `buffered`, too: `name` is the snapshot). `stage`: of a pipeline, whose
 * value counts. `leads`: of merged ones, edits of the body that lead writes to the row's copy.
 * `lost`: scratch space, no value of which is used after the loop. `follows`: evaluating `target`
 * follows a pointer.
 */
struct emit_reduction {
    const char *title, *op, *type, *name, *local, *strict, *target, *type_text, *size_text;
    const struct variable *var, *holder;
    const struct object *object;
    bool is_array, last, reference, merged, buffered, rows, watched, lost, follows;
    int stage;
    struct text_edits leads;
    int facts_index; /* in loop_facts.reductions, -1 for last values and scratch */
};

/* A field of the packed record: a stream_load and the member's name and declaration. `bits`: the
 * load is of a bit-field, the member an int. */
struct record_slot {
    const struct stream_load *load;
    const char *name, *member, *type_text;
    long align;
    bool bits;
};

/*
 * One access whose elements are listed (levels): subscript `sub` of object number `object` in the
 * plan's touches, for all values of `nloops` loops inside, outermost first.
 */
struct emit_touch {
    const struct access *access;
    int object, sub, nloops, *loops;
};

/* A #define or #undef inside of the function, in front of the loop. */
struct emit_macro {
    const char *name, *text;
};

/*
 * `chunk_file`: what `#line` calls the emitted functions' text. `source`: the main file's text.
 * `sites`: edits of the body for block(); `renames`: edits for both block() and serial().
 * `refused`: it cannot be cut out, `refusal` says why. `quiet`: refusals are not said. `said`: the
 * last one was. `functions`, `kernel`: the text in front of the loop's function, and that of a
 * device. `applied`: numbers of the
 * file that functions of served arrays read, and the body does not. `spans`: one per pointer or
 * variable through which the gather reads, its text. `enums`: those declared in the function in
 * front of the loop. `unused`: variables that nothing but the loop may have used. `claims_text`:
 * the function that says what iterations touch, NULL without; `weigh_text`: the one that says what
 * they cost. `passes`: those that flow into each other, NULL when every call waits for its own.
 * `kernel_name`: of a loop that runs on a device, else NULL; `inside`: plans of the loops in its
 * body. `call`: the text in the loop's place; `addressed`: variables whose address it takes.
 */
struct outline {
    struct arena *arena;
    int nmacros;
    struct emit_macro *macros;
    struct unit *unit;
    struct plan *plan;
    const struct plan_passes *passes;
    struct loop_facts *facts;
    struct loop *loop;
    const char *source, *file, *chunk_file;
    int number;
    bool allow_fallback;
    int ninside;
    const struct plan *const *inside;
    bool refused, quiet, said;
    struct outline_refusal refusal;
    struct text functions, kernel;
    const char *call;
    int naddressed;
    const struct variable **addressed;
    int nfields;
    struct env_field *fields;
    int nreductions;
    struct emit_reduction *reductions;
    int nslots;
    struct record_slot *slots;
    bool record_index;
    int narrays;
    const struct plan_array **arrays;
    int nspans;
    const char **spans;
    struct text_edits sites, renames;
    int nenums;
    const char **enums;
    int nunused;
    const struct variable **unused;
    /* `indirect`: some address of what is touched is made of what is read; the gather has none. */
    bool indirect, gather_direct;
    const char *gather_text, *lists_text, *claims_text, *weigh_text, *ready_text, *kernel_name;
    int ntouches;
    struct emit_touch *touches;
    int napplied;
    const struct variable **applied;
};

/* Reports why the loop cannot be outlined; the first reason counts. It is an error where the loop
 * has to run on a GPU. Returns false. */
bool emit_refuse(struct outline *job, const char *code, struct range range, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Right behind it: what to write instead. Nothing where the refusal was not said. */
void emit_refuse_fix(struct outline *job, const char *fix);

/* ---- cost.c: unmarked loops (-auto) ---------------------------------------------------------- */

/* C text of the nanoseconds that one iteration may take,
 * of type double, valid at the loop's head. */
const char *emit_cost_text(struct outline *job);

/* Steps that a loop of unknown length is counted with (scheduler/cost/count.h). */
enum { EMIT_UNKNOWN_TRIPS = 8 };

/* Nobody marked the loop: it runs in parallel only
 * when that is worth it and nothing is in the way. */
bool emit_is_automatic(const struct outline *job);

/* The serial loop stays in the text, for runs that must not or need not be parallel. */
bool emit_falls_back(const struct outline *job);

/* What the run is told of it: 0 no, 1 yes, 2 yes and nobody asked. */
int emit_fallback(const struct outline *job);

/* ---- type.c: declarations -------------------------------------------------------------------- */

/* type_declare, in words every dialect knows; refuses types that have no name at file scope. */
const char *emit_declare(struct outline *job, const struct type *type, const char *name);

/* A declaration of `name` as a pointer to `element`, `qualifier` ("" or "__restrict__ ") on it. */
const char *emit_declare_pointer(struct outline *job, const struct type *element,
                                 const char *qualifier, const char *name);

/* `var` under its own name, a structure at file scope whose type has none; NULL: the type has. */
const char *emit_declare_like(struct outline *job, const struct variable *var);

/*
 * Declares `name` as a pointer to the first element of `var`, an array or a pointer, or to `var`
 * itself, a structure. A global's type may have no name.
 */
const char *emit_declare_first(struct outline *job, const struct variable *var,
                               const char *qualifier, const char *name);

/* Declares `name` without qualifiers at the top; and the name of that type alone. */
const char *emit_declare_plain(struct outline *job, const struct type *type, const char *name);
const char *emit_type_plain(struct outline *job, const struct type *type);

bool emit_type_has_vla(const struct type *type);

/* ---- check.c --------------------------------------------------------------------------------- */

/* Places, directives, names and types that make moving the body impossible: refuses. */
bool emit_check_place(struct outline *job);
bool emit_check_body(struct outline *job);

/* ---- hidden.c -------------------------------------------------------------------------------- */

/* The macro that a word is in front of the loop's function, as far as the main file says; NULL:
 * none.
 */
const struct macro_place *emit_macro(struct outline *job, const char *word);

/* Names that our text has to spell are no macros: refuses. */
bool emit_hidden_check(struct outline *job);
/* requires: `text`, what is emitted in front of the loop's function. No word of ours in it is a
 * macro: refuses. */
bool emit_hidden_words(struct outline *job, const char *text);

/* ---- attributes.c ---------------------------------------------------------------------------- */

/* What our functions that hold the body say in front, with a blank behind; "": nothing. */
const char *emit_attributes(struct outline *job);

/* ---- predefined.c, place.c ------------------------------------------------------------------- */

/* The body names the function that it stands in: it is given the name, or refused. */
bool emit_predefined_name(struct outline *job);

/* Where text may stand in front of `function`: behind whatever ends before it. The bodies of
 * `unit`, which may be NULL, save reading. */
size_t emit_insertion_point(const struct unit *unit, const char *source,
                            const struct function *function);

/* ---- env.c, addresses.c, reduce.c, choice.c, record.c, lists.c, arrays.c: what is handed over  */

bool emit_env_collect(struct outline *job);
void emit_address_add(struct outline *job, const struct variable *var);
/* The text in the loop's place takes the variable's address. */
void emit_addressed(struct outline *job, const struct variable *var);
const char *emit_extents_add(struct outline *job, const struct variable *var,
                             const struct type *row);
bool emit_reductions_collect(struct outline *job);

/* addresses.c: what holds an address that the body has made when the loop ends; NULL: nothing. */
const char *emit_addresses(struct outline *job);
/* The first comparison of addresses that may have been made of unlike variables; NULL: there is
 * none. Bit a % 64 of `arrays`: array a of the job is one of those. */
const char *emit_compared(struct outline *job, unsigned long *arrays);

/* choice.c: the group of reduction `index` of the facts, once. False: refused. */
bool emit_choice_add(struct outline *job, int index);
/* Is reduction j of the job such a group; is `var` one of its members? */
/*
 * Replaces `base` in all accesses of an object by `name`. Returns the expression in the last of
 * them, or NULL when one is out of reach (a macro, a called function, a local alias).
 */
struct expr *emit_rename_accesses(struct outline *job, const struct object *object,
                                  const char *base, const char *name);
/* Choices are decided by the number of the iteration, which is in the record. */
bool emit_choice_by_index(const struct outline *job);
bool emit_is_choice(const struct outline *job, int j);
bool emit_chooses(const struct outline *job, int j, const struct variable *var);
/* The runtime's names of an operation, and of a type of numbers (NULL: it has none). */
const char *emit_op_name(struct arena *arena, enum reduction_op op);
const char *emit_number_name(const struct type *type);
bool emit_record_collect(struct outline *job);
bool emit_arrays_collect(struct outline *job);
bool emit_lists_collect(struct outline *job);

const struct env_field *emit_field_of(const struct outline *job, const struct variable *var);
bool emit_is_private(const struct outline *job, const struct variable *var);
bool emit_is_outside(const struct outline *job, const struct variable *var);
const struct emit_reduction *emit_reduction_of(const struct outline *job,
                                               const struct variable *var);

/* `text` with the names of REFERENCE fields replaced by what they are in our functions. */
const char *emit_localize(struct outline *job, const char *text);
const char *emit_expr(struct outline *job, const struct expr *expr);

/* Index of `dim` as the runtime counts: 0 space, 1 time, -1 neither. */
int emit_dim(const struct outline *job, int dim);

/* A scalar that the body has a copy of, or a variable of its own. */
bool emit_is_copied(const struct outline *job, const struct object *object);

/* True when the block's text reads nothing of the object any more: the records hold it all. */
bool emit_is_streamed(const struct outline *job, const struct object *object);

/* Index in job->arrays, or -1. */
int emit_array_index(const struct outline *job, const struct object *object);

/* ---- printing -------------------------------------------------------------------------------- */

void emit_env_print(struct outline *job, struct text *out);
/* choice.c: the structures; the members as the block's variables, set once more, and back; at the
 * call, and behind it; the table's field of the best, if any: returns how many. */
void emit_choices_declare(struct outline *job, struct text *out);
void emit_choice_print_locals(struct outline *job, int j, struct text *out);
void emit_choice_print_again(struct outline *job, int j, struct text *out);
void emit_choice_print_results(struct outline *job, int j, struct text *out);
void emit_choice_print_value(struct outline *job, int j, struct text *out);
void emit_choice_print_back(struct outline *job, int j, struct text *out);
int emit_choice_print_field(struct outline *job, int j, struct text *out);
/*
 * Locals made of the environment: those whose name is a token of `uses`, or all when it is NULL.
 * `parameters`: restricted bases are left out, the function has them as parameters.
 */
void emit_locals_print(struct outline *job, const char *uses, bool parameters, struct text *out);
void emit_record_print(struct outline *job, struct text *out);
void emit_gather_print(struct outline *job, struct text *out);
/* record.c, for the lists of lists.c: "(a) && !(b)", or NULL without guards; everything
 * that evaluating `expr` under its guards reads; false when a call in it reads memory unseen. */
const char *emit_guard_text(struct outline *job, int nguards, struct expr **guards,
                            const bool *sense);
void emit_touch_guarded(struct outline *job, const struct expr *expr, int nguards,
                        struct expr **guards, const bool *sense, int indent, struct text *out);
bool emit_check_calls(struct outline *job, const struct expr *expr, int nguards,
                      struct expr **guards);

/* levels: does the list of what an iteration touches read the array that this load does? */
bool emit_lists_read(const struct outline *job, const struct expr *load);

/* levels: which elements an iteration touches, and where they are. requires: emit_gather_print. */
void emit_lists_print(struct outline *job, struct text *out);

/* Where an object begins, in a function that has the environment's locals. */
const char *emit_base_text(struct outline *job, const struct object *object);

/* The value as C text of type long, where the environment's locals and the loops' variables are. */
const char *emit_affine_text(struct outline *job, const struct affine *affine);

/* When the values that it is made of may be evaluated; NULL: always. Statements that touch what
 * evaluating it reads. */
const char *emit_affine_guard(struct outline *job, const struct affine *affine);
void emit_affine_reads(struct outline *job, const struct affine *affine, int indent,
                       struct text *out);

/* weigh.c: what an iteration costs beside others, where its loops inside are of different lengths:
 * sets weigh_text, or prints nothing. */
void emit_weigh_print(struct outline *job, struct text *out);

/*
 * wave.c, wavefronts: refuses text that a loop cannot be cut in; the body's edits by which it runs
 * only what has a position in the block; where statements stand, in front of the body; the function
 * that tells which positions iterations have, and its entries in the table.
 */
bool emit_wave_check(struct outline *job);
/* The position of value `value` of the part's variable; the value at a position (texts of long). */
const char *emit_wave_position(struct outline *job, const struct wave_part *part,
                               const char *value);
const char *emit_wave_value(struct outline *job, const struct wave_part *part,
                            const char *position);
void emit_wave_edits(struct outline *job, struct text_edits *edits);
void emit_wave_places_print(struct outline *job, struct text *out);
void emit_wave_print(struct outline *job, struct text *out);
void emit_wave_table_print(struct outline *job, struct text *out);

/*
 * The loop's first value, and the last that its condition lets through, of their texts (of long;
 * they are repeated). Where the condition compares unsigned numbers and they are below zero, which
 * is a large number then: one that no iteration has.
 */
const char *emit_loop_first(struct outline *job, const struct loop *loop, const char *value);
const char *emit_loop_last(struct outline *job, const struct loop *loop, const char *value);

/* sections.c: can it be said what iterations touch
 * of every array? Prints the function that does. */
bool emit_has_sections(const struct outline *job);
void emit_sections_print(struct outline *job, struct text *out);

/* Minima and maxima that a NaN would break (nan.c): false when the text cannot be made to tell. */
bool emit_nan_watch(struct outline *job, int index, struct emit_reduction *made);
void emit_nan_print_locals(struct outline *job, struct text *out);
void emit_nan_print_check(struct outline *job, struct text *out);
void emit_nan_print_start(struct outline *job, struct text *out);
/* Conditions, each with `&&` behind it, under which the loop may run: empty when there are none. */
const char *emit_nan_known(struct outline *job);

/* Checks that a run makes at its end (rerun.c): the loop has one, and runs serially when it fails.
 * False: it has one and could not begin again; refused. Behind emit_reductions_collect. */
bool emit_reruns(const struct outline *job);
bool emit_rerun_check(struct outline *job);

/* Rows behind a table that are folded into (rows.c): what a block's table is, the rows opened in
 * front of the call, and told behind it that the region ran. */
bool emit_rows_fill(struct outline *job, const struct object *object, struct emit_reduction *made);
const char *emit_rows_local(struct outline *job, int reduction);
void emit_rows_print_open(struct outline *job, struct text *out);
void emit_rows_print_ran(struct outline *job, struct text *out);
/* Conditions, each with `&&` behind it, under which the loop may run: empty when there are none. */
const char *emit_rows_known(struct outline *job);

/* Prints where array number `array` has pointers in its structures; false: it has none. */
bool emit_pointers_print(struct outline *job, int array, struct text *out);

/*
 * front.c: what stands right in front of the loop. Refuses loops that are OpenMP's under the user's
 * flags (ORR2276), and words that may bring directives (ORR2277). Advice to the compiler (`#pragma
 * GCC ivdep`) is taken away and stands in front of the text that stays, as `_Pragma`.
 */
bool emit_front_check(struct outline *job);
const char *emit_advice_text(struct outline *job);
void emit_advice_edit(const struct outline *job, struct text_edits *edits);
/* May text be put at `at`, with no directive in front that speaks of the statement there? */
bool emit_front_is_free(const struct outline *job, size_t at);

/* Is there a directive, none of ours, in [begin, end) of the source? */
bool emit_directive_between(const struct outline *job, size_t begin, size_t end);

/*
 * pipe.c, pipelines: refuses text that cannot be dealt to stages; the body's edits by which it runs
 * only what a stage has of it; an iteration's slot as a structure, and the way to it in front of
 * the body; the call of a block's stage; entries of the table.
 */
bool emit_pipe_check(struct outline *job);
void emit_pipe_edits(struct outline *job, struct text_edits *edits, int stage);
void emit_pipe_print(struct outline *job, struct text *out);
void emit_pipe_slot_print(struct outline *job, struct text *out);
const char *emit_pipe_name(struct outline *job, int stage);
void emit_pipe_calls_print(struct outline *job, struct text *out);
void emit_pipe_table_print(struct outline *job, struct text *out);

void emit_shapes_print(struct outline *job, struct text *out);

/* What of it reads the arrays' places and sizes. */
/* The shape of array `at`, and those of arrays that are folded into. */
const char *emit_shape_line(struct outline *job, int at);
const char *emit_reduction_shapes(struct outline *job);
void emit_shapes_lines(struct outline *job, struct text *out);

/*
 * ready.c: conditions, each with ` && ` behind it, under which the call may read what the run wants
 * to know before any iteration; "": always. Where they do not hold the loop runs as it was written:
 * emit_keeps_serial, it stays in the text. emit_ready_is_early: what is summed into is read by the
 * call itself. requires: arrays, reductions.
 */
const char *emit_ready_text(struct outline *job);
bool emit_ready_is_early(const struct outline *job);
/* Evaluating `expr` (may be NULL) follows a pointer. */
bool emit_follows_pointer(const struct expr *expr);
/* requires: emit_ready_text. */
bool emit_keeps_serial(const struct outline *job);
/* Can all replaced parts of the body be replaced together? Else refuses. */
bool emit_body_check(struct outline *job);
void emit_body_print(struct outline *job, struct text *out);
void emit_block_print(struct outline *job, bool jammed, struct text *out);
void emit_serial_print(struct outline *job, struct text *out);
void emit_tables_print(struct outline *job, struct text *out);

/*
 * block.c, pieces of a function that runs the body: up to its loop over records or a range; a
 * call of it for `block`; the accumulators stored, and loaded once more; the rows of `copies`
 * records asked for.
 */
void emit_body_head_print(struct outline *job, const char *name, struct text *out);
void emit_body_call_print(struct outline *job, const char *name, const char *block,
                          struct text *out);
void emit_results_print(struct outline *job, struct text *out);
void emit_accumulators_again(struct outline *job, struct text *out);
void emit_prefetch_print(struct outline *job, int copies, struct text *out);

/* The record's field that holds the key of `dim`, or NULL. */
const struct record_slot *emit_key_slot(const struct outline *job, int dim);

/*
 * jam.c: a function jam() that runs groups of iterations interleaved, where that is known to
 * change no bit and a loop inside carries a sum. Returns false, and prints nothing, where it is
 * not.
 */
bool emit_jam_print(struct outline *job, struct text *out);

/* guards.c: the list of guards and the functions it names. Returns how many there are. */
bool emit_guards_check(struct outline *job);
int emit_guards_print(struct outline *job, struct text *out);

/* The guards about single iterations: are there any, and does one of their texts hold `text`? */
bool emit_has_key_ranges(const struct outline *job);
bool emit_key_ranges_use(const struct outline *job, const char *text);

/* claims.c: what iterations touch, as a function of the environment and the iteration. */
bool emit_claims_check(struct outline *job);
void emit_claims_print(struct outline *job, struct text *out);

/* Statements that touch everything that evaluating `expr` reads. */
void emit_touches_print(struct outline *job, const struct expr *expr, int indent, struct text *out);

/* Can everything be named that evaluating `expr` reads? Else refuses. */
bool emit_reads_check(struct outline *job, const struct expr *expr);

/* merged.c: what relax() and buffer() name. Edits of the writes in the body; what edits need in
 * front of the loop; functions and lists behind the body; the table's members. */
bool emit_merged_collect(struct outline *job, int index);
void emit_merged_print_locals(struct outline *job, struct text *out);
bool emit_merged_check(struct outline *job);
void emit_merged_print_functions(struct outline *job, struct text *out);
void emit_merged_print_members(struct outline *job, struct text *out);

/* serve.c, served arrays: reduction j's number in the lists of what is touched, -1: it is not
 * served; the edits for merged arrays of a body, of the one that takes served ones from what its
 * chunk was sent, or of any other; its locals, the functions, its line of
 * the table. */
int emit_serve_touch(const struct outline *job, int j);
void emit_serve_edits(struct outline *job, bool served, struct text_edits *all);
void emit_serve_print_locals(struct outline *job, struct text *out);
void emit_serve_print(struct outline *job, struct text *out);
void emit_serve_table_print(struct outline *job, struct text *out);
/* What the function of a served array reads is declared where the table can name it. */
bool emit_serve_check(struct outline *job);
/* Sets job->applied; how many. */
int emit_serve_globals(struct outline *job);
void emit_serve_body_print(struct outline *job, struct text *out); /* block.c */

/* moving.c: variables that every iteration moves by the same amount. */
/* Does the loop need more than (type)(lower + index * step) at the start of an iteration? */
bool emit_is_moving(const struct outline *job);
void emit_moving_collect(struct outline *job);
/* Refuses what cannot be said of the header at the call. */
bool emit_moving_check(struct outline *job);
/* Declarations of the loop's variable and of all that move with it, in iteration `index`. */
const char *emit_variables_text(struct outline *job, const char *lower, const char *index,
                                const char *indent);
/* In front of the call: the header's initial part. Behind it: what the variables hold then. */
void emit_moving_print_start(struct outline *job, struct text *out);
void emit_moving_print_end(struct outline *job, struct text *out);
/* How a variable is named at the call. */
const char *emit_outside_name(const struct variable *var);

/* passes.c: passes that flow into each other, or NULL; what is added around the loop for them. */
const struct plan_passes *emit_passes(const struct outline *job);
void emit_passes_edit(const struct outline *job, struct text_edits *edits);

/* The fields of the environment that do not change between them: a list of the table. Returns how
 * many there are. */
int emit_steady_print(struct outline *job, struct text *out);

/* `{offset, size},` of a field, or of the first one where `name` is NULL. */
void emit_input_print(struct outline *job, const char *name, struct text *out);
bool emit_is_input(const struct outline *job, const struct env_field *field);

/* The call in the loop's place, without line ends. */
const char *emit_call_text(struct outline *job);
bool emit_call_check(struct outline *job);

/* The loop variable of index `index` (both C text of type long), as an expression of its type. */
const char *emit_variable_of(struct outline *job, const char *lower, const char *index);

/* `#line`, when wanted: of the user's file, or of the chunk, whose next line this is. */
void emit_line_user(const struct outline *job, int line, struct text *out);
void emit_line_chunk(struct outline *job, struct text *out);

#endif
