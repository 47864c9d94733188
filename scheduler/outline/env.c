/* The environment: what the body needs of the enclosing function. */
#include "scheduler/outline/collect.h"

#include <string.h>

/* `model` of the array model.W, which lies inside of it; NULL behind a pointer. */
static const struct variable *variable_of(const struct expr *base) {
    bool member = base->kind == EXPR_MEMBER && base->type && base->type->kind == TYPE_ARRAY;
    while (base->kind == EXPR_MEMBER)
        base = base->args[0];
    return member && base->kind == EXPR_VAR && base->type->kind == TYPE_STRUCT ? base->var : NULL;
}

/* Scratch space that a copy of its structure leads to. */
static bool is_held(const struct outline *job, const struct object *object) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].object == object && job->reductions[j].holder)
            return true;
    return false;
}

/* True when the body changes bytes of the variable itself otherwise than by reductions. */
static bool is_written(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        const struct object *object = access->object;
        bool inside = object->kind == OBJECT_SCALAR || object->kind == OBJECT_ARRAY;
        bool member = !object->var && object->base && variable_of(object->base) == var;
        if (access->write && access->reduction < 0 && ((inside && object->var == var) || member) &&
            !is_held(job, object))
            return true;
    }
    return false;
}

/* True when another captured variable leads to the same object. */
static bool has_rival(const struct outline *job, const struct capture *capture) {
    for (int i = 0; i < job->facts->ncaptures; ++i) {
        const struct capture *other = &job->facts->captures[i];
        if (other != capture && other->object == capture->object)
            return true;
    }
    return false;
}

/*
 * May __restrict__ be said of this base? Only when every object that the loop touches, and of which
 * one of the two is written, is known not to overlap it.
 */
static bool is_restricted(const struct outline *job, const struct capture *capture) {
    const struct object *object = capture->object;
    if (!object || !object->captured || has_rival(job, capture) ||
        (object->kind != OBJECT_POINTER && object->kind != OBJECT_ARRAY))
        return false;
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct object *other = job->facts->objects[i];
        int guard = -1;
        if (other == object || other->kind == OBJECT_HIDDEN ||
            (!object->written && !other->written))
            continue;
        if (facts_alias(job->facts, object, other, &guard) == ALIAS_MAY)
            return false;
    }
    return true;
}

static void add_field(struct outline *job, struct env_field field) {
    ARENA_PUSH(job->arena, job->fields, job->nfields, field);
}

/* "W[0][0]" with `depth` subscripts. */
static const char *row_text(struct outline *job, const char *name, int depth) {
    return depth == 0 ? name : arena_printf(job->arena, "%s[0]", row_text(job, name, depth - 1));
}

/* Adds a field per row length below `row`; returns the brackets of a declaration: "[a][b]". */
const char *emit_extents_add(struct outline *job, const struct variable *var,
                             const struct type *row) {
    const char *bounds = "";
    for (int depth = 1; row->kind == TYPE_VLA || row->kind == TYPE_ARRAY; ++depth) {
        const char *name = arena_printf(job->arena, "orrery_extent_%s_%d", var->name, depth);
        const char *outer = row_text(job, emit_outside_name(job, var), depth);
        const char *inner = row_text(job, emit_outside_name(job, var), depth + 1);
        add_field(job, (struct env_field){
                           .role = FIELD_EXTENT,
                           .name = name,
                           .member = arena_printf(job->arena, "long %s", name),
                           .local = arena_printf(job->arena, "const long %s", name),
                           .value = arena_printf(job->arena, "(long)(sizeof(%s) / sizeof(%s))",
                                                 outer, inner),
                           .var = var,
                       });
        bounds = arena_printf(job->arena, "%s[%s]", bounds, name);
        row = row->element;
    }
    return bounds;
}

/* A pointer to rows of variable length travels as void *. */
static void add_vla(struct outline *job, const struct capture *capture, const struct type *row) {
    const struct variable *var = capture->var;
    const char *bounds = emit_extents_add(job, var, row);
    while (row->kind == TYPE_VLA || row->kind == TYPE_ARRAY)
        row = row->element;
    const char *declarator = arena_printf(job->arena, "(*%s)%s", var->name, bounds);
    const char *strict = arena_printf(job->arena, "(*__restrict__ %s)%s", var->name, bounds);
    add_field(job,
              (struct env_field){
                  .role = FIELD_POINTER,
                  .name = var->name,
                  .member = arena_printf(job->arena, "%svoid *%s", row->is_const ? "const " : "",
                                         var->name),
                  .local = outline_declare(job, row, declarator),
                  .strict = outline_declare(job, row, strict),
                  .value = arena_printf(job->arena, "(%svoid *)%s", row->is_const ? "const " : "",
                                        emit_outside_name(job, var)),
                  .var = var,
                  .object = capture->object,
                  .restricted = is_restricted(job, capture),
              });
}

/* Bytes of the stack that a region may take for one array more. */
enum { COPY_BYTES = 1 << 14 };

/*
 * A local array that no pointer leads to: the region has a copy of it. An address that leaves the
 * function anywhere is one that pointers may hold everywhere in it: the loop that runs serially
 * would load from memory what else stays in registers. Where the program takes that address the run
 * has to compare it with others.
 */
