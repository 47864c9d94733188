/* Statements of a kernel. */
#include "scheduler/gpu/gpu.h"

#include <string.h>

const char *gpu_place(struct gpu_printer *p, struct range range) {
    const char *name = range.begin.file >= 0 ? p->job->unit->files[range.begin.file].name : "";
    const char *slash = strrchr(name, '/');
    return arena_printf(p->arena, "// %s:%d", slash ? slash + 1 : name, range.begin.line);
}

static void line_print(struct gpu_printer *p, const struct stmt *stmt, int indent, const char *line,
                       struct text *out) {
    text_print(out, "%*s%s %s\n", 4 * indent, "", line, gpu_place(p, stmt->range));
}

const char *gpu_declaration(struct gpu_printer *p, const struct variable *var) {
    const char *declared = gpu_declare(p, var->type, gpu_name(p->arena, var));
    if (!var->init)
        return arena_printf(p->arena, "%s;", declared);
    return arena_printf(p->arena, "%s = %s;", declared, gpu_value(p, var->init, var->type));
}

static void declarations_print(struct gpu_printer *p, const struct stmt *stmt, int indent,
                               struct text *out) {
    for (int i = 0; i < stmt->nvars; ++i)
        line_print(p, stmt, indent, gpu_declaration(p, stmt->vars[i]), out);
}

const struct gpu_sum *gpu_sum_of(const struct gpu_lanes *lanes, const struct expr *expr) {
    for (int s = 0; lanes && s < lanes->nsums; ++s)
        if (lanes->sums[s].update == expr)
            return &lanes->sums[s];
    return NULL;
}

/* In a loop that is assigned to the lanes: what one iteration adds, or fills in. */
static const char *term_text(struct gpu_printer *p, const struct expr *expr) {
    const struct gpu_sum *sum = gpu_sum_of(p->inside, expr);
    if (p->inside && p->inside->fill == expr)
        return arena_printf(p->arena, "orrery_set[orrery_j] = %s;",
                            gpu_value(p, expr->args[1], expr->args[0]->type));
    if (!sum)
        return NULL;
    int s = (int)(sum - p->inside->sums);
    const char *value = sum->value ? gpu_expr(p, sum->value) : "1";
    return p->wide
               ? arena_printf(p->arena, "orrery_term_%d[orrery_j] = (%s);", s, value)
               : arena_printf(p->arena, "orrery_term_%d = (%s), orrery_has_%d = 1;", s, value, s);
}

/* `(p = q)` as a statement needs no parentheses. */
static const char *statement_text(struct gpu_printer *p, const struct expr *expr) {
    return arena_printf(p->arena, "%s;", gpu_expr(p, expr));
}

static void expression_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                             int indent, struct text *out) {
    const char *term = term_text(p, stmt->expr);
    const char *text = term ? term : statement_text(p, stmt->expr);
    if (form == GPU_SERIAL || !gpu_writes(p->kernel, stmt->expr)) {
        line_print(p, stmt, indent, text, out);
        return;
    }
    text_print(out, "%*sorrery_meet();\n%*sif (orrery_lane == 0)\n", 4 * indent, "", 4 * indent,
               "");
    line_print(p, stmt, indent + 1, text, out);
    text_print(out, "%*sorrery_meet();\n", 4 * indent, "");
}

void gpu_nested_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                      int indent, struct text *out) {
    if (stmt->kind != STMT_BLOCK) {
        gpu_stmt_print(p, stmt, form, indent + 1, out);
        return;
    }
    for (int i = 0; i < stmt->nbody; ++i)
        gpu_stmt_print(p, stmt->body[i], form, indent + 1, out);
}

static void if_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form, int indent,
                     struct text *out) {
    text_print(out, "%*sif (%s) { %s\n", 4 * indent, "", gpu_expr(p, stmt->expr),
               gpu_place(p, stmt->range));
    gpu_nested_print(p, stmt->then, form, indent, out);
    if (stmt->other) {
        text_print(out, "%*s} else {\n", 4 * indent, "");
        gpu_nested_print(p, stmt->other, form, indent, out);
    }
    text_print(out, "%*s}\n", 4 * indent, "");
}

/* What the header declares stands in front of the loop, in braces of its own. */
static void for_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                      int indent, struct text *out) {
    const struct loop *loop = stmt->loop;
    bool declares = loop->init && loop->init->kind == STMT_DECL;
    const char *start = "";
    if (declares && loop->init->nvars == 1)
        start = gpu_declaration(p, loop->init->vars[0]);
    else if (loop->init && loop->init->kind == STMT_EXPR)
        start = statement_text(p, loop->init->expr);
    bool outside = declares && loop->init->nvars != 1;
    if (outside) {
        text_print(out, "%*s{\n", 4 * indent, "");
        declarations_print(p, loop->init, ++indent, out);
    }
    text_print(out, "%*sfor (%s%s%s; %s) { %s\n", 4 * indent, "", *start ? start : ";",
               loop->cond ? " " : "", loop->cond ? gpu_expr(p, loop->cond) : "",
               loop->next ? gpu_expr(p, loop->next) : "", gpu_place(p, stmt->range));
    gpu_nested_print(p, loop->body, form, indent, out);
    text_print(out, "%*s}\n", 4 * indent, "");
    if (outside)
        text_print(out, "%*s}\n", 4 * (indent - 1), "");
}

