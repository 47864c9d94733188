/* The loaders: every result against a plain reader's, for pieces of every small size and any number
 * of threads; every message with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/orrery.h"
#include "runtime/load/load.h"

static int threads = 1;

int orrery_load_threads(void) {
    return threads;
}

static char path[] = "/tmp/orrery-load-XXXXXX";

static int make_path(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

static void put_bytes(const void *text, size_t size) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static void put(const char *text) {
    put_bytes(text, strlen(text));
}

/* The message is the file's path and then `rest`. */
static void assert_error(const char *rest) {
    const char *message = orrery_load_error();
    if (strncmp(message, path, strlen(path)) != 0 || strcmp(message + strlen(path), rest) != 0)
        fail_msg("said `%s`, expected `%s`", message, rest);
}

/* ---- numbers ---- */

static uint64_t next(void) {
    static uint64_t n;
    return orrery_random(7, n++);
}

/* A text that may be a number: digits of all lengths, a point anywhere, exponents. */
static void number_text(char *text) {
    int length = 0, digits = 1 + (int)(next() % 24), point = (int)(next() % 30);
    if (next() % 3 == 0)
        text[length++] = "+-"[next() % 2];
    for (int i = 0; i < digits; ++i) {
        if (i == point)
            text[length++] = '.';
        text[length++] = (char)('0' + next() % 10);
    }
    if (next() % 3 == 0)
        length += sprintf(text + length, "%c%d", "eE"[next() % 2], (int)(next() % 80) - 40);
    text[length] = '\0';
}

static void numbers_are_the_librarys(void **state) {
    (void)state;
    static const char *const fixed[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "1e",
                                        "1e+",
                                        "1e5x",
                                        "1e-400",
                                        "1e400",
                                        "inf",
                                        "nan",
                                        "0x1p4",
                                        "-.e1",
                                        ".",
                                        "+",
                                        "",
                                        "16777217",
                                        "1.0e10",
                                        "1e-10",
                                        "3.4028236e38",
                                        "1,5",
                                        "9007199254740993",
                                        "8388608.5000000001",
                                        "8388609.4999999999",
                                        "7.038531e-26",
                                        "1e22",
                                        "1e23"};
    for (long i = 0; i < 400000 + (long)(sizeof fixed / sizeof *fixed); ++i) {
        char text[80], *end, *end_float;
        double value = 0, expected;
        float single = 0, expected_single;
        if (i < (long)(sizeof fixed / sizeof *fixed))
            strcpy(text, fixed[i]);
        else
            number_text(text);
        expected = strtod(text, &end);
        expected_single = strtof(text, &end_float);
        const char *got = load_real(text, &value), *got_single = load_float(text, &single);
        if (end == text) {
            assert_null(got);
            assert_null(got_single);
            continue;
        }
        if (got != end || memcmp(&value, &expected, sizeof value) != 0)
            fail_msg("double `%s`: %.17g, expected %.17g", text, value, expected);
        if (got_single != end_float || memcmp(&single, &expected_single, sizeof single) != 0)
            fail_msg("float `%s`: %.9g, expected %.9g", text, single, expected_single);
    }
}

/* ---- ratings ---- */

struct plain {
    int row, column;
    float value;
};

/* A file of `count` ratings in one of the formats, and what is in it. */
static void write_ratings(int format, long count, struct plain *truth) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    if (format == 1)
        fprintf(out, "userId,movieId,rating,timestamp\r\n");
    if (format == 2)
        fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%% made\n\n50 60 %ld\n",
                count);
    for (long n = 0; n < count; ++n) {
        truth[n] =
            (struct plain){(int)(next() % 50), (int)(next() % 60), (float)(next() % 100) / 7};
        if (n == 0)
            truth[n].row = format == 4 ? 0 : 49, truth[n].column = 59;
        const char *line[] = {"%d %d %.9g\n", "%d,%d,%.9g,964982703\r\n", "%d\t%d  %.9g \n",
                              "%d::%d::%.9g::978300760\n", "%d,%d,%.9g\n"};
        int base = format != 4;
        fprintf(out, line[format], truth[n].row + base, truth[n].column + base, truth[n].value);
        if (next() % 9 == 0)
            fprintf(out, "# a remark, %ld\n\n", n);
    }
    if (format == 0 && count)
        assert_int_equal(ftruncate(fileno(out), (fflush(out), ftell(out) - 1)), 0);
    fclose(out);
}

