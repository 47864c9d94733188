/* Which loops count: for (variable = lower; variable relation upper; variable += step). */
#include "analyzer/parse/loop_private.h"

const char *loop_variable_check(struct translator *t, const struct loop *loop) {
    const struct variable *v = loop->variable;
    const char *what = NULL;
    if (v->type->kind != TYPE_INT && v->type->kind != TYPE_POINTER)
        what = "is not an integer";
    else if (v->type->is_volatile || v->type->is_atomic)
        what = "is volatile or atomic";
    else if (v->storage != STORAGE_LOCAL && v->storage != STORAGE_PARAM)
        what = "is not a local variable";
    else if (v->address_taken)
        what = "has its address taken or stands in what is not understood, and may change unseen";
    return what ? arena_printf(t->arena, "its variable %s %s", v->name, what) : NULL;
}

/* ---- does the count follow from the header alone? */

static const char *check_direction(struct translator *t, const struct loop *loop) {
    bool up = loop->relation == OP_LT || loop->relation == OP_LE;
    bool down = loop->relation == OP_GT || loop->relation == OP_GE;
    if ((up && loop->step < 0) || (down && loop->step > 0))
        return arena_printf(t->arena, "%s moves away from its bound", loop->variable->name);
    if (loop->relation == OP_NE && (loop->stride || (loop->step != 1 && loop->step != -1)))
        return arena_printf(t->arena, "%s may step over the bound that != waits for",
                            loop->variable->name);
    return NULL;
}

/* The values of a narrow integer type. */
static long long least_of(const struct type *type) {
    return type->is_signed ? -(1LL << (8 * type->size - 1)) : 0;
}

static long long greatest_of(const struct type *type) {
    return (1LL << (8 * type->size - (type->is_signed ? 1 : 0))) - 1;
}

/* Does the way to the bound of a `!=` surely lead around the type's end? */
static bool goes_around(const struct loop *loop) {
    long long lower, upper;
    return loop->relation == OP_NE && loop_constant(loop->lower, &lower) &&
           loop_constant(loop->upper, &upper) && lower >= 0 && upper >= 0 &&
           (loop->step > 0 ? lower > upper : lower < upper);
}

/* Does the way from the first value to the bound of a `!=` not lead around the type's end? */
static bool goes_straight(const struct loop *loop) {
    const struct type *v = loop->variable->type;
    long long lower, upper;
    bool up = loop->step > 0;
    if (loop->relation != OP_NE)
        return true;
    if (!loop_constant(loop->lower, &lower) || lower < least_of(v) || lower > greatest_of(v))
        return false;
    if (loop_constant(loop->upper, &upper))
        return up ? lower <= upper : lower >= upper;
    return lower == (up ? least_of(v) : greatest_of(v));
}

/*
 * A variable narrower than int wraps around before it reaches a bound that its type does not hold.
 * It passes the bound by one step at most, and then as well the value before the loop's end.
 */
static bool stays_narrow(const struct loop *loop) {
    const struct type *v = loop->variable->type, *b = loop->upper->type;
    long long upper, step = loop->step < 0 ? -loop->step : loop->step;
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT || loop->relation == OP_NE;
    if (loop->stride || !goes_straight(loop))
        return false;
    if (loop_constant(loop->upper, &upper)) {
        long long over = step - (strict ? 1 : 0);
        return loop->step > 0 ? upper >= least_of(v) && upper + over <= greatest_of(v)
                              : upper <= greatest_of(v) && upper - over >= least_of(v);
    }
    bool held = b->size < v->size ? b->is_signed <= v->is_signed
                                  : b->size == v->size && b->is_signed == v->is_signed;
    return held && strict && step == 1;
}

/*
 * May the last step of a 32-bit variable without a sign jump over its bound and go around? Of 64
 * bits the way back is longer than any run; narrower ones are asked about in stays_narrow.
 */
static bool jumps_around(const struct loop *loop) {
    const struct type *v = loop->variable->type;
    long long lower, upper, step = loop->step < 0 ? -loop->step : loop->step;
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT;
    if (v->is_signed || v->size != 4 || step == 1 || loop->stride || loop->relation == OP_NE)
        return false;
    if (!loop_constant(loop->upper, &upper))
        return loop->step < 0;
    if (strict && loop_constant(loop->lower, &lower) && (upper - lower) % step == 0)
        return false;
    long long over = step - (strict ? 1 : 0);
    return loop->step > 0 ? upper + over > greatest_of(v) : upper - over < 0;
}

