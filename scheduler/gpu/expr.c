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

const char *gpu_name(struct gpu_kernel *k, const struct variable *var) {
    return is_taken(var->name) ? arena_printf(k->arena, "%s_", var->name) : var->name;
}

static bool holds_pointer(const struct type *type) {
    if (type->kind == TYPE_POINTER)
        return true;
    return type->kind == TYPE_ARRAY && holds_pointer(type->element);
}

/* The array is on the device, and its base in the environment is the device's. */
static bool is_placed(const struct gpu_kernel *k, const struct env_field *field) {
    const struct outline *job = k->job;
    int at = field->object ? emit_array_index(job, field->object) : -1;
    return at >= 0 && field->object->captured && field->object->kind != OBJECT_ROWS &&
           job->arrays[at]->placement != PLACE_PRIVATE;
}

static bool is_reduced(const struct gpu_kernel *k, const struct variable *var) {
    const struct emit_reduction *reduction = emit_reduction_of(k->job, var);
    return reduction && !reduction->reference;
}

/* Is the variable one that the kernel has? Else refuses. */
static bool check_variable(struct gpu_kernel *k, const struct expr *expr) {
    const struct variable *var = expr->var;
    const struct env_field *field = k->of ? NULL : emit_field_of(k->job, var);
    bool own = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    if (k->of && own && var->function == k->of)
        return true;
    if (!k->of && own &&
        (!emit_is_outside(k->job, var) || var == k->job->loop->variable ||
         emit_is_private(k->job, var) || is_reduced(k, var)))
        return true;
    if (!k->of && is_reduced(k, var))
        return true;
    if (field && field->role == FIELD_VALUE && !holds_pointer(var->type))
        return true;
    if (field && field->role == FIELD_POINTER && is_placed(k, field))
        return true;
    return emit_refuse(k->job, ORR2463, expr->range,
                       "the loop cannot run on a GPU: its body uses `%s`, %s", var->name,
                       field ? "which cannot be copied there: it is no array that lies behind a "
                               "pointer of the function's own"
                             : "a variable of the file");
}

static const char *rename_variable(void *data, const struct variable *var) {
    return gpu_name(data, var);
}

static const char *declare_type(void *data, const struct type *type, const char *name) {
    return gpu_declare(data, type, name);
}

/* ---- what is replaced ------------------------------------------------------------------------ */

static bool same_range(const struct range *a, const struct range *b) {
    return a->exact && b->exact && a->begin.file == b->begin.file &&
           a->begin.offset == b->begin.offset && a->end.offset == b->end.offset;
}

/* A read whose value is in the record. */
static const char *record_text(const struct gpu_kernel *k, const struct expr *expr) {
    const struct outline *job = k->job;
    for (int i = 0; !k->of && job->plan->by_key && i < job->nslots; ++i)
        for (int s = 0; s < job->slots[i].load->nsites; ++s)
            if (same_range(&job->slots[i].load->sites[s], &expr->range))
                return arena_printf(job->arena, "orrery_r->%s", job->slots[i].name);
    return NULL;
}

/* ---- updates of buffered arrays: what is read is the snapshot, what is added goes elsewhere -- */

