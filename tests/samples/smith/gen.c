/*
 * Writes random loops over keyed and affine subscripts of arrays and parameters, twice: as plain C
 * for the tool, and with every access recorded (record.h). Both do the same arithmetic, on unsigned
 * numbers, in bounds, without undefined behaviour.
 *
 *   usage: gen SEED COUNT plain.c record.c
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One piece of program in both forms. */
struct text {
    const char *plain, *code;
};

enum form {
    FORM_AFFINE,    /* a*n + b */
    FORM_REVERSED,  /* 60 - n */
    FORM_ROW,       /* n*K + k */
    FORM_KEY,       /* u[n] */
    FORM_KEY_NEXT,  /* u[n] + b */
    FORM_KEY_ROW,   /* u[n]*K + k */
    FORM_KEY_TWICE, /* 2*u[n] + b */
    FORM_INDIRECT,  /* u[p[n]] */
    FORM_HASH,      /* (u[n]*5 + 3) % 11 */
    FORM_BOTH_KEYS, /* u0[n]*12 + u1[n] */
    FORM_CONSTANT,
    FORM_COUNT
};

/* How a loop mostly reaches one array. `pointer`: rows through a pointer local, declared on top. */
struct habit {
    enum form form;
    int a, b, key, pointer;
};

enum { ARRAYS = 7, POOL = 1 << 22 };
static const char *const array_names[ARRAYS] = {"A", "B", "C", "S", "M", "P", "Q"};

/* What P and Q may point to: second names of other arrays, or parts of them. */
static const char *const second_names[] = {
    "%s = A + 3;",
    "%s = &B[2];",
    "%s = C;",
    "%s = &M[0][0];",
    "%s = (unsigned *)S;",
    "%s = K > 3 ? A : B;",
    "%s = K == 4 ? A + 1 : A;",
    "%s; %s = B; %s += 2;",
    "%s = shifted(A, 4);",
    "%s = shifted(shifted(C, 9), -8);",
};

/* The loop being written. `depth`: inner loops around the place; `wide`: their bound exceeds K. */
static struct {
    uint64_t seed;
    FILE *plain, *record;
    char pool[POOL];
    size_t used;
    struct habit habit[ARRAYS];
    int pick[ARRAYS], arrays, depth, wide, literal_k, temps, reads_scalars, indent;
} g;

/* ---- chance ---- */

static int below(int n) {
    g.seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = g.seed;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ (z >> 31)) >> 33) % n;
}

static int percent(int chance) {
    return below(100) < chance;
}

/* ---- texts ---- */

static char *pool_take(size_t bytes) {
    char *memory = g.pool + g.used;
    if (g.used + bytes > POOL) {
        fprintf(stderr, "gen: a loop grew too large\n");
        exit(2);
    }
    g.used += bytes;
    return memory;
}

/* `format` with each % replaced by the next text, in both forms. */
static struct text compose(const char *format, ...) {
    struct text parts[8];
    size_t sizes[2] = {strlen(format) + 1, strlen(format) + 1};
    int count = 0;
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at; ++at)
        if (*at == '%') {
            parts[count] = va_arg(arguments, struct text);
            sizes[0] += strlen(parts[count].plain);
            sizes[1] += strlen(parts[count++].code);
        }
    va_end(arguments);
    char *out[2] = {pool_take(sizes[0]), pool_take(sizes[1])};
    struct text result = {out[0], out[1]};
    int part = 0;
    for (const char *at = format; *at; ++at) {
        if (*at != '%') {
            *out[0]++ = *at;
            *out[1]++ = *at;
            continue;
        }
        out[0] = stpcpy(out[0], parts[part].plain);
        out[1] = stpcpy(out[1], parts[part++].code);
    }
    *out[0] = *out[1] = '\0';
    return result;
}

static struct text word(const char *text) {
    return (struct text){text, text};
}

static struct text number(int value) {
    char *text = pool_take(16);
    snprintf(text, 16, "%d", value);
    return word(text);
}

/* The place `lvalue` touched: the same in plain form, noted by the recorder in the other. */
static struct text touch(struct text lvalue, const char *type, const char *kind, char op) {
    size_t size = strlen(lvalue.code) + strlen(lvalue.plain) + 100;
    char *code = pool_take(size);
    snprintf(code, size, "(*(%s *)record_at(&%s, 4, RECORD_%s, '%c', \"%s\"))", type, lvalue.code,
             kind, op, lvalue.plain);
    return (struct text){lvalue.plain, code};
}

