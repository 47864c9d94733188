/* What makes it impossible to move a loop's body into a function of its own. */
#include "scheduler/outline/collect.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool emit_refuse(struct outline *job, const char *code, struct range range, const char *format,
                 ...) {
    job->said = !job->refused && !job->quiet;
    if (!job->said)
        return false;
    va_list arguments;
    struct text message;
    text_start(&message, job->arena);
    va_start(arguments, format);
    text_vprint(&message, format, arguments);
    va_end(arguments);
    job->refusal.code = code;
    job->refusal.where = range;
    job->refusal.message = message.bytes;
    job->refusal.fix = outline_way_out(code);
    job->refused = true;
    return false;
}

void emit_refuse_fix(struct outline *job, const char *fix) {
    if (job->said)
        job->refusal.fix = fix;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The text of a macro's arguments takes no directives: the loop must not stand in parentheses. */
static bool in_parentheses(const struct outline *job) {
    const struct loop *loop = job->loop;
    struct token_scan scan = token_scan_start(job->source, loop->function->body->range.begin.offset,
                                              loop->stmt->range.begin.offset);
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        depth += token_spells(&scan, t, "(") - token_spells(&scan, t, ")");
    return depth > 0;
}

/* The macro that is defined or undefined between two places, or NULL. */
static const char *find_definition(const struct outline *job, size_t begin, size_t end) {
    static const char *const names[] = {"define", "undef", NULL};
    struct token_scan scan = token_scan_start(job->source, begin, end);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_DIRECTIVE &&
            emit_is_word(token_directive_name(job->arena, job->source, t), names))
            return token_directive_word(job->arena, job->source, t);
    return NULL;
}

/* The word of a conditional inside of the function that tells compilers apart, or NULL. */
static const char *compilers_apart(const struct outline *job, const struct function *f) {
    static const char *const opens[] = {"if",      "ifdef",    "ifndef", "elif",
                                        "elifdef", "elifndef", NULL};
    struct outline there = *job;
    there.source = job->unit->files[f->range.begin.file].text;
    struct token_scan scan =
        token_scan_start(there.source, f->range.begin.offset, f->range.end.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        bool opened = t.kind == TOKEN_DIRECTIVE &&
                      emit_is_word(token_directive_name(job->arena, there.source, t), opens);
        const char *word = opened ? emit_compiler_word(&there, t) : NULL;
        if (word)
            return word;
    }
    return NULL;
}

/*
 * The text is read as clang preprocesses it and compiled by the host compiler: a conditional inside
 * of a function that tells compilers apart would compile another loop than the one that was
 * analyzed.
 */
static bool check_compilers(struct outline *job) {
    struct unit *unit = job->unit;
    for (int i = 0; !unit->conditionals_read && i < unit->nfunctions && !unit->compiler_word; ++i) {
        const struct function *f = unit->functions[i];
        bool looked_at = f->body && (f->range.begin.file == unit->main_file || f->origin);
        unit->compiler_word = looked_at ? compilers_apart(job, f) : NULL;
        unit->compiler_function = f;
    }
    unit->conditionals_read = true;
    if (!unit->compiler_word)
        return true;
    return emit_refuse(job, ORR2314, job->loop->header,
                       "the loop stays serial: `%s` in a conditional inside `%s` tells "
                       "compilers apart, so what was analyzed may not be what is "
                       "compiled",
                       unit->compiler_word, unit->compiler_function->name);
}

/* What the function defines in front of the loop is defined again around the body. */
static bool collect_macros(struct outline *job, size_t begin, size_t end) {
    static const char *const names[] = {"define", "undef", NULL};
    static const char *const conditionals[] = {"if",   "ifdef",   "ifndef",   "else",
                                               "elif", "elifdef", "elifndef", NULL};
    const char *conditional = NULL;
    struct token_scan scan = token_scan_start(job->source, begin, end);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (t.kind != TOKEN_DIRECTIVE)
            continue;
        const char *name = token_directive_name(job->arena, job->source, t);
        if (emit_is_word(name, conditionals))
            conditional = name;
        if (!emit_is_word(name, names))
            continue;
        struct emit_macro macro = {
            .name = token_directive_word(job->arena, job->source, t),
            .text = arena_strndup(job->arena, job->source + t.begin, t.end - t.begin)};
        ARENA_PUSH(job->arena, job->macros, job->nmacros, macro);
    }
    return !conditional || !job->nmacros ||
           emit_refuse(job, ORR2304, job->loop->header,
                       "the loop stays serial: macro `%s` is defined or undefined inside `%s`, "
                       "perhaps under a condition, and the body would move in front of it",
                       job->macros[0].name, job->loop->function->name);
}

