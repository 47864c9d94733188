/* What iterations touch, for guards that compare them: a function of the environment, the iteration
 * and the guard. */
#include "scheduler/base/guard.h"
#include "scheduler/emit/print.h"

/* One interval on its way: what its text touches, and how far inside conditions and loops it is. */
struct interval_text {
    const struct outline *job;
    struct touches touches;
    struct text *out;
};

static int indent_of(const struct interval_text *interval) {
    return 8 + 4 * interval->touches.depth;
}

static void touch(struct interval_text *interval, const struct expr *expr) {
    int from = interval->touches.count;
    touches_add(interval->job, expr, &interval->touches);
    emit_touches_print(interval->job, &interval->touches, from, 8, interval->out);
}

static void print_when(struct interval_text *interval, const struct expr *when) {
    if (!when)
        return;
    touch(interval, when);
    text_print(interval->out, "%*sif (%s) {\n", indent_of(interval), "",
               emit_expr(interval->job, when));
    ++interval->touches.depth;
}

/* The loops in the direction in which the user's count, so that steps meet the same values. */
static void print_loop(struct interval_text *interval, const struct interval_loop *loop) {
    const struct outline *job = interval->job;
    const char *name = loop->loop->variable->name;
    bool up = loop->step > 0;
    touch(interval, loop->low);
    touch(interval, loop->high);
    text_print(interval->out,
               "%*sfor (long %s = (long)(%s), orrery_to_%s = (long)(%s); %s %s orrery_to_%s; "
               "%s += %ldL) {\n",
               indent_of(interval), "", name, emit_expr(job, up ? loop->low : loop->high), name,
               emit_expr(job, up ? loop->high : loop->low), name, up ? "<=" : ">=", name, name,
               loop->step);
    ++interval->touches.depth;
}

static void print_interval(const struct outline *job, const struct interval *interval,
                           struct text *out) {
    struct interval_text text = {.job = job, .out = out};
    for (int i = 0; i < interval->nloops; ++i) {
        print_when(&text, interval->loops[i].when);
        print_loop(&text, &interval->loops[i]);
    }
    print_when(&text, interval->when);
    touch(&text, interval->low);
    touch(&text, interval->high);
    if (interval->set)
        text_print(out, "%*sorrery_c->set = %d;\n", indent_of(&text), "", interval->set);
    text_print(out, "%*sorrery_c->add(orrery_c, (long)(%s), (long)(%s));\n", indent_of(&text), "",
               emit_expr(job, interval->low), emit_expr(job, interval->high));
    for (int depth = text.touches.depth; depth > 0; --depth)
        text_print(out, "%*s}\n", 4 + 4 * depth, "");
}

static void print_cases(const struct outline *job, struct text *out) {
    int place = 0;
    for (int g = 0; g < job->facts->nguards; ++g) {
        const struct intervals *intervals = job->facts->guards[g].intervals;
        if (emit_guard_is_repeated(job->facts, g))
            continue;
        if (intervals)
            text_print(out, "    case %d:\n", place);
        for (int i = 0; intervals && i < intervals->count; ++i)
            print_interval(job, &intervals->items[i], out);
        if (intervals)
            text_print(out, "        break;\n");
        ++place;
    }
}

void emit_intervals_print(const struct outline *job, struct text *out) {
    struct text cases;
    text_start(&cases, job->arena);
    print_cases(job, &cases);
    if (!cases.length)
        return;
    text_print(
        out,
        "static void orrery_intervals_%d(const void *orrery_e, long orrery_i, int orrery_g,\n"
        "                            struct orrery_intervals *orrery_c) {\n"
        "    const struct orrery_env_%d *orrery_env = orrery_e;\n"
        "%s",
        job->number, job->number,
        job->standalone ? "" : "    struct orrery_span *const orrery_s = orrery_c->spans;\n");
    const char *body = arena_printf(
        job->arena, "%s%s    switch (orrery_g) {\n%s    default:\n        break;\n    }\n",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "),
        job->standalone ? "" : "    (void)orrery_s;\n", cases.bytes);
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
}
