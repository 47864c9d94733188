/* Calls: the mathematical functions that CUDA has, and the user's own, printed for the device. */
#include "scheduler/gpu/gpu.h"

#include <string.h>

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

/* Without what says that it is the compiler's. */
static const char *plain_name(const struct function *f) {
    const char *mark = "__builtin_";
    return strncmp(f->name, mark, strlen(mark)) == 0 ? f->name + strlen(mark) : f->name;
}

/* Functions that CUDA and the C library both have, of one meaning. */
bool gpu_is_common(const struct function *f) {
    return effects_say(f, EFFECT_GPU) && f->result->size <= 8;
}

const char *gpu_constant(const struct expr *call) {
    return call->function->body || call->nargs > 0 ? NULL
                                                   : constant_text(plain_name(call->function));
}

static const char *arguments_text(struct gpu_printer *p, const struct expr *call) {
    const struct function *f = call->function;
    struct text out;
    text_start(&out, p->arena);
    for (int i = 0; i < call->nargs; ++i)
        text_print(&out, "%s%s", i ? ", " : "",
                   gpu_value(p, call->args[i], i < f->nparams ? f->params[i]->type : NULL));
    return out.bytes ? out.bytes : "";
}

static const char *name_of(struct gpu_printer *p, const struct function *f) {
    return f->origin ? arena_printf(p->arena, "%s_%d_on_device", f->name, f->id)
                     : arena_printf(p->arena, "%s_on_device", f->name);
}

/* Several kernels of a file may need it. */
static void function_print(struct gpu_printer *p, const struct function *f, struct text *out) {
    const char *name = name_of(p, f);
    text_print(out, "#ifndef has_%s\n#define has_%s\n%s\nORRERY_DEVICE %s(", name, name,
               gpu_place(p, f->range), gpu_declare_plain(p, f->result, name));
    for (int i = 0; i < f->nparams; ++i)
        text_print(out, "%s%s", i ? ", " : "",
                   gpu_declare(p, f->params[i]->type, gpu_name(p->arena, f->params[i])));
    text_print(out, "%s) {\n", f->nparams ? "" : "void");
    p->of = f;
    for (int i = 0; i < f->body->nbody; ++i)
        gpu_stmt_print(p, f->body->body[i], GPU_SERIAL, 1, out);
    p->of = NULL;
    text_print(out, "}\n#endif\n\n");
}

void gpu_functions_print(struct gpu_printer *p, struct text *out) {
    for (int i = 0; i < p->kernel->nfunctions; ++i)
        function_print(p, p->kernel->functions[i], out);
}

const char *gpu_call(struct gpu_printer *p, const struct expr *call) {
    const struct function *f = call->function;
    const char *constant = gpu_constant(call);
    return constant
               ? constant
               : arena_printf(p->arena, "%s(%s)", gpu_is_common(f) ? plain_name(f) : name_of(p, f),
                              arguments_text(p, call));
}
