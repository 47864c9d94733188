/* The body's functions: body() over records or a range,
 * called by block(); serial() over an order. */
#include "scheduler/emit/print.h"

#include <string.h>

/* How many records ahead rows are asked for. */
enum { PREFETCH_AHEAD = 8 };

/* ---- the body -------------------------------------------------------------------------------- */

/* Macros mean in the body what they mean at the loop. */
static void print_macros(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->nmacros; ++i)
        text_print(out, "#pragma push_macro(\"%s\")\n", job->macros[i].name);
    for (int i = 0; i < job->nmacros; ++i)
        text_print(out, "%s\n", job->macros[i].text);
}

/* The user's text on the user's lines and columns; `stage`: its number, or one of those. */
static void print_body(const struct outline *job, bool sites, int stage, struct text *out) {
    const struct range *body = &job->loop->body->range;
    struct text_edits edits = emit_body_edits(job, sites, stage);
    print_macros(job, out);
    emit_line_user(job, body->begin.line, out);
    text_print(out, "%*s", body->begin.column - 1, "");
    text_edits_apply(&edits, job->source, body->begin.offset, body->end.offset, true, out);
    text_print(out, "\n");
    for (int i = 0; i < job->nmacros; ++i)
        text_print(out, "#pragma pop_macro(\"%s\")\n", job->macros[i].name);
    emit_line_chunk(job, out);
}

/* ---- what stands around it ------------------------------------------------------------------- */

static void print_privates(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct variable *var = job->facts->privates[i].var;
        if (emit_is_outside(job, var) && var != job->loop->variable && !emit_reduction_of(job, var))
            text_print(out, "    %s;\n", emit_declare_plain(job, var->type, var->name));
    }
}

/* The body of a buffered array reads the snapshot. */
static const char *copies_of(const struct emit_reduction *r) {
    return r->buffered ? "snapshots" : "accumulators";
}

/* Copies of structures in which members lead to the row's own: each once. */
static void print_holders(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct variable *holder = job->reductions[j].holder;
        bool again = !holder || holder->type->kind != TYPE_POINTER;
        for (int i = 0; i < j && !again; ++i)
            again = job->reductions[i].holder == holder;
        if (!again)
            text_print(out, "    %s = *%s;\n    %s = &orrery_copy_%s;\n",
                       emit_declare_plain(job, holder->type->element,
                                          arena_printf(job->arena, "orrery_copy_%s", holder->name)),
                       holder->name, holder->name, holder->name);
    }
}

static void print_accumulators(const struct outline *job, bool parameters, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (emit_is_argmin(job, j))
            emit_argmin_print_locals(job, j, out);
        else if (!r->is_array)
            text_print(out, "    %s = *(%s *)orrery_b->accumulators[%d];\n", r->local, r->type_text,
                       j);
        else if (r->rows)
            text_print(out, "    %s = %s;\n", r->local, emit_rows_local(job, j));
        else if (!parameters || !r->strict)
            text_print(out, "    %s = orrery_b->%s[%d];\n", r->local, copies_of(r), j);
    }
    emit_nan_print_locals(job, out);
    emit_merged_print_locals(job, out);
}

void emit_results_print(const struct outline *job, struct text *out) {
    emit_nan_print_check(job, out);
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (emit_is_argmin(job, j))
            emit_argmin_print_results(job, j, out);
        else if (!r->is_array)
            text_print(out, "    *(%s *)orrery_b->accumulators[%d] = %s;\n", r->type_text, j,
                       r->name);
    }
}

void emit_accumulators_again(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (emit_is_argmin(job, j))
            emit_argmin_print_again(job, j, out);
        else if (!r->is_array)
            text_print(out, "    %s = *(%s *)orrery_b->accumulators[%d];\n", r->name, r->type_text,
                       j);
    }
}

