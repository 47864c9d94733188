/* Pointers in arrays, in their structures, and in what is folded: they differ from run to run. */
#include "scheduler/emit/print.h"

/* Offsets as C texts; `base`: what they are counted from, where that is no 0. */
struct pointers {
    const struct outline *job;
    const char *base;
    int count;
    const char **offsets;
};

static void collect(struct pointers *found, const struct type *type, long offset) {
    struct arena *arena = found->job->arena;
    if (type->kind == TYPE_POINTER)
        ARENA_PUSH(arena, found->offsets, found->count,
                   found->base ? arena_printf(arena, "%s + %ld", found->base, offset)
                               : arena_printf(arena, "%ld", offset));
    for (long i = 0; type->kind == TYPE_ARRAY && type->element && i < type->count; ++i) {
        int before = found->count;
        collect(found, type->element, offset + i * type->element->size);
        if (found->count == before)
            return;
    }
    if (type->kind != TYPE_STRUCT || !type->record)
        return;
    for (int i = 0; i < type->record->nfields; ++i)
        collect(found, type->record->fields[i].type,
                offset + type->record->fields[i].offset_bits / 8);
}

/* Prints `NAME[]`; NULL: there are none. */
static const char *print_list(const struct pointers *found, const char *name, struct text *out) {
    if (!found->count)
        return NULL;
    text_print(out, "static const long %s[] = {", name);
    for (int i = 0; i < found->count; ++i)
        text_print(out, "%s, ", found->offsets[i]);
    text_print(out, "-1};\n");
    return name;
}

const char *emit_pointers_print(const struct outline *job, int array, struct text *out) {
    const struct object *object = job->arrays[array]->object;
    struct pointers found = {.job = job};
    if (!object->written || !object->element)
        return NULL;
    collect(&found, object->element, 0);
    return print_list(&found, arena_printf(job->arena, "orrery_pointers_%d_%d", job->number, array),
                      out);
}

static void collect_argmin(struct pointers *found, int j) {
    const struct argmin *argmin = emit_argmin_of(found->job, j);
    for (int m = 0; m < argmin->nmembers; ++m) {
        found->base = arena_printf(found->job->arena, "(long)__builtin_offsetof(%s, m%d)",
                                   found->job->reductions[j].type_text, m);
        collect(found, argmin->members[m]->type, 0);
    }
}

static const struct type *element_of(const struct type *type) {
    while (type->kind == TYPE_ARRAY && type->element)
        type = type->element;
    return type;
}

const char *emit_pointers_print_folded(const struct outline *job, int j, struct text *out) {
    const struct emit_reduction *r = &job->reductions[j];
    struct pointers found = {.job = job};
    if (emit_is_argmin(job, j))
        collect_argmin(&found, j);
    else if (r->object && r->is_array && r->object->element)
        collect(&found, r->object->element, 0);
    else if (r->var)
        collect(&found, r->is_array ? element_of(r->var->type) : r->var->type, 0);
    return print_list(&found, arena_printf(job->arena, "orrery_folded_%d_%d", job->number, j), out);
}