static void ratings_of_every_format(void **state) {
    (void)state;
    static struct plain truth[300];
    for (int round = 0; round < 400; ++round) {
        int format = round % 5;
        long count = round < 5 ? 1 : 1 + (long)(next() % 300);
        write_ratings(format, count, truth);
        load_piece_bytes = round % 4 == 3 ? 1 << 20 : 1 + (long)(next() % 90);
        threads = 1 + round % 3;
        struct orrery_ratings got;
        if (orrery_load_ratings(path, &got) != 0)
            fail_msg("format %d: %s", format, orrery_load_error());
        assert_int_equal(got.count, count);
        int rows = 0, columns = 0;
        for (long n = 0; n < count; ++n) {
            assert_int_equal(got.entry[n].row, truth[n].row);
            assert_int_equal(got.entry[n].column, truth[n].column);
            assert_memory_equal(&got.entry[n].value, &truth[n].value, sizeof(float));
            rows = truth[n].row >= rows ? truth[n].row + 1 : rows;
            columns = truth[n].column >= columns ? truth[n].column + 1 : columns;
        }
        assert_int_equal(got.rows, format == 2 ? 50 : rows);
        assert_int_equal(got.columns, format == 2 ? 60 : columns);
        free(got.entry);
    }
    load_piece_bytes = 1 << 20;
    threads = 1;
}

static void ratings_without_values_or_lines(void **state) {
    (void)state;
    struct orrery_ratings got;
    put("3 4\n5 6\n");
    assert_int_equal(orrery_load_ratings(path, &got), 0);
    assert_int_equal(got.count, 2);
    assert_true(got.entry[1].row == 4 && got.entry[1].column == 5 && got.entry[1].value == 1);
    free(got.entry);
    put("");
    assert_int_equal(orrery_load_ratings(path, &got), 0);
    assert_int_equal(got.count, 0);
    free(got.entry);
    put("\n# nothing\n\n");
    assert_int_equal(orrery_load_ratings(path, &got), 0);
    assert_true(got.count == 0 && got.rows == 0);
    free(got.entry);
}

