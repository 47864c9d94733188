/* Pointers inside of the structures of an array: what they hold differs from run to run. */
#include "scheduler/emit/print.h"

enum { MAX_POINTERS = 64 };

struct pointers {
    int count;
    long offsets[MAX_POINTERS];
};

static void collect(struct pointers *found, const struct type *type, long offset) {
    if (type->kind == TYPE_POINTER && found->count < MAX_POINTERS)
        found->offsets[found->count++] = offset;
    for (long i = 0; type->kind == TYPE_ARRAY && type->element && i < type->count; ++i) {
        int before = found->count;
        collect(found, type->element, offset + i * type->element->size);
        if (found->count == before || found->count == MAX_POINTERS)
            return;
    }
    if (type->kind != TYPE_STRUCT || !type->record)
        return;
    for (int i = 0; i < type->record->nfields; ++i)
        collect(found, type->record->fields[i].type,
                offset + type->record->fields[i].offset_bits / 8);
}

bool emit_pointers_print(const struct outline *job, int array, struct text *out) {
    const struct object *object = job->arrays[array]->object;
    struct pointers found = {0};
    if (!object->written || !object->element || object->element->kind != TYPE_STRUCT)
        return false;
    collect(&found, object->element, 0);
    if (!found.count)
        return false;
    text_print(out, "static const long orrery_pointers_%d_%d[] = {", job->number, array);
    for (int i = 0; i < found.count; ++i)
        text_print(out, "%ld, ", found.offsets[i]);
    text_print(out, "-1};\n");
    return true;
}
