#include "analyzer/arena.h"

#include "analyzer/budget.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks hold at least this many bytes; larger requests get a block of their own. */
enum { BLOCK_BYTES = 64 * 1024 };

/* One piece of memory of an arena. `data` starts `used` bytes that are handed out, of `size`. */
struct block {
    struct block *next;
    size_t used, size;
    max_align_t data[];
};

/* `spare`: one that was rewound, zeroed; NULL: none. It counts as used, for it is there. */
struct arena {
    struct block *blocks, *spare;
};

static void out_of_memory(void) {
    fputs("orrery: out of memory\n", stderr);
    exit(1);
}

struct arena *arena_new(void) {
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        out_of_memory();
    return arena;
}

void arena_free(struct arena *arena) {
    if (!arena)
        return;
    for (struct block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(arena->spare);
    free(arena);
}

struct arena_mark arena_mark(const struct arena *arena) {
    struct block *first = arena->blocks;
    return (struct arena_mark){first, first ? first->next : NULL, first ? first->used : 0};
}

static void clear(struct block *block, size_t from) {
    memset((char *)block->data + from, 0, block->used - from);
    block->used = from;
}

static void drop(struct arena *arena, struct block **link) {
    struct block *block = *link;
    *link = block->next;
    if (!arena->spare && block->size == BLOCK_BYTES) {
        clear(block, 0);
        arena->spare = block;
        return;
    }
    budget_return_bytes(arena, block->size);
    free(block);
}

void arena_rewind(struct arena *arena, struct arena_mark mark) {
    while (arena->blocks != mark.block)
        drop(arena, &arena->blocks);
    struct block *first = mark.block;
    if (!first)
        return;
    while (first->next != mark.next)
        drop(arena, &first->next);
    clear(first, mark.used);
}

static struct block *block_new(size_t size) {
    if (size > SIZE_MAX - sizeof(struct block))
        out_of_memory();
    struct block *block = calloc(1, sizeof *block + size);
    if (!block)
        out_of_memory();
    block->size = size;
    return block;
}

static struct block *block_of_usual_size(struct arena *arena) {
    struct block *spare = arena->spare;
    arena->spare = NULL;
    if (!spare)
        budget_spend_bytes(arena, BLOCK_BYTES);
    return spare ? spare : block_new(BLOCK_BYTES);
}

/* A large request goes behind the first block, so that what is left in that one is still used. */
static void *alloc_large(struct arena *arena, size_t bytes) {
    budget_spend_bytes(arena, bytes);
    struct block *block = block_new(bytes);
    block->used = bytes;
    if (arena->blocks) {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        arena->blocks = block;
    }
    return block->data;
}

void *arena_alloc(struct arena *arena, size_t bytes) {
    const size_t align = sizeof(max_align_t) < 16 ? 16 : _Alignof(max_align_t);
    if (bytes > SIZE_MAX - align)
        out_of_memory();
    bytes = (bytes + align - 1) / align * align;
    if (bytes > BLOCK_BYTES / 4)
        return alloc_large(arena, bytes);
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        block = block_of_usual_size(arena);
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *p = (char *)block->data + block->used;
    block->used += bytes;
    return p;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        out_of_memory();
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

void *arena_grow(struct arena *arena, void *items, int count, size_t size) {
    if (count > 0 && (count & (count - 1)) != 0)
        return items;
    size_t capacity = count ? 2 * (size_t)count : 1;
    if (capacity > SIZE_MAX / size)
        out_of_memory();
    void *moved = arena_alloc(arena, capacity * size);
    if (count)
        memcpy(moved, items, (size_t)count * size);
    return moved;
}