static bool check_directives(struct outline *job) {
    const struct loop *loop = job->loop;
    const struct range *whole = &loop->stmt->range, *body = &loop->body->range;
    const struct range *function = &loop->function->range;
    const char *macro = find_definition(job, whole->begin.offset, whole->end.offset);
    if (!emit_conditionals_end(job, whole->begin.offset, whole->end.offset) ||
        !emit_conditionals_end(job, body->begin.offset, body->end.offset))
        return emit_refuse(job, ORR2303, loop->header,
                           "the loop stays serial: a preprocessor conditional crosses the border "
                           "of its body");
    if (macro)
        return emit_refuse(job, ORR2304, loop->header,
                           "the loop stays serial: macro `%s` is defined or undefined inside `%s`, "
                           "and the body would move in front of it",
                           macro, loop->function->name);
    return collect_macros(job, function->begin.offset, whole->begin.offset);
}

/* C11 6.7.4: an inline function that other files may see must not name what is static here. */
static bool is_shared_inline(const struct outline *job) {
    const struct function *function = job->loop->function;
    struct token_scan scan = token_scan_start(job->source, function->range.begin.offset,
                                              function->body->range.begin.offset);
    bool is_inline = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        is_inline |= token_spells(&scan, t, "inline") || token_spells(&scan, t, "__inline__") ||
                     token_spells(&scan, t, "__inline");
    return is_inline && !function->is_static;
}

static bool refuse_header(struct outline *job) {
    const char *name = job->loop->function->name;
    emit_refuse(job, ORR2301, job->loop->header,
                "the loop stays serial: it is in a header, and only the source file is rewritten; "
                "for itself it is parallel (%s)",
                strategy_name(job->plan->strategy));
    emit_refuse_fix(
        job,
        arena_printf(job->arena,
                     "move `%s` into the source file; or leave it where it is and mark the loop "
                     "that calls it, which may call functions of headers",
                     name));
    return false;
}

/* What of the loop is not the text's own, and what to write instead. */
static bool refuse_text(struct outline *job) {
    const struct loop *loop = job->loop;
    bool body = loop->stmt->range.begin.file == job->unit->main_file && loop->header.exact &&
                !loop->body->range.exact && loop->body->range.in_macro;
    if (in_parentheses(job) || !loop->body->range.in_macro)
        return emit_refuse(job, ORR2302, loop->header,
                           "the loop stays serial: its text comes out of a macro or stands inside "
                           "of parentheses");
    emit_refuse(job, ORR2302, body ? loop->body->range : loop->header,
                body
                    ? "the loop stays serial: its whole body comes out of a macro that brings more "
                      "than the body, or only a part of it"
                    : "the loop stays serial: its text comes out of a macro");
    emit_refuse_fix(
        job,
        body ? "let one macro be all of the body and no more (`MACRO(i);`), or write the body and "
               "its "
               "braces in the text: macros inside of the braces are no obstacle"
             : "write the `for` and the braces of its body in the text: macros inside of both are "
               "no obstacle");
    return false;
}

bool emit_check_place(struct outline *job) {
    const struct loop *loop = job->loop;
    const struct range *whole = &loop->stmt->range;
    if (whole->begin.file != job->unit->main_file)
        return refuse_header(job);
    if (!whole->exact || !loop->body->range.exact ||
        loop->function->range.begin.file != job->unit->main_file || in_parentheses(job))
        return refuse_text(job);
    if (is_shared_inline(job))
        return emit_refuse(job, ORR2313, loop->header,
                           "the loop stays serial: `%s` is inline but not static, so it cannot use "
                           "functions of this file only",
                           loop->function->name);
    return check_compilers(job) && check_directives(job);
}

/* ---- names declared inside the function ------------------------------------------------------ */

struct name_list {
    int count;
    const char **items;
};

static void add_name(struct outline *job, struct name_list *names, struct token token) {
    const char *name =
        arena_strndup(job->arena, job->source + token.begin, token.end - token.begin);
    ARENA_PUSH(job->arena, names->items, names->count, name);
}

