#include "analyzer/parse/private.h"

#include <string.h>

static const struct record *record_get(struct translator *t, struct ctype type);

/* ---- names */

/* Clang words for types without a name, which no text can repeat. */
static bool is_unnamed(const char *spelling) {
    return strstr(spelling, "(unnamed") || strstr(spelling, "(anonymous");
}

/* The leaf of pointers, arrays and functions: the type that the specifiers name. */
static struct ctype leaf_of(struct ctype type) {
    for (;;) {
        enum ctype_class class = ctype_class(type);
        if (class != CTYPE_POINTER && class != CTYPE_ARRAY && class != CTYPE_VLA &&
            class != CTYPE_INCOMPLETE_ARRAY && class != CTYPE_FUNCTION && class != CTYPE_ATOMIC)
            return type;
        type = ctype_canonical(ctype_element(type));
    }
}

/* Records and enums declared inside a function or without a name cannot be named at file scope. */
static bool is_local(struct translator *t, struct ctype canonical) {
    struct ctype leaf = leaf_of(canonical);
    struct node declaration = ctype_declaration(leaf);
    if (declaration.kind != NODE_RECORD && declaration.kind != NODE_ENUM)
        return false;
    return node_parent_function(declaration).kind != NODE_NONE ||
           is_unnamed(ctype_spelling(t->door, leaf));
}

/* Enums that cannot be named at file scope are called by the integer type they are. */
static void name_enum(struct type *type, struct ctype canonical) {
    if (type->kind != TYPE_INT || !type->is_local || ctype_declaration(canonical).kind != NODE_ENUM)
        return;
    bool wide = type->size > 4;
    type->local_name =
        type->is_signed ? (wide ? "long" : "int") : (wide ? "unsigned long" : "unsigned int");
    type->is_local = false;
}

/* ---- qualified elements */

/* The unit's type with this spelling, or NULL. */
static const struct type *find_spelled(const struct translator *t, const char *spelling) {
    for (int i = 0; i < t->types.count; ++i) {
        const struct type *type = t->types.values[i];
        if (type && type->spelling && strcmp(type->spelling, spelling) == 0)
            return type;
    }
    return NULL;
}

/* clang hangs the qualifiers of an array's elements on the array: here they go back. */
static const struct type *qualified(struct translator *t, const struct type *type,
                                    const struct type *array) {
    const void *key = (const char *)type + 2 + array->is_const + 2 * array->is_volatile;
    const struct type *known = map_get(&t->types, key);
    if (known)
        return known;
    struct type *made = arena_alloc(t->arena, sizeof *made);
    *made = *type;
    made->is_const |= array->is_const;
    made->is_volatile |= array->is_volatile;
    made->spelling = arena_printf(t->arena, "%s%s%s", array->is_const ? "const " : "",
                                  array->is_volatile ? "volatile " : "", type->spelling);
    if (type_is_array(type))
        made->element = qualified(t, type->element, array);
    else if (type->kind == TYPE_POINTER)
        made->spelling = type_declare(t->arena, made, "");
    else
        made->local_name = made->spelling;
    known = type->kind == TYPE_VLA ? NULL : find_spelled(t, made->spelling);
    map_put(t->arena, &t->types, key, known ? (void *)known : made);
    return known ? known : made;
}

/* requires: the element and the qualifiers of an array type. */
static void qualify_element(struct translator *t, struct type *type) {
    bool array = type_is_array(type);
    if (array && (type->is_const || type->is_volatile) &&
        (type->is_const > type->element->is_const ||
         type->is_volatile > type->element->is_volatile))
        type->element = qualified(t, type->element, type);
}

/* ---- properties by class */

