/* Watches: every way to change memory is noticed, and nothing else is. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dsm/arrays/guard.h"
#include "dsm/interception/fault.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES (1 << 20)

static char variable[300000];
static const char constant[100000] = "constant";

/* cmocka puts its own handler of SIGSEGV in front of every test;
 * ours goes back in front of that. */
static void begin(void **state) {
    (void)state;
    dsm_fault_start();
}

static struct dsm_watch *watch_one(const void *low, size_t bytes) {
    struct dsm_range range = {low, (const char *)low + bytes};
    return dsm_watch_start(1, &range);
}

static void expect_end(struct dsm_watch *watch, bool changed) {
    assert_int_equal(dsm_watch_changed(watch), changed);
    assert_int_equal(dsm_watch_changed(watch), changed);
    dsm_watch_end(watch);
}

/* Each byte of odd ranges, one at a time. */
static void single_bytes(void **state) {
    begin(state);
    char *block = calloc(BYTES, 1);
    static const size_t lows[] = {0, 1, 100, 4095, 4096, 5000};
    static const size_t lengths[] = {1, 100, 4096, 16384, 20000, 70001, 1000000};
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 7; ++j) {
            size_t low = lows[i], high = low + lengths[j], middle = low + lengths[j] / 2;
            size_t places[] = {low, high - 1, middle};
            for (int k = 0; k < 3; ++k) {
                struct dsm_watch *watch = watch_one(block + low, high - low);
                assert_false(dsm_watch_changed(watch));
                ++block[places[k]];
                expect_end(watch, true);
            }
            struct dsm_watch *watch = watch_one(block + low, high - low);
            ++block[high];
            if (low > 0)
                ++block[low - 1];
            expect_end(watch, false);
        }
    }
    free(block);
}

static void overlapping_watches(void **state) {
    begin(state);
    char *block = calloc(BYTES, 1), *other = calloc(BYTES, 1);
    struct dsm_range both[] = {{block, block + BYTES}, {other, other + BYTES}};
    struct dsm_watch *a = dsm_watch_start(2, both);
    struct dsm_watch *b = watch_one(block, BYTES);
    struct dsm_watch *c = watch_one(block + BYTES / 2, BYTES / 2);
    other[BYTES / 2] = 1;
    assert_true(dsm_watch_changed(a));
    assert_false(dsm_watch_changed(b));
    assert_false(dsm_watch_changed(c));
    block[BYTES / 4] = 1;
    assert_true(dsm_watch_changed(b));
    assert_false(dsm_watch_changed(c));
    block[BYTES - 10000] = 1;
    expect_end(c, true);
    expect_end(a, true);
    expect_end(b, true);
    block[5] = other[5] = 2;
    free(block);
    free(other);
}

/* Each thread bytes of its own, all threads on all pages. */
static void *writer(void *data) {
    for (char *at = data, *end = at + BYTES - 4; at < end; at += 512)
        *at = 7;
    return NULL;
}

static void threads_write(void **state) {
    begin(state);
    char *block = calloc(BYTES, 1);
    for (int again = 0; again < 50; ++again) {
        struct dsm_watch *watch = watch_one(block, BYTES), *part = watch_one(block, BYTES / 2);
        pthread_t threads[4];
        for (int i = 0; i < 4; ++i)
            pthread_create(&threads[i], NULL, writer, block + i);
        for (int i = 0; i < 4; ++i)
            pthread_join(threads[i], NULL);
        expect_end(watch, true);
        expect_end(part, true);
    }
    free(block);
}

/* A file with BYTES of 'x'. */
static int some_file(void) {
    char name[] = "/tmp/orrery-watch-XXXXXX", *text = malloc(BYTES);
    int file = mkstemp(name);
    unlink(name);
    memset(text, 'x', BYTES);
    assert_int_equal(write(file, text, BYTES), BYTES);
    lseek(file, 0, SEEK_SET);
    free(text);
    return file;
}

