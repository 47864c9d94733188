/* Plan files: what is written is read back, edits are taken, bad ones refused with their place. */
#include "scheduler/plan/plan.h"
#include "tests/analyzer/depend_facts.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One marked loop in the middle of a text, planned as a rotation. */
struct bench {
    struct kit *kit;
    struct source_file file;
    struct stmt stmt;
    struct loop *loops[1];
    struct plan *plans[1];
    struct diag_list diags;
    char path[64];
};

static const char source[] = "#pragma orrery parallel unordered\n"
                             "for (long n = 0; n < nnz; ++n) { W[u[n]] -= H[v[n]] * 1.5e-3; }\n";
static const char respaced[] = "#pragma orrery parallel unordered\n"
                               "for (long n=0; n<nnz; ++n) /* all of them */ {\n"
                               "    W[u[n]] -= H[v[n]]*1.5e-3; // the step\n}\n";
static const char changed[] = "#pragma orrery parallel unordered\n"
                              "for (long n = 0; n < nnz; ++n) { W[u[n]] -= H[v[n]] * 1.6e-3; }\n";

static void set_source(struct bench *b, const char *text) {
    b->file = (struct source_file){"mf.c", text, strlen(text)};
    b->kit->unit.files = arena_alloc(b->kit->arena, sizeof b->file);
    b->kit->unit.files[0] = b->file;
    b->kit->unit.nfiles = 1;
    b->stmt.range.begin.offset = (unsigned)(strstr(text, "for") - text);
    b->stmt.range.end.offset = (unsigned)strlen(text) - 1;
}

static struct bench *bench_new(void) {
    struct kit *kit = kit_new(true);
    struct bench *b = arena_alloc(kit->arena, sizeof *b);
    b->kit = kit;
    struct symbol *u = kit_symbol(kit, SYMBOL_KEY, "u[n]", false);
    struct symbol *v = kit_symbol(kit, SYMBOL_KEY, "v[n]", false);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "W", 1), "rw", u, 0);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "H", 1), "rw", v, 0);
    kit_touch(kit, kit_object(kit, OBJECT_POINTER, "c", 1), "r", u, 0);
    kit->loop.stmt = &b->stmt;
    b->loops[0] = &kit->loop;
    kit->unit.loops = b->loops;
    kit->unit.nloops = 1;
    set_source(b, source);
    b->plans[0] = plan_choose(analysis_run(&kit->facts));
    b->diags.arena = kit->arena;
    snprintf(b->path, sizeof b->path, "/tmp/orrery-plan-XXXXXX");
    close(mkstemp(b->path));
    assert_int_equal(plan_file_write(b->path, &kit->unit, 1, b->plans), 0);
    return b;
}

static void bench_free(struct bench *b) {
    unlink(b->path);
    kit_free(b->kit);
}

static char *slurp(struct bench *b) {
    char *text = arena_alloc(b->kit->arena, 65536);
    FILE *in = fopen(b->path, "r");
    assert_non_null(in);
    text[fread(text, 1, 65535, in)] = '\0';
    fclose(in);
    return text;
}

