/* Types that our functions name: they have a name where these stand, in front of the function. */
#include "scheduler/outline/collect.h"

#include <string.h>

static bool is_local(const struct type *type) {
    for (; type; type = type->element)
        if (type->is_local)
            return true;
    return false;
}

/* The name in `(*name)[K]`, with a grave accent on both sides. */
static const char *quote_name(struct outline *job, const char *declarator) {
    struct token_scan scan = token_scan_start(declarator, 0, strlen(declarator));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_NAME && !token_spells(&scan, t, "__restrict__"))
            return arena_printf(job->arena, "`%.*s`", (int)(t.end - t.begin), declarator + t.begin);
    return "what its body uses";
}

static void refuse_type(struct outline *job, const struct type *type, const char *name,
                        bool unnamed) {
    const char *function = job->loop->function->name;
    if (unnamed)
        emit_refuse(job, ORR2305, job->loop->header,
                    "the loop stays serial: %s has a type without a name", quote_name(job, name));
    else
        emit_refuse(job, ORR2305, job->loop->header,
                    "the loop stays serial: its body uses `%s`, a type declared inside `%s`",
                    type->spelling, function);
    emit_refuse_fix(job, arena_printf(job->arena, "declare the type in front of `%s`%s", function,
                                      unnamed ? ", with a name" : ""));
}

static void check(struct outline *job, const struct type *type, const char *name) {
    if (emit_is_unnamed(job, type) || is_local(type))
        refuse_type(job, type, name, emit_is_unnamed(job, type));
}

/* Of a pointer what it leads to is named. */
static void check_plain(struct outline *job, const struct type *type, const char *name) {
    bool pointer = type->kind == TYPE_POINTER && type->element;
    check(job, pointer && type->element->kind != TYPE_FUNCTION ? type->element : type, name);
}

const char *outline_declare(struct outline *job, const struct type *type, const char *name) {
    check(job, type, name);
    return emit_declare(job, type, name);
}

const char *outline_declare_pointer(struct outline *job, const struct type *element,
                                    const char *qualifier, const char *name) {
    check(job, element, name);
    return emit_declare_pointer(job, element, qualifier, name);
}

const char *outline_declare_first(struct outline *job, const struct variable *var,
                                  const char *qualifier, const char *name) {
    bool list = var->type->kind != TYPE_STRUCT && var->type->kind != TYPE_UNION;
    const struct type *type = list ? var->type->element : var->type;
    if (!emit_is_global(var) || !emit_is_unnamed(job, type))
        check(job, type, name);
    return emit_declare_first(job, var, qualifier, name);
}

const char *outline_declare_plain(struct outline *job, const struct type *type, const char *name) {
    check_plain(job, type, name);
    return emit_declare_plain(job, type, name);
}

const char *outline_type_plain(struct outline *job, const struct type *type) {
    check_plain(job, type, "");
    return emit_type_plain(job, type);
}

/* ---- what nothing that was collected has named ----------------------------------------------- */

static void check_argmins(struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct argmin *argmin = emit_argmin_of(job, j);
        for (int m = 0; argmin && m < argmin->nmembers; ++m)
            check_plain(job, argmin->members[m]->type, arena_printf(job->arena, "m%d", m));
        if (argmin && argmin->worth)
            check_plain(job, argmin->worth->type, "worth");
    }
}

/* Variables of the loop itself, and of loops inside. */
static void check_variables(struct outline *job) {
    const struct loop_facts *facts = job->facts;
    if (!facts->by_number)
        check_plain(job, job->loop->variable->type, job->loop->variable->name);
    for (int i = 0; i < facts->ninductions; ++i)
        if (facts->inductions[i].var->type->kind != TYPE_POINTER)
            check_plain(job, facts->inductions[i].var->type, facts->inductions[i].var->name);
    for (int t = 0; t < job->ntouches; ++t)
        for (int l = 0; l < job->touches[t].nloops; ++l) {
            const struct inner_loop *inner = &facts->inner[job->touches[t].loops[l]];
            if (!inner->by_number)
                check_plain(job, inner->loop->variable->type, inner->loop->variable->name);
        }
}

static void check_privates(struct outline *job) {
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct variable *var = job->facts->privates[i].var;
        if (emit_is_outside(job, var) && var != job->loop->variable && !emit_reduction_of(job, var))
            check_plain(job, var->type, var->name);
    }
}

/* The user's functions that apply what buffer() has collected. */
static void check_functions(struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        const struct function *f = r && r->op == REDUCE_BUFFER ? r->apply : NULL;
        if (f)
            check_plain(job, f->result, f->name);
        for (int i = 0; f && i < f->nparams; ++i)
            check_plain(job, f->params[i]->type, "");
    }
}

static void check_served(struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (emit_is_served(job, j))
            check_plain(job, job->facts->reductions[job->reductions[j].facts_index].type, "");
}

/* Loops that are cut, and declarations that stages have in place of others. */
static void check_parts(struct outline *job) {
    const struct plan_wave *wave = job->plan->wave;
    const struct plan_pipe *pipe = job->plan->pipe;
    for (int i = 0; wave && i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_LOOP)
            check_plain(job, wave->parts[i].loop->loop->variable->type, "");
    for (int i = 0; pipe && i < pipe->nparts; ++i)
        for (int v = 0; v < pipe->parts[i].stmt->nvars; ++v) {
            const struct variable *var = pipe->parts[i].stmt->vars[v];
            if (emit_pipe_declares(job, var, pipe->parts[i].stage))
                check_plain(job, var->type, var->name);
        }
}

bool outline_types_check(struct outline *job) {
    check_served(job);
    check_parts(job);
    check_argmins(job);
    check_variables(job);
    check_privates(job);
    check_functions(job);
    return !job->refused;
}
