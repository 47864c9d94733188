/*
 * Iterations in lanes (outline/lanes.h): a group has four vectors of them, so that sums of one need
 * not wait for each other. Every step stands four times; what lanes read of their rows stands in
 * tiles, of the elements of all lanes side by side:
 *
 *   for each iteration of the group: the declarations in front of the nest; what the nest starts from
 *   for each iteration of the group: its row into the tiles
 *   the nest, four vectors at once
 *   for each iteration of the group: the body, with the nest's results in its place
 */
#include "scheduler/outline/lanes.h"
#include "scheduler/emit/print.h"

enum { VECTORS = 4 };

/* ---- words ----------------------------------------------------------------------------------- */

static const char *vector_name(const struct emit_lanes *lanes, bool is_float) {
    return lanes->wide ? is_float ? "orrery_vector_f64" : "orrery_vector_i64"
           : is_float  ? "orrery_vector_f32"
                       : "orrery_vector_i32";
}

static const char *element_name(const struct emit_lanes *lanes, bool is_float) {
    return is_float ? lanes->wide ? "double" : "float" : lanes->wide ? "long" : "int";
}

static const char *group_size(const struct emit_lanes *lanes) {
    return lanes->wide ? "ORRERY_VECTORS_OF_8" : "ORRERY_VECTORS_OF_4";
}