static void kernel_writes(void **state) {
    begin(state);
    char *block = calloc(BYTES, 1);
    int file = some_file();
    struct iovec vector = {block + 10000, 5000};
    struct dsm_watch *watch = watch_one(block, BYTES);
    assert_int_equal(read(file, block, BYTES), BYTES);
    expect_end(watch, true);
    watch = watch_one(block, BYTES);
    assert_int_equal(pread(file, block + 50000, 3, 0), 3);
    expect_end(watch, true);
    watch = watch_one(block, BYTES);
    assert_int_equal(preadv(file, &vector, 1, 0), 5000);
    expect_end(watch, true);
    watch = watch_one(block, BYTES);
    FILE *stream = fdopen(file, "r");
    rewind(stream);
    assert_int_equal(fread(block, 1, BYTES, stream), BYTES);
    expect_end(watch, true);
    watch = watch_one(block, BYTES);
    rewind(stream);
    assert_non_null(fgets(block + 3, 100000, stream));
    expect_end(watch, true);
    fclose(stream);
    free(block);
}

static void kernel_reads(void **state) {
    begin(state);
    char *block = calloc(BYTES, 1);
    FILE *stream = tmpfile();
    struct dsm_watch *watch = watch_one(block, BYTES);
    assert_int_equal(fwrite(block, 1, BYTES, stream), BYTES);
    assert_int_equal(write(fileno(stream), block, BYTES), BYTES);
    fclose(stream);
    expect_end(watch, false);
    free(block);
}

static void freed_and_moved(void **state) {
    begin(state);
    static const size_t sizes[] = {200, 30000, 500000, 8 << 20};
    for (int i = 0; i < 4; ++i) {
        char *block = calloc(sizes[i], 1);
        struct dsm_watch *watch = watch_one(block, sizes[i]);
        free(block);
        expect_end(watch, true);
        block = calloc(sizes[i], 1);
        watch = watch_one(block, sizes[i]);
        block = realloc(block, 2 * sizes[i]);
        memset(block, 1, 2 * sizes[i]);
        expect_end(watch, true);
        block = realloc(block, 2 * sizes[i] + 1);
        watch = watch_one(block, 2 * sizes[i]);
        expect_end(watch, false);
        free(block);
    }
}

static void statics_stacks_constants(void **state) {
    begin(state);
    char local[100000];
    memset(local, 0, sizeof local);
    struct dsm_watch *watch = watch_one(variable, sizeof variable);
    assert_false(dsm_watch_changed(watch));
    variable[200000] = 1;
    expect_end(watch, true);
    watch = watch_one(local, sizeof local);
    assert_false(dsm_watch_changed(watch));
    local[50000] = 1;
    expect_end(watch, true);
    watch = watch_one(constant, sizeof constant);
    expect_end(watch, false);
}

static void mappings(void **state) {
    begin(state);
    int file = some_file();
    char *map = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, file, 0);
    struct dsm_watch *watch = watch_one(map, BYTES);
    assert_false(dsm_watch_changed(watch));
    munmap(map, BYTES);
    expect_end(watch, true);
    map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    watch = watch_one(map, BYTES);
    assert_false(dsm_watch_changed(watch));
    map[BYTES / 2] = 1;
    expect_end(watch, true);
    watch = watch_one(map, BYTES);
    madvise(map, BYTES, MADV_DONTNEED);
    expect_end(watch, true);
    watch = watch_one(map, BYTES);
    map = mremap(map, BYTES, 4 * BYTES, MREMAP_MAYMOVE);
    map[3] = 1;
    expect_end(watch, true);
    munmap(map, 4 * BYTES);
    close(file);
}

/* One that may be written, and is gone when it is closed. */
static int own_file(void) {
    static char bytes[BYTES];
    FILE *file = tmpfile();
    assert_non_null(file);
    int copy = dup(fileno(file));
    fclose(file);
    assert_int_equal(write(copy, bytes, BYTES), BYTES);
    return copy;
}

