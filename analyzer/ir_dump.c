/* --dump=loops: the unit in a notation that tests and people can read. */
#include "analyzer/ir.h"
#include "analyzer/pragma.h"

#include <stdio.h>

/* Where the dump goes; `arena` holds the printed texts. */
struct dump {
    struct arena *arena;
    FILE *out;
};

static void dump_stmt(struct dump *d, const struct stmt *stmt, int indent);

static const char *text_of(struct dump *d, const struct expr *expr) {
    return expr ? expr_print(d->arena, expr) : "";
}

static void dump_place(struct dump *d, struct range range) {
    fprintf(d->out, "%d:%d-%d:%d%s%s", range.begin.line, range.begin.column, range.end.line,
            range.end.column, range.exact ? "" : " inexact", range.in_macro ? " macro" : "");
}

static void dump_variable(struct dump *d, const struct variable *v) {
    static const char *const storages[] = {"local", "param", "static local", "static", "global"};
    fprintf(d->out, "%s: %s%s%s writes=%d", type_declare(d->arena, v->type, v->name ? v->name : ""),
            storages[v->storage], v->is_extern ? " extern" : "",
            v->address_taken ? " address-taken" : "", v->writes);
    if (v->init)
        fprintf(d->out, " = %s", text_of(d, v->init));
}

/* ---- statements */

static void start(struct dump *d, int indent) {
    fprintf(d->out, "%*s", 2 * indent, "");
}

static void dump_block(struct dump *d, const struct stmt *stmt, int indent) {
    for (int i = 0; i < stmt->nbody; ++i)
        dump_stmt(d, stmt->body[i], indent);
}

static void dump_decl(struct dump *d, const struct stmt *stmt, int indent) {
    for (int i = 0; i < stmt->nvars; ++i) {
        start(d, indent);
        fprintf(d->out, "declare ");
        dump_variable(d, stmt->vars[i]);
        fputc('\n', d->out);
    }
}

static void dump_headed(struct dump *d, const struct stmt *stmt, const char *word, int indent) {
    start(d, indent);
    fprintf(d->out, "%s %s\n", word, text_of(d, stmt->expr));
    if (stmt->then)
        dump_stmt(d, stmt->then, indent + 1);
    if (!stmt->other)
        return;
    start(d, indent);
    fprintf(d->out, "else\n");
    dump_stmt(d, stmt->other, indent + 1);
}

static void dump_for(struct dump *d, const struct stmt *stmt, int indent) {
    start(d, indent);
    fprintf(d->out, "for loop %d\n", stmt->loop->id);
    if (stmt->loop->body)
        dump_stmt(d, stmt->loop->body, indent + 1);
}

static void dump_word(struct dump *d, const struct stmt *stmt, const char *word, int indent) {
    start(d, indent);
    fprintf(d->out, "%s%s%s\n", word, stmt->text ? " " : "", stmt->text ? stmt->text : "");
    if (stmt->then)
        dump_stmt(d, stmt->then, indent);
}

static void dump_stmt(struct dump *d, const struct stmt *stmt, int indent) {
    switch (stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
        start(d, indent);
        fprintf(d->out, "%s%s\n", stmt->kind == STMT_RETURN ? "return " : "",
                text_of(d, stmt->expr));
        break;
    case STMT_DECL:
        dump_decl(d, stmt, indent);
        break;
    case STMT_BLOCK:
        dump_block(d, stmt, indent);
        break;
    case STMT_FOR:
        dump_for(d, stmt, indent);
        break;
    case STMT_IF:
        dump_headed(d, stmt, "if", indent);
        break;
    case STMT_WHILE:
        dump_headed(d, stmt, "while", indent);
        break;
    case STMT_DO:
        dump_headed(d, stmt, "do-while", indent);
        break;
    case STMT_SWITCH:
        dump_headed(d, stmt, "switch", indent);
        break;
    case STMT_CASE:
        dump_headed(d, stmt, stmt->expr ? "case" : "default", indent);
        break;
    case STMT_EMPTY:
        dump_word(d, stmt, "empty", indent);
        break;
    case STMT_BREAK:
        dump_word(d, stmt, "break", indent);
        break;
    case STMT_CONTINUE:
        dump_word(d, stmt, "continue", indent);
        break;
    case STMT_GOTO:
        dump_word(d, stmt, "goto", indent);
        break;
    case STMT_LABEL:
        dump_word(d, stmt, "label", indent);
        break;
    case STMT_UNKNOWN:
        dump_word(d, stmt, "unknown:", indent);
        break;
    }
}

