/*
 * Choices: a minimum with what is set along with it, or what some iterations set. The members
 * travel as one structure, behind the stamp of the clock at which they were last set (in ordered
 * loops that go by keys: of the iteration):
 *
 *   if (x[i] < best) { orrery_took_0 = orrery_b->clock + 1, best = x[i]; at = i; }
 */
#include "scheduler/emit/print.h"

void emit_argmins_declare(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct argmin *argmin = emit_argmin_of(job, j);
        if (!argmin)
            continue;
        text_print(out, "%s {\n    long took;\n", job->reductions[j].type_text);
        for (int m = 0; m < argmin->nmembers; ++m)
            text_print(out, "    %s;\n",
                       emit_declare_plain(job, argmin->members[m]->type,
                                          arena_printf(job->arena, "m%d", m)));
        if (argmin->worth)
            text_print(out, "    %s;\n", emit_declare_plain(job, argmin->worth->type, "worth"));
        text_print(out, "};\n\n");
    }
}

void emit_argmin_print_locals(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    long orrery_took_%d = ((%s *)orrery_b->accumulators[%d])->took;\n", j,
               type, j);
    for (int m = 0; m < argmin->nmembers; ++m) {
        const struct variable *var = argmin->members[m];
        text_print(out, "    %s = ((%s *)orrery_b->accumulators[%d])->m%d;\n",
                   emit_declare_plain(job, var->type, var->name), type, j, m);
    }
}

void emit_argmin_print_again(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    orrery_took_%d = ((%s *)orrery_b->accumulators[%d])->took;\n", j, type, j);
    for (int m = 0; m < argmin->nmembers; ++m)
        text_print(out, "    %s = ((%s *)orrery_b->accumulators[%d])->m%d;\n",
                   argmin->members[m]->name, type, j, m);
}

void emit_argmin_print_results(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    ((%s *)orrery_b->accumulators[%d])->took = orrery_took_%d;\n", type, j, j);
    for (int m = 0; m < argmin->nmembers; ++m)
        text_print(out, "    ((%s *)orrery_b->accumulators[%d])->m%d = %s;\n", type, j, m,
                   argmin->members[m]->name);
    if (argmin->worth)
        text_print(out,
                   "    if (orrery_took_%d)\n"
                   "        ((%s *)orrery_b->accumulators[%d])->worth = %s;\n",
                   j, type, j, emit_expr(job, argmin->worth));
}

/* Padding is zero, so that what is compared by its bytes is the same. */
void emit_argmin_print_value(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    text_print(
        out, "%s orrery_value_%d; __builtin_memset(&orrery_value_%d, 0, sizeof orrery_value_%d); ",
        job->reductions[j].type_text, j, j, j);
    for (int m = 0; m < argmin->nmembers; ++m)
        text_print(out, "%sorrery_value_%d.m%d = %s; ",
                   emit_readiness_is_early(job) ? "if (orrery_ready) "
                   : argmin->places[m]          ? "if (orrery_count > 0) "
                                                : "",
                   j, m, emit_argmin_name(job, argmin, m));
}

void emit_argmin_print_back(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    for (int m = 0; m < argmin->nmembers; ++m)
        text_print(out, "%s%s = orrery_value_%d.m%d; ",
                   argmin->places[m] ? arena_printf(job->arena, "if (orrery_value_%d.took) ", j)
                                     : "",
                   emit_argmin_name(job, argmin, m), j, m);
}

int emit_argmin_print_field(const struct outline *job, int j, struct text *out) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    for (int m = 0; m < argmin->nmembers; ++m) {
        if (argmin->members[m] != argmin->best)
            continue;
        const struct type *type = emit_argmin_compared(argmin);
        const char *place = arena_printf(job->arena, "m%d", m);
        place = argmin->field ? arena_printf(job->arena, "%s.%s", place, argmin->field->field->name)
                              : place;
        text_print(out,
                   "static const struct orrery_field orrery_fields_%d_%d[] = {\n"
                   "    {%s, %s, %ld, (long)__builtin_offsetof(%s, %s), %ld, 1},\n};\n\n",
                   job->number, j, emit_op_name(job->arena, argmin->op), emit_number_name(type),
                   type->size, job->reductions[j].type_text, argmin->worth ? "worth" : place,
                   type->size);
        return 1;
    }
    return 0;
}
