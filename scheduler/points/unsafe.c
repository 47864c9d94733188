#include "scheduler/points/unsafe.h"

#include "analyzer/analyzer.h"
#include "scheduler/base/nesting.h"
#include "scheduler/base/text.h"
#include "scheduler/base/walk.h"

#include <string.h>

enum { DEEPEST = 64 };

void unsafe_note(struct unsafe *unsafe, const char *code, struct range where, const char *why,
                 const char *fix) {
    if (unsafe->ckpt_point->code)
        return;
    unsafe->ckpt_point->code = code;
    unsafe->ckpt_point->where = where;
    unsafe->ckpt_point->why = why;
    unsafe->ckpt_point->fix = fix;
}

static void state_note(struct unsafe *unsafe, const struct expr *call, const char *name,
                       bool is_random) {
    unsafe_note(
        unsafe, ORR3141, call->range,
        arena_printf(unsafe->unit->arena,
                     "%s changes a state of the C library, which a checkpoint does not have", name),
        is_random ? "draw from orrery_random(seed, n) of orrery.h, with the pass in n"
                  : "do this before the loop over passes");
}

static void visit(void *data, struct expr *expr);

static void walk_function(struct unsafe *unsafe, const struct expr *call) {
    const struct function *f = call->function;
    struct unsafe_frame frame = {f, call->kind == EXPR_CALL ? call : NULL, unsafe->frame,
                                 unsafe->frame ? unsafe->frame->depth + 1 : 1};
    bool again = unsafe_takes_stream(f);
    if (frame.depth > DEEPEST)
        return;
    for (const struct unsafe_frame *at = unsafe->frame; at; at = at->outer)
        if (at->function == f)
            return;
    if (!again && unsafe->visited[f->id])
        return;
    unsafe->visited[f->id] = true;
    unsafe->frame = &frame;
    stmt_visit(f->body, visit, unsafe);
    unsafe->frame = frame.outer;
}

/* It changes something that a checkpoint does not have: `longjmp`, `srand`, `setenv`. */
static bool is_stateful(const struct effects *effects) {
    unsigned harmless = EFFECT_ENTROPY | EFFECT_STATIC, harmful = EFFECT_JUMPS | EFFECT_MAPS;
    bool state = effects->effect == EFFECT_RANDOM || effects->effect == EFFECT_STATE ||
                 effects->effect == EFFECT_SETJMP;
    return effects->marks & harmful || (state && !(effects->marks & harmless));
}

static void walk_library(struct unsafe *unsafe, const struct expr *call, const char *name) {
    struct arena *arena = unsafe->unit->arena;
    const struct effects *effects = effects_of(call->function);
    const char *plain = strncmp(name, "__builtin_", 10) == 0 ? name + 10 : name;
    if (!effects && plain != name) /* of the compiler: nanf, va_start */
        return;
    if (!effects)
        unsafe_note(
            unsafe, ORR3142, call->range, arena_printf(arena, "what %s does is not known", plain),
            arena_printf(arena, "define %s in this file, or name its file with -with", plain));
    else if (is_stateful(effects))
        state_note(unsafe, call, plain, effects->effect == EFFECT_RANDOM);
    else if (effects->effect == EFFECT_IO)
        unsafe_io(unsafe, call, effects);
}

static void visit(void *data, struct expr *expr) {
    struct unsafe *unsafe = data;
    if (unsafe->ckpt_point->code)
        return;
    if (expr->kind == EXPR_CALL && !expr->function)
        unsafe_note(unsafe, ORR3143, expr->range,
                    "which function is called here only the run tells",
                    "call the function by its name");
    if ((expr->kind != EXPR_CALL && expr->kind != EXPR_FUNCTION) || !expr->function)
        return;
    if (expr->function->body)
        walk_function(unsafe, expr);
    else
        walk_library(unsafe, expr, expr->function->name);
}

/* ---- what stands in the function, outside of the loop too ------------------------------------ */

static void outside_visit(void *data, struct expr *expr, struct expr *parent) {
    struct unsafe *unsafe = data;
    bool own =
        expr->kind == EXPR_CALL && expr->function && effects_say(expr->function, EFFECT_STACK);
    bool literal = expr->kind == EXPR_COMPOUND &&
                   ((parent && parent->kind == EXPR_ADDRESS) || expr->type->kind == TYPE_ARRAY);
    if (own || literal)
        unsafe_note(
            unsafe, ORR3144, expr->range,
            "the memory that this makes on the stack has no name by which it could be saved",
            "make it an array, or let malloc make it");
}