static void print_prologue(const struct outline *job, bool parameters, bool sized,
                           struct text *out) {
    text_print(out, "    const struct orrery_env_%d *orrery_env = orrery_b->env;\n", job->number);
    if (sized)
        emit_locals_sized_print(job, out);
    else
        emit_locals_print(job, NULL, parameters, out);
    print_privates(job, out);
    print_holders(job, out);
    print_accumulators(job, parameters, out);
    if (job->plan->strategy == STRATEGY_WAVEFRONT)
        text_print(out, "    const long orrery_from = orrery_b->from, orrery_to = orrery_b->to;\n");
    text_print(
        out, "    const long orrery_lower = orrery_env->orrery_lower, orrery_end = orrery_b->end;\n"
             "    long orrery_i;\n");
}

/* ---- prefetch -------------------------------------------------------------------------------- */

static bool is_always_visited(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (job->facts->accesses[i].object == object && !job->facts->accesses[i].conditional)
            return true;
    return false;
}

/* The slot that says which row of the array a record visits, when its rows are in one piece. */
static const struct record_slot *prefetch_slot(const struct outline *job,
                                               const struct plan_array *array) {
    const struct row_shape *shape = array->shape;
    bool one = shape && !shape->by_table && !shape->pieces_by_table &&
               (!shape->pieces || strcmp(shape->pieces, "1") == 0);
    if (!one || array->dim < 0 || !is_always_visited(job, array->object) ||
        !array->object->captured || !array->object->var ||
        !emit_field_of(job, array->object->var) || !shape->row_stride ||
        job->plan->analysis->dims[array->dim].kind != DIM_KEY)
        return NULL;
    return emit_key_slot(job, array->dim);
}

static void print_prefetch_strides(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->narrays; ++i) {
        const struct row_shape *shape = job->arrays[i]->shape;
        if (!prefetch_slot(job, job->arrays[i]))
            continue;
        const struct expr *when = job->arrays[i]->object->when;
        const char *only =
            when ? arena_printf(job->arena, "!(%s) ? 0 : ", emit_expr(job, when)) : "";
        text_print(out,
                   "    const long orrery_offset_%d = %s(long)(%s), orrery_stride_%d = "
                   "%s(long)(%s);\n",
                   i, only, shape->row_offset ? emit_localize(job, shape->row_offset) : "0", i,
                   only, emit_localize(job, shape->row_stride));
    }
}

/* Of one record, PREFETCH_AHEAD ahead;
 * or of each of `copies`, the first of which is at orrery_i. */