/* The number of the buffered array that the expression writes, -1: of none. */
static int buffer_of(const struct gpu_kernel *k, const struct expr *expr) {
    const struct outline *job = k->job;
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

static bool is_collected(const struct gpu_kernel *k, const struct expr *expr) {
    for (int i = 0; i < k->ncollected; ++i)
        if (k->collected[i] == expr)
            return true;
    return false;
}

/* `(*(float *)orrery_collected(&(w[j]), orrery_shift_0))` */
static const char *collected_text(struct gpu_kernel *k, const struct expr *expr) {
    int j = k->of ? -1 : buffer_of(k, expr);
    if (j < 0 || k->collecting == expr)
        return NULL;
    const struct type *type = k->job->facts->reductions[k->job->reductions[j].facts_index].type;
    ARENA_PUSH(k->arena, k->collected, k->ncollected, expr);
    k->collecting = expr;
    const char *element = gpu_expr(k, expr);
    k->collecting = NULL;
    return arena_printf(k->arena, "(*(%s)orrery_collected(&(%s), orrery_shift_%d))",
                        gpu_declare_plain(k, type, "*"), element, j);
}

bool gpu_collects_all(struct gpu_kernel *k) {
    for (int i = 0; i < k->job->facts->naccesses; ++i) {
        const struct access *access = &k->job->facts->accesses[i];
        int j = access->write ? buffer_of(k, access->expr) : -1;
        if (j >= 0 && !is_collected(k, access->expr))
            return emit_refuse(k->job, ORR2465, access->expr->range,
                               "the loop cannot run on a GPU: `%s` is changed by a function that "
                               "the body calls",
                               k->job->reductions[j].title);
    }
    return true;
}

static const char *refuse_expr(struct gpu_kernel *k, const struct expr *expr, const char *what) {
    emit_refuse(k->job, ORR2462, expr->range, "the loop cannot run on a GPU: its body has %s",
                what);
    return "0";
}

/* Enumerators and what macros made are numbers here. */
static const char *integer_text(struct gpu_kernel *k, const struct expr *expr) {
    struct expr plain = *expr;
    const char *text = expr->text;
    if (text && (isdigit((unsigned char)*text) || *text == '\''))
        return NULL;
    plain.text = NULL;
    text = expr_print(k->arena, &plain);
    return *text == '-' ? arena_printf(k->arena, "(%s)", text) : text;
}

/* A constant of type long double is rounded twice where it is cast: as the host does. */
static const char *rounded_text(struct gpu_kernel *k, const struct expr *cast) {
    const struct expr *constant = cast->args[0];
    bool is_float = cast->type->size == 4;
    if (constant->kind != EXPR_FLOAT || !constant->type || constant->type->size <= 8 ||
        cast->type->kind != TYPE_FLOAT || cast->type->size > 8)
        return NULL;
    long double value = strtold(constant->text, NULL);
    return is_float ? arena_printf(k->arena, "%.9gf", (double)(float)value)
                    : arena_printf(k->arena, "%.17g", (double)value);
}

/* `{ ... }` by position, with the conversions that C++ does not make. */
static const char *list_text(struct gpu_kernel *k, const struct expr *expr) {
    struct text out;
    const struct type *type = expr->type;
    const struct record *record = type ? type->record : NULL;
    if (!type || (record && record->is_union) || (!record && type->kind != TYPE_ARRAY))
        return refuse_expr(k, expr, "an initialiser that cannot be repeated there");
    text_start(&out, k->arena);
    text_print(&out, "{");
    for (int i = 0; i < expr->nargs; ++i) {
        const struct type *to =
            record && i < record->nfields ? record->fields[i].type : type->element;
        const struct expr *arg = expr->args[i];
        bool scalar =
            to && (to->kind == TYPE_INT || to->kind == TYPE_FLOAT || to->kind == TYPE_BOOL);
        if (!to || (!arg && !scalar))
            return refuse_expr(k, expr, "an initialiser that cannot be repeated there");
        text_print(&out, "%s", i ? ", " : "");
        if (!arg)
            text_print(&out, "0");
        else if (scalar)
            text_print(&out, "(%s)(%s)", gpu_declare_plain(k, to, ""), gpu_expr(k, arg));
        else
            text_print(&out, "%s", gpu_value(k, arg, to));
    }
    text_print(&out, "}");
    return out.bytes;
}

/* A pointer that was loaded from memory points to the host's. */
static bool is_loaded_pointer(const struct expr *expr) {
    bool load =
        expr->kind == EXPR_MEMBER || expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_DEREF;
    return load && expr->type && expr->type->kind == TYPE_POINTER;
}

static const char *assign_text(struct gpu_kernel *k, const struct expr *expr) {
    if (expr->op != OP_NONE || !expr->args[0]->type || expr->args[0]->type->kind != TYPE_POINTER)
        return NULL;
    return arena_printf(k->arena, "(%s = %s)", gpu_expr(k, expr->args[0]),
                        gpu_value(k, expr->args[1], expr->args[0]->type));
}

static const char *replace_expr(void *data, const struct expr *expr) {
    struct gpu_kernel *k = data;
    const char *text = record_text(k, expr);
    if (!text)
        text = gpu_wide_text(k, expr);
    if (!text)
        text = collected_text(k, expr);
    if (text)
        return text;
    if (is_loaded_pointer(expr)) {
        emit_refuse(k->job, ORR2463, expr->range,
                    "the loop cannot run on a GPU: `%s` is a pointer that stands in memory, and "
                    "what it points to is not copied there",
                    expr_print(k->arena, expr));
        return "0";
    }
    switch (expr->kind) {
    case EXPR_VAR:
        return check_variable(k, expr) ? NULL : "0";
    case EXPR_INT:
        return integer_text(k, expr);
    case EXPR_FLOAT:
        return expr->type && expr->type->size > 8
                   ? refuse_expr(k, expr, "a constant of type long double")
                   : NULL;
    case EXPR_CAST:
        return rounded_text(k, expr);
    case EXPR_CALL:
        return gpu_call(k, expr);
    case EXPR_ASSIGN:
        return assign_text(k, expr);
    case EXPR_INIT:
        return list_text(k, expr);
    case EXPR_CONDITIONAL:
        return expr->args[1] ? NULL : refuse_expr(k, expr, "`?:` without its middle");
    case EXPR_STRING:
        return refuse_expr(k, expr, "a string");
    case EXPR_FUNCTION:
        return refuse_expr(k, expr, "a pointer to a function");
    case EXPR_SIZEOF:
        return refuse_expr(k, expr, "the size of an array of variable length");
    case EXPR_COMPOUND:
        return refuse_expr(k, expr, "a compound literal");
    case EXPR_UNKNOWN:
        return refuse_expr(k, expr, expr->text ? expr->text : "something unknown");
    default:
        return NULL;
    }
}

const char *gpu_expr(struct gpu_kernel *k, const struct expr *expr) {
    const struct expr_style style = {k, rename_variable, replace_expr, declare_type};
    return expr_print_styled(k->arena, expr, &style);
}

const char *gpu_value(struct gpu_kernel *k, const struct expr *expr, const struct type *to) {
    const char *text = gpu_expr(k, expr);
    bool cast = to && to->kind == TYPE_POINTER && expr->type && expr->type->kind == TYPE_POINTER &&
                expr->type->element != to->element;
    return cast ? arena_printf(k->arena, "(%s)(%s)", gpu_declare_plain(k, to, ""), text) : text;
}
