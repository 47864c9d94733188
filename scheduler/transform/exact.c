/*
 * Floating-point variables that count: `s += 2` in every iteration, beginning with a whole number.
 * While all values are whole numbers that the type holds, no addition rounds, so s0 + 2 * k is the
 * value in iteration k in every bit.
 */
#include "scheduler/transform/trial.h"

#include <stdlib.h>

/* Largest steps; whole numbers up to 2^24 and 2^53 are exact: half of that for the first value, half
 * for what is added. */
#define MOST_STEP (1L << 20)
#define MOST_FLOAT (1L << 23)
#define MOST_DOUBLE (1L << 52)

/* ---- which ----------------------------------------------------------------------------------- */

/* A whole number, not 0. */
static bool constant(const struct expr *e, long *value) {
    while (e->kind == EXPR_CAST && e->nargs == 1 && type_is_number(e->type))
        e = e->args[0];
    char *end = NULL;
    double number = e->kind == EXPR_INT     ? (double)e->int_value
                    : e->kind == EXPR_FLOAT ? strtod(e->text, &end)
                                            : 0;
    if (number < 1 || number > (double)MOST_STEP || number != (double)(long)number)
        return false;
    *value = (long)number;
    return true;
}

/* What every iteration adds to it, 0: it is not of that kind. */
static long step_of(const struct line *line, const struct variable *var) {
    long step = 0, found = 0;
    if (var->type->kind != TYPE_FLOAT || (var->type->size != 4 && var->type->size != 8))
        return 0;
    for (int i = 0; i < line->nest->nstatements; ++i) {
        struct line_set set;
        if (!stmt_sets(line->nest->statements[i].stmt, var))
            continue;
        if (found++ || !line_sets(line, i, &set) || set.var != var ||
            (set.op != OP_ADD && set.op != OP_SUB))
            return 0;
        if (!set.value)
            step = set.delta;
        else if (!constant(set.value, &step))
            return 0;
        step = set.op == OP_SUB ? -step : step;
    }
    return step;
}

/* All variables that carry values count, and memory carries none. */
static bool counts(const struct line *line) {
    const struct loop_facts *facts = line->nest->facts;
    bool any = false;
    for (int i = 0; i < line->nscalars; ++i) {
        if (line->scalars[i].carried && step_of(line, line->scalars[i].var) == 0)
            return false;
        any = any || line->scalars[i].carried;
    }
    for (int i = 0; i < facts->naccesses && any; ++i)
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            long distance = 0;
            if (!a->write || a->object != b->object || a->object->kind == OBJECT_SCALAR)
                continue;
            enum line_meeting meeting = line_meet(line, a, b, &distance);
            if (meeting == LINE_ANY || (meeting == LINE_AT && distance != 0))
                return false;
        }
    return any;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* It begins with a whole number, not with -0, and ends before numbers round. */
static void take_condition(struct nest *nest, const struct variable *v, long step,
                           const char *count) {
    const long most = v->type->size == 4 ? MOST_FLOAT : MOST_DOUBLE;
    const char *condition = arena_printf(
        nest->arena,
        "%s >= -%ld && %s <= %ld && (double)%s == (double)(long)%s && "
        "(%s != 0 || !__builtin_signbit(%s)) && (double)(%s) * %ld <= %ld",
        v->name, most, v->name, most, v->name, v->name, v->name, v->name, count, labs(step), most);
    ARENA_PUSH(nest->arena, nest->conditions, nest->nconditions, condition);
}

static void write_begins(const struct line *line, struct writing *w) {
    for (int i = 0; i < line->nscalars; ++i) {
        const struct variable *v = line->scalars[i].var;
        if (line->scalars[i].carried)
            text_print(&w->out, "const %s = %s; ",
                       type_declare(line->nest->arena, v->type,
                                    arena_printf(line->nest->arena, "%ss%d", w->nest->prefix, i)),
                       v->name);
    }
}

static void write_values(const struct line *line, struct writing *w, const char *first) {
    for (int i = 0; i < line->nscalars; ++i) {
        const struct variable *v = line->scalars[i].var;
        const char *type = type_declare(line->nest->arena, v->type, "");
        if (line->scalars[i].carried)
            text_print(&w->out, "%s = %ss%d + (%s)(%ld) * (%s)(%s - (%s)); ", v->name,
                       w->nest->prefix, i, type, step_of(line, v), type, line->loop->variable->name,
                       first);
    }
}

static bool write_counted(const struct line *line, struct writing *w) {
    struct nest *nest = line->nest;
    const struct variable *v = line->loop->variable;
    if (line->loop->step != 1 || nest->loops[0].is_unsigned || !counts(line) ||
        !affine_is_small(&line->bounds.lower) || !affine_is_small(&line->bounds.upper))
        return false;
    const char *first = affine_named(nest, &line->bounds.lower);
    const char *last = affine_named(nest, &line->bounds.upper);
    const char *count = arena_printf(nest->arena, "%s - (%s) + 1", last, first);
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            take_condition(nest, line->scalars[i].var, step_of(line, line->scalars[i].var), count);
    text_print(&w->out, "{ ");
    write_params(w);
    write_check(w);
    text_print(&w->out, "{ ");
    write_begins(line, w);
    text_print(&w->out, "for (%s = %s; %s <= %s; %s += 1) { ",
               line->loop->declares_variable ? type_declare(nest->arena, v->type, v->name)
                                             : v->name,
               first, v->name, last, v->name);
    write_values(line, w, first);
    write_tokens(w, &line->loop->body->range, &w->out);
    text_print(&w->out, "} } else ");
    return true;
}

void exact_try(struct trial *trial, struct line *line) {
    struct writing w = trial_writing(trial, line->nest, LEAST_PARTED / line_weight(line));
    const char *words = "";
    if (!trial_may_be_long(line, &w) || !write_counted(line, &w))
        return;
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            words = arena_printf(line->nest->arena, "%s%s`%s`", words, *words ? ", " : "",
                                 line->scalars[i].var->name);
    trial->text = w.out.bytes;
    trial->message = ORR1706;
    trial->words = arena_printf(line->nest->arena,
                                "what counts is computed from the iteration's number: %s", words);
}