static void put(struct text line) {
    fprintf(g.plain, "%*s%s\n", g.indent * 4, "", line.plain);
    fprintf(g.record, "%*s%s\n", g.indent * 4, "", line.code);
}

/* ---- subscripts ---- */

static struct text rank(void) {
    return g.literal_k ? number(4) : word("K");
}

static struct text inner(void) {
    return g.depth ? word("k") : number(below(4));
}

static struct text key(int which, struct text at) {
    return touch(compose(which ? "u1[%]" : "u0[%]", at), "int", "READ", 0 + ' ');
}

static struct text subscript(const struct habit *h) {
    struct text n = word("n");
    switch (h->form) {
    case FORM_AFFINE:
        return h->a == 1 && h->b == 0 ? n : compose("% * n + %", number(h->a), number(h->b));
    case FORM_REVERSED:
        return word("60 - n");
    case FORM_ROW:
        return compose("n * % + %", rank(), inner());
    case FORM_KEY:
        return key(h->key, n);
    case FORM_KEY_NEXT:
        return compose("% + %", key(h->key, n), number(h->b));
    case FORM_KEY_ROW:
        return compose("% * % + %", key(h->key, n), rank(), inner());
    case FORM_KEY_TWICE:
        return compose("2 * % + %", key(h->key, n), number(h->b));
    case FORM_INDIRECT:
        return key(h->key, touch(compose("p[%]", n), "int", "READ", ' '));
    case FORM_HASH:
        return compose("(% * 5 + 3) % 11", key(h->key, n), word("%"));
    case FORM_BOTH_KEYS:
        return compose("% * 12 + %", key(0, n), key(1, n));
    default:
        return number(h->b);
    }
}

static struct habit random_habit(void) {
    struct habit h = {.form = (enum form)below(FORM_COUNT), .a = 1 + below(3), .b = below(3)};
    if (percent(40))
        h.form = percent(50) ? FORM_KEY : FORM_KEY_ROW;
    if (h.form == FORM_AFFINE && percent(60))
        h.a = 1, h.b = 0;
    if (h.form == FORM_AFFINE && percent(5))
        h.a = 0;
    if (h.form == FORM_CONSTANT && percent(80))
        h.form = FORM_AFFINE;
    h.key = below(2);
    h.pointer = h.form == FORM_KEY_ROW && percent(40);
    return h;
}

/* An element of array `which`, as an lvalue that is not touched yet. */
static struct text element(int which) {
    struct habit other = random_habit();
    int usual = percent(92);
    const struct habit *h = usual ? &g.habit[which] : &other;
    if (which == 3) {
        static const char *const fields[] = {"S[%].x", "S[%].y", "S[%].z[1]"};
        return compose(fields[below(usual ? 2 : 3)], subscript(h));
    }
    if (which == 4)
        return compose("M[%][%]", subscript(h), g.wide ? number(below(4)) : inner());
    if (usual && h->pointer)
        return compose("w%[%]", word(array_names[which]), inner());
    return compose("%[%]", word(array_names[which]), subscript(h));
}

/* ---- expressions and statements ---- */

static struct text expression(int depth) {
    static const char *const operators[] = {"% + %", "% * %", "(% ^ %)", "(% & %)"};
    int kind = below(10);
    if (depth > 0 && kind < 5) {
        struct text left = expression(depth - 1);
        return compose(operators[below(4)], left, expression(0));
    }
    if (kind < 6)
        return number(1 + below(9));
    if (kind == 6)
        return touch(word("v[n]"), "unsigned", "READ", ' ');
    if (kind == 7 && g.temps)
        return compose("t%", number(below(g.temps)));
    if (kind == 7 && g.reads_scalars && percent(30))
        return touch(word(percent(50) ? "s0" : "s1"), "unsigned", "READ", ' ');
    return touch(element(g.pick[below(g.arrays)]), "unsigned", "READ", ' ');
}

