/* Statements of a kernel. */
#include "scheduler/gpu/gpu.h"

#include <string.h>

const char *gpu_place(struct gpu_kernel *k, struct range range) {
    const char *name = range.begin.file >= 0 ? k->job->unit->files[range.begin.file].name : "";
    const char *slash = strrchr(name, '/');
    return arena_printf(k->arena, "// %s:%d", slash ? slash + 1 : name, range.begin.line);
}

static void refuse(struct gpu_kernel *k, const struct stmt *stmt, const char *what) {
    emit_refuse(k->job, ORR2462, stmt->range, "the loop cannot run on a GPU: its body has %s",
                what);
}

/* Bytes of a lane's own memory for the arrays and structures of one function. */
enum { LANE_BYTES = 48 << 10 };

static void visit_locals(void *data, struct stmt *stmt) {
    long *bytes = data;
    for (int i = 0; i < stmt->nvars; ++i)
        *bytes += stmt->vars[i]->type->size > 0 ? stmt->vars[i]->type->size : 0;
}

bool gpu_locals_fit(const struct gpu_kernel *k, struct stmt *body) {
    long bytes = 0;
    emit_walk_stmts(body, visit_locals, &bytes);
    return bytes <= LANE_BYTES ||
           emit_refuse(k->job, ORR2462, body->range,
                       "the loop cannot run on a GPU: it has local variables of %ld bytes, and a "
                       "lane has room for %d",
                       bytes, LANE_BYTES);
}

static void line_print(struct gpu_kernel *k, const struct stmt *stmt, int indent, const char *line,
                       struct text *out) {
    text_print(out, "%*s%s %s\n", 4 * indent, "", line, gpu_place(k, stmt->range));
}

static const char *declaration_text(struct gpu_kernel *k, const struct variable *var) {
    const char *declared = gpu_declare(k, var->type, gpu_name(k, var));
    if (var->storage == STORAGE_STATIC_LOCAL) {
        emit_refuse(k->job, ORR2462, var->range,
                    "the loop cannot run on a GPU: a function that it calls has the static "
                    "variable `%s`",
                    var->name);
        return ";";
    }
    if (!var->init)
        return arena_printf(k->arena, "%s;", declared);
    return arena_printf(k->arena, "%s = %s;", declared, gpu_value(k, var->init, var->type));
}

static void declarations_print(struct gpu_kernel *k, const struct stmt *stmt, int indent,
                               struct text *out) {
    for (int i = 0; i < stmt->nvars; ++i)
        line_print(k, stmt, indent, declaration_text(k, stmt->vars[i]), out);
}

/* In a loop that is assigned to the lanes: what one iteration adds. */
static const char *term_text(struct gpu_kernel *k, const struct expr *expr) {
    for (int s = 0; k->inside && s < k->inside->nsums; ++s) {
        const struct gpu_sum *sum = &k->inside->sums[s];
        const char *value = sum->update == expr && sum->value ? gpu_expr(k, sum->value) : "1";
        if (sum->update == expr && k->wide)
            return arena_printf(k->arena, "orrery_term_%d[orrery_j] = (%s);", s, value);
        if (sum->update == expr)
            return arena_printf(k->arena, "orrery_term_%d = (%s), orrery_has_%d = 1;", s, value, s);
    }
    return NULL;
}

/* `(p = q)` as a statement needs no parentheses. */
static const char *statement_text(struct gpu_kernel *k, const struct expr *expr) {
    return arena_printf(k->arena, "%s;", gpu_expr(k, expr));
}

static void expression_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form,
                             int indent, struct text *out) {
    const char *term = term_text(k, stmt->expr);
    const char *text = term ? term : statement_text(k, stmt->expr);
    if (form == GPU_SERIAL || !gpu_writes(k, stmt->expr)) {
        line_print(k, stmt, indent, text, out);
        return;
    }
    text_print(out, "%*sorrery_meet();\n%*sif (orrery_lane == 0)\n", 4 * indent, "", 4 * indent,
               "");
    line_print(k, stmt, indent + 1, text, out);
    text_print(out, "%*sorrery_meet();\n", 4 * indent, "");
}

void gpu_nested_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form, int indent,
                      struct text *out) {
    if (stmt->kind != STMT_BLOCK) {
        gpu_stmt_print(k, stmt, form, indent + 1, out);
        return;
    }
    for (int i = 0; i < stmt->nbody; ++i)
        gpu_stmt_print(k, stmt->body[i], form, indent + 1, out);
}

static void if_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form, int indent,
                     struct text *out) {
    text_print(out, "%*sif (%s) { %s\n", 4 * indent, "", gpu_expr(k, stmt->expr),
               gpu_place(k, stmt->range));
    gpu_nested_print(k, stmt->then, form, indent, out);
    if (stmt->other) {
        text_print(out, "%*s} else {\n", 4 * indent, "");
        gpu_nested_print(k, stmt->other, form, indent, out);
    }
    text_print(out, "%*s}\n", 4 * indent, "");
}

/* What the header declares stands in front of the loop, in braces of its own. */
static void for_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form, int indent,
                      struct text *out) {
    const struct loop *loop = stmt->loop;
    bool declares = loop->init && loop->init->kind == STMT_DECL;
    const char *start = "";
    if (declares && loop->init->nvars == 1)
        start = declaration_text(k, loop->init->vars[0]);
    else if (loop->init && loop->init->kind == STMT_EXPR)
        start = statement_text(k, loop->init->expr);
    bool outside = declares && loop->init->nvars != 1;
    if (outside) {
        text_print(out, "%*s{\n", 4 * indent, "");
        declarations_print(k, loop->init, ++indent, out);
    }
    text_print(out, "%*sfor (%s%s%s; %s) { %s\n", 4 * indent, "", *start ? start : ";",
               loop->cond ? " " : "", loop->cond ? gpu_expr(k, loop->cond) : "",
               loop->next ? gpu_expr(k, loop->next) : "", gpu_place(k, stmt->range));
    gpu_nested_print(k, loop->body, form, indent, out);
    text_print(out, "%*s}\n", 4 * indent, "");
    if (outside)
        text_print(out, "%*s}\n", 4 * (indent - 1), "");
}

