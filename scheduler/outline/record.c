/* The packed record of an iteration. */
#include "scheduler/outline/collect.h"

#include <string.h>

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
                       : outline_declare_plain(job, load->type, name),
        .type_text = bits ? "int" : outline_type_plain(job, load->type),
        .align = bits ? 4 : alignment(load->type),
        .bits = bits,
    };
    ARENA_PUSH(job->arena, job->slots, job->nslots, slot);
    return !job->refused;
}

/* ---- keys of the rounds of a loop inside ------------------------------------------------------- */

/* More would make the record longer than what it saves. */
enum { MOST_ROUNDS = 16 };

/* Rounds lower, lower + 1, ...: how many; 0: another number in every iteration, or too many. */
static long rounds_of(const struct inner_loop *loop) {
    bool fixed = loop->has_lower && loop->has_upper && !loop->by_number && loop->step == 1 &&
                 loop->lower.nterms == 0 && loop->upper.nterms == 0;
    long count = fixed ? loop->upper.constant - loop->lower.constant + 1 : 0;
    return count > 0 && count <= MOST_ROUNDS ? count : 0;
}

/* The listed access that the key leads to, in the loop's rounds alone; NULL: there is none. */
static const struct emit_touch *touch_of(const struct outline *job, const struct round_key *key) {
    for (int i = 0; i < job->ntouches; ++i) {
        const struct emit_touch *touch = &job->touches[i];
        const struct affine *value = &touch->access->subs[touch->sub].value;
        if (touch->nloops == 1 && touch->loops[0] == key->inner && value->nterms == 1 &&
            value->terms[0].symbol == key->load.key)
            return touch;
    }
    return NULL;
}

static void add_rounds(struct outline *job, const struct round_key *key) {
    const struct inner_loop *loop = &job->facts->inner[key->inner];
    const struct emit_touch *touch = touch_of(job, key);
    long count = rounds_of(loop);
    bool scalar = key->load.type->kind == TYPE_INT;
    if (!touch || !count || !scalar || is_wide_bits(key->load.expr))
        return;
    const char *name = arena_printf(job->arena, "n%d", job->nslots);
    struct record_slot slot = {
        .load = &key->load,
        .name = name,
        .member = outline_declare_plain(job, key->load.type,
                                        arena_printf(job->arena, "%s[%ld]", name, count)),
        .type_text = outline_type_plain(job, key->load.type),
        .align = alignment(key->load.type),
        .touch = touch,
    };
    ARENA_PUSH(job->arena, job->slots, job->nslots, slot);
}

static void add_sites(struct outline *job, const struct record_slot *slot) {
    const char *with = arena_printf(job->arena, "(orrery_r->%s)", slot->name);
    if (slot->touch) {
        const struct inner_loop *loop = &job->facts->inner[slot->touch->loops[0]];
        with = arena_printf(job->arena, "(orrery_r->%s[%s - (%ld)])", slot->name,
                            loop->loop->variable->name, loop->lower.constant);
    }
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
    return strategy_executor(job->plan->strategy) != ORRERY_LEVELS ||
           emit_lists_read(job, load->expr);
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
    for (int i = 0; i < facts->nround_keys && !job->kernel_name; ++i)
        add_rounds(job, &facts->round_keys[i]);
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
    job->record_index = facts->uses_index || job->nslots == 0 || !all || emit_argmin_by_index(job);
    return true;
}
