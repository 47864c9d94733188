/*
 * Folds and merges of the copies that rows have of reductions, on the device itself
 * (orrery_device_copies.h). Numbers are folded by the host: their copies are few bytes.
 */
#include "scheduler/gpu/gpu.h"

#include <string.h>

/* A type of elements, and that of what folds two of them. */
struct number {
    const char *name, *type, *suffix, *two;
};

static const struct number *number_of(const struct emit_reduction *r) {
    static const struct number numbers[] = {
        {"ORRERY_I8", "signed char", "i8", "i32"}, {"ORRERY_U8", "unsigned char", "u8", "u32"},
        {"ORRERY_I16", "short", "i16", "i32"},     {"ORRERY_U16", "unsigned short", "u16", "u32"},
        {"ORRERY_I32", "int", "i32", "i32"},       {"ORRERY_U32", "unsigned", "u32", "u32"},
        {"ORRERY_I64", "long", "i64", "i64"},      {"ORRERY_U64", "unsigned long", "u64", "u64"},
        {"ORRERY_F32", "float", "f32", "f32"},     {"ORRERY_F64", "double", "f64", "f64"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (strcmp(r->type, numbers[i].name) == 0)
            return &numbers[i];
    return NULL;
}

static const struct reduction *facts_of(const struct gpu_printer *p, int j) {
    return &p->job->facts->reductions[p->job->reductions[j].facts_index];
}

/* The user's function of a buffered array is the host's. Of fmin(-0.0, 0.0) a device may say another
 * than the host. */
static bool takes(const struct gpu_printer *p, int j) {
    const struct emit_reduction *r = &p->job->reductions[j];
    if (j >= 64 || r->buffered || !number_of(r))
        return false;
    const struct reduction_operator *row = reduction_operator(facts_of(p, j)->op);
    return r->merged || (r->is_array && row && row->on_device && !*row->call);
}

static unsigned long taken(const struct gpu_printer *p) {
    unsigned long bits = 0;
    for (int j = 0; j < p->job->nreductions; ++j)
        bits |= takes(p, j) ? 1ul << j : 0;
    return bits;
}

const char *gpu_copies_words(const struct gpu_printer *p) {
    return taken(p) ? arena_printf(p->arena, "%s_copies, %luul", p->job->kernel_name, taken(p))
                    : "0, 0";
}

static void reduction_print(const struct gpu_printer *p, int j, struct text *out) {
    const struct emit_reduction *r = &p->job->reductions[j];
    const struct number *number = number_of(r);
    if (r->merged)
        text_print(out, "ORRERY_MERGE_%s(orrery_copies_%d_%d)\n", number->suffix, p->job->number,
                   j);
    else
        text_print(out, "ORRERY_FOLD_ROWS(orrery_copies_%d_%d, %s, orrery_two_%s_%s)\n",
                   p->job->number, j, number->type, reduction_operator(facts_of(p, j)->op)->lanes,
                   number->two);
}

void gpu_copies_kernel_print(struct gpu_printer *p, struct text *out) {
    int number = p->job->number;
    if (!taken(p))
        return;
    for (int j = 0; j < p->job->nreductions; ++j)
        if (takes(p, j))
            reduction_print(p, j, out);
    text_print(out,
               "ORRERY_DEVICE void orrery_copies_%d(const struct orrery_kernel_job *orrery_job) {\n"
               "    if (orrery_job->task == ORRERY_SPREAD_COPIES)\n"
               "        orrery_spread_copies(orrery_job);\n",
               number);
    for (int j = 0; j < p->job->nreductions; ++j)
        if (takes(p, j))
            text_print(out,
                       "    else if (orrery_job->reduction == %d)\n"
                       "        orrery_copies_%d_%d(orrery_job);\n",
                       j, number, j);
    text_print(out, "}\nORRERY_COPIES(%s_copies, orrery_copies_%d)\n\n", p->job->kernel_name,
               number);
}
