/* The isl door of the scheduler: dependences of a nest, another order, and its loops as C. */
#include "scheduler/transform/order.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

/* isl's work for one nest. Those of PolyBench take less than 60,000 (heat-3d); numbers grow on the
 * way, so that five times as much takes fifty times as long. */
enum { MOST_OPERATIONS = 80000 };

/* `dependences`: pairs of instances that touch the same element, one of them to write, the first
 * before the second as the text has them. `told`: those that the scheduler hears of. */
struct state {
    isl_ctx *ctx;
    isl_union_set *domain;
    isl_union_map *dependences, *told;
    isl_schedule *schedule;
};

/* ---- the nest in isl's notation -------------------------------------------------------------- */

static void print_affine(const struct nest *nest, const struct affine *value, struct text *out) {
    text_print(out, "%ld", value->constant);
    for (int i = 0; i < value->nterms; ++i) {
        const struct symbol *symbol = value->terms[i].symbol;
        int loop = nest_loop_of(nest, symbol);
        text_print(out, " + %ld %s%d", value->terms[i].coeff, loop >= 0 ? "i" : nest->prefix,
                   loop >= 0 ? loop : symbol->id);
    }
}

static void print_params(const struct nest *nest, struct text *out) {
    text_print(out, "[");
    for (int i = 0; i < nest->nparams; ++i)
        text_print(out, "%s%s%d", i ? ", " : "", nest->prefix, nest->params[i]->id);
    text_print(out, "] -> { ");
}

static void print_instance(const struct nest *nest, int statement, struct text *out) {
    const struct nest_statement *s = &nest->statements[statement];
    text_print(out, "S%d[", statement);
    for (int i = 0; i < s->nloops; ++i)
        text_print(out, "%si%d", i ? ", " : "", s->loops[i]);
    text_print(out, "]");
}

static void print_domain(const struct nest *nest, int statement, struct text *out) {
    const struct nest_statement *s = &nest->statements[statement];
    print_instance(nest, statement, out);
    for (int i = 0; i < s->nloops; ++i) {
        const struct inner_loop *bounds = nest->loops[s->loops[i]].bounds;
        text_print(out, "%s", i ? " and " : " : ");
        print_affine(nest, &bounds->lower, out);
        text_print(out, " <= i%d <= ", s->loops[i]);
        print_affine(nest, &bounds->upper, out);
    }
    text_print(out, "; ");
}

/* Where the statement's instances stand in the text's order. */
static void print_place(const struct nest *nest, int statement, struct text *out) {
    const struct nest_statement *s = &nest->statements[statement];
    print_instance(nest, statement, out);
    text_print(out, " -> [");
    for (int i = 0; i <= NEST_DEPTH; ++i) {
        text_print(out, "%s%d", i ? ", " : "", i <= s->nloops ? s->order[i] : 0);
        if (i < s->nloops)
            text_print(out, ", i%d", s->loops[i]);
        else if (i < NEST_DEPTH)
            text_print(out, ", 0");
    }
    text_print(out, "]; ");
}

static void print_access(const struct nest *nest, int statement, const struct nest_access *access,
                         struct text *out) {
    print_instance(nest, statement, out);
    text_print(out, " -> A%d[", access->object);
    for (int i = 0; i < access->access->nsubs; ++i) {
        text_print(out, "%s", i ? ", " : "");
        print_affine(nest, &access->access->subs[i].value, out);
    }
    text_print(out, "]; ");
}

static isl_union_map *read_map(isl_ctx *ctx, struct text *text) {
    text_print(text, "}");
    return isl_union_map_read_from_str(ctx, text->bytes);
}

/* Those of the object called `but` are left out. */
static bool is_left_out(const struct nest_access *access, const char *but) {
    const char *name = access->access->object->name;
    return but && name && strcmp(name, but) == 0;
}

