/*
 * expr_print and type_declare: what they print parses to the same tree. Random expressions, fully
 * parenthesized as they are made, so that the tree does not depend on the printer.
 */
#include "frontend_text.h"

/* ---- trees are equal */

static bool same(const struct expr *a, const struct expr *b) {
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op || a->nargs != b->nargs || a->arrow != b->arrow ||
        a->prefix != b->prefix || a->delta != b->delta || a->int_value != b->int_value ||
        strcmp(a->type->spelling, b->type->spelling) != 0)
        return false;
    if (a->kind == EXPR_VAR && strcmp(a->var->name, b->var->name) != 0)
        return false;
    for (int i = 0; i < a->nargs; ++i)
        if (!same(a->args[i], b->args[i]))
            return false;
    return true;
}

/* ---- random texts */

/* A text that grows, and where its random choices come from. */
struct maker {
    char text[1 << 16];
    size_t length;
    unsigned seed;
};

static unsigned roll(struct maker *m, unsigned sides) {
    m->seed = m->seed * 1664525u + 1013904223u;
    return (m->seed >> 16) % sides;
}

static void add(struct maker *m, const char *text) {
    size_t length = strlen(text);
    if (m->length + length < sizeof m->text) {
        memcpy(m->text + m->length, text, length + 1);
        m->length += length;
    }
}

static void integer(struct maker *m, int depth);

static void pointer(struct maker *m, int depth) {
    static const char *const leaves[] = {"p", "q", "s.at", "t->at", "(&a)", "array"};
    unsigned kind = depth > 0 ? roll(m, 6) : 0;
    if (kind == 1 || kind == 2) {
        add(m, "((");
        pointer(m, depth - 1);
        add(m, kind == 1 ? ") + (" : ") - (");
        integer(m, depth - 1);
        add(m, "))");
    } else if (kind == 3) {
        add(m, "(&((");
        pointer(m, depth - 1);
        add(m, ")[");
        integer(m, depth - 1);
        add(m, "]))");
    } else if (kind == 4) {
        add(m, "((int *)(");
        pointer(m, depth - 1);
        add(m, "))");
    } else {
        add(m, leaves[roll(m, 6)]);
    }
}

static void lvalue(struct maker *m, int depth) {
    static const char *const leaves[] = {"a", "b", "c", "s.x", "t->x", "u.in.y", "(*t).x"};
    unsigned kind = depth > 0 ? roll(m, 4) : 0;
    if (kind == 1) {
        add(m, "(*(");
        pointer(m, depth - 1);
        add(m, "))");
    } else if (kind == 2) {
        add(m, "((");
        pointer(m, depth - 1);
        add(m, ")[");
        integer(m, depth - 1);
        add(m, "])");
    } else {
        add(m, leaves[roll(m, 7)]);
    }
}

static void operation(struct maker *m, int depth, unsigned kind) {
    static const char *const binary[] = {"+", "-", "*",  "/",  "%",  "<<", ">>", "&",  "|", "^",
                                         "<", ">", "<=", ">=", "==", "!=", "&&", "||", ","};
    static const char *const assign[] = {"=", "+=", "-=", "*=", "<<=", "|="};
    static const char *const unary[] = {"-", "+", "~", "!", "(long)", "(unsigned char)"};
    static const char *const steps[] = {"++", "--"};
    add(m, "(");
    if (kind < 4) {
        integer(m, depth - 1);
        add(m, binary[roll(m, 19)]);
        integer(m, depth - 1);
    } else if (kind == 4) {
        add(m, unary[roll(m, 6)]);
        integer(m, depth - 1);
    } else if (kind == 5) {
        lvalue(m, depth - 1);
        add(m, assign[roll(m, 6)]);
        integer(m, depth - 1);
    } else if (kind == 6) {
        integer(m, depth - 1);
        add(m, " ? ");
        integer(m, depth - 1);
        add(m, " : ");
        integer(m, depth - 1);
    } else if (kind == 7) {
        add(m, steps[roll(m, 2)]);
        lvalue(m, depth - 1);
    } else if (kind == 8) {
        lvalue(m, depth - 1);
        add(m, steps[roll(m, 2)]);
    } else {
        add(m, "f(");
        integer(m, depth - 1);
        add(m, ", ");
        integer(m, depth - 1);
        add(m, ")");
    }
    add(m, ")");
}

static void integer(struct maker *m, int depth) {
    static const char *const leaves[] = {"1", "7u", "3L", "'x'", "a", "GREEN", "0x1fUL"};
    unsigned kind = depth > 0 ? roll(m, 14) : 13;
    if (kind < 10)
        operation(m, depth, kind);
    else if (kind < 12)
        lvalue(m, depth);
    else
        add(m, leaves[roll(m, 7)]);
}

static const char *preamble =
    "enum { RED, GREEN = 5 }; struct s { int x; int *at; struct { int y; } in; };\n"
    "int f(int, int);\n"
    "void g(int a, int b, long c, int *p, int *q, struct s s, struct s *t, struct s u) {\n"
    "int array[4];\n";

/* ---- tests */

enum { STATEMENTS = 60, ROUNDS = 25 };

static struct stmt *body_of(const struct unit *unit) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->body)
            return unit->functions[i]->body;
    return NULL;
}