static void alone_print(struct gpu_kernel *k, const struct stmt *stmt, int indent,
                        struct text *out) {
    text_print(out, "%*sorrery_meet();\n%*sif (orrery_lane == 0) {\n", 4 * indent, "", 4 * indent,
               "");
    for_print(k, stmt, GPU_SERIAL, indent + 1, out);
    text_print(out, "%*s}\n%*sorrery_meet();\n", 4 * indent, "", 4 * indent, "");
}

static bool declares_inside(const struct stmt *stmt) {
    if (stmt->kind == STMT_DECL)
        return true;
    bool plain = stmt->kind == STMT_CASE || stmt->kind == STMT_LABEL;
    return plain && stmt->then && declares_inside(stmt->then);
}

/* C++ lets no case jump over a declaration. */
static void switch_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form,
                         int indent, struct text *out) {
    const struct stmt *body = stmt->then;
    for (int i = 0; body->kind == STMT_BLOCK && i < body->nbody; ++i)
        if (declares_inside(body->body[i])) {
            refuse(k, body->body[i], "a declaration among the cases of a switch");
            return;
        }
    text_print(out, "%*sswitch (%s) { %s\n", 4 * indent, "", gpu_expr(k, stmt->expr),
               gpu_place(k, stmt->range));
    gpu_nested_print(k, body, form, indent, out);
    text_print(out, "%*s}\n", 4 * indent, "");
}

static void case_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form,
                       int indent, struct text *out) {
    if (stmt->expr)
        text_print(out, "%*scase %s:\n", 4 * indent, "", gpu_expr(k, stmt->expr));
    else
        text_print(out, "%*sdefault:\n", 4 * indent, "");
    if (stmt->then)
        gpu_stmt_print(k, stmt->then, form, indent + 1, out);
}

static void return_print(struct gpu_kernel *k, const struct stmt *stmt, int indent,
                         struct text *out) {
    const char *value = "";
    if (!k->of) {
        refuse(k, stmt, "a return");
        return;
    }
    if (stmt->expr)
        value = arena_printf(k->arena, " %s", gpu_value(k, stmt->expr, k->of->result));
    line_print(k, stmt, indent, arena_printf(k->arena, "return%s;", value), out);
}

void gpu_stmt_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form, int indent,
                    struct text *out) {
    const struct wave_part *part = gpu_wave_part(k, stmt);
    if (part)
        gpu_wave_print(k, part, indent, out);
    else
        gpu_stmt_whole_print(k, stmt, form, indent, out);
}

void gpu_stmt_whole_print(struct gpu_kernel *k, const struct stmt *stmt, enum gpu_form form,
                          int indent, struct text *out) {
    const struct gpu_lanes *lanes = NULL;
    switch (stmt->kind) {
    case STMT_EMPTY:
        text_print(out, "%*s;\n", 4 * indent, "");
        break;
    case STMT_EXPR:
        expression_print(k, stmt, form, indent, out);
        break;
    case STMT_DECL:
        declarations_print(k, stmt, indent, out);
        break;
    case STMT_BLOCK:
        text_print(out, "%*s{\n", 4 * indent, "");
        gpu_nested_print(k, stmt, form, indent, out);
        text_print(out, "%*s}\n", 4 * indent, "");
        break;
    case STMT_IF:
        if_print(k, stmt, form, indent, out);
        break;
    case STMT_FOR:
        lanes = form == GPU_WARP ? gpu_lanes_of(k, stmt->loop) : NULL;
        if (lanes)
            gpu_lanes_print(k, lanes, indent, out);
        else if (form == GPU_WARP && gpu_is_alone(k, stmt))
            alone_print(k, stmt, indent, out);
        else
            for_print(k, stmt, form, indent, out);
        break;
    case STMT_WHILE:
        text_print(out, "%*swhile (%s) { %s\n", 4 * indent, "", gpu_expr(k, stmt->expr),
                   gpu_place(k, stmt->range));
        gpu_nested_print(k, stmt->then, form, indent, out);
        text_print(out, "%*s}\n", 4 * indent, "");
        break;
    case STMT_DO:
        text_print(out, "%*sdo { %s\n", 4 * indent, "", gpu_place(k, stmt->range));
        gpu_nested_print(k, stmt->then, form, indent, out);
        text_print(out, "%*s} while (%s);\n", 4 * indent, "", gpu_expr(k, stmt->expr));
        break;
    case STMT_SWITCH:
        switch_print(k, stmt, form, indent, out);
        break;
    case STMT_CASE:
        case_print(k, stmt, form, indent, out);
        break;
    case STMT_BREAK:
        line_print(k, stmt, indent, "break;", out);
        break;
    case STMT_CONTINUE:
        line_print(k, stmt, indent, "continue;", out);
        break;
    case STMT_RETURN:
        return_print(k, stmt, indent, out);
        break;
    case STMT_GOTO:
    case STMT_LABEL:
        refuse(k, stmt, "a goto or its label");
        break;
    case STMT_UNKNOWN:
        refuse(k, stmt, stmt->text ? stmt->text : "something unknown");
        break;
    }
}
