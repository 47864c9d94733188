/* Types in the words of a kernel, which sees none of the user's headers. */
#include "scheduler/gpu/gpu.h"

#include <string.h>

static const char *refuse_type(struct gpu_kernel *k, const struct type *type, const char *why) {
    emit_refuse(k->job, ORR2461, k->job->loop->header,
                "the loop cannot run on a GPU: its body uses the type `%s`%s", type->spelling, why);
    return "int";
}

static const char *integer_text(const struct type *type) {
    static const char *const names[][2] = {{"unsigned char", "signed char"},
                                           {"unsigned short", "short"},
                                           {"unsigned int", "int"},
                                           {"unsigned long", "long"}};
    int power = type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 4 ? 2 : 3;
    return type->size == 1L << power ? names[power][type->is_signed] : NULL;
}

/* ---- structures ------------------------------------------------------------------------------ */

/* Types without a name have numbers, in the order in which kernels of the unit first use them. */
static int number_of(struct unit *unit, const struct record *record) {
    for (int i = 0; i < unit->nunnamed; ++i)
        if (unit->unnamed[i] == record)
            return i;
    ARENA_PUSH(unit->arena, unit->unnamed, unit->nunnamed, record);
    return unit->nunnamed - 1;
}

/* `rating` of `struct rating`; types without a name get one. */
static const char *record_name(struct gpu_kernel *k, const struct record *record) {
    const char *tag = record->tag ? record->tag : "";
    const char *space = strchr(tag, ' ');
    tag = space ? space + 1 : tag;
    if (!*tag || strpbrk(tag, " (:)"))
        return arena_printf(k->arena, "orrery_type_%d", number_of(k->job->unit, record));
    return tag;
}

static bool has_record(const struct gpu_kernel *k, const struct record *record) {
    for (int i = 0; i < k->nrecords; ++i)
        if (k->records[i] == record)
            return true;
    return false;
}

/* A pointer inside of a structure is the host's: nobody follows it. */
static const char *field_text(struct gpu_kernel *k, const struct field *field) {
    if (field->type->kind == TYPE_POINTER)
        return arena_printf(k->arena, "const void *%s", field->name);
    const char *text = gpu_declare_plain(k, field->type, field->name);
    return field->bit_width < 0 ? text : arena_printf(k->arena, "%s : %d", text, field->bit_width);
}

/* Several kernels of a file may need it. */
static void record_print(struct gpu_kernel *k, const struct type *type) {
    const struct record *record = type->record;
    const char *word = record->is_union ? "union" : "struct";
    struct text text;
    if (has_record(k, record))
        return;
    ARENA_PUSH(k->arena, k->records, k->nrecords, record);
    text_start(&text, k->arena);
    text_print(&text, "#ifndef orrery_type_%s\n#define orrery_type_%s\n%s %s {\n",
               record_name(k, record), record_name(k, record), word, record_name(k, record));
    for (int i = 0; i < record->nfields; ++i) {
        if (!record->fields[i].name) {
            refuse_type(k, type, ", which has a member without a name");
            return;
        }
        text_print(&text, "    %s;\n", field_text(k, &record->fields[i]));
    }
    text_print(&text, "};\nORRERY_STATIC_ASSERT(sizeof(%s %s) == %ld);\n#endif\n\n", word,
               record_name(k, record), type->size);
    text_append(&k->types, text.bytes, text.length);
}

static const char *record_text(struct gpu_kernel *k, const struct type *type) {
    if (!type->record || type->size <= 0)
        return refuse_type(k, type, ", which is not known here");
    record_print(k, type);
    return arena_printf(k->arena, "%s %s", type->record->is_union ? "union" : "struct",
                        record_name(k, type->record));
}

/* ---- declarations ---------------------------------------------------------------------------- */

static const char *base_text(struct gpu_kernel *k, const struct type *type) {
    const char *integer = type->kind == TYPE_INT ? integer_text(type) : NULL;
    switch (type->kind) {
    case TYPE_VOID:
        return "void";
    case TYPE_BOOL:
        return "_Bool";
    case TYPE_INT:
        return integer ? integer : refuse_type(k, type, "");
    case TYPE_FLOAT:
        if (type->size == 4 || type->size == 8)
            return type->size == 4 ? "float" : "double";
        return refuse_type(k, type, ", which a GPU has not got");
    case TYPE_STRUCT:
    case TYPE_UNION:
        return record_text(k, type);
    case TYPE_VLA:
        return refuse_type(k, type, ", an array of variable length");
    default:
        return refuse_type(k, type, "");
    }
}

