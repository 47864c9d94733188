/* The packed record of an iteration, and the gather that fills it. */
#include "scheduler/outline/outline.h"

#include <string.h>

/* ---- layout ---------------------------------------------------------------------------------- */

static long alignment(const struct type *type) {
    bool scalar = type->kind != TYPE_STRUCT && type->kind != TYPE_UNION;
    return scalar && type->size > 0 ? type->size : 8;
}

/* What an unsigned bit-field of few bits is promoted to; other loads keep their type. */
static bool is_promoted_bits(const struct expr *expr) {
    return expr->kind == EXPR_MEMBER && expr->field && expr->field->bit_width >= 0 &&
           (expr->field->bit_width < 32 || expr->type->is_signed);
}

static bool is_wide_bits(const struct expr *expr) {
    return expr->kind == EXPR_MEMBER && expr->field && expr->field->bit_width > 32;
}

static bool add_slot(struct outline *job, const struct stream_load *load) {
    const char *name = arena_printf(job->arena, "%s%d", load->key ? "k" : "f", job->nslots);
    if (is_wide_bits(load->expr))
        return emit_refuse(job, ORR2309, load->sites[0],
                           "the loop stays serial: a bit-field of more than 32 bits cannot be "
                           "gathered into a record");
    bool bits = is_promoted_bits(load->expr);
    struct record_slot slot = {
        .load = load,
        .name = name,
        .member = bits ? arena_printf(job->arena, "int %s", name)
                       : emit_declare_plain(job, load->type, name),
        .type_text = bits ? "int" : emit_type_plain(job, load->type),
        .align = bits ? 4 : alignment(load->type),
        .bits = bits,
    };
    ARENA_PUSH(job->arena, job->slots, job->nslots, slot);
    return !job->refused;
}

static void add_sites(struct outline *job, const struct record_slot *slot) {
    const char *with = arena_printf(job->arena, "(orrery_r->%s)", slot->name);
    for (int i = 0; i < slot->load->nsites; ++i) {
        const struct range *site = &slot->load->sites[i];
        text_edit_add(&job->sites, site->begin.offset, site->end.offset, with);
    }
}

/* Wider members first, so that there is no padding between them; otherwise in order. */
static void sort_slots(struct outline *job) {
    for (int i = 1; i < job->nslots; ++i) {
        struct record_slot slot = job->slots[i];
        int at = i;
        for (; at > 0 && job->slots[at - 1].align < slot.align; --at)
            job->slots[at] = job->slots[at - 1];
        job->slots[at] = slot;
    }
}

/* ---- calls in what is gathered --------------------------------------------------------------- */

struct call_check {
    bool ok;
    int depth;
};

static void visit_call(void *data, struct expr *expr, struct expr *parent);

/* Does the function compute from its arguments alone? Those of the library are known to. */
static bool is_arithmetic(const struct function *function, const struct expr *call, int depth) {
    struct call_check check = {true, depth + 1};
    if (!function || depth > 8)
        return false;
    for (int i = 0; i < call->nargs; ++i)
        if (call->args[i]->type->kind == TYPE_POINTER)
            return false;
    if (function->body)
        emit_walk_stmt(function->body, visit_call, &check);
    return check.ok;
}

static void visit_call(void *data, struct expr *expr, struct expr *parent) {
    struct call_check *check = data;
    (void)parent;
    if (expr->kind == EXPR_CALL && !is_arithmetic(expr->function, expr, check->depth))
        check->ok = false;
    bool memory = expr->kind == EXPR_DEREF || expr->kind == EXPR_SUBSCRIPT ||
                  (expr->kind == EXPR_VAR && !expr->var->function) ||
                  (expr->kind == EXPR_VAR && expr->var->storage == STORAGE_STATIC_LOCAL);
    if (check->depth > 0 && memory)
        check->ok = false;
}