void emit_prefetch_print(const struct outline *job, int copies, struct text *out) {
    bool open = false;
    for (int i = 0; i < job->narrays; ++i) {
        const struct record_slot *slot = prefetch_slot(job, job->arrays[i]);
        if (!slot)
            continue;
        if (!open)
            text_print(out, "        if (orrery_i + %d < orrery_end) {\n",
                       PREFETCH_AHEAD + copies - 1);
        open = true;
        for (int copy = 0; copy < copies; ++copy)
            text_print(out,
                       "            orrery_prefetch((const char *)%s + orrery_offset_%d +\n"
                       "                ((long)orrery_r[%d].%s - (%ldL)) * orrery_stride_%d, "
                       "orrery_stride_%d);\n",
                       job->arrays[i]->object->var->name, i, PREFETCH_AHEAD + copy, slot->name,
                       slot->load->key_constant, i, i);
    }
    if (open)
        text_print(out, "        }\n");
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Statements that inlining every call would add, callees of callees included. `alone`: something is
 * called from nowhere else. */
struct call_size {
    int statements, depth;
    bool alone;
};

enum { FLATTEN_STATEMENTS = 300, FLATTEN_DEPTH = 8 };

static void count_statement(void *data, struct stmt *stmt) {
    struct call_size *size = data;
    (void)stmt;
    ++size->statements;
}

static void count_call(void *data, struct expr *expr, struct expr *parent) {
    struct call_size *size = data;
    (void)parent;
    if (expr->kind != EXPR_CALL || !expr->function || !expr->function->body ||
        size->statements > FLATTEN_STATEMENTS)
        return;
    size->alone |= size->depth == 0 && expr->function->is_static && expr->function->nnamed == 1;
    if (++size->depth > FLATTEN_DEPTH)
        size->statements = FLATTEN_STATEMENTS + 1;
    emit_walk_stmts(expr->function->body, count_statement, size);
    emit_walk_stmt(expr->function->body, count_call, size);
    --size->depth;
}

/*
 * What the loop alone called is called from several places now, block() and serial() among them, and
 * the compiler would not inline it any more as it did: small functions are inlined by our word.
 */
static const char *flatten_text(const struct outline *job) {
    struct call_size size = {0};
    emit_walk_stmt(job->loop->body, count_call, &size);
    return size.alone && size.statements <= FLATTEN_STATEMENTS ? ", __flatten__" : "";
}

/* ---- block ----------------------------------------------------------------------------------- */

/* `", float *__restrict__ W"` for every base that nothing else reaches; the matching arguments of a
 * call from block(); or of one from a function with the same parameters. */
enum parameters { DECLARED, CALLED, PASSED };

static void add_parameter(const struct outline *job, const char **text, const char *separator,
                          const char *parameter) {
    *text = arena_printf(job->arena, "%s,%s%s", *text, separator, parameter);
}

static const char *parameter_text(const struct outline *job, enum parameters how) {
    const char *text = "", *between = how == DECLARED ? "\n    " : " ";
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        const char *ways[] = {field->strict ? field->strict : field->local,
                              arena_printf(job->arena, "orrery_env->%s", field->name), field->name};
        if (emit_is_parameter(job, field))
            add_parameter(job, &text, between, ways[how]);
    }
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        const char *ways[] = {
            r->strict, arena_printf(job->arena, "orrery_b->%s[%d]", copies_of(r), j), r->name};
        if (r->is_array && r->strict)
            add_parameter(job, &text, between, ways[how]);
    }
    const char *const ways[] = {
        arena_printf(job->arena, "const struct orrery_record_%d *__restrict__ orrery_records",
                     job->number),
        "orrery_b->records", "orrery_records"};
    if (job->plan->by_key)
        add_parameter(job, &text, between, ways[how]);
    return text;
}

static void print_record_loop(const struct outline *job, const char *declared, struct text *out) {
    text_print(out,
               "    for (orrery_i = orrery_b->begin; orrery_i < orrery_end; ++orrery_i) {\n"
               "        const struct orrery_record_%d *const orrery_r = "
               "&orrery_records[orrery_i];\n",
               job->number);
    if (emit_argmin_by_index(job))
        text_print(out, "        const long orrery_at = orrery_r->i;\n");
    if (job->record_index && emit_is_moving(job))
        text_print(out, "%s", emit_variables_text(job, "orrery_lower", "orrery_r->i", "        "));
    else if (job->record_index)
        text_print(out, "        %s = %s;\n", declared,
                   emit_variable_of(job, "orrery_lower", "orrery_r->i"));
    emit_prefetch_print(job, 1, out);
}

static void print_range_loop(const struct outline *job, const char *declared, struct text *out) {
    const char *from = job->lanes ? "orrery_from" : "orrery_b->begin";
    if (emit_is_moving(job)) {
        text_print(out,
                   "%s    for (orrery_i = orrery_b->begin; orrery_i < orrery_end; ++orrery_i%s) "
                   "{\n%s",
                   emit_steady_start(job, "orrery_b->begin"), emit_steady_step(job),
                   emit_steady_values(job, "orrery_i", "        "));
        return;
    }
    text_print(out,
               "    %s = %s;\n"
               "    for (orrery_i = %s; orrery_i < orrery_end; ++orrery_i, %s += %ld) {\n",
               declared, emit_variable_of(job, "orrery_lower", from), from,
               job->loop->variable->name, job->loop->step);
}

