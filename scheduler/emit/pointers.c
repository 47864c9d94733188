/*
 * What differs from run to run in arrays, in their structures, and in what is folded: pointers, and
 * bytes that belong to no number.
 */
#include "scheduler/emit/print.h"

#include <float.h>

/* Of so many places gaps are listed, too. */
enum { GAPS_MOST = 1000 };

/* Offsets and lengths as C texts; `base`: what they are counted from, where that is no 0. */
struct varying {
    const struct outline *job;
    const char *base;
    int count;
    const char **places;
};

static void add(struct varying *found, long offset, long bytes) {
    struct arena *arena = found->job->arena;
    ARENA_PUSH(arena, found->places, found->count,
               arena_printf(arena, "%s%s%ld, %ld", found->base ? found->base : "",
                            found->base ? " + " : "", offset, bytes));
}

/* Bits [from, to) behind byte `offset`. Of a byte that has others, too, those are said to stay. */
static void add_gap(struct varying *found, long offset, long from, long to) {
    while (from < to && found->count < GAPS_MOST) {
        const long here = from % 8, bits = to - from < 8 - here ? to - from : 8 - here;
        const long bytes = bits == 8 ? (to - from) / 8 : 0, hidden = ((1L << bits) - 1) << here;
        add(found, offset + from / 8, bytes ? bytes : hidden - 255);
        from += bytes ? bytes * 8 : bits;
    }
}

static void collect(struct varying *found, const struct type *type, long offset);

static void collect_fields(struct varying *found, const struct type *type, long offset) {
    long end = 0;
    for (int i = 0; i < type->record->nfields; ++i) {
        const struct field *field = &type->record->fields[i];
        const bool whole = field->bit_width < 0;
        if (!whole && !field->name)
            continue;
        const long behind = field->offset_bits + (whole ? field->type->size * 8 : field->bit_width);
        add_gap(found, offset, end, field->offset_bits);
        if (whole)
            collect(found, field->type, offset + field->offset_bits / 8);
        end = behind > end ? behind : end;
    }
    add_gap(found, offset, end, type->size * 8);
}

static void collect(struct varying *found, const struct type *type, long offset) {
    if (type->kind == TYPE_POINTER)
        add(found, offset, (long)sizeof(char *));
    if (LDBL_MANT_DIG == 64 && emit_is_long_double(type))
        add_gap(found, offset, 80, type->size * 8); /* x87's */
    for (long i = 0; type->kind == TYPE_ARRAY && type->element && i < type->count; ++i) {
        int before = found->count;
        collect(found, type->element, offset + i * type->element->size);
        if (found->count == before)
            return;
    }
    if (type->kind == TYPE_STRUCT && type->record && type->record->nfields > 0)
        collect_fields(found, type, offset);
}

/* Prints `NAME[]`; NULL: there are none. */
static const char *print_list(const struct varying *found, const char *name, struct text *out) {
    if (!found->count)
        return NULL;
    text_print(out, "static const long %s[] = {", name);
    for (int i = 0; i < found->count; ++i)
        text_print(out, "%s, ", found->places[i]);
    text_print(out, "-1};\n");
    return name;
}

const char *emit_pointers_print(const struct outline *job, int array, struct text *out) {
    const struct object *object = job->arrays[array]->object;
    struct varying found = {.job = job};
    if (!object->written || !object->element)
        return NULL;
    collect(&found, object->element, 0);
    return print_list(&found, arena_printf(job->arena, "orrery_pointers_%d_%d", job->number, array),
                      out);
}

static void collect_argmin(struct varying *found, int j) {
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
    struct varying found = {.job = job};
    if (emit_is_argmin(job, j))
        collect_argmin(&found, j);
    else if (r->object && r->is_array && r->object->element)
        collect(&found, r->object->element, 0);
    else if (r->var)
        collect(&found, r->is_array ? element_of(r->var->type) : r->var->type, 0);
    return print_list(&found, arena_printf(job->arena, "orrery_folded_%d_%d", job->number, j), out);
}