/* Every address that the gather reads must be one it can name. */
bool emit_check_calls(struct outline *job, const struct expr *expr, int nguards,
                      struct expr **guards) {
    struct call_check check = {true, 0};
    emit_walk_expr((struct expr *)expr, NULL, visit_call, &check);
    for (int i = 0; i < nguards; ++i)
        emit_walk_expr(guards[i], NULL, visit_call, &check);
    return check.ok ||
           emit_refuse(job, ORR2309, job->loop->header,
                       "the loop stays serial: `%s` calls a function that reads memory, so it is "
                       "not known when it changes; compute it into an array first",
                       expr_print(job->arena, expr));
}

bool emit_reads_check(struct outline *job, const struct expr *expr) {
    return emit_check_calls(job, expr, 0, NULL);
}

static bool check_key(struct outline *job, int dim) {
    const struct dim *d = dim >= 0 ? &job->plan->analysis->dims[dim] : NULL;
    return !d || d->kind == DIM_VARIABLE ||
           (emit_check_calls(job, d->symbol->expr, d->symbol->nguards, d->symbol->guards) &&
            (!d->symbol->row_guard || emit_check_calls(job, d->symbol->row_guard, 0, NULL)));
}

/*
 * A record by levels holds what the list of touched elements reads: both stay as they are until the
 * same memory changes. Other values (a right-hand side) may change with every pass; the body reads
 * them where they are.
 */
static bool is_recorded(const struct outline *job, const struct stream_load *load) {
    return job->plan->strategy != STRATEGY_LEVELS || emit_lists_read(job, load->expr);
}

/* requires: emit_env_collect, emit_lists_collect. Keys come first in facts' order, so that equal
 * widths keep it. */
bool emit_record_collect(struct outline *job) {
    const struct loop_facts *facts = job->facts;
    if (!job->plan->by_key)
        return true;
    bool all = true;
    for (int keys = 1; keys >= 0; --keys)
        for (int i = 0; i < facts->nstreams; ++i) {
            const struct stream_load *load = &facts->streams[i];
            if (!!load->key != keys || load->nsites == 0)
                continue;
            if (is_recorded(job, load) && !add_slot(job, load))
                return false;
            all = all && is_recorded(job, load);
        }
    for (int i = 0; i < job->nslots; ++i) {
        const struct stream_load *load = job->slots[i].load;
        if (!emit_check_calls(job, load->expr, load->nguards, load->guards))
            return false;
        add_sites(job, &job->slots[i]);
    }
    int keys[PLAN_KEYS], nkeys = plan_keys(job->plan, keys);
    for (int k = 0; k < nkeys; ++k)
        if (!check_key(job, keys[k]))
            return false;
    sort_slots(job);
    job->record_index = facts->uses_index || job->nslots == 0 || !all || emit_choice_by_index(job);
    return true;
}

void emit_record_print(struct outline *job, struct text *out) {
    text_print(out, "struct orrery_record_%d {\n", job->number);
    if (job->record_index)
        text_print(out, "    long i;\n");
    for (int i = 0; i < job->nslots; ++i)
        text_print(out, "    %s;\n", job->slots[i].member);
    text_print(out, "};\n\n");
}

/* ---- what an expression reads ---------------------------------------------------------------- */

static int span_of(struct outline *job, const char *name) {
    for (int i = 0; i < job->nspans; ++i)
        if (strcmp(job->spans[i], name) == 0)
            return i;
    ARENA_PUSH(job->arena, job->spans, job->nspans, name);
    return job->nspans - 1;
}

/* A bit-field has no address: the struct around it is touched. */
static const struct expr *addressable(const struct expr *expr) {
    while (expr->kind == EXPR_MEMBER && expr->field && expr->field->bit_width >= 0)
        expr = expr->args[0];
    return expr;
}

/*
 * What the lvalue lies behind: `d->user` of d->user[n], `d` of d->user itself. Memory behind
 * different pointers lies apart; one span over both would hold all that is between them.
 */
