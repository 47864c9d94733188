/* The environment: what the body needs of the enclosing function, and how it is handed over. */
#include "scheduler/emit/print.h"

#include <string.h>

void emit_env_print(const struct outline *job, struct text *out) {
    emit_argmins_declare(job, out);
    text_print(out, "struct orrery_env_%d {\n    long orrery_lower;\n", job->number);
    for (int i = 0; i < job->nfields; ++i)
        text_print(out, "    %s;\n", job->fields[i].member);
    for (int j = 0; j < job->nreductions; ++j) {
        text_print(out, "    void *orrery_target_%d;\n", j);
        if (job->reductions[j].measured)
            text_print(out, "    unsigned long orrery_bytes_%d;\n", j);
        if (job->reductions[j].rows)
            text_print(out,
                       "    void *orrery_table_%d;\n    long orrery_count_%d, orrery_pitch_%d, "
                       "orrery_stride_%d;\n",
                       j, j, j, j);
    }
    text_print(out, "};\n\n");
}

static bool is_strict(const struct env_field *field) {
    return field->restricted && field->strict;
}

/* Row lengths come with the pointer that has them in its type. */
bool emit_is_parameter(const struct outline *job, const struct env_field *field) {
    for (int i = 0; i < job->nfields && field->role == FIELD_EXTENT; ++i)
        if (job->fields[i].role == FIELD_POINTER && job->fields[i].var == field->var)
            return is_strict(&job->fields[i]);
    return is_strict(field);
}

static void print_locals(const struct outline *job, const char *uses, bool parameters, bool sized,
                         struct text *out) {
    for (int e = 0; e < job->nenums; ++e)
        text_print(out, "    %s;\n", job->enums[e]);
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        if (field->role == FIELD_ADDRESS || (parameters && emit_is_parameter(job, field)))
            continue;
        if (uses && field->role != FIELD_EXTENT && !token_uses(uses, field->name))
            continue;
        if (sized && field == job->sized->field)
            text_print(out, "    %s = (__typeof__(orrery_env->%s))orrery_size;\n", field->local,
                       field->name);
        else
            text_print(out, "    %s = orrery_env->%s;\n", field->local, field->name);
    }
}

/* What is summed into has no field: `uses` that reach something else by its name, the loop's bound
 * p->n beside sums into p->d[k], find it where the sums go. */
static void print_targets(const struct outline *job, const char *uses, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (r->is_array && r->var && r->var->type->kind == TYPE_POINTER && !r->rows &&
            token_uses(uses, r->name))
            text_print(out, "    %s = orrery_env->orrery_target_%d;\n", r->local, j);
    }
}

void emit_locals_print(const struct outline *job, const char *uses, bool parameters,
                       struct text *out) {
    print_locals(job, uses, parameters, false, out);
    if (uses)
        print_targets(job, uses, out);
}

void emit_locals_sized_print(const struct outline *job, struct text *out) {
    print_locals(job, NULL, true, true, out);
}
