/* What iterations touch, for guards that compare them: a function of the environment, the iteration
 * and the guard. */
#include "scheduler/base/guard.h"
#include "scheduler/emit/print.h"

/* One claim on its way: what its text touches, and how far inside conditions and loops it is. */
struct claim_text {
    const struct outline *job;
    struct touches touches;
    struct text *out;
};

static int indent_of(const struct claim_text *claim) {
    return 8 + 4 * claim->touches.depth;
}

static void touch(struct claim_text *claim, const struct expr *expr) {
    int from = claim->touches.count;
    touches_add(claim->job, expr, &claim->touches);
    emit_touches_print(claim->job, &claim->touches, from, 8, claim->out);
}

static void print_when(struct claim_text *claim, const struct expr *when) {
    if (!when)
        return;
    touch(claim, when);
    text_print(claim->out, "%*sif (%s) {\n", indent_of(claim), "", emit_expr(claim->job, when));
    ++claim->touches.depth;
}

/* The loops in the direction in which the user's count, so that steps meet the same values. */
static void print_loop(struct claim_text *claim, const struct claim_loop *loop) {
    const struct outline *job = claim->job;
    const char *name = loop->loop->variable->name;
    bool up = loop->step > 0;
    touch(claim, loop->low);
    touch(claim, loop->high);
    text_print(claim->out,
               "%*sfor (long %s = (long)(%s), orrery_to_%s = (long)(%s); %s %s orrery_to_%s; "
               "%s += %ldL) {\n",
               indent_of(claim), "", name, emit_expr(job, up ? loop->low : loop->high), name,
               emit_expr(job, up ? loop->high : loop->low), name, up ? "<=" : ">=", name, name,
               loop->step);
    ++claim->touches.depth;
}

static void print_claim(const struct outline *job, const struct claim *claim, struct text *out) {
    struct claim_text text = {.job = job, .out = out};
    for (int i = 0; i < claim->nloops; ++i) {
        print_when(&text, claim->loops[i].when);
        print_loop(&text, &claim->loops[i]);
    }
    print_when(&text, claim->when);
    touch(&text, claim->low);
    touch(&text, claim->high);
    if (claim->set)
        text_print(out, "%*sorrery_c->set = %d;\n", indent_of(&text), "", claim->set);
    text_print(out, "%*sorrery_c->add(orrery_c, (long)(%s), (long)(%s));\n", indent_of(&text), "",
               emit_expr(job, claim->low), emit_expr(job, claim->high));
    for (int depth = text.touches.depth; depth > 0; --depth)
        text_print(out, "%*s}\n", 4 + 4 * depth, "");
}

static void print_cases(const struct outline *job, struct text *out) {
    int place = 0;
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct claims *claims = job->facts->guards[g].claims;
        if (emit_guard_is_repeated(job->facts, g))
            continue;
        if (claims)
            text_print(out, "    case %d:\n", place);
        for (int i = 0; claims && i < claims->count; ++i)
            print_claim(job, &claims->items[i], out);
        if (claims)
            text_print(out, "        break;\n");
        ++place;
    }
}

void emit_claims_print(const struct outline *job, struct text *out) {
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
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
}