static void fill_kind(struct translator *t, struct type *type, struct ctype canonical) {
    static const enum type_kind kinds[] = {
        [CTYPE_VOID] = TYPE_VOID,         [CTYPE_BOOL] = TYPE_BOOL,
        [CTYPE_SIGNED] = TYPE_INT,        [CTYPE_UNSIGNED] = TYPE_INT,
        [CTYPE_FLOAT] = TYPE_FLOAT,       [CTYPE_POINTER] = TYPE_POINTER,
        [CTYPE_ARRAY] = TYPE_ARRAY,       [CTYPE_INCOMPLETE_ARRAY] = TYPE_ARRAY,
        [CTYPE_VLA] = TYPE_VLA,           [CTYPE_RECORD] = TYPE_STRUCT,
        [CTYPE_FUNCTION] = TYPE_FUNCTION, [CTYPE_ATOMIC] = TYPE_OTHER,
        [CTYPE_OTHER] = TYPE_OTHER,
    };
    enum ctype_class class = ctype_class(canonical);
    type->kind = kinds[class];
    type->is_signed = class == CTYPE_SIGNED || class == CTYPE_FLOAT;
    type->count = class == CTYPE_ARRAY ? ctype_count(canonical) : 0;
    if (class == CTYPE_POINTER || class == CTYPE_ARRAY || class == CTYPE_INCOMPLETE_ARRAY ||
        class == CTYPE_VLA || class == CTYPE_FUNCTION)
        type->element = parse_type_get(t, ctype_element(canonical));
    if (class == CTYPE_RECORD) {
        type->record = record_get(t, canonical);
        type->kind = type->record && type->record->is_union ? TYPE_UNION : TYPE_STRUCT;
    }
}

/* The type an atomic one holds, marked. */
static void fill_atomic(struct translator *t, struct type *type, struct ctype canonical) {
    const struct type *value = parse_type_get(t, ctype_element(canonical));
    const char *spelling = type->spelling;
    *type = *value;
    type->is_atomic = true;
    type->spelling = type->local_name = spelling;
}

static struct type *type_new(struct translator *t, struct ctype canonical) {
    struct type *type = arena_alloc(t->arena, sizeof *type);
    map_put(t->arena, &t->types, ctype_entity(canonical), type);
    type->spelling = type->local_name = ctype_spelling(t->door, canonical);
    type->size = ctype_size(canonical);
    if (ctype_class(canonical) == CTYPE_ATOMIC)
        fill_atomic(t, type, canonical);
    else
        fill_kind(t, type, canonical);
    type->is_const = ctype_is_const(canonical);
    type->is_volatile = ctype_is_volatile(canonical);
    type->is_restrict = ctype_is_restrict(canonical);
    qualify_element(t, type);
    type->is_local = is_local(t, canonical);
    name_enum(type, canonical);
    if (type->kind == TYPE_VLA || ctype_class(canonical) == CTYPE_INCOMPLETE_ARRAY)
        type->size = -1;
    return type;
}

const struct type *parse_type_get(struct translator *t, struct ctype type) {
    struct ctype canonical = ctype_canonical(type);
    struct type *known = map_get(&t->types, ctype_entity(canonical));
    return known ? known : type_new(t, canonical);
}

/* A key that no address of clang's equals: one byte beside the type it is made from. */
static const void *pointer_key(const struct type *type) {
    return (const char *)type + 1;
}

static bool points_to(const struct type *pointer, const struct type *element) {
    return pointer->kind == TYPE_POINTER && pointer->element == element && !pointer->is_const &&
           !pointer->is_volatile && !pointer->is_restrict && !pointer->is_atomic;
}

/* "int (int)" -> "int (*)(int)": the star goes in front of the parameters. */
static const char *pointer_spelling(struct translator *t, const struct type *pointer) {
    const char *function = pointer->element->spelling;
    if (pointer->element->kind != TYPE_FUNCTION)
        return type_declare(t->arena, pointer, "");
    const char *at = strchr(function, '(');
    while (at && at[1] == '*')
        at = strchr(at + 1, '(');
    int before = at ? (int)(at - function) : (int)strlen(function);
    return arena_printf(t->arena, "%.*s(*)%s", before, function, at ? at : "()");
}