static isl_union_map *read_accesses(const struct nest *nest, isl_ctx *ctx, bool write,
                                    const char *but) {
    struct text text;
    text_start(&text, nest->arena);
    print_params(nest, &text);
    for (int s = 0; s < nest->nstatements; ++s)
        for (int i = 0; i < nest->statements[s].naccesses; ++i) {
            const struct nest_access *a = &nest->statements[s].accesses[i];
            if (a->access->write == write && !is_left_out(a, but))
                print_access(nest, s, a, &text);
        }
    return read_map(ctx, &text);
}

static isl_union_map *read_order(const struct nest *nest, isl_ctx *ctx) {
    struct text text;
    text_start(&text, nest->arena);
    print_params(nest, &text);
    for (int s = 0; s < nest->nstatements; ++s)
        print_place(nest, s, &text);
    return read_map(ctx, &text);
}

static isl_union_set *read_domain(const struct nest *nest, isl_ctx *ctx) {
    struct text text;
    text_start(&text, nest->arena);
    print_params(nest, &text);
    for (int s = 0; s < nest->nstatements; ++s)
        print_domain(nest, s, &text);
    text_print(&text, "}");
    return isl_union_set_read_from_str(ctx, text.bytes);
}

/* Pairs of instances that touch the same element, one of them to write. */
static isl_union_map *conflicts(isl_union_map *reads, isl_union_map *writes) {
    isl_union_map *all = isl_union_map_union(isl_union_map_copy(reads), isl_union_map_copy(writes));
    isl_union_map *forth = isl_union_map_apply_range(
        isl_union_map_copy(writes), isl_union_map_reverse(isl_union_map_copy(all)));
    isl_union_map *back = isl_union_map_apply_range(all, isl_union_map_reverse(writes));
    isl_union_map_free(reads);
    return isl_union_map_union(forth, back);
}

static isl_union_map *dependences(const struct nest *nest, struct state *state, const char *but) {
    isl_union_map *order = read_order(nest, state->ctx);
    isl_union_map *before = isl_union_map_lex_lt_union_map(isl_union_map_copy(order), order);
    isl_union_map *pairs = conflicts(read_accesses(nest, state->ctx, false, but),
                                     read_accesses(nest, state->ctx, true, but));
    pairs = isl_union_map_intersect_domain(pairs, isl_union_set_copy(state->domain));
    pairs = isl_union_map_intersect_range(pairs, isl_union_set_copy(state->domain));
    return isl_union_map_coalesce(isl_union_map_intersect(pairs, before));
}

/* ---- the schedule ---------------------------------------------------------------------------- */

static isl_schedule *schedule(struct state *state) {
    isl_schedule_constraints *all =
        isl_schedule_constraints_on_domain(isl_union_set_copy(state->domain));
    all = isl_schedule_constraints_set_validity(all, isl_union_map_copy(state->told));
    all = isl_schedule_constraints_set_coincidence(all, isl_union_map_copy(state->told));
    all = isl_schedule_constraints_set_proximity(all, isl_union_map_copy(state->told));
    return isl_schedule_constraints_compute_schedule(all);
}

/* No pair of instances that depend on each other runs the other way round, or at once. */
static bool keeps_dependences(const struct state *state, isl_schedule *schedule) {
    isl_union_map *order = isl_schedule_get_map(schedule);
    isl_union_map *turned = isl_union_map_lex_ge_union_map(isl_union_map_copy(order), order);
    turned = isl_union_map_intersect(turned, isl_union_map_copy(state->dependences));
    isl_bool none = isl_union_map_is_empty(turned);
    isl_union_map_free(turned);
    return none == isl_bool_true;
}

/* ---- bands, as plain data -------------------------------------------------------------------- */

struct visit {
    const struct nest *nest;
    struct order *order;
    int band;  /* the next one's number */
    bool fits; /* every member counts one loop of each statement */
};

struct counting {
    const struct nest *nest;
    struct order_member *member;
    bool fits;
};

