/*
 * Has a kernel words for all of the loop? Goes through what is printed, in the same order, and
 * notes which structures, functions and pointers the text names. The first thing without words
 * refuses the loop.
 */
#include "scheduler/gpu/gpu.h"
#include "scheduler/outline/collect.h"

/* Where the check is. */
struct check {
    struct gpu_kernel *k;           /* what is met is noted there */
    struct outline *job;            /* refusals go there */
    const struct function *of;      /* the function whose body is checked; NULL: the loop's body */
    const struct gpu_lanes *inside; /* the assigned loop whose body is; NULL: none */
    const struct expr *collecting;  /* the write of a buffered array that is; NULL: none */
    int ncalls;                     /* functions that are open, and may not be called again */
    const struct function **calls;  /* ... */
    int ncollected;                 /* writes of buffered arrays that were met */
    const struct expr **collected;  /* ... */
};

static void check_expr(struct check *c, const struct expr *expr);
static void check_stmt(struct check *c, const struct stmt *stmt, enum gpu_form form);

/* ---- types ----------------------------------------------------------------------------------- */

static void refuse_type(struct check *c, const struct type *type, const char *why) {
    emit_refuse(c->job, ORR2461, c->job->loop->header,
                "the loop cannot run on a GPU: its body uses the type `%s`%s", type->spelling, why);
}

static void check_type(struct check *c, const struct type *type);

static bool is_known(const struct check *c, const struct record *record) {
    for (int i = 0; i < c->k->nrecords; ++i)
        if (c->k->records[i]->record == record)
            return true;
    return false;
}

static void number_record(struct unit *unit, const struct record *record) {
    for (int i = 0; i < unit->nunnamed; ++i)
        if (unit->unnamed[i] == record)
            return;
    ARENA_PUSH(unit->arena, unit->unnamed, unit->nunnamed, record);
}

/* A pointer inside of a structure is the host's: nobody follows it. */
static void check_record(struct check *c, const struct type *type) {
    const struct record *record = type->record;
    if (!record || type->size <= 0) {
        refuse_type(c, type, ", which is not known here");
        return;
    }
    if (is_known(c, record))
        return;
    if (!gpu_tag(record))
        number_record(c->job->unit, record);
    for (int i = 0; i < record->nfields; ++i) {
        if (!record->fields[i].name) {
            refuse_type(c, type, ", which has a member without a name");
            return;
        }
        if (record->fields[i].type->kind != TYPE_POINTER)
            check_type(c, record->fields[i].type);
    }
    ARENA_PUSH(c->k->arena, c->k->records, c->k->nrecords, type);
}

static void check_base(struct check *c, const struct type *type) {
    switch (type->kind) {
    case TYPE_VOID:
    case TYPE_BOOL:
        return;
    case TYPE_INT:
        if (!gpu_integer(type))
            refuse_type(c, type, "");
        return;
    case TYPE_FLOAT:
        if (type->size != 4 && type->size != 8)
            refuse_type(c, type, ", which a GPU has not got");
        return;
    case TYPE_STRUCT:
    case TYPE_UNION:
        check_record(c, type);
        return;
    case TYPE_VLA:
        refuse_type(c, type, ", an array of variable length");
        return;
    default:
        refuse_type(c, type, "");
    }
}