static void ratings_that_are_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"1 2 3\n4 x 6\n", ":2:3: error: expected the column's id, a whole number"},
        {"1 2 3\n4 5.5\n", ":2:3: error: expected the column's id, a whole number"},
        {"1 2 3\n4.5 6\n", ":2:1: error: expected the row's id, a whole number"},
        {"1 2 3 4\n1 2 3-4\n", ":2:6: error: expected a blank"},
        {"1 2 3\n4\n", ":2:2: error: expected the column's id before the line ends"},
        {"1 2 3\n4 5\n", ":2:4: error: expected the value before the line ends"},
        {"1 2 3\n4 5 6 7\n", ":2:7: error: expected the end of the line"},
        {"1,2,3\n4 5,6\n", ":2:3: error: expected a comma"},
        {"1::2::3\n4:5:6\n", ":2:2: error: expected `::`"},
        {"1 2 nan\n", ":1:5: error: the value is not a finite number"},
        {"1 2 3\n-4 5 6\n", ":2:1: error: the row's id is -4, expected 0 to 2147483647"},
        {"1 18446744073709551617 6\n",
         ":1:3: error: the column's id is 9223372036854775807, expected 0 to 2147483647"},
        {"1 99999999999 6\n",
         ":1:3: error: the column's id is 99999999999, expected 0 to 2147483647"},
        {"one two three\n", ":1:1: error: expected a row, a column, and perhaps a value and a "
                            "time, separated by blanks, commas or `::`"},
        {"a,b\nc,d\n", ":2:1: error: expected a row, a column, and perhaps a value and a "
                       "time, separated by blanks, commas or `::`"},
        {"%%MatrixMarket matrix coordinate real symmetric\n1 1 0\n",
         ":1:1: error: only `matrix coordinate real|integer|pattern general` is read"},
        {"%%MatrixMarket matrix coordinate real general\n1 x\n",
         ":2:1: error: expected the numbers of rows, columns and entries"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
         ":3:1: error: the header promises 2 rows and 2 columns"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 5\n1 1 1\n",
         ": the header promises 5 entries, there are 1"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
         ":3:1: error: the row's id is 0, expected 1 to 2147483647"},
        {"\x1f\x8b\x08 packed", ": is packed by gzip: unpack it first, or read /dev/stdin "
                                "behind `gzip -dc`"},
    };
    struct orrery_ratings got;
    for (threads = 1; threads <= 3; ++threads) {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
            load_piece_bytes = threads == 2 ? 3 : 1 << 20;
            put(wrong[i].text);
            assert_int_equal(orrery_load_ratings(path, &got), -1);
            assert_error(wrong[i].message);
            assert_null(got.entry);
        }
    }
    threads = 1;
    load_piece_bytes = 1 << 20;
    assert_int_equal(orrery_load_ratings("/nonexistent/ratings", &got), -1);
    assert_string_equal(orrery_load_error(),
                        "/nonexistent/ratings: cannot open: No such file or directory");
    assert_int_equal(orrery_load_ratings("/tmp", &got), -1);
    assert_string_equal(orrery_load_error(), "/tmp: is a directory");
}

/* The first of several errors is named, whatever piece and thread finds which. */
static void the_first_error_is_named(void **state) {
    (void)state;
    static char text[40000];
    size_t at = 0;
    for (int line = 1; line <= 1000; ++line)
        at += (size_t)sprintf(text + at, line == 317 || line > 600 ? "1 bad\n" : "1 2 3\n");
    put(text);
    struct orrery_ratings got;
    load_piece_bytes = 64;
    for (threads = 1; threads <= 8; ++threads) {
        assert_int_equal(orrery_load_ratings(path, &got), -1);
        assert_error(":317:3: error: expected the column's id, a whole number");
    }
    load_piece_bytes = 1 << 20;
    threads = 1;
}

/* ---- the other formats ---- */

