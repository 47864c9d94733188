/* The steps that fill in an outline: for the files of this folder. Each refuses, and returns false,
 * where the loop cannot be cut out. */
#ifndef ORRERY_SCHEDULER_OUTLINE_COLLECT_H
#define ORRERY_SCHEDULER_OUTLINE_COLLECT_H

#include "scheduler/outline/outline.h"

/* Reports why the loop cannot be outlined; the first reason counts. It is an error where the loop
 * has to run on a GPU. Returns false. */
bool emit_refuse(struct outline *job, const char *code, struct range range, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ways.c: the edit for a code, NULL: none. emit_refuse takes it. */
const char *outline_way_out(const char *code);

/* Right behind it: what to write instead, more exactly. Nothing where the refusal was not said. */
void emit_refuse_fix(struct outline *job, const char *fix);

/* check.c: places, directives, names and types that make moving the body impossible. */
bool emit_check_place(struct outline *job);
bool emit_check_body(struct outline *job);

/* front.c: loops that are OpenMP's under the user's flags (ORR2276), and words that may bring
 * directives (ORR2277). */
bool emit_front_check(struct outline *job);
/* May text be put at `at`, with no directive in front that speaks of the statement there? */
bool emit_front_is_free(const struct outline *job, size_t at);

/* hot.c: what relax(hot) names can have copies. */
bool emit_hot_check(struct outline *job);

/* hidden.c: names that our text has to spell are no macros. */
bool emit_hidden_check(struct outline *job);
/* The unit's macros are read. */
void outline_macros(const struct outline *job);

/* predefined.c: the body names the function that it stands in: it is given the name, or refused. */
bool emit_predefined_name(struct outline *job);

/* types.c: the same declarations as emit_declare ..., of types that have a name at file scope. */
const char *outline_declare(struct outline *job, const struct type *type, const char *name);
const char *outline_declare_pointer(struct outline *job, const struct type *element,
                                    const char *qualifier, const char *name);
const char *outline_declare_first(struct outline *job, const struct variable *var,
                                  const char *qualifier, const char *name);
const char *outline_declare_plain(struct outline *job, const struct type *type, const char *name);
const char *outline_type_plain(struct outline *job, const struct type *type);
/* All other types that the text will name. requires: all else that is collected. */
bool outline_types_check(struct outline *job);

/* env.c: what the body needs. requires: reductions. */
bool emit_env_collect(struct outline *job);
void emit_address_add(struct outline *job, const struct variable *var);
/* The text in the loop's place takes the variable's address. */
void emit_addressed(struct outline *job, const struct variable *var);
/* Adds a field per row length below `row`; returns the brackets of a declaration: "[a][b]". */
const char *emit_extents_add(struct outline *job, const struct variable *var,
                             const struct type *row);

/* A call that is looked into, and the one it stands in; NULL: the loop's body. */
struct inside {
    const struct expr *call;
    const struct inside *outer;
};

/* addresses.c: the operator compares or subtracts addresses that may be of unlike origin; the cast
 * makes one a number. */
bool outline_compares_unlike(const struct outline *job, const struct inside *inside,
                             const struct expr *expr);
bool outline_makes_number(const struct expr *expr);

/* reduce.c: what is folded, set last, or an iteration's own. */
bool emit_reductions_collect(struct outline *job);
/*
 * Replaces `base` in all accesses of an object by `name`. Returns the expression in the last of
 * them, or NULL when one is out of reach (a macro, a called function, a local alias).
 */
struct expr *emit_rename_accesses(struct outline *job, const struct object *object,
                                  const char *base, const char *name);
/* argmin.c: the group of reduction `index` of the facts, once. */
bool emit_argmin_add(struct outline *job, int index);
/* merged.c: edits of the writes of what relax() and buffer() name. */
bool emit_merged_collect(struct outline *job, int index);
bool emit_merged_check(struct outline *job);
/* nan.c: minima and maxima that a NaN would break: false when the text cannot be made to tell. */
bool emit_nan_watch(struct outline *job, int index, struct emit_reduction *made);
/* rows.c: rows behind a table that are folded into. */
bool emit_rows_fill(struct outline *job, const struct object *object, struct emit_reduction *made);
/* Rows behind pointers in structures: another table in the structures' place. False: no text. */
bool emit_rows_rename(struct outline *job, const struct object *object,
                      struct emit_reduction *made);
/* It stands in the loop's body as it is. */
bool emit_in_body(const struct outline *job, struct range range);
/* rerun.c: a check at a run's end, and the loop could not begin again. requires: reductions. */
bool emit_rerun_check(struct outline *job);

/* copies.c: refuses loops that keep the address of a worker's copy. requires: reductions, env. */
bool outline_copies_check(struct outline *job);

/* lists.c. requires: env. By levels what cannot be listed is refused; what might be served has
 * copies then. */
bool emit_lists_collect(struct outline *job);
/* levels: does the list of what an iteration touches read the array that this load does? */
bool emit_lists_read(const struct outline *job, const struct expr *load);
/* serve.c: what the function of a served array reads is declared where the table can name it. */
bool emit_serve_check(struct outline *job);

/* record.c. requires: env, lists. */
bool emit_record_collect(struct outline *job);
/* Can everything be named that evaluating `expr` under its guards reads? */
bool emit_check_calls(struct outline *job, const struct expr *expr, int nguards,
                      struct expr **guards);
bool emit_reads_check(struct outline *job, const struct expr *expr);

/* arrays.c. requires: record. */
bool emit_arrays_collect(struct outline *job);

/* guards.c: guards and intervals. */
bool emit_guards_check(struct outline *job);

/* moving.c: variables that every iteration moves by the same amount; what cannot be said of the
 * header at the call. */
void emit_moving_collect(struct outline *job);
bool emit_moving_check(struct outline *job);

/* passes.c: passes that flow into each other, or NULL. */
const struct plan_passes *emit_passes(const struct outline *job);

/* wave.c, pipe.c: text that a loop cannot be cut in, or that cannot be assigned to stages. */
bool emit_wave_check(struct outline *job);
void emit_wave_edits(const struct outline *job, struct text_edits *edits);
bool emit_pipe_check(struct outline *job);
/* Does another stage declare the variable in place of its own one, `stage`? */
bool emit_pipe_declares(const struct outline *job, const struct variable *var, int stage);
void emit_pipe_edits(const struct outline *job, struct text_edits *edits, int stage);
/* Is there a directive, none of ours, in [begin, end) of the source? */
bool emit_directive_between(const struct outline *job, size_t begin, size_t end);

/* Is it one of our pragmas? */
bool emit_directive_is_ours(const struct outline *job, size_t directive);

/* ---- conditionals.c -------------------------------------------------------------------------- */

/*
 * Does every conditional that begins or ends in [begin, end) of the source do both there? Those
 * that do not are first taken out of the text where that can be done: directives and the branches
 * that the preprocessor leaves out become blanks, so that all places stay.
 */
bool emit_conditionals_end(struct outline *job, size_t begin, size_t end);

/* Does a directive that is not left out, and none of a conditional that ends before `end`, stand in
 * [begin, end)? Our own do not count. */
bool emit_directive_speaks(const struct outline *job, size_t begin, size_t end);

/* Is it one of the words, behind which NULL stands? */
bool emit_is_word(const char *word, const char *const *words);

/* The word of a directive that means one thing to clang
 * and another to the host compiler, or NULL. */
const char *emit_compiler_word(const struct outline *job, struct token directive);

/* edits.c: can all replaced parts of the body be replaced together? */
bool emit_body_check(struct outline *job);

/* reads.c: spans and inputs. requires: record, lists, arrays. */
void outline_reads(struct outline *job);

/* readiness.c: sets job->readiness, refuses nothing. requires: arrays, reductions. */
bool outline_readiness(struct outline *job);

/* call.c: the macros of the function leave the names alone that the call in the loop's place needs.
 * requires: all else that is collected. */
bool outline_call_check(struct outline *job);

/* unroll.c: sets job->unroll where groups of iterations may run interleaved: that is known to
 * change no bit, and a loop inside carries a sum. requires: all else that is collected. */
void outline_unroll(struct outline *job);

/* sized.c: sets job->sized where trip counts of loops inside are the value of one variable.
 * requires: the environment. */
void outline_sized(struct outline *job);

/* lanes.c: a nest that a group of iterations runs in the lanes of vectors. requires: all that edits
 * the body's text. */
void outline_lanes(struct outline *job);

#endif
