/*
 * Index-set splitting of nests: an iteration of a loop alone writes what the others read, so the loop
 * becomes those before it, it, and those behind it. The order of the iterations stays, so any cut is
 * right.
 *
 *   for i, j: d[i][j] = min(d[i][j], d[i][k] + d[k][j])      i < k, i = k, i > k; and j likewise
 */
#include "scheduler/transform/trial.h"

/* ---- where ----------------------------------------------------------------------------------- */

/* Of a loop of the nest: no iterations of it meet (`any` is false), or only those with number `at`
 * meet others. */
struct cut {
    bool any;
    struct affine at;
};

/* The multiple of loop number `loop` in it; false: loops inside of that one stand in it, too. */
static bool split(const struct nest *nest, int loop, const struct affine *value, long *coeff,
                  struct affine *rest) {
    *coeff = 0;
    *rest = (struct affine){.constant = value->constant};
    for (int i = 0; i < value->nterms; ++i) {
        int of = nest_loop_of(nest, value->terms[i].symbol);
        if (of > loop)
            return false;
        if (of == loop)
            *coeff = value->terms[i].coeff;
        else
            ARENA_PUSH(nest->arena, rest->terms, rest->nterms, value->terms[i]);
    }
    return true;
}

static bool is_param(const struct nest *nest, const struct affine *value) {
    for (int i = 0; i < value->nterms; ++i)
        if (nest_loop_of(nest, value->terms[i].symbol) >= 0)
            return false;
    return true;
}

/* False: the two touch one element in iterations that no cut keeps apart. */
static bool take_pair(const struct nest *nest, int loop, const struct access *write,
                      const struct access *other, struct cut *cut) {
    struct cut here = {.any = false};
    for (int d = 0; d < write->nsubs && d < other->nsubs; ++d) {
        long first, second;
        struct affine a, b;
        if (!split(nest, loop, &write->subs[d].value, &first, &a) ||
            !split(nest, loop, &other->subs[d].value, &second, &b))
            continue;
        if (first == second && affine_equal(&a, &b) && first != 0)
            return true;
        if (first == 1 && second == 0 && a.nterms == 0 && is_param(nest, &b) && !here.any) {
            here = (struct cut){true, b};
            here.at.constant -= a.constant;
        }
    }
    if (!here.any || (cut->any && !affine_equal(&cut->at, &here.at)))
        return false;
    *cut = here;
    return true;
}

static bool take_write(const struct nest *nest, int loop, const struct access *write,
                       struct cut *cut) {
    for (int i = 0; i < nest->nstatements; ++i)
        for (int j = 0; j < nest->statements[i].naccesses; ++j) {
            const struct access *other = nest->statements[i].accesses[j].access;
            if (other->object == write->object && !take_pair(nest, loop, write, other, cut))
                return false;
        }
    return true;
}

/* requires: all statements are inside of it. */
static bool find_cut(const struct nest *nest, int loop, struct cut *cut) {
    *cut = (struct cut){.any = false};
    for (int i = 0; i < nest->nstatements; ++i)
        for (int j = 0; j < nest->statements[i].naccesses; ++j) {
            const struct access *write = nest->statements[i].accesses[j].access;
            if (write->write && !take_write(nest, loop, write, cut))
                return false;
        }
    const struct nest_loop *l = &nest->loops[loop];
    return cut->any && l->is_free && !l->is_unsigned && affine_is_small(&cut->at) &&
           affine_is_small(&l->bounds->lower) && affine_is_small(&l->bounds->upper);
}

/* The loop that is all of the outermost one's body. */
static bool has_only_loop(const struct nest *nest) {
    const struct stmt *body = nest->loops[0].loop->body;
    while (body->kind == STMT_BLOCK && body->nbody == 1)
        body = body->body[0];
    return nest->nloops > 1 && body == nest->loops[1].loop->stmt;
}