static bool is_copied(const struct outline *job, const struct capture *capture) {
    const struct variable *var = capture->var;
    const struct type *type = var->type;
    return emit_asks_first(job) && !job->passes && capture->object && capture->object->captured &&
           var->storage == STORAGE_LOCAL && type->kind == TYPE_ARRAY && !var->address_taken &&
           !type->is_const && !type->element->is_const && type->size > 0 &&
           type->size <= COPY_BYTES;
}

static void add_pointer(struct outline *job, const struct capture *capture,
                        const struct type *element) {
    const struct variable *var = capture->var;
    if (emit_type_has_vla(element)) {
        add_vla(job, capture, element);
        return;
    }
    const char *plain = outline_declare_first(job, var, "", var->name);
    add_field(job, (struct env_field){
                       .role = FIELD_POINTER,
                       .name = var->name,
                       .member = plain,
                       .local = plain,
                       .strict = outline_declare_first(job, var, "__restrict__ ", var->name),
                       .value = is_copied(job, capture)
                                    ? arena_printf(job->arena, "orrery_copy_%s", var->name)
                                    : emit_outside_name(job, var),
                       .var = var,
                       .object = capture->object,
                       .restricted = is_restricted(job, capture),
                       .copied = is_copied(job, capture),
                       .changed = is_written(job, var),
                   });
}

static void add_reference(struct outline *job, const struct capture *capture) {
    const struct variable *var = capture->var;
    const char *name = arena_printf(job->arena, "orrery_ref_%s", var->name);
    const char *plain = outline_declare_first(job, var, "", name);
    emit_addressed(job, var);
    add_field(job, (struct env_field){.role = FIELD_REFERENCE,
                                      .name = name,
                                      .member = plain,
                                      .local = plain,
                                      .value = arena_printf(job->arena, "&%s", var->name),
                                      .var = var,
                                      .object = capture->object});
}

static void add_value(struct outline *job, const struct capture *capture) {
    const struct variable *var = capture->var;
    const char *like = emit_declare_like(job, var);
    const char *plain = like ? like : outline_declare_plain(job, var->type, var->name);
    const char *fixed =
        var->type->is_const && !like ? outline_declare(job, var->type, var->name) : plain;
    add_field(job, (struct env_field){.role = FIELD_VALUE,
                                      .name = var->name,
                                      .member = plain,
                                      .local = fixed,
                                      .value = emit_outside_name(job, var),
                                      .var = var,
                                      .object = capture->object});
}

void emit_addressed(struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->naddressed; ++i)
        if (job->addressed[i] == var)
            return;
    if (var)
        ARENA_PUSH(job->arena, job->addressed, job->naddressed, var);
}

/* Where a variable stands that the body has a copy of: for guards. */
void emit_address_add(struct outline *job, const struct variable *var) {
    const char *name = arena_printf(job->arena, "orrery_at_%s", var->name);
    for (int i = 0; i < job->nfields; ++i)
        if (strcmp(job->fields[i].name, name) == 0)
            return;
    emit_addressed(job, var);
    add_field(job, (struct env_field){.role = FIELD_ADDRESS,
                                      .name = name,
                                      .member = arena_printf(job->arena, "const void *%s", name),
                                      .value = arena_printf(job->arena, "&%s", var->name)});
}

static bool is_record(const struct type *type) {
    return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* Whether a variable of this type can be handed over at all. */
static bool check_type(struct outline *job, const struct variable *var) {
    if (var->type->is_volatile || var->type->is_atomic)
        return emit_refuse(job, ORR2308, job->loop->header,
                           "the loop stays serial: `%s` is %s, and the body would see a copy of it",
                           var->name, var->type->is_volatile ? "volatile" : "atomic");
    if (is_written(job, var) && !is_record(var->type) && var->type->kind != TYPE_ARRAY &&
        var->type->kind != TYPE_VLA)
        return emit_refuse(job, ORR2308, job->loop->header,
                           "the loop stays serial: its body changes `%s`, which is neither private "
                           "to an iteration nor a reduction",
                           var->name);
    return true;
}

static bool add_capture(struct outline *job, const struct capture *capture) {
    const struct variable *var = capture->var;
    const struct type *type = var->type;
    if (!check_type(job, var))
        return false;
    if (type_is_array(type))
        add_pointer(job, capture, type->element);
    else if (type->kind == TYPE_POINTER && type->element->kind != TYPE_FUNCTION)
        add_pointer(job, capture, type->element);
    else if (is_record(type) && is_written(job, var))
        add_reference(job, capture);
    else
        add_value(job, capture);
    return !job->refused;
}

/* requires: emit_reductions_collect. */
bool emit_env_collect(struct outline *job) {
    for (int i = 0; i < job->facts->ncaptures; ++i) {
        const struct capture *capture = &job->facts->captures[i];
        const struct variable *var = capture->var;
        bool moves = inductions_has(job->facts, var) && !var->entry_of;
        if (var == job->loop->variable || moves || emit_is_private(job, var) ||
            emit_reduction_of(job, var) || !emit_is_outside(job, var) || emit_field_of(job, var) ||
            emit_is_constant(job, var))
            continue;
        if (!add_capture(job, capture))
            return false;
    }
    emit_moving_collect(job);
    return true;
}
