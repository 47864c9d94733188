/* C text of values, in functions that have the environment's locals. */
#include "scheduler/emit/print.h"

#include <limits.h>
#include <string.h>

const char *emit_variable_of(const struct outline *job, const char *lower, const char *index) {
    return arena_printf(job->arena, "(%s)(%s + %s * %ld)",
                        emit_type_plain(job, job->loop->variable->type), lower, index,
                        job->loop->step);
}

static void print_variable(const struct outline *job, const struct induction *induction,
                           const char *name, const char *index, const char *indent,
                           struct text *out) {
    const struct variable *var = induction->var, *entry = induction->entry;
    const char *sum =
        arena_printf(job->arena, "%s + %s * %s", entry->name, index, emit_by_name(job, induction));
    if (var->type->kind == TYPE_POINTER)
        text_print(out, "%s__typeof__(%s) %s = %s;\n", indent, entry->name, name, sum);
    else
        text_print(out, "%s%s = (%s)(%s);\n", indent, emit_declare_plain(job, var->type, name),
                   emit_type_plain(job, var->type), sum);
    text_print(out, "%s(void)%s;\n", indent, name);
}

const char *emit_variables_text(const struct outline *job, const char *lower, const char *index,
                                const char *indent) {
    const struct variable *var = job->loop->variable;
    struct text out;
    text_start(&out, job->arena);
    if (!job->facts->by_number)
        text_print(&out, "%s%s = %s;\n", indent, emit_declare_plain(job, var->type, var->name),
                   emit_variable_of(job, lower, index));
    for (int i = 0; i < job->facts->ninductions; ++i)
        print_variable(job, &job->facts->inductions[i], job->facts->inductions[i].var->name, index,
                       indent, &out);
    return out.bytes;
}

/* ---- from iteration to iteration ------------------------------------------------------------- */

/*
 * Adding `by` each time gives the same values, and lets compilers see what a subscript moves by.
 * Not where C adds in a wider type, or `by` is beyond the variable's: such are computed each time.
 */
static bool is_steady(const struct induction *induction) {
    const struct type *type = induction->var->type;
    const struct expr *amount = induction->by;
    while (amount->kind == EXPR_CAST)
        amount = amount->args[0];
    const struct type *by = amount->type;
    if (type->kind == TYPE_POINTER)
        return true;
    if (type->kind != TYPE_INT || type->size < (long)sizeof(int))
        return false;
    if (amount->kind == EXPR_INT)
        return amount->int_value >= INT_MIN && amount->int_value <= INT_MAX;
    return by && by->kind == TYPE_INT && by->size <= type->size &&
           (!type->is_signed || by->is_signed || by->size < type->size);
}

static const char *now_name(const struct outline *job, const struct variable *var) {
    return arena_printf(job->arena, "orrery_now_%s", var->name);
}

const char *emit_steady_start(const struct outline *job, const char *index) {
    const struct variable *var = job->loop->variable;
    struct text out;
    text_start(&out, job->arena);
    if (!job->facts->by_number)
        text_print(&out, "    %s = %s;\n", emit_declare_plain(job, var->type, now_name(job, var)),
                   emit_variable_of(job, "orrery_lower", index));
    for (int i = 0; i < job->facts->ninductions; ++i)
        if (is_steady(&job->facts->inductions[i]))
            print_variable(job, &job->facts->inductions[i],
                           now_name(job, job->facts->inductions[i].var), index, "    ", &out);
    return out.bytes;
}

const char *emit_steady_step(const struct outline *job) {
    struct text out;
    text_start(&out, job->arena);
    if (!job->facts->by_number)
        text_print(&out, ", %s += %ld", now_name(job, job->loop->variable), job->loop->step);
    for (int i = 0; i < job->facts->ninductions; ++i) {
        const struct induction *induction = &job->facts->inductions[i];
        const struct type *type = induction->var->type;
        if (!is_steady(induction))
            continue;
        text_print(&out, ", %s += ", now_name(job, induction->var));
        if (induction->by->kind == EXPR_INT)
            text_print(&out, "%lld", induction->by->int_value);
        else if (type->kind == TYPE_POINTER)
            text_print(&out, "%s", emit_by_name(job, induction));
        else
            text_print(&out, "(%s)%s", emit_type_plain(job, type), emit_by_name(job, induction));
    }
    return out.bytes;
}