/*
 * Where the header alone does not say that the variable stays inside its type, the run can: then
 * the bound leaves room for the last step. True when it surely does, or when `limited` asks for it.
 */
static bool has_room(struct loop *loop) {
    const struct type *v = loop->variable->type, *b = loop->upper->type;
    long long constant, step = loop->step < 0 ? -loop->step : loop->step;
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT, up = loop->step > 0;
    if (loop->form != LOOP_FOR || loop->stride || loop->steps_in_body || loop->ahead ||
        loop->relation == OP_NE || b->kind != TYPE_INT || loop_constant(loop->upper, &constant))
        return false;
    long long over = step - (strict ? 1 : 0);
    long long limit = up ? greatest_of(v) - over : least_of(v) + over;
    bool is_promoted = b->is_signed || b->size < 4;
    if (up ? limit < 0 : limit > greatest_of(v) || (limit < 0 && !is_promoted))
        return false;
    bool surely = up             ? b->size <= 4 && greatest_of(b) <= limit
                  : b->is_signed ? b->size <= 4 && least_of(b) >= limit
                                 : limit <= 0;
    loop->limited = !surely;
    loop->limit = (long)limit;
    return true;
}

/*
 * Comparisons convert: where the bound is unsigned and at least as wide, a negative value of a
 * signed variable compares as a large one, and an unsigned variable is never below zero.
 */
static const char *check_conversion(struct arena *arena, const struct loop *loop) {
    const struct type *v = loop->variable->type, *b = loop->upper->type;
    const char *name = loop->variable->name;
    long long lower, upper;
    bool constant = loop_constant(loop->upper, &upper), down = loop->step < 0;
    if (!v->is_signed && down && loop->relation == OP_GE && constant && upper <= 0)
        return arena_printf(arena, "%s is unsigned and never below its bound", name);
    if (!v->is_signed || b->is_signed || b->kind != TYPE_INT || b->size < 4 || b->size < v->size)
        return NULL;
    if (constant)
        return down || upper < 0 ? arena_printf(arena, "%s is signed and its bound unsigned", name)
                                 : NULL;
    return down || !loop_constant(loop->lower, &lower) || lower < 0
               ? arena_printf(arena,
                              "%s is signed and its bound unsigned: a negative %s would "
                              "compare as a large number",
                              name, name)
               : NULL;
}

/* Why the variable may not reach its bound as its values would; NULL: it does. */
static const char *check_signs(struct translator *t, struct loop *loop) {
    const struct type *v = loop->variable->type, *b = loop->upper->type;
    const char *name = loop->variable->name;
    if (v->kind == TYPE_POINTER)
        return type_is_address(b)
                   ? NULL
                   : arena_printf(t->arena, "the bound of %s is not a pointer", name);
    if (!b || (b->kind != TYPE_INT && b->kind != TYPE_BOOL))
        return arena_printf(t->arena, "the bound of %s is not an integer", name);
    if (v->size < 4 && !stays_narrow(loop) && !has_room(loop))
        return arena_printf(t->arena, "%s is narrower than int and may wrap around", name);
    if (jumps_around(loop))
        return arena_printf(t->arena, "%s may jump over its bound and wrap around", name);
    if ((!v->is_signed || t->unit->signed_wraps) && goes_around(loop))
        return arena_printf(t->arena, "%s wraps around on its way to its bound", name);
    return check_conversion(t->arena, loop);
}

/* Why `expr` may not be evaluated once in front of the loop,
 * or any number of times; NULL: it may. */
static const char *has_effect(struct translator *t, const struct loop *loop,
                              const struct expr *expr) {
    if (expr->kind == EXPR_VAR && expr->var == loop->variable)
        return "names the variable itself";
    if (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT)
        return "has a side effect";
    if (expr->kind == EXPR_UNKNOWN)
        return arena_printf(t->arena, "is %s", expr->text);
    if (expr->kind == EXPR_CALL &&
        !(expr->function && (expr->function->is_pure || expr->function->is_const)))
        return "calls a function";
    return NULL;
}

