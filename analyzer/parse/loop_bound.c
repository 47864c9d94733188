/*
 * Conditions that say where a loop ends, but do not compare its variable alone with a bound:
 * `i + 1 < n`, `2 * i < n`, `n - i > 0`, `i * k < n`, `i < n && i < m`. They are solved for the
 * variable. Signed sums do not overflow, so that a difference in type long is exact; where the
 * comparison is unsigned nothing is negative: a bound below zero is 0. Another variable that the
 * loop moves beside its own (`i < j; ++i, --j`) is where it began plus its part of the way.
 */
#include "analyzer/parse/loop_private.h"

#include <limits.h>

enum { MAX_PARTS = 8, MAX_FACTOR = 1 << 20 };

/* factor * variable + scale * variable + constant + parts, each so many times. */
struct sum {
    struct translator *t; /* the unit under way */
    struct loop *loop;    /* whose condition is read */
    /* where a variable began that comes towards the loop's own, NULL: none does */
    struct expr *parted;
    long long factor, constant; /* of the loop's variable; what is added */
    struct expr *scale; /* an invariant that the variable is multiplied by besides; NULL: none */
    int nparts;         /* of `parts`, of `times` */
    struct expr *parts[MAX_PARTS]; /* invariants that are added */
    long long times[MAX_PARTS];    /* how often each; negative: subtracted */
};

/* variable `relation` value, of type `type`. */
struct bound {
    enum op relation;
    struct expr *value;
};

static const struct type longs = {
    .kind = TYPE_INT, .size = 8, .is_signed = true, .spelling = "long", .local_name = "long"};
static const struct type ulongs = {
    .kind = TYPE_INT, .size = 8, .spelling = "unsigned long", .local_name = "unsigned long"};

/* ---- expressions ----------------------------------------------------------------------------- */

static struct expr *make(struct translator *t, enum expr_kind kind, const struct type *type,
                         int nargs) {
    struct expr *e = arena_alloc(t->arena, sizeof *e);
    e->kind = kind;
    e->type = type;
    e->nargs = nargs;
    e->args = arena_alloc(t->arena, 3 * sizeof *e->args);
    e->range.begin.file = e->range.end.file = -1;
    e->id = t->unit->nexprs++;
    return e;
}

static struct expr *number(struct translator *t, const struct type *type, long long value) {
    struct expr *e = make(t, EXPR_INT, type, 0);
    e->int_value = value;
    return e;
}

static struct expr *binary(struct translator *t, enum op op, struct expr *a, struct expr *b) {
    struct expr *e = make(t, EXPR_BINARY, op >= OP_LT ? NULL : a->type, 2);
    static const struct type ints = {
        .kind = TYPE_INT, .size = 4, .is_signed = true, .spelling = "int", .local_name = "int"};
    e->type = op >= OP_LT ? &ints : a->type;
    e->op = op;
    e->args[0] = a;
    e->args[1] = b;
    return e;
}

static struct expr *choice(struct translator *t, struct expr *when, struct expr *a,
                           struct expr *b) {
    struct expr *e = make(t, EXPR_CONDITIONAL, a->type, 3);
    e->args[0] = when;
    e->args[1] = a;
    e->args[2] = b;
    return e;
}

static struct expr *cast(struct translator *t, const struct type *type, struct expr *value) {
    struct expr *e = make(t, EXPR_CAST, type, 1);
    e->args[0] = value;
    return e;
}

static bool is_integer(const struct expr *e) {
    return e->type && e->type->kind == TYPE_INT;
}

/* ---- variables that the header moves --------------------------------------------------------- */

/* What the header sets `v` to; NULL: nothing, or not alone. */
static struct expr *initial(struct expr *e, const struct variable *v) {
    struct expr *found = NULL;
    if (e->kind == EXPR_COMMA) {
        found = initial(e->args[0], v);
        return found ? found : initial(e->args[1], v);
    }
    bool sets = e->kind == EXPR_ASSIGN && e->op == OP_NONE && e->args[0]->kind == EXPR_VAR &&
                e->args[0]->var == v;
    return sets ? e->args[1] : NULL;
}

