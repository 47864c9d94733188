/* Which objects of the loop are arrays to the runtime. */
#include "analyzer/analyzer.h"
#include "scheduler/outline/collect.h"

static bool is_reduced(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->nreductions; ++i)
        if (job->facts->reductions[i].object == object)
            return true;
    return false;
}

/* Members that are only read, of structures that blocks have copies of for others. */
static bool is_in_copies(const struct outline *job, const struct object *object) {
    return object->var && !object->written && object->kind != OBJECT_ROWS &&
           emit_reduction_of(job, object->var);
}

/* An object that only a guard speaks of: its address and size are all that is wanted. */
static bool add_guarded(struct outline *job, const struct guard *guard, struct object *object) {
    if (!object || guard->kind == GUARD_CONDITION || emit_array_index(job, object) >= 0)
        return true;
    if (!object->base && !object->var)
        return emit_refuse(job, ORR2310, job->loop->header,
                           "the loop stays serial: `%s` would have to be checked at run time, and "
                           "`%s` has no address then",
                           guard->text, object->name);
    if (emit_is_copied(job, object))
        emit_address_add(job, object->var);
    struct plan_array *array = arena_alloc(job->arena, sizeof *array);
    *array = (struct plan_array){.object = object, .placement = PLACE_PRIVATE, .dim = -1};
    ARENA_PUSH(job->arena, job->arrays, job->narrays, array);
    return true;
}

/*
 * The pointer to the structure that holds the object: `m` of m->a.b, `m->W` of m->W->cols. NULL:
 * the object is not reached through one.
 */
static const struct expr *holder_of(const struct outline *job, const struct object *object) {
    const struct expr *base = object->base;
    while (base && base->kind == EXPR_MEMBER)
        base = base->args[0];
    if (!base || base->kind != EXPR_DEREF)
        return NULL;
    const struct expr *pointer = base->args[0];
    const struct type *type = pointer->type;
    if (!type || type->kind != TYPE_POINTER || type->element->size <= 0)
        return NULL;
    if (pointer->kind == EXPR_MEMBER)
        return pointer;
    const struct env_field *field =
        pointer->kind == EXPR_VAR ? emit_field_of(job, pointer->var) : NULL;
    return field && field->role == FIELD_POINTER ? pointer : NULL;
}

static const struct expr *either(struct outline *job, const struct expr *a, const struct expr *b) {
    struct expr *e = arena_alloc(job->arena, sizeof *e);
    *e = *a;
    e->kind = EXPR_OR;
    e->nargs = 2;
    e->args = arena_alloc(job->arena, 2 * sizeof *e->args);
    e->args[0] = (struct expr *)a;
    e->args[1] = (struct expr *)b;
    return e;
}

/* The structure is read where any of its members is. */
static void set_when(struct outline *job, const struct expr *pointer, struct object *holder) {
    bool first = true;
    holder->surely = true;
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct object *object = job->facts->objects[i];
        const struct expr *of = holder_of(job, object);
        if (!of || !expr_equal(of, pointer))
            continue;
        holder->surely = holder->surely && object->surely;
        if (first || facts_implies(holder->when, object->when))
            holder->when = object->when;
        else if (!facts_implies(object->when, holder->when))
            holder->when = either(job, holder->when, object->when);
        first = false;
    }
}

static bool is_holder_written(const struct outline *job, const struct expr *pointer) {
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct object *object = job->facts->objects[i];
        const struct expr *holder = holder_of(job, object);
        if (object->written && object->kind == OBJECT_SCALAR && !is_reduced(job, object) &&
            !depend_is_private(job->facts, object) && holder && expr_equal(holder, pointer))
            return true;
    }
    return false;
}

static bool is_base_of(const struct object *object, const struct expr *pointer) {
    if (object->kind != OBJECT_POINTER)
        return false;
    return pointer->kind == EXPR_VAR && object->captured
               ? object->var == pointer->var
               : object->base && expr_equal(object->base, pointer);
}

static void add_holder(struct outline *job, const struct expr *pointer) {
    struct plan_array *array = arena_alloc(job->arena, sizeof *array);
    struct object *object = arena_alloc(job->arena, sizeof *object);
    bool variable = pointer->kind == EXPR_VAR;
    for (int i = 0; i < job->narrays; ++i)
        if (is_base_of(job->arrays[i]->object, pointer))
            return;
    *object = (struct object){
        .kind = OBJECT_POINTER,
        .name = arena_printf(job->arena, "*%s", expr_print(job->arena, pointer)),
        .var = variable ? pointer->var : NULL,
        .base = variable ? NULL : (struct expr *)pointer,
        .element = pointer->type->element,
        .read = true,
        .written = is_holder_written(job, pointer),
        .captured = variable,
        .size_text = arena_printf(job->arena, "%ld", pointer->type->element->size),
    };
    set_when(job, pointer, object);
    *array = (struct plan_array){.object = object, .dim = -1};
    array->placement = object->written ? PLACE_UNPLACED : PLACE_REPLICATED;
    ARENA_PUSH(job->arena, job->arrays, job->narrays, array);
}

/* Arrays inside of the structure are objects of their own, which stay where they are. */
static bool holds_arrays(const struct outline *job, const struct expr *pointer) {
    for (int i = 0; i < job->narrays; ++i) {
        const struct object *object = job->arrays[i]->object;
        const struct expr *holder = object->kind == OBJECT_POINTER && object->base &&
                                            object->base->type &&
                                            object->base->type->kind == TYPE_ARRAY
                                        ? holder_of(job, object)
                                        : NULL;
        if (holder && expr_equal(holder, pointer))
            return true;
    }
    return false;
}