/* A mapping that may only be read shows what the file becomes by other ways, a private one, too. */
static void file_changes(void **state) {
    begin(state);
    const int flags[] = {MAP_SHARED, MAP_PRIVATE};
    for (int i = 0; i < 2; ++i) {
        int file = own_file();
        char *map = mmap(NULL, BYTES, PROT_READ, flags[i], file, 0);
        struct dsm_watch *watch = watch_one(map, BYTES);
        assert_false(dsm_watch_changed(watch));
        assert_int_equal(pwrite(file, "x", 1, BYTES / 2), 1);
        expect_end(watch, true);
        char *other = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        watch = watch_one(map, BYTES);
        assert_false(dsm_watch_changed(watch));
        other[100] ^= 1;
        expect_end(watch, true);
        watch = watch_one(map, BYTES);
        assert_int_equal(ftruncate(file, 0), 0);
        expect_end(watch, true);
        munmap(map, BYTES);
        munmap(other, BYTES);
        close(file);
    }
    char *zeros = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect_end(watch_one(zeros, BYTES), false);
    munmap(zeros, BYTES);
}

/* Memory that may be written, and that the program has not written: it is the file's. */
static void file_changes_behind_private(void **state) {
    begin(state);
    int file = own_file();
    char *map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    struct dsm_watch *watch = watch_one(map, BYTES);
    assert_false(dsm_watch_changed(watch));
    assert_int_equal(pwrite(file, "x", 1, BYTES / 2), 1);
    expect_end(watch, true);
    munmap(map, BYTES);
    close(file);
}