static void alone_print(struct gpu_printer *p, const struct stmt *stmt, int indent,
                        struct text *out) {
    text_print(out, "%*sorrery_meet();\n%*sif (orrery_lane == 0) {\n", 4 * indent, "", 4 * indent,
               "");
    for_print(p, stmt, GPU_SERIAL, indent + 1, out);
    text_print(out, "%*s}\n%*sorrery_meet();\n", 4 * indent, "", 4 * indent, "");
}

static void switch_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                         int indent, struct text *out) {
    text_print(out, "%*sswitch (%s) { %s\n", 4 * indent, "", gpu_expr(p, stmt->expr),
               gpu_place(p, stmt->range));
    gpu_nested_print(p, stmt->then, form, indent, out);
    text_print(out, "%*s}\n", 4 * indent, "");
}

static void case_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                       int indent, struct text *out) {
    if (stmt->expr)
        text_print(out, "%*scase %s:\n", 4 * indent, "", gpu_expr(p, stmt->expr));
    else
        text_print(out, "%*sdefault:\n", 4 * indent, "");
    if (stmt->then)
        gpu_stmt_print(p, stmt->then, form, indent + 1, out);
}

static void return_print(struct gpu_printer *p, const struct stmt *stmt, int indent,
                         struct text *out) {
    const char *value = "";
    if (stmt->expr)
        value = arena_printf(p->arena, " %s", gpu_value(p, stmt->expr, p->of->result));
    line_print(p, stmt, indent, arena_printf(p->arena, "return%s;", value), out);
}

void gpu_stmt_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form, int indent,
                    struct text *out) {
    const struct wave_part *part = p->of ? NULL : gpu_wave_part(p->job, stmt);
    if (part)
        gpu_wave_print(p, part, indent, out);
    else
        gpu_stmt_whole_print(p, stmt, form, indent, out);
}

void gpu_stmt_whole_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                          int indent, struct text *out) {
    const struct gpu_lanes *lanes = NULL;
    switch (stmt->kind) {
    case STMT_EMPTY:
        text_print(out, "%*s;\n", 4 * indent, "");
        break;
    case STMT_EXPR:
        expression_print(p, stmt, form, indent, out);
        break;
    case STMT_DECL:
        declarations_print(p, stmt, indent, out);
        break;
    case STMT_BLOCK:
        text_print(out, "%*s{\n", 4 * indent, "");
        gpu_nested_print(p, stmt, form, indent, out);
        text_print(out, "%*s}\n", 4 * indent, "");
        break;
    case STMT_IF:
        if_print(p, stmt, form, indent, out);
        break;
    case STMT_FOR:
        lanes = form == GPU_WARP ? gpu_lanes_of(p->kernel, stmt->loop) : NULL;
        if (lanes)
            gpu_lanes_print(p, lanes, indent, out);
        else if (form == GPU_WARP && gpu_is_alone(p->kernel, stmt))
            alone_print(p, stmt, indent, out);
        else
            for_print(p, stmt, form, indent, out);
        break;
    case STMT_WHILE:
        text_print(out, "%*swhile (%s) { %s\n", 4 * indent, "", gpu_expr(p, stmt->expr),
                   gpu_place(p, stmt->range));
        gpu_nested_print(p, stmt->then, form, indent, out);
        text_print(out, "%*s}\n", 4 * indent, "");
        break;
    case STMT_DO:
        text_print(out, "%*sdo { %s\n", 4 * indent, "", gpu_place(p, stmt->range));
        gpu_nested_print(p, stmt->then, form, indent, out);
        text_print(out, "%*s} while (%s);\n", 4 * indent, "", gpu_expr(p, stmt->expr));
        break;
    case STMT_SWITCH:
        switch_print(p, stmt, form, indent, out);
        break;
    case STMT_CASE:
        case_print(p, stmt, form, indent, out);
        break;
    case STMT_BREAK:
        line_print(p, stmt, indent, "break;", out);
        break;
    case STMT_CONTINUE:
        line_print(p, stmt, indent, "continue;", out);
        break;
    case STMT_RETURN:
        return_print(p, stmt, indent, out);
        break;
    default:
        break;
    }
}
