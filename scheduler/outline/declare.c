/* Declarations for functions at file scope, of types that were named inside of one. */
#include "scheduler/outline/outline.h"

#include <string.h>

bool emit_type_has_vla(const struct type *type) {
    for (; type; type = type->element)
        if (type->kind == TYPE_VLA)
            return true;
    return false;
}

bool emit_is_unnamed(const struct outline *job, const struct type *type) {
    const char *text = type_declare(job->arena, type, "");
    return strstr(text, "(unnamed") || strstr(text, "(anonymous");
}

/* `restrict` as a word of C99 only becomes __restrict__, which all dialects know. */
static const char *respell(const struct outline *job, const char *text) {
    struct text_edits edits = {.arena = job->arena};
    struct token_scan scan = token_scan_start(text, 0, strlen(text));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_NAME && token_spells(&scan, t, "restrict"))
            text_edit_add(&edits, t.begin, t.end, "__restrict__");
    struct text out;
    text_start(&out, job->arena);
    text_edits_apply(&edits, text, 0, strlen(text), false, &out);
    return out.bytes;
}

const char *emit_declare(const struct outline *job, const struct type *type, const char *name) {
    return respell(job, type_declare(job->arena, type, name));
}

const char *emit_declare_pointer(const struct outline *job, const struct type *element,
                                 const char *qualifier, const char *name) {
    bool parens = element->kind == TYPE_ARRAY || element->kind == TYPE_FUNCTION;
    const char *inner = arena_printf(job->arena, parens ? "(*%s%s)" : "*%s%s", qualifier, name);
    return emit_declare(job, element, inner);
}

bool emit_is_global(const struct variable *var) {
    return var->storage == STORAGE_GLOBAL || var->storage == STORAGE_STATIC;
}

const char *emit_declare_like(const struct outline *job, const struct variable *var) {
    bool record = var->type->kind == TYPE_STRUCT || var->type->kind == TYPE_UNION;
    if (!record || var->type->is_const || !emit_is_global(var) || !emit_is_unnamed(job, var->type))
        return NULL;
    return arena_printf(job->arena, "__typeof__(%s) %s", var->name, var->name);
}

const char *emit_declare_first(const struct outline *job, const struct variable *var,
                               const char *qualifier, const char *name) {
    bool list = var->type->kind != TYPE_STRUCT && var->type->kind != TYPE_UNION;
    const struct type *type = list ? var->type->element : var->type;
    if (!emit_is_global(var) || !emit_is_unnamed(job, type))
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

const char *emit_declare_plain(const struct outline *job, const struct type *type,
                               const char *name) {
    if (type->kind == TYPE_POINTER && type->element && type->element->kind != TYPE_FUNCTION)
        return emit_declare_pointer(job, type->element, "", name);
    const char *text = emit_declare(job, type, name);
    return type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER ? text : skip_qualifiers(text);
}

/* Does a declared name stand inside of the type's words, as of `int (*p)[10]`? */
static bool is_around_name(const struct type *type) {
    while (type->kind == TYPE_POINTER && type->element)
        type = type->element;
    return type->kind == TYPE_ARRAY || type->kind == TYPE_FUNCTION;
}

const char *emit_type_plain(const struct outline *job, const struct type *type) {
    char *text = (char *)arena_strdup(job->arena, emit_declare_plain(job, type, ""));
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        text[--length] = 0;
    return is_around_name(type) ? arena_printf(job->arena, "__typeof__(%s)", text) : text;
}
