#include "analyzer/import/private.h"
#include "analyzer/messages.h"

#include <string.h>

void import_fail(struct import *import, const char *code, const char *words) {
    if (import->wrong)
        return;
    import->code = code;
    import->wrong = words;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- layouts */

static bool same_layout(const struct type *a, const struct type *b, int depth);

static bool same_fields(const struct record *a, const struct record *b, int depth) {
    bool same = a->is_union == b->is_union && a->nfields == b->nfields;
    for (int i = 0; same && i < a->nfields; ++i) {
        const struct field *x = &a->fields[i], *y = &b->fields[i];
        same = same_text(x->name, y->name) && x->offset_bits == y->offset_bits &&
               x->bit_width == y->bit_width && same_layout(x->type, y->type, depth + 1);
    }
    return same;
}

/* Pointers are the same when what they point to is spelled alike:
 * it is compared where it is used. */
static bool same_layout(const struct type *a, const struct type *b, int depth) {
    if (a->kind != b->kind || a->size != b->size || a->is_signed != b->is_signed ||
        a->is_const != b->is_const || a->is_volatile != b->is_volatile ||
        a->is_restrict != b->is_restrict || a->is_atomic != b->is_atomic || a->count != b->count ||
        strcmp(a->spelling, b->spelling) != 0)
        return false;
    if (depth > 8 || a->kind == TYPE_VLA)
        return false;
    if (a->record || b->record)
        return a->record && b->record && same_fields(a->record, b->record, depth);
    return a->kind != TYPE_ARRAY || same_layout(a->element, b->element, depth + 1);
}

static const char *unqualified(const char *spelling) {
    while (strncmp(spelling, "const ", 6) == 0 || strncmp(spelling, "volatile ", 9) == 0)
        spelling = strchr(spelling, ' ') + 1;
    return spelling;
}

/* Qualifiers of a parameter itself are no part of a function's type (C11 6.7.6.3). */
static bool same_record(const struct type *a, const struct type *b) {
    return a->record && b->record &&
           strcmp(unqualified(a->spelling), unqualified(b->spelling)) == 0 &&
           same_fields(a->record, b->record, 0);
}

bool import_same_parameter(const struct type *a, const struct type *b) {
    if (a->kind != b->kind || a->size != b->size || a->is_signed != b->is_signed)
        return false;
    if (a->kind == TYPE_POINTER)
        return strcmp(a->element->spelling, b->element->spelling) == 0;
    return a->kind == TYPE_INT || a->kind == TYPE_FLOAT || a->kind == TYPE_BOOL ||
           a->kind == TYPE_VOID || same_record(a, b) || same_layout(a, b, 0);
}

/* ---- the unit's own */

/* Its size is a variable's value: no spelling says which. */
static bool is_variable(const struct type *type) {
    for (; type; type = type->element)
        if (type->kind == TYPE_VLA)
            return true;
    return false;
}

static const struct type *find(const struct import *import, const char *spelling) {
    for (int i = 0; i < import->unit->ntypes; ++i)
        if (!is_variable(import->unit->types[i]) &&
            strcmp(import->unit->types[i]->spelling, spelling) == 0)
            return import->unit->types[i];
    return NULL;
}

/* What emitted text may call a number, whose enumeration it may not know. */
static const char *plain_name(const struct type *type) {
    static const char *const names[2][9] = {
        {[1] = "unsigned char",
         [2] = "unsigned short",
         [4] = "unsigned int",
         [8] = "unsigned long"},
        {[1] = "signed char", [2] = "short", [4] = "int", [8] = "long"}};
    const char *name = NULL;
    if (type->kind == TYPE_INT && type->size > 0 && type->size <= 8 &&
        strncmp(unqualified(type->spelling), "enum", 4) == 0)
        name = names[type->is_signed][type->size];
    return name ? name : type->spelling;
}

static const struct type *made(struct import *import, const struct type *from,
                               const struct record *record) {
    struct type *type = arena_alloc(import->arena, sizeof *type);
    *type = *from;
    type->local_name = plain_name(from);
    type->record = record;
    ARENA_PUSH(import->arena, import->unit->types, import->unit->ntypes, type);
    ARENA_PUSH(import->arena, import->pairs, import->npairs, ((struct import_pair){from, type}));
    type->element = import_type(import, from->element);
    import_expr(import, (struct expr *)type->vla_count);
    return type;
}

static const struct type *difference(struct import *import, const struct type *type, bool unknown) {
    import_fail(import, ORR2262,
                arena_printf(import->arena, "`%s` is %s", type->spelling,
                             unknown ? "not defined in this file" : "not the same in this file"));
    return type;
}

/* The unit may know a structure with other qualifiers only. */
static const struct type *record_type(struct import *import, const struct type *type) {
    const struct type *known = find(import, unqualified(type->spelling));
    for (int i = 0; !known && i < import->unit->ntypes; ++i)
        if (strcmp(unqualified(import->unit->types[i]->spelling), unqualified(type->spelling)) == 0)
            known = import->unit->types[i];
    if (!known || !known->record || !type->record)
        return difference(import, type, true);
    bool same = known->size == type->size && same_fields(known->record, type->record, 0);
    return same ? made(import, type, known->record) : difference(import, type, false);
}

static const struct type *paired(const struct import *import, const struct type *type) {
    for (int i = 0; i < import->npairs; ++i)
        if (import->pairs[i].from == type || import->pairs[i].to == type)
            return import->pairs[i].to;
    return NULL;
}

static bool is_known(const struct import *import, const struct type *type) {
    for (int i = 0; i < import->unit->ntypes; ++i)
        if (import->unit->types[i] == type)
            return true;
    return false;
}

const struct type *import_type(struct import *import, const struct type *type) {
    const struct type *known = type ? paired(import, type) : NULL;
    if (!type || known || is_known(import, type))
        return known ? known : type;
    known = is_variable(type) ? NULL : find(import, type->spelling);
    bool by_name = known && known->kind == type->kind &&
                   (known->kind == TYPE_FUNCTION || known->kind == TYPE_POINTER);
    if (by_name || (known && same_layout(known, type, 0)))
        return known;
    if (type->kind == TYPE_STRUCT || type->kind == TYPE_UNION)
        return record_type(import, type);
    if (known || type->kind == TYPE_OTHER)
        return difference(import, type, false);
    return made(import, type, NULL);
}

const struct field *import_field(struct import *import, const struct record *record,
                                 const struct field *field) {
    for (int i = 0; record && i < record->nfields; ++i) {
        const struct field *own = &record->fields[i];
        if (own == field ||
            (same_text(own->name, field->name) && own->offset_bits == field->offset_bits &&
             own->bit_width == field->bit_width))
            return own;
    }
    import_fail(import, ORR2262,
                arena_printf(import->arena, "this file does not know the field `%s`",
                             field->name ? field->name : "without a name"));
    return NULL;
}
