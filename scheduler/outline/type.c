/* Declarations for functions at file scope, of types that were named inside of one. */
#include "scheduler/outline/outline.h"

#include <string.h>

bool emit_type_has_vla(const struct type *type) {
    for (; type; type = type->element)
        if (type->kind == TYPE_VLA)
            return true;
    return false;
}

static bool is_local(const struct type *type) {
    for (; type; type = type->element)
        if (type->is_local)
            return true;
    return false;
}

/* `restrict` as a word of C99 only becomes __restrict__, which all dialects know. */
static const char *respell(struct outline *job, const char *text) {
    struct text_edits edits = {.arena = job->arena};
    struct token_scan scan = token_scan_start(text, 0, strlen(text));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_WORD && token_spells(&scan, t, "restrict"))
            text_edit_add(&edits, t.begin, t.end, "__restrict__");
    struct text out;
    text_start(&out, job->arena);
    text_edits_apply(&edits, text, 0, strlen(text), false, &out);
    return out.bytes;
}

static bool is_unnamed(const char *text) {
    return strstr(text, "(unnamed") || strstr(text, "(anonymous");
}

/* The name in `(*name)[K]`, with a grave accent on both sides. */
static const char *quote_name(struct outline *job, const char *declarator) {
    struct token_scan scan = token_scan_start(declarator, 0, strlen(declarator));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_WORD && !token_spells(&scan, t, "__restrict__"))
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

const char *emit_declare(struct outline *job, const struct type *type, const char *name) {
    const char *text = type_declare(job->arena, type, name);
    if (is_unnamed(text) || is_local(type))
        refuse_type(job, type, name, is_unnamed(text));
    return respell(job, text);
}

const char *emit_declare_pointer(struct outline *job, const struct type *element,
                                 const char *qualifier, const char *name) {
    bool parens = element->kind == TYPE_ARRAY || element->kind == TYPE_FUNCTION;
    const char *inner = arena_printf(job->arena, parens ? "(*%s%s)" : "*%s%s", qualifier, name);
    return emit_declare(job, element, inner);
}

static bool is_global(const struct variable *var) {
    return var->storage == STORAGE_GLOBAL || var->storage == STORAGE_STATIC;
}

const char *emit_declare_like(struct outline *job, const struct variable *var) {
    bool record = var->type->kind == TYPE_STRUCT || var->type->kind == TYPE_UNION;
    if (!record || var->type->is_const || !is_global(var) ||
        !is_unnamed(type_declare(job->arena, var->type, "")))
        return NULL;
    return arena_printf(job->arena, "__typeof__(%s) %s", var->name, var->name);
}

const char *emit_declare_first(struct outline *job, const struct variable *var,
                               const char *qualifier, const char *name) {
    bool list = var->type->kind != TYPE_STRUCT && var->type->kind != TYPE_UNION;
    const struct type *type = list ? var->type->element : var->type;
    if (!is_global(var) || !is_unnamed(type_declare(job->arena, type, "")))
        return emit_declare_pointer(job, type, qualifier, name);
    return arena_printf(job->arena, list ? "__typeof__(&%s[0]) %s%s" : "__typeof__(%s) *%s%s",
                        var->name, qualifier, name);
}

/* Without the qualifiers that stand in front of a type that is no pointer and no array. */
static const char *skip_qualifiers(const char *text) {
    static const char *const words[] = {"const ", "volatile "};
    for (int i = 0; i < 2; ++i)
        if (strncmp(text, words[i], strlen(words[i])) == 0) {
            text += strlen(words[i]);
            i = -1;
        }
    return text;
}

const char *emit_declare_plain(struct outline *job, const struct type *type, const char *name) {
    if (type->kind == TYPE_POINTER && type->element && type->element->kind != TYPE_FUNCTION)
        return emit_declare_pointer(job, type->element, "", name);
    const char *text = emit_declare(job, type, name);
    return type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER ? text : skip_qualifiers(text);
}

const char *emit_type_plain(struct outline *job, const struct type *type) {
    char *text = (char *)arena_strdup(job->arena, emit_declare_plain(job, type, ""));
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        text[--length] = 0;
    return text;
}