/* `target = value;` or `target op= value;`, the value worked out first. */
static void put_assignment(struct text target, char op, struct text value) {
    char sign[2] = {op == '=' ? '\0' : op, '\0'};
    char kind = op == '-' ? '+' : op;
    struct text place = touch(target, "unsigned", op == '=' ? "WRITE" : "UPDATE", kind);
    char *plain = pool_take(strlen(target.plain) + strlen(value.plain) + 16);
    char *code = pool_take(strlen(place.code) + strlen(value.code) + 48);
    sprintf(plain, "%s %s= %s;", target.plain, sign, value.plain);
    sprintf(code, "{ unsigned value_ = %s; %s %s= value_; }", value.code, place.code, sign);
    put((struct text){plain, code});
}

/* An assignment that nobody may take for a reduction written out (`a = a + e`). */
static void put_plain_assignment(struct text target, struct text value) {
    put_assignment(target, '=', compose("(%) * 3 + 1", value));
}

static void put_scalar(void) {
    static const char operators[] = "++-^|";
    int kind = below(10);
    if (kind < 7) {
        put_assignment(word("s0"), operators[below(percent(90) ? 2 : 5)], expression(1));
    } else if (kind == 7) {
        put(compose("t% = %;", number(0), expression(1)));
        put((struct text){"if (t0 < s1) s1 = t0;",
                          "{ unsigned *q = record_at(&s1, 4, RECORD_UPDATE, 'm', \"s1\"); "
                          "if (t0 < *q) *q = t0; }"});
    } else {
        put_plain_assignment(word("s1"), expression(1));
        g.reads_scalars = 1;
    }
}

static void put_call(void) {
    struct text place = element(below(3)), value = expression(1);
    char *plain = pool_take(strlen(place.plain) + strlen(value.plain) + 16);
    char *code = pool_take(strlen(place.code) + strlen(place.plain) + strlen(value.code) + 16);
    sprintf(plain, "bump(&%s, %s);", place.plain, value.plain);
    sprintf(code, "bump(&%s, %s, \"%s\");", place.code, value.code, place.plain);
    put((struct text){plain, code});
}

static void put_statement(int depth);

static void put_inner_loop(void) {
    int wide = percent(8), narrow = percent(10);
    struct text bound = wide ? compose("% + 1", rank()) : narrow ? number(2) : rank();
    put(compose("for (int k = 0; k < %; ++k) {", bound));
    ++g.indent;
    ++g.depth;
    g.wide = wide;
    for (int i = below(2); i >= 0; --i)
        put_statement(0);
    g.wide = 0;
    --g.depth;
    --g.indent;
    put(word("}"));
}

static void put_conditional(int depth) {
    if (percent(50))
        put(compose("if (% & 1) {", touch(word("v[n]"), "unsigned", "READ", ' ')));
    else
        put(word("if (n % 3 == 0) {"));
    ++g.indent;
    put_statement(depth - 1);
    --g.indent;
    put(word("}"));
}

static void put_rare(void) {
    if (percent(30))
        put((struct text){
            "u0[n + 1] = (u0[n] + 1) % 12;",
            "{ int value_ = *(int *)record_at(&u0[n], 4, RECORD_READ, ' ', \"u0[n]\");"
            " *(int *)record_at(&u0[n + 1], 4, RECORD_WRITE, ' ', \"u0[n + 1]\") = "
            "(value_ + 1) % 12; }"});
    else if (percent(50))
        put_plain_assignment(word("v[n]"), expression(1));
    else
        put(word("if (n == 7) continue;"));
}

static void put_statement(int depth) {
    int kind = below(100);
    if (depth > 0 && kind < 25)
        put_inner_loop();
    else if (depth > 0 && kind < 37)
        put_conditional(depth);
    else if (kind < 57)
        put_scalar();
    else if (kind < 62)
        put_call();
    else if (kind < 65 && !g.depth)
        put_rare();
    else if (kind < 80)
        put_assignment(element(g.pick[below(g.arrays)]), percent(80) ? '+' : '^', expression(2));
    else
        put_plain_assignment(element(g.pick[below(g.arrays)]), expression(2));
}

/* ---- loops ---- */

static void put_pointers(void) {
    for (int i = 0; i < 3; ++i)
        if (g.habit[i].pointer)
            put(compose("unsigned *w% = % + % * %;", word(array_names[i]), word(array_names[i]),
                        key(g.habit[i].key, word("n")), rank()));
    for (int i = 0; i < 3; ++i)
        if (g.habit[i].pointer)
            put(compose("(void)w%;", word(array_names[i])));
}

