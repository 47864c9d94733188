/* Elements that a list names, of any size, one by one. */
#include "runtime/merge/elements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS = 50, MOST = 16, BYTES = ELEMENTS * MOST };

static const uint32_t at[] = {0, 1, 7, 8, 31, 49};
enum { NAMED = sizeof at / sizeof *at };

static void fill(char *data, int from) {
    for (int i = 0; i < BYTES; ++i)
        data[i] = (char)(from + 7 * i % 101);
}

/* `expected` gets the bytes of the element that `which` names as number k. */
static void one(char *expected, struct orrery_elements which, size_t k, const char *from) {
    for (size_t byte = 0; byte < which.size; ++byte)
        expected[which.at[k] * which.size + byte] = from ? from[byte] : 0;
}

static void check(size_t size) {
    char from[BYTES], to[BYTES], expected[BYTES], packed[BYTES];
    struct orrery_elements which = {at, NAMED, size};

    fill(from, 1);
    fill(packed, 2);
    orrery_elements_gather(which, packed, from);
    for (size_t k = 0; k < NAMED; ++k)
        assert_memory_equal(packed + k * size, from + at[k] * size, size);

    fill(to, 3);
    memcpy(expected, to, sizeof to);
    for (size_t k = 0; k < NAMED; ++k)
        one(expected, which, k, packed + k * size);
    orrery_elements_scatter(which, to, packed);
    assert_memory_equal(to, expected, sizeof to);

    fill(to, 4);
    memcpy(expected, to, sizeof to);
    for (size_t k = 0; k < NAMED; ++k)
        one(expected, which, k, from + at[k] * size);
    orrery_elements_copy(which, to, from);
    assert_memory_equal(to, expected, sizeof to);

    for (size_t k = 0; k < NAMED; ++k)
        one(expected, which, k, NULL);
    orrery_elements_clear(which, to);
    assert_memory_equal(to, expected, sizeof to);
}

static void sizes(void **unused) {
    (void)unused;
    for (size_t size = 1; size <= MOST; size *= 2)
        check(size);
}

static void none(void **unused) {
    (void)unused;
    char byte = 5;
    orrery_elements_scatter((struct orrery_elements){at, 0, 4}, &byte, &byte);
    orrery_elements_clear((struct orrery_elements){at, 0, 8}, &byte);
    assert_int_equal(byte, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