/* The body, or groups of iterations, in versions for several trip counts: unroll() stands only where
 * ORRERY_JAM is, and then blocks call it. */
static bool is_sized(const struct outline *job, const char *name) {
    return job->sized && (strcmp(name, "body") == 0 || strcmp(name, "unroll") == 0);
}

static void print_function_head(const struct outline *job, const char *name, const char *suffix,
                                struct text *out) {
    text_print(out,
               "%sstatic __attribute__((__noinline__%s)) void orrery_%s_%d%s(\n"
               "    const struct orrery_block *orrery_b%s) {\n",
               emit_attributes(job), flatten_text(job), name, job->number, suffix,
               parameter_text(job, DECLARED));
}

/*
 * __restrict__ on a local says nothing to gcc, on a parameter it does; and only as long as the
 * function is not inlined. A sized body is part of functions that have the parameters, too.
 */
void emit_body_head_print(const struct outline *job, const char *name, struct text *out) {
    if (is_sized(job, name))
        text_print(out,
                   "%sstatic __inline__ __attribute__((__always_inline__)) void "
                   "orrery_sized_%s_%d(\n"
                   "    const struct orrery_block *orrery_b%s,\n    const long orrery_size) {\n",
                   emit_attributes(job), name, job->number, parameter_text(job, DECLARED));
    else
        print_function_head(job, name, "", out);
    print_prologue(job, true, is_sized(job, name), out);
    if (job->plan->by_key)
        print_prefetch_strides(job, out);
}

/* One version; suffix "": for all other sizes. */
static void print_version(const struct outline *job, const char *name, const char *suffix,
                          const char *size, struct text *out) {
    print_function_head(job, name, suffix, out);
    text_print(out, "    orrery_sized_%s_%d(orrery_b%s, %s);\n}\n\n", name, job->number,
               parameter_text(job, PASSED), size);
}

void emit_body_end_print(const struct outline *job, const char *name, struct text *out) {
    text_print(out, "    ORRERY_BODY_DONE(orrery_b);\n}\n\n");
    if (!is_sized(job, name))
        return;
    print_version(job, name, "",
                  arena_printf(job->arena,
                               "(long)((const struct orrery_env_%d *)orrery_b->env)->%s",
                               job->number, job->sized->field->name),
                  out);
    bool other = strcmp(name, "body") == 0 && job->unroll;
    text_print(out, "#ifdef ORRERY_SIZES\n%s", other ? "#ifndef ORRERY_JAM\n" : "");
    for (int i = 0; i < job->sized->ncounts; ++i)
        print_version(job, name, arena_printf(job->arena, "_%ld", job->sized->counts[i]),
                      arena_printf(job->arena, "%ldL", job->sized->counts[i]), out);
    text_print(out, "#ifdef ORRERY_SIZE\n");
    print_version(job, name, "_size", "(long)(ORRERY_SIZE)", out);
    text_print(out, "#endif\n%s#endif\n\n", other ? "#endif\n" : "");
}

void emit_body_call_print(const struct outline *job, const char *name, const char *block,
                          struct text *out) {
    text_print(out, "    orrery_%s_%d(%s%s);\n", name, job->number, block,
               parameter_text(job, CALLED));
}

/* Calls the version that the trip count has, and returns, or goes on. */
static void print_versions_call(const struct outline *job, const char *name, struct text *out) {
    const char *field = job->sized->field->name, *arguments = parameter_text(job, CALLED);
    text_print(out,
               "#ifdef ORRERY_SIZES\n"
               "#ifdef ORRERY_SIZE\n"
               "    if (orrery_env->%s == (ORRERY_SIZE)) {\n"
               "        orrery_%s_%d_size(orrery_b%s);\n        return;\n    }\n"
               "#endif\n",
               field, name, job->number, arguments);
    for (int i = 0; i < job->sized->ncounts; ++i)
        text_print(out,
                   "    if (orrery_env->%s == %ld) {\n"
                   "        orrery_%s_%d_%ld(orrery_b%s);\n        return;\n    }\n",
                   field, job->sized->counts[i], name, job->number, job->sized->counts[i],
                   arguments);
    text_print(out, "#endif\n");
}