/* The plain pointer to `element`: clang's own where the unit has one, else one of ours. */
static const struct type *pointer_to(struct translator *t, const struct type *element) {
    const struct type *known = map_get(&t->types, pointer_key(element));
    if (known)
        return known;
    for (int i = 0; i < t->types.count && !known; ++i)
        if (points_to(t->types.values[i], element))
            known = t->types.values[i];
    struct type *type = arena_alloc(t->arena, sizeof *type);
    *type = (struct type){.kind = TYPE_POINTER, .size = sizeof(void *), .element = element};
    type->is_local = element->is_local;
    type->spelling = type->local_name = pointer_spelling(t, type);
    map_put(t->arena, &t->types, pointer_key(element), known ? (void *)known : type);
    return known ? known : type;
}

const struct type *parse_type_decay(struct translator *t, const struct type *type) {
    if (type_is_array(type))
        return pointer_to(t, type->element);
    return type->kind == TYPE_FUNCTION ? pointer_to(t, type) : type;
}

/*
 * `double a[restrict n][m]` (C11 6.7.6.3, paragraph 7): of the outermost brackets, which clang prints
 * first; libclang has no question for them. A record without a name is printed with its place.
 */
static bool is_restrict_array(const struct type *type) {
    static const char *const others[] = {"const ", "volatile "};
    const char *at = strchr(type->spelling, '[');
    bool is_array = type_is_array(type);
    if (!is_array || !at || strstr(type->spelling, " at "))
        return false;
    ++at;
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (strncmp(at, others[i], strlen(others[i])) == 0)
            at += strlen(others[i]);
    return strncmp(at, "restrict", 8) == 0 || strncmp(at, "__restrict", 10) == 0;
}

const struct type *parse_type_param(struct translator *t, struct ctype declared) {
    const struct type *type = parse_type_get(t, declared), *plain = parse_type_decay(t, type);
    if (!is_restrict_array(type))
        return plain;
    struct type *pointer = arena_alloc(t->arena, sizeof *pointer);
    *pointer = *plain;
    pointer->is_restrict = true;
    pointer->spelling = pointer->local_name = type_declare(t->arena, pointer, "");
    return pointer;
}

/* ---- records */

static struct field field_from(struct translator *t, struct node node) {
    struct field field = {.type = parse_type_get(t, node_type(node))};
    const char *name = node_name(t->door, node);
    field.name = *name && !strchr(name, '(') ? name : NULL;
    field.offset_bits = node_field_offset(node);
    node_is_bit_field(node, &field.bit_width);
    return field;
}

static void fill_fields(struct translator *t, struct record *record, struct ctype type) {
    struct node *nodes;
    int count = ctype_fields(t->door, type, &nodes);
    struct field *fields = arena_alloc(t->arena, (size_t)(count + 1) * sizeof *fields);
    record->fields = fields;
    record->nfields = count;
    for (int i = 0; i < count; ++i) {
        fields[i] = field_from(t, nodes[i]);
        map_put(t->arena, &t->fields, node_entity(nodes[i]), &fields[i]);
    }
}

/* NULL for a record that is declared but not defined. */
static const struct record *record_get(struct translator *t, struct ctype type) {
    struct node declaration = ctype_declaration(type);
    const void *entity = node_entity(declaration);
    struct record *record = map_get(&t->records, entity);
    if (record)
        return record;
    if (node_definition(declaration).kind == NODE_NONE)
        return NULL;
    record = arena_alloc(t->arena, sizeof *record);
    map_put(t->arena, &t->records, entity, record);
    const char *spelling = ctype_spelling(t->door, type);
    while (strncmp(spelling, "const ", 6) == 0 || strncmp(spelling, "volatile ", 9) == 0)
        spelling = strchr(spelling, ' ') + 1;
    record->tag = spelling;
    record->is_union = node_is_union(declaration);
    fill_fields(t, record, type);
    return record;
}

const struct field *parse_type_field(struct translator *t, struct node field) {
    return map_get(&t->fields, node_entity(field));
}
