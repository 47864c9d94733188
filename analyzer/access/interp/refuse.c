/* Why a loop is refused, or a value is not known, and at which place of the text. */
#include "analyzer/access/interp/interp.h"

#include <stdarg.h>
#include <stdio.h>

struct range interp_place(struct interp *w, struct range range) {
    struct expr *call = NULL;
    for (const struct frame *f = w->frame; f && f->parent; f = f->parent)
        call = f->call;
    return call ? call->range : range;
}

void interp_refuse(const struct trace *t, const char *code, struct range range, const char *fix,
                   const char *format, ...) {
    struct loop_facts *facts = t->facts;
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (int i = 0; i < facts->nrefusals; ++i) {
        const struct refusal *old = &facts->refusals[i];
        if (old->code == code && old->range.begin.offset == range.begin.offset &&
            old->range.begin.file == range.begin.file) {
            return;
        }
    }
    struct refusal refusal = {
        .code = code, .range = range, .message = arena_strdup(t->arena, message), .fix = fix};
    ARENA_PUSH(t->arena, facts->refusals, facts->nrefusals, refusal);
}

const struct taint *interp_taint(const struct interp *w, const struct expr *load) {
    int at = load->id < 0 ? -1 : table_get(&w->trace.tainted, (uint64_t)load->id);
    return at < 0 ? NULL : &w->trace.taints[at];
}

const char *interp_why(const struct trace *t, enum why_kind kind, const char *text) {
    table_put(t->whys, (uint64_t)(uintptr_t)text, (int)kind);
    return text;
}

enum why_kind interp_why_kind(const struct trace *t, const char *text) {
    int kind = text ? table_get(t->whys, (uint64_t)(uintptr_t)text) : -1;
    return kind < 0 ? WHY_OTHER : (enum why_kind)kind;
}

struct range interp_taint_place(const struct interp *w, const char *why, struct range otherwise) {
    for (int i = 0; why && i < w->trace.ntaints; ++i)
        if (w->trace.taints[i].why == why)
            return w->trace.taints[i].place;
    return otherwise;
}