static void print_call(const struct outline *job, const char *name, struct text *out) {
    if (is_sized(job, name))
        print_versions_call(job, name, out);
    emit_body_call_print(job, name, "orrery_b", out);
}

/* A function that runs the body, or what `stage` says of it. */
static void print_function(const struct outline *job, const char *name, int stage,
                           struct text *out) {
    const struct variable *var = job->loop->variable;
    const char *declared = emit_declare_plain(job, var->type, var->name);
    emit_body_head_print(job, name, out);
    if (stage == SERVED)
        emit_serve_print_locals(job, out);
    if (job->plan->by_key)
        print_record_loop(job, declared, out);
    else {
        if (job->lanes)
            emit_lanes_print(job, out);
        print_range_loop(job, declared, out);
        if (stage == WHOLE)
            emit_ahead_call_print(job, out);
    }
    if (stage == CUT)
        emit_wave_places_print(job, out);
    if (stage >= 0)
        emit_pipe_slot_print(job, out);
    print_body(job, job->plan->by_key, stage, out);
    text_print(out, "    }\n");
    emit_results_print(job, out);
    emit_body_end_print(job, name, out);
}

void emit_body_print(const struct outline *job, struct text *out) {
    if (!job->plan->pipe) {
        print_function(job, "body", job->plan->wave ? CUT : WHOLE, out);
        return;
    }
    for (int s = 0; s < job->plan->pipe->nstages + job->plan->pipe->nlate; ++s)
        print_function(job, emit_pipe_name(job, s), s, out);
}

void emit_serve_body_print(const struct outline *job, struct text *out) {
    print_function(job, "served", SERVED, out);
}

void emit_block_print(const struct outline *job, struct text *out) {
    text_print(out,
               "static void orrery_block_%d(const struct orrery_block *orrery_b) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_b->env;\n"
               "    (void)orrery_env;\n",
               job->number, job->number);
    if (job->unroll) {
        text_print(out, "#ifdef ORRERY_JAM\n");
        print_call(job, "unroll", out);
        text_print(out, "#else\n");
    }
    if (job->plan->pipe)
        emit_pipe_calls_print(job, out);
    else
        print_call(job, "body", out);
    text_print(out, "%s}\n\n", job->unroll ? "#endif\n" : "");
}

/* ---- serial ---------------------------------------------------------------------------------- */

/*
 * The host compiler's time goes by copies of the body. A loop over a range that nobody marked stands
 * once more in its own place, where one of verify's runs executes it: its replay has to show that the
 * order does not matter, which the block shows as well.
 */
bool emit_has_serial(const struct outline *job) {
    const struct plan *plan = job->plan;
    return !emit_is_automatic(job) || plan->by_key || plan->wave || plan->pipe || job->passes;
}

/* Compilers make cold functions small: verify alone goes through this one, but for passes that were
 * put off. Else it would take a fifth of their time. */
void emit_serial_print(const struct outline *job, struct text *out) {
    if (!emit_has_serial(job))
        return;
    text_print(out, "%sstatic %svoid orrery_serial_%d(const struct orrery_block *orrery_b) {\n",
               emit_attributes(job), job->passes ? "" : "__attribute__((__cold__)) ", job->number);
    print_prologue(job, false, false, out);
    text_print(out,
               "    for (orrery_i = orrery_b->begin; orrery_i < orrery_end; ++orrery_i) {\n"
               "        const long orrery_at = orrery_b->order ? orrery_b->order[orrery_i] : "
               "orrery_i;\n%s",
               emit_variables_text(job, "orrery_lower", "orrery_at", "        "));
    print_body(job, false, WHOLE, out);
    text_print(out, "    }\n");
    emit_results_print(job, out);
    text_print(out, "}\n\n");
}
