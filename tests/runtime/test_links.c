/* A link of what was measured: an end of a short message counts with its way at most and one of a
 * long message with half of it, whatever else the machine did meanwhile; nothing is below zero. */
#include "runtime/report/links.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BYTES = 1000, STREAMED = 800000 };

static struct orrery_link link_of(double way, double end, double large_way, double large_end) {
    return orrery_link_of(&(struct orrery_ways){
        .way = {way, large_way},
        .end = {end, large_end},
        .stream = 100,
        .bytes = BYTES,
        .streamed = STREAMED,
    });
}

static void same(double a, double b) {
    assert_true(a - b < 1e-12 && b - a < 1e-12);
}

static void quiet(void **unused) {
    (void)unused;
    struct orrery_link link = link_of(10, 2, 40, 12);
    same(link.overhead, 2);
    same(link.latency, 6);
    same(link.per_byte, 10. / BYTES);
    same(link.bandwidth, STREAMED / 80.);
}

static void disturbed(void **unused) {
    (void)unused;
    struct orrery_link link = link_of(10, 300, 40, 7000);
    same(link.overhead, 10);
    same(link.latency, 0);
    same(link.per_byte, 10. / BYTES);
    link = link_of(10, 3, 40, 7000);
    same(link.overhead, 3);
    same(link.per_byte, 17. / BYTES);
}

static void nothing_is_negative(void **unused) {
    (void)unused;
    struct orrery_link link = link_of(10, 0, 40, 0);
    same(link.overhead, 0);
    same(link.latency, 10);
    same(link.per_byte, 0);
    link = link_of(10, 5, 11, 1);
    same(link.per_byte, 0);
    same(link.latency, 0);
}

/* Short messages went when the machine was busy, long ones when it was not. */
static void stream_behind_a_busy_moment(void **unused) {
    (void)unused;
    struct orrery_link link = link_of(1000, 2, 4000, 12);
    same(link.bandwidth, STREAMED / 50.);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quiet), cmocka_unit_test(disturbed),
                                       cmocka_unit_test(nothing_is_negative),
                                       cmocka_unit_test(stream_behind_a_busy_moment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