/* `typedef ... NAME;`: the last word in front of the semicolon, the brackets, or the comma. */
static void scan_typedef(struct outline *job, struct token_scan *scan, struct name_list *names) {
    struct token last = {.kind = TOKEN_END};
    int depth = 0;
    for (struct token t = token_next(scan); t.kind != TOKEN_END; t = token_next(scan)) {
        depth -= token_spells(scan, t, "}") || token_spells(scan, t, "]");
        if (depth == 0 && t.kind == TOKEN_NAME)
            last = t;
        bool ends = token_spells(scan, t, ";") && depth == 0;
        if (depth == 0 && last.kind == TOKEN_NAME &&
            (ends || token_spells(scan, t, "[") || token_spells(scan, t, ",") ||
             token_spells(scan, t, ")")))
            add_name(job, names, last);
        if (ends)
            return;
        depth += token_spells(scan, t, "{") || token_spells(scan, t, "[");
    }
}

/* `enum tag {`, `struct tag {`: the tag. Whether a brace follows; `ahead` is behind it then. */
static bool scan_tag(struct outline *job, struct token_scan *ahead, struct name_list *names) {
    struct token tag = token_next(ahead), brace = tag;
    if (tag.kind == TOKEN_NAME)
        brace = token_next(ahead);
    if (!token_spells(ahead, brace, "{"))
        return false;
    if (tag.kind == TOKEN_NAME)
        add_name(job, names, tag);
    return true;
}

static bool has_name(const struct name_list *names, const char *name) {
    for (int i = 0; i < names->count; ++i)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

/*
 * `enum { A, B }`: constants that can be declared once more in our functions, unless they are
 * declared twice here or speak of variables; then they are names like others.
 */
static void scan_enum(struct outline *job, struct token_scan ahead, size_t begin,
                      struct name_list *names) {
    struct name_list own = {0};
    bool plain = true, value = false;
    if (!scan_tag(job, &ahead, names))
        return;
    struct token t = token_next(&ahead);
    for (; t.kind != TOKEN_END && !token_spells(&ahead, t, "}"); t = token_next(&ahead)) {
        plain = plain && !token_spells(&ahead, t, "sizeof") && !token_spells(&ahead, t, "#");
        if (t.kind == TOKEN_NAME && !value)
            add_name(job, &own, t);
        value = token_spells(&ahead, t, "=") || (value && !token_spells(&ahead, t, ","));
    }
    for (int i = 0; i < own.count; ++i)
        for (int e = 0; e < job->nenums; ++e)
            plain = plain && !token_uses(job->enums[e], own.items[i]);
    for (int i = 0; i < own.count; ++i)
        if (!plain && !has_name(names, own.items[i]))
            ARENA_PUSH(job->arena, names->items, names->count, own.items[i]);
    if (plain)
        ARENA_PUSH(job->arena, job->enums, job->nenums,
                   arena_strndup(job->arena, job->source + begin, t.end - begin));
}

/* Types and constants that the function declares in front of the loop. */
static struct name_list local_names(struct outline *job) {
    struct name_list names = {0};
    struct token_scan scan =
        token_scan_start(job->source, job->loop->function->body->range.begin.offset,
                         job->loop->stmt->range.begin.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        if (token_spells(&scan, t, "typedef"))
            scan_typedef(job, &scan, &names);
        else if (token_spells(&scan, t, "enum"))
            scan_enum(job, scan, t.begin, &names);
        else if (token_spells(&scan, t, "struct") || token_spells(&scan, t, "union")) {
            struct token_scan ahead = scan;
            scan_tag(job, &ahead, &names);
        }
    }
    return names;
}

/* Some token outside of braces in front of the function is this name. */
static bool is_named_before(const struct outline *job, const char *name) {
    struct token_scan scan =
        token_scan_start(job->source, 0, job->loop->function->range.begin.offset);
    int depth = 0;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        depth += token_spells(&scan, t, "{") - token_spells(&scan, t, "}");
        if (depth == 0 && token_spells(&scan, t, name))
            return true;
    }
    return false;
}

/* A function whose body is read, and which only the enclosing one's text has declared. */
static bool is_declared_here(const struct outline *job, const char *name) {
    const struct range *function = &job->loop->function->range;
    for (int i = 0; i < job->unit->nfunctions; ++i) {
        const struct function *f = job->unit->functions[i];
        bool behind = f->range.begin.file == function->begin.file &&
                      f->range.begin.offset > function->begin.offset;
        if (f->body && (behind || f->origin) && strcmp(f->name, name) == 0)
            return !is_named_before(job, name);
    }
    return false;
}

