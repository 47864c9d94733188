/* Reductions and last values: what stands for them in the block, and where they are folded to. */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool refuse(struct outline *job, const struct reduction *reduction, const char *why) {
    return emit_refuse(job, ORR2307, reduction->range,
                       "the loop stays serial: %s `%s` cannot be given a copy per block: %s",
                       reduction_is_merged(reduction) ? "the relaxed" : "the reduction into",
                       reduction->object->name, why);
}

struct outside_check {
    const struct outline *job;
    bool ok;
};

static void visit_outside(void *data, struct expr *expr, struct expr *parent) {
    struct outside_check *check = data;
    (void)parent;
    if (expr->kind == EXPR_VAR &&
        (!emit_is_outside(check->job, expr->var) || expr->var == check->job->loop->variable))
        check->ok = false;
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT)
        check->ok = false;
}

/* Whether `expr` means the same at the loop's head as it does in the body. */
static bool is_outside_expr(const struct outline *job, struct expr *expr) {
    struct outside_check check = {job, true};
    emit_walk_expr(expr, NULL, visit_outside, &check);
    return check.ok;
}

bool emit_in_body(const struct outline *job, struct range range) {
    const struct range *body = &job->loop->body->range;
    return range.exact && range.begin.file == body->begin.file &&
           range.begin.offset >= body->begin.offset && range.end.offset <= body->end.offset;
}

/* The part of an access's lvalue that prints like `base`, or NULL. */
static struct expr *find_part(struct outline *job, struct expr *expr, const char *base) {
    for (; expr; expr = expr->nargs ? expr->args[0] : NULL)
        if (strcmp(expr_print(job->arena, expr), base) == 0)
            return expr;
    return NULL;
}

/* What of the access's text another name is to stand for, or NULL.
 * One number is all of it, however it is spelt. */
static struct expr *renamed_part(struct outline *job, const struct access *access,
                                 const char *base) {
    struct expr *part = access->via || !access->expr ? NULL : find_part(job, access->expr, base);
    const struct object *object = access->object;
    bool number = object->kind == OBJECT_SCALAR && object->element && access->field_offset == 0 &&
                  access->field_size == object->element->size;
    part = part || access->via || !number ? part : access->expr;
    return part && emit_in_body(job, part->range) && is_outside_expr(job, part) ? part : NULL;
}

struct expr *emit_rename_accesses(struct outline *job, const struct object *object,
                                  const char *base, const char *name) {
    struct expr *found = NULL;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object != object)
            continue;
        struct expr *part = renamed_part(job, access, base);
        if (!part)
            return NULL;
        text_edit_add(&job->renames, part->range.begin.offset, part->range.end.offset, name);
        found = part;
    }
    return found;
}

static bool can_rename(struct outline *job, const struct object *object, const char *base) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object != object)
            continue;
        if (!renamed_part(job, access, base))
            return false;
    }
    return true;
}

/* `m->grad`: m becomes a copy, in which that member leads to the row's own. */
static bool hold(struct outline *job, const struct variable *holder, const struct object *object,
                 struct emit_reduction *made) {
    if (holder->type->kind == TYPE_POINTER)
        outline_type_plain(job, holder->type->element);
    made->holder = holder;
    made->target = made->name = made->local = expr_print(job->arena, object->base);
    made->follows = emit_follows_pointer(object->base);
    return !job->refused;
}

static const struct access *first_access(const struct outline *job, int index) {
    for (int i = 0; i < job->facts->naccesses; ++i)
        if (job->facts->accesses[i].reduction == index)
            return &job->facts->accesses[i];
    return NULL;
}

/* The variable is the number, no array or structure that has it as one of its elements. */
static bool is_number(const struct variable *var) {
    return var->type->kind != TYPE_ARRAY && var->type->kind != TYPE_VLA &&
           var->type->kind != TYPE_STRUCT && var->type->kind != TYPE_UNION;
}