static const char *operator_text(enum op op) {
    static const char *const words[] = {
        [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/", [OP_LT] = "<",
        [OP_GT] = ">",  [OP_LE] = "<=", [OP_GE] = ">=", [OP_EQ] = "==", [OP_NE] = "!=",
    };
    return words[op];
}

/* Of vector `v`, as a vector of numbers with or without a fraction. */
static const char *value_text(const struct outline *job, const struct lane_value *value,
                              bool is_float, int v) {
    const struct emit_lanes *lanes = job->lanes;
    struct arena *arena = job->arena;
    switch (value->kind) {
    case LANE_UNIFORM:
        return arena_printf(arena, "%s_of((%s)(%s))", vector_name(lanes, is_float),
                            element_name(lanes, is_float), value->text);
    case LANE_OWN:
        return arena_printf(arena, "orrery_own_%d_%d", value->index, v);
    case LANE_TILE: {
        const struct lane_step *round = lanes->tiles[value->index].round;
        const char *at =
            round ? arena_printf(arena, "((long)%s - (long)(%s))", round->name, round->lower) : "0";
        return arena_printf(arena, "orrery_tile_%d[%s * %d + %d]", value->index, at, VECTORS, v);
    }
    case LANE_NEGATE:
        return arena_printf(arena, "(-%s)", value_text(job, value->args[0], is_float, v));
    default:
        return arena_printf(arena, "(%s %s %s)", value_text(job, value->args[0], is_float, v),
                            operator_text(value->op), value_text(job, value->args[1], is_float, v));
    }
}

/* ---- the nest -------------------------------------------------------------------------------- */

static void print_set(const struct outline *job, const struct lane_step *step, bool chosen, int v,
                      struct text *out) {
    const struct lane_var *var = &job->lanes->vars[step->index];
    const char *value = value_text(job, step->value, var->is_float, v);
    const char *own = arena_printf(job->arena, "orrery_own_%d_%d", step->index, v);
    if (chosen)
        text_print(out, "%s = %s_pick(orrery_when_%d, %s, %s);\n", own,
                   vector_name(job->lanes, var->is_float), v, value, own);
    else
        text_print(out, "%s %s= %s;\n", own, step->op == OP_NONE ? "" : operator_text(step->op),
                   value);
}

/* Steps of a condition follow it vector by vector: it is asked before they set what it looks at. */
static void print_when(const struct outline *job, const struct lane_step *step, struct text *out) {
    for (int v = 0; v < VECTORS; ++v) {
        text_print(out, "{ const %s orrery_when_%d = %s %s %s;\n", vector_name(job->lanes, false),
                   v, value_text(job, step->value, true, v), operator_text(step->op),
                   value_text(job, step->other, true, v));
        for (int i = 0; i < step->nsteps; ++i)
            print_set(job, step->steps[i], true, v, out);
        text_print(out, "}\n");
    }
}

static void print_steps(const struct outline *job, int nsteps, const struct lane_step *const *steps,
                        struct text *out);

static void print_for(const struct outline *job, const struct lane_step *step, struct text *out) {
    text_print(out, "{ %s = %s;\nfor (; %s %s (%s); %s += %ld) {\n", step->declared, step->lower,
               step->name, operator_text(step->op), step->upper, step->name, step->step);
    print_steps(job, step->nsteps, step->steps, out);
    text_print(out, "} }\n");
}

static void print_steps(const struct outline *job, int nsteps, const struct lane_step *const *steps,
                        struct text *out) {
    for (int i = 0; i < nsteps; ++i) {
        if (steps[i]->kind == LANE_FOR)
            print_for(job, steps[i], out);
        else if (steps[i]->kind == LANE_WHEN)
            print_when(job, steps[i], out);
        else
            for (int v = 0; v < VECTORS; ++v)
                print_set(job, steps[i], false, v, out);
    }
}

/* ---- around it ------------------------------------------------------------------------------- */

/* Rows of a tile, as a text of unsigned long. */
static const char *rounds_text(const struct outline *job, const struct lane_tile *tile) {
    return tile->round ? arena_printf(job->arena, "((unsigned long)(%s) - (unsigned long)(%s))",
                                      tile->round->upper, tile->round->lower)
                       : "1ul";
}

static void print_user(const struct outline *job, struct loc begin, size_t end, struct text *out) {
    struct text_edits edits = emit_body_edits(job, false, WHOLE);
    text_print(out, "\n");
    emit_line_user(job, begin.line, out);
    text_print(out, "%*s", begin.column > 0 ? begin.column - 1 : 0, "");
    text_edits_apply(&edits, job->source, begin.offset, end, true, out);
    text_print(out, "\n");
    emit_line_chunk(job, out);
}

/* For each lane from 0 on, an iteration: lanes that are left over repeat the last one. */
static void print_lane_loop(const struct outline *job, bool all, struct text *out) {
    const struct variable *var = job->loop->variable;
    const char *index =
        all ? "(orrery_from + (orrery_lane < orrery_n ? orrery_lane : orrery_n - 1))"
            : "(orrery_from + orrery_lane)";
    text_print(out,
               "{ long orrery_lane = 0;\nfor (; orrery_lane < %s; ++orrery_lane) {\n"
               "%s = %s;\n(void)%s;\n",
               all ? group_size(job->lanes) : "orrery_n",
               emit_declare_plain(job, var->type, var->name),
               emit_variable_of(job, "orrery_lower", index), var->name);
}

static void print_starts(const struct outline *job, struct text *out) {
    const struct emit_lanes *lanes = job->lanes;
    const struct range *body = &job->loop->body->range;
    print_lane_loop(job, true, out);
    print_user(job, body->begin, lanes->nest->range.begin.offset, out);
    for (int i = 0; i < lanes->nvars; ++i)
        if (lanes->vars[i].outer && lanes->vars[i].used)
            text_print(out, "orrery_lanes_%d[orrery_lane] = %s;\n", i, lanes->vars[i].outer->name);
    text_print(out, "} }\n}\n");
}

static void print_tiles(const struct outline *job, struct text *out) {
    const struct emit_lanes *lanes = job->lanes;
    const char *number = element_name(lanes, true);
    print_lane_loop(job, true, out);
    for (int t = 0; t < lanes->ntiles; ++t) {
        const struct lane_step *round = lanes->tiles[t].round;
        if (round)
            text_print(out, "{ %s = %s;\nfor (; %s < (%s); ++%s)\n", round->declared, round->lower,
                       round->name, round->upper, round->name);
        text_print(
            out, "((%s *)orrery_tile_%d)[%s * %s + orrery_lane] = %s;\n", number, t,
            round ? arena_printf(job->arena, "((long)%s - (long)(%s))", round->name, round->lower)
                  : "0",
            group_size(lanes), lanes->tiles[t].text);
        text_print(out, round ? "}\n" : "");
    }
    text_print(out, "} }\n");
}

static void print_own(const struct outline *job, struct text *out) {
    const struct emit_lanes *lanes = job->lanes;
    for (int i = 0; i < lanes->nvars; ++i)
        for (int v = 0; v < VECTORS && lanes->vars[i].used; ++v) {
            const char *vector = vector_name(lanes, lanes->vars[i].is_float);
            text_print(out, "%s orrery_own_%d_%d", vector, i, v);
            if (lanes->vars[i].outer)
                text_print(out, " = ((const %s *)orrery_lanes_%d)[%d];\n", vector, i, v);
            else
                text_print(out, " = %s_of(0);\n", vector);
        }
}

static void print_results(const struct outline *job, struct text *out) {
    const struct emit_lanes *lanes = job->lanes;
    const struct range *body = &job->loop->body->range, *nest = &lanes->nest->range;
    for (int i = 0; i < lanes->nvars; ++i)
        for (int v = 0; v < VECTORS && lanes->vars[i].outer && lanes->vars[i].set; ++v)
            text_print(out, "((%s *)orrery_lanes_%d)[%d] = orrery_own_%d_%d;\n",
                       vector_name(lanes, lanes->vars[i].is_float), i, v, i, v);
    print_lane_loop(job, false, out);
    print_user(job, body->begin, nest->begin.offset, out);
    for (int i = 0; i < lanes->nvars; ++i)
        if (lanes->vars[i].outer && lanes->vars[i].set)
            text_print(out, "%s = orrery_lanes_%d[orrery_lane];\n", lanes->vars[i].outer->name, i);
    print_user(job, nest->end, body->end.offset, out);
    text_print(out, "} }\n");
}

static void print_memory(const struct outline *job, struct text *out) {
    const struct emit_lanes *lanes = job->lanes;
    for (int t = 0; t < lanes->ntiles; ++t)
        text_print(out,
                   "%s *const orrery_tile_%d = __builtin_alloca_with_align(\n"
                   "%s * %s * sizeof(%s), 512);\n",
                   vector_name(lanes, true), t, rounds_text(job, &lanes->tiles[t]),
                   group_size(lanes), element_name(lanes, true));
    for (int i = 0; i < lanes->nvars; ++i)
        if (lanes->vars[i].outer && lanes->vars[i].used)
            text_print(out, "%s orrery_lanes_%d[%s] __attribute__((__aligned__(64)));\n",
                       element_name(lanes, lanes->vars[i].is_float), i, group_size(lanes));
}

void emit_lanes_print(const struct outline *job, struct text *out) {
    const struct emit_lanes *lanes = job->lanes;
    text_print(out, "    long orrery_from = orrery_b->begin;\n"
                    "ORRERY_WARNINGS_END\nORRERY_QUIET_BEGIN\n"
                    "#ifdef ORRERY_VECTORS\n"
                    "    if (orrery_end - orrery_from >= ORRERY_VECTORS_LEAST &&\n        ");
    text_print(out, "%s", lanes->when);
    for (int t = 0; t < lanes->ntiles; ++t)
        text_print(out, " &&\n        %s <= ORRERY_VECTORS_MOST / %d",
                   rounds_text(job, &lanes->tiles[t]), lanes->ntiles);
    text_print(out, ") {\n");
    print_memory(job, out);
    text_print(out,
               "while (orrery_end - orrery_from >= ORRERY_VECTORS_LEAST) {\n"
               "const long orrery_n = orrery_end - orrery_from < %s ? orrery_end - orrery_from : "
               "%s;\n",
               group_size(lanes), group_size(lanes));
    print_starts(job, out);
    print_tiles(job, out);
    print_own(job, out);
    print_steps(job, lanes->nsteps, lanes->steps, out);
    print_results(job, out);
    text_print(out, "orrery_from += orrery_n;\n}\n}\n#endif\n"
                    "ORRERY_WARNINGS_END\nORRERY_BODY_BEGIN\n");
}
