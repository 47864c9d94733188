/* Debts: whoever touches owed memory finds its bytes,
 * no thread sees old ones, and watches go on. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dsm/arrays/guard.h"
#include "dsm/interception/fault.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES (3 << 20)

static char variable[300000];
static int fetches;

/* cmocka puts its own handler of SIGSEGV in front of every test;
 * ours goes back in front of that. */
static void begin(void) {
    dsm_fault_start();
    fetches = 0;
}

/* The bytes that are elsewhere: the low bits of their addresses, plus the number at `data`. */
static char byte_of(const char *address, int number) {
    return (char)((uintptr_t)address * 7 + (unsigned)number);
}

static void fetch(void *data, char *to, const char *address, size_t bytes) {
    ++fetches;
    for (size_t i = 0; i < bytes; ++i)
        to[i] = byte_of(address + i, *(int *)data);
}

static struct dsm_watch *watch_one(const char *low, size_t bytes) {
    return dsm_watch_start(1, &(struct dsm_range){low, low + bytes});
}

static struct dsm_lazy *defer(char *low, size_t bytes, int *number, struct dsm_range *pages,
                              struct dsm_watch **watch) {
    struct dsm_lazy *lazy = dsm_lazy_new(low, low + bytes, fetch, number, pages);
    assert_non_null(lazy);
    *watch = watch_one(low, bytes);
    dsm_lazy_defer(lazy);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_PENDING);
    assert_int_equal(fetches, 0);
    return lazy;
}

static void expect_bytes(const struct dsm_range *pages, int number) {
    for (const char *at = pages->low; at < pages->high; at += 509)
        assert_int_equal(*at, byte_of(at, number));
}

/* A read fetches all, and is no change; a write behind it is one. */
static void touched_by(char *block, size_t bytes, bool write) {
    struct dsm_range pages;
    struct dsm_watch *watch;
    int number = 3 + write;
    struct dsm_lazy *lazy = defer(block, bytes, &number, &pages, &watch);
    char *at = (char *)pages.low + 10001;
    if (write)
        *at = 77;
    assert_int_equal(*(volatile char *)at, write ? 77 : byte_of(at, number));
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_DONE);
    assert_int_equal(dsm_watch_changed(watch), write);
    if (!write) {
        expect_bytes(&pages, number);
        ++*at;
        assert_true(dsm_watch_changed(watch));
    }
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
}

static void read_and_written(void **state) {
    (void)state;
    char *block = calloc(BYTES, 1);
    begin();
    touched_by(block, BYTES, false);
    begin();
    touched_by(block + 100, BYTES - 5000, true);
    begin();
    touched_by(variable, sizeof variable, false);
    free(block);
}

/* Other watches that begin or end on owed pages,
 * or share some of them, neither open nor close them. */
static void other_watches(void **state) {
    struct dsm_range pages;
    struct dsm_watch *watch;
    int number = 5;
    (void)state;
    begin();
    char *block = calloc(2 * BYTES, 1);
    struct dsm_watch *before = watch_one(block, 2 * BYTES);
    struct dsm_lazy *lazy = defer(block, BYTES, &number, &pages, &watch);
    block[2 * BYTES - 100000] = 1;
    dsm_watch_end(before);
    dsm_watch_end(watch);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_PENDING);
    assert_true(dsm_memory_sealed(pages.low, pages.high));
    struct dsm_watch *after = watch_one(block, BYTES / 2);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_DONE);
    expect_bytes(&pages, number);
    assert_false(dsm_watch_changed(after));
    dsm_watch_end(after);
    dsm_lazy_end(lazy);
    free(block);
}

struct look {
    const struct dsm_range *pages;
    size_t from;
    int number;
    atomic_int *wrong;
};

static void *look(void *data) {
    const struct look *look = data;
    for (const char *at = look->pages->low + look->from; at < look->pages->high; at += 8191)
        *look->wrong += *(const volatile char *)at != byte_of(at, look->number);
    return NULL;
}

/* Many threads at once, each beginning elsewhere. */
static void threads_read(void **state) {
    enum { THREADS = 6, ROUNDS = 12 };
    atomic_int wrong = 0;
    (void)state;
    char *block = calloc(BYTES, 1);
    for (int round = 0; round < ROUNDS; ++round) {
        struct dsm_range pages;
        struct dsm_watch *watch;
        pthread_t threads[THREADS];
        struct look looks[THREADS];
        int number = round;
        begin();
        struct dsm_lazy *lazy = defer(block, BYTES, &number, &pages, &watch);
        for (size_t t = 0; t < THREADS; ++t) {
            looks[t] = (struct look){&pages, (THREADS - t) * 400000 - 399999, round, &wrong};
            assert_int_equal(pthread_create(&threads[t], NULL, look, &looks[t]), 0);
        }
        for (int t = 0; t < THREADS; ++t)
            pthread_join(threads[t], NULL);
        assert_int_equal(fetches, ((pages.high - pages.low) + (1 << 20) - 1) >> 20);
        dsm_lazy_end(lazy);
        dsm_watch_end(watch);
    }
    assert_int_equal(wrong, 0);
    free(block);
}