/* `loss`: the block's variable has the name of the user's. `m->loss`: its texts are replaced. */
static bool fill_scalar(struct outline *job, const struct reduction *reduction,
                        struct emit_reduction *made) {
    const struct object *object = reduction->object;
    const struct access *access = first_access(job, made->facts_index);
    bool named = object->base && object->base->kind == EXPR_VAR && object->captured;
    if (!access)
        return refuse(job, reduction, "a called function uses it");
    if (object->kind == OBJECT_SCALAR && object->var && is_number(object->var) &&
        (named || (!access->via && access->expr && access->expr->kind == EXPR_VAR))) {
        made->var = object->var;
        made->name = made->target = made->var->name;
    } else if (reduction->holder &&
               !can_rename(job, object, expr_print(job->arena, object->base))) {
        return hold(job, reduction->holder, object, made);
    } else if (access->via) {
        return refuse(job, reduction, "a called function uses it");
    } else {
        made->target = access->expr ? expr_print(job->arena, access->expr) : "";
        made->follows = emit_follows_pointer(access->expr);
        made->name = arena_printf(job->arena, "orrery_sum_%d", job->nreductions);
        if (!emit_rename_accesses(job, object, made->target, made->name))
            return refuse(job, reduction, "it is reached in more than one way");
    }
    made->local = outline_declare_plain(job, reduction->type, made->name);
    return true;
}

/* Element type, brackets and all, of the pointer that stands for the array `base`. */
static bool declare_copy(struct outline *job, const struct type *type,
                         struct emit_reduction *made) {
    const struct type *row = type->element;
    if (emit_type_has_vla(row)) {
        if (!made->var)
            return false;
        const char *bounds = emit_extents_add(job, made->var, row);
        while (row->kind == TYPE_VLA || row->kind == TYPE_ARRAY)
            row = row->element;
        made->local =
            outline_declare(job, row, arena_printf(job->arena, "(*%s)%s", made->name, bounds));
        return true;
    }
    made->local = outline_declare_pointer(job, row, "", made->name);
    if (!made->rows)
        made->strict = outline_declare_pointer(job, row, "__restrict__ ", made->name);
    return true;
}

/* A variable that is a structure: its name becomes an lvalue through a pointer to the copy. */
static bool fill_structure(struct outline *job, const struct reduction *reduction,
                           struct emit_reduction *made) {
    const struct variable *var = reduction->object->var;
    if (!var || var->type->kind != TYPE_STRUCT)
        return refuse(job, reduction, "it is reached in more than one way");
    made->var = var;
    made->reference = true;
    emit_addressed(job, var);
    made->name = arena_printf(job->arena, "orrery_ref_%s", var->name);
    made->target = arena_printf(job->arena, "&%s", var->name);
    made->size_text = arena_printf(job->arena, "%ldL", var->type->size);
    made->local = outline_declare_first(job, var, "", made->name);
    return true;
}

/* The bounds may have changed since it was declared: only sizeof has the bytes. */
static bool has_variable_length(const struct type *type) {
    while (type->kind == TYPE_ARRAY)
        type = type->element;
    return type->kind == TYPE_VLA;
}

/* What stands for the array in the body: its own name, or another in its place. False: no text. */
static bool name_array(struct outline *job, const struct object *object,
                       const struct variable *holder, struct emit_reduction *made) {
    const struct type *type = NULL;
    if (!made->rows)
        made->size_text = object->size_text;
    else if (object->table_step || object->inner_step)
        return emit_rows_rename(job, object, made);
    if (holder && !can_rename(job, object, expr_print(job->arena, object->base)))
        return hold(job, holder, object, made);
    if (object->captured && object->var) {
        made->var = object->var;
        made->name = made->target = object->var->name;
        type = object->var->type;
        made->measured = has_variable_length(type);
    } else if (object->base) {
        made->target = expr_print(job->arena, object->base);
        made->follows = emit_follows_pointer(object->base);
        made->name = arena_printf(job->arena, "orrery_sums_%d", job->nreductions);
        struct expr *part = emit_rename_accesses(job, object, made->target, made->name);
        type = part ? part->type : NULL;
    }
    bool walkable = type_is_address(type);
    return walkable && declare_copy(job, type, made);
}

