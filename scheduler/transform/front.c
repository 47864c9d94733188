/* The run's check in front of transformed loops. */
#include "scheduler/transform/front.h"

#include <stdlib.h>
#include <string.h>

/* Of parameters and bounds, so that int is wide enough for what isl makes of them. */
#define LARGEST_VALUE (1L << 28)

void write_affine(struct writing *w, const struct affine *value) {
    text_print(&w->out, "(%ldL", value->constant);
    for (int i = 0; i < value->nterms; ++i)
        text_print(&w->out, " + %ldL * %s%d", value->terms[i].coeff, w->nest->prefix,
                   value->terms[i].symbol->id);
    text_print(&w->out, ")");
}

const char *affine_named(const struct nest *nest, const struct affine *value) {
    struct arena *arena = nest->arena;
    const char *text = "";
    for (int i = 0; i < value->nterms; ++i) {
        const struct expr *expr = value->terms[i].symbol->expr;
        const char *name = expr_print(arena, expr);
        long coeff = value->terms[i].coeff;
        if (expr->kind != EXPR_VAR)
            name = arena_printf(arena, "(%s)", name);
        if (coeff == 1 || coeff == -1)
            text = arena_printf(arena, "%s%s%s", text,
                                coeff < 0 ? (*text ? " - " : "-") : (*text ? " + " : ""), name);
        else if (coeff != 0)
            text = arena_printf(arena, "%s%s%ld * %s", text, *text ? " + " : "", coeff, name);
    }
    if (value->constant == 0 && *text)
        return text;
    return *text ? arena_printf(arena, "%s %c %ld", text, value->constant < 0 ? '-' : '+',
                                labs(value->constant))
                 : arena_printf(arena, "%ld", value->constant);
}

bool affine_is_small(const struct affine *value) {
    const long most = LARGEST_VALUE;
    bool small = value->constant < most && value->constant > -most && value->nterms <= 2;
    for (int i = 0; i < value->nterms; ++i)
        small = small && value->terms[i].coeff <= 2 && value->terms[i].coeff >= -2;
    return small;
}

void write_params(struct writing *w) {
    for (int i = 0; i < w->nest->nparams; ++i) {
        const struct symbol *p = w->nest->params[i];
        text_print(&w->out, "const %s %s%d = %s; ", w->nest->counter, w->nest->prefix, p->id,
                   expr_print(w->nest->arena, p->expr));
    }
}

void write_tokens(struct writing *w, const struct range *range, struct text *out) {
    struct token_scan scan = token_scan_start(w->source, range->begin.offset, range->end.offset);
    size_t end = range->begin.offset;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.begin != end)
            text_append(out, " ", 1);
        text_append(out, w->source + t.begin, t.end - t.begin);
        end = t.end;
    }
}

/* ---- the run's check ------------------------------------------------------------------------- */

/* Replaces loop variables by what makes the value least or greatest. */
static struct affine extreme(const struct nest *nest, const struct affine *value, bool greatest) {
    struct affine now = *value;
    for (int loop = nest->nloops - 1; loop >= 0; --loop) {
        const struct inner_loop *bounds = nest->loops[loop].bounds;
        long coeff = 0;
        struct affine next = {.constant = now.constant};
        for (int i = 0; i < now.nterms; ++i)
            if (nest_loop_of(nest, now.terms[i].symbol) == loop)
                coeff += now.terms[i].coeff;
            else
                ARENA_PUSH(nest->arena, next.terms, next.nterms, now.terms[i]);
        const struct affine *end = (coeff > 0) == greatest ? &bounds->upper : &bounds->lower;
        next.constant += coeff * end->constant;
        for (int i = 0; coeff != 0 && i < end->nterms; ++i) {
            struct term term = {end->terms[i].symbol, coeff * end->terms[i].coeff};
            ARENA_PUSH(nest->arena, next.terms, next.nterms, term);
        }
        now = next;
    }
    return now;
}

/* The address of an object's least or greatest byte that the nest may touch, as comparisons need
 * it. */
static void write_end(struct writing *w, const struct access *a, bool greatest) {
    const struct object *o = a->object;
    text_print(&w->out, "((unsigned long)(%s)", expr_print(w->nest->arena, o->base));
    for (int i = 0; i < a->nsubs; ++i) {
        struct affine end = extreme(w->nest, &a->subs[i].value, greatest);
        text_print(&w->out, " + (unsigned long)(");
        write_affine(w, &end);
        text_print(&w->out, " * (long)(%s))", o->dims[i].stride_text);
    }
    if (o->origin_text)
        text_print(&w->out, " + (unsigned long)(%s)", o->origin_text);
    text_print(&w->out, " + %luUL)", greatest ? (unsigned long)o->element->size : 0ul);
}

static bool are_same(const struct affine *a, const struct affine *b) {
    return a->constant == b->constant && a->nterms == b->nterms &&
           (a->nterms == 0 ||
            memcmp(a->terms, b->terms, (size_t)a->nterms * sizeof *a->terms) == 0);
}

/* Both reach from the same element to the same one, as a[k][i] and a[k][j] may. */
static bool reach_alike(const struct nest *nest, const struct access *a, const struct access *b) {
    bool alike = a->object == b->object && a->nsubs == b->nsubs;
    for (int i = 0; alike && i < 2 * a->nsubs; ++i) {
        struct affine one = extreme(nest, &a->subs[i / 2].value, i % 2);
        struct affine other = extreme(nest, &b->subs[i / 2].value, i % 2);
        alike = are_same(&one, &other);
    }
    return alike;
}