static void put_body(void) {
    put_pointers();
    put(compose("unsigned t0 = %;", expression(1)));
    g.temps = 1;
    for (int i = 1 + below(3); i > 0; --i)
        put_statement(2);
    put(word("(void)t0;"));
}

static struct text random_header(void) {
    switch (below(8)) {
    case 0:
        return word("for (long n = count - 1; n >= 0; --n) {");
    case 1:
        return word("for (long n = 1; n < count; n += 2) {");
    case 2:
        return word("for (long n = 2; n <= count - 3; ++n) {");
    default:
        return word("for (long n = 0; n < count; ++n) {");
    }
}

/* Which arrays the loop uses, and how. */
static void choose_arrays(void) {
    g.arrays = 1 + below(4);
    for (int i = 0; i < ARRAYS; ++i) {
        int other = below(i + 1);
        g.habit[i] = random_habit();
        g.pick[i] = g.pick[other];
        g.pick[other] = i;
    }
    for (int i = 5; i < ARRAYS; ++i)
        g.habit[i].pointer = 0;
}

static void put_second_names(void) {
    for (int i = 5; i < ARRAYS; ++i) {
        const char *name = array_names[i];
        char *line = pool_take(100);
        int length = sprintf(line, "unsigned *");
        sprintf(line + length, second_names[below(sizeof second_names / sizeof *second_names)],
                name, name, name);
        put(word(line));
        put(compose("(void)%;", word(name)));
    }
}

static const char *parameter(const char *used, const char *unused) {
    char *text = pool_take(32);
    sprintf(text, "unsigned *%s%s", percent(30) ? "restrict " : "", percent(50) ? used : unused);
    return text;
}

static void put_loop(int index) {
    g.used = 0;
    g.temps = g.depth = g.wide = g.reads_scalars = 0;
    g.literal_k = percent(40);
    choose_arrays();
    g.indent = 0;
    put(compose("\nstatic unsigned loop_%(long count, int K, %, %, %) {", number(index),
                word(parameter("A", "a")), word(parameter("B", "b")), word(parameter("C", "c"))));
    g.indent = 1;
    put(word("unsigned s0 = 5, s1 = 1000;"));
    put_second_names();
    fprintf(g.record, "    static const struct record_claim claim = CLAIM_%d;\n", index);
    fprintf(g.record, "    names(&s0, &s1);\n");
    fprintf(g.plain, "#pragma orrery parallel%s\n", percent(70) ? " unordered" : "");
    put(random_header());
    fprintf(g.record, "        record_iteration((long)(SPACE_%d), (long)(TIME_%d), GUARD_%d);\n",
            index, index, index);
    ++g.indent;
    put_body();
    --g.indent;
    put(word("}"));
    fprintf(g.record, "    judge(record_check(\"loop_%d\", &claim), &claim);\n", index);
    put(word("return s0 * 31 + s1 + (unsigned)K;"));
    g.indent = 0;
    put(word("}"));
}