static const char *behind(struct outline *job, const struct expr *lvalue) {
    const struct expr *e = lvalue;
    while (e->kind == EXPR_MEMBER ||
           (e->kind == EXPR_SUBSCRIPT && e->args[0]->type->kind != TYPE_POINTER))
        e = e->args[0];
    bool pointer = e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF;
    return expr_print(job->arena, pointer ? e->args[0] : e);
}

/* One line "touch this lvalue", unless the same line was printed before under no condition. */
static void print_touch(struct outline *job, const struct expr *lvalue, int indent,
                        struct text *out) {
    const char *text = emit_expr(job, addressable(lvalue));
    int span = span_of(job, behind(job, lvalue));
    const char *line = arena_printf(
        job->arena, "        orrery_touch(&orrery_s[%d], &(%s), sizeof(%s));\n", span, text, text);
    const char *known = strstr(out->bytes, line);
    if (known && (known == out->bytes || known[-1] == '\n'))
        return;
    text_print(out, "%*s%s", indent - 8, "", line);
}

static void touch_value(struct outline *job, const struct expr *expr, int indent, struct text *out);

/* The pointers and subscripts that lead to an lvalue; not the lvalue itself. */
static void touch_path(struct outline *job, const struct expr *expr, int indent, struct text *out) {
    const struct expr *inner = expr->nargs ? expr->args[0] : NULL;
    switch (expr->kind) {
    case EXPR_VAR:
        return;
    case EXPR_MEMBER:
        touch_path(job, inner, indent, out);
        return;
    case EXPR_SUBSCRIPT:
        if (inner->type->kind == TYPE_POINTER)
            touch_value(job, inner, indent, out);
        else
            touch_path(job, inner, indent, out);
        touch_value(job, expr->args[1], indent, out);
        return;
    default:
        if (inner)
            touch_value(job, inner, indent, out);
    }
}

/* A variable that is memory for the gather: not a copy in the environment, nor a local of it. */
static bool is_memory(const struct outline *job, const struct variable *var) {
    const struct env_field *field = emit_field_of(job, var);
    if (var == job->loop->variable || inductions_has(job->facts, var))
        return false;
    return field ? field->role == FIELD_REFERENCE : !var->function;
}

/* Is the lvalue's address made of what is read from memory? */
static bool path_reads(struct outline *job, const struct expr *lvalue) {
    struct text path;
    text_start(&path, job->arena);
    touch_path(job, lvalue, 8, &path);
    return path.length > 0;
}

static void touch_lvalue(struct outline *job, const struct expr *expr, int indent,
                         struct text *out) {
    bool array = expr->type->kind == TYPE_ARRAY || expr->type->kind == TYPE_VLA ||
                 expr->type->kind == TYPE_FUNCTION;
    const struct expr *root = expr;
    bool through_memory = expr->kind == EXPR_DEREF;
    while (root->kind == EXPR_MEMBER || root->kind == EXPR_SUBSCRIPT) {
        through_memory |= root->kind == EXPR_SUBSCRIPT;
        root = root->args[0];
    }
    through_memory |= root->kind != EXPR_VAR || is_memory(job, root->var);
    job->indirect |= path_reads(job, expr);
    touch_path(job, expr, indent, out);
    if (!array && through_memory)
        print_touch(job, expr, indent, out);
}

static void touch_condition(struct outline *job, const struct expr *condition, const char *negate,
                            const struct expr *then, int indent, struct text *out) {
    struct text inner;
    text_start(&inner, job->arena);
    touch_value(job, then, indent + 4, &inner);
    job->indirect |= inner.length > 0;
    if (inner.length)
        text_print(out, "%*sif (%s(%s)) {\n%s%*s}\n", indent, "", negate, emit_expr(job, condition),
                   inner.bytes, indent, "");
}