static struct expr *start_of(const struct loop *loop, const struct variable *v) {
    const struct stmt *init = loop->init;
    for (int i = 0; init && init->kind == STMT_DECL && i < init->nvars; ++i)
        if (init->vars[i] == v)
            return init->vars[i]->init;
    return init && init->kind == STMT_EXPR && loop_expr_assigns(init->expr, v) == 1
               ? initial(init->expr, v)
               : NULL;
}

/* By how much `e` moves `v`; 0: not known. */
static long long moved_by(const struct expr *e, const struct variable *v) {
    long long value = 0;
    if (e && e->kind == EXPR_COMMA) {
        value = moved_by(e->args[0], v);
        return value ? value : moved_by(e->args[1], v);
    }
    if (!e || e->nargs < 1 || e->args[0]->kind != EXPR_VAR || e->args[0]->var != v)
        return 0;
    if (e->kind == EXPR_INCREMENT)
        return e->delta;
    bool moves = e->kind == EXPR_ASSIGN && (e->op == OP_ADD || e->op == OP_SUB) &&
                 loop_constant(e->args[1], &value) && value > -MAX_FACTOR && value < MAX_FACTOR;
    return moves ? (e->op == OP_ADD ? value : -value) : 0;
}

/* By how much the loop moves `v` in every iteration; 0: not known. */
static long long step_of(struct translator *t, const struct loop *loop, const struct variable *v) {
    bool in_header = loop_expr_assigns(loop->next, v) > 0;
    return moved_by(in_header ? loop->next : loop_body_step(t, loop, v), v);
}

