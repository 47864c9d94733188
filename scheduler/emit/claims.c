/* What iterations touch, for guards that compare them: a function of the environment, the iteration
 * and the guard. */
#include "scheduler/base/guard.h"
#include "scheduler/outline/outline.h"

static bool check_claim(struct outline *job, const struct claim *claim) {
    for (int i = 0; i < claim->nloops; ++i) {
        const struct claim_loop *loop = &claim->loops[i];
        if ((loop->when && !emit_reads_check(job, loop->when)) ||
            !emit_reads_check(job, loop->low) || !emit_reads_check(job, loop->high))
            return false;
    }
    return (!claim->when || emit_reads_check(job, claim->when)) &&
           emit_reads_check(job, claim->low) && emit_reads_check(job, claim->high);
}

bool emit_claims_check(struct outline *job) {
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct claims *claims = job->facts->guards[g].claims;
        for (int i = 0; claims && i < claims->count; ++i)
            if (!check_claim(job, &claims->items[i]))
                return false;
    }
    return true;
}

static int print_when(struct outline *job, const struct expr *when, int indent, struct text *out) {
    if (!when)
        return indent;
    emit_touches_print(job, when, indent, out);
    text_print(out, "%*sif (%s) {\n", indent, "", emit_expr(job, when));
    return indent + 4;
}

/* The loops in the direction in which the user's count, so that steps meet the same values. */
static int print_loop(struct outline *job, const struct claim_loop *loop, int indent,
                      struct text *out) {
    const char *name = loop->loop->variable->name;
    bool up = loop->step > 0;
    emit_touches_print(job, loop->low, indent, out);
    emit_touches_print(job, loop->high, indent, out);
    text_print(out, "%*sfor (long %s = (long)(%s), orrery_to_%s = (long)(%s); %s %s orrery_to_%s; ",
               indent, "", name, emit_expr(job, up ? loop->low : loop->high), name,
               emit_expr(job, up ? loop->high : loop->low), name, up ? "<=" : ">=", name);
    text_print(out, "%s += %ldL) {\n", name, loop->step);
    return indent + 4;
}

static void print_claim(struct outline *job, const struct claim *claim, struct text *out) {
    int indent = 8;
    for (int i = 0; i < claim->nloops; ++i) {
        indent = print_when(job, claim->loops[i].when, indent, out);
        indent = print_loop(job, &claim->loops[i], indent, out);
    }
    indent = print_when(job, claim->when, indent, out);
    emit_touches_print(job, claim->low, indent, out);
    emit_touches_print(job, claim->high, indent, out);
    if (claim->set)
        text_print(out, "%*sorrery_c->set = %d;\n", indent, "", claim->set);
    text_print(out, "%*sorrery_c->add(orrery_c, (long)(%s), (long)(%s));\n", indent, "",
               emit_expr(job, claim->low), emit_expr(job, claim->high));
    while (indent > 8)
        text_print(out, "%*s}\n", indent -= 4, "");
}

static void print_cases(struct outline *job, struct text *out) {
    int place = 0;
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct claims *claims = job->facts->guards[g].claims;
        if (emit_guard_is_repeated(job->facts, g))
            continue;
        if (claims)
            text_print(out, "    case %d:\n", place);
        for (int i = 0; claims && i < claims->count; ++i) {
            struct text one;
            text_start(&one, job->arena);
            print_claim(job, &claims->items[i], &one);
            text_print(out, "%s", one.bytes);
        }
        if (claims)
            text_print(out, "        break;\n");
        ++place;
    }
}

void emit_claims_print(struct outline *job, struct text *out) {
    struct text cases;
    text_start(&cases, job->arena);
    print_cases(job, &cases);
    if (!cases.length)
        return;
    text_print(out,
               "static void orrery_claims_%d(const void *orrery_e, long orrery_i, int orrery_g,\n"
               "                            struct orrery_claims *orrery_c) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n"
               "    struct orrery_span *const orrery_s = orrery_c->spans;\n",
               job->number, job->number);
    const char *body = arena_printf(
        job->arena,
        "%s    (void)orrery_s;\n    switch (orrery_g) {\n%s    default:\n        break;\n    }\n",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "), cases.bytes);
    job->claims_text = body;
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
}