static void check_type(struct check *c, const struct type *type) {
    if (type->is_volatile || type->is_atomic)
        refuse_type(c, type, "");
    else if (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
        check_type(c, type->element);
    else
        check_base(c, type);
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool holds_pointer(const struct type *type) {
    if (type->kind == TYPE_POINTER)
        return true;
    return type->kind == TYPE_ARRAY && holds_pointer(type->element);
}

/* The array is on the device, and its base in the environment is the device's. */
static bool is_placed(const struct outline *job, const struct env_field *field) {
    int at = field->object ? emit_array_index(job, field->object) : -1;
    return at >= 0 && field->object->captured && field->object->kind != OBJECT_ROWS &&
           job->arrays[at]->placement != PLACE_PRIVATE;
}

static bool is_reduced(const struct outline *job, const struct variable *var) {
    const struct emit_reduction *reduction = emit_reduction_of(job, var);
    return reduction && !reduction->reference;
}

static void note_pointer(struct check *c, const struct variable *var) {
    for (int i = 0; i < c->k->npointers; ++i)
        if (c->k->pointers[i] == var)
            return;
    ARENA_PUSH(c->k->arena, c->k->pointers, c->k->npointers, var);
    check_type(c, var->type->element);
}

/* The variable is the body's own, or the called function's. */
static bool is_own(const struct check *c, const struct variable *var) {
    bool local = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    if (c->of)
        return local && var->function == c->of;
    return is_reduced(c->job, var) ||
           (local && (!emit_is_outside(c->job, var) || var == c->job->loop->variable ||
                      emit_is_private(c->job, var)));
}

/* Is the variable one that the kernel has? */
static void check_variable(struct check *c, const struct expr *expr) {
    const struct variable *var = expr->var;
    const struct env_field *field = c->of ? NULL : emit_field_of(c->job, var);
    if (is_own(c, var) || (field && field->role == FIELD_VALUE && !holds_pointer(var->type)))
        return;
    if (field && field->role == FIELD_POINTER && is_placed(c->job, field)) {
        note_pointer(c, var);
        return;
    }
    emit_refuse(c->job, ORR2463, expr->range,
                "the loop cannot run on a GPU: its body uses `%s`, %s", var->name,
                field ? "which cannot be copied there: it is no array that lies behind a "
                        "pointer of the function's own"
                      : "a variable of the file");
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void refuse_call(struct check *c, const struct expr *call, const char *why) {
    emit_refuse(c->job, ORR2464, call->range, "the loop cannot run on a GPU: it calls `%s`, %s",
                call->function ? call->function->name : "a function through a pointer", why);
}

static bool is_listed(const struct function *f, int count, const struct function **list) {
    for (int i = 0; i < count; ++i)
        if (list[i] == f)
            return true;
    return false;
}

static void check_function(struct check *c, const struct function *f) {
    const struct function *of = c->of;
    const struct gpu_lanes *inside = c->inside;
    ARENA_PUSH(c->k->arena, c->calls, c->ncalls, f);
    c->of = f;
    c->inside = NULL;
    check_type(c, f->result);
    for (int i = 0; i < f->nparams; ++i)
        check_type(c, f->params[i]->type);
    for (int i = 0; i < f->body->nbody; ++i)
        check_stmt(c, f->body->body[i], GPU_SERIAL);
    c->of = of;
    c->inside = inside;
    --c->ncalls;
    ARENA_PUSH(c->k->arena, c->k->functions, c->k->nfunctions, f);
}

/* What is assigned to something of type `to`: pointers are cast. */
static void check_value(struct check *c, const struct expr *expr, const struct type *to) {
    check_expr(c, expr);
    if (gpu_is_cast(expr, to))
        check_type(c, to);
}

static void check_arguments(struct check *c, const struct expr *call) {
    const struct function *f = call->function;
    for (int i = 0; i < call->nargs; ++i)
        check_value(c, call->args[i], i < f->nparams ? f->params[i]->type : NULL);
}

static void check_call(struct check *c, const struct expr *call) {
    const struct function *f = call->function;
    if (!f) {
        refuse_call(c, call, "and which one that is is not known");
    } else if (gpu_constant(call)) {
        return;
    } else if (gpu_is_common(f)) {
        check_arguments(c, call);
    } else if (!f->body) {
        refuse_call(c, call, "which is defined elsewhere and not one that CUDA has");
    } else if (f->is_variadic) {
        refuse_call(c, call, "which takes any number of arguments");
    } else if (is_listed(f, c->ncalls, c->calls)) {
        refuse_call(c, call, "which calls itself");
    } else {
        check_arguments(c, call);
        if (!is_listed(f, c->k->nfunctions, c->k->functions) && gpu_locals_fit(c->job, f->body))
            check_function(c, f);
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void refuse_expr(struct check *c, const struct expr *expr, const char *what) {
    emit_refuse(c->job, ORR2462, expr->range, "the loop cannot run on a GPU: its body has %s",
                what);
}

/* A pointer that was loaded from memory points to the host's. */
static bool is_loaded_pointer(const struct expr *expr) {
    bool load =
        expr->kind == EXPR_MEMBER || expr->kind == EXPR_SUBSCRIPT || expr->kind == EXPR_DEREF;
    return load && expr->type && expr->type->kind == TYPE_POINTER;
}

static bool is_scalar(const struct type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_BOOL;
}

/* By position, with the conversions that C++ does not make. */
static void check_list(struct check *c, const struct expr *expr) {
    const struct type *type = expr->type;
    const struct record *record = type ? type->record : NULL;
    bool fits = type && !(record && record->is_union) && (record || type->kind == TYPE_ARRAY);
    for (int i = 0; fits && i < expr->nargs; ++i) {
        const struct type *to =
            record && i < record->nfields ? record->fields[i].type : type->element;
        const struct expr *arg = expr->args[i];
        fits = to && (arg || is_scalar(to));
        if (fits && arg && is_scalar(to))
            check_type(c, to);
        if (fits && arg)
            check_value(c, arg, to);
    }
    if (!fits)
        refuse_expr(c, expr, "an initialiser that cannot be repeated there");
}

/* An anonymous structure's member follows at once. */
static void check_member(struct check *c, const struct expr *expr) {
    const struct expr *base = expr->args[0];
    while (base->kind == EXPR_MEMBER && base->field && !base->field->name) {
        expr = base;
        base = expr->args[0];
    }
    check_expr(c, expr->arrow && base->kind == EXPR_DEREF ? base->args[0] : base);
}

static void check_parts(struct check *c, const struct expr *expr) {
    for (int i = 0; i < expr->nargs; ++i)
        if (expr->args[i])
            check_expr(c, expr->args[i]);
}

static void check_kind(struct check *c, const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_VAR:
        check_variable(c, expr);
        break;
    case EXPR_INT:
        break;
    case EXPR_FLOAT:
        if (expr->type && expr->type->size > 8)
            refuse_expr(c, expr, "a constant of type long double");
        break;
    case EXPR_CAST:
        if (!gpu_is_rounded(expr)) {
            check_type(c, expr->type);
            check_parts(c, expr);
        }
        break;
    case EXPR_CALL:
        check_call(c, expr);
        break;
    case EXPR_ASSIGN:
        check_expr(c, expr->args[0]);
        check_value(c, expr->args[1], expr->op == OP_NONE ? expr->args[0]->type : NULL);
        break;
    case EXPR_INIT:
        check_list(c, expr);
        break;
    case EXPR_MEMBER:
        check_member(c, expr);
        break;
    case EXPR_CONDITIONAL:
        if (!expr->args[1])
            refuse_expr(c, expr, "`?:` without its middle");
        check_parts(c, expr);
        break;
    case EXPR_STRING:
        refuse_expr(c, expr, "a string");
        break;
    case EXPR_FUNCTION:
        refuse_expr(c, expr, "a pointer to a function");
        break;
    case EXPR_SIZEOF:
        refuse_expr(c, expr, "the size of an array of variable length");
        break;
    case EXPR_COMPOUND:
        refuse_expr(c, expr, "a compound literal");
        break;
    case EXPR_UNKNOWN:
        refuse_expr(c, expr, expr->text ? expr->text : "something unknown");
        break;
    default:
        check_parts(c, expr);
        break;
    }
}

static void check_expr(struct check *c, const struct expr *expr) {
    int buffer = c->of ? -1 : gpu_buffer_of(c->job, expr);
    if (!c->of && gpu_slot_of(c->job, expr))
        return;
    if (buffer >= 0 && c->collecting != expr) {
        const struct loop_facts *facts = c->job->facts;
        ARENA_PUSH(c->k->arena, c->collected, c->ncollected, expr);
        check_type(c, facts->reductions[c->job->reductions[buffer].facts_index].type);
        c->collecting = expr;
        check_expr(c, expr);
        c->collecting = NULL;
        return;
    }
    if (!is_loaded_pointer(expr)) {
        check_kind(c, expr);
        return;
    }
    emit_refuse(c->job, ORR2463, expr->range,
                "the loop cannot run on a GPU: `%s` is a pointer that stands in memory, and "
                "what it points to is not copied there",
                expr_print(c->k->arena, expr));
}

/* ---- statements ------------------------------------------------------------------------------ */

static void refuse_stmt(struct check *c, const struct stmt *stmt, const char *what) {
    emit_refuse(c->job, ORR2462, stmt->range, "the loop cannot run on a GPU: its body has %s",
                what);
}

/* Bytes of a lane's own memory for the arrays and structures of one function. */
enum { LANE_BYTES = 48 << 10 };

static void visit_locals(void *data, struct stmt *stmt) {
    long *bytes = data;
    for (int i = 0; i < stmt->nvars; ++i)
        *bytes += stmt->vars[i]->type->size > 0 ? stmt->vars[i]->type->size : 0;
}

bool gpu_locals_fit(struct outline *job, struct stmt *body) {
    long bytes = 0;
    emit_walk_stmts(body, visit_locals, &bytes);
    return bytes <= LANE_BYTES ||
           emit_refuse(job, ORR2462, body->range,
                       "the loop cannot run on a GPU: it has local variables of %ld bytes, and a "
                       "lane has room for %d",
                       bytes, LANE_BYTES);
}

static void check_declaration(struct check *c, const struct stmt *stmt) {
    for (int i = 0; i < stmt->nvars; ++i) {
        const struct variable *var = stmt->vars[i];
        check_type(c, var->type);
        if (var->storage == STORAGE_STATIC_LOCAL)
            emit_refuse(c->job, ORR2462, var->range,
                        "the loop cannot run on a GPU: a function that it calls has the static "
                        "variable `%s`",
                        var->name);
        else if (var->init)
            check_value(c, var->init, var->type);
    }
}

/* Lanes make a header of their own. */
static void check_assigned(struct check *c, const struct gpu_lanes *lanes) {
    const struct loop *loop = lanes->loop;
    check_expr(c, loop->lower);
    check_expr(c, loop->upper);
    check_type(c, loop->variable->type);
    c->inside = lanes;
    check_stmt(c, loop->body, GPU_SERIAL);
    c->inside = NULL;
}

static void check_for(struct check *c, const struct stmt *stmt, enum gpu_form form) {
    const struct loop *loop = stmt->loop;
    const struct gpu_lanes *lanes = form == GPU_WARP ? gpu_lanes_of(c->k, loop) : NULL;
    if (lanes) {
        check_assigned(c, lanes);
        return;
    }
    if (loop->init)
        check_stmt(c, loop->init, GPU_SERIAL);
    if (loop->cond)
        check_expr(c, loop->cond);
    if (loop->next)
        check_expr(c, loop->next);
    check_stmt(c, loop->body, form);
}

static bool declares_inside(const struct stmt *stmt) {
    if (stmt->kind == STMT_DECL)
        return true;
    bool plain = stmt->kind == STMT_CASE || stmt->kind == STMT_LABEL;
    return plain && stmt->then && declares_inside(stmt->then);
}

/* C++ lets no case jump over a declaration. */
static void check_switch(struct check *c, const struct stmt *stmt) {
    const struct stmt *body = stmt->then;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        if (declares_inside(body->body[i]))
            refuse_stmt(c, body->body[i], "a declaration among the cases of a switch");
}

static void check_return(struct check *c, const struct stmt *stmt) {
    if (!c->of)
        refuse_stmt(c, stmt, "a return");
    else if (stmt->expr)
        check_value(c, stmt->expr, c->of->result);
}

/* A statement that only adds to a sum of the assigned loop: what it adds. */
static void check_expression(struct check *c, const struct stmt *stmt) {
    const struct gpu_sum *sum = gpu_sum_of(c->inside, stmt->expr);
    if (!sum)
        check_expr(c, stmt->expr);
    else if (sum->value)
        check_expr(c, sum->value);
}

static void check_nested(struct check *c, const struct stmt *stmt, enum gpu_form form) {
    if (stmt->expr)
        check_expr(c, stmt->expr);
    for (int i = 0; i < stmt->nbody; ++i)
        check_stmt(c, stmt->body[i], form);
    if (stmt->then)
        check_stmt(c, stmt->then, form);
    if (stmt->other)
        check_stmt(c, stmt->other, form);
}

static void check_whole(struct check *c, const struct stmt *stmt, enum gpu_form form) {
    switch (stmt->kind) {
    case STMT_EXPR:
        check_expression(c, stmt);
        break;
    case STMT_DECL:
        check_declaration(c, stmt);
        break;
    case STMT_FOR:
        check_for(c, stmt, form);
        break;
    case STMT_RETURN:
        check_return(c, stmt);
        break;
    case STMT_GOTO:
    case STMT_LABEL:
        refuse_stmt(c, stmt, "a goto or its label");
        break;
    case STMT_UNKNOWN:
        refuse_stmt(c, stmt, stmt->text ? stmt->text : "something unknown");
        break;
    case STMT_SWITCH:
        check_switch(c, stmt);
        check_nested(c, stmt, form);
        break;
    default:
        check_nested(c, stmt, form);
        break;
    }
}

/* A wavefront's pieces of a loop inside have a header of their own. */
static void check_stmt(struct check *c, const struct stmt *stmt, enum gpu_form form) {
    const struct wave_part *part = c->of ? NULL : gpu_wave_part(c->job, stmt);
    if (!part || part->kind != WAVE_LOOP) {
        check_whole(c, stmt, form);
        return;
    }
    const struct loop *loop = part->loop->loop;
    check_type(c, loop->variable->type);
    check_expr(c, loop->lower);
    check_expr(c, loop->upper);
    check_stmt(c, loop->body, GPU_SERIAL);
}

/* ---- what stands around the body ------------------------------------------------------------- */

static void check_env(struct check *c) {
    const struct outline *job = c->job;
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        bool value = field->role == FIELD_VALUE && field->var->type->kind != TYPE_POINTER &&
                     field->var->type->kind != TYPE_FUNCTION;
        if (value)
            check_type(c, field->var->type);
    }
    for (int i = 0; gpu_has_record(job) && i < job->nslots; ++i)
        if (!job->slots[i].bits)
            check_type(c, job->slots[i].load->type);
}

static void check_places(struct check *c) {
    const struct plan_wave *wave = c->job->plan->wave;
    bool is_wave = c->job->plan->strategy == STRATEGY_WAVEFRONT;
    for (int i = 0; is_wave && i < wave->nparts; ++i) {
        if (wave->parts[i].kind != WAVE_STATEMENT)
            continue;
        const struct affine *place = gpu_wave_place(&wave->parts[i]);
        for (int t = 0; t < place->nterms; ++t)
            if (place->terms[t].symbol->kind != SYMBOL_LOOP)
                check_expr(c, place->terms[t].symbol->expr);
    }
}

static void check_own(struct check *c) {
    const struct outline *job = c->job;
    for (int i = 0; i < job->facts->nprivates; ++i)
        if (emit_is_outside(job, job->facts->privates[i].var) &&
            !emit_reduction_of(job, job->facts->privates[i].var))
            check_type(c, job->facts->privates[i].var->type);
    for (int j = 0; j < job->nreductions; ++j) {
        const struct type *type = job->reductions[j].var->type;
        check_type(c, job->reductions[j].is_array ? type->element : type);
    }
    check_type(c, job->loop->variable->type);
}

/* All writes of buffered arrays collect their updates. */
static void check_collected(const struct check *c) {
    struct outline *job = c->job;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        int j = access->write ? gpu_buffer_of(job, access->expr) : -1;
        bool met = false;
        for (int e = 0; e < c->ncollected; ++e)
            met |= c->collected[e] == access->expr;
        if (j >= 0 && !met)
            emit_refuse(job, ORR2465, access->expr->range,
                        "the loop cannot run on a GPU: `%s` is changed by a function that the "
                        "body calls",
                        job->reductions[j].title);
    }
}

bool gpu_check(struct gpu_kernel *k, struct outline *job) {
    struct check c = {.k = k, .job = job};
    check_stmt(&c, job->loop->body, k->form);
    check_env(&c);
    check_places(&c);
    check_own(&c);
    check_collected(&c);
    return !job->refused;
}