/* `inner`: the declarator so far, from the name outwards. */
static const char *declare(struct gpu_kernel *k, const struct type *type, const char *inner,
                           bool qualified) {
    if (type->is_volatile || type->is_atomic)
        return refuse_type(k, type, "");
    if (type->kind == TYPE_POINTER) {
        const struct type *to = type->element;
        bool wrap = to->kind == TYPE_ARRAY;
        const char *fixed = qualified && type->is_const ? (*inner ? "const " : "const") : "";
        return declare(k, to, arena_printf(k->arena, wrap ? "(*%s%s)" : "*%s%s", fixed, inner),
                       true);
    }
    if (type->kind == TYPE_ARRAY)
        return declare(k, type->element, arena_printf(k->arena, "%s[%ld]", inner, type->count),
                       qualified);
    return arena_printf(k->arena, "%s%s%s%s", qualified && type->is_const ? "const " : "",
                        base_text(k, type), *inner ? " " : "", inner);
}

const char *gpu_declare(struct gpu_kernel *k, const struct type *type, const char *name) {
    return declare(k, type, name, true);
}

const char *gpu_declare_plain(struct gpu_kernel *k, const struct type *type, const char *name) {
    return declare(k, type, name, false);
}

/* ---- numbers between lanes ------------------------------------------------------------------- */

const char *gpu_suffix(const struct type *type) {
    if (type->kind == TYPE_BOOL || (type->kind == TYPE_INT && type->size < 4))
        return "i32";
    if (type->kind == TYPE_INT && type->size == 4)
        return type->is_signed ? "i32" : "u32";
    if (type->kind == TYPE_INT && type->size == 8)
        return type->is_signed ? "i64" : "u64";
    if (type->kind == TYPE_FLOAT && (type->size == 4 || type->size == 8))
        return type->size == 4 ? "f32" : "f64";
    return NULL;
}

const char *gpu_suffix_type(const char *suffix) {
    static const char *const pairs[][2] = {{"i32", "int"},   {"u32", "unsigned"},
                                           {"i64", "long"},  {"u64", "unsigned long"},
                                           {"f32", "float"}, {"f64", "double"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        if (strcmp(suffix, pairs[i][0]) == 0)
            return pairs[i][1];
    return NULL;
}

/* The greatest or the least number of an integer type. */
static const char *bound_text(struct arena *arena, const struct type *type, bool greatest) {
    if (type->kind == TYPE_BOOL)
        return greatest ? "1" : "0";
    int bits = (int)type->size * 8 - type->is_signed;
    unsigned long most = bits == 64 ? ~0ul : (1ul << bits) - 1;
    const char *mark =
        type->is_signed ? (type->size == 8 ? "L" : "") : (type->size == 8 ? "UL" : "U");
    if (greatest)
        return arena_printf(arena, "%lu%s", most, mark);
    return type->is_signed ? arena_printf(arena, "(-%lu%s - 1)", most, mark) : "0";
}

/* Minus zero leaves every sum as it is, minus zero included. */
const char *gpu_identity(struct arena *arena, enum reduction_op op, const struct type *type) {
    bool floating = type->kind == TYPE_FLOAT;
    const char *zero = type->size == 4 ? "-0.0f" : "-0.0";
    const struct reduction_operator *row = reduction_operator(op);
    switch (row ? row->identity : REDUCTION_ZERO) {
    case REDUCTION_ONE:
        return "1";
    case REDUCTION_MOST:
        return floating ? "ORRERY_INFINITY" : bound_text(arena, type, true);
    case REDUCTION_LEAST:
        return floating ? "-ORRERY_INFINITY" : bound_text(arena, type, false);
    case REDUCTION_ONES:
        return type->kind == TYPE_BOOL ? "1" : "-1";
    default:
        return floating ? zero : "0";
    }
}