/* What the text does not show to be a declaration: behind attributes, out of macros. */
static void add_declared(struct outline *job, struct name_list *names) {
    const struct function *function = job->loop->function;
    for (int i = 0; i < function->nlocal_names; ++i) {
        const struct local_name *local = &function->local_names[i];
        bool again = local->offset >= job->loop->stmt->range.begin.offset ||
                     has_name(names, local->name) ||
                     (local->is_function && !is_declared_here(job, local->name));
        for (int e = 0; e < job->nenums; ++e)
            again = again || token_uses(job->enums[e], local->name);
        if (!again)
            ARENA_PUSH(job->arena, names->items, names->count, local->name);
    }
}

static bool check_names(struct outline *job) {
    const struct range *body = &job->loop->body->range;
    struct name_list names = local_names(job);
    add_declared(job, &names);
    const char *text = arena_strndup(job->arena, job->source + body->begin.offset,
                                     body->end.offset - body->begin.offset);
    for (int i = 0; i < names.count; ++i)
        if (token_uses(text, names.items[i]))
            return emit_refuse(job, ORR2305, job->loop->header,
                               "the loop stays serial: its body uses `%s`, which is declared "
                               "inside `%s`",
                               names.items[i], job->loop->function->name);
    return true;
}

/* ---- statements and variables ---------------------------------------------------------------- */

static void visit_static(void *data, struct stmt *stmt) {
    struct outline *job = data;
    for (int i = 0; i < stmt->nvars; ++i)
        if (stmt->vars[i]->storage == STORAGE_STATIC_LOCAL)
            emit_refuse(job, ORR2306, stmt->range,
                        "the loop stays serial: its body declares the static variable `%s`, which "
                        "iterations share",
                        stmt->vars[i]->name);
}

/* Defined inside or behind of the function, and not named in front of it either. */
static bool is_unknown_before(const struct outline *job, const struct variable *var) {
    const struct range *function = &job->loop->function->range;
    return var->range.begin.file == function->begin.file &&
           var->range.begin.offset >= function->begin.offset && !is_named_before(job, var->name);
}

static bool is_global(const struct variable *var) {
    return var && (var->storage == STORAGE_GLOBAL || var->storage == STORAGE_STATIC);
}

/* Names of globals that our functions print must mean the same in front of the function. */
static bool check_global(struct outline *job, const struct variable *var) {
    if (!is_global(var) || emit_field_of(job, var) || emit_reduction_of(job, var))
        return true;
    if (is_unknown_before(job, var))
        return emit_refuse(job, ORR2311, job->loop->header,
                           "the loop stays serial: it needs the variable `%s`, which is not "
                           "declared in front of `%s`",
                           var->name, job->loop->function->name);
    for (int i = 0; i < job->nfields; ++i)
        if (strcmp(job->fields[i].name, var->name) == 0)
            return emit_refuse(job, ORR2311, job->loop->header,
                               "the loop stays serial: a called function uses the variable `%s` of "
                               "the file, and a local one hides it",
                               var->name);
    return true;
}

static bool check_globals(struct outline *job) {
    for (int i = 0; i < job->facts->nglobals; ++i) {
        const struct variable *var = job->facts->globals[i].var;
        if (!check_global(job, var))
            return false;
        if (is_global(var) && var->type->size < 0 && !emit_field_of(job, var))
            return emit_refuse(job, ORR2311, job->loop->header,
                               "the loop stays serial: the size of `%s` is not known here",
                               var->name);
    }
    for (int i = 0; i < job->facts->nobjects; ++i)
        if (!check_global(job, job->facts->objects[i]->var))
            return false;
    return true;
}

static bool check_privates(struct outline *job) {
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct variable *var = job->facts->privates[i].var;
        if (emit_is_outside(job, var) && emit_type_has_vla(var->type))
            return emit_refuse(job, ORR2308, job->loop->header,
                               "the loop stays serial: each block would need its own `%s`, an "
                               "array of variable length",
                               var->name);
    }
    return true;
}

/* ---- texts that mean something else in the new function -------------------------------------- */

static bool is_array(const struct variable *var) {
    return type_is_array(var->type);
}

/* A variable whose name stands for another base in the body. */
static bool is_stood_for(const struct outline *job, const struct variable *var) {
    return emit_field_of(job, var) || emit_reduction_of(job, var);
}

/* The name means in the body what it means outside, or what is of the same type. */
static bool is_known_inside(const struct outline *job, const struct variable *var) {
    const struct env_field *field = emit_field_of(job, var);
    bool local = var->function || var->storage == STORAGE_PARAM;
    bool same = field && field->role != FIELD_REFERENCE && !is_array(var);
    return !emit_is_outside(job, var) || emit_is_private(job, var) || var == job->loop->variable ||
           inductions_has(job->facts, var) || (is_stood_for(job, var) ? same : !local);
}