/* Everything that evaluating `expr` reads, under the conditions under which it reads it. */
static void touch_value(struct outline *job, const struct expr *expr, int indent,
                        struct text *out) {
    if (!expr)
        return;
    switch (expr->kind) {
    case EXPR_VAR:
    case EXPR_MEMBER:
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
        touch_lvalue(job, expr, indent, out);
        return;
    case EXPR_ADDRESS:
        touch_path(job, expr->args[0], indent, out);
        return;
    case EXPR_AND:
    case EXPR_OR:
        touch_value(job, expr->args[0], indent, out);
        touch_condition(job, expr->args[0], expr->kind == EXPR_OR ? "!" : "", expr->args[1], indent,
                        out);
        return;
    case EXPR_CONDITIONAL:
        touch_value(job, expr->args[0], indent, out);
        touch_condition(job, expr->args[0], "", expr->args[1], indent, out);
        touch_condition(job, expr->args[0], "!", expr->args[2], indent, out);
        return;
    case EXPR_SIZEOF:
        return;
    default:
        for (int i = 0; i < expr->nargs; ++i)
            touch_value(job, expr->args[i], indent, out);
    }
}

void emit_touches_print(struct outline *job, const struct expr *expr, int indent,
                        struct text *out) {
    touch_value(job, expr, indent, out);
}

/* ---- gather ---------------------------------------------------------------------------------- */

/* "(a) && !(b)", or NULL without guards. */
const char *emit_guard_text(struct outline *job, int nguards, struct expr **guards,
                            const bool *sense) {
    const char *text = NULL;
    for (int i = 0; i < nguards; ++i)
        text = arena_printf(job->arena, "%s%s%s(%s)", text ? text : "", text ? " && " : "",
                            sense[i] ? "" : "!", emit_expr(job, guards[i]));
    return text;
}

struct steady_check {
    const struct outline *job;
    bool steady;
};

static void visit_steady(void *data, struct expr *expr, struct expr *parent) {
    struct steady_check *check = data;
    const struct variable *var = expr->kind == EXPR_VAR ? expr->var : NULL;
    (void)parent;
    if (var && (var == check->job->loop->variable ||
                (inductions_has(check->job->facts, var) && !var->entry_of) ||
                (var->function && !emit_field_of(check->job, var))))
        check->steady = false;
}

/* Is it the same in all iterations? */
static bool is_steady(const struct outline *job, const struct expr *expr) {
    struct steady_check check = {job, true};
    emit_walk_expr((struct expr *)expr, NULL, visit_steady, &check);
    return check.steady;
}

void emit_touch_guarded(struct outline *job, const struct expr *expr, int nguards,
                        struct expr **guards, const bool *sense, int indent, struct text *out) {
    for (int i = 0; i < nguards; ++i, indent += 4) {
        job->indirect |= !is_steady(job, guards[i]);
        touch_value(job, guards[i], indent, out);
        text_print(out, "%*sif (%s(%s)) {\n", indent, "", sense[i] ? "" : "!",
                   emit_expr(job, guards[i]));
    }
    touch_value(job, expr, indent, out);
    for (int i = 0; i < nguards; ++i)
        text_print(out, "%*s}\n", indent -= 4, "");
}

/* When an iteration has the key: it may be evaluated, and a row is touched through it. */
static const char *key_guard_text(struct outline *job, const struct symbol *symbol) {
    const char *guard = emit_guard_text(job, symbol->nguards, symbol->guards, symbol->sense);
    if (!symbol->row_guard)
        return guard;
    const char *row = arena_printf(job->arena, "(%s)", emit_expr(job, symbol->row_guard));
    return guard ? arena_printf(job->arena, "%s && %s", guard, row) : row;
}