/* The only variable of `aff`, which has the coefficient 1; -1: it is not of this form. */
static int variable_of(isl_aff *aff) {
    int n = (int)isl_aff_dim(aff, isl_dim_in), found = -1;
    bool one = isl_aff_dim(aff, isl_dim_div) == 0;
    for (int i = 0; i < n; ++i) {
        isl_val *v = isl_aff_get_coefficient_val(aff, isl_dim_in, i);
        if (!isl_val_is_zero(v)) {
            one = one && found < 0 && isl_val_is_one(v);
            found = i;
        }
        isl_val_free(v);
    }
    return one ? found : -1;
}

static isl_stat see_piece(isl_set *set, isl_aff *aff, void *data) {
    *(int *)data = *(int *)data == -2 ? variable_of(aff) : -1;
    isl_set_free(set);
    isl_aff_free(aff);
    return isl_stat_ok;
}

static isl_stat see_statement(isl_pw_aff *value, void *data) {
    struct counting *c = data;
    isl_space *space = isl_pw_aff_get_domain_space(value);
    const char *name = isl_space_get_tuple_name(space, isl_dim_set);
    int statement = name ? atoi(name + 1) : -1, variable = -2;
    isl_pw_aff_foreach_piece(value, see_piece, &variable);
    if (statement < 0 || variable < 0)
        c->fits = false;
    else
        c->member->counts[statement] = c->nest->statements[statement].loops[variable];
    isl_space_free(space);
    isl_pw_aff_free(value);
    return isl_stat_ok;
}

static bool read_member(const struct nest *nest, isl_schedule_node *node, int index,
                        struct order_member *member) {
    struct counting c = {nest, member, true};
    isl_multi_union_pw_aff *all = isl_schedule_node_band_get_partial_schedule(node);
    isl_union_pw_aff *value = isl_multi_union_pw_aff_get_union_pw_aff(all, index);
    for (int s = 0; s < NEST_STATEMENTS; ++s)
        member->counts[s] = ORDER_NONE;
    member->is_parallel =
        isl_schedule_node_band_member_get_coincident(node, index) == isl_bool_true;
    bool seen = isl_union_pw_aff_foreach_pw_aff(value, see_statement, &c) == isl_stat_ok;
    isl_union_pw_aff_free(value);
    isl_multi_union_pw_aff_free(all);
    return seen && c.fits;
}

static bool is_band(isl_schedule_node *node) {
    return isl_schedule_node_get_type(node) == isl_schedule_node_band &&
           isl_schedule_node_band_n_member(node) > 0;
}

static isl_schedule_node *read_band(isl_schedule_node *node, void *data) {
    struct visit *v = data;
    if (!is_band(node))
        return node;
    int n = (int)isl_schedule_node_band_n_member(node);
    if (v->band == ORDER_BANDS || n > NEST_DEPTH) {
        v->fits = false;
        return node;
    }
    struct order_band *band = &v->order->bands[v->band++];
    band->nmembers = n;
    band->is_permutable = isl_schedule_node_band_get_permutable(node) == isl_bool_true;
    for (int i = 0; i < n; ++i)
        v->fits &= read_member(v->nest, node, i, &band->members[i]);
    v->order->nbands = v->band;
    return node;
}

static isl_schedule *each_band(isl_schedule *schedule,
                               isl_schedule_node *(*see)(isl_schedule_node *, void *),
                               struct visit *v) {
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_schedule_free(schedule);
    root = isl_schedule_node_map_descendant_bottom_up(root, see, v);
    schedule = isl_schedule_node_get_schedule(root);
    isl_schedule_node_free(root);
    return schedule;
}

/* ---- a band in another order, and in tiles --------------------------------------------------- */

/* The tile that a member's values lie in, by its first value. */
static isl_union_pw_aff *tile_of(isl_union_pw_aff *value, int size) {
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(value);
    isl_val *width = isl_val_int_from_si(ctx, size);
    value = isl_union_pw_aff_scale_down_val(value, isl_val_copy(width));
    return isl_union_pw_aff_scale_val(isl_union_pw_aff_floor(value), width);
}

