/* What the files that print a loop share. They decide nothing: what they print is in the
 * outline. */
#ifndef ORRERY_SCHEDULER_EMIT_PRINT_H
#define ORRERY_SCHEDULER_EMIT_PRINT_H

#include "scheduler/outline/outline.h"
#include "scheduler/outline/touch.h"

/* cost.c: C text of the nanoseconds that one iteration may take, of type double, valid at the
 * loop's head. */
const char *emit_cost_text(const struct outline *job);

/* ---- value.c --------------------------------------------------------------------------------- */

/* The loop variable of index `index` (both C text of type long), as an expression of its type. */
const char *emit_variable_of(const struct outline *job, const char *lower, const char *index);
/* Declarations of the loop's variable and of all that move with it, in iteration `index`. */
const char *emit_variables_text(const struct outline *job, const char *lower, const char *index,
                                const char *indent);
/* The same over a range of iterations, from `index` on: declarations in front of the loop, what its
 * header adds after ", ", and declarations in an iteration, whose number is `index`. */
const char *emit_steady_start(const struct outline *job, const char *index);
const char *emit_steady_step(const struct outline *job);
const char *emit_steady_values(const struct outline *job, const char *index, const char *indent);
/* "(a) && !(b)", or NULL without guards. */
const char *emit_guard_text(const struct outline *job, int nguards, struct expr **guards,
                            const bool *sense);
/* The value as C text of type long, where the environment's locals and the loops' variables are;
 * when the values that it is made of may be evaluated, NULL: always. */
const char *emit_affine_text(const struct outline *job, const struct affine *affine);
const char *emit_affine_guard(const struct outline *job, const struct affine *affine);
/* What stands for a loop's symbol: its variable, or the number of its round. */
const char *emit_loop_text(const struct outline *job, const struct symbol *symbol);
/* Where an object begins, in a function that has the environment's locals. */
const char *emit_base_text(const struct outline *job, const struct object *object);

/* ---- env.c ----------------------------------------------------------------------------------- */

void emit_env_print(const struct outline *job, struct text *out);
/* The body's function has the field as a parameter: a restricted base, or lengths of its rows. */
bool emit_is_parameter(const struct outline *job, const struct env_field *field);
/*
 * Locals made of the environment: those whose name is a token of `uses`, or all when it is NULL.
 * `parameters`: restricted bases are left out, the function has them as parameters.
 */
void emit_locals_print(const struct outline *job, const char *uses, bool parameters,
                       struct text *out);
/* All, in a body: the value of job->sized is its parameter. */
void emit_locals_sized_print(const struct outline *job, struct text *out);

/*
 * argmin.c: the structures; the members as the block's variables, set once more, and back; at the
 * call, and behind it; the table's field of the best, if any: returns how many.
 */
void emit_argmins_declare(const struct outline *job, struct text *out);
void emit_argmin_print_locals(const struct outline *job, int j, struct text *out);
void emit_argmin_print_again(const struct outline *job, int j, struct text *out);
void emit_argmin_print_results(const struct outline *job, int j, struct text *out);
void emit_argmin_print_value(const struct outline *job, int j, struct text *out);
void emit_argmin_print_back(const struct outline *job, int j, struct text *out);
int emit_argmin_print_field(const struct outline *job, int j, struct text *out);

/* ---- record.c -------------------------------------------------------------------------------- */

void emit_record_print(const struct outline *job, struct text *out);
void emit_gather_print(const struct outline *job, struct text *out);
/* ... of many iterations at once. */
void emit_gathers_print(const struct outline *job, struct text *out);

/* touch.c: do the functions that a run asks tell what they read? */
bool emit_tells_reads(const struct outline *job);

/* touch.c: statements that touch all that is read, from step `from` on; only where the caller asks
 * for it; what the values of an affine form are made of. */
void emit_touches_print(const struct outline *job, const struct touches *touches, int from,
                        int indent, struct text *out);
void emit_reads_print(const struct outline *job, const struct touches *touches, int indent,
                      struct text *out);
void emit_affine_reads(const struct outline *job, const struct affine *affine, int indent,
                       struct text *out);

/* levels: which elements an iteration touches, and where they are. */
void emit_lists_print(const struct outline *job, struct text *out);
void emit_hot_table_print(const struct outline *job, struct text *out);
/* The nest of one access around what `element` prints for each of its elements. */
typedef void emit_list_element(const struct outline *job, const struct emit_touch *touch,
                               int indent, struct text *out);
void emit_list_print(const struct outline *job, const struct emit_touch *touch,
                     emit_list_element *element, struct text *out);

/* ahead.c: the functions that ask for what later iterations touch; where an iteration begins. */
void emit_ahead_print(const struct outline *job, struct text *out);
void emit_ahead_call_print(const struct outline *job, struct text *out);

/* weigh.c: what an iteration costs beside others, where its loops inside are of different
 * lengths. */
void emit_weigh_print(const struct outline *job, struct text *out);

/* wave.c, wavefronts: where statements stand, in front of the body; the function that tells which
 * positions iterations have, and its entries in the table. */
void emit_wave_places_print(const struct outline *job, struct text *out);
void emit_wave_print(const struct outline *job, struct text *out);
void emit_wave_table_print(const struct outline *job, struct text *out);

/* sections.c: the function that tells what iterations touch, where that is how ranks divide the
 * arrays, and its entry in the table. */
void emit_sections_table_print(const struct outline *job, struct text *out);
void emit_asked_print(const struct outline *job, struct text *out); /* table.c */
void emit_sections_print(const struct outline *job, struct text *out);