static void put_prelude(void) {
    put(word("#include <stdio.h>\n#include <stdlib.h>"));
    fprintf(g.record, "#include \"record.h\"\n#include \"claims.h\"\n");
    put(word("\nstruct row {\n    unsigned x, y, z[4];\n};\n"));
    put(word("static unsigned A[512], B[512], C[512], v[64], M[512][4];"));
    put(word("static struct row S[512];"));
    put(word("static int u0[64], u1[64], p[64];\n"));
    put((struct text){"static void bump(unsigned *at, unsigned by) {\n    *at = *at * 3 + by;\n}",
                      "static void bump(unsigned *at, unsigned by, const char *text) {\n"
                      "    unsigned old = *(unsigned *)record_at(at, 4, RECORD_READ, ' ', text);\n"
                      "    *(unsigned *)record_at(at, 4, RECORD_WRITE, ' ', text) = old * 3 + by;\n"
                      "}"});
    put(word("\nstatic unsigned *shifted(unsigned *at, int by) {\n    return at + by;\n}"));
    put(word("\nstatic void fill(void) {\n"
             "    unsigned x = 1;\n"
             "    for (int i = 0; i < 512; ++i) {\n"
             "        x = x * 1664525u + 1013904223u;\n"
             "        A[i] = x, B[i] = x * 3, C[i] = x * 5;\n"
             "        for (int j = 0; j < 4; ++j)\n"
             "            M[i][j] = x * 7 + j, S[i].z[j] = x + j;\n"
             "        S[i].x = x * 9, S[i].y = x * 11;\n"
             "    }\n"
             "    for (int i = 0; i < 64; ++i) {\n"
             "        x = x * 1664525u + 1013904223u;\n"
             "        v[i] = x >> 8;\n"
             "        u0[i] = (int)(x >> 12) % 12, u1[i] = (int)(x >> 20) % 12;\n"
             "        p[i] = (i * 29 + 3) % 64;\n"
             "    }\n"
             "}"));
    put(word("\nstatic unsigned digest(void) {\n"
             "    unsigned sum = 0;\n"
             "    for (int i = 0; i < 512; ++i) {\n"
             "        sum = sum * 31 + A[i] + 3 * B[i] + 5 * C[i] + S[i].x + 7 * S[i].y;\n"
             "        for (int j = 0; j < 4; ++j)\n"
             "            sum = sum * 17 + M[i][j] + S[i].z[j];\n"
             "    }\n"
             "    for (int i = 0; i < 64; ++i)\n"
             "        sum = sum * 13 + v[i] + (unsigned)u0[i];\n"
             "    return sum;\n"
             "}"));
    fputs("\nstatic int loops, parallel, timid, stopped, unsound;\n\n"
          "static void names(unsigned *s0, unsigned *s1) {\n"
          "    record_start();\n"
          "    record_name(\"s0\", s0, 4), record_name(\"s1\", s1, 4);\n"
          "    record_name(\"A\", A, sizeof A), record_name(\"B\", B, sizeof B);\n"
          "    record_name(\"C\", C, sizeof C), record_name(\"M\", M, sizeof M);\n"
          "    record_name(\"S\", S, sizeof S), record_name(\"v\", v, sizeof v);\n"
          "    record_name(\"u0\", u0, sizeof u0);\n"
          "}\n\n"
          "static void judge(long met, const struct record_claim *claim) {\n"
          "    if (claim->parallel && recorder.guard_failed)\n"
          "        printf(\"stopped %d\\n\", loops);\n"
          "    ++loops;\n"
          "    parallel += claim->parallel;\n"
          "    unsound += met < 0;\n"
          "    stopped += claim->parallel && recorder.guard_failed;\n"
          "    timid += !claim->parallel && met == 0;\n"
          "}\n",
          g.record);
}

static void put_main(int count) {
    fputs("\n/* Arguments: loops to leave out. */\nint main(int argc, char **argv) {\n"
          "    static char out[1000];\n"
          "    for (int i = 1; i < argc; ++i)\n"
          "        out[atoi(argv[i])] = 1;\n",
          g.plain);
    fputs("\nint main(void) {\n", g.record);
    for (int i = 0; i < count; ++i) {
        fprintf(g.plain, "    if (!out[%d]) {\n        fill();\n", i);
        fprintf(g.plain, "        unsigned result = loop_%d(48, 4, A, B, C);\n", i);
        fprintf(g.plain, "        printf(\"loop_%d %%08x %%08x\\n\", result, digest());\n    }\n",
                i);
        fprintf(g.record, "    fill();\n    loop_%d(48, 4, A, B, C);\n", i);
    }
    fputs("    return 0;\n}\n", g.plain);
    fputs("    printf(\"%d loops, %d parallel, %d of them stopped by a guard, %d serial without a "
          "conflict met, %d unsound\\n\", loops, parallel, stopped, timid, unsound);\n"
          "    (void)digest;\n    return unsound != 0;\n}\n",
          g.record);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: gen SEED COUNT plain.c record.c\n");
        return 2;
    }
    g.seed = strtoul(argv[1], NULL, 10) * UINT64_C(0x2545f4914f6cdd1d);
    int count = atoi(argv[2]);
    g.plain = fopen(argv[3], "w");
    g.record = fopen(argv[4], "w");
    if (!g.plain || !g.record) {
        perror("gen");
        return 2;
    }
    put_prelude();
    for (int i = 0; i < count; ++i)
        put_loop(i);
    put_main(count);
    return fclose(g.plain) || fclose(g.record);
}
