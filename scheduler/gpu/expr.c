/* Expressions of a kernel: the user's, but for what is elsewhere on a device. */
#include "scheduler/gpu/gpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* Words of C++ that are names in C, and what the headers of CUDA take. */
static bool is_taken(const char *name) {
    static const char *const words[] = {"alignas",       "alignof",
                                        "and",           "and_eq",
                                        "asm",           "bitand",
                                        "bitor",         "bool",
                                        "catch",         "class",
                                        "compl",         "concept",
                                        "const_cast",    "constexpr",
                                        "consteval",     "constinit",
                                        "decltype",      "delete",
                                        "dynamic_cast",  "explicit",
                                        "export",        "false",
                                        "friend",        "mutable",
                                        "namespace",     "new",
                                        "noexcept",      "not",
                                        "not_eq",        "nullptr",
                                        "operator",      "or",
                                        "or_eq",         "private",
                                        "protected",     "public",
                                        "requires",      "reinterpret_cast",
                                        "static_assert", "static_cast",
                                        "template",      "this",
                                        "thread_local",  "throw",
                                        "true",          "try",
                                        "typeid",        "typename",
                                        "using",         "virtual",
                                        "wchar_t",       "xor",
                                        "xor_eq",        "threadIdx",
                                        "blockIdx",      "blockDim",
                                        "gridDim",       "warpSize",
                                        "char16_t",      "char32_t",
                                        "char8_t",       "co_await",
                                        "co_return",     "co_yield"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

const char *gpu_name(struct arena *arena, const struct variable *var) {
    return is_taken(var->name) ? arena_printf(arena, "%s_", var->name) : var->name;
}

static const char *rename_variable(void *data, const struct variable *var) {
    const struct gpu_printer *p = data;
    return gpu_name(p->arena, var);
}

static const char *declare_type(void *data, const struct type *type, const char *name) {
    return gpu_declare(data, type, name);
}

/* ---- what is replaced ------------------------------------------------------------------------ */

static bool same_range(const struct range *a, const struct range *b) {
    return a->exact && b->exact && a->begin.file == b->begin.file &&
           a->begin.offset == b->begin.offset && a->end.offset == b->end.offset;
}

const struct record_slot *gpu_slot_of(const struct outline *job, const struct expr *expr) {
    for (int i = 0; job->plan->by_key && i < job->nslots; ++i)
        for (int s = 0; s < job->slots[i].load->nsites; ++s)
            if (same_range(&job->slots[i].load->sites[s], &expr->range))
                return &job->slots[i];
    return NULL;
}

/* A read whose value is in the record. */
static const char *slot_text(const struct gpu_printer *p, const struct expr *expr) {
    const struct record_slot *slot = p->of ? NULL : gpu_slot_of(p->job, expr);
    return slot ? arena_printf(p->arena, "orrery_r->%s", slot->name) : NULL;
}

/* ---- updates of buffered arrays: what is read is the snapshot, what is added goes elsewhere -- */

int gpu_buffer_of(const struct outline *job, const struct expr *expr) {
    for (int j = 0; j < job->nreductions; ++j) {
        if (!job->reductions[j].buffered)
            continue;
        const struct object *object = job->facts->reductions[job->reductions[j].facts_index].object;
        for (int i = 0; i < job->facts->naccesses; ++i)
            if (job->facts->accesses[i].write && job->facts->accesses[i].object == object &&
                job->facts->accesses[i].expr == expr)
                return j;
    }
    return -1;
}

/* `(*(float *)orrery_collected(&(w[j]), orrery_shift_0))` */
static const char *collected_text(struct gpu_printer *p, const struct expr *expr) {
    int j = p->of ? -1 : gpu_buffer_of(p->job, expr);
    if (j < 0 || p->collecting == expr)
        return NULL;
    const struct type *type = p->job->facts->reductions[p->job->reductions[j].facts_index].type;
    p->collecting = expr;
    const char *element = gpu_expr(p, expr);
    p->collecting = NULL;
    return arena_printf(p->arena, "(*(%s)orrery_collected(&(%s), orrery_shift_%d))",
                        gpu_declare_plain(p, type, "*"), element, j);
}

/* Enumerators and what macros made are numbers here. */
static const char *integer_text(struct gpu_printer *p, const struct expr *expr) {
    struct expr plain = *expr;
    const char *text = expr->text;
    if (text && (isdigit((unsigned char)*text) || *text == '\''))
        return NULL;
    plain.text = NULL;
    text = expr_print(p->arena, &plain);
    return *text == '-' ? arena_printf(p->arena, "(%s)", text) : text;
}

bool gpu_is_rounded(const struct expr *cast) {
    const struct expr *constant = cast->args[0];
    return constant->kind == EXPR_FLOAT && constant->type && constant->type->size > 8 &&
           cast->type->kind == TYPE_FLOAT && cast->type->size <= 8;
}

/* A constant of type long double is rounded twice where it is cast: as the host does. */
static const char *rounded_text(struct gpu_printer *p, const struct expr *cast) {
    bool is_float = cast->type->size == 4;
    if (!gpu_is_rounded(cast))
        return NULL;
    long double value = strtold(cast->args[0]->text, NULL);
    return is_float ? arena_printf(p->arena, "%.9gf", (double)(float)value)
                    : arena_printf(p->arena, "%.17g", (double)value);
}

/* `{ ... }` by position, with the conversions that C++ does not make. */
static const char *list_text(struct gpu_printer *p, const struct expr *expr) {
    struct text out;
    const struct type *type = expr->type;
    const struct record *record = type->record;
    text_start(&out, p->arena);
    text_print(&out, "{");
    for (int i = 0; i < expr->nargs; ++i) {
        const struct type *to =
            record && i < record->nfields ? record->fields[i].type : type->element;
        const struct expr *arg = expr->args[i];
        bool scalar = to->kind == TYPE_INT || to->kind == TYPE_FLOAT || to->kind == TYPE_BOOL;
        text_print(&out, "%s", i ? ", " : "");
        if (!arg)
            text_print(&out, "0");
        else if (scalar)
            text_print(&out, "(%s)(%s)", gpu_declare_plain(p, to, ""), gpu_expr(p, arg));
        else
            text_print(&out, "%s", gpu_value(p, arg, to));
    }
    text_print(&out, "}");
    return out.bytes;
}

static const char *assign_text(struct gpu_printer *p, const struct expr *expr) {
    if (expr->op != OP_NONE || !expr->args[0]->type || expr->args[0]->type->kind != TYPE_POINTER)
        return NULL;
    return arena_printf(p->arena, "(%s = %s)", gpu_expr(p, expr->args[0]),
                        gpu_value(p, expr->args[1], expr->args[0]->type));
}

static const char *replace_expr(void *data, const struct expr *expr) {
    struct gpu_printer *p = data;
    const char *text = slot_text(p, expr);
    if (!text)
        text = gpu_wide_text(p, expr);
    if (!text)
        text = collected_text(p, expr);
    if (text)
        return text;
    switch (expr->kind) {
    case EXPR_INT:
        return integer_text(p, expr);
    case EXPR_CAST:
        return rounded_text(p, expr);
    case EXPR_CALL:
        return gpu_call(p, expr);
    case EXPR_ASSIGN:
        return assign_text(p, expr);
    case EXPR_INIT:
        return list_text(p, expr);
    default:
        return NULL;
    }
}

const char *gpu_expr(struct gpu_printer *p, const struct expr *expr) {
    const struct expr_style style = {p, rename_variable, replace_expr, declare_type};
    return expr_print_styled(p->arena, expr, &style);
}

bool gpu_is_cast(const struct expr *expr, const struct type *to) {
    return to && to->kind == TYPE_POINTER && expr->type && expr->type->kind == TYPE_POINTER &&
           expr->type->element != to->element;
}

const char *gpu_value(struct gpu_printer *p, const struct expr *expr, const struct type *to) {
    const char *text = gpu_expr(p, expr);
    return gpu_is_cast(expr, to)
               ? arena_printf(p->arena, "(%s)(%s)", gpu_declare_plain(p, to, ""), text)
               : text;
}
