/* Why a loop is refused, or a value is not known. */
#include "analyzer/access/access.h"

#include <stdarg.h>
#include <stdio.h>

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

const char *interp_why(const struct trace *t, enum why_kind kind, const char *text) {
    table_put(t->whys, (uint64_t)(uintptr_t)text, (int)kind);
    return text;
}

enum why_kind interp_why_kind(const struct trace *t, const char *text) {
    int kind = text ? table_get(t->whys, (uint64_t)(uintptr_t)text) : -1;
    return kind < 0 ? WHY_OTHER : (enum why_kind)kind;
}