const char *emit_steady_values(const struct outline *job, const char *index, const char *indent) {
    const struct variable *own = job->loop->variable;
    struct text out;
    text_start(&out, job->arena);
    if (!job->facts->by_number)
        text_print(&out, "%s%s = %s;\n", indent, emit_declare_plain(job, own->type, own->name),
                   now_name(job, own));
    for (int i = 0; i < job->facts->ninductions; ++i) {
        const struct induction *induction = &job->facts->inductions[i];
        const struct variable *var = induction->var;
        if (!is_steady(induction))
            print_variable(job, induction, var->name, index, indent, &out);
        else if (var->type->kind == TYPE_POINTER)
            text_print(&out, "%s__typeof__(%s) %s = %s;\n%s(void)%s;\n", indent,
                       induction->entry->name, var->name, now_name(job, var), indent, var->name);
        else
            text_print(&out, "%s%s = %s;\n%s(void)%s;\n", indent,
                       emit_declare_plain(job, var->type, var->name), now_name(job, var), indent,
                       var->name);
    }
    return out.bytes;
}

/* "(a) && !(b)", or NULL without guards. */
const char *emit_guard_text(const struct outline *job, int nguards, struct expr **guards,
                            const bool *sense) {
    const char *text = NULL;
    for (int i = 0; i < nguards; ++i)
        text = arena_printf(job->arena, "%s%s%s(%s)", text ? text : "", text ? " && " : "",
                            sense[i] ? "" : "!", emit_expr(job, guards[i]));
    return text;
}

static const char *name_of(const struct outline *job, const struct variable *var) {
    const char *listed = emit_listed_name(job, var);
    return listed ? listed : var->name;
}

/* What stands for a loop's symbol: its variable, or the number of its round. */
const char *emit_loop_text(const struct outline *job, const struct symbol *symbol) {
    int at = 0;
    while (at + 1 < job->facts->ninner && job->facts->inner[at].symbol != symbol)
        ++at;
    if (symbol->loop == job->loop ? !job->facts->by_number : !job->facts->inner[at].by_number)
        return name_of(job, symbol->loop->variable);
    if (symbol->loop == job->loop)
        return job->loop->step > 0 ? "orrery_i" : "-orrery_i";
    return arena_printf(job->arena, "orrery_n%d", at);
}

const char *emit_affine_text(const struct outline *job, const struct affine *affine) {
    const char *text = arena_printf(job->arena, "%ldL", affine->constant);
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *symbol = affine->terms[i].symbol;
        const char *value = symbol->kind == SYMBOL_LOOP ? emit_loop_text(job, symbol)
                                                        : emit_expr(job, symbol->expr);
        text =
            arena_printf(job->arena, "%s + %ldL * (long)(%s)", text, affine->terms[i].coeff, value);
    }
    return text;
}

/* When the values that the affine is made of may be evaluated; NULL: always. */
const char *emit_affine_guard(const struct outline *job, const struct affine *affine) {
    const char *all = NULL;
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *s = affine->terms[i].symbol;
        const char *guard = emit_guard_text(job, s->nguards, s->guards, s->sense);
        if (guard && (!all || strcmp(all, guard) != 0))
            all = all ? arena_printf(job->arena, "%s && %s", all, guard) : guard;
    }
    return all;
}

const char *emit_base_text(const struct outline *job, const struct object *object) {
    int reduction = emit_array_reduction(job, object);
    if (reduction >= 0 && job->reductions[reduction].rows)
        return arena_printf(job->arena, "(char **)orrery_env->orrery_table_%d", reduction);
    if (reduction >= 0)
        return arena_printf(job->arena, "orrery_env->orrery_target_%d", reduction);
    if (emit_is_copied(job, object))
        return arena_printf(job->arena, "orrery_env->orrery_at_%s", object->var->name);
    if (object->base)
        return arena_printf(job->arena, object->kind == OBJECT_SCALAR ? "&(%s)" : "%s",
                            emit_expr(job, object->base));
    if (!object->var)
        return "0";
    bool scalar = object->kind == OBJECT_SCALAR;
    return emit_localize(job, arena_printf(job->arena, scalar ? "&%s" : "%s", object->var->name));
}