static isl_multi_union_pw_aff *combine(isl_multi_union_pw_aff *all, int count,
                                       isl_union_pw_aff_list *list) {
    isl_space *space = isl_multi_union_pw_aff_get_space(all);
    space = isl_space_params(space);
    space = isl_space_set_from_params(space);
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)count);
    return isl_multi_union_pw_aff_from_union_pw_aff_list(space, list);
}

static isl_schedule_node *insert_tiles(isl_schedule_node *node, isl_multi_union_pw_aff *all,
                                       const struct order_band *band,
                                       const struct order_choice *choice) {
    isl_union_pw_aff_list *list =
        isl_union_pw_aff_list_alloc(isl_schedule_node_get_ctx(node), band->nmembers);
    int count = 0;
    for (int i = 0; i < band->nmembers; ++i) {
        int m = choice->outer[i];
        if (choice->tile[m] == 0)
            continue;
        list = isl_union_pw_aff_list_add(
            list, tile_of(isl_multi_union_pw_aff_get_union_pw_aff(all, m), choice->tile[m]));
        ++count;
    }
    if (count == 0) {
        isl_union_pw_aff_list_free(list);
        return node;
    }
    return isl_schedule_node_insert_partial_schedule(node, combine(all, count, list));
}

static isl_schedule_node *reorder(isl_schedule_node *node, isl_multi_union_pw_aff *all,
                                  const struct order_band *band,
                                  const struct order_choice *choice) {
    isl_union_pw_aff_list *list =
        isl_union_pw_aff_list_alloc(isl_schedule_node_get_ctx(node), band->nmembers);
    for (int i = 0; i < band->nmembers; ++i)
        list = isl_union_pw_aff_list_add(
            list, isl_multi_union_pw_aff_get_union_pw_aff(all, choice->inner[i]));
    node = isl_schedule_node_delete(node);
    return isl_schedule_node_insert_partial_schedule(node, combine(all, band->nmembers, list));
}

static isl_schedule_node *change_band(isl_schedule_node *node, void *data) {
    struct visit *v = data;
    if (!is_band(node))
        return node;
    const struct order_band *band = &v->order->bands[v->band];
    const struct order_choice *choice = &v->order->choices[v->band++];
    if (!band->is_permutable || band->nmembers < 1)
        return node;
    isl_multi_union_pw_aff *all = isl_schedule_node_band_get_partial_schedule(node);
    node = reorder(node, all, band, choice);
    node = insert_tiles(node, all, band, choice);
    isl_multi_union_pw_aff_free(all);
    return node;
}

/* ---- loops as C ------------------------------------------------------------------------------ */

struct printing {
    const struct nest *nest;
    const struct order_print *how;
    struct text *out;
    bool fits; /* all of it can be said in C */
};

static void print_expr(struct printing *p, isl_ast_expr *e, struct text *out);

static void print_argument(struct printing *p, isl_ast_expr *e, int index, struct text *out) {
    isl_ast_expr *argument = isl_ast_expr_get_op_arg(e, index);
    print_expr(p, argument, out);
    isl_ast_expr_free(argument);
}

/* Arguments with `sign` between them, all of it in parentheses. */
static void print_infix(struct printing *p, isl_ast_expr *e, const char *sign, struct text *out) {
    text_print(out, "(");
    for (int i = 0; i < isl_ast_expr_get_op_n_arg(e); ++i) {
        text_print(out, "%s", i ? sign : "");
        print_argument(p, e, i, out);
    }
    text_print(out, ")");
}

