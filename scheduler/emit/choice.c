/*
 * Choices: a minimum with what is set along with it, or what some iterations set. The members
 * travel as one structure, behind the stamp of the clock at which they were last set (in ordered
 * loops that go by keys: of the iteration):
 *
 *   if (x[i] < best) { orrery_took_0 = orrery_b->clock + 1, best = x[i]; at = i; }
 */
#include "scheduler/emit/print.h"

void emit_choices_declare(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct choice *choice = emit_choice_of(job, j);
        if (!choice)
            continue;
        text_print(out, "%s {\n    long took;\n", job->reductions[j].type_text);
        for (int m = 0; m < choice->nmembers; ++m)
            text_print(out, "    %s;\n",
                       emit_declare_plain(job, choice->members[m]->type,
                                          arena_printf(job->arena, "m%d", m)));
        if (choice->worth)
            text_print(out, "    %s;\n", emit_declare_plain(job, choice->worth->type, "worth"));
        text_print(out, "};\n\n");
    }
}

void emit_choice_print_locals(const struct outline *job, int j, struct text *out) {
    const struct choice *choice = emit_choice_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    long orrery_took_%d = ((%s *)orrery_b->accumulators[%d])->took;\n", j,
               type, j);
    for (int m = 0; m < choice->nmembers; ++m) {
        const struct variable *var = choice->members[m];
        text_print(out, "    %s = ((%s *)orrery_b->accumulators[%d])->m%d;\n",
                   emit_declare_plain(job, var->type, var->name), type, j, m);
    }
}

void emit_choice_print_again(const struct outline *job, int j, struct text *out) {
    const struct choice *choice = emit_choice_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    orrery_took_%d = ((%s *)orrery_b->accumulators[%d])->took;\n", j, type, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "    %s = ((%s *)orrery_b->accumulators[%d])->m%d;\n",
                   choice->members[m]->name, type, j, m);
}

void emit_choice_print_results(const struct outline *job, int j, struct text *out) {
    const struct choice *choice = emit_choice_of(job, j);
    const char *type = job->reductions[j].type_text;
    text_print(out, "    ((%s *)orrery_b->accumulators[%d])->took = orrery_took_%d;\n", type, j, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "    ((%s *)orrery_b->accumulators[%d])->m%d = %s;\n", type, j, m,
                   choice->members[m]->name);
    if (choice->worth)
        text_print(out,
                   "    if (orrery_took_%d)\n"
                   "        ((%s *)orrery_b->accumulators[%d])->worth = %s;\n",
                   j, type, j, emit_expr(job, choice->worth));
}

/* Padding is zero, so that what is compared by its bytes is the same. */
void emit_choice_print_value(const struct outline *job, int j, struct text *out) {
    const struct choice *choice = emit_choice_of(job, j);
    text_print(
        out, "%s orrery_value_%d; __builtin_memset(&orrery_value_%d, 0, sizeof orrery_value_%d); ",
        job->reductions[j].type_text, j, j, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "%sorrery_value_%d.m%d = %s; ",
                   emit_ready_is_early(job) ? "if (orrery_ready) "
                   : choice->places[m]      ? "if (orrery_count > 0) "
                                            : "",
                   j, m, emit_choice_name(job, choice, m));
}

void emit_choice_print_back(const struct outline *job, int j, struct text *out) {
    const struct choice *choice = emit_choice_of(job, j);
    for (int m = 0; m < choice->nmembers; ++m)
        text_print(out, "%s%s = orrery_value_%d.m%d; ",
                   choice->places[m] ? arena_printf(job->arena, "if (orrery_value_%d.took) ", j)
                                     : "",
                   emit_choice_name(job, choice, m), j, m);
}

int emit_choice_print_field(const struct outline *job, int j, struct text *out) {
    const struct choice *choice = emit_choice_of(job, j);
    for (int m = 0; m < choice->nmembers; ++m) {
        if (choice->members[m] != choice->best)
            continue;
        const struct type *type = emit_choice_compared(choice);
        const char *place = arena_printf(job->arena, "m%d", m);
        place = choice->field ? arena_printf(job->arena, "%s.%s", place, choice->field->field->name)
                              : place;
        text_print(out,
                   "static const struct orrery_field orrery_fields_%d_%d[] = {\n"
                   "    {%s, %s, %ld, (long)__builtin_offsetof(%s, %s), %ld, 1},\n};\n\n",
                   job->number, j, emit_op_name(job->arena, choice->op), emit_number_name(type),
                   type->size, job->reductions[j].type_text, choice->worth ? "worth" : place,
                   type->size);
        return 1;
    }
    return 0;
}
