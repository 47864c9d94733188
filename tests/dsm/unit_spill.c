/* Spilled blocks: bytes stay, whoever touches them and however often they are evicted. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/dsm/check.h"

#include "dsm/arrays/guard.h"
#include "dsm/interception/fault.h"
#include "dsm/memory/spill.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES (5UL << 20)

static char *some(void) {
    char *memory = memset(malloc(BYTES), 0, 1);
    assert_non_null(memory);
    assert_true(dsm_is_spilled(memory));
    return memory;
}

static void sound(void) {
    const char *wrong = dsm_check();
    if (wrong)
        fail_msg("%s", wrong);
}

static size_t so_far(void) {
    struct dsm_spill_figures figures;
    dsm_spill_figures_get(&figures);
    return figures.evicted;
}

/* So many bytes have been evicted since it was `from`. */
static void evicted(size_t from, size_t bytes) {
    assert_true(so_far() >= from + bytes);
}

static void fill(char *memory, unsigned seed) {
    for (size_t i = 0; i < BYTES; ++i)
        memory[i] = (char)(i * 31 + seed);
}

static void expect(const char *memory, unsigned seed) {
    for (size_t i = 0; i < BYTES; ++i)
        if (memory[i] != (char)(i * 31 + seed))
            fail_msg("byte %zu", i);
}

static void bytes_stay(void **unused) {
    (void)unused;
    dsm_fault_start();
    size_t from = so_far();
    char *first = some(), *second = some();
    fill(first, 1);
    fill(second, 2);
    evicted(from, 2 * BYTES - dsm_spill.budget);
    expect(first, 1);
    expect(second, 2);
    sound();
    free(first);
    free(second);
    sound();
}

/* Room in the file is used again, and reads as zeros. */
static void zeros_again(void **unused) {
    (void)unused;
    dsm_fault_start();
    for (unsigned i = 0; i < 6; ++i) {
        char *memory = calloc(1, BYTES), *other = some();
        assert_true(dsm_is_spilled(memory));
        for (size_t at = 0; at < BYTES; ++at)
            assert_int_equal(memory[at], 0);
        fill(memory, i);
        free(other);
        expect(memory, i);
        free(memory);
        sound();
    }
    assert_int_equal(dsm_spill_bytes(), 0);
}

static void grows(void **unused) {
    (void)unused;
    dsm_fault_start();
    char *memory = memset(malloc(1000), 'a', 1000);
    assert_false(dsm_is_spilled(memory));
    memory = realloc(memory, BYTES);
    assert_true(dsm_is_spilled(memory));
    assert_int_equal(memory[999], 'a');
    fill(memory, 7);
    memory = realloc(memory, 3 * BYTES);
    expect(memory, 7);
    assert_true(malloc_usable_size(memory) >= 3 * BYTES);
    memory = realloc(memory, 500);
    assert_false(dsm_is_spilled(memory));
    assert_int_equal(memory[499], (char)(499 * 31 + 7));
    free(memory);
    char *aligned = memalign(1 << 16, BYTES);
    assert_int_equal((uintptr_t)aligned % (1 << 16), 0);
    assert_true(dsm_is_spilled(aligned));
    free(aligned);
    assert_null(realloc(some(), 0));
    sound();
}

/* The kernel writes and reads evicted pages as others. */
static void by_the_kernel(void **unused) {
    (void)unused;
    dsm_fault_start();
    int ends[2];
    size_t from = so_far();
    char *memory = some(), back[1000];
    fill(memory, 3);
    evicted(from, BYTES - dsm_spill.budget);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], memory + 4097, 1000), 1000);
    assert_int_equal(read(ends[0], memory + 4097, 1000), 1000);
    expect(memory, 3);
    memcpy(back, memory + BYTES - 1000, 1000);
    assert_int_equal(back[999], (char)((BYTES - 1) * 31 + 3));
    close(ends[0]);
    close(ends[1]);
    free(memory);
}

/* A watch sees writes, and no evictions. */
static void watched(void **unused) {
    (void)unused;
    dsm_fault_start();
    char *memory = some();
    fill(memory, 4);
    struct dsm_watch *watch = dsm_watch_start(1, &(struct dsm_range){memory, memory + BYTES});
    size_t from = so_far();
    expect(memory, 4);
    evicted(from, BYTES - dsm_spill.budget);
    expect(memory, 4);
    assert_false(dsm_watch_changed(watch));
    memory[BYTES / 2] ^= 1;
    assert_true(dsm_watch_changed(watch));
    dsm_watch_end(watch);
    free(memory);
}

