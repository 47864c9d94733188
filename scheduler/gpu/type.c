/* Types in the words of a kernel, which sees none of the user's headers. */
#include "scheduler/gpu/gpu.h"

#include <string.h>

const char *gpu_integer(const struct type *type) {
    static const char *const names[][2] = {{"unsigned char", "signed char"},
                                           {"unsigned short", "short"},
                                           {"unsigned int", "int"},
                                           {"unsigned long", "long"}};
    int power = type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 4 ? 2 : 3;
    return type->size == 1L << power ? names[power][type->is_signed] : NULL;
}

/* ---- structures ------------------------------------------------------------------------------ */

/* Types without a name have numbers, in the order in which kernels of the unit first used them. */
static int number_of(const struct unit *unit, const struct record *record) {
    int number = 0;
    while (number < unit->nunnamed && unit->unnamed[number] != record)
        ++number;
    return number;
}

const char *gpu_tag(const struct record *record) {
    const char *tag = record->tag ? record->tag : "";
    const char *space = strchr(tag, ' ');
    tag = space ? space + 1 : tag;
    return *tag && !strpbrk(tag, " (:)") ? tag : NULL;
}

/* `rating` of `struct rating`; types without a name get one. */
static const char *record_name(struct gpu_printer *p, const struct record *record) {
    const char *tag = gpu_tag(record);
    return tag ? tag : arena_printf(p->arena, "orrery_type_%d", number_of(p->job->unit, record));
}

/* A pointer inside of a structure is the host's: nobody follows it. */
static const char *field_text(struct gpu_printer *p, const struct field *field) {
    if (field->type->kind == TYPE_POINTER)
        return arena_printf(p->arena, "const void *%s", field->name);
    const char *text = gpu_declare_plain(p, field->type, field->name);
    return field->bit_width < 0 ? text : arena_printf(p->arena, "%s : %d", text, field->bit_width);
}

/* Several kernels of a file may need it. */
static void record_print(struct gpu_printer *p, const struct type *type, struct text *out) {
    const struct record *record = type->record;
    const char *word = record->is_union ? "union" : "struct", *name = record_name(p, record);
    text_print(out, "#ifndef orrery_type_%s\n#define orrery_type_%s\n%s %s {\n", name, name, word,
               name);
    for (int i = 0; i < record->nfields; ++i)
        text_print(out, "    %s;\n", field_text(p, &record->fields[i]));
    text_print(out, "};\nORRERY_STATIC_ASSERT(sizeof(%s %s) == %ld);\n#endif\n\n", word, name,
               type->size);
}

void gpu_records_print(struct gpu_printer *p, struct text *out) {
    for (int i = 0; i < p->kernel->nrecords; ++i)
        record_print(p, p->kernel->records[i], out);
}

/* ---- declarations ---------------------------------------------------------------------------- */

static const char *base_text(struct gpu_printer *p, const struct type *type) {
    switch (type->kind) {
    case TYPE_VOID:
        return "void";
    case TYPE_BOOL:
        return "_Bool";
    case TYPE_FLOAT:
        return type->size == 4 ? "float" : "double";
    case TYPE_STRUCT:
    case TYPE_UNION:
        return arena_printf(p->arena, "%s %s", type->record->is_union ? "union" : "struct",
                            record_name(p, type->record));
    default:
        return gpu_integer(type);
    }
}

/* `inner`: the declarator so far, from the name outwards. */
static const char *declare(struct gpu_printer *p, const struct type *type, const char *inner,
                           bool qualified) {
    if (type->kind == TYPE_POINTER) {
        const struct type *to = type->element;
        bool wrap = to->kind == TYPE_ARRAY;
        const char *fixed = qualified && type->is_const ? (*inner ? "const " : "const") : "";
        return declare(p, to, arena_printf(p->arena, wrap ? "(*%s%s)" : "*%s%s", fixed, inner),
                       true);
    }
    if (type->kind == TYPE_ARRAY)
        return declare(p, type->element, arena_printf(p->arena, "%s[%ld]", inner, type->count),
                       qualified);
    return arena_printf(p->arena, "%s%s%s%s", qualified && type->is_const ? "const " : "",
                        base_text(p, type), *inner ? " " : "", inner);
}

const char *gpu_declare(struct gpu_printer *p, const struct type *type, const char *name) {
    return declare(p, type, name, true);
}

const char *gpu_declare_plain(struct gpu_printer *p, const struct type *type, const char *name) {
    return declare(p, type, name, false);
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