static bool fill_array(struct outline *job, const struct reduction *reduction,
                       struct emit_reduction *made) {
    const struct object *object = reduction->object;
    if (object->kind == OBJECT_SCALAR && reduction->nfields)
        return fill_structure(job, reduction, made);
    if (object->kind != OBJECT_ARRAY && object->kind != OBJECT_POINTER &&
        object->kind != OBJECT_ROWS)
        return refuse(job, reduction, "its rows lie apart");
    if (!reduction->nfields && (!object->element || object->element->size != reduction->type->size))
        return refuse(job, reduction, "its elements have other fields, too");
    if (object->kind == OBJECT_ROWS && (made->merged || !emit_rows_fill(job, object, made)))
        return refuse(job, reduction, "its rows lie apart");
    return name_array(job, object, reduction->holder, made) ||
           refuse(job, reduction, "it is reached in more than one way");
}

/* Rows that members of the target's structures lead to: it may have several such. */
static bool is_of_members(const struct emit_reduction *made) {
    return made->rows && (made->object->table_step || made->object->inner_step);
}

static const struct emit_reduction *find_same(const struct outline *job,
                                              const struct emit_reduction *made) {
    for (int i = 0; i < job->nreductions && !is_of_members(made); ++i)
        if (!is_of_members(&job->reductions[i]) &&
            strcmp(job->reductions[i].target, made->target) == 0)
            return &job->reductions[i];
    return NULL;
}

static bool add_reduction(struct outline *job, int index) {
    const struct reduction *reduction = &job->facts->reductions[index];
    struct emit_reduction made = {.title = reduction->object->name,
                                  .object = reduction->is_array ? reduction->object : NULL,
                                  .op = emit_op_name(job->arena, reduction->op),
                                  .type = emit_number_name(reduction->type),
                                  .is_array = reduction->is_array,
                                  .merged = reduction_is_merged(reduction),
                                  .buffered = reduction->op == REDUCE_BUFFER,
                                  .facts_index = index};
    if (!made.type)
        return refuse(job, reduction, "its type is not a number the runtime knows");
    made.type_text = reduction->nfields ? arena_printf(job->arena, "char[%ld]", reduction->stride)
                                        : outline_type_plain(job, reduction->type);
    for (int f = 0; f < reduction->nfields; ++f)
        if (!emit_number_name(reduction->fields[f].type))
            return refuse(job, reduction, "its type is not a number the runtime knows");
    bool ok =
        made.is_array ? fill_array(job, reduction, &made) : fill_scalar(job, reduction, &made);
    if (!ok || job->refused)
        return false;
    if (!emit_nan_watch(job, index, &made))
        return refuse(job, reduction,
                      "a NaN would be taken by `m = m < x ? m : x`, whose text cannot be watched "
                      "here; `m = x < m ? x : m` passes it by");
    const struct emit_reduction *same = find_same(job, &made);
    if (same && (strcmp(same->op, made.op) != 0 || !made.var || same->holder ||
                 reduction->nfields || made.merged))
        return refuse(job, reduction, "it is updated in more than one way");
    if (!same)
        ARENA_PUSH(job->arena, job->reductions, job->nreductions, made);
    return !reduction_is_merged(reduction) || emit_merged_collect(job, index);
}

static bool add_last(struct outline *job, const struct variable *var) {
    if (type_is_array(var->type)) {
        emit_refuse(job, ORR2307, job->loop->header,
                    "the loop stays serial: the array `%s` is scratch space of an iteration, "
                    "and its last contents are used after the loop",
                    var->name);
        emit_refuse_fix(job, "keep what is used after the loop in an array with a row for each "
                             "iteration");
        return false;
    }
    struct emit_reduction made = {
        .title = var->name,
        .op = "ORRERY_LAST",
        .type = "ORRERY_BYTES",
        .name = var->name,
        .target = var->name,
        .local = outline_declare_plain(job, var->type, var->name),
        .type_text = outline_type_plain(job, var->type),
        .var = var,
        .last = true,
        .facts_index = -1,
    };
    emit_addressed(job, var);
    ARENA_PUSH(job->arena, job->reductions, job->nreductions, made);
    return !job->refused;
}

/* ---- scratch space --------------------------------------------------------------------------- */

static struct range place_of(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object == object)
            return access->via ? access->via->range : access->range;
    }
    return job->loop->header;
}

