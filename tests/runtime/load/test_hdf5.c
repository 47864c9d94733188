/* orrery_load_hdf5 against files that the HDF5 library itself has written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <hdf5.h>

#include "include/orrery.h"

static char path[64];

static void put(hid_t file, const char *name, hid_t stored, hid_t given, int dims,
                const hsize_t *shape, bool packed, const void *data) {
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = dims < 0 ? H5Screate(H5S_NULL) : H5Screate_simple(dims, shape, NULL);
    H5Pset_create_intermediate_group(links, 1);
    if (packed) {
        H5Pset_chunk(layout, dims, shape);
        H5Pset_deflate(layout, 6);
    }
    hid_t set = H5Dcreate2(file, name, stored, space, links, layout, H5P_DEFAULT);
    assert_true(set >= 0);
    if (data)
        assert_true(H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(layout);
    H5Pclose(links);
}

static const float weights[2][3] = {{1.5f, -2, 3}, {0, 1e-30f, 7}};
static const int64_t ids[] = {-1, 5000000000, 3};
static const uint16_t small[] = {65535, 0};

static int make(void **state) {
    const hsize_t two_three[] = {2, 3}, three = 3, two = 2, none[] = {0, 4};
    const hsize_t nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double one = 2.25;
    hid_t text = H5Tcopy(H5T_C_S1);
    (void)state;
    snprintf(path, sizeof path, "/tmp/orrery-hdf5-%ld.h5", (long)getpid());
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put(file, "model/weights", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, 2, two_three, true, weights);
    put(file, "ids", H5T_STD_I64BE, H5T_NATIVE_INT64, 1, &three, false, ids);
    put(file, "small", H5T_STD_U16LE, H5T_NATIVE_UINT16, 1, &two, false, small);
    put(file, "one", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, NULL, false, &one);
    put(file, "empty", H5T_STD_I8LE, H5T_NATIVE_INT8, 2, none, false, NULL);
    put(file, "nothing", H5T_STD_I32LE, H5T_NATIVE_INT, -1, NULL, false, NULL);
    put(file, "deep", H5T_STD_U8LE, H5T_NATIVE_UINT8, 9, nine, false, "x");
    put(file, "text", text, text, 1, &two, false, "ab");
    H5Tclose(text);
    return H5Fclose(file) < 0;
}

static int drop(void **state) {
    (void)state;
    return unlink(path);
}

static void elements(void **state) {
    struct orrery_npy array;
    (void)state;
    assert_int_equal(orrery_load_hdf5(path, "model/weights", &array), 0);
    assert_int_equal(array.type, ORRERY_NPY_FLOAT);
    assert_int_equal(array.dims, 2);
    assert_int_equal(array.shape[0], 2);
    assert_int_equal(array.shape[1], 3);
    assert_int_equal(array.count, 6);
    assert_memory_equal(array.data, weights, sizeof weights);
    free(array.data);
    assert_int_equal(orrery_load_hdf5(path, "/ids", &array), 0);
    assert_int_equal(array.type, ORRERY_NPY_INT64);
    assert_memory_equal(array.data, ids, sizeof ids);
    free(array.data);
    assert_int_equal(orrery_load_hdf5(path, "small", &array), 0);
    assert_int_equal(array.type, ORRERY_NPY_UINT16);
    assert_memory_equal(array.data, small, sizeof small);
    free(array.data);
}

static void odd_shapes(void **state) {
    struct orrery_npy array;
    (void)state;
    assert_int_equal(orrery_load_hdf5(path, "one", &array), 0);
    assert_int_equal(array.dims, 0);
    assert_int_equal(array.count, 1);
    assert_true(*(double *)array.data == 2.25);
    free(array.data);
    assert_int_equal(orrery_load_hdf5(path, "empty", &array), 0);
    assert_int_equal(array.type, ORRERY_NPY_INT8);
    assert_int_equal(array.count, 0);
    assert_int_equal(array.shape[1], 4);
    free(array.data);
    assert_int_equal(orrery_load_hdf5(path, "nothing", &array), 0);
    assert_int_equal(array.count, 0);
    free(array.data);
}

static void fails(const char *file, const char *name, const char *words) {
    struct orrery_npy array;
    assert_int_equal(orrery_load_hdf5(file, name, &array), -1);
    assert_null(array.data);
    if (!strstr(orrery_load_error(), words))
        fail_msg("\"%s\" does not say \"%s\"", orrery_load_error(), words);
}

static void refusals(void **state) {
    (void)state;
    fails("/nowhere/a.h5", "ids", "/nowhere/a.h5: cannot read: No such file");
    fails("/dev/null", "ids", "/dev/null: not an HDF5 file");
    fails(path, "users", "cannot read the array users");
    fails(path, "users", "there are: deep, empty, ids, model/weights, nothing, one, small, text");
    fails(path, "model", "cannot read the array model");
    fails(path, "text", "text holds elements that are no integers, float or double");
    fails(path, "deep", "deep has 9 dimensions, expected at most 8");
    fails(path, NULL, "holds several arrays; name one");
}

static void what_was_saved(void **state) {
    char other[80];
    int values[] = {3, 1, 2};
    struct orrery_model_array saved = {
        "a/b", {.data = values, .type = ORRERY_NPY_INT32, .dims = 1, .shape = {3}, .count = 3}};
    struct orrery_npy array;
    (void)state;
    snprintf(other, sizeof other, "%s.h5", path);
    assert_int_equal(orrery_save(other, 1, &saved), 0);
    assert_int_equal(orrery_load_hdf5(other, NULL, &array), 0);
    assert_int_equal(array.type, ORRERY_NPY_INT32);
    assert_int_equal(array.shape[0], 3);
    assert_memory_equal(array.data, values, sizeof values);
    free(array.data);
    assert_int_equal(truncate(other, 100), 0);
    fails(other, NULL, "not an HDF5 file");
    unlink(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(elements), cmocka_unit_test(odd_shapes),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(what_was_saved)};
    return cmocka_run_group_tests(tests, make, drop);
}
