/* What an outline says of a variable, an object, a reduction. */
#include "scheduler/base/guard.h"
#include "scheduler/outline/outline.h"

#include <string.h>

const struct env_field *emit_field_of(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->nfields; ++i)
        if (job->fields[i].var == var && job->fields[i].role != FIELD_EXTENT)
            return &job->fields[i];
    return NULL;
}

bool emit_is_private(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->nprivates; ++i)
        if (job->facts->privates[i].var == var)
            return true;
    return false;
}

/* What the header's initial part declares is there at the call. */
bool emit_is_outside(const struct outline *job, const struct variable *var) {
    const struct range *loop = &job->loop->body->range;
    return var->range.begin.file != loop->begin.file ||
           var->range.begin.offset < loop->begin.offset ||
           var->range.begin.offset >= loop->end.offset;
}

static bool is_guarded(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->nguards; ++i) {
        const struct guard *guard = &job->facts->guards[i];
        if ((guard->a && guard->a->var == var) || (guard->b && guard->b->var == var))
            return true;
    }
    return false;
}

/* Defined in front of the function, and of no other file. */
static bool is_named_there(const struct outline *job, const struct variable *var) {
    const struct range *function = &job->loop->function->range;
    bool own = var->storage == STORAGE_STATIC || (var->storage == STORAGE_GLOBAL && var->init);
    return own && !var->is_extern && !var->is_alias &&
           (var->range.begin.file != function->begin.file ||
            var->range.begin.offset < function->begin.offset);
}

static bool is_fixed_array(const struct type *type) {
    bool is_const = type->is_const;
    if (type->kind != TYPE_ARRAY)
        return false;
    for (; type->kind == TYPE_ARRAY; type = type->element)
        is_const = is_const || type->element->is_const;
    return type_is_number(type) && !type->is_volatile && !type->is_atomic && is_const;
}

bool emit_is_constant(const struct outline *job, const struct variable *var) {
    if (!var || !emit_is_automatic(job) || job->standalone || !is_named_there(job, var))
        return false;
    bool unchanged = var->storage == STORAGE_STATIC && var->type->kind == TYPE_ARRAY &&
                     var->writes == 0 && !var->address_taken;
    return (unchanged || is_fixed_array(var->type)) && !is_guarded(job, var);
}

const struct argmin *emit_argmin_of(const struct outline *job, int j) {
    int index = job->reductions[j].facts_index;
    return index < 0 ? NULL : job->facts->reductions[index].argmin;
}

bool emit_is_argmin(const struct outline *job, int j) {
    return emit_argmin_of(job, j) != NULL;
}

static bool emit_chooses(const struct outline *job, int j, const struct variable *var) {
    const struct argmin *argmin = emit_argmin_of(job, j);
    for (int m = 0; argmin && m < argmin->nmembers; ++m)
        if (argmin->members[m] == var)
            return true;
    return false;
}

const struct emit_reduction *emit_reduction_of(const struct outline *job,
                                               const struct variable *var) {
    for (int i = 0; i < job->nreductions; ++i)
        if (job->reductions[i].var == var || emit_chooses(job, i, var))
            return &job->reductions[i];
    return NULL;
}

const char *emit_op_name(struct arena *arena, enum reduction_op op) {
    const struct reduction_operator *row = reduction_operator(op);
    return row                   ? arena_printf(arena, "ORRERY_%s", row->name)
           : op == REDUCE_RELAX  ? "ORRERY_RELAXED"
           : op == REDUCE_BUFFER ? "ORRERY_BUFFERED"
                                 : NULL;
}

bool emit_is_long_double(const struct type *type) {
    return type->kind == TYPE_FLOAT && strstr(type->spelling, "long double");
}

/* The runtime's name of a scalar type, or NULL. */
const char *emit_number_name(const struct type *type) {
    static const char *const integers[][2] = {{"ORRERY_U8", "ORRERY_I8"},
                                              {"ORRERY_U16", "ORRERY_I16"},
                                              {"ORRERY_U32", "ORRERY_I32"},
                                              {"ORRERY_U64", "ORRERY_I64"}};
    int power = type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 4 ? 2 : 3;
    if (type->kind == TYPE_BOOL)
        return "ORRERY_U8";
    if (type->kind == TYPE_INT && type->size == 1l << power)
        return integers[power][type->is_signed];
    if (type->kind != TYPE_FLOAT)
        return NULL;
    if (emit_is_long_double(type))
        return "ORRERY_F80";
    return type->size == 4 ? "ORRERY_F32" : type->size == 8 ? "ORRERY_F64" : NULL;
}

bool emit_argmin_by_index(const struct outline *job) {
    bool chooses = false;
    for (int i = 0; i < job->facts->nreductions; ++i)
        chooses |= job->facts->reductions[i].argmin != NULL;
    return chooses && job->plan->by_key && !job->plan->analysis->unordered;
}

int emit_dim(const struct outline *job, int dim) {
    return plan_grid_dim(job->plan, dim);
}

int emit_array_index(const struct outline *job, const struct object *object) {
    for (int i = 0; i < job->narrays; ++i)
        if (job->arrays[i]->object == object)
            return i;
    return -1;
}

static bool covers(const struct range *site, const struct range *range) {
    return site->begin.file == range->begin.file && site->begin.offset <= range->begin.offset &&
           site->end.offset >= range->end.offset;
}