static void add_member(struct outline *job, struct object *object) {
    struct plan_array *array = arena_alloc(job->arena, sizeof *array);
    *array = (struct plan_array){.object = object, .dim = -1};
    array->placement = object->written ? PLACE_UNPLACED : PLACE_REPLICATED;
    ARENA_PUSH(job->arena, job->arrays, job->narrays, array);
}

/* Is it reached through a pointer: `p[2].a`, `(p + 2)->a`, `*p`, and not a part of a variable? */
static bool is_pointed_to(const struct object *object) {
    const struct expr *e = object->base;
    while (e && (e->kind == EXPR_MEMBER || e->kind == EXPR_CAST || e->kind == EXPR_ADDRESS ||
                 (e->kind == EXPR_SUBSCRIPT && e->args[0]->type &&
                  e->args[0]->type->kind == TYPE_ARRAY)))
        e = e->args[0];
    return e && (e->kind == EXPR_DEREF || e->kind == EXPR_SUBSCRIPT);
}

/*
 * The pointer through which the text reaches a few bytes in a way of its own (`*&p[5].a`): the
 * object's base is that pointer, not the place. NULL: the base says the place.
 */
static const struct expr *viewed_through(const struct object *object) {
    const struct type *type = object->base ? object->base->type : NULL;
    if (!type || type->kind != TYPE_POINTER || object->kind != OBJECT_SCALAR || !object->element)
        return NULL;
    bool itself = type_is_alike(type, object->element) &&
                  type_is_alike(type->element, object->element->element);
    return itself ? NULL : object->base;
}

/* All that it points to: of what it points into nothing else is known. */
static void add_viewed(struct outline *job, const struct object *viewed,
                       const struct expr *pointer) {
    struct object *object = arena_alloc(job->arena, sizeof *object);
    struct plan_array *array = arena_alloc(job->arena, sizeof *array);
    bool variable = pointer->kind == EXPR_VAR;
    *object = (struct object){
        .kind = OBJECT_POINTER,
        .name = expr_print(job->arena, pointer),
        .var = variable ? pointer->var : NULL,
        .base = variable ? NULL : (struct expr *)pointer,
        .element = pointer->type->element,
        .read = true,
        .written = viewed->written,
        .captured = variable,
        .when = viewed->when,
        .surely = viewed->surely,
    };
    *array = (struct plan_array){.object = object, .dim = -1};
    array->placement = viewed->written ? PLACE_UNPLACED : PLACE_REPLICATED;
    ARENA_PUSH(job->arena, job->arrays, job->narrays, array);
}

/*
 * Members of structures behind pointers, and single elements, which plans do not speak of: the body
 * reads them on every rank, so the structure is an array of one element, or the element is.
 */
static void add_members(struct outline *job) {
    for (int i = 0; i < job->facts->nobjects; ++i) {
        struct object *object = job->facts->objects[i];
        const struct expr *pointer = holder_of(job, object), *view = viewed_through(object);
        if (object->kind != OBJECT_SCALAR || !(pointer || view || is_pointed_to(object)) ||
            emit_array_index(job, object) >= 0 || is_reduced(job, object) ||
            emit_is_streamed(job, object) || (!pointer && depend_is_private(job->facts, object)))
            continue;
        if (view)
            add_viewed(job, object, view);
        else if (!pointer || holds_arrays(job, pointer))
            add_member(job, object);
        else
            add_holder(job, pointer);
    }
}

static bool is_value(const struct plan_pipe *pipe, const struct object *object) {
    for (int i = 0; i < pipe->nvalues; ++i)
        if (object->kind == OBJECT_SCALAR && pipe->values[i].var == object->var)
            return true;
    return false;
}

/* Whatever else a stage writes stays where it is: in one rank. */
static void add_written(struct outline *job) {
    const struct plan_pipe *pipe = job->plan->pipe;
    for (int i = 0; pipe && i < job->facts->nobjects; ++i) {
        struct object *object = job->facts->objects[i];
        if (object->written && emit_array_index(job, object) < 0 && !is_value(pipe, object) &&
            !depend_is_private(job->facts, object))
            add_member(job, object);
    }
}

/* Nothing outside of a called function can name its static variables. */
static bool have_names(struct outline *job) {
    for (int i = 0; i < job->facts->nobjects; ++i) {
        const struct variable *var = job->facts->objects[i]->var;
        if (var && var->storage == STORAGE_STATIC_LOCAL && var->function != job->loop->function) {
            emit_refuse(job, ORR2288, job->loop->header,
                        "the loop stays serial: it uses `%s`, a static variable of the function "
                        "`%s`, which nothing outside of that can name",
                        var->name, var->function ? var->function->name : "called");
            emit_refuse_fix(job, arena_printf(job->arena, "declare `%s` at file scope", var->name));
            return false;
        }
    }
    return true;
}

/* requires: emit_record_collect. */
bool emit_arrays_collect(struct outline *job) {
    if (!have_names(job))
        return false;
    for (int i = 0; i < job->plan->narrays; ++i) {
        const struct plan_array *array = &job->plan->arrays[i];
        if (array->placement == PLACE_PRIVATE || array->placement == PLACE_SERVED ||
            emit_is_copied(job, array->object) || emit_is_streamed(job, array->object) ||
            is_in_copies(job, array->object) || emit_is_constant(job, array->object->var))
            continue;
        ARENA_PUSH(job->arena, job->arrays, job->narrays, array);
    }
    add_members(job);
    add_written(job);
    for (int i = 0; i < job->facts->nguards; ++i) {
        const struct guard *guard = &job->facts->guards[i];
        if (!add_guarded(job, guard, guard->a) || !add_guarded(job, guard, guard->b))
            return false;
    }
    return true;
}