static void names_check(struct unsafe *unsafe) {
    const struct ckpt_point *ckpt_point = unsafe->ckpt_point;
    for (int i = 0; i < ckpt_point->nlive; ++i)
        for (int j = 0; j < i; ++j)
            if (strcmp(ckpt_point->live[i]->name, ckpt_point->live[j]->name) == 0)
                unsafe_note(unsafe, ORR3144, ckpt_point->live[i]->range,
                            arena_printf(unsafe->unit->arena,
                                         "%s hides another variable of this name",
                                         ckpt_point->live[i]->name),
                            "give one of them another name");
}

/* ---- can it be written into the text? -------------------------------------------------------- */

static const char *const unclear[] = {"_Thread_local", "thread_local", "__thread", NULL};

static bool has_token(const struct unit *unit, size_t begin, size_t end, const char *word) {
    const char *text = unit->files[unit->main_file].text;
    struct token_scan scan = token_scan_start(text, begin, end);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (token_spells(&scan, t, word))
            return true;
    return false;
}

static bool has_define(const struct unit *unit, size_t begin, size_t end) {
    const char *text = unit->files[unit->main_file].text;
    struct token_scan scan = token_scan_start(text, begin, end);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        size_t at = t.begin + 1;
        while (t.kind == TOKEN_DIRECTIVE && at < t.end && (text[at] == ' ' || text[at] == '\t'))
            ++at;
        if (t.kind == TOKEN_DIRECTIVE && strncmp(text + at, "define", 6) == 0)
            return true;
    }
    return false;
}

static bool is_label(const void *data, const struct stmt *stmt) {
    (void)data;
    return stmt->kind == STMT_LABEL || stmt->kind == STMT_UNKNOWN;
}

static const char *no_text(const struct unsafe *unsafe) {
    const struct loop *loop = unsafe->ckpt_point->loop;
    const struct unit *unit = unsafe->unit;
    const struct function *f = loop->function;
    if (!loop->stmt->range.exact || !loop->body->range.exact || !f->range.exact ||
        f->range.begin.file != unit->main_file)
        return "its text comes out of a macro";
    if (text_follows_directive(unit, &loop->stmt->range))
        return "a directive stands in front of it";
    if (stmt_any(loop->body, is_label, NULL))
        return "a label or a statement of the compiler's own stands in it";
    if (has_token(unit, f->range.begin.offset, f->body->range.begin.offset, "inline"))
        return "its function is declared inline";
    if (has_define(unit, f->range.begin.offset, loop->stmt->range.begin.offset))
        return "a macro is defined in its function";
    return NULL;
}

static void text_check(struct unsafe *unsafe) {
    const struct source_file *file = &unsafe->unit->files[unsafe->unit->main_file];
    const char *why = no_text(unsafe);
    if (why)
        unsafe_note(unsafe, ORR3145, unsafe->ckpt_point->loop->header, why,
                    "write the loop over passes as plain text, in a function of its own");
    for (int i = 0; unclear[i]; ++i)
        if (has_token(unsafe->unit, 0, file->size, unclear[i]))
            unsafe_note(unsafe, ORR3144, unsafe->ckpt_point->loop->header,
                        "variables of threads are not saved",
                        "make them ordinary static variables");
}

bool ckpt_point_has_pointers(const struct type *type) {
    if (type->kind == TYPE_POINTER)
        return true;
    if (type_is_array(type))
        return ckpt_point_has_pointers(type->element);
    if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION)
        return false;
    for (int i = 0; type->record && i < type->record->nfields; ++i)
        if (ckpt_point_has_pointers(type->record->fields[i].type))
            return true;
    return !type->record;
}

void ckpt_point_unsafe(struct unit *unit, struct ckpt_point *ckpt_point) {
    struct unsafe unsafe = {.unit = unit,
                            .ckpt_point = ckpt_point,
                            .visited = arena_alloc(unit->arena, (size_t)nesting_ids(unit))};
    text_check(&unsafe);
    names_check(&unsafe);
    emit_walk_stmt(ckpt_point->loop->function->body, outside_visit, &unsafe);
    expr_visit(ckpt_point->loop->cond, visit, &unsafe);
    expr_visit(ckpt_point->loop->next, visit, &unsafe);
    stmt_visit(ckpt_point->loop->body, visit, &unsafe);
}