/* The least or the greatest of the arguments from `index` on. */
static void print_extreme(struct printing *p, isl_ast_expr *e, int index, const char *sign,
                          struct text *out) {
    if (index + 1 == isl_ast_expr_get_op_n_arg(e)) {
        print_argument(p, e, index, out);
        return;
    }
    struct text rest;
    text_start(&rest, p->nest->arena);
    print_extreme(p, e, index + 1, sign, &rest);
    text_print(out, "(");
    print_argument(p, e, index, out);
    text_print(out, " %s %s ? ", sign, rest.bytes);
    print_argument(p, e, index, out);
    text_print(out, " : %s)", rest.bytes);
}

/* Rounded down, also below zero; isl divides by positive numbers. */
static void print_floor(struct printing *p, isl_ast_expr *e, struct text *out) {
    struct text n, d;
    text_start(&n, p->nest->arena);
    text_start(&d, p->nest->arena);
    print_argument(p, e, 0, &n);
    print_argument(p, e, 1, &d);
    text_print(out, "(%s >= 0 ? %s / %s : -((%s - 1 - %s) / %s))", n.bytes, n.bytes, d.bytes,
               d.bytes, n.bytes, d.bytes);
}

static void print_negative(struct printing *p, isl_ast_expr *e, struct text *out) {
    text_print(out, "(-");
    print_argument(p, e, 0, out);
    text_print(out, ")");
}

static void print_operation(struct printing *p, isl_ast_expr *e, struct text *out) {
    static const struct {
        enum isl_ast_expr_op_type type;
        const char *sign;
    } signs[] = {{isl_ast_expr_op_and, " && "},      {isl_ast_expr_op_or, " || "},
                 {isl_ast_expr_op_and_then, " && "}, {isl_ast_expr_op_or_else, " || "},
                 {isl_ast_expr_op_add, " + "},       {isl_ast_expr_op_sub, " - "},
                 {isl_ast_expr_op_mul, " * "},       {isl_ast_expr_op_div, " / "},
                 {isl_ast_expr_op_pdiv_q, " / "},    {isl_ast_expr_op_pdiv_r, " % "},
                 {isl_ast_expr_op_zdiv_r, " % "},    {isl_ast_expr_op_eq, " == "},
                 {isl_ast_expr_op_le, " <= "},       {isl_ast_expr_op_lt, " < "},
                 {isl_ast_expr_op_ge, " >= "},       {isl_ast_expr_op_gt, " > "}};
    enum isl_ast_expr_op_type type = isl_ast_expr_get_op_type(e);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i)
        if (signs[i].type == type) {
            print_infix(p, e, signs[i].sign, out);
            return;
        }
    if (type == isl_ast_expr_op_min || type == isl_ast_expr_op_max)
        print_extreme(p, e, 0, type == isl_ast_expr_op_min ? "<" : ">", out);
    else if (type == isl_ast_expr_op_minus)
        print_negative(p, e, out);
    else if (type == isl_ast_expr_op_fdiv_q)
        print_floor(p, e, out);
    else
        p->fits = false;
}

/* Numbers in subscripts and bounds. */
#define LARGEST (1L << 30)

static void print_number(struct printing *p, isl_ast_expr *e, struct text *out) {
    isl_val *v = isl_ast_expr_get_val(e);
    if (isl_val_is_int(v) == isl_bool_true && isl_val_cmp_si(v, LARGEST) < 0 &&
        isl_val_cmp_si(v, -LARGEST) > 0)
        text_print(out, "%ld%s", isl_val_get_num_si(v), nest_is_narrow(p->nest) ? "" : "L");
    else
        p->fits = false;
    isl_val_free(v);
}

static void print_name(isl_ast_expr *e, struct text *out) {
    isl_id *id = isl_ast_expr_get_id(e);
    text_print(out, "%s", isl_id_get_name(id));
    isl_id_free(id);
}

static void print_expr(struct printing *p, isl_ast_expr *e, struct text *out) {
    switch (isl_ast_expr_get_type(e)) {
    case isl_ast_expr_int:
        print_number(p, e, out);
        return;
    case isl_ast_expr_id:
        print_name(e, out);
        return;
    case isl_ast_expr_op:
        print_operation(p, e, out);
        return;
    default:
        p->fits = false;
    }
}