static bool in_some_site(const struct outline *job, const struct access *access) {
    for (int i = 0; i < job->nslots; ++i)
        for (int s = 0; s < job->slots[i].load->nsites; ++s)
            if (covers(&job->slots[i].load->sites[s], &access->range))
                return true;
    return false;
}

bool emit_is_streamed(const struct outline *job, const struct object *object) {
    if (!job->plan->by_key || object->written)
        return false;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (access->object == object && !in_some_site(job, access))
            return false;
    }
    return true;
}

/* A scalar that the body has a copy of. */
bool emit_is_copied(const struct outline *job, const struct object *object) {
    const struct env_field *field = object->var ? emit_field_of(job, object->var) : NULL;
    return object->kind == OBJECT_SCALAR && ((field && field->role == FIELD_VALUE) ||
                                             (object->var && emit_reduction_of(job, object->var)) ||
                                             (object->var && emit_is_private(job, object->var)));
}

const char *emit_outside_name(const struct outline *job, const struct variable *var) {
    if (var->entry_of == job->loop->variable && var->entry_of && !emit_is_moving(job))
        return "orrery_first";
    return var->entry_of ? var->entry_of->name : var->name;
}

bool emit_is_moving(const struct outline *job) {
    const struct loop *loop = job->loop;
    const struct stmt *init = loop->init;
    const struct expr *set = init && init->kind == STMT_EXPR ? init->expr : NULL;
    bool several = init && init->kind == STMT_DECL && init->nvars != 1;
    several |= set && (set->kind != EXPR_ASSIGN || set->args[1]->kind == EXPR_ASSIGN);
    return loop->form != LOOP_FOR || loop->steps_in_body || !loop->lower || several ||
           job->facts->by_number || job->facts->ninductions > 0;
}

bool emit_has_intervals(const struct outline *job) {
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].intervals && !emit_guard_is_repeated(job->facts, i))
            return true;
    return false;
}

bool emit_has_key_ranges(const struct outline *job) {
    for (int i = 0; i < job->facts->nguards; ++i)
        if (job->facts->guards[i].kind == GUARD_KEY_RANGE)
            return true;
    return false;
}

bool emit_is_automatic(const struct outline *job) {
    return !loop_is_marked(job->loop);
}

bool emit_falls_back(const struct outline *job) {
    return job->allow_fallback || emit_is_automatic(job);
}

int emit_fallback(const struct outline *job) {
    return emit_is_automatic(job) ? 2 : emit_falls_back(job);
}

bool emit_is_served(const struct outline *job, int j) {
    return job->reductions[j].merged && job->reductions[j].object &&
           plan_is_served(job->plan, job->reductions[j].object);
}

int emit_serve_touch(const struct outline *job, int j) {
    for (int t = 0; emit_is_served(job, j) && t < job->plan->ntouches; ++t)
        if (job->plan->touches[t].object == job->reductions[j].object)
            return t;
    return -1;
}

const struct record_slot *emit_key_slot(const struct outline *job, int dim) {
    const struct dim *d = &job->plan->analysis->dims[dim];
    for (int i = 0; i < job->nslots; ++i)
        if (job->slots[i].load->key == d->symbol)
            return &job->slots[i];
    return NULL;
}

bool emit_follows_pointer(const struct expr *expr) {
    if (!expr || expr->kind == EXPR_SIZEOF)
        return false;
    bool follows = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT;
    for (int i = 0; i < expr->nargs && !follows; ++i)
        follows = emit_follows_pointer(expr->args[i]);
    return follows;
}

bool emit_chooses_behind(const struct outline *job, const struct emit_reduction *r) {
    const struct argmin *argmin =
        r->facts_index >= 0 ? job->facts->reductions[r->facts_index].argmin : NULL;
    for (int m = 0; argmin && m < argmin->nmembers; ++m)
        if (argmin->places[m])
            return true;
    return false;
}

bool emit_has_sections(const struct outline *job) {
    bool all = job->plan->strategy == STRATEGY_WAVEFRONT || job->plan->by_sections;
    for (int i = 0; i < job->narrays; ++i)
        all = all && job->arrays[i]->placement != PLACE_UNPLACED;
    return all;
}

/* The reduction into an object, or into what its variable leads to, as a whole; -1: none. */
int emit_array_reduction(const struct outline *job, const struct object *object) {
    int found = -1;
    for (int j = 0; found < 0 && j < job->nreductions; ++j)
        if (job->reductions[j].is_array && job->reductions[j].object == object)
            found = j;
    for (int j = 0; found < 0 && object->var && j < job->nreductions; ++j)
        if (job->reductions[j].is_array && job->reductions[j].var == object->var)
            found = j;
    return found;
}

bool emit_has_base(const struct outline *job, const struct object *object) {
    return emit_array_reduction(job, object) < 0 && !emit_is_copied(job, object) &&
           (object->base || object->var);
}

bool emit_has_reach(const struct outline *job, const struct object *object) {
    const struct object_dim *outer = object->ndims > 0 ? &object->dims[0] : NULL;
    bool known =
        object->kind == OBJECT_POINTER && outer && outer->extent_text && outer->stride_text;
    bool all = true, some = false;
    for (int i = 0; known && i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        all = all && (access->object != object || !access->conditional);
        some = some || (access->object == object && !access->conditional);
    }
    return known && (all || (some && outer->single));
}
