/* What an iteration stores that may be behind one that ends the program: where there is no such element, it is left. */
#include "runtime/base/output.h"

#include "runtime/orrery_run.h"

#include "runtime/orrery_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { COUNT = 8 };
static int site;
static bool stored;

static void store(const struct orrery_block *block) {
    orrery_output_at(&site, block->begin, "i", 0);
    (void)orrery_output_inside(block->end, COUNT);
    stored = true;
}

static bool stores(long at) {
    size_t bytes;
    stored = false;
    orrery_output_block(store, &(struct orrery_block){.begin = 5, .end = at}, false);
    orrery_output_take(&bytes);
    return stored;
}

static void test_elements_that_are_not_there(void **state) {
    (void)state;
    orrery_output_collect(true);
    orrery_output_work(true);
    assert_true(stores(0));
    assert_true(stores(COUNT - 1));
    assert_false(stores(COUNT));
    assert_false(stores(-1));
    orrery_output_work(false);
    orrery_output_collect(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements_that_are_not_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