/* Each iteration has one of its own, which begins anew. */
static bool is_of_body(const struct loop *loop, const struct variable *v) {
    const struct range *body = &loop->body->range;
    return v->range.begin.file == body->begin.file && v->range.begin.offset >= body->begin.offset &&
           v->range.begin.offset < body->end.offset;
}

/* The loop assigns this variable in its body or in its header's running parts. */
static bool is_assigned(struct translator *t, const struct loop *loop, const struct variable *v) {
    return !v->entry_of && (is_of_body(loop, v) || loop_body_assigns(t, loop, v) ||
                            loop_expr_assigns(loop->next, v) || loop_expr_assigns(loop->cond, v));
}

/* What keeps `expr` from having one value for the whole loop; `inside`: evaluated in its course. */
static const char *changes(struct translator *t, const struct loop *loop, const struct expr *expr,
                           bool inside) {
    const char *why = expr ? has_effect(t, loop, expr) : NULL;
    if (!expr || why)
        return why;
    if (inside && expr->kind == EXPR_VAR && is_assigned(t, loop, expr->var))
        return arena_printf(t->arena, "depends on %s, which the loop assigns", expr->var->name);
    for (int i = 0; i < expr->nargs && !why; ++i)
        why = changes(t, loop, expr->args[i], inside);
    return why;
}

static const char *check_bounds(struct translator *t, const struct loop *loop) {
    const char *why = changes(t, loop, loop->upper, true);
    if (why)
        return arena_printf(t->arena, "its bound %s", why);
    why = changes(t, loop, loop->lower, false);
    if (why)
        return arena_printf(t->arena, "its initial value %s", why);
    why = changes(t, loop, loop->stride, true);
    return why ? arena_printf(t->arena, "its step %s", why) : NULL;
}

/* Before the first iteration of a LOOP_DO nothing is tested. */
static const char *check_do(struct translator *t, const struct loop *loop) {
    return loop->form == LOOP_DO && (loop->stride || loop->variable->type->kind == TYPE_POINTER ||
                                     (loop->relation == OP_NE && loop->variable->type->size < 4))
               ? arena_printf(t->arena, "how often it runs is not known before it has run once")
               : NULL;
}

/* ---- */

static const char *recognize(struct translator *t, struct loop *loop) {
    const char *why = loop_header_read(t, loop);
    why = why ? why : check_direction(t, loop);
    why = why ? why : check_signs(t, loop);
    why = why ? why : check_do(t, loop);
    return why ? why : check_bounds(t, loop);
}

void parse_loop_recognize(struct translator *t) {
    for (int i = 0; i < t->unit->nloops; ++i) {
        struct loop *loop = t->unit->loops[i];
        if (!loop->why_not)
            loop->why_not = recognize(t, loop);
        loop->canonical = !loop->why_not;
    }
}

/* A `while` is a loop to speak of when it counts, or when it is marked. */
static bool is_kept(const struct loop *loop) {
    return loop->form == LOOP_FOR || loop->canonical || loop->pragma;
}

void parse_loop_settle(struct translator *t) {
    int kept = 0;
    for (int i = 0; i < t->unit->nloops; ++i)
        t->unit->loops[i]->around = t->unit->loops[i]->parent;
    for (int i = 0; i < t->unit->nloops; ++i) {
        struct loop *loop = t->unit->loops[i];
        while (loop->parent && !is_kept(loop->parent))
            loop->parent = loop->parent->parent;
        loop->depth = loop->parent ? loop->parent->depth + 1 : 1;
        if (is_kept(loop))
            t->unit->loops[kept++] = loop;
        else
            ARENA_PUSH(t->arena, t->unit->uncounted, t->unit->nuncounted, loop);
    }
    t->unit->nloops = kept;
    for (int i = 0; i < kept; ++i) {
        struct loop *loop = t->unit->loops[i];
        loop->id = i;
        if (loop->variable && loop->declares_variable)
            loop->variable->declared_by = loop;
    }
    for (int i = 0; i < t->unit->nuncounted; ++i)
        t->unit->uncounted[i]->id = kept + i;
}