static void fetch(void *data, char *to, const char *address, size_t bytes) {
    const char *base = data;
    for (size_t i = 0; i < bytes; ++i)
        to[i] = (char)((size_t)(address - base + (long)i) * 31 + 5);
}

static void pending(void **unused) {
    (void)unused;
    dsm_fault_start();
    struct dsm_range pages;
    char *memory = some();
    fill(memory, 9);
    struct dsm_lazy *lazy = dsm_lazy_new(memory, memory + BYTES, fetch, memory, &pages);
    assert_non_null(lazy);
    assert_ptr_equal(pages.low, memory);
    dsm_lazy_defer(lazy);
    usleep(3000);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_PENDING);
    expect(memory, 5);
    assert_int_equal(dsm_lazy_state(lazy), DSM_LAZY_DONE);
    dsm_lazy_end(lazy);
    memory[1] = 'x';
    sound();
    free(memory);
}

/* Uses are counted, evicted or not, and a block that goes takes what was said of it along. */
static void hints(void **unused) {
    (void)unused;
    dsm_fault_start();
    char *memory = some();
    fill(memory, 6);
    for (int i = 0; i < 3; ++i) {
        dsm_spill_use(memory + 5000, memory + BYTES - 5000);
        dsm_spill_ahead(memory, memory + BYTES);
    }
    for (int i = 0; i < 3; ++i)
        dsm_spill_done(memory + 5000, memory + BYTES - 5000);
    expect(memory, 6);
    free(memory);
    sound();
}

/* Bytes of spilled memory that are mapped here, as the kernel counts them (proc(5), smaps). */
static size_t mapped(void) {
    char line[512], word[64];
    size_t bytes = 0, kilobytes;
    bool spilled = false;
    FILE *maps = fopen("/proc/self/smaps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        if (strstr(line, " rw-s ") || strstr(line, " ---s ") || strstr(line, " r--s "))
            spilled = strstr(line, "(deleted)") != NULL;
        else if (sscanf(line, "%*x-%*x %63s", word) == 1)
            spilled = false;
        if (spilled && sscanf(line, "Rss: %zu kB", &kilobytes) == 1)
            bytes += kilobytes << 10;
    }
    fclose(maps);
    return bytes;
}

enum { TOUCHERS = 3, ROUNDS = 20 };
static pthread_barrier_t round_over;

/* Reads and writes all of it, in steps of its own; between rounds nobody does. */
static void *toucher(void *memory) {
    for (size_t round = 1; round <= ROUNDS; ++round) {
        for (size_t at = 0; at < BYTES; at += round * 4096)
            *(volatile char *)((char *)memory + at) += 1;
        pthread_barrier_wait(&round_over);
        pthread_barrier_wait(&round_over);
    }
    return NULL;
}

/* However many threads touch it, and however seldom the keeper runs. */
static void within_budget(void **unused) {
    (void)unused;
    dsm_fault_start();
    pthread_t threads[TOUCHERS];
    char *memory[TOUCHERS];
    pthread_barrier_init(&round_over, NULL, TOUCHERS + 1);
    for (int i = 0; i < TOUCHERS; ++i) {
        memory[i] = calloc(1, BYTES);
        assert_int_equal(pthread_create(&threads[i], NULL, toucher, memory[i]), 0);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        pthread_barrier_wait(&round_over);
        assert_in_range(mapped(), 1, dsm_spill.budget);
        pthread_barrier_wait(&round_over);
    }
    for (int i = 0; i < TOUCHERS; ++i) {
        pthread_join(threads[i], NULL);
        free(memory[i]);
    }
    struct dsm_spill_figures figures;
    dsm_spill_figures_get(&figures);
    assert_in_range(figures.most, 1, dsm_spill.budget);
    sound();
}

int main(int argc, char **argv) {
    char folder[512];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_stay),    cmocka_unit_test(zeros_again),   cmocka_unit_test(grows),
        cmocka_unit_test(by_the_kernel), cmocka_unit_test(watched),       cmocka_unit_test(pending),
        cmocka_unit_test(hints),         cmocka_unit_test(within_budget),
    };
    dsm_start("self");
    snprintf(folder, sizeof folder, "%s", argc > 1 ? argv[1] : ".");
    dsm_spill_start(folder, 1UL << 30, true);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