/* By calls that let the kernel at the memory. */
static void kernel_reads(void **state) {
    struct dsm_range pages;
    struct dsm_watch *watch;
    int number = 9, ends[2];
    char got[100];
    (void)state;
    begin();
    char *block = calloc(BYTES, 1);
    struct dsm_lazy *lazy = defer(block, BYTES, &number, &pages, &watch);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], pages.low + 5000, sizeof got), sizeof got);
    assert_int_equal(read(ends[0], got, sizeof got), sizeof got);
    assert_int_equal(got[50], byte_of(pages.low + 5050, number));
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_DONE);
    assert_false(dsm_watch_changed(watch));
    close(ends[0]);
    close(ends[1]);
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
    free(block);
}

static void freed_and_moved(void **state) {
    struct dsm_range pages;
    struct dsm_watch *watch;
    int number = 2;
    (void)state;
    begin();
    char *block = calloc(BYTES, 1);
    struct dsm_lazy *lazy = defer(block, BYTES, &number, &pages, &watch);
    free(block);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_GONE);
    assert_int_equal(fetches, 0);
    assert_true(dsm_watch_changed(watch));
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
    block = calloc(BYTES, 1);
    lazy = defer(block, BYTES, &number, &pages, &watch);
    char expected = byte_of(block + 1000000, number);
    char *moved = realloc(block, 3 * BYTES);
    assert_int_equal(moved[1000000], expected);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_DONE);
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
    free(moved);
}

/* The child has its bytes, though it could not fetch them. */
static void forked(void **state) {
    struct dsm_range pages;
    struct dsm_watch *watch;
    int number = 4, status;
    (void)state;
    begin();
    char *block = calloc(BYTES, 1);
    struct dsm_lazy *lazy = defer(block, BYTES, &number, &pages, &watch);
    pid_t child = fork();
    if (child == 0)
        _exit(pages.low[70000] == byte_of(pages.low + 70000, number) ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
    free(block);
}

/* Ended without a touch nothing is fetched; what cannot be owed is refused. */
static void refused_and_ended(void **state) {
    struct dsm_range pages;
    struct dsm_watch *watch;
    int number = 1;
    char small[100000];
    (void)state;
    begin();
    assert_null(dsm_lazy_new(small, small + sizeof small, fetch, &number, &pages));
    char *mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_null(dsm_lazy_new(mapped, mapped + BYTES, fetch, &number, &pages));
    munmap(mapped, BYTES);
    char *block = calloc(BYTES, 1);
    assert_null(dsm_lazy_new(block, block + 12000, fetch, &number, &pages));
    struct dsm_lazy *lazy = defer(block, BYTES, &number, &pages, &watch);
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
    memset(block, 1, BYTES);
    lazy = defer(block, BYTES, &number, &pages, &watch);
    dsm_lazy_materialize(lazy);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_DONE);
    expect_bytes(&pages, number);
    dsm_lazy_end(lazy);
    dsm_watch_end(watch);
    free(block);
}

/* Every other byte is elsewhere. */
static void fetch_some(void *data, char *to, const char *address, size_t bytes) {
    dsm_lazy_below(to, address, bytes);
    for (size_t i = 0; i < bytes; i += 2)
        to[i] = byte_of(address + i, *(int *)data);
}

static void some_are_there(void **state) {
    struct dsm_range pages;
    int number = 9;
    (void)state;
    begin();
    char *block = calloc(BYTES, 1);
    memset(block, 42, BYTES);
    struct dsm_lazy *lazy = dsm_lazy_new(block, block + BYTES, fetch_some, &number, &pages);
    dsm_lazy_defer(lazy);
    for (const char *at = pages.low; at < pages.high; at += 509)
        assert_int_equal(*at, (at - pages.low) % 2 ? 42 : byte_of(at, number));
    dsm_lazy_end(lazy);
    free(block);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(read_and_written),  cmocka_unit_test(other_watches),
    cmocka_unit_test(threads_read),      cmocka_unit_test(kernel_reads),
    cmocka_unit_test(freed_and_moved),   cmocka_unit_test(forked),
    cmocka_unit_test(refused_and_ended), cmocka_unit_test(some_are_there),
};

int main(void) {
    dsm_start("self");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dsm_finish();
    return failed;
}