static const char *expr_text(struct printing *p, isl_ast_expr *e) {
    struct text text;
    text_start(&text, p->nest->arena);
    print_expr(p, e, &text);
    isl_ast_expr_free(e);
    return text.bytes;
}

static void print_node(struct printing *p, isl_ast_node *node);

/* Its end stands in front of it, as a value that does not change: compilers interleave iterations of
 * such loops only. */
static void print_counted(struct printing *p, isl_ast_node *node, const char *name) {
    isl_ast_expr *cond = isl_ast_node_for_get_cond(node);
    enum isl_ast_expr_op_type type = isl_ast_expr_get_op_type(cond);
    const char *end = expr_text(p, isl_ast_expr_get_op_arg(cond, 1));
    const char *init = expr_text(p, isl_ast_node_for_get_init(node));
    const char *step = expr_text(p, isl_ast_node_for_get_inc(node));
    const char *counter = p->nest->counter;
    p->fits &= type == isl_ast_expr_op_le || type == isl_ast_expr_op_lt;
    text_print(p->out, "{ const %s %s_end = %s; for (%s %s = %s; %s %s %s_end; %s += %s) { ",
               counter, name, end, counter, name, init, name,
               type == isl_ast_expr_op_le ? "<=" : "<", name, name, step);
    isl_ast_expr_free(cond);
}

static void print_loop(struct printing *p, isl_ast_node *node) {
    const char *name = expr_text(p, isl_ast_node_for_get_iterator(node));
    isl_ast_node *body = isl_ast_node_for_get_body(node);
    if (isl_ast_node_for_is_degenerate(node))
        text_print(p->out, "{ { const %s %s = %s; ", p->nest->counter, name,
                   expr_text(p, isl_ast_node_for_get_init(node)));
    else
        print_counted(p, node, name);
    print_node(p, body);
    text_print(p->out, "} } ");
    isl_ast_node_free(body);
}

static void print_if(struct printing *p, isl_ast_node *node) {
    isl_ast_node *then = isl_ast_node_if_get_then_node(node);
    text_print(p->out, "if (%s) { ", expr_text(p, isl_ast_node_if_get_cond(node)));
    print_node(p, then);
    text_print(p->out, "} ");
    isl_ast_node_free(then);
    if (isl_ast_node_if_has_else_node(node)) {
        isl_ast_node *other = isl_ast_node_if_get_else_node(node);
        text_print(p->out, "else { ");
        print_node(p, other);
        text_print(p->out, "} ");
        isl_ast_node_free(other);
    }
}

static void print_block(struct printing *p, isl_ast_node *node) {
    isl_ast_node_list *list = isl_ast_node_block_get_children(node);
    for (int i = 0; i < isl_ast_node_list_n_ast_node(list); ++i) {
        isl_ast_node *child = isl_ast_node_list_get_ast_node(list, i);
        print_node(p, child);
        isl_ast_node_free(child);
    }
    isl_ast_node_list_free(list);
}

/* A call of the statement by its name with the values of its loops. */
static void print_instance_of(struct printing *p, isl_ast_node *node) {
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    const char *name = expr_text(p, isl_ast_expr_get_op_arg(call, 0));
    const char *values[NEST_DEPTH];
    int n = (int)isl_ast_expr_get_op_n_arg(call) - 1;
    for (int i = 0; i < n && i < NEST_DEPTH; ++i)
        values[i] = expr_text(p, isl_ast_expr_get_op_arg(call, i + 1));
    isl_ast_expr_free(call);
    p->how->statement(p->how->data, atoi(name + 1), n, values, p->out);
}

static void print_node(struct printing *p, isl_ast_node *node) {
    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        print_loop(p, node);
        return;
    case isl_ast_node_if:
        print_if(p, node);
        return;
    case isl_ast_node_block:
        print_block(p, node);
        return;
    case isl_ast_node_user:
        print_instance_of(p, node);
        return;
    default:
        p->fits = false;
    }
}