static void print_key(struct outline *job, int at, int dim, struct text *keys,
                      struct text *touches) {
    const struct dim *d = dim >= 0 ? &job->plan->analysis->dims[dim] : NULL;
    if (!d)
        return;
    if (d->kind == DIM_VARIABLE) {
        text_print(keys, "        orrery_keys[%d] = (long)%s;\n", at,
                   !job->facts->by_number ? job->loop->variable->name
                   : job->loop->step > 0  ? "orrery_i"
                                          : "-orrery_i");
        return;
    }
    const struct symbol *symbol = d->symbol;
    const char *guard = key_guard_text(job, symbol);
    const char *value = emit_expr(job, symbol->expr);
    if (guard)
        text_print(keys, "        orrery_keys[%d] = %s ? (long)(%s) : ORRERY_NO_KEY;\n", at, guard,
                   value);
    else
        text_print(keys, "        orrery_keys[%d] = (long)(%s);\n", at, value);
    emit_touch_guarded(job, symbol->expr, symbol->nguards, symbol->guards, symbol->sense, 8,
                       touches);
    if (symbol->row_guard)
        emit_touch_guarded(job, symbol->row_guard, symbol->nguards, symbol->guards, symbol->sense,
                           8, touches);
}

static void print_slot(struct outline *job, const struct record_slot *slot, struct text *values,
                       struct text *touches) {
    const struct stream_load *load = slot->load;
    const char *guard = emit_guard_text(job, load->nguards, load->guards, load->sense);
    const char *value = emit_expr(job, load->expr);
    bool scalar = load->type->kind != TYPE_STRUCT && load->type->kind != TYPE_UNION;
    if (guard)
        text_print(values, "        if (%s)\n            orrery_r->%s = %s;\n", guard, slot->name,
                   value);
    else
        text_print(values, "        orrery_r->%s = %s;\n", slot->name, value);
    if (guard && scalar)
        text_print(values, "        else\n            orrery_r->%s = 0;\n", slot->name);
    emit_touch_guarded(job, load->expr, load->nguards, load->guards, load->sense, 8, touches);
}

/* What guards about single iterations read: all keys, and the invariant values that they name. */
static void touch_guards(struct outline *job, struct text *touches) {
    for (int i = 0; i < job->facts->nsymbols && emit_has_key_ranges(job); ++i) {
        const struct symbol *symbol = job->facts->symbols[i];
        if (symbol->kind == SYMBOL_LOOP || symbol->inner || !symbol->expr)
            continue;
        const char *text = expr_print(job->arena, symbol->expr);
        if (symbol->kind == SYMBOL_KEY || emit_key_ranges_use(job, text))
            emit_touch_guarded(job, symbol->expr, symbol->nguards, symbol->guards, symbol->sense, 8,
                               touches);
    }
}

/* The statements of gather(): sets job->gather_text, which tells which captures it reads. */
static void gather_body(struct outline *job) {
    struct text keys, values, touches, all;
    text_start(&keys, job->arena);
    text_start(&values, job->arena);
    text_start(&touches, job->arena);
    text_start(&all, job->arena);
    int dims[PLAN_KEYS], nkeys = plan_keys(job->plan, dims);
    job->indirect = false;
    for (int k = 0; k < nkeys; ++k)
        print_key(job, k, dims[k], &keys, &touches);
    if (job->record_index)
        text_print(&values, "        orrery_r->i = orrery_i;\n");
    for (int i = 0; i < job->nslots; ++i)
        print_slot(job, &job->slots[i], &values, &touches);
    touch_guards(job, &touches);
    text_print(&all, "%s",
               emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "));
    text_print(&all, "    if (orrery_keys) {\n%s    }\n", keys.bytes);
    text_print(&all, "    if (orrery_r) {\n%s    }\n", values.bytes);
    if (touches.length)
        text_print(&all, "    if (orrery_s) {\n%s    }\n", touches.bytes);
    job->gather_text = all.bytes;
    job->gather_direct = !job->indirect;
}

void emit_gather_print(struct outline *job, struct text *out) {
    gather_body(job);
    text_print(out,
               "static void orrery_gather_%d(const void *orrery_e, long orrery_i, void *orrery_p,\n"
               "                            long *orrery_keys, struct orrery_span *orrery_s) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n"
               "    struct orrery_record_%d *orrery_r = orrery_p;\n",
               job->number, job->number, job->number);
    emit_locals_print(job, job->gather_text, false, out);
    text_print(out, "%s}\n\n", job->gather_text);
}
