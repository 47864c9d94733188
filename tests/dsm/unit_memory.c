/*
 * Allocation through the hooks and dsm_find, against a plain list of what was allocated: first with
 * the C library (one rank), then with the global heap.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/dsm/check.h"

#include "dsm/arrays/guard.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BLOCKS 600

static double variable[5000];
static const int constant[100] = {1, 2, 3};

struct block {
    unsigned char *at;
    size_t bytes;
    unsigned char mark;
};

static unsigned draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static size_t some_size(unsigned *seed) {
    return draw(seed) % (1u << (1 + draw(seed) % 19));
}

static void found_everywhere(const struct block *block) {
    char *base;
    size_t bytes;
    size_t places[] = {0, block->bytes / 2, block->bytes - 1};
    for (int i = 0; block->bytes > 0 && i < 3; ++i) {
        assert_true(dsm_find(block->at + places[i], &base, &bytes));
        assert_ptr_equal(base, block->at);
        assert_int_equal(bytes, block->bytes);
    }
}

static void marked(const struct block *block, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 1 + bytes / 50)
        assert_int_equal(block->at[i], block->mark);
}

static void fill(struct block *block, unsigned *seed) {
    block->mark = (unsigned char)draw(seed);
    memset(block->at, block->mark, block->bytes);
}

static void *some_alloc(size_t bytes, unsigned *seed) {
    void *memory = NULL;
    size_t alignment = 16UL << draw(seed) % 10;
    switch (draw(seed) % 5) {
    case 0:
        memory = calloc(bytes / 4 + 1, 4);
        for (size_t i = 0; i < bytes; ++i)
            assert_int_equal(((char *)memory)[i], 0);
        return realloc(memory, bytes ? bytes : 1);
    case 1:
        memory = aligned_alloc(alignment, bytes);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        return memory;
    case 2:
        assert_int_equal(posix_memalign(&memory, alignment, bytes), 0);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        return memory;
    default:
        return malloc(bytes);
    }
}

static void block_turn(struct block *block, unsigned *seed) {
    if (block->at && draw(seed) % 3 == 0) {
        size_t bytes = some_size(seed) + 1, kept = bytes < block->bytes ? bytes : block->bytes;
        block->at = realloc(block->at, bytes);
        block->bytes = bytes;
        marked(block, kept);
    } else if (block->at) {
        found_everywhere(block);
        marked(block, block->bytes);
        free(block->at);
        *block = (struct block){NULL, 0, 0};
        return;
    } else {
        block->bytes = some_size(seed) + 1;
        block->at = some_alloc(block->bytes, seed);
    }
    assert_non_null(block->at);
    found_everywhere(block);
    fill(block, seed);
}

static void no_overlap(const struct block *blocks, int count) {
    for (int i = 0; i < count; ++i) {
        for (int j = 0; blocks[i].at && j < i; ++j) {
            assert_true(!blocks[j].at || blocks[i].at + blocks[i].bytes <= blocks[j].at ||
                        blocks[j].at + blocks[j].bytes <= blocks[i].at);
        }
    }
}

static void churn(unsigned seed, int turns) {
    static _Thread_local struct block blocks[BLOCKS];
    for (int i = 0; i < turns; ++i)
        block_turn(&blocks[draw(&seed) % BLOCKS], &seed);
    no_overlap(blocks, BLOCKS);
    for (int i = 0; i < BLOCKS; ++i) {
        if (blocks[i].at) {
            found_everywhere(&blocks[i]);
            marked(&blocks[i], blocks[i].bytes);
            free(blocks[i].at);
            blocks[i].at = NULL;
        }
    }
}

static void *churn_thread(void *seed) {
    churn(*(unsigned *)seed, 3000);
    return NULL;
}

static void blocks_are_found(void **state) {
    (void)state;
    churn(1, 6000);
    assert_null(dsm_reservation.low ? dsm_heap_check() : NULL);
}

static void threads_allocate(void **state) {
    (void)state;
    pthread_t threads[4];
    unsigned seeds[4] = {11, 12, 13, 14};
    for (int i = 0; i < 4; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, churn_thread, &seeds[i]), 0);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    assert_null(dsm_reservation.low ? dsm_heap_check() : NULL);
}

static void big_blocks(void **state) {
    (void)state;
    unsigned seed = 5;
    struct block block = {malloc(30 << 20), 30 << 20, 0};
    assert_int_equal((uintptr_t)block.at % (2 << 20), 0);
    fill(&block, &seed);
    found_everywhere(&block);
    for (size_t bytes = 31 << 20; bytes < 100 << 20; bytes += 17 << 20) {
        unsigned char *other = malloc(3 << 20);
        size_t kept = block.bytes;
        block.at = realloc(block.at, bytes + 13);
        block.bytes = bytes + 13;
        found_everywhere(&block);
        marked(&block, kept);
        fill(&block, &seed);
        free(other);
    }
    block.at = realloc(block.at, 5000);
    block.bytes = 5000;
    found_everywhere(&block);
    marked(&block, 5000);
    free(block.at);
    unsigned char *zeros = calloc(9 << 20, 1);
    for (size_t i = 0; i < 9 << 20; ++i)
        assert_int_equal(zeros[i], 0);
    free(zeros);
}

static void freed_is_not_found(void **state) {
    (void)state;
    char *base;
    size_t bytes;
    static const size_t sizes[] = {1, 100, 5000, 70000, 5 << 20};
    for (int i = 0; i < 5; ++i) {
        void *volatile block = malloc(sizes[i]);
        free(block);
        assert_false(dsm_find(block, &base, &bytes) && base == (char *)block);
    }
}

static void absurd_sizes_fail(void **state) {
    (void)state;
    volatile size_t absurd = SIZE_MAX / 2, many = SIZE_MAX / 4;
    errno = 0;
    assert_null(malloc(absurd));
    assert_int_equal(errno, ENOMEM);
    assert_null(calloc(many, 8));
    assert_null(reallocarray(NULL, many, 8));
    char *volatile block = malloc(100);
    strcpy(block, "stays");
    assert_null(realloc(block, absurd));
    assert_string_equal(block, "stays");
    char *base;
    size_t bytes;
    assert_true(dsm_find(block + 50, &base, &bytes) && bytes == 100);
    free(block);
}

/* New blocks change nothing about the others; what is freed, resized or unmapped does. */
static void epochs(void **state) {
    (void)state;
    char *volatile old = malloc(100), *volatile large = malloc(1 << 20);
    unsigned long epoch = dsm_find_epoch();
    char *volatile fresh = malloc(100);
    if (!dsm_in_heap(old))
        assert_int_equal(dsm_find_epoch(), epoch);
    free(fresh);
    assert_int_not_equal(dsm_find_epoch(), epoch);
    epoch = dsm_find_epoch();
    old = realloc(old, 104);
    assert_int_not_equal(dsm_find_epoch(), epoch);
    epoch = dsm_find_epoch();
    free(large);
    assert_int_not_equal(dsm_find_epoch(), epoch);
    epoch = dsm_find_epoch();
    void *pages = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!dsm_in_heap(old))
        assert_int_equal(dsm_find_epoch(), epoch);
    munmap(pages, 1 << 20);
    assert_int_not_equal(dsm_find_epoch(), epoch);
    free(old);
}

