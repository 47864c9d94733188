/* Calls: the mathematical functions that CUDA has, and the user's own, printed for the device. */
#include "scheduler/gpu/gpu.h"

#include <string.h>

/* Functions that CUDA and the C library both have, of one meaning. */
static bool is_common(const struct function *f) {
    return effects_say(f, EFFECT_GPU) && f->result->size <= 8;
}

/* Constants that macros of <math.h> and <float.h> turn into. */
static const char *constant_text(const char *name) {
    static const char *const pairs[][2] = {{"inff", "ORRERY_INFINITY"},
                                           {"huge_valf", "ORRERY_INFINITY"},
                                           {"inf", "((double)ORRERY_INFINITY)"},
                                           {"huge_val", "((double)ORRERY_INFINITY)"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        if (strcmp(name, pairs[i][0]) == 0)
            return pairs[i][1];
    return NULL;
}

static const char *refuse(struct gpu_kernel *k, const struct expr *call, const char *why) {
    emit_refuse(k->job, ORR2464, call->range, "the loop cannot run on a GPU: it calls `%s`, %s",
                call->function ? call->function->name : "a function through a pointer", why);
    return "0";
}

static const char *arguments_text(struct gpu_kernel *k, const struct expr *call) {
    const struct function *f = call->function;
    struct text out;
    text_start(&out, k->arena);
    for (int i = 0; i < call->nargs; ++i)
        text_print(&out, "%s%s", i ? ", " : "",
                   gpu_value(k, call->args[i], i < f->nparams ? f->params[i]->type : NULL));
    return out.bytes ? out.bytes : "";
}

static bool is_listed(const struct function *f, int count, const struct function **list) {
    for (int i = 0; i < count; ++i)
        if (list[i] == f)
            return true;
    return false;
}

static const char *name_of(struct gpu_kernel *k, const struct function *f) {
    return f->origin ? arena_printf(k->arena, "%s_%d_on_device", f->name, f->id)
                     : arena_printf(k->arena, "%s_on_device", f->name);
}

/* The function's text, behind those of the functions that it calls.
 * Several kernels of a file may need it. */
static void function_print(struct gpu_kernel *k, const struct function *f) {
    const struct function *of = k->of;
    const struct gpu_lanes *inside = k->inside;
    struct text text;
    text_start(&text, k->arena);
    ARENA_PUSH(k->arena, k->calls, k->ncalls, f);
    k->of = f;
    k->inside = NULL;
    text_print(&text, "#ifndef has_%s\n#define has_%s\n%s\nORRERY_DEVICE %s(", name_of(k, f),
               name_of(k, f), gpu_place(k, f->range),
               gpu_declare_plain(k, f->result, name_of(k, f)));
    for (int i = 0; i < f->nparams; ++i)
        text_print(&text, "%s%s", i ? ", " : "",
                   gpu_declare(k, f->params[i]->type, gpu_name(k, f->params[i])));
    text_print(&text, "%s) {\n", f->nparams ? "" : "void");
    for (int i = 0; i < f->body->nbody; ++i)
        gpu_stmt_print(k, f->body->body[i], GPU_SERIAL, 1, &text);
    text_print(&text, "}\n#endif\n\n");
    k->of = of;
    k->inside = inside;
    --k->ncalls;
    text_append(&k->functions, text.bytes, text.length);
    ARENA_PUSH(k->arena, k->printed, k->nfunctions, f);
}

const char *gpu_call(struct gpu_kernel *k, const struct expr *call) {
    const struct function *f = call->function;
    if (!f)
        return refuse(k, call, "and which one that is is not known");
    const char *name = strncmp(f->name, "__builtin_", 10) == 0 ? f->name + 10 : f->name;
    if (!f->body && constant_text(name) && call->nargs == 0)
        return constant_text(name);
    if (is_common(f))
        return arena_printf(k->arena, "%s(%s)", name, arguments_text(k, call));
    if (!f->body)
        return refuse(k, call, "which is defined elsewhere and not one that CUDA has");
    if (f->is_variadic)
        return refuse(k, call, "which takes any number of arguments");
    if (is_listed(f, k->ncalls, k->calls))
        return refuse(k, call, "which calls itself");
    const char *arguments = arguments_text(k, call);
    if (!is_listed(f, k->nfunctions, k->printed) && gpu_locals_fit(k, f->body))
        function_print(k, f);
    return arena_printf(k->arena, "%s(%s)", name_of(k, f), arguments);
}