static void printed_expressions_parse_to_the_same_tree(void **state) {
    (void)state;
    static struct maker first, second;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        first.length = second.length = 0;
        first.seed = round * 7919 + 1;
        add(&first, preamble);
        add(&second, preamble);
        for (int i = 0; i < STATEMENTS; ++i) {
            integer(&first, 4);
            add(&first, ";\n");
        }
        add(&first, "}\n");
        struct parsed a = parsed_text(first.text);
        assert_clean(&a);
        struct stmt *body = body_of(a.unit);
        for (int i = 1; i < body->nbody; ++i) {
            add(&second, expr_print(a.arena, body->body[i]->expr));
            add(&second, ";\n");
        }
        add(&second, "}\n");
        struct parsed b = parsed_text(second.text);
        assert_clean(&b);
        struct stmt *again = body_of(b.unit);
        assert_int_equal(body->nbody, STATEMENTS + 1);
        assert_int_equal(again->nbody, body->nbody);
        for (int i = 1; i < body->nbody; ++i)
            if (!same(body->body[i]->expr, again->body[i]->expr))
                fail_msg("printed as %s", expr_print(a.arena, body->body[i]->expr));
        parsed_free(&a);
        parsed_free(&b);
    }
}

static const char *const minimal[] = {
    "a + b - c",
    "a - (b + c)",
    "a * (b + c)",
    "-(a + b)",
    "- -a",
    "+ +a",
    "a - -b",
    "!(a && b)",
    "(a, b) + c",
    "a = b = c",
    "a ? b : c",
    "(a ? b : c) ? a : b",
    "a ? b : c ? a : b",
    "*p++",
    "(*p)++",
    "++*p",
    "*(p + 1)",
    "(&a)[1]",
    "&p[1]",
    "t->in.y",
    "(*t).x",
    "(t + 1)->x",
    "s.at[2]",
    "p[a, b]",
    "f((a, b), c)",
    "(int)a + b",
    "(int)(a + b)",
    "a << b + c",
    "(a << b) + c",
    "a & b == c",
    "(a & b) == c",
    "a ?: b",
    "~a & b | c ^ a",
    "a < b == c",
    "a += b -= c",
};

static void parentheses_are_minimal(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof minimal / sizeof *minimal; ++i) {
        static struct maker m;
        m.length = 0;
        add(&m, preamble);
        add(&m, "(");
        add(&m, minimal[i]);
        add(&m, ");}\n");
        struct parsed p = parsed_text(m.text);
        assert_clean(&p);
        assert_string_equal(expr_print(p.arena, body_of(p.unit)->body[1]->expr), minimal[i]);
        parsed_free(&p);
    }
}

static const char *const declarations[] = {
    "int x",
    "unsigned long x",
    "const char *x",
    "char *const x",
    "float (*x)[4]",
    "float *x[4]",
    "int (*x)(int, float)",
    "int (*x[3])(void)",
    "double x[2][3]",
    "float (*x)[m]",
    "float x[m + 1][n * 2]",
    "struct rating *x",
    "rating_t *x",
    "const struct rating (*const x)[5]",
    "int (*(*x)(int))(float)",
    "volatile int *restrict x",
    "void (**x)(void)",
    "_Bool x",
    "float *(*x)[m]",
    "char *restrict *x",
    "union either x",
    "enum hue x",
    "const int x[3]",
};

static struct variable *declared(const struct unit *unit) {
    struct stmt *body = body_of(unit);
    return body->body[body->nbody - 1]->vars[0];
}

static void declarations_come_back(void **state) {
    (void)state;
    static const char *const types = "struct rating { int user; }; typedef struct { int a; } "
                                     "rating_t; union either { int a; float b; }; enum hue { RED };"
                                     "void g(int m, int n) { ";
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; ++i) {
        struct parsed p = {0}, again = {0};
        char text[1024];
        bool is_const =
            strstr(declarations[i], "const int x") || strstr(declarations[i], "const x");
        snprintf(text, sizeof text, "%s %s%s; }", types, declarations[i], is_const ? "= {0}" : "");
        p = parsed_text(text);
        assert_clean(&p);
        const struct variable *v = declared(p.unit);
        assert_string_equal(type_declare(p.arena, v->type, v->name), declarations[i]);
        snprintf(text, sizeof text, "%s %s%s; }", types, type_declare(p.arena, v->type, "x"),
                 is_const ? "= {0}" : "");
        again = parsed_text(text);
        assert_clean(&again);
        assert_string_equal(declared(again.unit)->type->spelling, v->type->spelling);
        parsed_free(&p);
        parsed_free(&again);
    }
}

static const char *renamed(void *data, const struct variable *v) {
    return strcmp(v->name, "a") == 0 ? data : NULL;
}

static void variables_can_be_renamed(void **state) {
    (void)state;
    struct parsed p = parsed_text("int f(int a, int b, int *p) { return p[a] + b * a; }");
    assert_clean(&p);
    const struct expr *expr = p.unit->functions[0]->body->body[0]->expr;
    assert_string_equal(expr_print_renamed(p.arena, expr, renamed, "(r->k0)"),
                        "p[(r->k0)] + b * (r->k0)");
    parsed_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_expressions_parse_to_the_same_tree),
        cmocka_unit_test(parentheses_are_minimal),
        cmocka_unit_test(declarations_come_back),
        cmocka_unit_test(variables_can_be_renamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