/* ---- loops */

static void dump_clause(struct dump *d, const struct clause *clause) {
    static const char *const kinds[] = {[CLAUSE_UNORDERED] = "unordered",
                                        [CLAUSE_RELAX] = "relax",
                                        [CLAUSE_HOT] = "hot",
                                        [CLAUSE_BUFFER] = "buffer",
                                        [CLAUSE_SYNC] = "sync",
                                        [CLAUSE_REDUCTION] = "reduction",
                                        [CLAUSE_ASSUME] = "assume",
                                        [CLAUSE_EXTENT] = "extent",
                                        [CLAUSE_GRID] = "grid",
                                        [CLAUSE_TARGET] = "target"};
    fprintf(d->out, " %s", kinds[clause->kind]);
    for (int i = 0; i < clause->nnames; ++i)
        fprintf(d->out, "%s%s", i ? ", " : "(", clause->names[i]);
    if (clause->number || clause->number2)
        fprintf(d->out, "%s%ld", clause->nnames ? "=" : "(", clause->number);
    if (clause->number2)
        fprintf(d->out, ", %ld", clause->number2);
    if (clause->nnames || clause->number)
        fprintf(d->out, ")");
}

static void dump_pragma(struct dump *d, const struct pragma *pragma) {
    fprintf(d->out, " pragma %s", pragma->kind == PRAGMA_SERIAL ? "serial" : "parallel");
    for (int i = 0; i < pragma->nclauses; ++i)
        dump_clause(d, &pragma->clauses[i]);
}

static void dump_loop(struct dump *d, const struct loop *loop) {
    static const char *const relations[] = {
        [OP_LT] = "<", [OP_GT] = ">", [OP_LE] = "<=", [OP_GE] = ">=", [OP_NE] = "!="};
    fprintf(d->out, "loop %d in %s depth %d at ", loop->id,
            loop->function ? loop->function->name : "?", loop->depth);
    dump_place(d, loop->stmt->range);
    if (loop->canonical) {
        fprintf(d->out, ": %s%s = %s; %s %s; ", loop->declares_variable ? "declared " : "",
                loop->variable->name, loop->lower ? text_of(d, loop->lower) : "as it is",
                relations[loop->relation], text_of(d, loop->upper));
        if (loop->stride)
            fprintf(d->out, "%c(%s)", loop->step > 0 ? '+' : '-', text_of(d, loop->stride));
        else
            fprintf(d->out, "%+ld", loop->step);
        if (loop->ahead)
            fprintf(d->out, " ahead");
        if (loop->steps_in_body)
            fprintf(d->out, " in its body");
        if (loop->limited)
            fprintf(d->out, "; %s %s %ld", text_of(d, loop->upper),
                    loop->step > 0 ? "<=" : ">=", loop->limit);
    } else
        fprintf(d->out, ": not canonical: %s", loop->why_not);
    if (loop->pragma)
        dump_pragma(d, loop->pragma);
    fputc('\n', d->out);
}

/* ---- the rest of the unit */

static void dump_function(struct dump *d, const struct function *function) {
    fprintf(d->out, "function %s%s%s%s%s(", function->is_static ? "static " : "",
            function->is_pure ? "pure " : "", function->is_const ? "const " : "",
            function->is_noreturn ? "noreturn " : "", function->name);
    for (int i = 0; i < function->nparams; ++i)
        fprintf(d->out, "%s%s", i ? ", " : "",
                type_declare(d->arena, function->params[i]->type, function->params[i]->name));
    fprintf(d->out, "%s) -> %s%s\n", function->is_variadic ? ", ..." : "",
            function->result ? type_declare(d->arena, function->result, "") : "?",
            function->body ? "" : " declared");
    if (function->body)
        dump_stmt(d, function->body, 1);
}

void unit_dump(const struct unit *unit, void *stream) {
    struct dump d = {.arena = arena_new(), .out = stream};
    fprintf(d.out, "unit %s\n", unit->files[unit->main_file].name);
    for (int i = 0; i < unit->nglobals; ++i) {
        dump_variable(&d, unit->globals[i]);
        fputc('\n', d.out);
    }
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->body)
            dump_function(&d, unit->functions[i]);
    for (int i = 0; i < unit->nloops; ++i)
        dump_loop(&d, unit->loops[i]);
    arena_free(d.arena);
}