static void statics_and_strangers(void **state) {
    (void)state;
    char *base;
    size_t bytes;
    double local;
    assert_true(dsm_find(&variable[77], &base, &bytes));
    assert_ptr_equal(base, variable);
    assert_int_equal(bytes, sizeof variable);
    assert_true(dsm_find(&constant[50], &base, &bytes));
    assert_ptr_equal(base, constant);
    assert_false(dsm_find(&local, &base, &bytes));
    assert_false(dsm_find(stdout, &base, &bytes));
    assert_false(dsm_find(NULL, &base, &bytes));
    assert_false(dsm_find((void *)UINTPTR_MAX, &base, &bytes));
    assert_true(dsm_is_shared(variable));
    assert_false(dsm_is_shared(&local));
}

static void mappings_are_found(void **state) {
    (void)state;
    char *base, *map;
    size_t bytes;
    map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(dsm_find(map + 5000, &base, &bytes));
    assert_ptr_equal(base, map);
    assert_int_equal(bytes, 1 << 20);
    munmap(map, 1 << 20);
    assert_false(dsm_find(map + 5000, &base, &bytes));
}

static void texts(void **state) {
    (void)state;
    char *base, *text, *line = NULL;
    size_t bytes, room = 0;
    text = strdup("twelve chars");
    assert_true(dsm_find(text, &base, &bytes) && bytes == 13);
    free(text);
    assert_int_equal(asprintf(&text, "%d-%s", 42, "x"), 4);
    assert_string_equal(text, "42-x");
    assert_true(dsm_find(text, &base, &bytes) && bytes == 5);
    FILE *file = tmpfile();
    for (int i = 0; i < 2000; ++i)
        fputc('a' + i % 26, file);
    fputs("\nshort\nno newline", file);
    rewind(file);
    assert_int_equal(getline(&line, &room, file), 2001);
    assert_true(dsm_find(line + 2000, &base, &bytes) && base == line && bytes == room);
    assert_int_equal(getline(&line, &room, file), 6);
    assert_string_equal(line, "short\n");
    assert_int_equal(getline(&line, &room, file), 10);
    assert_string_equal(line, "no newline");
    assert_int_equal(getline(&line, &room, file), -1);
    assert_true(feof(file));
    fclose(file);
    free(line);
    free(text);
}

static void from_the_library(void **state) {
    (void)state;
    char *path = realpath("/", NULL);
    assert_string_equal(path, "/");
    path = realloc(path, 10000);
    assert_string_equal(path, "/");
    free(path);
    free(NULL);
    char buffer[10];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

/* A block that took the place of one that was freed behind our back takes its record, too. */
static void dead_blocks_leave_nothing(void **state) {
    (void)state;
    enum { ROUNDS = 2000, BYTES = 1 << 18 };
    char *area = mmap(NULL, 4 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(area, MAP_FAILED);
    dsm_registry_add(area + BYTES, BYTES);
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < ROUNDS; ++i) {
        dsm_registry_add(area + BYTES, BYTES);
        dsm_foreign_library(area + BYTES, -1);
    }
    assert_true(mallinfo2().uordblks < before + ROUNDS);
    dsm_registry_remove(area + BYTES);
    munmap(area, 4 * BYTES);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_are_found),
    cmocka_unit_test(threads_allocate),
    cmocka_unit_test(big_blocks),
    cmocka_unit_test(freed_is_not_found),
    cmocka_unit_test(absurd_sizes_fail),
    cmocka_unit_test(statics_and_strangers),
    cmocka_unit_test(epochs),
    cmocka_unit_test(mappings_are_found),
    cmocka_unit_test(texts),
    cmocka_unit_test(from_the_library),
    cmocka_unit_test(dead_blocks_leave_nothing),
};

int main(int argc, char **argv) {
    (void)argv;
    dsm_start("self");
    if (argc > 1)
        dsm_reservation_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dsm_finish();
    return failed;
}