/* The rows that the loop touches, from the first on; NULL: how many there are is not known. */
static const char *touched_bytes(struct outline *job, const struct object *object) {
    const struct object_dim *outer = object->ndims > 0 ? &object->dims[0] : NULL;
    long least = object->element && object->element->size > 0 ? object->element->size : 1;
    if (!outer || !outer->extent_text || !outer->stride_text)
        return NULL;
    return arena_printf(job->arena, "orrery_at_least((long)(%s) * (long)(%s), %ldL)",
                        outer->extent_text, outer->stride_text, least);
}

/* `m->error`: a variable of the block in its place. */
static bool name_field(struct outline *job, const struct object *object,
                       const struct variable *holder, struct emit_reduction *made) {
    const struct expr *base = object->base;
    if (!base || !object->element)
        return false;
    made->target = expr_print(job->arena, base);
    made->follows = emit_follows_pointer(base);
    made->name = arena_printf(job->arena, "orrery_own_%d", job->nreductions);
    made->type_text = outline_type_plain(job, object->element);
    if (holder && !can_rename(job, object, made->target))
        return hold(job, holder, object, made);
    emit_addressed(job, emit_root(base));
    made->local = outline_declare_plain(job, object->element, made->name);
    return !job->refused && emit_rename_accesses(job, object, made->target, made->name);
}

static bool add_scratch(struct outline *job, const struct scratch *scratch) {
    const struct object *object = scratch->object;
    struct emit_reduction made = {.title = object->name,
                                  .op = scratch->last_value ? "ORRERY_LAST" : "ORRERY_PRIVATE",
                                  .type = "ORRERY_BYTES",
                                  .type_text = "char",
                                  .object = object,
                                  .is_array = object->kind != OBJECT_SCALAR,
                                  .last = true,
                                  .lost = !scratch->last_value,
                                  .facts_index = -1};
    if (object->kind == OBJECT_ROWS && !emit_rows_fill(job, object, &made))
        return emit_refuse(job, ORR2315, place_of(job, object),
                           "the loop stays serial: `%s` is scratch space of an iteration, but its "
                           "rows stand behind pointers in structures",
                           object->name);
    const struct variable *holder = facts_holder(job->facts, object);
    bool named = made.is_array ? name_array(job, object, holder, &made)
                               : name_field(job, object, holder, &made);
    if (!named || job->refused)
        return emit_refuse(job, ORR2315, place_of(job, object),
                           "the loop stays serial: `%s` is scratch space of an iteration, but its "
                           "text cannot be replaced by a copy's everywhere: reach it by its own "
                           "name in the loop's body",
                           object->name);
    if (made.is_array && !made.size_text && !made.measured && !scratch->whole) {
        made.size_text = touched_bytes(job, object);
        made.at_least = made.size_text != NULL;
    }
    ARENA_PUSH(job->arena, job->reductions, job->nreductions, made);
    return true;
}

/* What a stage carries from one iteration to the next: a copy that starts as the variable, and is
 * what it becomes. */
static bool add_carried(struct outline *job, const struct pipe_value *value) {
    if (!add_last(job, value->var))
        return false;
    struct emit_reduction *made = &job->reductions[job->nreductions - 1];
    made->op = "ORRERY_CARRIED";
    made->stage = value->home;
    return true;
}

bool emit_reductions_collect(struct outline *job) {
    for (int i = 0; i < job->facts->nreductions; ++i)
        if (first_access(job, i) &&
            !(job->facts->reductions[i].argmin ? emit_argmin_add(job, i) : add_reduction(job, i)))
            return false;
    for (int i = 0; i < job->facts->nscratches; ++i)
        if (!add_scratch(job, &job->facts->scratches[i]))
            return false;
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct private_var *private = &job->facts->privates[i];
        if (private->last_value && emit_is_outside(job, private->var) &&
            private->var != job->loop->variable && !add_last(job, private->var))
            return false;
    }
    const struct plan_pipe *pipe = job->plan->pipe;
    for (int i = 0; pipe && i < pipe->nvalues; ++i)
        if (pipe->values[i].carried && !add_carried(job, &pipe->values[i]))
            return false;
    return true;
}
