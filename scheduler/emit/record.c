/* The packed record of an iteration, and the gather that fills it. */
#include "scheduler/emit/print.h"

#include <string.h>

void emit_record_print(const struct outline *job, struct text *out) {
    text_print(out, "struct orrery_record_%d {\n", job->number);
    if (job->record_index)
        text_print(out, "    long i;\n");
    for (int i = 0; i < job->nslots; ++i)
        text_print(out, "    %s;\n", job->slots[i].member);
    text_print(out, "};\n\n");
}

/* When an iteration has the key: it may be evaluated, and a row is touched through it. */
static const char *key_guard_text(const struct outline *job, const struct symbol *symbol) {
    const char *guard = emit_guard_text(job, symbol->nguards, symbol->guards, symbol->sense);
    if (!symbol->row_guard)
        return guard;
    const char *row = arena_printf(job->arena, "(%s)", emit_expr(job, symbol->row_guard));
    return guard ? arena_printf(job->arena, "%s && %s", guard, row) : row;
}

static void print_key(const struct outline *job, int at, int dim, struct text *keys) {
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
}

/* One number per round of the loop inside. */
static void print_rounds(const struct outline *job, const struct record_slot *slot,
                         struct text *values) {
    const struct stream_load *load = slot->load;
    const struct inner_loop *loop = &job->facts->inner[slot->touch->loops[0]];
    const struct variable *var = loop->loop->variable;
    struct outline named = *job;
    named.listed = slot->touch;
    const char *guard = emit_guard_text(&named, load->nguards, load->guards, load->sense);
    const char *value = emit_expr(&named, load->expr);
    text_print(values,
               "        { long orrery_v0 = %ldL;\n"
               "        for (; orrery_v0 <= %ldL; ++orrery_v0) {\n"
               "            %s = (%s)orrery_v0;\n"
               "            orrery_r->%s[orrery_v0 - (%ldL)] = ",
               loop->lower.constant, loop->upper.constant,
               emit_declare_plain(job, var->type, emit_listed_name(&named, var)),
               emit_type_plain(job, var->type), slot->name, loop->lower.constant);
    if (guard)
        text_print(values, "%s ? %s : 0;\n        } }\n", guard, value);
    else
        text_print(values, "%s;\n        } }\n", value);
}

static void print_slot(const struct outline *job, const struct record_slot *slot,
                       struct text *values) {
    const struct stream_load *load = slot->load;
    if (slot->touch) {
        print_rounds(job, slot, values);
        return;
    }
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
}

static const char *gather_text(const struct outline *job) {
    struct touches touches = touches_of_gather(job);
    struct text keys, values, all;
    text_start(&keys, job->arena);
    text_start(&values, job->arena);
    text_start(&all, job->arena);
    int dims[PLAN_KEYS], nkeys = plan_keys(job->plan, dims);
    for (int k = 0; k < nkeys; ++k)
        print_key(job, k, dims[k], &keys);
    if (job->record_index)
        text_print(&values, "        orrery_r->i = orrery_i;\n");
    for (int i = 0; i < job->nslots; ++i)
        print_slot(job, &job->slots[i], &values);
    text_print(&all, "%s",
               emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "));
    text_print(&all, "    if (orrery_keys) {\n%s    }\n", keys.bytes);
    text_print(&all, "    if (orrery_r) {\n%s    }\n", values.bytes);
    if (touches.count && emit_tells_reads(job)) {
        text_print(&all, "    if (orrery_s) {\n");
        emit_touches_print(job, &touches, 0, 8, &all);
        text_print(&all, "    }\n");
    }
    return all.bytes;
}

void emit_gather_print(const struct outline *job, struct text *out) {
    const char *text = gather_text(job);
    text_print(out,
               "static void orrery_gather_%d(const void *orrery_e, long orrery_i, void *orrery_p,\n"
               "                            long *orrery_keys, struct orrery_span *orrery_s) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n"
               "    struct orrery_record_%d *orrery_r = orrery_p;\n",
               job->number, job->number, job->number);
    emit_locals_print(job, text, false, out);
    text_print(out, "%s}\n\n", text);
}

void emit_gathers_print(const struct outline *job, struct text *out) {
    int keys[PLAN_KEYS], nkeys = plan_keys(job->plan, keys);
    text_print(out,
               "ORRERY_GATHERS(orrery_gathers_%d, orrery_gather_%d, struct orrery_record_%d, %d, "
               "%d)\n\n",
               job->number, job->number, job->number, nkeys ? nkeys : 1, job->nspans);
}