/* Accesses that reach as far as one before ask nothing new. */
static bool is_new(const struct nest *nest, const struct access *a) {
    const struct loop_facts *facts = nest->facts;
    for (int i = 0; i < facts->naccesses && &facts->accesses[i] != a; ++i)
        if (reach_alike(nest, &facts->accesses[i], a))
            return false;
    return true;
}

static void write_apart(struct writing *w, const struct nest_pair *pair) {
    const struct loop_facts *facts = w->nest->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            if (a->object != pair->a || b->object != pair->b || !is_new(w->nest, a) ||
                !is_new(w->nest, b))
                continue;
            text_print(&w->out, " && (");
            write_end(w, a, true);
            text_print(&w->out, " <= ");
            write_end(w, b, false);
            text_print(&w->out, " || ");
            write_end(w, b, true);
            text_print(&w->out, " <= ");
            write_end(w, a, false);
            text_print(&w->out, ")");
        }
}

static long weight_of(const struct affine *value) {
    long sum = 1;
    for (int i = 0; i < value->nterms; ++i)
        sum += labs(value->terms[i].coeff);
    return sum;
}

/* Of bounds: how many times as large as its parameters and counters one can be. */
static long largest_weight(const struct nest *nest) {
    long largest = 1;
    for (int i = 0; i < nest->nloops; ++i) {
        long lower = weight_of(&nest->loops[i].bounds->lower);
        long upper = weight_of(&nest->loops[i].bounds->upper);
        long more = lower > upper ? lower : upper;
        largest = more > largest ? more : largest;
    }
    return largest;
}

static void write_not_negative(struct writing *w, const struct affine *value) {
    struct affine least = extreme(w->nest, value, false);
    if (least.nterms == 0 && least.constant >= 0)
        return;
    text_print(&w->out, " && ");
    write_affine(w, &least);
    text_print(&w->out, " >= 0");
}

/* A start or an end below 0 is a large number, and the loop another one. */
static void write_no_wrap(struct writing *w, const struct nest_loop *loop) {
    struct affine end = loop->bounds->upper;
    if (loop->loop->relation == OP_LT)
        end.constant += 1;
    write_not_negative(w, &loop->bounds->lower);
    write_not_negative(w, &end);
}

void write_total(struct writing *w) {
    const struct nest *nest = w->nest;
    const struct nest_statement *deepest = &nest->statements[0];
    for (int i = 0; i < nest->nstatements; ++i)
        if (nest->statements[i].nloops > deepest->nloops)
            deepest = &nest->statements[i];
    text_print(&w->out, "1.");
    for (int i = 0; i < deepest->nloops; ++i) {
        const struct inner_loop *bounds = nest->loops[deepest->loops[i]].bounds;
        struct affine lower = extreme(nest, &bounds->lower, false);
        struct affine upper = extreme(nest, &bounds->upper, true);
        text_print(&w->out, " * (double)(");
        write_affine(w, &upper);
        text_print(&w->out, " - ");
        write_affine(w, &lower);
        text_print(&w->out, " + 1)");
    }
}

/* Enough iterations, and values with which nothing overflows, in tiles' ends either. */
static void write_sizes(struct writing *w) {
    const struct nest *nest = w->nest;
    long most = LARGEST_VALUE / largest_weight(nest);
    text_print(&w->out, "1");
    for (int i = 0; i < nest->nparams; ++i)
        text_print(&w->out, " && %s%d < %ldL && %s%d > -%ldL", nest->prefix, nest->params[i]->id,
                   most, nest->prefix, nest->params[i]->id, most);
    for (int i = 0; i < nest->nloops; ++i) {
        if (!nest->loops[i].is_free)
            continue;
        text_print(&w->out, " && ");
        write_affine(w, &nest->loops[i].bounds->lower);
        text_print(&w->out, " <= ");
        write_affine(w, &nest->loops[i].bounds->upper);
    }
    for (int i = 0; i < nest->nloops; ++i)
        if (nest->loops[i].is_free && nest_is_narrow(nest)) {
            text_print(&w->out, " && ");
            write_affine(w, &nest->loops[i].bounds->upper);
            text_print(&w->out, " < %ldL", LARGEST_VALUE);
        }
    for (int i = 0; i < nest->nloops; ++i)
        if (nest->loops[i].is_unsigned)
            write_no_wrap(w, &nest->loops[i]);
    text_print(&w->out, " && ");
    write_total(w);
    text_print(&w->out, " >= %ld.", w->least);
}

void write_check(struct writing *w) {
    const struct nest *nest = w->nest;
    text_print(&w->out, "if (");
    write_sizes(w);
    for (int i = 0; i < nest->nconditions; ++i)
        text_print(&w->out, " && (%s)", nest->conditions[i]);
    for (int i = 0; i < nest->npairs; ++i)
        write_apart(w, &nest->pairs[i]);
    text_print(&w->out, ") ");
}

/* ---- behind it -------------------------------------------------------------------------------- */

void write_counter(struct writing *w) {
    const struct nest_loop *outermost = &w->nest->loops[0];
    const struct variable *v = outermost->loop->variable;
    if (outermost->loop->declares_variable)
        return;
    text_print(&w->out, "%s = (%s)(", v->name, type_declare(w->nest->arena, v->type, ""));
    write_affine(w, &outermost->bounds->upper);
    text_print(&w->out, " + 1); ");
}
