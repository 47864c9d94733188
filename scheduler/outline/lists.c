/* Levels and served arrays: the accesses whose elements are listed before an iteration runs. */
#include "scheduler/outline/collect.h"

#include <string.h>

/* An access that lists the same elements is there, for a write if this is one. */
static bool is_listed(const struct outline *job, const struct emit_touch *touch) {
    for (int i = 0; i < job->ntouches; ++i) {
        const struct emit_touch *old = &job->touches[i];
        if (old->object == touch->object && old->nloops == touch->nloops &&
            memcmp(old->loops, touch->loops, (size_t)touch->nloops * sizeof *touch->loops) == 0 &&
            (old->access->write || !touch->access->write) &&
            (!old->when || expr_equal(old->when, touch->when)) &&
            affine_equal(&old->access->subs[old->sub].value,
                         &touch->access->subs[touch->sub].value))
            return true;
    }
    return false;
}

struct name_check {
    const struct outline *job;
    const struct emit_touch *touch;
    const struct variable *unknown;
};

static bool is_moving(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->ninductions; ++i)
        if (job->facts->inductions[i].var == var)
            return true;
    return false;
}

/*
 * A variable that the listing cannot name: one of a called function, or of a loop inside of which
 * only the number of the round is known. Variables of the loops around the access have names of
 * ours.
 */
static void visit_name(void *data, struct expr *expr, struct expr *parent) {
    struct name_check *check = data;
    const struct variable *var = expr->kind == EXPR_VAR ? expr->var : NULL;
    bool ours = var == check->job->loop->variable || (var && !var->function) ||
                (var && (emit_field_of(check->job, var) || is_moving(check->job, var)));
    (void)parent;
    for (int l = 0; var && l < check->touch->nloops; ++l) {
        const struct inner_loop *loop = &check->job->facts->inner[check->touch->loops[l]];
        ours = loop->loop->variable == var ? !loop->by_number : ours;
    }
    if (var && !ours)
        check->unknown = var;
}

static bool check_symbol(struct outline *job, struct name_check *check,
                         const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_LOOP)
        return true;
    emit_walk_expr(symbol->expr, NULL, visit_name, check);
    for (int g = 0; g < symbol->nguards; ++g)
        emit_walk_expr(symbol->guards[g], NULL, visit_name, check);
    if (check->unknown)
        return emit_refuse(job, ORR2125, check->touch->access->range,
                           "the loop stays serial: the elements of %s that an iteration touches "
                           "cannot be listed, since `%s` has no name there",
                           check->touch->access->object->name, check->unknown->name);
    return emit_check_calls(job, symbol->expr, symbol->nguards, symbol->guards);
}

static bool check_affine(struct outline *job, struct name_check *check,
                         const struct affine *affine) {
    for (int i = 0; i < affine->nterms; ++i)
        if (!check_symbol(job, check, affine->terms[i].symbol))
            return false;
    return true;
}

static bool check_touch(struct outline *job, const struct emit_touch *touch) {
    struct name_check check = {job, touch, NULL};
    bool good = check_affine(job, &check, &touch->access->subs[touch->sub].value);
    for (int l = 0; good && l < touch->nloops; ++l) {
        const struct inner_loop *loop = &job->facts->inner[touch->loops[l]];
        good = check_affine(job, &check, &loop->lower) && check_affine(job, &check, &loop->upper);
    }
    return good;
}

static bool is_call(const void *data, const struct expr *expr) {
    (void)data;
    return expr->kind == EXPR_CALL;
}

static bool is_mention(const void *var, const struct expr *expr) {
    return expr->kind == EXPR_VAR && expr->var == var;
}

/* The iterations that get there, where the listing can tell them and they are the same in all
 * passes that run as one region. NULL: any. */
static const struct expr *told_of(const struct outline *job, const struct emit_touch *touch) {
    const struct expr *told = touch->access->told;
    struct name_check check = {job, touch, NULL};
    if (!told || expr_any(told, is_call, NULL))
        return NULL;
    for (int i = 0; job->passes && i < job->passes->nvaries; ++i)
        if (expr_any(told, is_mention, job->passes->varies[i]))
            return NULL;
    emit_walk_expr((struct expr *)told, NULL, visit_name, &check);
    return check.unknown ? NULL : told;
}

static bool add_touch(struct outline *job, const struct access *access, int object, int sub) {
    struct emit_touch touch = {.access = access, .object = object, .sub = sub};
    touch.loops = arena_alloc(job->arena, (size_t)(access->nloops + 1) * sizeof *touch.loops);
    touch.nloops = plan_touch_loops(job->facts, access, sub, touch.loops);
    touch.when = told_of(job, &touch);
    if (is_listed(job, &touch))
        return true;
    ARENA_PUSH(job->arena, job->touches, job->ntouches, touch);
    return check_touch(job, &touch);
}

/* Writes first: they stand for reads of the same elements. */
static bool collect(struct outline *job) {
    for (int write = 1; write >= 0; --write)
        for (int t = 0; t < job->plan->ntouches; ++t)
            for (int i = 0; i < job->facts->naccesses; ++i) {
                const struct access *access = &job->facts->accesses[i];
                if (access->object == job->plan->touches[t].object && access->write == write &&
                    !add_touch(job, access, t, job->plan->touches[t].sub))
                    return false;
            }
    return true;
}

/* requires: emit_env_collect. By levels what cannot be listed is refused;
 * what might be served has copies then. */
bool emit_lists_collect(struct outline *job) {
    if (plan_is_listed(job->plan))
        return collect(job);
    job->quiet = true;
    unsigned long arrays;
    if (!plan_serves(job->plan) || job->kernel_name || emit_addresses(job) ||
        emit_compared(job, &arrays) || !collect(job) || !emit_serve_check(job)) {
        plan_unserve(job->plan);
        job->ntouches = job->napplied = 0;
    }
    job->quiet = false;
    return true;
}

/* The pointer or array that a load goes through: r of r[n].value. */
static const struct expr *base_of(const struct expr *load) {
    while (load->nargs > 0 && (load->kind == EXPR_MEMBER || load->kind == EXPR_SUBSCRIPT ||
                               load->kind == EXPR_DEREF || load->kind == EXPR_CAST)) {
        bool through = load->kind == EXPR_DEREF || load->args[0]->type->kind == TYPE_POINTER;
        load = load->args[0];
        if (through)
            break;
    }
    return load;
}

static bool holds(const struct expr *expr, const struct expr *part) {
    bool found = expr_equal(expr, part);
    for (int i = 0; i < expr->nargs && !found; ++i)
        found = holds(expr->args[i], part);
    return found;
}

static bool affine_reads(const struct affine *affine, const struct expr *base) {
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *s = affine->terms[i].symbol;
        bool found = s->expr && holds(s->expr, base);
        for (int g = 0; g < s->nguards && !found; ++g)
            found = holds(s->guards[g], base);
        if (found)
            return true;
    }
    return false;
}

bool emit_lists_read(const struct outline *job, const struct expr *load) {
    const struct expr *base = base_of(load);
    for (int i = 0; i < job->ntouches; ++i) {
        const struct emit_touch *touch = &job->touches[i];
        if (affine_reads(&touch->access->subs[touch->sub].value, base) ||
            (touch->when && holds(touch->when, base)))
            return true;
        for (int l = 0; l < touch->nloops; ++l) {
            const struct inner_loop *loop = &job->facts->inner[touch->loops[l]];
            if (affine_reads(&loop->lower, base) || affine_reads(&loop->upper, base))
                return true;
        }
    }
    return false;
}
