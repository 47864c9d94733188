/* Edit lists and tokens: what the emitter's promise "byte for byte" rests on. */
#include "scheduler/outline/outline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static int arena_start(void **state) {
    *state = arena_new();
    return 0;
}

static int arena_stop(void **state) {
    arena_free(*state);
    return 0;
}

static struct text applied(struct text_edits *edits, const char *source, size_t begin, size_t end,
                           bool keep_lines, bool *ok) {
    struct text out;
    text_start(&out, edits->arena);
    *ok = text_edits_apply(edits, source, begin, end, keep_lines, &out);
    return out;
}

static void edits_replace_and_insert_in_any_order(void **state) {
    struct text_edits edits = {.arena = *state};
    bool ok;
    text_edit_add(&edits, 11, 11, "!");
    text_edit_add(&edits, 6, 11, "there");
    text_edit_add(&edits, 0, 0, "> ");
    text_edit_add(&edits, 0, 0, "< ");
    struct text out = applied(&edits, "hello world", 0, 11, false, &ok);
    assert_true(ok);
    assert_string_equal(out.bytes, "> < hello there!");
}

static void an_edit_inside_of_another_is_dropped(void **state) {
    struct text_edits edits = {.arena = *state};
    bool ok;
    text_edit_add(&edits, 4, 11, "(r->f1)");
    text_edit_add(&edits, 8, 10, "(r->f0)");
    struct text out = applied(&edits, "x = v[p[n]];", 0, 12, false, &ok);
    assert_true(ok);
    assert_string_equal(out.bytes, "x = (r->f1);");
}

static void edits_that_cut_each_other_are_an_error(void **state) {
    struct text_edits edits = {.arena = *state};
    bool ok;
    text_edit_add(&edits, 0, 5, "a");
    text_edit_add(&edits, 3, 8, "b");
    applied(&edits, "0123456789", 0, 10, false, &ok);
    assert_false(ok);
    applied(&edits, "0123456789", 4, 10, false, &ok);
    assert_false(ok);
}

static void replaced_line_ends_come_back(void **state) {
    struct text_edits edits = {.arena = *state};
    bool ok;
    text_edit_add(&edits, 2, 9, "k");
    struct text out = applied(&edits, "a\nr[\nn].\nx;", 0, 12, true, &ok);
    assert_true(ok);
    assert_string_equal(out.bytes, "a\nk\n\nx;");
    assert_int_equal(out.lines, 3);
}

static void edits_outside_of_the_window_do_nothing(void **state) {
    struct text_edits edits = {.arena = *state};
    bool ok;
    text_edit_add(&edits, 0, 3, "XXX");
    text_edit_add(&edits, 9, 12, "YYY");
    struct text out = applied(&edits, "abcdefghijkl", 3, 9, false, &ok);
    assert_true(ok);
    assert_string_equal(out.bytes, "defghi");
}

static void names_are_found_as_tokens_only(void **state) {
    (void)state;
    assert_true(token_uses("a + W[i]", "W"));
    assert_false(token_uses("a + WW[i] /* W */ // W", "W"));
    assert_false(token_uses("m->W[i] + s.W + \"W\" + 'W'", "W"));
    assert_true(token_uses("m - W > 3", "W"));
    assert_false(token_uses("", "W"));
}

static void directives_are_one_token(void **state) {
    const char *source = "x\n#define A \\\n  b /* c\n d */ e\ny # z\n  # if 0\n";
    struct token_scan scan = token_scan_start(source, 0, strlen(source));
    token_next(&scan);
    struct token directive = token_next(&scan);
    assert_int_equal(directive.kind, TOKEN_DIRECTIVE);
    assert_string_equal(token_directive_name(*state, source, directive), "define");
    assert_string_equal(token_directive_word(*state, source, directive), "A");
    struct token y = token_next(&scan);
    assert_true(token_spells(&scan, y, "y"));
    assert_int_equal(token_next(&scan).kind, TOKEN_PUNCTUATOR);
    token_next(&scan);
    directive = token_next(&scan);
    assert_string_equal(token_directive_name(*state, source, directive), "if");
    assert_int_equal(token_next(&scan).kind, TOKEN_END);
}

static void lines_go_on_behind_blanks_and_carriage_returns(void **state) {
    const char *source = "#define A \\ \t\n b \\\r\n c\r\n\"x\\\r\ny\" // \\ \nz\nw";
    struct token_scan scan = token_scan_start(source, 0, strlen(source));
    (void)state;
    assert_int_equal(token_next(&scan).kind, TOKEN_DIRECTIVE);
    assert_int_equal(token_next(&scan).kind, TOKEN_STRING);
    struct token w = token_next(&scan);
    assert_true(token_spells(&scan, w, "w"));
}

static void separators_belong_to_numbers(void **state) {
    (void)state;
    assert_true(token_uses("1'000'000 + W", "W"));
    assert_false(token_uses("1'000 + 'W'", "W"));
}

static size_t insertion(const char *source, const char *name) {
    struct function function = {.name = name};
    function.range.begin.offset = (unsigned)(strstr(source, name) - source);
    return emit_insertion_point(NULL, source, &function);
}

static void functions_are_inserted_behind_what_ends_before(void **state) {
    (void)state;
    assert_int_equal(insertion("int f(void);", "int f"), 0);
    assert_int_equal(insertion("int x;\n  __attribute__((cold)) int f(void) {", "int f"), 7);
    assert_int_equal(insertion("#define A ;\n/* } */ int f(void) {", "int f"), 19);
    assert_int_equal(insertion("int g() { } int f(void) {", "int f"), 11);
    assert_int_equal(insertion("\xef\xbb\xbf#pragma once\nint f(void) {", "int f"), 16);
    assert_int_equal(insertion("\xef\xbb\xbfint f(void) {", "int f"), 3);
    assert_int_equal(insertion("int x; // ; }\n\nint f(void) {", "int f"), 15);
    assert_int_equal(insertion("int x; A(g, { a; b; })\nint f(void) {", "int f"), 6);
    assert_int_equal(insertion("int g() <% a; b; %> int f(void) {", "int f"), 19);
    assert_int_equal(insertion("#if A\n{\n# endif\nint x; int f(void) {", "int f"), 22);
}

static void escapes_are_those_of_c(void **state) {
    assert_string_equal(text_escape(*state, "a\\b\"c\n"), "a\\\\b\\\"c\\012");
    assert_string_equal(text_escape(*state, "*/x/*?"
                                            "?/"),
                        "*\\057x/\\052?\\?/");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_replace_and_insert_in_any_order),
        cmocka_unit_test(an_edit_inside_of_another_is_dropped),
        cmocka_unit_test(edits_that_cut_each_other_are_an_error),
        cmocka_unit_test(replaced_line_ends_come_back),
        cmocka_unit_test(edits_outside_of_the_window_do_nothing),
        cmocka_unit_test(names_are_found_as_tokens_only),
        cmocka_unit_test(directives_are_one_token),
        cmocka_unit_test(lines_go_on_behind_blanks_and_carriage_returns),
        cmocka_unit_test(separators_belong_to_numbers),
        cmocka_unit_test(functions_are_inserted_behind_what_ends_before),
        cmocka_unit_test(escapes_are_those_of_c),
    };
    return cmocka_run_group_tests(tests, arena_start, arena_stop);
}