/* Protection of this process's pages says nothing of what others write. */
static void shared_with_others(void **state) {
    begin(state);
    char *map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct dsm_watch *watch = watch_one(map, BYTES);
    assert_false(dsm_watch_changed(watch));
    pid_t child = fork();
    if (child == 0) {
        map[BYTES / 2] = 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    expect_end(watch, true);
    watch = watch_one(map, BYTES);
    assert_false(dsm_watch_changed(watch));
    map[BYTES - 1] = 1;
    expect_end(watch, true);
    munmap(map, BYTES);
}

/* Rows of their own, with the C library's bookkeeping between: one range over all of them. */
static void range_over_blocks(void **state) {
    begin(state);
    char *rows[200], *low, *high;
    low = high = rows[0] = malloc(1000);
    for (int i = 0; i < 200; ++i) {
        rows[i] = i ? malloc(1000) : rows[0];
        memset(rows[i], i, 1000);
        low = rows[i] < low ? rows[i] : low;
        high = rows[i] + 1000 > high ? rows[i] + 1000 : high;
    }
    struct dsm_watch *watch = watch_one(low, (size_t)(high - low));
    rows[77][500] = 0;
    expect_end(watch, true);
    for (int i = 0; i < 200; ++i)
        free(rows[i]);
    watch = watch_one((char *)4096, 1UL << 46);
    expect_end(watch, true);
}

/* Thousands of pieces, overlapping, in no order; the program frees and allocates meanwhile. */
static void many_ranges(void **state) {
    begin(state);
    enum { ROWS = 3000, ROW = 20000 };
    char *rows = calloc(ROWS, ROW);
    struct dsm_range *ranges = malloc(2 * ROWS * sizeof *ranges);
    for (int i = 0; i < ROWS; ++i) {
        char *row = rows + (i * 1999L % ROWS) * ROW;
        ranges[2 * i] = (struct dsm_range){row, row + ROW - 1};
        ranges[2 * i + 1] = (struct dsm_range){row + 500, row + 900};
    }
    struct dsm_watch *watch = dsm_watch_start(2 * ROWS, ranges);
    for (int i = 0; i < 10000; ++i)
        free(malloc(100));
    for (int i = 0; i < ROWS; ++i)
        rows[(long)i * ROW + ROW - 1] = 1;
    assert_false(dsm_watch_changed(watch));
    rows[1234L * ROW + 700] = 1;
    expect_end(watch, true);
    for (int i = 0; i < ROWS; i += 100) {
        watch = dsm_watch_start(2 * ROWS, ranges);
        ++rows[(long)i * ROW + 10000];
        expect_end(watch, true);
    }
    memset(rows, 3, (size_t)ROWS * ROW);
    free(ranges);
    free(rows);
}

/* Small blocks behind each other are watched as one, those around a hole are not. */
/* Ranks got one of the ranges while it held something else: nobody cares about the others. */
static void sent_in_parts(void **state) {
    (void)state;
    for (int sent = 0; sent < 2; ++sent) {
        char small[2][64] = {{0}};
        struct dsm_range ranges[] = {{small[0], small[0] + 64}, {small[1], small[1] + 64}};
        struct dsm_watch *watch = dsm_watch_start(2, ranges);
        small[1][5] = 1;
        dsm_watch_sent(small[sent], small[sent] + 64);
        small[1][5] = 0;
        expect_end(watch, sent == 1);
    }
}

static void blocks_side_by_side(void **state) {
    enum { BLOCKS = 20000, TOGETHER = 4000, SIZE = 40 };
    begin(state);
    static char *block[BLOCKS];
    int first = 0, last = 0;
    for (int i = 0; i < BLOCKS; ++i)
        block[i] = calloc(SIZE, 1);
    for (int i = 1; i < BLOCKS && last - first < TOGETHER; ++i) {
        first = block[i] - block[i - 1] == block[1] - block[0] ? first : i;
        last = i;
    }
    if (last - first < TOGETHER) { /* a sanitizer keeps blocks apart */
        first = 0;
        last = TOGETHER;
    }
    size_t all = (size_t)(block[last] + SIZE - block[first]);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    assert_true(dsm_filled(block[first], block[last] + SIZE));
    struct dsm_watch *watch = watch_one(block[first], all);
    assert_in_range(dsm_watch_compared(watch), 0, 8192);
    expect_end(watch, false);
#endif
    for (int i = first; i <= last; i += 97) {
        struct dsm_watch *one = watch_one(block[first], all);
        block[i][i % SIZE] += 1;
        expect_end(one, true);
    }
    struct dsm_watch *freed = watch_one(block[first], all);
    free(block[first + 1000]);
    expect_end(freed, true);
    block[first + 1000] = NULL;
    assert_false(dsm_filled(block[first], block[last] + SIZE));
    for (int i = 0; i < BLOCKS; ++i)
        free(block[i]);
}

/* The kernel's own streams and the program's go on while everything is watched. */
static void nothing_else_breaks(void **state) {
    begin(state);
    char *block = calloc(BYTES, 1), text[100];
    struct dsm_watch *watch = watch_one(block, BYTES);
    FILE *stream = tmpfile();
    fprintf(stream, "%d\n", 42);
    rewind(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_string_equal(text, "42\n");
    assert_int_equal(system("true"), 0);
    expect_end(watch, false);
    free(block);
}

static void asking_is_cheap(void **state) {
    begin(state);
    char *block = calloc(64 << 20, 1);
    struct dsm_watch *watch = watch_one(block + 100, (64 << 20) - 200);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 1000; ++i)
        assert_false(dsm_watch_changed(watch));
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    print_message("dsm_watch_changed on 64 MiB: %.2f us\n", seconds * 1e3);
    expect_end(watch, false);
    free(block);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_bytes),
    cmocka_unit_test(overlapping_watches),
    cmocka_unit_test(threads_write),
    cmocka_unit_test(kernel_writes),
    cmocka_unit_test(kernel_reads),
    cmocka_unit_test(freed_and_moved),
    cmocka_unit_test(mappings),
    cmocka_unit_test(file_changes),
    cmocka_unit_test(file_changes_behind_private),
    cmocka_unit_test(shared_with_others),
    cmocka_unit_test(statics_stacks_constants),
    cmocka_unit_test(range_over_blocks),
    cmocka_unit_test(blocks_side_by_side),
    cmocka_unit_test(nothing_else_breaks),
    cmocka_unit_test(asking_is_cheap),
    cmocka_unit_test(many_ranges),
    cmocka_unit_test(sent_in_parts),
};

int main(void) {
    dsm_start("self");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dsm_finish();
    return failed;
}