/* How many of the outermost loops are cut, by `cuts`. */
static int find_cuts(const struct nest *nest, struct cut cuts[2]) {
    if (!find_cut(nest, 0, &cuts[0]))
        return 0;
    return has_only_loop(nest) && find_cut(nest, 1, &cuts[1]) ? 2 : 1;
}

/* ---- text ------------------------------------------------------------------------------------ */

struct parts {
    struct nest *nest;
    struct writing *writing;
    int ncuts;
    struct cut cuts[2];
};

static void write_parts(const struct parts *parts, int loop);

static void write_body(const struct parts *parts, int loop) {
    text_print(&parts->writing->out, "{ ");
    if (loop + 1 < parts->ncuts)
        write_parts(parts, loop + 1);
    else
        write_tokens(parts->writing, &parts->nest->loops[loop].loop->body->range,
                     &parts->writing->out);
    text_print(&parts->writing->out, " } ");
}

static void write_range(const struct parts *parts, int loop, const char *begin, const char *end) {
    const struct variable *v = parts->nest->loops[loop].loop->variable;
    text_print(&parts->writing->out, "for (%s = %s; %s < %s; %s += 1) ",
               type_declare(parts->nest->arena, v->type, v->name), begin, v->name, end, v->name);
    write_body(parts, loop);
}

static const char *named(const struct nest *nest, struct affine value, long more) {
    value.constant += more;
    return affine_named(nest, &value);
}

static void write_parts(const struct parts *parts, int loop) {
    struct nest *nest = parts->nest;
    const struct inner_loop *bounds = nest->loops[loop].bounds;
    const struct variable *v = nest->loops[loop].loop->variable;
    const char *at = named(nest, parts->cuts[loop].at, 0);
    write_range(parts, loop, named(nest, bounds->lower, 0), at);
    text_print(&parts->writing->out, "{ const %s = %s; (void)%s; ",
               type_declare(nest->arena, v->type, v->name), at, v->name);
    write_body(parts, loop);
    text_print(&parts->writing->out, "} ");
    write_range(parts, loop, named(nest, parts->cuts[loop].at, 1), named(nest, bounds->upper, 1));
}

static void write_all(const struct parts *parts) {
    struct nest *nest = parts->nest;
    struct writing *w = parts->writing;
    for (int i = 0; i < parts->ncuts; ++i) {
        const struct inner_loop *bounds = nest->loops[i].bounds;
        const char *at = named(nest, parts->cuts[i].at, 0);
        const char *within =
            arena_printf(nest->arena, "%s <= %s && %s <= %s", named(nest, bounds->lower, 0), at, at,
                         named(nest, bounds->upper, 0));
        ARENA_PUSH(nest->arena, nest->conditions, nest->nconditions, within);
    }
    text_print(&w->out, "{ ");
    write_params(w);
    write_check(w);
    text_print(&w->out, "{ _Pragma(\"GCC diagnostic push\") "
                        "_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\"); ");
    write_parts(parts, 0);
    write_counter(w);
    text_print(&w->out, "_Pragma(\"GCC diagnostic pop\") } else ");
}

void cuts_try(struct trial *trial, struct nest *nest) {
    struct writing w = trial_writing(trial, nest, LEAST_ITERATIONS);
    struct parts parts = {.nest = nest, .writing = &w};
    if (trial_is_parallel_around(trial, trial->loop))
        return;
    parts.ncuts = find_cuts(nest, parts.cuts);
    if (parts.ncuts == 0)
        return;
    write_all(&parts);
    trial->text = w.out.bytes;
    trial->message = ORR1704;
    trial->words = "the loop runs in parts, cut at";
    for (int i = 0; i < parts.ncuts; ++i)
        trial->words =
            arena_printf(nest->arena, "%s%s %s = %s", trial->words, i > 0 ? " and" : "",
                         nest->loops[i].loop->variable->name, named(nest, parts.cuts[i].at, 0));
}