/* What `v` holds behind the header's initial part, which does not set it. */
static struct expr *entry_value(struct translator *t, struct loop *loop, struct variable *v) {
    struct variable *entry = NULL;
    for (int i = 0; i < loop->nentries && !entry; ++i)
        entry = loop->entries[i]->entry_of == v ? loop->entries[i] : NULL;
    if (!entry) {
        struct type *type = arena_alloc(t->arena, sizeof *type);
        *type = *v->type;
        type->is_const = false;
        entry = arena_alloc(t->arena, sizeof *entry);
        *entry = *v;
        entry->type = type;
        entry->name = arena_printf(t->arena, "orrery_entry_%s", v->name);
        entry->entry_of = v;
        entry->init = NULL;
        entry->writes = entry->resets;
        ARENA_PUSH(t->arena, loop->entries, loop->nentries, entry);
    }
    struct expr *e = make(t, EXPR_VAR, entry->type, 0);
    e->var = entry;
    return e;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool add(struct sum *sum, struct variable *v, struct expr *e, long long times);

/* Does the header's first part set what `e` is made of? Then it has no value in front of it. */
static bool is_set_by_header(const struct loop *loop, const struct expr *e) {
    const struct stmt *init = loop->init;
    bool set = e->kind == EXPR_VAR && init && init->kind == STMT_EXPR &&
               loop_expr_assigns(init->expr, e->var);
    for (int i = 0; e->kind == EXPR_VAR && init && i < init->nvars; ++i)
        set = set || init->vars[i] == e->var;
    for (int i = 0; i < e->nargs && !set; ++i)
        set = e->args[i] && is_set_by_header(loop, e->args[i]);
    return set;
}

static bool moves_alone(const struct sum *sum, const struct expr *e) {
    const struct variable *var = e->var;
    bool own = var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM;
    return own && !var->address_taken && !e->type->is_volatile && !e->type->is_atomic &&
           (e->type->size == 8 || (e->type->is_signed && e->type->size == 4)) &&
           loop_expr_assigns(sum->loop->cond, var) == 0 &&
           loop_expr_assigns(sum->loop->next, var) + loop_body_assigns(sum->t, sum->loop, var) == 1;
}

/* Where the variable begins: what the header sets it to, or what it holds; NULL: not known. */
static struct expr *first_value(struct sum *sum, struct expr *e, struct expr *set) {
    if (set)
        return is_set_by_header(sum->loop, set) ? NULL : set;
    return is_set_by_header(sum->loop, e) ? NULL : entry_value(sum->t, sum->loop, e->var);
}

/* `e` is a variable that moves by `step`, a multiple of what the loop's own moves by. */
static bool add_moving(struct sum *sum, struct variable *v, struct expr *e, long long step,
                       long long times) {
    long long own = step_of(sum->t, sum->loop, v);
    struct expr *name = make(sum->t, EXPR_VAR, v->type, 0);
    name->var = v;
    bool wraps = !v->type->is_signed && step * own != -1;
    if (own == 0 || step % own != 0 || wraps || !moves_alone(sum, name) || !moves_alone(sum, e))
        return false;
    struct expr *start = first_value(sum, e, start_of(sum->loop, e->var));
    struct expr *lower = first_value(sum, name, sum->loop->lower);
    long long by = step / own;
    sum->factor += times * by;
    sum->parted = by < 0 ? start : NULL;
    return start && lower && add(sum, v, start, times) && add(sum, v, lower, -times * by);
}

static bool add_product(struct sum *sum, struct variable *v, struct expr *e, long long times) {
    for (int i = 0; i < 2; ++i) {
        struct expr *one = e->args[i], *other = e->args[1 - i];
        long long value;
        if (loop_constant(other, &value) && value > -MAX_FACTOR && value < MAX_FACTOR)
            return add(sum, v, one, times * value);
        if (one->kind == EXPR_VAR && one->var == v && times == 1 && !sum->scale &&
            !expr_names(other, v)) {
            sum->scale = other;
            return true;
        }
    }
    return false;
}

/* Adds times * e, an expression that the variable stands in. */
static bool add_with_variable(struct sum *sum, struct variable *v, struct expr *e,
                              long long times) {
    bool wider = e->kind == EXPR_CAST && is_integer(e->args[0]) && e->type->is_signed &&
                 e->args[0]->type->is_signed && e->type->size >= e->args[0]->type->size;
    if (e->kind == EXPR_VAR) {
        sum->factor += times;
        return true;
    }
    if (wider || (e->kind == EXPR_UNARY && e->op == OP_PLUS))
        return add(sum, v, e->args[0], times);
    if (e->kind == EXPR_UNARY && e->op == OP_MINUS)
        return add(sum, v, e->args[0], -times);
    if (e->kind != EXPR_BINARY)
        return false;
    if (e->op == OP_ADD || e->op == OP_SUB)
        return add(sum, v, e->args[0], times) &&
               add(sum, v, e->args[1], e->op == OP_ADD ? times : -times);
    return e->op == OP_MUL && add_product(sum, v, e, times);
}

static bool add(struct sum *sum, struct variable *v, struct expr *e, long long times) {
    long long value, term;
    if (!is_integer(e) || times < -MAX_FACTOR || times > MAX_FACTOR)
        return false;
    long long step = e->kind == EXPR_VAR && e->var != v ? step_of(sum->t, sum->loop, e->var) : 0;
    if (step)
        return add_moving(sum, v, e, step, times);
    if (expr_names(e, v) || loop_bound_moves(sum->t, sum->loop, e))
        return add_with_variable(sum, v, e, times);
    if (loop_constant(e, &value))
        return !__builtin_mul_overflow(value, times, &term) && term > INT_MIN && term < INT_MAX &&
               !__builtin_add_overflow(sum->constant, term, &sum->constant);
    if (sum->nparts == MAX_PARTS)
        return false;
    sum->parts[sum->nparts] = e;
    sum->times[sum->nparts++] = times;
    return true;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static enum op mirrored(enum op relation) {
    return relation == OP_LT   ? OP_GT
           : relation == OP_GT ? OP_LT
           : relation == OP_LE ? OP_GE
           : relation == OP_GE ? OP_LE
                               : relation;
}

/* What the rest of the sum, on the other side, is: in type long. */
static struct expr *rest_of(struct translator *t, const struct sum *sum, int sign) {
    struct expr *rest = NULL;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < sum->nparts; ++i) {
            bool minus = sum->times[i] * sign > 0;
            long long times = sum->times[i] < 0 ? -sum->times[i] : sum->times[i];
            if (minus != (pass == 1) || times == 0)
                continue;
            struct expr *part = cast(t, &longs, sum->parts[i]);
            part = times == 1 ? part : binary(t, OP_MUL, part, number(t, &longs, times));
            rest = rest    ? binary(t, minus ? OP_SUB : OP_ADD, rest, part)
                   : minus ? binary(t, OP_SUB, number(t, &longs, 0), part)
                           : part;
        }
    long long constant = -sign * sum->constant;
    if (!rest)
        return number(t, &longs, constant);
    return constant == 0 ? rest
                         : binary(t, constant < 0 ? OP_SUB : OP_ADD, rest,
                                  number(t, &longs, constant < 0 ? -constant : constant));
}

/* x / by, rounded up or down, for any sign of x. */
static struct expr *divided(struct translator *t, struct expr *x, struct expr *by, bool up) {
    struct expr *one = number(t, &longs, 1), *zero = number(t, &longs, 0);
    struct expr *plain = binary(t, OP_DIV, x, by);
    if (up)
        return choice(t, binary(t, OP_GT, x, zero),
                      binary(t, OP_ADD, binary(t, OP_DIV, binary(t, OP_SUB, x, one), by), one),
                      plain);
    return choice(t, binary(t, OP_GE, x, zero), plain,
                  binary(t, OP_SUB, binary(t, OP_DIV, binary(t, OP_ADD, x, one), by), one));
}

/* Comparisons of negative numbers with unsigned ones are not those of their values. */
static bool is_signed(const struct expr *e) {
    bool all = !e->type || e->type->kind != TYPE_INT || e->type->is_signed || e->type->size < 4;
    for (int i = 0; i < e->nargs && all; ++i)
        all = !e->args[i] || is_signed(e->args[i]);
    return all;
}

static bool solve_signed(struct translator *t, struct loop *loop, const struct sum *sum,
                         enum op relation, struct bound *bound) {
    int sign = sum->factor < 0 ? -1 : 1;
    long long lower;
    bound->relation = sign < 0 ? mirrored(relation) : relation;
    struct expr *by = number(t, &longs, sign * sum->factor);
    struct expr *rest = rest_of(t, sum, sign);
    if (sum->scale && (sum->factor != 0 || !loop_constant(loop->lower, &lower) || lower != 0))
        return false;
    if (sum->scale) {
        struct expr *one = number(t, &longs, 1);
        by = cast(t, &longs, sum->scale);
        by = choice(t, binary(t, OP_LT, by, one), one, by);
        loop->positive = sum->scale;
    }
    bool unit = !sum->scale && by->int_value == 1;
    bool up = bound->relation == OP_LT || bound->relation == OP_GE;
    if (!unit && (by->int_value == 0 && !sum->scale))
        return false;
    if (!unit && bound->relation == OP_NE)
        return false;
    bound->value = unit ? rest : divided(t, rest, by, up);
    const struct expr *cond = loop->cond;
    bool alone = cond->kind == EXPR_BINARY && cond->args[0]->kind == EXPR_VAR &&
                 cond->args[1]->kind == EXPR_VAR;
    loop->within = alone ? sum->parted : NULL;
    return true;
}

/* factor * variable + constant < other, where nothing is negative. */
static bool solve_unsigned(struct translator *t, struct loop *loop, struct expr *side,
                           struct expr *other, enum op relation, struct bound *bound) {
    struct sum sum = {.t = t, .loop = loop};
    long long lower;
    const struct type *type = loop->variable->type;
    bool natural = !type->is_signed || (loop_constant(loop->lower, &lower) && lower >= 0);
    if (!natural || expr_names(other, loop->variable) || !is_integer(other) ||
        (relation != OP_LT && relation != OP_LE) || !add(&sum, loop->variable, side, 1) ||
        sum.nparts || sum.scale || sum.factor < 1 || sum.constant < 0 ||
        (sum.factor > 1 && side->type->size < 8))
        return false;
    const struct type *u = &ulongs;
    struct expr *end = cast(t, u, other), *gap = number(t, u, sum.constant);
    if (relation == OP_LE)
        end = binary(t, OP_ADD, end, number(t, u, 1));
    if (sum.constant > 0)
        end = choice(t, binary(t, OP_GT, end, gap), binary(t, OP_SUB, end, gap), number(t, u, 0));
    if (sum.factor > 1)
        end = binary(t, OP_DIV, binary(t, OP_ADD, end, number(t, u, sum.factor - 1)),
                     number(t, u, sum.factor));
    *bound = (struct bound){OP_LT, end};
    return true;
}

/*
 * 64-bit numbers count as exact. Of two that go one step towards each other while the lower one is
 * less, none leaves the range between them.
 */
static bool meets_as_exact(const struct expr *cond) {
    bool exact = cond->op == OP_LT || cond->op == OP_GT;
    for (int i = 0; i < 2; ++i)
        exact = exact && cond->args[i]->kind == EXPR_VAR && is_integer(cond->args[i]) &&
                cond->args[i]->type->size == 8;
    return exact && cond->args[0]->type->is_signed == cond->args[1]->type->is_signed;
}

static bool solve_comparison(struct translator *t, struct loop *loop, struct expr *cond,
                             struct bound *bound) {
    struct expr *left = cond->args[0], *right = cond->args[1];
    struct sum sum = {.t = t, .loop = loop};
    if ((is_signed(cond) && loop->variable->type->is_signed) || meets_as_exact(cond))
        return add(&sum, loop->variable, left, 1) && add(&sum, loop->variable, right, -1) &&
               solve_signed(t, loop, &sum, cond->op, bound);
    return solve_unsigned(t, loop, left, right, cond->op, bound) ||
           solve_unsigned(t, loop, right, left, mirrored(cond->op), bound);
}

/* May it be evaluated although a test in front of it has failed? */
static bool is_harmless(const struct expr *e) {
    bool harmless = e->kind == EXPR_VAR || e->kind == EXPR_INT || e->kind == EXPR_CAST ||
                    e->kind == EXPR_CONDITIONAL || e->kind == EXPR_UNARY ||
                    (e->kind == EXPR_BINARY && e->op != OP_REM &&
                     (e->op != OP_DIV || e->args[1]->kind == EXPR_INT));
    for (int i = 0; i < e->nargs && harmless; ++i)
        harmless = e->args[i] && is_harmless(e->args[i]);
    return harmless;
}

static bool solve(struct translator *t, struct loop *loop, struct expr *cond, struct bound *bound) {
    struct bound a, b;
    if (cond->kind == EXPR_BINARY && cond->op >= OP_LT && cond->op <= OP_NE && cond->op != OP_EQ)
        return solve_comparison(t, loop, cond, bound);
    if (cond->kind != EXPR_AND || !solve(t, loop, cond->args[0], &a) ||
        !solve(t, loop, cond->args[1], &b) || a.value->type->is_signed != b.value->type->is_signed)
        return false;
    bool below = a.relation == OP_LT || a.relation == OP_LE;
    if (!is_harmless(b.value) || a.relation == OP_NE || b.relation == OP_NE ||
        below != (b.relation == OP_LT || b.relation == OP_LE))
        return false;
    struct expr *one = number(t, a.value->type, 1);
    if (a.relation == OP_LE || a.relation == OP_GE)
        a.value = binary(t, below ? OP_ADD : OP_SUB, a.value, one);
    if (b.relation == OP_LE || b.relation == OP_GE)
        b.value = binary(t, below ? OP_ADD : OP_SUB, b.value, one);
    bound->relation = below ? OP_LT : OP_GT;
    bound->value = choice(t, binary(t, below ? OP_LT : OP_GT, a.value, b.value), a.value, b.value);
    return true;
}

bool loop_bound_moves(struct translator *t, const struct loop *loop, const struct expr *e) {
    bool moves = e->kind == EXPR_VAR && (e->var == loop->variable || step_of(t, loop, e->var) != 0);
    for (int i = 0; i < e->nargs && !moves; ++i)
        moves = e->args[i] && loop_bound_moves(t, loop, e->args[i]);
    return moves;
}

bool loop_bound_solve(struct translator *t, struct loop *loop) {
    struct bound bound;
    const struct type *type = loop->variable->type;
    if (loop->form == LOOP_DO || type->kind != TYPE_INT || type->size < 4 ||
        !solve(t, loop, loop->cond, &bound)) {
        loop->positive = loop->within = NULL;
        loop->nentries = 0;
        return false;
    }
    loop->relation = bound.relation;
    loop->upper = bound.value;
    return true;
}