static void spill(struct bench *b, const char *text) {
    FILE *out = fopen(b->path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Replaces the first `from` of the file; `from` has to be there. */
static void edit(struct bench *b, const char *from, const char *to) {
    char *text = slurp(b), *at = strstr(text, from);
    if (!at)
        fail_msg("no '%s' in %s", from, text);
    spill(b,
          arena_printf(b->kit->arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)));
}

static int read_back(struct bench *b) {
    b->diags.count = b->diags.nerrors = 0;
    int status = plan_file_read(b->path, &b->kit->unit, 1, b->plans, &b->diags);
    assert_int_equal(status, b->diags.count == 0 ? 0 : -1);
    return status;
}

/* The file is refused with this code, and the place is at `at` in its text. */
static void refused(struct bench *b, const char *code, const char *at) {
    struct plan *before = b->plans[0];
    assert_int_equal(read_back(b), -1);
    const struct diag *diag = &b->diags.items[0];
    assert_string_equal(diag->code, code);
    assert_ptr_equal(b->plans[0], before);
    const char *text = slurp(b);
    const struct loc *begin = &diag->range.begin;
    assert_string_equal(b->kit->unit.files[begin->file].name, b->path);
    assert_memory_equal(text + begin->offset, at, strlen(at));
    int line = 1;
    for (unsigned i = 0; i < begin->offset; ++i)
        line += text[i] == '\n';
    assert_int_equal(begin->line, line);
}

static const char *dim(const struct bench *b, int d) {
    return d < 0 ? "-" : b->plans[0]->analysis->dims[d].name;
}

/* ---- read back ------------------------------------------------------------------------------- */

static void round_trip(void **state) {
    (void)state;
    struct bench *b = bench_new();
    struct plan before = *b->plans[0];
    const char *first = slurp(b);
    assert_int_equal(read_back(b), 0);
    assert_true(b->plans[0]->from_file);
    assert_int_equal(b->plans[0]->strategy, STRATEGY_ROTATION_2D);
    assert_int_equal(b->plans[0]->space, before.space);
    assert_int_equal(b->plans[0]->times[0], before.times[0]);
    assert_int_equal(b->plans[0]->narrays, before.narrays);
    assert_int_equal(plan_file_write(b->path, &b->kit->unit, 1, b->plans), 0);
    assert_string_equal(slurp(b), first);
    bench_free(b);
}

static void blanks_and_comments_do_not_matter(void **state) {
    (void)state;
    struct bench *b = bench_new();
    set_source(b, respaced);
    assert_int_equal(read_back(b), 0);
    bench_free(b);
}

static void another_loop_is_refused(void **state) {
    (void)state;
    struct bench *b = bench_new();
    set_source(b, changed);
    refused(b, "ORR9205", "\"");
    bench_free(b);
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void grid_and_seed(void **state) {
    (void)state;
    struct bench *b = bench_new();
    edit(b, "\"grid\": [\n        0,\n        0\n      ]", "\"grid\": [24, 16]");
    edit(b, "\"seed\": 20190325", "\"seed\": 7");
    assert_int_equal(read_back(b), 0);
    assert_int_equal(b->plans[0]->grid[0], 24);
    assert_int_equal(b->plans[0]->grid[1], 16);
    assert_int_equal(b->plans[0]->seed, 7);
    bench_free(b);
}

static void space_and_time_swapped(void **state) {
    (void)state;
    struct bench *b = bench_new();
    assert_string_equal(dim(b, b->plans[0]->space), "u[n]");
    edit(b, "\"space\": \"u[n]\"", "\"space\": \"v[n]\"");
    edit(b, "\"time\": \"v[n]\"", "\"time\": \"u[n]\"");
    assert_int_equal(read_back(b), 0);
    assert_string_equal(dim(b, b->plans[0]->space), "v[n]");
    for (int i = 0; i < b->plans[0]->narrays; ++i) {
        const struct plan_array *a = &b->plans[0]->arrays[i];
        bool is_h = strcmp(a->object->name, "H") == 0, is_w = strcmp(a->object->name, "W") == 0;
        assert_true(!is_h || a->placement == PLACE_RESIDENT);
        assert_true(!is_w || a->placement == PLACE_ROTATING);
    }
    bench_free(b);
}

static void made_serial(void **state) {
    (void)state;
    struct bench *b = bench_new();
    edit(b, "rotation-2d", "serial");
    assert_int_equal(read_back(b), 0);
    assert_int_equal(b->plans[0]->strategy, STRATEGY_SERIAL);
    assert_string_equal(b->plans[0]->code, "ORR2198");
    bench_free(b);
}

static void read_only_array_replicated(void **state) {
    (void)state;
    struct bench *b = bench_new();
    edit(b, "\"name\": \"c\",\n          \"placement\": \"resident\",\n          \"dim\": \"u[n]\"",
         "\"name\": \"c\", \"placement\": \"replicated\"");
    assert_int_equal(read_back(b), 0);
    assert_int_equal(b->plans[0]->arrays[2].placement, PLACE_REPLICATED);
    bench_free(b);
}

/* ---- refused --------------------------------------------------------------------------------- */

static void illegal_plan(void **state) {
    (void)state;
    struct bench *b = bench_new();
    edit(b, "rotation-2d", "partition-1d");
    edit(b, "\"time\": \"v[n]\"", "\"time\": null");
    refused(b, "ORR9210", "\"partition-1d\"");
    assert_non_null(strstr(b->diags.items[0].message, "(*, 0)"));
    bench_free(b);
}

static void written_array_replicated(void **state) {
    (void)state;
    struct bench *b = bench_new();
    edit(b, "\"placement\": \"rotating\",\n          \"dim\": \"v[n]\"",
         "\"placement\": \"replicated\"");
    refused(b, "ORR9211", "\"replicated\"");
    bench_free(b);
}

static void misspelt_words(void **state) {
    (void)state;
    static const char *const edits[][4] = {
        {"\"space\"", "\"spacee\"", "ORR9202", "\"u[n]\""},
        {"\"tokens\"", "\"token\"", "ORR9202", "{"},
        {"rotation-2d", "rotation-2", "ORR9207", "\"rotation-2\""},
        {"\"space\": \"u[n]\"", "\"space\": \"u[m]\"", "ORR9208", "\"u[m]\""},
        {"\"placement\": \"rotating\"", "\"placement\": \"rotated\"", "ORR9207", "\"rotated\""},
        {"\"name\": \"H\"", "\"name\": \"h\"", "ORR9208", "\"h\""},
        {"\"function\": \"f\"", "\"function\": \"g\"", "ORR9204", "\"g\""},
        {"\"time\": \"v[n]\"", "\"time\": null", "ORR9208", "null"},
        {"\"seed\": 20190325", "\"seed\": -1", "ORR9209", "-1"},
        {"\"seed\": 20190325", "\"seed\": \"x\"", "ORR9202", "\"x\""},
        {"\"grid\": [\n        0,", "\"grid\": [70000,", "ORR9209", "["},
        {"\"grid\": [\n        0,", "\"grid\": [1.5,", "ORR9209", "["},
        {"orrery-plan/1", "orrery-plan/2", "ORR9203", "\"orrery-plan/2\""},
        {"\"loops\": [", "\"loops\": {", "ORR9201", ""},
        {"\"loops\": [", "\"loops\": [7,", "ORR9202", "7"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; ++i) {
        struct bench *b = bench_new();
        edit(b, edits[i][0], edits[i][1]);
        refused(b, edits[i][2], edits[i][3]);
        bench_free(b);
    }
}

static void two_plans_for_one_loop(void **state) {
    (void)state;
    struct bench *b = bench_new();
    char *text = slurp(b), *from = strstr(text, "\"loops\": [") + 10, *to = strrchr(text, ']');
    spill(b, arena_printf(b->kit->arena, "%.*s,%.*s]}", (int)(to - text), text, (int)(to - from),
                          from));
    refused(b, "ORR9206", "{");
    bench_free(b);
}

static void no_file(void **state) {
    (void)state;
    struct bench *b = bench_new();
    unlink(b->path);
    assert_int_equal(read_back(b), -1);
    assert_string_equal(b->diags.items[0].code, "ORR9201");
    bench_free(b);
}

/* Any prefix of a plan file that lacks more than the line's end, and any byte of it changed: a
 * message or a plan, nothing else. */
static void damaged_files(void **state) {
    (void)state;
    struct bench *b = bench_new();
    const char *whole = slurp(b);
    for (size_t i = 0; i + 1 < strlen(whole); i += 7) {
        spill(b, arena_printf(b->kit->arena, "%.*s", (int)i, whole));
        assert_int_equal(read_back(b), -1);
        char *damaged = arena_strdup(b->kit->arena, whole);
        damaged[i] = "\"{}[],:x0"[i % 9];
        spill(b, damaged);
        read_back(b);
    }
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(blanks_and_comments_do_not_matter),
        cmocka_unit_test(another_loop_is_refused),
        cmocka_unit_test(grid_and_seed),
        cmocka_unit_test(space_and_time_swapped),
        cmocka_unit_test(made_serial),
        cmocka_unit_test(read_only_array_replicated),
        cmocka_unit_test(illegal_plan),
        cmocka_unit_test(written_array_replicated),
        cmocka_unit_test(misspelt_words),
        cmocka_unit_test(two_plans_for_one_loop),
        cmocka_unit_test(no_file),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