static void examples(void **state) {
    (void)state;
    struct orrery_examples got;
    for (load_piece_bytes = 1; load_piece_bytes < 40; ++load_piece_bytes) {
        put("-1 3:1 11:.5 # a: remark\n+1\n\n# 1:1\n1.5 1:2e1 2:-7 19:4");
        assert_int_equal(orrery_load_examples(path, &got), 0);
        assert_true(got.count == 3 && got.entries == 5 && got.features == 19);
        assert_true(got.start[0] == 0 && got.start[1] == 2 && got.start[2] == 2 &&
                    got.start[3] == 5);
        assert_true(got.label[0] == -1 && got.label[1] == 1 && got.label[2] == 1.5f);
        assert_true(got.feature[0] == 2 && got.feature[1] == 10 && got.feature[2] == 0 &&
                    got.feature[4] == 18);
        assert_true(got.value[0] == 1 && got.value[1] == .5f && got.value[2] == 20 &&
                    got.value[3] == -7 && got.value[4] == 4);
        orrery_free_examples(&got);
    }
    load_piece_bytes = 1 << 20;
    put("1 0:1 5:2\n");
    assert_int_equal(orrery_load_examples(path, &got), 0);
    assert_true(got.feature[0] == 0 && got.features == 6);
    orrery_free_examples(&got);
    static const char *const wrong[][2] = {
        {"x 1:2\n", ":1:1: error: expected a label, a number"},
        {"1 1:2 3\n", ":1:7: error: expected `feature:value`, with a whole number first"},
        {"1 1:2\n1 3:x\n", ":2:5: error: expected a value, a number"},
        {"1 3:2 3:1\n", ":1:7: error: the features of a line have to rise: 3 after 3"},
        {"1 -3:2\n", ":1:3: error: the feature is -3, expected 0 to 2147483646"},
        {"1 3:inf\n", ":1:5: error: the value is not a finite number"},
        {"1:2 3:1\n", ":1:1: error: expected a label, a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        put(wrong[i][0]);
        assert_int_equal(orrery_load_examples(path, &got), -1);
        assert_error(wrong[i][1]);
        assert_null(got.label);
    }
}

static void bags(void **state) {
    (void)state;
    struct orrery_bags got;
    static const char *const same[] = {"3\n7\n4\n1 2 5\n1 7 1\n3 1 2\n3 7 1\n",
                                       "2 1:5 6:1\n0\n2 0:2 6:1\n"};
    for (int format = 0; format < 2; ++format) {
        for (load_piece_bytes = 1; load_piece_bytes < 20; ++load_piece_bytes) {
            put(same[format]);
            if (orrery_load_bags(path, &got) != 0)
                fail_msg("%s", orrery_load_error());
            assert_true(got.documents == 3 && got.words == 7 && got.entries == 4 &&
                        got.tokens == 9);
            assert_true(got.entry[0].document == 0 && got.entry[0].word == 1 &&
                        got.entry[0].count == 5);
            assert_true(got.entry[3].document == 2 && got.entry[3].word == 6 &&
                        got.entry[3].count == 1);
            free(got.entry);
        }
    }
    load_piece_bytes = 1 << 20;
    static const char *const wrong[][2] = {
        {"3\nx\n4\n", ":2:1: error: expected the number of words, alone on its line"},
        {"3\n7\n4\n1 2 5\n", ": the header promises 4 entries, there are 1"},
        {"3\n7\n1\n4 2 5\n", ":4:1: error: the header promises 3 documents and 7 words"},
        {"3\n7\n1\n1 2\n", ":4:4: error: expected the count before the line ends"},
        {"2 1:5\n", ":1:1: error: the line promises 2 words and has 1"},
        {"1 1:0\n", ":1:5: error: a count is 0, expected 1 to 2147483647"},
        {"1 1,2:1\n", ":1:4: error: expected `word:count`"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        put(wrong[i][0]);
        assert_int_equal(orrery_load_bags(path, &got), -1);
        assert_error(wrong[i][1]);
        assert_null(got.entry);
    }
}

static void tables_and_tensors(void **state) {
    (void)state;
    struct orrery_table table;
    struct orrery_tensor tensor;
    static const char *const same[] = {"a,b,c\n1,2,3\n-4, 5.5 ,6e1\n", "1 2 3\n\n-4 5.5 6e1",
                                       "1;2;3\r\n-4;5.5;6e1\r\n"};
    for (int format = 0; format < 3; ++format) {
        for (load_piece_bytes = 1; load_piece_bytes < 12; ++load_piece_bytes) {
            put(same[format]);
            if (orrery_load_table(path, &table) != 0)
                fail_msg("%s", orrery_load_error());
            assert_true(table.rows == 2 && table.columns == 3);
            assert_true(table.value[0] == 1 && table.value[3] == -4 && table.value[4] == 5.5f &&
                        table.value[5] == 60);
            free(table.value);
        }
    }
    put("# way 1 2 3\n1 4 2 .5\n3 1 1 7\n");
    assert_int_equal(orrery_load_tensor(path, &tensor), 0);
    assert_true(tensor.count == 2 && tensor.ways == 3 && tensor.size[0] == 3 &&
                tensor.size[1] == 4 && tensor.size[2] == 2);
    assert_true(tensor.index[0] == 0 && tensor.index[1] == 3 && tensor.index[5] == 0 &&
                tensor.value[1] == 7);
    free(tensor.index);
    free(tensor.value);
    static const char *const wrong[][2] = {
        {"1,2\n3\n", ":2:2: error: expected `,`"},
        {"1,2\n3,\n", ":2:3: error: the line ends before column 2 of 2"},
        {"1,2\n3,x\n", ":2:3: error: expected a number in column 2"},
        {"1 2\n3-4\n", ":2:2: error: expected a blank"},
        {"1,2\n3,4,5\n", ":2:4: error: expected the end of the line"},
        {"a,b\nc,d\n", ":2:1: error: expected numbers, separated by commas, semicolons or blanks"},
    };
    load_piece_bytes = 1 << 20;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        put(wrong[i][0]);
        assert_int_equal(orrery_load_table(path, &table), -1);
        assert_error(wrong[i][1]);
    }
    put("1 2 x\n");
    assert_int_equal(orrery_load_tensor(path, &tensor), -1);
    assert_error(":1:1: error: expected numbers, separated by commas, semicolons or blanks");
    put("1 2 3\n1 2.5 3\n");
    assert_int_equal(orrery_load_tensor(path, &tensor), -1);
    assert_error(":2:3: error: expected an index, a whole number");
    put("1 2 3\n1 2.5\n");
    assert_int_equal(orrery_load_tensor(path, &tensor), -1);
    assert_error(":2:3: error: expected an index, a whole number");
}

static void npy_goes_there_and_back(void **state) {
    (void)state;
    double value[6] = {1, -2, 3.5, 1e300, 0, 6};
    struct orrery_npy out = {value, ORRERY_NPY_DOUBLE, 2, {2, 3}, 0}, in;
    assert_int_equal(orrery_save_npy(path, &out), 0);
    assert_int_equal(orrery_load_npy(path, &in), 0);
    assert_true(in.type == ORRERY_NPY_DOUBLE && in.dims == 2 && in.shape[0] == 2 &&
                in.shape[1] == 3 && in.count == 6);
    assert_memory_equal(in.data, value, sizeof value);
    free(in.data);
    char whole[256];
    FILE *file = fopen(path, "rb");
    size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    assert_int_equal(size, 128 + sizeof value);
    for (size_t cut = 0; cut < size; ++cut) {
        put_bytes(whole, cut);
        assert_int_equal(orrery_load_npy(path, &in), -1);
        assert_null(in.data);
    }
    static const char *const wrong[][3] = {
        {"'<f8'", "'>f8'",
         ": holds numbers with the most significant byte first; save it with "
         "a.astype(a.dtype.newbyteorder('<'))"},
        {"'<f8'", "'<c8'", ": holds elements of type '<c8', expected integers, float or double"},
        {"False", "True ", ": holds columns first; save it with np.ascontiguousarray(a)"},
        {"(2, 3)", "(2, 4)", ": the header promises 64 bytes of elements, there are 48"},
        {"(2, 3)", "(2, x)", ": expected a shape of at most 8 dimensions"},
        {"NUMPY", "NUMPX", ": not a NumPy file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        char changed[256];
        memcpy(changed, whole, size);
        for (size_t at = 0; at < 100; ++at)
            if (memcmp(changed + at, wrong[i][0], strlen(wrong[i][0])) == 0)
                memcpy(changed + at, wrong[i][1], strlen(wrong[i][1]));
        put_bytes(changed, size);
        assert_int_equal(orrery_load_npy(path, &in), -1);
        assert_error(wrong[i][2]);
    }
    out.dims = 9;
    assert_int_equal(orrery_save_npy(path, &out), -1);
    out.dims = 2;
    assert_int_equal(orrery_save_npy("/nonexistent/a.npy", &out), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_librarys),
        cmocka_unit_test(ratings_of_every_format),
        cmocka_unit_test(ratings_without_values_or_lines),
        cmocka_unit_test(ratings_that_are_wrong),
        cmocka_unit_test(the_first_error_is_named),
        cmocka_unit_test(examples),
        cmocka_unit_test(bags),
        cmocka_unit_test(tables_and_tensors),
        cmocka_unit_test(npy_goes_there_and_back),
    };
    return cmocka_run_group_tests_name("load", tests, make_path, remove_path);
}