/* ---- from the nest to its order -------------------------------------------------------------- */

void order_free(struct order *order) {
    struct state *state = order ? order->state : NULL;
    if (!state)
        return;
    isl_schedule_free(state->schedule);
    isl_union_map_free(state->dependences);
    isl_union_map_free(state->told);
    isl_union_set_free(state->domain);
    isl_ctx_free(state->ctx);
    order->state = NULL;
}

struct order *order_find(const struct nest *nest) {
    struct order *order = arena_alloc(nest->arena, sizeof *order);
    struct state *state = arena_alloc(nest->arena, sizeof *state);
    *state = (struct state){.ctx = isl_ctx_alloc()};
    *order = (struct order){.state = state};
    isl_options_set_on_error(state->ctx, ISL_ON_ERROR_CONTINUE);
    isl_options_set_schedule_serialize_sccs(state->ctx, 1);
    isl_ctx_set_max_operations(state->ctx, MOST_OPERATIONS);
    state->domain = read_domain(nest, state->ctx);
    state->dependences = dependences(nest, state, NULL);
    state->told = nest->forget ? dependences(nest, state, nest->forget)
                               : isl_union_map_copy(state->dependences);
    state->schedule = schedule(state);
    struct visit v = {.nest = nest, .order = order, .fits = state->schedule != NULL};
    if (v.fits)
        state->schedule = each_band(state->schedule, read_band, &v);
    if (v.fits && state->schedule)
        return order;
    order_free(order);
    return NULL;
}

/* What the text around has asked for: the loops whose bounds are free have some iterations. */
static isl_set *context(const struct nest *nest, isl_ctx *ctx) {
    struct text text;
    text_start(&text, nest->arena);
    print_params(nest, &text);
    text_print(&text, ": ");
    for (int i = 0, first = 1; i < nest->nloops; ++i) {
        if (!nest->loops[i].is_free)
            continue;
        text_print(&text, "%s", first ? "" : " and ");
        print_affine(nest, &nest->loops[i].bounds->lower, &text);
        text_print(&text, " <= ");
        print_affine(nest, &nest->loops[i].bounds->upper, &text);
        first = 0;
    }
    text_print(&text, " }");
    return isl_set_read_from_str(ctx, text.bytes);
}

static isl_ast_build *build_with_names(const struct nest *nest, isl_ctx *ctx) {
    enum { NAMES = 2 * NEST_DEPTH + 2 };
    isl_id_list *names = isl_id_list_alloc(ctx, NAMES);
    for (int i = 0; i < NAMES; ++i)
        names = isl_id_list_add(
            names, isl_id_alloc(ctx, arena_printf(nest->arena, "%sloop%d", nest->prefix, i), NULL));
    isl_ast_build *build = isl_ast_build_from_context(context(nest, ctx));
    return isl_ast_build_set_iterators(build, names);
}

bool order_print(const struct nest *nest, struct order *order, const struct order_print *how,
                 struct text *out) {
    struct state *state = order->state;
    struct visit v = {.nest = nest, .order = order};
    isl_ctx_reset_operations(state->ctx);
    isl_schedule *changed = each_band(isl_schedule_copy(state->schedule), change_band, &v);
    order->is_broken = changed && !keeps_dependences(state, changed);
    if (!changed || (order->is_broken && !nest->unproved)) {
        isl_schedule_free(changed);
        return false;
    }
    isl_ast_build *build = build_with_names(nest, state->ctx);
    isl_ast_node *node = isl_ast_build_node_from_schedule(build, changed);
    struct printing p = {nest, how, out, node != NULL};
    if (node)
        print_node(&p, node);
    isl_ast_node_free(node);
    isl_ast_build_free(build);
    return p.fits && isl_ctx_last_error(state->ctx) == isl_error_none;
}