/* Of an array that the body may read, too, out of the same text: `LAST(W)`. */
static const char *base_of(const struct outline *job, const struct operand *operand) {
    const struct emit_reduction *reduction = emit_reduction_of(job, operand->var);
    bool pointer = is_array(operand->var) && is_stood_for(job, operand->var) &&
                   !(reduction && reduction->reference);
    return pointer && operand->range.in_macro ? operand->var->name : "0";
}

/*
 * `sizeof W` where W is an array outside and a pointer in the body, or where nothing else in the
 * body needs W: the name becomes an lvalue of its type.
 */
static void rename_operand(struct outline *job, const struct operand *operand) {
    const struct variable *var = operand->var;
    bool vla = emit_type_has_vla(var->type);
    for (int i = 0; i < job->renames.count; ++i)
        if (job->renames.items[i].begin == operand->range.begin.offset)
            return;
    if (vla || !operand->range.exact) {
        emit_refuse(job, ORR2308, operand->range,
                    "the loop stays serial: its body takes the size or type of `%s`%s", var->name,
                    vla ? ", an array of variable length" : " by a macro that names it");
        return;
    }
    const char *pointer = is_array(var) ? outline_declare(job, var->type, "(*)")
                                        : outline_declare_pointer(job, var->type, "", "");
    text_edit_add(&job->renames, operand->range.begin.offset, operand->range.end.offset,
                  arena_printf(job->arena, "(*(%s)%s)", pointer, base_of(job, operand)));
    ARENA_PUSH(job->arena, job->unused, job->nunused, var);
}

/* What the name stands for in the body has another alignment, or no end that a compiler sees. */
static bool is_less_inside(const struct outline *job, const struct operand *operand) {
    const struct variable *var = operand->var;
    bool local = var->function || is_stood_for(job, var);
    return operand->kind != OPERAND_TYPE && local && emit_is_outside(job, var) &&
           (operand->kind == OPERAND_ALIGNMENT || is_array(var));
}

static void rename_operands(struct outline *job) {
    const struct function *function = job->loop->function;
    for (int i = 0; i < function->noperands; ++i) {
        const struct operand *operand = &function->operands[i];
        if (!range_holds_start(&job->loop->body->range, &operand->range))
            continue;
        if (is_less_inside(job, operand))
            emit_refuse(job, ORR2308, operand->range,
                        "the loop stays serial: its body asks for the alignment or the extent of "
                        "`%s`",
                        operand->var->name);
        else if (!is_known_inside(job, operand->var))
            rename_operand(job, operand);
    }
}

/* Names of structs that the body changes become lvalues through a pointer; `&array` is refused. */
static void visit_names(void *data, struct expr *expr, struct expr *parent) {
    struct outline *job = data;
    if (expr->kind != EXPR_VAR || !emit_is_outside(job, expr->var))
        return;
    const struct env_field *field = emit_field_of(job, expr->var);
    if (parent && parent->kind == EXPR_ADDRESS && is_array(expr->var) &&
        is_stood_for(job, expr->var))
        emit_refuse(job, ORR2308, expr->range,
                    "the loop stays serial: its body takes the address of the array `%s`; take "
                    "that of its first element",
                    expr->var->name);
    const struct emit_reduction *reduction = emit_reduction_of(job, expr->var);
    bool copied = reduction && reduction->reference;
    if (!copied && (!field || field->role != FIELD_REFERENCE))
        return;
    if (!expr->range.exact || expr->range.begin.file != job->unit->main_file) {
        emit_refuse(job, ORR2308, expr->range,
                    "the loop stays serial: its body changes `%s` through a macro",
                    expr->var->name);
        return;
    }
    text_edit_add(&job->renames, expr->range.begin.offset, expr->range.end.offset,
                  arena_printf(job->arena, "(*%s)", copied ? reduction->name : field->name));
}

/* requires: emit_env_collect. Adds job->renames. */
bool emit_check_body(struct outline *job) {
    const struct variable *var = job->loop->variable;
    if (!var || (var->type->kind != TYPE_INT && !job->facts->by_number))
        return emit_refuse(job, ORR2308, job->loop->header,
                           "the loop stays serial: its variable is not an integer");
    emit_walk_stmts(job->loop->body, visit_static, job);
    if (job->refused || !check_names(job) || !check_globals(job) || !check_privates(job))
        return false;
    rename_operands(job);
    emit_walk_stmt(job->loop->body, visit_names, job);
    return emit_predefined_name(job) && !job->refused;
}