/* pipe.c, pipelines: an iteration's slot as a structure, and the way to it in front of the body;
 * the call of a block's stage; entries of the table. */
void emit_pipe_print(const struct outline *job, struct text *out);
void emit_pipe_slot_print(const struct outline *job, struct text *out);
const char *emit_pipe_name(const struct outline *job, int stage);
void emit_pipe_calls_print(const struct outline *job, struct text *out);
void emit_pipe_table_print(const struct outline *job, struct text *out);

/* nan.c. `known`: conditions, each with `&&` behind it, under which the loop may run; "": none. */
void emit_nan_print_locals(const struct outline *job, struct text *out);
void emit_nan_print_check(const struct outline *job, struct text *out);
void emit_nan_print_start(const struct outline *job, struct text *out);
const char *emit_nan_known(const struct outline *job);

/* rows.c: what a block's table is, the rows opened in front of the call, and told behind it that
 * the region ran. `known`: as above. */
const char *emit_rows_local(const struct outline *job, int reduction);
void emit_rows_print_open(const struct outline *job, struct text *out);
void emit_rows_print_ran(const struct outline *job, struct text *out);
/* Entries of a table of rows: as declared, else up to the greatest subscript; "0": not known. */
const char *emit_rows_count(const struct outline *job, const struct object *object);
const char *emit_rows_known(const struct outline *job);

/* pointers.c: prints where elements of array number `array` have pointers, or of reduction number j;
 * the list's name, NULL: nowhere. */
const char *emit_pointers_print(const struct outline *job, int array, struct text *out);
const char *emit_pointers_print_folded(const struct outline *job, int j, struct text *out);

/* table.c: where arrays are. */
void emit_shapes_print(const struct outline *job, struct text *out);
void emit_tables_print(const struct outline *job, struct text *out);
/* "(long)__builtin_offsetof(struct orrery_env_0, W)" where bodies may get another base, else "-1". */
const char *emit_base_offset_text(const struct outline *job, const struct object *object);
/* The list of record fields that hold keys; returns how many there are. */
int emit_key_fields_print(const struct outline *job, struct text *out);
/* The list of what is read of the environment; returns how many there are. */
int emit_inputs_print(const struct outline *job, struct text *out);
/* `{offset, size},` of a field, or of the first one where `name` is NULL. */
void emit_input_print(const struct outline *job, const char *name, struct text *out);

/* block.c */
void emit_body_print(const struct outline *job, struct text *out);
void emit_serve_body_print(const struct outline *job, struct text *out);
void emit_block_print(const struct outline *job, struct text *out);
/* serial(), where the loop has one of its own; else the table names block(). */
void emit_serial_print(const struct outline *job, struct text *out);
bool emit_has_serial(const struct outline *job);
/* Pieces of a function that runs the body: up to its loop over records or a range; behind it; a call
 * of it for `block`; the accumulators stored, and loaded once more; the rows of `copies` records
 * asked for. */
void emit_body_head_print(const struct outline *job, const char *name, struct text *out);
void emit_body_end_print(const struct outline *job, const char *name, struct text *out);
void emit_body_call_print(const struct outline *job, const char *name, const char *block,
                          struct text *out);
void emit_results_print(const struct outline *job, struct text *out);
void emit_accumulators_again(const struct outline *job, struct text *out);
void emit_prefetch_print(const struct outline *job, int copies, struct text *out);

/* unroll.c: a function unroll() that runs groups of iterations interleaved, where the outline has
 * it. */
void emit_unroll_print(const struct outline *job, struct text *out);

/* lanes.c: groups of iterations whose nest runs in lanes, of the block's iterations from
 * `orrery_from` on, which they advance. */
void emit_lanes_print(const struct outline *job, struct text *out);

/* guards.c: the list of guards and the functions it names. Returns how many there are. intervals.c:
 * what iterations touch, as a function of the environment and the iteration. */
int emit_guards_print(const struct outline *job, struct text *out);
void emit_intervals_print(const struct outline *job, struct text *out);

/* merged.c: what edits need in front of the loop; functions and lists behind the body; the table's
 * members. */
void emit_merged_print_locals(const struct outline *job, struct text *out);
void emit_merged_print_apply(const struct outline *job, int j, struct text *out);
void emit_merged_print_functions(const struct outline *job, struct text *out);
void emit_merged_print_members(const struct outline *job, struct text *out);

/* serve.c, served arrays: the body's locals, the functions, the line of the table. */
void emit_serve_print_locals(const struct outline *job, struct text *out);
void emit_serve_print(const struct outline *job, struct text *out);
void emit_serve_table_print(const struct outline *job, struct text *out);

/* moving.c. In front of the call: the header's initial part. Behind it: what the variables hold
 * then. */
void emit_moving_print_start(const struct outline *job, struct text *out);
void emit_moving_print_end(const struct outline *job, struct text *out);

/* passes.c: what is added around the loop for passes that flow into each other; the fields of the
 * environment that do not change between them, a list of the table: returns how many there are. */
void emit_passes_edit(const struct outline *job, struct text_edits *edits);
int emit_steady_print(const struct outline *job, struct text *out);

/* call.c: the call in the loop's place, without line ends. */
const char *emit_call_text(const struct outline *job);

/* emit.c: the loop's functions, which stand in front of the one it was in. requires: an outline that
 * is not refused. */
void emit_functions(const struct outline *job, struct text *out);

/* emit.c: `#line`, when wanted: of the user's file, or of the chunk, whose next line this is. */
void emit_line_user(const struct outline *job, int line, struct text *out);
void emit_line_chunk(const struct outline *job, struct text *out);

#endif
