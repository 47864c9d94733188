/*
 * Index-set splitting: a line whose iterations meet on the two sides of one iteration only is
 * written as loops over the parts of its range. The order of its iterations stays, so any cut is
 * right; this one leaves parts whose iterations do not meet.
 *
 *   a[i] = a[k] + b[i]      [first, k - 1], k, [k + 1, last]: k alone writes what the others read
 *   a[i] = a[n - 1 - i]     [first, (n - 1) / 2], the rest: each half reads what the other writes
 */
#include "scheduler/transform/trial.h"

/* `at` runs alone; or the first part ends with half of `at`. */
enum cut_kind { CUT_NONE, CUT_ALONE, CUT_HALF };
struct cut {
    enum cut_kind kind;
    struct affine at; /* in the nest's parameters */
};

/* ---- where ----------------------------------------------------------------------------------- */

static void add_terms(struct arena *arena, struct affine *sum, const struct affine *value,
                      long times) {
    sum->constant += times * value->constant;
    for (int i = 0; i < value->nterms; ++i) {
        int at = 0;
        while (at < sum->nterms && sum->terms[at].symbol != value->terms[i].symbol)
            ++at;
        if (at == sum->nterms) {
            struct term zero = {value->terms[i].symbol, 0};
            ARENA_PUSH(arena, sum->terms, sum->nterms, zero);
        }
        sum->terms[at].coeff += times * value->terms[i].coeff;
    }
}

static bool is_zero(const struct affine *value) {
    bool zero = value->constant == 0;
    for (int i = 0; i < value->nterms; ++i)
        zero = zero && value->terms[i].coeff == 0;
    return zero;
}

static bool is_same(struct arena *arena, const struct affine *a, const struct affine *b) {
    struct affine difference = {.constant = 0};
    add_terms(arena, &difference, a, 1);
    add_terms(arena, &difference, b, -1);
    return is_zero(&difference);
}

/*
 * One subscript moves in the write, by one element, and in the other access the other way or not at
 * all: first * i + a = second * j + b. The other subscripts are not asked: they can only keep
 * iterations apart.
 */
static struct cut cut_of(const struct line *line, const struct access *write,
                         const struct access *other) {
    struct arena *arena = line->nest->arena;
    struct cut cut = {CUT_NONE, {.constant = 0}};
    for (int i = 0; i < write->nsubs && i < other->nsubs; ++i) {
        struct affine a, b;
        long first = line_split(line, &write->subs[i].value, &a);
        long second = line_split(line, &other->subs[i].value, &b);
        if ((first != 1 && first != -1) || (second != 0 && second != -first))
            continue;
        add_terms(arena, &cut.at, &b, first);
        add_terms(arena, &cut.at, &a, -first);
        cut.kind = second == 0 ? CUT_ALONE : CUT_HALF;
        return cut;
    }
    return cut;
}

/* False: the two meet elsewhere, too. */
static bool take_pair(const struct line *line, const struct access *write,
                      const struct access *other, struct cut *cut) {
    long distance = 0;
    enum line_meeting meeting = line_meet(line, write, other, &distance);
    if (meeting == LINE_NEVER || (meeting == LINE_AT && distance == 0))
        return true;
    struct cut here =
        meeting == LINE_AT ? (struct cut){.kind = CUT_NONE} : cut_of(line, write, other);
    if (cut->kind == CUT_NONE)
        *cut = here;
    return here.kind != CUT_NONE && here.kind == cut->kind &&
           is_same(line->nest->arena, &here.at, &cut->at);
}

static struct cut find_cut(const struct line *line) {
    const struct loop_facts *facts = line->nest->facts;
    const struct cut none = {.kind = CUT_NONE};
    struct cut cut = none;
    for (int i = 0; i < line->nscalars; ++i)
        if (line->scalars[i].carried)
            return none;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            bool meets = a->write && a->object == b->object && a->object->kind != OBJECT_SCALAR;
            if (meets && !take_pair(line, a, b, &cut))
                return none;
        }
    return cut;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The first iteration of the last part. */
static const char *last_part(const struct line *line, const struct cut *cut) {
    const char *at = affine_named(line->nest, &cut->at);
    const bool constant = cut->at.nterms == 0;
    if (cut->kind == CUT_ALONE || constant)
        return constant ? arena_printf(line->nest->arena, "%ld",
                                       cut->kind == CUT_ALONE ? cut->at.constant + 1
                                                              : cut->at.constant / 2 + 1)
                        : arena_printf(line->nest->arena, "%s + 1", at);
    return arena_printf(line->nest->arena, "(%s) / 2 + 1", at);
}

static void write_part(const struct line *line, struct writing *w, const char *begin,
                       const char *end) {
    const struct variable *v = line->loop->variable;
    const char *name =
        line->loop->declares_variable ? type_declare(line->nest->arena, v->type, v->name) : v->name;
    text_print(&w->out, "for (%s = %s; %s < %s; %s += 1) { ", name, begin, v->name, end, v->name);
    write_tokens(w, &line->loop->body->range, &w->out);
    text_print(&w->out, "} ");
}

static void write_alone(const struct line *line, struct writing *w, const char *at) {
    const struct variable *v = line->loop->variable;
    text_print(&w->out, "{ const %s = %s; (void)%s; ",
               type_declare(line->nest->arena, v->type, v->name), at, v->name);
    write_tokens(w, &line->loop->body->range, &w->out);
    text_print(&w->out, "} ");
}

static bool is_cut(const struct line *line, const struct cut *cut) {
    return cut->kind != CUT_NONE && line->loop->step == 1 && !line->nest->loops[0].is_unsigned &&
           affine_is_small(&cut->at) && affine_is_small(&line->bounds.lower) &&
           affine_is_small(&line->bounds.upper);
}

void parts_try(struct trial *trial, struct line *line) {
    struct nest *nest = line->nest;
    struct writing writing = trial_writing(trial, nest, LEAST_PARTED / line_weight(line));
    struct writing *w = &writing;
    const struct cut cut = find_cut(line);
    if (!trial_may_be_long(line, w) || !is_cut(line, &cut))
        return;
    struct affine end = line->bounds.upper;
    end.constant += 1;
    const char *next = last_part(line, &cut);
    const char *at = cut.kind == CUT_ALONE ? affine_named(line->nest, &cut.at) : next;
    const char *first = affine_named(line->nest, &line->bounds.lower),
               *last = affine_named(line->nest, &end);
    const char *within = arena_printf(nest->arena, "%s <= %s && %s <= %s", first, at, next, last);
    ARENA_PUSH(nest->arena, nest->conditions, nest->nconditions, within);
    text_print(&w->out, "{ ");
    write_params(w);
    write_check(w);
    text_print(&w->out, "{ _Pragma(\"GCC diagnostic push\") "
                        "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\"); ");
    write_part(line, w, first, at);
    if (cut.kind == CUT_ALONE)
        write_alone(line, w, at);
    write_part(line, w, next, last);
    text_print(&w->out, "_Pragma(\"GCC diagnostic pop\") } else ");
    trial->text = w->out.bytes;
    trial->message = ORR1704;
    trial->words = arena_printf(nest->arena, "the loop runs in parts, cut at %s = %s",
                                line->loop->variable->name, at);
}
